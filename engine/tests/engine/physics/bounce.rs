//! A box that falls flat on the ground comes back to e² of its height, with e = 1 for ever, and with e = 0 not at all.
//!
//! A step that finds the fall's contact turns the velocity v into −e v and moves half a step with either. From there
//! the closed-form solution of the scheme is a height of e²h + (1 − e²) y − (1 − e) v Δt/2, with y the height of the
//! lower face before that step, anywhere within v Δt/2 of the ground: no more than (1 − e)(2 + e) v Δt/2 off e²h, at
//! e = 1 nothing.

use super::undamped;
use super::workbench::G;
use crate::closed_forms::bounce::{Dropped, hundred_elastic_bounces};

#[test]
fn it_comes_back_to_the_square_of_the_coefficient() {
    for time_step in [0.01, 0.002] {
        for restitution in [0.9, 0.7, 0.5, 0.3] {
            let mut dropped = Dropped::new(undamped(), 1.0, restitution, time_step);
            let mut height = 1.0;
            for number in 1..=3 {
                assert!(dropped.bounce());
                let (expected, now) = (restitution * restitution * height, dropped.apex());
                let speed = (2.0 * G * height).sqrt();
                let bound = 0.5 * (1.0 - restitution) * (2.0 + restitution) * (speed + G * time_step) * time_step;
                println!(
                    "bounce {number}, e = {restitution}, Δt = {time_step} s: {now:.5} m, closed-form solution {expected:.5} m, bound of \
                     the difference {bound:.5} m"
                );
                // 0.1 mm is the distance within which faces touch.
                assert!((now - expected).abs() < bound + 1.5e-4, "{restitution} {time_step}: {now} {expected} {bound}");
                height = now;
            }
        }
    }
}

/// The velocity turns and the height before and after the step is the same: nothing but rounding.
#[test]
fn a_hundred_elastic_bounces_gain_no_energy() {
    let worst = hundred_elastic_bounces(undamped());
    println!("a hundred elastic bounces: height off by {worst:.1e} of itself");
    // The solver's tolerance is a part in a million of the speed.
    assert!(worst < 1e-3, "{worst}");
}

/// It stops in the step in which it hits, up to the gentle parting of stabilisation: 0.1 mm in a step, 10 mm/s, which
/// carries it no higher than 5 µm above where it starts from.
#[test]
fn without_restitution_it_stays() {
    for height in [0.05, 0.3, 1.0] {
        let mut dropped = Dropped::new(undamped(), height, 0.0, 0.01);
        let mut hit = false;
        let mut highest = f64::NEG_INFINITY;
        for _ in 0..200 {
            dropped.bench.run(1);
            hit = hit || dropped.height() < 1e-4;
            if hit {
                highest = highest.max(dropped.height());
                assert!(dropped.speed() <= 0.0101, "{height}: {}", dropped.speed());
            }
        }
        let (end, speed) = (dropped.height(), dropped.speed().abs());
        println!("inelastic fall from {height} m: highest {highest:.1e} m afterwards, at rest at {end:.1e} m");
        assert!(hit && highest < 1e-4 && end > -1.1e-3 && speed < 1e-6, "{height}: {highest} {end} {speed}");
    }
}
