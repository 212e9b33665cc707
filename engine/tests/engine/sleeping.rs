//! Sleeping bodies: they stay where they are to the last bit, wake when anything disturbs them, and a run with sleeping bodies is
//! resumed from any step.

use drystone_contact::generator::Registry;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::{Snapshot, WorldReport};
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

/// Two stacks of three cubes of 1 m, 3 m apart, on a floor and on a table that can be driven away.
struct Stacks {
    world: World,
    floor: BodyHandle,
    table: BodyHandle,
    on_floor: Vec<BodyHandle>,
    on_table: Vec<BodyHandle>,
}

fn cube(world: &mut World, size: f64, place: DVec3) -> BodyHandle {
    let stone = world.materials().id("stone").unwrap();
    let solid = Solid::cuboid(DVec3::splat(size), 2000.0).unwrap();
    world.add(solid.dynamic(stone, Pose::from_translation(place)).unwrap()).unwrap()
}

fn stacks() -> Stacks {
    let mut world = World::default();
    world.settings_mut().step.contact_solver = ContactSolver::Soft(SoftSettings::FAST);
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.5))).unwrap();
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 2000.0).unwrap();
    let floor = world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let top = Solid::cuboid(DVec3::new(2.0, 0.5, 2.0), 2000.0).unwrap();
    let place = Pose::from_translation(DVec3::new(3.0, 0.25, 0.0));
    let table = world.add(top.kinematic(stone, place).unwrap()).unwrap();
    let mut stack = |x: f64, y: f64| -> Vec<BodyHandle> {
        (0..3).map(|k| cube(&mut world, 1.0, DVec3::new(x + 0.02 * f64::from(k), y + f64::from(k), 0.0))).collect()
    };
    let (on_floor, on_table) = (stack(0.0, 0.5), stack(3.0, 1.0));
    Stacks { world, floor, table, on_floor, on_table }
}

/// The stacks, asleep.
fn asleep() -> Stacks {
    let mut stacks = stacks();
    (0..200).for_each(|_| drop(stacks.world.step().unwrap()));
    for &body in stacks.on_floor.iter().chain(&stacks.on_table) {
        assert!(stacks.world.is_asleep(body).unwrap());
    }
    stacks
}

impl Stacks {
    /// Which of both stacks are awake after a step.
    fn awake(&mut self) -> [bool; 2] {
        self.world.step().unwrap();
        [&self.on_floor, &self.on_table].map(|stack| {
            let is_asleep = |body: &BodyHandle| self.world.is_asleep(*body).unwrap();
            let all = stack.iter().all(is_asleep);
            assert!(all || !stack.iter().any(is_asleep), "half of a stack sleeps");
            !all
        })
    }
}

fn bits(world: &World) -> Vec<u64> {
    let numbers = |body: &drystone_engine::Body| {
        let vectors = [body.position, body.velocity, body.angular_velocity].map(|v| v.to_array()).concat();
        vectors.into_iter().chain(body.orientation.to_array()).map(f64::to_bits).collect::<Vec<_>>()
    };
    world.bodies().iter().flat_map(numbers).collect()
}

#[test]
fn what_sleeps_stays_to_the_last_bit() {
    let mut stacks = asleep();
    let start = bits(&stacks.world);
    let mut kept = WorldReport::default();
    let mut twin = World::from_snapshot(&stacks.world.snapshot(), &Registry::default()).unwrap();
    for _ in 0..50 {
        stacks.world.step_into(&mut kept).unwrap();
        let fresh = twin.step().unwrap();
        assert_eq!(kept, fresh);
    }
    assert!(bits(&stacks.world) == start);
    assert_eq!((kept.counts.asleep, kept.islands.len()), (6, 0));
    assert_eq!(kept.energy_before, kept.energy_after);
    // The contacts and their forces are still told.
    let weight = 6.0 * 2000.0 * 9.82 * 0.01;
    let ground = |c: &drystone_engine::ContactBetween| c.a.index() < 2;
    let support: f64 = kept.contacts.iter().zip(&kept.impulses).filter(|(c, _)| ground(c)).map(|(_, i)| i[0]).sum();
    assert!((support / weight - 1.0).abs() < 1e-3, "{support} N s of {weight}");
}

#[test]
fn a_report_of_another_world_is_written_anew() {
    let (mut one, mut other) = (asleep(), asleep());
    other.world.body_mut(other.on_floor[2]).unwrap().position.y += 5.0;
    (0..300).for_each(|_| drop(other.world.step().unwrap()));
    (0..300).for_each(|_| drop(one.world.step().unwrap()));
    let mut report = WorldReport::default();
    for _ in 0..3 {
        one.world.step_into(&mut report).unwrap();
        assert_eq!(report.poses, one.world.bodies().iter().map(|b| b.pose()).collect::<Vec<_>>());
        other.world.step_into(&mut report).unwrap();
        assert_eq!(report.poses, other.world.bodies().iter().map(|b| b.pose()).collect::<Vec<_>>());
    }
}

#[test]
fn what_someone_writes_wakes_its_island_alone() {
    let mut stacks = asleep();
    stacks.world.body_mut(stacks.on_floor[0]).unwrap().velocity.x = 1e-3;
    assert_eq!(stacks.awake(), [true, false]);
    let mut stacks = asleep();
    stacks.world.apply_force(stacks.on_table[1], DVec3::X).unwrap();
    assert_eq!(stacks.awake(), [false, true]);
    let mut stacks = asleep();
    stacks.world.wake(stacks.on_table[2]).unwrap();
    assert_eq!(stacks.awake(), [false, true]);
    let mut stacks = asleep();
    stacks.world.remove(stacks.on_floor[1]).unwrap();
    stacks.on_floor.remove(1);
    assert_eq!(stacks.awake(), [true, false]);
    (0..100).for_each(|_| drop(stacks.world.step().unwrap()));
    let top = stacks.world.body(stacks.on_floor[1]).unwrap().position.y;
    assert!((top - 1.5).abs() < 1e-2, "{top}");
}

/// Prisms of eight sides on each other, each turned against the one below, fall onto each other by a millimetre or, faster than what rocks may be, by
/// a centimetre: the stack rocks from corner to corner, by the energy that sweeps add. A resumed run comes to rest in the same step.
#[test]
fn stacks_that_rock_fall_asleep_and_do_so_when_resumed() {
    for fall in [0.001, 0.01] {
        let Stacks { mut world, .. } = stacks();
        let stone = world.materials().id("stone").unwrap();
        let corner = |k: usize| DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4 * k as f64) * (0.4 * DVec3::X);
        let corners: Vec<DVec3> = (0..8).flat_map(|k| [corner(k), corner(k) + 0.8 * DVec3::Y]).collect();
        let prism = Solid::convex_hull(&corners, 1000.0).unwrap();
        let add = |k: u32| {
            let place = DVec3::new(-6.0, fall + (0.8 + fall) * f64::from(k), 0.005 * f64::from(k % 3));
            let pose = Pose::from_parts(place, DQuat::from_rotation_y(0.3 * f64::from(k)));
            world.add(prism.dynamic(stone, pose).unwrap()).unwrap()
        };
        let prisms: Vec<BodyHandle> = (0..5).map(add).collect();
        let turns = |world: &World| prisms.iter().map(|&k| world.body(k).unwrap().orientation).collect::<Vec<DQuat>>();
        let start = turns(&world);
        let mut resumed: Vec<World> = Vec::new();
        for k in 0..200 {
            if [20, 45, 60].contains(&k) {
                resumed.push(World::from_snapshot(&world.snapshot(), &Registry::default()).unwrap());
            }
            world.step().unwrap();
            for resumed in &mut resumed {
                resumed.step().unwrap();
                assert_eq!(bits(resumed), bits(&world), "a fall of {fall} m, step {k}");
            }
        }
        assert!(prisms.iter().all(|&prism| world.is_asleep(prism).unwrap()), "a fall of {fall} m");
        let tilted = start.iter().zip(turns(&world)).map(|(&before, after)| (after * before.inverse() * DVec3::Y).y);
        assert!(tilted.fold(1.0, f64::min) > 1.0 - 1e-6, "a fall of {fall} m");
    }
}

#[test]
fn what_falls_on_it_wakes_it() {
    for (height, speed) in [(0.6, 0.0), (5.0, 100.0), (0.5001, 0.0)] {
        let mut stacks = asleep();
        let falling = cube(&mut stacks.world, 0.5, DVec3::new(0.1, 2.75 + height, 0.1));
        stacks.world.body_mut(falling).unwrap().velocity = DVec3::NEG_Y * speed;
        assert!(!stacks.awake()[1]);
        let mut woke = stacks.awake()[0];
        for _ in 0..60 {
            woke |= stacks.awake()[0];
            let top = stacks.world.body(stacks.on_floor[2]).unwrap().position.y;
            let above = stacks.world.body(falling).unwrap().position.y;
            assert!(above > 0.2 && top > 0.4, "{above} {top}");
        }
        assert!(woke, "{height} m, {speed} m/s");
        assert!(stacks.world.is_asleep(stacks.on_table[0]).unwrap());
    }
}

#[test]
fn a_support_that_moves_or_goes_wakes_what_it_carries() {
    fn drive(stacks: &mut Stacks) {
        let mut target = stacks.world.body(stacks.table).unwrap().pose();
        target.translation.x += 0.001;
        stacks.world.move_to(stacks.table, target).unwrap();
    }
    fn teleport(stacks: &mut Stacks) {
        stacks.world.body_mut(stacks.table).unwrap().position.x = 12.0;
    }
    fn remove(stacks: &mut Stacks) {
        stacks.world.remove(stacks.table).unwrap();
    }
    let changes: [fn(&mut Stacks); 3] = [drive, teleport, remove];
    for (change, falls) in changes.into_iter().zip([0.0, -0.5, -0.5]) {
        let mut stacks = asleep();
        let before = stacks.world.body(stacks.on_table[0]).unwrap().position.y;
        change(&mut stacks);
        assert_eq!(stacks.awake(), [false, true]);
        (0..150).for_each(|_| drop(stacks.world.step().unwrap()));
        let after = stacks.world.body(stacks.on_table[0]).unwrap().position.y;
        assert!((after - before - falls).abs() < 5e-3, "{before} {after}");
    }
    // What is put into a sleeping body wakes it, too.
    let mut stacks = asleep();
    stacks.world.body_mut(stacks.table).unwrap().position = DVec3::new(0.0, 0.25, 1.49);
    assert_eq!(stacks.awake(), [true, true]);
}

#[test]
fn gravity_materials_and_pairs_that_no_longer_touch_wake() {
    let mut stacks = asleep();
    stacks.world.settings_mut().step.forces.gravity.x = 8.0;
    assert_eq!(stacks.awake(), [true, true]);
    let mut stacks = asleep();
    let stone = stacks.world.materials().id("stone").unwrap();
    stacks.world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.0))).unwrap();
    assert_eq!(stacks.awake(), [true, true]);
    let mut stacks = asleep();
    stacks.world.set_excluded(stacks.floor, stacks.on_floor[0], true).unwrap();
    assert_eq!(stacks.awake(), [true, false]);
    (0..20).for_each(|_| drop(stacks.world.step().unwrap()));
    assert!(stacks.world.body(stacks.on_floor[0]).unwrap().position.y < 0.4);
}

#[test]
fn nothing_sleeps_on_what_moves_or_if_it_is_not_to() {
    let mut stacks = stacks();
    stacks.world.body_mut(stacks.table).unwrap().velocity = DVec3::Z * 1e-4;
    (0..300).for_each(|_| drop(stacks.world.step().unwrap()));
    assert_eq!(stacks.awake(), [false, true]);
    let mut stacks = self::stacks();
    let settings = SoftSettings { sleep_time: 0.0, ..SoftSettings::FAST };
    stacks.world.settings_mut().step.contact_solver = ContactSolver::Soft(settings);
    (0..300).for_each(|_| drop(stacks.world.step().unwrap()));
    assert_eq!(stacks.awake(), [true, true]);
}

/// Something that happens to the stacks.
#[derive(Clone, Copy, Debug)]
enum Event {
    Push,
    Drop,
    Drive,
    Gravity,
    Put,
}

fn happen(stacks: &mut Stacks, event: Event) {
    match event {
        Event::Push => stacks.world.apply_force(stacks.on_floor[1], DVec3::X * 2e4).unwrap(),
        Event::Drop => {
            let place = DVec3::new(0.3, 4.0, 0.1);
            cube(&mut stacks.world, 0.4, place);
        }
        Event::Drive => {
            let mut target = stacks.world.body(stacks.table).unwrap().pose();
            target.translation.z += 0.02;
            target.rotation = DQuat::from_rotation_y(0.01) * target.rotation;
            stacks.world.move_to(stacks.table, target).unwrap();
        }
        Event::Gravity => stacks.world.settings_mut().step.forces.gravity.z += 0.1,
        Event::Put => stacks.world.body_mut(stacks.table).unwrap().position.y = 0.2,
    }
}

#[test]
fn a_resumed_run_wakes_when_gravity_changes() {
    let mut stacks = asleep();
    let mut resumed = World::from_snapshot(&stacks.world.snapshot(), &Registry::default()).unwrap();
    let mut copy = stacks.world.clone();
    for world in [&mut stacks.world, &mut resumed, &mut copy] {
        world.settings_mut().step.forces.gravity.z += 3.0;
        (0..20).for_each(|_| drop(world.step().unwrap()));
    }
    assert!(!stacks.world.is_asleep(stacks.on_floor[0]).unwrap());
    assert!(bits(&stacks.world) == bits(&resumed) && bits(&stacks.world) == bits(&copy));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(10)))]

    #[test]
    fn a_run_with_sleeping_bodies_is_resumed_from_any_step(
        first in 0..200usize,
        more in 1..120usize,
        event in prop::sample::select(vec![Event::Push, Event::Drop, Event::Drive, Event::Gravity, Event::Put]),
        is_later in any::<bool>(),
    ) {
        let mut stacks = stacks();
        (0..first).for_each(|_| drop(stacks.world.step().unwrap()));
        if !is_later {
            happen(&mut stacks, event);
        }
        let text = stacks.world.snapshot().to_json().unwrap();
        let snapshot = Snapshot::from_json(&text).unwrap();
        let mut resumed = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
        if is_later {
            happen(&mut stacks, event);
            std::mem::swap(&mut stacks.world, &mut resumed);
            happen(&mut stacks, event);
        }
        for _ in 0..more {
            let (one, other) = (stacks.world.step().unwrap(), resumed.step().unwrap());
            prop_assert_eq!(one.counts, other.counts);
            prop_assert_eq!(one.energy_before, other.energy_before);
            prop_assert_eq!(one.contacts, other.contacts);
        }
        prop_assert!(bits(&stacks.world) == bits(&resumed));
    }
}
