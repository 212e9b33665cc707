//! One setting varied over its range, as in the paper's figures.

use drystone_contact::ccd::Settings;
use serde::{Deserialize, Serialize};

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// δ (paper, figure 8).
    Tolerance,
    /// m_I (paper, figure 9).
    Checks,
    /// d (paper, figure 11 and table 2).
    Separation,
}

impl Parameter {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tolerance, Self::Checks, Self::Separation];

    /// The values that it takes, in ascending order.
    #[must_use]
    pub fn values(self) -> &'static [f64] {
        match self {
            Self::Tolerance => &[1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0],
            Self::Checks => &[1e2, 1e3, 1e4, 1e5, 1e6],
            Self::Separation => &[1e-100, 1e-30, 1e-16, 1e-8, 1e-2],
        }
    }

    /// The settings with this value.
    #[must_use]
    pub fn set(self, settings: Settings, value: f64) -> Settings {
        match self {
            Self::Tolerance => Settings { tolerance: value, ..settings },
            Self::Checks => Settings { checks: value as u64, ..settings },
            Self::Separation => Settings { separation: value, ..settings },
        }
    }

    /// Its value in these settings.
    #[must_use]
    pub fn value(self, settings: &Settings) -> f64 {
        match self {
            Self::Tolerance => settings.tolerance,
            Self::Checks => settings.checks as f64,
            Self::Separation => settings.separation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_allowed_ascend_and_come_back() {
        for parameter in Parameter::ALL {
            assert!(parameter.values().is_sorted());
            for &value in parameter.values() {
                let settings = parameter.set(Settings::default(), value);
                assert!(settings.check().is_ok());
                assert_eq!(parameter.value(&settings), value);
            }
        }
    }
}
