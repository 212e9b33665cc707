//! How much of the known contact areas a list of contacts spans (assessment paper, equations 3, 5 and 8).

use drystone_engine::{BodyId, ContactBetween};
use glam::DVec2;
use serde::{Serialize, Serializer};

use crate::convex_hull::hull_area;
use crate::truth::{PairTruth, Truth};

/// The area of one interface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interface {
    /// One body; in files its number from 0.
    #[serde(serialize_with = "number")]
    pub a: BodyId,
    /// The other body.
    #[serde(serialize_with = "number")]
    pub b: BodyId,
    /// What the scene was built with, m².
    pub expected: f64,
    /// The area of the convex hull of the pair's contacts, right or wrong, projected along the expected normal, m².
    pub measured: f64,
}

/// The areas of all interfaces of a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactArea {
    /// P: measured / expected.
    pub coverage: f64,
    /// The sum over the interfaces, m².
    pub measured: f64,
    /// The sum over the interfaces, m².
    pub expected: f64,
    /// One a pair whose area is known, in the order of the truth.
    pub interfaces: Vec<Interface>,
}

impl ContactArea {
    /// The areas that contacts span; `None` if the truth knows of no area. The expected sum is that of the truth, whether
    /// or not an interface has contacts; contacts of other pairs span nothing.
    pub fn of(contacts: &[ContactBetween], truth: &Truth) -> Option<Self> {
        let interface = |pair: &PairTruth| {
            let (expected, normal) = (pair.area?, pair.directions().next()?);
            let (s, t) = normal.any_orthonormal_pair();
            let of_pair = contacts.iter().filter(|c| (c.a, c.b) == (pair.a, pair.b) || (c.b, c.a) == (pair.a, pair.b));
            let projected = |c: &ContactBetween| DVec2::new(c.contact.position.dot(s), c.contact.position.dot(t));
            let points: Vec<DVec2> = of_pair.map(projected).collect();
            Some(Interface { a: pair.a, b: pair.b, expected, measured: hull_area(&points) })
        };
        let interfaces: Vec<Interface> = truth.pairs.iter().filter_map(interface).collect();
        let measured: f64 = interfaces.iter().map(|i| i.measured).sum();
        let expected: f64 = interfaces.iter().map(|i| i.expected).sum();
        (expected > 0.0).then(|| ContactArea { coverage: measured / expected, measured, expected, interfaces })
    }
}

fn number<S: Serializer>(id: &BodyId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(id.index() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::{Contact, Feature};
    use glam::DVec3;

    fn contact(a: u32, b: u32, position: DVec3) -> ContactBetween {
        let feature = Feature::Tetrahedron(0);
        let contact = Contact { position, normal: DVec3::X, gap: 0.0, feature_a: feature, feature_b: feature };
        ContactBetween { a: BodyId::new(a), b: BodyId::new(b), contact }
    }

    /// Three corners of a unit square in different heights span half of it, seen along the expected normal.
    #[test]
    fn hulls_are_projected_and_added() {
        let interface = |a, b| PairTruth::interface(BodyId::new(a), BodyId::new(b), DVec3::Y, 4, 1.0);
        let truth = Truth { pairs: vec![interface(0, 1), interface(1, 2), interface(2, 3)] };
        let corners = [DVec3::new(0.0, 1.0, 0.0), DVec3::new(1.0, 2.0, 0.0), DVec3::new(0.0, 3.0, 1.0)];
        let mut contacts: Vec<_> = corners.iter().map(|&p| contact(1, 0, p)).collect();
        contacts.extend(corners[..2].iter().map(|&p| contact(1, 2, p)));
        contacts.extend(corners.iter().map(|&p| contact(0, 3, p)));
        let area = ContactArea::of(&contacts, &truth).unwrap();
        assert!((area.measured - 0.5).abs() < 1e-15 && (area.coverage - 0.5 / 3.0).abs() < 1e-15);
        assert_eq!(area.interfaces.iter().map(|i| i.measured > 0.0).collect::<Vec<_>>(), [true, false, false]);
        let nothing = ContactArea::of(&[], &truth).unwrap();
        assert_eq!((nothing.coverage, nothing.expected), (0.0, 3.0));
        assert_eq!(ContactArea::of(&contacts, &Truth::default()), None);
    }
}
