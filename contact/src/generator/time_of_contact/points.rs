//! The points of one solid against another.

use glam::DVec3;

use super::Start;
use super::descent::{Descent, descend};
use super::meeting::{Limits, Meeting, Side};
use crate::ccd::time_of_contact::{PointContact, RigidPath, TocError, TocSettings, Workspace};
use crate::contact::Feature;

/// Appends the points of `mover` that touch `solid` within the duration, or may do so, and those that are near now.
///
/// # Errors
/// [`TocError`] of motions that are not finite.
pub fn starts(
    mover: &Side<'_>,
    solid: &Side<'_>,
    limits: &Limits,
    workspace: &mut Workspace,
    touched: &mut Vec<PointContact>,
    near: &mut Vec<u32>,
    starts: &mut Vec<Start>,
) -> Result<(), TocError> {
    let path = RigidPath::new(&solid.motion, &mover.motion)?;
    let (tree, surface) = (mover.general.points(), solid.general.solid());
    let begin = starts.len();
    if mover.fastest_against(solid) * limits.duration > limits.precision {
        touched.clear();
        let fine = TocSettings { precision: limits.precision, ..TocSettings::default() };
        tree.contacts(surface, &path, [0.0, limits.duration], &fine, workspace, touched)?;
        let touching = touched.iter().map(|c| Start { point: c.point, time: c.contact.time, approaches: true });
        // Where it is not known whether a point touches, it is looked at when that begins.
        let perhaps = workspace.stopped().iter().map(|&(point, time)| Start { point, time, approaches: true });
        starts.extend(touching.chain(perhaps));
    }
    near.clear();
    let between = solid.motion.pose.inverse() * mover.motion.pose;
    tree.near(surface, &between, limits.envelope, workspace, near);
    starts.extend(near.iter().map(|&point| Start { point, time: 0.0, approaches: false }));
    // Once each: as one that approaches, if it does, and the earliest time.
    let order = |a: &Start, b: &Start| {
        a.point.cmp(&b.point).then(b.approaches.cmp(&a.approaches)).then(a.time.total_cmp(&b.time))
    };
    starts[begin..].sort_unstable_by(order);
    let mut kept = begin;
    for k in begin..starts.len() {
        if kept == begin || starts[kept - 1].point != starts[k].point {
            starts[kept] = starts[k];
            kept += 1;
        }
    }
    starts.truncate(kept);
    Ok(())
}

/// The meeting that a point of `mover`, A, leads to, if there is one, with the bodies where they are at its time. `places` are
/// those on the surface of `mover` that are known at that time, m, and grow.
pub fn meet(
    mover: &Side<'_>,
    solid: &Side<'_>,
    start: &Start,
    limits: &Limits,
    places: &mut Vec<DVec3>,
) -> Option<Meeting> {
    let Start { point, time, approaches } = *start;
    let poses = [mover.pose(time), solid.pose(time)];
    let (relative, from) = (poses[1].inverse() * poses[0], mover.general.point(point));
    let descent = descend(mover.general, solid.general.solid(), &relative, from, places, limits);
    let Descent::Meets { own, other, normal, gap } = descent else { return None };
    if !approaches && gap > limits.envelope {
        return None;
    }
    let normal = -(poses[1].rotation * normal).try_normalize()?;
    let features = [Feature::Surface(2 * point + 1), Feature::Surface(0)];
    places.push(own);
    Some(Meeting::new([mover, solid], [own, other], time, normal, gap, features))
}
