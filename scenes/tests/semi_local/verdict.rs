//! Contacts against the truth of a scene.

use drystone_contact::Contact;
use drystone_engine::{ContactBetween, Pose};
use drystone_scenes::contact_region::{RegionCorner, RegionSettings, corners, region_corners};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene::Scene;
use drystone_scenes::truth::{PairTruth, Truth};
use glam::DVec3;

use super::workbench::Found;

/// Whether coverage and quality are 1 and the contacts as many as `expected`.
pub fn perfect(scene: &Scene, found: &Found, expected: usize) -> Result<(), String> {
    let score = score(&found.contacts, &scene.truth, &Matching::default());
    if (score.coverage, score.quality, score.contacts) == (1.0, 1.0, expected) {
        return Ok(());
    }
    let figures = format!("coverage {:.3}, quality {:.3}", score.coverage, score.quality);
    Err(format!("{} contacts instead of {expected}, {figures}{}", score.contacts, first_wrong(scene, found)))
}

/// Whether the contacts are what the pose needs: every contact has an expected normal, and along each expected normal there
/// are as many as its contact region has corners; none where it has none.
///
/// An expected normal is that of a facet, of one of the bodies or of both, and turns with it.
pub fn as_the_pose_needs(scene: &Scene, found: &Found, settings: &RegionSettings) -> Result<(), String> {
    let regions = regions(scene, found, settings);
    let mut matching = vec![false; found.contacts.len()];
    let mut problems = Vec::new();
    for pair in &scene.truth.pairs {
        for &normal in &pair.normals {
            let directions = turned(scene, &found.poses, pair, normal);
            let needed: Vec<usize> = directions.iter().map(|&d| corners_along(&regions, pair, d)).collect();
            let mut count = 0;
            for (c, is_match) in found.contacts.iter().zip(&mut matching) {
                if is_of(pair, c) && directions.iter().any(|&d| matches(&c.contact, d)) {
                    count += 1;
                    *is_match |= needed.iter().any(|&n| n > 0);
                }
            }
            if !needed.contains(&count) {
                let bodies = format!("{} and {}", pair.a.index(), pair.b.index());
                problems.push(format!("{count} contacts of {bodies} along {normal:.3} instead of {needed:?}"));
            }
        }
    }
    let wrong = matching.iter().filter(|&&is_match| !is_match).count();
    if wrong > 0 {
        problems.push(format!("{wrong} contacts with no expected normal{}", first_wrong(scene, found)));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

/// The corners of all contact regions at the poses where contacts were looked for.
pub fn needed(scene: &Scene, found: &Found, settings: &RegionSettings) -> usize {
    corners(scene, &scene.truth, &found.poses, settings)
}

/// An expected normal of the start, turned with each of the two bodies that has a facet across it; as it is if none has.
pub fn turned(scene: &Scene, poses: &[Pose], pair: &PairTruth, normal: DVec3) -> Vec<DVec3> {
    // Directions that differ by less are one, rad.
    const PARALLEL: f64 = 1e-6;
    let mut directions = Vec::new();
    for id in [pair.a, pair.b] {
        let body = &scene.bodies[id.index()];
        let in_body = body.body.orientation.inverse() * normal;
        if body.shape.surface().normals().iter().any(|n| n.cross(in_body).length() < PARALLEL) {
            directions.push(poses[id.index()].rotation * in_body);
        }
    }
    if directions.is_empty() { vec![normal] } else { directions }
}

/// The corners of the regions across all directions that an expected normal may have turned to.
fn regions(scene: &Scene, found: &Found, settings: &RegionSettings) -> Vec<RegionCorner> {
    let pair = |pair: &PairTruth| {
        let normals = pair.normals.iter().flat_map(|&n| turned(scene, &found.poses, pair, n)).collect();
        PairTruth { normals, ..pair.clone() }
    };
    let truth = Truth { pairs: scene.truth.pairs.iter().map(pair).collect() };
    region_corners(scene, &truth, &found.poses, settings)
}

/// How many of the corners belong to a pair and a direction.
fn corners_along(corners: &[RegionCorner], pair: &PairTruth, direction: DVec3) -> usize {
    // The corners carry the very directions that were asked for, in either sense.
    let is_along = |c: &&RegionCorner| (c.a, c.b) == (pair.a, pair.b) && (c.normal == direction || c.normal == -direction);
    corners.iter().filter(is_along).count()
}

fn is_of(pair: &PairTruth, c: &ContactBetween) -> bool {
    (c.a, c.b) == (pair.a, pair.b) || (c.b, c.a) == (pair.a, pair.b)
}

fn matches(contact: &Contact, direction: DVec3) -> bool {
    (contact.normal.dot(direction).abs() - 1.0).abs() < Matching::default().tolerance
}

/// The first contact that no normal of the start matches, for people.
fn first_wrong(scene: &Scene, found: &Found) -> String {
    let is_wrong = |c: &&ContactBetween| {
        let expected = scene.truth.of(c.a, c.b).map(|pair| pair.normals.clone()).unwrap_or_default();
        !expected.into_iter().any(|e| matches(&c.contact, e))
    };
    found.contacts.iter().find(is_wrong).map_or_else(String::new, |c| {
        let Contact { position, normal, gap, feature_a, feature_b } = c.contact;
        format!(", for example n = {normal:.4} at {position:.4}, gap {gap:.2e}, {feature_a:?} and {feature_b:?}")
    })
}
