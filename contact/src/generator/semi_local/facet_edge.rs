//! Facet against edge: an edge that lies along a plane, and the segments of it above the facet.

use glam::DVec3;

use super::above::is_above;
use super::candidate::{Across, Candidates, Found, View};
use crate::shape::features::FeatureId;

/// Pieces of a segment, as shares of its length in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    list: Vec<(f64, f64)>,
    /// Where a segment may enter or leave a polygon.
    cuts: Vec<f64>,
}

/// Adds the segments in which edge e (other) runs along facet f (own), if the other solid lies above the plane at the
/// edge and the edge [reaches](super::reaching) it. `exchanged` says that the view is that of B.
pub fn add(view: &View<'_>, exchanged: bool, f: u32, e: u32, pieces: &mut Pieces, candidates: &mut Candidates) {
    let (facet, edge) = (&view.own.facets()[f as usize], &view.other.edges()[e as usize]);
    if candidates.are_facing(exchanged, f, edge.facets) {
        return;
    }
    let [p, q] = ends(view, e);
    let (height_p, height_q) = (facet.height(p), facet.height(q));
    let length = p.distance(q);
    if (height_p - height_q).abs() > view.angles.parallel * length {
        return;
    }
    if !edge.supports(-view.placement.inverse_direction(facet.normal), view.angles.cone) {
        return;
    }
    clip(view, f, (p, q), pieces);
    for &(s, t) in &pieces.list {
        let corner = |s: f64| {
            let b = p + (q - p) * s;
            Across { a: b - facet.normal * facet.height(b), b }
        };
        let is_in_range = [s, t].iter().all(|s| view.in_range(height_p + (height_q - height_p) * s));
        if is_in_range && (t - s) * length > view.limits.same {
            let corners = [corner(s), corner(t)];
            let found = Found { normal: facet.normal, corners: &corners };
            candidates.add(view, exchanged, (FeatureId::Facet(f), FeatureId::Edge(e)), found);
        }
    }
}

/// The ends of edge e (other), in the frame of the view.
pub fn ends(view: &View<'_>, e: u32) -> [DVec3; 2] {
    let edge = &view.other.edges()[e as usize];
    edge.vertices.map(|v| view.placement.point(view.other.vertices()[v as usize].position))
}

/// The parts of the segment p–q above a facet, as shares of its length in ascending order. A part that runs along the
/// border counts as above.
fn clip(view: &View<'_>, f: u32, (p, q): (DVec3, DVec3), pieces: &mut Pieces) {
    let Pieces { cuts, list } = pieces;
    list.clear();
    cuts.clear();
    let (facet, limits) = (&view.own.facets()[f as usize], &view.limits);
    let is_above = |s: f64| is_above(view.own, f, p + (q - p) * s, limits);
    let (p, same) = (facet.place(p), limits.same);
    let along = facet.place(q) - p;
    let length = along.length();
    if length <= same {
        return;
    }
    // Where the segment meets the lines of the sides; between two such places it is inside or outside as a whole.
    cuts.extend([0.0, 1.0]);
    for range in facet.loops() {
        let outline = &facet.outline[range];
        for (i, &c) in outline.iter().enumerate() {
            let side = outline[(i + 1) % outline.len()] - c;
            let area = along.perp_dot(side);
            if area.abs() > same * length.max(side.length()) {
                cuts.push((c - p).perp_dot(side) / area);
            }
            cuts.push((c - p).dot(along) / (length * length));
        }
    }
    cuts.retain(|s| (0.0..=1.0).contains(s));
    cuts.sort_unstable_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let (s, t) = (pair[0], pair[1]);
        let middle = 0.5 * (s + t);
        if s < t && is_above(middle) {
            // Beside a reflex edge a part may end where no line of the polygon does.
            let s = if is_above(s) { s } else { last_above(&is_above, middle, s) };
            let t = if is_above(t) { t } else { last_above(&is_above, middle, t) };
            match list.last_mut() {
                Some(last) if (s - last.1) * length <= same => last.1 = t,
                _ => list.push((s, t)),
            }
        }
    }
}

/// The share nearest to `out` that is still above, seen from one that is.
fn last_above(is_above: &impl Fn(f64) -> bool, mut within: f64, mut out: f64) -> f64 {
    const HALVINGS: usize = 30;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (within + out);
        if is_above(middle) {
            within = middle;
        } else {
            out = middle;
        }
    }
    within
}
