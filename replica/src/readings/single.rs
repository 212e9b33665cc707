//! A local method in 32 bits, as the published tables were computed.

use drystone_contact::Contact;
use drystone_contact::generator::local::{ElementMethod, Local};
use drystone_contact::generator::post_filter::{Compare, PostFilter};
use drystone_contact::generator::{Generator, GeneratorError, Placed};
use drystone_contact::shape::Shape;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A generator that runs the kernel of a local method on [`glam::Vec3`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Single<M>(pub Local<M>);

impl<M: ElementMethod> Single<M> {
    /// The method with the published post-filter: contacts that follow each other are compared exactly. Pairs whose bounds
    /// do not overlap are not looked at.
    pub fn new(method: M) -> Self {
        let post_filter = PostFilter { compare: Compare::Neighbours, tolerance: None };
        Self(Local { method, post_filter, margin: 0.0 })
    }
}

impl<M: ElementMethod> Generator for Single<M> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.0.prepare(shape)
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        self.0.contacts_in::<Vec3>(a, b)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        self.0.margin(shape)
    }

    fn contact_shape<'s>(&self, shape: &'s Shape) -> &'s Shape {
        self.0.contact_shape(shape)
    }
}
