//! Pairs of triangles with a common vertex that may meet beyond it: seen from there, the sides opposite to it are arcs, which must not cross.

use glam::DVec3;

use super::First;
use crate::bounds::Bounds;
use crate::bounds_tree::BoundsTree;

/// So few triangles of a vertex are compared pair by pair.
const FEW: usize = 24;

/// Boxes of arcs are so much wider than the arcs: far above rounding.
const ROUNDING: f64 = 1e-12;

/// Considers all pairs with a common vertex that may meet beyond it.
pub fn search(first: &mut First<'_>) {
    // The triangles of each vertex.
    let mut starts = vec![0_u32; first.vertices.len() + 1];
    first.triangles.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
    for v in 1..starts.len() {
        starts[v] += starts[v - 1];
    }
    let mut own = vec![0_u32; 3 * first.triangles.len()];
    let mut ends = starts.clone();
    for (t, corners) in (0..).zip(first.triangles) {
        for &v in corners {
            own[ends[v as usize] as usize] = t;
            ends[v as usize] += 1;
        }
    }
    for (vertex, range) in (0..).zip(starts.windows(2)) {
        let fan = &own[range[0] as usize..range[1] as usize];
        if fan.len() <= FEW {
            for (k, &s) in fan.iter().enumerate() {
                fan[k + 1..].iter().for_each(|&t| compare(first, vertex, s, t));
            }
        } else {
            let tree = BoundsTree::new(fan.iter().map(|&t| (t, arc(first, vertex, t))));
            tree.pairs(|s, t| compare(first, vertex, s, t));
        }
    }
}

/// A pair is compared at the first of its common vertices.
fn compare(first: &mut First<'_>, vertex: u32, s: u32, t: u32) {
    let [p, q] = [s, t].map(|t| first.triangles[t as usize]);
    if p.iter().filter(|v| q.contains(v)).min() == Some(&vertex) {
        first.consider(s, t);
    }
}

/// A box around the arc that a triangle is on the unit sphere round one of its vertices.
fn arc(first: &First<'_>, vertex: u32, triangle: u32) -> Bounds {
    let centre = first.vertices[vertex as usize];
    let others = first.triangles[triangle as usize].into_iter().filter(|&v| v != vertex);
    let mut ends = others.map(|v| (first.vertices[v as usize] - centre).normalize_or_zero());
    let [p, q] = [ends.next(), ends.next()].map(|end| end.unwrap_or(DVec3::ZERO));
    // The arc is no farther from its chord than its middle is.
    let bulge = 1.0 - 0.5 * (p + q).length();
    Bounds { low: p.min(q), high: p.max(q) }.grown(bulge + ROUNDING)
}
