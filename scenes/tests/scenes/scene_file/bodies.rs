//! The solids, masses and places of bodies.

use drystone_contact::shape::Shape;
use drystone_contact::shape::mesh_file::{self, MeshFile};
use drystone_scenes::scene_file::{Programs, parse, parse_with};
use glam::DVec3;
use proptest::prelude::*;

use super::spoil::{GOOD, cube, folder};

#[test]
fn all_mesh_formats_make_the_same_body() {
    let folder = folder();
    let surface = mesh_file::read(folder.path().join("cube.obj")).unwrap();
    let shape = parse(GOOD, folder.path()).unwrap();
    let solid = Shape::from_surface(
        &drystone_contact::shape::Surface::new(surface.vertices.clone(), surface.triangles.clone()).unwrap(),
        &Default::default(),
    )
    .unwrap();
    let (vertices, tetrahedra) = (
        solid.as_polyhedron().unwrap().mesh().unwrap().vertices().to_vec(),
        solid.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().to_vec(),
    );
    let filled = MeshFile { vertices, tetrahedra, triangles: surface.triangles.clone() };
    mesh_file::write(folder.path().join("cube.stl"), &surface).unwrap();
    mesh_file::write(folder.path().join("cube.msh"), &filled).unwrap();
    mesh_file::write(folder.path().join("cube.node"), &filled).unwrap();
    for (name, fill) in [("cube.stl", true), ("cube.msh", false), ("cube.node", false)] {
        let mut text = GOOD.replace("shape = { file = \"cube.obj\"", &format!("shape = {{ file = \"{name}\""));
        if !fill {
            text = text.replace("eroded =", "# eroded =").replace("fill =", "# fill =");
        }
        let scene = parse(&text, folder.path()).unwrap();
        let (body, expected) = (&scene.bodies[1].body, &shape.bodies[1].body);
        assert!((body.mass() - expected.mass()).abs() < 1e-9, "{name}");
        assert!((body.inertia() - expected.inertia()).length() < 1e-9, "{name}");
        assert!((body.position - expected.position).length() < 1e-12, "{name}");
    }
}

#[test]
fn boxes_and_fills_are_what_they_say() {
    let text = |fill: &str| {
        format!(
            "name = \"b\"\nmaterials = [\"m\"]\n[[body]]\nname = \"b\"\nmaterial = \"m\"\nmass = 6\nshape.box = [1, 2, 3]\n{fill}"
        )
    };
    let body = |fill: &str| parse(&text(fill), "").unwrap().bodies.remove(0);
    let cuboid = body("");
    assert!((cuboid.body.mass() - 6.0).abs() < 1e-12);
    // m/12 (b² + c²) about each axis, ascending.
    assert!((cuboid.body.inertia() - DVec3::new(2.5, 5.0, 6.5)).length() < 1e-12, "{}", cuboid.body.inertia());
    assert_eq!(
        cuboid.shape.as_polyhedron().unwrap().mesh().unwrap().vertices().len(),
        9,
        "eight corners and the kernel point"
    );
    // The surface of a tetrahedron: four tetrahedra around a new vertex, or the one that it is.
    let tetrahedron = |fill: &str| {
        let surface = "shape = { vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \
                       triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }";
        let text = text(fill).replace("shape.box = [1, 2, 3]", surface);
        parse(&text, "").unwrap().bodies[0].shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().len()
    };
    assert_eq!(["", "fill.method = \"cone\"", "fill.method = \"fan\""].map(tetrahedron), [4, 4, 1]);
    let named = text("fill = { method = \"tetgen\", program = \"no-such-tetgen\" }");
    let missing = parse_with(&named, "", Programs::Allowed).unwrap_err();
    assert!(missing.to_string().contains("body \"b\", shape") && missing.to_string().contains("no-such-tetgen"));
}

proptest! {
    /// However a solid is turned and moved into its body frame, in the world it stays where the file puts it.
    #[test]
    fn a_solid_stands_where_the_file_puts_it(
        size in prop::array::uniform3(0.1f64..5.0),
        position in prop::array::uniform3(-10.0f64..10.0),
        axis in prop::array::uniform3(-1.0f64..1.0).prop_filter("a direction", |a| DVec3::from(*a).length() > 0.1),
        degrees in -720.0f64..720.0,
        offset in prop::array::uniform3(-3.0f64..3.0),
        density in 1.0f64..1e4,
    ) {
        // The box as inline corners, off the origin of its frame.
        let corner = |k: usize| DVec3::from(offset) + DVec3::from_array([0, 1, 2].map(|i| size[i] * (k >> i & 1) as f64));
        let vertices: Vec<[f64; 3]> = (0..8).map(|k| corner(k).to_array()).collect();
        let triangles: Vec<[u32; 3]> = mesh_file::parse(cube(0).as_bytes(), mesh_file::Format::Obj).unwrap().triangles;
        let text = format!(
            "name = \"p\"\nmaterials = [\"m\"]\n[[body]]\nname = \"b\"\nmaterial = \"m\"\ndensity = {density:?}\n\
             position = {position:?}\nrotation = {{ axis = {axis:?}, degrees = {degrees:?} }}\n\
             shape = {{ vertices = {vertices:?}, triangles = {triangles:?} }}\n\
             eroded = {{ vertices = {vertices:?}, triangles = {triangles:?} }}\n"
        );
        let body = parse(&text, "").unwrap().bodies.remove(0);
        let mass = density * size.iter().product::<f64>();
        prop_assert!((body.body.mass() / mass - 1.0).abs() < 1e-9);
        // Rodrigues' formula.
        let (axis, angle) = (DVec3::from(axis).normalize(), degrees.to_radians());
        let turned = |v: DVec3| v * angle.cos() + axis.cross(v) * angle.sin() + axis * axis.dot(v) * (1.0 - angle.cos());
        let pose = body.body.pose();
        for shape in [&body.shape, body.shape.as_polyhedron().unwrap().given_eroded().unwrap()] {
            for (k, &vertex) in shape.surface().unwrap().vertices().iter().enumerate() {
                let expected = DVec3::from(position) + turned(corner(k));
                prop_assert!((pose.transform_point(vertex) - expected).length() < 1e-12);
            }
        }
    }
}
