//! A marble goes down a slide: an open bicubic Bézier patch, a channel.

use super::workbench::{Bench, G, at_once, general, primitive, turned};
use drystone_contact::generator::methods;
use drystone_contact::solid::{Description, Patch};
use drystone_engine::Pose;
use glam::DVec3;

/// Of the marble, m.
const RADIUS: f64 = 0.05;

/// Along the slide: x and height of the middle of the channel, m.
const PROFILE: [[f64; 2]; 4] = [[0.0, 0.4], [1.0, 0.13], [2.0, 0.0], [3.0, 0.0]];

/// Across the slide: z and height above the middle, m.
const SECTION: [[f64; 2]; 4] = [[-0.3, 0.15], [-0.1, -0.05], [0.1, -0.05], [0.3, 0.15]];

/// s.
const TIME_STEP: f64 = 1e-4;

/// Where contacts are solved at the middle of a step, the velocity turns by κ v Δt a step and loses the part along the normal:
/// a share κ² v Δt of its energy a metre; and it sinks in by ½ κ v² Δt² a step. With κ ≤ 0.1/m, v ≤ 2.8 m/s and a tenth of a
/// millisecond both are below 1e-4 for three metres and a second and a half.
#[test]
fn a_marble_slides_and_arrives_with_what_it_had() {
    arrives_with_what_it_had(0.0);
}

#[test]
fn a_marble_rolls_and_arrives_with_what_it_had() {
    arrives_with_what_it_had(2.0);
}

fn arrives_with_what_it_had(friction: f64) {
    let point = |[x, y]: [f64; 2], [z, rise]: [f64; 2]| vec![x, y + rise, z];
    let points = PROFILE.iter().flat_map(|&along| SECTION.iter().map(move |&across| point(along, across))).collect();
    let slide = general(&Description::Parametric { patches: vec![Patch { degrees: [3, 3], points }], closed: false });
    let marble = general(&primitive("ball", &[RADIUS]));
    let start = slide.general().unwrap().solid().nearest(DVec3::new(0.1, 0.4, 0.0)).unwrap();
    let centre = start.position + start.normal * RADIUS;
    let method = methods::time_of_contact();
    let mut bench = Bench::new(&method, at_once(TIME_STEP), friction, 0.0);
    bench.fixed(slide.clone(), turned(DVec3::X, 0.0));
    let marble = bench.moving(&marble, Pose::from_translation(centre), [DVec3::ZERO; 2]);
    let energy = bench.energy();
    let (mut steps, mut deepest, mut highest) = (0, 0.0f64, 0.0f64);
    while bench.body(marble).position.x < 2.9 && steps < 50_000 {
        bench.world.step().unwrap();
        let on = slide.general().unwrap().solid().nearest(bench.body(marble).position).unwrap();
        let gap = on.distance - RADIUS;
        (deepest, highest) = (deepest.min(gap), highest.max(gap));
        steps += 1;
    }
    let body = bench.body(marble);
    let fallen = body.mass() * G * (centre.y - body.position.y);
    let error = (bench.energy() - energy) / fallen;
    println!(
        "{}: marble on a slide, μ = {friction}: {steps} steps, at {:.3} with {:.4} m/s, energy off by {error:.1e} of m g h, gaps from \
         {deepest:.1e} to {highest:.1e} m",
        method.name(),
        body.position,
        body.velocity.length()
    );
    assert!(body.position.x >= 2.9 && error.abs() < 1e-4, "{} {error}", body.position);
    assert!(deepest > -1e-4 && highest < 1e-4, "{deepest} {highest}");
}
