//! Free fall: both schemes against their own closed-form solutions and against the continuum's.

use super::undamped;
use super::workbench::G;
use crate::closed_forms::free_motion;
use drystone_engine::{Scheme, WorldSettings};
use glam::DVec3;

const START: DVec3 = DVec3::new(1.0, 50.0, -2.0);
const THROWN: DVec3 = DVec3::new(3.0, 4.0, -1.0);
const STEPS: usize = 300;

/// Position and velocity after the flight, and the time it took.
fn flight(settings: WorldSettings) -> (DVec3, DVec3, f64) {
    free_motion::flight(settings, START, THROWN, STEPS)
}

/// The mean of the two velocities is exact for a constant force: nothing but rounding is left, of some 1e-16 of 50 m in
/// each of 300 steps.
#[test]
fn mid_point_falls_as_the_continuum_does() {
    let (x, v, t) = flight(undamped());
    let down = DVec3::NEG_Y * G;
    let errors = [(x - START - THROWN * t - 0.5 * t * t * down).length(), (v - THROWN - t * down).length()];
    println!("free fall, mid-point, {t} s: off by {:.1e} m and {:.1e} m/s", errors[0], errors[1]);
    assert!(errors.iter().all(|&e| e < 1e-11), "{errors:?}");
}

/// The new velocity for the whole step: ahead of the continuum by g t Δt / 2, exactly.
#[test]
fn semi_implicit_falls_ahead_by_half_a_step() {
    let mut settings = undamped();
    settings.step.scheme = Scheme::SemiImplicit;
    let step = settings.step.time_step;
    let (x, v, t) = flight(settings);
    let down = DVec3::NEG_Y * G;
    let ahead = x - START - THROWN * t - 0.5 * t * t * down;
    println!("free fall, semi-implicit, {t} s: ahead by {:.4} m", ahead.length());
    assert!((ahead - 0.5 * t * step * down).length() < 1e-11 && (v - THROWN - t * down).length() < 1e-11);
}

/// Damping is taken at the new velocity: v follows a geometric series to g m/c.
#[test]
fn damping_follows_its_geometric_series() {
    let mut settings = undamped();
    settings.step.forces.linear_damping = 400.0;
    let (step, mass) = (settings.step.time_step, 1000.0);
    let (_, v, t) = flight(settings);
    let terminal = DVec3::NEG_Y * (G * mass / 400.0);
    let kept = (1.0 + 400.0 / mass * step).powi(-(STEPS as i32));
    let scheme = terminal + (THROWN - terminal) * kept;
    let continuum = terminal + (THROWN - terminal) * (-400.0 / mass * t).exp();
    println!("damped fall: off the continuum by {:.1e} m/s", (v - continuum).length());
    assert!((v - scheme).length() < 1e-11, "{v} {scheme}");
    // First order: Δt/2 (c/m)² t of the velocity that decays.
    assert!((v - continuum).length() < 0.5 * step * 0.16 * t * (THROWN - terminal).length());
}
