//! The distribution of the time steps of vertices over simulated time (Harmon et al. 2012, Figure 2).

use maud::Markup;

use super::axis::{Scale, from_zero};
use super::plot::{Axis, Plot};
use crate::number::{coordinate, short};

/// Frames, each with its end, s, and how many vertices have which step, s.
pub type StepFrames = [(f64, Vec<(f64, u32)>)];

/// Shades: the share of the vertices that the darkest is for, and how opaque the lightest is.
const DARKEST: f64 = 0.5;
const LIGHTEST: f64 = 0.08;

/// Draws a column of cells a frame: the darker, the more vertices have that step; and the median as a line.
pub fn step_histogram(frames: &StepFrames, title: &str) -> Markup {
    let steps = || frames.iter().flat_map(|(_, counts)| counts.iter().map(|(step, _)| *step));
    let (low, high) = (steps().fold(f64::INFINITY, f64::min), steps().fold(0.0, f64::max));
    let (low, high) = if low <= high { (low, high) } else { (1e-6, 1e-3) };
    // Steps are powers of two; a cell reaches from one to the next.
    let scale = Scale::Log(low, 2.0 * high);
    let y_ticks = scale.ticks(9).into_iter().map(|v| (v, format!("{v:.0e}"))).collect();
    let x_scale = from_zero(frames.last().map_or(1.0, |(time, _)| *time), 5);
    let x = Axis {
        scale: x_scale,
        ticks: x_scale.ticks(5).into_iter().map(|v| (v, short(v))).collect(),
        label: "simulated time, s".into(),
    };
    let mut plot = Plot::new(640.0, 300.0, 18.0, x, Axis { scale, ticks: y_ticks, label: "time step, s".into() });
    let mut begin = 0.0;
    let mut medians = String::new();
    for (end, counts) in frames {
        let all: u32 = counts.iter().map(|(_, count)| count).sum();
        let (left, right) = (plot.x(begin), plot.x(*end));
        let mut below = 0;
        for &(step, count) in counts {
            let share = f64::from(count) / f64::from(all);
            let opacity = LIGHTEST + (1.0 - LIGHTEST) * (share / DARKEST).min(1.0).sqrt();
            let [bottom, top] = [plot.y(step), plot.y(2.0 * step)];
            plot.cell([left, top, right - left, bottom - top], opacity);
            let is_median = 2 * below < all && 2 * (below + count) >= all;
            below += count;
            if is_median {
                let to = if medians.is_empty() { 'M' } else { 'L' };
                let middle = coordinate(0.5 * (bottom + top));
                medians += &format!("{to}{} {middle}L{} {middle}", coordinate(left), coordinate(right));
            }
        }
        begin = *end;
    }
    plot.path("expected", &medians);
    let span = format!("steps from {low:.2e} s to {high:.2e} s in {} frames", frames.len());
    plot.finish(title, &format!("How many vertices have which time step, over simulated time: {span}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_a_step_and_a_line_of_medians() {
        let step = |k: i32| libm::pow(2.0, f64::from(k));
        let frames = [(0.1, vec![(step(-12), 3), (step(-10), 97)]), (0.2, vec![(step(-14), 80), (step(-10), 20)])];
        let svg = step_histogram(&frames, "t").into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let cells = document.descendants().filter(|n| n.has_tag_name("rect"));
        let opacities: Vec<f64> = cells.map(|n| n.attribute("fill-opacity").unwrap().parse().unwrap()).collect();
        assert!(opacities.len() == 4 && opacities[0] < opacities[1] && opacities[1] == 1.0, "{opacities:?}");
        let line = document.descendants().find(|n| n.attribute("class") == Some("expected")).unwrap();
        let d = line.attribute("d").unwrap();
        assert_eq!((d.matches('M').count(), d.matches('L').count()), (1, 3), "{d}");
        assert!(roxmltree::Document::parse(&step_histogram(&[], "t").into_string()).is_ok());
    }
}
