//! A triangle mesh that need not be closed, for bodies that stay where they are.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use glam::DVec3;

use super::{NONE, OpenSurface, OpenSurfaceError};
use crate::shape::features::BoxTree;
use crate::shape::mesh_file::{self, MeshFileError};
use crate::solid::triangle_tree::TriangleTree;

/// Which sides of a triangle mesh hold bodies off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshSides {
    /// The front, to which normals point; corners run counter-clockwise seen from there. A body that reaches through the surface is pushed
    /// out in front.
    #[default]
    Front,
    /// Both: a sheet without thickness. A body that reaches through is pushed to the side on which the centre of its frame is.
    Both,
}

/// Triangles that meet at edges, open or closed, without an inside.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    sides: MeshSides,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// For each half-edge, the one that runs the other way.
    twins: Vec<u32>,
    /// For each vertex the vertices across its edges, from `starts` on.
    ring: Vec<u32>,
    starts: Vec<u32>,
    tree: BoxTree,
    low: DVec3,
    high: DVec3,
    /// For queries, made by the first one.
    triangle_tree: OnceLock<TriangleTree>,
}

/// Why a file gives no triangle mesh.
#[derive(Debug, thiserror::Error)]
pub enum MeshFromFileError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] MeshFileError),
    /// What it holds is no surface.
    #[error("{}: {source}", path.display())]
    Surface {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: OpenSurfaceError,
    },
}

/// A triangle is degenerate if it is no higher than this share of its longest side.
const FLAT: f64 = 1e-10;

impl TriangleMesh {
    /// What it is called in errors and files.
    pub const KIND: &'static str = "triangle mesh";

    /// A mesh of vertices (m) and triangles by their vertices. Vertices at exactly the same place are one.
    ///
    /// # Errors
    /// [`OpenSurfaceError`] of a coordinate that is not finite, a vertex that is not there, a triangle without an area, more than two
    /// triangles at an edge, or two neighbours that are not wound alike.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], sides: MeshSides) -> Result<Self, OpenSurfaceError> {
        let most = (u32::MAX / 3) as usize;
        for (what, count) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
            if count > most {
                return Err(OpenSurfaceError::TooMany { what, count, most });
            }
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(OpenSurfaceError::Vertex { vertex, position: vertices[vertex] });
        }
        if triangles.is_empty() {
            return Err(OpenSurfaceError::Empty);
        }
        let mut welded = triangles.to_vec();
        for (triangle, corners) in welded.iter_mut().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(OpenSurfaceError::Index { triangle, vertex, count: vertices.len() });
            }
        }
        let (vertices, numbers) = weld(vertices);
        welded.iter_mut().flatten().for_each(|v| *v = numbers[*v as usize]);
        for (triangle, corners) in welded.iter().enumerate() {
            let [a, b, c] = corners.map(|v| vertices[v as usize]);
            let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
            let height_ratio = (b - a).cross(c - a).length() / longest;
            // Not a number where all corners are at one place.
            if height_ratio.is_nan() || height_ratio <= FLAT {
                return Err(OpenSurfaceError::Degenerate { triangle });
            }
        }
        let twins = twins(&vertices, &welded)?;
        let (ring, starts) = rings(vertices.len(), &welded);
        let tree = BoxTree::of_triangles(&vertices, &welded);
        let used = || welded.iter().flatten().map(|&v| vertices[v as usize]);
        let (low, high) = (used().fold(DVec3::INFINITY, DVec3::min), used().fold(DVec3::NEG_INFINITY, DVec3::max));
        let triangle_tree = OnceLock::new();
        Ok(Self { sides, vertices, triangles: welded, twins, ring, starts, tree, low, high, triangle_tree })
    }

    /// The triangles of a mesh file ([`mesh_file::read`]), its coordinates in metres.
    ///
    /// # Errors
    /// [`MeshFromFileError`], which names the file.
    pub fn from_file(path: impl AsRef<Path>, sides: MeshSides) -> Result<Self, MeshFromFileError> {
        let path = path.as_ref();
        let file = mesh_file::read(path)?;
        Self::new(&file.vertices, &file.triangles, sides)
            .map_err(|source| MeshFromFileError::Surface { path: path.to_owned(), source })
    }

    /// The tree over the triangles, by their numbers.
    pub(crate) fn triangle_tree(&self) -> &TriangleTree {
        let corners = |t: &[u32; 3]| t.map(|v| self.vertices[v as usize]);
        self.triangle_tree.get_or_init(|| TriangleTree::new(self.triangles.iter().map(corners)))
    }

    /// Which sides hold bodies off.
    pub fn sides(&self) -> MeshSides {
        self.sides
    }

    /// The vertices, m; those at one place are one.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles by their vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        (self.sides, &self.vertices, &self.triangles) == (other.sides, &other.vertices, &other.triangles)
    }
}

/// The vertices without repetitions, and the new number of each.
fn weld(vertices: &[DVec3]) -> (Vec<DVec3>, Vec<u32>) {
    let mut kept: Vec<DVec3> = Vec::with_capacity(vertices.len());
    // Looked up alone, never walked through. Zeros of both signs are one.
    let mut known: HashMap<[u64; 3], u32> = HashMap::with_capacity(vertices.len());
    let number = |&v: &DVec3| {
        let key = (v + DVec3::ZERO).to_array().map(f64::to_bits);
        *known.entry(key).or_insert_with(|| {
            kept.push(v);
            kept.len() as u32 - 1
        })
    };
    let numbers = vertices.iter().map(number).collect();
    (kept, numbers)
}

/// For each half-edge, the one that runs the other way.
fn twins(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Vec<u32>, OpenSurfaceError> {
    let mut half_edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (t, corners) in (0_u32..).zip(triangles) {
        for side in 0..3_u32 {
            let ends = (corners[side as usize], corners[(side as usize + 1) % 3]);
            if let Some(other) = half_edges.insert(ends, 3 * t + side) {
                let [from, to] = [ends.0, ends.1].map(|v| vertices[v as usize]);
                return Err(OpenSurfaceError::Edge { first: (other / 3) as usize, second: t as usize, from, to });
            }
        }
    }
    let mut twins = vec![NONE; 3 * triangles.len()];
    for (&(from, to), &half_edge) in &half_edges {
        if let Some(&twin) = half_edges.get(&(to, from)) {
            twins[half_edge as usize] = twin;
        }
    }
    Ok(twins)
}

/// The vertices across the edges at each vertex, and where those of each begin.
fn rings(count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> =
        triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let starts = (0..=count as u32).map(|v| pairs.partition_point(|pair| pair.0 < v) as u32).collect();
    (pairs.into_iter().map(|pair| pair.1).collect(), starts)
}

impl OpenSurface for TriangleMesh {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn is_two_sided(&self) -> bool {
        self.sides == MeshSides::Both
    }

    fn is_solid_below(&self) -> bool {
        false
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (self.low, self.high)
    }

    fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    fn vertex(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    fn corners(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize]
    }

    fn twin(&self, half_edge: u32) -> u32 {
        self.twins[half_edge as usize]
    }

    fn ring(&self, vertex: u32, ring: &mut Vec<u32>) {
        let [first, end] = [0, 1].map(|k| self.starts[vertex as usize + k] as usize);
        ring.extend_from_slice(&self.ring[first..end]);
    }

    fn triangles_within(&self, low: DVec3, high: DVec3, triangles: &mut Vec<u32>) {
        let first = triangles.len();
        self.tree.leaves_within(low, high, |triangle| triangles.push(triangle));
        triangles[first..].sort_unstable();
    }

    fn apart(&self, low: DVec3, high: DVec3, most: f64) -> f64 {
        self.tree.apart_from_box(low, high, most)
    }
}
