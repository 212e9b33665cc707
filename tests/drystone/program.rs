//! The program as its users see it.

use std::path::Path;
use std::sync::LazyLock;

use drystone::contact::generator::methods;
use serde_json::Value;

use crate::run::{drystone, refused, succeed, text};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(&[arguments, &["--json", "-"]].concat())).unwrap()
}

/// All methods in all scenes of the paper, on two threads.
static WHOLE: LazyLock<Value> = LazyLock::new(|| json(&["assess", "--threads", "2"]));

/// The same as published.
static PUBLISHED: LazyLock<Value> = LazyLock::new(|| json(&["assess", "--variant", "published"]));

/// The rows without their timings.
fn untimed(mut document: Value) -> Value {
    for row in document["rows"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("seconds");
    }
    document
}

fn validator() -> jsonschema::Validator {
    let schema = include_str!("../../docs/assessment.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

#[test]
fn json_follows_its_schema() {
    let validator = validator();
    let runs: [&[&str]; 4] = [
        &["assess", "--scene", "spikes", "--filter"],
        &["assess", "--scene", "spikes", "--variant", "published", "--step", "1"],
        &["assess", "--scene", "spikes", "--method", "volume-sat", "--pose", "start", "--size", "3"],
        &["assess", "--scene", "wedges", "--perturb", "0.01", "--seed", "7", "--dt", "0.001", "--refine", "1"],
    ];
    let check = |run: &str, document: &Value| {
        let errors: Vec<String> =
            validator.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{run}: {errors:#?}");
    };
    runs.into_iter().for_each(|run| check(&run.join(" "), &json(run)));
    check("whole", &WHOLE);
    check("published", &PUBLISHED);
    let mut broken = json(&["assess", "--scene", "spikes"]);
    broken["rows"][0]["coverage"] = 2.into();
    assert!(!validator.is_valid(&broken), "the schema must be able to refuse");
}

#[test]
fn every_scene_meets_every_method() {
    let document = &*WHOLE;
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 13 * methods::all().len());
    assert!(rows.iter().all(|row| row["truth"] == "corrected"));
    // All of tables 8 and 7, and two methods each for Wall and Arch.
    assert_eq!(rows.iter().filter(|row| row["published"].is_object()).count(), 80 + 8 + 4);
    assert_eq!(rows.iter().filter(|row| row["area"].is_object()).count(), 3 * methods::all().len());
    assert_eq!(document["failures"], Value::Array(Vec::new()));
    assert_eq!((&rows[0]["scene"], &rows[0]["method"]), (&"spike-in-crack".into(), &"closest-points".into()));
}

/// A size leaves those scenes out that have one only; a scene whose size is a number is as large as asked for.
#[test]
fn sizes_go_to_the_scenes_that_have_them() {
    let document = json(&["assess", "--size", "5", "--method", "vertex-only"]);
    assert_eq!(document["rows"].as_array().unwrap().len(), 10);
    let stack =
        json(&["assess", "--scene", "box-stack", "--size", "3", "--method", "most-opposing", "--pose", "start"]);
    let row = &stack["rows"][0];
    assert_eq!((&row["minimum"], &row["area"]["expected"]), (&12.into(), &3.0.into()));
    assert!((row["area"]["coverage"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert!(validator().is_valid(&stack));
    let pile = ["contacts", "--scene", "pile", "--size", "8", "--method", "volume-sat", "--step", "1"];
    assert_eq!(succeed(&pile).lines().count(), 1, "the boxes are still in the air");
}

/// The published figures belong to the scenes and steps of the published table alone.
#[test]
fn nothing_else_stands_beside_the_published_figures() {
    let others: [&[&str]; 5] = [
        &["--pose", "start"],
        &["--step", "1"],
        &["--size", "5"],
        &["--dt", "0.001"],
        &["--perturb", "0.01", "--seed", "1"],
    ];
    for other in others {
        let document = json(&[&["assess", "--scene", "spikes", "--method", "volume-sat"], other].concat());
        assert!(document["rows"][0]["published"].is_null(), "{other:?}");
    }
    let tables = succeed(&["assess", "--scene", "spikes", "--scene", "cliff-edges"]);
    let quality = tables.split("Quality").nth(1).unwrap();
    let row = quality.lines().find(|line| line.starts_with("volume-sat")).unwrap();
    assert!(row.contains("100.0 0.0") && row.contains("26.3≠61.5"), "Two points are not compared: {row}");
}

#[test]
fn a_scene_that_a_method_cannot_take_does_not_stop_the_others() {
    // Half a centimetre of spike cannot be eroded by one.
    let output = drystone(&["assess", "--scene", "spikes", "--size", "0.05", "--json", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(validator().is_valid(&document));
    assert_eq!(document["rows"].as_array().unwrap().len(), methods::all().len() - 1);
    assert_eq!(document["failures"][0]["method"], "closest-points");
    assert!(text(&output.stderr).contains("spikes, method closest-points"));
}

#[test]
fn a_built_in_scene_is_written_as_a_file_that_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cliff.toml");
    let file = file.to_str().unwrap();
    succeed(&["scenes", "--write", file, "--scene", "cliff-edges"]);
    let scores = |scene: &str| {
        let document = json(&["assess", "--scene", scene]);
        let rows = document["rows"].as_array().unwrap().clone();
        rows.iter().map(|r| (r["contacts"].clone(), r["quality"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores(file), scores("cliff-edges"));
    assert!(refused(&["assess", "--scene", file, "--scene", "cliff-edges"]).contains("\"cliff-edges\""));
}

#[cfg(unix)]
#[test]
fn results_go_through_links_and_into_devices() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target.csv"), folder.path().join("link.csv"));
    std::fs::write(&target, "old").unwrap();
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    succeed(&["assess", "--scene", "spikes", "--csv", link.to_str().unwrap()]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&target).unwrap().starts_with("scene,"));
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    succeed(&["assess", "--scene", "spikes", "--csv", "/dev/null"]);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

/// Of 160 cells of coverage and quality and 78 of excess; the program behind the table itself reaches 159 and 76.
#[test]
fn the_published_variants_reproduce_the_published_table() {
    let document = &*PUBLISHED;
    let (mut shares, mut excesses) = (0, 0);
    let alike = |measured: f64, published: f64| format!("{measured:.1}") == format!("{published:.1}");
    for row in document["rows"].as_array().unwrap() {
        assert_eq!(row["truth"], "published");
        let published = &row["published"];
        if published["coverage"].is_null() {
            continue;
        }
        for measure in ["coverage", "quality"] {
            let value = |v: &Value| 100.0 * v[measure].as_f64().unwrap();
            shares += usize::from(alike(value(row), value(published)));
        }
        if let Some(excess) = published["excess"].as_f64() {
            excesses += usize::from(alike(row["excess"].as_f64().unwrap(), excess));
        }
    }
    assert!(shares >= 150, "{shares} of 160");
    assert!(excesses >= 68, "{excesses} of 78");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let whole = untimed(WHOLE.clone());
    assert_eq!(untimed(json(&["assess", "--threads", "1"])), whole);
    // More threads than scenes and methods in turn: the same rows in the same order.
    let some = untimed(json(&["assess", "--threads", "32", "--scene", "spikes", "--scene", "pillar"]));
    let is_of_some = |row: &&Value| row["scene"] == "spikes" || row["scene"] == "pillar";
    let same: Vec<&Value> = whole["rows"].as_array().unwrap().iter().filter(is_of_some).collect();
    assert_eq!(some["rows"].as_array().unwrap().iter().collect::<Vec<_>>(), same);
}

#[test]
fn tables_show_the_published_values_beside_ours() {
    let tables = succeed(&["assess", "--scene", "cliff-edges", "--variant", "published"]);
    assert!(tables.contains("Coverage") && tables.contains("Quality") && tables.contains("Excess"));
    let row = tables.lines().find(|line| line.starts_with("closest-points")).unwrap();
    assert!(row.contains("100.0 100.0"), "{row}");
    assert!(tables.contains("As published, to the printed digit"));
}

#[test]
fn contacts_are_scored_as_in_the_assessment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("contacts.csv");
    let file = file.to_str().unwrap();
    for method in ["most-opposing", "closest-points"] {
        let at_start = ["--scene", "internal-edges", "--pose", "start"];
        succeed(&[&["contacts", "--method", method, "--csv", file], &at_start[..]].concat());
        let scored = json(&[&["score", "--contacts", file], &at_start[..]].concat());
        assert!(validator().is_valid(&scored));
        let assessed = json(&[&["assess", "--method", method], &at_start[..]].concat());
        let rows = (&scored["rows"][0], &assessed["rows"][0]);
        for key in ["contacts", "coverage", "quality", "excess", "minimum_at_pose", "excess_at_pose", "wrong", "step"] {
            assert_eq!(rows.0[key], rows.1[key], "{method}: {key}");
        }
    }
}

/// The filter judges contacts and leaves the list of them as it is; scores are those of the contacts that it keeps.
#[test]
fn a_filter_stands_behind_a_method() {
    let scene = ["--scene", "cliff-edges", "--method", "intersection"];
    let all = succeed(&[&["contacts"], &scene[..]].concat());
    let judged = succeed(&[&["contacts", "--filter"], &scene[..]].concat());
    assert_eq!(judged.lines().count(), all.lines().count());
    assert!(judged.lines().zip(all.lines()).all(|(judged, plain)| judged.starts_with(&format!("{plain},"))));
    let kept = judged.lines().filter(|line| line.ends_with(",kept")).count();
    let row = |arguments: &[&str]| json(&[&["assess"], arguments, &scene[..]].concat())["rows"][0].clone();
    let (plain, both, one) = (row(&[]), row(&["--filter"]), row(&["--filter=a"]));
    assert_eq!((&plain["filtered"], &both["filtered"]), (&false.into(), &true.into()));
    assert_eq!(both["contacts"], kept);
    assert!(kept > 0 && both["quality"] == 1.0 && both["published"].is_null());
    let quality = |row: &Value| row["quality"].as_f64().unwrap();
    assert!(quality(&plain) < quality(&one) && quality(&one) < quality(&both));
    assert!(refused(&["assess", "--filter=c"]).contains("--filter"));
}

#[test]
fn a_report_is_a_folder_with_everything() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    succeed(&["assess", "--scene", "spikes", "--report", report.to_str().unwrap()]);
    let read = |name: &str| std::fs::read_to_string(report.join(name)).unwrap();
    assert!(validator().is_valid(&serde_json::from_str(&read("assessment.json")).unwrap()));
    assert_eq!(read("assessment.csv").lines().count(), 1 + methods::all().len());
    assert!(read("tables.txt").contains("Quality"));
    assert!(read("contacts/spikes/volume-sat.csv").starts_with("body_a,body_b,px"));
}

#[test]
fn lists_name_what_there_is() {
    let scenes = succeed(&["scenes"]);
    assert!(scenes.contains("spike-and-wedge") && scenes.contains("internal-edges"));
    let line = |name: &str| scenes.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    assert!(line("wall").contains(" 81 ") && line("wall").contains(" 852 "));
    assert!(line("funnel").contains("jacks: 2000"));
    let methods = succeed(&["methods"]);
    assert!(methods.contains("growth-distance") && methods.contains("consistent-vertex"));
}

/// By name like all others, but no part of the main job (`every_scene_meets_every_method`).
#[test]
fn scenes_beyond_the_suite_are_assessed_when_they_are_named() {
    let (suite, extended) =
        succeed(&["scenes"]).split_once("Beyond the suite").map(|(s, e)| (s.to_owned(), e.to_owned())).unwrap();
    assert!(!suite.contains("ring-on-peg") && !extended.contains("\npile "));
    let line = extended.lines().find(|line| line.starts_with("ring-on-peg ")).unwrap();
    let numbers: Vec<&str> = line.split_whitespace().skip(1).take(3).collect();
    assert_eq!(numbers, ["2", "3", "24"], "bodies, normals, minimum");
    let document = json(&["assess", "--scene", "l-corner", "--scene", "gear-teeth", "--method", "vertex-only"]);
    assert!(validator().is_valid(&document));
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| &row["scene"]).collect::<Vec<_>>(), ["l-corner", "gear-teeth"]);
    assert!(rows.iter().all(|row| row["minimum"] == 8 && row["published"].is_null()));
    let contacts = ["contacts", "--scene", "l-corner", "--method", "vertex-only", "--pose", "start"];
    assert!(succeed(&contacts).lines().count() > 1);
    succeed(&["simulate", "box-on-step", "--steps", "2"]);
    assert!(refused(&["assess", "--scene", "l-corner", "--size", "2"]).contains("has one size"));
    assert!(refused(&["assess", "--scene", "l-corner", "--model", "recorded"]).contains("no recorded bodies"));
}

#[test]
fn a_scene_file_is_scored_like_a_scene() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let mut files: Vec<_> = std::fs::read_dir(example).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut arguments = vec!["assess", "--scene", file.to_str().unwrap()];
        // Deformable surfaces have no contacts to score.
        if text.contains("[[surface]]") {
            assert!(refused(&arguments).contains("is a scene of deformable surfaces"), "{}", file.display());
            continue;
        }
        // The solver of the suite holds no joints.
        if text.contains("[[joint]]") {
            for command in [&arguments[..], &["contacts", "--scene", arguments[2], "--method", "semi-local"]] {
                assert!(refused(command).contains("give --solver soft or global"), "{command:?}");
            }
            arguments.extend(["--solver", "soft"]);
        }
        // General solids are for one method alone.
        let is_general = text.contains("shape.solid");
        if is_general {
            arguments.extend(["--method", "time-of-contact"]);
        }
        let document = json(&arguments);
        assert!(validator().is_valid(&document));
        let methods = if is_general { 1 } else { methods::all().len() };
        assert_eq!(document["rows"].as_array().unwrap().len(), methods, "{}", file.display());
        assert!(document["rows"].as_array().unwrap().iter().any(|row| row["contacts"].as_u64() > Some(0)));
    }
}

#[test]
fn bad_usage_is_refused_with_a_message() {
    assert!(refused(&["assess", "--scene", "spike"]).contains("no scene is called \"spike\""));
    assert!(refused(&["assess", "--scene", "missing.toml"]).contains("missing.toml"));
    assert!(refused(&["assess", "--method", "gjk"]).contains("volume-sat"));
    assert!(refused(&["assess", "--scene", "pile"]).contains("scene pile cannot be scored"));
    assert!(refused(&["score", "--scene", "funnel", "--contacts", "x.csv"]).contains("cannot be scored"));
    assert!(refused(&["assess", "--scene", "wall", "--size", "2"]).contains("has one size"));
    assert!(refused(&["assess", "--scene", "pyramid", "--size", "2.5"]).contains("number of boxes in the lowest row"));
    assert!(refused(&["assess", "--dt", "0"]).contains("--dt"));
    assert!(refused(&["assess", "--dt", "nan"]).contains("--dt"));
    assert!(refused(&["assess", "--size", "-1"]).contains("--size"));
    assert!(refused(&["assess", "--step", "0"]).contains("--step"));
    assert!(refused(&["assess", "--step", "1", "--pose", "start"]).contains("--pose"));
    assert!(refused(&["assess", "--variant", "published", "--size", "3"]).contains("use the procedural ones"));
    assert!(
        refused(&["contacts", "--scene", "spikes", "--method", "volume-sat", "--truth", "published"])
            .contains("--truth")
    );
    assert!(refused(&["assess", "--json", "-", "--csv", "-"]).contains("different places"));
    assert!(refused(&["assess", "--perturb", "0.1"]).contains("--seed"));
    assert!(
        refused(&["assess", "--scene", "spikes", "--json", "no/such/folder/x.json"]).contains("no/such/folder/x.json")
    );
    assert!(refused(&["score", "--scene", "spikes", "--contacts", "no-such.csv"]).contains("no-such.csv"));
}
