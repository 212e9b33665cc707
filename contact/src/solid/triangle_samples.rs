//! Points of triangles, dense enough to stand for them.
//!
//! A triangle is cut into k² triangles of its own shape. No point of a triangle is farther from its nearest corner than
//! the longest side by √3, so that k follows from the spacing.

use crate::sorting::CompactSort;
use glam::DVec3;

/// The share by which pieces are smaller than they need be, against rounding.
const SAFETY: f64 = 1e-9;

/// Appends the vertices, then points of edges, then points of faces, so that no point of a triangle is farther from all of
/// them than `spacing`, m. Vertices alone unless the spacing is above zero. An edge between triangles of different size has
/// the points of both.
pub fn append_samples(vertices: &[DVec3], triangles: &[[u32; 3]], spacing: f64, samples: &mut Vec<DVec3>) {
    samples.extend_from_slice(vertices);
    if spacing.is_nan() || spacing <= 0.0 {
        return;
    }
    let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
    let parts = |t: &[u32; 3]| {
        let [a, b, c] = corners(t);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (longest * (1.0 + SAFETY) / (3.0_f64.sqrt() * spacing)).ceil() as u32
    };
    let sides = |t: &[u32; 3]| {
        let count = parts(t);
        let [a, b, c] = *t;
        [[a, b], [b, c], [c, a]].map(|[from, to]| ([from.min(to), from.max(to)], count))
    };
    let mut edges: Vec<([u32; 2], u32)> = triangles.iter().flat_map(sides).filter(|side| side.1 > 1).collect();
    edges.compact_sort();
    edges.dedup();
    for ([from, to], count) in edges {
        let (from, to) = (vertices[from as usize], vertices[to as usize]);
        samples.extend((1..count).map(|i| from.lerp(to, f64::from(i) / f64::from(count))));
    }
    for triangle in triangles {
        let ([a, b, c], count) = (corners(triangle), parts(triangle));
        for i in 1..count {
            samples.extend((1..count - i).map(|j| {
                let [i, j, count] = [i, j, count].map(f64::from);
                a + (b - a) * (i / count) + (c - a) * (j / count)
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    #[test]
    fn points_are_dense_and_not_many_more_than_needed() {
        let mut random = SplitMix::new(3);
        for (apex, scale) in [(DVec3::new(0.5, 0.8, 0.0), 1.0), (DVec3::new(5.0, 0.01, 2.0), 1e-6), (DVec3::Y, 1e6)] {
            let vertices = [DVec3::ZERO, DVec3::X, apex, DVec3::new(0.3, -2.0, 1.0)].map(|p| p * scale);
            let triangles = [[0, 1, 2], [1, 0, 3]];
            for spacing in [0.05, 0.4, 10.0].map(|s| s * scale) {
                let mut samples = Vec::new();
                append_samples(&vertices, &triangles, spacing, &mut samples);
                assert_eq!(samples[..4], vertices);
                for case in 0..1000 {
                    let [s, t] = [0, 1].map(|_| random.next_fraction());
                    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                    let [a, b, c] = triangles[case % 2].map(|v: u32| vertices[v as usize]);
                    let point = a + s * (b - a) + t * (c - a);
                    let nearest = samples.iter().map(|p| p.distance(point)).fold(f64::INFINITY, f64::min);
                    assert!(nearest <= spacing, "{nearest} {spacing}");
                }
                if spacing > 9.0 * scale {
                    assert_eq!(samples.len(), 4);
                }
            }
        }
        let mut samples = Vec::new();
        append_samples(&[DVec3::ZERO, DVec3::X, DVec3::Y], &[[0, 1, 2]], 0.4, &mut samples);
        // √2 by 0.4 √3 is 2.04: three parts, of which one point is inside.
        assert_eq!(samples.len(), 3 + 6 + 1);
        for useless in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut samples = Vec::new();
            append_samples(&[DVec3::ZERO, DVec3::X, DVec3::Y], &[[0, 1, 2]], useless, &mut samples);
            assert_eq!(samples.len(), 3, "{useless}");
        }
    }
}
