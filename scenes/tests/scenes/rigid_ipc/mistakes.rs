//! Every mistake, and everything that this program does not have, is refused by an error that names it.

use drystone_scenes::rigid_ipc::{Feature, parse, read};
use serde_json::{Value, json};

use super::data;

/// A right scene, to be spoilt.
fn good() -> Value {
    json!({
        "timestep": 0.01,
        "rigid_body_problem": {
            "gravity": [0, -9.81, 0],
            "coefficient_friction": 0.5,
            "rigid_bodies": [
                { "mesh": "plane.obj", "is_dof_fixed": true },
                { "mesh": "cube.obj", "position": [0, 1, 0], "density": 600 },
            ]
        }
    })
}

fn refused(change: impl Fn(&mut Value)) -> (String, Option<Feature>) {
    let mut scene = good();
    change(&mut scene);
    let error = parse(&scene.to_string(), "spoilt", data()).map(|_| ()).expect_err(&scene.to_string());
    (error.to_string(), error.feature())
}

#[test]
fn each_mistake_is_named() {
    let read = parse(&good().to_string(), "good", data()).unwrap();
    assert_eq!(read.scene.bodies.len(), 2);
    let spoil = |at: &str, value: Value, parts: &[&str]| {
        let (message, _) = refused(|scene| put(scene, at, &value));
        parts.iter().for_each(|part| assert!(message.contains(part), "no `{part}` in: {message}"));
    };
    let body = "/rigid_body_problem/rigid_bodies/1";
    let of_body = |key: &str, value: Value, parts: &[&str]| {
        let place = format!("body 1 (cube.obj), {key}");
        spoil(&format!("{body}/{key}"), value, &[&[place.as_str()], parts].concat());
    };
    // The whole scene.
    spoil("/timestep", json!(0), &["timestep: must be a number above zero, found 0"]);
    spoil("/timestep", json!("fast"), &["timestep: must be a number, found \"fast\""]);
    spoil("/max_time", json!([]), &["max_time: must be a number, found []"]);
    spoil("/colour", json!(1), &["unknown key \"colour\"", "timestep"]);
    spoil("/rigid_body_problem", json!([]), &["rigid_body_problem: must be an object, found []"]);
    spoil("/rigid_body_problem/wind", json!(1), &["rigid_body_problem: unknown key \"wind\"", "gravity"]);
    spoil("/rigid_body_problem/gravity", json!([0, null, 0]), &["rigid_body_problem, gravity", "three numbers"]);
    spoil("/rigid_body_problem/gravity", json!([0, -1e10, 0]), &["gravity", "at most 1e9"]);
    spoil("/rigid_body_problem/coefficient_friction", json!(-0.1), &["coefficient_friction", "not negative"]);
    spoil("/rigid_body_problem/rigid_bodies", json!([]), &["no bodies"]);
    spoil("/rigid_body_problem/rigid_bodies", json!([{ "enabled": false }]), &["no bodies that are enabled"]);
    spoil("/rigid_body_problem/rigid_bodies", json!({}), &["rigid_bodies: must be an array"]);
    spoil("/friction_constraints", json!({ "mu": 1 }), &["friction_constraints: unknown key \"mu\""]);
    // A body.
    spoil(body, json!(7), &["body 1: must be an object, found 7"]);
    spoil(body, json!({}), &["body 1, mesh: must be the name of a mesh file"]);
    spoil(&format!("{body}/colour"), json!("red"), &["body 1 (cube.obj): unknown key \"colour\"", "kinematic_poses"]);
    spoil(&format!("{body}/mesh"), json!("none.obj"), &["body 1 (none.obj), mesh", "\"none.obj\" was not found"]);
    spoil(&format!("{body}/mesh"), json!("../LICENSE"), &["body 1 (LICENSE), mesh", ".obj, .off, .stl"]);
    of_body("density", json!(-600), &["above zero, found -600"]);
    of_body("density", json!(0), &["above zero, found 0"]);
    of_body("position", json!([0, 1]), &["three numbers, found [0,1]"]);
    of_body("position", json!([0, "1", 0]), &["three numbers"]);
    of_body("rotation", json!(90), &["three numbers, found 90"]);
    of_body("linear_velocity", json!([2e9, 0, 0]), &["at most 1e9"]);
    of_body("scale", json!("big"), &["a number or an array of three"]);
    of_body("type", json!("ghost"), &["\"kinematic\"", "\"ghost\""]);
    of_body("is_dof_fixed", json!([true, true]), &["an array of six"]);
    of_body("enabled", json!(1), &["true or false, found 1"]);
    of_body("group_id", json!(0.5), &["a whole number, found 0.5"]);
    spoil(&format!("{body}/scale"), json!([1, 0, 1]), &["body 1 (cube.obj)", "the mesh is no solid"]);
    let poses = json!({ "mesh": "cube.obj", "type": "kinematic", "kinematic_poses": [{ "position": [0, 1] }] });
    spoil(body, poses, &["body 1 (cube.obj), kinematic_poses[0], position", "three numbers"]);
    // Inline meshes.
    let inline = |vertices: Value, faces: Value, parts: &[&str]| {
        spoil(body, json!({ "vertices": vertices, "faces": faces }), &[&["body 1"], parts].concat());
    };
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    inline(corners.clone(), json!([[0, 1, 4]]), &["faces[0]", "counted from 0", "[0,1,4]"]);
    inline(corners.clone(), json!([[0, 1, -1]]), &["faces[0]", "[0,1,-1]"]);
    inline(corners.clone(), json!([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]), &["inside out"]);
    inline(json!([[0, 0, "0"]]), json!([]), &["vertices[0]", "three numbers"]);
}

#[test]
fn each_missing_feature_is_named() {
    let mut needed = Vec::new();
    let mut need = |feature: Feature, at: &str, value: Value| {
        let (message, found) = refused(|scene| put(scene, at, &value));
        assert_eq!(found, Some(feature), "{message}");
        assert!(message.contains(&feature.to_string()), "{message}");
        needed.push(feature);
    };
    let body = "/rigid_body_problem/rigid_bodies/1";
    let key = |key: &str| format!("{body}/{key}");
    need(Feature::SavedSimulation, "/args", json!({}));
    need(Feature::SceneType, "/scene_type", json!("split_distance_barrier_rb_problem"));
    need(Feature::TwoDimensions, "/rigid_body_problem/gravity", json!([0, -9.8]));
    need(Feature::TwoDimensions, body, json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]] }));
    need(Feature::PartlyFixed, &key("is_dof_fixed"), json!([false, false, false, false, false, true]));
    need(Feature::MinimumSeparation, "/distance_barrier_constraint", json!({ "minimum_separation_distance": 1e-3 }));
    let group =
        json!([{ "mesh": "plane.obj", "type": "static", "group_id": 3 }, { "mesh": "cube.obj", "group_id": 3 }]);
    need(Feature::Group, "/rigid_body_problem/rigid_bodies", group);
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [5, 5, 5]]);
    let faces = json!([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    need(Feature::Edges, body, json!({ "vertices": corners, "faces": faces, "edges": [[0, 4]] }));
    need(Feature::Points, body, json!({ "vertices": corners, "faces": faces }));
    let mixed = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]);
    need(Feature::UnorientedSurface, body, json!({ "vertices": mixed, "faces": [[0, 1, 2], [1, 2, 3]] }));
    let tilted = json!({ "mesh": "cube.obj", "type": "kinematic", "scale": [1, 2, 3], "kinematic_poses": [{}] });
    need(Feature::PosesOfTiltedAxes, body, tilted);
    needed.sort();
    needed.dedup();
    assert_eq!(needed, Feature::ALL);
}

#[test]
fn a_missing_file_and_one_that_is_not_json_are_refused() {
    let missing = read("no-such-scene.json").unwrap_err().to_string();
    assert!(missing.starts_with("no-such-scene.json: the file cannot be read"), "{missing}");
    let text = parse("{\n  \"timestep\": NaN\n}", "n", "").unwrap_err().to_string();
    assert!(text.starts_with("line 2, column 15: expected value"), "{text}");
    assert!(parse("[]", "n", "").unwrap_err().to_string().starts_with("must be an object, found []"));
    assert!(parse("{}", "n", "").unwrap_err().to_string().starts_with("rigid_body_problem: must be there"));
}

/// Puts a value at a JSON pointer, whose last part may be a new key.
fn put(scene: &mut Value, at: &str, value: &Value) {
    match scene.pointer_mut(at) {
        Some(place) => *place = value.clone(),
        None => {
            let (parent, key) = at.rsplit_once('/').unwrap();
            scene.pointer_mut(parent).unwrap()[key] = value.clone();
        }
    }
}
