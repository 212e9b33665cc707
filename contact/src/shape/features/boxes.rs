//! A tree of boxes around facets, in the body frame, and the pairs of facets that may touch at given poses: their boxes
//! are near, and they look towards each other. Each node bounds the normals of its facets and of those around them by a
//! cone.

mod opposite;

use glam::{DMat3, DVec3};

pub(super) use opposite::Directions;

use super::cone::{Angle, Cone};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::query::box_hierarchy::BoxHierarchy;
use crate::shape::separating_axes::CentredBox;
use crate::sorting::CompactSort;

/// A node: a box, a cone, and either a facet or two children.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    centre: DVec3,
    half: DVec3,
    normals: Cone,
    /// The left child; the right one is at `right`. A leaf has its facet in `right` and `u32::MAX` here.
    left: u32,
    right: u32,
}

const LEAF: u32 = u32::MAX;

impl Node {
    fn centred_box(&self) -> CentredBox {
        (self.centre, self.half)
    }
}

/// A tree is no deeper: it halves its leaves, whose numbers have 32 bits.
const DEEPEST: usize = 40;

/// A tree of boxes, root first.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTree {
    nodes: Vec<Node>,
    /// The place of each leaf.
    leaves: Vec<u32>,
    /// No corner of a leaf's box is farther from the origin, m.
    reach: f64,
}

/// Where the frame of B is in the frame of A.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Turns B's frame into A's.
    pub rotation: DMat3,
    /// The origin of B's frame, m.
    pub translation: DVec3,
}

impl Placement {
    /// Of two shapes at poses in the world.
    pub fn of(a: &Pose, b: &Pose) -> Self {
        let relative = a.inverse() * *b;
        Self { rotation: DMat3::from_quat(relative.rotation), translation: relative.translation }
    }

    /// A point of B's frame in A's.
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }

    /// A direction of B's frame in A's.
    pub fn direction(&self, d: DVec3) -> DVec3 {
        self.rotation * d
    }

    /// A point of A's frame in B's.
    pub fn inverse_point(&self, p: DVec3) -> DVec3 {
        self.rotation.transpose() * (p - self.translation)
    }

    /// A direction of A's frame in B's.
    pub fn inverse_direction(&self, d: DVec3) -> DVec3 {
        self.rotation.transpose() * d
    }
}

impl BoxTree {
    /// A tree over boxes (lower and upper corner, m), split at the median of the longest side. The cone of a leaf holds
    /// the normals of all its features.
    pub fn new(boxes: impl Iterator<Item = ((DVec3, DVec3), Cone)>) -> Self {
        let mut leaves: Vec<Node> = (0..)
            .zip(boxes)
            .map(|(i, ((low, high), normals))| Node {
                normals,
                centre: 0.5 * (low + high),
                half: 0.5 * (high - low),
                left: LEAF,
                right: i,
            })
            .collect();
        let mut nodes = Vec::with_capacity(2 * leaves.len());
        let mut places = vec![0; leaves.len()];
        if !leaves.is_empty() {
            build(&mut leaves, &mut nodes, &mut places);
            widen(&mut nodes);
        }
        let farthest = |leaf: &Node| (leaf.centre.abs() + leaf.half).length();
        let reach = leaves.iter().map(farthest).fold(0.0, f64::max);
        Self { nodes, leaves: places, reach }
    }

    /// A tree over the triangles of a surface (vertices in m) for boxes alone: cones hold all directions.
    pub fn of_triangles(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let leaf = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            ((a.min(b).min(c), a.max(b).max(c)), Cone::every_direction())
        };
        Self::new(triangles.iter().map(leaf))
    }

    /// How far the boxes of the two whole shapes overlap, in the frame in which they overlap least, m; negative if they
    /// are apart.
    pub fn overlap(&self, other: &BoxTree, placement: &Placement) -> f64 {
        let (Some(a), Some(b)) = (self.nodes.first(), other.nodes.first()) else { return f64::NEG_INFINITY };
        -Frames::of(placement).gap(a, b)
    }

    /// Calls `visit` with the leaves whose boxes overlap a box along the axes of the tree (lower and upper corner, m), in no order that means
    /// anything.
    pub fn leaves_within(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(u32)) {
        let mut stack = [0_u32; DEEPEST];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let node = &self.nodes[stack[depth] as usize];
            let is_apart = (node.centre - node.half).cmpgt(high).any() || (node.centre + node.half).cmplt(low).any();
            match (is_apart, node.left) {
                (true, _) => {}
                (false, LEAF) => visit(node.right),
                (false, left) => {
                    stack[depth] = node.right;
                    stack[depth + 1] = left;
                    depth += 2;
                }
            }
        }
    }

    /// The box around all; `None` if there is nothing.
    pub fn whole(&self) -> Option<CentredBox> {
        self.nodes.first().map(Node::centred_box)
    }

    /// Calls `visit` with the pairs of a leaf of A and one of B whose boxes pass a test that all boxes around them pass, in no order that
    /// means anything.
    pub fn pairs_by(
        &self,
        other: &BoxTree,
        is_near: impl Fn(&CentredBox, &CentredBox) -> bool,
        mut visit: impl FnMut((u32, u32), &CentredBox, &CentredBox),
    ) {
        let mut stack = [(0_u32, 0_u32); 2 * DEEPEST];
        let mut depth = usize::from(!self.nodes.is_empty() && !other.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let (i, j) = stack[depth];
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            let (own, others) = (a.centred_box(), b.centred_box());
            if !is_near(&own, &others) {
                continue;
            }
            match children(a, b, i, j) {
                Some(pairs) => {
                    stack[depth..depth + 2].copy_from_slice(&pairs);
                    depth += 2;
                }
                None => visit((a.right, b.right), &own, &others),
            }
        }
    }

    /// How far a box along the axes of the tree (lower and upper corner, m) is from the nearest box of a leaf: no more than `most`; not above
    /// zero where they overlap.
    pub fn apart_from_box(&self, low: DVec3, high: DVec3, most: f64) -> f64 {
        let mut apart = most;
        let mut stack = [0_u32; DEEPEST];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let node = &self.nodes[stack[depth] as usize];
            let gap = (node.centre - node.half - high).max(low - node.centre - node.half).max_element();
            match (gap < apart, node.left) {
                (false, _) => {}
                (true, LEAF) => apart = gap,
                (true, left) => {
                    stack[depth] = node.right;
                    stack[depth + 1] = left;
                    depth += 2;
                }
            }
        }
        apart
    }

    /// Whether any two leaves whose boxes are no farther apart than a distance (m) pass a test.
    pub fn is_any_near(
        &self,
        other: &BoxTree,
        placement: &Placement,
        distance: f64,
        mut test: impl FnMut(u32, u32) -> bool,
    ) -> bool {
        let is_empty = self.nodes.is_empty() || other.nodes.is_empty();
        !is_empty && self.is_any_near_below((0, 0), other, &Frames::of(placement), distance, &mut test)
    }

    fn is_any_near_below(
        &self,
        (i, j): (u32, u32),
        other: &BoxTree,
        frames: &Frames,
        distance: f64,
        test: &mut impl FnMut(u32, u32) -> bool,
    ) -> bool {
        let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
        frames.are_near(a, b, distance)
            && match children(a, b, i, j) {
                Some([last, first]) => {
                    [first, last].into_iter().any(|pair| self.is_any_near_below(pair, other, frames, distance, test))
                }
                None => test(a.right, b.right),
            }
    }

    /// A distance by which all leaves are apart: no more than the first of two (m), and `None` if it is not above the second. `leaves` says
    /// how far two leaves are apart, given that and how far their boxes are.
    pub fn apart(
        &self,
        other: &BoxTree,
        placement: &Placement,
        [most, least]: [f64; 2],
        mut leaves: impl FnMut([u32; 2], [f64; 2]) -> f64,
    ) -> Option<f64> {
        let mut distance = most;
        if !self.nodes.is_empty() && !other.nodes.is_empty() {
            self.apart_below((0, 0), other, &Frames::of(placement), (&mut distance, least), &mut leaves);
        }
        (distance > least).then_some(distance)
    }

    /// The same of some pairs of leaves.
    pub fn leaves_apart(
        &self,
        other: &BoxTree,
        placement: &Placement,
        pairs: &[(u32, u32)],
        [most, least]: [f64; 2],
        leaves: impl Fn([u32; 2], [f64; 2]) -> f64,
    ) -> Option<f64> {
        let frames = Frames::of(placement);
        pairs.iter().try_fold(most, |distance, &(f, g)| {
            let gap = frames.gap(self.leaf(f), other.leaf(g));
            let distance = if gap < distance { distance.min(leaves([f, g], [distance, gap])) } else { distance };
            (distance > least).then_some(distance)
        })
    }

    /// Lowers a distance to what the leaves below a pair of nodes leave of it, or to the least one at once.
    fn apart_below(
        &self,
        (i, j): (u32, u32),
        other: &BoxTree,
        frames: &Frames,
        (distance, least): (&mut f64, f64),
        leaves: &mut impl FnMut([u32; 2], [f64; 2]) -> f64,
    ) {
        let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
        let gap = frames.gap(a, b);
        if gap >= *distance || *distance <= least {
            return;
        }
        match children(a, b, i, j) {
            Some([last, first]) => {
                self.apart_below(first, other, frames, (distance, least), leaves);
                self.apart_below(last, other, frames, (distance, least), leaves);
            }
            None => *distance = distance.min(leaves([a.right, b.right], [*distance, gap])),
        }
    }

    /// Appends all pairs (leaf of A, leaf of B) whose boxes are no farther apart than the margin (m), and whose cones
    /// have opposite directions up to the tolerance (rad). The stack is scratch space.
    pub fn near_pairs(
        &self,
        other: &BoxTree,
        placement: &Placement,
        (margin, tolerance): (f64, f64),
        stack: &mut Vec<(u32, u32)>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let (frames, tolerance) = (Frames::of(placement), Angle::new(tolerance));
        stack.clear();
        if !self.nodes.is_empty() && !other.nodes.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if !frames.are_near(a, b, margin) || !frames.are_facing((&a.normals, &b.normals), &tolerance) {
                continue;
            }
            match children(a, b, i, j) {
                Some(children) => stack.extend(children),
                None => pairs.push((a.right, b.right)),
            }
        }
    }
}

impl BoxTree {
    /// Whether the boxes of a leaf of A and one of B are no farther apart than a distance, m.
    pub(super) fn are_near(&self, other: &BoxTree, (f, g): (u32, u32), frames: &Frames, distance: f64) -> bool {
        frames.are_near(self.leaf(f), other.leaf(g), distance)
    }

    /// The same for leaves whose cones have opposite directions up to a tolerance as well, rad.
    pub(super) fn are_facing(
        &self,
        other: &BoxTree,
        (f, g): (u32, u32),
        frames: &Frames,
        (margin, tolerance): (f64, &Angle),
    ) -> bool {
        let (a, b) = (self.leaf(f), other.leaf(g));
        frames.are_near(a, b, margin) && frames.are_facing((&a.normals, &b.normals), tolerance)
    }

    /// No corner of the box of a leaf is farther from the origin, m.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// The box of a leaf.
    pub fn leaf_box(&self, number: u32) -> CentredBox {
        self.leaf(number).centred_box()
    }

    fn leaf(&self, number: u32) -> &Node {
        &self.nodes[self.leaves[number as usize] as usize]
    }
}

/// Leaves are known by their numbers.
impl BoxHierarchy for BoxTree {
    type Node = u32;
    type Item = u32;

    fn root(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(0)
    }

    fn bounds(&self, node: u32) -> Bounds {
        let node = &self.nodes[node as usize];
        Bounds { low: node.centre - node.half, high: node.centre + node.half }
    }

    fn below(&self, node: u32) -> impl Iterator<Item = u32> {
        let Node { left, right, .. } = self.nodes[node as usize];
        (left != LEAF).then_some([left, right]).into_iter().flatten()
    }

    fn items(&self, node: u32) -> impl Iterator<Item = u32> {
        let Node { left, right, .. } = self.nodes[node as usize];
        (left == LEAF).then_some(right).into_iter()
    }
}

/// The frames of two shapes in each other.
pub(super) struct Frames {
    /// B's frame in A's.
    placement: Placement,
    /// Turns A's frame into B's.
    inverse: DMat3,
    /// The absolute values of both rotations: how far a box of B reaches in A's frame, and one of A in B's.
    spreads: [DMat3; 2],
}

impl Frames {
    pub fn of(placement: &Placement) -> Self {
        let rotation = placement.rotation;
        let spread = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        Self { placement: *placement, inverse: rotation.transpose(), spreads: [spread, spread.transpose()] }
    }

    /// Whether two cones have opposite directions up to a tolerance.
    #[inline]
    fn are_facing(&self, (a, b): (&Cone, &Cone), tolerance: &Angle) -> bool {
        a.is_facing(b, self.placement.direction(b.axis), tolerance)
    }

    /// Whether the boxes of two nodes are no farther apart than a distance, m, as the frame of A sees them and as that of B does.
    #[inline]
    fn are_near(&self, a: &Node, b: &Node, distance: f64) -> bool {
        let between = self.between(a, b);
        between.abs().cmple(a.half + self.spreads[0] * b.half + distance).all()
            && (self.inverse * between).abs().cmple(b.half + self.spreads[1] * a.half + distance).all()
    }

    /// From the centre of a node of A to that of one of B, in the frame of A.
    #[inline]
    fn between(&self, a: &Node, b: &Node) -> DVec3 {
        self.placement.point(b.centre) - a.centre
    }

    /// How far they are apart along the axes of both frames, m; negative if they overlap.
    #[inline]
    fn gap(&self, a: &Node, b: &Node) -> f64 {
        let between = self.between(a, b);
        let in_a = between.abs() - (a.half + self.spreads[0] * b.half);
        let in_b = (self.inverse * between).abs() - (b.half + self.spreads[1] * a.half);
        in_a.max(in_b).max_element()
    }
}

/// The pairs of nodes below a pair, the last one to be looked at first; none below two leaves.
fn children(a: &Node, b: &Node, i: u32, j: u32) -> Option<[(u32, u32); 2]> {
    if a.left != LEAF && (b.left == LEAF || a.half.max_element() >= b.half.max_element()) {
        Some([(a.right, j), (a.left, j)])
    } else if b.left != LEAF {
        Some([(i, b.right), (i, b.left)])
    } else {
        None
    }
}

/// Appends the subtree over `leaves` and returns its root.
fn build(leaves: &mut [Node], nodes: &mut Vec<Node>, places: &mut [u32]) -> u32 {
    let root = nodes.len() as u32;
    if let [leaf] = leaves {
        nodes.push(*leaf);
        places[leaf.right as usize] = root;
        return root;
    }
    let low = leaves.iter().fold(DVec3::INFINITY, |m, l| m.min(l.centre - l.half));
    let high = leaves.iter().fold(DVec3::NEG_INFINITY, |m, l| m.max(l.centre + l.half));
    let axis = (high - low).max_position();
    leaves.compact_sort_by(|a, b| a.centre[axis].total_cmp(&b.centre[axis]).then(a.right.cmp(&b.right)));
    let normals = leaves.iter().map(|l| l.normals).reduce(Cone::around).unwrap_or(leaves[0].normals);
    nodes.push(Node { centre: 0.5 * (low + high), half: 0.5 * (high - low), normals, left: 0, right: 0 });
    let (left, right) = leaves.split_at_mut(leaves.len() / 2);
    let left = build(left, nodes, places);
    let right = build(right, nodes, places);
    nodes[root as usize].left = left;
    nodes[root as usize].right = right;
    root
}

/// Inner nodes are wider than what is below them by this share of the coordinates, and their cones by this angle (rad): rounding makes them leave
/// out no leaves that are near by themselves.
const WIDER: [f64; 2] = [1e-12, 1e-9];

fn widen(nodes: &mut [Node]) {
    let largest = nodes.first().map_or(0.0, |root| (root.centre.abs() + root.half).max_element());
    for node in nodes.iter_mut().filter(|node| node.left != LEAF) {
        node.half += WIDER[0] * largest;
        node.normals = node.normals.widened(WIDER[1]);
    }
}
