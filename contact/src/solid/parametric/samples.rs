//! Points and triangles on grids of parameters.
//!
//! A cell of a grid is covered by balls about its corners: every quarter lies in the hull of its control points, and so in a ball
//! about its corner that has these inside. Grids are made finer along the longer sides of cells until the balls are small enough.

use glam::DVec3;

use super::Parametric;
use super::seams::MATCH;
use crate::shape::Triangles;
use crate::solid::bezier::net::{Net, Part};
use crate::solid::bezier::patch::BezierPatch;
use crate::sorting::CompactSort;

/// Cells along a direction at most.
const MOST: usize = 1 << 14;

/// Cells along a direction in a picture.
const DRAWN: usize = 12;

impl Parametric {
    /// As [`crate::solid::Solid::samples`].
    pub(super) fn add_samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        let mut at_borders = Vec::new();
        for patch in &self.patches {
            let [rows, columns] = grid(patch, spacing);
            for i in 0..=rows {
                for j in 0..=columns {
                    let point = patch.point(i as f64 / rows as f64, j as f64 / columns as f64);
                    let is_inner = i > 0 && i < rows && j > 0 && j < columns;
                    if is_inner { samples.push(point) } else { at_borders.push(point) }
                }
            }
        }
        // Along x, each point is compared with those kept that are as far along.
        at_borders.compact_sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
        let start = samples.len();
        let same = 2.0 * MATCH * self.extent.min(spacing);
        for point in at_borders {
            let near = samples[start..].iter().rev().take_while(|kept| point.x - kept.x <= same);
            if !near.into_iter().any(|kept| kept.distance(point) <= same) {
                samples.push(point);
            }
        }
    }

    /// As [`crate::solid::Solid::triangles`].
    pub(super) fn grid_triangles(&self) -> Triangles {
        let mut drawn = Triangles::default();
        for patch in &self.patches {
            let counts = patch.degrees().map(|degree| if degree == 1 { 2 } else { DRAWN });
            let first = drawn.vertices.len() as u32;
            for i in 0..=counts[0] {
                for j in 0..=counts[1] {
                    drawn.vertices.push(patch.point(i as f64 / counts[0] as f64, j as f64 / counts[1] as f64));
                }
            }
            let vertex = |i: usize, j: usize| first + (i * (counts[1] + 1) + j) as u32;
            for i in 0..counts[0] {
                for j in 0..counts[1] {
                    let corners = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
                    for [a, b, c] in [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k: usize| corners[k])) {
                        let [p, q, r] = [a, b, c].map(|k| drawn.vertices[k as usize]);
                        let area = (q - p).cross(r - p).length();
                        // At a pole one of the two has no area.
                        if area > 1e-12 * patch.extent() * patch.extent() {
                            drawn.triangles.push([a, b, c]);
                        }
                    }
                }
            }
        }
        drawn
    }
}

/// Cells along u and v so that all points of a patch are within `spacing` (m) of a corner.
fn grid(patch: &BezierPatch, spacing: f64) -> [usize; 2] {
    let mut counts = [1, 1];
    // Rounding of a corner.
    let spacing = spacing * (1.0 - 1e-9);
    loop {
        let (reach, along) = cover(patch, counts);
        if reach <= spacing || counts == [MOST, MOST] || spacing.is_nan() {
            return counts;
        }
        let longer = usize::from(along[1] > along[0]);
        let grow = |k: usize| {
            // As many as the reach asks for, but no more than twice as many at once.
            let factor = (reach / spacing).clamp(1.05, 2.0);
            ((counts[k] as f64 * factor).ceil() as usize).max(counts[k] + 1).min(MOST)
        };
        let is_even = along[longer] < 1.5 * along[1 - longer];
        let mut next = counts;
        next[longer] = grow(longer);
        if is_even || counts[longer] == MOST {
            next[1 - longer] = grow(1 - longer);
        }
        counts = next;
    }
}

/// The radius of the balls about corners that cover the cells, and the longest sides of cells along u and v, m.
fn cover(patch: &BezierPatch, counts: [usize; 2]) -> (f64, [f64; 2]) {
    let (mut reach, mut along) = (0.0_f64, [0.0_f64; 2]);
    let [rows, columns] = counts.map(|count| 2 * count);
    let quarter = |i: usize, count: usize| [i as f64 / count as f64, (i + 1) as f64 / count as f64];
    for i in 0..rows {
        let [low_u, high_u] = quarter(i, rows);
        for j in 0..columns {
            let [low_v, high_v] = quarter(j, columns);
            let net = Net::of_part(patch, &Part { low: [low_u, low_v], high: [high_u, high_v] });
            let points = net.projected();
            let corners = net.corners();
            // The corner that belongs to the grid: with even indices.
            let corner = points[corners[2 * (i % 2) + j % 2]];
            reach = points.iter().map(|p| p.distance(corner)).fold(reach, f64::max);
            let [a, b, c, d] = corners.map(|k| points[k]);
            along[0] = along[0].max(a.distance(c)).max(b.distance(d));
            along[1] = along[1].max(a.distance(b)).max(c.distance(d));
        }
    }
    (reach, along)
}
