//! Normals at the edges and vertices of an open surface: sums of those of the triangles around, weighted by their angles (Bærentzen and
//! Aanæs, "Signed distance computation using the angle weighted pseudonormal", 2005).

use glam::DVec3;

use super::{NONE, OpenSurface, plane_of};
use crate::solid::triangle::Part;

/// Sums of unit normals that are shorter have no direction.
const NORMAL_LENGTH: f64 = 1e-12;

/// The normal to the front of a part of a triangle, unit, with what is around it; `None` where normals cancel.
pub(crate) fn pseudonormal(surface: &dyn OpenSurface, triangle: u32, part: Part) -> Option<DVec3> {
    let normal = |half_edge: u32| plane_of(surface, half_edge / 3).1;
    let sum = match part {
        Part::Face => return Some(normal(3 * triangle)),
        Part::Side(side) => {
            let half_edge = 3 * triangle + side as u32;
            let beyond = surface.twin(half_edge);
            normal(half_edge) + if beyond == NONE { DVec3::ZERO } else { normal(beyond) }
        }
        Part::Corner(corner) => around(surface, 3 * triangle + corner as u32),
    };
    (sum.length() > NORMAL_LENGTH).then(|| sum.normalize())
}

/// The sum over the triangles around the vertex where a half-edge begins, as far as they are connected by edges there.
fn around(surface: &dyn OpenSurface, start: u32) -> DVec3 {
    let [next, last] = [1, 2].map(|by| move |half_edge: u32| 3 * (half_edge / 3) + (half_edge % 3 + by) % 3);
    let weighted = |half_edge: u32| {
        let ([a, b, c], normal) = plane_of(surface, half_edge / 3);
        let (p, q, r) = match half_edge % 3 {
            0 => (a, b, c),
            1 => (b, c, a),
            _ => (c, a, b),
        };
        let (u, v) = (q - p, r - p);
        normal * libm::atan2(u.cross(v).length(), u.dot(v))
    };
    let mut sum = weighted(start);
    // All that begin at the vertex: over one side of each triangle, and at a border over the other from the start.
    let mut at = start;
    loop {
        let twin = surface.twin(at);
        if twin == NONE {
            break;
        }
        at = next(twin);
        if at == start {
            return sum;
        }
        sum += weighted(at);
    }
    at = start;
    loop {
        let twin = surface.twin(last(at));
        if twin == NONE {
            return sum;
        }
        at = twin;
        sum += weighted(at);
    }
}
