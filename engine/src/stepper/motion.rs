//! The two halves of the motion of a step: to where contacts are looked for, and on from there.

use super::{StepError, StepSettings};
use crate::body::{Body, BodyId, Pose};
use crate::motion::{advance_in, kept_in};
use crate::solver::Twist;
use drystone_contact::precision::Precision;
use glam::DVec3;

/// The poses at which a step of these settings looks for contacts.
pub fn detection_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    kept_poses(bodies, &moved_poses(bodies, settings), settings)
}

/// Where the old velocities take the bodies before contacts are looked for.
pub(crate) fn moved_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    let before = settings.time_before_detection();
    bodies.iter().map(|body| moved(body, body.pose(), before, settings.precision)).collect()
}

/// The moved poses as the bodies keep them.
pub(crate) fn kept_poses(bodies: &[Body], moved: &[Pose], settings: &StepSettings) -> Vec<Pose> {
    bodies.iter().zip(moved).map(|(body, pose)| kept(body, *pose, settings.precision)).collect()
}

/// The bodies at the end of the step: with the given twists, moved with those from `moved_poses` on. Bodies that are not
/// dynamic keep their velocities.
pub(crate) fn complete(bodies: &[Body], moved_poses: &[Pose], twists: &[Twist], settings: &StepSettings) -> Vec<Body> {
    let rest = settings.time_step - settings.time_before_detection();
    let mut next = bodies.to_vec();
    for ((body, pose), twist) in next.iter_mut().zip(moved_poses).zip(twists) {
        if body.is_fixed() {
            continue;
        }
        if body.is_dynamic() {
            body.velocity = DVec3::new(twist[0], twist[1], twist[2]);
            body.angular_velocity = DVec3::new(twist[3], twist[4], twist[5]);
        }
        let pose = moved(body, *pose, rest, settings.precision);
        let pose = kept(body, pose, settings.precision);
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
fn moved(body: &Body, pose: Pose, duration: f64, precision: Precision) -> Pose {
    if body.is_fixed() { pose } else { advance_in(precision, pose, body.velocity, body.angular_velocity, duration) }
}

/// A moved pose as the body keeps it; fixed bodies keep theirs to the last bit.
fn kept(body: &Body, pose: Pose, precision: Precision) -> Pose {
    if body.is_fixed() { pose } else { kept_in(precision, pose) }
}
