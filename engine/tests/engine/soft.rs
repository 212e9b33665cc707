//! The soft step: bodies rest, slide, bounce and roll as they should, with the same bits on any number of threads.

use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};
use glam::DVec3;

/// A floor whose top is at zero, with friction, and boxes of 1 m on it at these places.
fn boxes(friction: f64, restitution: f64, places: &[DVec3]) -> (World, Vec<BodyHandle>) {
    let mut world = World::default();
    world.settings_mut().step.contact_solver = ContactSolver::Soft(SoftSettings::FAST);
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::sliding(friction), restitution };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    let ground = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 2000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 2000.0).unwrap();
    let add = |&place: &DVec3| world.add(cube.dynamic(stone, Pose::from_translation(place)).unwrap()).unwrap();
    let handles = places.iter().map(add).collect();
    (world, handles)
}

#[test]
fn a_box_comes_to_rest() {
    let (mut world, handles) = boxes(0.5, 0.0, &[DVec3::Y * 0.6]);
    for _ in 0..100 {
        let report = world.step().unwrap();
        let body = world.body(handles[0]).unwrap();
        println!("{} {} {:?}", body.position, body.velocity, report.counts.speculative_contacts);
    }
    let body = world.body(handles[0]).unwrap();
    assert!((body.position.y - 0.5).abs() < 1e-4 && body.velocity.length() < 1e-9, "{body:?}");
}
