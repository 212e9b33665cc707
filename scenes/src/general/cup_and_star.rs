//! A tumbling star of three crossed bars falls into a cup, which is a cylinder less a smaller one.

use std::f64::consts::FRAC_PI_2;

use drystone_contact::Pose;
use drystone_contact::solid::Description;
use glam::DVec3;

use super::{at, fixed, moving, part, primitive, turned};
use crate::scene::{BodyProblem, SceneBody};

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let outside = at(primitive("cylinder", &[1.0, 0.6]), [0.0, 0.5, 0.0]);
    let inside = at(primitive("cylinder", &[0.85, 0.6]), [0.0, 0.65, 0.0]);
    let cup = Description::Difference(vec![outside, inside]);
    let bar = || primitive("capsule", &[0.08, 0.3]);
    let star = Description::Union(vec![
        at(bar(), [0.0; 3]),
        part(bar(), [0.0; 3], DVec3::X, FRAC_PI_2),
        part(bar(), [0.0; 3], DVec3::Z, FRAC_PI_2),
    ]);
    let start = Pose::from_parts(DVec3::new(0.1, 1.8, 0.05), turned(DVec3::new(0.6, 0.0, 0.8), 0.7));
    let velocities = [DVec3::new(0.3, 0.0, 0.0), DVec3::new(3.0, 1.0, 4.0)];
    Ok(vec![fixed("cup", &cup)?, moving("star", &star, start, velocities)?])
}
