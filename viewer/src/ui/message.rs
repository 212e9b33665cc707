//! What goes on while there is nothing to see, and what went wrong.

use bevy_egui::egui::{Align2, Area, Context, Frame, Id, Label, Order, Rect, RichText, vec2};

use super::colours::WRONG;
use crate::model::{State, Status};

/// As wide as a message is at most, points.
const WIDTH: f32 = 420.0;

/// Shows the message of a view, if there is one.
pub fn show(ctx: &Context, state: &State, track: usize, view: Rect) {
    let run = &state.tracks()[track];
    let (title, text, advice) = match run.status() {
        Status::Opening => {
            let method = run.request().way_name();
            (RichText::new("Opening…"), format!("{} with {method}", run.request().what), "")
        }
        Status::Failed(why) => {
            let advice =
                "Choose another scene, method or setting in the panel (N shows it), or press R to begin again.";
            (RichText::new("This run does not go on").color(WRONG), why.clone(), advice)
        }
        Status::Ready | Status::Ended => return,
    };
    // Where there is something to see it is not covered.
    let has_picture = state.shown(track).is_some();
    let (pivot, place) = match has_picture {
        true => (Align2::CENTER_TOP, view.center_top() + vec2(0.0, 8.0)),
        false => (Align2::CENTER_CENTER, view.center()),
    };
    let area = Area::new(Id::new(("message", track))).order(Order::Foreground).interactable(false);
    area.pivot(pivot).fixed_pos(place).constrain_to(view).show(ctx, |ui| {
        ui.set_max_width(WIDTH.min(view.width() - 16.0));
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.label(title.heading());
            ui.add(Label::new(text).wrap());
            if !advice.is_empty() {
                ui.add(Label::new(advice).wrap());
            }
        });
    });
}
