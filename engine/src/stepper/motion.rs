//! The two halves of the motion of a step: to where contacts are looked for, and on from there.

use super::{StepError, StepSettings};
use crate::body::{Body, BodyId, Pose};
use crate::motion::advance;
use crate::solver::Twist;
use glam::DVec3;

/// The poses at which a step of these settings looks for contacts.
pub fn detection_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    let before = settings.time_before_detection();
    bodies.iter().map(|body| moved(body, body.pose(), before)).collect()
}

/// The bodies at the end of the step: with the given twists, moved with those from `poses` on. Bodies that are not
/// dynamic keep their velocities.
pub(crate) fn complete(bodies: &[Body], poses: &[Pose], twists: &[Twist], settings: &StepSettings) -> Vec<Body> {
    let rest = settings.time_step - settings.time_before_detection();
    let mut next = bodies.to_vec();
    for ((body, pose), twist) in next.iter_mut().zip(poses).zip(twists) {
        if body.is_fixed() {
            continue;
        }
        if body.is_dynamic() {
            body.velocity = DVec3::new(twist[0], twist[1], twist[2]);
            body.angular_velocity = DVec3::new(twist[3], twist[4], twist[5]);
        }
        let pose = moved(body, *pose, rest);
        body.position = pose.translation;
        body.orientation = pose.rotation;
    }
    next
}

/// The ids of a list of bodies.
pub(crate) fn ids(bodies: &[Body]) -> Result<Vec<BodyId>, StepError> {
    let count = u32::try_from(bodies.len()).map_err(|_| StepError::TooManyBodies(bodies.len()))?;
    Ok((0..count).map(BodyId::new).collect())
}

pub(crate) fn check_states(bodies: &[Body], ids: &[BodyId], when: &'static str) -> Result<(), StepError> {
    match bodies.iter().zip(ids).find(|(body, _)| !body.state_is_finite()) {
        Some((_, &body)) => Err(StepError::State { body, when }),
        None => Ok(()),
    }
}

/// Where the body's present velocity takes it from `pose`; fixed bodies stay.
fn moved(body: &Body, pose: Pose, duration: f64) -> Pose {
    if body.is_fixed() { pose } else { advance(pose, body.velocity, body.angular_velocity, duration) }
}
