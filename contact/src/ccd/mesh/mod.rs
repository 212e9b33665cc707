//! Moving meshes: which of their features may meet, when the first do, how far a step may go.
//!
//! Source: Wang et al. 2021 (see [`crate::ccd`]), sections 7.1 and 7.2, algorithms 3 and 4. The functions here ask
//! about pairs of features by a [`Solve`], so that any [`super::Method`] can stand behind them.

mod active_set;
mod candidates;
mod distance;
mod fraction;
mod line_search;
mod moving_mesh;
mod overlap;

pub use active_set::{ActivePair, active_set};
pub use candidates::{Between, Candidate, between, within};
pub use distance::{Distance, distance, distance_at_start};
pub use fraction::{Fraction, collision_free_fraction, earliest};
pub use line_search::{LineSearch, LineSearchSettings, StepLimit, line_search, step_limit};
pub use moving_mesh::{MeshError, MovingMesh, Topology};
pub use overlap::surfaces_meet;

use super::{Answer, CcdError, Query, Settings};

/// Answers a query with the given settings: the tolerance, the separation and the end of the time interval change from
/// pair to pair.
pub type Solve<'a> = &'a (dyn Fn(&Query, &Settings) -> Result<Answer, CcdError> + Sync);
