//! Paths against boxes, and times against roots in closed form.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::chord_box::chord_box;
use super::printed_box::printed_box;
use super::*;
use crate::Pose;
use crate::bounds::Bounds;
use crate::ccd::rigid::NonlinearRigidMotion;
use crate::shape::{Ball, HalfSpace};
use crate::solid::{Expression, Implicit, OrientedBox, Solid};
use crate::split_mix::SplitMix;

fn vector(random: &mut SplitMix, size: f64) -> DVec3 {
    random.next_rotation() * DVec3::X * size * random.next_fraction()
}

fn motion(random: &mut SplitMix, spin: f64) -> NonlinearRigidMotion {
    NonlinearRigidMotion {
        pose: Pose::from_parts(vector(random, 2.0), random.next_rotation()),
        velocity: vector(random, 3.0),
        angular_velocity: vector(random, spin),
        duration: 1.0,
    }
}

/// How far a point is outside of a box, m; below zero inside.
fn outside(turned: &OrientedBox, point: DVec3) -> f64 {
    ((turned.axes.transpose() * (point - turned.centre)).abs() - turned.half).max_element()
}

#[test]
fn chord_boxes_hold_the_path_and_printed_ones_do_not() {
    let mut random = SplitMix::new(5);
    let (mut left_out, mut sampled) = ([0; 2], 0);
    for case in 0..3000 {
        let body = motion(&mut random, [0.5, 6.0, 40.0][case % 3]);
        let is_turning = case % 2 == 1;
        let solid = if is_turning {
            motion(&mut random, 5.0)
        } else {
            NonlinearRigidMotion::still(motion(&mut random, 0.0).pose)
        };
        let path = RigidPath::new(&solid, &body).unwrap();
        let point = path.point(vector(&mut random, 1.5));
        let start = random.next_fraction();
        let times = [start, start + random.next_fraction() * 0.3];
        let ends = times.map(|t| point.position(t));
        let turned = chord_box(ends[0], ends[1], &point.deviation(times, Bound::Exact), point.rounding(times));
        let samples: Vec<DVec3> =
            (0..=60).map(|k| point.position(times[0] + (times[1] - times[0]) * f64::from(k) / 60.0)).collect();
        for &sample in &samples {
            assert!(outside(&turned, sample) <= 0.0, "case {case}: {}", outside(&turned, sample));
        }
        if !is_turning {
            sampled += 1;
            for (count, bound) in left_out.iter_mut().zip([Bound::ReadingA, Bound::ReadingB]) {
                let (arm, velocity) = point.arm_and_velocity(times[0]);
                let deviation = point.deviation(times, bound).any;
                let printed = printed_box(ends[0], arm, velocity, times[1] - times[0], deviation);
                *count += i32::from(samples.iter().any(|&s| outside(&printed, s) > 1e-9));
            }
        }
    }
    assert!(left_out[0] > sampled / 2 && left_out[1] > sampled / 10, "{left_out:?} of {sampled}");
}

#[test]
fn the_bound_is_reached_in_the_middle_and_equation_2_is_larger() {
    for angle in [1e-4, 0.1, 1.0, 3.0, 6.2] {
        let body = NonlinearRigidMotion {
            pose: Pose::IDENTITY,
            velocity: DVec3::X,
            angular_velocity: DVec3::Y * angle,
            duration: 1.0,
        };
        let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
        let point = path.point(DVec3::new(0.0, 5.0, 2.0));
        let [from, middle, to] = [0.0, 0.5, 1.0].map(|t| point.position(t));
        let (sagitta, bound) = (middle.distance(from.midpoint(to)), point.deviation([0.0, 1.0], Bound::Exact).any);
        assert!((bound - sagitta).abs() <= 3e-14 * bound + 2e-16 * 5.0, "{angle}: {bound} {sagitta}");
        let [a, b] = [Bound::ReadingA, Bound::ReadingB].map(|bound| point.deviation([0.0, 1.0], bound).any);
        assert!(a > 1.4 * bound && b > bound, "{angle}: {bound} {a} {b}");
        if angle < 0.2 {
            assert!((a / bound - 4.0 * 2.0f64.sqrt()).abs() < 0.02, "{angle}: {}", a / bound);
        }
    }
}

/// The first time at which c + b t + r cos(ω t − ψ) is at or below zero in [0, 1], in the last bits: its stationary points
/// split it into monotone pieces.
fn first_root(c: f64, b: f64, r: f64, speed: f64, phase: f64) -> Option<f64> {
    let height = |t: f64| c + b * t + r * (speed * t - phase).cos();
    let mut times = vec![0.0, 1.0];
    let sine = b / (r * speed);
    if sine.abs() <= 1.0 {
        for base in [sine.asin(), PI - sine.asin()] {
            let first = (-phase - base) / TAU;
            let turns = first.floor() as i64 - 1..=(first + speed / TAU).ceil() as i64 + 1;
            times.extend(turns.map(|k| (base + TAU * k as f64 + phase) / speed).filter(|t| (0.0..=1.0).contains(t)));
        }
    }
    times.sort_by(f64::total_cmp);
    for pair in times.windows(2) {
        let [mut low, mut high] = [pair[0], pair[1]];
        if height(low) <= 0.0 {
            return Some(low);
        }
        if height(high) <= 0.0 {
            while low.midpoint(high) > low && low.midpoint(high) < high {
                let middle = low.midpoint(high);
                if height(middle) > 0.0 { low = middle } else { high = middle }
            }
            return Some(high);
        }
    }
    None
}

#[test]
fn a_half_space_is_touched_when_the_closed_form_says_so() {
    let mut random = SplitMix::new(11);
    for precision in [1e-3, 1e-6, 1e-9] {
        let (mut contacts, mut tests) = (0, 0);
        for case in 0..2000 {
            let mut body = motion(&mut random, [3.0, 50.0][case % 2]);
            body.pose.translation = DVec3::new(0.0, 2.0 * random.next_fraction(), 0.0);
            let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
            let point = path.point(vector(&mut random, 1.0));
            let settings = TocSettings { precision, ..TocSettings::default() };
            let found = determine_toc(&HalfSpace, &point, [0.0, 1.0], &settings).unwrap();
            tests += found.counts.tests;
            let arm = body.pose.rotation * point.point;
            let speed = body.angular_velocity.length();
            let axis = body.angular_velocity / speed;
            let along = axis * axis.dot(arm);
            let (p, q) = ((arm - along).y, axis.cross(arm).y);
            let height = body.pose.translation.y + along.y;
            let exact = first_root(height, body.velocity.y, p.hypot(q), speed, q.atan2(p));
            match (&found.outcome, exact) {
                (Outcome::Contact(contact), exact) => {
                    contacts += 1;
                    assert!(
                        exact.is_none_or(|exact| contact.time <= exact + 1e-14),
                        "case {case}: {contact:?} {exact:?}"
                    );
                    let gap = point.position(contact.time).y;
                    assert!(
                        gap <= contact.within && contact.within <= 4.0 * precision,
                        "case {case}: {gap} {contact:?}"
                    );
                    assert_eq!(contact.normal, Ok(DVec3::Y));
                }
                (Outcome::Apart, None) => {}
                (outcome, exact) => panic!("case {case}: {outcome:?} {exact:?}"),
            }
        }
        assert!(contacts > 500 && tests < 2000 * 80, "{contacts} contacts, {tests} tests");
    }
}

#[test]
fn printed_boxes_miss_contacts() {
    let mut random = SplitMix::new(12);
    let (mut missed, mut contacts) = (0, 0);
    for _ in 0..20_000 {
        let mut body = motion(&mut random, 3.0);
        body.pose.translation = random.next_rotation() * DVec3::X * 1.2;
        body.velocity = vector(&mut random, 0.3) - body.pose.translation;
        let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
        let point = path.point(vector(&mut random, 1.0));
        let ball = Ball::new(0.3).unwrap();
        let ask = |bound, boxes| {
            let settings = TocSettings { bound, boxes, ..TocSettings::default() };
            determine_toc(&ball, &point, [0.0, 1.0], &settings).unwrap()
        };
        let exact = ask(Bound::Exact, Boxes::Chord);
        if let Some(contact) = exact.contact() {
            contacts += 1;
            missed += i32::from(ask(Bound::ReadingA, Boxes::Printed).contact().is_none());
            let chord = ask(Bound::ReadingA, Boxes::Chord);
            assert!((chord.contact().unwrap().time - contact.time).abs() < 1e-2);
        }
    }
    assert!(contacts > 50 && missed > 0, "{missed} of {contacts}");
}

#[test]
fn a_full_turn_a_point_and_an_empty_interval_have_answers() {
    let still = NonlinearRigidMotion::still(Pose::IDENTITY);
    let turn = NonlinearRigidMotion {
        pose: Pose::from_parts(DVec3::Y, DQuat::IDENTITY),
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::Z * TAU,
        duration: 1.0,
    };
    let settings = TocSettings::default();
    let ask = |body: &NonlinearRigidMotion, point, interval| {
        let path = RigidPath::new(&still, body).unwrap();
        determine_toc(&HalfSpace, &path.point(point), interval, &settings).unwrap().outcome
    };
    // Back where it was, with half a turn between: it just touches at the bottom.
    let Outcome::Contact(contact) = ask(&turn, DVec3::Y, [0.0, 1.0]) else { panic!("not touched") };
    assert!(contact.time < 0.5 && contact.time > 0.499, "{contact:?}");
    assert_eq!(ask(&turn, DVec3::Y * 0.99, [0.0, 1.0]), Outcome::Apart);
    let rest = NonlinearRigidMotion { angular_velocity: DVec3::ZERO, ..turn };
    assert_eq!(ask(&rest, DVec3::Y, [0.0, 1.0]), Outcome::Apart);
    assert_eq!(ask(&turn, DVec3::Y, [0.25, 0.25]), Outcome::Apart);
    assert!(matches!(ask(&turn, DVec3::Y, [0.5, 0.5]), Outcome::Contact(contact) if contact.time == 0.5));
    let Outcome::Contact(contact) = ask(&rest, -DVec3::Y, [0.0, 1.0]) else { panic!("not touched") };
    assert_eq!(contact.time, 0.0);
}

#[test]
fn a_search_that_ends_early_says_until_when_it_is_sure() {
    let mut random = SplitMix::new(3);
    let mut stopped = 0;
    for _ in 0..300 {
        let mut body = motion(&mut random, 20.0);
        body.pose.translation.y = 1.2;
        let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
        let point = path.point(vector(&mut random, 1.0));
        let few = TocSettings { max_boxes: 12, ..TocSettings::default() };
        let early = determine_toc(&HalfSpace, &point, [0.0, 1.0], &few).unwrap();
        let whole = determine_toc(&HalfSpace, &point, [0.0, 1.0], &TocSettings::default()).unwrap();
        assert!(early.safe_until() <= whole.safe_until() && early.counts.tests <= 12);
        stopped += i32::from(matches!(early.outcome, Outcome::Stopped { reason: StopReason::Boxes, .. }));
    }
    assert!(stopped > 20, "{stopped}");
}

#[test]
fn many_points_are_found_as_each_by_itself() {
    let mut random = SplitMix::new(21);
    let ball = Ball::new(0.6).unwrap();
    let (mut workspace, mut found, mut alone, mut together) = (Workspace::default(), 0, 0, 0);
    for case in 0..60 {
        let points: Vec<DVec3> = (0..200).map(|_| vector(&mut random, 1.0)).collect();
        let tree = PointTree::new(&points);
        let mut body = motion(&mut random, [1.0, 8.0][case % 2]);
        body.pose.translation = body.pose.translation.normalize_or(DVec3::X) * 1.8;
        body.velocity = -body.pose.translation * random.next_fraction();
        let path = RigidPath::new(&motion(&mut random, 0.5), &body).unwrap();
        let settings = TocSettings::default();
        let one = |k: usize| determine_toc(&ball, &path.point(points[k]), [0.0, 1.0], &settings).unwrap();
        let each: Vec<TimeOfContact> = (0..points.len()).map(one).collect();
        let mut contacts = Vec::new();
        let (until, counts) =
            tree.contacts(&ball, &path, [0.0, 1.0], &settings, &mut workspace, &mut contacts).unwrap();
        assert_eq!(until, f64::INFINITY);
        let touching = |k: &usize| each[*k].contact().is_some();
        assert_eq!(
            contacts.iter().map(|c| c.point as usize).collect::<Vec<_>>(),
            (0..200).filter(touching).collect::<Vec<_>>()
        );
        alone += each.iter().map(|e| e.counts.tests).sum::<u32>();
        together += counts.tests;
        found += contacts.len();
        for contact in &contacts {
            let known = each[contact.point as usize].contact().unwrap();
            assert!((contact.contact.time - known.time).abs() < 1e-3, "case {case}: {contact:?} {known:?}");
        }
        let (first, outcome, _) = tree.first_contact(&ball, &path, [0.0, 1.0], &settings, &mut workspace).unwrap();
        let earliest = contacts.iter().map(|c| c.contact.time).fold(f64::INFINITY, f64::min);
        assert_eq!(first.is_some(), !contacts.is_empty());
        match (first, outcome) {
            (Some(first), Outcome::Contact(contact)) => {
                assert_eq!(first.contact, contact);
                assert!((contact.time - earliest).abs() < 1e-3, "case {case}: {contact:?} {earliest}");
            }
            (None, Outcome::Apart) => {}
            (first, outcome) => panic!("case {case}: {first:?} {outcome:?}"),
        }
    }
    assert!(found > 200 && together < alone, "{found}, {together} boxes, {alone}");
}

#[test]
fn points_whose_search_was_stopped_are_named_with_the_time_until_which_they_are_outside() {
    let mut random = SplitMix::new(22);
    let ball = Ball::new(0.6).unwrap();
    let points: Vec<DVec3> = (0..100).map(|_| vector(&mut random, 1.0)).collect();
    let (tree, mut workspace, mut all) = (PointTree::new(&points), Workspace::default(), 0);
    for max_boxes in [1, 5, 30, 100, 300, 1000, 100_000] {
        let mut body = motion(&mut random, 4.0);
        body.pose.translation = body.pose.translation.normalize_or(DVec3::X) * 1.8;
        body.velocity = -body.pose.translation;
        let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
        let few = TocSettings { max_boxes, ..TocSettings::default() };
        let mut contacts = Vec::new();
        let (until, _) = tree.contacts(&ball, &path, [0.0, 1.0], &few, &mut workspace, &mut contacts).unwrap();
        let stopped = workspace.stopped();
        assert_eq!(until, stopped.iter().map(|s| s.1).fold(f64::INFINITY, f64::min));
        assert!(stopped.is_sorted_by(|a, b| a.0 < b.0));
        for (number, &point) in (0..).zip(&points) {
            let whole = determine_toc(&ball, &path.point(point), [0.0, 1.0], &TocSettings::default()).unwrap();
            let Some(contact) = whole.contact() else { continue };
            // Each point that touches is found, or was stopped before it touches.
            let is_found = contacts.iter().any(|c| c.point == number);
            let time = stopped.iter().find(|s| s.0 == number).map_or(f64::INFINITY, |s| s.1);
            assert!(is_found || time <= contact.time + 1e-3, "{max_boxes} boxes, point {number}: {time}, {contact:?}");
        }
        all += stopped.len();
        assert!(max_boxes < 100_000 || stopped.is_empty());
    }
    assert!(all > 100, "{all}");
}

#[test]
fn points_in_one_place_are_followed_as_one() {
    let points: Vec<DVec3> = (0..64).map(|k| DVec3::X * f64::from(k / 8) * 0.1).collect();
    let tree = PointTree::new(&points);
    let body = NonlinearRigidMotion {
        pose: Pose::from_translation(DVec3::Y * 0.3),
        velocity: DVec3::NEG_Y,
        angular_velocity: DVec3::Z,
        duration: 1.0,
    };
    let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
    let (mut workspace, mut contacts) = (Workspace::default(), Vec::new());
    let settings = TocSettings::default();
    let (until, counts) =
        tree.contacts(&HalfSpace, &path, [0.0, 1.0], &settings, &mut workspace, &mut contacts).unwrap();
    assert!(until == f64::INFINITY && contacts.len() == 64, "{until} {}", contacts.len());
    assert!(counts.tests < 20_000, "{counts:?}");
}

#[test]
fn what_makes_no_query_is_refused() {
    let still = NonlinearRigidMotion::still(Pose::IDENTITY);
    let path = RigidPath::new(&still, &still).unwrap();
    let point = path.point(DVec3::Y);
    let ask = |point: &PointMotion<'_>, interval, settings| {
        determine_toc(&HalfSpace, point, interval, &settings).unwrap_err()
    };
    for precision in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = ask(&point, [0.0, 1.0], TocSettings { precision, ..TocSettings::default() });
        assert!(matches!(error, TocError::Precision { .. }), "{error}");
    }
    for interval in [[1.0, 0.0], [0.0, f64::NAN], [f64::NEG_INFINITY, 0.0]] {
        assert!(matches!(ask(&point, interval, TocSettings::default()), TocError::Interval { .. }));
    }
    assert_eq!(ask(&point, [0.0, 1.0], TocSettings { max_boxes: 0, ..TocSettings::default() }), TocError::NoBoxes);
    let lost = path.point(DVec3::new(0.0, f64::NAN, 0.0));
    assert!(ask(&lost, [0.0, 1.0], TocSettings::default()).to_string().starts_with("the point of the body is"));
    let fast = NonlinearRigidMotion { velocity: DVec3::splat(f64::INFINITY), ..still };
    let error = RigidPath::new(&still, &fast).unwrap_err().to_string();
    assert!(error.starts_with("the velocity of the body is"), "{error}");
    let turning = NonlinearRigidMotion { angular_velocity: DVec3::X, duration: 1.0, ..still };
    let path = RigidPath::new(&turning, &still).unwrap();
    let printed = TocSettings { bound: Bound::ReadingA, ..TocSettings::default() };
    assert!(matches!(ask(&path.point(DVec3::Y), [0.0, 1.0], printed), TocError::TurningSolid { speed: 1.0 }));
}

#[test]
fn a_path_that_only_grazes_a_tip_is_not_late_where_boxes_stay_undecided_down_to_rounding() {
    // The gradient has no direction at the tip, so a search goes on with boxes thinner than the chords that stood for the path.
    let cone = Expression::new("max(sqrt(x^2 + z^2) + 0.5 * (y - 0.75), -y - 0.25)").unwrap();
    let domain = Bounds { low: DVec3::splat(-1.0), high: DVec3::splat(1.0) };
    let cone = Implicit::new(Arc::new(cone), domain).unwrap();
    let mut random = SplitMix::new(11);
    let mut contacts = 0;
    for case in 0..2000 {
        // Level, and inside for 2e-14 m.
        let below = DVec3::new(0.0, 0.75 - 2e-14, 0.0);
        let time = 0.2 + 0.6 * random.next_fraction();
        let way = DQuat::from_rotation_y(TAU * random.next_fraction()) * DVec3::X;
        let spin = vector(&mut random, 3.0);
        // The point is at the end of an arm; all but its velocity at the tip is left to chance.
        let arm = vector(&mut random, 1.0);
        let velocity = way * (1.0 + random.next_fraction()) - spin.cross(arm);
        let rotation = random.next_rotation();
        let turned = DQuat::from_scaled_axis(-spin * time) * rotation;
        let body = NonlinearRigidMotion {
            pose: Pose::from_parts(below - arm - velocity * time, turned),
            velocity,
            angular_velocity: spin,
            duration: 1.0,
        };
        let path = RigidPath::new(&NonlinearRigidMotion::still(Pose::IDENTITY), &body).unwrap();
        let point = path.point(rotation.inverse() * arm);
        if !cone.contains(point.position(time)) || point.position(time).distance(below) > 5e-15 {
            continue;
        }
        let settings = TocSettings { precision: 1e-6, ..TocSettings::default() };
        let found = determine_toc(&cone, &point, [0.0, 1.0], &settings).unwrap();
        contacts += u32::from(matches!(found.outcome, Outcome::Contact(_)));
        assert!(found.safe_until() <= time + 1e-14, "case {case}: {found:?} after {time}");
    }
    assert!(contacts > 200, "{contacts}");
}
