//! Reading a recording: its frames are checked once and then found by their places.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::RangeInclusive;
use std::path::Path;

use super::error::{RecordingError, ReplayError};
use super::frame::{FrameError, FrameKind, FramePosition, FrameReader};
use super::header::{Header, PROGRAM};
use super::keyframe::{Keyframe, Push, SnapshotReason, decode, decode_keyframe, decode_step};
use super::replay::Replay;
use super::step_record::StepRecord;
use crate::simulator::{Simulator, SimulatorSnapshot};
use drystone_contact::generator::Registry;

/// A frame and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub kind: FrameKind,
    position: FramePosition,
    /// The step that the frame is part of or stands before: the next one for a snapshot.
    pub step: u64,
}

/// A recording that can be read: all of its frames have been checked.
pub struct Recording<R> {
    input: R,
    header: Header,
    /// All frames but the header and the end.
    entries: Vec<Entry>,
    /// The first step.
    first: u64,
    /// The step after the last one.
    next: u64,
    /// Where contact methods are looked up.
    registry: Registry,
}

impl Recording<BufReader<File>> {
    /// Opens a recording, which has to be whole.
    ///
    /// # Errors
    /// The file cannot be read, is cut off or was altered.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::new(BufReader::new(File::open(path)?))
    }

    /// Opens what is intact of a recording, as [`Recording::intact_part`] does.
    ///
    /// # Errors
    /// There is not even a start.
    pub fn open_intact_part(path: impl AsRef<Path>) -> Result<(Self, Option<RecordingError>), RecordingError> {
        Self::intact_part(BufReader::new(File::open(path)?))
    }
}

impl<R: Read + Seek> Recording<R> {
    /// Takes over a recording, which has to be whole.
    ///
    /// # Errors
    /// The input cannot be read, is cut off or was altered.
    pub fn new(input: R) -> Result<Self, RecordingError> {
        match Self::intact_part(input)? {
            (recording, None) => Ok(recording),
            (_, Some(error)) => Err(error),
        }
    }

    /// Takes over what is intact of a recording: all up to its last whole step before the first damage. The damage
    /// comes with it, if there is any.
    ///
    /// # Errors
    /// There is not even a start: a whole header and a whole snapshot.
    pub fn intact_part(mut input: R) -> Result<(Self, Option<RecordingError>), RecordingError> {
        input.rewind()?;
        let mut frames = FrameReader::new(&mut input)?;
        let mut index = Index::default();
        let damage = loop {
            let position = frames.position();
            let added = frames.read().map_err(RecordingError::from).and_then(|(kind, content)| {
                index
                    .add(kind, position, &content)
                    .map_err(|what| content_error(position, what + &index.other_program()))?;
                Ok(kind == FrameKind::End)
            });
            match added {
                Ok(false) => {}
                Ok(true) => break frames.finish().map_err(RecordingError::from).err(),
                Err(error) => break Some(error),
            }
        };
        // What was written before a step that is not there belongs to that step.
        let is_of_missing = |entry: &Entry| entry.kind == FrameKind::Forces && entry.step == index.next;
        while index.entries.last().is_some_and(is_of_missing) {
            index.entries.pop();
        }
        let Index { header, entries, first, next } = index;
        match (header, first, damage) {
            (Some(header), Some(first), damage) => {
                Ok((Self { input, header, entries, first, next, registry: Registry::default() }, damage))
            }
            // Without a start there is a damage: no other frame may be the first or the second.
            (_, _, damage) => Err(damage.unwrap_or(FrameError::Magic.into())),
        }
    }

    /// Says in which registry contact methods are looked up, instead of [`Registry::default`].
    #[must_use]
    pub fn with_registry(self, registry: Registry) -> Self {
        Self { registry, ..self }
    }

    /// Who made the recording and how.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The number of the first recorded step, from 1; of the step that would be the first if there is none.
    pub fn first_step(&self) -> u64 {
        self.first
    }

    /// The number of the step after the last recorded one.
    pub fn next_step(&self) -> u64 {
        self.next
    }

    /// The steps that a replay can begin with: the recorded ones and the one after them.
    pub fn steps(&self) -> RangeInclusive<u64> {
        self.first..=self.next
    }

    /// What the recording says of a step.
    ///
    /// # Errors
    /// [`RecordingError::NoStep`]; the file was changed since it was opened.
    pub fn record(&mut self, step: u64) -> Result<StepRecord, RecordingError> {
        let found = self.entries.iter().position(|entry| entry.kind == FrameKind::Step && entry.step == step);
        let entry = found.ok_or_else(|| self.no_step(step))?;
        self.step_record(entry)
    }

    /// A replay from the start.
    ///
    /// # Errors
    /// As [`Recording::replay_from`].
    pub fn replay(&mut self) -> Result<Replay<'_, R>, ReplayError> {
        self.replay_from(self.first)
    }

    /// A replay that stands before `step`: the steps from the nearest snapshot on have been made again and verified,
    /// and what the user did before the step is done. Its simulator goes on as the recorded one did; where `step` is
    /// the one after the last, it goes on from the end.
    ///
    /// # Errors
    /// [`RecordingError::NoStep`]; what can go wrong in a replay.
    pub fn replay_from(&mut self, step: u64) -> Result<Replay<'_, R>, ReplayError> {
        if !self.steps().contains(&step) {
            return Err(self.no_step(step).into());
        }
        let at = |entry: &Entry| entry.kind == FrameKind::Snapshot && entry.step <= step;
        // The first frame is a snapshot.
        let entry = self.entries.iter().rposition(at).unwrap_or(0);
        Replay::start(self, entry, step)
    }

    /// The frames but the header and the end.
    pub(super) fn entry(&self, entry: usize) -> Option<Entry> {
        self.entries.get(entry).copied()
    }

    /// What a frame holds.
    pub(super) fn decoded<T: serde::de::DeserializeOwned>(&mut self, entry: usize) -> Result<T, RecordingError> {
        let (position, content) = self.content(entry)?;
        decode(&content).map_err(|what| content_error(position, what))
    }

    /// The step in a frame.
    pub(super) fn step_record(&mut self, entry: usize) -> Result<StepRecord, RecordingError> {
        let (position, content) = self.content(entry)?;
        decode_step(self.header.simulator, &content).map_err(|what| content_error(position, what))
    }

    /// The keyframe in a frame.
    pub(super) fn keyframe(&mut self, entry: usize) -> Result<Keyframe, RecordingError> {
        let (position, content) = self.content(entry)?;
        decode_keyframe(self.header.simulator, &content).map_err(|what| content_error(position, what))
    }

    fn content(&mut self, entry: usize) -> Result<(FramePosition, Vec<u8>), RecordingError> {
        let position = self.entries[entry].position;
        self.input.seek(SeekFrom::Start(position.at))?;
        let (_, content) = FrameReader::at(&mut self.input, position).read()?;
        Ok((position, content))
    }

    /// The simulator of a snapshot that a frame holds.
    pub(super) fn restored(
        &self,
        entry: usize,
        snapshot: &SimulatorSnapshot,
    ) -> Result<Box<dyn Simulator>, RecordingError> {
        snapshot.restored(&self.registry).map_err(|error| self.unusable(entry, error))
    }

    /// That a frame's content cannot be used.
    pub(super) fn unusable(&self, entry: usize, what: impl ToString) -> RecordingError {
        content_error(self.entries[entry].position, what.to_string())
    }

    fn no_step(&self, step: u64) -> RecordingError {
        RecordingError::NoStep { step, first: self.first, last: self.next }
    }
}

fn content_error(position: FramePosition, what: String) -> RecordingError {
    RecordingError::Content { frame: position.frame, at: position.at, what }
}

/// The frames read so far.
#[derive(Default)]
struct Index {
    header: Option<Header>,
    entries: Vec<Entry>,
    first: Option<u64>,
    next: u64,
}

impl Index {
    /// A remark if another program wrote the recording: that may be why a frame cannot be read.
    fn other_program(&self) -> String {
        match &self.header {
            Some(header) if header.program != PROGRAM => format!(" (written by {}, read by {PROGRAM})", header.program),
            _ => String::new(),
        }
    }

    /// Adds a frame that stands where it may; says what is wrong with it otherwise.
    fn add(&mut self, kind: FrameKind, position: FramePosition, content: &[u8]) -> Result<(), String> {
        let after = |kind| self.entries.last().is_some_and(|entry: &Entry| entry.kind == kind);
        let step = match (kind, &self.header, self.first) {
            (FrameKind::Header, None, _) => {
                let text = std::str::from_utf8(content).map_err(|e| format!("it is no header: {e}"))?;
                self.header = Some(serde_json::from_str(text).map_err(|e| format!("it is no header: {e}"))?);
                return Ok(());
            }
            (_, None, _) => return Err("the first frame should be a header".into()),
            (FrameKind::Header, Some(_), _) => return Err("it is a second header".into()),
            (FrameKind::Snapshot, Some(header), first) => {
                let Keyframe { reason, state } = decode_keyframe(header.simulator, content)?;
                let next = state.steps().checked_add(1).ok_or("its number of steps is too large")?;
                if first.is_none() != (reason == SnapshotReason::Start) {
                    return Err("a recording has one start, before everything else".into());
                }
                if first.is_some() && next != self.next || after(FrameKind::Forces) {
                    return Err(format!("it is a snapshot before step {next}, out of place"));
                }
                (self.first, self.next) = (first.or(Some(next)), next);
                next
            }
            (_, _, None) => return Err("the second frame should be a snapshot".into()),
            (FrameKind::Forces, ..) => {
                decode::<Vec<Push>>(content)?;
                if after(FrameKind::Forces) {
                    return Err("it holds forces for a step that has some".into());
                }
                self.next
            }
            (FrameKind::Step, Some(header), _) => {
                let step = decode_step(header.simulator, content)?.step;
                if step != self.next {
                    return Err(format!("it is step {step} in place of step {}", self.next));
                }
                self.next = step.checked_add(1).ok_or("its number is too large")?;
                step
            }
            (FrameKind::End, ..) if !content.is_empty() => return Err("the last frame holds something".into()),
            (FrameKind::End, ..) if after(FrameKind::Forces) => return Err("a step should follow the forces".into()),
            (FrameKind::End, ..) => return Ok(()),
        };
        self.entries.push(Entry { kind, position, step });
        Ok(())
    }
}
