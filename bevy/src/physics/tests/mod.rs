//! Applications without a window, beside a plain world that is stepped in the same way.

mod deeds;
mod messages;

use super::*;
use crate::draw::{ContactMarks, DrawnBody};
use bevy::ecs::message::MessageCursor;
use bevy::time::TimeUpdateStrategy;
use drystone_engine::{BodyHandle, Pose, Solid, WorldError};
use glam::{DQuat, DVec3};
use std::time::Duration;

/// Δt of the default settings, s.
fn time_step() -> Duration {
    Duration::from_secs_f64(WorldSettings::default().step.time_step)
}

/// An application that makes one step in each update but the first.
fn app(plugin: DrystonePlugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(time_step()));
    // The first update has no time in it.
    app.update();
    assert_eq!(app.world().resource::<Physics>().world().steps(), 0);
    app
}

fn cube() -> Solid {
    Solid::cuboid(DVec3::ONE, 2000.0).unwrap()
}

fn at(y: f64) -> Pose {
    Pose::from_translation(DVec3::Y * y)
}

fn ground() -> RigidBody {
    let solid = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0).unwrap();
    RigidBody::fixed(&solid, DEFAULT_MATERIAL, at(-0.5)).unwrap()
}

fn falling(y: f64) -> RigidBody {
    RigidBody::dynamic(&cube(), DEFAULT_MATERIAL, at(y)).unwrap()
}

/// The same world without an application.
fn plain(bodies: &[RigidBody]) -> (World, Vec<BodyHandle>) {
    let DrystonePlugin { settings, method, material, .. } = DrystonePlugin::default();
    let mut world = World::new(settings, method);
    let id = world.materials_mut().add("default").unwrap();
    world.materials_mut().set(id, id, material).unwrap();
    let handles = bodies.iter().map(|body| world.add(body.0.clone()).unwrap()).collect();
    (world, handles)
}

fn pose(app: &App, entity: Entity) -> BodyPose {
    *app.world().get::<BodyPose>(entity).unwrap()
}

fn physics(app: &App) -> &Physics {
    app.world().resource::<Physics>()
}

/// All messages of a kind that have not been read with this cursor.
fn messages<M: Message + Clone>(app: &App, cursor: &mut MessageCursor<M>) -> Vec<M> {
    cursor.read(app.world().resource::<Messages<M>>()).cloned().collect()
}

#[test]
fn a_stack_moves_as_in_a_plain_world_to_the_last_bit() {
    let bodies = [ground(), falling(0.6), falling(1.8), falling(3.1)];
    let mut app = app(DrystonePlugin::default());
    let entities: Vec<Entity> = bodies.iter().map(|body| app.world_mut().spawn(body.clone()).id()).collect();
    let (mut world, handles) = plain(&bodies);
    for _ in 0..100 {
        app.update();
        let report = world.step().unwrap();
        for (&entity, &handle) in entities.iter().zip(&handles) {
            let body = world.body(handle).unwrap();
            assert_eq!(pose(&app, entity), BodyPose::of(body));
            assert_eq!(*app.world().get::<Velocity>(entity).unwrap(), Velocity::of(body));
        }
        assert_eq!(physics(&app).report(), Some(&report));
    }
    assert_eq!(app.world().resource::<Contacts>().pairs.len(), 3, "ground and three storeys");
}

#[test]
fn steps_follow_the_clock_and_the_time_step_of_the_world() {
    let mut app = app(DrystonePlugin::default());
    app.world_mut().resource_mut::<Physics>().world_mut().settings_mut().step.time_step = 0.004;
    app.update();
    assert_eq!(app.world().resource::<Time<Fixed>>().timestep(), Duration::from_millis(4));
    let steps = physics(&app).world().steps();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(40)));
    app.update();
    app.update();
    let made = physics(&app).world().steps() - steps;
    assert!((20..=21).contains(&made), "80 ms in steps of 4 ms, and what was left over: {made}");
}

#[test]
fn bodies_come_and_go_with_their_entities() {
    let mut app = app(DrystonePlugin::default());
    let entities = [ground(), falling(0.6), falling(1.8)].map(|body| app.world_mut().spawn(body).id());
    let count = |app: &App| physics(app).world().bodies().len();
    assert_eq!(count(&app), 3, "at once");
    let order: Vec<_> = entities.iter().map(|&entity| physics(&app).handle(entity).unwrap()).collect();
    assert_eq!(physics(&app).world().handles(), order, "in the order of spawning");
    assert_eq!(physics(&app).entity(order[2]), Some(entities[2]));
    app.world_mut().despawn(entities[1]);
    assert_eq!(physics(&app).world().handles(), [order[0], order[2]]);
    app.world_mut().entity_mut(entities[2]).remove::<RigidBody>();
    assert_eq!(count(&app), 1);
    assert!(app.world().get::<BodyPose>(entities[2]).is_none() && app.world().get::<DrawnBody>(entities[2]).is_none());
    app.world_mut().entity_mut(entities[2]).insert(falling(4.0));
    app.world_mut().entity_mut(entities[2]).insert(falling(5.0));
    assert_eq!(count(&app), 2, "another body in place of the first");
    assert_eq!(pose(&app, entities[2]).position.y, 5.0);
    app.update();
    assert!(pose(&app, entities[2]).position.y < 5.0);
    let handle = physics(&app).handle(entities[2]).unwrap();
    app.world_mut().resource_mut::<Physics>().world_mut().remove(handle).unwrap();
    app.update();
    app.world_mut().despawn(entities[2]);
    app.update();
    assert!(physics(&app).error().is_none(), "bodies may be removed by hand as well");
}

#[test]
fn a_body_that_the_world_does_not_take_is_refused() {
    let mut app = app(DrystonePlugin::default());
    let RigidBody(mut new) = ground();
    new.prescribed_motion = Some(drystone_engine::PrescribedMotion::new(vec![]).unwrap());
    let entity = app.world_mut().spawn(RigidBody(new)).id();
    let refused = messages::<BodyRefused>(&app, &mut MessageCursor::default());
    assert_eq!(refused.len(), 1);
    assert_eq!((refused[0].entity, &refused[0].error), (entity, &WorldError::PrescribedMotionOfNewBody));
    app.update();
    assert!(physics(&app).handle(entity).is_none() && physics(&app).error().is_none());
}

#[test]
fn writing_a_pose_or_a_velocity_sets_the_state_and_writing_a_transform_does_not() {
    let bodies = [ground(), falling(3.0)];
    let mut app = app(DrystonePlugin::default());
    let entities = bodies.clone().map(|body| app.world_mut().spawn(body).id());
    let (mut world, handles) = plain(&bodies);
    app.update();
    world.step().unwrap();

    let position = DVec3::new(1.0, 2.0, 0.1);
    app.world_mut().get_mut::<BodyPose>(entities[1]).unwrap().position = position;
    app.world_mut().get_mut::<Velocity>(entities[1]).unwrap().angular = DVec3::Z;
    app.world_mut().get_mut::<Transform>(entities[1]).unwrap().translation = Vec3::splat(77.0);
    let body = world.body_mut(handles[1]).unwrap();
    (body.position, body.angular_velocity) = (position, DVec3::Z);
    for _ in 0..3 {
        app.update();
        world.step().unwrap();
        let body = world.body(handles[1]).unwrap();
        assert_eq!(pose(&app, entities[1]), BodyPose::of(body));
    }
    assert!(app.world().get::<Transform>(entities[1]).unwrap().translation.length() < 10.0);

    // By hand in the world: it stands, too.
    let mut physics = app.world_mut().resource_mut::<Physics>();
    physics.world_mut().body_mut(handles[1]).unwrap().position = DVec3::Y * 9.0;
    world.body_mut(handles[1]).unwrap().position = DVec3::Y * 9.0;
    app.update();
    world.step().unwrap();
    assert_eq!(pose(&app, entities[1]), BodyPose::of(world.body(handles[1]).unwrap()));
}

#[test]
fn poses_that_are_spawned_with_a_body_hold() {
    let mut app = app(DrystonePlugin::default());
    let elsewhere = BodyPose { position: DVec3::X * 3.0, orientation: DQuat::IDENTITY };
    let entity = app.world_mut().spawn((falling(1.0), elsewhere)).id();
    app.update();
    assert!((pose(&app, entity).position.x - 3.0).abs() < 1e-9);
}

#[test]
fn external_forces_act_in_every_step() {
    let bodies = [falling(3.0)];
    let mut app = app(DrystonePlugin::default());
    let force = ExternalForce { force: DVec3::new(100.0, 30_000.0, 0.0), torque: DVec3::X * 7.0 };
    let entity = app.world_mut().spawn((bodies[0].clone(), force)).id();
    let (mut world, handles) = plain(&bodies);
    for _ in 0..10 {
        app.update();
        world.apply_force(handles[0], force.force).unwrap();
        world.apply_torque(handles[0], force.torque).unwrap();
        world.step().unwrap();
        assert_eq!(pose(&app, entity), BodyPose::of(world.body(handles[0]).unwrap()));
    }
    assert!(pose(&app, entity).position.y > 3.0);
}

#[test]
fn contacts_start_and_end_with_normals_from_a_to_b() {
    let mut app = app(DrystonePlugin::default());
    let ground = app.world_mut().spawn(ground()).id();
    let cube = app.world_mut().spawn(falling(0.6)).id();
    let (mut started, mut ended) = (MessageCursor::default(), MessageCursor::default());
    let mut starts = Vec::new();
    for _ in 0..60 {
        app.update();
        starts.extend(messages::<ContactStarted>(&app, &mut started));
        assert!(messages::<ContactEnded>(&app, &mut ended).is_empty());
    }
    assert_eq!(starts.len(), 1, "{starts:?}");
    let ContactStarted(pair) = &starts[0];
    assert_eq!((pair.a, pair.b, pair.contacts.len()), (ground, cube, 4));
    assert!(pair.contacts.iter().all(|contact| contact.normal.y > 0.999));
    let contacts = app.world().resource::<Contacts>();
    let resting = contacts.between(cube, ground).unwrap();
    let force: DVec3 = resting.contacts.iter().map(|contact| contact.force).sum();
    let weight = 2000.0 * 9.82;
    assert!((force - DVec3::Y * weight).length() < 0.01 * weight, "the ground carries the cube: {force}");
    assert_eq!(contacts.of(cube).count(), 1);

    app.world_mut().get_mut::<BodyPose>(cube).unwrap().position.y = 3.0;
    app.update();
    assert_eq!(messages::<ContactEnded>(&app, &mut ended), [ContactEnded { a: ground, b: cube }]);
    app.world_mut().get_mut::<BodyPose>(cube).unwrap().position.y = 0.5;
    app.update();
    assert_eq!(messages::<ContactStarted>(&app, &mut started).len(), 1);
    app.world_mut().despawn(cube);
    app.update();
    assert_eq!(
        messages::<ContactEnded>(&app, &mut ended),
        [ContactEnded { a: ground, b: cube }],
        "also of the removed"
    );
}

#[test]
fn a_step_that_fails_says_so_and_pauses() {
    let mut app = app(DrystonePlugin::default());
    let cubes = [falling(1.0), falling(5.0)].map(|body| app.world_mut().spawn(body).id());
    app.update();
    let before = pose(&app, cubes[1]);
    let pushed = ExternalForce { force: DVec3::X * 1e4, torque: DVec3::ZERO };
    app.world_mut().entity_mut(cubes[1]).insert(pushed);
    app.world_mut().get_mut::<BodyPose>(cubes[0]).unwrap().position.x = f64::NAN;
    let mut cursor = MessageCursor::default();
    let mut failures = Vec::new();
    for _ in 0..3 {
        app.update();
        failures.extend(messages::<StepFailed>(&app, &mut cursor));
    }
    assert_eq!(failures.len(), 1, "once, then it is paused");
    assert!(matches!(failures[0].error, PhysicsError::Components { entity, .. } if entity == cubes[0]));
    assert_eq!(failures[0].steps, 1);
    assert!(physics(&app).error().is_some() && app.world().resource::<Pause>().is_paused);
    assert_eq!(pose(&app, cubes[1]), before, "nothing has moved");

    // Whole again; the force that was applied before the failure acts once.
    app.world_mut().get_mut::<BodyPose>(cubes[0]).unwrap().position.x = 0.0;
    app.world_mut().resource_mut::<Pause>().is_paused = false;
    app.update();
    assert!(physics(&app).error().is_none());
    let speed = app.world().get::<Velocity>(cubes[1]).unwrap().linear.x;
    assert!((speed - 1e4 / 2000.0 * time_step().as_secs_f64()).abs() < 1e-12, "{speed}");
}

#[test]
fn errors_of_the_world_come_through() {
    let plugin =
        DrystonePlugin { material: Interaction::dry(Friction::sliding(f64::NAN)), ..DrystonePlugin::default() };
    let mut app = app(plugin);
    let _ = [ground(), falling(0.49)].map(|body| app.world_mut().spawn(body).id());
    app.update();
    assert!(matches!(physics(&app).error(), Some(PhysicsError::World(WorldError::Material { .. }))));
    app.world_mut().resource_mut::<Pause>().is_paused = false;
    app.world_mut().resource_mut::<Physics>().world_mut().settings_mut().step.time_step = f64::NAN;
    app.update();
    assert!(matches!(physics(&app).error(), Some(PhysicsError::World(WorldError::TimeStep(_)))));
}

#[test]
fn an_impossible_time_step_is_no_panic() {
    for time_step in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-12] {
        let mut settings = WorldSettings::default();
        settings.step.time_step = time_step;
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, DrystonePlugin { settings, ..DrystonePlugin::default() }));
        app.update();
        app.update();
    }
}

#[test]
fn pause_stands_still_and_makes_single_steps() {
    let mut app = app(DrystonePlugin::default());
    let cube = app.world_mut().spawn(falling(5.0)).id();
    app.world_mut().resource_mut::<Pause>().is_paused = true;
    app.update();
    assert_eq!(pose(&app, cube).position.y, 5.0);
    app.world_mut().resource_mut::<Pause>().single_steps = 2;
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(physics(&app).world().steps(), 2);
    app.world_mut().get_mut::<BodyPose>(cube).unwrap().position.y = 7.0;
    app.update();
    assert_eq!(app.world().get::<Transform>(cube).unwrap().translation.y, 7.0, "what is put elsewhere is seen there");
}

#[test]
fn transforms_are_shown_between_the_two_last_states() {
    for (interpolates, quarters, share) in [(true, 5, 0.25), (true, 6, 0.5), (true, 7, 0.75), (false, 6, 1.0)] {
        let mut app = app(DrystonePlugin { interpolates, ..DrystonePlugin::default() });
        let scale = Vec3::new(1.0, 2.0, 3.0);
        let cube = app.world_mut().spawn((falling(5.0), Transform::from_scale(scale))).id();
        assert_eq!(app.world().get::<Transform>(cube).unwrap().translation.y, 5.0, "from the start");
        app.update();
        let before = pose(&app, cube).position.y;
        app.insert_resource(TimeUpdateStrategy::ManualDuration(time_step() * quarters / 4));
        app.update();
        let after = pose(&app, cube).position.y;
        assert!(after < before);
        let expected = (before + share * (after - before)) as f32;
        let shown = app.world().get::<Transform>(cube).unwrap();
        assert!((shown.translation.y - expected).abs() < 1e-6, "{} {expected}", shown.translation.y);
        assert_eq!(shown.scale, scale);
    }
}

#[test]
fn contacts_are_drawn_if_that_is_wished() {
    for layers in [Some(Layers::paper()), None] {
        let is_drawn = layers.is_some();
        let mut app = app(DrystonePlugin { layers, ..DrystonePlugin::default() });
        let cube = [ground(), falling(0.499)].map(|body| app.world_mut().spawn(body).id())[1];
        app.update();
        assert_eq!(app.world().get::<DrawnBody>(cube).is_some(), is_drawn);
        let mut marks = app.world_mut().query_filtered::<&ContactMarks, With<PhysicsMarks>>();
        let marks = marks.single(app.world()).map(|marks| marks.0.clone());
        assert_eq!(marks.is_ok(), is_drawn);
        if let Ok(marks) = marks {
            assert_eq!(marks.iter().map(|mark| mark.id).collect::<Vec<_>>(), [0, 1, 2, 3]);
            assert!(marks.iter().all(|mark| mark.colour == Layers::paper().mark_colour && mark.normal.y > 0.999));
        }
    }
}

#[test]
fn the_frame_rate_does_not_matter() {
    let bodies = [ground(), falling(0.6), falling(1.8)];
    let mut app = app(DrystonePlugin::default());
    let entities: Vec<Entity> = bodies.iter().map(|body| app.world_mut().spawn(body.clone()).id()).collect();
    let (mut world, handles) = plain(&bodies);
    for milliseconds in (1..30).cycle().step_by(7).take(40) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(milliseconds)));
        app.update();
        while world.steps() < physics(&app).world().steps() {
            world.step().unwrap();
        }
        for (&entity, &handle) in entities.iter().zip(&handles) {
            assert_eq!(pose(&app, entity), BodyPose::of(world.body(handle).unwrap()));
        }
    }
    assert!(world.steps() > 40);
}
