//! The simulation of a surface: one queue of the ticks of all forces. What can be seen of it is in `observation`.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::blocks::BlockMotion;
use super::clock::{Clock, Ticks};
use super::contacts::Contacts;
use super::elasticity::{Level, levels};
use super::error::AsynchronousError;
use super::force_key::ForceKey;
use super::layers::ContactLaw;
use super::profile::{EventKind, EventProfile};
use super::queue::EventQueue;
use super::speculative::{WindowReport, Windows};
use super::surface::DeformableSurface;
use super::vertices::{Motion, Vertices};

mod observation;

/// The step of gravity, s. It has no stiffness, so any would be stable.
const GRAVITY_STEP: f64 = 1e-3;

/// The rank of forces at one time with others: after certificates, before contact.
const FORCES: u64 = 1;

/// Events of the queue after which it is looked whether to stop.
const EVENTS_BETWEEN_LOOKS: u32 = 256;

/// From a time on, vertices have a velocity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VelocityKey {
    /// s.
    pub time: f64,
    /// Which.
    pub vertices: Vec<u32>,
    /// m/s.
    pub velocity: DVec3,
}

/// A surface that moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AsynchronousSimulation {
    pub(super) surface: DeformableSurface,
    pub(super) vertices: Vertices,
    /// m/s².
    pub(super) gravity: DVec3,
    pub(super) gravity_clock: Clock,
    /// Springs and hinges. Events are gravity, these, prescribed velocities, the obstacles, then those of contact.
    #[serde(skip)]
    levels: Vec<Level>,
    /// In the order of their times.
    keys: Vec<VelocityKey>,
    /// Prescribed forces, in the order of their times. They act when gravity does.
    pub(super) forces: Vec<ForceKey>,
    /// How many velocities have passed.
    pub(super) passed: usize,
    /// When each obstacle goes on to the next piece of its path; the largest time of those that rest.
    pub(super) pieces: Vec<Ticks>,
    pub(super) contacts: Option<Contacts>,
    /// Contact by windows in place of certificates.
    pub(super) windows: Option<Windows>,
    /// Memory of ticks.
    #[serde(skip)]
    motions: Vec<BlockMotion>,
    pub(super) queue: EventQueue,
    pub(super) now: Ticks,
    pub(super) events: u64,
    #[serde(skip)]
    pub(super) profile: EventProfile,
}

/// What a window that is run again begins with.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    pub motion: Motion,
    pub queue: EventQueue,
    pub pieces: Vec<Ticks>,
    pub passed: usize,
    pub now: Ticks,
    pub events: u64,
}

impl AsynchronousSimulation {
    /// A surface at rest in a gravity field (m/s²). Vertices that are `prescribed` are moved by no force, but by
    /// [`AsynchronousSimulation::set_velocity`].
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn new(surface: DeformableSurface, prescribed: &[u32], gravity: DVec3) -> Result<Self, AsynchronousError> {
        if !gravity.is_finite() {
            let value = gravity.length();
            return Err(AsynchronousError::Parameter { what: "gravity", value, must: "finite" });
        }
        let mut inverse_masses: Vec<f64> = surface.masses().iter().map(|mass| 1.0 / mass).collect();
        for &vertex in prescribed {
            let count = inverse_masses.len();
            let weight = inverse_masses.get_mut(vertex as usize);
            *weight.ok_or(AsynchronousError::NoVertex { vertex, count })? = 0.0;
        }
        let vertices = Vertices::at_rest(surface.positions().to_vec(), inverse_masses);
        let mut vertices = vertices.with_bodies(surface.bodies().to_vec());
        prescribed.iter().try_for_each(|&vertex| check_free(&vertices, vertex))?;
        let levels = levels(&surface, &mut vertices)?;
        let gravity_clock = Clock::with_step(GRAVITY_STEP).unwrap_or_else(|| unreachable!("longer than a tick"));
        let mut queue = EventQueue::default();
        let clocks = std::iter::once(gravity_clock).chain(levels.iter().map(|level| level.clock));
        for (event, clock) in (0..).zip(clocks) {
            queue.set_rank(event, FORCES);
            if event > 0 || gravity != DVec3::ZERO {
                queue.schedule(event, clock.after(Ticks::default()));
            }
        }
        let keys_event = 1 + levels.len() as u32;
        queue.set_rank(keys_event, FORCES);
        queue.set_rank(keys_event + 1, FORCES);
        let (now, keys) = (Ticks::default(), Vec::new());
        let (contacts, passed, events, profile) = (None, 0, 0, EventProfile::default());
        let pieces = vec![now; surface.obstacles().len()];
        if !pieces.is_empty() {
            queue.schedule(keys_event + 1, now);
        }
        Ok(Self {
            surface,
            vertices,
            gravity,
            gravity_clock,
            levels,
            keys,
            forces: Vec::new(),
            passed,
            pieces,
            contacts,
            windows: None,
            motions: Vec::new(),
            queue,
            now,
            events,
            profile,
        })
    }

    /// Makes anew what a snapshot leaves out because it follows from the rest; whether the rest fits together.
    pub(super) fn rebuild(&mut self) -> Result<bool, AsynchronousError> {
        let count = self.vertices.len();
        if !(self.surface.is_consistent()
            && self.surface.positions().len() == count
            && self.vertices.is_consistent(self.now)
            && Some(self.gravity_clock) == Clock::with_step(GRAVITY_STEP)
            && self.queue.is_consistent()
            && self.passed <= self.keys.len()
            && self.keys.iter().flat_map(|key| &key.vertices).all(|&v| (v as usize) < count)
            && self.forces.iter().flat_map(|key| &key.vertices).all(|&v| (v as usize) < count)
            && self.pieces.len() == self.surface.obstacles().len())
        {
            return Ok(false);
        }
        self.levels = levels(&self.surface, &mut self.vertices)?;
        let first_event = self.first_contact_event();
        let mut end = first_event;
        if let Some(contacts) = &mut self.contacts {
            if !contacts.rebuild(&self.surface, first_event) {
                return Ok(false);
            }
            end = contacts.end_of_events();
        }
        if let Some(windows) = &mut self.windows
            && !windows.rebuild(&self.surface, &self.vertices, self.now)
        {
            return Ok(false);
        }
        Ok(self.queue.events().all(|(time, event)| time >= self.now && event < end))
    }

    /// Drops what follows from the rest, so that it can be compared and written.
    pub(super) fn clear(&mut self) {
        (self.levels, self.motions) = Default::default();
        self.profile = EventProfile::default();
        self.vertices.clear();
        if let Some(windows) = &mut self.windows {
            windows.clear();
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.clear();
        }
    }

    /// Gives vertices velocities at times from now on.
    ///
    /// # Errors
    /// [`AsynchronousError`]: a time before the present, or a vertex or velocity that is none.
    pub fn with_velocities(mut self, keys: Vec<VelocityKey>) -> Result<Self, AsynchronousError> {
        for key in &keys {
            if key.time.is_nan() || Ticks::at(key.time) < self.now || key.time < 0.0 {
                return Err(AsynchronousError::Time { now: self.time(), time: key.time });
            }
            key.vertices.iter().try_for_each(|&vertex| self.check_velocity(vertex, key.velocity))?;
        }
        self.keys.extend(keys);
        self.keys[self.passed..].sort_by(|a, b| a.time.total_cmp(&b.time));
        self.schedule_key();
        Ok(self)
    }

    fn schedule_key(&mut self) {
        let event = 1 + self.levels.len() as u32;
        match self.keys.get(self.passed) {
            Some(key) => self.queue.schedule(event, Ticks::at(key.time)),
            None => self.queue.cancel(event),
        }
    }

    pub(super) fn check_velocity(&self, vertex: u32, velocity: DVec3) -> Result<(), AsynchronousError> {
        let count = self.vertices.len();
        if vertex as usize >= count {
            return Err(AsynchronousError::NoVertex { vertex, count });
        }
        if !velocity.is_finite() {
            let value = velocity.length();
            return Err(AsynchronousError::Parameter { what: "velocity of a vertex", value, must: "finite" });
        }
        check_free(&self.vertices, vertex)
    }

    /// Adds contact between all parts of the surface, and within each. Parts that are prescribed do not see each other.
    ///
    /// # Errors
    /// [`AsynchronousError`]: the law makes no sense; parts pass through each other, or are nearer than its thickness.
    pub fn with_contact(self, law: &ContactLaw) -> Result<Self, AsynchronousError> {
        self.with_contact_by(law, false)
    }

    pub(super) fn with_contact_by(mut self, law: &ContactLaw, by_hierarchy: bool) -> Result<Self, AsynchronousError> {
        if let Some(triangles) = self.first_intersection() {
            return Err(AsynchronousError::Intersecting { triangles });
        }
        let (first, vertices, queue) = (self.first_contact_event(), &mut self.vertices, &mut self.queue);
        let contacts = Contacts::new(&self.surface, law, vertices, queue, first, by_hierarchy, self.now)?;
        self.contacts = Some(contacts);
        Ok(self)
    }

    /// Adds contact as [`AsynchronousSimulation::with_contact`] does, by speculative windows: the same motion, certified for all pairs at once and in
    /// parallel. See [`super::speculative`].
    ///
    /// # Errors
    /// As there.
    pub fn with_contact_by_windows(mut self, law: &ContactLaw) -> Result<Self, AsynchronousError> {
        if let Some(triangles) = self.first_intersection() {
            return Err(AsynchronousError::Intersecting { triangles });
        }
        self.windows = Some(Windows::new(&mut self, law)?);
        Ok(self)
    }

    /// What has been seen of windows, if contact is by them.
    pub fn window_report(&self) -> Option<WindowReport> {
        self.windows.as_ref().map(Windows::windows)
    }

    /// The number of the first event of contact.
    pub(super) fn first_contact_event(&self) -> u32 {
        3 + self.levels.len() as u32
    }

    /// Of elastic forces, s.
    pub(super) fn shortest_step(&self) -> Option<f64> {
        self.levels.first().map(|level| level.clock.step())
    }

    /// Gives a vertex a velocity from now on, m/s.
    ///
    /// # Errors
    /// [`AsynchronousError::NoVertex`], [`AsynchronousError::Parameter`].
    pub fn set_velocity(&mut self, vertex: u32, velocity: DVec3) -> Result<(), AsynchronousError> {
        self.check_velocity(vertex, velocity)?;
        self.vertices.set_velocity(vertex, velocity, self.now);
        self.leave_balls()
    }

    /// Runs all events up to a time, s, that of the time included. Where a run is divided makes no difference.
    ///
    /// # Errors
    /// [`AsynchronousError::Time`] of a time before the present, [`AsynchronousError::TooLong`]; [`AsynchronousError::NoProgress`] and
    /// [`AsynchronousError::Diverged`], and all is where it was at their time.
    pub fn run_until(&mut self, time: f64) -> Result<(), AsynchronousError> {
        self.run_until_unless(time, &|| false)
    }

    /// As [`AsynchronousSimulation::run_until`], but looks often whether to stop.
    ///
    /// # Errors
    /// As there; [`AsynchronousError::Interrupted`], and all is where it was when it stopped.
    pub fn run_until_unless(&mut self, time: f64, stop: &dyn Fn() -> bool) -> Result<(), AsynchronousError> {
        let end = Ticks::at(time);
        if end < self.now || time.is_nan() {
            return Err(AsynchronousError::Time { now: self.time(), time });
        }
        if time >= Ticks::END {
            return Err(AsynchronousError::TooLong { time, end: Ticks::END });
        }
        if let Some(mut windows) = self.windows.take() {
            // What is due now needs no window: velocities and obstacles at the start.
            let result = self.run_present().and_then(|()| windows.run(self, end, stop));
            self.windows = Some(windows);
            return result;
        }
        let mut count_down = EVENTS_BETWEEN_LOOKS;
        while let Some((now, event)) = self.queue.first().filter(|(next, _)| *next <= end) {
            count_down -= 1;
            if count_down == 0 {
                count_down = EVENTS_BETWEEN_LOOKS;
                if stop() {
                    return Err(AsynchronousError::Interrupted { time: self.time() });
                }
            }
            self.now = now;
            let (kind, count) = (self.kind(event), self.events);
            let begun = self.profile.begin(kind);
            self.event(event)?;
            self.profile.end(kind, self.events - count, begun);
            self.leave_balls()?;
        }
        self.now = end;
        Ok(())
    }

    /// Runs all events that are due now.
    fn run_present(&mut self) -> Result<(), AsynchronousError> {
        while let Some((_, event)) = self.queue.first().filter(|(next, _)| *next <= self.now) {
            self.event(event)?;
            self.leave_balls()?;
        }
        Ok(())
    }

    /// What an event does.
    pub(super) fn kind(&self, event: u32) -> EventKind {
        match (event, &self.contacts) {
            (0, _) => EventKind::Gravity,
            (event, _) if event as usize <= self.levels.len() => EventKind::Elastic,
            (event, _) if event < self.first_contact_event() => EventKind::Prescribed,
            (event, Some(contacts)) => contacts.kind(event),
            (_, None) => EventKind::Penalty,
        }
    }

    /// One event; it is queued again for the next time.
    pub(super) fn event(&mut self, event: u32) -> Result<(), AsynchronousError> {
        let now = self.now;
        if event == 0 {
            self.vertices.accelerate(self.gravity * self.gravity_clock.step(), now);
            self.push(now);
            self.queue.schedule(event, self.gravity_clock.after(now));
            self.events += 1;
        } else if let Some(level) = self.levels.get(event as usize - 1) {
            level.tick(&mut self.vertices, now, &mut self.motions);
            self.queue.schedule(event, level.clock.after(now));
            self.events += level.count() as u64;
        } else if event as usize == 1 + self.levels.len() {
            let VelocityKey { vertices, velocity, .. } = &self.keys[self.passed];
            vertices.iter().for_each(|&vertex| self.vertices.set_velocity(vertex, *velocity, now));
            self.passed += 1;
            self.events += 1;
            self.schedule_key();
        } else if event as usize == 2 + self.levels.len() {
            for (obstacle, piece) in
                self.surface.obstacles().iter().zip(&mut self.pieces).filter(|(_, end)| **end <= now)
            {
                let next = obstacle.next(now);
                self.vertices.send(obstacle.body, next, now);
                *piece = next.map_or(Ticks(u64::MAX), |(end, _)| end);
                self.events += 1;
            }
            match self.pieces.iter().min() {
                Some(&next) if next < Ticks(u64::MAX) => self.queue.schedule(event, next),
                _ => self.queue.cancel(event),
            }
        } else if let Some(contacts) = &mut self.contacts {
            contacts.event(event, &mut self.vertices, &mut self.queue, now)?;
            self.events += 1;
        }
        Ok(())
    }

    /// Velocities that have left their balls get new ones, and certificates with them.
    pub(super) fn leave_balls(&mut self) -> Result<(), AsynchronousError> {
        while let Some(vertex) = self.vertices.pop_left() {
            let velocity = self.vertices.velocity(vertex);
            if !velocity.is_finite() {
                let (velocity, time) = (velocity.to_string(), self.time());
                return Err(AsynchronousError::Diverged { vertex, velocity, time });
            }
            if let Some(contacts) = &mut self.contacts {
                let begun = self.profile.begin(EventKind::Rescheduling);
                contacts.leave_ball(vertex, &mut self.vertices, &mut self.queue, self.now);
                self.profile.end(EventKind::Rescheduling, 1, begun);
            }
        }
        match self.vertices.distorted() {
            Some(body) => Err(AsynchronousError::Distorted { body, time: self.time() }),
            None => Ok(()),
        }
    }
}

/// Refuses vertices of bodies.
fn check_free(vertices: &Vertices, vertex: u32) -> Result<(), AsynchronousError> {
    match vertices.body_of(vertex) {
        Some(body) => Err(AsynchronousError::OfBody { vertex, body }),
        None => Ok(()),
    }
}
