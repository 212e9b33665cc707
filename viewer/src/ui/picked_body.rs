//! The picked body.

use bevy_egui::egui::{Grid, Ui};
use drystone::engine::BodyId;

use super::figures::{vector, with_unit};
use super::{picked, words};
use crate::model::{BodyLook, Command, State};

/// Shows a body.
pub fn show(ui: &mut Ui, state: &mut State, id: BodyId) {
    let Some(shown) = state.shown(0).cloned() else { return };
    let Some(body) = shown.subject.body(id) else {
        ui.label("There is no such body.");
        return;
    };
    let (poses, velocities) = (&shown.frame.poses, &shown.frame.velocities);
    let (Some(pose), Some(&[velocity, spin])) = (poses.get(id.index()), velocities.get(id.index())) else { return };
    let mass = if body.mass.is_finite() { with_unit(body.mass, "kg") } else { "as if infinite".into() };
    let q = pose.rotation;
    let rows = [
        ("Body", body.name.clone()),
        ("Kind", words::kind(body.kind).to_owned()),
        ("Mass", mass),
        ("Position (m)", vector(pose.translation)),
        ("Rotation xyzw", rotation([q.x, q.y, q.z, q.w])),
        ("Velocity (m/s)", vector(velocity)),
        ("Spin (rad/s)", vector(spin)),
    ];
    Grid::new("picked body").num_columns(2).striped(true).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        }
    });
    looks(ui, state, id);
    let mine = |c: &drystone::engine::ContactBetween| c.a == id || c.b == id;
    let contacts = shown.frame.contacts.iter().enumerate();
    let places: Vec<usize> = contacts.filter(|(_, c)| mine(c)).map(|(index, _)| index).collect();
    ui.label(format!("{} contacts", places.len()));
    picked::contact_list(ui, state, 0, &shown, &places);
}

fn rotation(q: [f64; 4]) -> String {
    // Adding nought makes −0 of a rounded number 0.
    q.map(|x| format!("{:.3}", (1e3 * x).round() / 1e3 + 0.0)).join(" ")
}

fn looks(ui: &mut Ui, state: &mut State, id: BodyId) {
    ui.horizontal(|ui| {
        let now = state.look(id);
        let hide = if now == BodyLook::Hidden { "Show body" } else { "Hide body" };
        if ui.button(hide).on_hover_text("Not drawn, or drawn again (H)").clicked() {
            state.apply(Command::HideSelected);
        }
        let ghost = if now == BodyLook::Ghost { "Body as usual" } else { "Ghost body" };
        if ui.button(ghost).on_hover_text("Faint, or as usual again (G)").clicked() {
            state.apply(Command::GhostSelected);
        }
    });
}
