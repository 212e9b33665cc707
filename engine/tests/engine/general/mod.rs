//! Worlds of general solids against closed answers. What each test measures is printed:
//!
//! ```text
//! cargo test -p drystone-engine --test engine general:: -- --nocapture --test-threads 1
//! ```

mod reproducibility;
mod rolling;
mod slide;
mod wheels;
pub mod workbench;
