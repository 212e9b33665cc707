//! Bridges that bear loads.

use crate::workbench::{GRAVITY, restless, world};
use drystone_engine::{BodyHandle, MaterialId, NewJoint, Pose, Solid};
use glam::{DQuat, DVec3};

/// m.
const LINK: f64 = 0.2;

/// The points of a chain of links that hangs in an arc of a circle between (±half_span, 0).
fn arc(links: usize, half_span: f64) -> Vec<DVec3> {
    // A link turns by an angle against the one before; their chords span 2 half_span.
    let radius = |turn: f64| 0.5 * LINK / (0.5 * turn).sin();
    let span = |turn: f64| radius(turn) * (0.5 * turn * links as f64).sin();
    let (mut low, mut high) = (1e-9, std::f64::consts::PI / links as f64);
    for _ in 0..200 {
        let turn = 0.5 * (low + high);
        if span(turn) > half_span { low = turn } else { high = turn }
    }
    let (turn, radius) = (low, radius(low));
    let point = |k: usize| {
        let angle = turn * (k as f64 - 0.5 * links as f64);
        radius * DVec3::new(angle.sin(), (0.5 * turn * links as f64).cos() - angle.cos(), 0.0)
    };
    (0..=links).map(point).collect()
}

/// Where planks hang at rest under a load that rests on the bridge by its two lower edges, ±`edge` from the middle: the horizontal force (N)
/// at the ends, and how deep the edges are (m). The planks are in balance one by one, from the left end to the middle.
fn statics(planks: usize, half_span: f64, plank: f64, load: f64, edge: f64) -> [f64; 2] {
    let hang = |force: f64| {
        let (mut x, mut y, mut depth) = (-half_span, 0.0, 0.0);
        // The force upwards that the part to the left exerts.
        let mut up = 0.5 * (plank * planks as f64 + load);
        for _ in 0..planks / 2 {
            // About the middle of the plank, first without the load.
            let way = |up: f64, arm: f64, load: f64| {
                let turn = 0.5 * LINK * (2.0 * up - plank - load) - load * arm;
                LINK * DVec3::new(force * LINK, -turn, 0.0).normalize()
            };
            let free = way(up, 0.0, 0.0);
            let is_under = x < -edge && x + LINK > -edge;
            let (way, load) =
                if is_under { (way(up, -edge - x - 0.5 * LINK, 0.5 * load), 0.5 * load) } else { (free, 0.0) };
            if is_under {
                depth = y + way.y * (-edge - x) / way.x;
            }
            (x, y, up) = (x + way.x, y + way.y, up - plank - load);
        }
        (x, depth)
    };
    // The stronger the pull, the straighter.
    let (mut low, mut high) = (1.0, 1e9);
    for _ in 0..200 {
        let force = 0.5 * (low + high);
        if hang(force).0 > 0.0 { high = force } else { low = force }
    }
    [low, hang(low).1]
}

/// A hundred planks of 1 kg in a row, tied by hinges along their edges and at both ends to the world, and a box 1,000 times as heavy that
/// falls on the middle: the bridge is pulled taut, and holds it. The box swings on it for a while.
#[test]
fn a_bridge_sags_under_a_heavy_box_and_holds() {
    let count = 100;
    for slack in [0.95, 0.99, 0.999] {
        let mut world = restless(world(1.0 / 60.0));
        let (width, height, side, mass) = (1.0, 0.04, 1.0, 1000.0);
        let plank = Solid::cuboid(DVec3::new(LINK, height, width), 1.0 / (LINK * width * height)).unwrap();
        let load = Solid::cuboid(DVec3::splat(side), mass / side.powi(3)).unwrap();
        let half_span = 0.5 * LINK * count as f64 * slack;
        let points = arc(count, half_span);
        let planks: Vec<BodyHandle> = points
            .windows(2)
            .map(|ends| {
                let way = ends[1] - ends[0];
                let turn = DQuat::from_rotation_z(way.y.atan2(way.x));
                let pose = Pose::from_parts(0.5 * (ends[0] + ends[1]), turn);
                world.add(plank.dynamic(MaterialId::new(0), pose).unwrap()).unwrap()
            })
            .collect();
        let mut joints = Vec::new();
        for (k, &point) in points.iter().enumerate() {
            let (a, b) = match planks.get(k) {
                Some(&b) => (k.checked_sub(1).map(|k| planks[k]), b),
                None => (None, planks[k - 1]),
            };
            let joint = NewJoint::hinge(a, b, point, DVec3::Z, &world).unwrap();
            joints.push(world.add_joint(joint).unwrap());
        }
        let start = points[count / 2] + DVec3::Y * (0.5 * (height + side) + 0.05);
        let load = load.dynamic(MaterialId::new(0), Pose::from_translation(start)).unwrap();
        let load = world.add(load).unwrap();
        let (mut apart, mut fastest): (f64, f64) = (0.0, 0.0);
        for step in 0..900 {
            world.step().unwrap();
            for &joint in &joints {
                let coordinates = world.joint(joint).unwrap().coordinates();
                apart = apart.max(DVec3::from_slice(&coordinates[..3]).length());
            }
            if step >= 840 {
                fastest = fastest.max(world.body(load).unwrap().velocity.length());
            }
        }
        let at = world.body(load).unwrap().position;
        let [left, right] = [joints[0], joints[count]].map(|joint| world.joint_reaction(joint).unwrap()[0]);
        let weight = GRAVITY * (count as f64 + mass);
        let [pull, depth] = statics(count, half_span, GRAVITY, GRAVITY * mass, 0.5 * side);
        let found = at.y - 0.5 * (side + height);
        println!(
            "{slack}: at {at:.4}, {fastest:.1e} m/s, {found:.4} {depth:.4} m; {left:.0} {right:.0} of {pull:.0} N, {apart:.1e} m"
        );
        assert!(apart < 1e-9, "{apart}");
        assert!(at.x.abs() < 0.01 && at.z.abs() < 0.01 && fastest < 0.02, "{at} {fastest} m/s");
        assert!((found / depth - 1.0).abs() < 2e-3, "{found} {depth} m");
        for (end, sign) in [(left, -1.0), (right, 1.0)] {
            assert!((end.y / (0.5 * weight) - 1.0).abs() < 5e-3, "{end} {weight}");
            assert!((sign * end.x / pull - 1.0).abs() < 5e-3, "{end} {pull}");
            assert!(end.z.abs() < 1e-2 * weight, "{end}");
        }
    }
}
