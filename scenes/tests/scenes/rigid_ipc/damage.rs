//! Damaged files make a scene or an error, never a panic.

use drystone_scenes::rigid_ipc::parse;
use drystone_scenes::scene_file;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::data;

const WHOLE: &str = include_str!("../../data/rigid-ipc/fixtures/3D/examples/kinematically-scripted.json");

/// Reads the text; what it makes can be kept, what it cannot make is said in a line.
fn survive(text: &str) {
    match parse(text, "damaged", data().join("fixtures/3D/examples")) {
        Ok(read) => {
            assert!(read.scene.states().iter().all(drystone_engine::Body::state_is_finite));
            scene_file::encode(&read.scene).unwrap();
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
        }
    }
}

/// All values inside a value, by their JSON pointers.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| pointers(inner, format!("{at}/{key}"), found)),
        Value::Array(list) => {
            (0..).zip(list).for_each(|(k, inner): (usize, _)| pointers(inner, format!("{at}/{k}"), found))
        }
        _ => {}
    }
    found.push(at);
}

fn odd_value() -> impl Strategy<Value = Value> {
    let numbers = [0.0, -1.0, 1e-320, 1e308, -1e308, 1e9, 0.5, 3.0, 1e-9, 1e300].map(|x| json!(x));
    let others = [
        json!(null),
        json!(true),
        json!(false),
        json!(""),
        json!("static"),
        json!("kinematic"),
        json!("tet-perp.obj"),
        json!("../meshes"),
        json!([]),
        json!({}),
        json!([0, 0, 0]),
        json!([1e9, -1e9, 1e9]),
        json!([1, 2]),
        json!([true, true, true, true, true, true]),
        json!([false, true, false, false, false, false]),
        json!(-7),
        json!([{}, {"position": [0, 1, 0], "rotation": [0, 3, 0]}]),
        json!(u64::MAX),
    ];
    prop::sample::select(numbers.into_iter().chain(others).collect::<Vec<_>>())
}

#[test]
fn the_whole_file_is_a_scene() {
    parse(WHOLE, "whole", data().join("fixtures/3D/examples")).unwrap();
}

#[test]
fn a_file_that_is_cut_short_is_no_scene() {
    let ends = WHOLE.trim_end().char_indices().map(|(at, _)| at);
    for end in ends {
        let error = parse(&WHOLE[..end], "cut", data()).unwrap_err().to_string();
        assert!(error.starts_with("line "), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// One or more values replaced by others.
    #[test]
    fn other_values_do_no_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), odd_value()), 1..4)) {
        let mut document: Value = serde_json::from_str(WHOLE).unwrap();
        for (index, value) in changes {
            let mut all = Vec::new();
            pointers(&document, String::new(), &mut all);
            *document.pointer_mut(index.get(&all).as_str()).unwrap() = value;
        }
        survive(&document.to_string());
    }

    /// Keys that were not there, or not so.
    #[test]
    fn other_keys_do_no_harm(
        body in 0usize..4,
        key in prop::sample::select(vec![
            "scale", "dimensions", "density", "group_id", "is_dof_fixed", "type", "kinematic_max_time", "force", "torque",
            "kinematic_poses", "split_components", "rotation", "linear_velocity", "vertices", "faces", "edges", "colour",
            "enabled", "angular_velocity",
        ]),
        value in odd_value(),
    ) {
        let mut document: Value = serde_json::from_str(WHOLE).unwrap();
        document["rigid_body_problem"]["rigid_bodies"][body][key] = value;
        survive(&document.to_string());
    }

    /// Bytes replaced by others.
    #[test]
    fn other_bytes_do_no_harm(
        at in 0..WHOLE.len(),
        length in 0usize..12,
        put in prop::sample::select(vec!["NaN", "-", "0", "1e400", "9999999999", "]", "\"", ":", "\n", "", "[[", "null", "#"]),
    ) {
        let end = (at + length).min(WHOLE.len());
        survive(&format!("{}{put}{}", &WHOLE[..at], &WHOLE[end..]));
    }
}
