//! A ball against a solid: the point of the solid closest to its centre, now or when the ball gets there.

use glam::DVec3;

use super::meeting::{Limits, Meeting, Side};
use crate::Pose;
use crate::contact::Feature;
use crate::shape::SurfacePoint;

/// Steps of the advance at most.
const STEPS: usize = 200;

/// The advance ends this far from the surface, in precisions.
const NEAR: f64 = 0.5;

/// The meeting of a ball with a solid, A being the ball, if there is one, with the bodies where they are at a time (s); whether the
/// ball arrives or has only to be near. The second value is the place on both, each in its frame, m.
pub fn meet(
    radius: f64,
    ball: &Side<'_>,
    solid: &Side<'_>,
    time: f64,
    arrives: bool,
    limits: &Limits,
) -> Option<(Meeting, [DVec3; 2])> {
    let found = closest(ball, solid, time)?;
    let gap = found.distance - radius;
    let [own, other] = poses(ball, solid, time);
    let normal = -(other.rotation * found.normal).try_normalize()?;
    if !arrives && gap > limits.envelope {
        return None;
    }
    let point = own.inverse_transform_point(own.translation + normal * radius);
    let features = [Feature::Surface(0), Feature::Surface(0)];
    Some((Meeting::new([ball, solid], [point, found.position], time, normal, gap, features), [point, found.position]))
}

/// When the ball first is next to the solid, s: conservative advancement by the distance from the surface; `None` if not
/// within the duration.
pub fn arrival(radius: f64, ball: &Side<'_>, solid: &Side<'_>, limits: &Limits) -> Option<f64> {
    let turning = solid.motion.angular_velocity.length();
    let relative = (ball.motion.velocity - solid.motion.velocity).length();
    let mut time = 0.0;
    for _ in 0..STEPS {
        let gap = closest(ball, solid, time)?.distance - radius;
        if gap <= NEAR * limits.precision {
            break;
        }
        // What the solid turns about its centre passes the ball no faster than this.
        let [own, other] = poses(ball, solid, time);
        let far = own.translation.distance(other.translation) + relative * (limits.duration - time) + radius;
        let next = time + gap / (relative + turning * far);
        if next > limits.duration || next.is_nan() {
            return None;
        }
        time = next;
    }
    Some(time)
}

/// The point of the solid closest to the ball's centre after a time.
fn closest(ball: &Side<'_>, solid: &Side<'_>, time: f64) -> Option<SurfacePoint> {
    let [own, other] = poses(ball, solid, time);
    let centre: DVec3 = other.inverse_transform_point(own.translation);
    solid.general.solid().nearest(centre).ok()
}

fn poses(a: &Side<'_>, b: &Side<'_>, time: f64) -> [Pose; 2] {
    [a.pose(time), b.pose(time)]
}
