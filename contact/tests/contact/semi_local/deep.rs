//! Pairs that are deep in each other, at any pose: they always have a contact that parts them. What is deep is measured by
//! the intersection of the surfaces.

use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Pose, Twist, overlap};
use glam::{DQuat, DVec3};

use super::random::Random;
use super::solids;

/// Pairs of each test.
const PAIRS: u64 = 2000;

fn contacts(a: &Shape, b: &Shape, relative: &Pose) -> Vec<Contact> {
    let at = |shape, pose| Placed { shape, pose, twist: Twist::default() };
    SemiLocal::default().contacts(&at(a, Pose::IDENTITY), &at(b, *relative)).unwrap()
}

/// B at a random orientation, near A along a random direction.
fn placed(a: &Shape, b: &Shape, random: &mut Random) -> Pose {
    let turn = DQuat::from_scaled_axis(random.direction() * (3.0 * random.share()));
    let reach = a.radius() + b.radius();
    Pose::from_parts(random.direction() * (0.3 * reach * random.share()), turn)
}

/// At most `known` pairs may have no such contact: they touch in one place and are deep in another.
fn check(solid: fn(&mut Random) -> Shape, known: usize) {
    let (mut deep, mut broken) = (0, Vec::new());
    for number in 0..PAIRS {
        let mut random = Random::new(number);
        let (a, b) = (solid(&mut random), solid(&mut random));
        let relative = placed(&a, &b, &mut random);
        let thickness = a.thickness().min(b.thickness());
        let depth = overlap::depth(&a, &b, &relative).unwrap();
        let found = contacts(&a, &b, &relative);
        assert!(found.iter().all(|c| c.position.is_finite() && (c.normal.length() - 1.0).abs() < 1e-9), "{number}");
        if depth < 0.05 * thickness {
            continue;
        }
        deep += 1;
        let volume = overlap::volume(&a, &b, &relative).unwrap();
        // Along one of the normals, by no more than its contact asks for, the overlap gets less.
        let parts = found.iter().filter(|c| c.gap < 0.0).any(|c| {
            [0.1, 0.5, 1.0].iter().any(|share| {
                let translation = relative.translation - c.normal * (share * c.gap);
                overlap::volume(&a, &b, &Pose { translation, ..relative }).unwrap() < volume
            })
        });
        if !parts {
            broken.push(format!("pair {number} is {depth} m deep of {thickness} m: {found:#?}"));
        }
    }
    assert!(broken.len() <= known, "{broken:#?}");
    assert!(deep > PAIRS / 20, "{deep} pairs are deep");
}

#[test]
fn any_solids_that_are_deep_have_a_contact_that_parts_them() {
    check(solids::any, 0);
}

#[test]
fn thin_solids_that_are_deep_have_a_contact_that_parts_them() {
    check(solids::thin, 3);
}

/// Two L-shaped plates, 3 cm in each other, whose regions of contact are bent around their middle.
#[test]
fn plates_that_start_deep_have_contacts_all_over() {
    let letter = |height: f64| {
        let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)];
        let vertices: Vec<DVec3> =
            [0.0, height].iter().flat_map(|&y| outline.map(|(x, z)| DVec3::new(x, y, z))).collect();
        let mut triangles: Vec<[u32; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
        triangles.extend(triangles.clone().iter().map(|&[a, b, c]| [a + 6, c + 6, b + 6]));
        triangles.extend((0..6).flat_map(|k| {
            let (p, q) = (k, (k + 1) % 6);
            [[p, p + 6, q + 6], [p, q + 6, q]]
        }));
        let surface = drystone_contact::shape::Surface::new(vertices, triangles).unwrap();
        solids::filled(&surface).unwrap()
    };
    let plate = letter(0.2);
    let found = contacts(&plate, &plate, &Pose::from_translation(DVec3::new(0.03, 0.17, 0.02)));
    let up: Vec<&Contact> = found.iter().filter(|c| c.normal.distance(DVec3::Y) < 1e-6).collect();
    assert!(up.len() >= 4 && up.iter().all(|c| (c.gap + 0.03).abs() < 5e-3), "{found:#?}");
}
