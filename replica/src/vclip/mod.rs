//! The two experiments of Mirtich, "V-Clip: fast and robust polyhedral collision detection" (MERL TR97-05, 1997),
//! section 5: [`coherence`] counts operations, [`robustness`] looks for wrong answers; and harder ones beside them.
//!
//! Seeds decide all numbers; results are the same bits on every machine.

pub mod coherence;
mod counted;
mod published;
mod random;
pub mod robustness;

pub use counted::{Counted, operations};
pub use published::{Published, published};
pub use random::Random;
