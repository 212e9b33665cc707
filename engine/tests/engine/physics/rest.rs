//! What stands still stands still; `examples/long_rest.rs` makes the same test over a million steps.

use super::workbench::Workbench;
use drystone_engine::{Pose, WorldSettings};
use glam::{DQuat, DVec3};

/// With the settings for embedding as they are. After a thousand steps no box moves by a micrometre any more.
#[test]
fn a_stack_of_ten_does_not_drift() {
    let mut bench = Workbench::new(WorldSettings::default(), 0.6, 0.0);
    bench.ground();
    for i in 0..10 {
        let position = DVec3::new(0.03 * f64::from(i % 3 - 1), 0.5 + f64::from(i), 0.02 * (f64::from(i % 4) - 1.5));
        let turn = DQuat::from_rotation_y(0.1 * f64::from(i % 5 - 2));
        bench.cuboid(DVec3::ONE, Pose::from_parts(position, turn));
    }
    let poses = |bench: &Workbench| bench.world.bodies().iter().map(|b| b.pose()).collect::<Vec<_>>();
    let start = poses(&bench);
    bench.run(1000);
    let settled = poses(&bench);
    let mut worst = 0.0f64;
    let distance = |from: &[Pose], to: &[Pose]| {
        let moved = |(a, b): (&Pose, &Pose)| {
            let turned = (b.rotation * a.rotation.inverse()).to_scaled_axis().length();
            a.translation.distance(b.translation) + 0.867 * turned
        };
        from.iter().zip(to).map(moved).fold(0.0, f64::max)
    };
    for _ in 0..2000 {
        bench.run(1);
        worst = worst.max(distance(&settled, &poses(&bench)));
    }
    println!("stack at rest: {:.1e} m in 1000 steps, then {worst:.1e} m in 2000", distance(&start, &settled));
    assert!(worst < 1e-6, "{worst}");
}
