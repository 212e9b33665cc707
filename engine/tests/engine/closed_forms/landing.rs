//! A cube that lands on a face, or on an edge, gets no spin: the impulses are the same on both sides.

use super::Figure;
use super::workbench::Workbench;
use drystone_engine::{Pose, WorldSettings};
use glam::{DQuat, DVec3};

/// The largest angular velocity (rad/s) within half a second of a cube of 1 m that falls by `fall` and lands turned like this, about axes that the
/// symmetry forbids: all for a face, all but that of the edge (z) for an edge. It is `thrown` (m/s) to the side meanwhile.
fn spin(settings: &WorldSettings, turn: DQuat, heading: f64, fall: f64, is_edge: bool, thrown: DVec3) -> f64 {
    let mut bench = Workbench::new(settings.clone(), 0.5, 0.0);
    bench.ground();
    let heading = DQuat::from_rotation_y(heading);
    let height = if is_edge { 0.5_f64.sqrt() } else { 0.5 } + fall;
    let cube = bench.cuboid(DVec3::ONE, Pose::from_parts(DVec3::new(0.3, height, 0.2), heading * turn));
    bench.world.body_mut(cube).unwrap().velocity = thrown;
    let mut worst = 0.0_f64;
    for _ in 0..50 {
        bench.run(1);
        let spin = heading.inverse() * bench.spin(cube);
        worst = worst.max(if is_edge { spin.truncate().length() } else { spin.length() });
    }
    worst
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let quarter = std::f64::consts::FRAC_PI_4;
    let [mut face, mut edge, mut sliding] = [0.0_f64; 3];
    for heading in [0.0, 0.7, 2.0] {
        for fall in [0.05, 0.3, 0.9] {
            face = face.max(spin(settings, DQuat::IDENTITY, heading, fall, false, DVec3::ZERO));
            sliding = sliding.max(spin(settings, DQuat::IDENTITY, heading, fall, false, DVec3::new(3.0, 0.0, 1.0)));
            for turn in [1.0, 3.0, 5.0, 7.0] {
                edge =
                    edge.max(spin(settings, DQuat::from_rotation_z(turn * quarter), heading, fall, true, DVec3::ZERO));
            }
        }
    }
    vec![
        Figure::new("cube that lands on a face", "does not turn", face, "rad/s"),
        Figure::new("on a face, thrown at 3.2 m/s to the side", "does not turn", sliding, "rad/s"),
        Figure::new("on an edge", "does not turn but about it", edge, "rad/s"),
    ]
}
