//! A stack of ten boxes: every interface bears the weight of what is above it.

use super::undamped;
use super::workbench::G;
use crate::closed_forms::stack::{force_error, stack};

/// Within a millionth of the weight above: a millionth of g changes no velocity by more than 1e-7 m/s in a step, a
/// hundredth of the solver's tolerance, which warm starts reach over the steps.
#[test]
fn every_interface_bears_what_is_above() {
    for aligned in [true, false] {
        let (mut bench, bodies) = stack(undamped(), aligned);
        bench.run(600);
        let (worst, report) = force_error(&mut bench, &bodies);
        println!(
            "stack of ten, aligned: {aligned}: forces off by {worst:.1e} of the weights, {} contacts, {} sweeps, {:.2} mm deep",
            report.contacts.len(),
            report.iterations(),
            1e3 * report.deepest_penetration
        );
        assert!(worst < 1e-6, "aligned {aligned}: {worst}");
        assert!(bodies[1..].iter().all(|&b| bench.velocity(b).length() < 1e-7 * G));
    }
}
