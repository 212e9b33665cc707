//! Vertex against edge (V-Clip report, Algorithm 3).

use super::clip::{Clip, Rest};
use super::{Step, View, height};
use crate::shape::features::FeatureId;
use crate::vclip::scalar::{Scalar, point, value};

/// Vertex `v` of body `own` against edge `e` of the other.
#[inline(always)]
pub(super) fn step<S: Scalar>(view: &mut View<'_, S>, pair: &mut [FeatureId; 2], own: usize, v: u32, e: u32) -> Step {
    let other = 1 - own;
    let x = view.moved(own, v);
    let edge = view.bodies[other].edge_at(e);
    // The vertex against the edge's region; planes of vertices first, as they alone separate what is closer.
    if let Some(k) = edge.planes.iter().position(|plane| height(plane, x) < S::ZERO) {
        pair[other] = match k {
            0 | 1 => FeatureId::Vertex(edge.ends[k]),
            _ => FeatureId::Facet(edge.faces[k - 2]),
        };
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
    let vertex = point(view.bodies[own].vertices()[v as usize]);
    let ends = [(clip.low, clip.low_plane, false), (clip.high, clip.high_plane, true)];
    for (parameter, plane, is_high) in ends {
        let Some(k) = plane else { continue };
        let Some(rate) = clip.leaves_point(parameter, vertex) else {
            return Step::Meet(own, value(vertex));
        };
        if if is_high { rate < S::ZERO } else { rate > S::ZERO } {
            pair[own] = FeatureId::Edge(spokes[k].edge);
            return Step::Moved;
        }
    }
    Step::Closest
}
