//! How continuous collision detection divides a step into substeps.

use drystone_contact::ccd::rigid::ToiLimits;
use serde::{Deserialize, Serialize};

/// Continuous collision detection: a substep ends at the first time of impact. There contacts are looked for and solved,
/// and the bodies move on for the time that is left, up to the next time of impact, and so on.
///
/// Bodies are kept apart: contacts count as closed at a small gap, the clearance of the pair, and no motion takes a pair
/// nearer than half of it, or than [`CcdSettings::kept_share`] of where it was if that is less. Below a thirty-second of it
/// the pair moves only for as long as it comes no nearer, unless another pair ends the motion before.
// Serialized by position in snapshots; by name, old names included, in the headers of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CcdSettings {
    /// The gap at which contacts count as closed, m. It is less for a pair of which the contact generator reports
    /// no contacts at such a gap: half of its contact margin.
    pub clearance: f64,
    /// A pair that is nearer than the clearance keeps at least this share of its distance in each motion; between 0
    /// and 1.
    #[serde(alias = "share")]
    pub kept_share: f64,
    /// Bodies that stop each other again and again within a step are asked to part, faster each time, up to this
    /// speed, m/s.
    #[serde(alias = "parting")]
    pub parting_speed: f64,
    /// A step has so many substeps at most; time that is left then is not stepped.
    #[serde(alias = "parts")]
    pub max_substeps: usize,
    /// The turning motion of a pair is divided into so many intervals at most; what is left then counts as an impact.
    #[serde(alias = "pieces")]
    pub max_intervals: usize,
    /// The iteration limit of a query about two features; what it leaves undecided counts as an impact.
    #[serde(alias = "checks")]
    pub max_iterations: u64,
}

impl Default for CcdSettings {
    /// A clearance of 0.1 mm, parting at up to 0.1 m/s, 64 substeps, 4096 intervals of a motion, 20,000 iterations of a query.
    fn default() -> Self {
        Self {
            clearance: 1e-4,
            kept_share: 0.7,
            parting_speed: 0.1,
            max_substeps: 64,
            max_intervals: 4096,
            max_iterations: 20_000,
        }
    }
}

/// Pairs nearer than this share of their clearance move only for as long as they come no nearer.
const FLOOR: f64 = 1.0 / 32.0;

/// The nearest that a pair is let come, as a share of its clearance.
const STOP: f64 = 0.5;

/// An interval of a motion in which a body turns by more than this says nothing of where it is, rad.
const INTERVAL_TURN: f64 = std::f64::consts::TAU;

impl CcdSettings {
    /// The largest angle by which a body may turn in a step, rad. Beyond it the intervals of a motion do not suffice: every
    /// query uses all of them up and answers with an impact that is none, substep after substep.
    pub fn largest_turn(&self) -> f64 {
        INTERVAL_TURN * self.max_intervals as f64
    }

    /// Whether the settings can be used; lengths and speeds are checked to be finite elsewhere.
    pub(crate) fn is_usable(&self) -> bool {
        self.kept_share > 0.0
            && self.kept_share < 1.0
            && self.clearance != 0.0
            && self.max_substeps.min(self.max_intervals) > 0
            && self.max_iterations > 0
    }

    /// The clearance of a pair, given the contact margins of its two shapes, m.
    pub(crate) fn clearance(&self, margins: [f64; 2]) -> f64 {
        let margin = margins[0].min(margins[1]);
        if margin > 0.0 { self.clearance.min(0.5 * margin) } else { self.clearance }
    }

    /// The separation that a pair with this clearance keeps, being as far apart as `now`, m.
    pub(crate) fn kept(&self, clearance: f64, now: f64) -> f64 {
        (STOP * clearance).min(self.kept_share * now)
    }

    /// A pair with this clearance that is nearer than this moves only as far as it parts, m.
    pub(crate) fn floor(&self, clearance: f64) -> f64 {
        FLOOR * clearance
    }

    /// How fast a pair is to part that has stopped the motion so often in a step, m/s: not for the first impact; then
    /// with the clearance in a time step, and twice as fast each time.
    pub(crate) fn parting_speed(&self, clearance: f64, impacts: u32, time_step: f64) -> f64 {
        match impacts {
            0 | 1 => 0.0,
            _ => (clearance / time_step * libm::exp2(f64::from(impacts - 2))).min(self.parting_speed),
        }
    }

    /// As far as this it makes no difference how far apart a pair is, m.
    pub(crate) fn horizon(&self, clearance: f64) -> f64 {
        STOP * clearance / self.kept_share
    }

    /// How hard times of impact are looked for.
    pub(crate) fn limits(&self) -> ToiLimits {
        ToiLimits { max_intervals: self.max_intervals, max_iterations: self.max_iterations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_before_are_read() {
        let old = r#"{"clearance":1e-3,"share":0.6,"parting":0.2,"parts":7,"pieces":9,"checks":11}"#;
        let settings = CcdSettings {
            clearance: 1e-3,
            kept_share: 0.6,
            parting_speed: 0.2,
            max_substeps: 7,
            max_intervals: 9,
            max_iterations: 11,
        };
        assert_eq!(serde_json::from_str::<CcdSettings>(old).unwrap(), settings);
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<CcdSettings>(&text).unwrap(), settings);
        assert!(text.contains("\"max_substeps\":7"), "{text}");
    }
}
