//! A block whose lower side is a saddle rests on a block whose upper side is the same saddle.
//!
//! The two surfaces coincide: the convex ridges of one fill the concave valleys of the other. Each of the four facets of the
//! upper block lies on one facet of the lower, so that four planes hold at once, each over a polygon of four corners: one
//! in the centre, one on a ridge, one on a valley, one at the corner of the upper block, whose square is the smaller one.
//! Ridges, valleys and the centre lie in the closure of these polygons and are no contacts of their own. That makes 16.

use glam::DVec3;

use super::hexahedra::solid;
use super::{Extended, fixed, moving, only_pair, saddle};
use crate::scene::{BodyProblem, Scene};

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let lower = fixed("lower saddle", &solid(&saddle::columns(1.0, -1.0))?)?;
    let upper = moving("upper saddle", &solid(&saddle::columns(0.8, 1.0))?, DVec3::ZERO)?;
    let signs = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    let normals = signs.map(|(sign_x, sign_z)| saddle::normal(sign_x, sign_z));
    Extended::SaddleOnSaddle.of_bodies(vec![lower, upper], only_pair(normals.to_vec(), 16))
}
