//! Nothing falls through: cubes of all sizes that fall from all heights, or are shot, onto floors and each other. How deep
//! they are is measured by their corners, not by contacts.

use drystone_contact::shape::{Ball, HalfSpace};
use drystone_engine::{Body, Friction, Interaction, MaterialId, NewBody, Pose, Solid, World, WorldSettings};
use glam::{DQuat, DVec3, EulerRot};
use std::sync::Arc;

/// A world with one material, whose contacts have this restitution.
fn world(time_step: f64, restitution: f64) -> (World, MaterialId) {
    let mut world = World::default();
    world.settings_mut().step.time_step = time_step;
    let stuff = world.materials_mut().add("stuff").unwrap();
    let interaction = Interaction { friction: Friction::sliding(0.5), restitution };
    world.materials_mut().set(stuff, stuff, interaction).unwrap();
    (world, stuff)
}

/// The height of the lowest corner of a cube, m.
fn lowest_corner(pose: Pose, edge: f64) -> f64 {
    let corner = |k: u32| 0.5 * edge * DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0;
    (0..8).map(|k| pose.transform_point(corner(k) - DVec3::splat(0.5 * edge)).y).fold(f64::INFINITY, f64::min)
}

/// A cube thrown down onto a floor of 1 m, or onto a cube of its own kind on it: the lowest that any corner gets (m), as a
/// share of the edge, and whether the cube is on top at the end.
fn dropped(edge: f64, height: f64, speed: f64, time_step: f64, on_cube: bool) -> (f64, bool) {
    let (mut world, stuff) = world(time_step, 0.0);
    let floor = Solid::cuboid(DVec3::new(1000.0, 1.0, 1000.0), 1.0).unwrap();
    world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::splat(edge), 1000.0).unwrap();
    let mut base = 0.0;
    if on_cube {
        world.add(cube.dynamic(stuff, Pose::from_translation(DVec3::Y * 0.5 * edge)).unwrap()).unwrap();
        base = edge;
    }
    let turned = DQuat::from_euler(EulerRot::XYZ, 0.3, 0.4, 0.1);
    let pose = Pose::from_parts(DVec3::Y * (base + height + edge), turned);
    let falling = world.add(cube.dynamic(stuff, pose).unwrap()).unwrap();
    world.body_mut(falling).unwrap().velocity = DVec3::NEG_Y * speed;
    let mut lowest: f64 = 0.0;
    for _ in 0..(4.0 / time_step) as usize {
        world.step().unwrap();
        lowest = lowest.min(lowest_corner(world.body(falling).unwrap().pose(), edge));
    }
    (-lowest / edge, world.body(falling).unwrap().position.y > 0.4 * edge)
}

#[test]
fn cubes_of_all_sizes_stay_on_the_floor_from_all_heights() {
    let mut failed = Vec::new();
    for on_cube in [false, true] {
        for time_step in [1.0 / 60.0, 0.01, 1.0 / 120.0] {
            for edge in [1.0, 0.4, 0.1, 0.02] {
                for height in [0.5, 1.0, 3.0, 10.0] {
                    let (depth, is_held) = dropped(edge, height, 0.0, time_step, on_cube);
                    if !is_held || depth > 0.1 {
                        failed.push((on_cube, time_step, edge, height, depth, is_held));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn cubes_down_to_a_millimetre_stop_at_100_metres_a_second() {
    let mut failed = Vec::new();
    for edge in [1.0, 0.1, 0.01, 0.001] {
        for speed in [10.0, 30.0, 100.0] {
            let (depth, is_held) = dropped(edge, 0.5, speed, 1.0 / 60.0, false);
            if !is_held || depth > 0.1 {
                failed.push((edge, speed, depth, is_held));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn thin_floors_hold() {
    for thickness in [0.02, 0.05, 0.1, 0.3] {
        for height in [0.5, 1.0, 3.0, 10.0] {
            let (mut world, stuff) = world(1.0 / 60.0, 0.0);
            let floor = Solid::cuboid(DVec3::new(20.0, thickness, 20.0), 1.0).unwrap();
            world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5 * thickness)).unwrap()).unwrap();
            let cube = Solid::cuboid(DVec3::splat(0.4), 1000.0).unwrap();
            let pose = Pose::from_translation(DVec3::Y * (height + 0.2));
            let falling = world.add(cube.dynamic(stuff, pose).unwrap()).unwrap();
            for _ in 0..240 {
                world.step().unwrap();
            }
            let depth = -lowest_corner(world.body(falling).unwrap().pose(), 0.4);
            assert!(depth < 2e-3, "a floor of {thickness} m, from {height} m: {depth} m deep");
        }
    }
}

#[test]
fn what_arrives_fast_bounces_in_the_step_in_which_it_arrives() {
    for time_step in [1.0 / 60.0, 0.01] {
        for (edge, speed) in [(0.1, 5.0), (0.1, 50.0), (0.02, 20.0)] {
            let (mut world, stuff) = world(time_step, 0.8);
            world.settings_mut().step.forces.gravity = DVec3::ZERO;
            let floor = Solid::cuboid(DVec3::new(1000.0, 1.0, 1000.0), 1.0).unwrap();
            world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
            let cube = Solid::cuboid(DVec3::splat(edge), 1000.0).unwrap();
            let handle = world.add(cube.dynamic(stuff, Pose::from_translation(DVec3::Y * 3.0)).unwrap()).unwrap();
            world.body_mut(handle).unwrap().velocity = DVec3::NEG_Y * speed;
            let (mut lowest, mut steps) = (f64::INFINITY, 0);
            while world.body(handle).unwrap().velocity.y < 0.0 && steps < 1000 {
                world.step().unwrap();
                lowest = lowest.min(lowest_corner(world.body(handle).unwrap().pose(), edge));
                steps += 1;
            }
            let velocity = world.body(handle).unwrap().velocity.y;
            assert!((velocity - 0.8 * speed).abs() < 1e-5 * speed, "{edge} m at {speed} m/s: {velocity} m/s");
            assert!(lowest > -0.05 * edge, "{edge} m at {speed} m/s: {lowest} m");
        }
    }
}

/// A cube that slides fast meets its floor all the time.
#[test]
fn what_slides_fast_goes_on() {
    // By the soft step cubes that slide by more than two of their edges in a step are tilted by their contacts, and sooner or later they
    // stick.
    let by_both = [(1.0, 10.0), (0.1, 10.0)].map(|case| (WorldSettings::default(), case));
    let cases =
        [(0.1, 10.0), (0.1, 100.0), (0.01, 10.0), (0.001, 10.0)].map(|case| (WorldSettings::gauss_seidel(), case));
    for (settings, (edge, speed)) in by_both.into_iter().chain(cases) {
        let (mut world, stuff) = world(1.0 / 60.0, 0.0);
        world.settings_mut().step.contact_solver = settings.step.contact_solver;
        world.materials_mut().set(stuff, stuff, Interaction::dry(Friction::sliding(0.0))).unwrap();
        let forces = &mut world.settings_mut().step.forces;
        (forces.linear_damping, forces.angular_damping) = (0.0, 0.0);
        let floor = Solid::cuboid(DVec3::new(1000.0, 1.0, 1000.0), 1.0).unwrap();
        world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
        let cube = Solid::cuboid(DVec3::splat(edge), 1000.0).unwrap();
        let handle = world.add(cube.dynamic(stuff, Pose::from_translation(DVec3::Y * 0.5 * edge)).unwrap()).unwrap();
        world.body_mut(handle).unwrap().velocity = DVec3::X * speed;
        let mut limits = 0;
        for _ in 0..60 {
            limits += world.step().unwrap().counts.speculative_limits;
        }
        let x = world.body(handle).unwrap().position.x;
        assert!((x - speed).abs() < 1e-3 * speed && limits == 0, "{edge} m at {speed} m/s: {x} m, {limits} limits");
    }
}

/// A ball that rolls fast, over a box and over a half-space, and runs into a wall.
#[test]
fn what_rolls_fast_goes_on_until_it_meets_a_wall() {
    for (radius, speed) in [(0.1, 10.0), (0.1, 100.0), (0.01, 10.0)] {
        for is_space in [false, true] {
            let (mut world, stuff) = world(1.0 / 60.0, 0.0);
            if is_space {
                world.add(NewBody::new(Body::fixed(stuff), Arc::new(HalfSpace.into()))).unwrap();
            } else {
                let floor = Solid::cuboid(DVec3::new(1000.0, 1.0, 1000.0), 1.0).unwrap();
                world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
            }
            let wall = Solid::cuboid(DVec3::new(0.02, 1.0, 1.0), 1.0).unwrap();
            let wall_x = 0.7 * speed;
            world.add(wall.fixed(stuff, Pose::from_translation(DVec3::new(wall_x, 0.5, 0.0))).unwrap()).unwrap();
            let ball = Solid::new(&Ball::new(radius).unwrap().into(), 1000.0).unwrap();
            let ball = world.add(ball.dynamic(stuff, Pose::from_translation(DVec3::Y * radius)).unwrap()).unwrap();
            let body = world.body_mut(ball).unwrap();
            (body.velocity, body.angular_velocity) = (DVec3::X * speed, DVec3::NEG_Z * (speed / radius));
            let mut limits = 0;
            for step in 0..60 {
                limits += world.step().unwrap().counts.speculative_limits;
                let x = world.body(ball).unwrap().position.x;
                let rolled = speed * f64::from(step + 1) / 60.0;
                assert!(rolled > 0.6 * speed || (x - rolled).abs() < 0.01 * speed, "{radius} m, {speed} m/s: {x} m");
                assert!(x < wall_x, "{radius} m, {speed} m/s: behind the wall");
            }
            assert!(limits < 4, "{radius} m, {speed} m/s: {limits} limits");
        }
    }
}

/// A ball at rest gets its speed within the step: how far it goes is not known when the step begins.
#[test]
fn what_is_hit_stops_at_the_wall_behind_it() {
    for speed in [20.0, 60.0, 200.0] {
        for share in [0.2, 0.5, 0.8] {
            let (mut world, stuff) = world(0.01, 0.0);
            world.settings_mut().step.forces.gravity = DVec3::ZERO;
            let mut add = |radius: f64, x: f64| {
                let ball = Solid::new(&Ball::new(radius).unwrap().into(), 1000.0).unwrap();
                world.add(ball.dynamic(stuff, Pose::from_translation(DVec3::X * x)).unwrap()).unwrap()
            };
            // The first ball ends a whole way ahead, and pushes the other one by all but the gap between them.
            let (hits, is_hit) = (add(0.15, 0.0), add(0.1, 0.3));
            let way = speed * 0.01;
            let wall_at = 0.4 + share * (way - 0.05);
            let wall = Solid::cuboid(DVec3::new(0.02, 2.0, 2.0), 1000.0).unwrap();
            let pose = Pose::from_translation(DVec3::X * (wall_at + 0.01));
            world.add(wall.fixed(stuff, pose).unwrap()).unwrap();
            world.body_mut(hits).unwrap().velocity = DVec3::X * speed;
            for step in 1..=50 {
                world.step().unwrap();
                let over = world.body(is_hit).unwrap().position.x + 0.1 - wall_at;
                assert!(over < 0.01, "{speed} m/s, {share}, step {step}: {over} m");
            }
        }
    }
}
