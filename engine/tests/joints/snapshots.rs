//! Worlds with joints that are written down and go on with the same bits, on any number of threads.

use crate::workbench::world;
use drystone_contact::generator::Registry;
use drystone_engine::joint::Motor;
use drystone_engine::world::Snapshot;
use drystone_engine::{MaterialId, NewJoint, Pose, Solid, World};
use glam::DVec3;

/// Figures of five boxes with joints of all kinds that fall on a floor and each other, and a gear.
fn figures(count: usize) -> World {
    let mut world = world(1.0 / 60.0);
    let stuff = MaterialId::new(0);
    let floor = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap();
    world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let block = Solid::cuboid(DVec3::new(0.3, 0.2, 0.25), 500.0).unwrap();
    for k in 0..count {
        let middle = DVec3::new(0.15 * (k % 3) as f64, 0.6 + 0.6 * k as f64, 0.1 * (k % 2) as f64);
        let mut add =
            |at: DVec3| world.add(block.dynamic(stuff, Pose::from_translation(middle + at)).unwrap()).unwrap();
        let trunk = add(DVec3::ZERO);
        let limbs = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z].map(|at| add(0.35 * at));
        let at = |x: DVec3| middle + 0.17 * x;
        let hinge = NewJoint::hinge(Some(trunk), limbs[0], at(DVec3::X), DVec3::Z, &world).unwrap();
        let hinge = world.add_joint(hinge.with_limits(-0.8, 0.6).with_friction(0.5)).unwrap();
        let other = NewJoint::hinge(Some(trunk), limbs[1], at(DVec3::NEG_X), DVec3::Z, &world).unwrap();
        let other = world.add_joint(other).unwrap();
        let twist = (0.6, [-0.4, 0.4]);
        let cone = NewJoint::cone_twist(Some(trunk), limbs[2], (at(DVec3::Z), DVec3::Z), twist, &world).unwrap();
        world.add_joint(cone).unwrap();
        let ball = NewJoint::ball(Some(trunk), limbs[3], at(DVec3::NEG_Z), &world).unwrap();
        let motor = Motor::Position { target: 0.5, stiffness: 50.0, damping: 2.0, max_force: 20.0 };
        world.add_joint(ball.with_motor(motor)).unwrap();
        if k % 2 == 0 {
            world.add_joint(NewJoint::gear(hinge, other, -1.0)).unwrap();
        }
        let rope = NewJoint::rope(Some(limbs[2]), limbs[3], [DVec3::ZERO; 2], 0.8).with_collision(true);
        world.add_joint(rope).unwrap();
    }
    world
}

fn bits(world: &World) -> Vec<u64> {
    let bodies = world.bodies().iter().flat_map(|b| {
        let (p, q, v, w) = (b.position, b.orientation, b.velocity, b.angular_velocity);
        [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
    });
    let joints = world.joints().flat_map(|(_, joint)| {
        joint.coordinates().into_iter().chain(joint.reaction().into_iter().flat_map(|own| own.to_array()))
    });
    bodies.chain(joints).map(f64::to_bits).collect()
}

#[test]
fn a_resumed_world_goes_on_with_the_same_bits() {
    let mut world = figures(4);
    for _ in 0..40 {
        world.step().unwrap();
    }
    let text = world.snapshot().to_json().unwrap();
    let snapshot = Snapshot::from_json(&text).unwrap();
    let mut resumed = World::from_snapshot(&snapshot, &Registry::default()).unwrap();
    assert_eq!(resumed.snapshot(), world.snapshot());
    let mut copy = world.clone();
    for _ in 0..40 {
        let reports = [&mut world, &mut resumed, &mut copy].map(|world| world.step().unwrap());
        assert!(reports.iter().all(|report| report.joints == reports[0].joints));
        assert_eq!(bits(&world), bits(&resumed));
        assert_eq!(bits(&world), bits(&copy));
    }
    // What is damaged is refused.
    let damaged = text.replacen("\"ratio\":-1.0", "\"ratio\":0.0", 1);
    assert_ne!(damaged, text);
    let damaged = Snapshot::from_json(&damaged).unwrap();
    assert!(World::from_snapshot(&damaged, &Registry::default()).is_err());
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            // Enough of them that several threads share an island.
            let mut world = figures(60);
            for _ in 0..30 {
                world.step().unwrap();
            }
            bits(&world)
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

/// Figures come to rest on the floor, none of their joints opens, and they sleep.
#[test]
fn figures_come_to_rest() {
    let mut world = figures(3);
    let mut deepest: f64 = 0.0;
    for _ in 0..600 {
        deepest = deepest.max(world.step().unwrap().deepest_penetration);
    }
    println!("{deepest} m deep, {} asleep", world.bodies().len());
    let fastest = world.bodies().iter().map(|body| body.velocity.length()).fold(0.0, f64::max);
    println!("{fastest} m/s");
    assert!(deepest < 0.02, "{deepest}");
    assert!(fastest < 0.02, "{fastest}");
    assert!(world.bodies().iter().all(|body| body.position.y > -0.6));
}
