//! The settings of a world in a snapshot.
//!
//! The serialised forms of types that live beside other concerns are written here, field by field, so that a new field
//! cannot be forgotten: it does not compile until it stands here too.

use crate::ccd::CcdSettings;
use crate::external_forces::ExternalForces;
use crate::solver::{ContactSolver, FrictionModel, RFactor, Rollback, SolverSettings, SvdSettings};
use crate::stepper::{Scheme, StepSettings};
use crate::world::{PostStabilisation, PreStabilisation, WarmStart, WorldSettings};
use drystone_contact::precision::Precision;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Precision")]
enum PrecisionForm {
    Single,
    Double,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RFactor")]
enum RFactorForm {
    Global { r: f64, reduction: f64 },
    Local { reduction: f64 },
    Blocked { reduction: f64 },
    Adaptive { growth: f64, reduction: f64, stall: f64 },
    Exact { reduction: f64 },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FrictionModel")]
enum FrictionModelForm {
    Ball,
    Ellipsoid,
    Box,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Rollback")]
enum RollbackForm {
    Published,
    Corrected,
    Best,
    Conjugate,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SvdSettings")]
pub(crate) struct SvdSettingsForm {
    static_speed: f64,
    rank_tolerance: f64,
    pivot_tolerance: f64,
    force_tolerance: f64,
    balance_tolerance: f64,
    motion_tolerance: f64,
    most_solves: usize,
    dense_columns: usize,
    complementarity_contacts: usize,
    enumerated_contacts: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ContactSolver")]
enum ContactSolverForm {
    ProximalGaussSeidel,
    Svd(#[serde(with = "SvdSettingsForm")] SvdSettings),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SolverSettings")]
pub(crate) struct SolverSettingsForm {
    max_iterations: usize,
    absolute_tolerance: f64,
    relative_tolerance: f64,
    #[serde(with = "RFactorForm")]
    r_factor: RFactor,
    #[serde(with = "FrictionModelForm")]
    friction: FrictionModel,
    #[serde(with = "RollbackForm")]
    rollback: Rollback,
    natural_history: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "StepSettings")]
struct StepSettingsForm {
    time_step: f64,
    scheme: Scheme,
    #[serde(with = "PrecisionForm")]
    precision: Precision,
    forces: ExternalForces,
    #[serde(with = "ContactSolverForm")]
    contact_solver: ContactSolver,
    #[serde(with = "SolverSettingsForm")]
    solver: SolverSettings,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WorldSettings")]
struct WorldSettingsForm {
    #[serde(with = "StepSettingsForm")]
    step: StepSettings,
    islands: bool,
    velocity_tolerance: f64,
    restitution_threshold: f64,
    warm_start: Option<WarmStart>,
    pre_stabilisation: Option<PreStabilisation>,
    post_stabilisation: Option<PostStabilisation>,
    /// Stands behind all the rest of a snapshot, so that what was written before there were any can be read.
    #[serde(skip)]
    ccd: Option<CcdSettings>,
}

/// The settings of a world, as a snapshot holds them: but for continuous collision detection, which is not written here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SettingsRecord(#[serde(with = "WorldSettingsForm")] pub WorldSettings);

impl SettingsRecord {
    /// The settings and, apart from them, those of continuous collision detection.
    pub(crate) fn split(settings: &WorldSettings) -> (Self, Option<CcdSettings>) {
        (Self(WorldSettings { ccd: None, ..settings.clone() }), settings.ccd)
    }

    /// The settings with these of continuous collision detection.
    pub(crate) fn with(&self, ccd: Option<CcdSettings>) -> WorldSettings {
        WorldSettings { ccd, ..self.0.clone() }
    }
}
