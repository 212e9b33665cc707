//! Solids as data: what scene files, snapshots and the command line hold.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    BezierPatch, Csg, CsgError, Expression, ExpressionError, Implicit, ImplicitError, Operation, Parametric,
    ParametricError, PatchError, Placed, PlacedError, PolyhedralSolid, Solid, Soup, SoupError, primitive_solid,
};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{ShapeError, Surface, SurfaceError};

/// A solid as data. Lengths are in metres, vertices are numbered from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Description {
    /// A closed form by its name and dimensions ([`super::primitive::KINDS`]).
    Primitive {
        /// The name of the kind.
        kind: String,
        /// In the order of the kind.
        #[serde(default)]
        dimensions: Vec<f64>,
    },
    /// Within a closed surface of triangles.
    Polyhedron {
        /// Positions.
        vertices: Vec<[f64; 3]>,
        /// Vertex numbers, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Triangles without an inside.
    Soup {
        /// Positions.
        vertices: Vec<[f64; 3]>,
        /// Vertex numbers of each polygon, three or more.
        polygons: Vec<Vec<u32>>,
    },
    /// In one of the parts.
    Union(Vec<Part>),
    /// In all of the parts.
    Intersection(Vec<Part>),
    /// In the first part and in none of the others.
    Difference(Vec<Part>),
    /// Where f(x, y, z) ≤ 0 within a box.
    Implicit {
        /// The expression.
        f: String,
        /// The corner of the box with the smallest coordinates.
        low: [f64; 3],
        /// The corner with the largest.
        high: [f64; 3],
    },
    /// Rational Bézier patches.
    Parametric {
        /// The patches.
        patches: Vec<Patch>,
        /// Whether they enclose a solid.
        closed: bool,
    },
    /// A solid elsewhere.
    Placed(Box<Part>),
}

/// A solid at a pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What.
    pub solid: Description,
    /// Where its origin is.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned: a unit quaternion (x, y, z, s).
    #[serde(default = "unturned")]
    pub rotation: [f64; 4],
}

/// A rational Bézier patch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Along u and v.
    pub degrees: [usize; 2],
    /// (x, y, z), or homogeneous (w x, w y, w z, w), of each control point, those of one u after the other: (degree of u + 1)
    /// (degree of v + 1).
    pub points: Vec<Vec<f64>>,
}

/// Why a description makes no solid.
#[derive(Clone, Debug, Error)]
pub enum DescriptionError {
    /// A part of a combination.
    #[error("part {part}: {source}")]
    Part {
        /// Its number.
        part: usize,
        /// What is wrong with it.
        source: Box<DescriptionError>,
    },
    /// A rotation is not of length one.
    #[error("the rotation {rotation:?} has the length {length}; it must be a unit quaternion (x, y, z, s)")]
    Rotation {
        /// The one given.
        rotation: [f64; 4],
        /// Its length.
        length: f64,
    },
    /// A control point has too few or too many numbers.
    #[error(
        "control point {point} of patch {patch} has {found} numbers; give x, y, z, or w x, w y, w z and the weight w"
    )]
    ControlPoint {
        /// The number of the patch.
        patch: usize,
        /// The number of the control point.
        point: usize,
        /// How many numbers it has.
        found: usize,
    },
    /// No such patch.
    #[error("patch {patch}: {source}")]
    Patch {
        /// Its number.
        patch: usize,
        /// What is wrong with it.
        source: PatchError,
    },
    /// No such primitive.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// No closed surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// No soup.
    #[error(transparent)]
    Soup(#[from] SoupError),
    /// No combination.
    #[error(transparent)]
    Csg(#[from] CsgError),
    /// No place.
    #[error(transparent)]
    Placed(#[from] PlacedError),
    /// No expression.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// No implicit solid.
    #[error(transparent)]
    Implicit(#[from] ImplicitError),
    /// No surface of patches.
    #[error(transparent)]
    Parametric(#[from] ParametricError),
}

/// The length of a rotation may be off by this.
const UNIT: f64 = 1e-6;

fn unturned() -> [f64; 4] {
    DQuat::IDENTITY.to_array()
}

impl Description {
    /// The solid.
    ///
    /// # Errors
    /// [`DescriptionError`], which says which part is wrong.
    pub fn build(&self) -> Result<Arc<dyn Solid>, DescriptionError> {
        let points = |list: &[[f64; 3]]| -> Vec<DVec3> { list.iter().copied().map(DVec3::from_array).collect() };
        Ok(match self {
            Self::Primitive { kind, dimensions } => primitive_solid(kind, dimensions)?,
            Self::Polyhedron { vertices, triangles } => {
                Arc::new(PolyhedralSolid::new(&Surface::new(points(vertices), triangles.clone())?))
            }
            Self::Soup { vertices, polygons } => Arc::new(Soup::from_polygons(points(vertices), polygons)?),
            Self::Union(list) => combined(Operation::Union, list)?,
            Self::Intersection(list) => combined(Operation::Intersection, list)?,
            Self::Difference(list) => combined(Operation::Difference, list)?,
            Self::Implicit { f, low, high } => {
                let bounds = Bounds { low: DVec3::from_array(*low), high: DVec3::from_array(*high) };
                Arc::new(Implicit::new(Arc::new(Expression::new(f)?), bounds)?)
            }
            Self::Parametric { patches, closed } => {
                let patches = patches.iter().enumerate().map(patch).collect::<Result<Vec<_>, _>>()?;
                Arc::new(if *closed { Parametric::closed(patches)? } else { Parametric::open(patches)? })
            }
            Self::Placed(one) => Arc::new(placed(one)?),
        })
    }
}

fn combined(operation: Operation, parts: &[Part]) -> Result<Arc<dyn Solid>, DescriptionError> {
    let number = |(part, one): (usize, &Part)| {
        placed(one).map_err(|source| DescriptionError::Part { part, source: Box::new(source) })
    };
    let solids = parts.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Csg::new(operation, solids)?))
}

fn placed(part: &Part) -> Result<Placed, DescriptionError> {
    let rotation = DQuat::from_array(part.rotation);
    let length = rotation.length();
    if (length - 1.0).abs() > UNIT || length.is_nan() {
        return Err(DescriptionError::Rotation { rotation: part.rotation, length });
    }
    // What has the length one to the last bits stays as it is.
    let rotation = if (length - 1.0).abs() <= 4.0 * f64::EPSILON { rotation } else { rotation.normalize() };
    Ok(Placed::new(part.solid.build()?, Pose::from_parts(DVec3::from_array(part.position), rotation))?)
}

fn patch((number, patch): (usize, &Patch)) -> Result<BezierPatch, DescriptionError> {
    let homogeneous = |(point, numbers): (usize, &Vec<f64>)| match numbers[..] {
        [x, y, z] => Ok([x, y, z, 1.0]),
        [x, y, z, weight] => Ok([x, y, z, weight]),
        _ => Err(DescriptionError::ControlPoint { patch: number, point, found: numbers.len() }),
    };
    let points = patch.points.iter().enumerate().map(homogeneous).collect::<Result<Vec<_>, _>>()?;
    BezierPatch::new(patch.degrees, points).map_err(|source| DescriptionError::Patch { patch: number, source })
}

/// A solid at a pose, as data.
pub(super) fn part(solid: &Placed) -> Option<Part> {
    let Pose { translation, rotation } = *solid.pose();
    let solid = solid.solid().description()?;
    Some(Part { solid, position: translation.to_array(), rotation: rotation.to_array() })
}
