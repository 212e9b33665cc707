//! Meshes whose vertices move in straight lines.

use crate::ccd::{Kind, Query};
use crate::shape::Surface;
use glam::DVec3;
use thiserror::Error;

/// What is wrong with a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MeshError {
    /// An edge or face names a vertex that is not there.
    #[error("{what} {index} has vertex {vertex}, but there are only {count}")]
    Vertex {
        /// "edge" or "face".
        what: &'static str,
        /// Which one.
        index: usize,
        /// The vertex that it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// Positions for another number of vertices.
    #[error("{positions} positions {when} were given for {vertices} vertices")]
    Positions {
        /// "at the start" or "at the end".
        when: &'static str,
        /// How many were given.
        positions: usize,
        /// How many are needed.
        vertices: usize,
    },
    /// A coordinate that is not finite or out of range.
    #[error(
        "coordinate {axis} of vertex {vertex} {when} is {value} m; it must be finite and at most {} m in magnitude",
        Query::LARGEST
    )]
    Coordinate {
        /// Which vertex.
        vertex: usize,
        /// x, y or z.
        axis: &'static str,
        /// "at the start" or "at the end".
        when: &'static str,
        /// What it is, m.
        value: f64,
    },
}

/// What belongs together in a mesh: faces, their edges, edges and vertices that belong to no face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    vertices: usize,
    edges: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
}

impl Topology {
    /// A mesh of so many vertices, with faces, and with edges besides those of the faces. Every vertex takes part, with
    /// or without an edge.
    ///
    /// # Errors
    /// [`MeshError::Vertex`].
    pub fn new(vertices: usize, edges: &[[u32; 2]], faces: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check("edge", edges, vertices)?;
        check("face", &faces, vertices)?;
        let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.chain(edges.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        Ok(Self { vertices, edges, faces })
    }

    /// Two vertices and the edge between them.
    pub fn of_edge() -> Self {
        Self { vertices: 2, edges: vec![[0, 1]], faces: Vec::new() }
    }

    /// The vertices, edges and faces of a closed surface, in its own numbering.
    pub fn of_surface(surface: &Surface) -> Self {
        Self {
            vertices: surface.vertices().len(),
            edges: surface.edges().iter().map(|edge| edge.vertices).collect(),
            faces: surface.triangles().to_vec(),
        }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The ends of each edge.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The corners of each face.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }
}

fn check<const N: usize>(what: &'static str, all: &[[u32; N]], count: usize) -> Result<(), MeshError> {
    for (index, corners) in all.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(MeshError::Vertex { what, index, vertex, count });
        }
    }
    Ok(())
}

fn check_coordinates(when: &'static str, positions: &[DVec3]) -> Result<(), MeshError> {
    for (vertex, position) in positions.iter().enumerate() {
        for (axis, value) in ["x", "y", "z"].into_iter().zip(position.to_array()) {
            if value.is_nan() || value.abs() > Query::LARGEST {
                return Err(MeshError::Coordinate { vertex, axis, when, value });
            }
        }
    }
    Ok(())
}

/// A mesh whose vertices move in straight lines while t goes from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct MovingMesh<'a> {
    topology: &'a Topology,
    start: &'a [DVec3],
    end: &'a [DVec3],
}

impl<'a> MovingMesh<'a> {
    /// From the positions (m) of all vertices at t = 0 and t = 1.
    ///
    /// # Errors
    /// [`MeshError::Positions`]; [`MeshError::Coordinate`] for one that is not finite or above [`Query::LARGEST`].
    pub fn new(topology: &'a Topology, start: &'a [DVec3], end: &'a [DVec3]) -> Result<Self, MeshError> {
        let vertices = topology.vertices;
        for (when, given) in [("at the start", start), ("at the end", end)] {
            if given.len() != vertices {
                return Err(MeshError::Positions { when, positions: given.len(), vertices });
            }
            check_coordinates(when, given)?;
        }
        Ok(Self { topology, start, end })
    }

    /// Vertices, edges and faces.
    pub fn topology(&self) -> &'a Topology {
        self.topology
    }

    /// The positions at t = 0, m.
    pub fn start(&self) -> &'a [DVec3] {
        self.start
    }

    /// The positions at t = 1, m.
    pub fn end(&self) -> &'a [DVec3] {
        self.end
    }

    /// The largest magnitude of a coordinate at either end, m.
    pub fn largest_coordinate(&self) -> f64 {
        let largest = |m: DVec3, p: &DVec3| m.max(p.abs());
        self.start.iter().chain(self.end).fold(DVec3::ZERO, largest).max_element()
    }

    /// A vertex of this mesh and a face of another (or the same) as a query.
    pub(super) fn vertex_face(&self, vertex: u32, other: &Self, face: u32) -> Query {
        let [a, b, c] = other.topology.faces[face as usize].map(|v| v as usize);
        let points = |own: &[DVec3], others: &[DVec3]| [own[vertex as usize], others[a], others[b], others[c]];
        Query { kind: Kind::VertexFace, start: points(self.start, other.start), end: points(self.end, other.end) }
    }

    /// An edge of this mesh and one of another (or the same) as a query.
    pub(super) fn edge_edge(&self, edge: u32, other: &Self, other_edge: u32) -> Query {
        let [a, b] = self.topology.edges[edge as usize].map(|v| v as usize);
        let [c, d] = other.topology.edges[other_edge as usize].map(|v| v as usize);
        let points = |own: &[DVec3], others: &[DVec3]| [own[a], own[b], others[c], others[d]];
        Query { kind: Kind::EdgeEdge, start: points(self.start, other.start), end: points(self.end, other.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_faces_and_others_are_listed_once() {
        let topology = Topology::new(6, &[[5, 4], [1, 0]], vec![[0, 1, 2], [2, 1, 3]]).unwrap();
        assert_eq!(topology.edges(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3], [4, 5]]);
        assert_eq!((topology.vertices(), topology.faces().len()), (6, 2));
    }

    #[test]
    fn bad_meshes_are_refused() {
        let error = Topology::new(3, &[], vec![[0, 1, 3]]).unwrap_err();
        assert_eq!(error, MeshError::Vertex { what: "face", index: 0, vertex: 3, count: 3 });
        assert!(Topology::new(1, &[[0, 1]], vec![]).unwrap_err().to_string().contains("edge 0 has vertex 1"));
        let topology = Topology::new(2, &[[0, 1]], vec![]).unwrap();
        let (two, one) = ([DVec3::ZERO; 2], [DVec3::ZERO; 1]);
        assert!(MovingMesh::new(&topology, &two, &two).is_ok());
        let error = MovingMesh::new(&topology, &two, &one).unwrap_err();
        assert_eq!(error, MeshError::Positions { when: "at the end", positions: 1, vertices: 2 });
    }

    #[test]
    fn positions_that_no_box_can_hold_are_refused() {
        let topology = Topology::new(2, &[[0, 1]], vec![]).unwrap();
        let fine = [DVec3::ZERO, DVec3::splat(-Query::LARGEST)];
        assert!(MovingMesh::new(&topology, &fine, &fine).is_ok());
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.7e308, -Query::LARGEST.next_up()] {
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let mut bad = fine;
                bad[1][k] = value;
                let at_the_start = MovingMesh::new(&topology, &bad, &fine).unwrap_err().to_string();
                assert!(at_the_start.starts_with(&format!("coordinate {axis} of vertex 1 at the start is {value} m")));
                let at_the_end = MovingMesh::new(&topology, &fine, &bad).unwrap_err().to_string();
                assert!(at_the_end.starts_with(&format!("coordinate {axis} of vertex 1 at the end is {value} m")));
            }
        }
    }
}
