//! The convex pieces of a shape in a binary tree of hulls, for V-Clip between shapes that are not convex (Mirtich,
//! TR97-05, section 6).
//!
//! A leaf is a piece; any other node is the convex hull of the hulls of its two children, so the distance from a node's
//! polyhedron is a lower bound for all pieces below. The tree splits the pieces in two along the longest side of the box
//! around their centres, at the median, until single ones are left. It depends on the mesh alone.

use glam::DVec3;
use thiserror::Error;

use super::ConvexPolyhedron;
use super::convex_pieces::{ConvexPiece, ConvexPieces, PieceSettings};
use super::rounded_hull::{RoundedHullError, rounded_hull, stand_out};
use super::surroundings::Incidence;
use crate::shape::{FeatureId, TetrahedralMesh};
use crate::sorting::CompactSort;

/// Why a shape has no tree of convex pieces.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("the hull around {pieces} convex pieces, of which the first is {first}, is no polyhedron: {source}")]
pub struct HierarchyError {
    /// One of the pieces in the hull.
    pub first: u32,
    /// How many there are.
    pub pieces: usize,
    /// Why.
    pub source: RoundedHullError,
}

/// What a node of the tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// This piece.
    Piece(u32),
    /// The pieces below these two nodes, which come earlier in the list.
    Nodes([u32; 2]),
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Around everything below, in the frame of the mesh.
    pub polyhedron: ConvexPolyhedron,
    /// Nothing below stands out of the polyhedron by more than this, m: roundings, and what [`rounded_hull`] left out.
    pub margin: f64,
    /// What is below.
    pub content: Content,
}

/// The convex pieces of a mesh and the tree of hulls over them.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceHierarchy {
    pieces: ConvexPieces,
    nodes: Vec<Node>,
    /// The node of each piece.
    leaves: Vec<u32>,
    /// How many vertices, edges and faces there are in the pieces before each, and in all.
    firsts: Vec<[u32; 3]>,
    /// The pieces with what they know of the solid; none where there is only one.
    parts: Vec<ConvexPolyhedron>,
}

impl PieceHierarchy {
    /// Cuts a mesh into convex pieces and builds the tree.
    ///
    /// # Errors
    /// A piece or hull so thin that it has no distinct features.
    pub fn of_mesh(mesh: &TetrahedralMesh, settings: &PieceSettings) -> Result<Self, HierarchyError> {
        let pieces = ConvexPieces::of_mesh(mesh, settings);
        let count = pieces.pieces().len();
        let mut hierarchy = Self {
            pieces,
            nodes: Vec::with_capacity(2 * count),
            leaves: vec![0; count],
            firsts: Vec::new(),
            parts: Vec::new(),
        };
        hierarchy.build(&mut (0..count as u32).collect::<Vec<_>>())?;
        let mut firsts = [0; 3];
        hierarchy.firsts.push(firsts);
        for piece in 0..count as u32 {
            let polyhedron = hierarchy.polyhedron(piece);
            let counts = [polyhedron.vertices().len(), polyhedron.edge_count(), polyhedron.face_count()];
            firsts = [0, 1, 2].map(|k| firsts[k] + counts[k] as u32);
            hierarchy.firsts.push(firsts);
        }
        if count > 1 {
            let incidence = Incidence::new(mesh);
            let part = |(piece, k): (&ConvexPiece, u32)| {
                let polyhedron = hierarchy.polyhedron(k);
                polyhedron.within(incidence.around(piece, polyhedron, hierarchy.pieces.tolerance()))
            };
            hierarchy.parts = hierarchy.pieces.pieces().iter().zip(0..).map(part).collect();
        }
        Ok(hierarchy)
    }

    /// Builds the tree over some pieces; the last node is its root.
    fn build(&mut self, pieces: &mut [u32]) -> Result<u32, HierarchyError> {
        let (first, count) = (pieces[0], pieces.len());
        let error = |source| HierarchyError { first, pieces: count, source };
        let node = match *pieces {
            [piece] => {
                let ConvexPiece { points, faces, .. } = &self.pieces.pieces()[piece as usize];
                // A piece that is convex only within its tolerance is replaced by its hull.
                let polyhedron = ConvexPolyhedron::new(points, faces)
                    .or_else(|_| rounded_hull(points, self.pieces.tolerance()))
                    .map_err(error)?;
                self.leaves[piece as usize] = self.nodes.len() as u32;
                Node { margin: stand_out(&polyhedron, points), polyhedron, content: Content::Piece(piece) }
            }
            _ => {
                let (lower, upper) = self.halves(pieces);
                let children = [self.build(lower)?, self.build(upper)?];
                let points = children.map(|child| self.nodes[child as usize].polyhedron.vertices()).concat();
                let polyhedron = rounded_hull(&points, self.pieces.tolerance()).map_err(error)?;
                let below = children.map(|child| self.nodes[child as usize].margin);
                let margin = below[0].max(below[1]) + stand_out(&polyhedron, &points);
                Node { polyhedron, margin, content: Content::Nodes(children) }
            }
        };
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Splits two or more pieces at the median along the axis on which their centres are most spread.
    fn halves<'s>(&self, pieces: &'s mut [u32]) -> (&'s mut [u32], &'s mut [u32]) {
        let centre = |piece: u32| {
            let points = &self.pieces.pieces()[piece as usize].points;
            points.iter().sum::<DVec3>() / points.len() as f64
        };
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = pieces.iter().fold(none, |(low, high), &p| (low.min(centre(p)), high.max(centre(p))));
        let spread = (high - low).to_array();
        let axis = (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest });
        pieces.compact_sort_by(|&p, &q| centre(p)[axis].total_cmp(&centre(q)[axis]).then(p.cmp(&q)));
        pieces.split_at_mut(pieces.len() / 2)
    }

    /// The cut into pieces.
    pub fn pieces(&self) -> &ConvexPieces {
        &self.pieces
    }

    /// The nodes: the root last, children before their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the root.
    pub fn root(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    /// The hull of all pieces.
    pub fn hull(&self) -> &ConvexPolyhedron {
        &self.nodes[self.root() as usize].polyhedron
    }

    /// A piece as a polyhedron, frame of the mesh.
    ///
    /// # Panics
    /// If there is no such piece.
    pub fn polyhedron(&self, piece: u32) -> &ConvexPolyhedron {
        &self.nodes[self.leaves[piece as usize] as usize].polyhedron
    }

    /// A piece as a polyhedron that knows the solid around it.
    ///
    /// # Panics
    /// If there is no such piece.
    pub fn part(&self, piece: u32) -> &ConvexPolyhedron {
        self.parts.get(piece as usize).unwrap_or_else(|| self.polyhedron(piece))
    }

    /// The number in the shape of a piece's feature: those of all pieces are counted through, piece by piece. `None` if
    /// there is no such piece or feature.
    pub fn number(&self, piece: u32, feature: FeatureId) -> Option<FeatureId> {
        let firsts = self.firsts[..self.leaves.len()].get(piece as usize)?;
        let (kind, number) = parts(feature);
        self.polyhedron(piece).has(feature).then(|| feature_id(kind, firsts[kind] + number))
    }

    /// The piece that has this feature of the shape, and its number there. `None` if there is no such feature.
    pub fn feature(&self, number: FeatureId) -> Option<(u32, FeatureId)> {
        let (kind, number) = parts(number);
        let piece = self.firsts.partition_point(|firsts| firsts[kind] <= number).checked_sub(1)?;
        (piece < self.leaves.len()).then(|| (piece as u32, feature_id(kind, number - self.firsts[piece][kind])))
    }
}

fn parts(feature: FeatureId) -> (usize, u32) {
    match feature {
        FeatureId::Vertex(v) => (0, v),
        FeatureId::Edge(e) => (1, e),
        FeatureId::Facet(f) => (2, f),
    }
}

fn feature_id(kind: usize, number: u32) -> FeatureId {
    [FeatureId::Vertex, FeatureId::Edge, FeatureId::Facet][kind](number)
}

#[cfg(test)]
mod tests;
