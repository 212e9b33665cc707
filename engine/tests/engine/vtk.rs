//! The files for ParaView, read back by an XML reader.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use drystone_engine::solver::contact_problem::tangents;
use drystone_engine::vtk::Export;
use drystone_engine::{Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};
use roxmltree::{Document, Node};

fn world() -> World {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::isotropic(0.6))).unwrap();
    let ground = Solid::cuboid(DVec3::new(9.0, 1.0, 9.0), 1000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let block = Solid::cuboid(DVec3::new(1.0, 2.0, 3.0), 1000.0).unwrap();
    let pose = Pose::from_parts(DVec3::new(0.1, 0.999, 0.2), DQuat::from_rotation_y(0.3));
    let block = world.add(block.dynamic(stone, pose).unwrap()).unwrap();
    let body = world.body_mut(block).unwrap();
    (body.velocity, body.angular_velocity) = (DVec3::new(0.4, -0.1, 0.0), DVec3::new(0.0, 0.7, 0.1));
    world
}

fn element<'a>(document: &'a Document, name: &str) -> Node<'a, 'a> {
    document.descendants().find(|node| node.has_tag_name(name)).unwrap()
}

/// The numbers of an array of a section, as bytes, after a look at its declared type and length.
fn bytes(document: &Document, section: &str, array: &str, kind: &str, components: &str) -> Vec<u8> {
    let array = element(document, section).children().find(|node| node.attribute("Name") == Some(array)).unwrap();
    assert_eq!(array.attribute("type"), Some(kind));
    assert_eq!(array.attribute("NumberOfComponents"), Some(components));
    assert_eq!(array.attribute("format"), Some("binary"));
    let bytes = STANDARD.decode(array.text().unwrap().trim()).unwrap();
    let (length, numbers) = bytes.split_at(4);
    assert_eq!(u32::from_le_bytes(length.try_into().unwrap()) as usize, numbers.len());
    numbers.to_vec()
}

fn reals(document: &Document, section: &str, array: &str, components: &str) -> Vec<f64> {
    let bytes = bytes(document, section, array, "Float64", components);
    bytes.chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

fn vectors(document: &Document, section: &str, array: &str) -> Vec<DVec3> {
    reals(document, section, array, "3").chunks(3).map(DVec3::from_slice).collect()
}

fn numbers(document: &Document, section: &str, array: &str) -> Vec<i32> {
    let bytes = bytes(document, section, array, "Int32", "1");
    bytes.chunks(4).map(|chunk| i32::from_le_bytes(chunk.try_into().unwrap())).collect()
}

fn read(folder: &Path, name: &str) -> String {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    assert!(root.has_tag_name("VTKFile"));
    if name.ends_with(".vtp") {
        assert_eq!(root.attribute("type"), Some("PolyData"));
        assert_eq!(root.attribute("byte_order"), Some("LittleEndian"));
        assert_eq!(root.attribute("header_type"), Some("UInt32"));
    }
    text
}

#[test]
fn files_hold_what_the_world_holds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("not there yet");
    let mut world = world();
    let mut export = Export::new(&folder).unwrap();
    export.bodies(&world).unwrap();
    let report = world.step().unwrap();
    assert!(report.contacts.len() >= 3);
    export.step(&world, &report).unwrap();
    export.finish().unwrap();

    let text = read(&folder, "bodies_000001.vtp");
    let bodies = Document::parse(&text).unwrap();
    let points = vectors(&bodies, "Points", "Points");
    let velocities = vectors(&bodies, "PointData", "velocity");
    let (mut point, mut cell) = (0, 0);
    let corners = numbers(&bodies, "Polys", "connectivity");
    assert_eq!(numbers(&bodies, "Polys", "offsets"), (1..=24).map(|k| 3 * k).collect::<Vec<_>>());
    for (number, &handle) in world.handles().iter().enumerate() {
        let (body, surface) = (world.body(handle).unwrap(), world.shape(handle).unwrap().surface().unwrap());
        let first = point;
        for &vertex in surface.vertices() {
            let place = body.pose().transform_point(vertex);
            assert_eq!(points[point], place);
            assert_eq!(velocities[point], body.velocity + body.angular_velocity.cross(place - body.position));
            point += 1;
        }
        for triangle in surface.triangles() {
            assert_eq!(corners[3 * cell..][..3], triangle.map(|v| (first + v as usize) as i32));
            assert_eq!(numbers(&bodies, "CellData", "body")[cell], number as i32);
            assert_eq!(vectors(&bodies, "CellData", "linear_velocity")[cell], body.velocity);
            assert_eq!(vectors(&bodies, "CellData", "angular_velocity")[cell], body.angular_velocity);
            cell += 1;
        }
    }
    let piece = element(&bodies, "Piece");
    assert_eq!(piece.attribute("NumberOfPoints"), Some(point.to_string().as_str()));
    assert_eq!(piece.attribute("NumberOfPolys"), Some(cell.to_string().as_str()));
    assert_eq!((points.len(), corners.len()), (point, 3 * cell));

    let text = read(&folder, "contacts_000001.vtp");
    let contacts = Document::parse(&text).unwrap();
    let count = report.contacts.len();
    assert_eq!(element(&contacts, "Piece").attribute("NumberOfVerts"), Some(count.to_string().as_str()));
    assert_eq!(numbers(&contacts, "Verts", "connectivity"), (0..count as i32).collect::<Vec<_>>());
    assert_eq!(numbers(&contacts, "Verts", "offsets"), (1..=count as i32).collect::<Vec<_>>());
    let data = |array| vectors(&contacts, "PointData", array);
    let scalars = |array| reals(&contacts, "PointData", array, "1");
    for (k, (between, impulse)) in report.contacts.iter().zip(&report.impulses).enumerate() {
        let contact = between.contact;
        assert_eq!(vectors(&contacts, "Points", "Points")[k], contact.position);
        assert_eq!((data("normal")[k], scalars("gap")[k]), (contact.normal, contact.gap));
        assert_eq!(numbers(&contacts, "PointData", "body_a")[k], between.a.index() as i32);
        assert_eq!(numbers(&contacts, "PointData", "body_b")[k], between.b.index() as i32);
        assert_eq!((scalars("normal_force")[k], scalars("torsion")[k]), (impulse[0] / 0.01, impulse[3] / 0.01));
        let [s, t] = tangents(contact.normal);
        let force = (contact.normal * impulse[0] + s * impulse[1] + t * impulse[2]) / 0.01;
        assert_eq!(data("force")[k], force);
    }
    // The block is pushed up.
    let up: f64 = data("force").iter().map(|force| force.y).sum();
    assert!(up > 0.0);
}

#[test]
fn collections_name_files_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    let mut export = Export::new(folder.path()).unwrap();
    export.bodies(&world).unwrap();
    for _ in 0..3 {
        let report = world.step().unwrap();
        export.step(&world, &report).unwrap();
    }
    export.finish().unwrap();
    for (collection, times) in [("bodies.pvd", vec![0.0, 0.01, 0.02, 0.03]), ("contacts.pvd", vec![0.01, 0.02, 0.03])] {
        let text = read(folder.path(), collection);
        let document = Document::parse(&text).unwrap();
        let sets: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("DataSet")).collect();
        assert_eq!(sets.len(), times.len());
        for (set, time) in sets.iter().zip(times) {
            assert!((set.attribute("timestep").unwrap().parse::<f64>().unwrap() - time).abs() < 1e-12);
            read(folder.path(), set.attribute("file").unwrap());
        }
    }
    assert!(Export::new(folder.path().join("bodies.pvd")).is_err());
    let parts = fs::read_dir(folder.path())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "part"));
    assert_eq!(parts.count(), 0);
}
