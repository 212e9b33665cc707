//! Our value and the published one of every method on one line: filled and hollow; ours as a number at its end.

use super::axis::Scale;
use super::plot::svg;
use crate::markup::escape;
use crate::number::coordinate;

/// A line of the chart.
pub struct Pair {
    /// What it is.
    pub label: String,
    /// Ours, 0…100.
    pub value: f64,
    /// The published one, 0…100.
    pub published: Option<f64>,
}

/// Draws the pairs on an axis of per cent.
pub fn dumbbell(pairs: &[Pair], axis: &str, title: &str) -> String {
    const LEFT: f64 = 118.0;
    const RIGHT: f64 = 58.0;
    const WIDTH: f64 = 560.0;
    const ROW: f64 = 24.0;
    const TOP: f64 = 12.0;
    let scale = Scale::Linear(0.0, 100.0);
    let x = |value: f64| LEFT + scale.place(value) * (WIDTH - LEFT - RIGHT);
    let floor = TOP + ROW * pairs.len() as f64;
    let mut body = String::new();
    let mut grid = String::new();
    for tick in scale.ticks(4) {
        grid.push_str(&format!("M{} {TOP}V{}", coordinate(x(tick)), coordinate(floor)));
        let at = (coordinate(x(tick)), coordinate(floor + 14.0));
        body.push_str(&format!("<text class=\"tick middle\" x=\"{}\" y=\"{}\">{tick}</text>", at.0, at.1));
    }
    body.push_str(&format!("<path class=\"grid\" d=\"{grid}\"/>"));
    for (k, pair) in pairs.iter().enumerate() {
        let y = TOP + ROW * (k as f64 + 0.5);
        let text = |class: &str, at: f64, text: &str| {
            let (at, y) = (coordinate(at), coordinate(y + 4.0));
            format!("<text class=\"{class}\" x=\"{at}\" y=\"{y}\">{}</text>", escape(text))
        };
        body.push_str(&text("name end", LEFT - 12.0, &pair.label));
        let (ours, place) = (x(pair.value), coordinate(y));
        if let Some(published) = pair.published {
            let other = coordinate(x(published));
            body.push_str(&format!("<path class=\"link\" d=\"M{} {place}H{other}\"/>", coordinate(ours)));
            body.push_str(&format!("<circle class=\"hollow\" cx=\"{other}\" cy=\"{place}\" r=\"5.5\"/>"));
        }
        body.push_str(&format!("<circle class=\"dot\" cx=\"{}\" cy=\"{place}\" r=\"4\"/>", coordinate(ours)));
        body.push_str(&text("value end", WIDTH - 4.0, &format!("{:.1}", pair.value)));
    }
    let middle = (coordinate(0.5 * (LEFT + WIDTH - RIGHT)), coordinate(floor + 30.0));
    body.push_str(&format!(
        "<text class=\"label middle\" x=\"{}\" y=\"{}\">{}</text>",
        middle.0,
        middle.1,
        escape(axis)
    ));
    let parts = pairs.iter().map(|p| match p.published {
        Some(published) => format!("{} {:.1}, published {published:.1}", p.label, p.value),
        None => format!("{} {:.1}", p.label, p.value),
    });
    svg(WIDTH, floor + 38.0, "chart wide", title, &parts.collect::<Vec<_>>().join("; "), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_are_hollow() {
        let pair = |value, published| Pair { label: "<m>".into(), value, published };
        let svg = dumbbell(&[pair(26.0, Some(97.9)), pair(100.0, None), pair(f64::NAN, Some(0.0))], "%", "t");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let dots = |class| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
        assert_eq!((dots("dot"), dots("hollow")), (3, 2));
        assert!(svg.contains("&lt;m&gt; 26.0, published 97.9"));
    }
}
