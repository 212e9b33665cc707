//! Continuous collision detection (CCD) in a step: its settings, what two bodies are asked, what it reports.
//!
//! The geometry, which is when two moving surfaces come near each other, is that of [`drystone_contact::ccd::rigid`]. Here
//! stands the policy: how near bodies may come, when they are asked to part, how hard times of impact are looked for.
//! [`crate::World`] decides by it how far a substep goes.

mod pair;
mod report;
mod settings;
mod state;

pub(crate) use pair::{Impact, impact_of_pair};
pub use report::CcdReport;
pub use settings::CcdSettings;
pub(crate) use state::{CcdState, FirstImpact};
