//! A replay: makes recorded steps again and verifies each of them to the last bit.

use std::any::Any;
use std::io::{Read, Seek};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::ReplayError;
use super::frame::FrameKind;
use super::keyframe::{Push, SnapshotReason, encode, encode_state, push, take_forces};
use super::reader::Recording;
use super::step_record::{Difference, StepRecord};
use crate::body::BodyId;
use crate::simulator::{Simulator, SimulatorSnapshot};
use crate::world::{World, WorldReport};

/// A replay that stands before a step.
pub struct Replay<'a, R> {
    recording: &'a mut Recording<R>,
    simulator: Box<dyn Simulator>,
    /// The next frame.
    entry: usize,
    /// As by [`Simulator::stop_when`].
    stop: Option<Arc<AtomicBool>>,
}

impl<'a, R: Read + Seek> Replay<'a, R> {
    /// Goes from the snapshot in a frame to where `step` can be made.
    pub(super) fn start(recording: &'a mut Recording<R>, entry: usize, step: u64) -> Result<Self, ReplayError> {
        let keyframe = recording.keyframe(entry)?;
        let simulator = recording.restored(entry, &keyframe.state)?;
        let mut replay = Self { recording, simulator, entry: entry + 1, stop: None };
        while replay.next_step() < step && replay.step()?.is_some() {}
        replay.prepare()?;
        Ok(replay)
    }

    /// The number of the step that [`Replay::step`] makes next.
    pub fn next_step(&self) -> u64 {
        self.simulator.steps() + 1
    }

    /// The simulator as the last step left it; before the first step of the replay, with what the user did to it for
    /// that.
    pub fn simulator(&self) -> &dyn Simulator {
        &*self.simulator
    }

    /// Lets long steps end before their time once the flag is set, as by [`Simulator::stop_when`].
    pub fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.simulator.stop_when(Arc::clone(&flag));
        self.stop = Some(flag);
    }

    /// The simulator, to go on with it in another way.
    pub fn into_simulator(self) -> Box<dyn Simulator> {
        self.simulator
    }

    /// The world, to go on with it in another way; `None` if another simulator made the recording.
    pub fn into_world(self) -> Option<World> {
        let simulator: Box<dyn Any> = self.simulator;
        simulator.downcast().ok().map(|world| *world)
    }

    /// Does what the user did, makes the next step and verifies it; `None` at the end of the recording.
    ///
    /// # Errors
    /// [`ReplayError::Differs`] with the first difference; a step that can no longer be made; a damaged recording.
    pub fn step(&mut self) -> Result<Option<WorldReport>, ReplayError> {
        self.prepare()?;
        if self.recording.entry(self.entry).is_none() {
            return Ok(None);
        }
        let recorded = self.recording.step_record(self.entry)?;
        let step = recorded.step;
        let report = self.simulator.step().map_err(|source| ReplayError::Step { step, source })?;
        if let Some(difference) = recorded.difference(&StepRecord::new(&*self.simulator, &report)) {
            return Err(ReplayError::Differs(Box::new(difference)));
        }
        self.entry += 1;
        Ok(Some(report))
    }

    /// Verifies keyframes and does what the user did, up to the next step.
    fn prepare(&mut self) -> Result<(), ReplayError> {
        while let Some(next) = self.recording.entry(self.entry).filter(|next| next.kind != FrameKind::Step) {
            if next.kind == FrameKind::Forces {
                let pushes: Vec<Push> = self.recording.decoded(self.entry)?;
                push(&mut *self.simulator, &pushes).map_err(|error| {
                    let what = error.map_or("it pushes a body that is not there".into(), |error| error.to_string());
                    self.recording.unusable(self.entry, what)
                })?;
            } else {
                let keyframe = self.recording.keyframe(self.entry)?;
                if keyframe.reason == SnapshotReason::Edit {
                    self.simulator = self.recording.restored(self.entry, &keyframe.state)?;
                    if let Some(flag) = &self.stop {
                        self.simulator.stop_when(Arc::clone(flag));
                    }
                } else {
                    self.verify(&keyframe.state)?;
                }
            }
            self.entry += 1;
        }
        Ok(())
    }

    /// Compares the simulator with a keyframe.
    fn verify(&self, recorded: &SimulatorSnapshot) -> Result<(), ReplayError> {
        let mut found = self.simulator.snapshot();
        take_forces(&mut found);
        if encode_state(recorded).ok() == encode_state(&found).ok() {
            return Ok(());
        }
        let differ = |quantity, body, recorded: String, found: String| {
            let step = self.simulator.steps();
            Err(ReplayError::Differs(Box::new(Difference { step, body, quantity, recorded, found })))
        };
        for (id, (recorded, found)) in (0..).map(BodyId::new).zip(recorded.bodies().iter().zip(found.bodies())) {
            if encode(recorded).ok() != encode(found).ok() {
                return differ("body in the snapshot", Some(id), format!("{recorded:?}"), format!("{found:?}"));
            }
        }
        // What contacts are remembered by, settings, materials: too much to be shown.
        let size =
            |snapshot: &SimulatorSnapshot| format!("{} bytes", encode_state(snapshot).map_or(0, |bytes| bytes.len()));
        differ("snapshot, bodies aside", None, size(recorded), size(&found))
    }
}
