//! Every mistake is refused by an error that names it.

use drystone_scenes::scene_file::{SceneFileProblem, encode, parse, read};
use proptest::prelude::*;

use super::same::assert_same;
use super::spoil::{GOOD, folder};

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
    spoil("density = 900", "colour = 3", &["line 39, column 1", "unknown field `colour`", "`density`"]);
    spoil("s = 0.1,", "s = 0.1, u = 1,", &["line 13", "unknown field `u`"]);
    spoil("friction = { s = 0.1, t = 0.1, torsion = 0.0 }", "friction = \"low\"", &["line 13", "`torsion`"]);
    spoil("method = \"automatic\"", "method = \"magic\"", &["line 45", "`magic`", "`cone`"]);
    spoil("material = \"ice\"\n", "", &["line 36", "missing field `material`"]);
    spoil("velocity = [1, 0, 0]", "velocity = [1, 0]", &["line 41", "length 2", "3 values"]);
    spoil("velocity = [1, 0, 0]", "velocity = [1, 0, 0, 5]", &["line 41", "length 4", "3 values"]);
    spoil("minimum = 4", "minimum = -4", &["line 20", "-4"]);
    spoil("name = \"good\"", "name = \"good", &["line 2"]);
    spoil("friction_model = \"ellipsoid\"", "friction_model = \"cone\"", &["line 8", "`cone`", "`ball`", "`box`"]);
    spoil("drystone.scene/1", "drystone.scene/9", &["schema", "drystone.scene/9"]);
    // Numbers.
    spoil("time_step = 0.01", "time_step = 0", &["time_step", "above zero, found 0"]);
    spoil("time_step = 0.01", "time_step = inf", &["time_step", "inf"]);
    spoil("step = 2\n", "step = 0\n", &["step: must be from 1 to 100000", "found 0"]);
    spoil("step = 2\n", "step = 100001\n", &["step: must be from 1 to 100000", "found 100001"]);
    spoil("gravity = [0,", "gravity = [nan,", &["gravity", "NaN"]);
    spoil("gravity = [0,", "gravity = [1e10,", &["gravity", "at most 1e9", "10000000000"]);
    spoil("linear = 0.01", "linear = -1", &["damping.linear", "-1"]);
    spoil("[0, -0.5, 0]", "[0, inf, 0]", &["body \"lower\", position", "inf"]);
    spoil("[0, -0.5, 0]", "[0, 1e200, 0]", &["body \"lower\", position", "at most 1e9", "check the units"]);
    spoil("velocity = [1, 0, 0]", "velocity = [1, 0, -1e10]", &["body \"upper\", velocity", "at most 1e9"]);
    spoil("angular_velocity = [0,", "angular_velocity = [2e9,", &["\"upper\", angular_velocity", "at most 1e9"]);
    spoil("scale = 0.5", "scale = 1e10", &["\"upper\", shape, vertex 1 of", "cube.obj", "at most 1e9"]);
    spoil("box = [2, 1, 2]", "box = [2, 1, 2e9]", &["\"lower\", shape.box", "at most 1e9"]);
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
    // Motion.
    spoil("fixed = true\n", "fixed = true\nkinematic = true\n", &["\"lower\", kinematic", "is not fixed"]);
    spoil("fixed = true\n", "fixed = true\nphase = []\n", &["\"lower\", phase", "only kinematic bodies"]);
    spoil("density = 900", "density = 900\nphase = [{ duration = 1 }]", &["\"upper\", phase", "`kinematic = true`"]);
    let phase = |text: &str| format!("kinematic = true\nphase = [{{ duration = 1 }}, {{ {text} }}]\n");
    spoil("fixed = true\n", &phase("duration = 0"), &["\"lower\", phase", "phase 1 lasts 0 s"]);
    spoil("fixed = true\n", &phase("duration = nan"), &["\"lower\", phase", "phase 1 lasts NaN s"]);
    spoil("fixed = true\n", &phase("velocity = [0, 0, 0]"), &["line 31", "missing field `duration`"]);
    spoil("fixed = true\n", &phase("duration = 1, speed = 2"), &["line 31", "unknown field `speed`"]);
    let fast = phase("duration = 1, velocity = [0, 2e9, 0]");
    spoil("fixed = true\n", &fast, &["\"lower\", phase[1].velocity", "at most 1e9"]);
    let spin = phase("duration = 1, angular_velocity = [0, nan, 0]");
    spoil("fixed = true\n", &spin, &["\"lower\", phase[1].angular_velocity", "NaN"]);
    // Solids.
    spoil("shape = { file = \"cube.obj\"", "shape = { file = \"none.obj\"", &["\"upper\", shape", "none.obj"]);
    spoil("shape = { file = \"cube.obj\"", "shape = { file = \"cube.ply\"", &["\"upper\", shape", ".obj, .off, .stl"]);
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
    let far = inline("tetrahedra = [[0, 1, 2, 3]]").replace("[0, 1, 0]", "[0, 1e10, 0]");
    spoil(box_key, &far, &["\"lower\", shape.vertices[2]", "at most 1e9"]);
    spoil(box_key, &inline("tetrahedra = [[0, 1, 2, 4]]"), &["\"lower\", shape", "vertex 4"]);
    spoil(box_key, &inline("tetrahedra = [[0, 1, 2, -3]]"), &["line 34", "-3"]);
    let closed = "triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]";
    let unused = inline(closed).replace("vertices = [", "vertices = [[9, 9, 9], ").replace("[0, 2, 1]", "[1, 3, 2]");
    let unused = unused.replace("[0, 1, 3], [0, 3, 2], [1, 2, 3]", "[1, 2, 4], [1, 4, 3], [2, 3, 4]");
    spoil(box_key, &unused, &["\"lower\", shape", "vertex 0 is in no triangle"]);
    spoil(box_key, &inline("triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]"), &["\"lower\", shape", "is open"]);
    let inside_out = inline("triangles = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]");
    spoil(box_key, &inside_out, &["\"lower\", shape", "inside out"]);
    let frames = |frames: &str| inline(&format!("{closed}, frames = [{frames}]"));
    spoil(box_key, &frames("[0, 0, 0, 0, 0, 1]"), &["line 34", "length 6", "7 values"]);
    spoil(box_key, &frames("[0, 0, 0, 0, 0, 0, 0, 1]"), &["line 34", "length 8", "7 values"]);
    spoil(box_key, &frames("[0, nan, 0, 0, 0, 0, 1]"), &["\"lower\", shape.frames[0]", "NaN"]);
    spoil(box_key, &frames("[0, 2e9, 0, 0, 0, 0, 1]"), &["\"lower\", shape.frames[0]", "at most 1e9"]);
    let second = frames("[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 1]");
    spoil(box_key, &second, &["\"lower\", shape.frames[1]", "1.414"]);
    let seen = inline("tetrahedra = [[0, 1, 2, 3]], frames = [[0, 0, 0, 0, 0, 0, 1]]");
    spoil(box_key, &seen, &["\"lower\", shape", "`frames` are for `triangles`"]);
    spoil(box_key, "shape = { box = [1, 1, 1], frames = [] }", &["\"lower\", shape", "exactly one of"]);
    let given = inline("tetrahedra = [[0, 1, 2, 3]]") + "\nfill = { method = \"cone\" }";
    spoil(box_key, &given, &["\"lower\", fill", "already has tetrahedra"]);
    // Names.
    spoil("material = \"ice\"", "material = \"steam\"", &["\"upper\", material", "\"steam\"", "stone, ice"]);
    spoil("between = [\"stone\", \"ice\"]", "between = [\"stone\", \"fog\"]", &["interaction", "\"fog\""]);
    spoil("materials = [\"stone\", \"ice\"]", "materials = [\"ice\", \"ice\"]", &["materials", "\"ice\""]);
    spoil("name = \"upper\"", "name = \"lower\"", &["body \"lower\", name", "once"]);
    for (name, said) in
        [("", "not blank"), (" \\t", "not blank"), ("a\\nb", "control"), ("a/b", "`/`"), ("a\\\\b", "`/`")]
    {
        spoil("name = \"upper\"", &format!("name = \"{name}\""), &["body 1, name: must be a name", said]);
        spoil("name = \"good\"", &format!("name = \"{name}\""), &[": name: must be a name", said]);
    }
    spoil("materials = [", "materials = [\" \", ", &["materials: must be a name", "not blank"]);
    spoil("body_count = 2", "body_count = 3", &["`body_count` is 3", "2 bodies"]);
    let again = "between = [\"ice\", \"stone\"]\nfriction = 1\n[[interaction]]\nbetween = [\"stone\", \"ice\"]";
    spoil("between = [\"stone\", \"ice\"]", again, &["\"stone\" and \"ice\"", "once"]);
    // The truth.
    spoil("bodies = [\"lower\", \"upper\"]", "bodies = [\"lower\", \"uper\"]", &["truth", "\"uper\"", "\"upper\""]);
    spoil("bodies = [\"upper\", \"lower\"]", "bodies = [\"x\", \"lower\"]", &["published_truth", "\"x\""]);
    spoil("bodies = [\"lower\", \"upper\"]", "bodies = [\"upper\", \"upper\"]", &["\"upper\"", "with itself"]);
    spoil("density = 900", "fixed = true", &["truth", "both bodies are fixed or kinematic"]);
    spoil("[0.707, 0.707, 0]", "[1, 1, 0]", &["truth of \"lower\" and \"upper\", normals[1]", "1.414"]);
    spoil("[[0, 1, 0], [0.707, 0.707, 0]]", "[]", &["truth of \"lower\" and \"upper\", normals", "at least one"]);
    let twice = "[[0, 1, 0], [0.0009, -1, 0]]";
    let parallel = ["truth of \"lower\" and \"upper\", normals[1]", "parallel to normals[0]", "remove one"];
    spoil("[[0, 1, 0], [0.707, 0.707, 0]]", twice, &parallel);
    spoil("minimum = 4", "minimum = 1000001", &["\"upper\", minimum: must be from 1 to 1000000", "1000001"]);
    spoil("[\"upper\", \"\"]", "[\"upper\"]", &["truth of \"lower\" and \"upper\", carriers", "one name for each"]);
    spoil("[\"upper\", \"\"]", "[\"uper\", \"\"]", &["carriers", "\"uper\"", "\"upper\""]);
    spoil("minimum = 4", "minimum = 0", &["truth of \"lower\" and \"upper\", minimum", "at least 1"]);
    spoil("[[published_truth]]", "[[truth]]", &["truth of \"upper\" and \"lower\"", "once"]);
}

#[test]
fn limits_are_allowed() {
    let folder = folder();
    let allow = |from: &str, to: &str| {
        assert_eq!(GOOD.matches(from).count(), 1, "`{from}` must be in the scene once");
        let scene = parse(&GOOD.replace(from, to), folder.path()).unwrap();
        assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
        scene
    };
    assert_eq!(allow("step = 2\n", "step = 100000\n").scored_step, 100_000);
    assert_eq!(allow("minimum = 4", "minimum = 1000000").truth.minimum(), 1_000_000);
    assert_eq!(allow("[0, -0.5, 0]", "[0, -1e9, 0]").bodies[0].body.position.y, -1e9);
    assert_eq!(allow("velocity = [1, 0, 0]", "velocity = [1e9, 0, 0]").bodies[1].body.velocity.x, 1e9);
    let normals = "[[0, 1, 0], [0.0011, 1, 0]]";
    assert_eq!(allow("[[0, 1, 0], [0.707, 0.707, 0]]", normals).truth.pairs[0].normals.len(), 2);
}

#[test]
fn the_way_into_the_body_frame_stays_within_bounds() {
    let folder = folder();
    let refuse = |text: &str, parts: [&str; 2]| {
        let message = parse(text, folder.path()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    };
    // The cube's centre lies off the origin of its frame, and its scale takes both solids along.
    let large = GOOD.replace("scale = 0.5", "scale = 9e8").replace("scale = 0.45", "scale = 8e8");
    let large = large.replace("maximum_volume = 0.1, ", "");
    parse(&large, folder.path()).unwrap();
    let far = large.replace("degrees = 90 }", "degrees = 90 }\nposition = [9e8, 0, 0]");
    refuse(&far, ["\"upper\", centre of mass", "at most 1e9"]);
    // The centroid of a tetrahedron with one far corner lies three quarters of the way from there.
    let cube = "{ file = \"cube.obj\", scale = 0.5 }";
    let long = "{ vertices = [[-1e9, 0, 0], [1e9, 0, 0], [1e9, 1e6, 0], [1e9, 0, 1e6]], tetrahedra = [[0, 1, 2, 3]] }";
    assert_eq!(GOOD.matches(cube).count(), 1);
    refuse(&GOOD.replace(cube, long), ["\"upper\", shape, vertex 0 from the centre of mass", "at most 1e9"]);
}

#[test]
fn a_scene_without_bodies_or_without_a_file_is_refused() {
    let error = parse("name = \"empty\"\n", "").unwrap_err();
    assert!(matches!(*error.problem, SceneFileProblem::NoBodies));
    let error = read("no-such-scene.toml").unwrap_err();
    assert!(error.to_string().starts_with("no-such-scene.toml: the file cannot be read"), "{error}");
}

proptest! {
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
