//! What else lets two bodies into each other than the pairs of their set.
//!
//! In the paper forces keep the members of a set apart, so that going back in time ends at a pair that is missing. In a
//! simulation by steps, members sink in a little, and whichever way one goes back, the last to part is the member
//! that is deepest. So the body is moved first, by the smallest motion after which members have a small gap, all the same one
//! or, if that shows nothing, at least that; what then is nearer, or still overlaps, is something else.

use glam::{DMat3, DQuat, DVec3};

use super::least_twist::{equal_twist, least_twist};
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
    let raised = |rule| missing_when_raised(rule, set, a, b, relative_pose, reach);
    let deepest = set.members().iter().map(|member| member.tracked.gap).fold(f64::INFINITY, f64::min);
    let is_deeper = |(_, closest): &(RelativePose, Closest)| {
        track(closest.pair, a, b, relative_pose, f64::INFINITY).is_some_and(|(_, tracked)| tracked.gap < deepest)
    };
    raised(Raised::Level).or_else(|| raised(Raised::AtLeast).filter(is_deeper))
}

/// To which gaps members are brought that have less than one.
#[derive(Clone, Copy, PartialEq)]
enum Raised {
    /// To this one. Of members beside each other that have sunk in by different depths the line or face through them is then
    /// level, so that all that lies beyond them shows; but what is deeper there may turn out with it.
    Level,
    /// To this one or larger ones, which shows what is deeper.
    AtLeast,
}

fn missing_when_raised(
    rule: Raised,
    set: &ContactSet,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    reach: &ContactMargin,
) -> Option<(RelativePose, Closest)> {
    let gap = HELD * reach.enter;
    let held = held_at(rule, set, a, b, relative_pose, gap);
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

/// B moved by the smallest twist, turns measured at B's radius, that brings members which have a gap below a given one (m) to
/// it, as the rule says.
fn held_at(
    rule: Raised,
    set: &ContactSet,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    gap: f64,
) -> RelativePose {
    let mut is_raised = vec![rule == Raised::AtLeast; set.members().len()];
    let mut held = *relative_pose;
    for _ in 0..ROUNDS {
        let now: Vec<Option<Tracked>> =
            set.members().iter().map(|m| Some(track(m.pair, a, b, &held, f64::INFINITY)?.1)).collect();
        let is_low = |tracked: &Option<Tracked>| tracked.is_some_and(|tracked| tracked.gap < NEARER * gap);
        if !now.iter().any(is_low) {
            break;
        }
        now.iter().zip(&mut is_raised).for_each(|(tracked, is_raised)| *is_raised |= is_low(tracked));
        let raised: Vec<Tracked> = now.iter().zip(&is_raised).filter_map(|(t, &is)| t.filter(|_| is)).collect();
        held = moved(rule, &raised, b, &held, gap);
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
    moved(Raised::AtLeast, contacts, b, relative_pose, HELD * reach.enter)
}

/// B moved by the smallest twist that brings gaps to one, m, as the rule says.
fn moved(
    rule: Raised,
    members: &[Tracked],
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    gap: f64,
) -> RelativePose {
    let (centre, radius) = (relative_pose.point_of_b(b.centre()), b.radius());
    let rows: Vec<[f64; 6]> = members
        .iter()
        .map(|member| {
            let (n, turn) = (member.normal, (member.points[1] - centre).cross(member.normal) / radius);
            [n.x, n.y, n.z, turn.x, turn.y, turn.z]
        })
        .collect();
    let least: Vec<f64> = members.iter().map(|member| gap - member.gap).collect();
    let twist = match rule {
        Raised::Level => equal_twist(&rows, &least),
        Raised::AtLeast => least_twist(&rows, &least),
    };
    let shift = DVec3::new(twist[0], twist[1], twist[2]);
    let turn = DVec3::new(twist[3], twist[4], twist[5]) / radius;
    let (half_sine, half_cosine) = libm::sincos(0.5 * turn.length());
    let axis = turn.normalize_or_zero() * half_sine;
    let turned = DMat3::from_quat(DQuat::from_xyzw(axis.x, axis.y, axis.z, half_cosine));
    let (rotation, translation) = relative_pose.parts();
    RelativePose::from_parts(turned * rotation, centre + turned * (translation - centre) + shift)
}
