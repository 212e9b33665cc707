//! What one reads and clicks around the picture, and over it.
//!
//! ```text
//! ┌──────────────────────────────┬──────────────┐
//! │ heading a view, if compared  │ panel        │
//! │ numbers, legend, message     │              │
//! ├──────────────────────────────┴──────────────┤
//! │ timeline                                    │
//! └─────────────────────────────────────────────┘
//! ```
//! Nothing here knows of Bevy or draws bodies: [`show`] changes a [`State`] and says where there is room left.

use bevy_egui::egui::{FocusDirection, Pos2, Rect, Ui};

use crate::model::State;

pub mod bodies;
pub mod choice;
pub mod colours;
pub mod draft;
pub mod figures;
pub mod help;
pub mod histogram;
pub mod legend;
pub mod message;
pub mod numbers;
pub mod panel;
pub mod picked;
pub mod picked_body;
pub mod picked_contact;
pub mod plots;
pub mod scene;
pub mod time_plot;
pub mod timeline;
pub mod view;
pub mod views;
pub mod words;

/// What is left for the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Free {
    /// One rectangle a run, side by side, in points.
    pub views: Vec<Rect>,
}

impl Free {
    /// The view at a place, counted as runs are.
    pub fn view_at(&self, place: Pos2) -> Option<usize> {
        self.views.iter().position(|view| view.contains(place))
    }
}

/// Shows everything but the picture, and does what is clicked and typed.
pub fn show(root: &mut Ui, state: &mut State) -> Free {
    leave_tab_alone(root);
    timeline::show(root, state);
    panel::show(root, state);
    let views = views::show(root, state);
    for (track, &view) in views.iter().enumerate() {
        legend::show(root.ctx(), state, track, view);
        numbers::overlay(root.ctx(), state, track, view);
        message::show(root.ctx(), state, track, view);
    }
    help::show(root.ctx(), state);
    Free { views }
}

/// Tab picks the next contact; only where one types already does it go to the next field.
fn leave_tab_alone(root: &Ui) {
    root.memory_mut(|memory| {
        if memory.focused().is_none() {
            memory.move_focus(FocusDirection::None);
        }
    });
}
