//! Facet against edge: an edge that lies along a plane, and the segments of it above the facet.

use super::candidate::{Across, Candidates, Found, Limits, View};
use crate::shape::features::{Facet, FeatureId};
use glam::DVec2;

/// Pieces of a segment, as shares of its length in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    list: Vec<(f64, f64)>,
    /// Where a segment may enter or leave a polygon.
    cuts: Vec<f64>,
}

/// Adds the segments in which edge e (other) runs along facet f (own), if the other solid lies above the plane at the edge.
/// `exchanged` says that the view is that of B.
pub fn add(view: &View<'_>, exchanged: bool, f: u32, e: u32, pieces: &mut Pieces, candidates: &mut Candidates) {
    let (facet, edge) = (&view.own.facets()[f as usize], &view.other.edges()[e as usize]);
    if candidates.are_facing(exchanged, f, edge.facets) {
        return;
    }
    if !edge.supports(-view.placement.inverse_direction(facet.normal), view.angles.cone) {
        return;
    }
    let [p, q] = edge.vertices.map(|v| view.placement.point(view.other.vertices()[v as usize].position));
    let (height_p, height_q) = (facet.height(p), facet.height(q));
    let length = p.distance(q);
    if (height_p - height_q).abs() > view.angles.parallel * length {
        return;
    }
    clip(facet, facet.place(p), facet.place(q), &view.limits, pieces);
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

/// The parts of the segment p–q in the polygon of a facet, as shares of its length in ascending order. A part that runs along
/// the border counts as inside.
fn clip(facet: &Facet, p: DVec2, q: DVec2, limits: &Limits, pieces: &mut Pieces) {
    let same = limits.same;
    let Pieces { cuts, list } = pieces;
    list.clear();
    cuts.clear();
    let along = q - p;
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
    cuts.sort_by(f64::total_cmp);
    for pair in cuts.windows(2) {
        let (s, t) = (pair[0], pair[1]);
        if s < t && facet.contains_or_adjoins(p + along * (0.5 * (s + t)), same, limits.depth) {
            match list.last_mut() {
                Some(last) if (s - last.1) * length <= same => last.1 = t,
                _ => list.push((s, t)),
            }
        }
    }
}
