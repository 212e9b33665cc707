//! Which solver finds the impulses of a time step.

use super::global::GlobalSettings;
use super::svd::SvdSettings;
use crate::soft_step::SoftSettings;
use drystone_contact::generator::UnknownName;
use drystone_contact::named::by_name;
use std::fmt;
use std::str::FromStr;

/// The solver of a time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ContactSolver {
    /// The [proximal projected Gauss–Seidel](super::proximal) method.
    #[default]
    ProximalGaussSeidel,
    /// The [SVD force method](super::svd) at the level of velocities. Where it fails, the iterative one takes over.
    Svd(SvdSettings),
    /// The [global method](super::global) for large connected structures. Where it fails, the iterative one takes over.
    Global(GlobalSettings),
    /// The [soft step](crate::soft_step): substeps with soft contacts.
    Soft(SoftSettings),
}

impl ContactSolver {
    /// All solvers, with the settings for time steps.
    pub const ALL: [Self; 5] = [
        Self::ProximalGaussSeidel,
        Self::Svd(SvdSettings::STEPS),
        Self::Global(GlobalSettings::STEPS),
        Self::Soft(SoftSettings::FAST),
        Self::Soft(SoftSettings::ACCURATE),
    ];

    /// The name on the command line and in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ProximalGaussSeidel => "prox-gauss-seidel",
            Self::Svd(_) => "svd",
            Self::Global(_) => "global",
            Self::Soft(SoftSettings::ACCURATE) => "soft-accurate",
            Self::Soft(_) => "soft",
        }
    }
}

impl fmt::Display for ContactSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ContactSolver {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name("solver", name, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for solver in ContactSolver::ALL {
            assert_eq!(solver.name().parse(), Ok(solver));
        }
        assert!(
            "lemke"
                .parse::<ContactSolver>()
                .unwrap_err()
                .to_string()
                .contains("prox-gauss-seidel, svd, global, soft, soft-accurate")
        );
    }
}
