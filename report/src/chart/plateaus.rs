//! Areas of all interfaces, in descending order, before the plateaus that the construction gives (paper, figures 25 and 28).

use maud::Markup;

use super::axis::from_zero;
use super::plot::{Axis, Plot};
use crate::number::{coordinate, short};

/// What is drawn.
pub struct Plateaus<'a> {
    /// Measured areas, m².
    pub measured: &'a [f64],
    /// Expected areas, m².
    pub expected: &'a [f64],
    /// The largest area of all that are to be compared with it, m².
    pub highest: f64,
}

/// Draws both, each in descending order.
pub fn plateaus(data: &Plateaus<'_>, title: &str) -> Markup {
    let scale = from_zero(data.highest, 4);
    let y_ticks = scale.ticks(4).into_iter().map(|v| (v, short(v))).collect();
    let last = data.measured.len().max(data.expected.len()).max(1) as f64;
    let x_scale = super::axis::Scale::Linear(0.0, last);
    let x_ticks = x_scale.ticks(4).into_iter().filter(|v| v.fract() == 0.0).map(|v| (v, short(v))).collect();
    let x = Axis { scale: x_scale, ticks: x_ticks, label: "interfaces, largest first".into() };
    let mut plot = Plot::new(280.0, 180.0, 12.0, x, Axis { scale, ticks: y_ticks, label: "area (m²)".into() });
    let measured = steps(&plot, data.measured);
    if !measured.is_empty() {
        let floor = coordinate(plot.floor());
        plot.path("area", &format!("{measured}V{floor}H{}Z", coordinate(plot.x(0.0))));
        plot.path("line s0", &measured);
    }
    let expected = steps(&plot, data.expected);
    if !expected.is_empty() {
        plot.path("expected", &expected);
    }
    let total = |areas: &[f64]| areas.iter().filter(|a| a.is_finite()).sum::<f64>();
    let (sum, whole) = (total(data.measured), total(data.expected));
    let areas = data.measured.len();
    plot.finish(title, &format!("{areas} interfaces with {sum:.2} m² of {whole:.2} m² expected"))
}

fn steps(plot: &Plot, areas: &[f64]) -> String {
    let mut areas = areas.to_vec();
    areas.sort_by(|a, b| b.total_cmp(a));
    let mut line = String::new();
    let mut last = String::new();
    for (k, &area) in areas.iter().enumerate() {
        let (x, y) = (coordinate(plot.x(k as f64)), coordinate(plot.y(area)));
        if y != last {
            line.push_str(&if k == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") });
            last = y;
        }
    }
    if !line.is_empty() {
        line.push_str(&format!("H{}", coordinate(plot.x(areas.len() as f64))));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_a_plateau() {
        let expected = [0.2, 0.3125, 0.15625, 0.3125, 0.2];
        let svg = plateaus(&Plateaus { measured: &[0.1, 0.2, 0.0, 0.3], expected: &expected, highest: 0.3125 }, "t");
        let svg = svg.into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find(|n| n.attribute("class") == Some("expected")).unwrap();
        assert_eq!(line.attribute("d").unwrap().matches('V').count(), 2, "three plateaus");
        assert!(svg.contains("0.60 m² of 1.18 m²") && !svg.contains("NaN"));
        let none = plateaus(&Plateaus { measured: &[], expected: &[], highest: 0.0 }, "t").into_string();
        assert!(roxmltree::Document::parse(&none).is_ok() && !none.contains("NaN"));
    }
}
