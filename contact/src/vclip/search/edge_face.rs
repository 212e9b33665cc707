//! Edge against face (V-Clip report, Algorithms 7 and 8, with signed heights). The search ends here only where the edge
//! meets the face.

use super::clip::{Clip, Rest};
use super::{Ends, Step, View, height};
use crate::shape::features::FeatureId;
use crate::vclip::Found;
use crate::vclip::polyhedron::{ConvexPolyhedron, Plane};
use crate::vclip::scalar::{Scalar, along, dot, point, value};

/// Edge `e` of body `own` against face `f` of the other.
#[inline(never)]
pub(super) fn step<S: Scalar>(
    view: &mut View<'_, S>,
    pair: &mut [FeatureId; 2],
    found: &mut Found,
    own: usize,
    e: u32,
    f: u32,
) -> Step {
    let other = 1 - own;
    let ends = view.moved_edge(own, e);
    let mut clip = Clip::new(ends);
    let solid = view.bodies[other];
    let sides = solid.sides_of(f);
    for (k, side) in sides.iter().enumerate() {
        let [start, other_start] = match clip.cut(&side.plane, k) {
            Rest::Part => continue,
            Rest::Outside => [k, k],
            Rest::Nothing => {
                let later = clip.low + clip.high > S::ONE;
                let [low, high] = [clip.low_plane, clip.high_plane].map(|plane| plane.unwrap_or(k));
                if later { [low, high] } else { [high, low] }
            }
        };
        let border = match walk(solid, f, start, ends) {
            // The distance to the border may have a minimum at a side that the edge is inside of; it is not the least.
            Border::Inside(_) => walk(solid, f, other_start, ends),
            border => border,
        };
        return match border {
            Border::Feature(feature) | Border::Inside(feature) => {
                pair[other] = feature;
                Step::Moved
            }
            Border::Meets(vertex) => view.meet(found, other, solid.vertices()[vertex as usize]),
        };
    }
    let plane = &solid.face_at(f).plane;
    let direction = clip.direction();
    let low_end = along(clip.ends.tail(), clip.low, direction);
    let high_end = along(clip.ends.tail(), clip.high, direction);
    let (low, high) = (height(plane, low_end), height(plane, high_end));
    let zero = S::ZERO;
    if (low <= zero && high >= zero) || (low >= zero && high <= zero) {
        // Where it goes through the plane.
        let share = if low == high { zero } else { low / (low - high) };
        let through = along(low_end, share, [0, 1, 2].map(|i| high_end[i] - low_end[i]));
        return view.meet(found, other, value(through));
    }
    // Towards the end that is nearer to the plane.
    let rate = dot(point(plane.normal), view.turned(own, e));
    let low_is_nearer = if low > zero { rate >= zero } else { rate <= zero };
    let [tail, head] = view.bodies[own].edge_at(e).ends;
    let (plane, end) = if low_is_nearer { (clip.low_plane, tail) } else { (clip.high_plane, head) };
    match plane {
        Some(k) => pair[other] = FeatureId::Edge(sides[k].edge),
        None => pair[own] = FeatureId::Vertex(end),
    }
    Step::Moved
}

/// What on the border of a face is closest to an edge.
enum Border {
    Feature(FeatureId),
    /// This side, although the edge is inside of its plane wherever it is beside it.
    Inside(FeatureId),
    /// The edge goes through this vertex.
    Meets(u32),
}

/// Walks along the border of the face from a side until the closest point of the edge is in a side's region, or between
/// two sides.
fn walk<S: Scalar>(solid: &ConvexPolyhedron, f: u32, start: usize, ends: Ends<S>) -> Border {
    let sides = solid.sides_of(f);
    let mut at = start;
    let mut last = None;
    for _ in 0..=sides.len() {
        let side = &sides[at];
        let edge = solid.edge_at(side.edge);
        let towards = match closer_end(solid, edge.ends, &edge.planes, &side.plane, ends) {
            Towards::Neither { is_inside } => {
                let feature = FeatureId::Edge(side.edge);
                return if is_inside { Border::Inside(feature) } else { Border::Feature(feature) };
            }
            Towards::Meets(vertex) => return Border::Meets(vertex),
            Towards::End(vertex) => vertex,
        };
        let is_back = towards == side.corner;
        if last.is_some_and(|was_back| was_back != is_back) {
            return Border::Feature(FeatureId::Vertex(towards));
        }
        last = Some(is_back);
        at = if is_back { (at + sides.len() - 1) % sides.len() } else { (at + 1) % sides.len() };
    }
    Border::Feature(FeatureId::Edge(sides[at].edge))
}

/// On which way from a side the edge comes closer.
enum Towards {
    /// No: it is nearest beside the side, and inside of the side's plane there or not.
    Neither {
        is_inside: bool,
    },
    End(u32),
    Meets(u32),
}

fn closer_end<S: Scalar>(
    solid: &ConvexPolyhedron,
    vertices: [u32; 2],
    planes: &[Plane; 4],
    inward: &Plane,
    ends: Ends<S>,
) -> Towards {
    let mut clip = Clip::new(ends);
    if clip.cut_across([&planes[0], &planes[1]]) == Rest::Outside
        && let Some(k) = clip.low_plane
    {
        return Towards::End(vertices[k]);
    }
    let direction = clip.direction();
    for (parameter, plane, is_high) in [(clip.low, clip.low_plane, false), (clip.high, clip.high_plane, true)] {
        let Some(k) = plane else { continue };
        let vertex = vertices[k];
        let Some(rate) = clip.leaves_point(direction, parameter, point(solid.vertices()[vertex as usize])) else {
            return Towards::Meets(vertex);
        };
        if if is_high { rate < S::ZERO } else { rate > S::ZERO } {
            return Towards::End(vertex);
        }
    }
    let is_above = |parameter: S| height(inward, along(clip.ends.tail(), parameter, direction)) > S::ZERO;
    Towards::Neither { is_inside: is_above(clip.low) && is_above(clip.high) }
}
