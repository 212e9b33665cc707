//! Closest points and overlap against all corners, sides and faces, and against equations.

use super::closed_surface::ClosedSurface;
use super::oracle;
use super::shapes::{Pill, corner, cuboid, pose, star, vector};
use crate::cases;
use drystone_contact::query::{Proximity, closest_points, overlap_box, overlaps};
use drystone_contact::shape::{Ball, Ellipsoid, HalfSpace, Shape};
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Bounds, Pose};
use glam::DVec3;

/// The answer against a distance of the solids, and against itself with A and B exchanged.
fn check(shapes: [&Shape; 2], poses: [&Pose; 2], expected: f64, tolerance: f64, case: u32) {
    let found = closest_points(shapes, poses, f64::INFINITY).unwrap();
    let distance = found.distance().unwrap();
    assert!((distance - expected).abs() < tolerance, "case {case}: {found:?}, not {expected}");
    assert_eq!(overlaps(shapes, poses).unwrap(), distance == 0.0, "case {case}");
    if let Proximity::Apart(closest) = found {
        let [p, q] = closest.points;
        assert!((p.distance(q) - distance).abs() < tolerance, "case {case}");
        assert!(distance < 1e-6 || (q - p).dot(closest.normal) > distance * (1.0 - 1e-6), "case {case}");
        for k in [0, 1] {
            let on = drystone_contact::query::project_point(shapes[k], poses[k], closest.points[k]).unwrap();
            assert!(on.distance.abs() < tolerance.max(1e-11), "case {case}: {on:?}");
        }
        assert_eq!(closest_points(shapes, poses, 0.99 * distance).unwrap(), Proximity::Beyond, "case {case}");
        assert!(closest_points(shapes, poses, 1.01 * distance).unwrap().distance().is_some(), "case {case}");
    }
    let turned = closest_points([shapes[1], shapes[0]], [poses[1], poses[0]], f64::INFINITY).unwrap();
    assert!((turned.distance().unwrap() - distance).abs() < tolerance, "case {case}");
}

#[test]
fn polyhedra_against_all_parts() {
    let mut random = SplitMix::new(321);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 1, 0.4), cuboid(DVec3::splat(0.1))];
    let surfaces = shapes.each_ref().map(ClosedSurface::new);
    let mut overlapping = 0;
    for case in 0..cases(8_000) {
        let own = [0, 1].map(|_| random.next_below(shapes.len()));
        let poses = [0, 1].map(|_| pose(&mut random, 1.3));
        let [a, b] = [0, 1].map(|k| surfaces[own[k]].placed(&poses[k]));
        let expected = a.distance(&b);
        overlapping += u32::from(expected == 0.0);
        check(own.map(|k| &shapes[k]), [&poses[0], &poses[1]], expected, 1e-11, case);
    }
    let share = f64::from(overlapping) / f64::from(cases(8_000));
    assert!((0.1..0.9).contains(&share), "{share}");
}

/// Rotations that are unit in single precision are those of their directions.
#[test]
fn lengths_of_rotations_do_not_count() {
    let mut random = SplitMix::new(7);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 1, 0.4)];
    for case in 0..cases(2_000) {
        let own = [0, 1].map(|_| random.next_below(shapes.len()));
        let poses = [0, 1].map(|_| pose(&mut random, 1.3));
        let longer = poses.map(|pose| Pose { rotation: pose.rotation * (1.0 + 1e-7), ..pose });
        let [exact, found] = [&poses, &longer].map(|[a, b]| {
            let found = closest_points(own.map(|k| &shapes[k]), [a, b], f64::INFINITY).unwrap();
            found.distance().unwrap()
        });
        assert!((exact - found).abs() < 1e-11, "case {case}: {exact} {found}");
    }
}

#[test]
fn balls_and_half_spaces_against_polyhedra() {
    let mut random = SplitMix::new(322);
    let polyhedra = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 2, 0.5)];
    for case in 0..cases(4_000) {
        let polyhedron = &polyhedra[case as usize % 3];
        let poses = [0, 1].map(|_| pose(&mut random, 1.5));
        let triangles = oracle::triangles(polyhedron, &poses[0]);
        let radius = random.next_between(0.05, 1.0);
        let centre = poses[1].translation;
        let from = triangles.iter().map(|&t| oracle::point_triangle(centre, t)).fold(f64::INFINITY, f64::min);
        let expected = if oracle::is_inside(centre, &triangles) { 0.0 } else { (from - radius).max(0.0) };
        let ball: Shape = Ball::new(radius).unwrap().into();
        check([polyhedron, &ball], [&poses[0], &poses[1]], expected, 1e-10, case);
        let normal = poses[1].rotation * DVec3::Y;
        let lowest = triangles.iter().flatten().map(|&p| normal.dot(p - centre)).fold(f64::INFINITY, f64::min);
        check([polyhedron, &HalfSpace.into()], [&poses[0], &poses[1]], lowest.max(0.0), 1e-12, case);
    }
}

#[test]
fn round_shapes_against_each_other() {
    let mut random = SplitMix::new(323);
    for case in 0..cases(4_000) {
        let poses = [0, 1].map(|_| pose(&mut random, 1.5));
        let size = |random: &mut SplitMix| random.next_between(0.2, 1.0);
        let (r, half, radius) = (size(&mut random), size(&mut random), size(&mut random));
        let seen = poses[1].inverse_transform_point(poses[0].translation);
        let beyond = DVec3::new(seen.x, (seen.y.abs() - half).max(0.0), seen.z).length();
        let (ball, pill): (Shape, Shape) = (Ball::new(r).unwrap().into(), Pill { half, radius }.into());
        check([&ball, &pill], [&poses[0], &poses[1]], (beyond - radius - r).max(0.0), 1e-9, case);
        // An ellipsoid against a ball: as the distance of the centre from it.
        let axes = DVec3::new(size(&mut random), size(&mut random), size(&mut random));
        let ellipsoid: Shape = Ellipsoid::new(axes).unwrap().into();
        let from = nearest_on_ellipsoid(axes, seen);
        check([&ball, &ellipsoid], [&poses[0], &poses[1]], (from - r).max(0.0), 1e-9, case);
        // By support functions alone, which are good for some seven digits where both surfaces are smooth.
        let ends = |pose: &Pose, half: f64| [-half, half].map(|y| pose.transform_point(DVec3::Y * y));
        let other: Shape = Pill { half: r, radius: 0.1 }.into();
        let between = oracle::segments(ends(&poses[0], r), ends(&poses[1], half)) - radius - 0.1;
        check([&other, &pill], [&poses[0], &poses[1]], between.max(0.0), 1e-6, case);
    }
}

/// The distance of a point from an ellipsoid, zero inside: by Newton's method on the Lagrange multiplier.
fn nearest_on_ellipsoid(axes: DVec3, p: DVec3) -> f64 {
    if (p / axes).length() <= 1.0 {
        return 0.0;
    }
    let squares = axes * axes;
    let mut t = 0.0;
    for _ in 0..200 {
        let on = axes * p / (squares + t);
        let value = on.length_squared() - 1.0;
        let slope = -2.0 * (on * on / (squares + t)).element_sum();
        t -= value / slope;
    }
    let foot = squares * p / (squares + t);
    foot.distance(p)
}

#[test]
fn boxes_along_the_axes() {
    let mut random = SplitMix::new(324);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 1, 0.4)];
    let surfaces = shapes.each_ref().map(ClosedSurface::new);
    let mut counts = [0; 2];
    for case in 0..cases(4_000) {
        let shape = &shapes[case as usize % 3];
        let (place, half) = (pose(&mut random, 1.2), vector(&mut random, 0.8).abs() + 0.01);
        let middle = vector(&mut random, 0.5);
        let around = cuboid(2.0 * half);
        let surface = ClosedSurface::new(&around).placed(&Pose::from_translation(middle));
        let expected = surfaces[case as usize % 3].placed(&place).distance(&surface);
        if expected > 0.0 && expected < 1e-9 {
            continue;
        }
        let found = overlap_box(shape, &place, &Bounds { low: middle - half, high: middle + half }).unwrap();
        assert_eq!(found, expected == 0.0, "case {case}: {expected}");
        counts[usize::from(found)] += 1;
        let radius = half.x;
        let ball = Ball::new(radius).unwrap().into();
        let outside = ((place.translation - middle).abs() - half).max(DVec3::ZERO).length();
        let found = overlap_box(&ball, &place, &Bounds { low: middle - half, high: middle + half }).unwrap();
        assert_eq!(found, outside <= radius, "case {case}");
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}
