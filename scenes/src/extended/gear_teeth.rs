//! A tooth of an upper rack between two teeth of a lower one, flanks on flanks.
//!
//! The gap between the lower teeth is as wide as the upper tooth at every height, so that both flanks of the upper tooth
//! touch: two planes at once, with the normals (±5, 2, 0)/√29 of flanks that lean 2 to 5. The tooth reaches neither the
//! ground of the gap nor the rack the tips, by a tenth of a metre. Each flank touches over a rectangle: as high as lower
//! tooth and upper tooth have in common, as wide as the upper rack, which is the narrower one. So there are 8 contacts.

use glam::DVec3;

use super::hexahedra::{Cell, prism, slab, solid};
use super::{Extended, fixed, moving, only_pair};
use crate::scene::{BodyProblem, Scene};

/// Half the width of the gap at its ground, m.
const GROUND: f64 = 0.2;

/// How much wider half the gap becomes for each metre of height.
const LEAN: f64 = 0.4;

/// Height of a tooth, m.
const TOOTH: f64 = 0.5;

/// From a tip to the ground opposite, m.
const CLEARANCE: f64 = 0.1;

/// Half the distance between the middles of the lower teeth, m.
const HALF_PITCH: f64 = 0.6;

/// Half the length of a rack, m.
const HALF_LENGTH: f64 = 1.5;

/// How thick the racks are under their teeth, m.
const THICKNESS: f64 = 0.3;

/// Half the width of the gap at a height above its ground, m.
fn half_gap(height: f64) -> f64 {
    GROUND + LEAN * height
}

/// The lower rack with two teeth, its ground at y = 0.
fn lower() -> Vec<Cell> {
    let (inner, outer) = (GROUND, 2.0 * HALF_PITCH - GROUND);
    let (inner_tip, outer_tip) = (half_gap(TOOTH), 2.0 * HALF_PITCH - half_gap(TOOTH));
    let ends = [-HALF_LENGTH, -outer, -inner, inner, outer, HALF_LENGTH];
    let mut cells: Vec<Cell> = ends.windows(2).map(|x| slab([x[0], x[1]], [-THICKNESS, 0.0], 0.5)).collect();
    cells.push(prism([(inner, 0.0), (outer, 0.0), (outer_tip, TOOTH), (inner_tip, TOOTH)], 0.5));
    cells.push(prism([(-outer, 0.0), (-inner, 0.0), (-inner_tip, TOOTH), (-outer_tip, TOOTH)], 0.5));
    cells
}

/// The upper rack with one tooth downward.
fn upper() -> Vec<Cell> {
    let (tip, root) = (CLEARANCE, CLEARANCE + TOOTH);
    let (at_tip, at_root) = (half_gap(tip), half_gap(root));
    let ends = [-HALF_LENGTH, -at_root, at_root, HALF_LENGTH];
    let mut cells: Vec<Cell> = ends.windows(2).map(|x| slab([x[0], x[1]], [root, root + THICKNESS], 0.3)).collect();
    cells.push(prism([(-at_tip, tip), (at_tip, tip), (at_root, root), (-at_root, root)], 0.3));
    cells
}

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let bodies = vec![fixed("lower rack", &solid(&lower())?)?, moving("upper rack", &solid(&upper())?, DVec3::ZERO)?];
    let normals = [-1.0, 1.0].map(|sign| DVec3::new(sign, LEAN, 0.0).normalize());
    Extended::GearTeeth.of_bodies(bodies, only_pair(normals.to_vec(), 8))
}
