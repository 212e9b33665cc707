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

/// Appends the meeting of a ball with a solid, A being the ball, if there is one. The solid's other places near the ball are found from
/// its own points.
pub fn meet(radius: f64, ball: &Side<'_>, solid: &Side<'_>, limits: &Limits, meetings: &mut Vec<Meeting>) {
    let Some(now) = closest(ball, solid, 0.0) else { return };
    let gap = now.distance - radius;
    let arrival = if gap > 0.0 { arrival(radius, ball, solid, gap, limits) } else { None };
    let (time, found) = match arrival {
        Some(arrival) => arrival,
        None if gap <= limits.envelope => (0.0, now),
        None => return,
    };
    let [own, other] = poses(ball, solid, time);
    let normal = -(other.rotation * found.normal).normalize();
    let point = own.inverse_transform_point(own.translation + normal * radius);
    let features = [Feature::Surface(0), Feature::Surface(0)];
    meetings.push(Meeting::new(
        [ball, solid],
        [point, found.position],
        time,
        normal,
        found.distance - radius,
        features,
    ));
}

/// When the ball first is next to the solid, and where: conservative advancement by the distance from the surface.
fn arrival(
    radius: f64,
    ball: &Side<'_>,
    solid: &Side<'_>,
    mut gap: f64,
    limits: &Limits,
) -> Option<(f64, SurfacePoint)> {
    let turning = solid.motion.angular_velocity.length();
    let mut time = 0.0;
    for _ in 0..STEPS {
        // What the solid turns about its centre passes the ball no faster than this.
        let [own, other] = poses(ball, solid, time);
        let relative = (ball.motion.velocity - solid.motion.velocity).length();
        let far = own.translation.distance(other.translation) + relative * (limits.duration - time) + radius;
        let speed = relative + turning * far;
        let next = time + gap / speed;
        if next > limits.duration || next.is_nan() {
            return None;
        }
        let found = closest(ball, solid, next)?;
        gap = found.distance - radius;
        time = next;
        if gap <= NEAR * limits.precision {
            return Some((time, found));
        }
    }
    closest(ball, solid, time).map(|found| (time, found))
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
