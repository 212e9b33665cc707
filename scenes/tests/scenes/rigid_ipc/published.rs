//! The scenes that come with rigid-ipc.

use drystone_contact::generator::methods;
use std::path::{Path, PathBuf};

use drystone_engine::BodyKind;
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::rigid_ipc::read;
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file;

use super::data;

/// What becomes of a scene.
enum Outcome {
    Runs,
    /// Runs, if there is TetGen.
    Tetgen,
    /// Refused with this in the message, once TetGen has filled the bodies before.
    Refused(&'static str),
}

use Outcome::{Refused, Runs, Tetgen};

const OUTCOMES: [(&str, Outcome); 46] = [
    ("chain/10-links", Tetgen),
    ("chain/3-links", Tetgen),
    ("chain/5-links", Tetgen),
    ("chain/anchor", Refused("body 22 (anchor.obj): the mesh is no solid: triangles 96 and 1905 intersect")),
    ("chain/chain-net/chain-net-4x4", Tetgen),
    ("examples/concave", Runs),
    ("examples/kinematic", Runs),
    ("examples/kinematically-scripted", Runs),
    ("examples/split-components", Tetgen),
    ("friction/arch/arch-101-stones", Runs),
    ("friction/arch/arch-25-stones", Runs),
    ("friction/card-house/card-house-2-levels", Runs),
    ("friction/card-house/card-house-3-levels", Runs),
    ("friction/card-house/card-tent", Runs),
    ("friction/incline-plane/slopeTest_highSchoolPhysics_mu=0.49", Runs),
    ("friction/incline-plane/slopeTest_highSchoolPhysics_mu=0.5", Runs),
    ("friction/incline-plane/slopeTest_highSchoolPhysics_mu=1", Runs),
    ("friction/sliding", Runs),
    ("friction/spolling-coin", Runs),
    ("friction/turntable/turntable-mu=0.0", Runs),
    ("friction/turntable/turntable-mu=0.5", Runs),
    ("mechanisms/507-movements/092-piston", Tetgen),
    ("mechanisms/bolt", Tetgen),
    ("pendulum/double-pendulum", Tetgen),
    ("pendulum/pendulum", Tetgen),
    ("piles/cone", Runs),
    ("piles/plane", Runs),
    ("unit-tests/5-cubes", Runs),
    ("unit-tests/cube-falling-on-edge", Runs),
    ("unit-tests/edge-edge", Runs),
    ("unit-tests/edge-edge-parallel", Runs),
    ("unit-tests/face-vertex", Runs),
    ("unit-tests/large-mass-ratio", Runs),
    ("unit-tests/lever-arm", Runs),
    ("unit-tests/rotation/rotating-cube", Runs),
    ("unit-tests/rotation/rotating-ellipsoid-intermediate", Runs),
    ("unit-tests/rotation/rotating-sphere", Runs),
    ("unit-tests/rotation/torque-test", Runs),
    ("unit-tests/spinning-cube-over-plane", Runs),
    ("unit-tests/tessellated-plane/8K-triangles", Runs),
    ("unit-tests/tessellated-plane/two-triangles", Runs),
    ("unit-tests/tessellated-plane/two-triangles-tet", Runs),
    ("unit-tests/tunnel/2-walls", Runs),
    ("unit-tests/tunneling", Runs),
    ("unit-tests/vertex-face", Runs),
    ("unit-tests/vertex-vertex", Runs),
];

/// The scenes that are kept here.
const KEPT: usize = 14;

fn scenes_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { scenes_in(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    paths
}

/// A few steps without an error, to finite states.
fn run(scene: &Scene) {
    let moment = Moment::Step(3);
    let detection =
        detect(scene, &methods::most_opposing(), moment).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
    assert_eq!(detection.steps.len(), 2);
    for pose in &detection.poses {
        assert!(pose.translation.is_finite() && pose.rotation.is_finite(), "{}", scene.name);
    }
}

/// Every scene of the folder comes out as the table says.
fn check(fixtures: &Path, count: usize) {
    let paths = scenes_in(fixtures);
    assert_eq!(paths.len(), count);
    for path in paths {
        let name = path.strip_prefix(fixtures).unwrap().with_extension("");
        let name = name.to_str().unwrap();
        let (_, outcome) = OUTCOMES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name} is new"));
        let read = read(&path);
        if let Ok(read) = &read {
            assert!(scene_file::encode(&read.scene).is_ok(), "{name} cannot be kept");
            run(&read.scene);
        }
        let message = read.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert!(message.is_empty() || message.starts_with(path.to_str().unwrap()), "{message}");
        assert!(!message.contains("needs the program TetGen"), "{message}: run scripts/install-packages");
        match outcome {
            Runs => assert!(read.is_ok(), "{message}"),
            Tetgen => assert!(read.is_ok(), "{message}"),
            Refused(reason) => assert!(message.contains(reason), "{name}: {message}"),
        }
    }
}

#[test]
fn the_scenes_kept_here_come_out_as_known() {
    check(&data().join("fixtures/3D"), KEPT);
}

/// All of them, where the data folder stands beside the project.
#[test]
fn all_scenes_come_out_as_known() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/rigid-ipc/fixtures/3D");
    if !folder.is_dir() {
        eprintln!("{} is not there: nothing more to read", folder.display());
        return;
    }
    check(&folder, OUTCOMES.len());
}

/// On a slope whose tangent is one half a cube stays with a coefficient of 1 and slides with 0.49, as in school.
#[test]
fn a_cube_slides_down_where_friction_is_too_little() {
    let way = |mu: &str| {
        let path = format!("fixtures/3D/friction/incline-plane/slopeTest_highSchoolPhysics_mu={mu}.json");
        let scene = read(data().join(path)).unwrap().scene;
        assert!(scene.bodies[0].body.is_dynamic() && scene.bodies[1].body.is_fixed());
        let place = |step| {
            let moment = Moment::Step(step);
            detect(&scene, &methods::volume_sat(), moment).unwrap().poses[0].translation
        };
        (place(60) - place(20), scene.time_step)
    };
    let (stays, _) = way("1");
    assert!(stays.length() < 1e-4, "{stays}");
    let (slides, time_step) = way("0.49");
    // g (sin − 0.49 cos) of 26.565°, from rest: the way from step 20 to 60 lies near ½ a (t₂² − t₁²).
    let angle = 26.565f64.to_radians();
    let acceleration = 9.81 * (angle.sin() - 0.49 * angle.cos());
    let expected = 0.5 * acceleration * time_step * time_step * (60.0 * 60.0 - 20.0 * 20.0);
    assert!((slides.length() / expected - 1.0).abs() < 0.25, "{} m, expected {expected} m", slides.length());
    assert!(slides.x > 0.0 && slides.y < 0.0, "{slides}");
}

#[test]
fn a_scripted_cube_carries_its_poses() {
    let read = read(data().join("fixtures/3D/examples/kinematically-scripted.json")).unwrap();
    let body = read.scene.bodies.iter().find(|body| body.body.kind() == BodyKind::Kinematic).unwrap();
    let phases = body.prescribed_motion.as_ref().unwrap().phases();
    assert_eq!(phases.len(), 4);
    let mut height = body.body.position.y;
    for (phase, expected) in phases.iter().zip([1.0, 2.0, 3.0]) {
        height += phase.velocity.y * phase.duration;
        assert!((height - expected).abs() < 1e-12 && phase.angular_velocity.length() < 1e-12);
    }
    // 1500 degrees a second, without end.
    assert_eq!((phases[3].duration, phases[3].velocity.length()), (f64::INFINITY, 0.0));
    assert!((phases[3].angular_velocity.x - 1500f64.to_radians()).abs() < 1e-12);
    assert_eq!(body.body.velocity, phases[0].velocity);
    let walls = read.notes.iter().filter(|note| note.text.contains("slab")).count();
    assert_eq!(walls, 2);
}
