//! Why the overlap of two shapes is not known.

use crate::shape::GeneralShape;

/// Why the overlap of two shapes is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverlapError {
    /// Two shapes without an end.
    #[error("the overlap of a {a} and a {b} has no end; leave one of them out")]
    Unbounded {
        /// What A is.
        a: &'static str,
        /// What B is.
        b: &'static str,
    },
    /// A primitive of which no closed form is known here.
    #[error(
        "the overlap with a {kind} cannot be measured: polyhedra, primitives whose triangles are a surface, and general solids can"
    )]
    Kind {
        /// What it is.
        kind: &'static str,
    },
    /// A surface for which too many points would have to stand.
    #[error(
        "the overlap of a {kind} cannot be measured: it is so wide beside its thickness that some {points} points would have to stand for its surface, of {most} at most; make it thicker or smaller",
        most = GeneralShape::MOST_POINTS
    )]
    Thin {
        /// What it is.
        kind: &'static str,
        /// About so many.
        points: u64,
    },
    /// The relative pose is not finite or its rotation is not a unit quaternion.
    #[error("the relative pose of the two shapes is not a finite rigid motion; check the poses of the bodies")]
    Pose,
    /// The two surfaces do not cross in closed contours.
    #[error(
        "the surfaces do not cross in closed contours: products of coordinates overflow or underflow; scale the shapes so \
         that lengths are between 1e-60 m and 1e60 m"
    )]
    OpenContour,
}
