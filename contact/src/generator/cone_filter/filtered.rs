//! A generator with the filter behind it.

use super::ConeFilter;
use crate::generator::{Generator, GeneratorError, Placed, Workspace};
use crate::pose::Pose;
use crate::shape::Shape;
use crate::{Contact, Feature};

/// A generator whose contacts are those of another that the filter keeps, in their order. For what becomes of the
/// others ask the generator itself and [`ConeFilter::verdicts`].
#[derive(Clone, Debug)]
pub struct Filtered<G> {
    /// Finds the contacts.
    pub generator: G,
    /// Judges them.
    pub filter: ConeFilter,
}

impl<G: Generator> Filtered<G> {
    /// Leaves in a list only those of its contacts from `first` on that the filter keeps.
    fn retain(&self, a: &Placed<'_>, b: &Placed<'_>, first: usize, contacts: &mut Vec<Contact>) {
        let envelope = self.generator.margin(a.shape).max(self.generator.margin(b.shape));
        let [a, b] = [a, b].map(|p| Placed { shape: self.generator.contact_shape(p.shape), ..*p });
        let verdicts = self.filter.verdicts(&a, &b, envelope, &contacts[first..]);
        let mut k = 0;
        contacts.retain(|_| {
            k += 1;
            k <= first || verdicts[k - 1 - first].is_kept()
        });
    }
}

impl<G: Generator> Generator for Filtered<G> {
    fn name(&self) -> &str {
        self.generator.name()
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.generator.prepare(shape)
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = self.generator.contacts(a, b)?;
        self.retain(a, b, 0, &mut contacts);
        Ok(contacts)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let first = contacts.len();
        self.generator.contacts_into(a, b, previous, workspace, contacts)?;
        self.retain(a, b, first, contacts);
        Ok(())
    }

    fn margin(&self, shape: &Shape) -> f64 {
        self.generator.margin(shape)
    }

    fn contact_shape<'s>(&self, shape: &'s Shape) -> &'s Shape {
        self.generator.contact_shape(shape)
    }

    fn slop(&self) -> f64 {
        self.generator.slop()
    }

    fn is_speculative(&self) -> bool {
        self.generator.is_speculative()
    }

    fn speculative_contacts(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        ends: [&Pose; 2],
        held: &[(Feature, Feature)],
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let first = contacts.len();
        self.generator.speculative_contacts(a, b, ends, held, contacts)?;
        self.retain(a, b, first, contacts);
        Ok(())
    }
}
