//! Parts of patches in a tree of boxes.
//!
//! Every patch is cut until its parts are nearly flat. What meets a box is then found among few of them.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::bounds::Bounds;
use crate::solid::OrientedBox;
use crate::solid::bezier::net::{Net, Part};
use crate::solid::bezier::patch::BezierPatch;
use crate::sorting::CompactSort;

/// Cuts of a patch at most.
const LEVELS: u32 = 6;

/// A part whose hull is nearer to it than this share of its extent is not cut.
const FLAT: f64 = 1.0 / 16.0;

/// Nodes that wait at most: a tree is no deeper than the logarithm of its leaves.
const DEPTH: usize = 64;

/// A part of a patch.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The part as a patch of its own.
    pub surface: BezierPatch,
    pub patch: usize,
    /// Which part it is.
    pub part: Part,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The first of two nodes, or a leaf.
    first: u32,
    is_leaf: bool,
}

/// A tree of the parts of patches.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    leaves: Vec<Leaf>,
    nodes: Vec<Node>,
    /// How thick the hulls of parts are, over the squared extent of the part: the largest, 1/m.
    pub curvature: f64,
}

impl Tree {
    pub fn new(patches: &[BezierPatch]) -> Self {
        let mut leaves = Vec::new();
        let mut curvature = 0.0_f64;
        for (index, patch) in patches.iter().enumerate() {
            let mut waiting = vec![(Part::WHOLE, 0)];
            while let Some((part, level)) = waiting.pop() {
                let net = Net::of_part(patch, &part);
                let points = net.projected();
                let shape = net.shape(&points);
                let surface = BezierPatch::of_points(net.degrees, net.points.to_vec());
                let extent = surface.extent();
                if level < LEVELS && shape.error > FLAT * extent {
                    let [first, second] = part.halves(shape.cut(&part));
                    waiting.extend([(second, level + 1), (first, level + 1)]);
                    continue;
                }
                if extent > 0.0 {
                    curvature = curvature.max(shape.thickness / (extent * extent));
                }
                leaves.push(Leaf { surface, patch: index, part });
            }
        }
        let bounds: Vec<_> = leaves.iter().map(|leaf| around(&leaf.surface)).collect();
        let mut order: Vec<u32> = (0..leaves.len() as u32).collect();
        let mut nodes = vec![Node { bounds: bounds[0], first: 0, is_leaf: true }];
        fill(&mut nodes, 0, &mut order, &bounds);
        Self { leaves, nodes, curvature }
    }

    /// The box around all control points of the parts.
    pub fn bounds(&self) -> Bounds {
        self.nodes[0].bounds
    }

    /// Calls `look` with every leaf whose box meets a turned box, until it says that this is enough. Returns whether it did.
    pub fn visit(&self, turned: &OrientedBox, mut look: impl FnMut(&Leaf) -> bool) -> bool {
        let reach = turned.bounds();
        let mut waiting = ArrayVec::<u32, DEPTH>::new();
        waiting.push(0);
        while let Some(index) = waiting.pop() {
            let node = self.nodes[index as usize];
            if !reach.overlaps(&node.bounds) || is_beside(&node.bounds, turned) {
                continue;
            }
            if node.is_leaf {
                if look(&self.leaves[node.first as usize]) {
                    return true;
                }
            } else {
                waiting.push(node.first + 1);
                waiting.push(node.first);
            }
        }
        false
    }

    /// Calls `look` with leaves, near ones first, as long as their boxes are nearer to a point than what the last call
    /// returned, m. Begins with `within`.
    pub fn visit_near(&self, point: DVec3, within: f64, mut look: impl FnMut(&Leaf) -> f64) {
        let distance = |index: u32| {
            let bounds = &self.nodes[index as usize].bounds;
            (point - point.clamp(bounds.low, bounds.high)).length()
        };
        let mut within = within;
        let mut waiting = ArrayVec::<(u32, f64), DEPTH>::new();
        waiting.push((0, distance(0)));
        while let Some((index, away)) = waiting.pop() {
            if away > within {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.is_leaf {
                within = look(&self.leaves[node.first as usize]);
                continue;
            }
            let mut children = [node.first, node.first + 1].map(|child| (child, distance(child)));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            waiting.extend(children);
        }
    }
}

fn around(surface: &BezierPatch) -> Bounds {
    let [m, n] = surface.degrees();
    let points = (0..=m).flat_map(|i| (0..=n).map(move |j| surface.control_point(i, j)));
    let nowhere = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
    points.fold(nowhere, |b, p| Bounds { low: b.low.min(p), high: b.high.max(p) })
}

/// Whether an axis of a turned box separates it from a box.
fn is_beside(bounds: &Bounds, turned: &OrientedBox) -> bool {
    let half = 0.5 * (bounds.high - bounds.low);
    let offset = bounds.low.midpoint(bounds.high) - turned.centre;
    (0..3).any(|k| {
        let axis = turned.axes.col(k);
        axis.dot(offset).abs() > turned.half[k] + axis.abs().dot(half)
    })
}

/// Fills a node and those below with leaves, halved along the longest side of the box around their centres.
fn fill(nodes: &mut Vec<Node>, index: usize, leaves: &mut [u32], bounds: &[Bounds]) {
    let join = |a: Bounds, b: &Bounds| Bounds { low: a.low.min(b.low), high: a.high.max(b.high) };
    let all = leaves.iter().fold(bounds[leaves[0] as usize], |all, &leaf| join(all, &bounds[leaf as usize]));
    if let [leaf] = leaves {
        nodes[index] = Node { bounds: all, first: *leaf, is_leaf: true };
        return;
    }
    let centre = |leaf: u32| bounds[leaf as usize].low.midpoint(bounds[leaf as usize].high);
    let first = centre(leaves[0]);
    let (low, high) =
        leaves.iter().fold((first, first), |(low, high), &leaf| (low.min(centre(leaf)), high.max(centre(leaf))));
    let side = high - low;
    let axis = if side.x >= side.y && side.x >= side.z {
        0
    } else if side.y >= side.z {
        1
    } else {
        2
    };
    leaves.compact_sort_by(|&a, &b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(&b)));
    let children = nodes.len();
    nodes[index] = Node { bounds: all, first: children as u32, is_leaf: false };
    let placeholder = nodes[index];
    nodes.extend([placeholder, placeholder]);
    let (lower, upper) = leaves.split_at_mut(leaves.len() / 2);
    fill(nodes, children, lower, bounds);
    fill(nodes, children + 1, upper, bounds);
}
