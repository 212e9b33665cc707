//! The soft step: bodies rest, slide, bounce, spin and are carried as they should, nothing passes through a thin floor, and results are
//! the same bits on any number of threads and resumed from any step.

use drystone_contact::generator::Registry;
use drystone_contact::shape::Ball;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::Snapshot;
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

const GRAVITY: f64 = 9.82;

const PRESETS: [SoftSettings; 2] = [SoftSettings::FAST, SoftSettings::ACCURATE];

/// A world with these settings in which everything has this interaction, and a floor whose top is at zero.
fn world(settings: SoftSettings, interaction: Interaction) -> (World, BodyHandle) {
    let mut world = World::default();
    world.settings_mut().step.contact_solver = ContactSolver::Soft(settings);
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, interaction).unwrap();
    let ground = Solid::cuboid(DVec3::new(100.0, 1.0, 100.0), 2000.0).unwrap();
    let floor = world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    (world, floor)
}

fn dry(friction: f64) -> Interaction {
    Interaction::dry(Friction::sliding(friction))
}

/// Adds a cube of this size, m.
fn cube(world: &mut World, size: f64, pose: Pose) -> BodyHandle {
    let stone = world.materials().id("stone").unwrap();
    world.add(Solid::cuboid(DVec3::splat(size), 2000.0).unwrap().dynamic(stone, pose).unwrap()).unwrap()
}

fn at(position: DVec3) -> Pose {
    Pose::from_translation(position)
}

#[test]
fn stacks_come_to_rest_and_stay() {
    // Ten boxes without a gap, and ten that fall on each other and are turned against each other; none of them sleeps.
    for (settings, fall) in PRESETS.into_iter().flat_map(|settings| [(settings, 0.0), (settings, 0.05)]) {
        let (mut world, _) = world(SoftSettings { sleep_time: 0.0, ..settings }, dry(0.5));
        let place = |k: u32| {
            let (turn, shift) = if fall > 0.0 { (0.2 * f64::from(k % 4), 0.03 * f64::from(k % 3)) } else { (0.0, 0.0) };
            let height = 0.5 + fall + (1.0 + fall) * f64::from(k);
            Pose::from_parts(DVec3::new(shift, height, 0.0), DQuat::from_rotation_y(turn))
        };
        let handles: Vec<BodyHandle> = (0..10).map(|k| cube(&mut world, 1.0, place(k))).collect();
        (0..600).for_each(|_| drop(world.step().unwrap()));
        let start: Vec<DVec3> = handles.iter().map(|&h| world.body(h).unwrap().position).collect();
        let report = (0..1000).map(|_| world.step().unwrap()).last().unwrap();
        assert!(report.deepest_penetration < 2e-3, "{}", report.deepest_penetration);
        assert!(report.energy_after.kinetic < 1e-5, "{:?}", report.energy_after);
        for (&handle, start) in handles.iter().zip(&start) {
            let way = world.body(handle).unwrap().position.distance(*start);
            assert!(way < 2e-5, "{fall}: {way}");
        }
    }
}

#[test]
fn an_arch_stands_by_the_default_settings_of_the_soft_step() {
    for (settings, stones) in [(SoftSettings::FAST, 25), (SoftSettings::FAST, 101), (SoftSettings::ACCURATE, 51)] {
        let solver = ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..settings });
        let (mut world, handles) = crate::global::voussoirs::arch(stones, 0.0, solver).unwrap();
        let start: Vec<DVec3> = handles.iter().map(|&h| world.body(h).unwrap().position).collect();
        let first = world.step().unwrap();
        assert_eq!((first.counts.global_interior_point, first.counts.global_fallbacks), (1, 0));
        (0..300).for_each(|_| drop(world.step().unwrap()));
        for (&handle, start) in handles.iter().zip(&start) {
            let way = world.body(handle).unwrap().position.distance(*start);
            assert!(way < 1e-5, "{stones} stones: {way}");
        }
        // Without the global solver it does not stand.
        let alone = ContactSolver::Soft(SoftSettings { sleep_time: 0.0, global_bodies: 0, ..settings });
        let (mut world, handles) = crate::global::voussoirs::arch(stones, 0.0, alone).unwrap();
        (0..100).for_each(|_| drop(world.step().unwrap()));
        let way = |(&handle, start): (&BodyHandle, &DVec3)| world.body(handle).unwrap().position.distance(*start);
        assert!(handles.iter().zip(&start).map(way).fold(0.0, f64::max) > 1e-3);
    }
}

#[test]
fn a_slow_large_body_does_not_sink_into_a_thin_floor() {
    let thickness = 0.001;
    for speed in [1.0, 10.0, 100.0] {
        let mut world = World::default();
        world.settings_mut().step.time_step = 1.0 / 60.0;
        let stone = world.materials_mut().add("stone").unwrap();
        world.materials_mut().set(stone, stone, dry(0.5)).unwrap();
        let floor = Solid::cuboid(DVec3::new(1000.0, thickness, 1000.0), 1.0).unwrap();
        world.add(floor.fixed(stone, at(DVec3::NEG_Y * (0.5 * thickness))).unwrap()).unwrap();
        let turned = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.4, 0.1);
        let cube = cube(&mut world, 0.4, Pose::from_parts(DVec3::Y * 0.9, turned));
        world.body_mut(cube).unwrap().velocity = DVec3::NEG_Y * speed;
        for step in 0..60 {
            world.step().unwrap();
            let deepest = world.overlaps().unwrap().into_iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
            assert!(deepest < 0.1 * thickness, "{speed} m/s: {deepest} m in step {step}");
        }
    }
}

/// What is left of the fall through the gaps may stir for some hundred steps before the stones are at rest; when depends on rounding. Stones of
/// long arches go on creeping by micrometres a second while they settle.
#[test]
fn an_arch_closes_its_gaps_and_stands() {
    for (settings, stones, gap, rest) in [
        (SoftSettings::FAST, 25, 3e-5, 1e-6),
        (SoftSettings::FAST, 101, 3e-5, 1e-5),
        (SoftSettings::ACCURATE, 51, 1e-5, 1e-6),
    ] {
        let solver = ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..settings });
        let (mut world, handles) = crate::global::voussoirs::arch(stones, gap, solver).unwrap();
        let start: Vec<DVec3> = handles.iter().map(|&h| world.body(h).unwrap().position).collect();
        let mut fastest = 0.0;
        for _ in 0..800 {
            world.step().unwrap();
            fastest = 0.0;
            for (&handle, start) in handles.iter().zip(&start) {
                let body = world.body(handle).unwrap();
                let way = body.position.distance(*start);
                assert!(way < stones as f64 * gap, "{stones} stones: {way}, {body:?}");
                fastest = body.velocity.length().max(fastest);
            }
        }
        assert!(fastest < rest, "{stones} stones: {fastest} m/s");
    }
}

#[test]
fn a_box_slides_down_a_slope_as_coulomb_says() {
    for (settings, friction) in PRESETS.into_iter().flat_map(|s| [(s, 0.0), (s, 0.2), (s, 0.7)]) {
        let (mut world, _) = world(settings, dry(friction));
        let slope: f64 = 0.5;
        // Gravity leans in place of the floor.
        let gravity = DVec3::new(GRAVITY * slope.sin(), -GRAVITY * slope.cos(), 0.0);
        world.settings_mut().step.forces.gravity = gravity;
        let cube = cube(&mut world, 1.0, at(DVec3::Y * 0.5));
        (0..100).for_each(|_| drop(world.step().unwrap()));
        let speed = world.body(cube).unwrap().velocity.x;
        let expected = (GRAVITY * (slope.sin() - friction * slope.cos())).max(0.0);
        if expected == 0.0 {
            assert!(speed.abs() < 1e-9 && world.body(cube).unwrap().position.x.abs() < 1e-4, "{speed}");
        } else {
            assert!((speed / expected - 1.0).abs() < 0.01, "{friction}: {speed} in place of {expected}");
        }
    }
}

#[test]
fn friction_differs_along_the_tangents_and_about_the_normal() {
    for settings in PRESETS {
        let friction = Friction { s: 0.4, t: 0.1, torsion: 0.05 };
        let (mut world, floor) = world(settings, Interaction::dry(friction));
        let [s, t] = drystone_engine::solver::contact_problem::tangents(DVec3::Y);
        for (direction, coefficient) in [(s, friction.s), (t, friction.t)] {
            let cube = cube(&mut world, 1.0, at(DVec3::Y * 0.5));
            world.body_mut(cube).unwrap().velocity = direction * 3.0;
            (0..50).for_each(|_| drop(world.step().unwrap()));
            let speed = world.body(cube).unwrap().velocity.dot(direction);
            assert!((speed - (3.0 - 0.5 * coefficient * GRAVITY)).abs() < 0.03, "{coefficient}: {speed}");
            world.remove(cube).unwrap();
        }
        // A ball that drills: only torsion slows it.
        let stone = world.materials().id("stone").unwrap();
        let ball =
            Solid::new(&Ball::new(0.5).unwrap().into(), 2000.0).unwrap().dynamic(stone, at(DVec3::Y * 0.5)).unwrap();
        let (mass, moment) = (ball.body.mass(), ball.body.inertia().x);
        let ball = world.add(ball).unwrap();
        (0..50).for_each(|_| drop(world.step().unwrap()));
        world.body_mut(ball).unwrap().angular_velocity = DVec3::Y * 10.0;
        (0..50).for_each(|_| drop(world.step().unwrap()));
        let spin = world.body(ball).unwrap().angular_velocity.y;
        let expected = 10.0 - 0.5 * friction.torsion * mass * GRAVITY / moment;
        assert!((spin - expected).abs() < 0.05, "{spin} in place of {expected}");
        assert!(world.contains(floor));
    }
}

#[test]
fn what_falls_bounces_with_its_restitution() {
    for (settings, restitution) in PRESETS.into_iter().flat_map(|s| [(s, 0.0), (s, 0.5), (s, 0.9)]) {
        let (mut world, _) = world(settings, Interaction { friction: Friction::sliding(0.3), restitution });
        let cube = cube(&mut world, 0.2, at(DVec3::Y * 1.1));
        let (mut has_hit, mut highest) = (false, 0.0_f64);
        for _ in 0..120 {
            world.step().unwrap();
            let body = world.body(cube).unwrap();
            has_hit |= body.position.y < 0.15;
            let going_up = body.velocity.y > 0.0;
            highest = if has_hit && going_up { highest.max(body.position.y - 0.1) } else { highest };
        }
        let expected = restitution * restitution;
        assert!(has_hit && (highest - expected).abs() < 0.08, "{restitution}: {highest} m in place of {expected}");
    }
}

#[test]
fn platforms_and_belts_carry_what_stands_on_them() {
    for settings in PRESETS {
        let (mut world, floor) = world(settings, dry(0.6));
        let stone = world.materials().id("stone").unwrap();
        let slab = Solid::cuboid(DVec3::new(4.0, 0.2, 4.0), 1.0).unwrap();
        let platform = world.add(slab.kinematic(stone, at(DVec3::new(20.0, 1.0, 0.0))).unwrap()).unwrap();
        let rider = cube(&mut world, 1.0, at(DVec3::new(20.0, 1.6, 0.0)));
        world.body_mut(platform).unwrap().velocity = DVec3::new(0.5, 0.2, 0.0);
        // A fixed body with a velocity is a belt.
        world.body_mut(floor).unwrap().velocity = DVec3::X * 0.8;
        let goods = cube(&mut world, 1.0, at(DVec3::new(-20.0, 0.5, 0.0)));
        (0..200).for_each(|_| drop(world.step().unwrap()));
        let body = |handle| world.body(handle).unwrap();
        let way = body(rider).position - body(platform).position - DVec3::Y * 0.6;
        assert!((way * DVec3::new(1.0, 1.0, 1.0)).length() < 0.05, "{way}");
        assert!((body(platform).position - DVec3::new(21.0, 1.4, 0.0)).length() < 1e-9);
        assert!((body(rider).velocity - DVec3::new(0.5, 0.2, 0.0)).length() < 1e-6);
        assert!((body(goods).velocity.x - 0.8).abs() < 1e-6);
    }
}

#[test]
fn nothing_falls_through_a_thin_floor() {
    for (settings, speed, size) in PRESETS.into_iter().flat_map(|s| [(s, 5.0, 0.02), (s, 50.0, 0.1), (s, 200.0, 0.02)])
    {
        let mut world = World::default();
        world.settings_mut().step.contact_solver = ContactSolver::Soft(settings);
        let stone = world.materials_mut().add("stone").unwrap();
        world.materials_mut().set(stone, stone, dry(0.5)).unwrap();
        let plate = Solid::cuboid(DVec3::new(400.0, 0.02, 400.0), 2000.0).unwrap();
        world.add(plate.fixed(stone, Pose::IDENTITY).unwrap()).unwrap();
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.2, 0.9);
        let cube = cube(&mut world, size, Pose::from_parts(DVec3::Y * 1.0, turn));
        world.body_mut(cube).unwrap().velocity = DVec3::NEG_Y * speed;
        for _ in 0..200 {
            world.step().unwrap();
            let deepest = world.overlaps().unwrap().iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
            assert!(deepest < 0.05 * size, "{speed} m/s, {size} m: {deepest} m deep");
        }
        assert!(world.body(cube).unwrap().position.y > 0.01, "{}", world.body(cube).unwrap().position);
    }
}

/// A heap of turned boxes that fall onto each other.
fn heap(seed: u32) -> World {
    heap_of(30, seed)
}

fn heap_of(boxes: u32, seed: u32) -> World {
    let (mut world, _) =
        world(SoftSettings::FAST, Interaction { friction: Friction::isotropic(0.4), restitution: 0.2 });
    for k in 0..boxes {
        let turn = 0.7 * f64::from(k + seed);
        let place = DVec3::new(0.35 * f64::from(k % 3), 0.5 + 0.45 * f64::from(k / 3), 0.3 * f64::from(k % 2));
        cube(&mut world, 0.3, Pose::from_parts(place, DQuat::from_euler(glam::EulerRot::XYZ, turn, 0.3 * turn, turn)));
    }
    world
}

fn steps(world: &mut World, count: usize, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| steps_here(world, count))
}

/// By the thread that calls, which is in no pool if it is that of a test.
fn steps_here(world: &mut World, count: usize) -> Vec<u64> {
    (0..count).for_each(|_| drop(world.step().unwrap()));
    let numbers = |body: &drystone_engine::Body| {
        let (p, q, v, w) = (body.position, body.orientation, body.velocity, body.angular_velocity);
        [p.to_array(), v.to_array(), w.to_array()]
            .concat()
            .into_iter()
            .chain(q.to_array())
            .map(f64::to_bits)
            .collect::<Vec<_>>()
    };
    world.bodies().iter().flat_map(numbers).collect()
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    // A small world is moved by the thread that calls, which is in no pool, a larger one by threads of the pool of all.
    for (boxes, pairs) in [(7, 1..32), (30, 32..1000)] {
        let all: Vec<Vec<u64>> = [1, 2, 8].map(|threads| steps(&mut heap_of(boxes, 1), 120, threads)).to_vec();
        assert!(all[0] == all[1] && all[0] == all[2]);
        let mut heap = heap_of(boxes, 1);
        assert!(steps_here(&mut heap, 120) == all[0]);
        let asked = heap.step().unwrap().pairs;
        assert!(pairs.contains(&asked), "{asked} pairs of {boxes} boxes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(20)))]

    #[test]
    fn a_run_is_resumed_from_any_step(seed in 0..50u32, first in 0..100usize, more in 1..40usize) {
        let mut whole = heap(seed);
        steps(&mut whole, first, 1);
        let text = whole.snapshot().to_json().unwrap();
        let snapshot = Snapshot::from_json(&text).unwrap();
        let mut resumed = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
        prop_assert!(steps(&mut whole, more, 1) == steps(&mut resumed, more, 2));
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let usual = SoftSettings::FAST;
    for settings in [
        SoftSettings { substeps: 0, ..usual },
        SoftSettings { relaxations: 0, ..usual },
        SoftSettings { stiffness: 1.5, ..usual },
        SoftSettings { damping_ratio: 0.0, ..usual },
        SoftSettings { parting_speed: f64::NAN, ..usual },
    ] {
        let (mut world, _) = world(settings, dry(0.5));
        let text = world.step().unwrap_err().to_string();
        assert!(text.contains("soft contacts") || text.contains("substep"), "{text}");
    }
}
