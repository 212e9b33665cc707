//! Friction takes energy and never gives any: two boxes that slide on each other, and a box that spins down.

use super::workbench::{G, Workbench, at, undamped};
use drystone_contact::generator::Method;
use drystone_contact::generator::methods;
use drystone_engine::{BodyHandle, Friction};
use glam::DVec3;

const LONG: DVec3 = DVec3::new(10.0, 1.0, 10.0);
const SHORT: DVec3 = DVec3::new(1.2, 0.3, 1.0);

/// A short box on a long one, which lies on ice; the short one slides with `velocity`.
fn sliders(method: Method, friction: f64, velocity: DVec3) -> (Workbench, BodyHandle, BodyHandle) {
    let mut bench = Workbench::by(method, undamped(), Friction::sliding(friction), 0.0);
    let ice = bench.material("ice", 0.0);
    let ground = bench.ground();
    bench.world.body_mut(ground).unwrap().material = ice;
    let long = bench.cuboid(LONG, at(0.0, 0.5 * LONG.y, 0.0));
    let short = bench.cuboid(SHORT, at(-1.3, LONG.y + 0.5 * SHORT.y, 0.1));
    bench.run(100);
    bench.world.body_mut(short).unwrap().velocity = velocity;
    (bench, long, short)
}

fn kinetic(bench: &Workbench) -> f64 {
    bench.world.bodies().iter().map(|b| b.kinetic_energy()).sum()
}

/// μ m g slows the one and speeds up the other until both go with (m₁ v)/(m₁ + m₂), and no step adds energy.
#[test]
fn friction_brings_two_boxes_to_one_velocity() {
    let mu = 0.3;
    let thrown = DVec3::new(2.0, 0.0, 0.2);
    let (mut bench, long, short) = sliders(methods::most_opposing(), mu, thrown);
    let mass = |b: BodyHandle| bench.world.body(b).unwrap().mass();
    let (m, big) = (mass(short), mass(long));
    let last = thrown * (m / (m + big));
    let stops = (thrown - last).length() / (mu * G);
    let (mut energy, mut gained, begin) = (kinetic(&bench), 0.0f64, bench.world.time());
    let mut worst = 0.0f64;
    for _ in 0..100 {
        bench.run(1);
        let now = kinetic(&bench);
        gained = gained.max(now - energy);
        energy = now;
        let time = bench.world.time() - begin;
        let expected = thrown - thrown.normalize() * (mu * G * time).min((thrown - last).length() / (1.0 + m / big));
        if time < 0.9 * stops / (1.0 + m / big) {
            worst = worst.max((bench.velocity(short) - expected).length());
        }
    }
    let off = [short, long].map(|b| (bench.velocity(b) - last).length());
    println!(
        "two sliding boxes: off by {worst:.1e} m/s on the way, {off:.1?} m/s at last, energy gained {gained:.1e} J"
    );
    // Off-centre friction turns both boxes a little.
    assert!(worst < 2e-2 && off.iter().all(|&d| d < 2e-2), "{worst} {off:?}");
    let momentum = bench.velocity(short) * m + bench.velocity(long) * big - thrown * m;
    assert!(momentum.reject_from(DVec3::Y).length() < 1e-3 * (thrown * m).length(), "{momentum}");
    assert!(gained < 1e-4 * 0.5 * m * thrown.length_squared(), "{gained}");
}

/// Without friction nothing changes, by whichever method contacts are found. Intersection and growth distance are
/// left out: the sides of the upper box find normals that are not upright there, and it stops.
#[test]
fn without_friction_they_slide_on() {
    let slides = |method: &Method| !matches!(method, methods::intersection() | methods::growth_distance());
    for method in methods::local().into_iter().filter(slides).chain([methods::semi_local()]) {
        let thrown = DVec3::new(2.0, 0.0, 0.2);
        let (mut bench, long, short) = sliders(method, 0.0, thrown);
        let before = kinetic(&bench);
        bench.run(100);
        let off = (bench.velocity(short) - thrown).length().max(bench.velocity(long).length());
        let energy = kinetic(&bench) / before - 1.0;
        println!(
            "two boxes without friction, {}: off by {off:.1e} m/s, energy by {energy:.1e} of itself",
            method.name()
        );
        // The contacts of local methods come and go with the last bits of the gap.
        let most = if method == methods::semi_local() { 1e-6 } else { 3e-5 };
        assert!(off < most && energy.abs() < most, "{}: {off} {energy}", method.name());
    }
}

/// Torsional friction alone, in the ellipsoid model: the moment is c m g whatever the share of each contact, so that the box
/// stops after I ω/(c m g).
#[test]
fn torsional_friction_stops_a_spinning_disc() {
    let torsion = 0.02;
    let mut bench = Workbench::with_friction(undamped(), Friction { s: 0.0, t: 0.0, torsion }, 0.0);
    bench.ground();
    let disc = bench.cuboid(DVec3::new(1.0, 0.2, 1.0), at(0.3, 0.1, 0.2));
    bench.run(100);
    let spin = 3.0;
    bench.world.body_mut(disc).unwrap().angular_velocity = DVec3::Y * spin;
    let body = bench.world.body(disc).unwrap();
    let slows = torsion * body.mass() * G / body.inertia().max_element();
    let (begin, mut worst) = (bench.world.time(), 0.0f64);
    for _ in 0..((spin / slows + 0.2) / 0.01) as usize {
        bench.run(1);
        let expected = (spin - slows * (bench.world.time() - begin)).max(0.0);
        worst = worst.max((bench.spin(disc).y - expected).abs());
    }
    println!("spinning disc: stops after {:.4} s, angular velocity off by {worst:.1e} rad/s on the way", spin / slows);
    assert!(worst < 1e-3, "{worst}");
}
