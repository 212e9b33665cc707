//! The points of one solid against another.

use super::Buffers;
use super::descent::{Descent, descend};
use super::meeting::{Limits, Meeting, Side};
use crate::ccd::time_of_contact::{RigidPath, TocError, TocSettings};
use crate::contact::Feature;

/// Appends the meetings of points of `mover`, A, with `solid`.
///
/// # Errors
/// [`TocError`] of motions that are not finite.
pub fn meet(mover: &Side<'_>, solid: &Side<'_>, limits: &Limits, buffers: &mut Buffers) -> Result<(), TocError> {
    let path = RigidPath::new(&solid.motion, &mover.motion)?;
    let (tree, surface) = (mover.general.points(), solid.general.solid());
    let touched = &mut buffers.touched;
    touched.clear();
    let relative = (mover.motion.velocity - solid.motion.velocity).length();
    let apart = mover.motion.pose.translation.distance(solid.motion.pose.translation) + mover.general.reach();
    let turning =
        mover.motion.angular_velocity.length() * mover.general.reach() + solid.motion.angular_velocity.length() * apart;
    if (relative + turning) * limits.duration > limits.precision {
        let fine = TocSettings { precision: limits.precision, ..TocSettings::default() };
        tree.contacts(surface, &path, [0.0, limits.duration], &fine, &mut buffers.points, touched)?;
    }
    // What is near now and does not approach.
    let near = &mut buffers.near;
    near.clear();
    let between = solid.motion.pose.inverse() * mover.motion.pose;
    tree.near(surface, &between, limits.envelope, &mut buffers.points, near);
    let is_known = |point: &u32| touched.binary_search_by_key(point, |known| known.point).is_ok();
    let at_rest = near.iter().filter(|point| !is_known(point)).map(|&point| (point, 0.0));
    let all = touched.iter().map(|c| (c.point, c.contact.time)).chain(at_rest);
    for (point, time) in all {
        let poses = [mover.pose(time), solid.pose(time)];
        let start = mover.general.point(point);
        let descent = descend(mover.general, surface, &(poses[1].inverse() * poses[0]), start, limits);
        let Descent::Meets { own, other, normal, gap } = descent else { continue };
        if time == 0.0 && gap > limits.envelope {
            continue;
        }
        let normal = -(poses[1].rotation * normal).normalize();
        let features = [Feature::Vertex(point), Feature::Surface(0)];
        buffers.meetings.push(Meeting::new([mover, solid], [own, other], time, normal, gap, features));
    }
    Ok(())
}
