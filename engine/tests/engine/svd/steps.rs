//! Worlds that step by the method.

use drystone_contact::generator::methods;
use drystone_engine::recording::{Recorder, Recording, RecordingSettings};
use drystone_engine::solver::{ContactSolver, SvdSettings, SvdStatus};
use drystone_engine::world::Snapshot;
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World, WorldSettings};
use glam::{DQuat, DVec3};

/// Level or tilted ground under a world that steps by the method.
fn world(tilt: f64, friction: Friction, restitution: f64) -> World {
    let mut settings = WorldSettings::gauss_seidel();
    settings.step.contact_solver = ContactSolver::Svd(SvdSettings::STEPS);
    let (sine, cosine) = libm::sincos(tilt);
    settings.step.forces.gravity = DVec3::new(9.82 * sine, -9.82 * cosine, 0.0);
    let mut world = World::new(settings, methods::semi_local());
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction { friction, restitution }).unwrap();
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 1000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    world
}

fn cube(world: &mut World, position: DVec3) -> BodyHandle {
    let stone = drystone_engine::MaterialId::new(0);
    let solid = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    world.add(solid.dynamic(stone, Pose::from_parts(position, DQuat::IDENTITY)).unwrap()).unwrap()
}

#[test]
fn a_tower_stands_still() {
    let mut world = world(0.0, Friction::sliding(0.5), 0.0);
    let cubes: Vec<BodyHandle> = (0..10).map(|k| cube(&mut world, DVec3::Y * (f64::from(k) + 0.5))).collect();
    for _ in 0..100 {
        let report = world.step().unwrap();
        let svd = report.islands[0].svd.unwrap();
        assert_eq!((svd.status, svd.solves), (SvdStatus::Exact, 1));
        assert!(svd.is_rank_deficient() && report.counts.torsion_ignored == 0);
        assert_eq!((report.counts.svd_exact, report.counts.svd_rank_deficient, report.counts.svd_solves), (1, 1, 1));
        for (between, impulse) in report.contacts.iter().zip(&report.impulses) {
            let above = 10 - between.a.index();
            assert!((impulse[0] / (above as f64 * 1000.0 * 9.82 * 0.01 / 4.0) - 1.0).abs() < 1e-6, "{impulse:?}");
        }
    }
    for (k, handle) in cubes.into_iter().enumerate() {
        assert!(world.body(handle).unwrap().position.distance(DVec3::Y * (k as f64 + 0.5)) < 1e-9);
    }
}

/// On an incline it stays, or slides with g (sin θ − μ cos θ); on the level it stops after v²/2μg and stays.
#[test]
fn sliding_is_as_it_should() {
    let tilt = 0.3;
    for friction in [0.2, 0.4] {
        let mut world = world(tilt, Friction::sliding(friction), 0.0);
        let body = cube(&mut world, DVec3::Y * 0.5);
        for _ in 0..100 {
            assert_eq!(world.step().unwrap().counts.svd_exact, 1);
        }
        let expected = (9.82 * (libm::sin(tilt) - friction * libm::cos(tilt))).max(0.0);
        assert!((world.body(body).unwrap().velocity.x - expected).abs() < 1e-6);
    }
    let mut world = world(0.0, Friction::sliding(0.4), 0.0);
    let body = cube(&mut world, DVec3::Y * 0.5);
    world.body_mut(body).unwrap().velocity = DVec3::X * 3.0;
    for _ in 0..100 {
        assert_eq!(world.step().unwrap().counts.svd_exact, 1);
    }
    let state = world.body(body).unwrap();
    assert!(state.velocity.length() < 1e-9, "{}", state.velocity);
    assert!((state.position.x - 9.0 / (2.0 * 0.4 * 9.82)).abs() < 0.02, "{}", state.position);
}

#[test]
fn a_bounce_comes_back_with_its_share() {
    let mut world = world(0.0, Friction::sliding(0.5), 0.5);
    let body = cube(&mut world, DVec3::Y * 1.5);
    let (mut fastest, mut back) = (0.0f64, 0.0f64);
    for _ in 0..70 {
        world.step().unwrap();
        let speed = world.body(body).unwrap().velocity.y;
        (fastest, back) = (fastest.min(speed), back.max(speed));
    }
    assert!((back / fastest + 0.5).abs() < 0.05, "{fastest} {back}");
}

#[test]
fn torsion_that_is_left_out_is_counted() {
    let mut world = world(0.0, Friction::isotropic(0.5), 0.0);
    cube(&mut world, DVec3::Y * 0.5);
    let report = world.step().unwrap();
    assert_eq!((report.counts.torsion_ignored, report.contacts.len()), (4, 4));
}

/// The solver and its settings are part of snapshots and recordings, and the future is the same.
#[test]
fn recordings_go_on_by_the_same_solver() {
    let mut world = world(0.1, Friction::sliding(0.5), 0.2);
    for k in 0..3 {
        cube(&mut world, DVec3::new(0.3 * f64::from(k), 0.8 + 1.2 * f64::from(k), 0.0));
    }
    let settings = SvdSettings { static_speed: 0.02, ..SvdSettings::STEPS };
    world.settings_mut().step.contact_solver = ContactSolver::Svd(settings);
    let recording = RecordingSettings { keyframes: 20, ..RecordingSettings::default() };
    let mut recorder = Recorder::new(Vec::new(), &world, &recording).unwrap();
    for _ in 0..60 {
        recorder.step(&mut world).unwrap();
    }
    let bytes = recorder.end().unwrap();
    let mut recording = Recording::new(std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(recording.header().settings.as_ref().unwrap().0.step.contact_solver, ContactSolver::Svd(settings));
    for from in [1, 45] {
        let mut replay = recording.replay_from(from).unwrap();
        while replay.step().unwrap().is_some() {}
        assert_eq!(replay.simulator().bodies(), world.bodies());
    }
    let text = world.snapshot().to_json().unwrap();
    let read = Snapshot::from_json(&text).unwrap();
    let mut other = World::from_snapshot(&read, &Default::default()).unwrap();
    for _ in 0..10 {
        assert_eq!(other.step().unwrap(), world.step().unwrap());
    }
}
