//! How a soft step works.

use crate::solver::SolverError;

/// How the [soft step](super) divides a time step, and how hard its contacts are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSettings {
    /// Parts of a time step, at least 1.
    pub substeps: usize,
    /// Sweeps with velocities that take bodies apart, in each part; at least 1.
    pub sweeps: usize,
    /// Sweeps without them after the bodies have moved, which leave no such velocity behind; at least 1.
    pub relaxations: usize,
    /// The frequency of a contact as a spring, as a share of the rate of the parts of the step; above zero, at most 1.
    /// Against bodies that do not yield it is twice that.
    pub stiffness: f64,
    /// Its damping ratio: 1 is critical; above zero.
    pub damping_ratio: f64,
    /// Bodies that are in each other part no faster than this, m/s; above zero.
    pub parting_speed: f64,
    /// An island at rest is left to the [global solver](crate::solver::global) if the natural map after the last substep is larger than
    /// this, m/s; above zero.
    pub global_residual: f64,
    /// And if no more bodies of it than this can move; 0 for never.
    pub global_bodies: usize,
    /// An island sleeps once no point of its bodies has been faster than `sleep_speed` for this time, s; 0 for never.
    pub sleep_time: f64,
    /// m/s.
    pub sleep_speed: f64,
}

impl SoftSettings {
    /// Five parts: for games, and for large piles.
    pub const FAST: Self = Self {
        substeps: 5,
        sweeps: 1,
        relaxations: 1,
        stiffness: 0.15,
        damping_ratio: 3.0,
        parting_speed: 3.0,
        global_residual: 1e-6,
        global_bodies: 1000,
        sleep_time: 0.5,
        sleep_speed: 5e-3,
    };

    /// Eight parts with two relaxations each.
    pub const ACCURATE: Self = Self { substeps: 8, relaxations: 2, ..Self::FAST };

    /// # Errors
    /// [`SolverError::Setting`].
    pub(crate) fn check(&self) -> Result<(), SolverError> {
        let counts = [
            ("the number of substeps", self.substeps),
            ("the number of sweeps of a substep", self.sweeps),
            ("the number of relaxations of a substep", self.relaxations),
        ];
        if let Some(&(setting, value)) = counts.iter().find(|(_, value)| !(1..=1000).contains(value)) {
            return Err(SolverError::Setting { setting, value: value as f64, allowed: "it must be 1 to 1000" });
        }
        let numbers = [
            ("the stiffness of soft contacts", self.stiffness, 1.0),
            ("the damping ratio of soft contacts", self.damping_ratio, f64::MAX),
            ("the parting speed of soft contacts", self.parting_speed, f64::MAX),
            ("the natural map from which on the global solver takes over", self.global_residual, f64::MAX),
        ];
        let sleep = [("the time before sleep", self.sleep_time), ("the speed of sleep", self.sleep_speed)];
        if let Some(&(setting, value)) = sleep.iter().find(|(_, value)| !(*value >= 0.0 && value.is_finite())) {
            return Err(SolverError::Setting { setting, value, allowed: "it must be finite and not negative" });
        }
        match numbers.into_iter().find(|&(_, value, most)| !(value > 0.0 && value <= most)) {
            Some((setting, value, 1.0)) => {
                Err(SolverError::Setting { setting, value, allowed: "it must be above zero and at most 1" })
            }
            Some((setting, value, _)) => {
                Err(SolverError::Setting { setting, value, allowed: "it must be finite and above zero" })
            }
            None => Ok(()),
        }
    }

    /// The factors of a soft row of a contact (E. Catto, "Soft constraints", 2011; "Solver2D", 2024), for a
    /// frequency that is `times` the usual one: the rate at which a depth goes (1/s), the share of the mass and the share of the impulse.
    pub(crate) fn softness(&self, times: f64, substep: f64) -> [f64; 3] {
        let omega = std::f64::consts::TAU * times * self.stiffness / substep;
        let a1 = 2.0 * self.damping_ratio + substep * omega;
        let a2 = substep * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        [omega / a1, a2 * a3, a3]
    }
}

impl Default for SoftSettings {
    fn default() -> Self {
        Self::FAST
    }
}
