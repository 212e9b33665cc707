//! The ten fundamental cases, by the corrected truth.

use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::Moment;
use drystone_scenes::scene::Scene;
use drystone_scenes::solids::Proportions;

use super::verdict::{as_the_pose_needs, at_the_corners, perfect};
use super::workbench::{JUDGED, Subject, find, note, region, report, run, world};

/// The steps whose contacts are looked at.
const STEPS: [usize; 4] = [1, 2, 3, 10];

/// The sizes of the published table, those of the paper's text in two readings.
pub fn scenes(case: Case) -> [(&'static str, Scene); 3] {
    let factor = case.default_size() / 20.0;
    [
        ("as published", case.scene(Model::Procedural, None).unwrap()),
        ("half base 1 m", case.scene(Model::Procedural, Some(25.0 * factor)).unwrap()),
        ("base 1 m", case.proportioned(Proportions::LITERAL, None).unwrap()),
    ]
}

/// Whether the touching pose has the minimal number of contacts and all are right.
pub fn at_the_start(subject: Subject, scene: &Scene) -> Result<(), String> {
    let found = find(subject, scene, Moment::Start)?;
    perfect(scene, &found, scene.truth.minimum())?;
    at_the_corners(scene, &found, &region(scene))
}

/// Whether contacts are as the poses need them while the bodies move.
pub fn after_the_start(subject: Subject, scene: &Scene) -> Result<(), String> {
    run(&mut world(subject, scene)?, STEPS[STEPS.len() - 1], |step, found, _| {
        if STEPS.contains(&step) { as_the_pose_needs(scene, found, &region(scene)) } else { Ok(()) }
    })
}

/// Checks all cases in all readings.
pub fn of_all_cases(subject: Subject, check: fn(Subject, &Scene) -> Result<(), String>) -> Vec<String> {
    let mut failures = Vec::new();
    for case in Case::ALL {
        for (reading, scene) in scenes(case) {
            note(&mut failures, &format!("{case}, {reading}"), check(subject, &scene));
        }
    }
    failures
}

/// Coverage and quality 100 %, excess 1.0.
#[test]
fn touching_poses_have_the_minimal_number_of_contacts_and_all_are_right() {
    report(&of_all_cases(JUDGED, at_the_start));
}

/// A step later bodies overlap or part a little; the contacts are the corners of what then touches.
#[test]
fn contacts_stay_right_while_bodies_move() {
    report(&of_all_cases(JUDGED, after_the_start));
}

/// The recorded bodies are in single precision and cut into other tetrahedra.
#[test]
fn recorded_bodies_have_the_same_contacts() {
    let mut failures = Vec::new();
    for case in Case::ALL {
        let scene = case.scene(Model::Recorded, None).unwrap();
        note(&mut failures, case.name(), at_the_start(JUDGED, &scene));
        note(&mut failures, case.name(), after_the_start(JUDGED, &scene));
    }
    report(&failures);
}
