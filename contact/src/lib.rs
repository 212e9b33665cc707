//! What two shapes can tell about where they touch. No bodies, no time stepping.
//!
//! Conventions, everywhere: lengths in metres, right-handed frames, contact normals point from A to B in world
//! coordinates, a gap is positive apart and negative penetrating.

/// The examples of the page are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod bounds;
pub mod bounds_tree;
pub mod ccd;
pub mod contact;
pub mod generator;
pub mod named;
pub mod overlap;
#[doc(hidden)]
pub mod parallel;
pub mod pose;
pub mod precision;
pub mod query;
pub mod segment;
pub mod shape;
pub mod solid;
#[doc(hidden)]
pub mod sorting;
pub mod split_mix;
pub mod vclip;

/// Vectors and rotations.
pub use glam;

pub use bounds::Bounds;
pub use bounds_tree::BoundsTree;
pub use contact::{Contact, Feature};
pub use pose::{Pose, Twist};
