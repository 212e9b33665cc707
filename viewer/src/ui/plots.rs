//! The numbers of all steps over time, and the qualities of this one.

use bevy_egui::egui::{Color32, Ui};
use drystone_report::inspection::Numbers;
use drystone_report::inspection::colour::method_colour;

use super::colours::colour;
use super::histogram;
use super::time_plot::{Series, TimePlot};
use crate::model::State;

const KINETIC: Color32 = Color32::from_rgb(230, 159, 0);
const POTENTIAL: Color32 = Color32::from_rgb(86, 180, 233);
const TOTAL: Color32 = Color32::from_rgb(60, 60, 60);

/// What is plotted of a step; NaN where it is not known.
type Value = fn(&Numbers) -> f64;

/// Name, whether the axis is logarithmic, what is always in sight, and the value.
type Plotted = (&'static str, bool, &'static [f64], Value);

/// Shows the section.
pub fn show(ui: &mut Ui, state: &mut State) {
    histogram::show(ui, state);
    let click = "Click or drag goes to that step";
    let plots: [Plotted; 3] = [
        ("Contacts", false, &[0.0], |n| n.contacts as f64),
        ("Residual (N s)", true, &[], |n| n.residual.unwrap_or(f64::NAN)),
        ("Coverage (%)", false, &[0.0, 100.0], |n| 100.0 * n.coverage.unwrap_or(f64::NAN)),
    ];
    let [contacts, rest @ ..] = plots;
    one(ui, state, contacts, click);
    energy(ui, state, click);
    for plot in rest {
        one(ui, state, plot, click);
    }
}

fn one(ui: &mut Ui, state: &mut State, (name, is_log, in_sight, value): Plotted, hover: &str) {
    let series: Vec<Series> = (0..state.tracks().len())
        .map(|track| series(state, track, "", value, None))
        .filter(|series| series.points.iter().any(|point| point[1].is_finite()))
        .collect();
    if !series.is_empty() {
        TimePlot { name, hover, is_log, in_sight, series }.show(ui, state);
    }
}

/// Of one run all three, of two the totals.
fn energy(ui: &mut Ui, state: &mut State, hover: &str) {
    let total: Value = |n| n.energy.kinetic + n.energy.potential;
    let all = if state.tracks().len() == 1 {
        vec![
            series(state, 0, "kinetic", |n| n.energy.kinetic, Some(KINETIC)),
            series(state, 0, "potential", |n| n.energy.potential, Some(POTENTIAL)),
            series(state, 0, "total", total, Some(TOTAL)),
        ]
    } else {
        (0..state.tracks().len()).map(|track| series(state, track, " total", total, None)).collect()
    };
    TimePlot { name: "Energy (J)", hover, is_log: false, in_sight: &[], series: all }.show(ui, state);
}

fn series(state: &State, track: usize, name: &str, value: Value, of_its_own: Option<Color32>) -> Series {
    let run = &state.tracks()[track];
    let (method, way) = (run.request().found_by(), run.request().way_name());
    let name = if of_its_own.is_some() { name.to_owned() } else { format!("{way}{name}") };
    let points = run.history().numbers().map(|(step, numbers)| [step as f64, value(numbers)]).collect();
    Series { name, colour: of_its_own.unwrap_or_else(|| colour(method_colour(&method))), points }
}
