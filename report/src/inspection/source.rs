//! Where the moments of a run come from: a simulator that steps, or a recording that is made again.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use drystone_engine::recording::{BodyState, Recording, Replay, ReplayError, StepRecord};
use drystone_engine::simulator::{Simulator, SimulatorError};
use drystone_engine::world::Detected;
use drystone_engine::{BodyKind, Energy};
use glam::{DQuat, DVec3};

use super::frame::Frame;
use super::subject::Subject;

/// Why a run does not go on.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A step cannot be made.
    #[error("step {step}: {source}")]
    Step {
        /// From 1.
        step: u64,
        /// What is wrong.
        source: SimulatorError,
    },
    /// A recording cannot be made again.
    #[error("{}: {source}", path.display())]
    Replay {
        /// The recording.
        path: PathBuf,
        /// What is wrong.
        source: Box<ReplayError>,
    },
    /// Bodies come or go.
    #[error("{}: bodies are added or taken away before step {step}; only the steps before it can be looked at", path.display())]
    Bodies {
        /// The recording.
        path: PathBuf,
        /// From 1.
        step: u64,
    },
}

/// A recording on disk.
pub struct RecordingFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its frames, checked.
    pub recording: Recording<BufReader<File>>,
}

impl RecordingFile {
    fn error(&self, source: impl Into<ReplayError>) -> SourceError {
        SourceError::Replay { path: self.path.clone(), source: Box::new(source.into()) }
    }
}

/// Where the moments of a run come from.
pub enum Source {
    /// A simulator that steps for as long as one wants.
    Live {
        /// What is run.
        subject: Arc<Subject>,
        /// It stands at its start.
        simulator: Box<dyn Simulator>,
    },
    /// A recording; every step is verified.
    Recorded {
        /// What was run.
        subject: Arc<Subject>,
        /// Where from.
        file: Box<RecordingFile>,
    },
}

impl Source {
    /// The last step; `None` where there is no last one.
    pub fn last_step(&self) -> Option<u64> {
        match self {
            Source::Live { .. } => None,
            Source::Recorded { file, .. } => Some(file.recording.next_step() - 1),
        }
    }

    /// Hands one frame after the other to `each`, the pose at the start first, until it breaks, a recording ends or a
    /// step fails; that error is the last thing that is handed over.
    pub fn run(self, each: &mut dyn FnMut(Result<Frame, SourceError>) -> ControlFlow<()>) {
        let outcome = match self {
            Source::Live { subject, simulator } => live(&subject, simulator, each),
            Source::Recorded { subject, file } => recorded(&subject, *file, each),
        };
        if let Err(error) = outcome {
            let _ = each(Err(error));
        }
    }
}

type Each<'f> = &'f mut dyn FnMut(Result<Frame, SourceError>) -> ControlFlow<()>;

fn live(subject: &Subject, mut simulator: Box<dyn Simulator>, each: Each<'_>) -> Result<(), SourceError> {
    let mut flow = each(Ok(start(subject, &mut *simulator)?));
    while flow.is_continue() {
        let step = simulator.steps() + 1;
        let report = simulator.step().map_err(|source| SourceError::Step { step, source })?;
        flow = each(Ok(Frame::of_step(subject, &*simulator, report)));
    }
    Ok(())
}

/// The moment before any step.
fn start(subject: &Subject, simulator: &mut dyn Simulator) -> Result<Frame, SourceError> {
    let step = simulator.steps();
    let found = simulator.detect_now().map_err(|source| SourceError::Step { step: step + 1, source })?;
    Ok(Frame::of_detection(subject, simulator, step, found))
}

fn recorded(subject: &Subject, mut file: RecordingFile, each: Each<'_>) -> Result<(), SourceError> {
    let path = file.path.clone();
    let error = |source: ReplayError| SourceError::Replay { path: path.clone(), source: Box::new(source) };
    let mut first = file.recording.replay().map_err(error)?.into_simulator();
    let mut flow = each(Ok(start(subject, &mut *first)?));
    let handles = first.handles().to_vec();
    let mut replay = file.recording.replay().map_err(error)?;
    while flow.is_continue() {
        let Some(report) = replay.step().map_err(error)? else { break };
        if report.handles != handles {
            return Err(SourceError::Bodies { path: path.clone(), step: report.step });
        }
        flow = each(Ok(Frame::of_step(subject, replay.simulator(), report)));
    }
    Ok(())
}

/// Looks at any step of a recording at once, without making the steps before it again: from the recorded states
/// contacts are looked for where the bodies were, and there are no forces; deformable surfaces stand where they were. Methods that remember the step before may
/// find others than the run did, and what a program did between two steps (moved bodies, other settings) is not seen;
/// the replay brings both.
pub struct Seeker {
    subject: Arc<Subject>,
    file: RecordingFile,
    simulator: Box<dyn Simulator>,
}

impl Seeker {
    /// Into a recording; `None` if its simulator has bodies and does not find contacts wherever they are put.
    ///
    /// # Errors
    /// Its start cannot be restored.
    pub fn new(subject: Arc<Subject>, mut file: RecordingFile) -> Result<Option<Self>, SourceError> {
        let simulator = file.recording.replay().map(Replay::into_simulator);
        let simulator = simulator.map_err(|source| file.error(source))?;
        let is_seekable = simulator.detects_anywhere() || simulator.bodies().is_empty();
        Ok(is_seekable.then_some(Self { subject, file, simulator }))
    }

    /// The steps that there are, the pose at the start as the one before the first.
    pub fn steps(&self) -> std::ops::RangeInclusive<u64> {
        self.file.recording.first_step() - 1..=self.file.recording.next_step() - 1
    }

    /// The frame of a step of [`Seeker::steps`]. Its velocities and numbers are those of the recording.
    ///
    /// # Errors
    /// The step cannot be read, or bodies came or went before it.
    pub fn frame(&mut self, step: u64) -> Result<Frame, SourceError> {
        let first = *self.steps().start();
        if step <= first {
            self.put(first)?;
            return self.at(first, <dyn Simulator>::detect_now);
        }
        let record = self.record(step)?;
        if !self.subject.surfaces.is_empty() {
            return self.surfaces(step, &record);
        }
        // Contacts were looked for on the way from the state before the step.
        self.put(step - 1)?;
        self.drive(step, &record.states)?;
        let mut frame = self.at(step, <dyn Simulator>::detect)?;
        frame.time = record.time;
        let vector = |s: &[f64; 13], k: usize| DVec3::new(s[k], s[k + 1], s[k + 2]);
        frame.velocities = record.states.iter().map(|s| [vector(s, 7), vector(s, 10)]).collect();
        let [kinetic, potential] = record.energy_after;
        frame.numbers.energy = Energy { kinetic, potential };
        frame.numbers.sweeps = Some(record.iterations as usize);
        frame.numbers.residual = Some(record.natural_residual);
        Ok(frame)
    }

    /// Surfaces where a record has them.
    fn surfaces(&mut self, step: u64, record: &StepRecord) -> Result<Frame, SourceError> {
        let mut frame = self.at(step, <dyn Simulator>::detect_now)?;
        let mut states = record.vertices.iter();
        for vertices in &mut frame.surfaces {
            for (vertex, s) in vertices.iter_mut().zip(states.by_ref()) {
                *vertex = DVec3::new(s[0], s[1], s[2]);
            }
        }
        frame.time = record.time;
        let [kinetic, potential] = record.energy_after;
        frame.numbers.energy = Energy { kinetic, potential };
        Ok(frame)
    }

    fn at(
        &mut self,
        step: u64,
        detect: impl FnOnce(&mut dyn Simulator) -> Result<Detected, SimulatorError>,
    ) -> Result<Frame, SourceError> {
        let detected = detect(&mut *self.simulator).map_err(|source| SourceError::Step { step, source })?;
        Ok(Frame::of_detection(&self.subject, &*self.simulator, step, detected))
    }

    fn record(&mut self, step: u64) -> Result<StepRecord, SourceError> {
        let record = self.file.recording.record(step).map_err(|source| self.file.error(source))?;
        if record.states.len() != self.subject.bodies.len() {
            return Err(SourceError::Bodies { path: self.file.path.clone(), step });
        }
        Ok(record)
    }

    /// Gives kinematic bodies the velocities that they had in a step, whatever time their prescribed motions think it
    /// is.
    fn drive(&mut self, step: u64, states: &[BodyState]) -> Result<(), SourceError> {
        let failed = |source| SourceError::Step { step, source };
        let handles = self.simulator.handles().to_vec();
        let is_kinematic: Vec<bool> = self.simulator.bodies().iter().map(|b| b.kind() == BodyKind::Kinematic).collect();
        for ((handle, is_kinematic), s) in handles.into_iter().zip(is_kinematic).zip(states) {
            if is_kinematic {
                self.simulator.set_prescribed_motion(handle, None).map_err(failed)?;
                let body = self.simulator.body_mut(handle).map_err(failed)?;
                body.velocity = DVec3::new(s[7], s[8], s[9]);
                body.angular_velocity = DVec3::new(s[10], s[11], s[12]);
            }
        }
        Ok(())
    }

    /// Puts the bodies where they were after a step.
    fn put(&mut self, step: u64) -> Result<(), SourceError> {
        if step == *self.steps().start() {
            let start = self.file.recording.replay().map(Replay::into_simulator);
            self.simulator = start.map_err(|source| self.file.error(source))?;
            return Ok(());
        }
        let record = self.record(step)?;
        for (handle, s) in self.simulator.handles().to_vec().into_iter().zip(&record.states) {
            let body = self.simulator.body_mut(handle).map_err(|source| SourceError::Step { step, source })?;
            body.position = DVec3::new(s[0], s[1], s[2]);
            body.orientation = DQuat::from_xyzw(s[3], s[4], s[5], s[6]);
            body.velocity = DVec3::new(s[7], s[8], s[9]);
            body.angular_velocity = DVec3::new(s[10], s[11], s[12]);
        }
        Ok(())
    }
}
