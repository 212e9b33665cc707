//! What the steps need of a number type beyond the vectors of the contact kernels.

use drystone_contact::precision::Vector;
use glam::{DVec3, Vec3};

/// A vector type whose coordinates have sine and cosine, with the same bits on every machine.
pub trait Arithmetic: Vector {
    /// Sine and cosine of an angle, rad.
    fn sin_cos(angle: Self::Real) -> (Self::Real, Self::Real);
}

impl Arithmetic for Vec3 {
    fn sin_cos(angle: f32) -> (f32, f32) {
        (libm::sinf(angle), libm::cosf(angle))
    }
}

impl Arithmetic for DVec3 {
    fn sin_cos(angle: f64) -> (f64, f64) {
        (libm::sin(angle), libm::cos(angle))
    }
}
