//! The precision in which the kernels of local methods compute: one code, two number types.
//!
//! Drystone computes in f64, that is on [`glam::DVec3`]. The kernels are generic all the same, so that tables that were
//! computed in 32 bits can be reproduced by the very code that everybody uses: [`glam::Vec3`] is the other type.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::{DVec3, Vec3};
use num_traits::{Float, One, Zero};

/// A vector of three coordinates over a floating-point type, with the operations that the kernels need.
pub trait Vector:
    Copy
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Real, Output = Self>
    + Div<Self::Real, Output = Self>
{
    /// The type of a coordinate.
    type Real: Float + Into<f64> + Debug;

    /// The working precision: ten times the distance from one to the next larger number.
    const WORKING_PRECISION: Self::Real;

    /// The vector with the given coordinates.
    fn from_coordinates(x: Self::Real, y: Self::Real, z: Self::Real) -> Self;

    /// The nearest vector in this precision.
    fn narrow(v: DVec3) -> Self;

    /// The same vector in double precision.
    fn widen(self) -> DVec3;

    /// The coordinates x, y, z.
    fn coordinates(self) -> [Self::Real; 3];

    /// The nearest number in this precision.
    fn real(x: f64) -> Self::Real;

    /// The scalar product.
    fn dot(self, other: Self) -> Self::Real;

    /// The vector product.
    fn cross(self, other: Self) -> Self;

    /// The Euclidean length.
    fn length(self) -> Self::Real {
        self.dot(self).sqrt()
    }

    /// The vector scaled to unit length; the zero vector stays as it is.
    fn unit(self) -> Self {
        let length = self.length();
        if length > Self::Real::zero() { self * (Self::Real::one() / length) } else { self }
    }

    /// The largest magnitude of a coordinate.
    fn max_norm(self) -> Self::Real {
        let [x, y, z] = self.coordinates();
        x.abs().max(y.abs()).max(z.abs())
    }
}

impl Vector for DVec3 {
    type Real = f64;
    const WORKING_PRECISION: f64 = 10.0 * f64::EPSILON;

    fn from_coordinates(x: f64, y: f64, z: f64) -> Self {
        DVec3::new(x, y, z)
    }
    fn narrow(v: DVec3) -> Self {
        v
    }
    fn widen(self) -> DVec3 {
        self
    }
    fn coordinates(self) -> [f64; 3] {
        self.to_array()
    }
    fn real(x: f64) -> f64 {
        x
    }
    fn dot(self, other: Self) -> f64 {
        DVec3::dot(self, other)
    }
    fn cross(self, other: Self) -> Self {
        DVec3::cross(self, other)
    }
}

impl Vector for Vec3 {
    type Real = f32;
    const WORKING_PRECISION: f32 = 10.0 * f32::EPSILON;

    fn from_coordinates(x: f32, y: f32, z: f32) -> Self {
        Vec3::new(x, y, z)
    }
    fn narrow(v: DVec3) -> Self {
        v.as_vec3()
    }
    fn widen(self) -> DVec3 {
        self.as_dvec3()
    }
    fn coordinates(self) -> [f32; 3] {
        self.to_array()
    }
    fn real(x: f64) -> f32 {
        x as f32
    }
    fn dot(self, other: Self) -> f32 {
        Vec3::dot(self, other)
    }
    fn cross(self, other: Self) -> Self {
        Vec3::cross(self, other)
    }
}

/// A rotation about the origin followed by a translation, in the precision of `V`.
#[derive(Clone, Copy, Debug)]
pub struct RigidMotion<V: Vector> {
    /// Real part of the unit quaternion.
    scalar: V::Real,
    /// Imaginary part of the unit quaternion.
    imaginary: V,
    /// Translation, m.
    translation: V,
}

impl<V: Vector> RigidMotion<V> {
    /// The motion of a pose, rounded to the precision of `V`.
    pub fn new(pose: &crate::Pose) -> Self {
        let q = pose.rotation;
        RigidMotion {
            scalar: V::real(q.w),
            imaginary: V::narrow(DVec3::new(q.x, q.y, q.z)),
            translation: V::narrow(pose.translation),
        }
    }

    /// Where the point `r` goes: q r q* + p, products in that order.
    pub fn apply(&self, r: V) -> V {
        let (s, v) = (self.scalar, self.imaginary);
        let real = -v.dot(r);
        let imaginary = v.cross(r) + r * s;
        let conjugate = -v;
        conjugate * real + imaginary * s + imaginary.cross(conjugate) + self.translation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn motion_in_both_precisions_agrees_with_glam() {
        let axis = DVec3::new(1.0, 2.0, -0.5).normalize();
        let pose = crate::Pose::from_parts(DVec3::new(0.3, -1.0, 2.0), DQuat::from_axis_angle(axis, 0.7));
        let r = DVec3::new(1.5, -0.25, 0.75);
        let expected = pose.transform_point(r);
        let double = RigidMotion::<DVec3>::new(&pose).apply(r);
        let single = RigidMotion::<Vec3>::new(&pose).apply(<Vec3 as Vector>::narrow(r));
        assert!((double - expected).length() < 1e-15);
        assert!((single.widen() - expected).length() < 1e-6);
    }

    #[test]
    fn unit_of_zero_is_zero() {
        assert_eq!(Vector::unit(DVec3::ZERO), DVec3::ZERO);
    }
}
