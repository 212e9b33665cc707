//! What began and ended in the steps of a call.

use drystone_engine::world::events::{Event, EventSettings, PairImpulse};
use pyo3::prelude::*;

use super::PyWorld;
use crate::failure::Outcome;

/// Something that began, lasted or ended in a step.
#[pyclass(name = "Event", module = "drystone", frozen, get_all)]
#[derive(Clone)]
pub struct PyEvent {
    /// ``"contact-started"``, ``"contact-persisted"``, ``"contact-ended"``, ``"sensor-entered"``, ``"sensor-left"``, ``"fell-asleep"``,
    /// ``"woke-up"`` or ``"joint-broke"``.
    kind: &'static str,
    /// The number of the step, from 1.
    step: u64,
    /// The first body of a contact, the sensor, or the body that fell asleep or woke up.
    a: Option<u64>,
    /// The other body of a contact, or the body that came into the sensor or left it.
    b: Option<u64>,
    /// The joint that broke.
    joint: Option<u64>,
    /// The impulse of the step on the other body of a contact, friction included, world frame, N s.
    impulse: Option<(f64, f64, f64)>,
    /// The sum of the normal impulses of a contact, N s.
    normal_impulse: Option<f64>,
}

impl PyEvent {
    /// An event of a step.
    pub fn new(event: &Event, step: u64) -> Self {
        let of = |kind, a: Option<u64>, b: Option<u64>| Self {
            kind,
            step,
            a,
            b,
            joint: None,
            impulse: None,
            normal_impulse: None,
        };
        let pushed = |kind, a: u64, b: u64, impulse: &PairImpulse| Self {
            impulse: Some(impulse.total.into()),
            normal_impulse: Some(impulse.normal),
            ..of(kind, Some(a), Some(b))
        };
        match event {
            Event::ContactStarted { a, b, impulse } => pushed("contact-started", a.to_bits(), b.to_bits(), impulse),
            Event::ContactPersisted { a, b, impulse } => pushed("contact-persisted", a.to_bits(), b.to_bits(), impulse),
            Event::ContactEnded { a, b } => of("contact-ended", Some(a.to_bits()), Some(b.to_bits())),
            Event::SensorEntered { sensor, body } => of("sensor-entered", Some(sensor.to_bits()), Some(body.to_bits())),
            Event::SensorLeft { sensor, body } => of("sensor-left", Some(sensor.to_bits()), Some(body.to_bits())),
            Event::FellAsleep(body) => of("fell-asleep", Some(body.to_bits()), None),
            Event::WokeUp(body) => of("woke-up", Some(body.to_bits()), None),
            Event::JointBroke { joint, .. } => Self { joint: Some(joint.to_bits()), ..of("joint-broke", None, None) },
            _ => of("other", None, None),
        }
    }
}

#[pymethods]
impl PyEvent {
    fn __repr__(&self) -> String {
        let Self { kind, step, a, b, joint, .. } = self;
        let named = [("a", a), ("b", b), ("joint", joint)];
        let known = named.iter().filter_map(|(name, value)| value.map(|value| format!(", {name}={value}")));
        format!("<drystone.Event {kind}, step={step}{}>", known.collect::<String>())
    }
}

#[pymethods]
impl PyWorld {
    /// Says which events steps list from now on; none by default.
    ///
    /// Args:
    ///     contacts: Contacts that begin and end.
    ///     persisted: Contacts that last, in every step.
    ///     sensors: Bodies that come into sensors and leave them.
    ///     sleeping: Bodies that fall asleep and wake up.
    ///     joints: Joints that break.
    #[pyo3(signature = (*, contacts = false, persisted = false, sensors = false, sleeping = false, joints = false))]
    fn set_events(
        &self,
        py: Python<'_>,
        contacts: bool,
        persisted: bool,
        sensors: bool,
        sleeping: bool,
        joints: bool,
    ) -> Outcome<()> {
        self.with(py, |held| {
            held.world.set_events(EventSettings { contacts, persisted, sensors, sleeping, joints });
            Ok(())
        })
    }

    /// The events of all steps of the last call of :meth:`step`.
    #[getter]
    fn events(&self, py: Python<'_>) -> Outcome<Vec<PyEvent>> {
        self.with(py, |held| Ok(held.events.clone()))
    }
}
