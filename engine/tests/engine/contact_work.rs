//! Contacts add no energy to slow bodies: what rocks comes to rest, and what glides goes on.

use drystone_engine::joint::{AXES, Axis, Motor};
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::{
    BodyHandle, Friction, Interaction, MaterialId, NewBody, NewJoint, Pose, Solid, World, WorldSettings,
};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Adds a material with friction.
fn stone(world: &mut World, friction: f64) -> MaterialId {
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(friction))).unwrap();
    stone
}

/// An upright prism of 0.4 m radius.
fn prism(sides: u32, height: f64) -> Solid {
    let corner = |k: u32| DQuat::from_rotation_y(TAU * f64::from(k) / f64::from(sides)) * (0.4 * DVec3::X);
    let ends = |k: u32| [0.5, -0.5].map(|end| corner(k) + DVec3::Y * end * height);
    let corners: Vec<DVec3> = (0..sides).flat_map(ends).collect();
    Solid::convex_hull(&corners, 1000.0).unwrap()
}

/// A stack of prisms, each of which is turned against the one below it and falls on it by a millimetre, on a ground that is inclined about z (rad).
fn stack((sides, height, count): (u32, f64, u32), friction: f64, incline: f64) -> (World, Vec<BodyHandle>) {
    let mut world = World::default();
    let stone = stone(&mut world, friction);
    let turn = DQuat::from_rotation_z(incline);
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 1000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_parts(turn * (DVec3::NEG_Y * 0.5), turn)).unwrap()).unwrap();
    let solid = prism(sides, height);
    let add = |k: u32| {
        let aside = |k: u32| 0.005 * (f64::from(k % 5) - 2.0);
        let place = DVec3::new(aside(7 * k), 0.5 * height + (height + 0.001) * f64::from(k) + 0.001, aside(3 * k));
        let pose = Pose::from_parts(turn * place, turn * DQuat::from_rotation_y(0.3 * f64::from(k)));
        world.add(solid.dynamic(stone, pose).unwrap()).unwrap()
    };
    let prisms = (0..count).map(add).collect();
    (world, prisms)
}

#[test]
fn stacks_of_prisms_come_to_rest() {
    for (sides, height, count) in [(6, 0.4, 10), (6, 0.4, 20), (12, 0.4, 12), (16, 0.8, 10), (32, 0.2, 5), (5, 0.8, 20)]
    {
        let (mut world, prisms) = stack((sides, height, count), 0.5, 0.0);
        let turns =
            |world: &World| -> Vec<DQuat> { prisms.iter().map(|&k| world.body(k).unwrap().orientation).collect() };
        let start = turns(&world);
        let rests = |world: &World| prisms.iter().all(|&prism| world.is_asleep(prism).unwrap());
        let end = (0..350).find(|_| {
            world.step().unwrap();
            rests(&world)
        });
        let tilted = start.iter().zip(turns(&world)).map(|(&before, after)| (after * before.inverse() * DVec3::Y).y);
        let least = tilted.fold(1.0, f64::min);
        assert!(end.is_some() && least > 1.0 - 1e-5, "{count} of {sides} sides: {end:?}, {least}");
    }
}

/// On a slope that is nearly ice a stack rocks as it lands, and slides as fast as a block.
#[test]
fn what_is_taken_from_a_stack_that_slides_is_not_its_momentum() {
    let (friction, incline) = (0.01, -0.02f64);
    let (mut world, prisms) = stack((8, 0.3, 4), friction, incline);
    for _ in 0..180 {
        world.step().unwrap();
    }
    let time = 180.0 * world.settings().step.time_step;
    let wanted = 9.81 * (incline.sin().abs() - friction * incline.cos()) * time;
    for &prism in &prisms {
        let speed = world.body(prism).unwrap().velocity.length();
        assert!((speed / wanted - 1.0).abs() < 0.02, "{speed} of {wanted}");
    }
}

/// Without friction a stack goes on turning, whatever sweeps add as it lands.
#[test]
fn a_stack_that_turns_on_ice_goes_on() {
    let (mut world, prisms) = stack((8, 0.3, 4), 0.0, 0.0);
    for &prism in &prisms {
        world.body_mut(prism).unwrap().angular_velocity = 0.3 * DVec3::Y;
    }
    (0..100).for_each(|_| drop(world.step().unwrap()));
    let upright: f64 = prisms.iter().map(|&prism| world.body(prism).unwrap().angular_velocity.y).sum();
    assert!((upright / 1.2 - 1.0).abs() < 0.02, "{upright}");
}

/// A die of a size (m), that stands on an edge along z, tilted by so many degrees.
fn tilted_die(size: f64, degrees: f64, stone: MaterialId) -> NewBody {
    let turn = DQuat::from_rotation_z(degrees.to_radians());
    let pose = Pose::from_parts(turn * (DVec3::new(0.5, 0.5, 0.0) * size), turn);
    Solid::cuboid(DVec3::splat(size), 1000.0).unwrap().dynamic(stone, pose).unwrap()
}

/// The spin (rad/s) of a die after some steps of toppling, on a ground that is put higher before each (by a length in m), or that rises with the die (by
/// a speed in m/s).
fn toppling(solver: Option<SoftSettings>, [lift, speed]: [f64; 2]) -> f64 {
    let mut world = World::default();
    let stone = stone(&mut world, 0.9);
    match solver {
        Some(soft) => world.settings_mut().step.contact_solver = ContactSolver::Soft(soft),
        None => *world.settings_mut() = WorldSettings::gauss_seidel(),
    }
    let ground = Solid::cuboid(DVec3::new(4.0, 1.0, 4.0), 1000.0).unwrap();
    let ground = world.add(ground.kinematic(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let die = world.add(tilted_die(0.01, 50.0, stone)).unwrap();
    for body in [ground, die] {
        world.body_mut(body).unwrap().velocity = speed * DVec3::Y;
    }
    for _ in 0..7 {
        world.body_mut(ground).unwrap().position.y += lift;
        world.step().unwrap();
    }
    world.body(die).unwrap().angular_velocity.length()
}

/// A die topples slowly, but in few steps.
#[test]
fn a_small_die_that_topples_is_not_held_back() {
    let wanted = toppling(None, [0.0; 2]);
    for soft in [SoftSettings::FAST, SoftSettings::ACCURATE] {
        let found = toppling(Some(soft), [0.0; 2]);
        assert!((found / wanted - 1.0).abs() < 0.12, "{found} of {wanted}");
    }
}

/// What is put somewhere else before each step adds energy, and so does what moves.
#[test]
fn a_ground_that_rises_does_not_hold_back_what_topples() {
    for soft in [SoftSettings::FAST, SoftSettings::ACCURATE] {
        let wanted = toppling(Some(soft), [0.0; 2]);
        for rise in [[5e-5, 0.0], [0.0, 0.1]] {
            let found = toppling(Some(soft), rise);
            assert!((found / wanted - 1.0).abs() < 0.12, "{rise:?}: {found} of {wanted}");
        }
    }
}

/// A motor turns a die on its edge, and lifts it.
#[test]
fn a_motor_is_not_held_back() {
    let mut world = World::default();
    let stone = stone(&mut world, 0.9);
    let ground = Solid::cuboid(DVec3::new(4.0, 1.0, 4.0), 1000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let die = world.add(tilted_die(0.01, 10.0, stone)).unwrap();
    let mut axes = [Axis::FREE; AXES];
    axes[5].motor = Some(Motor::Velocity { target: 2.0, max_force: 1e4 });
    let joint = NewJoint::six_dof(None, die, Pose::IDENTITY, axes, &world).unwrap();
    world.add_joint(joint).unwrap();
    (0..20).for_each(|_| drop(world.step().unwrap()));
    let spin = world.body(die).unwrap().angular_velocity;
    assert!((spin - 2.0 * DVec3::Z).length() < 0.02, "{spin}");
}
