//! The settings of a world in a snapshot.
//!
//! The serialised forms of types that live beside other concerns are written here, field by field, so that a new field
//! cannot be forgotten: it does not compile until it stands here too.

use crate::ccd::CcdSettings;
use crate::external_forces::ExternalForces;
use crate::soft_step::SoftSettings;
use crate::solver::{ContactSolver, FrictionModel, GlobalSettings, RFactor, Rollback, SolverSettings, SvdSettings};
use crate::stepper::{Scheme, StepSettings};
use crate::world::{PostStabilisation, PreStabilisation, WarmStart, WorldSettings};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

/// Why a run of the program behind published tables is refused.
const REPLICA_ALONE: &str = "it was made as published tables were (in 32 bits, or with their roll-back), and such runs are \
                             no longer simulated by the engine, but by drystone-replica";

/// Roll-backs by their numbers; the first is that of the published program.
#[derive(Serialize, Deserialize)]
enum RollbackForm {
    Published,
    Corrected,
    Best,
    Conjugate,
}

impl RollbackForm {
    fn serialize<S: Serializer>(rollback: &Rollback, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match rollback {
            Rollback::Corrected => Self::Corrected,
            Rollback::Best => Self::Best,
            Rollback::Conjugate => Self::Conjugate,
        };
        Serialize::serialize(&form, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rollback, D::Error> {
        match <Self as Deserialize>::deserialize(deserializer)? {
            Self::Published => Err(D::Error::custom(REPLICA_ALONE)),
            Self::Corrected => Ok(Rollback::Corrected),
            Self::Best => Ok(Rollback::Best),
            Self::Conjugate => Ok(Rollback::Conjugate),
        }
    }
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
#[serde(remote = "GlobalSettings")]
struct GlobalSettingsForm {
    velocity_tolerance: f64,
    penalty: f64,
    max_factorizations: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SoftSettings")]
struct SoftSettingsForm {
    substeps: usize,
    sweeps: usize,
    relaxations: usize,
    stiffness: f64,
    damping_ratio: f64,
    parting_speed: f64,
    global_residual: f64,
    global_bodies: usize,
    sleep_time: f64,
    sleep_speed: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ContactSolver")]
enum ContactSolverForm {
    ProximalGaussSeidel,
    Svd(#[serde(with = "SvdSettingsForm")] SvdSettings),
    Global(#[serde(with = "GlobalSettingsForm")] GlobalSettings),
    Soft(#[serde(with = "SoftSettingsForm")] SoftSettings),
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

/// The arithmetic of a run: there was a choice once.
#[derive(Serialize, Deserialize)]
enum PrecisionForm {
    Single,
    Double,
}

#[derive(Serialize, Deserialize)]
struct StepSettingsForm {
    time_step: f64,
    scheme: Scheme,
    precision: PrecisionForm,
    forces: ExternalForces,
    #[serde(with = "ContactSolverForm")]
    contact_solver: ContactSolver,
    #[serde(with = "SolverSettingsForm")]
    solver: SolverSettings,
}

impl StepSettingsForm {
    fn serialize<S: Serializer>(settings: &StepSettings, serializer: S) -> Result<S::Ok, S::Error> {
        let StepSettings { time_step, scheme, forces, contact_solver, solver } = *settings;
        let precision = PrecisionForm::Double;
        Serialize::serialize(&Self { time_step, scheme, precision, forces, contact_solver, solver }, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StepSettings, D::Error> {
        let Self { time_step, scheme, precision, forces, contact_solver, solver } =
            <Self as Deserialize>::deserialize(deserializer)?;
        match precision {
            PrecisionForm::Single => Err(D::Error::custom(REPLICA_ALONE)),
            PrecisionForm::Double => Ok(StepSettings { time_step, scheme, forces, contact_solver, solver }),
        }
    }
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
