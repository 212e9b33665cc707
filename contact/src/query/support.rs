//! Support functions: the point of a convex set that is farthest in a direction.

use glam::{DMat3, DVec3};

use crate::pose::Pose;
use crate::shape::Primitive;
use crate::shape::convex_core::RoundedCore;
use crate::vclip::ConvexPolyhedron;

/// Where a primitive has no support function of its own, the surface point closest to a point that is so many radii away takes its
/// place: it falls short of the farthest one by half a radius over the square of this at most.
const FAR: f64 = 1e6;

/// A bounded convex set, grown by a margin on all sides.
pub trait Support {
    /// A point of the set without its margin that is farthest in a direction (not zero), m.
    fn support(&self, direction: DVec3) -> DVec3;

    /// By how much it is grown, m.
    fn margin(&self) -> f64 {
        0.0
    }
}

/// A convex solid in its own frame.
#[derive(Clone, Copy, Debug)]
pub enum Convex<'s> {
    /// A point with a margin.
    Ball { radius: f64 },
    /// x²/a² + y²/b² + z²/c² ≤ 1.
    Ellipsoid { semi_axes: DVec3 },
    /// Any other convex primitive, with its core if it knows one. No point of it is farther from the origin than the radius.
    Primitive { primitive: &'s dyn Primitive, core: Option<RoundedCore<'s>>, radius: f64 },
    /// An exactly convex polyhedron.
    Polyhedron(&'s ConvexPolyhedron),
}

impl Support for Convex<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Ball { .. } => DVec3::ZERO,
            Self::Ellipsoid { semi_axes } => {
                let scaled = *semi_axes * direction;
                *semi_axes * scaled / scaled.length()
            }
            Self::Primitive { core: Some(rounded), .. } => rounded.core.support(direction),
            Self::Primitive { primitive, radius, .. } => {
                let direction = direction.normalize();
                let far = || primitive.closest(direction * (FAR * radius)).position;
                primitive.support(direction).unwrap_or_else(far)
            }
            Self::Polyhedron(polyhedron) => polyhedron.vertices()[polyhedron.support(direction, 0) as usize],
        }
    }

    fn margin(&self) -> f64 {
        match self {
            Self::Ball { radius } => *radius,
            Self::Primitive { core: Some(rounded), .. } => rounded.radius,
            _ => 0.0,
        }
    }
}

/// A triangle by its corners, m.
#[derive(Clone, Copy, Debug)]
pub struct Triangle(pub [DVec3; 3]);

impl Support for Triangle {
    fn support(&self, direction: DVec3) -> DVec3 {
        let [a, b, c] = self.0;
        let (p, q, r) = (direction.dot(a), direction.dot(b), direction.dot(c));
        if p >= q && p >= r {
            a
        } else if q >= r {
            b
        } else {
            c
        }
    }
}

/// What is below a triangle, along −y, down to a height (m) that is below the triangle.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub top: Triangle,
    pub floor: f64,
}

impl Support for Column {
    fn support(&self, direction: DVec3) -> DVec3 {
        if direction.y >= 0.0 {
            return self.top.support(direction);
        }
        let corner = self.top.support(DVec3 { y: 0.0, ..direction });
        DVec3 { y: self.floor, ..corner }
    }
}

/// A box along the axes, m.
#[derive(Clone, Copy, Debug)]
pub struct AlignedBox {
    pub low: DVec3,
    pub high: DVec3,
}

impl Support for AlignedBox {
    fn support(&self, direction: DVec3) -> DVec3 {
        DVec3::select(direction.cmpge(DVec3::ZERO), self.high, self.low)
    }
}

/// A convex set at a pose.
#[derive(Clone, Copy, Debug)]
pub struct PlacedSupport<S> {
    set: S,
    rotation: DMat3,
    translation: DVec3,
}

impl<S> PlacedSupport<S> {
    pub fn new(set: S, pose: &Pose) -> Self {
        Self { set, rotation: DMat3::from_quat(pose.rotation), translation: pose.translation }
    }

    /// Another set at the same pose.
    pub fn with<T>(&self, set: T) -> PlacedSupport<T> {
        PlacedSupport { set, rotation: self.rotation, translation: self.translation }
    }
}

impl<S: Support> Support for PlacedSupport<S> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.rotation * self.set.support(self.rotation.transpose() * direction) + self.translation
    }

    fn margin(&self) -> f64 {
        self.set.margin()
    }
}

impl<S: Support> Support for &S {
    fn support(&self, direction: DVec3) -> DVec3 {
        (**self).support(direction)
    }

    fn margin(&self) -> f64 {
        (**self).margin()
    }
}
