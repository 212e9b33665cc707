//! The recorder: makes the steps of a world and writes them down.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use super::error::RecordError;
use super::frame::{FrameKind, FrameWriter};
use super::header::{Header, RecordingSettings};
use super::keyframe::{Keyframe, SnapshotReason, encode, take_forces};
use super::part_file::PartFile;
use super::step_record::StepRecord;
use crate::world::{Snapshot, World, WorldReport};

/// Makes the steps of a world and writes them down.
///
/// The world may be changed between steps in any way: the recorder finds it out by itself and writes down what it was
/// changed to. All steps have to be made by [`Recorder::step`]. What is written of a step is handed to the operating
/// system at its end, so that a process that is killed leaves all its whole steps.
pub struct Recorder<W: Write> {
    frames: FrameWriter<W>,
    keyframes: u64,
    /// The steps that the world had made at the start.
    first: u64,
    /// The steps that it has made now.
    steps: u64,
    /// The snapshot after the last step, as bytes.
    after: Vec<u8>,
}

impl Recorder<PartFile> {
    /// Begins a recording of a world in a file. It grows as `PATH.part` and takes its place by [`Recorder::finish`].
    ///
    /// # Errors
    /// [`RecordError::PartIsThere`]; the file cannot be written.
    pub fn create(path: impl Into<PathBuf>, world: &World, settings: &RecordingSettings) -> Result<Self, RecordError> {
        let path = path.into();
        let file = PartFile::create(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => RecordError::PartIsThere { part: PartFile::part_of(&path) },
            _ => RecordError::from(error),
        })?;
        Self::new(file, world, settings)
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
    /// Begins a recording of a world as it is now, after any number of steps.
    ///
    /// # Errors
    /// [`RecordError::Header`]; those of the output.
    pub fn new(output: W, world: &World, settings: &RecordingSettings) -> Result<Self, RecordError> {
        let header = Header::new(world, settings).to_json()?;
        let mut frames = FrameWriter::new(output)?;
        frames.write(FrameKind::Header, &header)?;
        let mut recorder = Self {
            frames,
            keyframes: settings.keyframes,
            first: world.steps(),
            steps: world.steps(),
            after: Vec::new(),
        };
        recorder.snapshot(SnapshotReason::Start, world.snapshot())?;
        recorder.frames.flush()?;
        Ok(recorder)
    }

    /// Makes a step of the world and writes it down, and before it what was changed since the last step.
    ///
    /// # Errors
    /// [`RecordError::World`]: nothing has happened, and the recording can go on. [`RecordError::Steps`] for another
    /// world. Where the step cannot be written, the world has made it and the recording cannot go on.
    pub fn step(&mut self, world: &mut World) -> Result<WorldReport, RecordError> {
        if world.steps() != self.steps {
            return Err(RecordError::Steps { expected: self.steps, found: world.steps() });
        }
        let mut before = world.snapshot();
        let report = world.step()?;
        let pushes = take_forces(&mut before);
        if encode(&before)? != self.after {
            self.snapshot(SnapshotReason::Edit, before)?;
        }
        if !pushes.is_empty() {
            self.frames.write(FrameKind::Forces, &encode(&pushes)?)?;
        }
        self.frames.write(FrameKind::Step, &encode(&StepRecord::new(world, &report))?)?;
        self.steps = world.steps();
        let after = world.snapshot();
        if self.keyframes > 0 && (self.steps - self.first).is_multiple_of(self.keyframes) {
            self.snapshot(SnapshotReason::Keyframe, after)?;
        } else {
            self.after = encode(&after)?;
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
    fn snapshot(&mut self, reason: SnapshotReason, mut world: Snapshot) -> Result<(), RecordError> {
        take_forces(&mut world);
        self.after = encode(&world)?;
        Ok(self.frames.write(FrameKind::Snapshot, &encode(&Keyframe { reason, world })?)?)
    }
}
