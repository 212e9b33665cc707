//! Two convex corners without friction pass each other along a plane: with wrong normals they stop.

use drystone_scenes::cases::{Case, Model};
use drystone_scenes::scene::Scene;
use drystone_scenes::solids::Proportions;
use glam::DVec3;

use super::workbench::{JUDGED, Subject, note, report, run, world};

/// How many steps.
const STEPS: usize = 10;

/// By which share the kinetic energy may differ.
const TOLERANCE: f64 = 0.05;

/// The velocities of a mass that a frictionless plane holds up, after each step: what would take it through the plane is
/// taken away. `normal` points to the side of the mass.
fn on_a_plane(mut velocity: DVec3, gravity: DVec3, normal: DVec3, time_step: f64) -> [DVec3; STEPS] {
    std::array::from_fn(|_| {
        velocity += gravity * time_step;
        velocity -= normal * velocity.dot(normal).min(0.0);
        velocity
    })
}

/// Whether the upper body has the energy of a mass on the expected plane after each step.
pub fn passes(subject: Subject, scene: &Scene) -> Result<(), String> {
    let moving = &scene.bodies[0].body;
    let expected = scene.truth.pairs[0].normals[0].direction;
    let normal = expected * -expected.dot(scene.forces.gravity).signum();
    let velocities = on_a_plane(moving.velocity, scene.forces.gravity, normal, scene.time_step);
    run(&mut world(subject, scene)?, STEPS, |step, _, bodies| {
        let exact = 0.5 * moving.mass() * velocities[step - 1].length_squared();
        let energy = bodies[0].kinetic_energy();
        if (energy / exact - 1.0).abs() < TOLERANCE {
            return Ok(());
        }
        Err(format!("{energy:.0} J instead of {exact:.0} J, velocity {:.3}", bodies[0].velocity))
    })
}

/// The three cases of two points without friction, in two readings.
pub fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for case in [Case::Spikes, Case::SpikeAndWedge, Case::Wedges] {
        let usual = case.scene(Model::Procedural, None).unwrap();
        let literal = case.proportioned(Proportions::LITERAL, None).unwrap();
        for (reading, mut scene) in [("as published", usual), ("base 1 m", literal)] {
            scene.remove_friction().unwrap();
            scenes.push((format!("{case}, {reading}"), scene));
        }
    }
    scenes
}

#[test]
fn corners_without_friction_keep_their_energy() {
    let mut failures = Vec::new();
    for (name, scene) in scenes() {
        note(&mut failures, &name, passes(JUDGED, &scene));
    }
    report(&failures);
}
