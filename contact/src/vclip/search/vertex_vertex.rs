//! Vertex against vertex (V-Clip report, Algorithm 2).

use super::{Step, View, apart, height};
use crate::shape::features::FeatureId;
use crate::vclip::Found;
use crate::vclip::closest_points::vertex_vertex;
use crate::vclip::scalar::{Point, Scalar};

#[inline(never)]
pub(super) fn step<S: Scalar>(
    view: &mut View<'_, S>,
    pair: &mut [FeatureId; 2],
    found: &mut Found,
    v: u32,
    w: u32,
) -> Step {
    let other = view.moved(1, w);
    if let Some(edge) = leaves(view, 0, v, other) {
        pair[0] = FeatureId::Edge(edge);
        return Step::Moved;
    }
    let own = view.moved(0, v);
    if let Some(edge) = leaves(view, 1, w, own) {
        pair[1] = FeatureId::Edge(edge);
        return Step::Moved;
    }
    *found = apart(*pair, vertex_vertex(view, v, w, other));
    Step::Ended
}

/// The first edge at a vertex whose side of the Voronoi plane a point is on.
#[inline(always)]
fn leaves<S: Scalar>(view: &View<'_, S>, body: usize, vertex: u32, x: Point<S>) -> Option<u32> {
    let spokes = view.bodies[body].spokes_of(vertex);
    spokes.iter().find(|spoke| height(&spoke.plane, x) < S::ZERO).map(|spoke| spoke.edge)
}
