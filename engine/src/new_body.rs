//! What a world is told of a body: its state and mass, its shape, and what it touches.

use crate::body::{Body, BodyError, Pose};
use crate::material::MaterialId;
use crate::prescribed_motion::PrescribedMotion;
use drystone_contact::shape::{
    BodyShape, BodyShapeError, Shape, ShapeError, Surface, SurfaceError, TetrahedralizationSettings,
};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which bodies a body touches: two touch if each is a member of a group that the other touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// The groups that the body is in, one a bit.
    pub member: u32,
    /// The groups whose members it touches, one a bit.
    pub with: u32,
}

impl Groups {
    /// In no group, touching nothing.
    pub const NONE: Self = Self { member: 0, with: 0 };

    /// In all groups, touching all: the default.
    pub const ALL: Self = Self { member: u32::MAX, with: u32::MAX };

    /// Whether two bodies of these groups touch.
    pub fn touch(self, other: Self) -> bool {
        self.member & other.with != 0 && other.member & self.with != 0
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::ALL
    }
}

/// A body to be added to a world.
#[derive(Clone, Debug)]
pub struct NewBody {
    /// State, mass, kind and material.
    pub body: Body,
    /// The shape, in the body frame.
    pub shape: Arc<Shape>,
    /// Which bodies it touches.
    pub groups: Groups,
    /// How a kinematic body moves from now on; without one it keeps its velocities.
    pub prescribed_motion: Option<PrescribedMotion>,
    /// Whether it is a sensor: it touches nothing and nothing touches it, but the bodies that overlap it are known
    /// ([`crate::world::events::Event::SensorEntered`]).
    pub is_sensor: bool,
    /// Anything that the program wants to find with the body.
    pub user_data: u64,
}

impl NewBody {
    /// A body with its shape (in the body frame), touching everything, without a prescribed motion.
    pub fn new(body: Body, shape: Arc<Shape>) -> Self {
        Self { body, shape, groups: Groups::ALL, prescribed_motion: None, is_sensor: false, user_data: 0 }
    }

    /// The same body as a sensor.
    pub fn sensor(self) -> Self {
        Self { is_sensor: true, ..self }
    }
}

/// Why there is no such solid.
#[derive(Debug, thiserror::Error)]
pub enum SolidError {
    /// The surface is not that of a solid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// There is no such shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The shape has no mass, or no body frame.
    #[error(transparent)]
    BodyShape(#[from] BodyShapeError),
    /// The state is not that of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// A solid of one density, from which any number of bodies can be made that share its shape.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The shape in the body frame: origin in the centre of mass, axes along the principal axes of inertia.
    pub shape: Arc<Shape>,
    /// kg.
    pub mass: f64,
    /// Principal moments of inertia about the centre of mass, kg m².
    pub moments: DVec3,
    /// Body frame → the frame in which the shape was given.
    pub frame: Pose,
}

impl Solid {
    /// A shape, in any frame, of a density (kg/m³).
    ///
    /// # Errors
    /// [`SolidError::BodyShape`].
    pub fn new(shape: &Shape, density: f64) -> Result<Self, SolidError> {
        let BodyShape { shape, frame, mass, moments } = shape.in_body_frame(density)?;
        Ok(Self { shape: Arc::new(shape), mass, moments, frame })
    }

    /// A box with these sides (m) about the origin.
    ///
    /// # Errors
    /// As [`Solid::new`], and for sides that make no box.
    pub fn cuboid(sides: DVec3, density: f64) -> Result<Self, SolidError> {
        let corner = |i: usize| {
            let sign = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
            DVec3::new(sign(1), sign(2), sign(4)) * sides
        };
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let surface = Surface::new((0..8).map(corner).collect(), triangles)?;
        Self::new(&Shape::from_surface(&surface, &TetrahedralizationSettings::default())?, density)
    }

    /// A body that moves, at rest, with the shape's given frame at `pose`.
    ///
    /// # Errors
    /// [`SolidError::Body`].
    pub fn dynamic(&self, material: MaterialId, pose: Pose) -> Result<NewBody, SolidError> {
        self.placed(Body::dynamic(self.mass, self.moments, material)?, pose)
    }

    /// A body that stays where it is.
    ///
    /// # Errors
    /// [`SolidError::Body`].
    pub fn fixed(&self, material: MaterialId, pose: Pose) -> Result<NewBody, SolidError> {
        self.placed(Body::fixed(material), pose)
    }

    /// A body that moves as it is told, at rest until then.
    ///
    /// # Errors
    /// [`SolidError::Body`].
    pub fn kinematic(&self, material: MaterialId, pose: Pose) -> Result<NewBody, SolidError> {
        self.placed(Body::kinematic(material), pose)
    }

    fn placed(&self, body: Body, pose: Pose) -> Result<NewBody, SolidError> {
        let at = pose * self.frame;
        Ok(NewBody::new(body.at(at.translation, at.rotation)?, Arc::clone(&self.shape)))
    }
}
