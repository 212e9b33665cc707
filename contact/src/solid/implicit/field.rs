//! Functions of space, with what bounds them.

use std::fmt;

use glam::DVec3;

use crate::solid::{Expression, Interval};

/// A continuous function of space that says where a solid is: below zero inside, above it outside. Its value is in any
/// unit, coordinates are in m. Everything it says, it must say without allocation.
pub trait Field: fmt::Debug + Send + Sync {
    /// Its name in messages.
    fn name(&self) -> String;

    /// The value at a point, off by rounding.
    fn value(&self, at: DVec3) -> f64;

    /// The derivatives at a point, per m; not finite where there are none.
    fn gradient(&self, at: DVec3) -> DVec3;

    /// Bounds of the exact value on a box with sides along the axes, `cell[k]` along axis k (m). Those of a point are as
    /// narrow as rounding allows. Must hold: what is outside by it is never looked at again.
    fn bound(&self, cell: &[Interval; 3]) -> Interval;

    /// Bounds of the value and of the derivatives on such a box. Where derivatives are not known they are
    /// [`Interval::WHOLE`]; where there is a kink they are around those on both sides.
    fn bound_with_gradient(&self, cell: &[Interval; 3]) -> (Interval, [Interval; 3]) {
        (self.bound(cell), [Interval::WHOLE; 3])
    }

    /// Whether the bounds of a part of a box always lie in those of the box. Only then is the distance known at which boxes
    /// are decided.
    fn is_monotonic(&self) -> bool {
        false
    }

    /// The text of the function, if it has one that [`Expression::new`] reads.
    fn expression(&self) -> Option<&str> {
        None
    }
}

impl Field for Expression {
    fn expression(&self) -> Option<&str> {
        Some(self.text())
    }

    fn name(&self) -> String {
        self.text().into()
    }

    fn value(&self, at: DVec3) -> f64 {
        Expression::value(self, at)
    }

    fn gradient(&self, at: DVec3) -> DVec3 {
        Expression::gradient(self, at)
    }

    fn bound(&self, cell: &[Interval; 3]) -> Interval {
        Expression::bound(self, cell)
    }

    fn bound_with_gradient(&self, cell: &[Interval; 3]) -> (Interval, [Interval; 3]) {
        Expression::bound_with_gradient(self, cell)
    }

    fn is_monotonic(&self) -> bool {
        true
    }
}

/// A function that is known by its values and derivatives at points, and by a constant of Lipschitz: two values differ by
/// no more than the constant times the distance of their points.
pub struct LipschitzField<V, G> {
    value: V,
    gradient: G,
    constant: f64,
    rounding: f64,
}

impl<V, G> LipschitzField<V, G>
where
    V: Fn(DVec3) -> f64 + Send + Sync,
    G: Fn(DVec3) -> DVec3 + Send + Sync,
{
    /// A function by its value, its gradient, its constant (per m), and by how much computed values may be off.
    /// [`super::Implicit::new`] finds constants and roundings that do not hold or are not finite.
    pub fn new(value: V, gradient: G, constant: f64, rounding: f64) -> Self {
        Self { value, gradient, constant, rounding }
    }
}

impl<V, G> fmt::Debug for LipschitzField<V, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LipschitzField({} per m)", self.constant)
    }
}

impl<V, G> Field for LipschitzField<V, G>
where
    V: Fn(DVec3) -> f64 + Send + Sync,
    G: Fn(DVec3) -> DVec3 + Send + Sync,
{
    fn name(&self) -> String {
        format!("a function that changes by at most {} per m", self.constant)
    }

    fn value(&self, at: DVec3) -> f64 {
        (self.value)(at)
    }

    fn gradient(&self, at: DVec3) -> DVec3 {
        (self.gradient)(at)
    }

    fn bound(&self, cell: &[Interval; 3]) -> Interval {
        if self.constant.is_nan() || self.constant < 0.0 || self.rounding.is_nan() || self.rounding < 0.0 {
            return Interval::WHOLE;
        }
        let centre = cell.map(|side| side.low().midpoint(side.high()));
        let reach = (0..3).fold(Interval::ZERO, |sum, k| sum + (cell[k] - Interval::point(centre[k])).sqr()).sqrt();
        let change = Interval::point(self.constant) * reach + Interval::point(self.rounding);
        Interval::point((self.value)(DVec3::from_array(centre))) + change.hull(-change)
    }

    fn bound_with_gradient(&self, cell: &[Interval; 3]) -> (Interval, [Interval; 3]) {
        (self.bound(cell), [Interval::new(-self.constant, self.constant); 3])
    }
}
