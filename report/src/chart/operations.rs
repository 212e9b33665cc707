//! Operations a call over the motion in a call (V-Clip report TR97-05, figure 10), a panel for each solid. It stands alone:
//! with a background and a style of its own.

use maud::{Markup, PreEscaped, html};

use super::axis::{Scale, from_zero};
use super::plot::{Axis, Plot, svg};
use crate::number::{coordinate, short};

/// A panel: curves over degrees a call.
pub struct OperationCurves {
    /// What the panel is about.
    pub title: String,
    /// Names and points (degrees a call, operations a call).
    pub curves: Vec<(&'static str, Vec<[f64; 2]>)>,
}

const STYLE: &str = ".paper{fill:#fff}text{font:11px sans-serif;fill:#333}.label,.tick{fill:#666;font-size:10px}\
    .middle{text-anchor:middle}.end{text-anchor:end}.panel{font-weight:bold}path{fill:none}.grid{stroke:#e4e4e4}\
    .axis{stroke:#888}.line{stroke-width:1.6}.s0{stroke:#1b6ca8;stroke-width:2.2}.s1{stroke:#c4560f;stroke-dasharray:7 3}\
    .s2{stroke:#17806d;stroke-dasharray:2.5 2.5}.s3{stroke:#8b4b9c;stroke-dasharray:9 3 2 3}";

const PANEL: [f64; 2] = [360.0, 240.0];
const SPACE: f64 = 24.0;
const LEGEND: f64 = 30.0;

/// Draws the panels in two columns, with a legend above.
pub fn operations(panels: &[OperationCurves], title: &str) -> String {
    let rows = panels.len().div_ceil(2) as f64;
    let [width, height] =
        [2.0 * PANEL[0] + 3.0 * SPACE, LEGEND + rows * (PANEL[1] + SPACE) + if rows > 0.0 { 0.0 } else { SPACE }];
    let body = html! {
        style { (PreEscaped(STYLE)) }
        rect class="paper" width="100%" height="100%" {}
        @for (k, (name, _)) in panels.first().map_or(&[][..], |panel| &panel.curves).iter().enumerate() {
            @let x = SPACE + 170.0 * k as f64;
            path class={ "line s" (k) } d={ "M" (coordinate(x)) " 18h30" } {}
            text x=(coordinate(x + 36.0)) y="22" { (name) }
        }
        @for (k, panel) in panels.iter().enumerate() {
            @let x = SPACE + (k % 2) as f64 * (PANEL[0] + SPACE);
            @let y = LEGEND + (k / 2) as f64 * (PANEL[1] + SPACE);
            g transform={ "translate(" (coordinate(x)) " " (coordinate(y)) ")" } { (one(panel)) }
        }
    };
    let names: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
    svg(width, height, "chart", title, &format!("panels: {}", names.join(", ")), &body).into_string()
}

fn one(panel: &OperationCurves) -> Markup {
    let points = || panel.curves.iter().flat_map(|(_, points)| points);
    let highest = points().map(|p| p[1]).fold(0.0, f64::max);
    let last = points().map(|p| p[0]).fold(1.0, f64::max);
    let scale = from_zero(highest, 5);
    let y_ticks = scale.ticks(5).into_iter().map(|v| (v, short(v))).collect();
    let x_scale = Scale::Linear(0.0, last);
    let x_ticks = x_scale.ticks(5).into_iter().map(|v| (v, short(v))).collect();
    let x = Axis { scale: x_scale, ticks: x_ticks, label: "degrees a call".into() };
    let y = Axis { scale, ticks: y_ticks, label: "operations a call".into() };
    let mut plot = Plot::new(PANEL[0], PANEL[1], 12.0, x, y);
    for (k, (_, points)) in panel.curves.iter().enumerate() {
        let at = |[x, y]: [f64; 2]| format!("{} {}", coordinate(plot.x(x)), coordinate(plot.y(y)));
        let line: Vec<String> = points.iter().copied().map(at).collect();
        if !line.is_empty() {
            plot.path(&format!("line s{k}"), &format!("M{}", line.join("L")));
        }
    }
    plot.text("panel", "middle", 0.5 * PANEL[0], 14.0, &panel.title);
    plot.finish(&panel.title, &format!("{} curves", panel.curves.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_curve_in_each_panel() {
        let panel = |title: &str| OperationCurves {
            title: title.into(),
            curves: vec![("ours", vec![[0.0, 88.0], [25.0, 615.0]]), ("theirs", vec![[0.0, 90.0]])],
        };
        let drawn = operations(&[panel("<disk>"), panel("cube"), panel("sphere")], "t");
        let document = roxmltree::Document::parse(&drawn).unwrap();
        let lines = |class| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
        assert_eq!((lines("line s0"), lines("line s1")), (3 + 1, 3 + 1), "with the legend");
        assert!(drawn.contains("&lt;disk&gt;") && !drawn.contains("NaN"));
        assert!(roxmltree::Document::parse(&operations(&[], "t")).is_ok());
    }
}
