//! A step of a world of the soft step allocates nothing once it is warm, but for what the global solver does for islands at rest; a
//! binary of its own, as it counts what the whole of it allocates.

use allocation_counter::measure;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::WorldReport;
use drystone_engine::{Friction, Interaction, Pose, Solid, World};
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
