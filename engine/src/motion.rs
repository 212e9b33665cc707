//! How a pose changes under constant velocities.

pub use drystone_contact::pose::advance;
