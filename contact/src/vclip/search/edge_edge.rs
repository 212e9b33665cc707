//! Edge against edge (V-Clip report, Algorithms 4 and 5).

use super::clip::{Clip, Rest};
use super::{Step, View};
use crate::shape::features::FeatureId;
use crate::vclip::scalar::{Scalar, point, value};

#[inline(never)]
pub(super) fn step<S: Scalar>(view: &mut View<'_, S>, pair: &mut [FeatureId; 2], e: u32, d: u32) -> Step {
    match half(view, pair, 0, e, d) {
        Step::Closest => half(view, pair, 1, d, e),
        done => done,
    }
}

/// The other body's edge `d` against the region of edge `e` of body `own`.
#[inline(never)]
fn half<S: Scalar>(view: &mut View<'_, S>, pair: &mut [FeatureId; 2], own: usize, e: u32, d: u32) -> Step {
    let mut clip = Clip::new(view.moved_edge(1 - own, d));
    let solid = view.bodies[own];
    let edge = solid.edge_at(e);
    // Planes of vertices: what they cut off is closer to the vertex, wherever it is cut.
    if clip.cut_across([&edge.planes[0], &edge.planes[1]]) == Rest::Outside
        && let Some(k) = clip.low_plane
    {
        pair[own] = FeatureId::Vertex(edge.ends[k]);
        return Step::Moved;
    }
    let vertex = |k: usize| solid.vertices()[edge.ends[k] as usize];
    if let Some(k) = clip.low_plane {
        match clip.leaves_point(clip.low, point(vertex(k))) {
            Some(rate) if rate > S::ZERO => {
                pair[own] = FeatureId::Vertex(edge.ends[k]);
                return Step::Moved;
            }
            Some(_) => {}
            None => return view.meet(own, vertex(k)),
        }
    }
    if let Some(k) = clip.high_plane {
        match clip.leaves_point(clip.high, point(vertex(k))) {
            Some(rate) if rate < S::ZERO => {
                pair[own] = FeatureId::Vertex(edge.ends[k]);
                return Step::Moved;
            }
            Some(_) => {}
            None => return view.meet(own, vertex(k)),
        }
    }
    // Planes of faces: what they cut off may still be closer to the edge, so that they count only where the edge meets
    // the region's border.
    let mut rest = Rest::Part;
    for k in [2, 3] {
        rest = clip.cut(&edge.planes[k], k);
        match rest {
            Rest::Part => {}
            Rest::Outside => {
                pair[own] = FeatureId::Facet(edge.faces[k - 2]);
                return Step::Moved;
            }
            Rest::Nothing => break,
        }
    }
    let face_of = |plane: Option<usize>| plane.filter(|&k| k >= 2).map(|k| edge.faces[k - 2]);
    let (low_face, high_face) = (face_of(clip.low_plane), face_of(clip.high_plane));
    if rest == Rest::Nothing {
        // A vertex and a face: the vertex has been ruled out. Two faces: the edge passes below, and is on its way to one.
        let face = match (low_face, high_face) {
            (Some(low), Some(high)) => match clip.leaves_plane(clip.low, &solid.face_at(low).plane) {
                Some(rate) if rate > S::ZERO => low,
                Some(_) => high,
                None => return view.meet(own, value(clip.at(clip.low))),
            },
            (low, high) => match low.or(high) {
                Some(face) => face,
                None => return Step::Closest,
            },
        };
        pair[own] = FeatureId::Facet(face);
        return Step::Moved;
    }
    if let Some(face) = low_face {
        match clip.leaves_plane(clip.low, &solid.face_at(face).plane) {
            Some(rate) if rate > S::ZERO => {
                pair[own] = FeatureId::Facet(face);
                return Step::Moved;
            }
            Some(_) => {}
            None => return view.meet(own, value(clip.at(clip.low))),
        }
    }
    if let Some(face) = high_face {
        match clip.leaves_plane(clip.high, &solid.face_at(face).plane) {
            Some(rate) if rate < S::ZERO => {
                pair[own] = FeatureId::Facet(face);
                return Step::Moved;
            }
            Some(_) => {}
            None => return view.meet(own, value(clip.at(clip.high))),
        }
    }
    Step::Closest
}
