//! Our value and the published one of every method on one line: filled and hollow; ours as a number at its end.

use maud::{Markup, html};

use super::axis::Scale;
use super::plot::svg;
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
pub fn dumbbell(pairs: &[Pair], axis: &str, title: &str) -> Markup {
    const LEFT: f64 = 118.0;
    const RIGHT: f64 = 58.0;
    const WIDTH: f64 = 560.0;
    const ROW: f64 = 24.0;
    const TOP: f64 = 12.0;
    let scale = Scale::Linear(0.0, 100.0);
    let x = |value: f64| LEFT + scale.place(value) * (WIDTH - LEFT - RIGHT);
    let floor = TOP + ROW * pairs.len() as f64;
    let ticks = scale.ticks(4);
    let grid: String = ticks.iter().map(|v| format!("M{} {TOP}V{}", coordinate(x(*v)), coordinate(floor))).collect();
    let text = |class: &str, x: f64, y: f64, text: &str| {
        html! { text class=(class) x=(coordinate(x)) y=(coordinate(y)) { (text) } }
    };
    let row = |(k, pair): (usize, &Pair)| {
        let y = TOP + ROW * (k as f64 + 0.5);
        let (ours, place) = (coordinate(x(pair.value)), coordinate(y));
        html! {
            (text("name end", LEFT - 12.0, y + 4.0, &pair.label))
            @if let Some(other) = pair.published.map(|published| coordinate(x(published))) {
                path class="link" d={ "M" (ours) " " (place) "H" (other) } {}
                circle class="hollow" cx=(other) cy=(place) r="5.5" {}
            }
            circle class="dot" cx=(ours) cy=(place) r="4" {}
            (text("value end", WIDTH - 4.0, y + 4.0, &format!("{:.1}", pair.value)))
        }
    };
    let body = html! {
        @for tick in &ticks { (text("tick middle", x(*tick), floor + 14.0, &tick.to_string())) }
        path class="grid" d=(grid) {}
        @for pair in pairs.iter().enumerate() { (row(pair)) }
        (text("label middle", 0.5 * (LEFT + WIDTH - RIGHT), floor + 30.0, axis))
    };
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
        let svg = svg.into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let dots = |class| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
        assert_eq!((dots("dot"), dots("hollow")), (3, 2));
        assert!(svg.contains("&lt;m&gt; 26.0, published 97.9"));
    }
}
