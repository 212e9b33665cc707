//! Great spins: a step with a body that turns many times in it ends, with a result or an error that names the body.

use super::range::{Missile, Range};
use drystone_engine::{BodyHandle, CcdSettings, WorldError};
use glam::{DQuat, DVec3};

/// A missile that spins towards a wall, 0.7 m away.
fn spinning(ccd: Option<CcdSettings>, missile: Missile, spin: DVec3) -> (Range, BodyHandle) {
    let mut range = Range::new(ccd, 0.0);
    range.wall(0.0);
    let body = range.throw(&missile.solid(), DVec3::X * -0.7, DQuat::IDENTITY, DVec3::X * 3.0, spin);
    (range, body)
}

const FAST: [(Missile, DVec3); 2] =
    [(Missile::Cube, DVec3::new(1e8, 3e7, 0.0)), (Missile::Rod, DVec3::new(0.0, 6e7, 8e7))];

#[test]
fn a_step_without_ccd_has_a_result_at_any_spin() {
    for (missile, spin) in FAST {
        let (mut range, body) = spinning(None, missile, spin);
        for _ in 0..30 {
            range.step();
            assert!(range.world.body(body).unwrap().state_is_finite());
        }
    }
}

#[test]
fn a_step_with_ccd_refuses_what_it_cannot_follow() {
    let settings = CcdSettings::default();
    for (missile, spin) in FAST {
        let (mut range, body) = spinning(Some(settings), missile, spin);
        let before = range.world.bodies().to_vec();
        let error = range.world.step().unwrap_err();
        assert!(matches!(error, WorldError::CcdSpin { body: of, spin: s, .. } if of == body && s == spin.length()));
        let message = error.to_string();
        assert!(message.contains("rad/s") && message.contains("shorten the time step"), "{message}");
        assert_eq!(range.world.bodies(), before);
    }
    // What it says helps.
    let turn = settings.largest_turn();
    let (mut range, body) = spinning(Some(settings), Missile::Cube, DVec3::Z * 1e8);
    range.world.settings_mut().step.time_step = 0.99 * turn / 1e8;
    range.step();
    assert!(range.world.body(body).unwrap().state_is_finite());
}
