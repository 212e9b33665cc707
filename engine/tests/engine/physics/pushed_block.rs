//! A pushed block slips if the push exceeds μ m g, tips if its moment about the far edge exceeds that of the weight:
//! below the height b/μ it slips first, above it tips first (b is half the width).

use super::undamped;
use crate::closed_forms::pushed_block::{BLOCK, HALF_WIDTH, MASS, MU, Pushed, SLIPS, tipping, tips};

#[test]
fn below_both_thresholds_it_stands() {
    for height in [0.3, 1.0, 1.6, 1.75, 1.95] {
        let push = 0.99 * SLIPS.min(tips(height));
        let (slide, fall) = Pushed::new(undamped(), push, height, 200).motion();
        println!("pushed at {height} m with 0.99 of what it bears: {slide:.1e} m/s, {fall:.1e} rad/s after 2 s");
        assert!(slide.abs() < 1e-6 && fall.abs() < 1e-6, "{height}: {slide} {fall}");
    }
}

/// Below the height b/μ: the acceleration is (F − μ m g)/m, without rotation.
#[test]
fn pushed_low_it_slips() {
    let threshold = HALF_WIDTH / MU;
    for height in [0.3, 1.0, 0.95 * threshold] {
        let push = 1.02 * SLIPS;
        let (slide, fall) = Pushed::new(undamped(), push, height, 50).motion();
        let expected = (push - SLIPS) / MASS * 0.5;
        println!(
            "pushed at {height:.3} m with 1.02 μ m g: {slide:.6} m/s of {expected:.6}, {fall:.1e} rad/s after 0.5 s"
        );
        assert!((slide - expected).abs() < 1e-4 && fall.abs() < 1e-4, "{height}: {slide} {expected} {fall}");
    }
}

/// Above the height b/μ: it turns about its far edge, from rest with (F h − m g b)/I, I its moment about that edge.
#[test]
fn pushed_high_it_tips() {
    let threshold = HALF_WIDTH / MU;
    for height in [1.05 * threshold, 1.15 * threshold] {
        let push = 0.995 * SLIPS;
        assert!(push > tips(height));
        let steps = 10;
        let pushed = Pushed::new(undamped(), push, height, steps);
        let (slide, fall) = pushed.motion();
        let time = steps as f64 * pushed.bench.world.settings().step.time_step;
        let expected = tipping(push, height) * time;
        println!("pushed at {height:.3} m with 0.995 μ m g: {fall:.6} rad/s of {expected:.6} after {time} s");
        // In a tenth of a second it turns by less than a hundredth of a radian, which changes the moment arms by as much of the
        // moments of some 0.5 m·F, of which a part in ten is left over: one per cent of ten.
        assert!((fall / expected - 1.0).abs() < 0.05, "{height}: {fall} {expected}");
        // The far edge stays: the centre of mass moves around it, at half the height.
        assert!((slide - fall * 0.5 * BLOCK.y).abs() < 1e-3 * slide.abs() + 1e-5, "{slide} {fall}");
    }
}
