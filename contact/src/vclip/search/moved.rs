//! Vertices of one body in the frame of the other, kept from state to state: the next pair has some of them again. Only
//! for numbers that count, see [`Scalar::KEEPS_POINTS`].

use crate::vclip::polyhedron::ConvexPolyhedron;
use crate::vclip::scalar::{Motion, Point, Scalar};

use super::Ends;

/// No vertex.
const NONE: u32 = u32::MAX;

/// The vertices of a body's feature in the frame of the other body: one, or tail and head of an edge.
#[derive(Clone, Copy)]
pub(in crate::vclip) struct Moved<S> {
    vertices: [u32; 2],
    points: [Point<S>; 2],
}

impl<S: Scalar> Moved<S> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { vertices: [NONE; 2], points: [[S::ZERO; 3]; 2] }
    }

    /// Where a vertex is that is there already, or now.
    #[inline(always)]
    fn get(&self, solid: &ConvexPolyhedron, motion: &Motion, v: u32) -> Point<S> {
        if v == self.vertices[0] {
            self.points[0]
        } else if v == self.vertices[1] {
            self.points[1]
        } else {
            motion.point(solid.vertices()[v as usize])
        }
    }

    #[inline(always)]
    pub fn vertex(&mut self, solid: &ConvexPolyhedron, motion: &Motion, v: u32) -> Point<S> {
        let point = self.get(solid, motion, v);
        if v != self.vertices[0] && v != self.vertices[1] {
            self.vertices[0] = v;
            self.points[0] = point;
        }
        point
    }

    #[inline(always)]
    pub fn edge(&mut self, solid: &ConvexPolyhedron, motion: &Motion, e: u32) -> Ends<S> {
        let ends = solid.edge_at(e).ends;
        let points = ends.map(|v| self.get(solid, motion, v));
        (self.vertices, self.points) = (ends, points);
        Ends::new(points)
    }
}
