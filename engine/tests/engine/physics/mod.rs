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
mod sliding_energy;
mod stack;
mod step_energy;
mod support;
mod workbench;
