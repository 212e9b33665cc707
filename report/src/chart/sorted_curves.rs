//! Values in descending order over the share of them (paper, figures 24, 27, 30, 32 and 34): where the curve leaves 1 is the share
//! of right normals. The share in place of the rank makes methods with different counts comparable.

use maud::{Markup, html};

use super::axis::Scale;
use super::plot::{Axis, Plot};
use crate::number::{coordinate, per_cent};

/// One line of the chart.
pub struct Curve<'a> {
    /// What it is.
    pub label: String,
    /// Values 0…1, in descending order.
    pub values: &'a [f64],
}

/// The share of values, in descending order, that are at least `least`.
fn share_at_least(values: &[f64], least: f64) -> f64 {
    let above = values.partition_point(|&v| v >= least);
    if values.is_empty() { 0.0 } else { above as f64 / values.len() as f64 }
}

/// The value at a share 0…1 of the sorted values; `None` without values.
pub fn value_at(values: &[f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    values.get(((share * values.len() as f64) as usize).min(last)).copied()
}

/// Draws up to five curves, told apart by colour and by dashes; a single one is filled.
pub fn sorted_curves(curves: &[Curve<'_>], measure: &str, title: &str) -> Markup {
    let ticks = |scale: Scale, wanted| scale.ticks(wanted).into_iter();
    let unit = Scale::Linear(0.0, 1.0);
    let shares = ticks(unit, 4).map(|s| (s, format!("{}", (100.0 * s).round()))).collect();
    let x = Axis { scale: unit, ticks: shares, label: "share of contacts (%)".into() };
    let values = ticks(unit, 2).map(|v| (v, crate::number::short(v))).collect();
    let y = Axis { scale: unit, ticks: values, label: measure.into() };
    let mut plot = Plot::new(280.0, 180.0, 12.0, x, y);
    for (k, curve) in curves.iter().enumerate() {
        let line = step_line(&plot, curve.values);
        if line.is_empty() {
            continue;
        }
        if curves.len() == 1 {
            let floor = coordinate(plot.floor());
            plot.path("area", &format!("{line}V{floor}H{}Z", coordinate(plot.x(0.0))));
        }
        plot.path(&format!("line s{}", k % 5), &line);
    }
    if curves.iter().all(|c| c.values.is_empty()) {
        let (x, y) = (plot.x(0.5), plot.y(0.5));
        plot.text("label", "middle", x, y, "no contacts");
    }
    let parts: Vec<String> = curves.iter().map(describe).collect();
    plot.finish(title, &format!("{measure} of the contacts in descending order. {}", parts.join("; ")))
}

fn describe(curve: &Curve<'_>) -> String {
    let right = per_cent(share_at_least(curve.values, 1.0 - 1e-4));
    let (label, n) = (&curve.label, curve.values.len());
    let middle =
        value_at(curve.values, 0.5).filter(|v| v.is_finite()).map(|v| format!(", median {v:.3}")).unwrap_or_default();
    format!("{label}: {n} contacts, {right} % at 1{middle}")
}

/// The steps of a curve; runs that look alike are one step.
fn step_line(plot: &Plot, values: &[f64]) -> String {
    let mut line = String::new();
    let mut last = String::new();
    for (k, &value) in values.iter().enumerate() {
        let y = coordinate(plot.y(value));
        if y != last {
            let x = coordinate(plot.x(k as f64 / values.len() as f64));
            line.push_str(&if k == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") });
            last = y;
        }
    }
    if !line.is_empty() {
        line.push_str(&format!("H{}", coordinate(plot.x(1.0))));
    }
    line
}

/// The stroke of curve `k`, for a legend.
pub fn swatch(k: usize) -> Markup {
    html! {
        svg class="swatch" width="26" height="8" viewBox="0 0 26 8" aria-hidden="true" {
            path class={ "line s" (k % 5) } d="M0 4H26" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_well_formed_and_short() {
        let values: Vec<f64> = (0..5000).map(|k| 1.0 - k as f64 / 5000.0).collect();
        let curve = |values| Curve { label: "<a & b>".into(), values };
        let svg = sorted_curves(&[curve(&values), curve(&[]), curve(&[1.0, f64::NAN])], "Q", "<title>").into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert_eq!(document.descendants().filter(|n| n.attribute("class") == Some("line s0")).count(), 1);
        assert!(!svg.contains("NaN") && svg.len() < 25_000, "{}", svg.len());
        assert!(sorted_curves(&[curve(&[])], "Q", "t").into_string().contains("no contacts"));
    }

    #[test]
    fn the_curve_leaves_one_at_the_share_of_right_normals() {
        let values = [1.0, 1.0, 1.0, 0.5];
        assert_eq!(share_at_least(&values, 1.0 - 1e-4), 0.75);
        assert_eq!(
            (value_at(&values, 0.74), value_at(&values, 0.75), value_at(&values, 1.0)),
            (Some(1.0), Some(0.5), Some(0.5))
        );
        let svg = sorted_curves(&[Curve { label: String::new(), values: &values }], "Q", "t").into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find(|n| n.attribute("class") == Some("line s0")).unwrap();
        // Left edge 10 + 3 characters, right edge 280 − 12: three quarters of the way.
        let left = 10.0 + 6.2 * 3.0;
        let bend = format!("H{}V", coordinate(left + 0.75 * (268.0 - left)));
        assert!(line.attribute("d").unwrap().contains(&bend), "{svg}");
    }
}
