//! The search for the closest features (V-Clip report, section 4).
//!
//! A state is a pair of features. Each state's test asks whether the closest points of the two lie in each other's Voronoi
//! regions; if not, it replaces one feature by a neighbour that is closer, or as close and of lower dimension. Only signs
//! are looked at: of a point against a plane, of the derivative of a distance along an edge where the edge crosses a
//! plane.
//!
//! Differs from the report, whose text and program have errors that were found since: the edge that pierces a face is
//! found by signs (Algorithm 6 compares magnitudes), an edge meets a face when the product of its two heights is not
//! above zero (Algorithm 8 multiplies distances, which are never negative), and which edges of a vertex run towards a face
//! is read off one turned normal instead of turned vertices.

mod clip;
mod edge_edge;
mod edge_face;
mod vertex_edge;
mod vertex_face;
mod vertex_vertex;

use std::marker::PhantomData;

use glam::DVec3;

pub(super) use clip::Ends;

use super::polyhedron::{ConvexPolyhedron, Plane};
use super::scalar::{Motion, Point, Scalar, dot, point};
use crate::shape::features::FeatureId;

/// Two polyhedra and where each is in the frame of the other.
pub(super) struct View<'p, S> {
    pub bodies: [&'p ConvexPolyhedron; 2],
    /// The first takes points of the first body to the frame of the second, the second the other way.
    pub motions: &'p [Motion; 2],
    /// A common point in the frame of the body of this number.
    pub meeting: (usize, DVec3),
    numbers: PhantomData<S>,
}

/// What a state's test says.
pub(super) enum Step {
    /// The pair has changed.
    Moved,
    /// These are the closest features.
    Closest,
    /// The polyhedra have a point in common: [`View::meeting`].
    Meet,
}

impl<'p, S: Scalar> View<'p, S> {
    #[inline(always)]
    pub fn new(bodies: [&'p ConvexPolyhedron; 2], motions: &'p [Motion; 2]) -> Self {
        Self { bodies, motions, meeting: (0, DVec3::ZERO), numbers: PhantomData }
    }

    /// A vertex of a body in the frame of the other.
    #[inline(always)]
    pub fn moved(&self, body: usize, vertex: u32) -> Point<S> {
        self.motions[body].point(self.bodies[body].vertices()[vertex as usize])
    }

    /// Tail and head of an edge in the frame of the other body.
    #[inline(always)]
    pub fn moved_edge(&self, body: usize, edge: u32) -> Ends<S> {
        let solid = self.bodies[body];
        Ends::moved(&self.motions[body], solid.edge_at(edge).ends.map(|v| solid.vertices()[v as usize]))
    }

    #[cold]
    fn meet(&mut self, body: usize, point: DVec3) -> Step {
        self.meeting = (body, point);
        Step::Meet
    }

    /// One step from a pair of features, the first of the first body.
    #[inline(always)]
    pub fn step(&mut self, pair: &mut [FeatureId; 2]) -> Step {
        use FeatureId::{Edge, Facet, Vertex};
        match *pair {
            [Vertex(v), Vertex(w)] => vertex_vertex::step(self, pair, v, w),
            [Vertex(v), Edge(e)] => vertex_edge::step(self, pair, 0, v, e),
            [Edge(e), Vertex(v)] => vertex_edge::step(self, pair, 1, v, e),
            [Vertex(v), Facet(f)] => vertex_face::step(self, pair, 0, v, f),
            [Facet(f), Vertex(v)] => vertex_face::step(self, pair, 1, v, f),
            [Edge(e), Edge(d)] => edge_edge::step(self, pair, e, d),
            [Edge(e), Facet(f)] => edge_face::step(self, pair, 0, e, f),
            [Facet(f), Edge(e)] => edge_face::step(self, pair, 1, e, f),
            // No state of the search: the face's first corner is as good a start.
            [Facet(f), Facet(_)] => {
                pair[0] = Vertex(self.bodies[0].sides_of(f)[0].corner);
                Step::Moved
            }
        }
    }
}

/// n·x − w: six operations.
#[inline(always)]
fn height<S: Scalar>(plane: &Plane, x: Point<S>) -> S {
    dot(point(plane.normal), x) - S::of(plane.offset)
}
