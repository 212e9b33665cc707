//! The coherence test (TR97-05, Algorithm 9): a body passes another on a smooth course while it turns, and the search
//! tracks the closest features; operations are counted call by call.
//!
//! The report does not say how wide the course is ("chosen to avoid penetration"). Ten metres for solids of radius one
//! fits its curves best by far. Courses that come nearer to the origin than two radii are drawn again. The course's
//! poses are not counted, the closest points are.

use std::f64::consts::TAU;
use std::ops::AddAssign;

use glam::{DMat3, DVec3};

use super::counted::{Counted, operations};
use super::random::Random;
use drystone_contact::vclip::hull::PointsAndFaces;
use drystone_contact::vclip::{ConvexPolyhedron, Found, Pair, PolyhedronError, RelativePose, closest_in, solids};

/// Half the width of the report's courses, m.
const WIDTH: f64 = 10.0;

/// Courses of one measurement, and calls on each.
const COURSES: u32 = 10;
/// See [`COURSES`].
pub const CALLS: u32 = 1000;

/// The frequency of the report's sphere: 642 vertices.
const SPHERE_FREQUENCY: u32 = 8;

/// Corners of the prism's faces.
const PRISM_CORNERS: u32 = 7;

/// The solids of the report's figure, and a prism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Solid {
    /// Two metres wide.
    Cube,
    /// In the unit sphere.
    Icosahedron,
    /// 60-gons of radius 1 m, 0.1 m apart.
    Disk,
    /// 642 vertices on the unit sphere.
    Sphere,
    /// Over a heptagon of radius 1 m, 2 m high.
    Prism,
}

impl Solid {
    /// Those of the figure, in its order.
    pub const PUBLISHED: [Self; 4] = [Self::Cube, Self::Icosahedron, Self::Disk, Self::Sphere];

    /// All of them.
    pub const ALL: [Self; 5] = [Self::Cube, Self::Icosahedron, Self::Disk, Self::Sphere, Self::Prism];

    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cube => "cube",
            Self::Icosahedron => "icosahedron",
            Self::Disk => "disk",
            Self::Sphere => "sphere",
            Self::Prism => "prism",
        }
    }

    /// The solid.
    ///
    /// # Errors
    /// None that is known.
    pub fn polyhedron(self) -> Result<ConvexPolyhedron, PolyhedronError> {
        let (points, faces): PointsAndFaces = match self {
            Self::Cube => solids::cube(),
            Self::Icosahedron => solids::icosahedron(),
            Self::Disk => solids::disk(),
            Self::Sphere => solids::geodesic_sphere(SPHERE_FREQUENCY),
            Self::Prism => solids::prism(PRISM_CORNERS, 1.0, 2.0),
        };
        ConvexPolyhedron::new(&points, &faces)
    }
}

/// A course of B about A, which stays at the origin: in each coordinate a cosine with a phase of its own, while B turns
/// about one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    width: f64,
    phases: DVec3,
    axis: DVec3,
}

impl Course {
    /// One of the report's, for bodies of this radius (m) about their origins.
    pub fn wide(random: &mut Random, radius: f64) -> Self {
        loop {
            let course = Self::draw(random, WIDTH);
            if course.nearest() >= 2.0 * radius {
                return course;
            }
        }
    }

    /// The narrowest course on which the origins never come nearer than `clearance` times two radii (m). Those that
    /// would be more than four times as wide are drawn again.
    pub fn narrow(random: &mut Random, radius: f64, clearance: f64) -> Self {
        loop {
            let course = Self::draw(random, 1.0);
            let nearest = course.nearest();
            if nearest > 0.25 {
                return Self { width: 2.0 * radius * clearance / nearest, ..course };
            }
        }
    }

    fn draw(random: &mut Random, width: f64) -> Self {
        let phases = DVec3::from_array([0, 1, 2].map(|_| random.between(0.0, TAU)));
        Self { width, phases, axis: random.direction() }
    }

    /// The least distance of the course from the origin, m: its square swings about 3/2 width² by half of the length of
    /// the sum of three pointers at twice the phases.
    fn nearest(&self) -> f64 {
        let doubled = (2.0 * self.phases).to_array();
        let sum = |f: fn(f64) -> f64| doubled.into_iter().map(f).sum::<f64>();
        let swing = 0.5 * libm::hypot(sum(libm::cos), sum(libm::sin));
        self.width * (1.5 - swing).max(0.0).sqrt()
    }

    /// Where B is at an angle of the course, rad.
    pub fn at(&self, angle: f64) -> (DMat3, DVec3) {
        let position = self.width * DVec3::from_array(self.phases.to_array().map(|phase| libm::cos(angle + phase)));
        (rotation(self.axis, angle), position)
    }
}

/// The rotation about a unit axis by an angle, rad.
fn rotation(axis: DVec3, angle: f64) -> DMat3 {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let column = |e: DVec3| cosine * e + sine * axis.cross(e) + (1.0 - cosine) * axis.dot(e) * axis;
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// What calls of the search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many calls there were.
    pub calls: u64,
    /// Operations of all, of a search that keeps the points that it has moved to the other frame, as the report's does.
    pub operations: u64,
    /// Operations of all, of a search that moves them again in each state, as ours does where it is not counted.
    pub without_keeping: u64,
    /// How many went round in a circle.
    pub circles: u64,
    /// How many found a common point, where there is none.
    pub intersecting: u64,
}

impl Effort {
    /// Operations a call.
    pub fn mean(&self) -> f64 {
        self.operations as f64 / self.calls.max(1) as f64
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.operations += other.operations;
        self.without_keeping += other.without_keeping;
        self.circles += other.circles;
        self.intersecting += other.intersecting;
    }
}

/// Ten courses of a thousand calls, `rate` degrees of the course apart, between two equal solids.
pub fn effort(solid: &ConvexPolyhedron, rate: f64, seed: u64) -> Effort {
    let mut random = Random::new(seed);
    let mut pair = Pair::FIRST;
    let mut effort = Effort::default();
    for _ in 0..COURSES {
        let course = Course::wide(&mut random, solid.radius());
        for call in 1..=CALLS {
            let (rotation, position) = course.at((rate * f64::from(call)).to_radians());
            let relative_pose = RelativePose::from_parts(rotation, position);
            let mut same = pair;
            let (_, without_keeping) =
                operations(|| closest_in::<Counted<false>>(solid, solid, &relative_pose, &mut same));
            let (found, operations) =
                operations(|| closest_in::<Counted<true>>(solid, solid, &relative_pose, &mut pair));
            effort += Effort {
                calls: 1,
                operations,
                without_keeping,
                circles: u64::from(found == Found::Circle),
                intersecting: u64::from(matches!(found, Found::Intersecting(_))),
            };
        }
    }
    effort
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vclip::published;

    #[test]
    fn courses_keep_their_distance() {
        let mut random = Random::new(5);
        for k in 0..50 {
            let courses = [Course::wide(&mut random, 1.5), Course::narrow(&mut random, 1.5, 1.1)];
            let lengths = courses.map(|course| {
                let length = |step: u32| course.at(TAU * f64::from(step) / 3600.0).1.length();
                (0..3600).map(length).fold(f64::INFINITY, f64::min)
            });
            assert!(lengths[0] > 3.0 - 1e-9, "{k}");
            assert!(lengths[1] > 3.3 - 1e-9 && lengths[1] < 3.3 + 1e-4, "{k}");
        }
    }

    #[test]
    fn rotations_turn_right_handed() {
        let turned = rotation(DVec3::Z, 0.5) * DVec3::X;
        assert!(turned.distance(DVec3::new(libm::cos(0.5), libm::sin(0.5), 0.0)) < 1e-15);
        let any = rotation(DVec3::new(2.0, -3.0, 6.0) / 7.0, 4.0);
        assert!((any.determinant() - 1.0).abs() < 1e-15);
        assert!((any * any.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-15));
    }

    /// Two vertices cost two moved points, seven operations for each edge there, nine for the distance and one to see
    /// that it is not zero.
    #[test]
    fn two_vertices_cost_what_they_cost_in_the_report() {
        for solid in Solid::ALL {
            let solid = solid.polyhedron().unwrap();
            let degree = solid.edges_at(0).len() as u64;
            // B opposite to A's first vertex, upside down.
            let towards = solid.vertices()[0].normalize();
            let relative_pose = RelativePose::from_parts(
                rotation(towards.any_orthonormal_vector(), std::f64::consts::PI),
                5.0 * towards,
            );
            let mut pair = Pair::FIRST;
            let (found, operations) =
                operations(|| closest_in::<Counted<true>>(&solid, &solid, &relative_pose, &mut pair));
            assert!(matches!(found, Found::Apart(closest) if closest.pair == Pair::FIRST), "{found:?}");
            assert_eq!(operations, 36 + 7 * 2 * degree + 10);
        }
    }

    #[test]
    fn counts_follow_the_published_curves() {
        for point in published().iter().filter(|point| point.rate % 12 == 1) {
            let effort = effort(&point.solid.polyhedron().unwrap(), f64::from(point.rate), 1);
            assert_eq!((effort.calls, effort.intersecting, effort.circles), (10_000, 0, 0));
            let ratio = effort.mean() / point.vclip;
            assert!((0.7..1.25).contains(&ratio), "{point:?}: {}", effort.mean());
        }
    }
}
