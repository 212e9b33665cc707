//! The same bits on any number of threads and from a snapshot on.

use super::workbench::{Bench, at, both, general, part, primitive, turned};
use drystone_contact::generator::{Method, Registry};
use drystone_contact::solid::Description;
use drystone_engine::world::Snapshot;
use drystone_engine::{Body, Pose, World, WorldSettings};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Rings, balls, discs and crossed bars fall on each other in a bowl.
fn heap(method: &Method, settings: WorldSettings) -> World {
    let mut bench = Bench::new(method, settings, 0.5, 0.1);
    let outside = at(primitive("cylinder", &[1.2, 0.6]), [0.0, 0.5, 0.0]);
    let bowl = Description::Difference(vec![outside, at(primitive("ball", &[1.1]), [0.0, 1.2, 0.0])]);
    bench.fixed(general(&bowl), turned(DVec3::X, 0.0));
    let bars = || primitive("capsule", &[0.06, 0.15]);
    let cross = Description::Union(vec![at(bars(), [0.0; 3]), part(bars(), [0.0; 3], DVec3::X, FRAC_PI_2)]);
    let shapes = [
        general(&primitive("torus", &[0.16, 0.06])),
        general(&primitive("ball", &[0.12])),
        general(&primitive("cylinder", &[0.15, 0.05])),
        general(&cross),
    ];
    for k in 0..8 {
        let (x, z) = (0.35 * f64::from(k % 2) - 0.2, 0.3 * f64::from(k / 2 % 2) - 0.1);
        let pose = Pose::from_parts(
            DVec3::new(x, 0.55 + 0.3 * f64::from(k / 2), z),
            turned(DVec3::new(0.6, 0.0, 0.8), 0.4 * f64::from(k)),
        );
        bench.moving(&shapes[k as usize % 4], pose, [DVec3::NEG_Y, DVec3::new(1.0, 0.5, 0.2)]);
    }
    bench.world
}

/// Makes steps on so many threads; the bodies, and how many contacts there were in all.
fn run(world: &mut World, steps: usize, threads: usize) -> (Vec<Body>, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let contacts = (0..steps).map(|_| world.step().unwrap().contacts.len()).sum();
        (world.bodies().to_vec(), contacts)
    })
}

#[test]
fn threads_and_snapshots_change_no_bit() {
    for method in both() {
        for settings in [WorldSettings::fast(), WorldSettings::gauss_seidel()] {
            let mut world = heap(&method, settings.clone());
            let (_, before) = run(&mut world, 20, 1);
            let bytes = world.snapshot().to_json().unwrap();
            let (one, contacts) = run(&mut world, 15, 1);
            println!("{}: {before} contacts in 20 steps, {contacts} in 15", method.name());
            assert!(contacts > 50, "{contacts}");
            for threads in [2, 8] {
                let mut other = heap(&method, settings.clone());
                run(&mut other, 20, threads);
                assert!(run(&mut other, 15, threads) == (one.clone(), contacts), "{threads} threads");
            }
            let snapshot = Snapshot::from_json(&bytes).unwrap();
            let mut resumed = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
            assert!(run(&mut resumed, 15, 2) == (one, contacts), "from a snapshot");
        }
    }
}
