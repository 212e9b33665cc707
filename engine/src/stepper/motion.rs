//! The two halves of the motion of a step: to where contacts are looked for, and on from there.

use super::{StepError, StepSettings};
use crate::body::{Body, BodyId, Pose};
use crate::motion::advance;
use crate::solver::Twist;
use glam::DVec3;

/// The poses at which a step of these settings looks for contacts.
pub fn detection_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    let mut poses: Vec<Pose> = bodies.iter().map(Body::pose).collect();
    move_freely(bodies, &mut poses, settings.time_before_detection());
    poses
}

/// Moves poses with the velocities of the bodies for some time (s); fixed bodies stay.
pub(crate) fn move_freely(bodies: &[Body], poses: &mut [Pose], duration: f64) {
    for (body, pose) in bodies.iter().zip(poses).filter(|(body, _)| !body.is_fixed()) {
        *pose = advance(*pose, body.velocity, body.angular_velocity, duration);
    }
}

/// Gives the dynamic bodies new velocities.
pub(crate) fn set_twists(bodies: &mut [Body], twists: &[Twist]) {
    bodies.iter_mut().zip(twists).for_each(|(body, twist)| set_twist(body, twist));
}

/// The same of one body.
fn set_twist(body: &mut Body, &[x, y, z, p, q, r]: &Twist) {
    if body.is_dynamic() {
        body.velocity = DVec3::new(x, y, z);
        body.angular_velocity = DVec3::new(p, q, r);
    }
}

/// Puts the bodies to poses.
pub(crate) fn set_poses(bodies: &mut [Body], poses: &[Pose]) {
    for (body, pose) in bodies.iter_mut().zip(poses) {
        (body.position, body.orientation) = (pose.translation, pose.rotation);
    }
}

/// The bodies at the end of the step: with the given twists, moved with those from `poses` on. Bodies that are not
/// dynamic keep their velocities.
pub(crate) fn complete(bodies: &[Body], poses: &[Pose], twists: &[Twist], settings: &StepSettings) -> Vec<Body> {
    let (mut next, mut poses) = (bodies.to_vec(), poses.to_vec());
    set_twists(&mut next, twists);
    move_freely(&next, &mut poses, settings.time_after_detection());
    set_poses(&mut next, &poses);
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
