//! A belt: a fixed body whose surface moves. A box on it speeds up with μ g until it goes as fast as the belt.

use super::undamped;
use crate::closed_forms::sliding::{BELTS, on_a_belt};

#[test]
fn a_belt_takes_a_box_along() {
    for belt in BELTS {
        let [worst, at_last] = on_a_belt(undamped(), belt);
        println!("belt {belt}: velocity off by {worst:.1e} m/s on the way, {at_last:.1e} m/s at last");
        // The velocity tolerance of the solver is 1e-5 m/s a sweep.
        assert!(worst < 1e-4 && at_last < 2e-5, "{belt}: {worst} {at_last}");
    }
}
