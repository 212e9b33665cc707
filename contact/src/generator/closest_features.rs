//! The closest points of two disjoint tetrahedra, by all pairs of features (assessment paper, appendix B: "a direct
//! method utilizing a case-by-case approach specialized for tetrahedra").

use num_traits::{Float, One, Zero};

use super::lines::closest_interior_points;
use super::tetrahedron::{NormalLength, Plane, Tetrahedron, is_in_prism};
use crate::precision::Vector;

/// A pair of points and their distance, m.
#[derive(Clone, Copy, Debug)]
pub struct ClosestPair<V: Vector> {
    /// The point of A.
    pub on_a: V,
    /// The point of B.
    pub on_b: V,
    /// Their distance.
    pub distance: V::Real,
}

impl<V: Vector> ClosestPair<V> {
    fn offer(&mut self, on_a: V, on_b: V, distance: V::Real) {
        if distance < self.distance {
            *self = ClosestPair { on_a, on_b, distance };
        }
    }
}

/// The closest points of two tetrahedra that do not overlap. Of equally close pairs the first stays, in the order
/// vertex–vertex, vertex–edge, edge–edge, vertex–face.
pub fn closest_points<V: Vector>(a: &Tetrahedron<V>, b: &Tetrahedron<V>) -> ClosestPair<V> {
    let mut best = ClosestPair { on_a: a.points[0], on_b: b.points[0], distance: V::Real::infinity() };
    for p in a.points {
        for q in b.points {
            best.offer(p, q, (p - q).length());
        }
    }
    for i in 0..4 {
        for e in 0..6 {
            if let Some(q) = foot_inside_edge(a.points[i], b.edge(e)) {
                best.offer(a.points[i], q, (a.points[i] - q).length());
            }
        }
        for e in 0..6 {
            if let Some(p) = foot_inside_edge(b.points[i], a.edge(e)) {
                best.offer(p, b.points[i], (p - b.points[i]).length());
            }
        }
    }
    for e in 0..6 {
        for f in 0..6 {
            if let Some((p, q)) = closest_interior_points(a.edge(e), b.edge(f)) {
                best.offer(p, q, (p - q).length());
            }
        }
    }
    let planes_a = a.planes(NormalLength::TwiceArea);
    let planes_b = b.planes(NormalLength::TwiceArea);
    for i in 0..4 {
        if let Some((q, distance)) = nearest_face(a.points[i], b, &planes_b, best.distance) {
            best.offer(a.points[i], q, distance);
        }
        if let Some((p, distance)) = nearest_face(b.points[i], a, &planes_a, best.distance) {
            best.offer(p, b.points[i], distance);
        }
    }
    best
}

/// The foot of `p` on the edge if it lies strictly between the ends.
fn foot_inside_edge<V: Vector>(p: V, [start, end]: [V; 2]) -> Option<V> {
    let direction = end - start;
    let t = (p - start).dot(direction) / direction.dot(direction);
    (t > V::Real::zero() && t < V::Real::one()).then(|| start + direction * t)
}

/// The foot of `p` on the face that it is in front of at the least distance, if that is less than `limit`.
fn nearest_face<V: Vector>(
    p: V,
    tetrahedron: &Tetrahedron<V>,
    planes: &[Plane<V>; 4],
    limit: V::Real,
) -> Option<(V, V::Real)> {
    let mut best = None;
    let mut least = limit;
    for (k, plane) in planes.iter().enumerate() {
        let distance = plane.distance(p) / plane.normal.length();
        let is_nearer = distance >= V::Real::zero() && distance < least;
        if is_nearer && is_in_prism(p, &tetrahedron.face(k), plane.normal, V::Real::zero()) {
            least = distance;
            best = Some((p - plane.normal * plane.distance(p) / plane.normal.dot(plane.normal), distance));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn corner_at(origin: DVec3) -> Tetrahedron<DVec3> {
        Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + origin))
    }

    #[test]
    fn a_vertex_above_a_face() {
        let a = corner_at(DVec3::ZERO);
        let apex = DVec3::new(0.2, 0.3, -0.5);
        let base = [DVec3::new(1.0, 0.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, -1.0)];
        let b = Tetrahedron::alone([apex, apex + base[0], apex + base[2], apex + base[1]]);
        let pair = closest_points(&a, &b);
        assert_eq!(pair.distance, 0.5);
        assert_eq!((pair.on_a, pair.on_b), (DVec3::new(0.2, 0.3, 0.0), DVec3::new(0.2, 0.3, -0.5)));
    }

    /// The distance of two convex sets by projecting onto the difference of barycentric combinations (Frank–Wolfe):
    /// a lower and an upper bound that meet.
    fn bounds(a: &Tetrahedron<DVec3>, b: &Tetrahedron<DVec3>) -> (f64, f64) {
        let mut x = a.points[0] - b.points[0];
        let mut lower: f64 = 0.0;
        for _ in 0..4000 {
            let support = |points: &[DVec3; 4], d: DVec3| {
                points.iter().copied().min_by(|p, q| p.dot(d).total_cmp(&q.dot(d))).unwrap()
            };
            let s = support(&a.points, x) - support(&b.points, -x);
            lower = lower.max(x.dot(s) / x.length());
            let step = s - x;
            let t = (-x.dot(step) / step.dot(step)).clamp(0.0, 1.0);
            if t == 0.0 || step.dot(step) == 0.0 {
                break;
            }
            x += step * t;
        }
        (lower, x.length())
    }

    proptest! {
        #[test]
        fn lies_between_the_bounds_of_a_convex_minimization(
            c in prop::array::uniform24(-1.0..1.0f64),
            shift in prop::array::uniform3(2.5..4.0f64),
        ) {
            let p = |i: usize| DVec3::new(c[3 * i], c[3 * i + 1], c[3 * i + 2]);
            let oriented = |mut points: [DVec3; 4]| {
                let volume = (points[1] - points[0]).cross(points[2] - points[0]).dot(points[3] - points[0]);
                if volume < 0.0 {
                    points.swap(2, 3);
                }
                (volume.abs() > 1e-2).then(|| Tetrahedron::alone(points))
            };
            let a = oriented([p(0), p(1), p(2), p(3)]);
            let b = oriented([p(4), p(5), p(6), p(7)].map(|q| q + DVec3::from_array(shift)));
            prop_assume!(a.is_some() && b.is_some());
            let (a, b) = (a.unwrap(), b.unwrap());
            let pair = closest_points(&a, &b);
            let (lower, upper) = bounds(&a, &b);
            prop_assert!(pair.distance >= lower - 1e-9 && pair.distance <= upper + 1e-9, "{lower} {} {upper}", pair.distance);
            prop_assert!(((pair.on_a - pair.on_b).length() - pair.distance).abs() < 1e-12);
        }
    }
}
