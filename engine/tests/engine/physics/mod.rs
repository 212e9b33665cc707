//! The world against closed-form solutions of mechanics. What each test measures is printed; `docs/physics.md` has
//! the figures:
//!
//! ```text
//! cargo test -p drystone-engine --test engine physics:: -- --nocapture --test-threads 1
//! ```

mod bounce;
mod carried;
mod conveyor;
mod damping;
mod free_flight;
mod free_rotation;
mod incline;
mod momentum;
mod moved;
mod pushed_block;
mod reproducibility;
mod rest;
mod side_by_side;
mod sliding_energy;
mod stack;
mod step_energy;
mod support;

use crate::closed_forms::workbench;
use drystone_engine::WorldSettings;
use glam::DVec3;

/// The settings for embedding without damping, which closed-form solutions do not have.
pub fn undamped() -> WorldSettings {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.forces.linear_damping = 0.0;
    settings.step.forces.angular_damping = 0.0;
    settings
}

/// As [`undamped`], without gravity.
pub fn free() -> WorldSettings {
    let mut settings = undamped();
    settings.step.forces.gravity = DVec3::ZERO;
    settings
}
