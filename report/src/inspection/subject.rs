//! What a run is about: what stays the same from its first frame to its last.

use std::sync::Arc;

use drystone_contact::generator::{Generator, Method};
use drystone_contact::shape::Shape;
use drystone_engine::simulator::{Simulator, SimulatorKind};
use drystone_engine::{BodyId, BodyKind};
use drystone_replica::Variant;
use drystone_scenes::truth::Truth;

use super::outline::Outline;

/// A body of a run.
#[derive(Clone, Debug)]
pub struct SubjectBody {
    /// As the scene calls it.
    pub name: String,
    /// kg; infinite for bodies that forces do not move.
    pub mass: f64,
    /// What moves it.
    pub kind: BodyKind,
    /// Its shape, body frame.
    pub shape: Arc<Shape>,
    /// The shape that the generator sees: the same, or eroded for the method.
    pub contact_shape: Arc<Shape>,
    /// How it is drawn; bodies of one shape share it.
    pub outline: Arc<Outline>,
}

/// What a run is about.
#[derive(Clone)]
pub struct Subject {
    /// The name of the scene.
    pub scene: String,
    /// What moves the bodies.
    pub simulator: SimulatorKind,
    /// The bodies; a [`BodyId`] counts them.
    pub bodies: Vec<SubjectBody>,
    /// What finds the contacts, if it is of the registry.
    pub method: Option<(Method, Variant)>,
    /// What finds the contacts.
    pub generator: Arc<dyn Generator>,
    /// What is known of the contacts that there should be.
    pub truth: Option<Truth>,
    /// s.
    pub time_step: f64,
}

impl Subject {
    /// Of a simulator. Bodies without a name are called by their numbers, from 0.
    pub fn new(scene: &str, simulator: &dyn Simulator, names: &[String], truth: Option<Truth>) -> Self {
        let mut outlines: Vec<(Arc<Shape>, Arc<Outline>)> = Vec::new();
        let mut outline = |shape: &Arc<Shape>| match outlines.iter().find(|(known, _)| Arc::ptr_eq(known, shape)) {
            Some((_, outline)) => Arc::clone(outline),
            None => {
                let outline = Arc::new(Outline::of(shape));
                outlines.push((Arc::clone(shape), Arc::clone(&outline)));
                outline
            }
        };
        let shapes = simulator.shapes();
        let bodies = simulator.bodies().iter().zip(shapes).enumerate().map(|(i, (body, shapes))| SubjectBody {
            name: names.get(i).cloned().unwrap_or_else(|| format!("body {i}")),
            mass: body.mass(),
            kind: body.kind(),
            outline: outline(shapes.shape),
            shape: Arc::clone(shapes.shape),
            contact_shape: Arc::clone(shapes.contact_shape),
        });
        Self {
            scene: scene.into(),
            simulator: simulator.kind(),
            bodies: bodies.collect(),
            method: simulator.method(),
            generator: Arc::clone(simulator.generator()),
            truth: truth.filter(|truth| !truth.pairs.is_empty()),
            time_step: simulator.time_step(),
        }
    }

    /// The body of that number.
    pub fn body(&self, id: BodyId) -> Option<&SubjectBody> {
        self.bodies.get(id.index())
    }

    /// The name of the method, or "a generator of its own".
    pub fn method_name(&self) -> &'static str {
        self.method.map_or("a generator of its own", |(method, _)| method.name())
    }

    /// What makes the contacts and moves the bodies: the method of the time-stepping simulator, the name of any other.
    pub fn way_name(&self) -> &'static str {
        match self.simulator {
            SimulatorKind::TimeStepping => self.method_name(),
            other => other.name(),
        }
    }
}
