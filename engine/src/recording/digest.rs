//! A digest: one number that stands for many.

use crate::solver::Impulse;
use crate::stepper::ContactBetween;
use drystone_contact::Feature;

/// The 64-bit hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of the little-endian bytes of the numbers that it is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// The digest of the contacts of a step and of their impulses: for each contact in turn the numbers of its bodies
    /// (u32), its features (of A, of B: a kind as u32, 0 vertex, 1 edge, 2 face, 3 tetrahedron, and an index, u32),
    /// its position, normal and gap and the four components of its impulse (f64).
    pub fn of_contacts(contacts: &[ContactBetween], impulses: &[Impulse]) -> Self {
        let mut digest = Self::default();
        for (ContactBetween { a, b, contact }, impulse) in contacts.iter().zip(impulses) {
            for body in [a, b] {
                digest.feed(&(body.index() as u32).to_le_bytes());
            }
            for feature in [contact.feature_a, contact.feature_b] {
                let (kind, index): (u32, u32) = match feature {
                    Feature::Vertex(index) => (0, index),
                    Feature::Edge(index) => (1, index),
                    Feature::Face(index) => (2, index),
                    Feature::Tetrahedron(index) => (3, index),
                    Feature::Facet(index) => (4, index),
                    Feature::FacetEdge(index) => (5, index),
                    Feature::FacetVertex(index) => (6, index),
                    Feature::PieceFace(index) => (7, index),
                    Feature::PieceEdge(index) => (8, index),
                    Feature::PieceVertex(index) => (9, index),
                    Feature::Surface(index) => (10, index),
                    Feature::Overlap(index) => (11, index),
                };
                digest.feed(&kind.to_le_bytes());
                digest.feed(&index.to_le_bytes());
            }
            let place = contact.position.to_array().into_iter().chain(contact.normal.to_array());
            for number in place.chain([contact.gap]).chain(*impulse) {
                digest.feed(&number.to_le_bytes());
            }
        }
        digest
    }

    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The number.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the authors of the hash publish.
    #[test]
    fn known_values() {
        let of = |text: &str| {
            let mut digest = Digest::default();
            digest.feed(text.as_bytes());
            digest.value()
        };
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }
}
