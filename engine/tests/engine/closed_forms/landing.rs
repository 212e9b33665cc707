//! A cube that lands on a face, or on an edge, gets no spin: the impulses are the same on both sides. Nor does anything else that lands with its centre
//! of mass above what it lands on, however many contacts there are.

use super::Figure;
use super::workbench::Workbench;
use drystone_contact::shape::Shape;
use drystone_engine::{Pose, Solid, WorldSettings};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

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

/// Frustums of 3 to 16 sides, upright or leaning, of round and of oval outline; a cylinder; tables on legs of four corners. Each with the height of
/// its origin above what it stands on, m.
fn flat() -> Vec<(Solid, f64)> {
    let around = |k: usize, count: usize| {
        let (sine, cosine) = (TAU * k as f64 / count as f64).sin_cos();
        DVec3::new(cosine, 0.0, sine)
    };
    let frustum = |sides: usize, [wide, lean]: [f64; 2]| {
        let ring = (0..sides).map(|k| around(k, sides) * DVec3::new(0.5, 0.0, 0.5 * wide));
        let corners: Vec<DVec3> = ring.flat_map(|p| [p, 0.5 * p + DVec3::new(lean, 0.4, 0.0)]).collect();
        (Solid::convex_hull(&corners, 1000.0).unwrap(), 0.0)
    };
    let table = |legs: usize| {
        let cuboid = |sides: DVec3, at: DVec3| {
            let solid = Solid::cuboid(sides, 1000.0).unwrap();
            (Shape::clone(&solid.shape), Pose::from_translation(at) * solid.frame)
        };
        let foot = |k: usize| around(k, legs) * DVec3::new(0.45, 0.0, 0.3);
        let legs = (0..legs).map(|k| cuboid(DVec3::new(0.1, 0.4, 0.1), foot(k)));
        let top = cuboid(DVec3::new(1.2, 0.1, 0.8), DVec3::Y * 0.25);
        (Solid::compound(legs.chain([top]), 1000.0).unwrap(), 0.2)
    };
    let outlines = [[1.0, 0.0], [0.3, 0.0], [1.0, 0.4]];
    let sides = [3, 4, 5, 6, 7, 8, 12, 16].into_iter();
    let frustums = sides.flat_map(|sides| outlines.map(|outline| frustum(sides, outline)));
    frustums.chain([(Solid::cylinder(0.4, 0.2, 1000.0).unwrap(), 0.2)]).chain([3, 4, 7].map(table)).collect()
}

/// The largest angular velocity (rad/s) within half a second of any of these that falls by 0.2 m, `thrown` (m/s) to the side meanwhile.
fn spin_of_others(settings: &WorldSettings, thrown: DVec3) -> f64 {
    let mut worst = 0.0_f64;
    for (solid, height) in flat() {
        let mut bench = Workbench::new(settings.clone(), 0.5, 0.0);
        bench.ground();
        let pose = Pose::from_parts(DVec3::Y * (height + 0.2), DQuat::from_rotation_y(0.3));
        let body = bench.world.add(solid.dynamic(bench.stone, pose).unwrap()).unwrap();
        bench.world.body_mut(body).unwrap().velocity = thrown;
        for _ in 0..50 {
            bench.run(1);
            worst = worst.max(bench.spin(body).length());
        }
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
    let [still, thrown] = [DVec3::ZERO, DVec3::X].map(|thrown| spin_of_others(settings, thrown));
    vec![
        Figure::new("cube that lands on a face", "does not turn", face, "rad/s"),
        Figure::new("on a face, thrown at 3.2 m/s to the side", "does not turn", sliding, "rad/s"),
        Figure::new("on an edge", "does not turn but about it", edge, "rad/s"),
        Figure::new("frustums, a cylinder, tables that land", "do not turn", still, "rad/s"),
        Figure::new("the same, thrown at 1 m/s to the side", "do not turn", thrown, "rad/s"),
    ]
}
