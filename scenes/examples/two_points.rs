//! The two truths of the Two-points cases, side by side: which contacts match which normal, and whether the falling body
//! slides past the other or is held up.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example two_points -- published
//! cargo run --release -p drystone-scenes --example two_points -- corrected
//! ```
//! Contacts are those of time step 2, the velocity is that of the moving body after time step 3. A body that keeps at
//! least half of its initial fall (−4.8 m/s) slides past; one whose velocity only gravity changed falls freely.

use std::error::Error;

use drystone_contact::generator::methods;
use drystone_engine::{StepError, step};
use drystone_replica::Variant;
use drystone_replica::stepper::step as published_step;
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::{Detection, Detector, Moment, detect, published_settings, step_settings};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::truth::TruthKind;
use glam::Vec3;

fn main() -> Result<(), Box<dyn Error>> {
    let variant: Variant = std::env::args().nth(1).unwrap_or("published".into()).parse()?;
    println!("| case | method | contacts | match published | match corrected | velocity after step 3 (m/s) | |");
    println!("|---|---|---|---|---|---|---|");
    for case in Case::ALL.into_iter().filter(|case| case.has_two_truths()) {
        let scene = case.scene(Model::of(variant), None)?;
        for method in methods::local() {
            let Detection { contacts, poses, .. } = detect(&scene, &variant.of(&method), Moment::Step(2))?;
            let matching = |kind| score(&contacts, &scene.truth(kind).at(&poses), &Matching::default()).matching;
            let detector = Detector::new(&scene, &variant.of(&method))?;
            let mut bodies = scene.states();
            for _ in 0..3 {
                let before = bodies.clone();
                let find = |poses: &[_]| detector.contacts(poses, &before).map(|(contacts, _)| contacts);
                if variant == Variant::Corrected {
                    step(&mut bodies, &scene.materials, &step_settings(&scene), |poses| Ok(find(poses)?))?;
                } else {
                    let settings = published_settings(&scene)?;
                    published_step::<Vec3>(&mut bodies, &scene.materials, &settings, |poses| {
                        Ok(find(poses).map_err(|e| StepError::Detection(e.into()))?)
                    })?;
                }
            }
            let velocity = bodies[0].velocity;
            let initial = scene.bodies[0].body.velocity;
            let free = initial + scene.forces.gravity * (3.0 * scene.time_step);
            let verdict = match velocity {
                v if (v - free).length() < 0.01 => "falls freely",
                v if v.y < 0.5 * initial.y => "slides past",
                _ => "held up",
            };
            println!(
                "| {case} | {method} | {} | {} | {} | ({:.2}, {:.2}, {:.2}) | {verdict} |",
                contacts.len(),
                matching(TruthKind::Published),
                matching(TruthKind::Corrected),
                velocity.x,
                velocity.y,
                velocity.z
            );
        }
    }
    Ok(())
}
