//! A ball rolls off a fixed ball and down an incline.

use super::workbench::{Bench, G, at_once, both, general, primitive, turned};
use drystone_contact::generator::Method;
use drystone_engine::Pose;
use glam::DVec3;

/// Radii of the fixed ball and of the one on it, m.
const RADII: [f64; 2] = [1.0, 0.5];

/// How far from the top the ball starts, rad.
const START: f64 = 0.1;

/// The cosine of the angle from the top at which the ball is left by all forces of contact, and the fastest that this angle
/// grew in a step, rad.
fn leaves_at(method: &Method, friction: f64, time_step: f64) -> (f64, f64) {
    let mut bench = Bench::new(method, at_once(time_step), friction, 0.0);
    let [below, above] = RADII.map(|radius| general(&primitive("ball", &[radius])));
    bench.fixed(below, turned(DVec3::Z, 0.3));
    let (sine, cosine) = libm::sincos(START);
    let place = DVec3::new(sine, cosine, 0.0) * (RADII[0] + RADII[1]);
    let ball = bench.moving(&above, Pose::from_translation(place), [DVec3::ZERO; 2]);
    let (mut last, mut fastest) = (1.0, 0.0f64);
    for _ in 0..(4.0 / time_step) as usize {
        let before = bench.body(ball).position.normalize();
        let report = bench.world.step().unwrap();
        let after = bench.body(ball).position.normalize();
        if report.impulses.iter().any(|impulse| impulse[0] > 0.0) {
            last = after.y;
            fastest = fastest.max(before.distance(after));
        }
    }
    assert!(bench.body(ball).position.y < -5.0, "it has not fallen");
    (last, fastest)
}

/// From rest at θ₀ a ball that rolls leaves at cos θ = 10/17 cos θ₀, without friction at 2/3 cos θ₀. Each step moves it by
/// up to the angle of a step, and the scheme is of first order: no more than three such angles off.
#[test]
fn a_ball_leaves_a_ball_where_it_should() {
    for method in both() {
        for (friction, share) in [(10.0, 10.0 / 17.0), (0.0, 2.0 / 3.0)] {
            for time_step in [0.01, 0.0025] {
                let expected = share * libm::cos(START);
                let (found, fastest) = leaves_at(&method, friction, time_step);
                let error = found - expected;
                println!(
                    "{}: ball off a ball, μ = {friction}, Δt = {time_step} s: cos θ = {found:.5}, {error:+.5} from {expected:.5}, a step \
                     turns {fastest:.5} rad",
                    method.name()
                );
                assert!(error.abs() < 3.0 * fastest && fastest < 3.0 * time_step, "{found} {expected} {fastest}");
            }
        }
    }
}

/// A ball that rolls down an incline gains 5/7 g sin θ.
#[test]
fn a_ball_rolls_down_an_incline() {
    let ball = general(&primitive("ball", &[0.2]));
    for method in both() {
        for (slope, heading) in [(0.1, 0.0), (0.5, 0.7), (1.0, 2.0)] {
            let mut bench = Bench::new(&method, at_once(0.01), 2.0, 0.0);
            let turn = turned(DVec3::Y, heading) * turned(DVec3::Z, -slope);
            bench.plane(turn);
            let ball = bench.moving(&ball, Pose::from_translation(turn * DVec3::Y * 0.2), [DVec3::ZERO; 2]);
            for _ in 0..200 {
                bench.world.step().unwrap();
            }
            let body = bench.body(ball);
            let expected = turn * DVec3::X * (5.0 / 7.0 * G * libm::sin(slope) * bench.world.time());
            let error = body.velocity.distance(expected) / expected.length();
            let height = (turn * DVec3::Y).dot(body.position) - 0.2;
            println!(
                "{}: ball on an incline of {slope} rad: off by {error:.1e} of its speed after 2 s, {height:.1e} m above",
                method.name()
            );
            assert!(error < 1e-6 && height.abs() < 1e-6, "{error} {height}");
        }
    }
}
