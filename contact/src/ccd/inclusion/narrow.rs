//! Cutting off the parts of a box in which there can be no contact.

use super::difference::Taylor;
use super::direction::{Along, Empty};
use super::domain::Domain;
use super::filter::Reach;
use super::look::Look;
use crate::ccd::Kind;
use glam::DVec3;

/// Three derivatives that span less than this part of the volume that they could count as coplanar.
const COPLANAR: f64 = 1e-3;

/// Narrows the box that was looked at. Any direction is sound; these are the ones that help.
#[inline(always)]
pub(super) fn narrow(seen: &Look, reach: &Reach, kind: Kind, domain: &mut Domain) -> Result<(), Empty> {
    let Taylor { by_t, by_u, by_v, .. } = seen.taylor;
    let along = |n: DVec3| Along::new(n, &seen.taylor, reach.along(n));
    let mut cut = |along: &Along, i: usize| along.narrow(i, seen.middle[i], seen.half, &mut domain[i]);
    // Across two derivatives F depends on the third variable alone, but for the terms of second order.
    let normals = [by_u.cross(by_v), by_v.cross(by_t), by_t.cross(by_u)];
    for (i, n) in normals.into_iter().enumerate() {
        cut(&along(n), i)?;
    }
    if reach.is_wide {
        // The faces of the cube of the minimum separation.
        for axis in DVec3::AXES {
            cut(&along(axis), 0)?;
        }
        // The ball of it is touched across the line to its centre.
        if reach.is_round() {
            cut(&along(seen.taylor.value), 0)?;
        }
    }
    let volume = normals[0].dot(by_t);
    let most = by_t.length_squared() * by_u.length_squared() * by_v.length_squared();
    if volume * volume <= COPLANAR * COPLANAR * most {
        // All move in one plane; in it the lines along two edges, or along the three sides of the triangle, separate.
        let [a, b, c] = normals;
        let longer = |a: DVec3, b: DVec3| if a.length_squared() >= b.length_squared() { a } else { b };
        let plane = longer(longer(a, b), c);
        let third = if kind == Kind::VertexFace { by_u - by_v } else { by_t };
        for side in [by_u, by_v, third] {
            let across = along(plane.cross(side));
            for i in 0..3 {
                cut(&across, i)?;
            }
        }
    }
    if kind == Kind::VertexFace {
        // u + v ≤ 1.
        domain[1].hi = domain[1].hi.min((1.0 - domain[2].lo).next_up());
        domain[2].hi = domain[2].hi.min((1.0 - domain[1].lo).next_up());
        if domain[1].lo > domain[1].hi || domain[2].lo > domain[2].hi {
            return Err(Empty);
        }
    }
    Ok(())
}
