//! Edge against edge (V-Clip report, Algorithms 4 and 5).

use super::clip::{Clip, Rest};
use super::{Ends, Step, View, apart};
use crate::shape::features::FeatureId;
use crate::vclip::Found;
use crate::vclip::closest_points::edge_edge;
use crate::vclip::scalar::{Scalar, along, point, value};

#[inline(never)]
pub(super) fn step<S: Scalar>(
    view: &mut View<'_, S>,
    pair: &mut [FeatureId; 2],
    found: &mut Found,
    e: u32,
    d: u32,
) -> Step {
    let ends = view.moved_edge(1, d);
    match half(view, 0, [e, d], ends) {
        Half::Inside => {}
        Half::Leaves(feature) => {
            pair[0] = feature;
            return Step::Moved;
        }
        Half::Meets(x) => return view.meet(found, 0, x),
    }
    let own_ends = view.moved_edge(0, e);
    match half(view, 1, [d, e], own_ends) {
        Half::Inside => {}
        Half::Leaves(feature) => {
            pair[1] = feature;
            return Step::Moved;
        }
        Half::Meets(x) => return view.meet(found, 1, x),
    }
    *found = apart(*pair, edge_edge(view, e, d, ends));
    Step::Ended
}

/// How an edge is to the region of another.
enum Half {
    /// Its closest point is inside.
    Inside,
    /// This neighbour of the other is closer.
    Leaves(FeatureId),
    /// The two meet here, in the frame of the other.
    Meets(glam::DVec3),
}

/// The other body's edge `d`, with its `ends` in the frame of body `own`, against the region of edge `e` of that.
#[inline(always)]
fn half<S: Scalar>(view: &View<'_, S>, own: usize, [e, d]: [u32; 2], ends: Ends<S>) -> Half {
    let solid = view.bodies[own];
    let edge = solid.edge_at(e);
    let mut clip = Clip::new(ends);
    let direction = clip.direction();
    // Planes of vertices: what they cut off is closer to the vertex, wherever it is cut.
    if clip.cut_across([&edge.planes[0], &edge.planes[1]]) == Rest::Outside
        && let Some(k) = clip.low_plane
    {
        return Half::Leaves(FeatureId::Vertex(edge.ends[k]));
    }
    let vertex = |k: usize| solid.vertices()[edge.ends[k] as usize];
    if let Some(k) = clip.low_plane {
        match clip.leaves_point(direction, clip.low, point(vertex(k))) {
            Some(rate) if rate > S::ZERO => return Half::Leaves(FeatureId::Vertex(edge.ends[k])),
            Some(_) => {}
            None => return Half::Meets(vertex(k)),
        }
    }
    if let Some(k) = clip.high_plane {
        match clip.leaves_point(direction, clip.high, point(vertex(k))) {
            Some(rate) if rate < S::ZERO => return Half::Leaves(FeatureId::Vertex(edge.ends[k])),
            Some(_) => {}
            None => return Half::Meets(vertex(k)),
        }
    }
    // Planes of faces: what they cut off may still be closer to the edge, so that they count only where the edge meets
    // the region's border.
    let mut rest = Rest::Part;
    for k in [2, 3] {
        rest = clip.cut(&edge.planes[k], k);
        match rest {
            Rest::Part => {}
            Rest::Outside => return Half::Leaves(FeatureId::Facet(edge.faces[k - 2])),
            Rest::Nothing => break,
        }
    }
    let face_of = |plane: Option<usize>| plane.filter(|&k| k >= 2).map(|k| edge.faces[k - 2]);
    let (low_face, high_face) = (face_of(clip.low_plane), face_of(clip.high_plane));
    if low_face.is_none() && high_face.is_none() {
        return Half::Inside;
    }
    let turned = view.turned(1 - own, d);
    let leaves = |parameter: S, face: u32| clip.leaves_plane(direction, turned, parameter, &solid.face_at(face).plane);
    let at = |parameter: S| Half::Meets(value(along(ends.tail(), parameter, direction)));
    if rest == Rest::Nothing {
        // A vertex and a face: the vertex has been ruled out. Two faces: the edge passes below, and is on its way to one.
        let face = match (low_face, high_face) {
            (Some(low), Some(high)) => match leaves(clip.low, low) {
                Some(rate) if rate > S::ZERO => low,
                Some(_) => high,
                None => return at(clip.low),
            },
            (Some(face), None) | (None, Some(face)) => face,
            (None, None) => return Half::Inside,
        };
        return Half::Leaves(FeatureId::Facet(face));
    }
    if let Some(face) = low_face {
        match leaves(clip.low, face) {
            Some(rate) if rate > S::ZERO => return Half::Leaves(FeatureId::Facet(face)),
            Some(_) => {}
            None => return at(clip.low),
        }
    }
    if let Some(face) = high_face {
        match leaves(clip.high, face) {
            Some(rate) if rate < S::ZERO => return Half::Leaves(FeatureId::Facet(face)),
            Some(_) => {}
            None => return at(clip.high),
        }
    }
    Half::Inside
}
