//! The same scenes said differently have the same contacts.

use drystone_contact::split_mix::SplitMix;
use drystone_engine::Pose;
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::Moment;
use drystone_scenes::extended::Extended;
use drystone_scenes::scene::Scene;
use drystone_scenes::transformed::{exchanged, moved, retessellated, scaled, with_noise};
use glam::DVec3;

use super::verdict::{as_the_pose_needs, counts, perfect};
use super::workbench::{JUDGED, Subject, find, note, region, report};

/// How far a scene is moved along each axis at most, m.
const FAR: f64 = 100.0;

/// The ten cases in exact coordinates.
pub fn cases() -> Vec<Scene> {
    Case::ALL.iter().map(|case| case.scene(Model::Procedural, None).unwrap()).collect()
}

/// The scenes beyond the suite but for the two floors, which are large.
pub fn beyond() -> Vec<Scene> {
    let is_large = |scene: &Extended| matches!(scene, Extended::TiledFloor | Extended::TriangulatedFloor);
    Extended::ALL.iter().filter(|scene| !is_large(scene)).map(|scene| scene.scene().unwrap()).collect()
}

/// Whether the contacts of `other` are all right, and as many as those of `scene` along each expected normal: in the
/// touching pose the minimal number, and half a step later, if asked for, what the pose needs.
pub fn alike(subject: Subject, scene: &Scene, other: &Scene, also_later: bool) -> Result<(), String> {
    let at_the_start = find(subject, other, Moment::Start)?;
    perfect(other, &at_the_start, scene.truth.minimum()).map_err(|e| format!("at the start, {e}"))?;
    if also_later {
        let [before, after] = [scene, other].map(|scene| find(subject, scene, Moment::Step(1)));
        let (before, after) = (before?, after?);
        let [expected, counted] = [(scene, &before), (other, &after)].map(|(scene, found)| counts(scene, found));
        as_the_pose_needs(scene, &before, &region(scene)).map_err(|e| format!("as it was, half a step later, {e}"))?;
        if counted != expected {
            return Err(format!("half a step later, {counted:?} instead of {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn moved_scenes() {
    let mut failures = Vec::new();
    let mut sequence = SplitMix::new(9);
    for (scenes, motions) in [(cases(), 100), (beyond(), 20)] {
        for scene in &scenes {
            for motion in 0..motions {
                let mut far = || FAR * (2.0 * sequence.next_fraction() - 1.0);
                let translation = DVec3::new(far(), far(), far());
                let motion_of_all = Pose::from_parts(translation, sequence.next_rotation());
                let other = moved(scene, &motion_of_all).unwrap();
                note(&mut failures, &format!("{}, motion {motion}", scene.name), alike(JUDGED, scene, &other, true));
            }
        }
    }
    report(&failures);
}

#[test]
fn scaled_scenes() {
    let mut failures = Vec::new();
    for scene in &cases() {
        for factor in [1e-3, 1e-2, 0.1, 0.5, 3.0, 10.0, 1e2, 1e3] {
            let other = scaled(scene, factor).unwrap();
            note(&mut failures, &format!("{} times {factor}", scene.name), alike(JUDGED, scene, &other, false));
        }
    }
    report(&failures);
}

#[test]
fn exchanged_bodies() {
    let mut failures = Vec::new();
    for scene in cases().iter().chain(&beyond()) {
        note(&mut failures, &scene.name, alike(JUDGED, scene, &exchanged(scene), true));
    }
    report(&failures);
}

/// Swapping A and B negates normals and changes nothing else.
#[test]
fn exchanged_bodies_have_the_same_points() {
    let mut failures = Vec::new();
    for scene in cases().iter().chain(&beyond()) {
        let result = find(JUDGED, scene, Moment::Start).and_then(|before| {
            let after = find(JUDGED, &exchanged(scene), Moment::Start)?;
            let is_there = |p: DVec3, n: DVec3| {
                let is_it = |c: &drystone_engine::ContactBetween| {
                    c.contact.position.distance(p) < 1e-9 && c.contact.normal.distance(n) < 1e-9
                };
                after.contacts.iter().any(is_it)
            };
            let lost = before.contacts.iter().find(|c| !is_there(c.contact.position, -c.contact.normal));
            lost.map_or(Ok(()), |c| Err(format!("no contact at {} along {}", c.contact.position, -c.contact.normal)))
        });
        note(&mut failures, &scene.name, result);
    }
    report(&failures);
}

#[test]
fn noisy_shapes() {
    let mut failures = Vec::new();
    for scene in &cases() {
        let size = scene.bodies.iter().map(|body| {
            let (low, high) = body.shape.surface().unwrap().bounds();
            (high - low).max_element()
        });
        let size = size.fold(f64::INFINITY, f64::min);
        for share in [1e-9, 1e-8, 1e-7, 1e-6] {
            for seed in 0..5 {
                let other = with_noise(scene, share * size, seed).unwrap();
                let name = format!("{}, noise of {share:e}, seed {seed}", scene.name);
                note(&mut failures, &name, alike(JUDGED, scene, &other, true));
            }
        }
    }
    report(&failures);
}

#[test]
fn other_triangulations() {
    let mut failures = Vec::new();
    for scene in cases().iter().chain(&beyond()) {
        for seed in 0..10 {
            let other = retessellated(scene, seed).unwrap();
            note(&mut failures, &format!("{}, seed {seed}", scene.name), alike(JUDGED, scene, &other, true));
        }
        let mut finer = scene.clone();
        finer.refine(1).unwrap();
        note(&mut failures, &format!("{}, refined", scene.name), alike(JUDGED, scene, &finer, true));
    }
    report(&failures);
}
