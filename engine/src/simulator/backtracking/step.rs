//! A step: intervals, each as far as the first event.

use super::flow::Flow;
use super::impulses::{collide, island_of};
use super::reactions::{courses, reactions};
use super::retreat::{Beginning, Trouble, promoted, trouble};
use super::sets::Touch;
use super::settle::settle;
use super::{BacktrackingError, BacktrackingReport, BacktrackingSimulator, Event, EventKind, SetContact, Work};
use crate::body::Body;
use crate::stepper::Energy;
use drystone_contact::vclip::Outcome;
use glam::DVec3;
use std::cell::Cell;

/// The share of an interval below which none is cut because friction turns.
const SHORTEST: f64 = 0.01;

/// How far an interval got.
struct Reached {
    /// s.
    time: f64,
    bodies: Vec<Body>,
    least_gap: f64,
    beginning: Option<Beginning>,
}

impl BacktrackingSimulator {
    /// Moves all bodies on by a time, s.
    ///
    /// # Errors
    /// [`BacktrackingError::TimeStep`], [`BacktrackingError::State`], [`BacktrackingError::Overlapping`],
    /// [`BacktrackingError::Material`], [`BacktrackingError::Unresolved`], [`BacktrackingError::Solver`].
    pub fn advance(&mut self, time: f64) -> Result<BacktrackingReport, BacktrackingError> {
        self.advance_watched(time, |_, _| {})
    }

    /// As [`BacktrackingSimulator::advance`]; `watch` sees the bodies at every accepted time (s), before and after each impulse.
    ///
    /// # Errors
    /// As [`BacktrackingSimulator::advance`].
    pub fn advance_watched(
        &mut self,
        time: f64,
        mut watch: impl FnMut(f64, &[Body]),
    ) -> Result<BacktrackingReport, BacktrackingError> {
        if !(time.is_finite() && time > 0.0) {
            return Err(BacktrackingError::TimeStep(time));
        }
        self.check_states()?;
        let work = Cell::new(Work::default());
        self.check_start(&work)?;
        let begin = self.time;
        let intervals = (time / self.settings.interval).ceil().max(1.0);
        let (mut events, mut accepted, mut least_gap) = (Vec::new(), 0, f64::INFINITY);
        let mut unfinished = 0.0;
        'step: for interval in 0..intervals as u64 {
            let end = begin + time * ((interval + 1) as f64 / intervals);
            let mut left = time / intervals;
            while left > 0.0 {
                if events.len() >= self.settings.most_events {
                    unfinished = begin + time - self.time;
                    break 'step;
                }
                let reached = self.reach(left, &work)?;
                left = if reached.time < left { left - reached.time } else { 0.0 };
                self.time = end - left;
                self.bodies = reached.bodies;
                self.check_states()?;
                self.sets.follow(&self.bodies, &self.settings);
                least_gap = least_gap.min(reached.least_gap);
                accepted += 1;
                watch(self.time, &self.bodies);
                if let Some(beginning) = reached.beginning {
                    events.push(self.begin(&beginning, &work)?);
                    watch(self.time, &self.bodies);
                }
            }
        }
        let contacts = self.contacts(&work)?;
        self.steps += 1;
        let energy = Energy::of(&self.bodies, &self.settings.forces);
        let (time, work) = (self.time, work.get());
        Ok(BacktrackingReport { time, unfinished, accepted, events, work, least_gap, contacts, energy })
    }

    /// The bodies after a time, or at the first event before.
    fn reach(&mut self, left: f64, work: &Cell<Work>) -> Result<Reached, BacktrackingError> {
        let touches = self.sets.touches(&self.bodies, &self.materials)?;
        let flow = Flow::new(&self.settings, &self.sets, &self.bodies, &touches, work);
        let lasts = flow.courses.iter().map(|course| course.lasts).fold(left, f64::min);
        let shortest = SHORTEST * self.settings.interval;
        let (mut time, mut beginning, mut halvings) = (lasts.max(shortest).min(left), None, 0);
        let mut looks = 0;
        loop {
            let bodies = flow.at(time)?;
            let (found, least_gap) = trouble(&flow, &mut self.nearness, time, &bodies)?;
            looks += 1;
            let unresolved = |pair: [usize; 2], pieces| {
                let [a, b] = self.sets.pair(pair);
                BacktrackingError::Unresolved { a, b, pieces, time: self.time }
            };
            match found {
                None => return Ok(Reached { time, bodies, least_gap, beginning }),
                // What begins now is what ends the interval, whatever else it looks like.
                Some(Trouble::From(from, new)) if from < time || beginning.is_none() => {
                    (time, beginning) = (from, Some(new));
                    if from == 0.0 {
                        let bodies = self.bodies.clone();
                        return Ok(Reached { time, bodies, least_gap: f64::INFINITY, beginning });
                    }
                }
                Some(Trouble::From(..)) => return Ok(Reached { time, bodies, least_gap, beginning }),
                Some(Trouble::Unexplained(pair, pieces)) => {
                    if halvings == self.settings.most_halvings {
                        return Err(unresolved(pair, pieces));
                    }
                    halvings += 1;
                    work.set(Work { halvings: work.get().halvings + 1, ..work.get() });
                    (time, beginning) = (0.5 * time, None);
                }
            }
            if looks > 4 * self.settings.most_halvings {
                let touch = touches.first().map_or(([0, 0], [0, 0]), |touch| (touch.bodies, touch.pieces));
                return Err(unresolved(touch.0, touch.1));
            }
        }
    }

    /// What an event does to the bodies and the sets.
    fn begin(&mut self, beginning: &Beginning, work: &Cell<Work>) -> Result<Event, BacktrackingError> {
        let hold = self.settings.hold * self.settings.reach.enter;
        let (pair, pieces, features) = match *beginning {
            Beginning::Near { bodies, pieces, closest, .. } => {
                let features = promoted(&self.settings, &self.sets, &self.bodies, beginning);
                let rest = hold.min(closest.distance);
                self.sets.add(&self.bodies, (bodies, pieces), &features, rest, &self.settings);
                (bodies, pieces, closest.pair)
            }
            Beginning::Sunk(touch) | Beginning::Stick(touch) => (touch.bodies, touch.pieces, touch.pair),
        };
        let touches = self.sets.touches(&self.bodies, &self.materials)?;
        let mut island = island_of(&self.bodies, &touches, pair);
        // What was promoted and sinks slowly to where it will be held is not to be stopped before.
        island.retain(|touch| {
            self.sets.row(touch, &self.bodies).is_none_or(|row| {
                row.gap <= self.settings.reach.leave || row.normal_speed < -self.settings.collision_speed
            })
        });
        let speed_of = |touch: &Touch| self.sets.row(touch, &self.bodies).map(|row| row.normal_speed);
        let same = |touch: &&Touch| touch.bodies == pair && touch.pieces == pieces;
        let exact = island.iter().filter(same).filter(|touch| touch.pair == features).find_map(speed_of);
        // Under another name it is the one that approaches fastest.
        let any = island.iter().filter(same).filter_map(speed_of).fold(0.0, f64::min);
        let normal_speed = exact.unwrap_or(any);
        let is_fast = normal_speed < -self.settings.collision_speed;
        let kind = match (beginning, is_fast) {
            (Beginning::Near { .. }, true) => EventKind::Collision,
            (Beginning::Near { .. }, false) => EventKind::Contact,
            (Beginning::Sunk(_), true) => EventKind::Rebound,
            (Beginning::Sunk(_), false) => EventKind::Return,
            (Beginning::Stick(_), _) => EventKind::Stick,
        };
        let mut done = work.get();
        if kind != EventKind::Stick {
            collide(&self.settings, &self.sets, &mut self.bodies, &island, &mut done)?;
        }
        work.set(done);
        settle(&self.settings, &self.sets, &mut self.bodies, &island, kind != EventKind::Stick);
        self.check_states()?;
        Ok(Event { time: self.time, kind, bodies: self.sets.pair(pair), pieces, pair: features, normal_speed })
    }

    /// The contacts where the bodies are, with their forces.
    fn contacts(&self, work: &Cell<Work>) -> Result<Vec<SetContact>, BacktrackingError> {
        let touches = self.sets.touches(&self.bodies, &self.materials)?;
        let courses = courses(&self.settings, &self.sets, &self.bodies, &touches);
        let mut done = work.get();
        let found = reactions(&self.settings, &self.sets, &self.bodies, &touches, &courses, &mut done)?;
        done.torsion_ignored = touches.iter().filter(|touch| touch.has_torsion).count();
        work.set(done);
        Ok(self.set_contacts(&touches, &found.forces))
    }

    /// The contacts where the bodies are, without their forces; pieces that overlap are an error.
    pub(super) fn contacts_now(&mut self) -> Result<Vec<SetContact>, BacktrackingError> {
        self.check_states()?;
        self.check_start(&Cell::default())?;
        let touches = self.sets.touches(&self.bodies, &self.materials)?;
        Ok(self.set_contacts(&touches, &vec![DVec3::ZERO; touches.len()]))
    }

    fn set_contacts(&self, touches: &[Touch], forces: &[DVec3]) -> Vec<SetContact> {
        let contact = |(touch, &force): (&Touch, &DVec3)| {
            let row = self.sets.row(touch, &self.bodies)?;
            let position = 0.5 * (row.points[0] + row.points[1]);
            let Touch { pieces, pair, .. } = *touch;
            let bodies = self.sets.pair(touch.bodies);
            Some(SetContact { bodies, pieces, pair, position, normal: row.normal, gap: row.gap, force })
        };
        touches.iter().zip(forces).filter_map(contact).collect()
    }

    fn check_states(&self) -> Result<(), BacktrackingError> {
        match self.bodies.iter().position(|body| !body.state_is_finite()) {
            Some(index) => Err(BacktrackingError::State { body: self.sets.handle(index) }),
            None => Ok(()),
        }
    }

    /// Follows the sets to where the bodies were put, and makes sure that they are apart.
    fn check_start(&mut self, work: &Cell<Work>) -> Result<(), BacktrackingError> {
        self.sets.drop_disabled(&self.bodies);
        self.sets.follow(&self.bodies, &self.settings);
        let reach = self.settings.reach.leave;
        for pair in self.nearness.candidates(&self.sets, &self.bodies, reach) {
            work.set(Work { vclip_calls: work.get().vclip_calls + 1, ..work.get() });
            let near = self.nearness.ask(&self.sets, &self.bodies, pair, reach);
            if let Some(near) = near.iter().find(|near| matches!(near.outcome, Outcome::Overlapping { .. })) {
                let [a, b] = self.sets.pair(pair);
                return Err(BacktrackingError::Overlapping { a, b, pieces: near.pieces });
            }
        }
        Ok(())
    }
}
