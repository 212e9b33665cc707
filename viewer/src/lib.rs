//! Drystone's viewer: look inside contact regions.
//!
//! [`model`] is what is shown and how it got there, without a window; the rest draws it and lets one change it.

pub mod arguments;
pub mod camera;
pub mod controls;
pub mod driver;
pub mod film;
pub mod gallery;
pub mod headless;
pub mod keys;
pub mod model;
pub mod orbit;
pub mod overlay;
pub mod picking;
pub mod remembered;
pub mod scene;
pub mod ui;
pub mod window;

use bevy::prelude::{Deref, DerefMut, Resource};

/// The state of the viewer as a resource of its application.
#[derive(Resource, Deref, DerefMut)]
pub struct Viewer(pub model::State);
