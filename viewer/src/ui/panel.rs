//! The panel at the right.

use bevy_egui::egui::{CollapsingHeader, Panel, ScrollArea, Ui};

use super::{bodies, numbers, picked, plots, scene, view};
use crate::model::{Selected, State};

/// How wide it is at first, points.
const WIDTH: f32 = 340.0;
/// How narrow and how wide it can be made.
const WIDTHS: std::ops::RangeInclusive<f32> = 280.0..=700.0;

/// How high the part about what is picked is at first, by the height of the panel.
const PICKED: f32 = 0.5;

/// Shows the panel, if it is not hidden. What is picked has its own place, so that nothing else moves when it changes.
pub fn show(root: &mut Ui, state: &mut State) {
    if !state.view.panel {
        return;
    }
    let panel = Panel::right("panel").default_size(WIDTH).size_range(*WIDTHS.start()..=*WIDTHS.end());
    panel.show(root, |ui| {
        ui.push_id("numbers", |ui| numbers::show(ui, state));
        ui.separator();
        below(ui, state);
        ScrollArea::vertical().id_salt("panel").auto_shrink([false, false]).show(ui, |ui| sections(ui, state));
    });
}

fn below(ui: &mut Ui, state: &mut State) {
    let height = ui.available_height();
    let panel = match state.selected {
        Selected::Nothing => Panel::bottom("nothing is picked").resizable(false),
        _ => Panel::bottom("picked")
            .resizable(true)
            .default_size(PICKED * height)
            .size_range(60.0..=(height - 100.0).max(60.0)),
    };
    let is_empty = state.selected == Selected::Nothing;
    panel.show(ui, |ui| {
        ui.strong("Picked");
        let area = ScrollArea::vertical().id_salt("picked").auto_shrink([false, is_empty]);
        area.show(ui, |ui| picked::show(ui, state));
    });
}

fn sections(ui: &mut Ui, state: &mut State) {
    section(ui, "Scene", true, |ui| scene::show(ui, state));
    section(ui, "View", true, |ui| view::show(ui, state));
    let is_open = state.view.plots;
    let plots = CollapsingHeader::new("Plots").default_open(is_open).show(ui, |ui| plots::show(ui, state));
    state.view.plots = plots.openness > 0.5;
    section(ui, "Bodies", false, |ui| bodies::show(ui, state));
}

fn section(ui: &mut Ui, title: &str, is_open: bool, content: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(title).default_open(is_open).show(ui, content);
}
