//! Rotation without torque: what the steppers keep, and closed-form solutions for the top and for the tennis racket.

use super::free;
use drystone_engine::{Body, MaterialId, MaterialTable, Scheme, StepSettings, step};
use glam::{DQuat, DVec3};

fn settings(scheme: Scheme, time_step: f64) -> StepSettings {
    StepSettings { scheme, time_step, ..free().step }
}

fn body(moments: DVec3, spin: DVec3) -> Body {
    let body = Body::dynamic(2.0, moments, MaterialId::new(0)).unwrap().moving(DVec3::ZERO, spin).unwrap();
    body.at(DVec3::ZERO, DQuat::from_scaled_axis(DVec3::new(0.4, -0.2, 0.7))).unwrap()
}

fn momentum(body: &Body) -> DVec3 {
    body.angular_momentum_at(body.orientation, body.angular_velocity)
}

/// Steps the body and shows it after every step.
fn spin(body: &mut Body, settings: &StepSettings, steps: usize, mut look: impl FnMut(f64, &Body)) {
    let materials = MaterialTable::new();
    for k in 1..=steps {
        step(std::slice::from_mut(body), &materials, settings, |_| Ok(Vec::new())).unwrap();
        look(k as f64 * settings.time_step, body);
    }
}

/// Energy and length of the angular momentum are kept to rounding by both schemes: the implicit mid-point rule keeps
/// them, and half a step of rotation about the angular velocity changes neither. The direction of the angular
/// momentum is kept to second order by the mid-point scheme and to first order by the semi-implicit one.
#[test]
fn energy_and_momentum_of_an_asymmetric_body() {
    for (scheme, order) in [(Scheme::Midpoint, 4.0), (Scheme::SemiImplicit, 2.0)] {
        let mut tilts = Vec::new();
        for time_step in [0.01, 0.005] {
            let mut body = body(DVec3::new(1.0, 2.0, 2.6), DVec3::new(2.0, 0.5, -1.0));
            let (energy, before) = (body.kinetic_energy(), momentum(&body));
            let mut worst = [0.0f64; 3];
            let steps = (200.0 / time_step) as usize;
            spin(&mut body, &settings(scheme, time_step), steps, |_, body| {
                let now = momentum(body);
                let errors = [
                    body.kinetic_energy() / energy - 1.0,
                    now.length() / before.length() - 1.0,
                    now.angle_between(before),
                ];
                worst.iter_mut().zip(errors).for_each(|(w, e)| *w = w.max(e.abs()));
            });
            println!(
                "free rotation, {scheme:?}, Δt = {time_step} s, 200 s (some 75 turns): energy {:.1e}, length of the \
                 angular momentum {:.1e} (both relative), its direction {:.1e} rad",
                worst[0], worst[1], worst[2]
            );
            // A random walk of 40,000 roundings.
            assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "{worst:?}");
            tilts.push(worst[2]);
        }
        let ratio = tilts[0] / tilts[1];
        assert!((ratio / order - 1.0).abs() < 0.2, "{scheme:?}: {tilts:?}");
    }
}

/// The axis of a symmetric top goes around the angular momentum at the rate |L|/A, A the moment across the axis.
#[test]
fn a_symmetric_top_precesses() {
    for (scheme, order) in [(Scheme::Midpoint, 4.0), (Scheme::SemiImplicit, 2.0)] {
        let mut errors = Vec::new();
        for time_step in [0.004, 0.002] {
            let across = 1.3;
            let mut body = body(DVec3::new(across, across, 2.0), DVec3::new(1.0, 3.0, 2.0));
            let (l, axis) = (momentum(&body), body.orientation * DVec3::Z);
            let mut worst = 0.0f64;
            spin(&mut body, &settings(scheme, time_step), (4.0 / time_step) as usize, |t, body| {
                let expected = DQuat::from_axis_angle(l.normalize(), l.length() / across * t) * axis;
                worst = worst.max((body.orientation * DVec3::Z).angle_between(expected));
            });
            let turns = l.length() / across * 4.0 / std::f64::consts::TAU;
            println!("symmetric top, {scheme:?}, Δt = {time_step} s: axis off by {worst:.1e} rad in {turns:.1} turns");
            errors.push(worst);
        }
        let ratio = errors[0] / errors[1];
        assert!((ratio / order - 1.0).abs() < 0.1 && errors[1] < 0.02, "{scheme:?}: {errors:?}");
    }
}

/// The complete elliptic integral of the first kind by the arithmetic-geometric mean, of the modulus k.
fn complete_elliptic_integral(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

/// Spun about its middle axis a body turns over again and again, with the period 4 K(k) √(I₁I₂I₃ / ((I₃ − I₂)(L² −
/// 2EI₁))) (Landau and Lifshitz, Mechanics, §37, for L² > 2EI₂). Mid-point is of second order in the period, and the
/// rotation in the body frame is the same for both schemes.
#[test]
fn the_tennis_racket_flips_in_time() {
    let moments = DVec3::new(1.0, 2.0, 3.0);
    for scheme in [Scheme::Midpoint, Scheme::SemiImplicit] {
        let mut errors = Vec::new();
        for time_step in [0.01, 0.005] {
            let mut body = body(moments, DVec3::ZERO);
            let spin_in_body = DVec3::new(1e-3, 3.0, 0.05);
            body.angular_velocity = body.orientation * spin_in_body;
            let (i, w) = (moments, spin_in_body);
            let (e2, l2) = (w.dot(i * w), (i * w).length_squared());
            assert!(l2 > e2 * i.y);
            let k = ((i.y - i.x) * (e2 * i.z - l2) / ((i.z - i.y) * (l2 - e2 * i.x))).sqrt();
            let rate = ((i.z - i.y) * (l2 - e2 * i.x) / i.element_product()).sqrt();
            let period = 4.0 * complete_elliptic_integral(k) / rate;
            // Times at which the middle component passes zero downward.
            let (mut passed, mut last) = (Vec::new(), w.y);
            spin(&mut body, &settings(scheme, time_step), (60.0 / time_step) as usize, |t, body| {
                let now = (body.orientation.inverse() * body.angular_velocity).y;
                if last > 0.0 && now <= 0.0 {
                    passed.push(t - time_step * now / (now - last));
                }
                last = now;
            });
            assert!(passed.len() >= 5, "{passed:?} {period}");
            let measured = (passed[passed.len() - 1] - passed[0]) / (passed.len() - 1) as f64;
            println!(
                "tennis racket, {scheme:?}, Δt = {time_step} s: period {measured:.6} s, closed-form solution {period:.6} s"
            );
            errors.push(measured / period - 1.0);
        }
        assert!(errors[1].abs() < 1e-3, "{errors:?}");
        let ratio = errors[0] / errors[1];
        assert!((ratio / 4.0 - 1.0).abs() < 0.1, "{scheme:?}: {errors:?}");
    }
}
