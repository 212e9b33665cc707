//! Exact self-intersection test of triangle surfaces.
//!
//! Two closed triangles meet beyond what they share exactly when an edge of one, taken away the shared vertices, meets
//! the other triangle:
//! - no common vertex: one of the six edges meets the other triangle;
//! - one common vertex a: a ray from a inside both triangles leaves the first of them through the edge opposite to a,
//!   so one of the two edges opposite to a meets the other triangle;
//! - a common edge: the triangles overlap only if they are coplanar and on the same side of it.
//!
//! All decisions are exact. Candidates are looked for vertex by vertex ([`fans`]), and in cells of space ([`cells`]), so that neither
//! a vertex of many triangles nor long thin ones take a time that is quadratic; most are told apart by a separating
//! direction with a margin above rounding error, the rest by exact predicates.

mod cell;
mod cells;
mod fans;

use glam::{DVec2, DVec3};

use self::cells::Cells;
use super::predicate::{orientation_2d, orientation_3d, project, projection_axis};
use crate::bounds::Bounds;

/// A dot product of a direction with a difference of two points is off by less than this, as a share of the sum of the
/// direction's components times the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The lexicographically first pair of triangles `[i, j]`, i < j, that meet anywhere but in the vertices and the edge
/// that they share by index; `None` if there is none.
///
/// Vertex indices must be in range and no triangle may have its corners on one line.
pub fn first_self_intersection(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Option<[u32; 2]> {
    let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
    let bounds = |t: &[u32; 3]| {
        let [a, b, c] = corners(t);
        Bounds { low: a.min(b).min(c), high: a.max(b).max(c) }
    };
    let mut first = First { vertices, triangles, boxes: triangles.iter().map(bounds).collect(), found: None };
    fans::search(&mut first);
    Cells::search(&mut first);
    first.found
}

/// The first pair that meets, of those considered so far.
struct First<'s> {
    vertices: &'s [DVec3],
    triangles: &'s [[u32; 3]],
    /// Those of the triangles, m.
    boxes: Vec<Bounds>,
    found: Option<[u32; 2]>,
}

impl First<'_> {
    /// Whether no pair of this triangle with a later one can come first.
    fn is_before(&self, triangle: u32) -> bool {
        self.found.is_some_and(|[first, _]| first < triangle)
    }

    /// Looks at a pair, unless one before it is known to meet.
    fn consider(&mut self, s: u32, t: u32) {
        let pair = [s.min(t), s.max(t)];
        let [i, j] = pair.map(|t| t as usize);
        if self.found.is_none_or(|found| pair < found)
            && self.boxes[i].overlaps(&self.boxes[j])
            && triangles_overlap(self.vertices, self.triangles[i], self.triangles[j])
        {
            self.found = Some(pair);
        }
    }
}

/// Whether two closed triangles have a common point. Neither may have its corners on one line.
pub fn triangles_intersect(s: [DVec3; 3], t: [DVec3; 3]) -> bool {
    if strictly_on_one_side(s, t) || strictly_on_one_side(t, s) {
        return false;
    }
    (0..3).any(|k| segment_meets_triangle(s[k], s[(k + 1) % 3], t))
        || (0..3).any(|k| segment_meets_triangle(t[k], t[(k + 1) % 3], s))
}

/// Whether two indexed triangles meet beyond their common vertices and edge. Indices must be in range, and neither triangle may have its
/// corners on one line.
pub fn triangles_overlap(vertices: &[DVec3], s: [u32; 3], t: [u32; 3]) -> bool {
    let at = |v: u32| vertices[v as usize];
    let common: Vec<usize> = (0..3).filter(|&k| t.contains(&s[k])).collect();
    match common[..] {
        [] => !certainly_apart(s.map(at), t.map(at)) && triangles_intersect(s.map(at), t.map(at)),
        [k] => {
            let Some(m) = t.iter().position(|&v| v == s[k]) else {
                return false;
            };
            let s_side = [at(s[(k + 1) % 3]), at(s[(k + 2) % 3])];
            let t_side = [at(t[(m + 1) % 3]), at(t[(m + 2) % 3])];
            !certainly_apart_from(at(s[k]), s_side, t_side)
                && (segment_meets_triangle(s_side[0], s_side[1], t.map(at))
                    || segment_meets_triangle(t_side[0], t_side[1], s.map(at)))
        }
        [k, m] => {
            let (Some(&apex_s), Some(&apex_t)) = (s.iter().find(|v| !t.contains(v)), t.iter().find(|v| !s.contains(v)))
            else {
                return true;
            };
            let (a, b, c, d) = (at(s[k]), at(s[m]), at(apex_s), at(apex_t));
            if orientation_3d(a, b, c, d) != 0.0 {
                return false;
            }
            let Some(axis) = projection_axis([a, b, c]) else {
                return true;
            };
            let [a, b, c, d] = [a, b, c, d].map(|p| project(p, axis));
            (orientation_2d(a, b, c) > 0.0) == (orientation_2d(a, b, d) > 0.0)
        }
        _ => true,
    }
}

/// Whether two triangles are separated along the line between their centroids by more than rounding error; `false` says
/// nothing.
fn certainly_apart(s: [DVec3; 3], t: [DVec3; 3]) -> bool {
    let direction = (t[0] + t[1] + t[2]) - (s[0] + s[1] + s[2]);
    let margin = ROUNDING * direction.abs().element_sum() * largest_coordinate(&s).max(largest_coordinate(&t));
    let s_high = s.map(|p| direction.dot(p - s[0])).into_iter().fold(f64::MIN, f64::max);
    let t_low = t.map(|p| direction.dot(p - s[0])).into_iter().fold(f64::MAX, f64::min);
    t_low - s_high > 2.0 * margin
}

/// Whether two triangles with a common vertex and these opposite sides are separated at that vertex by more than
/// rounding error; `false` says nothing. Tried are the lines between the middles of the opposite sides and between the
/// bisectors.
fn certainly_apart_from(vertex: DVec3, s_side: [DVec3; 2], t_side: [DVec3; 2]) -> bool {
    let (s, t) = (s_side.map(|p| p - vertex), t_side.map(|p| p - vertex));
    let largest = largest_coordinate(&[vertex]).max(largest_coordinate(&s_side)).max(largest_coordinate(&t_side));
    let separates = |direction: DVec3| {
        let margin = ROUNDING * direction.abs().element_sum() * largest;
        s.iter().all(|p| direction.dot(*p) < -margin) && t.iter().all(|p| direction.dot(*p) > margin)
    };
    let bisector = |side: [DVec3; 2]| (side[0].normalize_or_zero() + side[1].normalize_or_zero()).normalize_or_zero();
    separates((t[0] + t[1]) - (s[0] + s[1])) || separates(bisector(t) - bisector(s))
}

fn largest_coordinate(points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max)
}

/// Whether all corners of `s` are strictly on one side of the plane of `t`.
fn strictly_on_one_side(s: [DVec3; 3], [a, b, c]: [DVec3; 3]) -> bool {
    let side = s.map(|p| orientation_3d(a, b, c, p));
    side.iter().all(|&o| o > 0.0) || side.iter().all(|&o| o < 0.0)
}

/// Whether the closed segment `pq` and the closed triangle have a common point.
fn segment_meets_triangle(p: DVec3, q: DVec3, triangle: [DVec3; 3]) -> bool {
    let [a, b, c] = triangle;
    let (side_p, side_q) = (orientation_3d(a, b, c, p), orientation_3d(a, b, c, q));
    if (side_p > 0.0 && side_q > 0.0) || (side_p < 0.0 && side_q < 0.0) {
        return false;
    }
    if side_p == 0.0 && side_q == 0.0 {
        let Some(axis) = projection_axis(triangle) else {
            return true;
        };
        return plane_segment_meets_triangle(project(p, axis), project(q, axis), triangle.map(|v| project(v, axis)));
    }
    // The line pq crosses the plane in one point, which is in the triangle if the line passes all edges on one side.
    let passing = [orientation_3d(p, q, a, b), orientation_3d(p, q, b, c), orientation_3d(p, q, c, a)];
    !(passing.iter().any(|&o| o > 0.0) && passing.iter().any(|&o| o < 0.0))
}

fn plane_segment_meets_triangle(p: DVec2, q: DVec2, triangle: [DVec2; 3]) -> bool {
    let side = [0, 1, 2].map(|k| orientation_2d(triangle[k], triangle[(k + 1) % 3], p));
    let inside = !(side.iter().any(|&o| o > 0.0) && side.iter().any(|&o| o < 0.0));
    inside || (0..3).any(|k| segments_meet(p, q, triangle[k], triangle[(k + 1) % 3]))
}

fn segments_meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let crossed = |first: f64, second: f64| (first > 0.0 && second < 0.0) || (first < 0.0 && second > 0.0);
    let (a_side, b_side) = (orientation_2d(c, d, a), orientation_2d(c, d, b));
    let (c_side, d_side) = (orientation_2d(a, b, c), orientation_2d(a, b, d));
    if crossed(a_side, b_side) && crossed(c_side, d_side) {
        return true;
    }
    let between = |s: DVec2, t: DVec2, p: DVec2| s.min(t).cmple(p).all() && p.cmple(s.max(t)).all();
    (a_side == 0.0 && between(c, d, a))
        || (b_side == 0.0 && between(c, d, b))
        || (c_side == 0.0 && between(a, b, c))
        || (d_side == 0.0 && between(a, b, d))
}

#[cfg(test)]
mod tests {
    use dashu_ratio::Relaxed;
    use proptest::prelude::*;

    use super::*;

    type Exact = [Relaxed; 3];

    fn exact(p: DVec3) -> Exact {
        p.to_array().map(|x| Relaxed::try_from(x).unwrap())
    }

    fn minus(s: &Exact, t: &Exact) -> Exact {
        [0, 1, 2].map(|k| &s[k] - &t[k])
    }

    fn cross(s: &Exact, t: &Exact) -> Exact {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &s[i] * &t[j] - &s[j] * &t[i])
    }

    fn dot(s: &Exact, t: &Exact) -> Relaxed {
        &s[0] * &t[0] + &s[1] * &t[1] + &s[2] * &t[2]
    }

    /// Two convex polygons, segments included, are apart exactly when a plane separates them strictly; its normal can
    /// be a normal of one, a cross product of their edges, or in the plane of one and across an edge of either.
    fn apart(s: &[Exact], t: &[Exact]) -> bool {
        let edges = |p: &[Exact]| (0..p.len()).map(|k| minus(&p[(k + 1) % p.len()], &p[k])).collect::<Vec<_>>();
        let (s_edges, t_edges) = (edges(s), edges(t));
        let normals = [cross(&s_edges[0], &s_edges[1]), cross(&t_edges[0], &t_edges[1])];
        let mut axes = normals.to_vec();
        for e in &s_edges {
            axes.extend(t_edges.iter().map(|f| cross(e, f)));
        }
        for e in s_edges.iter().chain(&t_edges) {
            axes.extend(normals.iter().map(|n| cross(n, e)));
        }
        axes.iter().any(|axis| {
            let extent = |p: &[Exact]| {
                let heights: Vec<Relaxed> = p.iter().map(|corner| dot(axis, corner)).collect();
                (heights.iter().min().unwrap().clone(), heights.iter().max().unwrap().clone())
            };
            let ((s_low, s_high), (t_low, t_high)) = (extent(s), extent(t));
            s_high < t_low || t_high < s_low
        })
    }

    /// Points on a coarse lattice, exact or rounded, so that touching and nearly touching triangles are common.
    fn lattice_points<const N: usize>() -> impl Strategy<Value = [DVec3; N]> {
        let spacing = prop_oneof![Just(1.0), Just(0.1), Just(1.0 / 3.0)];
        let point = prop::array::uniform3(-2..=2_i32);
        (spacing, prop::collection::vec(point, N)).prop_map(|(spacing, points)| {
            std::array::from_fn(|k| spacing * DVec3::from_array(points[k].map(f64::from)))
        })
    }

    fn has_area(t: &[DVec3]) -> bool {
        projection_axis([t[0], t[1], t[2]]).is_some()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn separate_triangles_agree_with_exact_separation(p in lattice_points::<6>()) {
            prop_assume!(has_area(&p[..3]) && has_area(&p[3..]));
            let expected = !apart(&p[..3].iter().map(|&v| exact(v)).collect::<Vec<_>>(),
                &p[3..].iter().map(|&v| exact(v)).collect::<Vec<_>>());
            prop_assert_eq!(triangles_intersect([p[0], p[1], p[2]], [p[3], p[4], p[5]]), expected);
            prop_assert_eq!(triangles_intersect([p[5], p[4], p[3]], [p[1], p[2], p[0]]), expected);
            prop_assert_eq!(triangles_overlap(&p, [0, 1, 2], [3, 4, 5]), expected);
        }

        /// Two triangles at the origin meet beyond it exactly when the side of one opposite to it meets the other
        /// drawn out far along its two sides.
        #[test]
        fn triangles_at_a_common_vertex_agree_with_exact_separation(p in lattice_points::<4>()) {
            let vertices = [DVec3::ZERO, p[0], p[1], p[2], p[3]];
            prop_assume!(has_area(&[DVec3::ZERO, p[0], p[1]]) && has_area(&[DVec3::ZERO, p[2], p[3]]));
            let far = Relaxed::from(1_000_000);
            let drawn_out = |v: DVec3| exact(v).map(|x| x * &far);
            let cone = [exact(DVec3::ZERO), drawn_out(p[2]), drawn_out(p[3])];
            let expected = !apart(&[exact(p[0]), exact(p[1])], &cone);
            prop_assert_eq!(triangles_overlap(&vertices, [0, 1, 2], [3, 4, 0]), expected);
            prop_assert_eq!(triangles_overlap(&vertices, [4, 3, 0], [2, 0, 1]), expected);
        }

        /// Two triangles at a common edge overlap exactly when one has a point of the other's inside.
        #[test]
        fn triangles_at_a_common_edge_agree_with_exact_separation(p in lattice_points::<4>()) {
            prop_assume!(has_area(&[p[0], p[1], p[2]]) && has_area(&[p[0], p[1], p[3]]));
            // Near the middle of the edge each triangle looks like a half plane: a point just inside one of them.
            let (edge, c, d) = (minus(&exact(p[1]), &exact(p[0])), exact(p[2]), exact(p[3]));
            let (c, d) = (minus(&c, &exact(p[0])), minus(&d, &exact(p[0])));
            let (n, m) = (cross(&edge, &c), cross(&edge, &d));
            let parallel = cross(&n, &m).iter().all(|x| *x == Relaxed::ZERO);
            let expected = parallel && dot(&n, &m) > Relaxed::ZERO;
            prop_assert_eq!(triangles_overlap(&p, [0, 1, 2], [1, 0, 3]), expected);
            prop_assert_eq!(triangles_overlap(&p, [3, 0, 1], [0, 1, 2]), expected);
        }

        #[test]
        fn the_search_finds_what_all_pairs_find(
            p in prop::collection::vec(prop::array::uniform3(-20..=20_i32), 14),
            corners in prop::collection::vec(prop::array::uniform3(0..14_u32), 1..14),
        ) {
            let vertices: Vec<DVec3> = p.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
            let triangles: Vec<[u32; 3]> = corners
                .into_iter()
                .filter(|t| has_area(&t.map(|v| vertices[v as usize])))
                .collect();
            prop_assert_eq!(first_self_intersection(&vertices, &triangles), first_of_all_pairs(&vertices, &triangles));
        }
    }

    /// By comparing every triangle with every later one.
    fn first_of_all_pairs(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Option<[u32; 2]> {
        let n = triangles.len();
        let mut all = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
        let first = all.find(|&[i, j]| triangles_overlap(vertices, triangles[i], triangles[j]));
        first.map(|pair| pair.map(|i| i as u32))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// Small triangles, long thin ones of one direction, and such round a common vertex, so many that cells are cut and arcs are looked
        /// up in a tree; turned, so that the axes are turned as well.
        #[test]
        fn the_search_finds_what_all_pairs_find_of_many(
            places in prop::collection::vec(prop::array::uniform3(-60..=60_i32), 30..200),
            sides in prop::collection::vec(prop::array::uniform2(prop::array::uniform3(-4..=4_i32)), 200),
            kinds in prop::collection::vec(0..3_usize, 200),
            only in prop::option::of(0..3_usize),
        ) {
            let turn = glam::DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.7));
            let point = |p: [i32; 3]| DVec3::from_array(p.map(f64::from));
            let mut vertices = vec![DVec3::ZERO];
            let mut triangles = Vec::new();
            for ((&place, side), &kind) in places.iter().zip(&sides).zip(&kinds) {
                let first = vertices.len() as u32;
                let (place, [d, e]) = (point(place), side.map(point));
                let along = if only.unwrap_or(kind) == 1 { DVec3::new(150.0, 0.0, 0.0) } else { DVec3::ZERO };
                vertices.extend([place, place + 0.1 * d, place + along + 0.1 * e].map(|p| turn * p));
                let apex = if only.unwrap_or(kind) == 2 { 0 } else { first + 2 };
                let triangle = [first, first + 1, apex];
                if has_area(&triangle.map(|v| vertices[v as usize])) {
                    triangles.push(triangle);
                }
            }
            prop_assert_eq!(first_self_intersection(&vertices, &triangles), first_of_all_pairs(&vertices, &triangles));
        }
    }

    #[test]
    fn repeated_triangles_overlap() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(first_self_intersection(&vertices, &[[0, 1, 2], [2, 1, 0]]), Some([0, 1]));
    }
}
