//! A tilted torus falls over a peg with a round head on a square base, which is a union.

use drystone_contact::Pose;
use drystone_contact::solid::Description;
use glam::DVec3;

use super::{at, fixed, moving, primitive, turned};
use crate::scene::{BodyProblem, SceneBody};

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let base = at(primitive("box", &[1.0, 0.1, 1.0]), [0.0, -0.1, 0.0]);
    let peg = at(primitive("capsule", &[0.15, 0.6]), [0.0, 0.5, 0.0]);
    let stand = Description::Union(vec![base, peg]);
    let start = Pose::from_parts(DVec3::new(0.02, 1.7, 0.0), turned(DVec3::Z, 0.3));
    let ring = primitive("torus", &[0.4, 0.1]);
    Ok(vec![fixed("stand", &stand)?, moving("torus", &ring, start, [DVec3::ZERO; 2])?])
}
