//! Points of two solids that meet, now or within the step.

use glam::DVec3;

use crate::ccd::rigid::NonlinearRigidMotion;
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::pose::{Pose, advance};
use crate::shape::GeneralShape;

/// A solid and how it moves.
pub struct Side<'a> {
    /// The solid with its points.
    pub general: &'a GeneralShape,
    /// From now on.
    pub motion: NonlinearRigidMotion,
}

/// What is looked for; lengths in m, times in s.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How far ahead.
    pub duration: f64,
    /// The largest gap of what touches.
    pub envelope: f64,
    /// Of times, as a length.
    pub precision: f64,
    /// rad.
    pub parallel: f64,
}

/// Points of A and B that meet, and where they are now.
///
/// A point of a turning body goes along an arc; the velocity solve knows straight lines. So the contact has the lever that it has when
/// the points meet, and the gap that closes by then with the velocities at that lever: what rolls has none there, and is not
/// held up by the point that will touch next; what falls without turning is where it is. As bodies that pass each other have
/// no one place for the levers of both, it is that of the smaller one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Where it is now, world frame, m.
    pub place: DVec3,
    /// When they meet, s from now; 0 of what touches now.
    pub time: f64,
    /// From A to B when they meet, world axes, unit.
    pub normal: DVec3,
    /// Along the normal now, m.
    pub gap: f64,
    /// Of A and B.
    pub features: [Feature; 2],
}

/// The motion of a placed shape.
pub fn motion(placed: &Placed<'_>, duration: f64) -> NonlinearRigidMotion {
    let Placed { pose, twist, .. } = *placed;
    NonlinearRigidMotion { pose, velocity: twist.linear, angular_velocity: twist.angular, duration }
}

impl Side<'_> {
    /// The pose after a time, s.
    pub fn pose(&self, time: f64) -> Pose {
        let motion = &self.motion;
        if time == 0.0 { motion.pose } else { advance(motion.pose, motion.velocity, motion.angular_velocity, time) }
    }

    /// No point of it moves faster against another solid than this, m/s.
    pub fn fastest_against(&self, other: &Self) -> f64 {
        let (own, others) = (&self.motion, &other.motion);
        let apart = own.pose.translation.distance(others.pose.translation)
            + self.general.reach()
            + (own.velocity - others.velocity).length() * own.duration;
        let turning = own.angular_velocity.length() * self.general.reach() + others.angular_velocity.length() * apart;
        (own.velocity - others.velocity).length() + turning
    }

    /// The size of what has a lever, m: infinite of what does not move.
    fn lever(&self) -> f64 {
        let motion = &self.motion;
        let is_still = motion.velocity == DVec3::ZERO && motion.angular_velocity == DVec3::ZERO;
        if is_still || self.general.points().points().is_empty() { f64::INFINITY } else { self.general.reach() }
    }
}

impl Meeting {
    /// Points of A and B, each in the frame of its body (m), that meet after a time (s) along a normal, with the gap that they
    /// have then (m).
    pub fn new(
        sides: [&Side<'_>; 2],
        points: [DVec3; 2],
        time: f64,
        normal: DVec3,
        gap_then: f64,
        features: [Feature; 2],
    ) -> Self {
        let poses = sides.map(|side| side.pose(time));
        let then = [0, 1].map(|k| poses[k].transform_point(points[k]));
        let levers = [0, 1].map(|k| then[k] - poses[k].translation);
        let velocity = |k: usize| sides[k].motion.velocity + sides[k].motion.angular_velocity.cross(levers[k]);
        let gap = gap_then + time * normal.dot(velocity(0) - velocity(1));
        let places = [0, 1].map(|k| if time == 0.0 { then[k] } else { sides[k].motion.pose.translation + levers[k] });
        let sizes = sides.map(Side::lever);
        let place = if time == 0.0 || sizes[0] == sizes[1] {
            places[0].midpoint(places[1])
        } else {
            places[usize::from(sizes[1] < sizes[0])]
        };
        Self { place, time, normal, gap, features }
    }

    /// A and B exchanged.
    pub fn exchange(&mut self) {
        self.features.swap(0, 1);
        self.normal = -self.normal;
    }

    /// The contact as it is now.
    pub fn contact(&self) -> Contact {
        let [feature_a, feature_b] = self.features;
        Contact { position: self.place, normal: self.normal, gap: self.gap, feature_a, feature_b }
    }
}
