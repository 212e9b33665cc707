//! A contact as the laws of motion see it: normal, velocities, and how the gap accelerates by motion alone.
//!
//! The gap g between two features is a function of the poses; ġ = n · (velocity of B's point − velocity of A's), since
//! closest points move on their features across n only. g̈ is linear in the accelerations of the bodies, plus a term of
//! their velocities: for a plane fixed in one body and a point of the other, and for the common normal of two edges, in
//! closed form. Vertices beside edges and vertices count as points above a plane that is fixed in the other body for
//! the moment.

use crate::body::Body;
use drystone_contact::shape::features::FeatureId;
use drystone_contact::vclip::contact_set::Tracked;
use drystone_contact::vclip::{ConvexPolyhedron, Pair};
use glam::DVec3;

/// A contact in the world. Signs are those of B relative to A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRow {
    /// The points of A and B, m.
    pub points: [DVec3; 2],
    /// From A to B, unit.
    pub normal: DVec3,
    /// m.
    pub gap: f64,
    /// ġ, m/s.
    pub normal_speed: f64,
    /// Velocity across the normal, m/s.
    pub sliding: DVec3,
    /// g̈ without accelerations of the bodies, m/s².
    pub drift: f64,
    /// Relative acceleration of the two points as points of their bodies, without accelerations of the bodies, m/s².
    pub turning: DVec3,
}

impl ContactRow {
    /// The row of two features that were tracked (in the frame of A) for two bodies.
    pub fn new(pair: Pair, tracked: &Tracked, solids: [&ConvexPolyhedron; 2], bodies: [&Body; 2]) -> Self {
        let pose = bodies[0].pose();
        let points = tracked.points.map(|point| pose.transform_point(point));
        let normal = pose.rotation * tracked.normal;
        let moving = bodies.map(Moving::of);
        let speed = moving[1].velocity_at(points[1]) - moving[0].velocity_at(points[0]);
        let normal_speed = normal.dot(speed);
        // The surface of a fixed body may move along itself.
        let surface = |k: usize| bodies[k].velocity + bodies[k].angular_velocity.cross(points[k] - bodies[k].position);
        let slip = surface(1) - surface(0);
        let drift = match (pair.a, pair.b) {
            (FeatureId::Edge(e), FeatureId::Edge(d)) => {
                let ends = [solids[0].edge(e), solids[1].edge(d)];
                // Where a face beside the edges holds the bodies apart better, its normal is the contact's.
                let drift = edges(ends, normal, solids, bodies, &moving);
                drift.unwrap_or_else(|| plane(normal, points[1], &moving[0], &moving[1]))
            }
            (FeatureId::Vertex(_), _) => plane(-normal, points[0], &moving[1], &moving[0]),
            _ => plane(normal, points[1], &moving[0], &moving[1]),
        };
        Self {
            points,
            normal,
            gap: tracked.gap,
            normal_speed,
            sliding: slip - normal * normal.dot(slip),
            drift,
            turning: moving[1].turning_at(points[1]) - moving[0].turning_at(points[0]),
        }
    }
}

/// Where a body is and how it moves.
struct Moving {
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Moving {
    fn of(body: &Body) -> Self {
        let (velocity, spin) =
            if body.is_fixed() { (DVec3::ZERO, DVec3::ZERO) } else { (body.velocity, body.angular_velocity) };
        Self { centre: body.position, velocity, spin }
    }

    fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.centre)
    }

    /// Acceleration of a point of the body by its rotation.
    fn turning_at(&self, point: DVec3) -> DVec3 {
        self.spin.cross(self.spin.cross(point - self.centre))
    }
}

/// Second derivative of the height of a point of `own` over a plane that is fixed in `base`, with constant twists.
fn plane(outward: DVec3, point: DVec3, base: &Moving, own: &Moving) -> f64 {
    let turned = base.spin.cross(outward);
    2.0 * turned.dot(own.velocity_at(point) - base.velocity)
        + base.spin.cross(turned).dot(point - base.centre)
        + outward.dot(own.turning_at(point))
}

/// A direction is the common normal of two edges if it encloses an angle with a sine below this with it.
const COMMON: f64 = 1e-6;

/// Second derivative of the distance of two lines along their common normal, with constant twists; `None` if the
/// normal is another.
fn edges(
    ends: [[u32; 2]; 2],
    normal: DVec3,
    solids: [&ConvexPolyhedron; 2],
    bodies: [&Body; 2],
    moving: &[Moving; 2],
) -> Option<f64> {
    let at = |k: usize, end: usize| bodies[k].pose().transform_point(solids[k].vertices()[ends[k][end] as usize]);
    let [p, q] = [0, 1].map(|k| at(k, 0));
    let [u, w] = [0, 1].map(|k| (at(k, 1) - at(k, 0)).normalize_or_zero());
    let [spin_a, spin_b] = [moving[0].spin, moving[1].spin];
    let (du, dw) = (spin_a.cross(u), spin_b.cross(w));
    let (ddu, ddw) = (spin_a.cross(du), spin_b.cross(dw));
    let across = u.cross(w);
    let sense = if across.dot(normal) < 0.0 { -1.0 } else { 1.0 };
    let size = across.length();
    if size == 0.0 || across.cross(normal).length() > COMMON * size {
        return None;
    }
    let across_rate = sense * (du.cross(w) + u.cross(dw));
    let across_second = sense * (ddu.cross(w) + 2.0 * du.cross(dw) + u.cross(ddw));
    // c = s n, so that ċ = ṡ n + s ṅ and c̈ = s̈ n + 2 ṡ ṅ + s n̈.
    let size_rate = normal.dot(across_rate);
    let rate = (across_rate - normal * size_rate) / size;
    let size_second = rate.dot(across_rate) + normal.dot(across_second);
    let second = (across_second - normal * size_second - 2.0 * size_rate * rate) / size;
    let parting = rate.dot(moving[1].velocity_at(q) - moving[0].velocity_at(p));
    Some(second.dot(q - p) + 2.0 * parting + normal.dot(moving[1].turning_at(q) - moving[0].turning_at(p)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Pose;
    use crate::material::MaterialId;
    use crate::motion::advance;
    use drystone_contact::vclip::contact_set::track;
    use drystone_contact::vclip::{RelativePose, solids};
    use glam::DQuat;

    fn at_time(bodies: &[Body; 2], time: f64) -> [Body; 2] {
        bodies.clone().map(|mut body| {
            let Pose { rotation, translation } = advance(body.pose(), body.velocity, body.angular_velocity, time);
            (body.position, body.orientation) = (translation, rotation);
            body
        })
    }

    /// Against differences of the gap along motions with constant twists, for features of all kinds.
    #[test]
    fn rates_are_those_of_the_gap() {
        let (points, faces) = solids::icosahedron();
        let a = ConvexPolyhedron::new(&points, &faces).unwrap();
        let (points, faces) = solids::cube();
        let b = ConvexPolyhedron::new(&points, &faces).unwrap();
        let body = || Body::dynamic(1.0, DVec3::ONE, MaterialId::new(0)).unwrap();
        let bodies = [
            body().moving(DVec3::new(0.3, -0.2, 0.1), DVec3::new(0.7, 1.1, -0.4)).unwrap(),
            body()
                .at(DVec3::new(1.9, 1.2, 0.8), DQuat::from_rotation_x(0.4) * DQuat::from_rotation_y(1.1))
                .unwrap()
                .moving(DVec3::new(-0.5, 0.1, 0.3), DVec3::new(-0.9, 0.2, 0.8))
                .unwrap(),
        ];
        let row = |pair: Pair, bodies: &[Body; 2]| {
            let relative_pose = RelativePose::new(&bodies[0].pose(), &bodies[1].pose());
            let (same, tracked) = track(pair, &a, &b, &relative_pose, 0.0)?;
            // Edges far apart have the normal of a face that moves with one of the bodies, and gaps along it that do
            // not.
            let is_own = match pair {
                Pair { a: FeatureId::Edge(e), b: FeatureId::Edge(d) } => {
                    let along = |solid: &ConvexPolyhedron, edge: u32| {
                        let [tail, head] = solid.edge(edge).map(|v| solid.vertices()[v as usize]);
                        head - tail
                    };
                    let across = along(&a, e).cross(relative_pose.direction_of_b(along(&b, d))).normalize();
                    across.cross(tracked.normal).length() < COMMON
                }
                _ => true,
            };
            (same == pair && is_own).then(|| ContactRow::new(pair, &tracked, [&a, &b], [&bodies[0], &bodies[1]]))
        };
        let h = 1e-4;
        let pairs = |n: u32, m: u32| (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)));
        let all = pairs(30, 12)
            .map(|(e, d)| Pair { a: FeatureId::Edge(e), b: FeatureId::Edge(d) })
            .chain(pairs(20, 8).map(|(f, v)| Pair { a: FeatureId::Facet(f), b: FeatureId::Vertex(v) }))
            .chain(pairs(12, 6).map(|(v, f)| Pair { a: FeatureId::Vertex(v), b: FeatureId::Facet(f) }));
        let mut compared = [0; 3];
        for pair in all {
            let rows = [-h, 0.0, h].map(|time| row(pair, &at_time(&bodies, time)));
            let [Some(before), Some(now), Some(after)] = rows else { continue };
            let first = (after.gap - before.gap) / (2.0 * h);
            let second = (after.normal_speed - before.normal_speed) / (2.0 * h);
            assert!((now.normal_speed - first).abs() < 1e-5, "{pair:?}: {} {first}", now.normal_speed);
            assert!((now.drift - second).abs() < 1e-4 * (1.0 + second.abs()), "{pair:?}: {} {second}", now.drift);
            let kind = match (pair.a, pair.b) {
                (FeatureId::Edge(_), _) => 0,
                (FeatureId::Facet(_), _) => 1,
                _ => 2,
            };
            compared[kind] += 1;
        }
        assert!(compared.iter().all(|&count| count > 1), "{compared:?}");
    }
}
