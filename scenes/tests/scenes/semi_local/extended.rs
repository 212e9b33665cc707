//! Scenes beyond the suite.

use drystone_engine::BodyId;
use drystone_scenes::extended::Extended;
use drystone_scenes::scene::Scene;
use drystone_scenes::truth::PairTruth;
use glam::DVec3;

use super::cases::at_the_start;
use super::verdict::as_the_pose_needs;
use super::workbench::{JUDGED, Subject, note, region, report, run, world};

/// The length of a slide: two metres.
const STEPS: usize = 200;

/// Coverage and quality 100 %, excess 1.0.
#[test]
fn touching_poses_have_the_minimal_number_of_contacts_and_all_are_right() {
    let mut failures = Vec::new();
    for extended in Extended::ALL {
        let scene = extended.scene().unwrap();
        let result = at_the_start(JUDGED, &scene);
        note(&mut failures, extended.name(), result);
    }
    report(&failures);
}

/// Whether contacts are as the poses need them in the first steps.
pub fn in_motion(subject: Subject, scene: &Scene) -> Result<(), String> {
    run(&mut world(subject, scene)?, 3, |_, found, _| as_the_pose_needs(scene, found, &region(scene)))
}

#[test]
fn contacts_stay_right_while_bodies_move() {
    let mut failures = Vec::new();
    for extended in Extended::ALL {
        let scene = extended.scene().unwrap();
        // The floors have a test of their own: other tiles come under the box.
        if !matches!(extended, Extended::TiledFloor | Extended::TriangulatedFloor) {
            note(&mut failures, extended.name(), in_motion(JUDGED, &scene));
        }
    }
    report(&failures);
}

/// Without friction nothing changes the motion of the box, which begins some depth (m) within the floor: no edge lifts it or
/// turns it.
pub fn slides(subject: Subject, extended: Extended, depth: f64, steps: usize) -> Result<(), String> {
    const ROUNDING: f64 = 1e-9;
    let mut scene = extended.scene().unwrap();
    scene.remove_friction().map_err(|e| e.to_string())?;
    if let Some(the_box) = scene.bodies.last_mut() {
        the_box.body.position.y -= depth;
    }
    // The box comes over tiles that are not under it at the start.
    let last = scene.bodies.len() as u32 - 1;
    let pair = |tile: u32| PairTruth::interface(BodyId::new(tile), BodyId::new(last), DVec3::Y, 4, 0.0);
    scene.truth.pairs = (0..last).map(pair).collect();
    run(&mut world(subject, &scene)?, steps, |_, found, bodies| {
        let wrong = found.contacts.iter().find(|c| (c.contact.normal.dot(DVec3::Y).abs() - 1.0).abs() > ROUNDING);
        if let Some(c) = wrong {
            return Err(format!("n = {} at {:.4}", c.contact.normal, c.contact.position));
        }
        let the_box = &bodies[bodies.len() - 1];
        let (rise, spin) = (the_box.velocity.y, the_box.angular_velocity.length());
        let is_level = rise.abs() < ROUNDING && spin < ROUNDING;
        if is_level { Ok(()) } else { Err(format!("it rises with {rise:.2e} m/s and turns with {spin:.2e} rad/s")) }
    })
}

/// Exactly on the floor, and a little within it, where edges between tiles and triangles have something to hold.
pub const DEPTHS: [f64; 3] = [0.0, 1e-5, 1e-3];

#[test]
fn a_box_slides_over_tiles() {
    let failures = DEPTHS.map(|depth| slides(JUDGED, Extended::TiledFloor, depth, STEPS).err());
    report(&failures.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn a_box_slides_over_triangles() {
    let failures = DEPTHS.map(|depth| slides(JUDGED, Extended::TriangulatedFloor, depth, STEPS).err());
    report(&failures.into_iter().flatten().collect::<Vec<_>>());
}
