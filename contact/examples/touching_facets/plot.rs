//! The plot: time against size, a panel a family, both axes logarithmic, on a ground of its own.

use std::fmt::Write;

use super::Row;

const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 330.0;
/// Left, top, right and bottom of a panel's plane within the panel.
const MARGINS: [f64; 4] = [60.0, 52.0, 10.0, 44.0];
/// Below the panels, for the legend.
const LEGEND: f64 = 52.0;
/// Facets and µs, least and greatest.
const X: (f64, f64) = (8.0, 40_000.0);
const Y: (f64, f64) = (0.05, 100_000.0);
const NAMES: [&str; 2] = ["Drystone, semi-local", "parry, convex polyhedra"];
const COLOURS: [&str; 2] = ["#b3370f", "#3b6ea8"];
const CALLS: [&str; 3] = ["cold", "warm, at rest", "warm, sliding"];
const DASHES: [&str; 3] = ["", "2 3", "8 4"];

/// The panels side by side over one legend.
pub fn svg(panels: &[(&str, Vec<Row>)]) -> String {
    let (width, height) = (WIDTH * panels.len() as f64, HEIGHT + LEGEND);
    let mut body = String::new();
    for (k, (title, rows)) in panels.iter().enumerate() {
        let _ = write!(body, "<g transform=\"translate({} 0)\">{}</g>", WIDTH * k as f64, panel(title, rows));
    }
    body.push_str(&legend());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\
         <title>Time of a call against the number of facets of each body</title>\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#fff\"/>{body}</svg>\n"
    )
}

/// From a value to its place along a logarithmic axis, 0 to 1.
fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    libm::log(value / low) / libm::log(high / low)
}

fn x(facets: f64) -> f64 {
    MARGINS[0] + share(facets, X) * (WIDTH - MARGINS[0] - MARGINS[2])
}

fn y(time: f64) -> f64 {
    HEIGHT - MARGINS[3] - share(time, Y) * (HEIGHT - MARGINS[1] - MARGINS[3])
}

fn panel(title: &str, rows: &[Row]) -> String {
    let mut out = format!("<text x=\"{}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{title}</text>", MARGINS[0]);
    let (left, right, top, bottom) = (x(X.0), x(X.1), y(Y.1), y(Y.0));
    for (value, text) in
        [(0.1, "0.1"), (1.0, "1"), (10.0, "10"), (100.0, "100"), (1e3, "1,000"), (1e4, "10,000"), (1e5, "100,000")]
    {
        let at = y(value);
        let _ = write!(out, "<path d=\"M{left:.1} {at:.1}H{right:.1}\" stroke=\"#ddd\"/>");
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 6.0, at + 4.0);
    }
    for (value, text) in [(10.0, "10"), (100.0, "100"), (1e3, "1,000"), (1e4, "10,000")] {
        let at = x(value);
        let _ = write!(out, "<path d=\"M{at:.1} {top:.1}V{bottom:.1}\" stroke=\"#eee\"/>");
        let _ = write!(out, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>", bottom + 16.0);
    }
    let middle = 0.5 * (left + right);
    let _ = write!(
        out,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">facets of each body</text>",
        bottom + 34.0
    );
    let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">µs a call</text>", left - 44.0, top - 13.0);
    for (engine, colour) in COLOURS.iter().enumerate() {
        for (call, dash) in DASHES.iter().enumerate() {
            let at = |row: &Row| (x(row.facets as f64), y(row.times[engine][call]));
            let points: String = rows.iter().map(at).map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
            let _ = write!(out, "<polyline points=\"{}\" {}/>", points.trim_end(), stroke(colour, dash));
            for (x, y) in rows.iter().map(at) {
                let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>");
            }
        }
    }
    out
}

fn stroke(colour: &str, dash: &str) -> String {
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"")
}

fn legend() -> String {
    let mut out = String::new();
    for (engine, (name, colour)) in NAMES.iter().zip(COLOURS).enumerate() {
        let at = HEIGHT + 12.0 + 20.0 * engine as f64;
        let _ = write!(out, "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}</text>", MARGINS[0], at + 4.0);
        for (call, (text, dash)) in CALLS.iter().zip(DASHES).enumerate() {
            let left = 240.0 + 160.0 * call as f64;
            let _ = write!(out, "<path d=\"M{left} {at}h36\" {}/>", stroke(colour, dash));
            let _ = write!(out, "<text x=\"{}\" y=\"{}\">{text}</text>", left + 44.0, at + 4.0);
        }
    }
    out
}
