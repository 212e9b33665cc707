//! Damping: it takes kinetic energy and never adds any, and follows exponential decay to first order.

use super::free;
use drystone_engine::{Body, MaterialId, MaterialTable, StepSettings, WorldSettings, step};
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

fn damped(linear: f64, angular: f64, time_step: f64) -> StepSettings {
    let WorldSettings { mut step, .. } = free();
    (step.forces.linear_damping, step.forces.angular_damping) = (linear, angular);
    StepSettings { time_step, ..step }
}

/// A box of these sides (m) with the density of water.
fn cuboid(sides: DVec3) -> Body {
    let mass = 1000.0 * sides.element_product();
    let squares = sides * sides;
    let moments = (DVec3::splat(squares.element_sum()) - squares) * (mass / 12.0);
    Body::dynamic(mass, moments, MaterialId::new(0)).unwrap()
}

/// Kinetic energy in the body frame, where the inertia is diagonal: translation and rotation, J.
fn kinetic(body: &Body) -> [f64; 2] {
    let spin = DMat3::from_quat(body.orientation).transpose() * body.angular_velocity;
    [0.5 * body.mass() * body.velocity.dot(body.velocity), 0.5 * spin.dot(body.inertia() * spin)]
}

fn stepped(body: &Body, settings: &StepSettings) -> Body {
    let mut bodies = [body.clone()];
    step(&mut bodies, &MaterialTable::new(), settings, |_| Ok(Vec::new())).unwrap();
    let [body] = bodies;
    body
}

proptest! {
    #[test]
    fn damping_never_adds_kinetic_energy(
        sides in prop::array::uniform3(-3.0..1.0f64),
        time_step in -4.0..-1.0f64,
        damping in prop::array::uniform2(0.0..10.0f64),
        speed in 0.0..1e3f64,
        spin in 0.0..1e3f64,
        directions in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)),
    ) {
        let [velocity, axis, turn] = directions.map(DVec3::from);
        let body = cuboid(DVec3::from(sides.map(|exponent| 10f64.powf(exponent))))
            .at(DVec3::ZERO, DQuat::from_scaled_axis(3.0 * turn)).unwrap()
            .moving(velocity.normalize_or_zero() * speed, axis.normalize_or_zero() * spin).unwrap();
        let time_step = 10f64.powf(time_step);
        let undamped = stepped(&body, &damped(0.0, 0.0, time_step));
        let after = stepped(&body, &damped(damping[0], damping[1], time_step));
        for (after, undamped) in kinetic(&after).into_iter().zip(kinetic(&undamped)) {
            prop_assert!(after <= undamped * (1.0 + 1e-11), "{after} J after {undamped} J");
        }
        // Of a velocity every component shrinks, and none turns round.
        let kept = after.velocity / undamped.velocity;
        prop_assert!(kept.to_array().iter().all(|kept| kept.is_nan() || (0.0..=1.0).contains(kept)), "{kept}");
    }
}

/// ω(t) = ω₀ exp(−d t/I) about a principal axis; half of the time step leaves half of the error.
#[test]
fn decay_is_exponential_to_first_order() {
    let moments = DVec3::new(0.4, 1.0, 2.0);
    let (damping, duration, spin) = (0.6, 2.0, 5.0);
    for (axis, moment) in DVec3::AXES.into_iter().zip(moments.to_array()) {
        let orientation = DQuat::from_scaled_axis(DVec3::new(0.4, -0.2, 0.7));
        let world_axis = orientation * axis;
        let error = |steps: u32| {
            let start = Body::dynamic(2.0, moments, MaterialId::new(0)).unwrap();
            let start = start.at(DVec3::ZERO, orientation).unwrap();
            let mut body = start.moving(DVec3::X * spin, world_axis * spin).unwrap();
            let settings = damped(damping, damping, duration / f64::from(steps));
            for _ in 0..steps {
                body = stepped(&body, &settings);
            }
            let off = [
                body.velocity - DVec3::X * spin * f64::exp(-damping * duration / 2.0),
                body.angular_velocity - world_axis * spin * f64::exp(-damping * duration / moment),
            ];
            off.map(DVec3::length)
        };
        let (coarse, fine) = (error(200), error(400));
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            assert!(coarse < 0.02 * spin && (coarse / fine - 2.0).abs() < 0.05, "{coarse} {fine}");
        }
    }
}

/// The limit that the old velocity in place of the new one has: a body of so little inertia that a step's damping
/// exceeds its momentum many times over comes to rest.
#[test]
fn damping_beyond_the_momentum_brings_to_rest() {
    let body = cuboid(DVec3::splat(1e-3)).moving(DVec3::X * 10.0, DVec3::new(100.0, 30.0, -20.0)).unwrap();
    let after = stepped(&body, &damped(10.0, 10.0, 0.1));
    assert!(after.velocity.length() < 1e-4 && after.angular_velocity.length() < 1e-6, "{after:?}");
}
