//! Why a shape cannot be made, or something cannot be derived from it.

use std::sync::Arc;

use thiserror::Error;

use super::cone::ConeError;
use super::erosion::ErosionError;
use super::general::GeneralShape;
use super::open_surface::OpenSurfaceError;
use super::surface::SurfaceError;
use super::tetgen::TetgenError;
use super::tetrahedral_mesh::{MeshMismatch, TetrahedralMeshError};
use crate::solid::{DescriptionError, PlacedError};
use crate::vclip::hierarchy::HierarchyError;
use crate::vclip::hull::HullError;

/// Why a shape cannot be made, or something cannot be derived from it.
#[derive(Clone, Debug, Error)]
pub enum ShapeError {
    /// The surface is not that of a solid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// No tetrahedra from one point.
    #[error(transparent)]
    Cone(#[from] ConeError),
    /// No tetrahedra from TetGen.
    #[error(transparent)]
    Tetgen(Arc<TetgenError>),
    /// The tetrahedra make no mesh.
    #[error(transparent)]
    Mesh(#[from] TetrahedralMeshError),
    /// The tetrahedra do not fill the surface.
    #[error(transparent)]
    Mismatch(#[from] MeshMismatch),
    /// There is no eroded or shrunk copy.
    #[error(transparent)]
    Erosion(#[from] ErosionError),
    /// There is no convex decomposition.
    #[error(transparent)]
    Pieces(#[from] HierarchyError),
    /// Points have no convex hull with a volume.
    #[error(
        "{count} points have no convex hull with a volume: {source}; give at least four points that are not in one plane"
    )]
    Hull {
        /// How many points there are.
        count: usize,
        /// Why.
        source: HullError,
    },
    /// A dimension of a primitive is out of range.
    #[error("the {dimension} of a {kind} is {value}; it must be finite and above zero")]
    Dimension {
        /// What it is the dimension of, such as "ball".
        kind: &'static str,
        /// "radius", "semi-axis".
        dimension: &'static str,
        /// The value given, m.
        value: f64,
    },
    /// There is no such kind of primitive.
    #[error("no primitive is called \"{name}\"; known are: {known}")]
    UnknownKind {
        /// The name given.
        name: String,
        /// The names that exist, separated by commas.
        known: String,
    },
    /// A primitive has a fixed number of dimensions.
    #[error("a {kind} has {expected} dimensions ({names}), not {found}")]
    Dimensions {
        /// The kind.
        kind: &'static str,
        /// How many it has.
        expected: usize,
        /// What they are.
        names: &'static str,
        /// How many were given.
        found: usize,
    },
    /// A general solid is not where it could be.
    #[error(transparent)]
    Placed(#[from] PlacedError),
    /// A description makes no general solid.
    #[error(transparent)]
    Description(Arc<DescriptionError>),
    /// A general solid of a program has no description.
    #[error(
        "the description of a general solid cannot be read ({why}); solids that a program makes itself are not recorded"
    )]
    Undescribed {
        /// What is wrong with the text.
        why: String,
    },
    /// A compound without parts.
    #[error("a compound has no parts; give at least one")]
    EmptyCompound,
    /// A shape cannot be part of a compound.
    #[error("part {number} of a compound, a {kind}, cannot be one: {why}")]
    CompoundPart {
        /// Its number, from 0.
        number: usize,
        /// What it is.
        kind: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// There is no such height field or triangle mesh.
    #[error(transparent)]
    OpenSurface(#[from] OpenSurfaceError),
    /// A surface for which too many points would have to stand.
    #[error(
        "it is so wide beside its thickness that some {points} points would have to stand for its surface, of {most} at most; make it thicker or smaller",
        most = GeneralShape::MOST_POINTS
    )]
    Thin {
        /// About so many.
        points: u64,
    },
    /// The shape is of another kind.
    #[error("a {kind} has no {what}")]
    Kind {
        /// What the shape is.
        kind: &'static str,
        /// What was asked of it.
        what: &'static str,
    },
}

impl From<DescriptionError> for ShapeError {
    fn from(error: DescriptionError) -> Self {
        Self::Description(Arc::new(error))
    }
}

impl From<TetgenError> for ShapeError {
    fn from(error: TetgenError) -> Self {
        Self::Tetgen(Arc::new(error))
    }
}
