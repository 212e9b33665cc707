//! The simulators by name.

use drystone_contact::generator::UnknownName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A simulator of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SimulatorKind {
    /// [`crate::World`].
    #[default]
    TimeStepping,
    /// [`crate::backtracking::BacktrackingSimulator`].
    Backtracking,
    /// [`crate::simulator::asynchronous::AsynchronousSimulator`].
    Asynchronous,
}

impl SimulatorKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::TimeStepping, Self::Backtracking, Self::Asynchronous];

    /// The name on the command line and in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeStepping => "time-stepping",
            Self::Backtracking => "backtracking",
            Self::Asynchronous => "asynchronous",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Self::TimeStepping => "steps of fixed length through small overlaps; any method, any solver, any scene",
            Self::Backtracking => {
                "event-driven: goes back to where features meet, never overlaps; bodies start apart, contacts by vclip, forces by svd"
            }
            Self::Asynchronous => {
                "every force with a clock of its own: deformable surfaces that never pass through each other; scenes of surfaces alone"
            }
        }
    }
}

impl fmt::Display for SimulatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SimulatorKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownName { kind: "simulator", name: name.into(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_unknown_ones_list_what_there_is() {
        for kind in SimulatorKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        let error = "synchronous".parse::<SimulatorKind>().unwrap_err().to_string();
        assert!(error.contains("time-stepping, backtracking, asynchronous"), "{error}");
    }
}
