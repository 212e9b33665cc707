//! Friction takes energy and never gives any: two boxes that slide on each other, and a box that spins down.

use super::undamped;
use crate::closed_forms::sliding::{Braked, braked, spun_down, without_friction};
use drystone_contact::generator::{Method, methods};

/// μ m g slows the one and speeds up the other until both go with (m₁ v)/(m₁ + m₂), and no step adds energy.
#[test]
fn friction_brings_two_boxes_to_one_velocity() {
    let Braked { on_the_way: worst, at_last: off, momentum, gained } = braked(methods::most_opposing(), undamped());
    println!(
        "two sliding boxes: off by {worst:.1e} m/s on the way, {off:.1?} m/s at last, energy gained {gained:.1e} of itself"
    );
    // Off-centre friction turns both boxes a little.
    assert!(worst < 2e-2 && off.iter().all(|&d| d < 2e-2), "{worst} {off:?}");
    assert!(momentum < 1e-3, "{momentum}");
    assert!(gained < 1e-4, "{gained}");
}

/// Without friction nothing changes, by whichever method contacts are found. Intersection and growth distance are
/// left out: the sides of the upper box find normals that are not upright there, and it stops.
#[test]
fn without_friction_they_slide_on() {
    let slides = |method: &Method| !matches!(method.name(), "intersection" | "growth-distance");
    for method in methods::local().into_iter().filter(slides).chain([methods::semi_local()]) {
        let [off, energy] = without_friction(method.clone(), undamped());
        println!(
            "two boxes without friction, {}: off by {off:.1e} m/s, energy by {energy:.1e} of itself",
            method.name()
        );
        // The contacts of local methods come and go with the last bits of the gap.
        let most = if method.name() == "semi-local" { 1e-6 } else { 3e-5 };
        assert!(off < most && energy.abs() < most, "{}: {off} {energy}", method.name());
    }
}

#[test]
fn torsional_friction_stops_a_spinning_disc() {
    let [stops, worst] = spun_down(undamped());
    println!("spinning disc: stops after {stops:.4} s, angular velocity off by {worst:.1e} rad/s on the way");
    assert!(worst < 1e-3, "{worst}");
}
