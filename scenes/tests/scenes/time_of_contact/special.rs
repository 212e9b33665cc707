//! Where nothing moves, where the motion begins in contact, and where the point comes back to where it was.

use std::f64::consts::TAU;

use drystone_contact::Pose;
use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use drystone_contact::ccd::time_of_contact::Outcome;
use drystone_contact::split_mix::SplitMix;
use drystone_scenes::toc::case::{Case, KINDS, case};
use drystone_scenes::toc::decider::MovingPoint;
use drystone_scenes::toc::interval::Interval;
use drystone_scenes::toc::query::DURATION;
use drystone_scenes::toc::region::{Region, Verdict};
use glam::DVec3;

use super::distance::distance;
use super::grown::grown;
use super::{ALL, PRECISIONS, answer, most_within, position, rounding};
use crate::cases;

/// Cases of each kind of solid in the whole tier.
const CASES: u32 = 1000;

/// Solids are a metre large, or up to so many times more or less.
const SCALES: f64 = 1e6;

/// All directions are equally likely.
fn direction(random: &mut SplitMix) -> DVec3 {
    random.next_rotation() * DVec3::X
}

/// A vector no longer than `most`.
fn vector(random: &mut SplitMix, most: f64) -> DVec3 {
    direction(random) * most * random.next_fraction()
}

/// A pose somewhere about a solid of this size (m).
fn pose(random: &mut SplitMix, size: f64) -> Pose {
    Pose::from_parts(vector(random, size), random.next_rotation())
}

/// Calls `check` with cases of all kinds, their names, random numbers and precisions in m.
fn for_all(seed: u64, mut check: impl FnMut(&Case, &str, &mut SplitMix, f64)) {
    for kind in KINDS {
        let mut random = SplitMix::new(seed);
        for number in 0..cases(CASES) as usize {
            let case = case(kind, &mut random, SCALES).unwrap();
            let precision = PRECISIONS[number % PRECISIONS.len()] * case.size;
            check(&case, &format!("{kind} {number}"), &mut random, precision);
        }
    }
}

/// Whether a point surely is inside at a time (s).
fn is_inside(region: &Region, motion: &MovingPoint, time: f64) -> bool {
    let there = motion.position(Interval::point(time));
    region.verdict(&there, &there, Interval::point(0.0)) == Verdict::Inside
}

/// Checks an answer about a point that keeps its distance, and says whether it is a contact: at the begin if the point is in the
/// solid, none if it is farther away than what may be stated.
fn keeps_its_distance(case: &Case, motion: &MovingPoint, times: [f64; 2], precision: f64, name: &str) -> bool {
    let found = answer(&*case.solid, motion, times, precision).outcome;
    let (point, error) = position(motion, times[0]);
    let away = distance(&case.region, point);
    let error = error + rounding(motion, times);
    match &found {
        Outcome::Contact(contact) => {
            assert!(away <= contact.within + error, "{name}: {away} {contact:?} {motion:?}");
            // What is in contact is so from the begin, unless it is as near as can be.
            assert!(contact.time == times[0] || away > 0.0, "{name}: {away} {contact:?}");
            true
        }
        Outcome::Apart => {
            assert!(!is_inside(&case.region, motion, times[0]), "{name}: {away} {motion:?}");
            false
        }
        Outcome::Stopped { .. } => panic!("{name}: {found:?}, {away} m away, {motion:?}"),
    }
}

#[test]
fn what_does_not_move_touches_at_once_or_never() {
    let (mut touching, mut apart) = (0, 0);
    for_all(71, |case, name, random, precision| {
        let [solid, body] = [(); 2].map(|()| NonlinearRigidMotion::still(pose(random, case.size)));
        let point = vector(random, case.size);
        let motion = MovingPoint { solid, body, point };
        for times in [ALL, [0.25, 0.25]] {
            let is_touching = keeps_its_distance(case, &motion, times, precision, name);
            let away = distance(&case.region, position(&motion, 0.0).0);
            assert!(!is_touching || away <= most_within(&motion, times, precision), "{name}: {away}");
            touching += i32::from(is_touching);
            apart += i32::from(!is_touching);
        }
    });
    assert!(touching > 100 && apart > 100, "{touching} {apart}");
}

#[test]
fn what_moves_with_the_solid_touches_at_once_or_never() {
    let (mut touching, mut apart) = (0, 0);
    for_all(72, |case, name, random, precision| {
        let frame = pose(random, case.size);
        let velocity = vector(random, case.size);
        let spin = vector(random, 6.0);
        let solid = NonlinearRigidMotion { pose: frame, velocity, angular_velocity: spin, duration: DURATION };
        // About the same centre, so that nothing moves against the solid.
        let body = NonlinearRigidMotion { pose: Pose::from_parts(frame.translation, random.next_rotation()), ..solid };
        let point = vector(random, 1.5 * case.size);
        let motion = MovingPoint { solid, body, point };
        let away = distance(&case.region, position(&motion, 0.0).0);
        // Between near and apart it takes boxes without end to tell.
        if away > 0.0 && away < 0.02 * case.size {
            return;
        }
        let is_touching = keeps_its_distance(case, &motion, ALL, precision, name);
        touching += i32::from(is_touching);
        apart += i32::from(!is_touching);
    });
    assert!(touching > 100 && apart > 100, "{touching} {apart}");
}

#[test]
fn what_begins_in_contact_touches_at_once() {
    let mut certain = 0;
    for_all(73, |case, name, random, precision| {
        let anywhere = vector(random, 1.2 * case.size);
        let depth = [0.0, 1e-15, 1e-12, 1e-6, 1e-2][random.next_below(5)] * case.size;
        let start = case.solid.nearest(anywhere).map_or(anywhere, |near| near.position - depth * near.normal);
        let (frame, turn) = (pose(random, case.size), random.next_rotation());
        let arm = vector(random, case.size);
        let moving = |random: &mut SplitMix, pose| NonlinearRigidMotion {
            pose,
            velocity: vector(random, 3.0 * case.size),
            angular_velocity: vector(random, 10.0),
            duration: DURATION,
        };
        let solid = moving(random, frame);
        let place = frame.translation + frame.rotation * start - turn * arm;
        let body = moving(random, Pose::from_parts(place, turn));
        let motion = MovingPoint { solid, body, point: arm };
        let found = answer(&*case.solid, &motion, ALL, precision).outcome;
        // On the surface rounding decides: a contact at once, or later when it comes back.
        if is_inside(&case.region, &motion, 0.0) {
            certain += 1;
            assert!(matches!(&found, Outcome::Contact(contact) if contact.time == 0.0), "{name}: {found:?} {motion:?}");
        }
        if let Outcome::Contact(contact) = found {
            let (point, error) = position(&motion, contact.time);
            let away = distance(&case.region, point);
            assert!(away <= contact.within + error + rounding(&motion, ALL), "{name}: {away} {contact:?}");
        }
    });
    assert!(certain > 100, "{certain}");
}

#[test]
fn full_turns_come_back_to_where_they_began() {
    let (mut contacts, mut apart) = (0, 0);
    for_all(74, |case, name, random, precision| {
        let turns = [1.0, 2.0, 7.0][random.next_below(3)];
        let body = NonlinearRigidMotion {
            pose: pose(random, 1.5 * case.size),
            velocity: DVec3::ZERO,
            angular_velocity: direction(random) * TAU * turns,
            duration: DURATION,
        };
        let solid = NonlinearRigidMotion::still(Pose::from_parts(DVec3::ZERO, random.next_rotation()));
        let motion = MovingPoint { solid, body, point: vector(random, case.size) };
        let most = most_within(&motion, ALL, precision) + rounding(&motion, ALL);
        let truth = motion.first_inside(&case.region, DURATION);
        let around = Region::Union(vec![grown(&(case.region.clone(), Pose::IDENTITY), most)]);
        let near = motion.first_inside(&around, DURATION);
        // All turns, and one.
        for times in [ALL, [0.0, DURATION / turns]] {
            let found = answer(&*case.solid, &motion, times, precision).outcome;
            match &found {
                Outcome::Contact(contact) => {
                    contacts += 1;
                    assert!(truth.by.is_none_or(|by| contact.time <= by), "{name}: {found:?} {truth:?}");
                    assert!(contact.time >= near.after, "{name}: {found:?} {near:?}");
                }
                Outcome::Apart => {
                    apart += 1;
                    assert!(truth.by.is_none_or(|by| by > times[1]), "{name}: {truth:?}");
                }
                Outcome::Stopped { time, .. } => panic!("{name}: until {time}, {truth:?} {motion:?}"),
            }
        }
    });
    assert!(contacts > 100 && apart > 100, "{contacts} {apart}");
}
