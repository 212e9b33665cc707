//! Shapes: what collision detection and dynamics need of a solid, whatever represents it.
//!
//! A [`Shape`] is a [`Polyhedron`], a [`Primitive`], a general [`Solid`], a [`Compound`], a [`HeightField`] or a [`TriangleMesh`]. Every shape
//! has bounds and triangles to draw, and all but the last two mass properties; a contact generator asks for more, and says so in
//! [`crate::generator::Generator::prepare`].

use std::sync::{Arc, OnceLock};

use glam::{DMat3, DQuat, DVec3};

use super::compound::Compound;
use super::convex_core::RoundedCore;
use super::features::Features;
use super::general::GeneralShape;
use super::mass_properties::{MassProperties, MassPropertiesError};
use super::open_surface::{self, HeightField, OpenSurface, TriangleMesh};
use super::polyhedron::{Polyhedron, TetrahedralizationSettings};
use super::primitive::{Ball, Ellipsoid, HalfSpace, Primitive};
use super::shape_error::ShapeError;
use super::surface::Surface;
use super::tetrahedral_mesh::TetrahedralMesh;
use crate::pose::Pose;
use crate::solid::{Placed, PolyhedralSolid, Solid, bounds_at};
use crate::vclip::hull::convex_hull;

/// A solid, in the frame in which it was given.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Plane faces.
    Polyhedron(Box<Polyhedron>),
    /// A closed form: ball, capsule, cone, cylinder, ellipsoid, half-space, rounded box.
    Primitive(PrimitiveShape),
    /// Any other representation: combinations, implicit and parametric surfaces, polygon soups.
    Solid(GeneralShape),
    /// The union of placed polyhedra and primitives.
    Compound(Arc<Compound>),
    /// Heights over a grid, solid below; of bodies that no force moves.
    HeightField(Arc<HeightField>),
    /// Triangles that need not bound a solid; of bodies that no force moves.
    TriangleMesh(Arc<TriangleMesh>),
}

/// A primitive with what contact determination derives from it, once.
#[derive(Clone, Debug)]
pub struct PrimitiveShape {
    primitive: Arc<dyn Primitive>,
    form: Form,
    /// m.
    thickness: f64,
    general: OnceLock<Option<GeneralShape>>,
    drawn: OnceLock<Option<Arc<Polyhedron>>>,
}

/// What queries tell primitives apart by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    HalfSpace,
    /// m.
    Ball {
        radius: f64,
    },
    /// m.
    Ellipsoid {
        semi_axes: DVec3,
    },
    /// No point is farther from the origin, m.
    Other {
        radius: f64,
    },
}

impl Form {
    fn of(primitive: &dyn Primitive) -> Self {
        let (low, high) = primitive.bounds_at(&Pose::IDENTITY);
        match primitive.kind() {
            HalfSpace::KIND => Self::HalfSpace,
            Ball::KIND => Self::Ball { radius: high.x },
            Ellipsoid::KIND => Self::Ellipsoid { semi_axes: high },
            _ => Self::Other { radius: low.abs().max(high.abs()).length() },
        }
    }
}

impl PrimitiveShape {
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// No point is farther from the origin, m.
    fn radius(&self) -> f64 {
        match self.form {
            Form::HalfSpace => f64::INFINITY,
            Form::Ball { radius } | Form::Other { radius } => radius,
            Form::Ellipsoid { semi_axes } => semi_axes.max_element(),
        }
    }

    /// The polyhedron within the triangles that are drawn, whose corners are on the surface; `None` of a half-space.
    pub(crate) fn drawn(&self) -> Option<&Polyhedron> {
        let make = || {
            let Triangles { vertices, triangles } = self.primitive.triangles();
            let surface = Surface::new(vertices, triangles).ok()?;
            Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default()).ok().map(Arc::new)
        };
        self.drawn.get_or_init(make).as_deref()
    }
}

impl std::ops::Deref for PrimitiveShape {
    type Target = dyn Primitive;

    fn deref(&self) -> &Self::Target {
        &*self.primitive
    }
}

/// A shape in its body frame, with what a body of one density needs to know of it.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// The shape, its frame's origin in the centre of mass and its axes along the principal axes of inertia.
    pub shape: Shape,
    /// Body frame → frame in which the shape was given.
    pub frame: Pose,
    /// kg.
    pub mass: f64,
    /// Principal moments of inertia about the centre of mass in the order of the axes, kg m².
    pub moments: DVec3,
}

/// Triangles to draw, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// m, in the frame of the shape.
    pub vertices: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// Axes turned by less than this (the vector part of their quaternion) are not turned at all.
const SAME_AXES: f64 = 1e-12;

impl Shape {
    /// A polyhedron by its surface, see [`Polyhedron::from_surface`].
    ///
    /// # Errors
    /// As [`Polyhedron::from_surface`].
    pub fn from_surface(surface: &Surface, settings: &TetrahedralizationSettings) -> Result<Self, ShapeError> {
        Polyhedron::from_surface(surface, settings).map(Self::from)
    }

    /// A polyhedron by a tetrahedral mesh that is already there.
    pub fn from_mesh(mesh: TetrahedralMesh) -> Self {
        Polyhedron::from_mesh(mesh).into()
    }

    /// The convex hull of points (m), in any order and however often. Its corners are those of the exact hull.
    ///
    /// # Errors
    /// [`ShapeError::Hull`] of points without a hull that has a volume, [`ShapeError::Surface`] where rounding makes it too flat
    /// for a surface.
    ///
    /// ```
    /// use drystone_contact::shape::Shape;
    /// use glam::DVec3;
    ///
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::splat(0.2), DVec3::X];
    /// let hull = Shape::convex_hull(&corners)?;
    /// assert_eq!(hull.features().unwrap().facets().len(), 4);
    /// assert!(Shape::convex_hull(&corners[..3]).unwrap_err().to_string().contains("in one plane"));
    /// # Ok::<(), drystone_contact::shape::ShapeError>(())
    /// ```
    pub fn convex_hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        let hull = convex_hull(points).map_err(|source| ShapeError::Hull { count: points.len(), source })?;
        let (vertices, faces) = hull;
        let triangles = faces.iter().map(|face| [face[0], face[1], face[2]]).collect();
        Self::from_surface(&Surface::new(vertices, triangles)?, &TetrahedralizationSettings::default())
    }

    /// What the shape is: "polyhedron", or the kind of the primitive.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Polyhedron(_) => "polyhedron",
            Self::Primitive(primitive) => primitive.kind(),
            Self::Solid(general) => general.solid().kind(),
            Self::Compound(_) => Compound::KIND,
            Self::HeightField(_) => HeightField::KIND,
            Self::TriangleMesh(_) => TriangleMesh::KIND,
        }
    }

    /// The compound, if it is one.
    pub fn as_compound(&self) -> Option<&Compound> {
        match self {
            Self::Compound(compound) => Some(compound),
            _ => None,
        }
    }

    /// The height field or triangle mesh, if it is one.
    pub fn as_open_surface(&self) -> Option<&dyn OpenSurface> {
        match self {
            Self::HeightField(field) => Some(&**field),
            Self::TriangleMesh(mesh) => Some(&**mesh),
            _ => None,
        }
    }

    /// The polyhedron, if it is one.
    pub fn as_polyhedron(&self) -> Option<&Polyhedron> {
        match self {
            Self::Polyhedron(polyhedron) => Some(polyhedron),
            _ => None,
        }
    }

    /// The polyhedron, which is asked for because of `what`.
    ///
    /// # Errors
    /// [`ShapeError::Kind`] of a shape that is none.
    pub fn polyhedron(&self, what: &'static str) -> Result<&Polyhedron, ShapeError> {
        self.as_polyhedron().ok_or(ShapeError::Kind { kind: self.kind(), what })
    }

    /// The primitive, if it is one.
    pub fn as_primitive(&self) -> Option<&dyn Primitive> {
        match self {
            Self::Primitive(primitive) => Some(&**primitive),
            _ => None,
        }
    }

    /// The shape as a general solid with points on its surface: any shape but a primitive that is none.
    ///
    /// # Errors
    /// [`ShapeError::Kind`].
    pub fn general(&self) -> Result<&GeneralShape, ShapeError> {
        match self {
            Self::Polyhedron(polyhedron) => {
                Ok(polyhedron.general(|| GeneralShape::new(Arc::<PolyhedralSolid>::clone(polyhedron.solid()))))
            }
            Self::Primitive(primitive) => {
                let made = primitive.general.get_or_init(|| primitive.as_solid().map(GeneralShape::new));
                let what = "general solid (Primitive::as_solid)";
                made.as_ref().ok_or(ShapeError::Kind { kind: primitive.kind(), what })
            }
            Self::Solid(general) => Ok(general),
            Self::Compound(_) | Self::HeightField(_) | Self::TriangleMesh(_) => {
                Err(ShapeError::Kind { kind: self.kind(), what: "general solid" })
            }
        }
    }

    /// The core within a radius of which all points of the shape lie, of a convex polyhedron and of a primitive with an end.
    pub fn core(&self) -> Option<RoundedCore<'_>> {
        match self {
            Self::Polyhedron(polyhedron) => polyhedron.core(),
            Self::Primitive(primitive) => primitive.core(),
            Self::Solid(_) | Self::Compound(_) | Self::HeightField(_) | Self::TriangleMesh(_) => None,
        }
    }

    /// Whether it is a primitive with an end that has straight lines or flat faces: neither a ball nor an ellipsoid.
    pub fn has_lines(&self) -> bool {
        self.as_primitive().is_some_and(|p| p.support(DVec3::Y).is_none() && p.core().is_some())
    }

    /// The facets, edges and vertices of a polyhedron.
    pub fn features(&self) -> Option<&Features> {
        self.as_polyhedron().map(Polyhedron::features)
    }

    /// The surface of a polyhedron.
    pub fn surface(&self) -> Option<&Surface> {
        self.as_polyhedron().map(Polyhedron::surface)
    }

    /// The lower and upper corner of the axis-aligned box around the shape at a pose, m; infinite where the shape is.
    pub fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        match self {
            Self::Polyhedron(polyhedron) => {
                if let Some(half) = polyhedron.half_sides() {
                    let DMat3 { x_axis, y_axis, z_axis } = DMat3::from_quat(pose.rotation);
                    let reach = x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z;
                    return (pose.translation - reach, pose.translation + reach);
                }
                let vertices = polyhedron.surface().vertices().iter().map(|&v| pose.transform_point(v));
                vertices.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
            }
            Self::Primitive(primitive) => primitive.bounds_at(pose),
            Self::Solid(general) => {
                let solid = general.solid();
                if !solid.bounds().is_finite() {
                    return (DVec3::NEG_INFINITY, DVec3::INFINITY);
                }
                bounds_at(&**general.shared(), pose)
            }
            Self::Compound(compound) => compound.bounds_at(pose),
            Self::HeightField(field) => open_surface::bounds_at(&**field, pose),
            Self::TriangleMesh(mesh) => open_surface::bounds_at(&**mesh, pose),
        }
    }

    /// The mass properties at a density in kg/m³.
    ///
    /// # Errors
    /// [`MassPropertiesError`]; a half-space has none.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        match self {
            Self::Polyhedron(polyhedron) => polyhedron.mass_properties(density),
            Self::Primitive(primitive) => primitive.mass_properties(density),
            Self::Solid(general) => Ok(general.solid().mass_properties(density)?.properties),
            Self::Compound(compound) => compound.mass_properties(density),
            Self::HeightField(_) | Self::TriangleMesh(_) => Err(MassPropertiesError::NoInside),
        }
    }

    /// A length by which tolerances scale, m: three volumes by the area of the surface, the radius of a ball, that of the thinnest part of a
    /// compound. Infinite for a half-space, a height field and a triangle mesh.
    pub fn thickness(&self) -> f64 {
        match self {
            Self::Polyhedron(polyhedron) => polyhedron.features().thickness(),
            Self::Primitive(primitive) => primitive.thickness,
            Self::Solid(general) => general.solid().thickness(),
            Self::Compound(compound) => compound.thickness(),
            Self::HeightField(_) | Self::TriangleMesh(_) => f64::INFINITY,
        }
    }

    /// No point is farther from the origin of the shape's frame than this, m; infinite where the shape is.
    pub fn radius(&self) -> f64 {
        match self {
            Self::Polyhedron(polyhedron) => polyhedron.features().radius(),
            Self::Primitive(primitive) => primitive.radius(),
            Self::Solid(general) => {
                let bounds = general.solid().bounds();
                bounds.low.abs().max(bounds.high.abs()).length()
            }
            Self::Compound(compound) => compound.radius(),
            Self::HeightField(_) => f64::INFINITY,
            Self::TriangleMesh(mesh) => {
                let (low, high) = mesh.bounds();
                low.abs().max(high.abs()).length()
            }
        }
    }

    /// The shape in the body frame of a body of this density (kg/m³), and the mass of that body. A primitive stays in its
    /// own frame, whose axes are its principal axes.
    ///
    /// # Errors
    /// [`BodyShapeError`].
    pub fn in_body_frame(&self, density: f64) -> Result<BodyShape, BodyShapeError> {
        let mass = self.mass_properties(density)?;
        match self {
            Self::Polyhedron(polyhedron) => {
                let axes = DQuat::from_mat3(&mass.principal_axes);
                let is_turned = DVec3::new(axes.x, axes.y, axes.z).length() >= SAME_AXES;
                let frame = Pose::from_parts(mass.centre, if is_turned { axes } else { DQuat::IDENTITY });
                let shape = polyhedron.in_frame(&frame)?.into();
                Ok(BodyShape { shape, frame, mass: mass.mass, moments: mass.principal_moments })
            }
            Self::Primitive(_) => {
                let (shape, frame) = (self.clone(), Pose::IDENTITY);
                Ok(BodyShape { shape, frame, mass: mass.mass, moments: mass.inertia.diagonal() })
            }
            Self::Solid(general) => {
                let axes = DQuat::from_mat3(&mass.principal_axes);
                let is_turned = DVec3::new(axes.x, axes.y, axes.z).length() >= SAME_AXES;
                let is_moved = mass.centre.length() > SAME_AXES * self.radius();
                let centre = if is_moved { mass.centre } else { DVec3::ZERO };
                let frame = Pose::from_parts(centre, if is_turned { axes } else { DQuat::IDENTITY });
                let shape = if is_turned || is_moved { seen_from(general, &frame)? } else { self.clone() };
                Ok(BodyShape { shape, frame, mass: mass.mass, moments: mass.principal_moments })
            }
            Self::Compound(compound) => {
                let axes = DQuat::from_mat3(&mass.principal_axes);
                let is_turned = DVec3::new(axes.x, axes.y, axes.z).length() >= SAME_AXES;
                let frame = Pose::from_parts(mass.centre, if is_turned { axes } else { DQuat::IDENTITY });
                let shape = compound.in_frame(&frame).into();
                Ok(BodyShape { shape, frame, mass: mass.mass, moments: mass.principal_moments })
            }
            Self::HeightField(_) | Self::TriangleMesh(_) => Err(MassPropertiesError::NoInside.into()),
        }
    }

    /// The same solid as it is seen from a frame (frame → frame of this shape).
    ///
    /// # Errors
    /// As [`Polyhedron::in_frame`]; a primitive, a height field and a triangle mesh keep their own frames.
    pub fn in_frame(&self, frame: &Pose) -> Result<Self, ShapeError> {
        match self {
            Self::Solid(general) => return seen_from(general, frame),
            Self::Compound(compound) => return Ok(compound.in_frame(frame).into()),
            _ => {}
        }
        Ok(self.polyhedron("other frame than its own")?.in_frame(frame)?.into())
    }

    /// Triangles to draw: the surface of a polyhedron, a stand-in for anything else.
    pub fn triangles(&self) -> Triangles {
        match self {
            Self::Polyhedron(polyhedron) => {
                let surface = polyhedron.surface();
                Triangles { vertices: surface.vertices().to_vec(), triangles: surface.triangles().to_vec() }
            }
            Self::Primitive(primitive) => primitive.triangles(),
            Self::Solid(general) => general.solid().triangles(),
            Self::Compound(compound) => compound.triangles(),
            Self::HeightField(field) => open_surface::triangles(&**field, field.heights().len()),
            Self::TriangleMesh(mesh) => open_surface::triangles(&**mesh, mesh.vertices().len()),
        }
    }
}

/// A general solid as it is seen from a frame (frame → frame of the solid).
fn seen_from(general: &GeneralShape, frame: &Pose) -> Result<Shape, ShapeError> {
    Ok(Shape::Solid(GeneralShape::new(Arc::new(Placed::new(Arc::clone(general.shared()), frame.inverse())?))))
}

/// Why a shape has no body frame.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BodyShapeError {
    /// It has no mass.
    #[error(transparent)]
    Mass(#[from] MassPropertiesError),
    /// It is no longer valid there.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Polyhedron(own), Self::Polyhedron(other)) => own == other,
            (Self::Primitive(own), Self::Primitive(other)) => {
                (own.kind(), own.dimensions()) == (other.kind(), other.dimensions())
            }
            (Self::Solid(own), Self::Solid(other)) => {
                let [own_data, other_data] = [own, other].map(|general| general.solid().description());
                Arc::ptr_eq(own.shared(), other.shared()) || (own_data.is_some() && own_data == other_data)
            }
            (Self::Compound(own), Self::Compound(other)) => Arc::ptr_eq(own, other) || own == other,
            (Self::HeightField(own), Self::HeightField(other)) => Arc::ptr_eq(own, other) || own == other,
            (Self::TriangleMesh(own), Self::TriangleMesh(other)) => Arc::ptr_eq(own, other) || own == other,
            _ => false,
        }
    }
}

impl From<Compound> for Shape {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

impl From<HeightField> for Shape {
    fn from(field: HeightField) -> Self {
        Self::HeightField(Arc::new(field))
    }
}

impl From<TriangleMesh> for Shape {
    fn from(mesh: TriangleMesh) -> Self {
        Self::TriangleMesh(Arc::new(mesh))
    }
}

impl From<Polyhedron> for Shape {
    fn from(polyhedron: Polyhedron) -> Self {
        Self::Polyhedron(Box::new(polyhedron))
    }
}

impl<P: Primitive + 'static> From<P> for Shape {
    fn from(primitive: P) -> Self {
        Self::Primitive(PrimitiveShape {
            form: Form::of(&primitive),
            thickness: primitive.thickness(),
            primitive: Arc::new(primitive),
            general: OnceLock::new(),
            drawn: OnceLock::new(),
        })
    }
}

impl From<Arc<dyn Solid>> for Shape {
    fn from(solid: Arc<dyn Solid>) -> Self {
        Self::Solid(GeneralShape::new(solid))
    }
}
