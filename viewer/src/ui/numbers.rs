//! The numbers of the step: in the panel, or over the view while the panel is hidden.

use bevy_egui::egui::{Align2, Area, Context, Frame, Grid, Id, Order, Rect, RichText, Ui, vec2};
use drystone::inspection::Numbers;

use super::colours::NOTE;
use super::figures::{figure, known, share, with_unit};
use crate::model::{Shown, State, Status};

/// One number: its name, what it is, and its value.
type Row = (&'static str, &'static str, String);

/// In the panel: one column a run.
pub fn show(ui: &mut Ui, state: &State) {
    let columns: Vec<Option<Vec<Row>>> =
        (0..state.tracks().len()).map(|track| Some(rows(state.shown(track)?))).collect();
    let Some(names) = columns.iter().flatten().next() else {
        ui.label("No step is there yet.");
        return;
    };
    Grid::new("numbers").num_columns(1 + columns.len()).striped(true).show(ui, |ui| {
        if columns.len() > 1 {
            ui.label("");
            for track in state.tracks() {
                ui.strong(track.request().method.name());
            }
            ui.end_row();
        }
        for (k, (name, what, _)) in names.iter().enumerate() {
            ui.label(*name).on_hover_text(*what);
            for column in &columns {
                ui.monospace(column.as_ref().map_or("", |rows| &rows[k].2)).on_hover_text(*what);
            }
            ui.end_row();
        }
    });
    notes(ui, state);
}

/// Over a view, while the panel is hidden.
pub fn overlay(ctx: &Context, state: &State, track: usize, view: Rect) {
    let Some(shown) = state.shown(track).filter(|_| !state.view.panel) else { return };
    let area = Area::new(Id::new(("numbers over view", track))).order(Order::Middle).interactable(false);
    area.pivot(Align2::LEFT_TOP).fixed_pos(view.min + vec2(8.0, 8.0)).constrain_to(view).show(ctx, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            Grid::new(("numbers over view", track)).num_columns(2).show(ui, |ui| {
                for (name, _, value) in rows(shown) {
                    ui.label(name);
                    ui.monospace(value);
                    ui.end_row();
                }
            });
            notes(ui, state);
        });
    });
}

fn notes(ui: &mut Ui, state: &State) {
    for track in 0..state.tracks().len() {
        for note in [step_note(state, track), force_note(state, track)].into_iter().flatten() {
            ui.label(RichText::new(note).color(NOTE));
        }
    }
}

fn rows(shown: &Shown) -> Vec<Row> {
    let frame = &shown.frame;
    let Numbers { contacts, pairs, energy, deepest, sweeps, residual, coverage, quality } = frame.numbers;
    vec![
        ("Step", "The number of the step that is shown; 0 is the start", frame.step.to_string()),
        ("Time", "After the step", with_unit(frame.time, "s")),
        ("Contacts", "All that the method found, whether they are drawn or not", contacts.to_string()),
        ("Pairs", "Pairs of bodies that the method was asked about", pairs.to_string()),
        ("Deepest", "How deep the deepest contact penetrates", with_unit(deepest, "m")),
        ("Kinetic energy", "After the step", with_unit(energy.kinetic, "J")),
        ("Potential energy", "After the step", with_unit(energy.potential, "J")),
        (
            "Sweeps",
            "Of the solver, in the island that took most",
            sweeps.map_or_else(|| "unknown".into(), |n| n.to_string()),
        ),
        ("Residual", "How far the impulses are from a solution at worst", known(residual, "N s")),
        ("Coverage", "Share of the expected contact that was found", share(coverage)),
        ("Quality", "Share of contacts with an expected normal", share(quality)),
        ("Forces", "Whether the forces of this step are known", forces(shown).to_owned()),
    ]
}

fn forces(shown: &Shown) -> &'static str {
    if shown.frame.impulses.is_some() { "known" } else { "unknown" }
}

/// Why the step that is shown is not the one that is asked for.
pub fn step_note(state: &State, track: usize) -> Option<String> {
    let (asked, shown) = (state.playback.step, state.shown(track)?.frame.step);
    let run = &state.tracks()[track];
    let made = run.history().last_step().unwrap_or(0);
    if shown == asked {
        None
    } else if made < asked && matches!(run.status(), Status::Opening | Status::Ready) {
        Some(format!("Step {asked} is being made; step {shown} is shown."))
    } else if made < asked {
        Some(format!("There is no step {asked}; step {shown} is shown."))
    } else {
        let every = run.history().every();
        Some(format!(
            "Step {asked} was given up for memory (1 of {} is kept); step {shown} is shown.",
            figure(every as f64)
        ))
    }
}

/// Why forces are not known.
pub fn force_note(state: &State, track: usize) -> Option<String> {
    let shown = state.shown(track).filter(|shown| shown.frame.impulses.is_none())?;
    Some(if shown.frame.step == 0 {
        "At the start contacts are only looked for: no forces yet.".into()
    } else {
        "Seen in the recording: forces are known once the replay comes here.".into()
    })
}
