//! A right scene, to be changed and spoilt.

use drystone_contact::generator::methods;
use drystone_contact::shape::Shape;
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::scene_file::{encode, parse};
use glam::DVec3;

use super::same::assert_same;

/// A cube of 1 m on the origin as an OBJ text without its last `missing` triangles.
pub fn cube(missing: usize) -> String {
    let corners = (0..8).map(|k| format!("v {} {} {}\n", k & 1, k >> 1 & 1, k >> 2));
    let triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let faces = triangles[missing..].iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    corners.chain(faces).collect()
}

/// A right scene to spoil, beside `cube.obj`.
pub const GOOD: &str = r#"schema = "drystone.scene/1"
name = "good"
body_count = 2
time_step = 0.01
step = 2
gravity = [0, -9.82, 0]
damping = { linear = 0.01, angular = 0.01 }
friction_model = "ellipsoid"
materials = ["stone", "ice"]

[[interaction]]
between = ["stone", "ice"]
friction = { s = 0.1, t = 0.1, torsion = 0.0 }
restitution = 0.5

[[truth]]
bodies = ["lower", "upper"]
normals = [[0, 1, 0], [0.707, 0.707, 0]]
carriers = ["upper", ""]
minimum = 4

[[published_truth]]
bodies = ["upper", "lower"]
normals = [[1, 0, 0]]
minimum = 1

[[body]]
name = "lower"
material = "stone"
fixed = true
frame = "body"
position = [0, -0.5, 0]
orientation_xyzw = [0, 0, 0, 1]
shape.box = [2, 1, 2]

[[body]]
name = "upper"
material = "ice"
density = 900
rotation = { axis = [0, 2, 0], degrees = 90 }
velocity = [1, 0, 0]
angular_velocity = [0, 1, 0]
shape = { file = "cube.obj", scale = 0.5 }
eroded = { file = "cube.obj", scale = 0.45 }
fill = { method = "automatic", program = "tetgen", quality = 2, maximum_volume = 0.1, timeout = 10 }
"#;

pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cube.obj"), cube(0)).unwrap();
    std::fs::write(folder.path().join("open.obj"), cube(1)).unwrap();
    std::fs::write(folder.path().join("cut.obj"), "v 0 0\n").unwrap();
    folder
}

#[test]
fn the_scene_to_spoil_is_right() {
    let folder = folder();
    let scene = parse(GOOD, folder.path()).unwrap();
    let upper = &scene.bodies[1];
    assert!((upper.body.mass() - 900.0 / 8.0).abs() < 1e-9);
    // The mesh's corner is the origin of its frame; a quarter turn about y takes +x to −z.
    assert!((upper.body.position - DVec3::new(0.25, 0.25, -0.25)).length() < 1e-15, "{}", upper.body.position);
    // Whole and eroded solid share the corner at the origin of the mesh's frame.
    let corner = |shape: &Shape| shape.as_polyhedron().unwrap().mesh().unwrap().vertices()[0];
    let eroded = upper.shape.as_polyhedron().unwrap().given_eroded().unwrap();
    assert!((corner(eroded) - corner(&upper.shape)).length() < 1e-15);
    assert!((eroded.surface().unwrap().volume() - 0.45f64.powi(3)).abs() < 1e-12);
    assert!((scene.truth.pairs[0].normals[1].direction.length() - 1.0).abs() < 1e-15);
    let carriers = scene.truth.pairs[0].normals.iter().map(|n| n.carrier.map(|c| (c.body.index(), c.orientation)));
    assert!(carriers.eq([Some((1, upper.body.orientation)), None]));
    assert_eq!(scene.title, "good");
    // And it is a scene that can be stepped and kept.
    detect(&scene, &methods::volume_sat(), Moment::Step(2)).unwrap();
    assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
}
