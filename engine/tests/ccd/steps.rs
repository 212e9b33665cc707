//! What a step with continuous collision detection does besides.

use super::range::{Missile, Range};
use drystone_contact::generator::{Method, methods};
use drystone_contact::shape::Ball;
use drystone_engine::material::{Friction, Interaction};
use drystone_engine::recording::{Recorder, Recording, RecordingSettings};
use drystone_engine::{
    BodyHandle, CcdSettings, Phase, Pose, PrescribedMotion, Solid, World, WorldError, WorldSettings,
};
use glam::{DQuat, DVec3};
use std::io::Cursor;

/// A ground with its top at y = 0, and cubes on it and on each other: towers of the given height, `gap` (m) apart and
/// turned a little.
fn towers(ccd: Option<CcdSettings>, method: Method, columns: u32, height: u32, gap: f64) -> World {
    let settings = WorldSettings { ccd, ..WorldSettings::default() };
    let mut world = World::new(settings, method);
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::isotropic(0.6), restitution: 0.0 };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    let ground = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::Y * -0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    for (column, level) in (0..columns).flat_map(|i| (0..height).map(move |j| (f64::from(i), f64::from(j)))) {
        let place = DVec3::new(1.5 * column, 0.5 + (1.0 + gap) * level + gap, 0.1 * level);
        let pose = Pose::from_parts(place, DQuat::from_rotation_y(0.2 * level));
        world.add(cube.dynamic(stone, pose).unwrap()).unwrap();
    }
    world
}

#[test]
fn a_step_without_impact_is_made_in_one_part() {
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    range.wall(0.0);
    let cube = range.throw(&Missile::Cube.solid(), DVec3::X * -2.0, DQuat::IDENTITY, DVec3::X, DVec3::ZERO);
    let ccd = range.step().ccd.unwrap();
    assert_eq!((ccd.substeps, ccd.time_of_impact, ccd.pair, ccd.advanced), (1, 1.0, None, 0.01));
    assert!((range.world.body(cube).unwrap().position.x + 1.99).abs() < 1e-12);
}

#[test]
fn towers_stand() {
    let [semi_local, vclip]: [fn() -> Method; 2] = [methods::semi_local, methods::vclip];
    for (method, gap) in [(semi_local, 0.0), (semi_local, 1e-3), (vclip, 1e-3), (semi_local, -1e-4)] {
        let method = method();
        let name = method.name().to_owned();
        let mut world = towers(Some(CcdSettings::default()), method, 2, 3, gap);
        let start: Vec<DVec3> = world.bodies().iter().map(|body| body.position).collect();
        let mut lost = 0.0;
        for step in 0..150 {
            let report = world.step().unwrap();
            let ccd = report.ccd.unwrap();
            lost += 0.01 - ccd.advanced;
            // The generator reports a contact for all that is near.
            assert!(name != "semi-local" || ccd.substeps == 1, "{name} {gap}: {ccd:?} in step {step}");
            if step == 149 {
                assert!(ccd.overlapping.is_empty(), "{name} {gap}: they are apart in the end");
            }
        }
        assert!(lost < 1e-12, "{name} {gap}: {lost} s lost");
        for (body, start) in world.bodies().iter().zip(start) {
            assert!(body.position.distance(start) < 5e-3, "{name} {gap}: {start} {}", body.position);
            assert!(body.velocity.length() < 1e-3, "{name} {gap}: {}", body.velocity);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = towers(Some(CcdSettings::default()), methods::semi_local(), 3, 3, 0.02);
            for (body, k) in world.handles().to_vec().into_iter().skip(1).zip(0..) {
                world.body_mut(body).unwrap().velocity = DVec3::new(f64::from(k % 3) - 1.0, -1.0, 0.3) * 8.0;
            }
            let reports: Vec<_> = (0..25).map(|_| world.step().unwrap()).collect();
            assert!(reports.iter().any(|r| r.ccd.as_ref().unwrap().substeps > 2));
            (reports, world.snapshot())
        })
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn who_overlaps_at_the_start_is_named_and_free_to_leave() {
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    let wall = range.wall(0.0);
    let cube = range.throw(&Missile::Cube.solid(), DVec3::X * -0.0995, DQuat::IDENTITY, DVec3::X * -1.0, DVec3::ZERO);
    let ball = range.throw(&Missile::Ball.solid(), DVec3::X * -0.0995, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    range.world.set_excluded(ball, cube, true).unwrap();
    range.world.remove(ball).unwrap();
    let ccd = range.step().ccd.unwrap();
    assert_eq!(ccd.overlapping.len(), 1);
    assert!(range.world.contains(wall) && range.extent(cube).1 < -THICK);
    assert!(range.step().ccd.unwrap().overlapping.is_empty());
    // A body wholly inside another overlaps it too.
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    let big = Solid::cuboid(DVec3::splat(2.0), 1000.0).unwrap();
    range.throw(&big, DVec3::ZERO, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    range.throw(&Missile::Ball.solid(), DVec3::X * 0.1, DQuat::IDENTITY, DVec3::Y, DVec3::ZERO);
    assert_eq!(range.step().ccd.unwrap().overlapping.len(), 1);
}

const THICK: f64 = 5e-4;

#[test]
fn time_that_cannot_be_stepped_is_reported() {
    // A plate that yields to nobody presses a ball against a wall.
    let mut range = Range::new(Some(CcdSettings { max_substeps: 8, ..CcdSettings::default() }), 0.0);
    range.wall(0.0);
    let plate = Solid::cuboid(DVec3::new(0.1, 1.0, 1.0), 1000.0).unwrap();
    let press = plate.kinematic(range.stone, Pose::from_translation(DVec3::X * -0.5)).unwrap();
    let press: BodyHandle = range.world.add(press).unwrap();
    let forward = Phase { duration: f64::INFINITY, velocity: DVec3::X, angular_velocity: DVec3::ZERO };
    range.world.set_prescribed_motion(press, Some(PrescribedMotion::new(vec![forward]).unwrap())).unwrap();
    let ball = range.throw(&Missile::Ball.solid(), DVec3::X * -0.2, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    let mut lost = 0.0;
    for _ in 0..60 {
        let ccd = range.step().ccd.unwrap();
        lost += 0.01 - ccd.advanced;
        let (near, far) = range.extent(ball);
        assert!(far < -THICK && range.extent(press).1 < near, "{near} {far} {:?} {ccd:?}", range.extent(press));
    }
    assert!(lost > 0.1 && (range.world.time() - (0.6 - lost)).abs() < 1e-9, "{lost} {}", range.world.time());
}

#[test]
fn recordings_hold_the_settings() {
    let ccd = CcdSettings { max_substeps: 9, ..CcdSettings::default() };
    let mut world = towers(Some(ccd), methods::semi_local(), 1, 2, 0.05);
    let mut recorder =
        Recorder::new(Vec::new(), &world, &RecordingSettings { keyframes: 4, ..RecordingSettings::default() }).unwrap();
    for step in 0..12 {
        if step == 6 {
            world.settings_mut().ccd = Some(CcdSettings { max_substeps: 10, ..ccd });
        }
        recorder.step(&mut world).unwrap();
    }
    let bytes = recorder.end().unwrap();
    let mut recording = Recording::new(Cursor::new(bytes)).unwrap();
    assert_eq!(recording.header().ccd, Some(ccd));
    let mut replay = recording.replay_from(1).unwrap();
    while replay.step().unwrap().is_some() {}
    assert_eq!(replay.into_world().unwrap().snapshot(), world.snapshot());
}

#[test]
fn settings_out_of_range_are_refused() {
    for ccd in [
        CcdSettings { kept_share: 1.0, ..CcdSettings::default() },
        CcdSettings { kept_share: f64::NAN, ..CcdSettings::default() },
        CcdSettings { clearance: 0.0, ..CcdSettings::default() },
        CcdSettings { max_substeps: 0, ..CcdSettings::default() },
    ] {
        let error = Range::new(Some(ccd), 0.0).world.step().unwrap_err();
        assert!(matches!(error, WorldError::Ccd(_)), "{error}");
    }
    let mut range = Range::new(Some(CcdSettings { clearance: f64::INFINITY, ..CcdSettings::default() }), 0.0);
    assert!(matches!(range.world.step().unwrap_err(), WorldError::Setting { .. }));
    range.world.settings_mut().ccd = Some(CcdSettings::default());
    let ball = Solid::new(&Ball::new(0.1).unwrap().into(), 1000.0).unwrap();
    range.throw(&ball, DVec3::X * -3.0, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    let error = range.world.step().unwrap_err();
    assert!(matches!(error, WorldError::CcdShape { kind: "ball", .. }), "{error}");
}

#[test]
fn a_light_body_between_a_wall_and_a_heavy_one_does_not_stop_the_world() {
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    range.wall(0.0);
    let [light, heavy] = [1.0, 1000.0].map(|density| Solid::cuboid(DVec3::splat(0.2), density).unwrap());
    let light = range.throw(&light, DVec3::X * -0.102, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    let turn = DQuat::from_rotation_z(0.5);
    range.throw(&heavy, DVec3::X * -0.5, turn, DVec3::X * 100.0, DVec3::ZERO);
    for _ in 0..100 {
        let ccd = range.step().ccd.unwrap();
        assert!(ccd.overlapping.is_empty() && range.extent(light).1 < -THICK, "{ccd:?}");
    }
    assert!(range.world.time() > 0.95, "{}", range.world.time());
}

#[test]
fn contacts_are_reported_with_the_poses_where_they_were_found() {
    // In one part: half of the step on. In several: where the last contacts were looked for.
    let mut range = Range::new(Some(CcdSettings::default()), 0.5);
    range.wall(0.0);
    let cube = range.throw(&Missile::Cube.solid(), DVec3::X * -1.0, DQuat::IDENTITY, DVec3::X * 60.0, DVec3::ZERO);
    let report = range.step();
    assert_eq!(report.ccd.as_ref().unwrap().substeps, 1);
    assert!((report.poses[1].translation.x + 0.7).abs() < 1e-12, "{:?}", report.poses[1]);
    range.world.body_mut(cube).unwrap().velocity = DVec3::new(60.0, 3.0, 0.0);
    let mut touched = 0;
    for _ in 0..4 {
        let report = range.step();
        assert_eq!(report.contacts.len(), report.impulses.len());
        let (surface, pose) = (range.world.shape(cube).unwrap().surface(), report.poses[1]);
        for between in &report.contacts {
            // On the wall's side of the cube at that pose.
            let far = surface
                .unwrap()
                .vertices()
                .iter()
                .map(|&v| pose.transform_point(v).x)
                .fold(f64::NEG_INFINITY, f64::max);
            let contact = &between.contact;
            let off = (contact.position.x - far).abs().max((contact.position.x + THICK).abs());
            assert!(off <= contact.gap.abs() + 1e-12, "{contact:?} {far}");
            touched += 1;
        }
    }
    assert!(touched > 0);
}

#[test]
fn orientations_that_are_not_of_unit_length_do_not_change_the_size_of_bodies() {
    let big = Solid::cuboid(DVec3::splat(4.0), 1000.0).unwrap();
    for length in [1.0 - 4e-5, 1.0 - 1e-7, 1.0, 1.0 + 4e-5] {
        let mut range = Range::new(Some(CcdSettings::default()), 0.0);
        range.wall(0.0);
        let body = range.throw(&big, DVec3::X * (-2.0 - THICK - 2e-5), DQuat::IDENTITY, DVec3::X * 1e-3, DVec3::ZERO);
        range.world.body_mut(body).unwrap().orientation = DQuat::from_xyzw(0.0, 0.0, 0.0, length);
        let ccd = range.step().ccd.unwrap();
        assert!(ccd.overlapping.is_empty() && range.extent(body).1 < -THICK, "{length}: {ccd:?}");
        assert!((range.world.body(body).unwrap().orientation.length() - 1.0).abs() < 1e-15);
    }
}
