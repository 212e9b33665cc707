//! Which borders of patches are the same curve.

use arrayvec::ArrayVec;
use glam::DVec4;

use super::error::{Border, ParametricError};
use crate::solid::bezier::patch::{BezierPatch, MAXIMUM_ORDER, projected};

/// Control points of partners differ by no more than this share of the extent of all patches, weights by no more than this
/// share.
pub(super) const MATCH: f64 = 1e-9;

type Curve = ArrayVec<DVec4, MAXIMUM_ORDER>;

/// Finds for every border a partner that runs the other way. Returns the largest distance between control points of partners,
/// m. Borders that are a single point have no partners. `extent`: of all patches, m.
pub(super) fn pair(patches: &[BezierPatch], extent: f64) -> Result<f64, ParametricError> {
    let mut borders = Vec::new();
    for (patch, surface) in patches.iter().enumerate() {
        for border in (0..4).filter(|&border| !surface.is_collapsed(border)) {
            borders.push((patch, border, surface.border(border, 0)));
        }
    }
    let mut is_paired = vec![false; borders.len()];
    let mut seam = 0.0_f64;
    for k in 0..borders.len() {
        if is_paired[k] {
            continue;
        }
        let (patch, border, curve) = &borders[k];
        let partner = (k + 1..borders.len())
            .filter(|&other| !is_paired[other])
            .find_map(|other| Some((other, distance(curve, &borders[other].2, MATCH * extent)?)));
        let Some((other, off)) = partner else {
            return Err(ParametricError::NoPartner { patch: *patch, border: Border::ALL[*border] });
        };
        is_paired[other] = true;
        seam = seam.max(off);
    }
    Ok(seam)
}

/// The largest distance between control points of a curve and one that runs the other way, m, if they are the same within
/// `tolerance`.
fn distance(curve: &Curve, other: &Curve, tolerance: f64) -> Option<f64> {
    let last = curve.len() - 1;
    if other.len() != curve.len() {
        return None;
    }
    let mut largest = 0.0_f64;
    for (k, p) in curve.iter().enumerate() {
        let q = other[last - k];
        let off = projected(*p).distance(projected(q));
        let weights = (p.w / curve[0].w) / (q.w / other[last].w);
        if off > tolerance || (weights - 1.0).abs() > MATCH {
            return None;
        }
        // Weights that differ move points of the curve, by no more than that share of its extent.
        let moved = (weights - 1.0).abs() * projected(curve[0]).distance(projected(*p));
        largest = largest.max(off + 2.0 * moved);
    }
    Some(largest)
}
