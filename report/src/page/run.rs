//! A run on its way into the page: its moments, under a budget of bytes.

use std::sync::Arc;

use super::moment::Moment;
use crate::inspection::{Frame, Subject};

/// The moments of a run.
///
/// All frames are kept until the budget is reached. From then on every second goes, so that the run always reaches from its
/// first frame to its last, ever more coarsely.
#[derive(Clone)]
pub struct Run {
    subject: Arc<Subject>,
    /// With the number of the frame, from 0.
    moments: Vec<(u64, Moment)>,
    /// The last frame, if its turn has not come.
    last: Option<Frame>,
    frames: u64,
    every: u64,
    bytes: usize,
    budget: usize,
}

impl Run {
    /// A run without frames. At least the first and the last frame are kept, whatever they take.
    pub fn new(subject: Arc<Subject>, budget: usize) -> Self {
        Self { subject, moments: Vec::new(), last: None, frames: 0, every: 1, bytes: 0, budget }
    }

    /// Adds the next frame.
    pub fn add(&mut self, frame: Frame) {
        let number = self.frames;
        self.frames += 1;
        if !number.is_multiple_of(self.every) {
            self.last = Some(frame);
            return;
        }
        self.last = None;
        self.take(number, &frame);
        while self.bytes > self.budget && self.thin() {}
    }

    fn take(&mut self, number: u64, frame: &Frame) {
        // What was the last one until now stays only if its turn has come.
        if let Some((_, last)) = self.moments.pop_if(|(number, _)| !number.is_multiple_of(self.every)) {
            self.bytes -= last.bytes();
        }
        let moment = Moment::new(&self.subject, frame);
        self.bytes += moment.bytes();
        self.moments.push((number, moment));
    }

    /// Drops every second frame; `false`: there are only the first and the last.
    pub fn thin(&mut self) -> bool {
        if self.moments.len() <= 2 {
            return false;
        }
        self.every *= 2;
        let (every, last) = (self.every, self.moments.len() - 1);
        let mut places = 0..;
        self.moments.retain(|(number, _)| places.next() == Some(last) || number.is_multiple_of(every));
        self.bytes = self.moments().map(Moment::bytes).sum();
        true
    }

    /// Ends it: the last frame belongs to it whether its turn has come or not.
    pub fn finish(&mut self) {
        if let Some(frame) = self.last.take() {
            self.take(self.frames - 1, &frame);
        }
    }

    /// What it is about.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Its moments, in order.
    pub(super) fn moments(&self) -> impl ExactSizeIterator<Item = &Moment> {
        self.moments.iter().map(|(_, moment)| moment)
    }

    /// The steps that are kept, in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = u64> {
        self.moments().map(|moment| moment.packed.step)
    }

    /// Of how many frames one is kept.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// How much it takes of the page, bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
