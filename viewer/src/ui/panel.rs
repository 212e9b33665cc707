//! The panel at the right.

use bevy_egui::egui::{CollapsingHeader, Panel, ScrollArea, Ui};

use super::{bodies, numbers, picked, plots, scene, view};
use crate::model::State;

/// How wide it is at first, points.
const WIDTH: f32 = 340.0;
/// How narrow and how wide it can be made.
const WIDTHS: std::ops::RangeInclusive<f32> = 280.0..=700.0;

/// Shows the panel, if it is not hidden.
pub fn show(root: &mut Ui, state: &mut State) {
    if !state.view.panel {
        return;
    }
    let panel = Panel::right("panel").default_size(WIDTH).size_range(*WIDTHS.start()..=*WIDTHS.end());
    panel.show(root, |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            section(ui, "Scene", true, |ui| scene::show(ui, state));
            section(ui, "View", true, |ui| view::show(ui, state));
            section(ui, "Numbers", true, |ui| numbers::show(ui, state));
            section(ui, "Picked", true, |ui| picked::show(ui, state));
            section(ui, "Bodies", false, |ui| bodies::show(ui, state));
            let is_open = state.view.plots;
            let plots = CollapsingHeader::new("Plots").default_open(is_open).show(ui, |ui| plots::show(ui, state));
            state.view.plots = plots.openness > 0.5;
        });
    });
}

fn section(ui: &mut Ui, title: &str, is_open: bool, content: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(title).default_open(is_open).show(ui, content);
}
