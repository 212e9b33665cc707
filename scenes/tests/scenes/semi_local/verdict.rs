//! Contacts against the truth of a scene.

use drystone_contact::Contact;
use drystone_engine::{ContactBetween, Pose};
use drystone_scenes::contact_region::{RegionCorner, RegionSettings, corners, region_corners};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene::Scene;
use drystone_scenes::truth::{ExpectedNormal, PairTruth, Truth};
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

/// Whether every contact lies at a corner of a contact region of its pair, seen along the normal, which points from A to B.
pub fn at_the_corners(scene: &Scene, found: &Found, settings: &RegionSettings) -> Result<(), String> {
    // Positions that differ by less are one, m: some rounding errors of single precision.
    const SAME: f64 = 1e-5;
    let corners = region_corners(scene, &scene.truth, &found.poses, settings);
    let is_at = |c: &ContactBetween, corner: &RegionCorner| {
        let offset = c.contact.position - corner.position;
        let is_from_a_to_b = c.contact.normal.dot(corner.normal) > 0.0;
        (corner.a, corner.b) == (c.a, c.b) && is_from_a_to_b && offset.reject_from(corner.normal).length() < SAME
    };
    match found.contacts.iter().find(|c| !corners.iter().any(|corner| is_at(c, corner))) {
        Some(c) => Err(format!("a contact at {:.6} is at no corner of a region with its normal", c.contact.position)),
        None => Ok(()),
    }
}

/// Whether the contacts are what the pose needs: every contact has an expected normal, and along each expected normal there
/// are as many as its contact region has corners.
///
/// An expected normal is that of a facet, of one of the bodies or of both, and turns with it.
pub fn as_the_pose_needs(scene: &Scene, found: &Found, settings: &RegionSettings) -> Result<(), String> {
    let mut problems = Vec::new();
    let counts = counts(scene, found);
    let regions = regions(scene, found, settings);
    for (pair, counts) in scene.truth.pairs.iter().zip(&counts.along) {
        for (normal, &count) in pair.directions().zip(counts) {
            let directions = turned(scene, &found.poses, pair, normal);
            let needed: Vec<usize> = directions.iter().map(|&d| corners_along(&regions, pair, d)).collect();
            if !needed.contains(&count) {
                let bodies = format!("{} and {}", pair.a.index(), pair.b.index());
                problems.push(format!("{count} contacts of {bodies} along {normal:.3} instead of {needed:?}"));
            }
        }
    }
    if counts.wrong > 0 {
        problems.push(format!("{} contacts with no expected normal{}", counts.wrong, first_wrong(scene, found)));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

/// How many contacts there are, by what they match.
#[derive(Debug, PartialEq)]
pub struct Counts {
    /// For each pair of the truth and each of its normals.
    pub along: Vec<Vec<usize>>,
    /// Those that match none.
    pub wrong: usize,
}

/// Counts the contacts of a scene.
pub fn counts(scene: &Scene, found: &Found) -> Counts {
    let mut is_wrong = vec![true; found.contacts.len()];
    let mut count = |pair: &PairTruth, normal: DVec3| {
        let directions = turned(scene, &found.poses, pair, normal);
        let mut count = 0;
        for (c, is_wrong) in found.contacts.iter().zip(&mut is_wrong) {
            if is_of(pair, c) && directions.iter().any(|&d| matches(&c.contact, d)) {
                count += 1;
                *is_wrong = false;
            }
        }
        count
    };
    let along = scene.truth.pairs.iter().map(|pair| pair.directions().map(|n| count(pair, n)).collect()).collect();
    Counts { along, wrong: is_wrong.iter().filter(|&&w| w).count() }
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
        if body.shape.surface().unwrap().normals().iter().any(|n| n.cross(in_body).length() < PARALLEL) {
            let direction = poses[id.index()].rotation * in_body;
            if directions.iter().all(|d: &DVec3| d.cross(direction).length() > 1e-12) {
                directions.push(direction);
            }
        }
    }
    if directions.is_empty() { vec![normal] } else { directions }
}

/// The corners of the regions across all directions that an expected normal may have turned to.
fn regions(scene: &Scene, found: &Found, settings: &RegionSettings) -> Vec<RegionCorner> {
    let pair = |pair: &PairTruth| {
        let turned = pair.directions().flat_map(|n| turned(scene, &found.poses, pair, n));
        let normals = turned.map(ExpectedNormal::from).collect();
        PairTruth { normals, ..pair.clone() }
    };
    let truth = Truth { pairs: scene.truth.pairs.iter().map(pair).collect() };
    region_corners(scene, &truth, &found.poses, settings)
}

/// How many of the corners belong to a pair and a direction.
fn corners_along(corners: &[RegionCorner], pair: &PairTruth, direction: DVec3) -> usize {
    // The corners carry the very directions that were asked for, in either sense.
    let is_along =
        |c: &&RegionCorner| (c.a, c.b) == (pair.a, pair.b) && (c.normal == direction || c.normal == -direction);
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
        let mut expected = scene.truth.of(c.a, c.b).into_iter().flat_map(PairTruth::directions);
        !expected.any(|e| matches(&c.contact, e))
    };
    found.contacts.iter().find(is_wrong).map_or_else(String::new, |c| {
        let Contact { position, normal, gap, feature_a, feature_b } = c.contact;
        format!(", for example n = {normal:.4} at {position:.4}, gap {gap:.2e}, {feature_a:?} and {feature_b:?}")
    })
}
