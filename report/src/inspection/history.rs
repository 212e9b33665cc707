//! The moments of a run, under a budget of memory.
//!
//! All steps are kept until the budget is reached. From then on the history thins itself: every second of the kept steps goes,
//! so that it always reaches from the first step to the last one, ever more coarsely. The numbers of all steps stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::frame::{Frame, Numbers};

/// The moments of a run.
#[derive(Clone, Debug)]
pub struct History {
    frames: BTreeMap<u64, Arc<Frame>>,
    numbers: BTreeMap<u64, Numbers>,
    bytes: usize,
    budget: usize,
    /// Of steps older than the last, those whose number this divides are kept.
    every: u64,
}

impl History {
    /// 1 GiB.
    pub const DEFAULT_BUDGET: usize = 1 << 30;

    /// An empty history that may take up to so many bytes for its frames. At least the first and the last frame are kept.
    pub fn new(budget: usize) -> Self {
        Self { frames: BTreeMap::new(), numbers: BTreeMap::new(), bytes: 0, budget, every: 1 }
    }

    /// Adds a frame, or puts it in the place of the one of the same step.
    pub fn add(&mut self, frame: Arc<Frame>) {
        let before = self.last_step();
        self.numbers.insert(frame.step, frame.numbers);
        self.bytes += frame.bytes();
        let step = frame.step;
        if let Some(old) = self.frames.insert(step, frame) {
            self.bytes -= old.bytes();
        }
        // What was the last frame until now is kept only if its turn has come.
        if let Some(before) = before.filter(|&before| before < step) {
            self.thin(before..=before);
        }
        while self.bytes > self.budget && self.frames.len() > 2 {
            self.every *= 2;
            self.thin(0..=u64::MAX);
        }
    }

    fn thin(&mut self, steps: std::ops::RangeInclusive<u64>) {
        let ends = (self.frames.keys().next().copied(), self.last_step());
        let goes = |&step: &u64| !step.is_multiple_of(self.every) && Some(step) != ends.0 && Some(step) != ends.1;
        let gone: Vec<u64> = self.frames.range(steps).map(|(&step, _)| step).filter(goes).collect();
        for step in gone {
            self.bytes -= self.frames.remove(&step).map_or(0, |frame| frame.bytes());
        }
    }

    /// The frame of a step, or the nearest kept one before it; the first one for steps before that.
    pub fn at(&self, step: u64) -> Option<&Arc<Frame>> {
        let before = self.frames.range(..=step).next_back();
        before.or_else(|| self.frames.first_key_value()).map(|(_, frame)| frame)
    }

    /// The kept frame after that of a step.
    pub fn after(&self, step: u64) -> Option<&Arc<Frame>> {
        self.frames.range(step.saturating_add(1)..).find(|(at, _)| **at > step).map(|(_, frame)| frame)
    }

    /// The kept frame before that of a step.
    pub fn before(&self, step: u64) -> Option<&Arc<Frame>> {
        self.frames.range(..step).next_back().map(|(_, frame)| frame)
    }

    /// The kept frames, in the order of their steps.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Arc<Frame>> {
        self.frames.values()
    }

    /// The numbers of all steps, kept or not.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = (u64, &Numbers)> {
        self.numbers.iter().map(|(&step, numbers)| (step, numbers))
    }

    /// The first step.
    pub fn first_step(&self) -> Option<u64> {
        self.frames.first_key_value().map(|(&step, _)| step)
    }

    /// The last step.
    pub fn last_step(&self) -> Option<u64> {
        self.frames.last_key_value().map(|(&step, _)| step)
    }

    /// How many frames are kept.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The memory that the frames take, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The memory that they may take, bytes.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Changes it; frames go at once if there are too many.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        while self.bytes > self.budget && self.frames.len() > 2 {
            self.every *= 2;
            self.thin(0..=u64::MAX);
        }
    }

    /// Of how many steps one is kept: 1 as long as the budget suffices.
    pub fn every(&self) -> u64 {
        self.every
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new(Self::DEFAULT_BUDGET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_engine::Energy;

    fn frame(step: u64) -> Arc<Frame> {
        let numbers = Numbers {
            contacts: step as usize,
            pairs: 0,
            energy: Energy { kinetic: 0.0, potential: 0.0 },
            deepest: 0.0,
            sweeps: None,
            residual: None,
            coverage: None,
            quality: None,
            surfaces: None,
        };
        let (poses, velocities, contacts) = (Vec::new(), Vec::new(), Vec::new());
        let surfaces = Vec::new();
        Arc::new(Frame { step, time: 0.0, poses, velocities, surfaces, contacts, impulses: None, numbers })
    }

    fn filled(steps: u64, frames: usize) -> History {
        let mut history = History::new(frames * frame(0).bytes());
        (0..=steps).for_each(|step| history.add(frame(step)));
        history
    }

    #[test]
    fn everything_is_kept_under_the_budget() {
        let history = filled(99, 100);
        assert_eq!((history.len(), history.every()), (100, 1));
        assert!((0..100).all(|step| history.at(step).unwrap().step == step));
    }

    #[test]
    fn above_the_budget_it_reaches_from_the_first_step_to_the_last_all_the_same() {
        let history = filled(1001, 100);
        assert!(history.bytes() <= history.budget() && history.len() > 50, "{} frames", history.len());
        assert_eq!((history.first_step(), history.last_step()), (Some(0), Some(1001)));
        assert_eq!(history.numbers().count(), 1002);
        let every = history.every();
        assert!(every >= 16 && every.is_power_of_two());
        let steps: Vec<u64> = history.frames().map(|frame| frame.step).collect();
        assert!(steps[..steps.len() - 1].iter().all(|step| step.is_multiple_of(every)), "{steps:?}");
        let between = history.at(every + 3).unwrap().step;
        assert_eq!((between, history.after(between).unwrap().step), (every, 2 * every));
        assert_eq!(history.before(every).unwrap().step, 0);
    }

    #[test]
    fn a_frame_takes_the_place_of_that_of_its_step() {
        let mut history = filled(3, 10);
        let bytes = history.bytes();
        history.add(frame(2));
        assert_eq!((history.len(), history.bytes()), (4, bytes));
        history.set_budget(0);
        assert_eq!((history.len(), history.first_step(), history.last_step()), (2, Some(0), Some(3)));
        assert!(History::default().at(4).is_none());
    }
}
