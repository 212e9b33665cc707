//! Drystone's viewer: look inside contact regions.
//!
//! [`model`] is what is shown and how it got there, without a window; the rest draws it and lets one change it.

pub mod model;

use bevy::prelude::{Deref, DerefMut, Resource};

/// The state of the viewer as a resource of its application.
#[derive(Resource, Deref, DerefMut)]
pub struct Viewer(pub model::State);
