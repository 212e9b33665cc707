//! Which vertices of one solid are inside the other.
//!
//! A vertex out of the other solid's box is outside. Otherwise the crossings of a ray with the other surface are counted
//! once for each connected part of the surface; along edges the answer changes with every contour point. All of it is
//! exact under the same symbolic perturbation, so that no order of points along an edge matters.

use glam::DVec3;

use super::contour::Contour;
use super::error::OverlapError;
use super::predicate::{Side, crossing};
use super::solid::Placed;

/// The direction of rays: no symmetry of a solid is likely to be along it.
const RAY: DVec3 = DVec3::new(0.571_428_3, 0.313_726_1, 0.758_293_9);

/// For each vertex of a solid whether it is inside the other one.
///
/// # Errors
/// [`OverlapError::OpenContour`] if going around the surface leads to two answers.
pub fn vertices_inside(
    side: Side,
    own: &Placed<'_>,
    other: &Placed<'_>,
    contour: &Contour,
) -> Result<Vec<bool>, OverlapError> {
    // How much more often each edge enters the other solid than it leaves it.
    let mut entries = vec![0_i8; own.topology.edges().len()];
    for point in contour.points.iter().filter(|point| point.side == side) {
        entries[point.edge as usize] += if point.enters { 1 } else { -1 };
    }
    let bounds = other.bounds();
    let mut inside: Vec<Option<bool>> = vec![None; own.vertices.len()];
    let mut is_seen = vec![false; own.topology.triangles().len()];
    let mut stack = Vec::new();
    for first in 0..own.topology.triangles().len() as u32 {
        if is_seen[first as usize] {
            continue;
        }
        let seed = own.topology.triangles()[first as usize][0];
        inside[seed as usize] = Some(is_inside(side, own.vertices[seed as usize], other, bounds));
        is_seen[first as usize] = true;
        stack.push(first);
        while let Some(triangle) = stack.pop() {
            // Twice around: the first known vertex may be the last.
            for edge in own.topology.triangle_edges()[triangle as usize].iter().cycle().take(5) {
                let step = entries[*edge as usize];
                let [p, q] = own.topology.edges()[*edge as usize].vertices.map(|v| v as usize);
                let across = |known: bool, step: i8| match i8::from(known) + step {
                    0 => Ok(false),
                    1 => Ok(true),
                    _ => Err(OverlapError::OpenContour),
                };
                match (inside[p], inside[q]) {
                    (Some(known), None) => inside[q] = Some(across(known, step)?),
                    (None, Some(known)) => inside[p] = Some(across(known, -step)?),
                    (Some(p), Some(q)) if across(p, step)? != q => return Err(OverlapError::OpenContour),
                    _ => {}
                }
            }
            for &edge in &own.topology.triangle_edges()[triangle as usize] {
                for next in own.topology.edges()[edge as usize].triangles {
                    if !std::mem::replace(&mut is_seen[next as usize], true) {
                        stack.push(next);
                    }
                }
            }
        }
    }
    Ok(inside.into_iter().map(|known| known.unwrap_or(false)).collect())
}

/// Whether a point of `side` is inside the other solid, by a ray.
fn is_inside(side: Side, point: DVec3, other: &Placed<'_>, (low, high): (DVec3, DVec3)) -> bool {
    if !(low.cmple(point).all() && point.cmple(high).all()) {
        return false;
    }
    let far = point + RAY * (4.0 * (high - low).element_sum());
    let mut winding = 0;
    for triangle in 0..other.topology.triangles().len() as u32 {
        let corners = other.corners(triangle);
        let is_near = corners[0].max(corners[1]).max(corners[2]).cmpge(point).all();
        if let Some(crossing) = is_near.then(|| crossing(side, [point, far], corners)).flatten() {
            winding += if crossing.enters { -1 } else { 1 };
        }
    }
    winding == 1
}
