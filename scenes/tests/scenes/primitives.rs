//! Scene files with primitives: they are kept, they come to rest at the right heights, and methods that cannot serve them say so.

use drystone_contact::generator::methods;
use drystone_contact::shape::Shape;
use drystone_scenes::detection::Detector;
use drystone_scenes::scene::SceneBody;
use drystone_scenes::scene_file::{parse, read, write};
use drystone_scenes::simulation::{WorldPreset, world};
use glam::DVec3;

use super::scene_file::same::assert_same;

/// A ball, an ellipsoid on its flattest side, a box, a capsule on its side, a cylinder, a cone and a box with rounded edges, a centimetre above a half-space.
const SCENE: &str = r#"
name = "primitives"
materials = ["stone"]

[[interaction]]
between = ["stone", "stone"]
friction = 0.5

[[body]]
name = "marble"
material = "stone"
density = 2500
position = [0, 0.21, 0]
shape = { primitive = "ball", dimensions = [0.2] }

[[body]]
name = "pebble"
material = "stone"
density = 2500
position = [1, 0.16, 0]
shape = { primitive = "ellipsoid", dimensions = [0.3, 0.15, 0.25] }

[[body]]
name = "crate"
material = "stone"
density = 600
position = [2, 0.26, 0]
shape = { box = [0.4, 0.5, 0.3] }

[[body]]
name = "pill"
material = "stone"
density = 1500
position = [3, 0.11, 0]
rotation = { axis = [1, 0, 0], degrees = 90 }
shape = { primitive = "capsule", dimensions = [0.1, 0.2] }

[[body]]
name = "drum"
material = "stone"
density = 900
position = [4, 0.26, 0]
shape = { primitive = "cylinder", dimensions = [0.2, 0.25] }

[[body]]
name = "hat"
material = "stone"
density = 900
position = [5, 0.11, 0]
shape = { primitive = "cone", dimensions = [0.3, 0.4] }

[[body]]
name = "soap"
material = "stone"
density = 900
position = [6, 0.16, 0]
shape = { primitive = "rounded-box", dimensions = [0.2, 0.1, 0.15, 0.05] }

[[body]]
name = "floor"
material = "stone"
fixed = true
shape = { primitive = "half-space" }
"#;

/// How far from where it should rest a body may be, m.
const TOLERANCE: f64 = 2e-3;

/// The largest speed of a body at rest, m/s; of its spin, rad/s.
const REST: f64 = 1e-2;

#[test]
fn primitives_are_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("primitives.toml");
    let scene = parse(SCENE, "").unwrap();
    write(&scene, &path).unwrap();
    let copy = read(&path).unwrap();
    assert_same(&copy, &scene);
    let kinds = |bodies: &[SceneBody]| bodies.iter().map(|body| body.shape.kind()).collect::<Vec<_>>();
    assert_eq!(
        kinds(&copy.bodies),
        ["ball", "ellipsoid", "polyhedron", "capsule", "cylinder", "cone", "rounded-box", "half-space",]
    );
    write(&copy, folder.path().join("again.toml")).unwrap();
    let texts = ["primitives.toml", "again.toml"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert_eq!(texts[0], texts[1]);
}

/// How high above its support the origin of a body lies, m.
fn support_height(shape: &Shape, down: DVec3) -> f64 {
    match shape {
        Shape::Primitive(primitive) => {
            let core = primitive.core().unwrap();
            core.core.support(down).dot(down) + core.radius
        }
        Shape::Polyhedron(solid) => {
            solid.surface().vertices().iter().map(|v| v.dot(down)).fold(f64::NEG_INFINITY, f64::max)
        }
        _ => unreachable!("no other shape in the scene"),
    }
}

#[test]
fn bodies_come_to_rest_on_a_half_space() {
    let scene = parse(SCENE, "").unwrap();
    let mut world = world(&scene, &methods::semi_local(), WorldPreset::Embedding).unwrap();
    for _ in 0..200 {
        world.step().unwrap();
    }
    for ((body, of), height) in world.bodies().iter().zip(&scene.bodies).zip([0.2, 0.15, 0.25, 0.1, 0.25, 0.1, 0.15]) {
        let (name, position) = (&of.name, body.position);
        assert!((position.y - height).abs() < TOLERANCE, "{name} rests at {position}");
        let support = support_height(&of.shape, body.orientation.inverse() * DVec3::NEG_Y);
        assert!((position.y - support).abs() < TOLERANCE, "{name} rests at {position}, its support {support} below");
        let (velocity, spin) = (body.velocity, body.angular_velocity);
        assert!(velocity.length() < REST && spin.length() < REST, "{name} moves: {velocity}, {spin}");
    }
    assert_eq!(world.bodies()[7].position, DVec3::ZERO);
}

#[test]
fn methods_without_primitives_name_themselves_body_and_kind() {
    let scene = parse(SCENE, "").unwrap();
    let method = methods::volume_sat();
    let refusals = [
        Detector::new(&scene, &method).err().unwrap().to_string(),
        world(&scene, &method, WorldPreset::Embedding).err().unwrap().to_string(),
    ];
    for refusal in refusals {
        assert!(["volume-sat", "marble", "ball"].iter().all(|part| refusal.contains(part)), "{refusal}");
    }
}

#[test]
fn wrong_primitives_are_errors() {
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(SCENE.contains(from));
        let error = parse(&SCENE.replace(from, to), "").unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    refuse("fixed = true", "density = 1000", &["floor"]);
    refuse("\"ball\"", "\"bal\"", &["marble", "\"bal\"", "half-space"]);
    refuse("[0.2]", "[0.2, 0.2]", &["marble", "radius"]);
    refuse("[0.3, 0.15, 0.25]", "[0.3, 0.0, 0.25]", &["pebble", "ellipsoid"]);
    refuse("[0.2, 0.25]", "[0.2, -0.25]", &["drum", "half height", "cylinder"]);
    refuse("[0.1, 0.2]", "[0.1]", &["pill", "radius, half length along y"]);
    refuse("[0.2, 0.1, 0.15, 0.05]", "[0.2, 0.1, 0.15, 0.0]", &["soap", "radius"]);
    refuse("[0.2, 0.1, 0.15, 0.05]", "[0.2, 0.1, 0.15, nan]", &["soap", "shape.dimensions", "NaN"]);
}
