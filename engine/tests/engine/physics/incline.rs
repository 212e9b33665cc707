//! A block on an incline: it stays if the slope is below the coefficient of friction and slides if it is above, whichever
//! way the incline looks.

use super::undamped;
use crate::closed_forms::incline::{Incline, MU, thrown_up};

/// Half a per cent below the threshold. While it settles the block sinks to the depth at which bodies rest, 0.2 mm, straight
/// into the slope; over the last 900 steps nothing moves.
#[test]
fn below_the_threshold_it_sticks() {
    for heading in [0.0, 0.4, 2.0] {
        let mut incline = Incline::new(undamped(), 0.995 * MU, heading);
        let start = incline.bench.position(incline.block);
        incline.bench.run(100);
        let settled = incline.bench.position(incline.block);
        incline.bench.run(900);
        let crept = (settled - start).dot(incline.down).abs();
        let drifted = settled.distance(incline.bench.position(incline.block));
        println!(
            "incline, tan θ = 0.995 μ, heading {heading}: {crept:.1e} m down in 100 steps, then {drifted:.1e} m in 900"
        );
        assert!(settled.distance(start) < 2.5e-4, "heading {heading}: {settled} {start}");
        // Friction is short by μ times the impulse that sinking saves: less than half of 0.2 mm.
        assert!(crept < 1e-4 && drifted < 1e-7, "heading {heading}: {crept} {drifted}");
    }
}

/// From half a per cent above the threshold to far above it: the acceleration is g (sin θ − μ cos θ) down the slope.
#[test]
fn above_the_threshold_it_slides_with_what_is_left() {
    for slope in [1.005 * MU, 1.1 * MU, 2.0 * MU] {
        for heading in [0.0, 0.4, 0.8, 2.0, 3.5] {
            let mut incline = Incline::new(undamped(), slope, heading);
            incline.bench.run(100);
            let velocity = incline.bench.velocity(incline.block);
            let expected = incline.acceleration() * incline.bench.world.time();
            let (along, across) = (velocity.dot(incline.down), velocity.reject_from(incline.down).length());
            let spin = incline.bench.spin(incline.block).length();
            println!(
                "incline, tan θ = {:.3} μ, heading {heading}: {along:.6} m/s down after 1 s of {expected:.6}, {across:.1e} m/s across, \
                 {spin:.1e} rad/s",
                slope / MU
            );
            // The velocity tolerance of the solver, 1e-5 m/s, bounds the error of a step, and warm starts keep it from adding up.
            assert!((along - expected).abs() < 1e-4, "heading {heading}: {along} {expected}");
            assert!(across < 1e-4 && spin < 1e-4, "heading {heading}: {across} {spin}");
        }
    }
}

/// Thrown up the slope it comes to rest after v²/(2 g (sin θ + μ cos θ)) and stays there.
#[test]
fn thrown_up_the_slope_it_stops() {
    for heading in [0.0, 0.7] {
        let [way, expected, speed] = thrown_up(undamped(), heading);
        println!("thrown up the incline, heading {heading}: {way:.5} m of {expected:.5} m");
        // It stops within a step, at a speed below that of a step's deceleration: half of that times Δt.
        let (step, deceleration) = (undamped().step.time_step, 9.0 / (2.0 * expected));
        assert!((way - expected).abs() < 0.5 * deceleration * step * step + 1e-5);
        assert!(speed < 1e-5);
    }
}
