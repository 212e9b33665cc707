//! The closest points of two features whose closest points lie in each other's Voronoi regions.

use glam::DVec3;

use super::polyhedron::Edge;
use super::scalar::{Point, Scalar, along, cross, distance, dot, minus, point, value};
use super::search::{Ends, View, height};
use super::{Closest, Found, Pair};
use crate::shape::features::FeatureId;

/// Edges whose directions enclose an angle with a sine below this, some roundings, are parallel: the closest points are
/// then taken in the middle of where they are side by side.
const PARALLEL: f64 = 1e-15;

/// Edges whose directions enclose an angle with a sine below this cross where it is hard to say. Where they are side by
/// side any place is as near but for rounding, elsewhere none is.
const NEARLY_PARALLEL: f64 = 1e-4;

/// The closest points of A and B, each in its own frame (m), and their distance (m).
pub(super) type Points<S> = ([DVec3; 2], S);

/// What a search has found with these points.
#[inline(always)]
pub(super) fn apart<S: Scalar>([a, b]: [FeatureId; 2], (points, distance): Points<S>) -> Found {
    if distance > S::ZERO {
        Found::Apart(Closest { pair: Pair { a, b }, points, distance: distance.value() })
    } else {
        Found::Intersecting(points[0])
    }
}

/// The closest points of any two features.
pub(super) fn of<S: Scalar>(view: &mut View<'_, S>, pair: [FeatureId; 2]) -> Points<S> {
    use FeatureId::{Edge, Facet, Vertex};
    match pair {
        [Vertex(v), Edge(e)] => of_vertex_and_edge(view, 0, v, e),
        [Edge(e), Vertex(v)] => of_vertex_and_edge(view, 1, v, e),
        [Vertex(v), Facet(f)] => of_vertex_and_face(view, 0, v, f),
        [Facet(f), Vertex(v)] => of_vertex_and_face(view, 1, v, f),
        [Edge(e), Edge(d)] => {
            let ends = view.moved_edge(1, d);
            edge_edge(view, e, d, ends)
        }
        // Edge and face or two faces: the search does not end there.
        [a, b] => {
            let [v, w] = [view.bodies[0].vertex_of(a), view.bodies[1].vertex_of(b)];
            let x = view.moved(1, w);
            vertex_vertex(view, v, w, x)
        }
    }
}

fn of_vertex_and_edge<S: Scalar>(view: &mut View<'_, S>, own: usize, v: u32, e: u32) -> Points<S> {
    let x = view.moved(own, v);
    let beyond_tail = height(&view.bodies[1 - own].edge_at(e).planes[0], x);
    vertex_edge(view, own, v, e, x, beyond_tail)
}

fn of_vertex_and_face<S: Scalar>(view: &mut View<'_, S>, own: usize, v: u32, f: u32) -> Points<S> {
    let x = view.moved(own, v);
    let height = height(&view.bodies[1 - own].face_at(f).plane, x);
    vertex_face(view, own, v, f, x, height)
}

/// In the order of the bodies, given that of the vertex first.
#[inline(always)]
fn ordered(own: usize, on_own: DVec3, on_other: DVec3) -> [DVec3; 2] {
    if own == 0 { [on_own, on_other] } else { [on_other, on_own] }
}

/// Two vertices; `x` is that of B in the frame of A.
#[inline(always)]
pub(super) fn vertex_vertex<S: Scalar>(view: &View<'_, S>, v: u32, w: u32, x: Point<S>) -> Points<S> {
    let points = [view.bodies[0].vertices()[v as usize], view.bodies[1].vertices()[w as usize]];
    (points, distance(point(points[0]), x))
}

/// A vertex of body `own`, `x` in the frame of the other, whose edge's tail it is this far beyond.
#[inline(always)]
pub(super) fn vertex_edge<S: Scalar>(
    view: &View<'_, S>,
    own: usize,
    v: u32,
    e: u32,
    x: Point<S>,
    beyond_tail: S,
) -> Points<S> {
    let solid = view.bodies[1 - own];
    let edge = solid.edge_at(e);
    let nearest = along(tail_of(solid.vertices(), edge), beyond_tail, point(edge.direction));
    let vertex = view.bodies[own].vertices()[v as usize];
    (ordered(own, vertex, value(nearest)), distance(x, nearest))
}

#[inline(always)]
fn tail_of<S: Scalar>(vertices: &[DVec3], edge: &Edge) -> Point<S> {
    point(vertices[edge.ends[0] as usize])
}

/// A vertex of body `own`, `x` in the frame of the other, over whose face it is this high.
#[inline(always)]
pub(super) fn vertex_face<S: Scalar>(
    view: &View<'_, S>,
    own: usize,
    v: u32,
    f: u32,
    x: Point<S>,
    height: S,
) -> Points<S> {
    let normal = point(view.bodies[1 - own].face_at(f).plane.normal);
    let vertex = view.bodies[own].vertices()[v as usize];
    (ordered(own, vertex, value(along(x, -height, normal))), height)
}

/// Two edges; `ends` are those of B's in the frame of A. With the squared sine of the angle between them in place of
/// 1 − cos², which loses all digits for edges that are nearly parallel.
#[inline(always)]
pub(super) fn edge_edge<S: Scalar>(view: &View<'_, S>, e: u32, d: u32, ends: Ends<S>) -> Points<S> {
    let (tail, head) = (ends.tail(), ends.head());
    let (first, second) = (view.bodies[0].edge_at(e), view.bodies[1].edge_at(d));
    let own_tail = tail_of(view.bodies[0].vertices(), first);
    let (own, other) = (point(first.direction), minus(head, tail));
    let across = cross(other, own);
    let squared_sine = dot(across, across);
    let between = minus(own_tail, tail);
    let (zero, one) = (S::ZERO, S::ONE);
    let clamp = |x: S, high: S| if x < zero { zero } else { if x > high { high } else { x } };
    let sine = |angle: f64| S::of((angle * second.length) * (angle * second.length));
    let crossing = dot(cross(between, own), across) / squared_sine;
    let share = if squared_sine > sine(NEARLY_PARALLEL) {
        clamp(crossing, one)
    } else {
        // The shares of the other edge at which the own one begins and ends.
        let unit = dot(other, other);
        let begin = dot(between, other) / unit;
        let end = dot(along(between, S::of(first.length), own), other) / unit;
        let (low, high) = if begin < end { (begin, end) } else { (end, begin) };
        let (low, high) = (clamp(low, one), clamp(high, one));
        if squared_sine > sine(PARALLEL) {
            if crossing < low { low } else { if crossing > high { high } else { crossing } }
        } else {
            (low + high) / S::of(2.0)
        }
    };
    let on_other = along(tail, share, other);
    let along_own = dot(minus(on_other, own_tail), own);
    let length = clamp(along_own, S::of(first.length));
    let on_own = along(own_tail, length, own);
    // Where the lines are nearest is known the worse the smaller the angle; at an end of the own edge it does not
    // matter.
    let (share, on_other) = if length.value() == along_own.value() {
        (share, on_other)
    } else {
        let share = clamp(dot(minus(on_own, tail), other) / dot(other, other), one);
        (share, along(tail, share, other))
    };
    let in_its_frame = {
        let length = share * S::of(second.length);
        along(tail_of(view.bodies[1].vertices(), second), length, point(second.direction))
    };
    ([value(on_own), value(in_its_frame)], distance(on_own, on_other))
}
