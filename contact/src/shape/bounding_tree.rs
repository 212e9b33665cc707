//! A tree of bounding volumes over the surface tetrahedra of a mesh.
//!
//! The volume is a polytope of four pairs of planes, across the diagonals of the cube (an 8-DOP; Klosowski et al.
//! 1998), in the world frame. The topology of the tree is made once for a shape; the volumes are fitted anew for each
//! pose, bottom-up. Which pairs of leaves are reported depends on the volumes of the leaves alone, not on the tree.

use glam::DVec3;
use num_traits::{Float, Zero};

use super::TetrahedralMesh;
use crate::Pose;
use crate::precision::{RigidMotion, Vector};
use crate::sorting::CompactSort;

/// Four directions along which volumes are bounded: the diagonals of the cube (scaled to unit length on use).
const DIRECTIONS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0]];

/// A node: a leaf holds one tetrahedron, an inner node two children, which stand behind it in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    Leaf(u32),
    Inner(u32, u32),
}

/// The topology of the tree, root first.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundingTree {
    nodes: Vec<Node>,
}

impl BoundingTree {
    /// A tree over the tetrahedra of the mesh that have a surface face, split at the median of the longest side.
    pub fn new(mesh: &TetrahedralMesh) -> Self {
        let centre = |t: u32| -> DVec3 {
            let corners = mesh.tetrahedra()[t as usize];
            corners.iter().map(|&v| mesh.vertices()[v as usize]).sum::<DVec3>() / 4.0
        };
        let mut leaves: Vec<(u32, DVec3)> = (0..mesh.tetrahedra().len() as u32)
            .filter(|&t| mesh.tetrahedron_faces()[t as usize].iter().any(|&f| mesh.face_on_surface(f)))
            .map(|t| (t, centre(t)))
            .collect();
        let mut nodes = Vec::with_capacity(2 * leaves.len());
        build(&mut leaves, &mut nodes);
        BoundingTree { nodes }
    }
}

/// Appends the subtree over `leaves` and returns its root.
fn build(leaves: &mut [(u32, DVec3)], nodes: &mut Vec<Node>) -> u32 {
    let root = nodes.len() as u32;
    if let [(t, _)] = leaves {
        nodes.push(Node::Leaf(*t));
        return root;
    }
    let low = leaves.iter().fold(DVec3::INFINITY, |m, l| m.min(l.1));
    let high = leaves.iter().fold(DVec3::NEG_INFINITY, |m, l| m.max(l.1));
    let axis = (high - low).max_position();
    leaves.compact_sort_by(|a, b| a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0)));
    nodes.push(Node::Inner(0, 0));
    let (left, right) = leaves.split_at_mut(leaves.len() / 2);
    let left = build(left, nodes);
    let right = build(right, nodes);
    nodes[root as usize] = Node::Inner(left, right);
    root
}

/// An interval along each of the four directions: (smallest, largest), m.
type Slabs<R> = [(R, R); 4];

/// A tree at a pose: world vertices and fitted volumes.
pub struct PlacedTree<'a, V: Vector> {
    tree: &'a BoundingTree,
    vertices: Vec<V>,
    volumes: Vec<Slabs<V::Real>>,
}

impl<'a, V: Vector> PlacedTree<'a, V> {
    /// Places the mesh and fits the volumes.
    pub fn new(tree: &'a BoundingTree, mesh: &TetrahedralMesh, pose: &Pose) -> Self {
        let motion = RigidMotion::<V>::new(pose);
        let vertices: Vec<V> = mesh.vertices().iter().map(|&v| motion.apply(V::narrow(v))).collect();
        let directions = DIRECTIONS.map(|[x, y, z]| V::narrow(DVec3::new(x, y, z)).unit());
        let projections: Vec<[V::Real; 4]> = vertices.iter().map(|&v| directions.map(|d| d.dot(v))).collect();
        let empty = [(V::Real::infinity(), V::Real::neg_infinity()); 4];
        let mut volumes = vec![empty; tree.nodes.len()];
        for (i, node) in tree.nodes.iter().enumerate().rev() {
            volumes[i] = match *node {
                Node::Leaf(t) => {
                    let [first, rest @ ..] = mesh.tetrahedra()[t as usize].map(|v| projections[v as usize]);
                    let mut slabs = first.map(|d| (d, d));
                    for corner in rest {
                        for (slab, d) in slabs.iter_mut().zip(corner) {
                            *slab = (slab.0.min(d), slab.1.max(d));
                        }
                    }
                    slabs
                }
                Node::Inner(left, right) => {
                    let (left, right) = (volumes[left as usize], volumes[right as usize]);
                    [0, 1, 2, 3].map(|k| (left[k].0.min(right[k].0), left[k].1.max(right[k].1)))
                }
            };
        }
        PlacedTree { tree, vertices, volumes }
    }

    /// World positions of the mesh's vertices, in its order, m.
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }
}

/// All pairs (tetrahedron of A, tetrahedron of B) whose volumes overlap or are at most `margin` (m) apart on each
/// direction, in ascending order.
pub fn overlapping_elements<V: Vector>(
    a: &PlacedTree<'_, V>,
    b: &PlacedTree<'_, V>,
    margin: V::Real,
) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut stack = Vec::new();
    if !a.tree.nodes.is_empty() && !b.tree.nodes.is_empty() {
        stack.push((0, 0));
    }
    while let Some((i, j)) = stack.pop() {
        if !are_close(&a.volumes[i as usize], &b.volumes[j as usize], margin) {
            continue;
        }
        match (a.tree.nodes[i as usize], b.tree.nodes[j as usize]) {
            (Node::Leaf(t), Node::Leaf(u)) => pairs.push((t, u)),
            (Node::Inner(left, right), Node::Leaf(_)) => stack.extend([(left, j), (right, j)]),
            (Node::Leaf(_), Node::Inner(left, right)) => stack.extend([(i, left), (i, right)]),
            (Node::Inner(l, r), Node::Inner(m, s)) => stack.extend([(l, m), (l, s), (r, m), (r, s)]),
        }
    }
    pairs.sort_unstable();
    pairs
}

fn are_close<R: Float + Zero>(a: &Slabs<R>, b: &Slabs<R>, margin: R) -> bool {
    (0..4).all(|k| a[k].1 + margin >= b[k].0 && b[k].1 + margin >= a[k].0)
}
