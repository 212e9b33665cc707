//! What a world is told of a body: its state and mass, its shape, and what it touches.

use crate::body::{Body, BodyError, Pose};
use crate::material::MaterialId;
use crate::prescribed_motion::PrescribedMotion;
use drystone_contact::shape::mesh_file::{self, MeshFileError};
use drystone_contact::shape::{
    Ball, BodyShape, BodyShapeError, Capsule, Compound, CompoundPart, Cone, Cylinder, RoundedBox, Shape, ShapeError,
    Surface, SurfaceError, TetrahedralizationSettings,
};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
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

    /// A body that stays where it is, with the frame of its shape at `pose`: for shapes without mass, such as a half-space, a height field or a
    /// triangle mesh.
    ///
    /// # Errors
    /// [`SolidError::Body`].
    pub fn fixed(shape: impl Into<Shape>, material: MaterialId, pose: Pose) -> Result<Self, SolidError> {
        let body = Body::fixed(material).at(pose.translation, pose.rotation)?;
        Ok(Self::new(body, Arc::new(shape.into())))
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
    /// A mesh file cannot be read.
    #[error(transparent)]
    MeshFile(#[from] MeshFileError),
    /// The mesh of a file is not that of a solid.
    #[error("the mesh of {} is not that of a solid: {source}", path.display())]
    MeshOfFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ShapeError,
    },
    /// The shape has no mass, or no body frame.
    #[error(transparent)]
    BodyShape(#[from] BodyShapeError),
    /// The state is not that of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// A solid of one density, from which any number of bodies can be made that share its shape.
///
/// ```
/// use drystone_engine::Solid;
/// use glam::DVec3;
///
/// let wheel = Solid::cylinder(0.3, 0.05, 7800.0)?; // radius and half height in m, density in kg/m³
/// let rock = Solid::convex_hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], 2500.0)?;
/// assert!((wheel.moments.y / wheel.mass - 0.5 * 0.3 * 0.3).abs() < 1e-12 && (rock.mass - 2500.0 / 6.0).abs() < 1e-9);
/// # Ok::<(), drystone_engine::SolidError>(())
/// ```
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

    /// A ball (radius in m) of a density (kg/m³).
    ///
    /// # Errors
    /// [`SolidError::Shape`] of a dimension that is not finite and above zero, and as [`Solid::new`].
    pub fn ball(radius: f64, density: f64) -> Result<Self, SolidError> {
        Self::new(&Ball::new(radius)?.into(), density)
    }

    /// A capsule: the points within a radius of the segment from −`half_length` to `half_length` along y, m.
    ///
    /// # Errors
    /// As [`Solid::ball`].
    pub fn capsule(radius: f64, half_length: f64, density: f64) -> Result<Self, SolidError> {
        Self::new(&Capsule::new(radius, half_length)?.into(), density)
    }

    /// A cylinder along y, m.
    ///
    /// # Errors
    /// As [`Solid::ball`].
    pub fn cylinder(radius: f64, half_height: f64, density: f64) -> Result<Self, SolidError> {
        Self::new(&Cylinder::new(radius, half_height)?.into(), density)
    }

    /// A cone along y about its centre of mass, m: the base a quarter of the height below, the tip three quarters above.
    ///
    /// # Errors
    /// As [`Solid::ball`].
    pub fn cone(radius: f64, height: f64, density: f64) -> Result<Self, SolidError> {
        Self::new(&Cone::new(radius, height)?.into(), density)
    }

    /// The points within a radius of the box with these half sides about the origin, m.
    ///
    /// # Errors
    /// As [`Solid::ball`].
    pub fn rounded_box(half: DVec3, radius: f64, density: f64) -> Result<Self, SolidError> {
        Self::new(&RoundedBox::new(half, radius)?.into(), density)
    }

    /// The convex hull of points, m.
    ///
    /// # Errors
    /// As [`Shape::convex_hull`] and [`Solid::new`].
    pub fn convex_hull(points: &[DVec3], density: f64) -> Result<Self, SolidError> {
        Self::new(&Shape::convex_hull(points)?, density)
    }

    /// The polyhedron of a mesh file: Wavefront OBJ, OFF, STL, Gmsh or TetGen, by its extension; its unit is taken as the metre.
    ///
    /// # Errors
    /// [`SolidError::MeshFile`] names the file and the place in it; [`SolidError::MeshOfFile`] of a mesh that is not that of a solid.
    pub fn from_mesh_file(path: impl AsRef<Path>, density: f64) -> Result<Self, SolidError> {
        let path = path.as_ref();
        let mesh = mesh_file::read(path)?;
        let of_file = |source| SolidError::MeshOfFile { path: path.into(), source };
        let shape = mesh.into_shape(&TetrahedralizationSettings::default()).map_err(of_file)?;
        Self::new(&shape, density)
    }

    /// The union of placed shapes, one body: polyhedra, primitives and other compounds, each with its pose in the frame of the union. Where parts
    /// overlap, the mass of the overlap counts for each.
    ///
    /// # Errors
    /// As [`Solid::new`], and [`SolidError::Shape`] of shapes that make no compound.
    pub fn compound(parts: impl IntoIterator<Item = (Shape, Pose)>, density: f64) -> Result<Self, SolidError> {
        let parts = parts.into_iter().map(|(shape, pose)| CompoundPart { shape: Arc::new(shape), pose });
        Self::new(&Compound::new(parts)?.into(), density)
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
