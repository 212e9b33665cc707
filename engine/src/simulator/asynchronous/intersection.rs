//! Whether triangles pass through each other where they are, decided exactly: nothing of it is shared with how contact is found.

use drystone_contact::Bounds;
use drystone_contact::shape::self_intersection::triangles_overlap;
use glam::DVec3;

use super::box_tree::BoxTree;

/// The first pair of triangles, the lower first, that have a point in common beyond the vertices that they share, and of which one at least `moves`.
/// Triangles without area are left out.
pub fn first_intersection(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    moves: impl Fn(u32) -> bool,
) -> Option<[u32; 2]> {
    let corners = |t: usize| triangles[t].map(|v| positions[v as usize]);
    let has_area = |t: usize| {
        let [a, b, c] = corners(t);
        (b - a).cross(c - a) != DVec3::ZERO
    };
    let around = |t: usize| {
        let [a, b, c] = corners(t);
        Bounds { low: a.min(b).min(c), high: a.max(b).max(c) }
    };
    let boxes: Vec<Bounds> = (0..triangles.len()).map(around).collect();
    let tree = BoxTree::new(&boxes);
    let mut first: Option<[u32; 2]> = None;
    for i in 0..triangles.len() {
        tree.meeting(&boxes[i], |j| {
            let (pair, j) = ([i as u32, j], j as usize);
            let is_wanted = i < j && first.is_none_or(|found| pair < found) && (moves(pair[0]) || moves(pair[1]));
            if is_wanted && has_area(i) && has_area(j) && triangles_overlap(positions, triangles[i], triangles[j]) {
                first = Some(pair);
            }
        });
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_share_a_vertex_are_looked_at_too_and_still_ones_are_not() {
        let mut positions =
            vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, 1.0, -1.0)];
        let triangles = [[0, 1, 2], [0, 3, 4]];
        assert_eq!(first_intersection(&positions, &triangles, |_| true), Some([0, 1]));
        assert_eq!(first_intersection(&positions, &triangles, |t| t == 1), Some([0, 1]));
        assert_eq!(first_intersection(&positions, &triangles, |_| false), None);
        positions[0].z = 0.0;
        positions[4].z = 0.5;
        assert_eq!(first_intersection(&positions, &triangles, |_| true), None);
    }
}
