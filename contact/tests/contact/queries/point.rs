//! Points against all triangles, and against the distance functions of primitives.

use super::oracle;
use super::shapes::{Pill, corner, cuboid, pose, star, vector};
use crate::cases;
use drystone_contact::query::{contains_point, project_point};
use drystone_contact::shape::{Ball, Shape};
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

#[test]
fn projections_are_the_closest_points_of_all_triangles() {
    let mut random = SplitMix::new(311);
    let shapes = [cuboid(DVec3::new(1.0, 0.4, 2.0)), corner(), star(&mut random, 2, 0.4), star(&mut random, 3, 0.8)];
    let mut inside = 0;
    for case in 0..cases(8_000) {
        let shape = &shapes[case as usize % shapes.len()];
        let pose = pose(&mut random, 3.0);
        let point = pose.translation + vector(&mut random, if case % 2 == 0 { 0.8 } else { 4.0 });
        let triangles = oracle::triangles(shape, &pose);
        let least = triangles.iter().map(|&t| oracle::point_triangle(point, t)).fold(f64::INFINITY, f64::min);
        let is_inside = oracle::is_inside(point, &triangles);
        inside += u32::from(is_inside);
        let found = project_point(shape, &pose, point).unwrap();
        assert!((found.distance.abs() - least).abs() < 1e-12, "case {case}: {found:?} {least}");
        assert!((found.position.distance(point) - least).abs() < 1e-12, "case {case}");
        assert_eq!(found.distance < 0.0, is_inside, "case {case}: {found:?}");
        assert_eq!(contains_point(shape, &pose, point).unwrap(), is_inside, "case {case}");
        let own = triangles[found.triangle.unwrap() as usize];
        assert!(oracle::point_triangle(found.position, own) < 1e-13, "case {case}");
        let way = (point - found.position) / found.distance;
        assert!(least < 1e-9 || way.dot(found.normal) > 0.0, "case {case}: the normal points to the side of the point");
    }
    assert!(inside > cases(8_000) / 20, "{inside}");
}

#[test]
fn projections_onto_primitives() {
    let mut random = SplitMix::new(312);
    for case in 0..cases(4_000) {
        let pose = pose(&mut random, 2.0);
        let point = vector(&mut random, 4.0);
        let seen = pose.inverse_transform_point(point);
        let (half, radius) = (random.next_between(0.2, 1.0), random.next_between(0.2, 1.0));
        let beyond = DVec3::new(seen.x, (seen.y.abs() - half).max(0.0), seen.z).length();
        let shapes: [(Shape, f64); 2] = [
            (Ball::new(radius).unwrap().into(), seen.length() - radius),
            (Pill { half, radius }.into(), beyond - radius),
        ];
        for (shape, distance) in shapes {
            let found = project_point(&shape, &pose, point).unwrap();
            assert!((found.distance - distance).abs() < 1e-12, "case {case}: {found:?}");
            assert!((found.position + found.distance * found.normal).distance(point) < 1e-12, "case {case}");
            assert_eq!(contains_point(&shape, &pose, point).unwrap(), distance <= 0.0, "case {case}");
        }
    }
}
