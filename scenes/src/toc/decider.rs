//! When a moving point first is in a solid, certified by intervals: what times of contact are checked against.

use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use glam::DVec3;

use super::interval::{Interval, Rate};
use super::region::{Moving, Region, Verdict, turned};

/// When a point first is in a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// It surely is outside before, s; infinite if it surely always is.
    pub after: f64,
    /// It surely is inside at this time, s; `None` where that could not be shown.
    pub by: Option<f64>,
}

/// Intervals are halved down to this share of the whole.
const FINEST: f64 = 1e-14;

/// So many of the smallest intervals may stay undecided.
const UNDECIDED: usize = 400;

/// A point of a body and a solid, both moving with constant velocities for some time.
#[derive(Clone, Debug)]
pub struct MovingPoint {
    /// The solid.
    pub solid: NonlinearRigidMotion,
    /// The body.
    pub body: NonlinearRigidMotion,
    /// In the frame of the body, m.
    pub point: DVec3,
}

impl MovingPoint {
    /// The coordinates in the frame of the solid over an interval of time (s).
    pub fn position(&self, times: Interval) -> Moving {
        let time = Rate::time(times);
        let constant = |v: DVec3| -> Moving { v.to_array().map(Rate::constant) };
        let arm = turned(self.body.pose.rotation, &constant(self.point));
        let arm = spun(self.body.angular_velocity, time, &arm);
        let place = |motion: &NonlinearRigidMotion, k: usize| {
            Rate::constant(motion.pose.translation[k]) + Rate::constant(motion.velocity[k]) * time
        };
        let between: Moving = std::array::from_fn(|k| place(&self.body, k) - place(&self.solid, k) + arm[k]);
        let back = spun(-self.solid.angular_velocity, time, &between);
        turned(self.solid.pose.rotation.conjugate(), &back)
    }

    /// When the point first is in a region between the times 0 and `duration`, s.
    pub fn first_inside(&self, region: &Region, duration: f64) -> Truth {
        let mut waiting = vec![[0.0, duration]];
        let (mut after, mut undecided) = (f64::INFINITY, 0);
        while let Some([start, end]) = waiting.pop() {
            let (times, middle) = (Interval { low: start, high: end }, start.midpoint(end));
            let less = Interval { low: (start - middle).next_down(), high: (end - middle).next_up() };
            let at = |time: f64| self.position(Interval::point(time));
            match region.verdict(&self.position(times), &at(middle), less) {
                Verdict::Outside => continue,
                Verdict::Inside => return Truth { after: after.min(start), by: Some(start) },
                Verdict::Unknown if end - start > FINEST * duration && middle > start && middle < end => {
                    waiting.extend([[middle, end], [start, middle]]);
                }
                Verdict::Unknown => {
                    after = after.min(start);
                    let still = Interval::point(0.0);
                    if region.verdict(&at(end), &at(end), still) == Verdict::Inside {
                        return Truth { after, by: Some(end) };
                    }
                    undecided += 1;
                    if undecided > UNDECIDED {
                        break;
                    }
                }
            }
        }
        Truth { after, by: None }
    }
}

/// A vector after it has turned with an angular velocity (rad/s) for some time (Rodrigues' formula).
fn spun(angular_velocity: DVec3, time: Rate, p: &Moving) -> Moving {
    if angular_velocity == DVec3::ZERO {
        return *p;
    }
    let c = Rate::constant;
    let w = angular_velocity.to_array().map(c);
    // The length of the angular velocity, within a few roundings.
    let length = angular_velocity.length();
    let speed = Interval { low: length * (1.0 - 4.0 * f64::EPSILON), high: length * (1.0 + 4.0 * f64::EPSILON) };
    let inverse = Interval { low: 1.0 / speed.high, high: 1.0 / speed.low };
    let inverse = Interval { low: inverse.low.next_down(), high: inverse.high.next_up() };
    let (speed, inverse) = (fixed(speed), fixed(inverse));
    let axis = w.map(|w| w * inverse);
    let [sine, cosine] = (speed * time).sine_and_cosine();
    let dot = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    let across = [axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0]];
    std::array::from_fn(|k| {
        let along = dot * axis[k];
        along + cosine * (p[k] - along) + sine * across[k]
    })
}

/// A constant known within an interval.
fn fixed(value: Interval) -> Rate {
    Rate { value, rate: Interval::point(0.0) }
}
