//! Rigid surfaces that move with constant velocities: when two of them come near each other.
//!
//! The points of such a surface run on helices. Over an interval of the motion every point is no farther from the
//! straight line between its two ends than r (1 − cos φ/2), r being its distance from the axis of rotation and φ ≤ 2π the
//! angle of the interval ([`RigidMesh`]). So two surfaces whose *straight* motions stay apart by d and the deviations of
//! both stay apart by d, and the queries of [`crate::ccd`] decide about that ([`RigidPair`]).

mod motion;
mod near_features;
mod rigid_mesh;
mod rigid_pair;

pub use motion::NonlinearRigidMotion;
pub use near_features::near_contacts;
pub use rigid_mesh::{ROUNDING, RigidMesh};
pub use rigid_pair::{Proximity, RigidPair, ToiLimits, time_of_impact};
