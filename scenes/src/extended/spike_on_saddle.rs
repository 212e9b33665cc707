//! A spike with its apex on the centre of a saddle, moving out along a valley.
//!
//! The space above the saddle y = a (|x| − |z|) is the union of two convex pieces, one for each valley: above both facets
//! of the valley at +z, or above both at −z. The spike is steeper than all facets, so that its tangent cone at the apex
//! lies in both pieces. Within a piece both facets hold at once; between the pieces the motion decides. The apex moves to
//! +z, away from the facets there (v · n = a v_z/√(1 + 2a²) > 0) and into those at −z. So the two facets at +z are expected,
//! with the apex as one contact each. Half a step later the apex is above the line of that valley.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::hexahedra::solid;
use super::{Extended, STONE, fixed, only_pair, saddle};
use crate::builtin;
use crate::cases::DENSITY;
use crate::scene::{BodyProblem, Scene};
use crate::solids::{Proportions, spike};

/// The spike, of slope 3.
const SPIKE: Proportions = Proportions { height: 1.5, half_base: 0.5 };

/// Its velocity: outward along the valley, m/s.
const VELOCITY: DVec3 = DVec3::new(0.0, 0.0, 1.0);

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let block = solid(&saddle::columns(1.0, -1.0))?;
    let spike = Shape::from_surface(&spike(SPIKE)?, &TetrahedralizationSettings::default())?;
    let apex_down = Pose::from_parts(DVec3::Y * SPIKE.height, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let spike = builtin::moving("spike", &spike, DENSITY, apex_down, VELOCITY, STONE)?;
    let normals = [-1.0, 1.0].map(|sign_x| saddle::normal(sign_x, 1.0));
    Extended::SpikeOnSaddle.of_bodies(vec![fixed("saddle", &block)?, spike], only_pair(normals.to_vec(), 2))
}
