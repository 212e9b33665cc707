//! What a compound, a sheet and the end of a height field are to rays and points, by examples.

use super::shapes::cuboid;
use drystone_contact::query::{
    Fill, Proximity, Ray, RayHit, ShapeMotion, cast_ray, cast_ray_all, cast_shape, closest_points, contains_point,
    project_point,
};
use drystone_contact::shape::{
    Ball, Compound, CompoundPart, HalfSpace, HeightField, MeshSides, OpenSurface, Shape, TriangleMesh,
};
use drystone_contact::{Feature, Pose};
use glam::{DQuat, DVec3};
use std::sync::Arc;

fn all(shape: &Shape, from: DVec3, to: DVec3, fill: Fill) -> Vec<RayHit> {
    let mut hits = Vec::new();
    let ray = Ray::new(from, to - from).unwrap();
    cast_ray_all(shape, &Pose::IDENTITY, &ray, f64::INFINITY, fill, &mut hits).unwrap();
    let first = cast_ray(shape, &Pose::IDENTITY, &ray, f64::INFINITY, fill).unwrap();
    assert_eq!(first, hits.first().copied());
    hits
}

fn cubes(places: &[f64]) -> Compound {
    let cube = Arc::new(cuboid(DVec3::ONE));
    let part = |&x: &f64| CompoundPart { shape: Arc::clone(&cube), pose: Pose::from_translation(DVec3::X * x) };
    Compound::new(places.iter().map(part)).unwrap()
}

fn summary(hits: &[RayHit]) -> Vec<(f64, bool)> {
    hits.iter().map(|hit| (hit.distance, hit.is_entry)).collect()
}

#[test]
fn where_parts_overlap_or_touch_there_is_no_surface() {
    let far = |compound: Compound, fill| all(&compound.into(), DVec3::X * -5.0, DVec3::ZERO, fill);
    assert_eq!(summary(&far(cubes(&[0.0]), Fill::Solid)), [(4.5, true), (5.5, false)]);
    assert_eq!(summary(&far(cubes(&[0.5, 0.0]), Fill::Solid)), [(4.5, true), (6.0, false)]);
    assert_eq!(summary(&far(cubes(&[0.0, 1.0]), Fill::Solid)), [(4.5, true), (6.5, false)], "touching");
    let apart = [(4.5, true), (5.5, false), (6.5, true), (7.5, false)];
    assert_eq!(summary(&far(cubes(&[2.0, 0.0]), Fill::Hollow)), apart);
    // From inside both of two parts.
    let compound: Shape = cubes(&[0.0, 0.75]).into();
    let inside = |fill| all(&compound, DVec3::X * 0.3, DVec3::X, fill);
    assert_eq!(summary(&inside(Fill::Solid)), [(0.0, true), (0.95, false)]);
    assert_eq!(summary(&inside(Fill::Hollow)), [(0.95, false)]);
}

#[test]
fn features_are_numbered_through_the_compound() {
    let compound = cubes(&[0.0, 3.0]);
    let shape = Shape::from(compound.clone());
    let hits = all(&shape, DVec3::new(3.2, 5.0, 0.1), DVec3::new(3.2, 0.0, 0.1), Fill::Solid);
    let Some(Feature::Facet(facet)) = hits[0].feature else { panic!("{hits:?}") };
    assert!((6..12).contains(&facet));
    assert_eq!((hits[0].normal, hits[0].triangle), (DVec3::Y, None));
    assert!(matches!(compound.feature_of_part(1, Feature::Facet(facet)), Some(Feature::Facet(0..6))));
    let on = project_point(&shape, &Pose::IDENTITY, DVec3::new(3.2, 5.0, 0.1)).unwrap();
    assert_eq!((on.feature, on.distance), (Feature::Facet(facet), 4.5));
}

fn sheet(sides: MeshSides) -> Shape {
    let vertices = [DVec3::ZERO, DVec3::Z * 2.0, DVec3::X * 2.0];
    TriangleMesh::new(&vertices, &[[0, 1, 2]], sides).unwrap().into()
}

#[test]
fn a_ray_from_behind_goes_through_one_sided_meshes() {
    let (above, below) = (DVec3::new(0.5, 1.0, 0.5), DVec3::new(0.5, -1.0, 0.5));
    for sides in [MeshSides::Front, MeshSides::Both] {
        let hits = all(&sheet(sides), above, below, Fill::Solid);
        assert_eq!((summary(&hits), hits[0].normal), (vec![(1.0, true)], DVec3::Y));
        assert_eq!((hits[0].feature, hits[0].triangle), (Some(Feature::Facet(0)), Some(0)));
    }
    assert_eq!(all(&sheet(MeshSides::Front), below, above, Fill::Solid), []);
    let hits = all(&sheet(MeshSides::Both), below, above, Fill::Solid);
    assert_eq!((summary(&hits), hits[0].normal), (vec![(1.0, false)], DVec3::NEG_Y));
}

#[test]
fn distances_from_sheets() {
    let below = DVec3::new(0.5, -1.0, 0.5);
    let front = project_point(&sheet(MeshSides::Front), &Pose::IDENTITY, below).unwrap();
    assert_eq!((front.distance, front.normal), (-1.0, DVec3::Y));
    let both = project_point(&sheet(MeshSides::Both), &Pose::IDENTITY, below).unwrap();
    assert_eq!((both.distance, both.normal), (1.0, DVec3::NEG_Y));
    for sides in [MeshSides::Front, MeshSides::Both] {
        assert!(!contains_point(&sheet(sides), &Pose::IDENTITY, below).unwrap());
        assert!(contains_point(&sheet(sides), &Pose::IDENTITY, DVec3::new(0.5, 0.0, 0.5)).unwrap());
    }
}

fn field() -> Shape {
    HeightField::from_fn(4, 5, [1.0, 1.0], |x, z| 0.25 * x + 0.125 * z).unwrap().into()
}

#[test]
fn a_height_field_ends_in_walls() {
    let shape = field();
    // In through the wall where x is least, and out through the opposite one.
    let hits = all(&shape, DVec3::new(-1.0, -2.0, 1.3), DVec3::new(0.0, -2.0, 1.3), Fill::Solid);
    assert_eq!(summary(&hits), [(1.0, true), (5.0, false)]);
    assert_eq!(hits.iter().map(|hit| hit.feature).collect::<Vec<_>>(), [0, 1].map(|k| Some(Feature::Surface(k))));
    assert_eq!([hits[0].normal, hits[1].normal], [DVec3::NEG_X, DVec3::X]);
    let hits = all(&shape, DVec3::new(1.3, -2.0, -1.0), DVec3::new(1.3, -2.0, 0.0), Fill::Solid);
    assert_eq!(hits.iter().map(|hit| hit.feature).collect::<Vec<_>>(), [2, 3].map(|k| Some(Feature::Surface(k))));
    // Up from inside, and down past the border.
    let up = all(&shape, DVec3::new(1.5, -3.0, 1.5), DVec3::new(1.5, 0.0, 1.5), Fill::Hollow);
    assert!(up.len() == 1 && !up[0].is_entry && (up[0].distance - 3.5625).abs() < 1e-12, "{up:?}");
    assert_eq!(all(&shape, DVec3::new(-0.5, 3.0, 1.0), DVec3::new(-0.5, 0.0, 1.0), Fill::Solid), []);
    let inside = |p: DVec3| contains_point(&shape, &Pose::IDENTITY, p).unwrap();
    assert!(inside(DVec3::new(2.0, -1e6, 2.0)) && !inside(DVec3::new(4.5, -1.0, 2.0)));
    let from_wall = project_point(&shape, &Pose::IDENTITY, DVec3::new(-0.5, -9.0, 1.0)).unwrap();
    assert_eq!((from_wall.distance, from_wall.feature), (0.5, Feature::Surface(0)));
    assert_eq!((from_wall.position, from_wall.normal), (DVec3::new(0.0, -9.0, 1.0), DVec3::NEG_X));
    let in_wall = project_point(&shape, &Pose::IDENTITY, DVec3::new(3.75, -9.0, 1.0)).unwrap();
    assert_eq!((in_wall.distance, in_wall.normal), (-0.25, DVec3::X));
}

/// Along cell borders, cuts and the rim: entries and exits alternate.
#[test]
fn rays_along_the_grid_are_not_lost() {
    let shape = field();
    for z in [0.0, 0.5, 1.0, 3.0] {
        for x in [0.0, 0.25, 1.0, 4.0] {
            for way in
                [DVec3::NEG_Y, DVec3::new(0.1, -1.0, 0.1), DVec3::new(-0.5, -1.0, 0.5), DVec3::new(1.0, -1.0, 0.0)]
            {
                let at = DVec3::new(x, 0.25 * x + 0.125 * z, z);
                let hits = all(&shape, at - 3.0 * way, at, Fill::Solid);
                let is_entry: Vec<bool> = hits.iter().map(|hit| hit.is_entry).collect();
                let is_inner = x > 0.0 && x < 4.0 && z > 0.0 && z < 3.0;
                assert!(!is_inner || is_entry.first() == Some(&true), "{at} {way}: {hits:?}");
                assert!(is_entry.windows(2).all(|pair| pair[0] != pair[1]), "{at} {way}: {hits:?}");
            }
        }
    }
}

#[test]
fn half_spaces_beside_what_has_no_end() {
    let (ground, field, compound): (Shape, Shape, Shape) = (HalfSpace.into(), field(), cubes(&[0.0, 3.0]).into());
    let distance = |shapes: [&Shape; 2], poses: [&Pose; 2]| {
        closest_points(shapes, poses, f64::INFINITY).unwrap().distance().unwrap()
    };
    let up = Pose::from_translation(DVec3::Y * 3.0);
    assert_eq!(distance([&ground, &compound], [&Pose::IDENTITY, &up]), 2.5);
    assert_eq!(distance([&ground, &field], [&Pose::IDENTITY, &up]), 0.0, "both have no end below");
    let overhead = Pose::from_parts(DVec3::Y * 9.0, DQuat::from_rotation_x(std::f64::consts::PI));
    let expected = 9.0 - (0.25 * 4.0 + 0.125 * 3.0);
    assert!((distance([&overhead_ground(), &field], [&overhead, &Pose::IDENTITY]) - expected).abs() < 1e-12);
    // Two fields, one upside down over the other, and one that falls on the other.
    let above = Pose::from_parts(DVec3::new(0.0, 9.0, 3.0), DQuat::from_rotation_x(std::f64::consts::PI));
    let gap = distance([&field, &field], [&Pose::IDENTITY, &above]);
    assert!((gap - (9.0 - 2.0 - 0.375)).abs() < 0.5 && gap > 0.0, "{gap}");
    assert!(matches!(closest_points([&field, &field], [&Pose::IDENTITY, &up], 1.0), Ok(Proximity::Overlapping)));
    let fall = ShapeMotion::straight(DVec3::Y * -20.0);
    let hit = cast_shape([&field, &field], [&above, &Pose::IDENTITY], &fall, 1e-6).unwrap().unwrap();
    assert!(hit.fraction > 0.0 && hit.fraction * 20.0 >= gap - 1e-5, "{hit:?} {gap}");
    let ball: Shape = Ball::new(0.5).unwrap().into();
    let rise = ShapeMotion::straight(DVec3::Y * 10.0);
    let low = Pose::from_translation(DVec3::Y * -4.0);
    let high = Pose::from_translation(DVec3::new(2.0, 3.0, 1.0));
    let hit = cast_shape([&field, &ball], [&low, &high], &rise, 1e-6).unwrap().unwrap();
    let slope = DVec3::new(-0.25, 1.0, -0.125);
    let expected = (3.0 + 4.0 - 0.625 - 0.5 * slope.length()) / 10.0;
    assert!((hit.fraction - expected).abs() < 1e-6, "{hit:?} {expected}");
    let turning = ShapeMotion { rotation: DVec3::X, ..rise };
    let error = cast_shape([&field, &ball], [&low, &high], &turning, 1e-6).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a height field does not answer a shape cast that turns it; use a polyhedron or a convex primitive"
    );
    assert!(field.as_open_surface().is_some_and(OpenSurface::is_solid_below));
}

fn overhead_ground() -> Shape {
    HalfSpace.into()
}
