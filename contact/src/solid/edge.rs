//! Straight edges of solids, and how the faces at them lie.

use crate::sorting::CompactSort;
use glam::DVec3;

/// A straight edge that is convex, or the border of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightEdge {
    /// Its ends, m.
    pub ends: [DVec3; 2],
    /// Across it into the two faces at it, unit; at the border of a surface the same direction twice.
    pub faces: [DVec3; 2],
}

impl StraightEdge {
    /// The edge between two points (m) of faces that lie in these directions from it; `None` of an edge without length.
    pub fn new(ends: [DVec3; 2], inwards: [DVec3; 2]) -> Option<Self> {
        let along = (ends[1] - ends[0]).try_normalize()?;
        let [Some(first), Some(second)] = inwards.map(|way| way.reject_from_normalized(along).try_normalize()) else {
            return None;
        };
        Some(Self { ends, faces: [first, second] })
    }

    /// Whether the plane across a direction (unit) through the edge has both faces behind it, but for an angle, rad.
    pub fn is_outermost(&self, direction: DVec3, angle: f64) -> bool {
        self.faces.iter().all(|face| face.dot(direction) <= angle)
    }
}

/// Appends borders of triangles, and edges between two faces that are bent by more than rounding; of a closed surface, whose
/// triangles are counter-clockwise seen from outside, the convex ones alone. Vertices in one place count as one; where a vertex lies
/// within the side of another triangle, that side is a border.
pub(super) fn append_edges(vertices: &[DVec3], triangles: &[[u32; 3]], is_closed: bool, edges: &mut Vec<StraightEdge>) {
    /// The sine of the angle by which faces are bent at an edge, at least.
    const BENT: f64 = 1e-6;
    // Vertices in one place are one.
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let key = |vertex: u32| vertices[vertex as usize].to_array().map(|x| (x + 0.0).to_bits());
    order.compact_sort_by_key(|&vertex| (key(vertex), vertex));
    let mut same = vec![0; vertices.len()];
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        group.iter().for_each(|&vertex| same[vertex as usize] = group[0]);
    }
    let mut sides: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (number, corners) in (0..).zip(triangles) {
        for k in 0..3 {
            let [a, b, other] = [0, 1, 2].map(|step| same[corners[(k + step) % 3] as usize]);
            sides.push(([a.min(b), a.max(b)], number, other));
        }
    }
    sides.compact_sort();
    let at = |vertex: u32| vertices[vertex as usize];
    for group in sides.chunk_by(|a, b| a.0 == b.0) {
        let ends = group[0].0.map(at);
        let inward = |&(_, _, other): &([u32; 2], u32, u32)| at(other) - ends[0];
        let Some(edge) = StraightEdge::new(ends, [inward(&group[0]), inward(&group[group.len() - 1])]) else {
            continue;
        };
        // Where more than two faces meet, all directions that one of them allows count.
        let is_between_two = group.len() == 2;
        let [first, second] = edge.faces;
        let bend = (ends[1] - ends[0]).normalize().dot(first.cross(second));
        if is_between_two && first.dot(second) < 0.0 && bend.abs() <= BENT {
            continue;
        }
        if is_between_two && is_closed {
            // The second face lies behind the plane of the first.
            let [a, b, c] = triangles[group[0].1 as usize].map(at);
            if (b - a).cross(c - a).normalize().dot(second) > 0.0 {
                continue;
            }
        }
        if is_between_two {
            edges.push(edge);
        } else {
            edges.extend(group.iter().filter_map(|side| StraightEdge::new(ends, [inward(side); 2])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::Solid;
    use crate::solid::{Cuboid, Soup};

    #[test]
    fn a_notched_block_has_no_edge_in_its_notch() {
        // An L in the plane of x and y, extruded along z.
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let vertices: Vec<DVec3> =
            [0.0, 1.0].iter().flat_map(|&z| outline.iter().map(move |p| DVec3::new(p[0], p[1], z))).collect();
        let caps = [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]];
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for [a, b, c] in caps {
            triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
        }
        for k in 0..6 {
            let next = (k + 1) % 6;
            triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
        }
        let mut edges = Vec::new();
        append_edges(&vertices, &triangles, true, &mut edges);
        // Six along each outline, and five of six along z.
        assert_eq!(edges.len(), 17, "{edges:?}");
        let notch = |edge: &StraightEdge| edge.ends.iter().all(|end| end.x == 1.0 && end.y == 1.0);
        assert!(!edges.iter().any(notch));
        edges.clear();
        append_edges(&vertices, &triangles, false, &mut edges);
        assert_eq!(edges.len(), 18);
    }

    #[test]
    fn a_box_and_its_triangles_have_the_same_edges() {
        let cuboid = Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        let drawn = cuboid.triangles();
        let (mut own, mut of_triangles) = (Vec::new(), Vec::new());
        cuboid.edges(&mut own);
        append_edges(&drawn.vertices, &drawn.triangles, true, &mut of_triangles);
        assert_eq!((own.len(), of_triangles.len()), (12, 12));
        for edge in &own {
            let same = |other: &&StraightEdge| other.ends == edge.ends || other.ends == [edge.ends[1], edge.ends[0]];
            let other = of_triangles.iter().find(same).unwrap();
            for direction in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -1.0, 0.5)] {
                for direction in [direction, -direction] {
                    assert_eq!(edge.is_outermost(direction, 1e-9), other.is_outermost(direction, 1e-9));
                }
            }
        }
    }

    #[test]
    fn a_square_of_two_triangles_has_four_borders() {
        let vertices = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
        let square = Soup::from_polygons(vertices, &[vec![0, 1, 2, 3]]).unwrap();
        let mut edges = Vec::new();
        square.edges(&mut edges);
        assert_eq!(edges.len(), 4);
        for edge in &edges {
            let outward = 0.5 * (edge.ends[0] + edge.ends[1]) - DVec3::new(0.5, 0.0, 0.5);
            for direction in [outward, DVec3::Y, DVec3::NEG_Y] {
                assert!(edge.is_outermost(direction, 1e-9) && !edge.is_outermost(-outward, 1e-9));
            }
        }
    }
}
