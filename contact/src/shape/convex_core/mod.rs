//! Convex cores: convex solids by their support function and by the features that face a direction.
//!
//! A convex shape is a [`RoundedCore`]: all points within a radius of a core. The core of a ball is a point, that of a capsule a
//! segment, that of a rounded box a box; cylinders, cones, ellipsoids, convex polyhedra and triangles are their own cores, with
//! radius zero. Contact generation asks a core for three things:
//! - its support function, from which the direction of least separation is found roughly ([`ConvexCore::support`]),
//! - the features near a direction with the closed form of the support function on each, which make that direction exact
//!   ([`ConvexCore::local_features`]),
//! - what of the surface faces a direction within an angle: a point, a segment, a polygon, a disc ([`ConvexCore::outline`]).

mod cone;
mod cylinder;
mod ellipsoid;
mod polytope;
mod segment;

pub use polytope::Polytope;
pub use segment::{Point, Segment};

use std::fmt;

use glam::{DMat3, DVec3};

use crate::contact::Feature;
use crate::pose::Pose;

/// A bounded convex set: a point, a segment, a flat polygon or a solid.
pub trait ConvexCore: fmt::Debug + Send + Sync {
    /// A point that is farthest along a direction of any length but zero, m.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Appends the features whose normals may come within an angle (rad) of a direction (unit).
    fn local_features(&self, direction: DVec3, angle: f64, found: &mut Vec<LocalFeature>);

    /// What faces a direction (unit): a face if its normal is within an angle (rad) of it, or a straight line that is
    /// perpendicular to it within the angle, or the farthest point; with its name.
    fn outline(&self, direction: DVec3, angle: f64) -> (Outline, Feature);

    /// The core, if it is a polytope: what has only flat faces.
    fn as_polytope(&self) -> Option<&Polytope> {
        None
    }

    /// Half the sides of the core, m, if it is a box along the axes about the origin, or the segment or the point that is left of one
    /// whose sides are zero.
    fn half_sides(&self) -> Option<DVec3> {
        None
    }
}

/// All points within a radius of a core.
#[derive(Clone, Copy, Debug)]
pub struct RoundedCore<'s> {
    /// The core, in the frame of the shape.
    pub core: &'s dyn ConvexCore,
    /// m, zero or above.
    pub radius: f64,
}

/// A feature of a core and its support function h(n), the largest n·x over the core, for unit normals n of that feature. A
/// constant term of h is left out: it moves no maximum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalFeature {
    /// A flat face: its outward normal (unit) is the only one.
    Face {
        /// Unit.
        normal: DVec3,
    },
    /// A straight edge, or a cylinder's side, whose axis has the same normals: n·direction = 0, h = n·point.
    Line {
        /// Of the line, m.
        point: DVec3,
        /// Unit.
        direction: DVec3,
    },
    /// A corner or tip: h = n·point.
    Vertex {
        /// m.
        point: DVec3,
    },
    /// The side of a cone: n·axis = sine, h = n·tip.
    ConeSide {
        /// m.
        tip: DVec3,
        /// From the base to the tip, unit.
        axis: DVec3,
        /// Of the angle between the side's normals and the base.
        sine: f64,
    },
    /// A rim or an ellipsoid: h = n·centre + √(nᵀ·quadric·n).
    Smooth {
        /// m.
        centre: DVec3,
        /// Symmetric, positive semidefinite, m².
        quadric: DMat3,
    },
}

impl LocalFeature {
    /// The feature in the frame that a pose leads to.
    pub fn placed(self, pose: &Pose) -> Self {
        let (turn, place) = (|v: DVec3| pose.rotation * v, |p: DVec3| pose.transform_point(p));
        match self {
            Self::Face { normal } => Self::Face { normal: turn(normal) },
            Self::Line { point, direction } => Self::Line { point: place(point), direction: turn(direction) },
            Self::Vertex { point } => Self::Vertex { point: place(point) },
            Self::ConeSide { tip, axis, sine } => Self::ConeSide { tip: place(tip), axis: turn(axis), sine },
            Self::Smooth { centre, quadric } => {
                let rotation = DMat3::from_quat(pose.rotation);
                Self::Smooth { centre: place(centre), quadric: rotation * quadric * rotation.transpose() }
            }
        }
    }
}

/// What of a core faces a direction.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A point, m.
    Point(DVec3),
    /// A straight line between two points, m.
    Segment([DVec3; 2]),
    /// A flat convex polygon.
    Polygon {
        /// Counter-clockwise seen from outside, m.
        corners: Vec<DVec3>,
        /// Outward, unit.
        normal: DVec3,
    },
    /// A flat disc. In contact its rim stands as [`RIM_POINTS`] points, the first of them along `axis`.
    Disc {
        /// m.
        centre: DVec3,
        /// Outward, unit.
        normal: DVec3,
        /// m.
        radius: f64,
        /// In the plane of the disc, unit.
        axis: DVec3,
    },
    /// A flat polygon that need not be convex: a facet of a polyhedron. No convex core has one.
    Region {
        /// Outer borders counter-clockwise seen from outside, holes clockwise, m.
        loops: Vec<Vec<DVec3>>,
        /// Outward, unit.
        normal: DVec3,
    },
    /// The whole border of a half-space.
    Plane {
        /// Of the plane, m.
        point: DVec3,
        /// Outward, unit.
        normal: DVec3,
    },
}

/// How many points, at equal angles, stand for the part of a rim that lies within the other shape's face.
pub const RIM_POINTS: u32 = 8;

impl Outline {
    /// The outline in the frame that a pose leads to.
    pub fn placed(self, pose: &Pose) -> Self {
        let (turn, place) = (|v: DVec3| pose.rotation * v, |p: DVec3| pose.transform_point(p));
        match self {
            Self::Point(point) => Self::Point(place(point)),
            Self::Segment(ends) => Self::Segment(ends.map(place)),
            Self::Polygon { corners, normal } => {
                Self::Polygon { corners: corners.into_iter().map(place).collect(), normal: turn(normal) }
            }
            Self::Region { loops, normal } => {
                let moved = |outline: Vec<DVec3>| outline.into_iter().map(place).collect();
                Self::Region { loops: loops.into_iter().map(moved).collect(), normal: turn(normal) }
            }
            Self::Disc { centre, normal, radius, axis } => {
                Self::Disc { centre: place(centre), normal: turn(normal), radius, axis: turn(axis) }
            }
            Self::Plane { point, normal } => Self::Plane { point: place(point), normal: turn(normal) },
        }
    }
}
