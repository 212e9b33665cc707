//! Moments of a run are what the engine made, whether it runs now or was recorded.

use std::ops::ControlFlow;
use std::path::Path;

use drystone_contact::generator::{Method, methods};
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::opening::OpenError;
use drystone_scenes::simulation::{self, WorldPreset};

use super::*;

fn request(what: &str, method: Method) -> Request {
    Request { method, ..Request::new(what.parse().unwrap()) }
}

/// The frames of a run up to a step, or the error that ends it.
fn frames(opened: Opened, last: u64) -> (Vec<Frame>, Option<SourceError>) {
    let (mut frames, mut error) = (Vec::new(), None);
    opened.source.run(&mut |frame| match frame {
        Ok(frame) => {
            let is_last = frame.step >= last;
            frames.push(frame);
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        Err(failed) => {
            error = Some(failed);
            ControlFlow::Break(())
        }
    });
    (frames, error)
}

/// Runs a scene as the suite does and records it.
fn record(path: &Path, scene: &str, method: Method, steps: u64) {
    let What::BuiltIn(built_in) = scene.parse().unwrap() else { panic!("{scene} is built in") };
    let request = request(scene, method);
    let scene = built_in.scene(drystone_scenes::cases::Model::Procedural, None).unwrap();
    let mut world = simulation::world(&scene, &request.method, WorldPreset::Suite).unwrap();
    let bodies = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let settings = RecordingSettings { scene: scene.name, bodies, note: "a test".into(), keyframes: 4 };
    let mut recorder = Recorder::create(path, &world, &settings).unwrap();
    (0..steps).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    recorder.finish().unwrap();
}

#[test]
fn frames_are_the_steps_of_the_world() {
    let request = request("pillar", methods::volume_sat());
    let (found, error) = frames(open(&request).unwrap(), 5);
    assert!(error.is_none());
    assert_eq!(found.iter().map(|frame| frame.step).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);

    let Ok(What::BuiltIn(pillar)) = "pillar".parse() else { panic!("the Pillar is built in") };
    let scene = pillar.scene(drystone_scenes::cases::Model::Procedural, None).unwrap();
    let mut world = simulation::world(&scene, &request.method, WorldPreset::Suite).unwrap();
    for frame in &found[1..] {
        let looked = world.detect().unwrap();
        let report = world.step().unwrap();
        assert_eq!(
            (&frame.contacts, &frame.poses),
            (&report.contacts, &looked.poses),
            "where contacts were looked for"
        );
        assert_eq!(frame.impulses.as_ref(), Some(&report.impulses));
        assert_eq!(frame.velocities[1][0], world.bodies()[1].velocity);
        assert_eq!((frame.numbers.energy, frame.time), (report.energy_after, world.time()));
    }
}

#[test]
fn what_is_known_of_contacts_is_what_the_suite_says() {
    use drystone_contact::generator::cone_filter::ConeFilter;
    use drystone_scenes::detection::{Moment, detect};
    use drystone_scenes::filtering::filtering;
    use drystone_scenes::measure::{Matching, qualities, score};

    let request = request("pillar", methods::growth_distance());
    let opened = open(&request).unwrap();
    let subject = opened.subject.clone();
    let (found, _) = frames(opened, 3);
    let examined = examine(&subject, &found[3]);

    let Ok(What::BuiltIn(pillar)) = "pillar".parse() else { panic!("the Pillar is built in") };
    let scene = pillar.scene(drystone_scenes::cases::Model::Procedural, None).unwrap();
    let detection = detect(&scene, &request.method, Moment::Step(3)).unwrap();
    assert_eq!(found[3].contacts, detection.contacts);
    let truth = scene.truth.at(&detection.poses);
    let expected = qualities(&detection.contacts, &truth);
    let own: Vec<f64> = examined.contacts.iter().map(|c| c.quality.unwrap()).collect();
    assert_eq!(own, expected);
    assert!(own.iter().any(|&q| q < 0.9) && own.iter().any(|&q| q > 0.999), "wrong ones among right ones");
    let judged = filtering(&scene, &request.method, &detection, &ConeFilter::default());
    assert_eq!(examined.contacts.iter().map(|c| c.verdict).collect::<Vec<_>>(), judged.verdicts);
    let score = score(&detection.contacts, &truth, &Matching::default());
    assert_eq!(found[3].numbers.quality, Some(score.quality));
    assert_eq!(found[3].numbers.coverage, score.area.map(|area| area.coverage));

    // What holds the stones up is their weight: the forces on the ground add up to it.
    let weight: f64 = subject.bodies.iter().map(|b| b.mass).filter(|m| m.is_finite()).sum::<f64>() * 9.82;
    let ground = subject.bodies.iter().position(|b| b.mass.is_infinite()).unwrap();
    let on_ground = examined.contacts.iter().filter(|c| c.between.a.index() == ground || c.between.b.index() == ground);
    let up: f64 = on_ground.map(|c| c.force.unwrap().y.abs()).sum();
    assert!((up - weight).abs() < 0.5 * weight, "{up} N under {weight} N");
}

#[test]
fn polygons_have_a_contact_at_each_corner() {
    let request = request("pillar", methods::semi_local());
    let opened = open(&request).unwrap();
    let subject = opened.subject.clone();
    let (found, _) = frames(opened, 2);
    let examined = examine(&subject, &found[2]);
    let corners: usize = examined.polygons.iter().flat_map(|p| &p.patch.outlines).map(Vec::len).sum();
    assert_eq!(corners, examined.contacts.len());
    let area: f64 = examined.polygons.iter().map(|p| p.patch.area).sum();
    let coverage = found[2].numbers.coverage.unwrap();
    assert!(area > 0.0 && (coverage - 1.0).abs() < 1e-3, "{area} m², {coverage}");
}

#[test]
fn a_recording_gives_the_frames_of_the_run_and_any_of_them_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pillar.drystone");
    record(&path, "pillar", methods::closest_points(), 12);
    let (run, _) = frames(open(&request("pillar", methods::closest_points())).unwrap(), 12);
    let of_file = || open(&request(path.to_str().unwrap(), methods::semi_local())).unwrap();
    let opened = of_file();
    assert_eq!(opened.source.last_step(), Some(12));
    assert_eq!(opened.subject.method.name(), "closest-points");
    assert!(opened.subject.truth.is_some(), "what is known of the Pillar holds for a recording of it");
    let (again, error) = frames(opened, u64::MAX);
    assert!(error.is_none());
    assert!(again == run);

    let mut seeker = of_file().seeker.unwrap();
    assert_eq!(seeker.steps(), 0..=12);
    for step in [7, 12, 0, 1, 5, 5] {
        let mut at_once = seeker.frame(step).unwrap();
        let of_run = &run[step as usize];
        // Its forces are not known, and whether the broad phase asked about as many pairs depends on the steps before.
        assert!(at_once.impulses.is_none());
        (at_once.impulses, at_once.numbers.pairs) = (of_run.impulses.clone(), of_run.numbers.pairs);
        assert!(&at_once == of_run, "step {step}");
    }
    assert!(seeker.frame(13).is_err());
}

#[test]
fn what_cannot_be_opened_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let what = path.to_str().unwrap().parse::<What>().unwrap();
        let error = open(&Request::new(what)).err().unwrap().to_string();
        assert!(error.contains(name), "{error}");
        error
    };
    refused("empty.toml", b"");
    refused("junk.toml", &[0, 159, 146, 150]);
    refused("junk.json", b"{");
    refused("cut.drystone", b"drystone.recording/2\n\x01");
    assert!(refused("old.drystone", b"drystone.recording/1\n").contains("recording"));
    record(&folder.path().join("whole.drystone"), "cliff-edges", methods::closest_points(), 3);
    let mut bytes = std::fs::read(folder.path().join("whole.drystone")).unwrap();
    bytes.truncate(bytes.len() - 40);
    refused("short.drystone", &bytes);

    let unknown = "no-such-scene".parse::<What>().unwrap_err().to_string();
    assert!(unknown.contains("pillar") && unknown.contains("recording"), "{unknown}");
    let at_folder = folder.path().to_str().unwrap().parse::<What>();
    assert!(at_folder.is_err() || open(&Request::new(at_folder.unwrap())).is_err());
    for time_step in [0.0, -1.0, f64::NAN] {
        let request = Request { time_step: Some(time_step), ..request("pillar", methods::semi_local()) };
        assert!(matches!(open(&request), Err(InspectionError::Scene(OpenError::Number { .. }))));
    }
    let request = Request { size: Some(3.0), ..request("pillar", methods::semi_local()) };
    assert!(matches!(open(&request), Err(InspectionError::Scene(OpenError::BuiltIn { .. }))));
}

#[test]
fn a_seek_sees_driven_bodies_where_they_were_and_refuses_other_bodies() {
    use drystone_engine::{Friction, Interaction, Phase, Pose, PrescribedMotion, Solid, World};
    use glam::DVec3;

    let mut world = World::default();
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::isotropic(0.6))).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 2000.0).unwrap();
    let belt = world.add(cube.kinematic(stone, Pose::IDENTITY).unwrap()).unwrap();
    world.add(cube.dynamic(stone, Pose::from_translation(DVec3::Y)).unwrap()).unwrap();
    let phase = |velocity| Phase { duration: 0.045, velocity, angular_velocity: DVec3::Y * 0.3 };
    let prescribed_motion =
        PrescribedMotion::new(vec![phase(DVec3::X * 0.5), phase(DVec3::Z * 2.0), phase(DVec3::NEG_X)]).unwrap();
    world.set_prescribed_motion(belt, Some(prescribed_motion)).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("belt.drystone");
    let mut recorder = Recorder::create(&path, &world, &RecordingSettings::default()).unwrap();
    (0..16).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    let extra = world.add(cube.dynamic(stone, Pose::from_translation(DVec3::Y * 9.0)).unwrap()).unwrap();
    (0..2).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    world.remove(extra).unwrap();
    (0..2).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    recorder.finish().unwrap();

    let opened = open(&request(path.to_str().unwrap(), methods::semi_local())).unwrap();
    let mut seeker = opened.seeker.unwrap();
    let opened = open(&request(path.to_str().unwrap(), methods::semi_local())).unwrap();
    let (run, error) = frames(opened, u64::MAX);
    assert_eq!(run.last().map(|frame| frame.step), Some(16));
    assert!(matches!(error, Some(SourceError::Bodies { step: 17, .. })), "{error:?}");
    for frame in run.iter().rev() {
        let seen = seeker.frame(frame.step).unwrap();
        assert_eq!((&seen.poses, &seen.velocities), (&frame.poses, &frame.velocities), "step {}", frame.step);
    }
    for step in [17, 18, 19] {
        assert!(matches!(seeker.frame(step), Err(SourceError::Bodies { .. })), "step {step}");
    }
}

/// A run by backtracking as it is made, and its recording: the same moments, which end at the states of the simulator.
#[test]
fn another_simulator_is_looked_at_live_and_recorded() {
    use drystone_engine::simulator::{Simulator, SimulatorKind};

    let live = Request { simulator: SimulatorKind::Backtracking, ..request("drop-scene", methods::semi_local()) };
    let opened = open(&live).unwrap();
    assert_eq!((opened.subject.way_name(), opened.subject.method.name()), ("backtracking", "vclip"));
    let (run, error) = frames(opened, 20);
    assert!(error.is_none());
    let scene = BuiltIn::DropScene.scene(Model::Procedural, None).unwrap();
    let mut simulator = simulation::backtracking(&scene).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drop.drystone");
    let bodies = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let settings = RecordingSettings { scene: scene.name, bodies, ..RecordingSettings::default() };
    let mut recorder = Recorder::create(&path, &simulator, &settings).unwrap();
    let mut contacts = 0;
    for frame in &run[1..] {
        let report = recorder.step(&mut simulator).unwrap();
        assert_eq!((&frame.contacts, frame.impulses.as_ref()), (&report.contacts, Some(&report.impulses)));
        assert_eq!(frame.poses[2], simulator.bodies()[2].pose(), "contacts hold where the step ended");
        assert_eq!((frame.numbers.energy, frame.numbers.sweeps), (Simulator::energy(&simulator), None));
        contacts += report.contacts.len();
    }
    assert!(contacts > 0);
    recorder.finish().unwrap();

    let opened = open(&request(path.to_str().unwrap(), methods::semi_local())).unwrap();
    assert!(opened.seeker.is_none() && opened.notes.iter().any(|note| note.contains("backtracking")));
    let subject = opened.subject.clone();
    let (again, error) = frames(opened, u64::MAX);
    assert!(error.is_none() && again == run);
    let examined = examine(&subject, run.last().unwrap());
    assert!(examined.contacts.iter().all(|contact| contact.force.is_some() && contact.quality.is_none()));

    let touching = Request { simulator: SimulatorKind::Backtracking, ..request("pillar", methods::semi_local()) };
    assert!(open(&touching).err().unwrap().to_string().contains("apart"));
}
