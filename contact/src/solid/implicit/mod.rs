//! Implicit solids: where a function of space is not above zero.
//!
//! * Boxes: the function is bounded on a turned box by the natural interval extension on the box around it along the axes,
//!   and by the mean value form in the coordinates of the turned box itself, f(c) + Σ (g·aᵢ) [−hᵢ, hᵢ], with c its centre, aᵢ
//!   its axes, hᵢ half its sides and g bounds of the gradient. That is exact to first order: what is left is the
//!   second derivative times the square of the longest side. Both hold for exact arithmetic.
//! * Segments: pieces are halved until the same two forms exclude a crossing, or the slope along the piece has one sign.
//! * The box must hold the solid: the function is above zero on all sides, which is checked. A solid that should be cut by a
//!   box says so in its function: max(f, abs(x) - 1, abs(y) - 1, abs(z) - 1), or is intersected with one.
//!
//! Source: Moore, Kearfott and Cloud, Introduction to Interval Analysis, SIAM 2009, sections 6.4 (mean value form) and
//! 8.1; Duff, Interval arithmetic and recursive subdivision for implicit functions and constructive solid geometry,
//! SIGGRAPH 1992.

mod check;
mod error;
mod field;
mod segment;

pub use error::ImplicitError;
pub use field::{Field, LipschitzField};

use std::sync::Arc;

use glam::DVec3;

use super::Description;
use super::quadrature::Quadrature;
use super::{
    BoundedMass, Crossing, Interval, NoNormal, OrientedBox, ROUNDING, Relation, Solid, surface_points, tessellation,
};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, SurfacePoint, Triangles};

/// Steps of the search for the nearest point.
const STEPS: usize = 60;

/// Gradients below this share of the largest one that was met vanish.
const VANISHES: f64 = 1e-12;

/// The last step of the search for the nearest point is below this share of the size of the box.
const REACHED: f64 = 1e-10;

/// What [`Solid::slack`] knows: see [`check::Checked`].
#[derive(Clone, Copy, Debug)]
struct Conditioning {
    /// The largest gradient by the least one, about the surface; infinite where it may vanish.
    ratio: f64,
    /// Within this distance of the surface values have no sure sign, m.
    rounding: f64,
    /// Boxes up to this radius were looked at, m.
    reach: f64,
}

/// The solid where a function is not above zero, within a box.
#[derive(Clone, Debug)]
pub struct Implicit {
    field: Arc<dyn Field>,
    /// The box that was given.
    domain: Bounds,
    /// What of it may hold the solid.
    bounds: Bounds,
    conditioning: Conditioning,
    largest_gradient: f64,
    thickness: f64,
}

impl Implicit {
    /// Its name in files.
    pub const KIND: &'static str = "implicit";

    /// The solid of a function within a box (m).
    ///
    /// The function is sampled and bounded on cells of the box down to a 32nd of its longest side.
    ///
    /// # Errors
    /// [`ImplicitError`]: the box is none; the function is not defined or bounded in it; bounds of it do not hold at some
    /// point of a sample; it is not above zero on the sides; it is nowhere below zero.
    pub fn new(field: Arc<dyn Field>, domain: Bounds) -> Result<Self, ImplicitError> {
        check::checked(field, domain)
    }

    /// The function.
    pub fn field(&self) -> &Arc<dyn Field> {
        &self.field
    }

    /// The box that was given, m.
    pub fn domain(&self) -> Bounds {
        self.domain
    }

    /// Bounds of the function on the part of a box that is in the domain, and whether that is all of it. `None` outside.
    fn range(&self, turned: &OrientedBox) -> Option<(Interval, bool)> {
        let rounding = turned.rounding(self.domain.largest_coordinate());
        let around = turned.bounds().grown(rounding);
        let (low, high) = (around.low.max(self.domain.low), around.high.min(self.domain.high));
        if !low.cmple(high).all() {
            return None;
        }
        let is_whole = low == around.low && high == around.high;
        let (value, gradient) = self.field.bound_with_gradient(&cell(low, high));
        if value.low() > 0.0 || value.high() < 0.0 {
            return Some((value, is_whole));
        }
        // About the point of the domain that is closest to the centre, by the coordinates of the box.
        let centre = turned.centre.clamp(self.domain.low, self.domain.high);
        let (shift, margin) = if centre == turned.centre {
            (DVec3::ZERO, 0.0)
        } else {
            (turned.axes.transpose() * (centre - turned.centre), rounding)
        };
        let mut mean = self.field.bound(&cell(centre, centre));
        for k in 0..3 {
            let axis = turned.axes.col(k);
            let slope = (0..3).fold(Interval::ZERO, |sum, j| sum + gradient[j] * Interval::point(axis[j]));
            let (back, on) = (-turned.half[k] - margin - shift[k], turned.half[k] + margin - shift[k]);
            mean = mean + slope * Interval::new(back.next_down(), on.next_up());
        }
        // Nothing in both only where the bounds of a field do not hold.
        Some((value.intersection(mean).unwrap_or(value.hull(mean)), is_whole))
    }

    /// The lower end of the value at a point: the solid, with what is on its surface up to rounding, is where it is not
    /// above zero.
    fn lowest(&self, point: DVec3) -> f64 {
        let is_in = point.cmpge(self.domain.low).all() && point.cmple(self.domain.high).all();
        if is_in { self.field.bound(&cell(point, point)).low() } else { f64::INFINITY }
    }

    /// The gradient, unless it vanishes or there is none.
    fn slope(&self, at: DVec3) -> Option<DVec3> {
        let gradient = self.field.gradient(at);
        (gradient.is_finite() && gradient.length() > VANISHES * self.largest_gradient).then_some(gradient)
    }
}

/// The sides of a box.
fn cell(low: DVec3, high: DVec3) -> [Interval; 3] {
    std::array::from_fn(|k| Interval::new(low[k], high[k]))
}

impl Solid for Implicit {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        match self.range(turned) {
            None => Relation::Outside,
            Some((value, _)) if value.low() > 0.0 => Relation::Outside,
            Some((value, true)) if value.high() <= 0.0 => Relation::Inside,
            Some(_) => Relation::Undecided,
        }
    }

    /// A multiple of the radius where the gradient of an expression does not vanish about the surface, for boxes that
    /// are small enough: the ratio of the largest to the least gradient there, by about five. Else the diagonal of the
    /// box and three radii.
    fn slack(&self, radius: f64) -> f64 {
        let Conditioning { ratio, rounding, reach } = self.conditioning;
        // The centre, moved into the domain by at most √3 radii, has a value of at most (√3 + 3) times gradient and radius.
        let root = 3.0_f64.sqrt();
        let along = (root + 3.0) * ratio * radius + rounding;
        if along <= reach && radius <= reach {
            along + root * radius
        } else {
            (self.domain.high - self.domain.low).length() * (1.0 + ROUNDING) + 3.0 * radius
        }
    }

    /// Crossings nearer to each other than 2⁻⁴⁰ of the segment may be left out together. So may those of a segment that
    /// runs along the surface, nearer to it than could be told apart with some thousand evaluations.
    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        segment::crossings(self, from, to, crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        self.lowest(point) <= 0.0
    }

    /// By Newton's steps along the gradient and steps along the tangent plane towards the point: the closest point, up to
    /// rounding, where the point is nearer to the surface than its radius of curvature; else a point of the surface
    /// near by.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let fail = |point: DVec3, why: &'static str| NoNormal { kind: Self::KIND, point, why };
        let vanishes = |at: DVec3| fail(at, "the gradient vanishes or is not defined");
        let size = (self.domain.high - self.domain.low).max_element();
        let inside = |at: DVec3| at.clamp(self.domain.low, self.domain.high);
        let start = inside(point);
        let mut at = start;
        let mut gradient = self.slope(at).ok_or_else(|| vanishes(at))?;
        let (mut damping, mut last) = (1.0, f64::INFINITY);
        for _ in 0..STEPS {
            let newton = -self.field.value(at) / gradient.length_squared() * gradient;
            let normal = gradient.normalize();
            let arm = point - at;
            let tangent = arm - arm.dot(normal) * normal;
            // The residual of both conditions: on the surface, and the arm along its normal.
            let residual = newton.length() + tangent.length();
            if residual <= 4.0 * f64::EPSILON * size {
                break;
            }
            // Shorter steps along the tangent where they do not get nearer.
            if residual > 0.9 * last {
                damping *= 0.5;
            }
            last = residual;
            at = inside(at + newton + damping * tangent);
            gradient = self.slope(at).ok_or_else(|| vanishes(at))?;
        }
        // Onto the surface at last.
        for _ in 0..STEPS {
            let step = -self.field.value(at) / gradient.length_squared() * gradient;
            at = inside(at + step);
            gradient = self.slope(at).ok_or_else(|| vanishes(at))?;
            if step.length() <= 4.0 * f64::EPSILON * size {
                break;
            }
        }
        let left = self.field.value(at).abs() / gradient.length();
        if !at.is_finite() || left.is_nan() || left > REACHED * size {
            return Err(fail(point, "the search along the gradient does not reach the surface"));
        }
        let normal = gradient.normalize();
        let (arm, is_inside) = (point - at, start == point && self.field.value(point) <= 0.0);
        // Of a point on the surface, up to rounding, the sign is that along the normal.
        let distance = if arm.length() <= 16.0 * f64::EPSILON * size {
            arm.dot(normal)
        } else {
            arm.length().copysign(if is_inside { -1.0 } else { 1.0 })
        };
        Ok(SurfacePoint { position: at, normal, distance })
    }

    /// On the whole surface by cells and segments; a sliver thinner than about a fifteenth of the spacing may be left
    /// out.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        surface_points::sample(self, spacing, samples);
    }

    fn thickness(&self) -> f64 {
        self.thickness
    }

    /// By [`Quadrature`] with its default settings.
    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        Quadrature::default().mass_properties(self, density)
    }

    fn triangles(&self) -> Triangles {
        tessellation::triangles(self)
    }

    fn description(&self) -> Option<Description> {
        let Bounds { low, high } = self.domain();
        let f = self.field.expression()?.into();
        Some(Description::Implicit { f, low: low.to_array(), high: high.to_array() })
    }
}

#[cfg(test)]
mod tests;
