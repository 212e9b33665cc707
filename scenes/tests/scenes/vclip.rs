//! Structures that stand by V-Clip with contact sets, with either solver. docs/contact-sets.md has all 500 steps of all.

use drystone_contact::generator::methods;
use std::collections::BTreeSet;

use drystone_engine::World;
use drystone_engine::solver::{ContactSolver, SvdSettings};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::scene::Scene;
use drystone_scenes::simulation::{WorldPreset, world};

/// The brick of the Wall whose centre lies exactly over an edge. Nothing but the errors of an iteration decides where it
/// tips, whatever the generator.
const ON_AN_EDGE: &str = "layer 10 brick 8";

fn built(name: &str, solver: ContactSolver, world_preset: WorldPreset) -> (Scene, World) {
    let mut scene = name.parse::<BuiltIn>().unwrap().scene(Model::Procedural, None).unwrap();
    scene.solver = solver;
    let world = world(&scene, &methods::vclip(), world_preset).unwrap();
    (scene, world)
}

/// Makes steps and returns how far the bodies have come from where they were, m, but for one of a name; in no step is any
/// contact deeper than said, m, and all bodies that touch in the end have touched since the second step.
fn run((scene, mut world): (Scene, World), steps: usize, depth: f64, except: &str) -> f64 {
    let start: Vec<_> = world.bodies().iter().map(|body| body.position).collect();
    let except = scene.bodies.iter().position(|body| body.name == except);
    let mut held: Option<BTreeSet<_>> = None;
    for step in 1..=steps {
        let report = world.step().unwrap();
        let is_asked = |body: usize| Some(body) != except;
        let contacts = report.contacts.iter().filter(|c| is_asked(c.a.index()) && is_asked(c.b.index()));
        let pairs: BTreeSet<_> = contacts.clone().map(|c| (c.a, c.b)).collect();
        assert_eq!(report.counts.speculative_limits, 0, "{} in step {step}", scene.name);
        let deepest = contacts.map(|c| -c.contact.gap).fold(0.0, f64::max);
        assert!(deepest <= depth, "{} in step {step}: {deepest}", scene.name);
        if step > 1 {
            let held = held.get_or_insert_with(|| pairs.clone());
            assert!(held.is_subset(&pairs), "{} in step {step}", scene.name);
        }
    }
    let moved = start.iter().zip(world.bodies()).enumerate().filter(|(body, _)| Some(*body) != except);
    moved.map(|(_, (start, body))| start.distance(body.position)).fold(0.0, f64::max)
}

#[test]
fn pillar_and_arch_stand_for_500_steps() {
    let (sweeps, singular) = (ContactSolver::ProximalGaussSeidel, ContactSolver::Svd(SvdSettings::STEPS));
    // The suite takes nothing apart that has sunk in, and starts every solve from zero: what a thousand sweeps leave of the
    // weights makes the Pillar creep by decimetres, so that it is not asked there.
    // Which sets the Pillar gets in its first steps is decided by the last bits, and the loop of statuses fails with some of
    // them: of four starts 1e-12 m apart, two drift by 1e-14 m and two by 2 to 3 mm before they stand.
    let runs = [
        ("pillar", sweeps, WorldPreset::Embedding, 1e-3),
        ("pillar", singular, WorldPreset::Embedding, 5e-3),
        ("pillar", singular, WorldPreset::Suite, 1e-3),
        ("arch", sweeps, WorldPreset::Embedding, 5e-3),
        ("arch", sweeps, WorldPreset::Suite, 5e-3),
        ("arch", singular, WorldPreset::Embedding, 5e-3),
        ("arch", singular, WorldPreset::Suite, 5e-3),
    ];
    for (name, solver, world_preset, most) in runs {
        let moved = run(built(name, solver, world_preset), 500, most, "");
        assert!(moved < most, "{name}, {solver:?}, {world_preset:?}: {moved}");
    }
}

#[test]
fn the_wall_stands() {
    let moved = run(built("wall", ContactSolver::Svd(SvdSettings::STEPS), WorldPreset::Embedding), 30, 1e-3, "");
    assert!(moved < 1e-3, "by singular values: {moved}");
    let moved = run(built("wall", ContactSolver::ProximalGaussSeidel, WorldPreset::Embedding), 500, 5e-3, ON_AN_EDGE);
    assert!(moved < 2e-2, "by sweeps: {moved}");
}
