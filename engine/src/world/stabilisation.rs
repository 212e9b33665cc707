//! Stabilisation: taking bodies apart that have sunk into each other.
//!
//! Pre-stabilisation is a term g on the normal row of a contact (m/s). Contacts deeper than d_min are asked to part,
//! those less deep than d_0 may approach, so fast that a share κ of the difference is gone after a step; they part by
//! no more than d_max a step. In between nothing is asked. A gap may close within a step.
//!
//! Post-stabilisation is a problem of its own after the step, without friction and with lengths in place of velocities,
//! whose solution moves the bodies and leaves their velocities alone. (K. Erleben, "Rigid body contact problems using
//! proximal operators", SCA 2017.)
//!
//! Differs from its program in: pre-stabilisation there begins all at once at a least depth, acts on approaching bodies
//! alone and by the whole depth, so that bodies at rest keep whatever depth a faulty solution has left them with, and
//! sway; here they come to rest. A contact that bounces parts with the faster of the two speeds, not with their sum.
//! The depth for post-stabilisation is the one expected where contacts are looked for next, so that bodies which part
//! by themselves gain no height; a small depth may be left.

use super::report::StepCounts;
use super::settings::WorldSettings;
use crate::solver::{SolverBody, SolverContact, Twist};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Pre-stabilisation: for a gap d, g = (d + κ d_0)/Δt above 0, κ (d + d_0)/Δt above −d_0, max(−d_max, κ (d + d_min))/Δt
/// below −d_min, else zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreStabilisation {
    /// κ, the share of the difference that is to be gone after a step.
    pub share: f64,
    /// d_0: how deep bodies rest, m, unless the generator's contacts stay with less
    /// ([`drystone_contact::generator::Generator::slop`]). It should exceed the distance at which the contact
    /// method takes features for touching ([`drystone_contact::generator::TOUCHING`]): nearer than that contacts come
    /// and go with every rounding, and a method may take a gap for a depth.
    #[serde(alias = "rest_depth")]
    pub allowed_penetration: f64,
    /// d_min: what is no deeper is not corrected, m.
    pub least_depth: f64,
    /// d_max: bodies are separated by no more than this in a step, m. The velocity stays with them.
    pub largest_depth: f64,
}

impl Default for PreStabilisation {
    /// κ = 0.2, d_0 = 0.2 mm, d_min = 1 mm, d_max = 0.1 mm.
    fn default() -> Self {
        Self { share: 0.2, allowed_penetration: 2e-4, least_depth: 1e-3, largest_depth: 1e-4 }
    }
}

impl PreStabilisation {
    /// g for a gap (m, negative inside) with bodies that rest at a depth (m): negative to part, positive where the
    /// bodies may approach, m/s.
    pub fn velocity(&self, gap: f64, allowed_penetration: f64, time_step: f64) -> f64 {
        let approach = (gap.min(0.0) + allowed_penetration).max(0.0);
        let part = (gap + self.least_depth).min(0.0);
        (gap.max(0.0) + self.share * (approach + part)).max(-self.largest_depth) / time_step
    }
}

/// A contact is let sink by this share of the clearance below it, with continuous collision detection, ...
const CLEARANCE_REST: f64 = 0.125;

/// ... and lifted if it is deeper than this share: well above the share at which motion ends.
const CLEARANCE_DEPTH: f64 = 0.25;

impl PreStabilisation {
    /// The same where contacts count as closed at a gap of `clearance`, m.
    pub(super) fn within(self, clearance: f64) -> Self {
        Self {
            allowed_penetration: self.allowed_penetration.min(CLEARANCE_REST * clearance),
            least_depth: self.least_depth.min(CLEARANCE_DEPTH * clearance),
            ..self
        }
    }
}

/// Post-stabilisation: moves bodies so that the gap d of each contact grows by at least min(d_max, κ depth).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostStabilisation {
    /// κ, the share of the depth that is to be gone.
    pub share: f64,
    /// What is no deeper is left alone, m, so that contacts at rest stay contacts.
    #[serde(alias = "allowed_depth")]
    pub allowed_penetration: f64,
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
        Self { share: 0.5, allowed_penetration: 5e-4, largest_correction: 1e-2, max_iterations: 20, tolerance: 1e-5 }
    }
}

impl PostStabilisation {
    /// The change of the gap that is asked for, m, with the sign of g: negative to part, zero to keep.
    pub fn displacement(&self, gap: f64) -> f64 {
        (self.share * (gap + self.allowed_penetration).min(0.0)).max(-self.largest_correction)
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

/// What a contact is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Its gap, m; with continuous collision detection less the clearance.
    pub gap: f64,
    pub pre: Option<PreStabilisation>,
    /// How deep the generator wants bodies to rest, m.
    pub allowed_penetration: f64,
    /// How deep the bodies may be in each other at the end of the step, m. Contacts with a larger gap are speculative.
    pub allowed_depth: f64,
    /// At least as fast as this bodies part that are nearer than the clearance, m/s.
    pub parting: f64,
}

/// Sets bounce and pre-stabilisation of a contact.
pub(super) fn prepare(
    contact: &mut SolverContact,
    asked: &Asked,
    states: &[SolverBody],
    settings: &WorldSettings,
    counts: &mut StepCounts,
) {
    let Asked { gap, pre, allowed_penetration, allowed_depth, parting } = *asked;
    let parting = if gap < 0.0 { parting } else { 0.0 };
    let bounces = contact.restitution > 0.0;
    let time_step = settings.step.time_step;
    if pre.is_none() && gap > allowed_depth {
        // A speculative contact: the gap may close.
        contact.stabilisation = gap / time_step;
    }
    if pre.is_none() && parting == 0.0 && !(bounces && settings.restitution_threshold > 0.0) {
        return;
    }
    let before = normal_velocity(contact, states, |body| states[body].twist);
    if bounces && settings.restitution_threshold > 0.0 && -before <= settings.restitution_threshold {
        counts.restitution_ignored += usize::from(before < 0.0);
        contact.restitution = 0.0;
    }
    let rebound = contact.restitution * before.min(0.0);
    if let Some(pre) = &pre {
        let asked = pre.velocity(gap, pre.allowed_penetration.min(allowed_penetration), time_step);
        if rebound < 0.0 && gap > 0.0 && gap + time_step * before > -allowed_depth {
            // What bounces is let through until it touches, so that it has all of its velocity then; what would be too
            // deep by then bounces now.
            contact.restitution = 0.0;
            contact.stabilisation = asked.max(-2.0 * before);
            return;
        }
        contact.stabilisation = if rebound < 0.0 { (asked - rebound).min(0.0) } else { asked };
    }
    if parting > 0.0 {
        contact.stabilisation = contact.stabilisation.min((-parting - rebound).min(0.0));
    }
    counts.pre_stabilised += usize::from(contact.stabilisation < 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let pre = PreStabilisation::default();
        let velocity = |gap| pre.velocity(gap, 2e-4, 0.01);
        assert_eq!([-2e-4, -5e-4, -1e-3].map(velocity), [0.0; 3]);
        assert!((velocity(0.0) - 0.004).abs() < 1e-15);
        assert!((velocity(1e-3) - 0.104).abs() < 1e-15, "the gap may close");
        assert!((velocity(-1.1e-3) + 0.002).abs() < 1e-15);
        assert_eq!(velocity(-0.5), -0.01);
        assert_eq!([pre.velocity(0.0, 0.0, 0.01), pre.velocity(-5e-4, 0.0, 0.01)], [0.0; 2]);
        let post = PostStabilisation::default();
        assert_eq!((post.displacement(-0.0005), post.displacement(0.1)), (0.0, 0.0));
        assert!((post.displacement(-0.0025) + 0.001).abs() < 1e-15);
        assert_eq!(post.displacement(-1.0), -0.01);
    }
}
