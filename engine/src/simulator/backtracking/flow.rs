//! The motion of all bodies over an interval: with the contacts that they have at its start.

use super::integrator::integrate;
use super::reactions::{Course, courses, reactions};
use super::sets::{Sets, Touch, relative_pose};
use super::{BacktrackingError, BacktrackingSettings, Work};
use crate::body::Body;
use drystone_contact::vclip::RelativePose;
use std::cell::{Cell, RefCell};

/// An interval that begins now. It can be asked for the bodies at any time after, always integrated from the start, so
/// that a state which is looked at and one that is accepted are the same.
pub struct Flow<'a> {
    pub settings: &'a BacktrackingSettings,
    pub sets: &'a Sets,
    /// At the start.
    pub bodies: &'a [Body],
    pub touches: &'a [Touch],
    /// What each contact does.
    pub courses: Vec<Course>,
    pub work: &'a Cell<Work>,
    /// The first thing that went wrong in a search, which knows no errors.
    failure: RefCell<Option<BacktrackingError>>,
}

impl<'a> Flow<'a> {
    pub fn new(
        settings: &'a BacktrackingSettings,
        sets: &'a Sets,
        bodies: &'a [Body],
        touches: &'a [Touch],
        work: &'a Cell<Work>,
    ) -> Self {
        let courses = courses(settings, sets, bodies, touches);
        Self { settings, sets, bodies, touches, courses, work, failure: RefCell::new(None) }
    }

    /// The bodies after a time, s.
    ///
    /// # Errors
    /// [`BacktrackingError::Solver`].
    pub fn at(&self, time: f64) -> Result<Vec<Body>, BacktrackingError> {
        if time == 0.0 {
            return Ok(self.bodies.to_vec());
        }
        let mut work = self.work.get();
        let accelerations = |bodies: &[Body]| {
            let found = reactions(self.settings, self.sets, bodies, self.touches, &self.courses, &mut work)?;
            Ok(found.accelerations)
        };
        let moved = integrate(self.bodies, time, accelerations);
        self.work.set(work);
        moved
    }

    /// Where two bodies are in each other's frames after a time, for V-Clip to be asked. After a failure, where they
    /// are at the start.
    pub fn relative_pose(&self, time: f64, pair: [usize; 2]) -> RelativePose {
        self.count_call();
        match self.at(time) {
            Ok(bodies) => relative_pose(&bodies, pair),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                relative_pose(self.bodies, pair)
            }
        }
    }

    /// What went wrong since it was asked last.
    ///
    /// # Errors
    /// That.
    pub fn check(&self) -> Result<(), BacktrackingError> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Counts a question to V-Clip.
    pub fn count_call(&self) {
        let work = self.work.get();
        self.work.set(Work { vclip_calls: work.vclip_calls + 1, ..work });
    }

    /// The last time up to `end` at which something holds that holds no longer at `end`, by halving.
    ///
    /// # Errors
    /// [`BacktrackingError::Solver`].
    pub fn last(&self, end: f64, holds: impl Fn(&[Body]) -> bool) -> Result<f64, BacktrackingError> {
        let (mut low, mut high) = (0.0, end);
        if !holds(self.bodies) {
            return Ok(low);
        }
        for _ in 0..HALVINGS.min(self.settings.most_halvings) {
            let middle = 0.5 * (low + high);
            if holds(&self.at(middle)?) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// Halvings that find a time to a few parts in 10⁸ of an interval.
const HALVINGS: usize = 26;
