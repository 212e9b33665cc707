//! Queries that have no answer say why.

use super::shapes::cuboid;
use drystone_contact::query::{
    Fill, QueryError, Ray, ShapeMotion, cast_ray, cast_shape, closest_points, contains_point, overlap_box,
    project_point,
};
use drystone_contact::shape::{HalfSpace, Shape};
use drystone_contact::solid::{Solid, Torus};
use drystone_contact::{Bounds, Pose};
use glam::{DQuat, DVec3};
use std::sync::Arc;

#[test]
fn rays_need_numbers_and_a_direction() {
    assert_eq!(Ray::new(DVec3::ZERO, DVec3::ZERO), Err(QueryError::Direction(DVec3::ZERO)));
    assert!(matches!(Ray::new(DVec3::NAN, DVec3::X), Err(QueryError::NotFinite { quantity: "origin of the ray", .. })));
    assert!(matches!(Ray::new(DVec3::ZERO, DVec3::INFINITY), Err(QueryError::NotFinite { .. })));
    // Small and large ones are as good as any.
    for length in [1e-300, 1e300] {
        assert_eq!(Ray::new(DVec3::ZERO, DVec3::X * length).unwrap().direction(), DVec3::X);
    }
}

#[test]
fn poses_lengths_and_boxes_are_checked() {
    let cube = cuboid(DVec3::ONE);
    let ray = Ray::new(DVec3::ZERO, DVec3::X).unwrap();
    let bad = [
        Pose::from_translation(DVec3::NAN),
        Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
        Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, f64::NAN)),
    ];
    for pose in &bad {
        assert_eq!(cast_ray(&cube, pose, &ray, 1.0, Fill::Solid), Err(QueryError::Pose("shape")));
        assert!(project_point(&cube, pose, DVec3::ZERO).is_err());
        assert!(closest_points([&cube, &cube], [&Pose::IDENTITY, pose], 1.0).is_err());
    }
    for distance in [-1.0, f64::NAN] {
        assert!(matches!(
            cast_ray(&cube, &Pose::IDENTITY, &ray, distance, Fill::Solid),
            Err(QueryError::Length { .. })
        ));
    }
    assert!(contains_point(&cube, &Pose::IDENTITY, DVec3::NAN).is_err());
    for (low, high) in [(DVec3::ONE, DVec3::ZERO), (DVec3::ZERO, DVec3::NAN)] {
        let error = overlap_box(&cube, &Pose::IDENTITY, &Bounds { low, high }).unwrap_err();
        assert!(error.to_string().contains("inside out"), "{error}");
    }
    let cast = |motion: ShapeMotion, tolerance: f64| {
        cast_shape([&cube, &cube], [&Pose::IDENTITY, &Pose::IDENTITY], &motion, tolerance)
    };
    assert!(cast(ShapeMotion::straight(DVec3::NAN), 1e-3).is_err());
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(cast(ShapeMotion::straight(DVec3::X), tolerance), Err(QueryError::Length { .. })));
    }
}

#[test]
fn kinds_that_a_query_does_not_serve_are_named() {
    let solid: Arc<dyn Solid> = Arc::new(Torus::new(1.0, 0.25).unwrap());
    let torus = Shape::from(solid);
    let cube = cuboid(DVec3::ONE);
    let error = closest_points([&cube, &torus], [&Pose::IDENTITY, &Pose::IDENTITY], 1.0).unwrap_err();
    assert_eq!(error.to_string(), "a torus does not answer closest points; use a polyhedron or a convex primitive");
    // Rays and points it does serve, by what every solid can say.
    let ray = Ray::new(DVec3::new(-3.0, 0.0, 0.0), DVec3::X).unwrap();
    let hit = cast_ray(&torus, &Pose::IDENTITY, &ray, f64::INFINITY, Fill::Solid).unwrap().unwrap();
    assert!((hit.distance - 1.75).abs() < 1e-9, "{hit:?}");
    let turning = ShapeMotion { translation: DVec3::NEG_Y, rotation: DVec3::X };
    let ground: Shape = HalfSpace.into();
    let poses = [&Pose::IDENTITY, &Pose::from_translation(DVec3::Y * 5.0)];
    assert!(cast_shape([&ground, &cube], poses, &turning, 1e-6).is_err());
    let rising = ShapeMotion::straight(DVec3::Y * 8.0);
    let hit = cast_shape([&ground, &cube], poses, &rising, 1e-6).unwrap().unwrap();
    assert!((hit.fraction - 4.5 / 8.0).abs() < 1e-6, "{hit:?}");
}
