//! Events, sensors and contact hooks.

use drystone_contact::generator::Registry;
use drystone_contact::shape::{Ball, HalfSpace};
use drystone_engine::world::{ContactHook, Event, EventSettings, HookPair};
use drystone_engine::{
    Body, BodyHandle, Friction, Interaction, NewBody, Pose, Solid, World, WorldError, WorldSettings,
};
use glam::DVec3;
use std::sync::Arc;

fn at(x: f64, y: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, 0.0))
}

fn cube() -> Solid {
    Solid::cuboid(DVec3::ONE, 1000.0).unwrap()
}

fn floor(settings: WorldSettings) -> (World, BodyHandle) {
    let mut world = World::default();
    *world.settings_mut() = settings;
    let stone = world.materials_mut().add("stone").unwrap();
    let ground = world.add(NewBody::new(Body::fixed(stone), Arc::new(HalfSpace.into()))).unwrap();
    (world, ground)
}

fn drop_cube(world: &mut World, pose: Pose) -> BodyHandle {
    let stone = world.materials().id("stone").unwrap();
    world.add(cube().dynamic(stone, pose).unwrap()).unwrap()
}

/// One cube falls, rests with its weight, sleeps, is thrown up and removed.
#[test]
fn contacts_begin_last_and_end_and_bodies_sleep_and_wake() {
    let (mut world, ground) = floor(WorldSettings::fast());
    let falling = drop_cube(&mut world, at(0.0, 0.8));
    world.set_events(EventSettings::ALL);
    let mut started = Vec::new();
    let mut asleep_at = None;
    for step in 0..200 {
        world.step().unwrap();
        for event in world.events() {
            match *event {
                Event::ContactStarted { a, b, impulse } => {
                    assert_eq!((a, b), (ground, falling));
                    assert!(impulse.contacts > 0);
                    started.push(step);
                }
                Event::ContactPersisted { a, b, impulse } => {
                    assert_eq!((a, b), (ground, falling));
                    if step > 60 {
                        let weight = 1000.0 * 9.82 * world.settings().step.time_step;
                        assert!((impulse.total.y / weight - 1.0).abs() < 0.05, "{impulse:?} {weight}");
                        assert!((impulse.normal / weight - 1.0).abs() < 0.05);
                    }
                }
                Event::FellAsleep(body) => {
                    assert_eq!((body, asleep_at), (falling, None));
                    asleep_at = Some(step);
                }
                ref other => panic!("{other:?} in step {step}"),
            }
        }
    }
    assert!(started.len() == 1 && started[0] > 20 && asleep_at.is_some(), "{started:?} {asleep_at:?}");
    let mass = world.body(falling).unwrap().mass();
    world.apply_impulse(falling, DVec3::Y * 3.0 * mass).unwrap();
    world.step().unwrap();
    assert!(world.events().contains(&Event::WokeUp(falling)), "{:?}", world.events());
    let mut ended = Vec::new();
    for _ in 0..10 {
        world.step().unwrap();
        ended.extend(world.events().iter().copied().filter(|e| matches!(e, Event::ContactEnded { .. })));
    }
    assert_eq!(ended, [Event::ContactEnded { a: ground, b: falling }]);
    // A body that is removed while it touches.
    let second = drop_cube(&mut world, at(5.0, 0.499));
    world.step().unwrap();
    assert!(world.events().iter().any(|e| matches!(e, Event::ContactStarted { b, .. } if *b == second)));
    world.remove(second).unwrap();
    world.step().unwrap();
    assert_eq!(world.events(), [Event::ContactEnded { a: ground, b: second }]);
    world.set_events(EventSettings::default());
    world.step().unwrap();
    assert!(world.events().is_empty());
}

/// A cube falls through a sensor onto the ground, as if it was not there.
#[test]
fn sensors_know_what_overlaps_them_and_hold_nothing() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let fall = |with_sensor: bool| {
            let (mut world, _) = floor(settings.clone());
            let falling = drop_cube(&mut world, at(0.0, 4.0));
            let stone = world.materials().id("stone").unwrap();
            let gate = Solid::new(&Ball::new(0.5).unwrap().into(), 1000.0).unwrap();
            let gate = gate.fixed(stone, at(0.0, 2.0)).unwrap();
            if with_sensor {
                world.add(gate.sensor()).unwrap();
            }
            world.set_events(EventSettings { sensors: true, ..EventSettings::default() });
            let mut events = Vec::new();
            for step in 0..110 {
                world.step().unwrap();
                let y = world.body(falling).unwrap().position.y;
                events.extend(world.events().iter().map(|&event| (step, y, event)));
            }
            (world.bodies()[1].clone(), events, world.handles().to_vec())
        };
        let ((with, events, handles), (without, none, _)) = (fall(true), fall(false));
        assert_eq!(with, without, "the sensor changes nothing");
        assert!(none.is_empty());
        let (falling, gate) = (handles[1], handles[2]);
        let expected =
            [Event::SensorEntered { sensor: gate, body: falling }, Event::SensorLeft { sensor: gate, body: falling }];
        assert_eq!(events.iter().map(|(.., event)| *event).collect::<Vec<_>>(), expected);
        // The faces of the cube are 0.5 m from its centre, the ball reaches from 1.5 to 2.5 m.
        let [entered, left] = [events[0].1, events[1].1];
        assert!((2.85..=3.0).contains(&entered) && (0.8..=1.0).contains(&left), "{entered} {left}");
    }
}

/// Balls that fall past balls which feel them, few and many, at rest and moving: whether two overlap the distance of their centres tells.
#[test]
fn few_and_many_sensors_feel_what_reaches_them() {
    for sensors in [1, 3, 32, 33, 60] {
        let (mut world, _) = floor(WorldSettings::fast());
        let stone = world.materials().id("stone").unwrap();
        let ball = |radius: f64| Solid::new(&Ball::new(radius).unwrap().into(), 1000.0).unwrap();
        let place = |k: i32| DVec3::new(0.37 * f64::from(k % 8), 3.0 + 0.4 * f64::from(k / 8), 0.3 * f64::from(k % 3));
        let add = |world: &mut World, body: NewBody| world.add(body).unwrap();
        let mut all: Vec<(BodyHandle, f64, bool)> = Vec::new();
        for k in 0..sensors {
            let (gate, pose) = (ball(0.3), Pose::from_translation(place(k) - 2.0 * DVec3::Y));
            let gate = if k % 4 == 3 { gate.kinematic(stone, pose) } else { gate.fixed(stone, pose) };
            let mut gate = gate.unwrap().sensor();
            if k % 4 == 3 {
                gate.body.velocity = DVec3::X;
            }
            all.push((add(&mut world, gate), 0.3, true));
        }
        for k in 0..24 {
            let (body, pose) = (ball(0.15), Pose::from_translation(place(k) + 0.4 * DVec3::Z));
            let body = if k % 6 == 5 {
                body.fixed(stone, Pose::from_translation(place(k) - 1.7 * DVec3::Y))
            } else {
                body.dynamic(stone, pose)
            };
            all.push((add(&mut world, body.unwrap()), 0.15, false));
        }
        world.set_events(EventSettings { sensors: true, ..EventSettings::default() });
        let (mut felt, mut events) = (std::collections::BTreeSet::new(), 0);
        for step in 0..150 {
            world.step().unwrap();
            for event in world.events() {
                let changed = match *event {
                    Event::SensorEntered { sensor, body } => felt.insert((sensor, body)),
                    Event::SensorLeft { sensor, body } => felt.remove(&(sensor, body)),
                    _ => false,
                };
                assert!(changed, "{sensors} sensors, step {step}: {event:?}");
                events += 1;
            }
            for &(sensor, radius, _) in all.iter().filter(|own| own.2) {
                for &(body, other_radius, _) in all.iter().filter(|own| !own.2) {
                    let [a, b] = [sensor, body].map(|handle| world.body(handle).unwrap());
                    let gap = a.position.distance(b.position) - radius - other_radius;
                    let moves = !(a.is_fixed() && b.is_fixed());
                    let is_felt = felt.contains(&(sensor, body));
                    assert!(gap.abs() < 1e-9 || is_felt == (moves && gap < 0.0), "{sensors}, step {step}: {gap}");
                }
            }
        }
        assert!(events > 1, "{sensors} sensors: {events} events");
    }
}

#[test]
fn resumed_runs_have_the_same_events() {
    let (mut world, _) = floor(WorldSettings::fast());
    for k in 0..5 {
        drop_cube(&mut world, at(0.2 * f64::from(k), 0.6 + 1.2 * f64::from(k)));
        drop_cube(&mut world, at(10.0 + 3.0 * f64::from(k), 0.6 + 0.3 * f64::from(k)));
    }
    let stone = world.materials().id("stone").unwrap();
    world.add(cube().fixed(stone, at(0.0, 1.0)).unwrap().sensor()).unwrap();
    // Into this one a cube falls after the snapshot, whatever becomes of the others.
    world.add(cube().fixed(stone, at(-10.0, 1.0)).unwrap().sensor()).unwrap();
    drop_cube(&mut world, at(-10.0, 12.0));
    world.set_events(EventSettings::ALL);
    (0..60).for_each(|_| drop(world.step().unwrap()));
    let snapshot = world.snapshot();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut resumed = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
    let mut copy = world.clone();
    let mut kinds = [0; 3];
    for step in 0..200 {
        world.step().unwrap();
        pool.install(|| resumed.step().unwrap());
        copy.step().unwrap();
        assert_eq!(world.events(), resumed.events(), "step {step}");
        assert_eq!(world.events(), copy.events(), "step {step}");
        for event in world.events() {
            kinds[0] += usize::from(matches!(event, Event::ContactEnded { .. }));
            kinds[1] += usize::from(matches!(event, Event::FellAsleep(_)));
            kinds[2] += usize::from(matches!(event, Event::SensorEntered { .. } | Event::SensorLeft { .. }));
        }
    }
    assert!(kinds.iter().all(|&n| n > 0), "{kinds:?}");
}

#[test]
fn sensors_that_cannot_be_asked_are_an_error_before_the_step() {
    let (mut world, _) = floor(WorldSettings::fast());
    let stone = world.materials().id("stone").unwrap();
    let torus: Arc<dyn drystone_contact::solid::Solid> =
        Arc::new(drystone_contact::solid::Torus::new(1.0, 0.25).unwrap());
    let general = drystone_contact::shape::Shape::from(torus);
    let mut world_ = World::new(WorldSettings::fast(), drystone_contact::generator::methods::time_of_contact());
    *world_.materials_mut() = world.materials().clone();
    world = world_;
    world.add(NewBody::new(Body::fixed(stone), Arc::new(general)).sensor()).unwrap();
    world.set_events(EventSettings::ALL);
    assert!(matches!(world.step(), Err(WorldError::Query(_))));
    assert_eq!(world.steps(), 0);
}

/// Platforms with the user data 1 hold bodies from above alone.
struct OneWay;

impl ContactHook for OneWay {
    fn collides(&self, pair: &HookPair<'_>) -> bool {
        let is_platform = pair.user_data.map(|data| data == 1);
        let (platform, other) = match is_platform {
            [true, false] => (pair.bodies[0], pair.bodies[1]),
            [false, true] => (pair.bodies[1], pair.bodies[0]),
            _ => return true,
        };
        // Above it, but for the depth at which bodies rest, and not on the way up.
        other.position.y - 0.5 > platform.position.y + 0.05 - 0.02 && other.velocity.y <= 0.5
    }
}

#[test]
fn a_platform_holds_from_above_alone() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let (mut world, _) = floor(settings);
        let stone = world.materials().id("stone").unwrap();
        let plate = Solid::cuboid(DVec3::new(3.0, 0.1, 3.0), 1000.0).unwrap();
        let mut plate = plate.fixed(stone, at(0.0, 3.0)).unwrap();
        plate.user_data = 1;
        world.add(plate).unwrap();
        world.set_contact_hook(Some(Arc::new(OneWay)));
        let jumping = drop_cube(&mut world, at(0.0, 0.5));
        world.body_mut(jumping).unwrap().velocity = DVec3::Y * 10.0;
        let mut highest = 0.0_f64;
        for _ in 0..300 {
            world.step().unwrap();
            highest = highest.max(world.body(jumping).unwrap().position.y);
        }
        let rests_at = world.body(jumping).unwrap().position.y;
        assert!(highest > 4.5, "it went through from below: {highest}");
        assert!((rests_at - 3.55).abs() < 5e-3, "it rests on top: {rests_at}");
        // Without the hook it bumps its head.
        world.set_contact_hook(None);
        let below = drop_cube(&mut world, at(0.0, 0.5));
        world.body_mut(below).unwrap().velocity = DVec3::Y * 10.0;
        for _ in 0..300 {
            world.step().unwrap();
            assert!(world.body(below).unwrap().position.y < 2.6);
        }
    }
}

/// Doors with the user data 1 are open.
struct Trapdoor;

impl ContactHook for Trapdoor {
    fn collides(&self, pair: &HookPair<'_>) -> bool {
        !pair.user_data.contains(&1)
    }
}

/// A hook is asked about bodies that rest as well, sleeping ones included.
#[test]
fn what_rests_on_a_trapdoor_falls_when_it_opens() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let (mut world, _) = floor(settings);
        let stone = world.materials().id("stone").unwrap();
        let door = Solid::cuboid(DVec3::new(3.0, 0.1, 3.0), 1000.0).unwrap();
        let door = world.add(door.fixed(stone, at(0.0, 3.0)).unwrap()).unwrap();
        world.set_contact_hook(Some(Arc::new(Trapdoor)));
        let resting = drop_cube(&mut world, at(0.0, 3.55));
        for steps in [20, 300] {
            for _ in 0..steps {
                world.step().unwrap();
            }
            assert!((world.body(resting).unwrap().position.y - 3.55).abs() < 5e-3);
            world.set_user_data(door, 1).unwrap();
            for _ in 0..200 {
                world.step().unwrap();
            }
            assert!((world.body(resting).unwrap().position.y - 0.5).abs() < 5e-3);
            world.set_user_data(door, 0).unwrap();
            let body = world.body_mut(resting).unwrap();
            (body.position, body.velocity) = (DVec3::Y * 3.55, DVec3::ZERO);
        }
    }
}

/// Bodies with the user data 7 slide without friction.
struct Greased;

impl ContactHook for Greased {
    fn interaction(&self, pair: &HookPair<'_>, interaction: Interaction) -> Interaction {
        let is_greased = pair.user_data.contains(&7);
        if is_greased { Interaction { friction: Friction::isotropic(0.0), ..interaction } } else { interaction }
    }
}

/// A belt, a fixed body with a velocity of its surface, carries what the hook does not make slip.
#[test]
fn a_conveyor_carries_what_is_not_greased() {
    for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
        let (mut world, ground) = floor(settings);
        world.body_mut(ground).unwrap().velocity = DVec3::X;
        let carried = drop_cube(&mut world, at(0.0, 0.5));
        let greased = drop_cube(&mut world, at(0.0, 0.5));
        world.body_mut(greased).unwrap().position.z = 5.0;
        world.set_user_data(greased, 7).unwrap();
        world.set_contact_hook(Some(Arc::new(Greased)));
        for _ in 0..150 {
            world.step().unwrap();
        }
        assert!((world.body(carried).unwrap().velocity.x - 1.0).abs() < 1e-3);
        assert!(world.body(greased).unwrap().velocity.x.abs() < 1e-9);
    }
}
