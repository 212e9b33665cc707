//! A step of a world of the soft step, joints included, allocates nothing once it is warm, but for what the global solver does for islands at rest; a
//! binary of its own, as it counts what the whole of it allocates.

use allocation_counter::measure;
use drystone_engine::joint::Motor;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::WorldReport;
use drystone_engine::{Friction, Interaction, NewJoint, Pose, Solid, World};
use glam::{DQuat, DVec3};

/// Stacks of three turned boxes side by side on a floor.
fn stacks(settings: SoftSettings) -> World {
    let mut world = World::default();
    world.settings_mut().step.contact_solver = ContactSolver::Soft(settings);
    let stone = world.materials_mut().add("stone").unwrap();
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.5))).unwrap();
    let ground = Solid::cuboid(DVec3::new(40.0, 1.0, 40.0), 2000.0).unwrap();
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 2000.0).unwrap();
    for k in 0..60 {
        let place = DVec3::new(1.5 * f64::from(k % 5), 0.55 + 1.05 * f64::from(k / 20), 1.5 * f64::from(k / 5 % 4));
        let turn = DQuat::from_rotation_y(0.1 * f64::from(k / 20));
        world.add(cube.dynamic(stone, Pose::from_parts(place, turn)).unwrap()).unwrap();
    }
    world
}

/// How often a step asks for memory at most, after these steps, on one thread.
fn most(world: &mut World, warm: usize, steps: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut report = WorldReport::default();
        (0..warm).for_each(|_| world.step_into(&mut report).unwrap());
        let mut most = 0;
        for _ in 0..steps {
            most = most.max(measure(|| world.step_into(&mut report).unwrap()).count_total);
        }
        most
    })
}

#[test]
fn bodies_at_rest_ask_for_no_memory() {
    for settings in [SoftSettings::FAST, SoftSettings::ACCURATE] {
        let awake = SoftSettings { sleep_time: 0.0, global_bodies: 0, ..settings };
        assert_eq!(most(&mut stacks(awake), 300, 100), 0, "awake");
        assert_eq!(most(&mut stacks(settings), 300, 100), 0, "asleep");
    }
}

/// A hanging chain with limits and friction, coupled hinges with a motor that bears a load, a body on a spring, and two boxes on the ground that a rod ties:
/// all at rest, as bodies that come near others ask for memory.
fn machines(settings: SoftSettings) -> World {
    let mut world = stacks(SoftSettings { sleep_time: 0.0, global_bodies: 0, ..settings });
    let stone = world.bodies()[0].material;
    let link = Solid::cuboid(DVec3::splat(0.4), 1000.0).unwrap();
    let add = |world: &mut World, x: f64, y: f64| {
        world.add(link.dynamic(stone, Pose::from_translation(DVec3::new(x, y, -5.0))).unwrap()).unwrap()
    };
    let mut before = None;
    for k in 0..12 {
        let y = 12.0 - 0.5 * f64::from(k);
        let own = add(&mut world, 0.0, y);
        let hinge = NewJoint::hinge(before, own, DVec3::new(0.0, y + 0.25, -5.0), DVec3::Z, &world).unwrap();
        world.add_joint(hinge.with_limits(-1.5, 1.5).with_friction(0.1)).unwrap();
        before = Some(own);
    }
    let wheels = [8.0, 10.0].map(|x| add(&mut world, x, 4.0));
    let hinges = [0, 1].map(|k| {
        let point = DVec3::new(8.2 + 2.0 * k as f64, 4.0, -5.0);
        let hinge = NewJoint::hinge(None, wheels[k], point, DVec3::Z, &world).unwrap();
        let motor = Motor::Velocity { target: 0.0, max_force: 1e4 };
        world.add_joint(if k == 0 { hinge.with_motor(motor) } else { hinge }).unwrap()
    });
    world.add_joint(NewJoint::gear(hinges[0], hinges[1], 1.0)).unwrap();
    let hung = add(&mut world, -3.0, 4.0);
    let points = [DVec3::new(-3.0, 6.0, -5.0), DVec3::ZERO];
    world.add_joint(NewJoint::spring(None, hung, points, [1.5, 1500.0, 200.0])).unwrap();
    let legs = [-7.0, -6.0].map(|x| add(&mut world, x, 0.2));
    world.add_joint(NewJoint::distance(Some(legs[0]), legs[1], [DVec3::ZERO; 2], [1.0, 1.0])).unwrap();
    world
}

#[test]
fn joints_ask_for_no_memory() {
    for settings in [SoftSettings::FAST, SoftSettings::ACCURATE] {
        assert_eq!(most(&mut machines(settings), 400, 100), 0);
    }
}
