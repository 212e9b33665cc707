//! What the contacts of a pair have to do with those of the same pair said differently.

use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed, Workspace};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Pose, Twist};
use glam::DVec3;

use super::invariants::Broken;
use super::pair::{self, Pair};
use super::random::Random;
use super::{run, solids};

/// How far the contacts of one list are from those of the other, as a share of the thickness: the larger of the distances of
/// positions, gaps and (times the thickness) normals of the nearest ones; none if one list is longer.
fn difference(list: &[Contact], other: &[Contact], thickness: f64) -> Option<f64> {
    let between = |c: &Contact, d: &Contact| {
        let lengths = c.position.distance(d.position).max((c.gap - d.gap).abs()) / thickness;
        lengths.max(c.normal.distance(d.normal))
    };
    let nearest = |c: &Contact, all: &[Contact]| all.iter().map(|d| between(c, d)).fold(f64::INFINITY, f64::min);
    let worst = |list: &[Contact], other: &[Contact]| list.iter().map(|c| nearest(c, other)).fold(0.0, f64::max);
    (list.len() == other.len()).then(|| worst(list, other).max(worst(other, list)))
}

fn compare(
    name: &'static str,
    list: &[Contact],
    other: &[Contact],
    thickness: f64,
    tolerance: f64,
    broken: &mut Vec<Broken>,
) {
    match difference(list, other, thickness) {
        Some(off) if off <= tolerance => (),
        Some(off) => broken.push((name, off)),
        None => broken.push((name, f64::INFINITY)),
    }
}

fn map(
    contacts: &[Contact],
    position: impl Fn(DVec3) -> DVec3,
    normal: impl Fn(DVec3) -> DVec3,
    scale: f64,
) -> Vec<Contact> {
    let one =
        |c: &Contact| Contact { position: position(c.position), normal: normal(c.normal), gap: c.gap * scale, ..*c };
    contacts.iter().map(one).collect()
}

/// Rounding, as a share of the thickness, of solids up to a few hundred times as long as they are thick.
const ROUNDING: f64 = 1e-8;

/// Points that coincide within twice the length `same` may stand for each other, as a share of the thickness.
const MERGED: f64 = 3e-4;

fn check(pair: &Pair<'_>, random: &mut Random, tolerance: f64, broken: &mut Vec<Broken>) {
    let (contacts, thickness) = (pair.contacts(), pair.lengths().thickness);
    let swapped = map(&pair.swapped().contacts(), |p| p, |n| -n, 1.0);
    compare("swapped", &contacts, &swapped, thickness, tolerance, broken);
    let by = Pose::from_parts(random.point() * 10.0, random.rotation());
    let moved = pair.moved(&by).contacts();
    let expected = map(&contacts, |p| by.transform_point(p), |n| by.rotation * n, 1.0);
    compare("moved", &expected, &moved, thickness, tolerance, broken);
}

fn check_variants(pair: &Pair<'_>, variants: &Variants, tolerance: f64, broken: &mut Vec<Broken>) {
    let (contacts, thickness) = (pair.contacts(), pair.lengths().thickness);
    let mut other = pair.clone();
    other.shapes = [&variants.scaled[0], &variants.scaled[1]];
    let s = variants.factor;
    other.poses.iter_mut().for_each(|p| p.translation *= s);
    other.twists = pair.twists.map(|t| Twist { linear: t.linear * s, ..t });
    compare("scaled", &map(&contacts, |p| p * s, |n| n, s), &other.contacts(), thickness * s, tolerance, broken);
    let mut other = pair.clone();
    other.shapes = [&variants.split[0], &variants.split[1]];
    compare("split", &contacts, &other.contacts(), thickness, tolerance, broken);
}

/// The solids of a pair in other sizes and with other triangles.
struct Variants {
    factor: f64,
    scaled: [Shape; 2],
    split: [Shape; 2],
}

impl Variants {
    fn new(shapes: &[Shape; 2], random: &mut Random) -> Option<Self> {
        let factor = random.magnitude(1e-3, 1e3);
        let scaled = [solids::scaled(&shapes[0], factor)?, solids::scaled(&shapes[1], factor)?];
        let split = [solids::split(&shapes[0], random, 6)?, solids::split(&shapes[1], random, 6)?];
        Some(Self { factor, scaled, split })
    }
}

const POSES: u64 = 20;

fn examine(
    count: u64,
    solid: fn(&mut Random) -> Shape,
    place: impl for<'s> Fn([&'s Shape; 2], &mut Random) -> Pair<'s> + Sync,
    tolerance: f64,
    known: &[run::Known],
) {
    run::all_but(known, count / POSES, POSES, |seed, broken| {
        let mut random = Random::new(seed);
        let shapes = [solid(&mut random), solid(&mut random)];
        let variants = Variants::new(&shapes, &mut random);
        let mut workspace = Workspace::default();
        for _ in 0..POSES {
            let pair = place([&shapes[0], &shapes[1]], &mut random);
            check(&pair, &mut random, tolerance, broken);
            if let Some(variants) = &variants {
                check_variants(&pair, variants, tolerance, broken);
            }
            let [a, b] = [0, 1].map(|i| Placed { shape: pair.shapes[i], pose: pair.poses[i], twist: pair.twists[i] });
            let mut again = Vec::new();
            SemiLocal::default().contacts_into(&a, &b, &[], &mut workspace, &mut again).unwrap();
            if again != pair.contacts() {
                broken.push(("used workspace", 0.0));
            }
        }
    });
}

/// Pairs of each test in the whole tier.
fn count() -> u64 {
    crate::cases(20_000).into()
}

#[test]
fn pairs_in_general_position() {
    examine(count(), solids::distinct, pair::shallow, ROUNDING, &[]);
}

#[test]
fn faces_on_faces() {
    examine(count(), solids::distinct, pair::faced, ROUNDING, &[("swapped", 1e-3)]);
}

#[test]
fn on_a_lattice() {
    // Where many edges and faces of both solids fall together, rounding chooses among equals.
    let known = [("swapped", 2e-2), ("moved", 6e-3), ("scaled", 4e-3), ("split", 4e-3)];
    examine(count(), solids::on_lattice, pair::aligned, MERGED, &known);
}
