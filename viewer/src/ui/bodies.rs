//! The list of bodies.

use bevy_egui::egui::{Button, Label, ScrollArea, TextStyle, Ui, vec2};
use drystone::engine::{BodyId, BodyKind};

use super::words;
use crate::model::{BodyLook, Command, Selected, State};

/// How high the list is at most, points.
const HEIGHT: f32 = 220.0;

/// Shows the section.
pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(subject) = state.tracks()[0].subject().cloned() else {
        ui.label("No bodies are there yet.");
        return;
    };
    ui.horizontal(|ui| {
        ui.label(format!("{} bodies", subject.bodies.len()));
        if ui.button("Show all").on_hover_text("All bodies as usual (Alt+H)").clicked() {
            state.apply(Command::ShowAll);
        }
    });
    let height = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let area = ScrollArea::vertical().id_salt("bodies").max_height(HEIGHT).auto_shrink([false, true]);
    area.show_rows(ui, height, subject.bodies.len(), |ui, rows| {
        for k in rows {
            let id = BodyId::new(k as u32);
            let body = &subject.bodies[k];
            let contacts = state.shown(0).map_or(0, |shown| shown.frame.contacts_of(id));
            ui.horizontal(|ui| row(ui, state, id, (&body.name, words::kind(body.kind), contacts)));
        }
    });
}

fn row(ui: &mut Ui, state: &mut State, id: BodyId, (name, kind, contacts): (&str, &str, usize)) {
    let is_picked = state.selected == Selected::Body(id);
    let width = (ui.available_width() - 200.0).max(70.0);
    let height = ui.spacing().interact_size.y;
    let label = if kind == words::kind(BodyKind::Dynamic) { name.to_owned() } else { format!("{name} ({kind})") };
    let button = Button::selectable(is_picked, label).truncate().min_size(vec2(width, height));
    let response = ui.add_sized(vec2(width, height), button).on_hover_text(format!("{name}: {kind}. Click picks it."));
    if response.clicked() {
        let selected = if is_picked { Selected::Nothing } else { Selected::Body(id) };
        state.apply(Command::Select(selected));
    }
    let text = Label::new(format!("{contacts}")).truncate();
    ui.add_sized(vec2(36.0, height), text).on_hover_text(format!("{name} has {contacts} contacts"));
    let now = state.look(id);
    for (look, label, hover) in LOOKS {
        if ui.selectable_label(now == look, label).on_hover_text(hover).clicked() {
            state.apply(Command::Look(id, look));
        }
    }
}

const LOOKS: [(BodyLook, &str, &str); 3] = [
    (BodyLook::Usual, "usual", "Drawn as all bodies are"),
    (BodyLook::Ghost, "ghost", "Faint, so that one sees through it (G, for the picked body)"),
    (BodyLook::Hidden, "hidden", "Not drawn (H, for the picked body)"),
];
