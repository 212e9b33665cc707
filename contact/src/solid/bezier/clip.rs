//! The parameters at which a part of a patch may be in a box.
//!
//! Bézier clipping: T. Nishita, T. Sederberg, M. Kakimoto, "Ray tracing trimmed rational surface patches", SIGGRAPH 1990,
//! section 3. Along each axis of the box the patch is between two planes where two polynomials in Bernstein form are not
//! negative; a polynomial in one parameter lies in the hull of its coefficients over i/m, which is cut with zero. Here two planes
//! stand in for the one of a ray, and coefficients across the other direction are joined by their largest.

use glam::DVec4;

use super::net::{Net, Part};
use super::patch::MAXIMUM_ORDER;
use crate::solid::OrientedBox;

/// What is added on both sides of a range of parameters for rounding, in units of the part.
const MARGIN: f64 = 1e-12;

/// The parameters (of the part, 0…1) of all its points in the box; `None` if there are none. The box is expected to be grown
/// by what rounding may take.
pub(in crate::solid) fn clip(net: &Net, turned: &OrientedBox) -> Option<Part> {
    let [m, n] = net.degrees;
    let mut part = Part::WHOLE;
    for axis in 0..3 {
        let direction = turned.axes.col(axis);
        let (centre, half) = (direction.dot(turned.centre), turned.half[axis]);
        let [below, above] = [
            DVec4::new(-direction.x, -direction.y, -direction.z, centre + half),
            DVec4::new(direction.x, direction.y, direction.z, half - centre),
        ];
        for plane in [below, above] {
            let (mut rows, mut columns) = ([f64::NEG_INFINITY; MAXIMUM_ORDER], [f64::NEG_INFINITY; MAXIMUM_ORDER]);
            let mut least = f64::INFINITY;
            for (i, row) in rows.iter_mut().enumerate().take(m + 1) {
                for (j, column) in columns.iter_mut().enumerate().take(n + 1) {
                    let value = plane.dot(net.points[i * (n + 1) + j]);
                    *row = row.max(value);
                    *column = column.max(value);
                    least = least.min(value);
                }
            }
            if least >= 0.0 {
                continue;
            }
            for (k, values) in [&rows[..=m], &columns[..=n]].into_iter().enumerate() {
                let (low, high) = range(values)?;
                part.low[k] = part.low[k].max(low - MARGIN);
                part.high[k] = part.high[k].min(high + MARGIN);
                if part.low[k] > part.high[k] {
                    return None;
                }
            }
        }
    }
    Some(part)
}

/// Where the hull of coefficients over 0, 1/m, … 1 is not below zero.
fn range(values: &[f64]) -> Option<(f64, f64)> {
    let last = values.len() - 1;
    let place = |k: usize| k as f64 / last as f64;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (k, &value) in values.iter().enumerate() {
        if value < 0.0 {
            continue;
        }
        let at = place(k);
        (low, high) = (low.min(at), high.max(at));
        for (other, &below) in values.iter().enumerate() {
            if below < 0.0 {
                let root = at + (place(other) - at) * (value / (value - below));
                (low, high) = (low.min(root), high.max(root));
            }
        }
    }
    (low <= high).then_some((low, high))
}
