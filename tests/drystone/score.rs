//! Scenes as data for other programs, and the scores of lists that come back: right ones, and ones that cheat.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{fail, refused, succeed};

fn is_valid(schema: &str, document: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(schema);
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> [f64; 3] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

/// The expected contacts of a moment as a list, each changed.
fn list(scene: &Value, moment: usize, change: impl Fn(&mut [f64; 3], &mut [f64; 3], &mut f64)) -> String {
    let mut text = String::from("body_a,body_b,px,py,pz,nx,ny,nz,gap\n");
    for contact in scene["moments"][moment]["corrected"]["contacts"].as_array().unwrap() {
        let (mut p, mut n, mut gap) = (numbers(&contact["position"]), numbers(&contact["normal"]), 0.0);
        change(&mut p, &mut n, &mut gap);
        let [x, y, z] = p;
        let [i, j, k] = n;
        text += &format!("{},{},{x},{y},{z},{i},{j},{k},{gap}\n", contact["a"], contact["b"]);
    }
    text
}

#[test]
fn exported_scenes_come_back_as_right_lists_and_as_cheats() {
    let folder = tempfile::tempdir().unwrap();
    let (exported, lists) = (folder.path().join("scenes"), folder.path().join("lists"));
    let scenes = ["cliff-edges", "arch", "spike-in-crack", "tiled-floor"];
    let mut arguments = vec!["scenes", "--export", exported.to_str().unwrap()];
    scenes.iter().for_each(|scene| arguments.extend(["--scene", scene]));
    succeed(&arguments);
    // Never replaced.
    assert!(refused(&arguments).contains("is there already"));

    for scene in scenes {
        let data = read(&exported.join(scene).join("scene.json"));
        is_valid("scene-export.schema.json", &data);
        let bodies = data["bodies"].as_array().unwrap();
        for body in bodies {
            let surface = fs::read_to_string(exported.join(scene).join(body["surface"].as_str().unwrap())).unwrap();
            assert!(surface.lines().any(|line| line.starts_with("f ")));
        }
        assert_eq!(data["moments"][0]["bodies"].as_array().unwrap().len(), bodies.len());
        let of_scene = lists.join(scene);
        fs::create_dir_all(&of_scene).unwrap();
        let write = |name: &str, text: String| fs::write(of_scene.join(name), text).unwrap();
        write("right.csv", list(&data, 0, |_, _, _| {}));
        write("reversed.csv", list(&data, 0, |_, n, _| *n = n.map(|x| -x)));
        write("far.csv", list(&data, 0, |p, _, _| *p = [100.0; 3]));
        write("deep.csv", list(&data, 0, |_, _, gap| *gap = -7.0));
    }
    let (report, pictures) = (folder.path().join("report"), folder.path().join("pictures"));
    let [all, report_to, pictures_to] = [&lists, &report, &pictures].map(|path| path.to_str().unwrap());
    let written = ["--report", report_to, "--pictures", pictures_to];
    let tables = succeed(&[&["score", "--contacts", all, "--pose", "start"], &written[..]].concat());
    assert!(tables.contains("Strict quality") && tables.contains("reversed") && tables.contains("Coverage"));
    for scene in scenes {
        for name in ["right", "reversed", "far", "deep"] {
            let picture = fs::read_to_string(pictures.join(scene).join(name).with_extension("svg")).unwrap();
            assert!(roxmltree::Document::parse(&picture).is_ok() && !picture.contains("NaN"), "{scene} {name}");
            // The paper does not ask for the sense of a normal, nor where a point is.
            assert!(picture.contains("spot right") && !picture.contains("spot wrong"), "{scene} {name}");
            assert!(picture.contains(&format!("{scene}: contacts by {name}")));
        }
    }
    let scores = read(&report.join("assessment.json"));
    is_valid("assessment.schema.json", &scores);
    assert!(fs::read_to_string(report.join("tables.txt")).unwrap().contains("Orientation"));
    assert_eq!(fs::read_to_string(report.join("assessment.csv")).unwrap().lines().count(), 1 + 4 * scenes.len());
    let rows = scores["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4 * scenes.len());
    for row in rows {
        let (strict, physics) = (&row["strict"], &row["physics"]);
        let part = |value: &Value| (value["right"].as_u64().unwrap(), value["of"].as_u64().unwrap());
        let all = row["contacts"].as_u64().unwrap();
        let name = format!("{} {}", row["scene"], row["method"]);
        // By the measures of the paper all are right.
        assert_eq!((&row["coverage"], &row["quality"]), (&1.0.into(), &1.0.into()), "{name}");
        let (whole, nothing) = ((all, all), (0, all));
        let moving = part(&physics["bodies"]);
        let error = physics["acceleration_error"].as_f64().unwrap();
        let [orientation, position, gap, right] =
            ["orientation", "position", "gap", "contacts"].map(|key| part(&strict[key]));
        let covered = strict["normals"]["right"].as_u64().unwrap();
        match row["method"].as_str().unwrap() {
            "right" => {
                assert_eq!([orientation, position, gap, right], [whole; 4], "{name}");
                assert_eq!(covered, strict["normals"]["of"].as_u64().unwrap(), "{name}");
                assert!(moving.0 == moving.1 && error < 1e-4, "{name}: {error}");
            }
            "reversed" => {
                assert_eq!((orientation, right, covered, moving.0), (nothing, nothing, 0, 0), "{name}");
                assert!(error > 1.0, "{name}: {error}");
            }
            "far" => assert_eq!((position, right, covered, moving.0), (nothing, nothing, 0, 0), "{name}"),
            "deep" => {
                assert_eq!((gap, right, covered), (nothing, nothing, 0), "{name}");
                assert!((strict["gap_error"].as_f64().unwrap() - 7.0).abs() < 1e-6, "{name}");
            }
            other => panic!("{other}"),
        }
    }
}

/// Numbers that no step can be made with are scored all the same.
#[test]
fn a_list_beyond_all_numbers_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wild.csv");
    fs::write(&file, "body_a,body_b,px,py,pz,nx,ny,nz,gap\n0,1,1e200,3.2,0,0,1,0,1e308\n0,1,1,3.2,0,0,1,0,0\n")
        .unwrap();
    let arguments = ["score", "--scene", "cliff-edges", "--pose", "start", "--contacts", file.to_str().unwrap()];
    assert!(succeed(&arguments).contains("no step can be made with these contacts"));
    let document: Value = serde_json::from_str(&succeed(&[&arguments[..], &["--json", "-"]].concat())).unwrap();
    is_valid("assessment.schema.json", &document);
    let row = &document["rows"][0];
    assert_eq!((&row["strict"]["contacts"]["right"], &row["physics"]["bodies"]["right"]), (&1.into(), &0.into()));
    assert!(row["physics"]["acceleration_error"].is_null());
}

/// Lists of a later step are scored where the bodies are then, which the export says as well.
#[test]
fn lists_of_later_steps_are_scored_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (fast, slow) = (file("third.csv"), file("first.csv"));
    let found = |step: &str, to: &str| {
        succeed(&["contacts", "--scene", "spike-in-hole", "--method", "semi-local", "--step", step, "--csv", to]);
    };
    found("3", &fast);
    found("1", &slow);
    let document =
        ["score", "--scene", "spike-in-hole", "--step", "3", "--contacts", &fast, "--contacts", &slow, "--json", "-"];
    let document: Value = serde_json::from_str(&succeed(&document)).unwrap();
    is_valid("assessment.schema.json", &document);
    let [own, other] = [0, 1].map(|k| &document["rows"][k]);
    assert_eq!((&own["method"], &other["method"], &own["step"]), (&"third".into(), &"first".into(), &3.into()));
    assert!(own["strict"]["gap_error"].as_f64().unwrap() < 1e-9);
    assert!(other["strict"]["gap_error"].as_f64().unwrap() > 1e-7, "{other}");
    // With the names given, and one list in words.
    let named = ["score", "--scene", "spike-in-hole", "--contacts", &slow, "--name", "mine"];
    let text = succeed(&named);
    assert!(
        text.starts_with("mine in spike-in-hole") && text.contains("Strictly") && text.contains("In one step"),
        "{text}"
    );
    // A method that steps otherwise leads elsewhere.
    let by = |method: &str| {
        let arguments = [
            "score",
            "--scene",
            "spike-in-hole",
            "--step",
            "3",
            "--contacts",
            &fast,
            "--json",
            "-",
            "--method",
            method,
        ];
        let document: Value = serde_json::from_str(&succeed(&arguments)).unwrap();
        document["rows"][0]["strict"]["gap_error"].as_f64().unwrap()
    };
    assert!(by("semi-local") < 1e-9 && by("vertex-only") > 1e-7);
}

#[test]
fn lists_that_cannot_be_scored_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir_all(path.join("wedges")).unwrap();
    let of = |name: &str| path.join("wedges").join(name).to_str().unwrap().to_owned();
    let (good, bad) = (of("good.csv"), of("bad.csv"));
    succeed(&["contacts", "--scene", "wedges", "--method", "semi-local", "--csv", &good]);
    fs::write(&bad, "body_a,body_b\n0,1\n").unwrap();
    let folder = path.to_str().unwrap();
    // One that is broken does not keep the others from being scored.
    let message = fail(1, &["score", "--contacts", folder]);
    assert!(message.contains("scene wedges, list bad") && message.contains("no column \"px\""), "{message}");
    assert!(refused(&["score", "--scene", "wedges", "--contacts", &bad]).contains("no column \"px\""));
    assert!(refused(&["score", "--contacts", &good]).contains("0 are named with --scene"));
    assert!(
        refused(&["score", "--scene", "spikes", "--contacts", folder])
            .contains("no lists SCENE/NAME.csv of these scenes")
    );
    let twice = ["score", "--scene", "wedges", "--contacts", &good, "--contacts", folder];
    assert!(refused(&twice).contains("are both called good"));
    assert!(
        refused(&["score", "--scene", "wedges", "--contacts", &good, "--name", "a", "--name", "b"]).contains("2 times")
    );
    fs::rename(path.join("wedges"), path.join("moebius")).unwrap();
    assert!(refused(&["score", "--contacts", folder]).contains("is called like no scene"));
    assert!(refused(&["scenes", "--scene", "wedges"]).contains("--write FILE or --export DIR"));
    assert!(refused(&["scenes", "--export", folder, "--scene", "curtains"]).contains("deformable surfaces"));
}
