//! Contacts in every step (paper, figure 22), with the published mean and range.

use maud::Markup;

use super::axis::from_zero;
use super::plot::{Axis, Plot};
use crate::number::{coordinate, count, short};

/// What is drawn.
pub struct Counts<'a> {
    /// Contacts in each step, from step 1.
    pub counts: &'a [usize],
    /// Published mean, fewest, most, deviation.
    pub published: Option<[f64; 4]>,
    /// The largest count of all that are to be compared with it.
    pub highest: f64,
}

/// Draws the counts.
pub fn counts(data: &Counts<'_>, title: &str) -> Markup {
    let last = data.counts.len().max(2) as f64;
    let scale = from_zero(data.highest, 4);
    let y_ticks = scale.ticks(4).into_iter().map(|v| (v, count(v as usize))).collect();
    let x_scale = super::axis::Scale::Linear(0.0, last);
    let x_ticks = x_scale.ticks(5).into_iter().map(|v| (v, short(v))).collect();
    let x = Axis { scale: x_scale, ticks: x_ticks, label: "step".into() };
    let mut plot = Plot::new(280.0, 180.0, 12.0, x, Axis { scale, ticks: y_ticks, label: "contacts".into() });
    if let Some([mean, least, most, _]) = data.published {
        let [left, right] = [plot.x(0.0), plot.end()].map(coordinate);
        let [top, bottom, middle] = [most, least, mean].map(|v| coordinate(plot.y(v)));
        plot.path("band", &format!("M{left} {top}H{right}V{bottom}H{left}Z"));
        plot.path("expected", &format!("M{left} {middle}H{right}"));
    }
    let mut line = String::new();
    for (k, &n) in data.counts.iter().enumerate() {
        let (x, y) = (coordinate(plot.x((k + 1) as f64)), coordinate(plot.y(n as f64)));
        line.push_str(&format!("{}{x} {y}", if k == 0 { 'M' } else { 'L' }));
    }
    plot.path("line s0 thin", &line);
    if let Some([mean, ..]) = data.published {
        let (x, y) = (plot.end() - 2.0, plot.y(mean) - 4.0);
        plot.text("name halo", "end", x, y, &format!("paper {mean:.0}"));
    }
    let (least, most) = (data.counts.iter().min().unwrap_or(&0), data.counts.iter().max().unwrap_or(&0));
    plot.finish(title, &format!("{} steps, from {least} to {most} contacts", data.counts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_a_step() {
        let data = Counts { counts: &[3, 9, 4], published: Some([5.0, 1.0, 9.0, f64::NAN]), highest: 9.0 };
        let svg = counts(&data, "t").into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find(|n| n.attribute("class") == Some("line s0 thin")).unwrap();
        assert_eq!(line.attribute("d").unwrap().matches(['M', 'L']).count(), 3);
        assert!(svg.contains("paper 5") && svg.contains("from 3 to 9") && !svg.contains("NaN"));
        let none = counts(&Counts { counts: &[], published: None, highest: f64::NAN }, "t").into_string();
        assert!(roxmltree::Document::parse(&none).is_ok() && !none.contains("NaN"));
    }
}
