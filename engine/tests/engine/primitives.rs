//! Capsules, cylinders, cones and rounded boxes: they roll as they should, stay where they rest, and pile up without overlap.

use super::general::workbench::{Bench, G, at_once, turned};
use drystone_contact::generator::methods;
use drystone_contact::shape::{Capsule, Cylinder, Shape};
use drystone_engine::{
    BodyHandle, Friction, Interaction, MaterialId, NewBody, Pose, Solid, SolidError, World, WorldSettings,
};
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// What rolls without sliding gains g sin θ / (1 + I/(m r²)): 2/3 of it a cylinder.
#[test]
fn cylinders_and_capsules_roll_down_an_incline() {
    let radius = 0.2;
    let solids: [Shape; 2] = [Cylinder::new(radius, 0.3).unwrap().into(), Capsule::new(radius, 0.3).unwrap().into()];
    for shape in &solids {
        let mass = shape.mass_properties(1000.0).unwrap();
        let share = 1.0 / (1.0 + mass.inertia.col(1).y / (mass.mass * radius * radius));
        assert!(shape.kind() != "cylinder" || (share - 2.0 / 3.0).abs() < 1e-12);
        for (slope, heading) in [(0.1, 0.0), (0.5, 0.7)] {
            let mut bench = Bench::new(&methods::semi_local(), at_once(0.01), 2.0, 0.0);
            let turn = turned(DVec3::Y, heading) * turned(DVec3::Z, -slope);
            bench.plane(turn);
            let pose = Pose::from_parts(turn * DVec3::Y * radius, turn * turned(DVec3::X, FRAC_PI_2));
            let body = bench.moving(shape, pose, [DVec3::ZERO; 2]);
            for _ in 0..200 {
                bench.world.step().unwrap();
            }
            let body = bench.body(body);
            let expected = turn * DVec3::X * (share * G * libm::sin(slope) * bench.world.time());
            let error = body.velocity.distance(expected) / expected.length();
            let height = (turn * DVec3::Y).dot(body.position) - radius;
            println!("{} on an incline of {slope} rad: off by {error:.1e} of its speed after 2 s", shape.kind());
            assert!(error < 1e-6 && height.abs() < 1e-6, "{} {error} {height}", shape.kind());
        }
    }
}

/// A world with a floor at y = 0, a half-space or a wide box.
fn on_floor(settings: WorldSettings, is_half_space: bool) -> (World, MaterialId) {
    let mut world = World::new(settings, methods::semi_local());
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::sliding(0.6), restitution: 0.0 };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    if is_half_space {
        let plane = Arc::new(drystone_contact::shape::HalfSpace.into());
        world.add(NewBody::new(drystone_engine::Body::fixed(stone), plane)).unwrap();
    } else {
        let floor = Solid::cuboid(DVec3::new(30.0, 2.0, 30.0), 1000.0).unwrap();
        world.add(floor.fixed(stone, Pose::from_translation(DVec3::NEG_Y)).unwrap()).unwrap();
    }
    (world, stone)
}

#[test]
fn what_rests_on_a_floor_stays_there() {
    let lying = turned(DVec3::X, FRAC_PI_2);
    let half = DVec3::new(0.2, 0.1, 0.15);
    let resting = [
        (Solid::capsule(0.1, 0.2, 2500.0).unwrap(), lying, 0.1),
        (Solid::cylinder(0.2, 0.3, 2500.0).unwrap(), DQuat::IDENTITY, 0.3),
        (Solid::cylinder(0.2, 0.3, 2500.0).unwrap(), lying, 0.2),
        (Solid::cylinder(0.3, 0.02, 2500.0).unwrap(), DQuat::IDENTITY, 0.02),
        (Solid::cone(0.3, 0.4, 2500.0).unwrap(), DQuat::IDENTITY, 0.1),
        (Solid::rounded_box(half, 0.05, 2500.0).unwrap(), DQuat::IDENTITY, 0.15),
        (Solid::rounded_box(half, 0.05, 2500.0).unwrap(), lying, 0.2),
    ];
    for (settings, is_half_space) in [
        (WorldSettings::fast(), true),
        (WorldSettings::fast(), false),
        (WorldSettings::gauss_seidel(), true),
        (WorldSettings::gauss_seidel(), false),
    ] {
        let (mut world, stone) = on_floor(settings, is_half_space);
        let mut bodies: Vec<(BodyHandle, Pose)> = Vec::new();
        for (k, (solid, turn, height)) in (0..).zip(&resting) {
            let pose = Pose::from_parts(DVec3::new(1.5 * f64::from(k) - 5.0, *height, 0.3), *turn);
            bodies.push((world.add(solid.dynamic(stone, pose).unwrap()).unwrap(), pose));
        }
        for _ in 0..1000 {
            world.step().unwrap();
        }
        for &(body, pose) in &bodies {
            let (body, kind) = (world.body(body).unwrap(), world.shape(body).unwrap().kind());
            let moved = body.position.distance(pose.translation);
            let tilt = body.orientation.angle_between(pose.rotation);
            assert!(moved < 2e-3 && tilt < 1e-2, "{kind}: moved by {moved} m, turned by {tilt} rad");
            assert!(body.velocity.length() < 1e-2 && body.angular_velocity.length() < 2e-2, "{kind} {body:?}");
        }
    }
}

/// All kinds fall on each other and on a box; when they have come to rest none is in another one.
#[test]
fn all_kinds_fall_on_each_other_without_overlap() {
    for k in 0..5 {
        let spacing = 0.41 + 0.02 * f64::from(k);
        all_kinds_fall(WorldSettings::accurate(), None, spacing);
        all_kinds_fall(WorldSettings::fast(), None, spacing);
    }
}

/// Pyramids that slide on a floor against each other meet at edges in the plane of the floor, which is no reason to let them through.
#[test]
fn edges_on_a_floor_stop_each_other() {
    let points = [[-0.3, 0.0, -0.3], [0.3, 0.0, -0.3], [0.0, 0.0, 0.3], [0.0, 0.4, 0.0]].map(DVec3::from_array);
    let pyramid = Solid::convex_hull(&points, 2500.0).unwrap();
    for turn in [0.1, 0.5, 1.2, 2.0] {
        let (mut world, stone) = on_floor(WorldSettings::fast(), false);
        for (x, turn) in [(0.0, 0.0), (1.2, turn)] {
            let pose = Pose::from_parts(DVec3::X * x, DQuat::from_rotation_y(turn));
            world.add(pyramid.dynamic(stone, pose).unwrap()).unwrap();
        }
        let slider = world.handles()[world.bodies().len() - 1];
        world.body_mut(slider).unwrap().velocity = DVec3::X * -4.0;
        let mut deepest = 0.0_f64;
        for _ in 0..150 {
            world.step().unwrap();
            deepest = world.overlaps().unwrap().iter().map(|overlap| overlap.depth).fold(deepest, f64::max);
        }
        assert!(deepest < 1e-2, "{turn} rad: {deepest} m");
        let moved = world.bodies()[world.bodies().len() - 2].position.x;
        assert!(moved < -0.02, "{turn} rad: it was not met: {moved} m");
    }
}

/// Many begin in each other, some by half their size, between walls against which they are pushed as they part. Each spacing
/// takes another way.
#[test]
fn all_kinds_that_begin_in_each_other_part_in_a_pit() {
    for k in 0..10 {
        all_kinds_fall(WorldSettings::fast(), Some(1.2), 0.12 + 0.01 * f64::from(k));
    }
}

/// Bodies of all kinds fall on a floor, or into a pit of a width (m), so far apart along x and z (m). They come to rest above the floor, with
/// less than 5 mm of overlap.
fn all_kinds_fall(settings: WorldSettings, pit: Option<f64>, spacing: f64) {
    let (mut world, stone) = on_floor(settings, false);
    for (width, side) in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z].iter().filter_map(|side| Some((pit?, side))) {
        let wall = Solid::cuboid(DVec3::new(2.0, 10.0, 2.0), 2500.0).unwrap();
        let at = Pose::from_translation(side * (0.5 * width + 1.0) + DVec3::Y * 5.0);
        world.add(wall.fixed(stone, at).unwrap()).unwrap();
    }
    let first = world.bodies().len();
    let tetrahedron = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.1, 0.5, 0.0], [0.1, 0.1, 0.5]].map(DVec3::from_array);
    let solids = [
        Solid::ball(0.2, 2500.0).unwrap(),
        Solid::capsule(0.12, 0.2, 2500.0).unwrap(),
        Solid::cylinder(0.2, 0.15, 2500.0).unwrap(),
        Solid::cone(0.25, 0.4, 2500.0).unwrap(),
        Solid::rounded_box(DVec3::new(0.2, 0.1, 0.15), 0.05, 2500.0).unwrap(),
        Solid::convex_hull(&tetrahedron, 2500.0).unwrap(),
    ];
    for k in 0..30_u32 {
        let (x, z) = (f64::from(k % 3) - 1.0, f64::from(k / 3 % 2) - 0.5);
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.7, -0.5) * f64::from(k));
        let pose = Pose::from_parts(DVec3::new(spacing * x, 0.4 + 0.12 * f64::from(k), spacing * z), turn);
        world.add(solids[k as usize % solids.len()].dynamic(stone, pose).unwrap()).unwrap();
    }
    for _ in 0..400 {
        world.step().unwrap();
    }
    let overlaps = world.overlaps().unwrap();
    let deepest = overlaps.iter().max_by(|a, b| a.depth.total_cmp(&b.depth));
    println!("{spacing} m apart: {:?}", deepest.map(|deepest| deepest.depth));
    assert!(deepest.is_none_or(|deepest| deepest.depth < 5e-3), "{spacing} m apart: {deepest:?}");
    let bodies = &world.bodies()[first..];
    assert!(bodies.iter().all(|body| body.position.y > 0.03), "something is in the floor");
}

#[test]
fn wrong_dimensions_files_and_points_are_errors() {
    let message = |made: Result<Solid, SolidError>| made.unwrap_err().to_string();
    assert_eq!(
        message(Solid::capsule(0.1, -1.0, 1.0)),
        "the half length of a capsule is -1; it must be finite and above zero"
    );
    assert!(message(Solid::cone(f64::NAN, 1.0, 1.0)).starts_with("the radius of a cone is NaN"));
    assert!(message(Solid::cylinder(1.0, f64::INFINITY, 1.0)).starts_with("the half height of a cylinder is inf"));
    assert!(message(Solid::rounded_box(DVec3::ONE, 0.0, 1.0)).starts_with("the radius of a rounded-box is 0"));
    assert!(message(Solid::ball(1.0, -3.0)).contains("density"));
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE - DVec3::Z, DVec3::X];
    assert_eq!(
        message(Solid::convex_hull(&flat, 1.0)),
        "5 points have no convex hull with a volume: the points lie in one plane; give at least four points that are not in \
         one plane"
    );
    assert!(message(Solid::convex_hull(&[], 1.0)).contains("there are no points"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solid.obj");
    assert!(message(Solid::from_mesh_file(&path, 1.0)).contains("solid.obj"));
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n").unwrap();
    let open = message(Solid::from_mesh_file(&path, 1.0));
    assert!(open.contains("solid.obj") && open.contains("is not that of a solid"), "{open}");
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n").unwrap();
    assert!((Solid::from_mesh_file(&path, 6000.0).unwrap().mass - 1000.0).abs() < 1e-9);
}
