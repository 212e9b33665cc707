//! Times of contact against certified answers: none is missed, none is late, and none is early by more than the stated distance.
//!
//! What they are checked against shares no code with what is asked: motions and solids by intervals
//! ([`drystone_scenes::toc`]), distances in closed form ([`distance`]).

mod combinations;
mod distance;
mod grown;
mod otherwise;
mod primitives;
mod special;
mod window;

use drystone_contact::ccd::time_of_contact::{RigidPath, TimeOfContact, TocSettings, determine_toc};
use drystone_contact::solid::Solid;
use drystone_scenes::toc::decider::MovingPoint;
use drystone_scenes::toc::interval::Interval;
use drystone_scenes::toc::query::DURATION;
use glam::DVec3;

/// As shares of the size of the solid.
const PRECISIONS: [f64; 3] = [1e-3, 1e-6, 1e-9];

/// A contact is stated to be within so many times the precision.
const WITHIN: f64 = 4.0;

/// The precision is no less than this multiple of what coordinates are rounded by.
const ABOVE_ROUNDING: f64 = 8.0;

/// A query with more boxes counts as stopped.
const MOST_BOXES: u32 = 100_000;

/// How far computed coordinates of the point may be off between two times (s), m: 64 units in the last place of the largest
/// number that enters them, and as much again for every radian.
fn rounding(motion: &MovingPoint, times: [f64; 2]) -> f64 {
    let MovingPoint { solid, body, point } = motion;
    let time = times[0].abs().max(times[1].abs());
    let places = body.pose.translation.length().max(solid.pose.translation.length());
    let size = places + body.velocity.length().max(solid.velocity.length()) * time + point.length();
    let angle = (body.angular_velocity.length() + solid.angular_velocity.length()) * time;
    64.0 * f64::EPSILON * (1.0 + angle) * size
}

/// The largest distance that may be stated at a contact, for a precision (m), m.
fn most_within(motion: &MovingPoint, times: [f64; 2], precision: f64) -> f64 {
    WITHIN * precision.max(ABOVE_ROUNDING * rounding(motion, times))
}

/// Where the point is at a time (s), in the frame of the solid, and how far that may be off, m.
fn position(motion: &MovingPoint, time: f64) -> (DVec3, f64) {
    let coordinates = motion.position(Interval::point(time)).map(|coordinate| coordinate.value);
    let middle = DVec3::from_array(coordinates.map(|Interval { low, high }| low.midpoint(high)));
    let widths = DVec3::from_array(coordinates.map(|Interval { low, high }| high - low));
    (middle, widths.length())
}

/// The answer between two times (s), at a precision in m.
fn answer(solid: &dyn Solid, motion: &MovingPoint, times: [f64; 2], precision: f64) -> TimeOfContact {
    let path = RigidPath::new(&motion.solid, &motion.body).expect("finite");
    let settings = TocSettings { precision, max_boxes: MOST_BOXES, ..TocSettings::default() };
    determine_toc(solid, &path.point(motion.point), times, &settings).expect("a query")
}

/// All of a motion, s.
const ALL: [f64; 2] = [0.0, DURATION];
