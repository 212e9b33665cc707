//! Vertex against face (V-Clip report, Algorithm 6, with the signed test).

use super::{Step, View, apart, height};
use crate::shape::features::FeatureId;
use crate::vclip::Found;
use crate::vclip::closest_points::vertex_face;
use crate::vclip::polyhedron::{Plane, Spoke};
use crate::vclip::scalar::{Scalar, dot, point, value};

/// Directions of unit length whose product with one normal turned is above the negative of this are looked at once more:
/// ten times what rounding makes of it.
const DOUBTFUL: f64 = 1e-14;

/// Vertex `v` of body `own` against face `f` of the other.
#[inline(never)]
pub(super) fn step<S: Scalar>(
    view: &mut View<'_, S>,
    pair: &mut [FeatureId; 2],
    found: &mut Found,
    own: usize,
    v: u32,
    f: u32,
) -> Step {
    let other = 1 - own;
    let x = view.moved(own, v);
    let solid = view.bodies[other];
    // The side whose plane the vertex is farthest outside of.
    let mut lowest = S::ZERO;
    let mut beyond = None;
    for side in solid.sides_of(f) {
        let h = height(&side.plane, x);
        if h < lowest {
            (lowest, beyond) = (h, Some(side.edge));
        }
    }
    if let Some(edge) = beyond {
        pair[other] = FeatureId::Edge(edge);
        return Step::Moved;
    }
    let plane = &solid.face_at(f).plane;
    let h = height(plane, x);
    if h == S::ZERO {
        return view.meet(found, other, value(x));
    }
    // An edge that runs from the vertex towards the face's plane. The spoke's normal points the other way.
    let normal = view.motions[other].direction::<S>(plane.normal);
    let is_above = h > S::ZERO;
    for spoke in view.bodies[own].spokes_of(v) {
        let away = dot(normal, point(spoke.plane.normal));
        let away = if is_above { away } else { -away };
        if away > S::of(-DOUBTFUL) && towards(view, own, plane, spoke, is_above) {
            pair[own] = FeatureId::Edge(spoke.edge);
            return Step::Moved;
        }
    }
    if is_above {
        *found = apart(*pair, vertex_face(view, own, v, f, x, h));
        return Step::Ended;
    }
    // A local minimum of the distance to the plane, below it: either inside, or beyond another face.
    let mut outermost = (f, h);
    for g in solid.face_numbers() {
        let h = height(&solid.face_at(g).plane, x);
        if h > outermost.1 {
            outermost = (g, h);
        }
    }
    if outermost.1 > S::ZERO {
        pair[other] = FeatureId::Facet(outermost.0);
        return Step::Moved;
    }
    pair[other] = FeatureId::Facet(outermost.0);
    view.meet(found, other, value(x))
}

/// Whether an edge runs from the vertex towards the plane: by the edge turned, as in the other states.
#[inline(always)]
fn towards<S: Scalar>(view: &View<'_, S>, own: usize, plane: &Plane, spoke: &Spoke, is_above: bool) -> bool {
    let away: S = dot(point(plane.normal), view.motions[own].direction(spoke.plane.normal));
    if is_above { away > S::ZERO } else { away < S::ZERO }
}
