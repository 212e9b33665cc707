//! Points of a moving body, seen from a solid that may move as well.
//!
//! With x the way from the solid's centre to the body's, q(t) = R_Sᵀ (x + R_B u) is where the point u of the body is in
//! the frame of the solid.
//!
//! *Constant twist* (the solid does not turn). The straight part of the motion cancels in the difference from the chord; what
//! is left turns about the axis at the distance r: r |e^{isφ} − (1 − s) − s e^{iφ}|, largest in the middle of the interval,
//! r (1 − cos φ/2) up to φ = 2π. It lies in the plane across the axis: along the arm in the middle of the interval
//! r (cos((s − ½) φ) − cos φ/2), between 0 and the bound; across it r (sin((s − ½) φ) − (2s − 1) sin φ/2), which is the error of
//! a chord of the sine, no more than r φ²/32 · sin(min(φ, π)/2).
//!
//! *Any motion.* A path is no farther from its chord over a time T than T²/8 sup |q̈|, and here
//! |q̈| ≤ ω_S² |x + R_B u| + 2 ω_S (|v| + ω_B |u|) + ω_B² |u|, with v the velocity of one centre against the other.

use glam::{DQuat, DVec3};

use super::{Bound, TocError};
use crate::Pose;
use crate::ccd::rigid::NonlinearRigidMotion;
use crate::pose::advance;
use crate::solid::ROUNDING;

/// How a body and a solid move, each with constant velocities from the time 0 on.
#[derive(Clone, Copy, Debug)]
pub struct RigidPath {
    /// The solid's frame at the time 0, and its velocities.
    solid: Motion,
    /// The body's frame at the time 0, and its velocities.
    body: Motion,
}

/// A pose and constant velocities.
#[derive(Clone, Copy, Debug)]
struct Motion {
    pose: Pose,
    velocity: DVec3,
    angular_velocity: DVec3,
    speed: f64,
}

/// A point of the body on its way, or all points no farther from it than a radius.
#[derive(Clone, Copy, Debug)]
pub struct PointMotion<'p> {
    path: &'p RigidPath,
    /// In the frame of the body, m.
    pub point: DVec3,
    /// m; 0 of a point.
    pub radius: f64,
    /// From the centre to the point at the time 0, world axes, m: the part along the axis of rotation, the part across it, and
    /// the axis times the latter.
    along: DVec3,
    across: DVec3,
    turned: DVec3,
    /// The distance from the axis, m.
    arm: f64,
}

/// How far a path may be from its chord in an interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deviation {
    /// In any direction, m.
    pub any: f64,
    /// Where the path is a helix: the arm in the middle of the interval (unit) and the direction across it, with the largest
    /// deviation along the latter, m. Along the arm it is between 0 and `any`.
    pub plane: Option<(DVec3, DVec3, f64)>,
}

impl RigidPath {
    /// A body and a solid with their motions, whose durations do not matter.
    ///
    /// # Errors
    /// [`TocError::NotFinite`].
    pub fn new(solid: &NonlinearRigidMotion, body: &NonlinearRigidMotion) -> Result<Self, TocError> {
        let motion = |of: &'static str, motion: &NonlinearRigidMotion| {
            let vectors = [
                ("position", motion.pose.translation),
                ("velocity", motion.velocity),
                ("angular velocity", motion.angular_velocity),
            ];
            for (what, value) in vectors {
                if !value.is_finite() {
                    return Err(TocError::NotFinite { what, of, value: value.to_string() });
                }
            }
            if !motion.pose.rotation.is_finite() {
                return Err(TocError::NotFinite { what: "rotation", of, value: motion.pose.rotation.to_string() });
            }
            let NonlinearRigidMotion { pose, velocity, angular_velocity, .. } = *motion;
            Ok(Motion { pose, velocity, angular_velocity, speed: angular_velocity.length() })
        };
        Ok(Self { solid: motion("solid", solid)?, body: motion("body", body)? })
    }

    /// How fast the solid turns, rad/s.
    pub fn solid_speed(&self) -> f64 {
        self.solid.speed
    }

    /// The pose of the solid at a time (s).
    pub fn solid_pose(&self, time: f64) -> Pose {
        advance(self.solid.pose, self.solid.velocity, self.solid.angular_velocity, time)
    }

    /// The pose of the body at a time (s).
    pub fn body_pose(&self, time: f64) -> Pose {
        advance(self.body.pose, self.body.velocity, self.body.angular_velocity, time)
    }

    /// A point of the body (its frame, m).
    pub fn point(&self, point: DVec3) -> PointMotion<'_> {
        self.cluster(point, 0.0)
    }

    /// All points of the body no farther than `radius` from a point of it, m.
    pub(super) fn cluster(&self, point: DVec3, radius: f64) -> PointMotion<'_> {
        let arm = self.body.pose.rotation * point;
        let (along, turned) = match self.body.angular_velocity.try_normalize() {
            Some(axis) => (axis * axis.dot(arm), axis.cross(arm)),
            None => (arm, DVec3::ZERO),
        };
        let across = if self.body.speed > 0.0 { arm - along } else { DVec3::ZERO };
        PointMotion { path: self, point, radius, along, across, turned, arm: turned.length() }
    }
}

impl PointMotion<'_> {
    /// The motion that it belongs to.
    pub fn path(&self) -> &RigidPath {
        self.path
    }

    /// Where the point is at a time (s), in the frame of the solid, m.
    pub fn position(&self, time: f64) -> DVec3 {
        let RigidPath { solid, body } = self.path;
        let (sine, cosine) = libm::sincos(body.speed * time);
        let arm = self.along + self.across * cosine + self.turned * sine;
        let between = body.pose.translation - solid.pose.translation + (body.velocity - solid.velocity) * time;
        self.solid_rotation(time).inverse() * (between + arm)
    }

    /// The arm of the point at a time (s) and the velocity of its centre against the solid, both in the frame of a solid
    /// that does not turn, m and m/s.
    pub(super) fn arm_and_velocity(&self, time: f64) -> (DVec3, DVec3) {
        let RigidPath { solid, body } = self.path;
        let (sine, cosine) = libm::sincos(body.speed * time);
        let back = solid.pose.rotation.inverse();
        let arm = self.along + self.across * cosine + self.turned * sine;
        (back * arm, back * (body.velocity - solid.velocity))
    }

    /// The rotation of the solid at a time (s).
    fn solid_rotation(&self, time: f64) -> DQuat {
        let solid = &self.path.solid;
        if solid.speed == 0.0 {
            return solid.pose.rotation;
        }
        let (sine, cosine) = libm::sincos(0.5 * solid.speed * time);
        let axis = solid.angular_velocity * (sine / solid.speed);
        DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine) * solid.pose.rotation
    }

    /// The largest magnitude that enters a position between two times (s), m.
    pub(super) fn size(&self, times: [f64; 2]) -> f64 {
        let RigidPath { solid, body } = self.path;
        let places = [body.pose.translation, solid.pose.translation].map(|p| p.abs().max_element());
        let ways = [body.velocity, solid.velocity].map(|v| v.length() * times[1].abs().max(times[0].abs()));
        places[0].max(places[1]) + ways[0].max(ways[1]) + self.point.length() + self.radius
    }

    /// How far computed positions may be off in an interval (s), m: angles are known to a share of themselves.
    pub(super) fn rounding(&self, times: [f64; 2]) -> f64 {
        let time = times[1].abs().max(times[0].abs());
        ROUNDING * (1.0 + (self.path.body.speed + self.path.solid.speed) * time) * self.size(times)
    }

    /// How far the path may be from its chord between two times (s).
    pub(super) fn deviation(&self, times: [f64; 2], bound: Bound) -> Deviation {
        if self.path.solid.speed > 0.0 {
            return Deviation { any: self.second_order(times), plane: None };
        }
        let angle = self.path.body.speed * (times[1] - times[0]);
        match bound {
            Bound::Exact => self.exact(times, angle),
            Bound::ReadingA => {
                Deviation { any: self.arm * equation_2(angle, |c| std::f64::consts::SQRT_2 * c), plane: None }
            }
            Bound::ReadingB => Deviation { any: self.arm * equation_2(angle, |c| (2.0 * c).sqrt()), plane: None },
        }
    }

    /// The deviation of a helix.
    fn exact(&self, times: [f64; 2], angle: f64) -> Deviation {
        if angle > std::f64::consts::TAU {
            return Deviation { any: 2.0 * self.arm, plane: None };
        }
        // 1 − cos φ/2 without cancellation.
        let sine = libm::sin(0.25 * angle);
        let any = 2.0 * self.arm * sine * sine * (1.0 + ROUNDING);
        if any == 0.0 {
            return Deviation { any, plane: None };
        }
        let (sine, cosine) = libm::sincos(self.path.body.speed * times[0].midpoint(times[1]));
        let back = self.path.solid.pose.rotation.inverse();
        let outward = back * ((self.across * cosine + self.turned * sine) / self.arm);
        let sideward = back * ((self.turned * cosine - self.across * sine) / self.arm);
        let across = self.arm * angle * angle / 32.0 * libm::sin(0.5 * angle.min(std::f64::consts::PI));
        Deviation { any, plane: Some((outward, sideward, across * (1.0 + ROUNDING))) }
    }

    /// T²/8 sup |q̈|.
    fn second_order(&self, times: [f64; 2]) -> f64 {
        let RigidPath { solid, body } = self.path;
        let velocity = body.velocity - solid.velocity;
        let between = |time: f64| (body.pose.translation - solid.pose.translation + velocity * time).length();
        // The distance of the centres is convex in time; what turns about the centre is no farther than the point.
        let far = between(times[0]).max(between(times[1])) + self.point.length();
        let (ws, wb) = (solid.speed, body.speed);
        let second = ws * ws * far + 2.0 * ws * (velocity.length() + wb * self.arm) + wb * wb * self.arm;
        let duration = times[1] - times[0];
        0.125 * duration * duration * second * (1.0 + ROUNDING)
    }
}

/// Equation 2 for an arm of one metre, its first line given by 1 − cos φ.
fn equation_2(angle: f64, first: impl Fn(f64) -> f64) -> f64 {
    if angle >= std::f64::consts::PI {
        return 2.0 * std::f64::consts::SQRT_2;
    }
    let sine = libm::sin(0.5 * angle);
    first(2.0 * sine * sine)
}
