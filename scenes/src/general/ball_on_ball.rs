//! A ball rolls off a fixed one twice as large.

use drystone_contact::Pose;
use glam::{DQuat, DVec3};

use super::{fixed, moving, primitive};
use crate::scene::{BodyProblem, SceneBody};

/// m.
const RADII: [f64; 2] = [1.0, 0.5];

/// How far from the top it starts, rad.
const START: f64 = 0.1;

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let [below, above] = RADII.map(|radius| primitive("ball", &[radius]));
    let (sine, cosine) = libm::sincos(START);
    let place = DVec3::new(sine, cosine, 0.0) * (RADII[0] + RADII[1]);
    let start = Pose::from_parts(place, DQuat::IDENTITY);
    Ok(vec![fixed("below", &below)?, moving("above", &above, start, [DVec3::ZERO; 2])?])
}
