//! What is asked can be had: the checks accept the contacts of the brute force, which knows the truth, and refuse those of a
//! local method.

use drystone_contact::generator::methods;
use drystone_contact::split_mix::SplitMix;
use drystone_engine::Pose;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::extended::Extended;
use drystone_scenes::scene::Scene;
use drystone_scenes::transformed::{exchanged, moved, retessellated, with_noise};
use glam::DVec3;

use super::cases::{after_the_start, at_the_start, of_all_cases};
use super::structures::{arch_stands, pillar, scene, wall_stands};
use super::transformations::{alike, beyond, cases};
use super::verdict::needed;
use super::workbench::{Subject, note, region, report};
use super::{energy, extended};

/// A method that is wrong in most scenes.
const LOCAL: Subject = Subject::Method(methods::vertex_only);

fn truth() -> Subject {
    Subject::BruteForce(RegionSettings::default().length)
}

#[test]
fn in_the_ten_cases() {
    report(&of_all_cases(truth(), at_the_start));
    report(&of_all_cases(truth(), after_the_start));
    for check in [at_the_start, after_the_start] {
        assert!(of_all_cases(LOCAL, check).len() > 15);
    }
}

#[test]
fn without_friction() {
    let mut failures = Vec::new();
    for (name, scene) in energy::scenes() {
        note(&mut failures, &name, energy::passes(truth(), &scene));
    }
    report(&failures);
    let most_opposing = Subject::Method(methods::most_opposing);
    assert!(energy::scenes().iter().any(|(_, scene)| energy::passes(most_opposing, scene).is_err()));
}

#[test]
fn beyond_the_suite() {
    let mut failures = Vec::new();
    for scene in beyond() {
        note(&mut failures, &scene.name, extended::in_motion(truth(), &scene));
    }
    for floor in [Extended::TiledFloor, Extended::TriangulatedFloor] {
        for depth in extended::DEPTHS {
            note(&mut failures, floor.name(), extended::slides(truth(), floor, depth, 20));
        }
    }
    report(&failures);
    assert!(beyond().iter().filter(|scene| extended::in_motion(LOCAL, scene).is_err()).count() > 3);
    let overlap = Subject::Method(methods::volume_sat);
    assert!(extended::slides(overlap, Extended::TiledFloor, 1e-3, 30).is_err());
    assert!(extended::slides(overlap, Extended::TriangulatedFloor, 0.0, 2).is_err());
}

#[test]
fn under_transformations() {
    let mut failures = Vec::new();
    let motion = Pose::from_parts(DVec3::new(30.0, -40.0, 50.0), SplitMix::new(3).next_rotation());
    for scene in cases().iter().chain(&beyond()) {
        let others: [(&str, Scene); 3] = [
            ("moved", moved(scene, &motion).unwrap()),
            ("exchanged", exchanged(scene)),
            ("cut otherwise", retessellated(scene, 4).unwrap()),
        ];
        for (how, other) in others {
            note(&mut failures, &format!("{} {how}", scene.name), alike(truth(), scene, &other, true));
        }
    }
    for scene in &cases() {
        // Noise that the brute force does not see.
        let other = with_noise(scene, 1e-8, 2).unwrap();
        note(&mut failures, &format!("{} with noise", scene.name), alike(truth(), scene, &other, true));
    }
    report(&failures);
}

#[test]
fn in_structures() {
    let mut failures = Vec::new();
    let upright = scene(BuiltIn::Pillar);
    // Stones creep by less than a millimetre: corners that close are one.
    let creeping = Subject::BruteForce(1e-3);
    note(&mut failures, "pillar", pillar(creeping, &upright, 100, |_| 40));
    let mut off = scene(BuiltIn::Pillar);
    off.perturb(0.03, 1);
    note(&mut failures, "pillar off its axis", pillar(truth(), &off, 50, |found| needed(&off, found, &region(&off))));
    note(&mut failures, "wall", wall_stands(truth(), 10));
    note(&mut failures, "arch", arch_stands(truth(), 100));
    report(&failures);
    assert!(pillar(LOCAL, &upright, 3, |_| 40).is_err());
    assert!(wall_stands(LOCAL, 3).is_err() && arch_stands(LOCAL, 3).is_err());
}
