//! The nearest point of a polytope given by its farthest vertices: what is left when the search goes round in a circle.
//!
//! Gilbert, Johnson and Keerthi (1988), on the differences b − a of two polyhedra: a simplex of up to four
//! differences is moved nearer to the origin until no vertex lies nearer along the direction to it. Here it ends
//! where it makes no more progress, and the caller looks at the bounds.

use glam::DVec3;

use super::{ConvexPolyhedron, RelativePose};

/// A vertex of the difference.
#[derive(Clone, Copy, Debug)]
struct Corner {
    vertices: [u32; 2],
    /// The vertices in the frame of A, m.
    points: [DVec3; 2],
    difference: DVec3,
}

/// The nearest points that were found.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    /// Points of A and B, frame of A, m.
    pub points: [DVec3; 2],
    /// The vertices of A and of B that take part.
    pub vertices: [Vec<u32>; 2],
}

/// More steps than any search of some ten thousand vertices takes; a search that has no end in rounded arithmetic ends.
const STEPS: usize = 256;

/// The nearest points of two polyhedra.
pub(super) fn nearest(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    start: [u32; 2],
) -> Nearest {
    let corner = |vertices: [u32; 2]| {
        let on_a = a.vertices()[vertices[0] as usize];
        let on_b = relative_pose.point_of_b(b.vertices()[vertices[1] as usize]);
        Corner { vertices, points: [on_a, on_b], difference: on_b - on_a }
    };
    let mut simplex = vec![corner(start)];
    let mut weights = vec![1.0];
    let mut least = f64::INFINITY;
    for _ in 0..STEPS {
        let point = combined(&simplex, &weights, |c| c.difference);
        if point.length_squared() >= least || simplex.len() == 4 {
            break;
        }
        least = point.length_squared();
        let last = simplex[simplex.len() - 1].vertices;
        let on_a = a.support(point, last[0]);
        let on_b = b.support(relative_pose.direction_to_b(-point), last[1]);
        let new = corner([on_a, on_b]);
        let is_known = simplex.iter().any(|c| c.vertices == new.vertices);
        if is_known || point.dot(new.difference) >= least {
            break;
        }
        let mut larger = simplex.clone();
        larger.push(new);
        let (kept, kept_weights) = smallest(&larger);
        if combined(&kept, &kept_weights, |c| c.difference).length_squared() >= least {
            break;
        }
        (simplex, weights) = (kept, kept_weights);
    }
    let points = [0, 1].map(|k| combined(&simplex, &weights, |c| c.points[k]));
    let vertices = [0, 1].map(|k| simplex.iter().rev().map(|c| c.vertices[k]).collect());
    Nearest { points, vertices }
}

fn combined(simplex: &[Corner], weights: &[f64], pick: impl Fn(&Corner) -> DVec3) -> DVec3 {
    simplex.iter().zip(weights).map(|(c, &w)| pick(c) * w).sum()
}

/// The sub-simplex whose affine hull's nearest point to the origin lies in it and is nearest, with the weights of its
/// corners. All sub-simplices are tried: there are fifteen at most.
fn smallest(simplex: &[Corner]) -> (Vec<Corner>, Vec<f64>) {
    let mut best: Option<(f64, Vec<Corner>, Vec<f64>)> = None;
    for subset in 1_u32..1 << simplex.len() {
        let corners: Vec<Corner> = (0..simplex.len()).filter(|k| subset >> k & 1 == 1).map(|k| simplex[k]).collect();
        let Some(weights) = weights(&corners) else { continue };
        let length = combined(&corners, &weights, |c| c.difference).length_squared();
        if best.as_ref().is_none_or(|(least, ..)| length < *least) {
            best = Some((length, corners, weights));
        }
    }
    best.map_or_else(|| (vec![simplex[0]], vec![1.0]), |(_, corners, weights)| (corners, weights))
}

/// The weights of the point of a simplex's affine hull that is nearest to the origin; `None` if it is not inside, or
/// the simplex is flat.
fn weights(corners: &[Corner]) -> Option<Vec<f64>> {
    let p = corners[0].difference;
    let d: Vec<DVec3> = corners[1..].iter().map(|c| c.difference - p).collect();
    let rest: Vec<f64> = match *d.as_slice() {
        [] => Vec::new(),
        [u] => vec![-p.dot(u) / u.length_squared()],
        [u, v] => {
            let n = u.cross(v);
            let square = n.length_squared();
            // −p in the plane, by its coordinates along u and v.
            vec![(-p).cross(v).dot(n) / square, u.cross(-p).dot(n) / square]
        }
        [u, v, w] => {
            let volume = u.dot(v.cross(w));
            vec![(-p).dot(v.cross(w)) / volume, u.dot((-p).cross(w)) / volume, u.dot(v.cross(-p)) / volume]
        }
        _ => return None,
    };
    let mut weights = vec![1.0 - rest.iter().sum::<f64>()];
    weights.extend(rest);
    weights.iter().all(|w| w.is_finite() && *w >= 0.0).then_some(weights)
}
