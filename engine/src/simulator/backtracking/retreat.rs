//! Going back in time: from an interval's end at which something is wrong to the time at which it begins (paper,
//! section 3.1).

use super::flow::Flow;
use super::nearness::Nearness;
use super::reactions::Mode;
use super::sets::{Sets, Touch, relative_pose};
use super::{BacktrackingError, BacktrackingSettings};
use crate::body::Body;
use drystone_contact::vclip::contact_set::{self, search};
use drystone_contact::vclip::{Closest, Outcome, Pair, certified};
use glam::DVec3;

/// What begins at a time.
#[derive(Clone, Copy, Debug)]
pub enum Beginning {
    /// Features have come near that are not in their set.
    Near {
        /// The bodies.
        bodies: [usize; 2],
        /// Their pieces.
        pieces: [u32; 2],
        /// The features.
        closest: Closest,
        /// From A to B, unit, frame of A.
        direction: DVec3,
    },
    /// A contact of a set has come nearer than where it is held.
    Sunk(Touch),
    /// A contact stops sliding.
    Stick(Touch),
}

/// What is wrong at the end of an interval.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    /// It begins at this time, s.
    From(f64, Beginning),
    /// These pieces of these bodies overlap, and no features were found to come near.
    Unexplained([usize; 2], [u32; 2]),
}

/// The distance at which the search goes back no farther, as a share of where the contact is or will be held, or of the
/// nearest contact's gap.
const NEAR_ENOUGH: f64 = 0.998;

/// Searches that end at features under another name before an overlap counts as unexplained.
const NAMES: usize = 16;

/// The first of what is wrong with the bodies at `end` (s), if anything is, and the least distance of pieces there (m).
///
/// Wrong are pieces that overlap, and such whose closest features are no contact and nearer than contacts are held: so
/// that gaps do not shrink to nothing where an interval happens to end just before an overlap.
///
/// # Errors
/// [`BacktrackingError::Solver`].
pub fn trouble(
    flow: &Flow<'_>,
    nearness: &mut Nearness,
    end: f64,
    bodies: &[Body],
) -> Result<(Option<Trouble>, f64), BacktrackingError> {
    let mut first: Option<(f64, Beginning)> = None;
    let mut note = |time: f64, beginning: Beginning| {
        if first.is_none_or(|(earliest, _)| time < earliest) {
            first = Some((time, beginning));
        }
    };
    let mut unexplained = None;
    let (reach, mut least) = (flow.settings.reach.leave, f64::INFINITY);
    for pair in nearness.candidates(flow.sets, bodies, reach) {
        flow.count_call();
        for near in nearness.ask(flow.sets, bodies, pair, reach) {
            match near.outcome {
                Outcome::Apart { closest, certificate, .. } => {
                    least = least.min(certificate.lower);
                    let is_near = closest.distance < flow.settings.sunk * allowed(flow, bodies, pair, near.pieces);
                    if is_near
                        && !flow.sets.set(pair, near.pieces).has(closest.pair)
                        && let Some((time, beginning)) = retreat(flow, end, pair, near.pieces)?
                    {
                        note(time, beginning);
                    }
                }
                Outcome::Overlapping { .. } => match retreat(flow, end, pair, near.pieces)? {
                    Some((time, beginning)) => note(time, beginning),
                    None => unexplained = unexplained.or(Some(Trouble::Unexplained(pair, near.pieces))),
                },
            }
        }
    }
    for (touch, course) in flow.touches.iter().zip(&flow.courses) {
        let Some(row) = flow.sets.row(touch, bodies) else { continue };
        let gap_from =
            |bodies: &[Body], share: f64| flow.sets.row(touch, bodies).is_none_or(|row| row.gap >= share * touch.rest);
        if row.gap < flow.settings.sunk * touch.rest {
            note(flow.last(end, |bodies| gap_from(bodies, NEAR_ENOUGH))?, Beginning::Sunk(*touch));
        }
        if let Mode::Sliding(direction) = course.mode
            && touch.friction != [0.0; 2]
            && row.normal_speed <= flow.settings.parting_speed
        {
            let still = 0.5 * flow.settings.static_speed;
            let goes_on =
                |bodies: &[Body]| flow.sets.row(touch, bodies).is_none_or(|row| row.sliding.dot(direction) > still);
            if !goes_on(bodies) {
                note(flow.last(end, goes_on)?, Beginning::Stick(*touch));
            }
        }
    }
    Ok((first.map(|(time, beginning)| Trouble::From(time, beginning)).or(unexplained), least))
}

/// How near features may come that are no contact: as near as contacts are held, or as the nearest one of the set is.
fn allowed(flow: &Flow<'_>, bodies: &[Body], pair: [usize; 2], pieces: [u32; 2]) -> f64 {
    let of_pieces = flow.touches.iter().filter(|touch| touch.bodies == pair && touch.pieces == pieces);
    let gaps = of_pieces.filter_map(|touch| flow.sets.row(touch, bodies)).map(|row| row.gap);
    gaps.fold(flow.settings.hold * flow.settings.reach.enter, f64::min)
}

/// The time at which features of two pieces that overlap at `end`, or are too near, come near that are not in their
/// set.
fn retreat(
    flow: &Flow<'_>,
    end: f64,
    bodies: [usize; 2],
    pieces: [u32; 2],
) -> Result<Option<(f64, Beginning)>, BacktrackingError> {
    let [a, b] = flow.sets.polyhedra(bodies, pieces);
    let set = flow.sets.set(bodies, pieces);
    let (enter, life) = (flow.settings.reach.enter, flow.settings.life());
    // The closest features after a time, if the pieces are apart, and whether they are new to the set.
    let look = |time: f64| {
        let relative_pose = flow.relative_pose(time, bodies);
        match certified(a, b, &relative_pose, &mut Pair::cold(a, b, &relative_pose)) {
            Outcome::Apart { closest, certificate, .. } => {
                let is_new = !set.has(closest.pair) && set.clone().add(closest.pair, a, b, &relative_pose, &life);
                Some((closest, certificate.direction, is_new))
            }
            Outcome::Overlapping { .. } => None,
        }
    };
    let mut from = 0.0;
    let mut found = None;
    for _ in 0..NAMES {
        let motion = |share: f64| flow.relative_pose(from + share * (end - from), bodies);
        let Some((share, _)) = search(&motion, &set, a, b, enter) else { break };
        let time = from + share * (end - from);
        found = look(time).filter(|(_, _, is_new)| *is_new).map(|seen| (time, seen));
        if found.is_some() {
            break;
        }
        // A member under another name: later.
        let later = (1..flow.settings.most_halvings).map(|k| time + (end - time) * 0.5f64.powi(k as i32));
        match later.take_while(|later| *later > time).find(|&later| look(later).is_some()) {
            Some(later) => from = later,
            None => break,
        }
    }
    flow.check()?;
    let Some((mut high, mut seen)) = found else { return Ok(None) };
    // Back to where it will be held, or to where a contact of the set was nearer.
    let hold = flow.settings.hold * enter;
    let (mut low, mut bound) = (0.0, hold);
    if seen.0.distance < NEAR_ENOUGH * hold
        && let Some(start) = look(0.0)
    {
        if start.2 && start.0.distance < hold {
            (high, seen) = (0.0, start);
        } else {
            bound = bound.min(start.0.distance);
            for _ in 0..flow.settings.most_halvings {
                let middle = 0.5 * (low + high);
                if seen.0.distance >= NEAR_ENOUGH * bound || middle <= low || middle >= high {
                    break;
                }
                match look(middle) {
                    Some(nearer) if nearer.2 && nearer.0.distance < hold => (high, seen) = (middle, nearer),
                    Some(farther) => (low, bound) = (middle, hold.min(farther.0.distance)),
                    None => break,
                }
            }
        }
    }
    flow.check()?;
    let (closest, direction, _) = seen;
    Ok(Some((high, Beginning::Near { bodies, pieces, closest, direction })))
}

/// The features that become contacts where two pieces come near: those found, and by promotion those beside them.
pub fn promoted(settings: &BacktrackingSettings, sets: &Sets, bodies: &[Body], beginning: &Beginning) -> Vec<Pair> {
    let Beginning::Near { bodies: pair, pieces, closest, direction } = *beginning else { return Vec::new() };
    let mut pairs = vec![closest.pair];
    if let Some(promoting) = &settings.promotion {
        let [a, b] = sets.polyhedra(pair, pieces);
        let relative_pose = relative_pose(bodies, pair);
        let is_near = |pair: &Pair| {
            contact_set::track(*pair, a, b, &relative_pose, 0.0)
                .is_some_and(|(_, tracked)| tracked.gap <= promoting.reach)
        };
        let beside = contact_set::promoted(&promoting.promotion, &closest, direction, a, b, &relative_pose);
        pairs.extend(beside.into_iter().filter(is_near));
    }
    pairs
}
