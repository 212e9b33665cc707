//! What can be looked at, and how it is opened: a scene begins to run, a recording is ready at any of its steps.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use drystone_contact::generator::{Method, methods};
use drystone_engine::recording::{Recording, RecordingError, ReplayError};
use drystone_engine::simulator::{Simulator, SimulatorError, SimulatorKind};
use drystone_engine::solver::ContactSolver;
use drystone_replica::Variant;
use drystone_scenes::asynchronous::OpenedSurfaces;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::opening::{self, OpenError, OpenedScene, SceneOptions, What};
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::Programs;
use drystone_scenes::simulation::{self, SimulationError, SimulationSettings, WorldPreset};
use drystone_scenes::truth::{Truth, TruthKind};

use super::source::{RecordingFile, Seeker, Source, SourceError};
use super::subject::Subject;

/// What is to be looked at, and how it is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The scene or recording.
    pub what: What,
    /// What moves the bodies; a recording has its own. Method, variant, preset and solver are those of the
    /// time-stepping one; another has its own.
    pub simulator: SimulatorKind,
    /// What finds the contacts; a recording has its own.
    pub method: Method,
    /// With which settings the world steps; a recording has its own.
    pub world_preset: WorldPreset,
    /// What finds the forces; a recording has its own.
    pub solver: ContactSolver,
    /// The size of a built-in scene.
    pub size: Option<f64>,
    /// Another time step than the scene's, s.
    pub time_step: Option<f64>,
    /// Bodies shifted at random along x and z, by up to so many metres, from this seed.
    pub perturbation: Option<(f64, u64)>,
    /// Whether programs that a scene file names are run.
    pub programs: Programs,
}

impl Request {
    /// As the assessment looks at scenes: with its settings and the semi-local generator.
    pub fn new(what: What) -> Self {
        Self {
            what,
            simulator: SimulatorKind::TimeStepping,
            method: methods::semi_local(),
            world_preset: WorldPreset::Suite,
            solver: ContactSolver::default(),
            size: None,
            time_step: None,
            perturbation: None,
            programs: Programs::Refused,
        }
    }
}

impl Request {
    /// What finds the contacts: the method that is asked for, or that of a simulator that has its own.
    pub fn found_by(&self) -> Method {
        match self.simulator {
            SimulatorKind::TimeStepping => self.method.clone(),
            SimulatorKind::Backtracking => methods::vclip(),
            // Contacts of surfaces are not those of a method.
            SimulatorKind::Asynchronous => self.method.clone(),
        }
    }

    /// What makes the contacts and moves the bodies: the method of the time-stepping simulator, the name of any other.
    pub fn way_name(&self) -> &str {
        if matches!(self.what, What::Surfaces(_)) {
            return SimulatorKind::Asynchronous.name();
        }
        match self.simulator {
            SimulatorKind::TimeStepping => self.method.name(),
            other => other.name(),
        }
    }
}

/// Why something cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum InspectionError {
    /// The scene cannot be opened.
    #[error(transparent)]
    Scene(#[from] OpenError),
    /// A recording is damaged.
    #[error("{}: {source}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<ReplayError>,
    },
    /// The scene cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Deformable surfaces cannot be simulated.
    #[error(transparent)]
    Surfaces(#[from] SimulatorError),
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
    pub seeker: Option<Seeker>,
    /// What is not as in the file.
    pub notes: Vec<String>,
}

/// Opens what is asked for.
///
/// # Errors
/// [`InspectionError`].
pub fn open(request: &Request) -> Result<Opened, InspectionError> {
    if let What::Recording(path) = &request.what {
        return open_recording(path);
    }
    if let Some(opened) = opening::open_surfaces(&request.what)? {
        return open_surfaces(request, opened);
    }
    let options = SceneOptions {
        model: model(request),
        size: request.size,
        time_step: request.time_step,
        perturbation: request.perturbation,
        solver: request.solver,
        programs: request.programs,
        ..SceneOptions::default()
    };
    let OpenedScene { scene, notes } = opening::open(&request.what, &options)?;
    let Request { method, world_preset, simulator, .. } = request.clone();
    let simulator = simulation::simulator(&scene, &SimulationSettings { simulator, method, world_preset })?;
    let names: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let truth = scene.truth(TruthKind::of_method(&request.method));
    let subject = Arc::new(Subject::new(&scene.name, &*simulator, &names, Some(truth)));
    let source = Source::Live { subject: Arc::clone(&subject), simulator };
    Ok(Opened { subject, source, seeker: None, notes })
}

/// A scene of deformable surfaces begins to run; of the request, only the time step has a meaning for it.
fn open_surfaces(request: &Request, opened: OpenedSurfaces) -> Result<Opened, InspectionError> {
    let opened = OpenedSurfaces { time_step: request.time_step.unwrap_or(opened.time_step), ..opened };
    let simulator: Box<dyn Simulator> = Box::new(opened.simulator().map_err(SimulatorError::from)?);
    let subject = Arc::new(Subject::new(&opened.name, &*simulator, &[], None));
    let source = Source::Live { subject: Arc::clone(&subject), simulator };
    Ok(Opened { subject, source, seeker: None, notes: Vec::new() })
}

/// The recorded bodies go with the variants of the paper's tables, where there are any.
fn model(request: &Request) -> Option<Model> {
    let model = Variant::read(&request.method).ok().map(Model::of)?;
    let is_recorded = matches!(request.what, What::BuiltIn(scene) if scene.is_recorded());
    (is_recorded && model == Model::Recorded).then_some(model)
}

fn open_recording(path: &Path) -> Result<Opened, InspectionError> {
    let failed = |source: ReplayError| InspectionError::Recording { path: path.into(), source: Box::new(source) };
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
    let truth: Option<Truth> = made.filter(is_same).map(|scene| scene.truth(TruthKind::of_method(simulator.method())));
    let subject = Arc::new(Subject::new(&header.scene, &*simulator, &header.bodies, truth));
    let mut notes = if header.note.is_empty() { Vec::new() } else { vec![header.note] };
    let seeker = Seeker::new(Arc::clone(&subject), RecordingFile { path: path.into(), recording: read()? })?;
    if seeker.is_none() {
        let why = "contacts depend on the steps before, so that a step is shown once those before it were made again";
        notes.push(format!("Recorded by {}: {why}", header.simulator));
    }
    let file = Box::new(RecordingFile { path: path.into(), recording });
    let source = Source::Recorded { subject: Arc::clone(&subject), file };
    Ok(Opened { subject, source, seeker, notes })
}
