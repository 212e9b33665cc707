//! Kinematic bodies that are moved to poses: what they carry comes along, what is teleported is told.

use super::workbench::{Workbench, at};
use super::{free, undamped};
use drystone_contact::generator::Registry;
use drystone_engine::recording::{Recorder, Recording, RecordingSettings};
use drystone_engine::{Body, BodyHandle, BodyId, CcdSettings, Pose, Solid, World, WorldError};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::io::Cursor;

const MU: f64 = 0.5;

/// A kinematic platform of 6 m with its top at y = 0 and a flat box that rests on it at (x, z) = (1, 0).
fn ride() -> (Workbench, BodyHandle, BodyHandle) {
    let mut bench = Workbench::new(undamped(), MU, 0.0);
    let slab = Solid::cuboid(DVec3::new(6.0, 0.4, 6.0), 1000.0).unwrap();
    let platform = bench.world.add(slab.kinematic(bench.stone, at(0.0, -0.2, 0.0)).unwrap()).unwrap();
    let rider = bench.cuboid(DVec3::new(0.4, 0.1, 0.4), at(1.0, 0.05, 0.0));
    bench.run(20);
    (bench, platform, rider)
}

/// Moves the platform step by step along its way, and returns the pose of the rider in its frame before and after.
fn carried(steps: u32, way: impl Fn(f64) -> Pose) -> [Pose; 2] {
    let (mut bench, platform, rider) = ride();
    let relative = |bench: &Workbench| {
        let pose = |handle| bench.world.body(handle).map(Body::pose).unwrap();
        pose(platform).inverse() * pose(rider)
    };
    let before = relative(&bench);
    let start = bench.world.body(platform).unwrap().pose();
    for k in 1..=steps {
        bench.world.move_to(platform, way(f64::from(k) / f64::from(steps)) * start).unwrap();
        assert_eq!(bench.world.step().unwrap().teleported, []);
    }
    [before, relative(&bench)]
}

/// 2 m forth within 2 s: at most π²/2 · 2 m / (2 s)² = 2.5 m/s², half of what friction can give.
#[test]
fn a_rider_goes_along() {
    let ease = |s: f64| 1.0 - (std::f64::consts::PI * s).cos();
    let [before, after] = carried(200, |s| Pose::from_translation(DVec3::X * ease(s)));
    let slip = after.translation - before.translation;
    println!("a rider on a platform moved by 2 m slips by {:.1e} m", slip.length());
    assert!(slip.length() < 5e-3, "{slip}");
}

/// A turn by 2 rad within 2 s about the middle: 1 m from it, at most some 2.8 m/s². The rider follows on the spiral of the
/// scheme (`carried`): tangents of 200 steps of at most 0.016 rad.
#[test]
fn a_rider_turns_along() {
    let ease = |s: f64| 1.0 - (std::f64::consts::PI * s).cos();
    let [before, after] = carried(200, |s| Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_y(ease(s))));
    let slip = after.translation - before.translation;
    let turn = (after.rotation * before.rotation.inverse()).to_scaled_axis();
    println!("a rider on a platform turned by 2 rad slips by {:.1e} m and {:.1e} rad", slip.length(), turn.length());
    assert!(slip.length() < 0.03 && turn.length() < 0.02, "{slip} {turn}");
}

proptest! {
    #[test]
    fn any_pose_is_reached(
        positions in prop::array::uniform2(prop::array::uniform3(-5.0..5.0f64)),
        turns in prop::array::uniform2(prop::array::uniform3(-3.0..3.0f64)),
        steps_before in 0..4usize,
        time_step in 1e-3..0.1f64,
        ccd in any::<bool>(),
    ) {
        let pose = |k: usize| {
            Pose::from_parts(DVec3::from(positions[k]), DQuat::from_scaled_axis(DVec3::from(turns[k])))
        };
        let mut settings = free();
        settings.step.time_step = time_step;
        settings.ccd = ccd.then(CcdSettings::default);
        let mut bench = Workbench::new(settings, 0.0, 0.0);
        let solid = Solid::cuboid(DVec3::new(0.5, 0.6, 0.7), 1000.0).unwrap();
        let body = bench.world.add(solid.kinematic(bench.stone, pose(0)).unwrap()).unwrap();
        bench.run(steps_before);
        let target = pose(1);
        bench.world.move_to(body, target).unwrap();
        bench.run(1);
        let reached = bench.world.body(body).unwrap().clone();
        prop_assert!((reached.position - target.translation).length() < 1e-12);
        // How far corners of a unit cube are off.
        for v in [DVec3::X, DVec3::Y, DVec3::Z] {
            prop_assert!((reached.orientation * v - target.rotation * v).length() < 1e-12);
        }
        // Then it rests to the last bit.
        bench.run(1);
        let rests = bench.world.body(body).unwrap();
        prop_assert_eq!((rests.velocity, rests.angular_velocity), (DVec3::ZERO, DVec3::ZERO));
        prop_assert!((rests.position - reached.position).length() == 0.0);
    }
}

#[test]
fn what_is_teleported_is_told_and_carries_nothing() {
    let (mut bench, platform, rider) = ride();
    let before = bench.position(rider);
    bench.world.body_mut(platform).unwrap().position.x += 0.5;
    let report = bench.world.step().unwrap();
    assert_eq!(report.teleported, [BodyId::new(0)]);
    assert!((bench.position(rider) - before).length() < 1e-3);
    // Velocities are no teleport, nor is a body that is new, nor a pose that is taken back.
    bench.world.body_mut(rider).unwrap().velocity.y = 0.1;
    bench.cuboid(DVec3::ONE, at(0.0, 5.0, 0.0));
    let body = bench.world.body_mut(platform).unwrap();
    let was = body.position;
    body.position += DVec3::X;
    body.position = was;
    assert_eq!(bench.world.step().unwrap().teleported, []);
    bench.world.body_mut(rider).unwrap().orientation *= DQuat::from_rotation_y(1e-9);
    bench.world.body_mut(platform).unwrap().position.y -= 1e-9;
    assert_eq!(bench.world.step().unwrap().teleported, [BodyId::new(0), BodyId::new(1)]);
}

#[test]
fn what_cannot_be_moved_to_a_pose_is_refused() {
    let (mut bench, platform, rider) = ride();
    let world = &mut bench.world;
    let far = |x: f64| Pose::from_translation(DVec3::X * x);
    assert_eq!(world.move_to(rider, Pose::IDENTITY), Err(WorldError::MoveTo(rider)));
    let broken =
        [far(f64::NAN), far(f64::INFINITY), Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0))];
    for pose in broken {
        assert!(matches!(world.move_to(platform, pose), Err(WorldError::Target { body, .. }) if body == platform));
    }
    assert!(matches!(world.move_to(platform, far(1e308)), Err(WorldError::TooFar { .. })));
    assert_eq!(world.prescribed_motion(platform), Ok(None), "nothing has changed");
    world.remove(platform).unwrap();
    assert_eq!(world.move_to(platform, Pose::IDENTITY), Err(WorldError::Stale(platform)));
}

/// Between two calls of `move_to` a world is written and read; a recording with such calls has the same bits again.
#[test]
fn snapshots_and_recordings_hold_it() {
    let (mut bench, platform, _) = ride();
    let target = Pose::from_parts(DVec3::new(0.01, -0.2, 0.0), DQuat::from_rotation_y(0.02));
    bench.world.move_to(platform, target).unwrap();
    let registry = Registry::default();
    let mut read = World::from_snapshot(&bench.world.snapshot(), &registry).unwrap();
    read.step().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &bench.world, &RecordingSettings::default()).unwrap();
    recorder.step(&mut bench.world).unwrap();
    assert_eq!(read.bodies(), bench.world.bodies());
    for k in 0..8 {
        if k % 3 == 0 {
            bench.world.move_to(platform, target).unwrap();
        } else {
            let aside = Pose::from_translation(DVec3::new(0.002 * f64::from(k), -0.2, 0.0));
            bench.world.move_to(platform, aside).unwrap();
        }
        recorder.step(&mut bench.world).unwrap();
    }
    let bytes = recorder.end().unwrap();
    let mut recording = Recording::new(Cursor::new(bytes)).unwrap();
    let mut replay = recording.replay().unwrap();
    let mut steps = 0;
    while replay.step().unwrap().is_some() {
        steps += 1;
    }
    assert_eq!((steps, replay.simulator().bodies()), (9, bench.world.bodies()));
}
