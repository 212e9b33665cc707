//! The direction in which two convex cores overlap least.
//!
//! G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", GDC 2001: a polytope inside of the
//! difference of the cores grows, where its border is nearest to the origin, until it reaches the border of the difference there. What
//! differs: faces see a point by exact predicates, so that the border of what sees a point is a cycle whatever is flat, and
//! the origin need not be inside, so that cores that only touch are no special case.

use glam::DVec3;

use super::Pair;
use crate::shape::predicate::orientation_3d;
use crate::sorting::CompactSort;

/// Points that are added at most.
const STEPS: usize = 128;

/// The search ends when no direction is better than the best by this share of the depth, or by this share of the size.
const CONVERGED: [f64; 2] = [1e-3, 1e-6];

/// A difference thinner than this share of its size is flat.
const FLAT: f64 = 1e-11;

/// Normals nearer to each other than this lead to one maximum, rad.
const NEAR: f64 = 0.1;

/// Normals that are looked at most.
const MAXIMUM: usize = 12;

#[derive(Clone, Copy)]
struct Face {
    corners: [u32; 3],
    /// Outward, unit; zero of a face without area up to rounding, along which nothing is looked for.
    normal: DVec3,
    /// How far from the origin, m.
    offset: f64,
}

struct Polytope {
    points: Vec<DVec3>,
    faces: Vec<Face>,
}

/// Normals from A to B, unit, near one of which the overlap is least: the best that was met first, then those of the faces that may hide
/// a better one, as far as they are not near to each other.
pub fn search(pair: &Pair<'_>) -> Vec<DVec3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let diagonals = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(DVec3::from_array);
    let starts = axes.into_iter().chain(diagonals).flat_map(|d| [d, -d]);
    let first: Vec<DVec3> = starts.map(|d| pair.difference(d)).collect();
    let size = first.iter().map(|p| p.distance(first[0])).fold(0.0, f64::max);
    let mut polytope = match Polytope::around(&first, size) {
        Ok(polytope) => polytope,
        Err(normal) => return vec![normal, -normal],
    };
    let mut best = (f64::INFINITY, DVec3::Y);
    for _ in 0..STEPS {
        let nearest = polytope.faces.iter().filter(|f| f.normal != DVec3::ZERO);
        let Some(&Face { normal, offset, .. }) = nearest.min_by(|f, g| f.offset.total_cmp(&g.offset)) else { break };
        let point = pair.difference(normal);
        let depth = normal.dot(point);
        if depth < best.0 {
            best = (depth, normal);
        }
        if best.0 - offset <= (CONVERGED[0] * best.0).max(CONVERGED[1] * size) || !polytope.add(point) {
            break;
        }
    }
    let mut normals = vec![best.1];
    let mut rest: Vec<&Face> =
        polytope.faces.iter().filter(|f| f.normal != DVec3::ZERO && f.offset <= best.0).collect();
    rest.compact_sort_by(|f, g| f.offset.total_cmp(&g.offset));
    for face in rest {
        if normals.len() < MAXIMUM && normals.iter().all(|n| n.distance(face.normal) > NEAR) {
            normals.push(face.normal);
        }
    }
    normals
}

impl Polytope {
    /// The hull of points; of points in a plane, on a line or in one place a normal of that instead.
    fn around(points: &[DVec3], size: f64) -> Result<Self, DVec3> {
        let farthest = |measure: &dyn Fn(DVec3) -> f64| {
            let start = (points[0], f64::NEG_INFINITY);
            points.iter().fold(start, |best, &p| if measure(p) > best.1 { (p, measure(p)) } else { best })
        };
        let a = points[0];
        let (b, length) = farthest(&|p| p.distance(a));
        if length == 0.0 {
            return Err(DVec3::Y);
        }
        let along = (b - a) / length;
        let (c, width) = farthest(&|p| (p - a).reject_from_normalized(along).length());
        if width <= FLAT * size {
            return Err(along.any_orthonormal_vector());
        }
        let normal = (b - a).cross(c - a).normalize();
        let (d, height) = farthest(&|p| (p - a).dot(normal).abs());
        let volume = orientation_3d(a, b, c, d);
        if height <= FLAT * size || volume == 0.0 {
            return Err(normal);
        }
        let corners = if volume > 0.0 { vec![a, b, c, d] } else { vec![a, c, b, d] };
        let mut made = Self { points: corners, faces: Vec::new() };
        for corners in [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]] {
            made.push(corners);
        }
        for &point in points {
            made.add(point);
        }
        Ok(made)
    }

    fn at(&self, corners: [u32; 3]) -> [DVec3; 3] {
        corners.map(|k| self.points[k as usize])
    }

    fn push(&mut self, corners: [u32; 3]) {
        let [p, q, r] = self.at(corners);
        let (u, v) = (q - p, r - p);
        let area = u.cross(v);
        // Of a face that is thinner than rounding the normal means nothing.
        let is_thin = area.length_squared() <= 1e-24 * u.length_squared() * v.length_squared();
        let normal = if is_thin { DVec3::ZERO } else { area.normalize() };
        self.faces.push(Face { corners, normal, offset: normal.dot(p) });
    }

    /// Adds a point, and says whether it was outside.
    fn add(&mut self, point: DVec3) -> bool {
        let new = self.points.len() as u32;
        let mut sides: Vec<[u32; 2]> = Vec::new();
        let points = &self.points;
        self.faces.retain(|face| {
            let [a, b, c] = face.corners.map(|k| points[k as usize]);
            let sees = orientation_3d(a, b, c, point) > 0.0;
            if sees {
                let [a, b, c] = face.corners;
                sides.extend([[a, b], [b, c], [c, a]]);
            }
            !sees
        });
        if sides.is_empty() {
            return false;
        }
        self.points.push(point);
        for &[v, w] in sides.iter().filter(|&&[v, w]| !sides.contains(&[w, v])) {
            self.push([v, w, new]);
        }
        true
    }
}
