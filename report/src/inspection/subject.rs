//! What a run is about: what stays the same from its first frame to its last.

use std::sync::Arc;

use drystone_contact::generator::{Generator, Method, Variant};
use drystone_contact::shape::Shape;
use drystone_engine::{BodyId, BodyKind, World};
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
    /// Of a world. Bodies without a name are called by their numbers, from 0.
    pub fn new(scene: &str, world: &World, names: &[String], truth: Option<Truth>) -> Self {
        let mut outlines: Vec<(Arc<Shape>, Arc<Outline>)> = Vec::new();
        let mut outline = |shape: &Arc<Shape>| match outlines.iter().find(|(known, _)| Arc::ptr_eq(known, shape)) {
            Some((_, outline)) => Arc::clone(outline),
            None => {
                let outline = Arc::new(Outline::of(shape));
                outlines.push((Arc::clone(shape), Arc::clone(&outline)));
                outline
            }
        };
        let shapes = world.shapes();
        let bodies =
            world.bodies().iter().zip(shapes).enumerate().map(|(i, (body, (shape, contact_shape)))| SubjectBody {
                name: names.get(i).cloned().unwrap_or_else(|| format!("body {i}")),
                mass: body.mass(),
                kind: body.kind(),
                outline: outline(shape),
                shape: Arc::clone(shape),
                contact_shape: Arc::clone(contact_shape),
            });
        Self {
            scene: scene.into(),
            bodies: bodies.collect(),
            method: world.method(),
            generator: Arc::clone(world.generator()),
            truth: truth.filter(|truth| !truth.pairs.is_empty()),
            time_step: world.settings().step.time_step,
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
}
