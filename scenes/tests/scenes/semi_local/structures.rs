//! Pillar, Wall and Arch over many steps: they stand, and their contacts stay what they are.

use drystone_engine::{Body, ContactBetween};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::contact_area::ContactArea;
use drystone_scenes::detection::Moment;
use drystone_scenes::measure::qualities;
use drystone_scenes::scene::Scene;
use glam::DVec3;

use super::verdict::{needed, perfect};
use super::workbench::{Found, JUDGED, Subject, find, note, region, report, run, steady};

/// The length of a run of the paper's Pillar.
const STEPS: usize = 500;

/// Sweeps a step.
const SWEEPS: usize = 1000;

/// Sweeps a step for many stones: with the impulses of the step before it does not take more.
const FEW_SWEEPS: usize = 60;

/// Normals that miss by a smaller part of 1 are right.
const RIGHT: f64 = 1e-4;

/// The share of the areas that contacts have to span.
const COVERED: f64 = 0.995;

/// A structure in exact coordinates.
pub fn scene(scene: BuiltIn) -> Scene {
    scene.scene(Model::Procedural, None).unwrap()
}

/// Whether no body is farther than `most` (m) from where it began.
fn stands(scene: &Scene, bodies: &[Body], most: f64) -> Result<(), String> {
    for (start, now) in scene.bodies.iter().zip(bodies) {
        let way = now.position.distance(start.body.position);
        if way.is_nan() || way > most {
            return Err(format!("{} has moved by {:.2} mm", start.name, 1e3 * way));
        }
    }
    Ok(())
}

fn all_up(contacts: &[ContactBetween]) -> Result<(), String> {
    let wrong = |c: &&ContactBetween| (c.contact.normal.dot(DVec3::Y).abs() - 1.0).abs() >= RIGHT;
    match contacts.iter().find(wrong) {
        Some(c) => Err(format!("n = {:.5} between {} and {}", c.contact.normal, c.a.index(), c.b.index())),
        None => Ok(()),
    }
}

/// The Pillar: normals up, and as many contacts as its pose needs.
pub fn pillar(subject: Subject, scene: &Scene, steps: usize, count: impl Fn(&Found) -> usize) -> Result<(), String> {
    run(&mut steady(subject, scene, SWEEPS)?, steps, |_, found, bodies| {
        all_up(&found.contacts)?;
        let expected = count(found);
        if found.contacts.len() != expected {
            return Err(format!("{} contacts instead of {expected}", found.contacts.len()));
        }
        stands(scene, bodies, 1e-3)
    })
}

#[test]
fn the_pillar_has_forty_contacts_in_every_step() {
    let mut failures = Vec::new();
    for time_step in [0.01, 0.001] {
        let mut scene = scene(BuiltIn::Pillar);
        scene.set_time_step(time_step);
        note(&mut failures, &format!("time step {time_step} s"), pillar(JUDGED, &scene, STEPS, |_| 40));
    }
    report(&failures);
}

#[test]
fn a_pillar_off_its_axis_has_the_contacts_that_it_needs() {
    let mut failures = Vec::new();
    for (magnitude, seed) in [(0.01, 0), (0.01, 1), (0.02, 0), (0.02, 1), (0.03, 0), (0.03, 1)] {
        let mut scene = scene(BuiltIn::Pillar);
        scene.perturb(magnitude, seed);
        let region = region(&scene);
        let result = pillar(JUDGED, &scene, STEPS, |found| needed(&scene, found, &region));
        note(&mut failures, &format!("off by {magnitude} m, seed {seed}"), result);
    }
    report(&failures);
}

#[test]
fn a_pillar_of_finer_meshes_has_the_same_contacts() {
    let mut failures = Vec::new();
    for (levels, steps) in [(1, 50), (2, 5)] {
        let mut scene = scene(BuiltIn::Pillar);
        scene.refine(levels).unwrap();
        note(&mut failures, &format!("{levels} levels"), pillar(JUDGED, &scene, steps, |_| 40));
    }
    report(&failures);
}

fn covered(found: &Found, scene: &Scene) -> Result<(), String> {
    match ContactArea::of(&found.contacts, &scene.truth) {
        Some(area) if area.coverage >= COVERED => Ok(()),
        area => Err(format!("P = {:.4}", area.map_or(0.0, |area| area.coverage))),
    }
}

fn wall(found: &Found, scene: &Scene) -> Result<(), String> {
    let worst = qualities(&found.contacts, &scene.truth).into_iter().fold(1.0, f64::min);
    if worst < 1.0 - RIGHT {
        return Err(format!("Q = {worst:.5}"));
    }
    covered(found, scene)
}

#[test]
fn wall_and_arch_are_covered_at_the_start() {
    let mut failures = Vec::new();
    for built_in in [BuiltIn::Wall, BuiltIn::Arch] {
        let scene = scene(built_in);
        let result = find(JUDGED, &scene, Moment::Start).and_then(|found| {
            covered(&found, &scene)?;
            perfect(&scene, &found, scene.truth.minimum())
        });
        note(&mut failures, built_in.name(), result);
    }
    report(&failures);
}

#[test]
fn the_third_step_of_the_wall_is_as_its_first() {
    let scene = scene(BuiltIn::Wall);
    let mut failures = Vec::new();
    note(&mut failures, "step 3", find(JUDGED, &scene, Moment::Step(3)).and_then(|found| wall(&found, &scene)));
    report(&failures);
}

/// Whether the Wall is covered with right normals in each step, and stands.
pub fn wall_stands(subject: Subject, steps: usize) -> Result<(), String> {
    let scene = scene(BuiltIn::Wall);
    run(&mut steady(subject, &scene, FEW_SWEEPS)?, steps, |_, found, bodies| {
        wall(found, &scene)?;
        stands(&scene, bodies, 5e-3)
    })
}

#[test]
fn the_wall_stands() {
    report(&Vec::from_iter(wall_stands(JUDGED, STEPS).err()));
}

/// Whether the Arch is covered in each step, with every normal within 0.1° of that of an interface, and stands.
pub fn arch_stands(subject: Subject, steps: usize) -> Result<(), String> {
    let scene = scene(BuiltIn::Arch);
    run(&mut steady(subject, &scene, SWEEPS)?, steps, |_, found, bodies| {
        covered(found, &scene)?;
        found.contacts.iter().try_for_each(|c| in_the_arch(c, found, &scene))?;
        stands(&scene, bodies, 5e-3)
    })
}

#[test]
fn the_arch_stands() {
    report(&Vec::from_iter(arch_stands(JUDGED, STEPS).err()));
}

/// An interface turns with its stones.
fn in_the_arch(c: &ContactBetween, found: &Found, scene: &Scene) -> Result<(), String> {
    const DEGREES: f64 = 0.1;
    let stones = format!("{} and {}", scene.bodies[c.a.index()].name, scene.bodies[c.b.index()].name);
    let Some(pair) = scene.truth.of(c.a, c.b) else {
        return Err(format!("{stones} touch"));
    };
    let angle = |id: drystone_engine::BodyId| {
        let start = scene.bodies[id.index()].body.orientation;
        let interface = found.poses[id.index()].rotation * (start.inverse() * pair.normals[0].direction);
        libm::asin(interface.cross(c.contact.normal).length().min(1.0)).to_degrees()
    };
    let angle = angle(c.a).min(angle(c.b));
    if angle < DEGREES { Ok(()) } else { Err(format!("a normal between {stones} is {angle:.3}° off")) }
}
