//! The same bits on any number of threads, with the settings for embedding.

use super::workbench::Workbench;
use drystone_engine::{Body, Pose, WorldSettings};
use glam::{DQuat, DVec3};

/// Sixty cubes that fall on each other; the last step's impulses and the bodies.
fn pile(threads: usize) -> (Vec<[f64; 4]>, Vec<Body>, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut bench = Workbench::new(WorldSettings::default(), 0.5, 0.2);
        bench.ground();
        for i in 0..60 {
            let (x, layer, z) = (i % 4, i / 16, i / 4 % 4);
            let shift = 0.09 * f64::from(layer % 3);
            let position = DVec3::new(0.62 * f64::from(x) + shift, 0.28 + 0.53 * f64::from(layer), 0.62 * f64::from(z));
            let turn = DQuat::from_scaled_axis(DVec3::new(0.02, 0.2 * f64::from(layer), 0.01 * f64::from(i % 5)));
            bench.cuboid(DVec3::splat(0.5), Pose::from_parts(position, turn));
        }
        bench.run(24);
        let report = bench.world.step().unwrap();
        (report.impulses, bench.world.bodies().to_vec(), report.contacts.len())
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let one = pile(1);
    println!("pile of sixty: {} contacts in the last step", one.2);
    assert!(one.2 > 100, "{}", one.2);
    for threads in [2, 8] {
        assert!(pile(threads) == one, "{threads} threads");
    }
}
