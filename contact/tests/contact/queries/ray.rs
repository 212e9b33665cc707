//! Rays against all triangles, and against the equations of primitives.

use super::oracle;
use super::shapes::{Pill, corner, cuboid, pose, star, vector};
use crate::cases;
use drystone_contact::query::{Fill, Ray, RayHit, cast_ray, cast_ray_all};
use drystone_contact::shape::{Ball, Ellipsoid, HalfSpace, Shape};
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Feature, Pose};
use glam::DVec3;

/// All hits are those of brute force, the first is the first of these, and the fill rule holds.
fn check(shape: &Shape, pose: &Pose, ray: &Ray, case: u32) -> usize {
    let triangles = oracle::triangles(shape, pose);
    let (origin, direction) = (ray.origin(), ray.direction());
    // Rays that come near to an edge or begin at the surface are no test of a number of crossings.
    let expected: Vec<(f64, bool)> =
        triangles.iter().filter_map(|&t| oracle::ray_triangle(origin, direction, t, 0.0)).collect();
    let wide = triangles.iter().filter(|t| oracle::ray_triangle(origin, direction, **t, 1e-9).is_some()).count();
    let near = triangles.iter().map(|&t| oracle::point_triangle(origin, t)).fold(f64::INFINITY, f64::min);
    if wide != expected.len() || near < 1e-9 {
        return 0;
    }
    let mut sorted = expected.clone();
    sorted.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut hits: Vec<RayHit> = Vec::new();
    cast_ray_all(shape, pose, ray, f64::INFINITY, Fill::Hollow, &mut hits).unwrap();
    assert_eq!(hits.len(), sorted.len(), "case {case}");
    let drawn = shape.triangles();
    for (hit, (distance, enters)) in hits.iter().zip(&sorted) {
        assert!((hit.distance - distance).abs() < 1e-11 && hit.is_entry == *enters, "case {case}: {hit:?}");
        assert!(hit.position.distance(ray.at(*distance)) < 1e-11);
        assert_eq!(hit.normal.dot(direction) < 0.0, *enters, "normals point outward");
        let own =
            drawn.triangles[hit.triangle.unwrap() as usize].map(|v| pose.transform_point(drawn.vertices[v as usize]));
        assert!(
            oracle::ray_triangle(origin, direction, own, 1e-9).is_some(),
            "case {case}: the triangle is on the ray"
        );
        assert!(matches!(hit.feature, Some(Feature::Facet(_))));
    }
    let first = cast_ray(shape, pose, ray, f64::INFINITY, Fill::Hollow).unwrap();
    assert_eq!(first, hits.first().copied(), "case {case}");
    let solid = cast_ray(shape, pose, ray, f64::INFINITY, Fill::Solid).unwrap();
    if oracle::is_inside(origin, &triangles) {
        let inside = solid.unwrap();
        assert_eq!((inside.distance, inside.normal, inside.feature), (0.0, -direction, None), "case {case}");
        assert!(!first.unwrap().is_entry);
    } else {
        assert_eq!(solid, first, "case {case}");
    }
    if let Some(first) = first {
        let before = 0.999 * first.distance;
        assert_eq!(cast_ray(shape, pose, ray, before, Fill::Hollow).unwrap(), None, "case {case}");
        let mut short = Vec::new();
        cast_ray_all(shape, pose, ray, first.distance + 1e-9, Fill::Hollow, &mut short).unwrap();
        assert!(!short.is_empty() && short.len() <= hits.len());
    }
    hits.len()
}

#[test]
fn rays_meet_what_a_loop_over_all_triangles_meets() {
    let mut random = SplitMix::new(301);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 2, 0.4), star(&mut random, 3, 0.8)];
    let mut counts = [0; 2];
    for case in 0..cases(8_000) {
        let shape = &shapes[case as usize % shapes.len()];
        let pose = pose(&mut random, 3.0);
        let origin = pose.translation + vector(&mut random, if case % 3 == 0 { 0.5 } else { 4.0 });
        let to = pose.translation + vector(&mut random, 1.0);
        let found = check(shape, &pose, &Ray::new(origin, to - origin).unwrap(), case);
        counts[usize::from(found > 0)] += 1;
    }
    assert!(counts[0] > 0 && counts[1] > counts[0] / 2, "{counts:?}");
}

/// Through vertices and along edges: entries and exits alternate, and none is lost.
#[test]
fn rays_through_edges_and_vertices_are_not_lost() {
    let cube = cuboid(DVec3::splat(2.0));
    for (from, to) in [
        (DVec3::new(-3.0, 0.0, 0.0), DVec3::ZERO),
        (DVec3::splat(-3.0), DVec3::ZERO),
        (DVec3::new(-3.0, -3.0, 0.25), DVec3::new(0.0, 0.0, 0.25)),
        (DVec3::new(0.3, 5.0, 0.3), DVec3::new(0.3, 0.0, 0.3)),
    ] {
        let ray = Ray::new(from, to - from).unwrap();
        let mut hits = Vec::new();
        cast_ray_all(&cube, &Pose::IDENTITY, &ray, f64::INFINITY, Fill::Solid, &mut hits).unwrap();
        let enters: Vec<bool> = hits.iter().map(|hit| hit.is_entry).collect();
        assert_eq!(enters, [true, false], "{from}: {hits:?}");
        assert_eq!(cast_ray(&cube, &Pose::IDENTITY, &ray, f64::INFINITY, Fill::Solid).unwrap(), hits.first().copied());
    }
}

/// The hits are on the surface, in the order of entry and exit, and no point of the ray outside of them is inside the shape.
fn check_convex(shape: &Shape, pose: &Pose, ray: &Ray, height: impl Fn(DVec3) -> f64, case: u32) -> usize {
    let at = |distance: f64| height(pose.inverse_transform_point(ray.at(distance)));
    let mut hits: Vec<RayHit> = Vec::new();
    cast_ray_all(shape, pose, ray, f64::INFINITY, Fill::Hollow, &mut hits).unwrap();
    let starts_inside = at(0.0) < 0.0;
    for hit in &hits {
        assert!(at(hit.distance).abs() < 1e-9, "case {case}: {hit:?} is off by {}", at(hit.distance));
        let outward = |x: f64| height(pose.inverse_transform_point(hit.position + x * hit.normal));
        assert!(outward(1e-6) > outward(-1e-6), "case {case}");
        assert!((outward(1e-6) - outward(-1e-6)) > 1.9e-6 * (1.0 - 1e-4) || outward(1e-6) > 1e-7, "case {case}");
    }
    let entry = hits.iter().find(|hit| hit.is_entry).map(|hit| hit.distance);
    let exit = hits.iter().find(|hit| !hit.is_entry).map(|hit| hit.distance);
    assert!(hits.len() <= 2 && (entry.is_none() || exit.is_some()), "case {case}: {hits:?}");
    assert!(!starts_inside || (entry.is_none() && exit.is_some()), "case {case}: {hits:?}");
    for k in 0..200 {
        let distance = 0.05 * f64::from(k);
        let is_in = exit.is_some_and(|exit| distance < exit) && entry.is_none_or(|entry| distance > entry);
        assert!(at(distance).abs() < 1e-9 || is_in == (at(distance) < 0.0), "case {case}: {distance} {hits:?}");
    }
    let first = cast_ray(shape, pose, ray, f64::INFINITY, Fill::Solid).unwrap();
    match first {
        Some(first) if starts_inside => assert_eq!(first.distance, 0.0, "case {case}"),
        first => assert_eq!(first, hits.first().copied(), "case {case}"),
    }
    hits.len()
}

#[test]
fn rays_against_primitives_satisfy_their_equations() {
    let mut random = SplitMix::new(302);
    let mut counts = [[0; 3]; 3];
    for case in 0..cases(8_000) {
        let size = |random: &mut SplitMix| random.next_between(0.2, 1.5);
        let pose = pose(&mut random, 2.0);
        let origin = pose.translation + vector(&mut random, if case / 3 % 3 == 0 { 0.4 } else { 4.0 });
        let to = pose.translation + vector(&mut random, 1.2);
        let ray = Ray::new(origin, to - origin).unwrap();
        let kind = (case % 3) as usize;
        let found = match kind {
            0 => {
                let radius = size(&mut random);
                let shape = Ball::new(radius).unwrap().into();
                check_convex(&shape, &pose, &ray, |p| p.length() - radius, case)
            }
            1 => {
                let axes = DVec3::new(size(&mut random), size(&mut random), size(&mut random));
                let shape = Ellipsoid::new(axes).unwrap().into();
                check_convex(&shape, &pose, &ray, |p| (p / axes).length() - 1.0, case)
            }
            _ => {
                let (half, radius) = (size(&mut random), size(&mut random));
                let shape = Pill { half, radius }.into();
                let height = |p: DVec3| {
                    let beyond = DVec3::new(p.x, (p.y.abs() - half).max(0.0), p.z);
                    beyond.length() - radius
                };
                check_convex(&shape, &pose, &ray, height, case)
            }
        };
        counts[kind][found] += 1;
    }
    assert!(counts.iter().flatten().all(|&n| n > 0), "{counts:?}");
}

#[test]
fn rays_against_a_half_space() {
    let ground: Shape = HalfSpace.into();
    let at = |y: f64, direction: DVec3, fill| {
        let ray = Ray::new(DVec3::Y * y, direction).unwrap();
        cast_ray(&ground, &Pose::from_translation(DVec3::Y), &ray, f64::INFINITY, fill).unwrap()
    };
    let hit = at(3.0, DVec3::new(1.0, -1.0, 0.0), Fill::Solid).unwrap();
    assert!((hit.distance - 8f64.sqrt()).abs() < 1e-15 && hit.normal == DVec3::Y && hit.is_entry);
    assert_eq!(at(3.0, DVec3::Y, Fill::Solid), None);
    assert_eq!(at(3.0, DVec3::X, Fill::Hollow), None);
    assert_eq!(at(0.0, DVec3::X, Fill::Solid).unwrap().distance, 0.0);
    let out = at(0.0, DVec3::Y, Fill::Hollow).unwrap();
    assert_eq!((out.distance, out.is_entry, out.normal), (1.0, false, DVec3::Y));
}
