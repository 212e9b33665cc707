//! Impacts of moving solids: no motion leads into an overlap before the impact that was found, measured by the
//! intersection of the surfaces at many times.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use drystone_contact::contact::Contact;
use drystone_contact::generator::impact::{Motion, allowed_depth};
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, GeneratorError, Placed, Workspace};
use drystone_contact::shape::Shape;
use drystone_contact::{Pose, Twist, overlap};
use glam::{DQuat, DVec3};

use super::random::Random;
use super::solids;

fn motion<'s>(a: &'s Shape, b: &'s Shape, pose: Pose, twist: Twist, duration: f64) -> Motion<'s> {
    let still = Placed { shape: a, pose: Pose::IDENTITY, twist: Twist::default() };
    Motion { placed: [still, Placed { shape: b, pose, twist }], duration, allowed: allowed_depth(a, b) }
}

/// Solids thrown at each other from random sides, spinning by up to a turn.
#[test]
fn no_motion_leads_into_an_overlap_before_its_impact() {
    let (mut impacts, mut deep) = (0, std::collections::BTreeSet::new());
    for number in 0..400 {
        let mut random = Random::new(number);
        let (a, b) = (solids::any(&mut random), solids::any(&mut random));
        let reach = a.radius() + b.radius();
        let from = random.direction() * (1.05 * reach);
        let aim = random.direction() * (0.7 * reach * random.share());
        let turn = DQuat::from_scaled_axis(random.direction() * (3.0 * random.share()));
        let twist = Twist { linear: (aim - from) * 1.5, angular: random.direction() * (6.0 * random.share()) };
        let motion = motion(&a, &b, Pose::from_parts(from, turn), twist, 1.0);
        let impact = motion.first_impact(&SemiLocal::default(), &[], &mut Workspace::default()).unwrap();
        let until = impact.as_ref().map_or(motion.duration, |impact| impact.time);
        impacts += usize::from(impact.is_some());
        let thickness = a.thickness().min(b.thickness());
        for k in 0..=60 {
            let [p, q] = motion.poses(until * f64::from(k) / 60.0);
            let depth = overlap::depth(&a, &b, &(p.inverse() * q)).unwrap();
            // A motion may graze corners on its way if it ends no deeper than is allowed.
            if impact.is_some() || k == 60 {
                assert!(depth < 0.25 * thickness, "pair {number} at {k}/60 of {until} s: {depth} m of {thickness} m");
                if depth > 0.1 * thickness {
                    deep.insert(number);
                }
            }
        }
    }
    // Corners of which a jagged solid's features know nothing, until others meet.
    assert!(impacts > 100 && deep.len() <= 1, "{impacts} {deep:?}");
}

/// Two globes of one metre that meet at their equators, where the edges of both are parallel, their facets being smaller than the depth that is
/// allowed: a direction along the surfaces keeps no two facets apart.
#[test]
fn globes_meet_at_their_equators() {
    let globe = |rings: u32, segments: u32| {
        let point = |ring: u32, segment: u32| {
            let (sin, cos) = libm::sincos(std::f64::consts::PI * f64::from(ring) / f64::from(rings));
            let turn = std::f64::consts::TAU * (f64::from(segment) + 0.5) / f64::from(segments);
            DVec3::new(sin * libm::cos(turn), cos, sin * libm::sin(turn))
        };
        let mut vertices = vec![DVec3::Y, DVec3::NEG_Y];
        vertices.extend((1..rings).flat_map(|ring| (0..segments).map(move |segment| point(ring, segment))));
        let number = |ring: u32, segment: u32| match ring {
            0 => 0,
            ring if ring == rings => 1,
            ring => 2 + (ring - 1) * segments + segment % segments,
        };
        let quad = |ring: u32, segment: u32| {
            let [a, b] = [0, 1].map(|k| number(ring, segment + k));
            let [c, d] = [1, 0].map(|k| number(ring + 1, segment + k));
            [[a, b, c], [a, c, d]].into_iter().filter(|[p, q, r]| p != q && q != r && r != p)
        };
        let triangles = (0..rings).flat_map(|ring| (0..segments).flat_map(move |segment| quad(ring, segment)));
        solids::filled(&drystone_contact::shape::Surface::new(vertices, triangles.collect()).unwrap()).unwrap()
    };
    let ball = globe(24, 48);
    let twist = Twist { linear: DVec3::NEG_X * 0.33, angular: DVec3::ZERO };
    let motion = motion(&ball, &ball, Pose::from_translation(DVec3::X * 2.03), twist, 1.0);
    for allowed in [0.002, 0.02, 0.1] {
        let motion = Motion { allowed, ..motion };
        let impact = motion.first_impact(&SemiLocal::default(), &[], &mut Workspace::default()).unwrap();
        assert!(impact.is_some_and(|impact| impact.time < 0.5), "{allowed} m allowed");
    }
}

fn block(sides: DVec3) -> Shape {
    let corner = |i: u32| sides * (DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 0.5);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    solids::filled(&drystone_contact::shape::Surface::new((0..8).map(corner).collect(), triangles).unwrap()).unwrap()
}

/// A cube that flies through a plate within a step meets it when its face does, and its contacts close at the end.
#[test]
fn a_cube_meets_a_plate_when_its_face_does() {
    let (plate, cube) = (block(DVec3::new(4.0, 0.01, 4.0)), block(DVec3::splat(0.1)));
    let twist = Twist { linear: DVec3::NEG_Y * 50.0, angular: DVec3::ZERO };
    let motion = motion(&plate, &cube, Pose::from_translation(DVec3::Y * 0.5), twist, 0.02);
    let impact = motion.first_impact(&SemiLocal::default(), &[], &mut Workspace::default()).unwrap().unwrap();
    let expected = (0.5 - 0.05 - 0.005) / 50.0;
    assert!((impact.time - expected).abs() * 50.0 < 2.0 * allowed_depth(&plate, &cube), "{} {expected}", impact.time);
    let now = impact.contacts_now(&motion);
    assert_eq!(now.len(), 4);
    for contact in &now {
        assert!(contact.normal.distance(DVec3::Y) < 1e-12 && (contact.gap - 0.445).abs() < 1e-9, "{contact:?}");
    }
    // They hold the cube: no further impact with them.
    let again = motion.first_impact(&SemiLocal::default(), &impact.contacts, &mut Workspace::default()).unwrap();
    assert!(again.is_none_or(|other| other.time > impact.time));
}

/// A generator that takes long and never finds anything.
#[derive(Default)]
struct Slow(AtomicUsize);

impl Generator for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn prepare(&self, _: &Shape) -> Result<(), GeneratorError> {
        Ok(())
    }

    fn contacts(&self, _: &Placed<'_>, _: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        self.0.fetch_add(1, Relaxed);
        Ok(Vec::new())
    }

    fn margin(&self, _: &Shape) -> f64 {
        0.0
    }

    fn most_looks_on_the_way(&self, _: &Shape, _: &Shape) -> usize {
        5
    }
}

#[test]
fn a_generator_that_takes_long_is_asked_no_more_often_than_it_says() {
    let cube = block(DVec3::ONE);
    // Through the whole of another cube, turning: no plane keeps them apart.
    let twist = Twist { linear: DVec3::NEG_Y * 50.0, angular: DVec3::new(3.0, 20.0, 7.0) };
    let motion = motion(&cube, &cube, Pose::from_translation(DVec3::Y * 0.9), twist, 0.04);
    let slow = Slow::default();
    let impact = motion.first_impact(&slow, &[], &mut Workspace::default()).unwrap().unwrap();
    assert_eq!(slow.0.load(Relaxed), 5);
    assert!(impact.contacts.is_empty() && impact.time < 0.5 * motion.duration, "{impact:?}");
}
