//! What is picked: a contact, a body, or all contacts of a bar of the histogram.

use bevy_egui::egui::{self, Label, Ui};

use super::{picked_body, picked_contact};
use crate::model::{BodyPair, Command, ContactKey, Selected, Shown, State};

/// Shows the section.
pub fn show(ui: &mut Ui, state: &mut State) {
    steps_of_list(ui, state);
    match state.selected {
        Selected::Nothing => {
            ui.add(Label::new("Nothing. Click a contact or a body in the view, or press Tab.").wrap());
        }
        Selected::Contact { track, key } => picked_contact::show(ui, state, track, key),
        Selected::Qualities { track, low, high } => qualities(ui, state, track, low, high),
        Selected::Body(body) => picked_body::show(ui, state, body),
    }
}

fn steps_of_list(ui: &mut Ui, state: &mut State) {
    let is_contact = matches!(state.selected, Selected::Contact { .. });
    let (is_focused, is_picked) = (state.focus.is_some(), state.selected != Selected::Nothing);
    let buttons = [
        (true, "Previous", "The contact before (Shift+Tab)", Command::NextContact { back: true }),
        (true, "Next", "The next contact that is drawn (Tab)", Command::NextContact { back: false }),
        (is_contact && !is_focused, "Focus on this pair", "Draws only its contacts (F)", Command::FocusSelected),
        (is_focused, "All pairs", "Draws the contacts of all bodies again (Escape)", Command::Focus(None)),
        (is_picked, "Clear", "Picks nothing (Escape)", Command::Select(Selected::Nothing)),
    ];
    ui.horizontal_wrapped(|ui| {
        for (_, name, hover, command) in buttons.into_iter().filter(|(is_shown, ..)| *is_shown) {
            if ui.button(name).on_hover_text(hover).clicked() {
                state.apply(command);
            }
        }
    });
    if let (Some(pair), Some(subject)) = (state.focus, state.tracks()[0].subject()) {
        let BodyPair { a, b } = pair;
        let text = format!("Focus: only {} and {}", super::words::body(subject, a), super::words::body(subject, b));
        ui.add(Label::new(text).wrap());
    }
}

fn qualities(ui: &mut Ui, state: &mut State, track: usize, low: f64, high: f64) {
    let Some(shown) = state.shown(track).cloned() else { return };
    let count = shown.selected.len();
    ui.label(format!("{count} contacts with a quality from {low:.2} to {high:.2}"));
    contact_list(ui, state, track, &shown, &shown.selected);
}

/// A list of contacts; a click picks one.
pub(super) fn contact_list(ui: &mut Ui, state: &mut State, track: usize, shown: &Shown, places: &[usize]) {
    let height = ui.text_style_height(&egui::TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let area = egui::ScrollArea::vertical().id_salt(("contacts", track)).max_height(140.0).auto_shrink([false, true]);
    area.show_rows(ui, height, places.len(), |ui, rows| {
        for &index in &places[rows] {
            let between = &shown.frame.contacts[index];
            let name = |id| super::words::body(&shown.subject, id);
            let text = format!("{index}: {} – {}", name(between.a), name(between.b));
            let hover = format!("gap {}", super::figures::with_unit(between.contact.gap, "m"));
            let is_picked = shown.selected == [index];
            if ui.selectable_label(is_picked, text).on_hover_text(hover).clicked() {
                pick(state, track, shown, index);
            }
        }
    });
}

/// Picks a contact by its place in the frame.
pub(super) fn pick(state: &mut State, track: usize, shown: &Shown, index: usize) {
    if let Some(key) = ContactKey::of(&shown.frame.contacts, index) {
        state.apply(Command::Select(Selected::Contact { track, key }));
    }
}
