//! Stabilisation: taking bodies apart that have sunk into each other.
//!
//! Pre-stabilisation is a term g on the normal row of a contact (m/s): where bodies approach and are deeper than d_min,
//! they are asked to part so fast that a share κ of the depth, at most d_max, is gone after a step. Post-stabilisation is
//! a problem of its own after the step, without friction and with lengths in place of velocities, whose solution moves
//! the bodies and leaves their velocities alone. (K. Erleben, "Rigid body contact problems using proximal operators",
//! SCA 2017; formulas as its program has them.)
//!
//! Differs from that program in: a contact that bounces parts with the faster of the two speeds, not with their sum; the
//! depth for post-stabilisation is the one expected at the end of the step; a small depth may be left.

use super::report::StepCounts;
use super::settings::WorldSettings;
use crate::solver::{SolverBody, SolverContact, Twist};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Pre-stabilisation: g = max(−d_max/Δt, κ d/Δt) for a gap d ≤ −d_min between bodies that approach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreStabilisation {
    /// κ, the share of the depth that is to be gone after a step.
    pub share: f64,
    /// d_min: what is no deeper is left alone, m.
    pub least_depth: f64,
    /// d_max: no more than this in a step, m.
    pub largest_depth: f64,
}

impl Default for PreStabilisation {
    /// κ = 0.5, d_min = 1 mm, d_max = 10 mm.
    fn default() -> Self {
        Self { share: 0.5, least_depth: 1e-3, largest_depth: 1e-2 }
    }
}

impl PreStabilisation {
    /// g for a gap (m, negative inside) and the relative normal velocity before the step (m/s, negative approaching).
    pub fn velocity(&self, gap: f64, normal_velocity: f64, time_step: f64) -> f64 {
        if gap <= -self.least_depth && normal_velocity <= 0.0 {
            (self.share * gap).max(-self.largest_depth) / time_step
        } else {
            0.0
        }
    }
}

/// Post-stabilisation: moves bodies so that the gap d of each contact grows by at least min(d_max, κ depth).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostStabilisation {
    /// κ, the share of the depth that is to be gone.
    pub share: f64,
    /// What is no deeper is left alone, m, so that contacts at rest stay contacts.
    pub allowed_depth: f64,
    /// d_max: no more than this in a step, m.
    pub largest_correction: f64,
    /// Sweeps at most. What they leave is left to the next step.
    pub max_iterations: usize,
    /// The iteration stops when no impulse moves by more than this length times the mass of the lightest body, m.
    pub tolerance: f64,
}

impl Default for PostStabilisation {
    /// κ = 0.5, d_max = 10 mm, half a millimetre allowed; 20 sweeps, to 10 µm.
    fn default() -> Self {
        Self { share: 0.5, allowed_depth: 5e-4, largest_correction: 1e-2, max_iterations: 20, tolerance: 1e-5 }
    }
}

impl PostStabilisation {
    /// The change of the gap that is asked for, m, with the sign of g: negative to part, zero to keep.
    pub fn displacement(&self, gap: f64) -> f64 {
        (self.share * (gap + self.allowed_depth).min(0.0)).max(-self.largest_correction)
    }
}

/// The relative velocity along the normal of two bodies with the given twists at a contact, m/s, positive parting.
pub(super) fn normal_velocity(contact: &SolverContact, states: &[SolverBody], twist: impl Fn(usize) -> Twist) -> f64 {
    let at = |body: usize| {
        let [x, y, z, p, q, r] = twist(body);
        DVec3::new(x, y, z) + DVec3::new(p, q, r).cross(contact.position - states[body].position)
    };
    (at(contact.b.index()) - at(contact.a.index())).dot(contact.normal)
}

/// Sets bounce and pre-stabilisation of a contact with the given gap.
pub(super) fn prepare(
    contact: &mut SolverContact,
    gap: f64,
    states: &[SolverBody],
    settings: &WorldSettings,
    counts: &mut StepCounts,
) {
    let bounces = contact.restitution > 0.0;
    if settings.pre_stabilisation.is_none() && !(bounces && settings.restitution_threshold > 0.0) {
        return;
    }
    let before = normal_velocity(contact, states, |body| states[body].twist);
    if bounces && settings.restitution_threshold > 0.0 && -before <= settings.restitution_threshold {
        counts.restitution_ignored += usize::from(before < 0.0);
        contact.restitution = 0.0;
    }
    if let Some(pre) = &settings.pre_stabilisation {
        let rebound = contact.restitution * before.min(0.0);
        let asked = pre.velocity(gap, before, settings.step.time_step);
        contact.stabilisation = (asked - rebound).min(0.0);
        counts.pre_stabilised += usize::from(contact.stabilisation < 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let pre = PreStabilisation::default();
        assert_eq!(pre.velocity(-0.0009, -1.0, 0.01), 0.0);
        assert_eq!(pre.velocity(-0.002, 0.1, 0.01), 0.0);
        assert_eq!(pre.velocity(-0.002, 0.0, 0.01), -0.1);
        assert_eq!(pre.velocity(-0.5, -1.0, 0.01), -1.0);
        let post = PostStabilisation::default();
        assert_eq!((post.displacement(-0.0005), post.displacement(0.1)), (0.0, 0.0));
        assert!((post.displacement(-0.0025) + 0.001).abs() < 1e-15);
        assert_eq!(post.displacement(-1.0), -0.01);
    }
}
