//! What is said to be kept apart, looked at many times on its way: no point of one body is deeper in the other than is allowed.

use super::*;
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::generator::impact::allowed_depth;
use crate::pose::Twist;
use crate::shape::{CompoundPart, RoundedBox, Surface};
use crate::split_mix::SplitMix;
use std::sync::Arc;

/// All points within a radius of a box (half sides, pose in the body), m.
struct Round {
    half: DVec3,
    radius: f64,
    place: Pose,
}

impl Round {
    /// How deep a point of the body's frame is inside, m; none for one outside, and of one in the box it is the least that it can be.
    fn depth(&self, point: DVec3) -> f64 {
        let beyond = self.place.inverse_transform_point(point).abs() - self.half;
        let outside = beyond.max(DVec3::ZERO).length();
        self.radius - if outside > 0.0 { outside } else { beyond.max_element() }
    }

    /// Points of it, most of them on its surface, in the body's frame.
    fn points(&self) -> impl Iterator<Item = DVec3> {
        let signs = || (0..27).map(|k| DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) - 1.0);
        let all = signs().flat_map(move |of_box| signs().map(move |out| (of_box, out)));
        all.map(|(of_box, out)| self.place.transform_point(of_box * self.half + out.normalize_or_zero() * self.radius))
    }
}

/// A body with the same as the test sees it.
struct Sampled {
    shape: Shape,
    rounds: Vec<Round>,
}

fn cuboid(half: DVec3) -> Shape {
    let corner = |k: usize| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 })) * half;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles).unwrap();
    Shape::from_surface(&surface, &Default::default()).unwrap()
}

/// A ball, a box, a rounded box, a bracket of two rounded boxes, or one of a box and a ball.
fn sampled(kind: usize) -> Sampled {
    let part = |half: DVec3, radius: f64, place: DVec3| {
        let shape = match (half == DVec3::ZERO, radius == 0.0) {
            (true, _) => Ball::new(radius).unwrap().into(),
            (_, true) => cuboid(half),
            _ => RoundedBox::new(half, radius).unwrap().into(),
        };
        (shape, Round { half, radius, place: Pose::from_translation(place) })
    };
    let compound = |parts: [(Shape, Round); 2]| {
        let (mut own, mut rounds) = (Vec::new(), Vec::new());
        for (shape, round) in parts {
            own.push(CompoundPart { shape: Arc::new(shape), pose: round.place });
            rounds.push(round);
        }
        Sampled { shape: crate::shape::Compound::new(own).unwrap().into(), rounds }
    };
    let single = |(shape, round): (Shape, Round)| Sampled { shape, rounds: vec![round] };
    let arms = [DVec3::new(0.4, 0.1, 0.3), DVec3::new(0.1, 0.4, 0.3)];
    match kind {
        0 => single(part(DVec3::ZERO, 0.4, DVec3::ZERO)),
        1 => single(part(DVec3::new(0.5, 0.3, 0.4), 0.0, DVec3::ZERO)),
        2 => single(part(arms[0], 0.05, DVec3::ZERO)),
        3 => compound([part(arms[0], 0.05, DVec3::Y * -0.3), part(arms[1], 0.05, DVec3::X * -0.35)]),
        _ => compound([part(arms[0], 0.0, DVec3::Y * -0.2), part(DVec3::ZERO, 0.3, DVec3::Y * 0.2)]),
    }
}

/// The depth of the deepest of the points of each body that are in the other one, m.
fn depth(a: &Sampled, b: &Sampled, [p, q]: [Pose; 2]) -> f64 {
    let within = |own: &Sampled, other: &Sampled, relative: Pose| {
        let points = own.rounds.iter().flat_map(Round::points).map(move |point| relative.transform_point(point));
        points.flat_map(|point| other.rounds.iter().map(move |round| round.depth(point))).fold(0.0, f64::max)
    };
    within(b, a, p.inverse() * q).max(within(a, b, q.inverse() * p))
}

#[test]
fn what_is_kept_apart_gets_no_deeper_than_is_allowed() {
    let mut random = SplitMix::new(11);
    let mut vector = |length: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-length, length)));
    for first in 0..5 {
        for second in first..5 {
            let (a, b) = (sampled(first), sampled(second));
            let allowed = allowed_depth(&a.shape, &b.shape);
            let mut kept = [0; 2];
            for _ in 0..120 {
                let mut placed = |shape, from: DVec3| {
                    let pose = Pose::from_parts(from, DQuat::from_scaled_axis(vector(2.0)));
                    Placed { shape, pose, twist: Twist { linear: vector(1.0), angular: vector(3.0) } }
                };
                let own = placed(&a.shape, DVec3::ZERO);
                let away = placed(&a.shape, DVec3::ZERO).twist.linear.normalize_or(DVec3::X);
                let other = placed(&b.shape, away * 1.1);
                let motion = Motion { placed: [own, other], duration: 0.4, allowed };
                if depth(&a, &b, motion.poses(0.0)) > 0.0 {
                    continue;
                }
                kept[0] += 1;
                let contact = Contact {
                    position: DVec3::ZERO,
                    normal: (away + vector(0.2)).normalize(),
                    gap: 0.0,
                    feature_a: Feature::UNKNOWN,
                    feature_b: Feature::UNKNOWN,
                };
                let known = Known::of(&[contact], &motion.placed, 0.0);
                let now = motion.poses(0.0);
                let mut near = PieceCouple::near([&a.shape, &b.shape], now, motion.reach(motion.duration) + allowed);
                let Some(free) = motion.kept_apart((0.0, &now), [1e-3, 0.4], &known, &mut near) else { continue };
                kept[1] += 1;
                for k in 0..=12 {
                    let time = free * f64::from(k) / 12.0;
                    let depth = depth(&a, &b, motion.poses(time));
                    assert!(
                        depth <= allowed + 1e-12,
                        "{first}, {second}: {depth} m of {allowed} m at {time} of {free} s"
                    );
                }
            }
            assert!(kept[1] > 10, "{first}, {second}: {kept:?}");
        }
    }
}

#[test]
fn what_begins_deep_gets_no_deeper() {
    let mut random = SplitMix::new(12);
    let mut vector = |length: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-length, length)));
    for first in 0..5 {
        // Of two balls it is known without directions.
        for second in first.max(1)..5 {
            let (a, b) = (sampled(first), sampled(second));
            let most = allowed_depth(&a.shape, &b.shape);
            let allowed = 0.1 * most;
            let mut kept = [0; 2];
            for case in 0..200 {
                // One in four is deeper along the normal than the generator sees.
                let deep = if case % 4 == 0 { 1.2 } else { 0.5 } * most;
                let mut placed = |shape| {
                    let pose = Pose::from_parts(DVec3::ZERO, DQuat::from_scaled_axis(vector(2.0)));
                    Placed { shape, pose, twist: Twist { linear: vector(0.3), angular: vector(0.5) } }
                };
                let (own, mut other) = (placed(&a.shape), placed(&b.shape));
                let normal = vector(1.0).normalize_or(DVec3::X);
                let gap = lowest(&b.shape, &other.pose, normal) + lowest(&a.shape, &own.pose, -normal);
                other.pose.translation = normal * (-deep - gap);
                let motion = Motion { placed: [own, other], duration: 0.1, allowed };
                let contact = Contact {
                    position: DVec3::ZERO,
                    normal,
                    gap: -deep,
                    feature_a: Feature::Facet(0),
                    feature_b: Feature::Facet(0),
                };
                kept[0] += 1;
                let known = Known::of(&[contact], &motion.placed, motion.more_than_allowed());
                let now = motion.poses(0.0);
                let mut near = PieceCouple::near([&a.shape, &b.shape], now, motion.reach(motion.duration) + allowed);
                let Some(free) = motion.kept_apart((0.0, &now), [1e-3, 0.1], &known, &mut near) else { continue };
                kept[1] += 1;
                for k in 0..=12 {
                    let time = free * f64::from(k) / 12.0;
                    let depth = depth(&a, &b, motion.poses(time));
                    assert!(
                        depth <= (deep + allowed).min(most) + 1e-12,
                        "{first}, {second}: {depth} m of {most} m at {time} of {free} s"
                    );
                }
            }
            assert!(kept[1] > 10, "{first}, {second}: {kept:?}");
        }
    }
}

/// How far two boxes (half sides, poses) are apart along the best of their axes, m; how deep they are in each other if it is negative.
fn boxes_apart([a, b]: [DVec3; 2], [p, q]: [Pose; 2]) -> f64 {
    let axes = [p, q].map(|pose| [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotation * axis));
    let crosses = axes[0].into_iter().flat_map(|u| axes[1].map(|v| u.cross(v)));
    let all = axes.into_iter().flatten().chain(crosses).filter(|axis| axis.length() > 1e-3).map(DVec3::normalize);
    let reach = |half: DVec3, pose: &Pose, axis: DVec3| (pose.rotation.inverse() * axis).abs().dot(half);
    let apart = |axis: DVec3| axis.dot(q.translation - p.translation).abs() - reach(a, &p, axis) - reach(b, &q, axis);
    all.map(apart).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn bars_that_turn_on_their_edges_are_kept_apart_by_them() {
    let mut random = SplitMix::new(13);
    let mut vector = |length: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-length, length)));
    let half = DVec3::new(0.5, 0.1, 0.1);
    let bar = cuboid(half);
    let allowed = 0.2 * allowed_depth(&bar, &bar);
    // The edge of a bar along x at one side of it.
    let edge = |side: f64| {
        let features = bar.features().unwrap();
        let is_there = |v: u32| {
            let position = features.vertices()[v as usize].position;
            (position - side * half).with_x(0.0).length() < 1e-9
        };
        let place = features.edges().iter().position(|edge| edge.vertices.iter().all(|&v| is_there(v))).unwrap();
        Feature::FacetEdge(place as u32)
    };
    let mut kept = [0; 2];
    for case in 0..600 {
        // Those of every third pair are nearly parallel, and turn towards each other.
        let is_oblique = case % 3 == 0;
        // B's edge lies across that of A, along a normal between the facets of both.
        let across = DVec3::new(0.0, 1.0, 1.0).normalize();
        let gap = allowed * vector(1.0).x;
        let angle = if is_oblique { 0.1 + vector(0.15).x.abs() } else { 1.5 + vector(0.5).x };
        let turn = DQuat::from_axis_angle(across, angle);
        let [on_a, on_b] = [1.0, -1.0].map(|side| DVec3::new(vector(0.3).x, side * half.y, side * half.z));
        let frame = Pose::from_parts(vector(1.0), DQuat::from_scaled_axis(vector(2.0)));
        let pose = frame * Pose::from_parts(on_a + gap * across - turn * on_b, turn);
        let normal = frame.rotation * across;
        let [mut own, mut other] = [frame, pose].map(|pose| {
            let twist = Twist { linear: vector(1.0), angular: vector(6.0) };
            Placed { shape: &bar, pose, twist }
        });
        if is_oblique {
            (own.twist.angular, other.twist.angular) = (5.0 * normal, -5.0 * normal);
        }
        let position = frame.transform_point(on_a + 0.5 * gap * across);
        // They slide on each other.
        let velocity = |p: &Placed<'_>| p.twist.linear + p.twist.angular.cross(position - p.pose.translation);
        let closing = normal * normal.dot(velocity(&other) - velocity(&own));
        own.twist.linear += 0.5 * closing;
        other.twist.linear -= 0.5 * closing;
        let motion = Motion { placed: [own, other], duration: 0.01, allowed };
        let [feature_a, feature_b] = [edge(1.0), edge(-1.0)];
        let contact = Contact { position, normal, gap, feature_a, feature_b };
        let now = motion.poses(0.0);
        let is_kept = |contact: Contact| {
            let known = Known::of(&[contact], &motion.placed, motion.more_than_allowed());
            let mut near = [PieceCouple::whole([&bar, &bar], now, motion.reach(motion.duration) + allowed, None)];
            motion.kept_apart((0.0, &now), [motion.duration; 2], &known, &mut near).is_some()
        };
        let is_across = u32::from(!is_oblique);
        kept[0] += is_across * u32::from(is_kept(Contact { feature_a: Feature::Facet(0), ..contact }));
        if !is_kept(contact) {
            continue;
        }
        kept[1] += is_across;
        for k in 0..=40 {
            let time = motion.duration * f64::from(k) / 40.0;
            let depth = -boxes_apart([half; 2], motion.poses(time));
            assert!(depth <= allowed + (-gap).max(0.0) + 1e-12, "{depth} m of {allowed} m at {time} s");
        }
    }
    assert!(kept[1] > 250 && kept[0] < kept[1] / 2, "{kept:?}");
}

/// How a shape moves for a time (s) past another one that stands still at the origin.
fn on_a_plate<'s>([plate, other]: [&'s Shape; 2], pose: Pose, twist: Twist, duration: f64, allowed: f64) -> Motion<'s> {
    let still = Placed { shape: plate, pose: Pose::IDENTITY, twist: Twist::default() };
    Motion { placed: [still, Placed { shape: other, pose, twist }], duration, allowed }
}

/// Whether the whole of a motion is kept apart, with a contact of normal y of which it is known where it begins.
fn is_kept_apart(motion: &Motion<'_>, gap: f64) -> bool {
    let (normal, feature) = (DVec3::Y, Feature::Facet(0));
    let contact = Contact { position: DVec3::ZERO, normal, gap, feature_a: feature, feature_b: feature };
    let known = Known::of(&[contact], &motion.placed, motion.more_than_allowed());
    let (now, shapes) = (motion.poses(0.0), motion.placed.map(|placed| placed.shape));
    let mut near = [PieceCouple::whole(shapes, now, motion.reach(motion.duration) + motion.allowed, None)];
    motion.kept_apart((0.0, &now), [motion.duration; 2], &known, &mut near).is_some()
}

#[test]
fn what_is_deeper_than_the_generator_sees_is_not_kept_apart() {
    let [plate, cube] = [cuboid(DVec3::new(1.0, 0.2, 1.0)), cuboid(DVec3::splat(0.3))];
    let most = allowed_depth(&plate, &cube);
    // On a corner, which has sunk in.
    let turn = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Y);
    let corner = 0.3 * 3.0_f64.sqrt();
    let twist = Twist { linear: DVec3::X * 0.3, angular: DVec3::Y * 0.3 };
    for share in [0.0, 0.1, 0.5, 0.9, 0.99, 1.01, 1.1, 2.0, 5.0] {
        let pose = Pose::from_parts(DVec3::Y * (0.2 + corner - share * most), turn);
        for allowed in [0.1 * most, most] {
            let motion = on_a_plate([&plate, &cube], pose, twist, 0.01, allowed);
            let is_kept = is_kept_apart(&motion, -share * most);
            assert_eq!(is_kept, share < 1.0, "{share} of what is seen, {allowed} m allowed");
        }
    }
}

#[test]
fn a_bar_that_swings_through_a_plate_is_seen_in_the_middle() {
    let [plate, bar] = [cuboid(DVec3::new(1.0, 0.2, 1.0)), cuboid(DVec3::new(1e-6, 0.5, 0.05))];
    let (angle, spin, allowed) = (0.3, 5.0, 1e-6);
    let twist = Twist { linear: DVec3::ZERO, angular: DVec3::Z * spin };
    // It is upright in the middle; at both ends it is higher by 2.2 cm.
    for (height, is_clear) in [(0.49, false), (0.499, false), (0.51, true)] {
        let pose = Pose::from_parts(DVec3::Y * (0.2 + height), DQuat::from_rotation_z(-angle));
        let mut motion = on_a_plate([&plate, &bar], pose, twist, 2.0 * angle / spin, allowed);
        for spin_of_plate in [0.0, 0.5] {
            motion.placed[0].twist.angular = DVec3::Y * spin_of_plate;
            assert_eq!(is_kept_apart(&motion, 0.0), is_clear, "{height} m, {spin_of_plate} rad/s");
        }
    }
}
