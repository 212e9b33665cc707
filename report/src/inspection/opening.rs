//! What can be looked at, and how it is opened.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use drystone_contact::generator::{Method, methods};
use drystone_engine::recording::{MAGIC, Recording, RecordingError, ReplayError};
use drystone_engine::simulator::SimulatorKind;
use drystone_engine::solver::ContactSolver;
use drystone_replica::Variant;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::rigid_ipc::{self, RigidIpcError};
use drystone_scenes::scene::{BodyProblem, Scene};
use drystone_scenes::scene_file::{self, SceneFileError};
use drystone_scenes::simulation::{self, Purpose, SimulationError, Way};
use drystone_scenes::truth::{Truth, TruthKind};

use super::source::{Glance, RecordingFile, Source, SourceError};
use super::subject::Subject;

/// Something that can be looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A built-in scene.
    BuiltIn(BuiltIn),
    /// A scene file, TOML.
    SceneFile(PathBuf),
    /// A scene of rigid-ipc, JSON.
    RigidIpc(PathBuf),
    /// A recording.
    Recording(PathBuf),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::BuiltIn(scene) => f.pad(scene.name()),
            What::SceneFile(path) | What::RigidIpc(path) | What::Recording(path) => write!(f, "{}", path.display()),
        }
    }
}

impl FromStr for What {
    type Err = OpenError;

    /// The name of a built-in scene, or the path of a file: a recording by its first bytes, one of rigid-ipc by its
    /// ending `.json`, else a scene file.
    fn from_str(text: &str) -> Result<Self, OpenError> {
        let unknown = match text.parse::<BuiltIn>() {
            Ok(scene) => return Ok(What::BuiltIn(scene)),
            Err(unknown) => unknown,
        };
        let path = Path::new(text);
        let mut start = Vec::new();
        match File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start)) {
            // A recording of another version is one all the same; reading it says what is wrong.
            Ok(_) if start.starts_with(b"drystone.recording/") => Ok(What::Recording(path.into())),
            Ok(_) if text.ends_with(".json") => Ok(What::RigidIpc(path.into())),
            Ok(_) => Ok(What::SceneFile(path.into())),
            Err(source) if source.kind() != ErrorKind::NotFound => {
                Err(OpenError::Unreadable { path: path.into(), source })
            }
            Err(source) if path.extension().is_some() || path.components().count() > 1 => {
                Err(OpenError::Unreadable { path: path.into(), source })
            }
            Err(_) => Err(OpenError::Unknown(unknown.to_string())),
        }
    }
}

/// What is to be looked at, and how it is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The scene or recording.
    pub what: What,
    /// What moves the bodies; a recording has its own. Method, variant, purpose and solver are those of the time-stepping
    /// one; another has its own.
    pub simulator: SimulatorKind,
    /// What finds the contacts; a recording has its own.
    pub method: Method,
    /// With which settings the world steps; a recording has its own.
    pub purpose: Purpose,
    /// What finds the forces; a recording has its own.
    pub solver: ContactSolver,
    /// The size of a built-in scene.
    pub size: Option<f64>,
    /// Another time step than the scene's, s.
    pub time_step: Option<f64>,
    /// Bodies shifted at random along x and z, by up to so many metres, from this seed.
    pub perturbation: Option<(f64, u64)>,
}

impl Request {
    /// As the assessment looks at scenes: with its settings and the semi-local generator.
    pub fn new(what: What) -> Self {
        Self {
            what,
            simulator: SimulatorKind::TimeStepping,
            method: methods::semi_local(),
            purpose: Purpose::Suite,
            solver: ContactSolver::default(),
            size: None,
            time_step: None,
            perturbation: None,
        }
    }
}

impl Request {
    /// What finds the contacts: the method that is asked for, or that of a simulator that has its own.
    pub fn found_by(&self) -> Method {
        match self.simulator {
            SimulatorKind::TimeStepping => self.method.clone(),
            SimulatorKind::Backtracking => methods::vclip(),
        }
    }

    /// What makes the contacts and moves the bodies: the method of the time-stepping simulator, the name of any other.
    pub fn way_name(&self) -> &str {
        match self.simulator {
            SimulatorKind::TimeStepping => self.method.name(),
            other => other.name(),
        }
    }
}

/// Why something cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No scene and no file has that name.
    #[error("{0}; or give the path of a scene file (.toml, or .json of rigid-ipc) or of a recording")]
    Unknown(String),
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// A built-in scene cannot be made.
    #[error("scene {scene} cannot be made: {source}")]
    BuiltIn {
        /// Its name.
        scene: &'static str,
        /// What is wrong.
        source: BodyProblem,
    },
    /// A scene file is wrong.
    #[error(transparent)]
    SceneFile(#[from] SceneFileError),
    /// A scene of rigid-ipc is wrong.
    #[error(transparent)]
    RigidIpc(#[from] RigidIpcError),
    /// A recording is damaged.
    #[error("{}: {source}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<ReplayError>,
    },
    /// A number makes no sense.
    #[error("{what} is {value:e}; it must be a finite number above zero")]
    Number {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// The scene cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The start of a recording cannot be looked at.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Something that is ready to be looked at.
pub struct Opened {
    /// What it is about.
    pub subject: Arc<Subject>,
    /// Its moments.
    pub source: Source,
    /// Any of its moments at once, if it is a recording of a simulator that finds contacts wherever bodies are put.
    pub glance: Option<Glance>,
    /// What is not as in the file.
    pub notes: Vec<String>,
}

/// Opens what is asked for.
///
/// # Errors
/// [`OpenError`].
pub fn open(request: &Request) -> Result<Opened, OpenError> {
    let positive = |what, value: Option<f64>| match value {
        Some(value) if !(value.is_finite() && value > 0.0) => Err(OpenError::Number { what, value }),
        _ => Ok(()),
    };
    positive("the size", request.size)?;
    positive("the time step", request.time_step)?;
    positive("the perturbation", request.perturbation.map(|(magnitude, _)| magnitude))?;
    let mut notes = Vec::new();
    let mut scene = match &request.what {
        What::Recording(path) => return open_recording(path),
        What::BuiltIn(scene) => scene_of(*scene, request)?,
        What::SceneFile(path) => scene_file::read(path)?,
        What::RigidIpc(path) => {
            let read = rigid_ipc::read(path)?;
            notes.extend(read.notes.iter().map(ToString::to_string));
            read.scene
        }
    };
    if let Some(time_step) = request.time_step {
        scene.set_time_step(time_step);
    }
    if let Some((magnitude, seed)) = request.perturbation {
        scene.perturb(magnitude, seed);
    }
    scene.set_solver(request.solver);
    let Request { method, purpose, simulator, .. } = request.clone();
    let simulator = simulation::simulator(&scene, &Way { simulator, method, purpose })?;
    let names: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let truth = scene.truth(truth_kind(&request.method));
    let subject = Arc::new(Subject::new(&scene.name, &*simulator, &names, Some(truth)));
    let source = Source::Live { subject: Arc::clone(&subject), simulator };
    Ok(Opened { subject, source, glance: None, notes })
}

/// The truth that goes with a variant.
fn truth_kind(method: &Method) -> TruthKind {
    match Variant::read(method) {
        Ok(Variant::Published | Variant::Earlier) => TruthKind::Published,
        Ok(Variant::Corrected) | Err(_) => TruthKind::Corrected,
    }
}

fn scene_of(scene: BuiltIn, request: &Request) -> Result<Scene, OpenError> {
    let model = match Variant::read(&request.method) {
        Ok(Variant::Published | Variant::Earlier) if scene.scene(Model::Recorded, None).is_ok() => Model::Recorded,
        _ => Model::Procedural,
    };
    scene.scene(model, request.size).map_err(|source| OpenError::BuiltIn { scene: scene.name(), source })
}

fn open_recording(path: &Path) -> Result<Opened, OpenError> {
    let failed = |source: ReplayError| OpenError::Recording { path: path.into(), source: Box::new(source) };
    let read = || {
        Recording::open(path)
            .map(|r| r.with_registry(drystone_replica::readings::registry()))
            .map_err(|source: RecordingError| failed(source.into()))
    };
    let mut recording = read()?;
    let header = recording.header().clone();
    let simulator = recording.replay().map_err(failed)?.into_simulator();
    // What is known of a built-in scene holds for a recording of the same bodies.
    let built_in = header.scene.parse::<BuiltIn>().ok();
    let made = built_in.and_then(|scene| scene.scene(Model::Procedural, None).ok());
    let is_same = |scene: &Scene| scene.bodies.iter().map(|body| &body.name).eq(&header.bodies);
    let truth: Option<Truth> = made.filter(is_same).map(|scene| scene.truth(truth_kind(simulator.method())));
    let subject = Arc::new(Subject::new(&header.scene, &*simulator, &header.bodies, truth));
    let mut notes = if header.note.is_empty() { Vec::new() } else { vec![header.note] };
    let glance = Glance::new(Arc::clone(&subject), RecordingFile { path: path.into(), recording: read()? })?;
    if glance.is_none() {
        let why = "contacts depend on the steps before, so that a step is shown once those before it were made again";
        notes.push(format!("Recorded by {}: {why}", header.simulator));
    }
    let file = Box::new(RecordingFile { path: path.into(), recording });
    let source = Source::Recorded { subject: Arc::clone(&subject), file };
    Ok(Opened { subject, source, glance, notes })
}
