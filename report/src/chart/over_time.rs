//! Several figures over simulated time, as lines.

use maud::Markup;

use super::axis::{Scale, from_zero};
use super::plot::{Axis, Plot};
use crate::number::{coordinate, short};

/// How figures are spread upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// By powers of ten; what is not above zero is not drawn.
    Log,
    /// Evenly, from zero, or from the lowest value if that is below.
    Linear,
}

/// What is drawn.
pub struct OverTime<'a> {
    /// s, ascending.
    pub times: &'a [f64],
    /// A name and a value at each time, not a number where there is none; five series at most.
    pub series: &'a [(&'a str, Vec<f64>)],
    /// What the figures are, with unit.
    pub figure: &'a str,
    /// How they are spread.
    pub spread: Spread,
}

/// Draws the lines.
pub fn over_time(data: &OverTime<'_>, title: &str) -> Markup {
    let end = data.times.last().copied().unwrap_or(1.0);
    let is_drawn = |v: f64| v.is_finite() && (data.spread == Spread::Linear || v > 0.0);
    let values = || data.series.iter().flat_map(|(_, values)| values.iter().copied()).filter(|v| is_drawn(*v));
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let scale = match data.spread {
        Spread::Log if low <= high => {
            let [bottom, top] = [libm::log10(low).floor(), libm::log10(high).floor() + 1.0];
            Scale::Log(libm::pow(10.0, bottom), libm::pow(10.0, top))
        }
        Spread::Log => Scale::Log(1.0, 10.0),
        Spread::Linear if low < 0.0 => {
            let Scale::Linear(_, reach) = from_zero(high.max(-low), 3) else { return maud::html! {} };
            Scale::Linear(-reach, reach)
        }
        Spread::Linear => from_zero(high, 4),
    };
    let every = if data.spread == Spread::Log { scale.ticks(9).len().div_ceil(6).max(1) } else { 1 };
    let y_ticks = scale.ticks(4).into_iter().step_by(every).map(|v| (v, value(v))).collect();
    let x_scale = from_zero(end, 5);
    let x = Axis {
        scale: x_scale,
        ticks: x_scale.ticks(5).into_iter().map(|v| (v, short(v))).collect(),
        label: "simulated time, s".into(),
    };
    let mut plot = Plot::new(480.0, 210.0, 18.0, x, Axis { scale, ticks: y_ticks, label: data.figure.into() });
    let mut description = Vec::new();
    for (k, (name, values)) in data.series.iter().enumerate() {
        let mut d = String::new();
        let mut is_open = false;
        for (&time, &v) in data.times.iter().zip(values) {
            if is_drawn(v) {
                d += &format!(
                    "{}{} {}",
                    if is_open { 'L' } else { 'M' },
                    coordinate(plot.x(time)),
                    coordinate(plot.y(v))
                );
            }
            is_open = is_drawn(v);
        }
        plot.path(&format!("line s{k}"), &d);
        if let Some(last) = values.last() {
            description.push(format!("{name}: {} at the end", value(*last)));
        }
    }
    plot.finish(title, &format!("{} over simulated time. {}", data.figure, description.join("; ")))
}

/// A value in few characters.
fn value(value: f64) -> String {
    if value == 0.0 || (0.01..1e4).contains(&value.abs()) { short(value) } else { format!("{:e}", round(value)) }
}

/// A value to four digits.
fn round(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_series_with_gaps_where_nothing_is_known() {
        let times = [0.1, 0.2, 0.3, 0.4];
        let series = [("first", vec![1.0, f64::NAN, 3.0, 4.0]), ("second", vec![-2.0, 0.0, 1.0, 1.0])];
        for (spread, lines) in [(Spread::Linear, [1, 3]), (Spread::Log, [1, 1])] {
            let svg =
                over_time(&OverTime { times: &times, series: &series, figure: "J <x>", spread }, "t").into_string();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let path = |class| document.descendants().find(|n| n.attribute("class") == Some(class)).unwrap();
            for (class, wanted) in ["line s0", "line s1"].into_iter().zip(lines) {
                assert_eq!(path(class).attribute("d").unwrap().matches('L').count(), wanted, "{svg}");
            }
            assert!(!svg.contains("NaN"));
        }
        let none = over_time(&OverTime { times: &[], series: &[], figure: "", spread: Spread::Log }, "t").into_string();
        assert!(roxmltree::Document::parse(&none).is_ok());
    }
}
