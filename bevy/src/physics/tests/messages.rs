//! Events of the engine and joints, by entities.

use super::*;
use drystone_engine::{NewBody, NewJoint};

/// Everything of a kind that happens in some updates.
fn during<M: Message + Clone>(app: &mut App, updates: usize) -> Vec<M> {
    let mut cursor = MessageCursor::default();
    let mut all = Vec::new();
    for _ in 0..updates {
        app.update();
        all.extend(messages::<M>(app, &mut cursor));
    }
    all
}

fn dynamic(pose: Pose) -> RigidBody {
    RigidBody::dynamic(&cube(), DEFAULT_MATERIAL, pose).unwrap()
}

#[test]
fn contacts_that_last_are_told_if_that_is_wished() {
    for persisted in [false, true] {
        let events = EventSettings { persisted, ..EventSettings::ALL };
        let mut app = app(DrystonePlugin { events, ..DrystonePlugin::default() });
        let ground = app.world_mut().spawn(ground()).id();
        let cube = app.world_mut().spawn(falling(0.5)).id();
        app.update();
        let lasting = during::<ContactPersisted>(&mut app, 5);
        assert_eq!(lasting.len(), if persisted { 5 } else { 0 });
        for ContactPersisted { a, b, impulse } in lasting {
            assert_eq!((a, b, impulse.contacts), (ground, cube, 4));
            let weight = 2000.0 * 9.82 * time_step().as_secs_f64();
            assert!((impulse.total.y - weight).abs() < 0.1 * weight, "{impulse:?}");
        }
    }
}

#[test]
fn a_body_that_is_replaced_ends_its_contacts_and_begins_them() {
    let mut app = app(DrystonePlugin::default());
    let ground = app.world_mut().spawn(ground()).id();
    let cube = app.world_mut().spawn(falling(0.5)).id();
    app.update();
    app.world_mut().entity_mut(cube).insert(falling(0.5));
    let (mut started, mut ended) = (MessageCursor::default(), MessageCursor::default());
    messages::<ContactStarted>(&app, &mut started);
    app.update();
    assert_eq!(messages::<ContactStarted>(&app, &mut started).len(), 1);
    assert_eq!(messages::<ContactEnded>(&app, &mut ended), [ContactEnded { a: ground, b: cube }]);
}

#[test]
fn sensors_tell_what_comes_and_goes() {
    let mut app = app(DrystonePlugin::default());
    let gate = NewBody { is_sensor: true, ..cube().fixed(DEFAULT_MATERIAL, at(2.0)).unwrap() };
    let sensor = app.world_mut().spawn(RigidBody(gate)).id();
    let body = app.world_mut().spawn(falling(4.0)).id();
    let entered = during::<SensorEntered>(&mut app, 60);
    assert_eq!(entered, [SensorEntered { sensor, body }]);
    assert_eq!(during::<SensorLeft>(&mut app, 60), [SensorLeft { sensor, body }]);
    app.world_mut().get_mut::<BodyPose>(body).unwrap().position.y = 2.0;
    app.update();
    app.world_mut().despawn(body);
    assert_eq!(during::<SensorLeft>(&mut app, 2), [SensorLeft { sensor, body }], "also of the removed");
}

#[test]
fn bodies_fall_asleep_and_wake_up() {
    let mut app = app(DrystonePlugin::default());
    app.world_mut().spawn(ground());
    let cube = app.world_mut().spawn(falling(0.5)).id();
    assert_eq!(during::<FellAsleep>(&mut app, 200), [FellAsleep(cube)]);
    app.world_mut().get_mut::<Velocity>(cube).unwrap().linear.y = 1.0;
    assert_eq!(during::<WokeUp>(&mut app, 2), [WokeUp(cube)]);
}

#[test]
fn joints_come_and_go_with_their_entities() {
    let mut app = app(DrystonePlugin::default());
    let beam = app.world_mut().spawn(dynamic(Pose::from_translation(DVec3::X))).id();
    let pin =
        |y: f64| RigidJoint::new(None, beam, move |a, b, world| NewJoint::hinge(a, b, DVec3::Y * y, DVec3::Z, world));
    let first = app.world_mut().spawn(pin(0.0)).id();
    let count = |app: &App| physics(app).world().joints().count();
    assert_eq!(count(&app), 1, "at once");
    let handle = physics(&app).joint(first).unwrap();
    assert_eq!(physics(&app).entity_of_joint(handle), Some(first));
    for _ in 0..50 {
        app.update();
    }
    let position = pose(&app, beam).position;
    assert!((position.length() - 1.0).abs() < 1e-9 && position.y < -0.5, "it swings: {position}");

    app.world_mut().entity_mut(first).insert(pin(1.0));
    assert_eq!(count(&app), 1, "another one in its place");
    assert!(physics(&app).joint(first) != Some(handle));
    app.world_mut().despawn(first);
    assert_eq!(count(&app), 0);

    let last = app.world_mut().spawn(pin(0.0)).id();
    app.world_mut().despawn(beam);
    assert_eq!(count(&app), 0, "it goes with its body");
    app.world_mut().despawn(last);
    app.update();
    assert!(physics(&app).error().is_none());
}

#[test]
fn gears_couple_joints_by_their_entities() {
    let mut app = app(DrystonePlugin::default());
    let wheels = [0.0, 3.0].map(|x| app.world_mut().spawn(dynamic(Pose::from_translation(DVec3::X * x))).id());
    let hinges = [0, 1].map(|k| {
        let point = DVec3::X * (3.0 * k as f64);
        let hinge = RigidJoint::new(None, wheels[k], move |a, b, world| NewJoint::hinge(a, b, point, DVec3::Z, world));
        app.world_mut().spawn(hinge).id()
    });
    app.world_mut().spawn(RigidJoint::coupling(hinges, |[first, second]| NewJoint::gear(first, second, -2.0)));
    app.world_mut().get_mut::<Velocity>(wheels[0]).unwrap().angular = DVec3::Z;
    for _ in 0..20 {
        app.update();
    }
    let [first, second] = wheels.map(|wheel| app.world().get::<Velocity>(wheel).unwrap().angular.z);
    assert!(first > 0.1 && (second + 2.0 * first).abs() < 1e-9, "{first} {second}");
}

#[test]
fn joints_that_break_are_told_and_those_that_cannot_be_are_refused() {
    let mut app = app(DrystonePlugin::default());
    let body = app.world_mut().spawn(falling(3.0)).id();
    let weak = RigidJoint::new(None, body, |a, b, world| {
        Ok(NewJoint::ball(a, b, DVec3::Y * 3.0, world)?.with_breaking(Some(100.0), None))
    });
    let joint = app.world_mut().spawn(weak).id();
    let broke = during::<JointBroke>(&mut app, 3);
    assert_eq!(broke.len(), 1);
    assert_eq!(broke[0].joint, joint);
    assert!((broke[0].force.y - 2000.0 * 9.82).abs() < 1.0, "it bore the weight: {:?}", broke[0]);
    assert!(app.world().get::<RigidJoint>(joint).is_none() && physics(&app).joint(joint).is_none());

    let nobody = app.world_mut().spawn_empty().id();
    let fixed = RigidJoint::new(Some(nobody), body, NewJoint::fixed);
    let own = RigidJoint::new(Some(body), body, NewJoint::fixed);
    let gear = RigidJoint::coupling([nobody, body], |[first, second]| NewJoint::gear(first, second, 1.0));
    let refused = [fixed, own, gear].map(|joint| app.world_mut().spawn(joint).id());
    let found = messages::<JointRefused>(&app, &mut MessageCursor::default());
    assert_eq!(found.iter().map(|message| message.entity).collect::<Vec<_>>(), refused);
    assert_eq!(found[0].error, JointProblem::NoBody { entity: nobody });
    assert!(matches!(found[1].error, JointProblem::World(WorldError::OneBody(_))));
    assert_eq!(found[2].error, JointProblem::NoJoint { entity: nobody });
}
