//! Scene files: the round trip of all cases, the documented examples, and an error for every kind of mistake.

use std::path::{Path, PathBuf};

use drystone_contact::generator::{Method, Variant};
use drystone_contact::shape::mesh_file::{self, MeshFile};
use drystone_contact::shape::{Shape, ShapeOrigin};
use drystone_engine::{Friction, Interaction};
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::{SceneFileProblem, encode, parse, read, write};
use drystone_scenes::truth::Truth;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn all_cases() -> impl Iterator<Item = Scene> {
    let both = [Model::Procedural, Model::Recorded];
    Case::ALL.into_iter().flat_map(move |case| both.map(|model| case.scene(model, None).unwrap()))
}

fn vertex_bits(shape: &Shape) -> Vec<[u64; 3]> {
    shape.mesh().vertices().iter().map(|v| v.to_array().map(f64::to_bits)).collect()
}

fn state_bits(scene: &Scene) -> Vec<Vec<u64>> {
    let bits = |b: drystone_engine::Body| {
        let vectors = [b.position, b.velocity, b.angular_velocity, b.inertia()].map(|v| v.to_array());
        let mut numbers: Vec<f64> = vectors.concat();
        numbers.extend(b.orientation.to_array());
        numbers.push(b.mass());
        numbers.into_iter().map(f64::to_bits).collect()
    };
    scene.states().into_iter().map(bits).collect()
}

fn assert_same_shape(read: &Shape, written: &Shape) {
    assert_eq!(vertex_bits(read), vertex_bits(written));
    assert_eq!(read.mesh().tetrahedra(), written.mesh().tetrahedra());
    assert_eq!(read.origin(), &ShapeOrigin::Given);
}

fn assert_same(read: &Scene, written: &Scene) {
    assert_eq!((&read.name, &read.title), (&written.name, &written.title));
    assert_eq!(
        (read.time_step, read.scored_step, read.forces),
        (written.time_step, written.scored_step, written.forces)
    );
    assert_eq!(read.materials, written.materials);
    assert_eq!((&read.truth, &read.published_truth), (&written.truth, &written.published_truth));
    assert_eq!(read.states(), written.states());
    assert_eq!(state_bits(read), state_bits(written));
    for (read, written) in read.bodies.iter().zip(&written.bodies) {
        assert_eq!(read.name, written.name);
        assert_same_shape(&read.shape, &written.shape);
        assert_eq!(read.eroded.is_some(), written.eroded.is_some());
        if let (Some(read), Some(written)) = (&read.eroded, &written.eroded) {
            assert_same_shape(read, written);
        }
    }
}

#[test]
fn all_cases_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    for scene in all_cases() {
        write(&scene, &path).unwrap();
        assert_same(&read(&path).unwrap(), &scene);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn detection_does_not_see_a_difference() {
    for scene in all_cases() {
        let copy = parse(&encode(&scene).unwrap(), "").unwrap();
        for method in Method::ALL {
            for variant in [Variant::Corrected, Variant::Published] {
                let contacts =
                    |scene| detect(scene, method, variant, Moment::Step(scene.scored_step)).unwrap().contacts;
                // Printed, as a published variant may well answer NaN, which does not equal itself.
                assert_eq!(format!("{:?}", contacts(&copy)), format!("{:?}", contacts(&scene)), "{}", scene.name);
            }
        }
    }
}

#[test]
fn everything_that_a_scene_can_hold_is_kept() {
    let mut scene = Case::Wedges.scene(Model::Recorded, None).unwrap();
    scene.name = "a \"quoted\" = [name]\n#".into();
    scene.title = String::new();
    scene.bodies[0].name = "one\\two".into();
    scene.bodies[1].body.velocity = DVec3::new(-0.0, 1e-300, 1e200);
    scene.bodies[0].body.orientation = DQuat::from_rotation_x(1.0);
    (scene.time_step, scene.scored_step) = (1.0 / 3.0, 7);
    (scene.forces.gravity, scene.forces.angular_damping) = (DVec3::new(0.1, 0.2, -0.3), 0.5);
    let glass = scene.materials.add("Glass").unwrap();
    let friction = Friction { s: 0.1, t: 0.2, torsion: 0.3 };
    scene.materials.set(glass, glass, Interaction { friction, restitution: 0.9 }).unwrap();
    scene.published_truth = Some(Truth::default());
    assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
}

#[test]
fn a_written_file_that_is_cut_short_is_no_scene() {
    let text = encode(&Case::SpikeInCrack.scene(Model::Recorded, None).unwrap()).unwrap();
    let ends = text.char_indices().map(|(at, _)| at).filter(|at| at + 1 < text.len());
    for end in ends {
        assert!(parse(&text[..end], "").is_err(), "cut to {end} of {} bytes", text.len());
    }
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, "old").unwrap();
    let refuse = |part: &str, change: &dyn Fn(&mut Scene)| {
        let mut scene = Case::Spikes.scene(Model::Recorded, None).unwrap();
        change(&mut scene);
        let message = write(&scene, &path).unwrap_err().to_string();
        assert!(message.starts_with(path.to_str().unwrap()) && message.contains(part), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
    };
    refuse("body \"fixed 1\", name", &|s| s.bodies[0].name = "fixed 1".into());
    refuse("body \"moving 0\", position: must be three finite numbers", &|s| s.bodies[0].body.position.x = f64::NAN);
    refuse("body \"moving 0\", velocity", &|s| s.bodies[0].body.velocity.y = f64::NEG_INFINITY);
    refuse("no bodies", &|s| (s.bodies, s.truth, s.published_truth) = (Vec::new(), Truth::default(), None));
    refuse("no body is named \"body 1\"", &|s| drop(s.bodies.pop()));
    refuse("cannot be kept exactly", &|s| s.truth.pairs[0].normals[0] *= 1.0005);
    refuse("material 9 does not exist", &|s| s.bodies[1].body.material = drystone_engine::MaterialId::new(9));
    let scene = Case::Spikes.scene(Model::Recorded, None).unwrap();
    let nowhere = folder.path().join("missing").join("scene.toml");
    assert!(matches!(*write(&scene, nowhere).unwrap_err().problem, SceneFileProblem::Io { action: "written", .. }));
}

#[test]
fn the_documented_examples_work() {
    let pages = std::fs::read_to_string(docs().join("scene-files.md")).unwrap();
    let mut names = Vec::new();
    for file in std::fs::read_dir(docs().join("examples")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let scene = read(&path).unwrap();
            let detection =
                detect(&scene, Method::VolumeSat, Variant::Corrected, Moment::Step(scene.scored_step)).unwrap();
            let score = score(&detection.contacts, &scene.truth, &Matching::default());
            assert_eq!((score.coverage, score.quality), (1.0, 1.0), "{}: {score:?}", scene.name);
            assert!(
                pages.contains(std::fs::read_to_string(&path).unwrap().trim()),
                "{} is not in the pages",
                scene.name
            );
            names.push(scene.name);
        }
    }
    names.sort();
    assert_eq!(names, ["box-on-box", "spike-on-ground"]);
}

#[test]
fn snippets_of_the_pages_are_right() {
    // Every block that is not a whole scene is a part of this one.
    let pages = std::fs::read_to_string(docs().join("scene-files.md")).unwrap();
    let blocks: Vec<&str> = pages.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let bodies: Vec<&str> = blocks.iter().copied().filter(|b| b.starts_with("[[body]]")).collect();
    assert!(bodies.len() >= 4, "{}", bodies.len());
    let head = "name = \"snippets\"\nmaterials = [\"stone\"]\n";
    for body in bodies {
        parse(&format!("{head}{body}"), docs().join("examples")).unwrap_or_else(|error| panic!("{body}\n{error}"));
    }
    let whole = blocks.iter().filter(|b| b.contains("\nname = \"") && !b.starts_with("[[body]]"));
    for block in whole {
        parse(block, docs().join("examples")).unwrap_or_else(|error| panic!("{block}\n{error}"));
    }
}

/// A cube of 1 m on the origin as an OBJ text without its last `missing` triangles.
fn cube(missing: usize) -> String {
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
const GOOD: &str = r#"
schema = "drystone.scene/1"
name = "good"
body_count = 2
time_step = 0.01
step = 2
gravity = [0, -9.82, 0]
damping = { linear = 0.01, angular = 0.01 }
materials = ["stone", "ice"]

[[interaction]]
between = ["stone", "ice"]
friction = { s = 0.1, t = 0.1, torsion = 0.0 }
restitution = 0.5

[[truth]]
bodies = ["lower", "upper"]
normals = [[0, 1, 0], [0.707, 0.707, 0]]
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

fn folder() -> tempfile::TempDir {
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
    let corner = |shape: &Shape| shape.mesh().vertices()[0];
    let eroded = upper.eroded.as_ref().unwrap();
    assert!((corner(eroded) - corner(&upper.shape)).length() < 1e-15);
    assert!((eroded.mesh().volume() - 0.45f64.powi(3)).abs() < 1e-12);
    assert!((scene.truth.pairs[0].normals[1].length() - 1.0).abs() < 1e-15);
    assert_eq!(scene.title, "good");
    // And it is a scene that can be stepped and kept.
    detect(&scene, Method::VolumeSat, Variant::Corrected, Moment::Step(2)).unwrap();
    assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
}

#[test]
fn each_mistake_is_named() {
    let folder = folder();
    let path = folder.path().join("scene.toml");
    let spoil = |from: &str, to: &str, parts: &[&str]| {
        assert_eq!(GOOD.matches(from).count(), 1, "`{from}` must be in the scene once");
        std::fs::write(&path, GOOD.replace(from, to)).unwrap();
        let message = read(&path).map(|_| ()).expect_err(&format!("{from} → {to}")).to_string();
        assert!(message.starts_with(path.to_str().unwrap()), "no file: {message}");
        assert!(!message.contains('\n'), "more than a line: {message}");
        for part in parts {
            assert!(message.contains(part), "no `{part}` in: {message}");
        }
    };
    // Keys and types: the parser's words with the place in the text.
    spoil("density = 900", "colour = 3", &["line 38, column 1", "unknown field `colour`", "`density`"]);
    spoil("s = 0.1,", "s = 0.1, u = 1,", &["line 13", "unknown field `u`"]);
    spoil("friction = { s = 0.1, t = 0.1, torsion = 0.0 }", "friction = \"low\"", &["line 13", "`torsion`"]);
    spoil("method = \"automatic\"", "method = \"magic\"", &["line 44", "`magic`", "`cone`"]);
    spoil("material = \"ice\"\n", "", &["line 35", "missing field `material`"]);
    spoil("velocity = [1, 0, 0]", "velocity = [1, 0]", &["line 40", "length 2", "3 values"]);
    spoil("velocity = [1, 0, 0]", "velocity = [1, 0, 0, 5]", &["line 40", "length 4", "3 values"]);
    spoil("minimum = 4", "minimum = -4", &["line 19", "-4"]);
    spoil("name = \"good\"", "name = \"good", &["line 3"]);
    spoil("drystone.scene/1", "drystone.scene/9", &["schema", "drystone.scene/9"]);
    // Numbers.
    spoil("time_step = 0.01", "time_step = 0", &["time_step", "above zero, found 0"]);
    spoil("time_step = 0.01", "time_step = inf", &["time_step", "inf"]);
    spoil("step = 2\n", "step = 0\n", &["step: must be at least 1"]);
    spoil("gravity = [0,", "gravity = [nan,", &["gravity", "NaN"]);
    spoil("linear = 0.01", "linear = -1", &["damping.linear", "-1"]);
    spoil("[0, -0.5, 0]", "[0, inf, 0]", &["body \"lower\", position", "inf"]);
    spoil(
        "orientation_xyzw = [0, 0, 0, 1]",
        "orientation_xyzw = [1, 0, 0, 1]",
        &["\"lower\", orientation_xyzw", "1.414"],
    );
    spoil("axis = [0, 2, 0]", "axis = [0, 0, 0]", &["\"upper\", rotation", "[0, 0, 0]"]);
    spoil("degrees = 90", "degrees = nan", &["\"upper\", rotation", "NaN"]);
    spoil("angular_velocity = [0,", "angular_velocity = [nan,", &["\"upper\", angular_velocity"]);
    spoil("density = 900", "density = -900", &["\"upper\", density", "-900"]);
    spoil("scale = 0.5", "scale = 0", &["\"upper\", shape.scale"]);
    spoil("box = [2, 1, 2]", "box = [2, 0, 2]", &["\"lower\", shape.box", "[2, 0, 2]"]);
    spoil("quality = 2", "quality = 0.5", &["\"upper\", fill", "0.5"]);
    spoil("timeout = 10", "timeout = 0", &["\"upper\", fill.timeout"]);
    spoil("restitution = 0.5", "restitution = 1.5", &["\"stone\" and \"ice\"", "1.5"]);
    // Keys that need or exclude each other.
    spoil("density = 900", "density = 900\nmass = 3", &["\"upper\", mass", "not both"]);
    spoil("density = 900", "", &["\"upper\", density", "needs `density`"]);
    spoil("density = 900", "mass = 3\ninertia = [1, 1, 1]", &["\"upper\", inertia", "frame = \"body\""]);
    spoil("frame = \"body\"", "frame = \"body\"\ndensity = 3", &["\"lower\", density", "`mass`"]);
    spoil("fixed = true\n", "fixed = false\n", &["\"lower\", mass", "`inertia`"]);
    spoil("fixed = true\n", "mass = 3\ninertia = [1, -1, 1]\n", &["\"lower\", inertia", "-1"]);
    spoil("velocity = [1, 0, 0]", "orientation_xyzw = [0, 0, 0, 1]", &["\"upper\", rotation", "not both"]);
    spoil("method = \"automatic\"", "method = \"cone\"", &["\"upper\", fill", "TetGen"]);
    spoil("box = [2, 1, 2]", "scale = 2", &["\"lower\", shape", "exactly one of"]);
    spoil("shape = { file", "shape = { box = [1, 1, 1], file", &["\"upper\", shape", "exactly one of"]);
    // Solids.
    spoil("shape = { file = \"cube.obj\"", "shape = { file = \"none.obj\"", &["\"upper\", shape", "none.obj"]);
    spoil("shape = { file = \"cube.obj\"", "shape = { file = \"cube.ply\"", &["\"upper\", shape", ".obj, .stl"]);
    spoil("shape = { file = \"cube.obj\"", "shape = { file = \"cut.obj\"", &["\"upper\", shape", "cut.obj: line 1"]);
    spoil(
        "shape = { file = \"cube.obj\"",
        "shape = { file = \"open.obj\"",
        &["\"upper\", shape", "open.obj", "is open"],
    );
    spoil("eroded = { file = \"cube.obj\"", "eroded = { file = \"open.obj\"", &["\"upper\", eroded", "open.obj"]);
    let box_key = "shape.box = [2, 1, 2]";
    spoil(box_key, "shape = { vertices = [[0, 0, 0]] }", &["\"lower\", shape", "`tetrahedra`"]);
    let tetrahedron = "[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]";
    let inline = |rest: &str| format!("shape = {{ vertices = [{tetrahedron}], {rest} }}");
    spoil(box_key, &inline("tetrahedra = [[0, 1, 3, 2]]"), &["\"lower\", shape", "tetrahedron 0", "inside out"]);
    spoil(box_key, &inline("tetrahedra = [[0, 1, 2, 4]]"), &["\"lower\", shape", "vertex 4"]);
    spoil(box_key, &inline("tetrahedra = [[0, 1, 2, -3]]"), &["line 33", "-3"]);
    let closed = "triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]";
    let unused = inline(closed).replace("vertices = [", "vertices = [[9, 9, 9], ").replace("[0, 2, 1]", "[1, 3, 2]");
    let unused = unused.replace("[0, 1, 3], [0, 3, 2], [1, 2, 3]", "[1, 2, 4], [1, 4, 3], [2, 3, 4]");
    spoil(box_key, &unused, &["\"lower\", shape", "vertex 0 is in no triangle"]);
    spoil(box_key, &inline("triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]"), &["\"lower\", shape", "is open"]);
    let inside_out = inline("triangles = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]");
    spoil(box_key, &inside_out, &["\"lower\", shape", "inside out"]);
    let given = inline("tetrahedra = [[0, 1, 2, 3]]") + "\nfill = { method = \"cone\" }";
    spoil(box_key, &given, &["\"lower\", fill", "already has tetrahedra"]);
    // Names.
    spoil("material = \"ice\"", "material = \"steam\"", &["\"upper\", material", "\"steam\"", "stone, ice"]);
    spoil("between = [\"stone\", \"ice\"]", "between = [\"stone\", \"fog\"]", &["interaction", "\"fog\""]);
    spoil("materials = [\"stone\", \"ice\"]", "materials = [\"ice\", \"ice\"]", &["materials", "\"ice\""]);
    spoil("name = \"upper\"", "name = \"lower\"", &["body \"lower\", name", "once"]);
    spoil("name = \"upper\"", "name = \"\"", &["body 1, name"]);
    spoil("body_count = 2", "body_count = 3", &["`body_count` is 3", "2 bodies"]);
    let again = "between = [\"ice\", \"stone\"]\nfriction = 1\n[[interaction]]\nbetween = [\"stone\", \"ice\"]";
    spoil("between = [\"stone\", \"ice\"]", again, &["\"stone\" and \"ice\"", "once"]);
    // The truth.
    spoil("bodies = [\"lower\", \"upper\"]", "bodies = [\"lower\", \"uper\"]", &["truth", "\"uper\"", "\"upper\""]);
    spoil("bodies = [\"upper\", \"lower\"]", "bodies = [\"x\", \"lower\"]", &["published_truth", "\"x\""]);
    spoil("bodies = [\"lower\", \"upper\"]", "bodies = [\"upper\", \"upper\"]", &["\"upper\"", "with itself"]);
    spoil("density = 900", "fixed = true", &["truth", "both bodies are fixed"]);
    spoil("[0.707, 0.707, 0]", "[1, 1, 0]", &["truth of \"lower\" and \"upper\", normals[1]", "1.414"]);
    spoil("[[0, 1, 0], [0.707, 0.707, 0]]", "[]", &["truth of \"lower\" and \"upper\", normals", "at least one"]);
    spoil("minimum = 4", "minimum = 0", &["truth of \"lower\" and \"upper\", minimum", "at least 1"]);
    spoil("[[published_truth]]", "[[truth]]", &["truth of \"upper\" and \"lower\"", "once"]);
}

#[test]
fn a_scene_without_bodies_or_without_a_file_is_refused() {
    let error = parse("name = \"empty\"\n", "").unwrap_err();
    assert!(matches!(*error.problem, SceneFileProblem::NoBodies));
    let error = read("no-such-scene.toml").unwrap_err();
    assert!(error.to_string().starts_with("no-such-scene.toml: the file cannot be read"), "{error}");
}

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
    let (vertices, tetrahedra) = (solid.mesh().vertices().to_vec(), solid.mesh().tetrahedra().to_vec());
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
    assert_eq!(cuboid.shape.mesh().vertices().len(), 9, "eight corners and the kernel point");
    // The surface of a tetrahedron: four tetrahedra around a new vertex, or the one that it is.
    let tetrahedron = |fill: &str| {
        let surface = "shape = { vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \
                       triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }";
        let text = text(fill).replace("shape.box = [1, 2, 3]", surface);
        parse(&text, "").unwrap().bodies[0].shape.mesh().tetrahedra().len()
    };
    assert_eq!(["", "fill.method = \"cone\"", "fill.method = \"fan\""].map(tetrahedron), [4, 4, 1]);
    let missing = parse(&text("fill = { method = \"tetgen\", program = \"no-such-tetgen\" }"), "").unwrap_err();
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
        for shape in [&body.shape, body.eroded.as_ref().unwrap()] {
            for (k, &vertex) in shape.surface().vertices().iter().enumerate() {
                let expected = DVec3::from(position) + turned(corner(k));
                prop_assert!((pose.transform_point(vertex) - expected).length() < 1e-12);
            }
        }
    }

    /// A damaged file makes a scene or an error, never a panic; what it makes can be kept.
    #[test]
    fn damaged_files_do_no_harm(
        at in 0..GOOD.len(),
        length in 0usize..12,
        put in prop_oneof![
            Just("nan"), Just("-"), Just("0"), Just("1e400"), Just("99999999999"), Just("]"), Just("\""), Just("="),
            Just("\n"), Just(""), Just("[["), Just("1e-320"),
        ],
    ) {
        let folder = folder();
        let text = GOOD.replace("\"tetgen\"", "\"no-such-tetgen\"");
        let end = (at + length).min(text.len());
        let at = at.min(end);
        let damaged = format!("{}{put}{}", &text[..at], &text[end..]);
        match parse(&damaged, folder.path()) {
            Ok(scene) => assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
