//! Shapes that rational patches of degree two are exactly: of revolution, from arcs.
//!
//! A quarter of a circle has the control points (1, 0), (1, 1), (0, 1) and the weights 1, √½, 1 (L. Piegl and W. Tiller, "The NURBS
//! Book", chapter 7); turned about an axis, weights multiply (chapter 8).

use std::f64::consts::FRAC_1_SQRT_2;

use super::Parametric;
use super::error::ParametricError;
use crate::solid::bezier::patch::BezierPatch;

/// The control points of four quarters of the unit circle, counter-clockwise, times their weights, with the weights.
const QUARTERS: [[[f64; 3]; 3]; 4] = {
    const H: f64 = FRAC_1_SQRT_2;
    [
        [[1.0, 0.0, 1.0], [H, H, H], [0.0, 1.0, 1.0]],
        [[0.0, 1.0, 1.0], [-H, H, H], [-1.0, 0.0, 1.0]],
        [[-1.0, 0.0, 1.0], [-H, -H, H], [0.0, -1.0, 1.0]],
        [[0.0, -1.0, 1.0], [H, -H, H], [1.0, 0.0, 1.0]],
    ]
};

impl Parametric {
    /// The ball of a radius (m) about the origin: eight patches of degree 2 × 2, exact. The axis is z; two poles are borders of
    /// patches.
    ///
    /// # Errors
    /// [`ParametricError::Dimension`] unless the radius is finite and above zero.
    pub fn ball(radius: f64) -> Result<Self, ParametricError> {
        let radius = checked("radius", radius, f64::INFINITY, "")?;
        // From pole to pole on the side of positive distances from the axis.
        let profiles = [QUARTERS[3], QUARTERS[0]];
        Self::closed(revolution(&profiles.map(|arc| arc.map(|[x, y, w]| [radius * x, radius * y, w]))))
    }

    /// The torus about z: points within `minor` of a circle of radius `major` about the origin in the plane z = 0, m; sixteen
    /// patches of degree 2 × 2, exact.
    ///
    /// # Errors
    /// [`ParametricError::Dimension`] unless both are finite and above zero, and the minor radius is below the major one.
    pub fn torus(major: f64, minor: f64) -> Result<Self, ParametricError> {
        let major = checked("major radius", major, f64::INFINITY, "")?;
        let minor = checked("minor radius", minor, major, ", and below the major radius")?;
        Self::closed(revolution(&QUARTERS.map(|arc| arc.map(|[x, y, w]| [major * w + minor * x, minor * y, w]))))
    }
}

/// Arcs in the plane of the distance from z and of z, turned about z in four quarters. Normals are on the right of the arcs as they
/// run up.
fn revolution(arcs: &[[[f64; 3]; 3]]) -> Vec<BezierPatch> {
    let turned = |arc: &[[f64; 3]; 3], quarter: &[[f64; 3]; 3]| {
        let points =
            quarter.iter().flat_map(|&[c, s, w]| arc.map(|[x, z, weight]| [x * c, x * s, z * w, weight * w].into()));
        BezierPatch::of_points([2, 2], points.collect())
    };
    arcs.iter().flat_map(|arc| QUARTERS.iter().map(move |quarter| turned(arc, quarter))).collect()
}

fn checked(dimension: &'static str, value: f64, below: f64, also: &'static str) -> Result<f64, ParametricError> {
    let is_usable = value.is_finite() && value > 0.0 && value < below;
    if is_usable { Ok(value) } else { Err(ParametricError::Dimension { dimension, value, also }) }
}
