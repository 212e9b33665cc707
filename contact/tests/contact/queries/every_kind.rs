//! Primitives, height fields, triangle meshes and compounds by chance: points, rays, distances, overlap and shape casts.

use super::oracle;
use super::shapes::{corner, cuboid, moved, pose, star, vector};
use super::solids::{Known, PRIMITIVES, compound, mesh, terrain};
use crate::cases;
use drystone_contact::query::{
    Fill, Ray, RayHit, ShapeMotion, cast_ray, cast_ray_all, cast_shape, closest_points, contains_point, overlap_box,
    overlaps, project_point,
};
use drystone_contact::shape::{Ball, MeshSides, Shape};
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Bounds, Pose};
use glam::DVec3;

/// A shape of one of all kinds, in turn.
fn any(random: &mut SplitMix, case: u32) -> (Shape, Known) {
    match case % 10 {
        kind @ 0..=5 => PRIMITIVES[kind as usize](random),
        6 => terrain(random),
        7 => mesh(random, MeshSides::Front),
        8 => mesh(random, MeshSides::Both),
        _ => compound(random),
    }
}

#[test]
fn points() {
    let mut random = SplitMix::new(401);
    let mut inside = 0;
    for case in 0..cases(8_000) {
        let (shape, known) = any(&mut random, case);
        let pose = pose(&mut random, 2.0);
        let seen = vector(&mut random, if case % 3 == 0 { 1.0 } else { 3.0 });
        let point = pose.transform_point(seen);
        let expected = known.distance(seen);
        let found = project_point(&shape, &pose, point).unwrap();
        let is_open = matches!(known, Known::Open(..));
        let distance = if is_open { found.distance.abs() } else { found.distance };
        assert!((distance - expected).abs() < 1e-9, "case {case}: {found:?}, not {expected}");
        assert!((found.position.distance(point) - expected.abs()).abs() < 1e-9, "case {case}: {found:?}");
        assert!((found.normal.length() - 1.0).abs() < 1e-12, "case {case}: {found:?}");
        let way = (point - found.position) / found.distance;
        assert!(expected.abs() < 1e-6 || way.dot(found.normal) > -1e-9, "case {case}: {found:?}");
        if expected.abs() > 1e-9 {
            assert_eq!(contains_point(&shape, &pose, point).unwrap(), expected < 0.0, "case {case}");
        }
        inside += u32::from(expected < 0.0);
    }
    assert!(inside > cases(8_000) / 20, "{inside}");
}

/// A normal points outward: a little along it one is out, a little back in, or at an edge at least out.
fn check_normal(known: &Known, pose: &Pose, hit: &RayHit, direction: DVec3, case: u32) {
    let at = |x: f64| known.distance(pose.inverse_transform_point(hit.position + x * hit.normal));
    match known {
        Known::Open(..) => assert!(hit.normal.dot(direction) < 0.0, "case {case}: {hit:?}"),
        _ => assert!(at(1e-6) > 1e-8, "case {case}: {hit:?}, {}", at(1e-6)),
    }
}

#[test]
fn rays() {
    let mut random = SplitMix::new(402);
    let (mut hit_count, mut inside_count) = (0, 0);
    for case in 0..cases(8_000) {
        let (shape, known) = any(&mut random, case);
        let pose = pose(&mut random, 2.0);
        let origin = vector(&mut random, if case / 10 % 3 == 0 { 0.8 } else { 4.0 });
        let to = vector(&mut random, 1.2);
        let placed = |p: DVec3| pose.transform_point(p);
        let ray = Ray::new(placed(origin), placed(to) - placed(origin)).unwrap();
        let mut hits = Vec::new();
        cast_ray_all(&shape, &pose, &ray, 30.0, Fill::Hollow, &mut hits).unwrap();
        let height = |distance: f64| known.distance(pose.inverse_transform_point(ray.at(distance)));
        assert!(hits.is_sorted_by(|a, b| a.distance <= b.distance), "case {case}");
        for hit in &hits {
            assert!(height(hit.distance).abs() < 1e-9, "case {case}: {hit:?} is off by {}", height(hit.distance));
            assert!(hit.position.distance(ray.at(hit.distance)) < 1e-12, "case {case}");
            check_normal(&known, &pose, hit, ray.direction(), case);
        }
        let is_inside = known.is_inside(origin);
        if let Known::Open(triangles, is_two_sided) = &known {
            let direction = (to - origin).normalize();
            let met = |&t: &[DVec3; 3]| oracle::ray_triangle(origin, direction, t, 0.0);
            let mut expected: Vec<(f64, bool)> = triangles.iter().filter_map(met).collect();
            expected.retain(|&(_, enters)| enters || *is_two_sided);
            expected.sort_by(|p, q| p.0.total_cmp(&q.0));
            let found: Vec<bool> = hits.iter().map(|hit| hit.is_entry).collect();
            assert_eq!(found, expected.iter().map(|e| e.1).collect::<Vec<_>>(), "case {case}: {hits:?} {expected:?}");
        } else {
            // In and out take turns, and between them one is inside or outside as they say.
            let mut is_in = is_inside;
            for hit in &hits {
                assert_ne!(hit.is_entry, is_in, "case {case}: {hits:?}");
                is_in = hit.is_entry;
            }
            for k in 0..120 {
                let distance = 0.07 * f64::from(k);
                let is_in = hits.iter().rev().find(|hit| hit.distance < distance).map_or(is_inside, |hit| hit.is_entry);
                let height = height(distance);
                assert!(height.abs() < 1e-9 || (height < 0.0) == is_in, "case {case}: {distance} {height} {hits:?}");
            }
        }
        let first = cast_ray(&shape, &pose, &ray, 30.0, Fill::Hollow).unwrap();
        let summary = |hit: &RayHit| (hit.distance, hit.is_entry, hit.feature, hit.triangle);
        assert_eq!(first.as_ref().map(summary), hits.first().map(summary), "case {case}");
        let solid = cast_ray(&shape, &pose, &ray, 30.0, Fill::Solid).unwrap();
        if is_inside {
            let hit = solid.unwrap();
            assert_eq!((hit.distance, hit.feature, hit.normal), (0.0, None, -ray.direction()), "case {case}");
            let mut all = Vec::new();
            cast_ray_all(&shape, &pose, &ray, 30.0, Fill::Solid, &mut all).unwrap();
            assert_eq!((all[0].distance, all.len()), (0.0, hits.len() + 1), "case {case}");
            inside_count += 1;
        } else {
            assert_eq!(solid.as_ref().map(summary), first.as_ref().map(summary), "case {case}");
        }
        if let Some(first) = hits.first() {
            hit_count += 1;
            assert_eq!(
                cast_ray(&shape, &pose, &ray, 0.999 * first.distance, Fill::Hollow).unwrap(),
                None,
                "case {case}"
            );
        }
    }
    assert!(hit_count > cases(8_000) / 3 && inside_count > cases(8_000) / 20, "{hit_count} {inside_count}");
}

/// Points, normals and the answers of the other queries agree with a distance, both ways round.
fn check_distance(shapes: [&Shape; 2], poses: [&Pose; 2], expected: f64, tolerance: f64, case: u32) {
    let found = closest_points(shapes, poses, f64::INFINITY).unwrap();
    let distance = found.distance().unwrap();
    assert!((distance - expected).abs() < tolerance, "case {case}: {found:?}, not {expected}");
    assert_eq!(overlaps(shapes, poses).unwrap(), distance == 0.0, "case {case}");
    let turned = closest_points([shapes[1], shapes[0]], [poses[1], poses[0]], f64::INFINITY).unwrap();
    assert!((turned.distance().unwrap() - distance).abs() < tolerance, "case {case}: {turned:?}, not {found:?}");
    if let drystone_contact::query::Proximity::Apart(closest) = found {
        let [p, q] = closest.points;
        assert!((q - p).distance(distance * closest.normal) < 1e-9, "case {case}: {closest:?}");
        for (k, point) in closest.points.into_iter().enumerate() {
            let on = project_point(shapes[k], poses[k], point).unwrap();
            assert!(on.distance.abs() < tolerance, "case {case}: {point} is off by {}", on.distance);
        }
        if distance > 1e-6 {
            let within = |limit: f64| closest_points(shapes, poses, limit).unwrap().distance().is_some();
            assert!(!within(0.99 * distance) && within(1.01 * distance), "case {case}");
        }
    }
}

#[test]
fn balls_beside_every_kind() {
    let mut random = SplitMix::new(403);
    let mut overlapping = 0;
    for case in 0..cases(8_000) {
        let (shape, known) = any(&mut random, case);
        let poses = [0, 1].map(|_| pose(&mut random, 1.5));
        let radius = random.next_between(0.05, 0.8);
        let ball: Shape = Ball::new(radius).unwrap().into();
        let from = known.distance(poses[0].inverse_transform_point(poses[1].translation));
        if (from - radius).abs() > 1e-7 {
            check_distance([&shape, &ball], [&poses[0], &poses[1]], (from - radius).max(0.0), 1e-8, case);
        }
        overlapping += u32::from(from < radius);
    }
    assert!((0.1..0.9).contains(&(f64::from(overlapping) / f64::from(cases(8_000)))), "{overlapping}");
}

#[test]
fn polyhedra_beside_every_kind() {
    let mut random = SplitMix::new(404);
    let polyhedra = [cuboid(DVec3::new(0.5, 0.4, 0.8)), corner(), star(&mut random, 1, 0.4), cuboid(DVec3::splat(0.1))];
    let mut counts = [0; 2];
    for case in 0..cases(1_200) {
        let (shape, known) = any(&mut random, case);
        let polyhedron = &polyhedra[random.next_below(polyhedra.len())];
        let poses = [pose(&mut random, 0.3), pose(&mut random, 2.0)];
        let triangles = oracle::triangles(polyhedron, &(poses[0].inverse() * poses[1]));
        let expected = known.distance_to_surface(&triangles);
        if expected == 0.0 || expected > 1e-6 {
            check_distance([&shape, polyhedron], [&poses[0], &poses[1]], expected, 1e-6, case);
        }
        counts[usize::from(expected == 0.0)] += 1;
        let half = vector(&mut random, 0.6).abs() + 0.01;
        let middle = vector(&mut random, 1.5);
        let block = oracle::triangles(&cuboid(2.0 * half), &(poses[0].inverse() * Pose::from_translation(middle)));
        let expected = known.distance_to_surface(&block);
        if expected == 0.0 || expected > 1e-6 {
            let found = overlap_box(&shape, &poses[0], &Bounds { low: middle - half, high: middle + half }).unwrap();
            assert_eq!(found, expected == 0.0, "case {case}: {expected}");
        }
    }
    assert!(counts.iter().all(|&n| n > cases(1_200) / 10), "{counts:?}");
}

#[test]
fn balls_cast_against_every_kind() {
    const TOLERANCE: f64 = 1e-5;
    let mut random = SplitMix::new(405);
    let mut counts = std::collections::BTreeMap::new();
    for case in 0..cases(4_000) {
        let (shape, known) = any(&mut random, case);
        let (target, start) = (pose(&mut random, 0.5), pose(&mut random, 4.0));
        let radius = random.next_between(0.05, 0.6);
        let ball: Shape = Ball::new(radius).unwrap().into();
        let way = (target.translation - start.translation) * random.next_between(0.5, 2.0) + vector(&mut random, 0.7);
        // The ball moves, or the other one the other way.
        let is_turned = case / 10 % 2 == 1 && case % 10 != 6;
        let rotation = if case % 3 == 0 { vector(&mut random, 1.5) } else { DVec3::ZERO };
        let motion = ShapeMotion { translation: if is_turned { -way } else { way }, rotation };
        let distance = |share: f64| {
            let (own, other) = if is_turned { (&target, &start) } else { (&start, &target) };
            let moved = moved(own, motion.translation, motion.rotation, share);
            let (of_shape, of_ball) = if is_turned { (&moved, other) } else { (other, &moved) };
            (known.distance(of_shape.inverse_transform_point(of_ball.translation)) - radius).max(0.0)
        };
        let hit = match is_turned {
            true => cast_shape([&shape, &ball], [&target, &start], &motion, TOLERANCE).unwrap(),
            false => cast_shape([&ball, &shape], [&start, &target], &motion, TOLERANCE).unwrap(),
        };
        let what = match hit {
            Some(hit) if distance(0.0) < 1e-9 => {
                assert_eq!((hit.fraction, hit.closest), (0.0, None), "case {case}");
                "overlap"
            }
            Some(hit) => {
                let there = distance(hit.fraction);
                assert!(there < 1.001 * TOLERANCE, "case {case}: {there} at {hit:?}");
                (0..24).map(|k| hit.fraction * f64::from(k) / 24.0).for_each(|share| {
                    assert!(distance(share) > 0.0, "case {case}: they overlap at {share} of {hit:?}");
                });
                "hit"
            }
            None => {
                (0..=48).map(|k| f64::from(k) / 48.0).for_each(|share| {
                    assert!(distance(share) > 0.0, "case {case}: they overlap at {share}, and nothing is hit");
                });
                "miss"
            }
        };
        *counts.entry(what).or_insert(0) += 1;
    }
    assert!(counts.len() == 3 && counts["hit"] > cases(4_000) / 4, "{counts:?}");
}

#[test]
fn polyhedra_cast_against_every_kind() {
    const TOLERANCE: f64 = 1e-5;
    let mut random = SplitMix::new(406);
    let polyhedra = [cuboid(DVec3::new(0.5, 0.4, 0.8)), corner(), star(&mut random, 1, 0.4)];
    let mut counts = std::collections::BTreeMap::new();
    for case in 0..cases(240) {
        let (shape, known) = any(&mut random, case);
        let polyhedron = &polyhedra[random.next_below(polyhedra.len())];
        let (target, start) = (pose(&mut random, 0.5), pose(&mut random, 4.0));
        let translation = (target.translation - start.translation) * random.next_between(0.7, 1.5);
        let motion = ShapeMotion { translation, rotation: vector(&mut random, 1.0) };
        let distance = |share: f64| {
            let moved = moved(&start, motion.translation, motion.rotation, share);
            known.distance_to_surface(&oracle::triangles(polyhedron, &(target.inverse() * moved)))
        };
        let hit = cast_shape([polyhedron, &shape], [&start, &target], &motion, TOLERANCE).unwrap();
        let end = hit.map_or(1.0, |hit| hit.fraction);
        let what = match hit {
            Some(hit) if hit.closest.is_none() => {
                assert!(distance(0.0) < 1e-6 && hit.fraction == 0.0, "case {case}: {hit:?}");
                "overlap"
            }
            Some(hit) => {
                assert!(distance(hit.fraction) < 1.01 * TOLERANCE, "case {case}: {} {hit:?}", distance(hit.fraction));
                "hit"
            }
            None => "miss",
        };
        if what != "overlap" {
            (0..6).map(|k| end * f64::from(k) / 6.0).for_each(|share| {
                assert!(distance(share) > 0.0, "case {case}: they overlap at {share} of {hit:?}");
            });
        }
        *counts.entry(what).or_insert(0) += 1;
    }
    assert!(counts["hit"] > cases(240) / 4, "{counts:?}");
}
