//! A tree of boxes over triangles: what a turned box, a segment or a point is near.
//!
//! Boxes along the axes, split at the median of the longest side (Ericson, "Real-Time Collision Detection", 6.2), in one
//! array in preorder with the place behind each subtree, so that a query needs no stack (Smits, "Efficiency issues for ray
//! tracing", 1998); the query for the closest point goes to the nearer child first and has one of fixed size. Every test is
//! widened by the rounding of coordinates: what an exact test would find is visited.
//!
//! The tree of parry3d was not taken: its stacks move to the heap where trees are deep, and its ray test has no margin.

mod cast;
mod hierarchy;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::triangle::{BoxQuery, ClosestPoint, closest_of_triangle};
use super::{OrientedBox, ROUNDING};
use crate::bounds::Bounds;
use crate::sorting::CompactSort;

/// A leaf has no more triangles.
const LEAF: usize = 2;

/// Nodes that wait in the query for the closest point: one for each level, and one. The median halves the triangles, which
/// are numbered by 32 bits, so that there are no more than 32 levels.
const STACK: usize = 64;

/// A node: its left child follows it, its right child follows the left one's subtree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Of the box, m.
    centre: DVec3,
    /// Half the sides of the box, m.
    half: DVec3,
    /// Where the next node that is not below this one stands.
    next: u32,
    /// The first triangle of a leaf.
    first: u32,
    /// How many triangles; none in an inner node.
    count: u32,
}

/// A triangle and its number in the list that the tree was made from.
#[derive(Clone, Copy, Debug)]
struct Member {
    corners: [DVec3; 3],
    number: u32,
}

/// A tree over triangles.
#[derive(Clone, Debug)]
pub struct TriangleTree {
    nodes: Vec<Node>,
    members: Vec<Member>,
    bounds: Bounds,
    /// The largest magnitude of a coordinate, m.
    size: f64,
}

/// The point of all triangles that is closest to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The number of the triangle; the lowest of those equally close.
    pub triangle: u32,
    /// The point.
    pub point: ClosestPoint,
}

impl TriangleTree {
    /// A tree over triangles by the positions of their corners (m), which must be finite, in the order of their numbers.
    /// Nothing is near a tree without triangles.
    pub fn new(triangles: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let mut members: Vec<Member> =
            (0..).zip(triangles).map(|(number, corners)| Member { corners, number }).collect();
        let empty = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        let bounds = Bounds::around(members.iter().flat_map(|m| m.corners)).unwrap_or(empty);
        let mut nodes = Vec::with_capacity(2 * members.len());
        if !members.is_empty() {
            build(&mut members, 0, &mut nodes);
        }
        Self { nodes, members, bounds, size: bounds.largest_finite_coordinate() }
    }

    /// The smallest box around all triangles along the axes, m; its lower corner is above its upper one if there are none.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether a triangle may meet a turned box: `false` is certain, `true` is wrong only where no triangle is nearer than
    /// [`TriangleTree::slack`].
    pub fn may_meet(&self, turned: &OrientedBox) -> bool {
        let query = BoxQuery::new(turned, turned.rounding(self.size));
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if query.is_apart_from_box(node.centre, node.half) {
                at = node.next as usize;
                continue;
            }
            if self.leaf(node).iter().any(|m| !query.is_apart_from_triangle(m.corners)) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// How near a triangle is, m, to a box of this radius (m) that [`TriangleTree::may_meet`].
    pub fn slack(&self, radius: f64) -> f64 {
        // The margin is at most that of a centre one radius off the triangles, on each of three axes, and once more for the
        // test itself.
        4.0 * ROUNDING * (self.size + 2.0 * radius)
    }

    /// Visits every triangle that meets a segment, and some that are near it: its number and corners.
    pub fn along_segment(&self, from: DVec3, to: DVec3, mut visit: impl FnMut(u32, [DVec3; 3])) {
        let (middle, half) = (from.midpoint(to), 0.5 * (to - from));
        let spread = half.abs();
        let margin = self.margin(from).max(self.margin(to));
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let (between, side) = (node.centre - middle, node.half + margin);
            // The axes of the box, and the cross products of those with the segment.
            let across = DVec3::new(
                side.y * spread.z + side.z * spread.y,
                side.z * spread.x + side.x * spread.z,
                side.x * spread.y + side.y * spread.x,
            );
            if between.abs().cmpgt(side + spread).any() || between.cross(half).abs().cmpgt(across).any() {
                at = node.next as usize;
                continue;
            }
            for member in self.leaf(node) {
                visit(member.number, member.corners);
            }
            at += 1;
        }
    }

    /// The closest point of all triangles, exact up to rounding. `None` of a point that is not finite, or is too far away
    /// for the square of its distance.
    pub fn closest(&self, point: DVec3) -> Option<Closest> {
        let mut best: Option<Closest> = None;
        let mut least = f64::INFINITY;
        // Nodes with the squares of the distances of their boxes, m².
        let mut stack = ArrayVec::<(u32, f64), STACK>::new();
        stack.extend((!self.nodes.is_empty()).then_some((0, 0.0)));
        'waiting: while let Some((mut at, bound)) = stack.pop() {
            if bound > least {
                continue;
            }
            // Down to a leaf by the nearer children; the farther ones wait.
            let mut node = &self.nodes[at as usize];
            while node.count == 0 {
                let (left, right) = (at + 1, self.nodes[at as usize + 1].next);
                let one = (left, self.nodes[left as usize].squared_distance(point));
                let other = (right, self.nodes[right as usize].squared_distance(point));
                let [near, far] = if other.1 < one.1 { [other, one] } else { [one, other] };
                if near.1 > least {
                    continue 'waiting;
                }
                if far.1 <= least {
                    stack.push(far);
                }
                at = near.0;
                node = &self.nodes[at as usize];
            }
            for member in self.leaf(node) {
                let found = closest_of_triangle(point, member.corners);
                let is_lower = || best.is_some_and(|best| member.number < best.triangle);
                if found.squared < least || found.squared == least && is_lower() {
                    least = found.squared;
                    best = Some(Closest { triangle: member.number, point: found });
                }
            }
        }
        best
    }

    /// How far computed coordinates of a point and of the triangles may be off, m.
    pub fn margin(&self, point: DVec3) -> f64 {
        ROUNDING * point.abs().max_element().max(self.size)
    }

    fn leaf(&self, node: &Node) -> &[Member] {
        &self.members[node.first as usize..(node.first + node.count) as usize]
    }
}

impl Node {
    /// From a point to the box, m².
    #[inline]
    fn squared_distance(&self, point: DVec3) -> f64 {
        ((point - self.centre).abs() - self.half).max(DVec3::ZERO).length_squared()
    }
}

/// Appends the subtree over `members`, the first of which has this place among all, and brings them in its order.
fn build(members: &mut [Member], first: u32, nodes: &mut Vec<Node>) {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for corner in members.iter().flat_map(|m| m.corners) {
        (low, high) = (low.min(corner), high.max(corner));
    }
    let at = nodes.len();
    let is_leaf = members.len() <= LEAF;
    let count = if is_leaf { members.len() as u32 } else { 0 };
    nodes.push(Node { centre: low.midpoint(high), half: 0.5 * (high - low), next: 0, first, count });
    if !is_leaf {
        let axis = (high - low).max_position();
        let centre = |m: &Member| m.corners[0][axis] + m.corners[1][axis] + m.corners[2][axis];
        members.compact_sort_by(|m, n| centre(m).total_cmp(&centre(n)).then(m.number.cmp(&n.number)));
        let (left, right) = members.split_at_mut(members.len() / 2);
        let middle = first + left.len() as u32;
        build(left, first, nodes);
        build(right, middle, nodes);
    }
    nodes[at].next = nodes.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;
    use crate::solid::laws::{turned_box, vector};
    use crate::split_mix::SplitMix;

    fn triangles(scale: f64) -> Vec<[DVec3; 3]> {
        let (vertices, triangles) = sample::sphere(true, 2);
        triangles.iter().map(|t| t.map(|v| scale * (vertices[v as usize] + DVec3::X))).collect()
    }

    #[test]
    fn queries_find_what_a_loop_over_all_triangles_finds() {
        for scale in [1e-6, 1.0, 1e6] {
            let all = triangles(scale);
            let tree = TriangleTree::new(all.iter().copied());
            let mut random = SplitMix::new(21);
            let mut met = 0;
            for case in 0..1000 {
                let turned = turned_box(&mut random, scale * DVec3::X, scale);
                let query = BoxQuery::new(&turned, turned.rounding(tree.size));
                let any = all.iter().any(|&t| !query.is_apart_from_triangle(t));
                assert_eq!(tree.may_meet(&turned), any, "case {case}");
                met += u32::from(any);

                let point = scale * (DVec3::X + 2.0 * vector(&mut random));
                let found = tree.closest(point).unwrap();
                let nearest = all.iter().map(|&t| closest_of_triangle(point, t).squared).fold(f64::INFINITY, f64::min);
                assert!((found.point.squared / nearest - 1.0).abs() <= 1e-9, "case {case}");
                assert_eq!(found.point, closest_of_triangle(point, all[found.triangle as usize]));

                // Through a corner, the middle of a side and the middle of a triangle: those must be visited.
                let number = random.next_below(all.len());
                let [a, b, c] = all[number];
                let through = [a, a.midpoint(b), (a + b + c) / 3.0][case % 3];
                let way = scale * vector(&mut random);
                let (from, to) = if case % 2 == 0 { (through - way, through + way) } else { (through, through + way) };
                let mut visited = Vec::new();
                tree.along_segment(from, to, |number, corners| {
                    assert_eq!(corners, all[number as usize]);
                    visited.push(number);
                });
                assert!(visited.contains(&(number as u32)), "case {case}");
                assert!(visited.len() < all.len() / 2, "case {case}: {}", visited.len());
            }
            assert!((100..900).contains(&met), "{met}");
        }
    }

    #[test]
    fn useless_questions_have_an_answer() {
        let none = TriangleTree::new(std::iter::empty());
        assert_eq!(none.closest(DVec3::ZERO), None);
        assert!(!none.may_meet(&OrientedBox::aligned(&Bounds { low: DVec3::NEG_ONE, high: DVec3::ONE })));
        none.along_segment(DVec3::ZERO, DVec3::ONE, |_, _| panic!("there is no triangle"));
        let tree = TriangleTree::new(triangles(1.0).into_iter());
        assert_eq!(tree.closest(DVec3::NAN), None);
        assert_eq!(tree.closest(DVec3::INFINITY), None);
        tree.along_segment(DVec3::NAN, DVec3::NAN, |_, _| {});
        let nowhere = OrientedBox { centre: DVec3::NAN, axes: glam::DMat3::IDENTITY, half: DVec3::ONE };
        assert!(tree.may_meet(&nowhere));
        let everywhere = OrientedBox { centre: DVec3::ZERO, axes: glam::DMat3::IDENTITY, half: DVec3::INFINITY };
        assert!(tree.may_meet(&everywhere));
    }

    #[test]
    fn a_tree_over_many_equal_triangles_is_shallow() {
        let one = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let tree = TriangleTree::new(std::iter::repeat_n(one, 5000));
        assert_eq!(tree.closest(DVec3::splat(0.2)).unwrap().triangle, 0);
        assert!(tree.nodes.len() < 10_000);
    }
}
