//! Events of a step: contacts that begin, last and end, bodies that come into sensors and leave them, fall asleep and wake up, joints that
//! break.
//!
//! A world that is told to ([`World::set_events`]) compares each step with the one before and lists what has changed
//! ([`World::events`]); what it compares with is in snapshots, so that a run that is resumed has the same events. Two bodies are in contact
//! if the report of the step has contacts between them, which may have small positive gaps; a sensor and a body, if the shapes overlap
//! where the step has left them. Without events nothing of this is computed.
//!
//! The order is that of the bodies: contacts that begin or last by A, then by B, then those that have ended, then sensors by sensor and
//! body, then sleeping, then joints in the order in which they were added. A body that was removed has an event of an end with its stale handle.

use super::joints::JointReaction;
use super::report::WorldReport;
use super::{World, WorldError};
use crate::body::{Body, Pose};
use crate::handle::BodyHandle;
use crate::joint::JointHandle;
use crate::query::QueryFilter;
use crate::solver::contact_problem::tangents;
use drystone_contact::query::{QueryError, overlaps};
use drystone_contact::shape::Shape;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Which events a world lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSettings {
    /// Contacts that begin and end.
    pub contacts: bool,
    /// Contacts that last, in every step, too.
    pub persisted: bool,
    /// Bodies that come into sensors and leave them.
    pub sensors: bool,
    /// Bodies that fall asleep and wake up.
    pub sleeping: bool,
    /// Joints that break.
    #[serde(default)]
    pub joints: bool,
}

impl EventSettings {
    /// All events.
    pub const ALL: Self = Self { contacts: true, persisted: true, sensors: true, sleeping: true, joints: true };
}

/// What the contacts of two bodies did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairImpulse {
    /// The impulse of the step on B, friction included, world frame, N s; A felt the opposite.
    pub total: DVec3,
    /// The sum of the normal impulses of all contacts, N s: how hard they press, also where they oppose each other.
    pub normal: f64,
    /// How many contacts there are.
    pub contacts: usize,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Two bodies are in contact that were not in the step before.
    ContactStarted {
        /// The body that was added first.
        a: BodyHandle,
        /// The other one.
        b: BodyHandle,
        /// What their contacts did in the step.
        impulse: PairImpulse,
    },
    /// Two bodies are still in contact.
    ContactPersisted {
        /// The body that was added first.
        a: BodyHandle,
        /// The other one.
        b: BodyHandle,
        /// What their contacts did in the step.
        impulse: PairImpulse,
    },
    /// Two bodies were in contact in the step before and are no longer, or one of them was removed.
    ContactEnded {
        /// The body that was added first.
        a: BodyHandle,
        /// The other one.
        b: BodyHandle,
    },
    /// A body overlaps a sensor that it did not overlap after the step before.
    SensorEntered {
        /// The sensor.
        sensor: BodyHandle,
        /// The body.
        body: BodyHandle,
    },
    /// A body no longer overlaps a sensor, or one of them was removed.
    SensorLeft {
        /// The sensor.
        sensor: BodyHandle,
        /// The body.
        body: BodyHandle,
    },
    /// A body fell asleep.
    FellAsleep(BodyHandle),
    /// A body woke up.
    WokeUp(BodyHandle),
    /// A joint broke in the step, and was removed after it.
    JointBroke {
        /// Its handle, which is stale.
        joint: JointHandle,
        /// The mean force of the step on B, world frame, N.
        force: DVec3,
        /// The mean torque of the step about B's frame on B, world frame, N m.
        torque: DVec3,
    },
}

type Pairs = Vec<(BodyHandle, BodyHandle)>;

/// So many loops over all bodies take as long as to fit the tree of queries.
const MANY_SENSORS: usize = 32;

/// What events of the next step are told by.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EventState {
    pub settings: EventSettings,
    /// Bodies in contact, in the order of the step that found them.
    pub touching: Pairs,
    /// Sensors with the bodies that overlap them.
    pub sensed: Pairs,
    /// Bodies that sleep.
    pub asleep: Vec<BodyHandle>,
    events: Vec<Event>,
    /// Scratch space.
    now: Pairs,
}

/// What comes of a step.
impl World {
    /// Says which events steps list from now on. What a kind of events is compared with is forgotten where it is switched off: bodies that
    /// touch when it is switched on begin to touch in the next step.
    pub fn set_events(&mut self, settings: EventSettings) {
        let state = &mut self.events;
        state.settings = settings;
        if !(settings.contacts || settings.persisted) {
            state.touching.clear();
        }
        if !settings.sensors {
            state.sensed.clear();
        }
        state.asleep.clear();
        if settings.sleeping {
            let handles = self.handles.dense().iter().enumerate();
            state.asleep.extend(handles.filter(|(i, _)| self.soft.is_asleep(*i)).map(|(_, &handle)| handle));
        }
        state.events.clear();
    }

    /// Which events steps list.
    pub fn event_settings(&self) -> EventSettings {
        self.events.settings
    }

    /// The events of the last step.
    pub fn events(&self) -> &[Event] {
        &self.events.events
    }

    /// # Errors
    /// [`WorldError::Query`] of a sensor that cannot be asked about a body.
    pub(super) fn check_sensors(&self) -> Result<(), WorldError> {
        let is_general = |shape: &Shape| matches!(shape, Shape::Solid(_));
        let sensors = self.events.settings.sensors && self.entries.iter().any(|entry| entry.is_sensor);
        match self.entries.iter().find(|entry| sensors && is_general(&entry.shape)) {
            Some(entry) => Err(QueryError::Kind { kind: entry.shape.kind(), what: "overlap with sensors" }.into()),
            None => Ok(()),
        }
    }

    /// Lists the events of a step that was just made.
    pub(super) fn list_events(&mut self, report: &WorldReport) -> Result<(), WorldError> {
        if self.events.settings == EventSettings::default() {
            return Ok(());
        }
        let mut state = std::mem::take(&mut self.events);
        state.events.clear();
        let settings = state.settings;
        if settings.contacts || settings.persisted {
            self.list_contacts(&mut state, report);
        }
        let sensed = if settings.sensors { self.list_sensors(&mut state) } else { Ok(()) };
        if settings.sleeping {
            self.list_sleeping(&mut state);
        }
        if settings.joints {
            let broken = report.joints.iter().filter(|own| report.broken_joints.contains(&own.joint));
            let event =
                |own: &JointReaction| Event::JointBroke { joint: own.joint, force: own.force, torque: own.torque };
            state.events.extend(broken.map(event));
        }
        self.events = state;
        sensed
    }

    fn list_contacts(&self, state: &mut EventState, report: &WorldReport) {
        let EventState { settings, touching, events, now, .. } = state;
        now.clear();
        let mut known = Known::new(self, touching);
        let mut first = 0;
        let all = &report.contacts;
        while let Some(between) = all.get(first) {
            let pair = (between.a, between.b);
            let count = all[first..].iter().take_while(|other| (other.a, other.b) == pair).count();
            let mut impulse = PairImpulse { contacts: count, ..PairImpulse::default() };
            for (own, &[n, s, t, _]) in all[first..].iter().zip(&report.impulses[first..]).take(count) {
                let [along_s, along_t] = tangents(own.contact.normal);
                impulse.total += n * own.contact.normal + s * along_s + t * along_t;
                impulse.normal += n;
            }
            first += count;
            let (a, b) = (report.handles[pair.0.index()], report.handles[pair.1.index()]);
            now.push((a, b));
            match known.contains((a, b)) {
                true if settings.persisted => events.push(Event::ContactPersisted { a, b, impulse }),
                false if settings.contacts => events.push(Event::ContactStarted { a, b, impulse }),
                _ => {}
            }
        }
        if settings.contacts {
            let mut still = Known::new(self, now);
            let ended = touching.iter().filter(|&&pair| !still.contains(pair));
            events.extend(ended.map(|&(a, b)| Event::ContactEnded { a, b }));
        }
        std::mem::swap(touching, now);
    }

    fn list_sensors(&self, state: &mut EventState) -> Result<(), WorldError> {
        let EventState { sensed, events, now, .. } = state;
        now.clear();
        let is_few = self.entries.iter().filter(|entry| entry.is_sensor).nth(MANY_SENSORS).is_none();
        for (i, sensor) in self.entries.iter().enumerate().filter(|(_, entry)| entry.is_sensor) {
            let (handle, body) = (self.handles.dense()[i], &self.bodies[i]);
            let is_excluded = |other| self.excluded.contains(&crate::pair_filter::unordered(handle, other));
            let may_sense = |other: BodyHandle, of: &Body| !(body.is_fixed() && of.is_fixed() || is_excluded(other));
            let filter = QueryFilter {
                groups: sensor.groups,
                exclude: &[handle],
                predicate: Some(&may_sense),
                ..QueryFilter::default()
            };
            let pose = body.pose();
            let bounds = super::near::bounds_at(&sensor.shape, &pose, 0.0);
            let test = |shape: &Shape, other: &Pose| overlaps([&sensor.shape, shape], [&pose, other]);
            let found = if is_few {
                self.bodies_by_loop_that(&bounds, &filter, test)?
            } else {
                self.bodies_that(&bounds, &filter, test)?
            };
            now.extend(found.into_iter().map(|other| (handle, other)));
        }
        let (mut known, mut still) = (Known::new(self, sensed), Known::new(self, now));
        let new = now.iter().filter(|&&pair| !known.contains(pair));
        events.extend(new.map(|&(sensor, body)| Event::SensorEntered { sensor, body }));
        let left = sensed.iter().filter(|&&pair| !still.contains(pair));
        events.extend(left.map(|&(sensor, body)| Event::SensorLeft { sensor, body }));
        std::mem::swap(sensed, now);
        Ok(())
    }

    fn list_sleeping(&self, state: &mut EventState) {
        let EventState { asleep, events, .. } = state;
        let mut known = asleep.iter().filter(|handle| self.contains(**handle)).peekable();
        for (i, handle) in self.handles.dense().iter().enumerate() {
            let (before, now) = (known.next_if_eq(&handle).is_some(), self.soft.is_asleep(i));
            match (before, now) {
                (false, true) => events.push(Event::FellAsleep(*handle)),
                (true, false) => events.push(Event::WokeUp(*handle)),
                _ => {}
            }
        }
        asleep.clear();
        let handles = self.handles.dense().iter().enumerate();
        asleep.extend(handles.filter(|(i, _)| self.soft.is_asleep(*i)).map(|(_, &handle)| handle));
    }
}

/// A list of pairs in the order of the bodies that is asked about others in that order. Pairs of bodies that were removed are passed over.
struct Known<'w> {
    world: &'w World,
    rest: std::iter::Peekable<std::slice::Iter<'w, (BodyHandle, BodyHandle)>>,
}

impl<'w> Known<'w> {
    fn new(world: &'w World, pairs: &'w [(BodyHandle, BodyHandle)]) -> Self {
        Self { world, rest: pairs.iter().peekable() }
    }

    fn place(&self, (a, b): (BodyHandle, BodyHandle)) -> Option<(usize, usize)> {
        self.world.handles.index(a).zip(self.world.handles.index(b))
    }

    fn contains(&mut self, pair: (BodyHandle, BodyHandle)) -> bool {
        let Some(place) = self.place(pair) else { return false };
        while let Some(&&next) = self.rest.peek() {
            match self.place(next) {
                Some(other) if other > place => return false,
                Some(other) if other == place => return true,
                _ => drop(self.rest.next()),
            }
        }
        false
    }
}
