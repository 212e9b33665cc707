//! The recorder: makes the steps of a simulator and writes them down.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use super::error::RecordError;
use super::frame::{FrameKind, FrameWriter};
use super::header::{Header, RecordingSettings};
use super::keyframe::{Keyframe, SnapshotReason, encode, encode_keyframe, encode_state, encode_step, take_forces};
use super::part_file::PartFile;
use super::step_record::StepRecord;
use crate::simulator::{Simulator, SimulatorSnapshot};
use crate::world::WorldReport;

/// Makes the steps of a simulator and writes them down.
///
/// The simulator may be changed between steps in any way: the recorder finds it out by itself and writes down what it was
/// changed to. All steps have to be made by [`Recorder::step`]. What is written of a step is handed to the operating
/// system at its end, so that a process that is killed leaves all its whole steps.
pub struct Recorder<W: Write> {
    frames: FrameWriter<W>,
    keyframes: u64,
    /// The steps that the simulator had made at the start.
    first: u64,
    /// The steps that it has made now.
    steps: u64,
    /// The snapshot after the last step, as bytes.
    after: Vec<u8>,
}

impl Recorder<PartFile> {
    /// Begins a recording in a file. It grows as `PATH.part` and takes its place by [`Recorder::finish`].
    ///
    /// # Errors
    /// [`RecordError::PartIsThere`]; the file cannot be written.
    pub fn create(
        path: impl Into<PathBuf>,
        simulator: &dyn Simulator,
        settings: &RecordingSettings,
    ) -> Result<Self, RecordError> {
        let path = path.into();
        let file = PartFile::create(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => RecordError::PartIsThere { part: PartFile::part_of(&path) },
            _ => RecordError::from(error),
        })?;
        Self::new(file, simulator, settings)
    }

    /// Ends the recording and puts the file in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        Ok(self.end()?.finish()?)
    }
}

impl<W: Write> Recorder<W> {
    /// Begins a recording of a simulator as it is now, after any number of steps.
    ///
    /// # Errors
    /// [`RecordError::Header`]; those of the output.
    pub fn new(output: W, simulator: &dyn Simulator, settings: &RecordingSettings) -> Result<Self, RecordError> {
        let header = Header::new(simulator, settings).to_json()?;
        let mut frames = FrameWriter::new(output)?;
        frames.write(FrameKind::Header, &header)?;
        let mut recorder = Self {
            frames,
            keyframes: settings.keyframes,
            first: simulator.steps(),
            steps: simulator.steps(),
            after: Vec::new(),
        };
        recorder.snapshot(SnapshotReason::Start, simulator.snapshot())?;
        recorder.frames.flush()?;
        Ok(recorder)
    }

    /// Makes a step and writes it down, and before it what was changed since the last step.
    ///
    /// # Errors
    /// [`RecordError::Step`]: nothing has happened, and the recording can go on. [`RecordError::Steps`] for another
    /// simulator. Where the step cannot be written, the simulator has made it and the recording cannot go on.
    pub fn step(&mut self, simulator: &mut dyn Simulator) -> Result<WorldReport, RecordError> {
        if simulator.steps() != self.steps {
            return Err(RecordError::Steps { expected: self.steps, found: simulator.steps() });
        }
        let mut before = simulator.snapshot();
        let report = simulator.step()?;
        let pushes = take_forces(&mut before);
        if encode_state(&before)? != self.after {
            self.snapshot(SnapshotReason::Edit, before)?;
        }
        if !pushes.is_empty() {
            self.frames.write(FrameKind::Forces, &encode(&pushes)?)?;
        }
        self.frames.write(FrameKind::Step, &encode_step(simulator.kind(), &StepRecord::new(simulator, &report))?)?;
        self.steps = simulator.steps();
        let after = simulator.snapshot();
        if self.keyframes > 0 && (self.steps - self.first).is_multiple_of(self.keyframes) {
            self.snapshot(SnapshotReason::Keyframe, after)?;
        } else {
            self.after = encode_state(&after)?;
        }
        self.frames.flush()?;
        Ok(report)
    }

    /// Ends the recording and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(mut self) -> Result<W, RecordError> {
        self.frames.write(FrameKind::End, &[])?;
        self.frames.flush()?;
        Ok(self.frames.into_inner())
    }

    /// How many steps are recorded.
    pub fn steps(&self) -> u64 {
        self.steps - self.first
    }

    /// Writes a snapshot. Forces for the next step have a frame of their own.
    fn snapshot(&mut self, reason: SnapshotReason, mut state: SimulatorSnapshot) -> Result<(), RecordError> {
        take_forces(&mut state);
        self.after = encode_state(&state)?;
        Ok(self.frames.write(FrameKind::Snapshot, &encode_keyframe(&Keyframe { reason, state })?)?)
    }
}
