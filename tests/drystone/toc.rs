//! `drystone toc` as its users see it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::run;

fn query(solid: &str, options: &[&str]) -> String {
    run::succeed(&[&["toc", "query", solid], options].concat())
}

fn json(solid: &str, options: &[&str]) -> Value {
    serde_json::from_str(&query(solid, &[options, &["--json", "-"]].concat())).unwrap()
}

/// The message of a query that must be refused, in one line.
fn refused(solid: &str, options: &[&str]) -> String {
    let message = run::refused(&[&["toc", "query", solid], options].concat());
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

/// A benchmark as JSON.
fn bench(options: &[&str]) -> Value {
    serde_json::from_str(&run::succeed(&[&["toc", "bench", "--json", "-"], options].concat())).unwrap()
}

/// A contact at the time where the point comes to the surface: never after it, before it by no more than the distance
/// stated takes at this speed (m/s).
fn is_at(found: &Value, time: f64, speed: f64) {
    let number = |key: &str| found[key].as_f64().unwrap();
    let (at, within, precision) =
        (number("safe_until"), number("within"), found["settings"]["precision"].as_f64().unwrap());
    assert_eq!(found["outcome"], "contact", "{found}");
    assert!(within <= 4.0 * precision, "{found}");
    assert!(at <= time && speed * (time - at) <= 1.001 * within + 1e-12, "{at} {time}: {found}");
}

#[test]
fn contacts_are_at_the_times_of_closed_forms() {
    let fall = ["--position", "0,3,0", "--velocity", "0,-4,0"];
    for precision in ["1e-2", "1e-6", "1e-10"] {
        let found = json("ball 1", &[&fall[..], &["--precision", precision]].concat());
        is_at(&found, 0.5, 4.0);
        assert_eq!(found["normal"], serde_json::json!([0.0, 1.0, 0.0]));
    }
    // A point of a body that turns on the spot: its height is 1/2 − sin t, and it falls with cos t.
    let spin = ["--position", "0,0.5,0", "--point", "1,0,0", "--angular-velocity", "0,0,-1"];
    is_at(&json("half-space", &spin), std::f64::consts::FRAC_PI_6, 0.866);
    // A half-space that turns upwards to a point at rest, 1 m aside and 1/2 m above, at its distance times 2 rad/s.
    let turned = ["--position", "1,0.5,0", "--solid-angular-velocity", "0,0,2"];
    is_at(&json("half-space", &turned), 0.5_f64.atan() / 2.0, 1.25_f64.sqrt() * 2.0);
    // A ball that comes to a point at rest.
    is_at(&json("ball 1", &["--position", "0,0,3", "--solid-velocity", "0,0,4"]), 0.5, 4.0);
    // A point of a body that is turned by a right angle about z, from x to y.
    let tilted = ["--rotation", "0,0,90", "--point", "-2,0,0", "--position", "0,2.5,0", "--velocity", "0,-1,0"];
    is_at(&json("half-space", &tilted), 0.5, 1.0);
}

#[test]
fn answers_are_told_in_words_and_as_json() {
    let fall = ["--position", "0,3,0", "--velocity", "0,-4,0"];
    let contact = query("ball 1", &fall);
    assert!(contact.starts_with("contact: not before t = 0.49999"), "{contact}");
    assert!(contact.contains("normal (0, 1, 0)") && contact.contains(" boxes, 0 of them around arcs"), "{contact}");
    let apart = query("ball 1", &["--position", "0,3,0"]);
    assert!(apart.starts_with("apart: the point does not touch the ball for 0 ≤ t ≤ 1, certified"), "{apart}");
    let whirl = ["--angular-velocity", "0,0,30", "--point", "0.3,0,0", "--max-boxes", "5"];
    let stopped = query("torus 1 0.25", &[&fall[..], &whirl].concat());
    assert!(stopped.starts_with("stopped at the limit of boxes: no contact before t = 0."), "{stopped}");
    let none = query("cone 1 1", &["--position", "0,0.75,0"]);
    assert!(none.contains("has no normal at"), "at the tip: {none}");

    let found = json("torus 1 0.25", &[&fall[..], &whirl].concat());
    assert_eq!((&found["schema"], &found["outcome"]), (&"drystone.toc-query/1".into(), &"stopped".into()));
    assert_eq!((&found["reason"], &found["tests"]), (&"boxes".into(), &5.into()));
    assert_eq!(found["interval"], serde_json::json!([0.0, 1.0]));
    assert_eq!(found["solid"]["primitive"]["dimensions"], serde_json::json!([1.0, 0.25]));
    let safe = found["safe_until"].as_f64().unwrap();
    let free = json("torus 1 0.25", &[&fall[..], &whirl[..4], &["--to", &safe.to_string()]].concat());
    assert_eq!(free["outcome"], "apart", "the stopped search is right: {free}");
    assert_eq!((&free["safe_until"], &free["position"], &free["within"]), (&Value::Null, &Value::Null, &Value::Null));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    assert_eq!(query("ball 1", &[&fall[..], &["--json", file.to_str().unwrap()]].concat()), "");
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(written, json("ball 1", &fall));
}

/// A folder to write solids to.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().into()
    }
}

#[test]
fn solids_are_read_from_files() {
    let files = Files::new();
    // A box with a hole along y, and a ball that hangs in the hole: a difference within a union.
    let holed = r#"{"union": [
        {"solid": {"difference": [{"solid": {"primitive": {"kind": "box", "dimensions": [1, 1, 1]}}},
                                  {"solid": {"primitive": {"kind": "cylinder", "dimensions": [0.5, 2]}}}]}},
        {"solid": {"primitive": {"kind": "ball", "dimensions": [0.25]}}, "position": [0, -0.5, 0]}]}"#;
    let holed = files.write("a box with a hole.json", holed);
    let fall = |x: &str| json(&holed, &["--position", x, "--velocity", "0,-4,0"]);
    is_at(&fall("0.75,3,0.25"), 0.5, 4.0);
    is_at(&fall("0,3,0"), 3.25 / 4.0, 4.0);
    assert_eq!(fall("0.4,3,0")["outcome"], "apart");

    let toml = "[[intersection]]\nsolid.primitive = { kind = \"ball\", dimensions = [1.0] }\n\
                [[intersection]]\nsolid.primitive = { kind = \"half-space\" }\nposition = [0.0, 0.5, 0.0]\n";
    let cap = files.write("cap.toml", toml);
    is_at(&json(&cap, &["--position", "0.1,3,0.2", "--velocity", "0,-4,0"]), 2.5 / 4.0, 4.0);

    let implicit = "[implicit]\nf = \"x^2 + 4*y^2 + z^2 - 1\"\nlow = [-2, -1, -2]\nhigh = [2, 1, 2]\n";
    let implicit = files.write("lens.toml", implicit);
    let found = json(&implicit, &["--position", "0,3,0", "--velocity", "0,-4,0"]);
    is_at(&found, 2.5 / 4.0, 4.0);
    assert!((found["normal"][1].as_f64().unwrap() - 1.0).abs() < 1e-9);

    // y = x² over the unit square from (−1, −1) to (1, 1).
    let patch = r#"{"parametric": {"closed": false, "patches": [{"degrees": [1, 2], "points":
        [[-1, 1, -1], [0, -1, -1], [1, 1, -1], [-1, 1, 1], [0, -1, 1], [1, 1, 1]]}]}}"#;
    let patch = files.write("valley.json", patch);
    // It is met at 45°.
    let across = 4.0 * 0.5_f64.sqrt();
    is_at(&json(&patch, &["--position", "0.5,2.25,0.3", "--velocity", "0,-4,0"]), 0.5, across);
    is_at(&json(&patch, &["--position", "0.5,-1.75,0.3", "--velocity", "0,4,0"]), 0.5, across);

    let soup = r#"{"placed": {"solid": {"soup": {"vertices": [[-1, 0, -1], [1, 0, -1], [0, 0, 1]], "polygons": [[0, 1, 2]]}},
        "position": [0, 1, 0]}}"#;
    let soup = files.write("soup.json", soup);
    is_at(&json(&soup, &["--position", "0,3,0", "--velocity", "0,-4,0"]), 0.5, 4.0);
}

#[test]
fn every_solid_of_the_page_can_be_asked() {
    let files = Files::new();
    let page = include_str!("../../docs/time-of-contact.md");
    let section = page.split("## Solids as data").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut kinds = Vec::new();
    for (ending, opening) in [("json", "```json\n"), ("toml", "```toml\n")] {
        for (k, block) in section.split(opening).skip(1).enumerate() {
            let content = block.split("```").next().unwrap();
            let found = json(&files.write(&format!("{k}.{ending}"), content), &["--position", "9,9,9"]);
            assert_eq!(found["outcome"], "apart", "{content}");
            kinds.extend(found["solid"].as_object().unwrap().keys().cloned());
        }
    }
    kinds.sort();
    kinds.dedup();
    let all =
        ["difference", "implicit", "intersection", "parametric", "placed", "polyhedron", "primitive", "soup", "union"];
    assert_eq!(kinds, all);
}

#[test]
fn bad_questions_are_refused_with_one_line() {
    let ball = |options: &[&str], message: &str| {
        let told = refused("ball 1", options);
        assert!(told.contains(message), "{options:?}: {told}");
    };
    ball(&["--precision", "0"], "the precision is 0 m; it must be finite and above zero");
    ball(&["--precision", "-1e-6"], "the precision is -0.000001 m");
    ball(&["--precision", "NaN"], "the precision is NaN m");
    ball(&["--from", "1", "--to", "0.5"], "the interval from 1 s to 0.5 s is none");
    ball(&["--to", "inf"], "the interval from 0 s to inf s is none");
    ball(&["--max-boxes", "0"], "max_boxes is 0");
    ball(&["--velocity", "0,NaN,0"], "the velocity of the body is [0, NaN, 0]; it must be finite");
    ball(&["--point", "inf,0,0"], "the point of the body is [inf, 0, 0]");
    ball(&["--solid-angular-velocity", "0,inf,0"], "the angular velocity of the solid is [0, inf, 0]");
    ball(&["--velocity", "0,1"], "--velocity \"0,1\" is no vector; give three numbers");
    ball(&["--point", "one,two,three"], "--point \"one,two,three\" is no vector");
    ball(&["--boxes", "printed", "--solid-angular-velocity", "0,0,1"], "the solid turns (at 1 rad/s)");
    ball(&["--bound", "reading-a", "--solid-angular-velocity", "0,0,1"], "equation 2");
    ball(&["--json", "no/such/folder/x.json"], "cannot be written");
}

#[test]
fn bad_solids_are_refused_with_one_line() {
    let is_refused = |solid: &str, message: &str| {
        let told = refused(solid, &[]);
        assert!(told.contains(message), "{solid}: {told}");
    };
    is_refused("blob 1", "no primitive is called \"blob\"; known are: ball");
    is_refused("ball 1 2", "a ball has 1 dimensions (radius), not 2");
    is_refused("torus 1", "a torus has 2 dimensions (major radius, minor radius), not 1");
    is_refused("ball NaN", "the radius of a ball is NaN; it must be finite and above zero");
    is_refused("box 1 -1 1", "it must be finite and above zero");
    is_refused("ball wide", "\"wide\" is no dimension of a ball");
    is_refused("", "the solid has no name");
    is_refused("no-such-file.json", "no-such-file.json cannot be read");
    is_refused("no-such-file.toml", "no-such-file.toml cannot be read");
}

#[test]
fn bad_files_are_refused_with_one_line() {
    let files = Files::new();
    let patch = |points: &str| {
        format!("[parametric]\nclosed = false\n[[parametric.patches]]\ndegrees = [1, 1]\npoints = [{points}]\n")
    };
    let with = |last: &str| patch(&format!("[0, 0, 0], [0, 0, 1], [1, 0, 0], {last}"));
    let implicit = |f: &str| format!(r#"{{"implicit": {{"f": "{f}", "low": [-1, -1, -1], "high": [1, 1, 1]}}}}"#);
    let refusals: [(&str, String, &str); 20] = [
        ("cut.json", r#"{"primitive": {"kind": "ball", "dim"#.into(), "EOF while parsing a string at line 1"),
        ("empty.json", "".into(), "EOF while parsing a value at line 1"),
        ("cut.toml", "[primitive]\nkind = \"ball\"\ndimensions = [1".into(), "describes no solid: line 3"),
        ("kind.toml", "\n[sphere]\nradius = 1\n".into(), "line 2: unknown variant `sphere`"),
        ("key.json", r#"{"primitive": {"kind": "ball", "size": [1]}}"#.into(), "unknown field `size`"),
        ("none.json", r#"{"union": []}"#.into(), "a union of no solids: give at least one"),
        ("nothing.json", r#"{"difference": []}"#.into(), "a difference of no solids: give at least one"),
        (
            "part.json",
            r#"{"union": [{"solid": {"primitive": {"kind": "ball", "dimensions": [-1]}}}]}"#.into(),
            "part 0: the radius of a ball is -1",
        ),
        (
            "rotation.json",
            r#"{"placed": {"solid": {"primitive": {"kind": "ball", "dimensions": [1]}}, "rotation": [0, 0, 0, 2]}}"#
                .into(),
            "has the length 2; it must be a unit quaternion",
        ),
        ("syntax.json", implicit("x^2 + * y"), "column 7: expected a number"),
        ("name.json", implicit("x + foo(y)"), "column 5: \"foo\" is unknown"),
        ("open.json", implicit("y"), "not surely above zero on the side of the box"),
        ("infinite.json", implicit("x^2 + y^2 + z^2 - 0.5").replacen("-1", "-1e999", 1), "number out of range"),
        ("nan.toml", with("[1, nan, 1]"), "patch 0: control point 3 is [1.0, NaN, 1.0, 1.0]; all four numbers must be"),
        ("weight.toml", with("[1, 0, 1, 0]"), "control point 3 has the weight 0; weights must be above zero"),
        ("point.toml", with("[1, 0]"), "control point 3 of patch 0 has 2 numbers"),
        ("degree.toml", patch("[0, 0, 0], [0, 0, 1]"), "there are 2 control points; the degrees ask for 4"),
        ("border.toml", with("[1, 0, 1]").replace("false", "true"), "border v = 0 of patch 0 has no partner"),
        (
            "hole.json",
            r#"{"polyhedron": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}}"#.into(),
            "the surface is open",
        ),
        (
            "soup.json",
            r#"{"soup": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "polygons": [[0,1,7]]}}"#.into(),
            "polygon 0 refers to vertex 7",
        ),
    ];
    for (name, content, message) in refusals {
        let told = refused(&files.write(name, &content), &[]);
        assert!(told.contains(message) && told.contains(name), "{name}: {told}");
    }
}

/// Without what the clock says.
fn untimed(mut document: Value) -> Value {
    let tallies =
        document["results"].as_array_mut().unwrap().iter_mut().flat_map(|r| r["rows"].as_array_mut().unwrap());
    for tally in tallies.flat_map(|row| row["tallies"].as_array_mut().unwrap()) {
        tally.as_object_mut().unwrap().remove("seconds").unwrap();
    }
    document
}

/// The sum of one count of a variant over all rows.
fn sum(document: &Value, variant: usize, count: &str) -> u64 {
    let rows = document["results"].as_array().unwrap().iter().flat_map(|result| result["rows"].as_array().unwrap());
    rows.map(|row| row["tallies"][variant][count].as_u64().unwrap()).sum()
}

#[test]
fn a_benchmark_misses_nothing_with_the_exact_bound_alone() {
    let document = bench(&["--queries", "210", "--precision", "1e-3", "--scales", "1e3"]);
    assert_eq!(document["schema"], "drystone.toc-bench/1");
    assert_eq!((&document["queries"], &document["seed"]), (&210.into(), &1.into()));
    let names: Vec<&str> =
        document["variants"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
    let all = ["exact bound", "reading A", "reading B", "printed box, A", "printed box, B", "without boxes"];
    assert_eq!(names, all);
    let rows = document["results"][0]["rows"].as_array().unwrap();
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["half-space", "ball", "box", "cylinder", "cone", "torus"]);
    let keys =
        ["queries", "contacts", "missed", "late", "near", "stopped", "unsure", "tests", "curved", "within", "seconds"];
    for tally in rows.iter().flat_map(|row| row["tallies"].as_array().unwrap()) {
        assert_eq!(tally.as_object().unwrap().len(), keys.len());
        assert!(keys.iter().all(|key| tally[key].is_number()), "{tally}");
        assert_eq!(tally["queries"], 210);
        assert!(tally["contacts"].as_u64().unwrap() > 50, "{tally}");
    }
    for (variant, name) in all.iter().enumerate().take(3) {
        for count in ["missed", "late", "unsure"] {
            assert_eq!(sum(&document, variant, count), 0, "{count} by {name}");
        }
    }
    for (variant, name) in all.iter().enumerate().skip(3) {
        let wrong = sum(&document, variant, "missed") + sum(&document, variant, "late");
        assert!(wrong > 0, "{name}");
    }
    let tests = [0, 1, 2].map(|variant| sum(&document, variant, "tests"));
    assert!(tests[0] < tests[1] && tests[1] < tests[2], "the tighter the bound, the fewer boxes: {tests:?}");
}

#[test]
fn a_benchmark_is_the_same_for_any_number_of_threads() {
    let run = |threads: &str| {
        let options = ["--kind", "torus", "--queries", "600", "--precision", "1e-4", "--exact", "--threads", threads];
        untimed(bench(&options))
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one["variants"].as_array().unwrap().len(), 1);
    let moving = untimed(bench(&["--kind", "box", "--queries", "70", "--precision", "1e-4", "--moving"]));
    assert_eq!((sum(&moving, 0, "missed"), sum(&moving, 0, "late")), (0, 0));
    assert!(sum(&moving, 0, "contacts") > 10, "{moving}");
    let other = bench(&["--kind", "box", "--queries", "70", "--precision", "1e-4", "--moving", "--seed", "2"]);
    assert_ne!(moving["results"], untimed(other)["results"]);
}

#[test]
fn bad_benchmarks_are_refused() {
    let is_refused = |options: &[&str], message: &str| {
        let told = run::refused(&[&["toc", "bench"], options].concat());
        assert!(told.contains(message), "{options:?}: {told}");
    };
    is_refused(&["--kind", "capsule"], "\"capsule\" has no certified answers; known are: half-space");
    is_refused(&["--precision", "0"], "--precision 0 is none; it must be finite and above zero");
    is_refused(&["--precision", "inf"], "--precision inf is none");
    is_refused(&["--scales", "0.5"], "--scales 0.5 is none; it must be from 1 to 1e9");
    is_refused(&["--json", "no/such/folder/x.json"], "before any work");
    run::refused(&["toc", "bench", "--queries", "0"]);
    let table = run::succeed(&["toc", "bench", "--kind", "ball", "--queries", "7", "--precision", "1e-2", "--exact"]);
    assert!(table.starts_with("precision 1e-2 of the size\nsolid ") && table.contains("\nball        exact bound "));
}

#[test]
fn the_method_is_for_scenes_with_general_solids() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/ring-on-slab.toml");
    let run = ["simulate", example.to_str().unwrap(), "--method", "time-of-contact", "--steps", "20", "--csv", "-"];
    let rows = run::succeed(&run);
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let contacts = reader.headers().unwrap().iter().position(|name| name == "contacts").unwrap();
    let counts: Vec<u32> = reader.records().map(|row| row.unwrap()[contacts].parse().unwrap()).collect();
    assert_eq!(counts.len(), 20);
    assert!(counts.iter().all(|&count| count >= 3), "{counts:?}");
}
