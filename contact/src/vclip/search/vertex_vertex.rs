//! Vertex against vertex (V-Clip report, Algorithm 2).

use super::{Step, View, height};
use crate::shape::features::FeatureId;
use crate::vclip::scalar::{Point, Scalar, value};

#[inline(never)]
pub(super) fn step<S: Scalar>(view: &mut View<'_, S>, pair: &mut [FeatureId; 2], v: u32, w: u32) -> Step {
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
    if value(other) == view.bodies[0].vertices()[v as usize] {
        return view.meet(0, value(other));
    }
    Step::Closest
}

/// The first edge at a vertex whose side of the Voronoi plane a point is on.
#[inline(always)]
fn leaves<S: Scalar>(view: &View<'_, S>, body: usize, vertex: u32, x: Point<S>) -> Option<u32> {
    let spokes = view.bodies[body].spokes_of(vertex);
    spokes.iter().find(|spoke| height(&spoke.plane, x) < S::ZERO).map(|spoke| spoke.edge)
}
