//! The numbers of the step: in the panel, or over the view while the panel is hidden.

use bevy_egui::egui::{Align2, Area, Context, FontId, Frame, Grid, Id, Label, Order, Rect, RichText, Ui, vec2};
use drystone_report::inspection::Numbers;

use super::colours::NOTE;
use super::figures::{SMALL, figure, known, share, with_unit};
use crate::model::{Shown, State, Status};

/// One number: its name, what it is, and its value.
type Row = (&'static str, &'static str, String);

/// In the panel: of one run in two columns, of two runs side by side. It takes the same room whether a step is there or not,
/// so that nothing jumps while a run is opened.
pub fn show(ui: &mut Ui, state: &State) {
    match state.tracks().len() {
        1 => of_one(ui, &rows(state.shown(0))),
        _ => of_two(ui, state),
    }
}

fn of_one(ui: &mut Ui, rows: &[Row]) {
    ui.style_mut().override_font_id = Some(FontId::proportional(SMALL));
    let (left, right) = rows.split_at(rows.len().div_ceil(2));
    Grid::new("numbers").num_columns(4).spacing([10.0, 1.0]).min_row_height(0.0).show(ui, |ui| {
        for (k, row) in left.iter().enumerate() {
            for (name, what, value) in [Some(row), right.get(k)].into_iter().flatten() {
                ui.label(*name).on_hover_text(*what);
                ui.strong(value).on_hover_text(*what);
            }
            ui.end_row();
        }
    });
}

fn of_two(ui: &mut Ui, state: &State) {
    ui.style_mut().override_font_id = Some(FontId::proportional(SMALL));
    let columns: Vec<Vec<Row>> = (0..state.tracks().len()).map(|track| rows(state.shown(track))).collect();
    let Some(names) = columns.first() else { return };
    Grid::new("numbers of two").num_columns(3).spacing([10.0, 1.0]).min_row_height(0.0).show(ui, |ui| {
        ui.label("");
        for track in state.tracks() {
            ui.strong(track.request().way_name());
        }
        ui.end_row();
        for (k, (name, what, _)) in names.iter().enumerate() {
            ui.label(*name).on_hover_text(*what);
            for column in &columns {
                ui.strong(column.get(k).map_or("–", |row| &row.2)).on_hover_text(*what);
            }
            ui.end_row();
        }
    });
}

/// Over a view: the numbers while the panel is hidden, and what is to be said of the step.
pub fn overlay(ctx: &Context, state: &State, track: usize, view: Rect) {
    let notes = [step_note(state, track), force_note(state, track)];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    let is_hidden = !state.view.panel;
    if !is_hidden && notes.is_empty() {
        return;
    }
    let area = Area::new(Id::new(("numbers over view", track))).order(Order::Middle).interactable(false);
    area.pivot(Align2::LEFT_TOP).fixed_pos(view.min + vec2(8.0, 8.0)).constrain_to(view).show(ctx, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.style_mut().override_font_id = Some(FontId::proportional(SMALL));
            if is_hidden {
                in_one_column(ui, track, &rows(state.shown(track)));
            }
            for note in notes {
                ui.add(Label::new(RichText::new(note).color(NOTE)).wrap());
            }
        });
    });
}

fn in_one_column(ui: &mut Ui, track: usize, rows: &[Row]) {
    let grid = Grid::new(("numbers over view", track)).num_columns(2).spacing([10.0, 1.0]).min_row_height(0.0);
    grid.show(ui, |ui| {
        for (name, _, value) in rows {
            ui.label(*name);
            ui.strong(value);
            ui.end_row();
        }
    });
}

fn rows(shown: Option<&Shown>) -> Vec<Row> {
    if let Some(shown) = shown.filter(|shown| !shown.subject.surfaces.is_empty()) {
        return SURFACE_NAMES
            .into_iter()
            .zip(surface_values(shown))
            .map(|((name, what), value)| (name, what, value))
            .collect();
    }
    let values = shown.map_or_else(|| vec!["–".to_owned(); NAMES.len()], values);
    NAMES.iter().zip(values).map(|(&(name, what), value)| (name, what, value)).collect()
}

/// Names, and what they mean.
const NAMES: [(&str, &str); 13] = [
    ("Step", "The number of the step that is shown; 0 is the start"),
    ("Time", "After the step"),
    ("Contacts", "All that the method found, whether they are drawn or not"),
    ("Pairs", "Pairs of bodies that the method was asked about"),
    ("Deepest contact", "How deep the deepest contact penetrates"),
    (
        "Largest overlap",
        "How far two bodies are in each other, measured by their surfaces (with Overlap checked below)",
    ),
    ("Kinetic energy", "After the step"),
    ("Potential energy", "After the step"),
    ("Sweeps", "Of the solver, in the island that took most"),
    ("Residual", "How far the impulses are from a solution at worst"),
    ("Coverage", "Share of the expected contact that was found"),
    ("Right normals", "Share of contacts with an expected normal"),
    ("Forces", "Whether the forces of this step are known"),
];

/// In the order of [`NAMES`].
fn values(shown: &Shown) -> Vec<String> {
    let frame = &shown.frame;
    let Numbers { contacts, pairs, energy, deepest, sweeps, residual, coverage, quality, .. } = frame.numbers;
    vec![
        frame.step.to_string(),
        with_unit(frame.time, "s"),
        contacts.to_string(),
        pairs.to_string(),
        with_unit(deepest, "m"),
        overlap(shown),
        with_unit(energy.kinetic, "J"),
        with_unit(energy.potential, "J"),
        sweeps.map_or_else(|| "unknown".into(), |n| n.to_string()),
        known(residual, "N s"),
        share(coverage),
        share(quality),
        if frame.impulses.is_some() { "known".into() } else { "unknown".into() },
    ]
}

/// Those of deformable surfaces.
const SURFACE_NAMES: [(&str, &str); 10] = [
    ("Step", "The number of the frame that is shown; 0 is the start"),
    ("Time", "After the frame"),
    ("Events", "Since the start"),
    ("Pairs", "Pairs of features that are looked at"),
    ("Active pairs", "Pairs of features that repel each other"),
    ("Deepest layer", "The most penalty layers that were active between two features so far"),
    ("Closest distance", "Of two features so far"),
    ("Kinetic energy", "After the frame"),
    ("Elastic energy", "Of springs and hinges, after the frame"),
    ("Contact energy", "Of penalty layers, after the frame"),
];

/// In the order of [`SURFACE_NAMES`]; what is not recorded is known once the replay comes there.
fn surface_values(shown: &Shown) -> Vec<String> {
    let Numbers { pairs, energy, surfaces, .. } = shown.frame.numbers;
    let number = |value: Option<u64>| value.map_or_else(|| "unknown".into(), |value| figure(value as f64));
    vec![
        shown.frame.step.to_string(),
        with_unit(shown.frame.time, "s"),
        number(surfaces.map(|s| s.events)),
        surfaces.map_or_else(|| "unknown".into(), |_| pairs.to_string()),
        number(surfaces.map(|s| s.active_pairs as u64)),
        number(surfaces.map(|s| u64::from(s.deepest_layer))),
        known(surfaces.and_then(|s| s.closest), "m"),
        with_unit(energy.kinetic, "J"),
        known(surfaces.map(|s| s.elastic), "J"),
        known(surfaces.map(|s| s.contact), "J"),
    ]
}

fn overlap(shown: &Shown) -> String {
    match &shown.overlap {
        None => "not measured".into(),
        Some(Ok(deepest)) => with_unit(deepest.map_or(0.0, |deepest| deepest.depth), "m"),
        Some(Err(why)) => why.clone(),
    }
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
    let is_of_bodies = |shown: &&Shown| shown.subject.surfaces.is_empty();
    let shown = state.shown(track).filter(is_of_bodies).filter(|shown| shown.frame.impulses.is_none())?;
    Some(if shown.frame.step == 0 {
        "At the start contacts are only looked for: no forces yet.".into()
    } else {
        "Seen in the recording: forces are known once the replay comes here.".into()
    })
}
