//! A marble runs down a slide: one bicubic Bézier patch, a channel that ends level.

use drystone_contact::Pose;
use drystone_contact::solid::{Description, Patch};
use glam::{DQuat, DVec3};

use super::{fixed, moving, primitive};
use crate::scene::{BodyProblem, SceneBody};

/// Radius of the marble, m.
const RADIUS: f64 = 0.05;

/// Along the slide: x and height of the channel's bottom, m.
const PROFILE: [[f64; 2]; 4] = [[0.0, 1.0], [0.7, 0.0], [1.4, 0.0], [2.0, 0.0]];

/// Across the slide: z and height above the bottom, m.
const SECTION: [[f64; 2]; 4] = [[-0.3, 0.25], [-0.1, -0.05], [0.1, -0.05], [0.3, 0.25]];

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let point = |[x, y]: [f64; 2], [z, rise]: [f64; 2]| vec![x, y + rise, z];
    // Normals point up: v runs from +z to −z while u runs down the slide.
    let points = PROFILE.iter().flat_map(|&along| SECTION.iter().map(move |&across| point(along, across))).collect();
    let slide = Description::Parametric { patches: vec![Patch { degrees: [3, 3], points }], closed: false };
    let marble = primitive("ball", &[RADIUS]);
    let start = Pose::from_parts(DVec3::new(0.08, 1.02, 0.0), DQuat::IDENTITY);
    Ok(vec![fixed("slide", &slide)?, moving("marble", &marble, start, [DVec3::ZERO; 2])?])
}
