//! The closest points of two features whose closest points lie in each other's Voronoi regions.

use glam::DVec3;

use super::scalar::{Scalar, along, cross, distance, dot, minus, point, value};
use super::search::View;
use crate::shape::features::FeatureId;

/// Edges whose directions enclose an angle with a sine below this, some roundings, are parallel: the closest points are
/// then taken in the middle of where they are side by side.
const PARALLEL: f64 = 1e-15;

/// Edges whose directions enclose an angle with a sine below this cross where it is hard to say. Where they are side by
/// side any place is as near but for rounding, elsewhere none is.
const NEARLY_PARALLEL: f64 = 1e-4;

/// The closest points of A and B, each in its own frame (m), and their distance (m).
#[inline(always)]
pub(super) fn of<S: Scalar>(view: &mut View<'_, S>, pair: [FeatureId; 2]) -> ([DVec3; 2], f64) {
    use FeatureId::{Edge, Facet, Vertex};
    match pair {
        [Vertex(v), Vertex(w)] => {
            let (own, other) = (view.bodies[0].vertices()[v as usize], view.bodies[1].vertices()[w as usize]);
            let moved = view.moved(1, w);
            ([own, other], distance(point(own), moved).value())
        }
        [Vertex(v), Edge(e)] => vertex_edge(view, 0, v, e),
        [Edge(e), Vertex(v)] => vertex_edge(view, 1, v, e),
        [Vertex(v), Facet(f)] => vertex_face(view, 0, v, f),
        [Facet(f), Vertex(v)] => vertex_face(view, 1, v, f),
        [Edge(e), Edge(d)] => edge_edge(view, e, d),
        // Edge and face or two faces: the search does not end there.
        [a, b] => {
            let ends = [view.bodies[0].vertex_of(a), view.bodies[1].vertex_of(b)];
            of(view, ends.map(Vertex))
        }
    }
}

/// In the order of the bodies, given that of the vertex first.
fn ordered(own: usize, on_own: DVec3, on_other: DVec3) -> [DVec3; 2] {
    if own == 0 { [on_own, on_other] } else { [on_other, on_own] }
}

#[inline(never)]
fn vertex_edge<S: Scalar>(view: &mut View<'_, S>, own: usize, v: u32, e: u32) -> ([DVec3; 2], f64) {
    let x = view.moved(own, v);
    let solid = view.bodies[1 - own];
    let edge = solid.edge_at(e);
    let (tail, direction) = (point(solid.vertices()[edge.ends[0] as usize]), point(edge.direction));
    let nearest = along(tail, dot(minus(x, tail), direction), direction);
    let vertex = view.bodies[own].vertices()[v as usize];
    (ordered(own, vertex, value(nearest)), distance(x, nearest).value())
}

#[inline(always)]
fn vertex_face<S: Scalar>(view: &mut View<'_, S>, own: usize, v: u32, f: u32) -> ([DVec3; 2], f64) {
    let x = view.moved(own, v);
    let plane = &view.bodies[1 - own].face_at(f).plane;
    let normal = point(plane.normal);
    let height = dot(normal, x) - S::of(plane.offset);
    let vertex = view.bodies[own].vertices()[v as usize];
    (ordered(own, vertex, value(along(x, -height, normal))), height.value())
}

/// Spec 3.1's formula with the squared sine in place of 1 − k², which loses all digits for edges that are nearly parallel.
#[inline(never)]
fn edge_edge<S: Scalar>(view: &mut View<'_, S>, e: u32, d: u32) -> ([DVec3; 2], f64) {
    let ends = view.moved_edge(1, d);
    let (tail, head) = (ends.tail(), ends.head());
    let (first, second) = (view.bodies[0].edge_at(e), view.bodies[1].edge_at(d));
    let own_tail = point(view.bodies[0].vertices()[first.ends[0] as usize]);
    let (own, other) = (point(first.direction), minus(head, tail));
    let across = cross(own, other);
    let squared_sine = dot(across, across);
    let between = minus(own_tail, tail);
    let (zero, one) = (S::ZERO, S::ONE);
    let clamp = |x: S, high: S| if x < zero { zero } else { if x > high { high } else { x } };
    let sine = |angle: f64| (angle * second.length).powi(2);
    let crossing = dot(cross(between, own), cross(other, own)) / squared_sine;
    let share = if squared_sine.value() > sine(NEARLY_PARALLEL) {
        clamp(crossing, one)
    } else {
        // The shares of the other edge at which the own one begins and ends.
        let unit = dot(other, other);
        let begin = dot(between, other) / unit;
        let end = dot(along(between, S::of(first.length), own), other) / unit;
        let (low, high) = if begin < end { (begin, end) } else { (end, begin) };
        let (low, high) = (clamp(low, one), clamp(high, one));
        if squared_sine.value() > sine(PARALLEL) {
            if crossing < low { low } else { if crossing > high { high } else { crossing } }
        } else {
            (low + high) / S::of(2.0)
        }
    };
    let on_other = along(tail, share, other);
    let length = clamp(dot(minus(on_other, own_tail), own), S::of(first.length));
    let on_own = along(own_tail, length, own);
    let in_its_frame = {
        let tail = view.bodies[1].vertices()[second.ends[0] as usize];
        let length = share * S::of(second.length);
        along(point(tail), length, point(second.direction))
    };
    ([value(on_own), value(in_its_frame)], distance(on_own, on_other).value())
}
