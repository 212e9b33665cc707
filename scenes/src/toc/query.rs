//! Hard queries by chance: points that turn fast, go straight, graze, start in contact, come from far.

use drystone_contact::Pose;
use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use drystone_contact::pose::advance;
use drystone_contact::solid::Solid;
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;
use serde::Serialize;

use super::decider::MovingPoint;

/// What is hard about a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Nothing in particular: up to one turn.
    Plain,
    /// The body does not turn.
    Straight,
    /// The body turns on the spot.
    Spinning,
    /// The path touches the surface, or misses it by next to nothing.
    Grazing,
    /// The point is on the surface when the motion begins.
    Touching,
    /// The body comes from a thousand sizes away.
    Far,
    /// The body turns by up to fifty radians.
    FastSpin,
}

/// All of them.
pub const FAMILIES: [Family; 7] = [
    Family::Plain,
    Family::Straight,
    Family::Spinning,
    Family::Grazing,
    Family::Touching,
    Family::Far,
    Family::FastSpin,
];

/// How long each motion takes, s.
pub const DURATION: f64 = 1.0;

/// A query about a solid of this size (m); the solid moves too if `is_moving`.
pub fn query(random: &mut SplitMix, family: Family, solid: &dyn Solid, size: f64, is_moving: bool) -> MovingPoint {
    let spin = |random: &mut SplitMix, most: f64| direction(random) * log_between(random, 1e-3 * most, most);
    let still = NonlinearRigidMotion::still(Pose::from_parts(direction(random) * size, random.next_rotation()));
    let frame = NonlinearRigidMotion { duration: DURATION, ..still };
    let solid_motion = if is_moving {
        let velocity = direction(random) * log_between(random, 0.01, 3.0) * size;
        NonlinearRigidMotion { velocity, angular_velocity: spin(random, 6.0), ..frame }
    } else {
        frame
    };
    let angular_velocity = match family {
        Family::Straight => DVec3::ZERO,
        Family::FastSpin => direction(random) * random.next_between(6.0, 50.0),
        _ => spin(random, 6.0),
    };
    let mut velocity = match family {
        Family::Spinning => DVec3::ZERO,
        Family::Far => direction(random) * 1e3 * size,
        _ => direction(random) * log_between(random, 0.01, 10.0) * size,
    };
    let point = direction(random) * log_between(random, 0.01, 2.0) * size;
    let rotation = random.next_rotation();
    // Where the point is at this time, in the frame of the solid.
    let time = if family == Family::Touching { 0.0 } else { random.next_fraction() * DURATION };
    let anywhere = direction(random) * random.next_fraction() * 1.2 * size;
    let arm = advance(Pose::from_parts(DVec3::ZERO, rotation), DVec3::ZERO, angular_velocity, time).rotation * point;
    let there = advance(solid_motion.pose, solid_motion.velocity, solid_motion.angular_velocity, time);
    let mut at = anywhere;
    if matches!(family, Family::Grazing | Family::Touching)
        && let Ok(surface) = solid.nearest(anywhere)
    {
        at = surface.position;
        if family == Family::Grazing {
            at += surface.normal * size * [0.0, 1.0, -1.0][random.next_below(3)] * log_between(random, 1e-12, 1e-3);
            // Along the surface at that time.
            let normal = there.rotation * surface.normal;
            let lever = there.transform_point(at) - there.translation;
            let against = solid_motion.velocity + solid_motion.angular_velocity.cross(lever);
            velocity -= normal * normal.dot(velocity + angular_velocity.cross(arm) - against);
        }
    }
    let place = there.transform_point(at) - arm - velocity * time;
    let body = NonlinearRigidMotion {
        pose: Pose::from_parts(place, rotation),
        velocity,
        angular_velocity,
        duration: DURATION,
    };
    MovingPoint { solid: solid_motion, body, point }
}

/// All directions are equally likely.
fn direction(random: &mut SplitMix) -> DVec3 {
    random.next_rotation() * DVec3::X
}

/// A number whose logarithm is evenly spread.
fn log_between(random: &mut SplitMix, low: f64, high: f64) -> f64 {
    low * libm::exp(random.next_fraction() * libm::log(high / low))
}
