//! Contacts from step to step of runs.

use serde_json::Value;

use crate::run::{refused, succeed};

#[test]
fn right_contacts_stay_and_wrong_ones_are_told() {
    let command = ["temporal", "--scene", "triangulated-floor", "--method", "semi-local", "--method", "volume-sat"];
    let with = |more: &[&str]| succeed(&[&command, more].concat());
    let document: Value = serde_json::from_str(&with(&["--steps", "8", "--json", "-"])).unwrap();
    assert_eq!((&document["schema"], &document["truth"]), (&"drystone.temporal/1".into(), &"corrected".into()));
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let [right, wrong] = [&rows[0], &rows[1]];
    assert_eq!((&right["method"], &right["steps"]), (&"semi-local".into(), &8.into()));
    assert_eq!((&right["flicker"], &right["ghosts"], &right["ghost_work"]), (&0.0.into(), &0.into(), &0.0.into()));
    // Edges of triangles that are no edges of the floor.
    assert!(wrong["ghosts"].as_u64().unwrap() > 0, "{wrong}");

    let csv = with(&["--steps", "8", "--csv", "-", "--threads", "1"]);
    assert_eq!(csv, with(&["--steps", "8", "--csv", "-", "--threads", "2"]));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].starts_with("scene,method,steps,contacts,flashes,dropouts,flicker,energy_gain,ghosts,ghost_work,lift")
    );
    let table = with(&["--steps", "3"]);
    assert!(table.lines().count() == 3 && table.contains("ghost work"), "{table}");
}

#[test]
fn what_is_not_known_of_a_scene_is_left_out() {
    let csv = succeed(&["temporal", "--scene", "drop-scene", "--method", "semi-local", "--steps", "3", "--csv", "-"]);
    let cells: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((cells[0], cells[8], cells[9]), ("drop-scene", "", ""));
    assert!(refused(&["temporal", "--scene", "no-such-scene"]).contains("no-such-scene"));
    assert!(refused(&["temporal", "--steps", "2"]).contains('2'));
}
