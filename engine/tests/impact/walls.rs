//! Bodies thrown at walls a millimetre thick.

use super::range::{Missile, Range, THICKNESS, steps_for};
use drystone_engine::ImpactLimit;
use glam::{DQuat, DVec3};

const SPEEDS: [f64; 5] = [1.0, 10.0, 100.0, 1e3, 1e4];

/// Throws a body at the wall at x = 0 and returns the largest x that one of its vertices came to.
fn thrown(limit: Option<ImpactLimit>, missile: Missile, speed: f64, spin: DVec3, restitution: f64) -> f64 {
    let mut range = Range::new(limit, restitution);
    range.wall(0.0);
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2));
    let body = range.throw(&missile.solid(), DVec3::X * -2.0, turn, DVec3::X * speed, spin);
    let mut farthest = f64::NEG_INFINITY;
    for step in 0..steps_for(speed, 320) {
        let report = range.step();
        farthest = farthest.max(range.extent(body).1);
        if std::env::var("IMPACT_TRACE").is_ok() && report.impact.as_ref().is_some_and(|i| i.parts > 1) {
            println!("step {step}: {:?} speed {:?}", report.impact.unwrap(), range.world.body(body).unwrap().velocity);
        }
    }
    farthest
}

fn nobody_passes(missile: Missile, spin: DVec3, restitution: f64) {
    for speed in SPEEDS {
        let farthest = thrown(Some(ImpactLimit::default()), missile, speed, spin, restitution);
        assert!(farthest < -0.5 * THICKNESS, "{missile:?} at {speed} m/s, {spin} rad/s: {farthest}");
        assert!(farthest > -0.02, "{missile:?} at {speed} m/s, {spin} rad/s gets to the wall: {farthest}");
    }
}

#[test]
fn without_the_limit_fast_bodies_pass() {
    for missile in Missile::ALL {
        assert!(thrown(None, missile, 1e3, DVec3::ZERO, 0.0) > 1.0, "{missile:?}");
    }
}

#[test]
fn nobody_passes_without_spin() {
    for missile in Missile::ALL {
        for restitution in [0.0, 0.5] {
            nobody_passes(missile, DVec3::ZERO, restitution);
        }
    }
}

#[test]
fn nobody_passes_spinning() {
    for missile in Missile::ALL {
        for spin in [DVec3::new(3.0, -7.0, 5.0), DVec3::new(30.0, 50.0, -80.0)] {
            nobody_passes(missile, spin, 0.0);
        }
        nobody_passes(missile, DVec3::new(-50.0, 10.0, 80.0), 0.5);
    }
}

#[test]
fn nobody_passes_spinning_a_thousand_radians_a_second() {
    for missile in Missile::ALL {
        for speed in [1.0, 100.0, 1e4] {
            for restitution in [0.0, 0.5] {
                let spin = DVec3::new(100.0, -500.0, 850.0);
                let farthest = thrown(Some(ImpactLimit::default()), missile, speed, spin, restitution);
                assert!(farthest < -0.5 * THICKNESS, "{missile:?} at {speed} m/s: {farthest}");
            }
        }
    }
}
