//! Geometric queries of shapes: ray casts, point projection, closest points, overlap, shape casts.
//!
//! A query asks one shape, or two, at poses in the world. Polyhedra and triangle meshes are asked by a tree over their triangles, which is made
//! once for a shape when it is first asked, and convex ones with few faces, where that does, by the planes of these; height fields by the grid,
//! with the lowest and highest heights of blocks of it; compounds by the boxes around their parts; balls, ellipsoids and half-spaces by closed
//! forms; any other convex [`Primitive`](crate::shape::Primitive) by its closest point and its support function. What a shape is to queries
//! is decided in one place, `view`. Answers are a function of the shapes and poses alone.
//!
//! Normals of a surface point outward, those between two shapes from A to B; distances are in metres and positive apart.
//!
//! ```
//! use drystone_contact::query::{Fill, Ray, cast_ray, project_point};
//! use drystone_contact::shape::{Ball, Shape};
//! use drystone_contact::Pose;
//! use glam::DVec3;
//!
//! let ball = Shape::from(Ball::new(0.5)?);
//! let pose = Pose::from_translation(DVec3::X * 3.0);
//! let ray = Ray::new(DVec3::ZERO, DVec3::X * 10.0)?;
//! let hit = cast_ray(&ball, &pose, &ray, f64::INFINITY, Fill::Solid)?.expect("it is on the way");
//! assert_eq!((hit.distance, hit.normal), (2.5, DVec3::NEG_X));
//! assert_eq!(project_point(&ball, &pose, DVec3::X * 5.0)?.distance, 1.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod box_hierarchy;
mod closest;
mod compound_ray;
mod convex_ray;
mod cuboid;
pub(crate) mod faces;
mod gjk;
mod ground;
mod overlap;
mod pieces;
mod point;
mod ray;
mod ray_hits;
mod shape_cast;
mod slabs;
pub(crate) mod support;
mod terrain;
mod triangle_pair;
mod triangle_ray;
mod view;

pub use closest::{ClosestPoints, Proximity, closest_points};
pub use overlap::{overlap_box, overlaps};
pub use point::{PointProjection, contains_point, project_point};
pub use ray::{Fill, Ray, RayHit, cast_ray, cast_ray_all};
pub use shape_cast::{ShapeHit, ShapeMotion, cast_shape};

use glam::DVec3;

use crate::pose::Pose;

/// Why a query has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A vector with a component that is no number, or infinite.
    #[error("the {quantity} is {value}; all components must be finite")]
    NotFinite {
        /// Which vector.
        quantity: &'static str,
        /// What was given.
        value: DVec3,
    },
    /// A ray without a direction.
    #[error("the direction {0} of a ray has no length that can be divided by; give any vector of a length above zero")]
    Direction(DVec3),
    /// A distance or tolerance out of range.
    #[error("the {quantity} is {value}; {allowed}")]
    Length {
        /// Which one.
        quantity: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A pose that is not finite or whose rotation has no unit length.
    #[error("the pose of the {0} is not finite, or its rotation is no unit quaternion")]
    Pose(&'static str),
    /// A box whose lower corner is above its upper one.
    #[error("the box from {low} to {high} is inside out or not finite; give the lower corner first")]
    Box {
        /// The lower corner that was given.
        low: DVec3,
        /// The upper corner that was given.
        high: DVec3,
    },
    /// A shape that this query does not serve.
    #[error("a {kind} does not answer {what}; use a polyhedron or a convex primitive")]
    Kind {
        /// What the shape is.
        kind: &'static str,
        /// What was asked for.
        what: &'static str,
    },
}

/// Rotations may be off from unit length by this.
const UNIT_TOLERANCE: f64 = 1e-4;

/// Rotations that are off by no more are unit up to rounding.
const ROUNDING: f64 = 1e-14;

/// The pose, with a rotation of unit length.
fn checked_pose(pose: &Pose, of: &'static str) -> Result<Pose, QueryError> {
    let off = (pose.rotation.length_squared() - 1.0).abs();
    if !(off <= 2.0 * UNIT_TOLERANCE && pose.translation.is_finite()) {
        return Err(QueryError::Pose(of));
    }
    Ok(if off <= ROUNDING { *pose } else { Pose { rotation: pose.rotation.normalize(), ..*pose } })
}

fn checked_vector(value: DVec3, quantity: &'static str) -> Result<DVec3, QueryError> {
    if value.is_finite() { Ok(value) } else { Err(QueryError::NotFinite { quantity, value }) }
}

fn checked_length(value: f64, quantity: &'static str) -> Result<f64, QueryError> {
    let allowed = "it must be a number that is not negative; infinity is allowed";
    if value >= 0.0 { Ok(value) } else { Err(QueryError::Length { quantity, value, allowed }) }
}
