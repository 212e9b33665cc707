//! What is hit by a click: geometry alone.
//!
//! Solid bodies hide what is behind them; contacts on and in front of bodies, and in wireframes and ghosts, can be picked.
//! Contacts come before bodies: they are small, and they are what one looks for.

use drystone::engine::{BodyId, Pose};
use drystone_report::inspection::Outline;
use glam::DVec3;

use crate::orbit::Ray;

/// A contact as it is drawn: a ball, and an arrow from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Its place in the list of contacts.
    pub index: usize,
    /// The middle of the ball, m.
    pub position: DVec3,
    /// Its radius, m; 0 if no points are drawn.
    pub radius: f64,
    /// From the middle to the tip of the arrow, m; zero if no normals are drawn.
    pub arrow: DVec3,
}

/// A body as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'s> {
    /// Its number.
    pub id: BodyId,
    /// Where it is drawn, world frame.
    pub pose: Pose,
    /// Its triangles.
    pub outline: &'s Outline,
    /// Whether it hides what is behind it.
    pub is_solid: bool,
}

/// How far beside a mark a click may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// m a metre of distance.
    pub angle: f64,
    /// m.
    pub length: f64,
}

impl Tolerance {
    fn at(self, distance: f64) -> f64 {
        self.angle * distance + self.length
    }
}

/// What was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A contact, by its place in the list.
    Contact(usize),
    /// A body.
    Body(BodyId),
}

/// What a ray hits: the mark that it comes nearest to, by the size of the tolerance there, of those the first along
/// the ray; or else the first body. `None` if it hits nothing.
pub fn pick(ray: &Ray, tolerance: Tolerance, marks: &[Mark], bodies: &[Drawn<'_>]) -> Option<Hit> {
    let hits = bodies.iter().filter_map(|body| Some((first_hit(ray, body.pose, body.outline)?, body)));
    let hits: Vec<(f64, &Drawn<'_>)> = hits.collect();
    let hidden_from = hits.iter().filter(|(_, body)| body.is_solid).map(|(t, _)| *t).fold(f64::INFINITY, f64::min);
    let near = marks.iter().filter_map(|mark| {
        let (distance, t) = distance_to_segment(ray, mark.position, mark.position + mark.arrow);
        let allowed = tolerance.at(t);
        let beside = (distance - mark.radius).max(0.0);
        // Balls lie half in the faces that they touch, and stand out of them by their radius.
        let is_seen = t <= hidden_from + mark.radius + allowed;
        (beside <= allowed && is_seen).then_some((beside / allowed.max(f64::MIN_POSITIVE), t, mark.index))
    });
    let nearest = near.min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2)));
    let body = || hits.iter().min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.id.cmp(&q.1.id)));
    nearest.map(|(_, _, index)| Hit::Contact(index)).or_else(|| body().map(|(_, body)| Hit::Body(body.id)))
}

/// How far a segment is from a ray, m, and how far along the ray it is nearest, m.
pub fn distance_to_segment(ray: &Ray, from: DVec3, to: DVec3) -> (f64, f64) {
    let (d, s) = (ray.direction, to - from);
    let to_ray = ray.origin - from;
    let (length, along) = (s.length_squared(), d.dot(s));
    let across = length - along * along;
    // Where on the segment its line is nearest to that of the ray.
    let u = if across > 1e-12 * length { (to_ray.dot(s) - along * to_ray.dot(d)) / across } else { 0.0 };
    let at = from + s * u.clamp(0.0, 1.0);
    let mut t = (at - ray.origin).dot(d);
    let mut nearest = at;
    if t < 0.0 {
        // Behind its beginning, the beginning is what counts.
        t = 0.0;
        let u = if length > 0.0 { (to_ray.dot(s) / length).clamp(0.0, 1.0) } else { 0.0 };
        nearest = from + s * u;
    }
    ((ray.origin + d * t - nearest).length(), t)
}

/// How far along the ray the first triangle of an outline at a pose is, m.
pub fn first_hit(ray: &Ray, pose: Pose, outline: &Outline) -> Option<f64> {
    let ray = Ray {
        origin: pose.inverse_transform_point(ray.origin),
        direction: pose.inverse_transform_vector(ray.direction),
    };
    if !meets_box(&ray, outline.bounds) {
        return None;
    }
    let hits = outline.triangles.iter().filter_map(|triangle| meets_triangle(&ray, triangle));
    hits.min_by(f64::total_cmp)
}

/// Whether a ray meets a box, with some room for rounding.
fn meets_box(ray: &Ray, (low, high): (DVec3, DVec3)) -> bool {
    let room = 1e-9 * (high - low).length();
    let (mut enters, mut leaves) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        let (low, high) = (low[axis] - room, high[axis] + room);
        if direction == 0.0 {
            if origin < low || origin > high {
                return false;
            }
            continue;
        }
        let (p, q) = ((low - origin) / direction, (high - origin) / direction);
        enters = enters.max(p.min(q));
        leaves = leaves.min(p.max(q));
    }
    enters <= leaves
}

/// How far along the ray it meets a triangle, from either side; by barycentric coordinates.
fn meets_triangle(ray: &Ray, [a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let (p, q) = (*b - *a, *c - *a);
    let h = ray.direction.cross(q);
    let determinant = p.dot(h);
    if determinant == 0.0 {
        return None;
    }
    let from = ray.origin - *a;
    let u = from.dot(h) / determinant;
    let k = from.cross(p);
    let v = ray.direction.dot(k) / determinant;
    let t = q.dot(k) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::engine::Solid;
    use proptest::prelude::*;

    fn cube() -> Outline {
        Outline::of(&Solid::cuboid(DVec3::ONE, 1.0).unwrap().shape)
    }

    fn ray(x: f64, y: f64) -> Ray {
        Ray { origin: DVec3::new(x, y, 10.0), direction: DVec3::NEG_Z }
    }

    fn body(number: u32, z: f64, outline: &Outline, is_solid: bool) -> Drawn<'_> {
        Drawn { id: BodyId::new(number), pose: Pose::from_translation(DVec3::Z * z), outline, is_solid }
    }

    fn mark(index: usize, position: DVec3) -> Mark {
        Mark { index, position, radius: 0.05, arrow: DVec3::Y * 0.3 }
    }

    const EXACT: Tolerance = Tolerance { angle: 0.0, length: 0.01 };

    #[test]
    fn solid_bodies_hide_and_others_do_not() {
        let outline = cube();
        let marks = [mark(3, DVec3::ZERO)];
        let solid = [body(0, 0.0, &outline, true), body(1, 3.0, &outline, true)];
        assert_eq!(pick(&ray(0.0, 0.0), EXACT, &marks, &solid), Some(Hit::Body(BodyId::new(1))));
        let faint = [body(0, 0.0, &outline, false), body(1, 3.0, &outline, false)];
        assert_eq!(pick(&ray(0.0, 0.0), EXACT, &marks, &faint), Some(Hit::Contact(3)));
        assert_eq!(pick(&ray(0.3, 0.3), EXACT, &marks, &faint), Some(Hit::Body(BodyId::new(1))));
        assert_eq!(pick(&ray(2.0, 0.0), EXACT, &marks, &faint), None);
        let on_face = [mark(4, DVec3::Z * 3.5)];
        assert_eq!(pick(&ray(0.0, 0.04), EXACT, &on_face, &solid), Some(Hit::Contact(4)));
    }

    #[test]
    fn the_nearest_mark_counts_and_then_the_first() {
        let marks = [mark(0, DVec3::ZERO), mark(1, DVec3::Z), mark(2, DVec3::X * 0.11)];
        let wide = Tolerance { angle: 0.0, length: 0.1 };
        assert_eq!(
            pick(&ray(0.0, 0.0), wide, &marks, &[]),
            Some(Hit::Contact(1)),
            "of two behind each other the first"
        );
        assert_eq!(pick(&ray(0.08, 0.0), wide, &marks, &[]), Some(Hit::Contact(2)));
        assert_eq!(pick(&ray(0.0, 0.29), EXACT, &marks[..1], &[]), Some(Hit::Contact(0)), "by its arrow");
        assert_eq!(pick(&ray(0.0, 0.38), EXACT, &marks[..1], &[]), None);
    }

    #[test]
    fn the_tolerance_grows_with_the_distance() {
        let marks = [Mark { radius: 0.0, ..mark(0, DVec3::ZERO) }];
        let by_angle = |angle| pick(&ray(0.5, 0.0), Tolerance { angle, length: 0.0 }, &marks, &[]);
        assert_eq!((by_angle(0.04), by_angle(0.06)), (None, Some(Hit::Contact(0))));
    }

    fn vector(of: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(of).prop_map(DVec3::from)
    }

    /// By the plane and the sides on which a point of it lies.
    fn triangle_oracle(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let normal = (b - a).cross(c - a);
        let t = normal.dot(a - ray.origin) / normal.dot(ray.direction);
        let p = ray.origin + ray.direction * t;
        let is_in = [(a, b), (b, c), (c, a)].iter().all(|(p0, p1)| (*p1 - *p0).cross(p - *p0).dot(normal) >= 0.0);
        (t >= 0.0 && is_in).then_some(t)
    }

    proptest! {
        #[test]
        fn a_segment_is_as_far_as_the_nearest_of_many_points(
            origin in vector(-3.0..3.0), towards in vector(-1.0..1.0), from in vector(-2.0..2.0), to in vector(-2.0..2.0),
        ) {
            prop_assume!(towards.length() > 0.1);
            let ray = Ray { origin, direction: towards.normalize() };
            let (distance, t) = distance_to_segment(&ray, from, to);
            prop_assert!(t >= 0.0);
            let points = (0..=2000).map(|k| from.lerp(to, f64::from(k) / 2000.0));
            let to_ray = |p: DVec3| (p - ray.origin - ray.direction * (p - ray.origin).dot(ray.direction).max(0.0)).length();
            let least = points.map(to_ray).fold(f64::INFINITY, f64::min);
            prop_assert!((distance - least).abs() < 2e-3, "{} {}", distance, least);
        }

        #[test]
        fn the_first_hit_is_the_first_of_all_triangles(
            origin in vector(-3.0..3.0), at in vector(-0.8..0.8), turn in vector(-3.0..3.0), place in vector(-0.5..0.5),
        ) {
            prop_assume!((at - origin).length() > 0.1);
            let ray = Ray { origin, direction: (at - origin).normalize() };
            let (outline, pose) = (cube(), Pose::new(place, turn));
            let oracle = outline
                .triangles
                .iter()
                .filter_map(|t| triangle_oracle(&ray, t.map(|p| pose.transform_point(p))))
                .fold(f64::INFINITY, f64::min);
            match first_hit(&ray, pose, &outline) {
                Some(t) => prop_assert!((t - oracle).abs() < 1e-9, "{} {}", t, oracle),
                None => prop_assert!(oracle.is_infinite(), "{}", oracle),
            }
        }
    }
}
