//! What else lets two bodies into each other than the pairs of their set.
//!
//! In the paper forces keep the members of a set apart, so that going back in time ends at a pair that is missing. In a
//! simulation by steps, members sink in a little, and whichever way one goes back, the last to part is the member
//! that is deepest. So the body is moved first, by the smallest motion after which no member is below a small gap; what
//! then is nearer, or still overlaps, is something else.

use glam::{DMat3, DQuat, DVec3};

use super::least_twist::least_twist;
use super::retreat::{search, straight_out};
use super::track::{Tracked, track};
use super::{ContactMargin, ContactSet};
use crate::vclip::{Closest, ConvexPolyhedron, Outcome, Pair, RelativePose, certified};

/// The gap to which members are brought, as a share of the distance at which pairs come in.
const HELD: f64 = 0.1;

/// What is nearer than this share of that gap is not held by the members.
const NEARER: f64 = 0.5;

/// How often the motion is corrected for what it turns, at most.
const ROUNDS: usize = 4;

/// The closest features, where they are found, that are not in the set and that the members do not keep apart; `None`
/// if nothing is missing, or it is deeper than pairs are looked for.
pub fn missing(
    set: &ContactSet,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    reach: &ContactMargin,
) -> Option<(RelativePose, Closest)> {
    let gap = HELD * reach.enter;
    let held = held_at(set, a, b, relative_pose, gap);
    let mut pair = Pair::cold(a, b, &held);
    match certified(a, b, &held, &mut pair) {
        Outcome::Apart { closest, .. } => {
            (closest.distance < NEARER * gap && !set.has(closest.pair)).then_some((held, closest))
        }
        Outcome::Overlapping { .. } => {
            let way = straight_out(&held, [a, b], reach)?;
            let (time, closest) = search(&way, set, a, b, reach.enter)?;
            Some((super::Motion::relative_pose(&way, time), closest))
        }
    }
}

/// B moved by the smallest twist, turns measured at B's radius, after which no member has a gap below a given one, m;
/// they may have larger ones.
///
/// Members beside each other that have sunk in by different depths must not be brought to the same gap: that would turn
/// B until the line or face through them lies flat, and whatever is deeper beyond them would turn out with it.
fn held_at(
    set: &ContactSet,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    gap: f64,
) -> RelativePose {
    let mut held = *relative_pose;
    for _ in 0..ROUNDS {
        let now = set.members().iter().filter_map(|m| Some(track(m.pair, a, b, &held, f64::INFINITY)?.1));
        let now: Vec<Tracked> = now.collect();
        if now.iter().all(|tracked| tracked.gap >= NEARER * gap) {
            break;
        }
        held = moved(&now, b, &held, gap);
    }
    held
}

/// B, of which this is the hull, moved by the smallest twist after which no contact of the bodies (frame of A) is deep, as
/// far as gaps do not change by how much it turns.
pub fn parted(
    contacts: &[Tracked],
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    reach: &ContactMargin,
) -> RelativePose {
    moved(contacts, b, relative_pose, HELD * reach.enter)
}

/// B moved by the smallest twist after which no gap is below one, m.
fn moved(members: &[Tracked], b: &ConvexPolyhedron, relative_pose: &RelativePose, gap: f64) -> RelativePose {
    let (centre, radius) = (relative_pose.point_of_b(b.centre()), b.radius());
    let rows: Vec<[f64; 6]> = members
        .iter()
        .map(|member| {
            let (n, turn) = (member.normal, (member.points[1] - centre).cross(member.normal) / radius);
            [n.x, n.y, n.z, turn.x, turn.y, turn.z]
        })
        .collect();
    let least: Vec<f64> = members.iter().map(|member| gap - member.gap).collect();
    let twist = least_twist(&rows, &least);
    let shift = DVec3::new(twist[0], twist[1], twist[2]);
    let turn = DVec3::new(twist[3], twist[4], twist[5]) / radius;
    let (half_sine, half_cosine) = libm::sincos(0.5 * turn.length());
    let axis = turn.normalize_or_zero() * half_sine;
    let turned = DMat3::from_quat(DQuat::from_xyzw(axis.x, axis.y, axis.z, half_cosine));
    let (rotation, translation) = relative_pose.parts();
    RelativePose::from_parts(turned * rotation, centre + turned * (translation - centre) + shift)
}
