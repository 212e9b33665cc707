//! What a step with a limit does besides.

use super::range::{Missile, Range};
use drystone_engine::ImpactLimit;
use glam::{DQuat, DVec3};

#[test]
fn a_step_without_impact_is_made_in_one_part() {
    let mut range = Range::new(Some(ImpactLimit::default()), 0.0);
    range.wall(0.0);
    let cube = range.throw(&Missile::Cube.solid(), DVec3::X * -2.0, DQuat::IDENTITY, DVec3::X, DVec3::ZERO);
    let impact = range.step().impact.unwrap();
    assert_eq!((impact.parts, impact.fraction, impact.pair, impact.advanced), (1, 1.0, None, 0.01));
    assert!((range.world.body(cube).unwrap().position.x + 1.99).abs() < 1e-12);
}
