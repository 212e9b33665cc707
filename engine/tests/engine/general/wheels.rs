//! Wheels on a plane and balls between walls: what should lose nothing.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::workbench::{Bench, at, at_once, general, primitive, turned};
use drystone_contact::generator::methods;
use drystone_contact::shape::Shape;
use drystone_contact::solid::Description;
use drystone_engine::{Pose, WorldSettings};
use glam::DVec3;

/// Of a wheel, m.
const RADIUS: f64 = 0.1;

/// rad/s: fast, as an upright wheel that rolls slowly wobbles more and more and falls in the end.
const SPIN: f64 = 100.0;

/// A step turns the wheel by so much, rad.
const TURN: f64 = 0.25;

/// The share of its kinetic energy that an upright wheel loses on its way, and how far it leaves its line, m.
fn lost(wheel: &Shape, height: f64, revolutions: f64) -> (f64, f64) {
    let mut bench = Bench::new(&methods::time_of_contact(), at_once(TURN / SPIN), 0.8, 0.0);
    bench.plane(turned(DVec3::X, 0.0));
    let start = Pose::from_parts(DVec3::Y * height, turned(DVec3::X, FRAC_PI_2));
    let wheel = bench.moving(wheel, start, [DVec3::X * height * SPIN, DVec3::NEG_Z * SPIN]);
    let energy = |bench: &Bench| {
        let body = bench.body(wheel);
        bench.energy() - body.mass() * super::workbench::G * height
    };
    let before = energy(&bench);
    for _ in 0..(revolutions * TAU / TURN) as usize {
        bench.world.step().unwrap();
    }
    let body = bench.body(wheel);
    (1.0 - energy(&bench) / before, (body.position - body.position.x * DVec3::X).distance(DVec3::Y * height))
}

#[test]
fn a_disc_and_a_torus_roll_without_loss() {
    let wheels = [
        ("disc", primitive("cylinder", &[RADIUS, 0.03])),
        ("torus", primitive("torus", &[0.8 * RADIUS, 0.2 * RADIUS])),
    ];
    for (name, wheel) in wheels {
        let (lost, aside) = lost(&general(&wheel), RADIUS, 1000.0);
        println!("{name}: lost {lost:.1e} of its energy in 1000 revolutions, {aside:.1e} m off its line");
        assert!(lost.abs() < 1e-6 && aside < 1e-4, "{name}: {lost} {aside}");
    }
}

/// A polygon strikes the ground with each of its sides.
#[test]
fn a_prism_of_64_sides_does_not() {
    let (sides, half) = (64, 0.03);
    let mut vertices = Vec::new();
    for k in 0..sides {
        let (sine, cosine) = libm::sincos(TAU * (f64::from(k) + 0.5) / f64::from(sides));
        vertices.extend([-half, half].map(|y| [RADIUS * cosine, y, RADIUS * sine]));
    }
    let mut triangles = Vec::new();
    for k in 0..sides {
        let [a, b] = [2 * k, 2 * ((k + 1) % sides)].map(|v| v as u32);
        triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
        if k >= 2 {
            let last = 2 * (k - 1) as u32;
            triangles.extend([[0, last, a], [1, a + 1, last + 1]]);
        }
    }
    let height = RADIUS * libm::cos(PI / f64::from(sides));
    let prism = general(&Description::Polyhedron { vertices, triangles });
    for revolutions in [1.0, 3.0] {
        let (lost, _) = lost(&prism, height, revolutions);
        println!("prism of {sides} sides: lost {lost:.1e} of its energy in {revolutions} revolutions");
        assert!(lost > 1e-3, "{lost}");
    }
}

/// The angle of incidence in a circle stays the same from bounce to bounce, as the angular momentum does.
#[test]
fn bounces_in_a_cylinder_keep_the_angle() {
    let outside = at(primitive("cylinder", &[1.4, 0.5]), [0.0; 3]);
    let hollow = Description::Difference(vec![outside, at(primitive("cylinder", &[1.0, 1.0]), [0.0; 3])]);
    let ball = general(&primitive("ball", &[0.1]));
    let ways = [
        ("at once, 10 ms", at_once(0.01), 1e-9),
        ("at once, 2.5 ms", at_once(0.0025), 1e-9),
        ("soft, 10 ms", WorldSettings::fast(), 0.1),
    ];
    for (way, settings, bound) in ways {
        let mut bench = Bench::new(&methods::time_of_contact(), settings, 0.0, 1.0);
        bench.world.settings_mut().step.forces.gravity = DVec3::ZERO;
        bench.fixed(general(&hollow), turned(DVec3::X, 0.0));
        let velocities = [DVec3::new(0.7, 0.0, 1.9), DVec3::ZERO];
        let ball = bench.moving(&ball, Pose::from_translation(DVec3::X * 0.3), velocities);
        let momentum = |bench: &Bench| bench.body(ball).position.cross(bench.body(ball).velocity).y;
        let (before, energy) = (momentum(&bench), bench.energy());
        let (mut bounces, mut last) = (0, velocities[0]);
        let mut off = [0.0f64; 2];
        while bench.world.time() < 60.0 {
            bench.world.step().unwrap();
            let velocity = bench.body(ball).velocity;
            bounces += i32::from(velocity.distance(last) > 0.1);
            last = velocity;
            let now = [momentum(&bench) / before, bench.energy() / energy];
            off = [0, 1].map(|k| off[k].max((now[k] - 1.0).abs()));
        }
        let [turned, lost] = off;
        println!(
            "{way}: after {bounces} bounces the angular momentum is off by {turned:.1e}, the energy by {lost:.1e}"
        );
        assert!(bounces > 60 && turned < bound && lost < 1e-9, "{way}: {off:?}");
    }
}
