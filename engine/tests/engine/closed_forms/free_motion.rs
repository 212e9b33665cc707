//! Without contacts: fall and spin.

use super::Figure;
use super::workbench::{G, Workbench, at};
use drystone_engine::{Body, WorldSettings};
use glam::{DQuat, DVec3};

/// Of a body thrown in free fall: position and velocity after the flight, and the time it took.
pub fn flight(settings: WorldSettings, start: DVec3, thrown: DVec3, steps: usize) -> (DVec3, DVec3, f64) {
    let mut bench = Workbench::new(settings, 0.5, 0.0);
    let body = bench.cuboid(DVec3::ONE, at(start.x, start.y, start.z));
    bench.world.body_mut(body).unwrap().velocity = thrown;
    bench.run(steps);
    (bench.position(body), bench.velocity(body), bench.world.time())
}

/// A box that spins in free space, shown after every step.
fn spin(settings: &WorldSettings, sides: DVec3, spin_in_body: DVec3, seconds: f64, mut look: impl FnMut(f64, &Body)) {
    let mut settings = settings.clone();
    settings.step.forces.gravity = DVec3::ZERO;
    let steps = (seconds / settings.step.time_step).round() as usize;
    let mut bench = Workbench::new(settings, 0.5, 0.0);
    let handle = bench.cuboid(sides, at(0.0, 0.0, 0.0));
    let body = bench.world.body_mut(handle).unwrap();
    body.orientation = DQuat::from_scaled_axis(DVec3::new(0.4, -0.2, 0.7));
    body.angular_velocity = body.orientation * spin_in_body;
    look(0.0, body);
    for _ in 0..steps {
        bench.run(1);
        look(bench.world.time(), bench.world.body(handle).unwrap());
    }
}

fn momentum(body: &Body) -> DVec3 {
    body.angular_momentum_at(body.orientation, body.angular_velocity)
}

/// Energy, length and direction of the angular momentum of a slab over 20 s: what they are off by.
fn asymmetric(settings: &WorldSettings) -> [f64; 3] {
    let (mut first, mut worst) = (None, [0.0_f64; 3]);
    spin(settings, DVec3::new(1.2, 0.5, 0.8), DVec3::new(2.0, 0.5, -1.0), 20.0, |_, body| {
        let now = (body.kinetic_energy(), momentum(body));
        let (energy, before) = *first.get_or_insert(now);
        let errors = [now.0 / energy - 1.0, now.1.length() / before.length() - 1.0, now.1.angle_between(before)];
        worst.iter_mut().zip(errors).for_each(|(worst, error)| *worst = worst.max(error.abs()));
    });
    worst
}

/// The axis of a symmetric top goes around the angular momentum at the rate |L|/A, A the moment across the axis: the angle by which it is off.
fn top(settings: &WorldSettings) -> f64 {
    let (mut first, mut worst) = (None, 0.0_f64);
    spin(settings, DVec3::new(1.0, 1.0, 0.4), DVec3::new(1.0, 3.0, 2.0), 4.0, |time, body| {
        let axis = body.orientation * DVec3::Z;
        let (l, start) = *first.get_or_insert((momentum(body), axis));
        let expected = DQuat::from_axis_angle(l.normalize(), l.length() / body.inertia().x * time) * start;
        worst = worst.max(axis.angle_between(expected));
    });
    worst
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let (start, thrown) = (DVec3::new(1.0, 50.0, -2.0), DVec3::new(3.0, 4.0, -1.0));
    let (x, v, t) = flight(settings.clone(), start, thrown, 300);
    let down = DVec3::NEG_Y * G;
    let [energy, length, direction] = asymmetric(settings);
    vec![
        Figure::new("fall for 3 s", "x₀ + v₀t + gt²/2", (x - start - thrown * t - 0.5 * t * t * down).length(), "m"),
        Figure::new("its velocity", "v₀ + gt", (v - thrown - t * down).length(), "m/s"),
        Figure::new("spin of a slab for 20 s: energy", "stays", energy, ""),
        Figure::new("length of its angular momentum", "stays", length, ""),
        Figure::new("direction of its angular momentum", "stays", direction, "rad"),
        Figure::new("axis of a symmetric top in 4 s", "precesses with |L|/A", top(settings), "rad"),
    ]
}
