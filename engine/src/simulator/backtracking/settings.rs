//! How the simulation moves bodies, finds events and holds contacts.

use super::BacktrackingError;
use crate::external_forces::ExternalForces;
use crate::solver::{SolverSettings, SvdSettings};
use crate::world::snapshot::{SolverSettingsForm, SvdSettingsForm};
use drystone_contact::vclip::contact_set::{ContactMargin, Promotion};
use serde::{Deserialize, Serialize};

/// How a simulation with contact sets works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BacktrackingSettings {
    /// Δt of a step, s: how often the simulator reports. It is cut into intervals.
    pub time_step: f64,
    /// Time between two looks at the distances, s. What passes through another body within it is not seen.
    pub interval: f64,
    /// Gravity and damping.
    pub forces: ExternalForces,
    /// At which distances pairs of features become contacts, and stop being so.
    pub reach: ContactMargin,
    /// New contacts are held at no more than this share of [`ContactMargin::enter`]; the search in time goes back until
    /// the features are about so far apart.
    pub hold: f64,
    /// Contacts that have come nearer than this share of [`ContactMargin::enter`] are pushed back.
    pub least_hold: f64,
    /// A held contact that comes nearer than this share of its own gap is stopped by an impulse.
    pub sunk: f64,
    /// Faster approaches are collisions and rebound by the restitution of the materials; slower ones are brought to
    /// rest, m/s.
    pub collision_speed: f64,
    /// After an impulse, contacts that part no faster than this are brought to rest as well, m/s: so bouncing and
    /// rocking end.
    pub rest_speed: f64,
    /// Contacts that part faster than this bear no force, m/s.
    pub parting_speed: f64,
    /// Contacts that slide no faster than this stick, m/s.
    pub static_speed: f64,
    /// Rate at which held contacts lose velocities that they should not have, 1/s. Their gaps follow critically damped.
    pub rate: f64,
    /// Accelerations below this at contacts need no force, m/s².
    pub quiet: f64,
    /// Features beside the closest ones that are parallel become contacts with them; none for the paper's way, which
    /// finds them one after the other.
    pub promotion: Option<Promoting>,
    /// The forces and impulses.
    #[serde(with = "SvdSettingsForm")]
    pub svd: SvdSettings,
    /// The iteration that takes over where that method fails.
    #[serde(with = "SolverSettingsForm")]
    pub iterative: SolverSettings,
    /// Events in a step at most; a step that has more ends early and says so.
    pub most_events: usize,
    /// Halvings at most: of an interval that ends in an overlap which nothing explains, and of a search in time.
    pub most_halvings: usize,
}

/// Promotion in place of searches for further pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promoting {
    /// What is parallel.
    pub promotion: Promotion,
    /// Promoted pairs are no farther apart than this, m; they sink to the gap of the pair that was found.
    pub reach: f64,
}

impl Promoting {
    /// Within 2 mrad and 50 µm.
    pub const NARROW: Self = Self { promotion: Promotion { angle: 2e-3 }, reach: 5e-5 };
}

impl Default for BacktrackingSettings {
    /// Steps of 10 ms in intervals of 1 ms, the gravity of the project without damping, contacts within 1 µm held at
    /// half of that, collisions from 1 cm/s on.
    fn default() -> Self {
        Self {
            time_step: 0.01,
            interval: 1e-3,
            forces: ExternalForces { linear_damping: 0.0, angular_damping: 0.0, ..ExternalForces::default() },
            reach: ContactMargin { enter: 1e-6, leave: 2e-6, depth: 1e-6, same: 1e-12 },
            hold: 0.5,
            least_hold: 0.01,
            sunk: 0.9,
            collision_speed: 1e-2,
            rest_speed: 1e-3,
            parting_speed: 1e-6,
            static_speed: 1e-5,
            rate: 200.0,
            quiet: 1e-9,
            promotion: None,
            svd: SvdSettings::PRECISE,
            iterative: SolverSettings { max_iterations: 1000, ..SolverSettings::SIMULATION },
            most_events: 1000,
            most_halvings: 60,
        }
    }
}

impl BacktrackingSettings {
    /// # Errors
    /// [`BacktrackingError::Setting`].
    pub(super) fn check(&self) -> Result<(), BacktrackingError> {
        let positive = [
            ("the time step", self.time_step),
            ("the interval", self.interval),
            ("the distance at which contacts begin", self.reach.enter),
            ("the share of it at which they are held", self.hold),
            ("the share of the gap that counts as sunk", self.sunk),
            ("the rate", self.rate),
        ];
        let others = [
            ("the least share", self.least_hold),
            ("the collision speed", self.collision_speed),
            ("the rest speed", self.rest_speed),
            ("the parting speed", self.parting_speed),
            ("the static speed", self.static_speed),
            ("the quiet acceleration", self.quiet),
            ("the linear damping", self.forces.linear_damping),
            ("the angular damping", self.forces.angular_damping),
            ("the depth at which contacts end", self.reach.depth),
            ("the reach of promotion", self.promotion.map_or(0.0, |p| p.reach)),
            ("the angle of promotion", self.promotion.map_or(0.0, |p| p.promotion.angle)),
        ];
        let shares = [self.hold, self.least_hold / self.hold, self.sunk];
        let setting = |(setting, value)| BacktrackingError::Setting { setting, value };
        if let Some(bad) = positive.into_iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            return Err(setting(bad));
        }
        if let Some(bad) = others.into_iter().find(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            return Err(setting(bad));
        }
        if let Some(share) = shares.into_iter().find(|share| *share > 1.0) {
            return Err(setting(("a share of a distance", share)));
        }
        if self.reach.leave.is_nan() || self.reach.leave <= self.reach.enter {
            return Err(setting(("the distance at which contacts end", self.reach.leave)));
        }
        if !self.forces.gravity.is_finite() {
            return Err(setting(("the gravity", self.forces.gravity.length())));
        }
        Ok(())
    }

    /// The distances within which contacts of a set live.
    pub(super) fn life(&self) -> ContactMargin {
        let promoted = self.promotion.map_or(0.0, |promoting| 2.0 * promoting.reach);
        ContactMargin { leave: self.reach.leave.max(promoted), ..self.reach }
    }
}
