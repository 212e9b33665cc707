//! Two bodies of which only the contacts are looked at.

use drystone::engine::{BodyId, ContactBetween};

/// Two bodies, in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyPair {
    /// The one with the lower number.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
}

impl BodyPair {
    /// Of two bodies in any order.
    pub fn new(a: BodyId, b: BodyId) -> Self {
        Self { a: a.min(b), b: a.max(b) }
    }

    /// Of a contact.
    pub fn of(contact: &ContactBetween) -> Self {
        Self::new(contact.a, contact.b)
    }

    /// Whether a body is one of the two.
    pub fn has(self, body: BodyId) -> bool {
        body == self.a || body == self.b
    }
}
