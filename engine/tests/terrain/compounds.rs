//! A compound moves as the polyhedron that it fills.

use super::workbench::{at, world};
use drystone_contact::shape::{HalfSpace, Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{NewBody, Pose, Solid};
use glam::{DQuat, DVec3};

/// An L of unit thickness with legs of 2 m, as one surface.
fn letter() -> Shape {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let corner = |z: f64| outline.map(|(x, y)| DVec3::new(x, y, z));
    let vertices = [corner(0.0), corner(1.0)].concat();
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4]];
    triangles.extend([[6, 7, 8], [6, 8, 9], [6, 9, 11], [9, 10, 11]]);
    triangles.extend((0..6).flat_map(|k| {
        let next = (k + 1) % 6;
        [[k, next, next + 6], [k, next + 6, k + 6]]
    }));
    Shape::from_surface(&Surface::new(vertices, triangles).unwrap(), &TetrahedralizationSettings::default()).unwrap()
}

/// The same as two boxes.
fn boxes() -> [(Shape, Pose); 2] {
    let cuboid = |sides: DVec3| Solid::cuboid(sides, 1.0).unwrap();
    let (long, short) = (cuboid(DVec3::new(2.0, 1.0, 1.0)), cuboid(DVec3::ONE));
    let place = |solid: &Solid, x: f64, y: f64| (solid.shape.as_ref().clone(), at(x, y, 0.5) * solid.frame.inverse());
    [place(&long, 1.0, 0.5), place(&short, 0.5, 1.5)]
}

#[test]
fn two_boxes_have_the_mass_of_the_letter_that_they_are() {
    let (one, other) = (Solid::new(&letter(), 700.0).unwrap(), Solid::compound(boxes(), 700.0).unwrap());
    assert!((one.mass - other.mass).abs() < 1e-9);
    assert!((one.moments - other.moments).length() < 1e-9 * one.moments.length());
    assert!(one.frame.translation.distance(other.frame.translation) < 1e-12);
}

/// A corner hits the ground first: which of two contacts that come at once is solved first depends on the shape.
#[test]
fn two_boxes_fall_and_tumble_as_the_letter() {
    let run = |solid: &Solid| {
        let (mut world, stuff) = world(0.5, 0.01);
        world.add(NewBody::fixed(HalfSpace, stuff, Pose::IDENTITY).unwrap()).unwrap();
        let pose = Pose::from_parts(DVec3::Y * 2.0, DQuat::from_rotation_z(0.45) * DQuat::from_rotation_x(0.3));
        let body = world.add(solid.dynamic(stuff, pose).unwrap()).unwrap();
        let step = |_| {
            let touches = !world.step().unwrap().contacts.is_empty();
            let body = world.body(body).unwrap();
            ((body.pose() * solid.frame.inverse()).translation, body.velocity.length(), touches)
        };
        (0..300).map(step).collect::<Vec<_>>()
    };
    let letter = run(&Solid::new(&letter(), 700.0).unwrap());
    let boxes = run(&Solid::compound(boxes(), 700.0).unwrap());
    let off = |k: usize| letter[k].0.distance(boxes[k].0);
    let (tumbled, touched) = (off(89), letter[..90].iter().filter(|(.., touches)| *touches).count());
    let ([(_, speed, _), (_, other_speed, _)], end) = ([letter[299], boxes[299]], off(299));
    println!(
        "they are {tumbled:.1e} m apart after 0.9 s, {touched} steps of contact; {end:.1e} m in the end, at {speed:.1e} and {other_speed:.1e} m/s"
    );
    assert!(touched > 15 && tumbled < 1e-9, "{touched} {tumbled}");
    assert!(speed < 1e-2 && other_speed < 1e-2 && end < 0.05, "{speed} {other_speed} {end}");
}

#[test]
fn a_box_slides_over_the_seams_of_a_compound() {
    let tile = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
    let tiles = (0..36).map(|k| {
        let (x, z) = (f64::from(k % 6), f64::from(k / 6));
        (tile.shape.as_ref().clone(), at(x, -0.5, z) * tile.frame.inverse())
    });
    let floor = Solid::compound(tiles, 1.0).unwrap();
    let slider = Solid::cuboid(DVec3::new(0.7, 0.4, 0.6), 1000.0).unwrap();
    let (mut world, stuff) = world(0.0, 0.01);
    world.add(floor.fixed(stuff, Pose::IDENTITY).unwrap()).unwrap();
    let body = world.add(slider.dynamic(stuff, at(0.5, 0.2, 0.6)).unwrap()).unwrap();
    let velocity = DVec3::new(1.2, 0.0, 1.0);
    world.body_mut(body).unwrap().velocity = velocity;
    let (mut kinetic, mut change, mut angle) = (0.0, 0.0_f64, 0.0_f64);
    for step in 0..300 {
        let report = world.step().unwrap();
        let off = report.contacts.iter().map(|c| c.contact.normal.cross(DVec3::Y).length());
        angle = off.fold(angle, f64::max);
        let now = world.body(body).unwrap().kinetic_energy();
        // Until it has settled in its contacts.
        if step < 60 {
            kinetic = now;
        }
        change = change.max((now - kinetic).abs() / kinetic);
    }
    println!("kinetic energy changes by {change:.1e}, normals are off by {angle:.1e}");
    assert!(world.body(body).unwrap().position.distance(DVec3::new(4.1, 0.2, 3.6)) < 1e-2);
    // It comes to lie askew by 20 µrad when it is set down, as on one large box.
    assert!(change < 1e-3 && angle < 1e-4, "{change:e} {angle:e}");
}
