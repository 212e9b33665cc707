//! The same scene said differently: what a contact method should not notice.
//!
//! Each function takes a scene and returns another one that describes the same physics, with its truth carried along.
//! None of the results counts as the scene of the published table. Where shapes change, eroded shapes that a scene brings
//! of its own are left out, so that they are made anew from the new shapes.

mod exchange;
mod noise;
mod rigid_motion;
mod scaling;
mod tessellation;

pub use exchange::exchanged;
pub use noise::with_noise;
pub use rigid_motion::moved;
pub use scaling::scaled;
pub use tessellation::retessellated;

use std::sync::Arc;

use drystone_contact::shape::{Shape, ShapeError, TetrahedralMesh, TetrahedralMeshError};
use drystone_engine::{BodyError, PrescribedMotionError};

use crate::scene::Scene;
use crate::truth::Truth;

/// Why a scene cannot be said otherwise.
#[derive(Debug, thiserror::Error)]
pub enum TransformationProblem {
    /// The factor is no scale.
    #[error("the factor is {0}; give a finite number above zero")]
    Factor(f64),
    /// A shape becomes too small or too large for its numbers.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A mass or a state becomes too small or too large for its numbers.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A body has locked axes of the world, and these would be turned.
    #[error("{body} does not move along or about some axes of the world; a scene with locked axes cannot be turned")]
    LockedAxes {
        /// The body's name.
        body: String,
    },
    /// Joints have forces, stiffnesses and dampings, which would follow from no single factor.
    #[error("the scene has joints (the first is {joint}), and such a scene cannot be scaled")]
    Joints {
        /// The first joint's name.
        joint: String,
    },
    /// A prescribed motion has a velocity that is out of range.
    #[error(transparent)]
    PrescribedMotion(#[from] PrescribedMotionError),
}

/// The scene with both of its truths changed in the same way.
fn with_truths(scene: &mut Scene, change: impl Fn(&mut Truth)) {
    change(&mut scene.truth);
    scene.published_truth.iter_mut().for_each(change);
    scene.is_as_published = false;
}

/// The scene with another mesh for each body, in the order of the bodies.
fn with_meshes(
    scene: &Scene,
    mut change: impl FnMut(&TetrahedralMesh) -> Result<TetrahedralMesh, TetrahedralMeshError>,
) -> Result<Scene, ShapeError> {
    let mut changed = scene.clone();
    changed.is_as_published = false;
    for body in &mut changed.bodies {
        body.shape = Arc::new(Shape::from_mesh(change(body.shape.polyhedron("tetrahedra")?.mesh()?)?));
    }
    Ok(changed)
}

#[cfg(test)]
mod sample {
    use super::*;
    use crate::cases::{Case, Model};
    use crate::detection::{Moment, detect};
    use drystone_contact::generator::Method;
    use drystone_engine::ContactBetween;

    /// A case in exact coordinates.
    pub fn case(case: Case) -> Scene {
        case.scene(Model::Procedural, None).unwrap()
    }

    /// What a method finds in the first step.
    pub fn contacts(scene: &Scene, method: Method) -> Vec<ContactBetween> {
        detect(scene, &method, Moment::Step(1)).unwrap().contacts
    }
}
