//! How a world steps.

use super::WorldError;
use super::contact_cache::WarmStart;
use super::stabilisation::{PostStabilisation, PreStabilisation};
use crate::ccd::CcdSettings;
use crate::external_forces::ExternalForces;
use crate::soft_step::SoftSettings;
use crate::solver::{ContactSolver, SolverSettings};
use crate::stepper::StepSettings;

/// How a world steps. [`WorldSettings::default`] is for embedding; [`WorldSettings::suite`] is what the assessment
/// suite does, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// Time step, scheme, gravity and damping, and the solver.
    pub step: StepSettings,
    /// Whether each island of bodies in contact is solved by itself, in parallel. Without it the whole system is one
    /// problem, with one decision when to stop.
    pub islands: bool,
    /// An island's iteration also stops when no impulse moves by more than this speed times the mass of its lightest
    /// body, m/s. Zero for never. It adds to the tolerances of the solver's settings. Where no body of the island is
    /// faster than 1 cm/s it shrinks in proportion, so that what comes to rest does so for good.
    pub velocity_tolerance: f64,
    /// Bodies that approach no faster than this do not bounce, m/s.
    pub restitution_threshold: f64,
    /// Impulses of the step before as the start of the iteration.
    pub warm_start: Option<WarmStart>,
    /// Velocities that take penetrating bodies apart.
    pub pre_stabilisation: Option<PreStabilisation>,
    /// A change of positions that takes penetrating bodies apart, after the step.
    pub post_stabilisation: Option<PostStabilisation>,
    /// Continuous collision detection: the step is divided at times of impact, so that nothing passes through
    /// anything at any speed.
    pub ccd: Option<CcdSettings>,
}

impl Default for WorldSettings {
    /// For embedding: [`WorldSettings::fast`].
    fn default() -> Self {
        Self::fast()
    }
}

impl WorldSettings {
    /// For many bodies: the soft step in five parts, gravity of 9.82 m/s² along −y, no damping, warm start.
    pub fn fast() -> Self {
        Self::with_solver(ContactSolver::Soft(SoftSettings::FAST))
    }

    /// For stiff stacks and walls: the same, with the soft step in eight parts with two relaxations each.
    pub fn accurate() -> Self {
        Self::with_solver(ContactSolver::Soft(SoftSettings::ACCURATE))
    }

    /// As a reference: the mid-point scheme with one solve of the law of contact a step by the proximal Gauss–Seidel method,
    /// islands, warm start, both stabilisations, friction with a torsional coefficient of its own, at most 200 sweeps and fewer where
    /// they change no velocity by more than some 10 µm/s.
    pub fn gauss_seidel() -> Self {
        Self::with_solver(ContactSolver::ProximalGaussSeidel)
    }

    fn with_solver(contact_solver: ContactSolver) -> Self {
        // Damping is a force for a speed, whatever the mass: in an explicit step it throws light bodies about.
        let forces = ExternalForces { linear_damping: 0.0, angular_damping: 0.0, ..ExternalForces::default() };
        let solver = SolverSettings { absolute_tolerance: 0.0, ..SolverSettings::SIMULATION };
        Self {
            step: StepSettings { contact_solver, solver, forces, ..StepSettings::default() },
            islands: true,
            velocity_tolerance: 1e-5,
            restitution_threshold: 0.1,
            warm_start: Some(WarmStart::default()),
            pre_stabilisation: Some(PreStabilisation::default()),
            post_stabilisation: Some(PostStabilisation::default()),
            ccd: None,
        }
    }

    /// What the assessment suite does: steps as given, the whole system in one solve from zero impulses, nothing
    /// stabilised. With [`StepSettings::default`] these are 1000 sweeps without tolerance.
    pub fn suite(step: StepSettings) -> Self {
        Self {
            step,
            islands: false,
            velocity_tolerance: 0.0,
            restitution_threshold: 0.0,
            warm_start: None,
            pre_stabilisation: None,
            post_stabilisation: None,
            ccd: None,
        }
    }

    /// # Errors
    /// [`WorldError::TimeStep`], [`WorldError::Setting`].
    pub(super) fn check(&self) -> Result<(), WorldError> {
        if self.step.check().is_err() {
            return Err(WorldError::TimeStep(self.step.time_step));
        }
        let always = [
            ("the velocity tolerance", self.velocity_tolerance),
            ("the restitution threshold", self.restitution_threshold),
            ("the linear damping", self.step.forces.linear_damping),
            ("the angular damping", self.step.forces.angular_damping),
        ];
        let warm_start =
            self.warm_start.iter().map(|warm_start| ("the distance of matching contacts", warm_start.distance));
        let pre = self.pre_stabilisation.iter().flat_map(|pre| {
            [
                ("the share of pre-stabilisation", pre.share),
                ("the allowed penetration of pre-stabilisation", pre.allowed_penetration),
                ("the least depth of pre-stabilisation", pre.least_depth),
                ("the largest depth of pre-stabilisation", pre.largest_depth),
            ]
        });
        let post = self.post_stabilisation.iter().flat_map(|post| {
            [
                ("the share of post-stabilisation", post.share),
                ("the allowed penetration of post-stabilisation", post.allowed_penetration),
                ("the largest correction of post-stabilisation", post.largest_correction),
                ("the tolerance of post-stabilisation", post.tolerance),
            ]
        });
        if let Some(ccd) = self.ccd.filter(|ccd| !ccd.is_usable()) {
            return Err(WorldError::Ccd(ccd));
        }
        let ccd = self.ccd.iter().flat_map(|ccd| {
            [
                ("the clearance of continuous collision detection", ccd.clearance),
                ("the parting speed of continuous collision detection", ccd.parting_speed),
            ]
        });
        let mut settings = always.into_iter().chain(warm_start).chain(pre).chain(post).chain(ccd);
        match settings.find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((setting, value)) => Err(WorldError::Setting { setting, value }),
            None if self.step.forces.gravity.is_finite() => Ok(()),
            None => Err(WorldError::Setting { setting: "the gravity", value: self.step.forces.gravity.length() }),
        }
    }
}
