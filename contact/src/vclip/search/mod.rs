//! The search for the closest features (V-Clip report, section 4).
//!
//! A state is a pair of features. Each state's test asks whether the closest points of the two lie in each other's
//! Voronoi regions; if not, it replaces one feature by a neighbour that is closer, or as close and of lower
//! dimension. Only signs are looked at: of a point against a plane, of the derivative of a distance along an edge
//! where the edge crosses a plane.
//!
//! Differs from the report, whose text and program have errors that were found since: the edge that pierces a face is
//! found by signs (Algorithm 6 compares magnitudes), an edge meets a face when the product of its two heights is not
//! above zero (Algorithm 8 multiplies distances, which are never negative), and which edges of a vertex run towards a
//! face is read off one turned normal instead of turned vertices. Whether an edge runs towards a face is one number
//! in all states, so that rounding cannot send the search to and fro between two of them.

mod clip;
mod edge_edge;
mod edge_face;
mod moved;
mod vertex_edge;
mod vertex_face;
mod vertex_vertex;

use glam::DVec3;

use super::closest_points::apart;
pub(super) use clip::Ends;
use moved::Moved;

use super::Found;
use super::polyhedron::{ConvexPolyhedron, Plane};
use super::scalar::{Motion, Point, Scalar, dot, point};
use crate::shape::features::FeatureId;

/// Two polyhedra and where each is in the frame of the other.
pub(super) struct View<'p, S> {
    pub bodies: [&'p ConvexPolyhedron; 2],
    /// The first takes points of the first body to the frame of the second, the second the other way.
    pub motions: &'p [Motion; 2],
    /// What numbers that count keep from state to state.
    kept: Option<[Moved<S>; 2]>,
}

/// What a state's test says.
pub(super) enum Step {
    /// The pair has changed.
    Moved,
    /// The search has ended, and said with what.
    Ended,
}

impl<'p, S: Scalar> View<'p, S> {
    #[inline(always)]
    pub fn new(bodies: [&'p ConvexPolyhedron; 2], motions: &'p [Motion; 2]) -> Self {
        Self { bodies, motions, kept: S::KEEPS_POINTS.then(|| [Moved::new(); 2]) }
    }

    /// A vertex of a body in the frame of the other.
    #[inline(always)]
    pub fn moved(&mut self, body: usize, vertex: u32) -> Point<S> {
        let (solid, motion) = (self.bodies[body], &self.motions[body]);
        match &mut self.kept {
            Some(kept) if S::KEEPS_POINTS => kept[body].vertex(solid, motion, vertex),
            _ => motion.point(solid.vertices()[vertex as usize]),
        }
    }

    /// Tail and head of an edge in the frame of the other body.
    #[inline(always)]
    pub fn moved_edge(&mut self, body: usize, edge: u32) -> Ends<S> {
        let (solid, motion) = (self.bodies[body], &self.motions[body]);
        match &mut self.kept {
            Some(kept) if S::KEEPS_POINTS => kept[body].edge(solid, motion, edge),
            _ => Ends::moved(motion, solid.edge_at(edge).ends.map(|v| solid.vertices()[v as usize])),
        }
    }

    /// The direction of an edge of a body in the frame of the other.
    #[inline(always)]
    pub fn turned(&self, body: usize, edge: u32) -> Point<S> {
        self.motions[body].direction(self.bodies[body].edge_at(edge).direction)
    }

    /// Ends the search with a common point in the frame of a body.
    #[cold]
    fn meet(&self, found: &mut Found, body: usize, x: DVec3) -> Step {
        let in_first = |x: DVec3| DVec3::from_array(self.motions[1].point::<f64>(x));
        *found = Found::Intersecting(if body == 0 { x } else { in_first(x) });
        Step::Ended
    }

    /// One step from a pair of features, the first of the first body.
    #[inline(always)]
    pub fn step(&mut self, pair: &mut [FeatureId; 2], found: &mut Found) -> Step {
        use FeatureId::{Edge, Facet, Vertex};
        match *pair {
            [Vertex(v), Vertex(w)] => vertex_vertex::step(self, pair, found, v, w),
            [Vertex(v), Edge(e)] => vertex_edge::step(self, pair, found, 0, v, e),
            [Edge(e), Vertex(v)] => vertex_edge::step(self, pair, found, 1, v, e),
            [Vertex(v), Facet(f)] => vertex_face::step(self, pair, found, 0, v, f),
            [Facet(f), Vertex(v)] => vertex_face::step(self, pair, found, 1, v, f),
            [Edge(e), Edge(d)] => edge_edge::step(self, pair, found, e, d),
            [Edge(e), Facet(f)] => edge_face::step(self, pair, found, 0, e, f),
            [Facet(f), Edge(e)] => edge_face::step(self, pair, found, 1, e, f),
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
pub(super) fn height<S: Scalar>(plane: &Plane, x: Point<S>) -> S {
    dot(point(plane.normal), x) - S::of(plane.offset)
}
