//! A generator with the filter behind it.

use super::ConeFilter;
use crate::generator::{Generator, Placed, Workspace};
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
        let envelope = self.generator.reach(a.shape).max(self.generator.reach(b.shape));
        let verdicts = self.filter.verdicts(a, b, envelope, &contacts[first..]);
        let mut k = 0;
        contacts.retain(|_| {
            k += 1;
            k <= first || verdicts[k - 1 - first].is_kept()
        });
    }
}

impl<G: Generator> Generator for Filtered<G> {
    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Vec<Contact> {
        let mut contacts = self.generator.contacts(a, b);
        self.retain(a, b, 0, &mut contacts);
        contacts
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) {
        let first = contacts.len();
        self.generator.contacts_into(a, b, previous, workspace, contacts);
        self.retain(a, b, first, contacts);
    }

    fn reach(&self, shape: &Shape) -> f64 {
        self.generator.reach(shape)
    }

    fn rest_depth(&self) -> f64 {
        self.generator.rest_depth()
    }

    fn looks_ahead(&self) -> bool {
        self.generator.looks_ahead()
    }

    fn missed(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        ends: [&Pose; 2],
        held: &[(Feature, Feature)],
        contacts: &mut Vec<Contact>,
    ) {
        let first = contacts.len();
        self.generator.missed(a, b, ends, held, contacts);
        self.retain(a, b, first, contacts);
    }
}
