//! Deformable surfaces by `drystone simulate` and what goes with it, as their users see them.

use std::fs;
use std::path::Path;

use crate::run::{fail, program, refused, succeed, text};

/// The path of a file in a folder.
fn within(folder: &tempfile::TempDir) -> impl Fn(&str) -> String {
    move |name| folder.path().join(name).display().to_string()
}

/// The rows of a CSV by the names of their columns, without times of day.
fn rows(csv: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        let cells = heads.iter().zip(row.iter()).filter(|(head, _)| !head.ends_with("seconds"));
        cells.map(|(head, cell)| (head.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn value(row: &[(String, String)], name: &str) -> f64 {
    row.iter().find(|(head, _)| head == name).unwrap().1.parse().unwrap()
}

/// Simulated, recorded, exported, made again, resumed from any frame: the same bits on any number of threads.
#[test]
fn a_run_of_surfaces_is_recorded_and_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, csv, other) = (at("knot.drystone"), at("knot.csv"), at("other.drystone"));
    let base = ["simulate", "reef-knot", "--dt", "0.002", "--steps", "6", "--keyframes", "4", "--audit"];
    let summary = succeed(&[&base[..], &["--record", &file, "--csv", &csv, "--threads", "1"]].concat());
    succeed(&[&base[..], &["--record", &other, "--threads", "2"]].concat());
    assert!(fs::read(&file).unwrap() == fs::read(&other).unwrap(), "recordings on one and two threads differ");
    let line = |what: &str| summary.lines().find(|line| line.starts_with(what)).unwrap_or_default().to_owned();
    assert!(
        line("simulator").ends_with("asynchronous") && line("steps").contains("6, to step 6 at 0.012"),
        "{summary}"
    );
    assert!(line("surfaces").contains("2 parts, 1550 vertices, 2516 triangles"), "{summary}");
    assert!(line("intersections").contains("none, by an exact test after 6 steps"), "{summary}");
    assert!(line("share of time").contains("elastic") && line("share of time").contains("rescheduling"), "{summary}");

    let replayed = succeed(&["replay", &file, "--threads", "2"]);
    assert!(replayed.contains("simulator asynchronous") && replayed.contains("Steps 1 to 6 have the same bits"));
    assert!(succeed(&["replay", &file, "--from-step", "6"]).contains("Steps 6 to 6 have the same bits"));
    let whole = rows(&fs::read_to_string(&csv).unwrap());
    assert_eq!(whole.len(), 6);
    for first in ["3", "6"] {
        let again = ["simulate", "--resume", &file, "--from-step", first, "--steps", "1", "--csv", "-", "--audit"];
        assert_eq!(rows(&succeed(&again))[..], whole[first.parse::<usize>().unwrap() - 1..][..1], "from step {first}");
    }
    // The numbers of the rows agree with each other.
    for row in &whole {
        let kinds = ["gravity", "elastic", "prescribed", "penalty", "slab", "broad_phase", "rescheduling"];
        assert!(kinds.iter().map(|kind| value(row, &format!("{kind}_events"))).sum::<f64>() > 1e5, "{row:?}");
        let (shortest, median) = (value(row, "shortest_vertex_step"), value(row, "median_vertex_step"));
        assert!(0.0 < shortest && shortest <= median && value(row, "intersections") == 0.0, "{row:?}");
        let (_, counts) = row.iter().find(|(head, _)| head == "vertex_steps").unwrap();
        let count = |pair: &str| pair.split_once(':').unwrap().1.parse::<u32>().unwrap();
        // All but those of the four prescribed ends.
        let moving: u32 = counts.split(' ').map(count).sum();
        assert!((1500..1550).contains(&moving), "{counts}");
    }
    assert!(value(&whole[5], "deepest_layer") >= 1.0 && value(&whole[5], "closest_distance") < 7e-4);
}

/// By windows the motion is the same to the last bit, on any number of threads, and such a run goes on like any other.
#[test]
fn a_run_by_windows_is_that_of_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let base = ["simulate", "compactor-cubes", "--dt", "0.01", "--steps", "6"];
    let run = |name: &str, more: &[&str]| succeed(&[&base[..], &["--export-obj", &at(name)], more].concat());
    run("queue", &[]);
    for threads in ["1", "2"] {
        let file = at(&format!("{threads}.drystone"));
        run(threads, &["--windows", "--threads", threads, "--record", &file, "--keyframes", "2"]);
        assert!(succeed(&["replay", &file, "--from-step", "5"]).contains("Steps 5 to 6 have the same bits"));
    }
    let end = |name: &str| fs::read(Path::new(&at(name)).join("000006.obj")).unwrap();
    assert!(end("1") == end("queue") && end("2") == end("queue"));
    assert!(fs::read(at("1.drystone")).unwrap() == fs::read(at("2.drystone")).unwrap());
}

/// A step whose record is another than what comes out, in one bit of one vertex.
#[test]
fn a_vertex_that_differs_in_a_bit_is_found() {
    use drystone::engine::recording::{FrameKind, FrameReader, FrameWriter};
    let folder = tempfile::tempdir().unwrap();
    let file = within(&folder)("balls.drystone");
    succeed(&["simulate", "two-shells", "--dt", "0.0005", "--steps", "2", "--record", &file]);
    let bytes = fs::read(&file).unwrap();
    let (mut reader, mut writer) = (FrameReader::new(&bytes[..]).unwrap(), FrameWriter::new(Vec::new()).unwrap());
    loop {
        let (kind, mut content) = reader.read().unwrap();
        if kind == FrameKind::Step && content[0] == 2 {
            let last = content.len() - 1;
            content[last] ^= 1;
        }
        writer.write(kind, &content).unwrap();
        if kind == FrameKind::End {
            break;
        }
    }
    fs::write(&file, writer.into_inner()).unwrap();
    let message = fail(1, &["replay", &file]);
    assert!(message.contains("step 2, velocity of a vertex") && message.contains("(vertex 1283, z)"), "{message}");
}

#[test]
fn surfaces_are_exported_and_in_page_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (vtk, objs, page, report) = (at("vtk"), at("objs"), at("run.html"), at("report.html"));
    let base = ["simulate", "curtains", "--dt", "0.002", "--steps", "4", "--export-every", "2"];
    succeed(
        &[&base[..], &["--export-vtk", &vtk, "--export-obj", &objs, "--page", &page, "--report", &report]].concat(),
    );
    let names = |folder: &str| {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&objs), ["000000.obj", "000002.obj", "000004.obj"]);
    let vtps = ["surfaces.pvd", "surfaces_000000.vtp", "surfaces_000002.vtp", "surfaces_000004.vtp"];
    assert_eq!(names(&vtk), vtps);
    let obj = fs::read_to_string(Path::new(&objs).join("000004.obj")).unwrap();
    let lines = |start: &str| obj.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("v "), lines("f ")), (1 + 4 * 25 * 17, 4 * 2 * 24 * 16));

    let html = fs::read_to_string(&page).unwrap();
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let surfaces = data["scenes"][0]["surfaces"].as_array().unwrap();
    assert_eq!(surfaces.len(), 5);
    assert_eq!((&surfaces[0]["name"], &surfaces[0]["kind"]), (&"particle 1".into(), &"prescribed".into()));
    assert_eq!((&surfaces[4]["name"], &surfaces[4]["kind"]), (&"surface 5".into(), &"free".into()));
    let moments = data["runs"][0]["moments"].as_array().unwrap();
    assert_eq!(moments.iter().map(|m| m["step"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let positions = |moment: usize| moments[moment]["surfaces"][4].as_str().unwrap();
    // Three numbers of four bytes a vertex, as base64.
    assert_eq!(positions(0).len(), (25 * 17 * 12_usize).div_ceil(3) * 4);
    assert!(positions(0) != positions(4) && moments[4]["numbers"]["surfaces"]["events"].as_u64() > Some(1000));

    let report = fs::read_to_string(&report).unwrap();
    assert!(report.contains("curtains by asynchronous") && report.contains("Time steps of vertices"), "{report}");
}

/// The named error of motion without room: what was recorded up to there is whole, and so are all other files.
#[test]
fn impossible_motion_leaves_a_whole_recording() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, csv, report) = (at("zeno.drystone"), at("zeno.csv"), at("zeno.html"));
    let outputs = ["--record", &file, "--csv", &csv, "--report", &report];
    // Softer layers have longer steps, so that it is over sooner.
    let message = fail(2, &[&["simulate", "zeno", "--stiffness", "0.01"][..], &outputs].concat());
    assert!(message.contains("the motion leaves them no room") && message.contains("nothing has passed"), "{message}");
    assert!(!Path::new(&format!("{file}.part")).exists());
    let steps = rows(&fs::read_to_string(&csv).unwrap()).len();
    assert!(message.contains(&format!("step {}:", steps + 1)) && steps > 5, "{message}");
    assert!(succeed(&["replay", &file]).contains(&format!("Steps 1 to {steps} have the same bits")));
    assert!(fs::read_to_string(&report).unwrap().contains("the motion leaves them no room"));
    // Resumed, it ends in the same way.
    let again = fail(2, &["simulate", "--resume", &file, "--steps", "3"]);
    assert_eq!(again.lines().last(), message.lines().last());
}

const FILE: &str = r#"
name = "strip"
time_step = 0.002
duration = 0.006
contact = { thickness = 1e-3, stiffness = 300 }
[[surface]]
name = "cloth"
file = "strip.obj"
scale = 0.1
material = { area_density = 0.2, stretching = 15, bending = 1e-6 }
prescribed = [{ vertices = [0, 1], key = [{ time = 0.002, velocity = [0, 1, 0] }] }]
"#;

#[test]
fn a_scene_file_may_hold_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (scene, csv) = (at("strip.toml"), at("strip.csv"));
    fs::write(&scene, FILE).unwrap();
    let missing = refused(&["simulate", &scene]);
    assert!(missing.contains("strip.toml: surface \"cloth\", file:") && missing.contains("strip.obj"), "{missing}");
    fs::write(at("strip.obj"), "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 3 2\nf 1 4 3\n").unwrap();
    let summary = succeed(&["simulate", &scene, "--csv", &csv]);
    assert!(summary.contains("3, to step 3 at 0.006") && summary.contains("1 parts, 4 vertices"), "{summary}");
    let energies: Vec<f64> =
        rows(&fs::read_to_string(&csv).unwrap()).iter().map(|row| value(row, "elastic_energy")).collect();
    assert!(energies[2] > energies[0], "it is pulled up after a while: {energies:?}");
    for (command, words) in [
        (vec!["contacts", "--scene", &scene, "--method", "semi-local"], "a scene of deformable surfaces"),
        (vec!["contacts", "--scene", "reef-knot", "--method", "semi-local"], "a scene of deformable surfaces"),
        (vec!["simulate", &scene, "--thickness", "1e3"], "m apart at the start"),
    ] {
        let message = refused(&command);
        assert!(message.contains(words), "{message}");
    }
    fs::write(&scene, FILE.replace("name = \"cloth\"", "name = \" \"")).unwrap();
    assert!(refused(&["simulate", &scene]).contains("a name with at least one character that is not blank"));
    // Tetrahedra without triangles.
    let solid = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
                 $Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
    fs::write(at("strip.msh"), solid).unwrap();
    fs::write(&scene, FILE.replace("strip.obj", "strip.msh")).unwrap();
    let message = refused(&["simulate", &scene]);
    assert!(message.contains("the mesh has tetrahedra alone"), "{message}");
}

#[test]
fn what_has_no_meaning_for_surfaces_is_refused_by_name() {
    let options: [&[&str]; 9] = [
        &["--method", "vclip"],
        &["--solver", "svd"],
        &["--suite"],
        &["--ccd"],
        &["--variant", "published"],
        &["--model", "procedural"],
        &["--size", "3"],
        &["--perturb", "0.1", "--seed", "1"],
        &["--refine", "1"],
    ];
    for option in options {
        let message = refused(&[&["simulate", "reef-knot"], option].concat());
        assert!(message.contains(option[0]) && message.contains("a scene of deformable surfaces"), "{message}");
    }
    assert!(
        refused(&["simulate", "zeno", "--suite", "--solver", "svd"]).contains("--solver, --suite are without effect")
    );
    let message = refused(&["simulate", "reef-knot", "--simulator", "time-stepping"]);
    assert!(message.contains("the simulator time-stepping does not move"), "{message}");
    let message = refused(&["simulate", "pillar", "--simulator", "asynchronous"]);
    assert!(message.contains("one of bodies") && message.contains("reef-knot"), "{message}");
    assert!(refused(&["simulate", "pillar", "--windows"]).contains("--windows"));
    for option in [["--stiffness", "2"], ["--thickness", "2"]] {
        assert!(refused(&[&["simulate", "pillar"], &option[..]].concat()).contains(option[0]));
        assert!(refused(&["simulate", "reef-knot", option[0], "-1"]).contains("above zero"));
    }
    let folder = tempfile::tempdir().unwrap();
    let report = within(&folder)("report.html");
    assert!(refused(&["simulate", "pillar", "--report", &report]).contains("--report is of deformable surfaces"));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    // Features of one ribbon lie nearer to each other than twice the thickness.
    assert!(refused(&["simulate", "reef-knot", "--thickness", "2"]).contains("m apart at the start"));
    let listed = succeed(&["scenes"]);
    for name in ["reef-knot", "bed-of-nails", "trash-compactor", "curtains", "two-shells", "zeno"] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{listed}");
    }
    assert!(refused(&["simulate", "reef"]).contains("reef-knot"));
}

/// What is written replaces neither what is read nor another result.
#[test]
fn results_do_not_replace_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let scene = at("cloth.toml");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    fs::copy(examples.join("hanging-cloth.toml"), &scene).unwrap();
    fs::copy(examples.join("cloth.obj"), at("cloth.obj")).unwrap();
    let text = fs::read(&scene).unwrap();
    // The same file by another path.
    let round = folder.path().join("..").join(folder.path().file_name().unwrap()).join("cloth.toml");
    for option in ["--record", "--csv", "--page", "--report"] {
        for place in [&scene, &round.display().to_string()] {
            let message = refused(&["simulate", &scene, "--steps", "1", option, place]);
            assert!(message.contains(&format!("{option} would replace the scene file")), "{message}");
        }
    }
    for option in ["--record", "--csv", "--page", "--report"] {
        let message = refused(&["simulate", &scene, "--steps", "1", option, &at("cloth.obj")]);
        assert!(message.contains(&format!("{option} would replace a file that the scene reads")), "{message}");
    }
    let file = at("cloth.drystone");
    succeed(&["simulate", &scene, "--steps", "2", "--record", &file]);
    let recording = fs::read(&file).unwrap();
    for option in ["--record", "--csv"] {
        let message = refused(&["simulate", "--resume", &file, "--steps", "1", option, &file]);
        assert!(message.contains("would replace the recording"), "{message}");
    }
    let both = at("both");
    let message = refused(&["simulate", &scene, "--steps", "1", "--record", &both, "--csv", &both]);
    assert!(message.contains("--record and --csv both write to"), "{message}");
    assert!(fs::read(&scene).unwrap() == text && fs::read(&file).unwrap() == recording);
    assert!(!Path::new(&both).exists() && fs::read_dir(folder.path()).unwrap().count() == 3);
}

/// What cannot be begun leaves nothing behind that would stand in the way of the next try.
#[test]
fn what_is_refused_leaves_no_parts() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, csv, taken) = (at("a.drystone"), at("a.csv"), at("taken"));
    fs::write(&taken, "").unwrap();
    let base = ["simulate", "particle-on-floor", "--steps", "1", "--record", &file];
    refused(&[&base[..], &["--csv", &csv, "--export-vtk", &taken]].concat());
    let message = refused(&[&base[..], &["--csv", &at("missing/a.csv")]].concat());
    assert!(message.contains("there is no folder") && message.contains("missing; make it first"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // What another run may still write.
    fs::write(at("a.csv.part"), "").unwrap();
    let message = refused(&["simulate", "particle-on-floor", "--steps", "1", "--csv", &csv]);
    assert!(message.contains("a.csv.part is there: another run is writing"), "{message}");
    fs::remove_file(at("a.csv.part")).unwrap();
    succeed(&[&base[..], &["--csv", &csv]].concat());
    let message = refused(&["simulate", "particle-on-floor", "--steps", "1", "--record", "-"]);
    assert!(message.contains("--record writes a file"), "{message}");
}

/// Frames of one run alone are in a folder, and where there are no triangles there are none.
#[test]
fn a_folder_of_frames_is_that_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, objs) = (at("a.drystone"), at("objs"));
    let base = ["simulate", "particle-on-floor", "--dt", "0.01", "--export-obj", &objs];
    succeed(&[&base[..], &["--steps", "2", "--record", &file]].concat());
    let message = refused(&[&base[..], &["--steps", "1"]].concat());
    assert!(message.contains("has frames of another run, 000002.obj the last"), "{message}");
    // A run that goes on with them does so in its folder, but writes over none.
    let resume = ["simulate", "--resume", &file, "--steps", "1", "--export-obj", &objs];
    succeed(&resume);
    assert_eq!(fs::read_dir(&objs).unwrap().count(), 4);
    assert!(refused(&resume).contains("000003.obj the last"));
    let (scene, none) = (at("bead.toml"), at("none"));
    fs::write(&scene, "name = \"bead\"\n[[surface]]\nname = \"bead\"\nparticle = 0.01\n").unwrap();
    let message = refused(&["simulate", &scene, "--steps", "1", "--export-obj", &none]);
    assert!(message.contains("only particles") && !Path::new(&none).exists(), "{message}");
    succeed(&["simulate", &scene, "--steps", "1", "--export-vtk", &none]);
}

/// A scene by name as a file: simulated, the same frames to the last digit.
#[test]
fn scenes_of_surfaces_are_written_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = at("knot.toml");
    succeed(&["scenes", "--write", &file, "--scene", "reef-knot", "--dt", "0.0005"]);
    for (scene, objs) in [(file.as_str(), at("file")), ("reef-knot", at("name"))] {
        succeed(&["simulate", scene, "--dt", "0.0005", "--steps", "1", "--export-obj", &objs]);
    }
    let end = |objs: &str| fs::read(Path::new(&at(objs)).join("000001.obj")).unwrap();
    assert!(end("file") == end("name") && fs::read_to_string(&file).unwrap().contains("time_step = 0.0005"));
    let message = refused(&["scenes", "--write", &at("no.toml"), "--scene", "drape-spike"]);
    assert!(message.contains("it has solids"), "{message}");
    let message = refused(&["scenes", "--write", &at("no.toml"), "--scene", "reef-knot", "--size", "2"]);
    assert!(message.contains("--size is without effect") && !Path::new(&at("no.toml")).exists(), "{message}");
}

/// Ctrl-C ends a run within a frame that would take minutes; what was recorded before it is whole.
#[cfg(unix)]
#[test]
fn a_long_frame_is_left_when_asked() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = at("knot.drystone");
    for more in [&[][..], &["--windows"]] {
        let arguments = ["simulate", "reef-knot", "--dt", "0.1", "--steps", "2", "--record", &file];
        let run = program().args(arguments).args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !Path::new(&format!("{file}.part")).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let asked = Instant::now();
        assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
        let output = run.wait_with_output().unwrap();
        let message = text(&output.stderr);
        assert!(output.status.code() == Some(130) && message.contains("Ended after step 0 as asked"), "{message}");
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
        assert!(succeed(&["replay", &file]).contains("There is no step from 1 on"));
    }
}

/// Devices are written to and stay devices; a recording, which is renamed into its place, goes to none.
#[cfg(unix)]
#[test]
fn devices_stay_devices() {
    let folder = tempfile::tempdir().unwrap();
    let sink = folder.path().join("sink");
    std::os::unix::fs::symlink("/dev/null", &sink).unwrap();
    let (place, base) = (sink.display().to_string(), ["simulate", "particle-on-floor", "--steps", "1"]);
    succeed(&[&base[..], &["--csv", &place]].concat());
    let message = refused(&[&base[..], &["--record", &place]].concat());
    assert!(message.contains("a device or a pipe"), "{message}");
    assert!(fs::symlink_metadata(&sink).unwrap().is_symlink() && fs::read_dir(folder.path()).unwrap().count() == 1);
}
