//! Free rotation: how the angular velocity of a body changes while no torque acts on it.
//!
//! Euler's equations I ω̇ = −ω × Iω in the body frame, by the implicit mid-point rule
//! 2 I (m − ω) + Δt m × Im = 0 with m = (ω + ω⁺)/2, solved by Newton's method. The rule keeps quadratic invariants, so
//! that neither the energy ½ ω·Iω nor the length of the angular momentum drifts, however long the body spins.

use glam::{DMat3, DQuat, DVec3};

/// A part of a step turns the body by no more than this, rad.
const LARGEST_TURN: f64 = 0.5;

/// Parts of a step at most.
const MOST_PARTS: f64 = 1000.0;

/// A body that a step turns by less goes straight on, rad.
const STRAIGHT: f64 = 1e-5;

/// Newton steps at most; within [`LARGEST_TURN`] they come to rest after four.
const NEWTON_LIMIT: usize = 12;

/// Free rotation over a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeRotation {
    /// How the angular velocity changes if the body does not turn meanwhile, rad/s, world axes: in its own frame it is that in the end.
    pub change: DVec3,
    /// How much larger than at first the mean angular velocity is, rad/s, world axes: the rotation vector by which the body turns over the time.
    pub mean: DVec3,
}

impl FreeRotation {
    /// Of a body that does not spin.
    pub const NONE: Self = Self { change: DVec3::ZERO, mean: DVec3::ZERO };
}

/// The change of the angular velocity over `duration` (s), rad/s in world axes: `inertia` holds the principal moments in
/// kg m², `angular_velocity` is in rad/s in world axes, `orientation` takes body coordinates to world coordinates.
pub fn free_change(inertia: DVec3, orientation: DQuat, angular_velocity: DVec3, duration: f64) -> DVec3 {
    free_rotation(inertia, orientation, angular_velocity, duration).change
}

/// The same with the turn of the body.
pub fn free_rotation(inertia: DVec3, orientation: DQuat, angular_velocity: DVec3, duration: f64) -> FreeRotation {
    if inertia.x == inertia.y && inertia.y == inertia.z {
        return FreeRotation::NONE;
    }
    let start = orientation.inverse() * angular_velocity;
    let parts = (duration * start.length() / LARGEST_TURN).ceil().clamp(1.0, MOST_PARTS);
    let part = duration / parts;
    let (mut spin, mut turn) = (start, DQuat::IDENTITY);
    for _ in 0..parts as usize {
        let change = change(inertia, spin, part);
        if parts > 1.0 {
            turn *= DQuat::from_scaled_axis((spin + 0.5 * change) * part);
        }
        spin += change;
    }
    if spin == start {
        return FreeRotation::NONE;
    }
    let middle = 0.5 * (start + spin);
    // What hardly turns goes straight on.
    let mean = if duration * middle.length() > STRAIGHT {
        let turn = if parts > 1.0 { turn } else { DQuat::from_scaled_axis(middle * duration) };
        let turn = kept_momentum(turn, [inertia * start, inertia * spin]) * turn;
        whole_turns(turn.to_scaled_axis(), middle * duration) / duration
    } else {
        middle
    };
    FreeRotation { change: orientation * (spin - start), mean: orientation * (mean - start) }
}

/// The rotation vector of the same rotation that is nearest to another one: with as many whole turns.
fn whole_turns(turn: DVec3, near: DVec3) -> DVec3 {
    let axis = turn.normalize_or(near.normalize());
    let turns = ((near.dot(axis) - turn.dot(axis)) / std::f64::consts::TAU).round();
    turn + axis * (turns * std::f64::consts::TAU)
}

/// The small rotation after a turn by which the angular momentum of the body stays where it was: it is the first one in the frame before the turn,
/// and the other one in that of the body after it.
fn kept_momentum(turn: DQuat, [before, after]: [DVec3; 2]) -> DQuat {
    let axis = (turn * after).cross(before) / before.length_squared();
    let sine = axis.length();
    if sine > 0.0 { DQuat::from_scaled_axis(axis * (libm::asin(sine.min(1.0)) / sine)) } else { DQuat::IDENTITY }
}

/// One part of the step, in the body frame.
fn change(inertia: DVec3, spin: DVec3, duration: f64) -> DVec3 {
    let mut middle = spin;
    for _ in 0..NEWTON_LIMIT {
        let momentum = inertia * middle;
        let residual = inertia * (middle - spin) * 2.0 + middle.cross(momentum) * duration;
        let turned = cross_matrix(middle) * DMat3::from_diagonal(inertia) - cross_matrix(momentum);
        let slope = DMat3::from_diagonal(inertia * 2.0) + turned * duration;
        let next = middle - slope.inverse() * residual;
        if !next.is_finite() || next == middle {
            break;
        }
        middle = next;
    }
    (middle - spin) * 2.0
}

/// The matrix of v × ·.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_follows_many_small_explicit_steps_and_keeps_both_invariants(
            spin in prop::array::uniform3(-20.0..20.0f64),
            turn in prop::array::uniform3(-3.0..3.0f64),
            moments in prop::array::uniform3(1.0..1.9f64),
        ) {
            let (inertia, spin) = (DVec3::from(moments), DVec3::from(spin));
            let orientation = DQuat::from_scaled_axis(DVec3::from(turn));
            let duration = 1e-3;
            let change = free_change(inertia, orientation, spin, duration);
            let body = |v: DVec3| orientation.inverse() * v;
            let mut explicit = body(spin);
            for _ in 0..1000 {
                explicit -= explicit.cross(inertia * explicit) / inertia * (duration / 1000.0);
            }
            let after = body(spin + change);
            prop_assert!((after - explicit).length() < 1e-4 * (1.0 + spin.length()));
            let energy = |v: DVec3| 0.5 * v.dot(inertia * v);
            let before = body(spin);
            prop_assert!((energy(after) / energy(before) - 1.0).abs() < 1e-13);
            prop_assert!(((inertia * after).length() / (inertia * before).length() - 1.0).abs() < 1e-13);
        }
    }

    /// Slowly and fast, in one part and in several: the mean angular velocity turns the body as many small steps do.
    #[test]
    fn the_mean_turns_a_body_as_many_small_steps_do() {
        let (inertia, orientation) = (DVec3::new(1.0, 1.4, 1.9), DQuat::from_scaled_axis(DVec3::new(0.3, -1.0, 0.2)));
        for (speed, error) in [(1.0, 1e-7), (20.0, 1e-4), (100.0, 2e-3), (190.0, 4e-3), (500.0, 8e-3)] {
            let (spin, duration, steps) = (DVec3::new(0.6, 0.5, -0.62) * speed, 0.01, 100_000);
            let part = duration / f64::from(steps);
            let (mut small, mut turn) = (orientation.inverse() * spin, orientation);
            for _ in 0..steps {
                let middle = small - small.cross(inertia * small) / inertia * (0.5 * part);
                turn = (turn * DQuat::from_scaled_axis(middle * part)).normalize();
                small -= middle.cross(inertia * middle) / inertia * part;
            }
            let free = free_rotation(inertia, orientation, spin, duration);
            let turned = DQuat::from_scaled_axis((spin + free.mean) * duration) * orientation;
            let off = (turned * turn.inverse()).to_scaled_axis().length();
            assert!(off < error, "{speed} rad/s: {off} rad");
            // Without it the body would turn otherwise.
            let straight = DQuat::from_scaled_axis(spin * duration) * orientation;
            assert!((straight * turn.inverse()).to_scaled_axis().length() > 4.0 * off);
        }
    }

    #[test]
    fn nothing_changes_about_a_principal_axis_or_for_a_ball() {
        let quarter = DQuat::from_rotation_z(0.3);
        assert_eq!(free_change(DVec3::new(1.0, 2.0, 3.0), DQuat::IDENTITY, DVec3::Z * 1e4, 0.01), DVec3::ZERO);
        assert_eq!(free_change(DVec3::ONE, quarter, DVec3::ZERO, 0.01), DVec3::ZERO);
        assert!(free_change(DVec3::ONE, quarter, DVec3::ONE, 0.01).length() < 1e-15);
    }
}
