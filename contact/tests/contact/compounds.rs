//! A compound has the contacts of the polyhedron that its parts make up.

use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed};
use drystone_contact::shape::{
    Ball, Compound, CompoundPart, HalfSpace, HeightField, Shape, ShapeError, Surface, TetrahedralizationSettings,
};
use drystone_contact::{Contact, Feature, Pose, Twist};
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

fn polyhedron(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Shape {
    let surface = Surface::new(vertices, triangles).unwrap();
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap()
}

fn cuboid(low: DVec3, high: DVec3) -> Shape {
    let corner = |i: u32| low + DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * (high - low);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    polyhedron((0..8).map(corner).collect(), triangles)
}

/// An L of unit thickness with legs of 2 m, as one surface.
fn letter() -> Shape {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let corner = |z: f64| outline.map(|(x, y)| DVec3::new(x, y, z));
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4]];
    triangles.extend([[6, 7, 8], [6, 8, 9], [6, 9, 11], [9, 10, 11]]);
    triangles.extend((0..6).flat_map(|k| {
        let next = (k + 1) % 6;
        [[k, next, next + 6], [k, next + 6, k + 6]]
    }));
    polyhedron([corner(0.0), corner(1.0)].concat(), triangles)
}

/// The same as two boxes in frames of their own.
fn boxes() -> Shape {
    let part = |low: DVec3, high: DVec3, pose: Pose| CompoundPart {
        shape: Arc::new(cuboid(low, high).in_frame(&pose).unwrap()),
        pose,
    };
    let turned = Pose::from_parts(DVec3::new(0.3, 0.2, -0.4), DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
    let parts = [
        part(DVec3::ZERO, DVec3::new(2.0, 1.0, 1.0), Pose::IDENTITY),
        part(DVec3::Y, DVec3::new(1.0, 2.0, 1.0), turned),
    ];
    Compound::new(parts).unwrap().into()
}

fn contacts(a: (&Shape, Pose), b: (&Shape, Pose)) -> Vec<Contact> {
    let placed = |(shape, pose)| Placed { shape, pose, twist: Twist::default() };
    SemiLocal::default().contacts(&placed(a), &placed(b)).unwrap()
}

/// Positions may differ by a length, m: a part does not know where another one begins.
fn assert_same(own: &[Contact], other: &[Contact], length: f64, what: &str) {
    assert!(!own.is_empty(), "{what}");
    assert_eq!(own.len(), other.len(), "{what}: {own:?}\n{other:?}");
    for c in own {
        let is_it = |d: &Contact| {
            c.position.distance(d.position) <= length
                && c.normal.distance(d.normal) < 1e-9
                && (c.gap - d.gap).abs() < 1e-9
        };
        assert!(other.iter().any(is_it), "{what}: {c:?} is not among {other:?}");
    }
}

#[test]
fn two_boxes_lie_on_a_plane_and_fill_a_notch_as_the_letter() {
    let (letter, boxes) = (letter(), boxes());
    let plane = Shape::from(HalfSpace);
    let flat = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    for (name, pose) in [
        ("on its long side", Pose::from_translation(DVec3::Y * 1e-3)),
        ("on its face", Pose::from_parts(DVec3::Y * -1e-3, flat)),
        ("on its tips", Pose::from_parts(DVec3::Y * 2.1213203, DQuat::from_rotation_z(-0.75 * std::f64::consts::PI))),
    ] {
        let [one, other] = [&letter, &boxes].map(|shape| contacts((&plane, Pose::IDENTITY), (shape, pose)));
        assert_same(&one, &other, if name.contains("deep") { 6e-3 } else { 1e-9 }, name);
    }
    // A block in the notch touches both legs; a block on top of the short one, or under both.
    let block = cuboid(DVec3::ZERO, DVec3::new(0.5, 0.5, 0.6));
    for (name, at) in [
        ("in the notch", DVec3::new(1.0, 1.0, 0.2)),
        ("a little deep in the notch", DVec3::new(0.995, 0.996, 0.2)),
        ("on top", DVec3::new(0.25, 2.0, 0.2)),
        ("beside the seam", DVec3::new(-0.5, 0.8, 0.2)),
        ("below", DVec3::new(0.7, -0.499, 0.2)),
    ] {
        let pose = Pose::from_translation(at);
        let [one, other] = [&letter, &boxes].map(|shape| contacts((shape, Pose::IDENTITY), (&block, pose)));
        assert_same(&one, &other, if name.contains("deep") { 6e-3 } else { 1e-9 }, name);
        let [one, other] = [&letter, &boxes].map(|shape| contacts((&block, pose), (shape, Pose::IDENTITY)));
        assert_same(&one, &other, if name.contains("deep") { 6e-3 } else { 1e-9 }, name);
    }
    // On a height field.
    let field = Shape::from(HeightField::from_fn(30, 30, [0.2, 0.2], |_, _| 0.0).unwrap());
    let pose = Pose::from_translation(DVec3::new(1.03, 0.0, 1.07));
    let [one, other] = [&letter, &boxes].map(|shape| contacts((&field, Pose::IDENTITY), (shape, pose)));
    assert_same(&one, &other, 1e-9, "on a field");
}

#[test]
fn features_name_their_part_and_come_back() {
    let Shape::Compound(compound) = boxes() else { panic!("a compound") };
    let mut known = BTreeSet::new();
    for part in 0..2 {
        for feature in (0..6).map(Feature::Facet).chain((0..12).map(Feature::FacetEdge)) {
            let there = compound.feature(part, feature);
            assert!(known.insert(there), "{there:?} is of two parts");
            assert_eq!(compound.feature_of_part(part, there), Some(feature));
            assert_eq!(compound.feature_of_part(1 - part, there), None);
        }
    }
}

#[test]
fn compounds_of_compounds_are_flat_and_what_cannot_be_a_part_is_refused() {
    let part = |shape: Shape| CompoundPart { shape: Arc::new(shape), pose: Pose::from_translation(DVec3::X) };
    let nested = Compound::new([part(boxes()), part(Ball::new(0.5).unwrap().into())]).unwrap();
    assert_eq!(nested.parts().len(), 3);
    assert!(nested.parts().iter().all(|part| part.shape.as_compound().is_none()));
    assert!(matches!(Compound::new([]), Err(ShapeError::EmptyCompound)));
    let field = HeightField::from_fn(2, 2, [1.0, 1.0], |_, _| 0.0).unwrap();
    for (shape, why) in [(Shape::from(HalfSpace), "it has no end"), (field.into(), "only polyhedra and primitives")] {
        let kind = shape.kind();
        let error = Compound::new([part(Ball::new(1.0).unwrap().into()), part(shape)]).unwrap_err().to_string();
        assert!(error.contains(&format!("part 1 of a compound, a {kind}")) && error.contains(why), "{error}");
    }
}
