//! All keys, and what the mouse does.

use bevy_egui::egui::{self, Align2, Context, Grid, RichText, ScrollArea, Window, vec2};

use crate::keys::{BINDINGS, GESTURES, Group};
use crate::model::{Command, State};

/// Shows the help, if it is asked for.
pub fn show(ctx: &Context, state: &mut State) {
    if !state.view.help {
        return;
    }
    let mut is_open = true;
    let screen = ctx.content_rect();
    Window::new("Keys and mouse")
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            ui.set_max_size(screen.size() - vec2(80.0, 120.0));
            ScrollArea::vertical().show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    let half = Group::ALL.len().div_ceil(2);
                    for (k, groups) in Group::ALL.chunks(half).enumerate() {
                        ui.vertical(|ui| {
                            groups.iter().for_each(|&group| keys_of(ui, group));
                            if k == 1 {
                                mouse(ui);
                            }
                        });
                    }
                });
            });
        });
    if !is_open {
        state.apply(Command::Help);
    }
}

fn keys_of(ui: &mut egui::Ui, group: Group) {
    ui.label(RichText::new(group.name()).strong());
    Grid::new(group.name()).num_columns(2).show(ui, |ui| {
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            ui.monospace(binding.keys_text());
            ui.label(binding.says);
            ui.end_row();
        }
    });
    ui.add_space(8.0);
}

fn mouse(ui: &mut egui::Ui) {
    ui.label(RichText::new("Mouse").strong());
    Grid::new("mouse").num_columns(2).show(ui, |ui| {
        for (gesture, says) in GESTURES {
            ui.monospace(gesture);
            ui.label(says);
            ui.end_row();
        }
    });
}
