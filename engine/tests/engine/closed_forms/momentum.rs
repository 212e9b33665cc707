//! Bodies that collide in free space.

use super::Figure;
use super::workbench::Workbench;
use drystone_engine::{Body, Pose, World, WorldSettings};
use glam::{DQuat, DVec3};

pub const SLAB: DVec3 = DVec3::new(1.2, 0.5, 0.8);

/// Seven boxes, six around one, that fly at each other off-centre and spin.
pub fn swarm(mut settings: WorldSettings, sides: DVec3, restitution: f64) -> Workbench {
    settings.step.forces.gravity = DVec3::ZERO;
    let mut bench = Workbench::new(settings, 0.5, restitution);
    for i in 0..7_u32 {
        let k = f64::from(i);
        let direction =
            [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z, DVec3::ZERO][i as usize];
        let position = direction * 2.0 + DVec3::new(0.05, -0.03, 0.02) * k;
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2 * k, -0.1 * k));
        let handle = bench.cuboid(sides, Pose::from_parts(position, turn));
        let body = bench.world.body_mut(handle).unwrap();
        body.velocity = -direction * (1.0 + 0.1 * k) + DVec3::new(0.2, 0.1, -0.1);
        body.angular_velocity = DVec3::new(0.5 * k, -0.3, 0.2 * k);
    }
    assert_eq!(bench.world.overlaps().unwrap(), [], "nothing starts deep");
    bench
}

pub fn linear(bodies: &[Body]) -> DVec3 {
    bodies.iter().map(|b| b.velocity * b.mass()).sum()
}

/// About the origin.
pub fn angular(bodies: &[Body]) -> DVec3 {
    let one =
        |b: &Body| b.position.cross(b.velocity * b.mass()) + b.angular_momentum_at(b.orientation, b.angular_velocity);
    bodies.iter().map(one).sum()
}

/// The sums of the sizes, which errors are measured by.
pub fn sizes(bodies: &[Body]) -> (f64, f64) {
    let linear = bodies.iter().map(|b| (b.velocity * b.mass()).length()).sum();
    let spin = |b: &Body| b.angular_momentum_at(b.orientation, b.angular_velocity).length();
    let orbit = |b: &Body| b.position.length() * b.velocity.length() * b.mass();
    (linear, bodies.iter().map(|b| spin(b) + orbit(b)).sum())
}

/// What a run of steps changed.
pub struct Drift {
    /// The largest relative errors of both momenta.
    pub linear: f64,
    pub angular: f64,
    /// The most kinetic energy that a step gained, as a share of the first.
    pub gained: f64,
    /// How many contacts there were.
    pub contacts: usize,
}

/// Makes `steps` steps.
pub fn drift(world: &mut World, steps: usize) -> Drift {
    let kinetic = |world: &World| world.bodies().iter().map(Body::kinetic_energy).sum::<f64>();
    let start = (linear(world.bodies()), angular(world.bodies()), sizes(world.bodies()));
    let first = kinetic(world);
    let mut drift = Drift { linear: 0.0, angular: 0.0, gained: 0.0, contacts: 0 };
    for _ in 0..steps {
        let before = kinetic(world);
        drift.contacts += world.step().unwrap().contacts.len();
        let bodies = world.bodies();
        drift.linear = drift.linear.max((linear(bodies) - start.0).length() / start.2.0);
        drift.angular = drift.angular.max((angular(bodies) - start.1).length() / start.2.1);
        drift.gained = drift.gained.max((kinetic(world) - before) / first);
    }
    drift
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    // Post-stabilisation keeps no angular momentum (`physics/momentum.rs`); the soft step has none.
    let settings = WorldSettings { post_stabilisation: None, ..settings.clone() };
    let [cubes, bouncing] = [0.0, 0.6].map(|e| drift(&mut swarm(settings.clone(), DVec3::ONE, e).world, 300));
    let slabs = drift(&mut swarm(settings, SLAB, 0.0).world, 300);
    assert!([&cubes, &bouncing, &slabs].iter().all(|drift| drift.contacts > 50));
    vec![
        Figure::new("seven cubes that collide, 3 s: linear momentum", "stays", cubes.linear.max(bouncing.linear), ""),
        Figure::new("their angular momentum", "stays", cubes.angular.max(bouncing.angular), ""),
        Figure::new("energy gained in a step, of the first", "none", cubes.gained.max(bouncing.gained), ""),
        Figure::new("seven slabs, three different moments: angular momentum", "stays", slabs.angular, ""),
        Figure::new("their energy gained in a step, of the first", "none", slabs.gained, ""),
    ]
}
