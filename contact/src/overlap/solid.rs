//! A closed surface with its vertices in the frame of A, and the triangles of two that are near each other.

use std::borrow::Cow;

use glam::{DMat3, DVec3};

use crate::pose::Pose;
use crate::shape::features::{BoxTree, Placement};
use crate::shape::{Polyhedron, Surface};

/// A closed surface in a frame of its own.
pub struct Solid<'s> {
    /// Which vertices make edges and triangles.
    pub topology: &'s Surface,
    /// m.
    pub vertices: Cow<'s, [DVec3]>,
    tree: Cow<'s, BoxTree>,
}

impl<'s> Solid<'s> {
    /// A polyhedron, whose tree is made once.
    pub fn polyhedron(polyhedron: &'s Polyhedron) -> Self {
        let topology = polyhedron.surface();
        let tree = Cow::Borrowed(polyhedron.triangle_tree());
        Self { topology, vertices: Cow::Borrowed(topology.vertices()), tree }
    }

    /// A surface with other vertices.
    pub fn deformed(topology: &'s Surface, vertices: Vec<DVec3>) -> Self {
        let tree = Cow::Owned(BoxTree::of_triangles(&vertices, topology.triangles()));
        Self { topology, vertices: Cow::Owned(vertices), tree }
    }

    /// The solid in another frame (its own → the other), for good.
    pub fn placed(self, pose: &Pose) -> Placed<'s> {
        let vertices: Vec<DVec3> = self.vertices.iter().map(|&v| pose.transform_point(v)).collect();
        Placed { topology: self.topology, vertices: Cow::Owned(vertices), tree: self.tree, pose: *pose }
    }

    /// The solid where it is.
    pub fn here(self) -> Placed<'s> {
        Placed { topology: self.topology, vertices: self.vertices, tree: self.tree, pose: Pose::IDENTITY }
    }
}

/// A closed surface in the frame of A.
pub struct Placed<'s> {
    /// Which vertices make edges and triangles.
    pub topology: &'s Surface,
    /// Frame of A, m.
    pub vertices: Cow<'s, [DVec3]>,
    tree: Cow<'s, BoxTree>,
    /// From the frame of the tree to that of A.
    pose: Pose,
}

impl Placed<'_> {
    /// The corners of a triangle, m.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.topology.triangles()[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// The ends of an edge, m.
    pub fn ends(&self, edge: u32) -> [DVec3; 2] {
        self.topology.edges()[edge as usize].vertices.map(|v| self.vertices[v as usize])
    }

    /// The outward unit normal of a triangle; zero if rounding has made it a line.
    pub fn normal(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// The lower and upper corner of the box around it, m.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(self.vertices.iter().copied())
    }

    /// The triangles of this solid (which is in its own frame) and another one whose boxes overlap.
    pub fn near_triangles(&self, other: &Placed<'_>) -> Vec<(u32, u32)> {
        let placement =
            Placement { rotation: DMat3::from_quat(other.pose.rotation), translation: other.pose.translation };
        let largest = self.vertices.iter().chain(other.vertices.iter()).map(|v| v.abs().max_element());
        let margin = BOX_ROUNDING * largest.fold(other.pose.translation.abs().max_element(), f64::max);
        let (mut stack, mut pairs) = (Vec::new(), Vec::new());
        self.tree.near_pairs(&other.tree, &placement, (margin, 0.0), &mut stack, &mut pairs);
        pairs
    }
}

/// Boxes are grown by this share of the coordinates: what rotating vertices may round.
const BOX_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The box around some points, m.
pub fn bounds(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}
