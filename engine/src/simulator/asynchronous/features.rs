//! What of a surface can touch: its vertices, edges and triangles, and which of them meet where.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::separation::PairKind;
use super::surface::DeformableSurface;

/// Two features without a common vertex: a vertex and a triangle, or two edges, the lower first. All pairs have an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FeaturePair(u64);

impl FeaturePair {
    /// Features are numbered below this.
    pub const MOST: usize = 1 << 30;

    /// A vertex and a triangle.
    pub fn vertex_triangle(vertex: u32, triangle: u32) -> Self {
        Self(u64::from(vertex) << 30 | u64::from(triangle))
    }

    /// Two edges.
    pub fn edges(a: u32, b: u32) -> Self {
        Self(1 << 60 | u64::from(a.min(b)) << 30 | u64::from(a.max(b)))
    }

    /// What they are.
    pub fn kind(self) -> PairKind {
        if self.0 >> 60 == 0 { PairKind::VertexTriangle } else { PairKind::EdgeEdge }
    }

    /// The numbers of both features.
    pub fn numbers(self) -> [u32; 2] {
        [(self.0 >> 30) as u32 & (Self::MOST as u32 - 1), self.0 as u32 & (Self::MOST as u32 - 1)]
    }

    /// Its place in the order of all pairs, below 2⁶¹.
    pub fn rank(self) -> u64 {
        self.0
    }
}

/// A pair with its vertices; in words as `vertex 3 and triangle 7, of the vertices [1, 2, 4]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPair {
    /// Which.
    pub features: FeaturePair,
    /// Its four vertices, in the order of [`PairKind`].
    pub vertices: [u32; 4],
}

impl fmt::Display for NamedPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.vertices;
        match self.features.kind() {
            PairKind::VertexTriangle => {
                let [_, triangle] = self.features.numbers();
                write!(f, "vertex {a} and triangle {triangle}, of the vertices {:?}", [b, c, d])
            }
            PairKind::EdgeEdge => write!(f, "the edges between the vertices {:?} and {:?}", [a, b], [c, d]),
        }
    }
}

/// The features of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// Of each triangle.
    pub corners: Vec<[u32; 3]>,
    /// Of each edge, the lower first.
    pub ends: Vec<[u32; 2]>,
    /// The edges of each triangle of which no triangle with a lower number has them.
    pub own_edges: Vec<Vec<u32>>,
    /// The corners of each triangle of which no triangle with a lower number has them.
    pub own_vertices: Vec<Vec<u32>>,
    /// The triangles around each vertex.
    pub triangles_of: Vec<Vec<u32>>,
    /// The edges at each vertex.
    pub edges_of: Vec<Vec<u32>>,
    /// Vertices without triangles.
    pub particles: Vec<u32>,
    /// Of each vertex: two of one solid are not looked at. Affine bodies are solids, and all obstacles together are one.
    solids: Vec<u32>,
}

/// No solid.
const NONE: u32 = u32::MAX;

/// All obstacles.
const OBSTACLES: u32 = u32::MAX - 1;

impl Features {
    /// Those of a surface.
    pub fn new(surface: &DeformableSurface) -> Self {
        let count = surface.positions().len();
        let corners = surface.triangles().to_vec();
        let ends: Vec<[u32; 2]> = surface.edges().to_vec();
        let (mut triangles_of, mut edges_of) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (edge, both) in (0..).zip(&ends) {
            both.iter().for_each(|&v| edges_of[v as usize].push(edge));
        }
        let (mut own_vertices, mut own_edges) = (Vec::new(), Vec::new());
        let mut is_owned = vec![false; ends.len()];
        for (triangle, three) in (0..).zip(&corners) {
            own_vertices.push(three.iter().copied().filter(|&v| triangles_of[v as usize].is_empty()).collect());
            three.iter().for_each(|&v| triangles_of[v as usize].push(triangle));
            let mut own = Vec::new();
            for k in 0..3 {
                let [a, b] = [three[k], three[(k + 1) % 3]];
                let mut at_first = edges_of[a as usize].iter();
                let edge = at_first.find(|&&edge| ends[edge as usize].contains(&b));
                if let Some(&edge) = edge.filter(|&&edge| !is_owned[edge as usize]) {
                    is_owned[edge as usize] = true;
                    own.push(edge);
                }
            }
            own_edges.push(own);
        }
        let particles = (0..count as u32).filter(|&v| triangles_of[v as usize].is_empty()).collect();
        let mut solids = vec![NONE; count];
        for (number, body) in (0..).zip(surface.bodies()) {
            body.vertices().for_each(|v| solids[v as usize] = if body.is_movable() { number } else { OBSTACLES });
        }
        Self { corners, ends, own_edges, own_vertices, triangles_of, edges_of, particles, solids }
    }

    /// Whether two vertices belong to one solid.
    pub fn are_of_one_solid(&self, a: u32, b: u32) -> bool {
        self.solids[a as usize] != NONE && self.solids[a as usize] == self.solids[b as usize]
    }

    /// Calls `take` with the pairs of two items that are looked at: those of features that belong to one of them each. Items are triangles, then particles.
    pub fn between(&self, first: u32, second: u32, mut take: impl FnMut(FeaturePair)) {
        let corners = [first, second].map(|item| self.corners.get(item as usize));
        let particle = |item: u32| self.particles[item as usize - self.corners.len()];
        let mut vertex = |vertex: u32, triangle: u32| {
            if !self.corners[triangle as usize].contains(&vertex) {
                take(FeaturePair::vertex_triangle(vertex, triangle));
            }
        };
        match corners {
            [Some(a), Some(b)] if !self.are_of_one_solid(a[0], b[0]) => {
                self.own_vertices[first as usize].iter().for_each(|&v| vertex(v, second));
                self.own_vertices[second as usize].iter().for_each(|&v| vertex(v, first));
                for &a in &self.own_edges[first as usize] {
                    let ends = self.ends[a as usize];
                    for &b in &self.own_edges[second as usize] {
                        if self.ends[b as usize].iter().all(|end| !ends.contains(end)) {
                            take(FeaturePair::edges(a, b));
                        }
                    }
                }
            }
            [None, Some(_)] => vertex(particle(first), second),
            [Some(_), None] => vertex(particle(second), first),
            _ => {}
        }
    }

    /// Whether a pair is one of these features.
    pub(super) fn have(&self, pair: FeaturePair) -> bool {
        let [a, b] = pair.numbers().map(|number| number as usize);
        match pair.kind() {
            PairKind::VertexTriangle => a < self.triangles_of.len() && b < self.corners.len(),
            PairKind::EdgeEdge => a < self.ends.len() && b < self.ends.len(),
        }
    }

    /// The four vertices of a pair, in the order of [`PairKind`].
    pub fn vertices(&self, pair: FeaturePair) -> [u32; 4] {
        let [a, b] = pair.numbers();
        match pair.kind() {
            PairKind::VertexTriangle => {
                let [p, q, r] = self.corners[b as usize];
                [a, p, q, r]
            }
            PairKind::EdgeEdge => {
                let ([p, q], [r, s]) = (self.ends[a as usize], self.ends[b as usize]);
                [p, q, r, s]
            }
        }
    }

    /// A pair as it is named to people.
    pub fn named(&self, pair: FeaturePair) -> NamedPair {
        NamedPair { features: pair, vertices: self.vertices(pair) }
    }
}
