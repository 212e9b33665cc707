//! Vertex against edge (V-Clip report, Algorithm 3).

use super::clip::{Clip, Rest};
use super::{Step, View, apart, height};
use crate::shape::features::FeatureId;
use crate::vclip::Found;
use crate::vclip::closest_points::vertex_edge;
use crate::vclip::scalar::{Scalar, dot, point, value};

/// Vertex `v` of body `own` against edge `e` of the other.
#[inline(never)]
pub(super) fn step<S: Scalar>(
    view: &mut View<'_, S>,
    pair: &mut [FeatureId; 2],
    found: &mut Found,
    own: usize,
    v: u32,
    e: u32,
) -> Step {
    let other = 1 - own;
    let x = view.moved(own, v);
    let edge = view.bodies[other].edge_at(e);
    // The vertex against the edge's region; planes of vertices first, as they alone separate what is closer.
    let along = dot(point(edge.direction), x);
    let [tail, head, left, right] = &edge.planes;
    let beyond_tail = along - S::of(tail.offset);
    let beyond = if beyond_tail < S::ZERO {
        Some(FeatureId::Vertex(edge.ends[0]))
    } else if -along - S::of(head.offset) < S::ZERO {
        Some(FeatureId::Vertex(edge.ends[1]))
    } else if height(left, x) < S::ZERO {
        Some(FeatureId::Facet(edge.faces[0]))
    } else if height(right, x) < S::ZERO {
        Some(FeatureId::Facet(edge.faces[1]))
    } else {
        None
    };
    if let Some(feature) = beyond {
        pair[other] = feature;
        return Step::Moved;
    }
    // The edge against the vertex's region.
    let mut clip = Clip::new(view.moved_edge(other, e));
    let spokes = view.bodies[own].spokes_of(v);
    for (k, spoke) in spokes.iter().enumerate() {
        match clip.cut(&spoke.plane, k) {
            Rest::Part => {}
            Rest::Outside => {
                pair[own] = FeatureId::Edge(spoke.edge);
                return Step::Moved;
            }
            Rest::Nothing => break,
        }
    }
    if clip.low_plane.is_some() || clip.high_plane.is_some() {
        let vertex = point(view.bodies[own].vertices()[v as usize]);
        let direction = clip.direction();
        if let Some(k) = clip.low_plane {
            match clip.leaves_point(direction, clip.low, vertex) {
                Some(rate) if rate > S::ZERO => {
                    pair[own] = FeatureId::Edge(spokes[k].edge);
                    return Step::Moved;
                }
                Some(_) => {}
                None => return view.meet(found, own, value(vertex)),
            }
        }
        if let Some(k) = clip.high_plane {
            match clip.leaves_point(direction, clip.high, vertex) {
                Some(rate) if rate < S::ZERO => {
                    pair[own] = FeatureId::Edge(spokes[k].edge);
                    return Step::Moved;
                }
                Some(_) => {}
                None => return view.meet(found, own, value(vertex)),
            }
        }
    }
    *found = apart(*pair, vertex_edge(view, own, v, e, x, beyond_tail));
    Step::Ended
}
