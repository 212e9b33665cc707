//! A contact: where two shapes touch, in which direction, how far apart.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A feature of a shape's surface that took part in a contact, by its index in the shape's numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Feature {
    /// A vertex of the tetrahedral mesh.
    Vertex(u32),
    /// An edge of the tetrahedral mesh.
    Edge(u32),
    /// A face of the tetrahedral mesh.
    Face(u32),
    /// A whole tetrahedron: the method knows no finer origin.
    Tetrahedron(u32),
    /// A facet ([`crate::shape::Features::facets`]).
    Facet(u32),
    /// A straight border between two facets ([`crate::shape::Features::edges`]).
    FacetEdge(u32),
    /// A vertex where such borders meet ([`crate::shape::Features::vertices`]).
    FacetVertex(u32),
    /// A face of a convex piece; features of pieces are counted through all pieces
    /// ([`crate::vclip::hierarchy::PieceHierarchy::feature`]).
    PieceFace(u32),
    /// An edge of a convex piece.
    PieceEdge(u32),
    /// A vertex of a convex piece.
    PieceVertex(u32),
    /// A smooth part of the surface of a primitive.
    Surface(u32),
    /// A part of the intersection of two shapes that are deep in each other ([`crate::overlap`]), by its index.
    Overlap(u32),
}

impl Feature {
    /// Among the features of the step before: nothing is known of the pair, or it was left without all of its contacts. The
    /// shapes may be deep in each other, whatever contacts there are.
    pub const UNKNOWN: Self = Self::Overlap(u32::MAX);
}

/// One contact point between a shape A and a shape B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Point of action, world frame, m.
    pub position: DVec3,
    /// Direction from A to B, world frame, unit length (the `published` variant of `intersection` alone reports
    /// the lengths that its model reports).
    pub normal: DVec3,
    /// Distance along the normal, m: positive apart, negative penetrating.
    pub gap: f64,
    /// The feature of A.
    pub feature_a: Feature,
    /// The feature of B.
    pub feature_b: Feature,
}

impl Contact {
    /// Makes it the contact between B and A.
    pub fn exchange(&mut self) {
        self.normal = -self.normal;
        std::mem::swap(&mut self.feature_a, &mut self.feature_b);
    }
}
