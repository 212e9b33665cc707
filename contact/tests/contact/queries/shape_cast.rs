//! Shape casts against distances by brute force along the motion.

use super::closed_surface::ClosedSurface;
use super::oracle;
use super::shapes::{Pill, corner, cuboid, moved, pose, star, vector};
use crate::cases;
use drystone_contact::Pose;
use drystone_contact::query::{ShapeMotion, cast_shape};
use drystone_contact::shape::{Ball, HalfSpace, Shape};
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

const TOLERANCE: f64 = 1e-6;

/// Up to the hit the shapes are apart, and there no farther than the tolerance; without a hit, all the way. `distance` is an oracle for
/// the solids with the moving one at a pose.
fn check(
    shapes: [&Shape; 2],
    [start, target]: [&Pose; 2],
    motion: &ShapeMotion,
    distance: impl Fn(&Pose) -> f64,
    case: u32,
) -> &'static str {
    let at = |share: f64| moved(start, motion.translation, motion.rotation, share);
    let hit = cast_shape(shapes, [start, target], motion, TOLERANCE).unwrap();
    if distance(start) == 0.0 {
        let hit = hit.unwrap();
        assert_eq!((hit.fraction, hit.closest), (0.0, None), "case {case}");
        return "overlap";
    }
    let end = hit.map_or(1.0, |hit| hit.fraction);
    for k in 0..12 {
        let share = end * f64::from(k) / 12.0;
        assert!(distance(&at(share)) > 0.0, "case {case}: they overlap at {share} of {hit:?}");
    }
    let Some(hit) = hit else { return "miss" };
    let there = distance(&at(hit.fraction));
    assert!(there > 0.0 && there < 1.001 * TOLERANCE, "case {case}: {there} at {hit:?}");
    let closest = hit.closest.unwrap();
    assert!((closest.distance - there).abs() < 1e-9, "case {case}: {closest:?} {there}");
    assert!((closest.points[1] - closest.points[0]).distance(closest.distance * closest.normal) < 1e-9, "case {case}");
    "hit"
}

fn motion(random: &mut SplitMix, towards: DVec3, turns: bool) -> ShapeMotion {
    let translation = towards * random.next_between(0.5, 2.0) + vector(random, 0.7);
    ShapeMotion { translation, rotation: if turns { vector(random, 2.0) } else { DVec3::ZERO } }
}

#[test]
fn polyhedra_touch_where_brute_force_says() {
    let mut random = SplitMix::new(331);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 1, 0.4), cuboid(DVec3::splat(0.5))];
    let surfaces = shapes.each_ref().map(ClosedSurface::new);
    let mut counts = std::collections::BTreeMap::new();
    for case in 0..cases(8_000) {
        let own = [0, 1].map(|_| random.next_below(shapes.len()));
        let target = pose(&mut random, 0.5);
        let start = pose(&mut random, 4.0);
        let motion = motion(&mut random, target.translation - start.translation, case % 2 == 0);
        let other = surfaces[own[1]].placed(&target);
        let distance = |pose: &Pose| surfaces[own[0]].placed(pose).distance(&other);
        let own = own.map(|k| &shapes[k]);
        *counts.entry(check(own, [&start, &target], &motion, distance, case)).or_insert(0) += 1;
    }
    assert!(counts["hit"] > cases(8_000) / 4 && counts["miss"] > cases(8_000) / 20, "{counts:?}");
}

#[test]
fn balls_and_pills_against_polyhedra_and_half_spaces() {
    let mut random = SplitMix::new(332);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 2, 0.5)];
    let mut counts = std::collections::BTreeMap::new();
    for case in 0..cases(1_600) {
        let polyhedron = &shapes[case as usize % 3];
        let (target, start) = (pose(&mut random, 0.5), pose(&mut random, 4.0));
        let motion = motion(&mut random, target.translation - start.translation, case % 2 == 0);
        let radius = random.next_between(0.1, 0.6);
        let triangles = oracle::triangles(polyhedron, &target);
        let ball: Shape = Ball::new(radius).unwrap().into();
        let from_ball = |pose: &Pose| {
            let p = pose.translation;
            let least = triangles.iter().map(|&t| oracle::point_triangle(p, t)).fold(f64::INFINITY, f64::min);
            if oracle::is_inside(p, &triangles) { 0.0 } else { (least - radius).max(0.0) }
        };
        *counts.entry(check([&ball, polyhedron], [&start, &target], &motion, from_ball, case)).or_insert(0) += 1;
        // The same with the polyhedron moving and the ball at rest.
        let back = |pose: &Pose| {
            let triangles = oracle::triangles(polyhedron, pose);
            let p = target.translation;
            let least = triangles.iter().map(|&t| oracle::point_triangle(p, t)).fold(f64::INFINITY, f64::min);
            if oracle::is_inside(p, &triangles) { 0.0 } else { (least - radius).max(0.0) }
        };
        *counts.entry(check([polyhedron, &ball], [&start, &target], &motion, back, case)).or_insert(0) += 1;
        let half = random.next_between(0.1, 0.8);
        let normal = target.rotation * DVec3::Y;
        let over = |pose: &Pose| {
            let ends = [-half, half].map(|y| normal.dot(pose.transform_point(DVec3::Y * y) - target.translation));
            (ends[0].min(ends[1]) - radius).max(0.0)
        };
        let pill: Shape = Pill { half, radius }.into();
        let ground: Shape = HalfSpace.into();
        *counts.entry(check([&pill, &ground], [&start, &target], &motion, over, case)).or_insert(0) += 1;
    }
    assert!(counts.len() == 3 && counts.values().all(|&n| n > 50), "{counts:?}");
}
