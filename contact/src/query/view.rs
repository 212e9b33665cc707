//! What a shape is to queries: the one place where kinds of shapes are told apart.

use glam::DVec3;

use super::QueryError;
use super::support::Convex;
use crate::contact::Feature;
use crate::shape::{Compound, Form, HeightField, Polyhedron, Shape, TriangleMesh};
use crate::solid::triangle_tree::TriangleTree;
use crate::solid::{PolyhedralSolid, Solid};

/// A shape as queries see it.
#[derive(Clone, Copy, Debug)]
pub enum View<'s> {
    /// All points with y ≤ 0.
    HalfSpace,
    /// A bounded convex solid with a support function.
    Convex(Convex<'s>),
    /// The solid within a triangle surface.
    Surface(Surfaced<'s>),
    /// Triangles without an inside.
    Mesh(&'s TriangleMesh),
    /// All that is below a height field.
    Terrain(&'s HeightField),
    /// The union of its parts.
    Compound(&'s Compound),
    /// Any other representation, which answers about rays and points alone.
    Solid(&'s dyn Solid),
}

/// A polyhedron.
#[derive(Clone, Copy, Debug)]
pub struct Surfaced<'s> {
    pub polyhedron: &'s Polyhedron,
}

impl<'s> Surfaced<'s> {
    /// The solid within, with the tree of its triangles.
    pub fn solid(&self) -> &'s PolyhedralSolid {
        self.polyhedron.solid()
    }

    /// The feature of a triangle: its facet.
    pub fn feature(&self, triangle: u32) -> Option<Feature> {
        self.polyhedron.features().facet_of_triangle(triangle).map(Feature::Facet)
    }
}

impl<'s> View<'s> {
    pub fn of(shape: &'s Shape) -> Self {
        match shape {
            Shape::Polyhedron(polyhedron) => Self::Surface(Surfaced { polyhedron }),
            Shape::Primitive(primitive) => match primitive.form() {
                Form::HalfSpace => Self::HalfSpace,
                Form::Ball { radius } => Self::Convex(Convex::Ball { radius }),
                Form::Ellipsoid { semi_axes } => Self::Convex(Convex::Ellipsoid { semi_axes }),
                Form::Other { radius } => {
                    Self::Convex(Convex::Primitive { primitive: &**primitive, core: primitive.core(), radius })
                }
            },
            Shape::Solid(general) => Self::Solid(general.solid()),
            Shape::Compound(compound) => Self::Compound(compound),
            Shape::HeightField(field) => Self::Terrain(field),
            Shape::TriangleMesh(mesh) => Self::Mesh(mesh),
        }
    }

    /// As [`View::of`], with an exactly convex polyhedron as a convex solid.
    pub fn convex_of(shape: &'s Shape) -> Self {
        Self::of(shape).convex()
    }

    /// The same.
    pub fn convex(self) -> Self {
        match self {
            Self::Surface(surface) => match surface.solid().convex() {
                Some(polyhedron) => Self::Convex(Convex::Polyhedron(polyhedron)),
                None => Self::Surface(surface),
            },
            other => other,
        }
    }

    /// # Errors
    /// [`QueryError::Kind`] of a general solid, which has no support function and no triangles.
    pub fn checked(self, what: &'static str) -> Result<Self, QueryError> {
        match self {
            Self::Solid(solid) => Err(QueryError::Kind { kind: solid.kind(), what }),
            other => Ok(other),
        }
    }

    /// The tree over the triangles of a surface or mesh, and the solid within if there is one.
    pub fn triangles(&self) -> Option<(&'s TriangleTree, Option<&'s PolyhedralSolid>)> {
        match *self {
            Self::Surface(surface) => Some((surface.solid().tree(), Some(surface.solid()))),
            Self::Mesh(mesh) => Some((mesh.triangle_tree(), None)),
            _ => None,
        }
    }
}

/// The highest point of the surface of the half-space y ≤ 0 below another one, and how high that is above it, m.
pub fn on_half_space(point: DVec3) -> (DVec3, f64) {
    (DVec3::new(point.x, 0.0, point.z), point.y)
}
