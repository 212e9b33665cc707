//! Worlds with bodies that touch nothing.

use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::{Body, BodyHandle, Friction, Groups, Interaction, MaterialId, NewBody, Pose, Solid, World};
use glam::DVec3;

/// m/s².
pub const GRAVITY: f64 = 9.82;

/// A world with one material, gravity, and steps of `time_step` (s) in five parts.
pub fn world(time_step: f64) -> World {
    let mut world = World::default();
    world.settings_mut().step.time_step = time_step;
    let material = world.materials_mut().add("stuff").unwrap();
    world.materials_mut().set(material, material, Interaction::dry(Friction::sliding(0.5))).unwrap();
    world
}

/// Without sleep.
pub fn restless(mut world: World) -> World {
    world.settings_mut().step.contact_solver =
        ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..SoftSettings::FAST });
    world
}

pub fn weightless(mut world: World) -> World {
    world.settings_mut().step.forces.gravity = DVec3::ZERO;
    world
}

/// A body of a mass (kg) and moments (kg m²) at a pose, that touches nothing.
pub fn ghost(world: &mut World, mass: f64, moments: DVec3, pose: Pose) -> BodyHandle {
    let shape = Solid::cuboid(DVec3::splat(0.1), 1000.0).unwrap().shape;
    let body = Body::dynamic(mass, moments, MaterialId::new(0)).unwrap().at(pose.translation, pose.rotation).unwrap();
    world.add(NewBody { groups: Groups { member: 0, with: 0 }, ..NewBody::new(body, shape) }).unwrap()
}

pub fn ghost_at(world: &mut World, mass: f64, moments: DVec3, position: DVec3) -> BodyHandle {
    ghost(world, mass, moments, Pose::from_translation(position))
}

/// Kinetic and potential energy, J.
pub fn energy(world: &World) -> f64 {
    let forces = &world.settings().step.forces;
    world.bodies().iter().map(|body| body.kinetic_energy() + forces.potential_energy(body)).sum()
}
