//! Bodies thrown at walls a millimetre thick.

use super::range::{Missile, Range, THICKNESS, steps_for};
use drystone_engine::CcdSettings;
use glam::{DQuat, DVec3};

const SPEEDS: [f64; 5] = [1.0, 10.0, 100.0, 1e3, 1e4];

/// What became of a body.
struct Flight {
    /// The largest x that one of its vertices came to, m.
    farthest: f64,
    /// How many steps had an impact.
    impacts: usize,
    /// Whether all of the time was stepped.
    is_whole: bool,
}

/// Throws a body at the wall at x = 0.
fn thrown(ccd: Option<CcdSettings>, missile: Missile, speed: f64, spin: DVec3, restitution: f64) -> Flight {
    let mut range = Range::new(ccd, restitution);
    // What bounces off with thousands of metres a second comes around a small wall within a step.
    range.wall_of(0.0, if ccd.is_some() { 4.0 } else { 400.0 });
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2));
    let body = range.throw(&missile.solid(), DVec3::X * -2.0, turn, DVec3::X * speed, spin);
    let steps = steps_for(speed, 320);
    let mut flight = Flight { farthest: f64::NEG_INFINITY, impacts: 0, is_whole: true };
    for _ in 0..steps {
        let report = range.step();
        flight.farthest = flight.farthest.max(range.extent(body).1);
        if let Some(ccd) = report.ccd {
            flight.impacts += usize::from(ccd.pair.is_some());
            flight.is_whole &= ccd.advanced == 0.01;
        }
    }
    flight
}

fn nobody_passes(missile: Missile, spin: DVec3, restitution: f64) {
    for speed in SPEEDS {
        let Flight { farthest, impacts, is_whole } =
            thrown(Some(CcdSettings::default()), missile, speed, spin, restitution);
        assert!(farthest < -0.5 * THICKNESS, "{missile:?} at {speed} m/s, {spin} rad/s: {farthest}");
        assert!(impacts > 0 && is_whole, "{missile:?} at {speed} m/s, {spin} rad/s: {impacts} impacts");
    }
}

/// Without continuous collision detection contacts at times of impact stop bodies, within the depth that they allow.
#[test]
fn contacts_at_impact_stop_bodies_without_ccd() {
    for missile in Missile::ALL {
        for speed in SPEEDS {
            let farthest = thrown(None, missile, speed, DVec3::ZERO, 0.0).farthest;
            assert!(farthest < 0.0, "{missile:?} at {speed} m/s: {farthest}");
        }
    }
}

#[test]
fn nobody_passes_without_spin() {
    for missile in Missile::ALL {
        for restitution in [0.0, 0.5] {
            nobody_passes(missile, DVec3::ZERO, restitution);
        }
    }
}

#[test]
fn nobody_passes_spinning() {
    for missile in Missile::ALL {
        for spin in [DVec3::new(3.0, -7.0, 5.0), DVec3::new(30.0, 50.0, -80.0)] {
            nobody_passes(missile, spin, 0.0);
        }
        nobody_passes(missile, DVec3::new(-50.0, 10.0, 80.0), 0.5);
    }
}

#[test]
fn nobody_passes_spinning_a_thousand_radians_a_second() {
    for missile in Missile::ALL {
        for speed in [1.0, 100.0, 1e4] {
            for restitution in [0.0, 0.5] {
                let spin = DVec3::new(100.0, -500.0, 850.0);
                let Flight { farthest, .. } = thrown(Some(CcdSettings::default()), missile, speed, spin, restitution);
                assert!(farthest < -0.5 * THICKNESS, "{missile:?} at {speed} m/s: {farthest}");
            }
        }
    }
}

#[test]
fn nobody_leaves_the_room_between_two_walls() {
    for missile in Missile::ALL {
        for (speed, restitution) in [(10.0, 0.5), (1e3, 0.0), (1e3, 0.9), (1e4, 0.5)] {
            let mut range = Range::new(Some(CcdSettings::default()), restitution);
            // A metre a step, and walls too large to be left at any side.
            range.world.settings_mut().step.time_step = 1.0 / speed;
            range.wall_of(-1.0, 30.0);
            range.wall_of(1.0, 30.0);
            let velocity = DVec3::new(speed, 0.01 * speed, 0.0);
            let body =
                range.throw(&missile.solid(), DVec3::ZERO, DQuat::IDENTITY, velocity, DVec3::new(20.0, 3.0, -40.0));
            let mut crossed = 0;
            for _ in 0..12 {
                let ccd = range.step().ccd.unwrap();
                let (low, high) = range.extent(body);
                assert!(
                    low > -1.0 + 0.5 * THICKNESS && high < 1.0 - 0.5 * THICKNESS,
                    "{missile:?} {speed}: {low} {high}"
                );
                crossed += ccd.substeps - 1;
            }
            assert!(crossed > 0 || speed < 100.0, "{missile:?} {speed}");
        }
    }
}

#[test]
fn bodies_that_meet_head_on_stay_on_their_sides() {
    for (one, two) in [(Missile::Cube, Missile::Rod), (Missile::Ball, Missile::Ball), (Missile::Rod, Missile::Rod)] {
        for speed in [10.0, 1e3, 1e4] {
            for restitution in [0.0, 0.5] {
                let mut range = Range::new(Some(CcdSettings::default()), restitution);
                let turn = DQuat::from_rotation_x(0.4);
                let spin = DVec3::new(300.0, 0.0, 20.0);
                let left = range.throw(&one.solid(), DVec3::X * -2.0, turn, DVec3::X * speed, spin);
                let right = range.throw(&two.solid(), DVec3::X * 2.0, DQuat::IDENTITY, DVec3::X * -0.5 * speed, -spin);
                let mut impacts = 0;
                for _ in 0..steps_for(speed, 100) {
                    impacts += usize::from(range.step().ccd.unwrap().pair.is_some());
                    let x = |body| range.world.body(body).unwrap().position.x;
                    assert!(x(left) < x(right), "{one:?} {two:?} {speed}: {} {}", x(left), x(right));
                    if impacts > 0 {
                        break;
                    }
                }
                assert!(impacts > 0, "{one:?} and {two:?} at {speed} m/s meet");
            }
        }
    }
}

#[test]
fn a_plate_that_comes_edge_on_does_not_pass() {
    // A plate as thin as the wall, its edge ahead.
    let plate = drystone_engine::Solid::cuboid(DVec3::new(0.4, 0.4, THICKNESS), 1000.0).unwrap();
    for speed in SPEEDS {
        for restitution in [0.0, 0.5] {
            let mut range = Range::new(Some(CcdSettings::default()), restitution);
            range.wall(0.0);
            let body = range.throw(&plate, DVec3::X * -2.0, DQuat::IDENTITY, DVec3::X * speed, DVec3::X * 100.0);
            for _ in 0..steps_for(speed, 320) {
                let ccd = range.step().ccd.unwrap();
                assert_eq!(ccd.advanced, 0.01, "{speed} {ccd:?}");
                let farthest = range.extent(body).1;
                assert!(farthest < -0.5 * THICKNESS, "{speed}: {farthest}");
            }
        }
    }
}
