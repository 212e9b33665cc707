//! The method under test and how scenes are run with it.

use std::sync::Arc;

use drystone_contact::generator::{Method, methods};
use drystone_engine::world::WarmStart;
use drystone_engine::{Body, BodyId, ContactBetween, NewBody, Pose, World, WorldSettings};
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::detection::{self, Moment, step_settings};
use drystone_scenes::scene::Scene;

use super::brute_force::BruteForce;

/// Whose contacts are looked at.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// Those of a method of the registry.
    Method(fn() -> Method),
    /// Those of the independent brute force, which knows the truth. Corners that are nearer than this are one, m.
    BruteForce(f64),
}

/// The subject of the acceptance tests: the method that is judged.
pub const JUDGED: Subject = Subject::Method(methods::semi_local);

/// How the independent brute force looks for the contact regions of a scene: within the distance up to which the judged
/// method takes features for touching.
pub fn region(scene: &Scene) -> RegionSettings {
    let method = methods::semi_local();
    let margin = |id: BodyId| method.generator().margin(&scene.bodies[id.index()].shape);
    let margins = scene.truth.pairs.iter().map(|pair| margin(pair.a).min(margin(pair.b)));
    RegionSettings { envelope: margins.fold(f64::INFINITY, f64::min), ..RegionSettings::default() }
}

/// The scene as a world of the suite.
pub fn world(subject: Subject, scene: &Scene) -> Result<World, String> {
    let settings = match subject {
        Subject::Method(method) => return detection::world(scene, &method()).map_err(|e| e.to_string()),
        Subject::BruteForce(length) => RegionSettings { length, ..region(scene) },
    };
    let (generator, scene) = BruteForce::new(scene, settings);
    let method = Method::fixed("brute-force", "the contact regions of the truth", Arc::new(generator));
    let mut world = World::new(WorldSettings::suite(step_settings(&scene)), method);
    *world.materials_mut() = scene.materials.clone();
    for body in &scene.bodies {
        let new = NewBody::new(body.body.clone(), Arc::clone(&body.shape));
        world.add(new).map_err(|e| e.to_string())?;
    }
    Ok(world)
}

/// A world of the suite that begins each step with the impulses of the one before. Without that a thousand sweeps leave
/// errors in tall structures that make even one with exact contacts creep by centimetres in 500 steps.
pub fn steady(subject: Subject, scene: &Scene, sweeps: usize) -> Result<World, String> {
    let mut world = world(subject, scene)?;
    let settings = world.settings_mut();
    settings.warm_start = Some(WarmStart::default());
    settings.step.solver.max_iterations = sweeps;
    Ok(world)
}

/// Contacts and where the bodies were when they were found.
pub struct Found {
    pub contacts: Vec<ContactBetween>,
    pub poses: Vec<Pose>,
}

/// The contacts of a scene at a moment.
pub fn find(subject: Subject, scene: &Scene, moment: Moment) -> Result<Found, String> {
    let mut world = world(subject, scene)?;
    let detected = match moment {
        Moment::Start => world.detect_now(),
        Moment::Step(step) => {
            for _ in 1..step {
                world.step().map_err(|e| e.to_string())?;
            }
            world.detect()
        }
    };
    let detected = detected.map_err(|e| e.to_string())?;
    Ok(Found { contacts: detected.contacts, poses: detected.poses })
}

/// Runs a world for `steps` steps; `look` sees the number of each step from 1, the contacts of that step with the poses
/// at which they were found, and the bodies after it.
pub fn run(
    world: &mut World,
    steps: usize,
    mut look: impl FnMut(usize, &Found, &[Body]) -> Result<(), String>,
) -> Result<(), String> {
    for step in 1..=steps {
        let in_step = |e: String| format!("step {step}: {e}");
        let detected = world.detect().map_err(|e| in_step(e.to_string()))?;
        world.step().map_err(|e| in_step(e.to_string()))?;
        let found = Found { contacts: detected.contacts, poses: detected.poses };
        look(step, &found, world.bodies()).map_err(in_step)?;
    }
    Ok(())
}

/// All that failed, for people; nothing if nothing did.
pub fn report(failures: &[String]) {
    const SHOWN: usize = 12;
    let shown = failures.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n  ");
    assert!(failures.is_empty(), "{} failures, the first of them:\n  {shown}", failures.len());
}

/// Adds what went wrong, under a name.
pub fn note(failures: &mut Vec<String>, name: &str, result: Result<(), String>) {
    failures.extend(result.err().map(|e| format!("{name}: {e}")));
}
