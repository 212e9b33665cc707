//! Rational B-spline surfaces (NURBS), cut at their knots into rational Bézier patches.
//!
//! Source: L. Ramshaw, "Blossoms are polar forms", 1989, and W. Boehm, "Inserting new knots into B-spline curves", 1980: the
//! control points of a Bézier segment over a span [a, b] are the values of the span's polar form at (a, …, a, b, …, b), each
//! of which inserts one knot per argument.

use glam::DVec4;
use thiserror::Error;

use super::patch::{BezierPatch, MAXIMUM_DEGREE, MAXIMUM_ORDER, PatchError};

/// What is wrong with the data of a B-spline. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BSplineError {
    /// A degree is out of range.
    #[error("the degree along {direction} is {degree}; it must be 1 to {MAXIMUM_DEGREE}")]
    Degree {
        /// `u` or `v`.
        direction: char,
        /// The degree given.
        degree: usize,
    },
    /// There are too few knots for the degree.
    #[error("there are {found} knots along {direction}; a degree of {degree} asks for at least {expected}")]
    FewKnots {
        /// `u` or `v`.
        direction: char,
        /// The degree along it.
        degree: usize,
        /// Two more than twice the degree.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A knot is not finite, or below the one before.
    #[error("knot {index} along {direction} is {knot}; knots must be finite and none below the one before")]
    Knot {
        /// `u` or `v`.
        direction: char,
        /// The first such knot.
        index: usize,
        /// Its value.
        knot: f64,
    },
    /// An inner knot is repeated so often that the surface comes apart.
    #[error(
        "knot {index} along {direction} occurs more than {degree} times; the surface would come apart there: split it"
    )]
    Repeated {
        /// `u` or `v`.
        direction: char,
        /// The first of the equal knots.
        index: usize,
        /// The degree: the number of equal inner knots that are allowed.
        degree: usize,
    },
    /// All knots of the domain are equal.
    #[error("the domain along {direction}, between the knots {first} and {last}, is empty")]
    EmptyDomain {
        /// `u` or `v`.
        direction: char,
        /// The knot at which the domain begins: the degree.
        first: usize,
        /// The knot at which it ends.
        last: usize,
    },
    /// The number of control points or weights does not fit the knots.
    #[error("there are {found} {what}; knots and degrees ask for {expected}, row by row, those along v first")]
    Count {
        /// `control points` or `weights`.
        what: &'static str,
        /// (knots along u − degree − 1) (knots along v − degree − 1).
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A control point or weight is unusable.
    #[error("the control points of the B-spline: {0}")]
    Point(#[source] PatchError),
}

/// A rational B-spline surface.
#[derive(Clone, Debug, PartialEq)]
pub struct BSpline {
    /// The degrees along u and v, 1 to 8.
    pub degrees: [usize; 2],
    /// The knots along u and v. The surface is over those from the one at the index of the degree to the one as far from the
    /// end; the others need not be equal to these.
    pub knots: [Vec<f64>; 2],
    /// Control points, m: rows of as many as there are along v.
    pub control_points: Vec<[f64; 3]>,
    /// A weight above zero for each of the control points.
    pub weights: Vec<f64>,
}

impl BSpline {
    /// The patches between knots that differ, those along v first.
    ///
    /// # Errors
    /// [`BSplineError`].
    pub fn patches(&self) -> Result<Vec<BezierPatch>, BSplineError> {
        let [p, q] = self.degrees;
        let counts = [self.count(0)?, self.count(1)?];
        let expected = counts[0] * counts[1];
        for (what, found) in [("control points", self.control_points.len()), ("weights", self.weights.len())] {
            if found != expected {
                return Err(BSplineError::Count { what, expected, found });
            }
        }
        let mut points = Vec::with_capacity(expected);
        for (index, (&[x, y, z], &weight)) in self.control_points.iter().zip(&self.weights).enumerate() {
            let point = DVec4::new(x * weight, y * weight, z * weight, weight);
            if weight.is_finite() && weight <= 0.0 {
                return Err(BSplineError::Point(PatchError::Weight { index, weight }));
            }
            if !point.is_finite() {
                return Err(BSplineError::Point(PatchError::NotFinite { index, point: [x, y, z, weight] }));
            }
            points.push(point);
        }
        let mut patches = Vec::new();
        for span_u in self.spans(0) {
            // Rows of Bézier points along u, each still a B-spline along v.
            let columns: Vec<Vec<DVec4>> =
                (0..counts[1]).map(|j| segment(&self.knots[0], p, span_u, |i| points[i * counts[1] + j])).collect();
            for span_v in self.spans(1) {
                let control = (0..=p).flat_map(|i| segment(&self.knots[1], q, span_v, |j| columns[j][i]));
                let control = control.map(|point| point.to_array()).collect();
                patches.push(BezierPatch::new(self.degrees, control).map_err(BSplineError::Point)?);
            }
        }
        Ok(patches)
    }

    /// The number of control points along a direction, after a look at the knots.
    fn count(&self, k: usize) -> Result<usize, BSplineError> {
        let (direction, degree, knots) = (['u', 'v'][k], self.degrees[k], &self.knots[k]);
        if degree == 0 || degree > MAXIMUM_DEGREE {
            return Err(BSplineError::Degree { direction, degree });
        }
        let (expected, found) = (2 * (degree + 1), knots.len());
        if found < expected {
            return Err(BSplineError::FewKnots { direction, degree, expected, found });
        }
        for (index, &knot) in knots.iter().enumerate() {
            if !knot.is_finite() || (index > 0 && knot < knots[index - 1]) {
                return Err(BSplineError::Knot { direction, index, knot });
            }
        }
        let (first, last) = (degree, found - degree - 1);
        if knots[first] >= knots[last] {
            return Err(BSplineError::EmptyDomain { direction, first, last });
        }
        let is_inner = |knot: f64| knot > knots[first] && knot < knots[last];
        if let Some(index) = (0..found - degree).find(|&i| is_inner(knots[i]) && knots[i] == knots[i + degree]) {
            return Err(BSplineError::Repeated { direction, index, degree });
        }
        Ok(found - degree - 1)
    }

    /// The indices of the knots at which spans that are not empty begin.
    fn spans(&self, k: usize) -> impl Iterator<Item = usize> + '_ {
        let (degree, knots) = (self.degrees[k], &self.knots[k]);
        (degree..knots.len() - degree - 1).filter(move |&i| knots[i] < knots[i + 1])
    }
}

/// The Bézier points over the span that begins at a knot.
fn segment(knots: &[f64], degree: usize, span: usize, point: impl Fn(usize) -> DVec4) -> Vec<DVec4> {
    let (low, high) = (knots[span], knots[span + 1]);
    let polar = |uppers: usize| {
        let mut values = [DVec4::ZERO; MAXIMUM_ORDER];
        for (k, value) in values.iter_mut().enumerate().take(degree + 1) {
            *value = point(span - degree + k);
        }
        for round in 1..=degree {
            let argument = if round <= uppers { high } else { low };
            for k in (round..=degree).rev() {
                let index = span - degree + k;
                let (start, end) = (knots[index], knots[index + degree + 1 - round]);
                let share = (argument - start) / (end - start);
                values[k] = values[k - 1] * (1.0 - share) + values[k] * share;
            }
        }
        values[degree]
    };
    (0..=degree).map(polar).collect()
}
