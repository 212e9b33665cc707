//! Convex polyhedra with the planes between the Voronoi regions of their features (V-Clip report, section 2).
//!
//! Vertices, edges and faces are the features; no two neighbouring faces lie in one plane and no vertex lies inside a
//! straight edge, as the Voronoi region of such a feature has no inside. The Voronoi plane between a vertex and an edge
//! goes through the vertex across the edge; that between a face and an edge goes through the edge along the normal of the
//! face. Each is stored once for either side, with opposite signs, so that what is outside of one region by a bit is
//! inside of the other by the same bit.

mod build;

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::surroundings::Surroundings;
use crate::shape::features::FeatureId;

pub use build::PolyhedronError;

/// A plane as n·x = w; points are inside where n·x − w ≥ 0, or, for the plane of a face, outside the polyhedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// n, unit.
    pub normal: DVec3,
    /// w, m.
    pub offset: f64,
}

impl Plane {
    /// n·x − w, m.
    pub fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// An edge at a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spoke {
    /// The Voronoi plane between the vertex (inside) and the edge; its normal is the direction from the edge's other end.
    pub plane: Plane,
    pub edge: u32,
    /// The other end.
    pub far: u32,
}

/// A straight border between two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Tail and head.
    pub ends: [u32; 2],
    /// The faces to the left and to the right, seen from outside along the edge.
    pub faces: [u32; 2],
    /// From tail to head, unit.
    pub direction: DVec3,
    pub length: f64,
    /// The Voronoi planes towards tail, head, left and right face; the edge is inside of all.
    pub planes: [Plane; 4],
}

/// A side of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side {
    /// The Voronoi plane between the face (inside) and the edge.
    pub plane: Plane,
    pub edge: u32,
    /// Where the side begins, going counter-clockwise seen from outside.
    pub corner: u32,
}

/// A face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    pub plane: Plane,
    first_side: u32,
    side_count: u32,
}

/// A checked convex polyhedron, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolyhedron {
    vertices: Vec<DVec3>,
    /// The place of each vertex in the list of points that it was made from.
    origins: Vec<u32>,
    first_spokes: Vec<u32>,
    spokes: Vec<Spoke>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    sides: Vec<Side>,
    centre: DVec3,
    radius: f64,
    reach: f64,
    /// Of a piece: what it knows of its solid.
    surroundings: Option<Arc<Surroundings>>,
}

impl ConvexPolyhedron {
    /// The vertices, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// For each vertex, which of the points given to [`ConvexPolyhedron::new`] it is.
    pub fn origins(&self) -> &[u32] {
        &self.origins
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// The vertices that an edge connects, tail and head.
    ///
    /// # Panics
    /// If there is no such edge.
    pub fn edge(&self, edge: u32) -> [u32; 2] {
        self.edges[edge as usize].ends
    }

    /// The faces to the left and to the right of an edge, seen from outside along it.
    ///
    /// # Panics
    /// If there is no such edge.
    pub fn faces_beside(&self, edge: u32) -> [u32; 2] {
        self.edges[edge as usize].faces
    }

    /// The plane of a face; its normal points outward.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn plane(&self, face: u32) -> Plane {
        self.faces[face as usize].plane
    }

    /// The corners of a face, counter-clockwise seen from outside, each with the edge from it to the next.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn corners(&self, face: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.sides_of(face).iter().map(|side| (side.corner, side.edge))
    }

    /// The edges at a vertex with their other ends.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn edges_at(&self, vertex: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.spokes_of(vertex).iter().map(|spoke| (spoke.edge, spoke.far))
    }

    /// The mean of the vertices, m.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The largest distance of a vertex from the centre, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// No vertex is farther from the origin than this, m.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// The polyhedron as a piece that knows the solid around it.
    pub(super) fn within(&self, surroundings: Surroundings) -> Self {
        Self { surroundings: Some(Arc::new(surroundings)), ..self.clone() }
    }

    /// Whether the polyhedron knows itself to be a piece of a larger solid.
    pub fn is_piece(&self) -> bool {
        self.surroundings.is_some()
    }

    /// Whether a face was made by a cut through a larger solid.
    pub fn is_cut(&self, face: u32) -> bool {
        self.surroundings.as_ref().is_some_and(|around| around.is_cut(face))
    }

    /// Whether a plane across an outward direction (unit) can hold the solid at a feature as it holds this polyhedron:
    /// always, unless the polyhedron is a piece. For a face, the direction is its normal.
    pub fn allows(&self, feature: FeatureId, direction: DVec3) -> bool {
        self.surroundings.as_ref().is_none_or(|around| around.allow(feature, direction))
    }

    /// Whether the polyhedron has a feature.
    pub fn has(&self, feature: FeatureId) -> bool {
        let (number, count) = match feature {
            FeatureId::Vertex(v) => (v, self.vertices.len()),
            FeatureId::Edge(e) => (e, self.edges.len()),
            FeatureId::Facet(f) => (f, self.faces.len()),
        };
        (number as usize) < count
    }

    /// A vertex farthest in a direction, found by climbing from neighbour to neighbour.
    ///
    /// # Panics
    /// If there is no vertex `start`.
    pub fn support(&self, direction: DVec3, start: u32) -> u32 {
        // Heights over a vertex nearby have no rounding of the size of the coordinates, which would hide what lies beyond
        // a short edge.
        let best = self.climb(direction, start);
        if best == start { best } else { self.climb(direction, best) }
    }

    /// A vertex that is not lower than its neighbours, by heights over the one where the climb starts.
    fn climb(&self, direction: DVec3, start: u32) -> u32 {
        let origin = self.vertices[start as usize];
        let mut best = start;
        let mut height = 0.0;
        loop {
            let mut next = best;
            for spoke in self.spokes_of(best) {
                let h = direction.dot(self.vertices[spoke.far as usize] - origin);
                if h > height {
                    (next, height) = (spoke.far, h);
                }
            }
            if next == best {
                return best;
            }
            best = next;
        }
    }

    /// How far the vertex that is farthest in a direction is from a point along it, m; climbing starts from a feature.
    /// All neighbours of the feature are looked at before anything is decided: mostly none of them is farther.
    pub(super) fn extent(&self, direction: DVec3, from: DVec3, start: FeatureId) -> f64 {
        let height = |v: u32| direction.dot(self.vertices[v as usize] - from);
        let around = |v: u32| self.spokes_of(v).iter().map(|spoke| height(spoke.far)).fold(f64::NEG_INFINITY, f64::max);
        let (own, neighbours) = match start {
            FeatureId::Edge(e) => {
                let [tail, head] = self.edges[e as usize].ends;
                (height(tail).max(height(head)), around(tail).max(around(head)))
            }
            _ => {
                let v = self.vertex_of(start);
                (height(v), around(v))
            }
        };
        if neighbours <= own {
            return own;
        }
        height(self.support(direction, self.vertex_of(start)))
    }

    /// The largest height of a point over the planes of all faces, m: not above zero inside; and that face.
    pub fn outermost_plane(&self, point: DVec3) -> (u32, f64) {
        let heights = self.faces.iter().map(|face| face.plane.height(point));
        let higher = |best: (u32, f64), (f, h): (u32, f64)| if h > best.1 { (f, h) } else { best };
        (0..).zip(heights).fold((0, f64::NEG_INFINITY), higher)
    }

    /// A vertex of a feature.
    pub(super) fn vertex_of(&self, feature: FeatureId) -> u32 {
        match feature {
            FeatureId::Vertex(v) => v,
            FeatureId::Edge(e) => self.edges[e as usize].ends[0],
            FeatureId::Facet(f) => self.sides_of(f)[0].corner,
        }
    }

    #[inline(always)]
    pub(super) fn spokes_of(&self, vertex: u32) -> &[Spoke] {
        let v = vertex as usize;
        &self.spokes[self.first_spokes[v] as usize..self.first_spokes[v + 1] as usize]
    }

    #[inline(always)]
    pub(super) fn sides_of(&self, face: u32) -> &[Side] {
        let face = &self.faces[face as usize];
        let first = face.first_side as usize;
        &self.sides[first..first + face.side_count as usize]
    }

    #[inline(always)]
    pub(super) fn edge_at(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    #[inline(always)]
    pub(super) fn face_at(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    pub(super) fn face_numbers(&self) -> Range<u32> {
        0..self.faces.len() as u32
    }
}

#[cfg(test)]
mod tests;
