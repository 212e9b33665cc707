//! Worlds at the edges: empty, one body, bodies in one place, great speeds, light and heavy bodies, long and short steps.

use super::workbench::{at, cube, is_sound, slab, stone};
use drystone_contact::generator::Method;
use drystone_contact::generator::methods;
use drystone_engine::{Solid, World, WorldSettings};
use glam::{DQuat, DVec3};

#[test]
fn an_empty_world_and_a_lone_body_step() {
    let mut world = World::default();
    assert_eq!(world.step().unwrap().contacts.len(), 0);
    let stone = stone(&mut world);
    let body = world.add(cube().dynamic(stone, at(0.0, 0.0, 0.0)).unwrap()).unwrap();
    assert_eq!(world.step().unwrap().pairs, 0);
    world.remove(body).unwrap();
    assert_eq!(world.step().unwrap().step, 3);
}

#[test]
fn bodies_in_one_place_stay_finite_by_every_method() {
    for method in methods::all() {
        let mut world = World::new(WorldSettings::default(), method);
        let stone = stone(&mut world);
        let cube = cube();
        for _ in 0..2 {
            world.add(cube.dynamic(stone, at(0.0, 0.0, 0.0)).unwrap()).unwrap();
        }
        world.add(cube.kinematic(stone, at(0.0, 0.0, 0.0)).unwrap()).unwrap();
        world.add(cube.fixed(stone, at(0.0, 0.0, 0.0)).unwrap()).unwrap();
        for _ in 0..3 {
            world.step().unwrap_or_else(|error| panic!("{method:?}: {error}"));
        }
        assert!(is_sound(&world), "{method:?}");
    }
}

#[test]
fn great_speeds_stay_finite() {
    let mut world = World::default();
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    let body = world.add(cube().dynamic(stone, at(0.0, 0.49, 0.0)).unwrap()).unwrap();
    world.body_mut(body).unwrap().velocity = DVec3::new(1e6, -1e6, 0.0);
    world.body_mut(body).unwrap().angular_velocity = DVec3::new(1e4, 1e4, -1e4);
    for _ in 0..20 {
        world.step().unwrap();
    }
    assert!(is_sound(&world));
}

#[test]
fn light_and_heavy_bodies_stay_finite() {
    for densities in [[1e-6, 1e9], [1e9, 1e-6], [1e-6, 1e-6], [1e9, 1e9]] {
        let mut world = World::default();
        let stone = stone(&mut world);
        world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
        for (density, y) in densities.into_iter().zip([0.5, 1.499]) {
            let solid = Solid::cuboid(DVec3::ONE, density).unwrap();
            world.add(solid.dynamic(stone, at(0.0, y, 0.0)).unwrap()).unwrap();
        }
        for _ in 0..20 {
            world.step().unwrap_or_else(|error| panic!("{densities:?}: {error}"));
        }
        assert!(is_sound(&world), "{densities:?}");
    }
}

#[test]
fn long_and_short_steps_stay_finite() {
    for time_step in [1e-6, 1.0] {
        let mut world = World::default();
        world.settings_mut().step.time_step = time_step;
        let stone = stone(&mut world);
        world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
        for i in 0..3 {
            world.add(cube().dynamic(stone, at(0.1, 0.5 + f64::from(i), 0.0)).unwrap()).unwrap();
        }
        for _ in 0..20 {
            world.step().unwrap();
        }
        assert!(is_sound(&world), "{time_step} s");
    }
}

#[test]
fn kinematic_and_fixed_bodies_pass_through_each_other() {
    let mut world = World::default();
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    let pusher = world.add(cube().kinematic(stone, at(0.0, 0.2, 0.0)).unwrap()).unwrap();
    world.body_mut(pusher).unwrap().velocity = DVec3::NEG_Y;
    for _ in 0..10 {
        assert!(world.step().unwrap().contacts.is_empty());
    }
    assert!((world.body(pusher).unwrap().position - DVec3::Y * 0.1).length() < 1e-12);
    assert_eq!(world.body(pusher).unwrap().orientation, DQuat::IDENTITY);
}
