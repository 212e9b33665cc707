//! The number type of the search: f64, or a type that counts what is done with it.
//!
//! The published experiments count floating-point operations, the only figure that does not depend on a machine. So the
//! search is generic over the few operations that it needs; on f64 nothing of that is left in the compiled code.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::{DMat3, DVec3};

/// A number with the operations of the search. Comparisons count as operations in the published figures, so they go
/// through the number, too; changes of sign do not.
pub trait Scalar:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number zero.
    const ZERO: Self;

    /// The number one.
    const ONE: Self;

    /// Whether the search keeps vertices that it has moved to the other frame for its next states, as the report's program
    /// does. That saves operations. On f64 it costs time: moving them again takes less than to look whether they are
    /// there, and nothing waits for memory. The points are the same, and so is everything that the search does.
    const KEEPS_POINTS: bool;

    /// A stored number.
    fn of(x: f64) -> Self;

    /// The number as f64.
    fn value(self) -> f64;

    /// The square root.
    fn sqrt(self) -> Self;
}

impl Scalar for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const KEEPS_POINTS: bool = false;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

/// A point or a direction.
pub type Point<S> = [S; 3];

#[inline(always)]
pub(super) fn point<S: Scalar>(v: DVec3) -> Point<S> {
    [S::of(v.x), S::of(v.y), S::of(v.z)]
}

#[inline(always)]
pub(super) fn value<S: Scalar>(p: Point<S>) -> DVec3 {
    DVec3::new(p[0].value(), p[1].value(), p[2].value())
}

#[inline(always)]
pub(super) fn minus<S: Scalar>(p: Point<S>, q: Point<S>) -> Point<S> {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

#[inline(always)]
pub(super) fn dot<S: Scalar>(p: Point<S>, q: Point<S>) -> S {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[inline(always)]
pub(super) fn cross<S: Scalar>(p: Point<S>, q: Point<S>) -> Point<S> {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// p + s·d.
#[inline(always)]
pub(super) fn along<S: Scalar>(p: Point<S>, s: S, d: Point<S>) -> Point<S> {
    [p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2]]
}

/// The distance of two points.
#[inline(always)]
pub(super) fn distance<S: Scalar>(p: Point<S>, q: Point<S>) -> S {
    let d = minus(p, q);
    dot(d, d).sqrt()
}

/// A rigid motion: rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    /// Rows of the rotation.
    pub rows: [[f64; 3]; 3],
    pub translation: [f64; 3],
}

impl Motion {
    pub fn new(rotation: &DMat3, translation: DVec3) -> Self {
        Self { rows: [0, 1, 2].map(|i| rotation.row(i).to_array()), translation: translation.to_array() }
    }

    /// Where a point goes: 18 operations.
    #[inline(always)]
    pub fn point<S: Scalar>(&self, p: DVec3) -> Point<S> {
        let d = self.direction::<S>(p);
        let [x, y, z] = self.translation.map(S::of);
        [d[0] + x, d[1] + y, d[2] + z]
    }

    /// Where a direction goes: 15 operations.
    #[inline(always)]
    pub fn direction<S: Scalar>(&self, d: DVec3) -> Point<S> {
        let d = point(d);
        self.rows.map(|row| dot(row.map(S::of), d))
    }
}
