//! The normal-cone filter behind a detection: what it says of every contact, and what it leaves.

use drystone_contact::Twist;
use drystone_contact::generator::cone_filter::{ConeFilter, Verdict};
use drystone_contact::generator::{Generator, Method, Placed};
use drystone_engine::{BodyId, ContactBetween};

use crate::detection::Detection;
use crate::scene::Scene;

/// What the filter says of a list of contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filtering {
    /// A verdict for each contact of the list; contacts are merged into others by their place in the whole list.
    pub verdicts: Vec<Verdict>,
    /// The contacts that are kept, in their order.
    pub kept: Vec<ContactBetween>,
}

/// Judges the contacts of a detection, pair by pair. The filter sees the shapes that the method saw.
pub fn filtering(scene: &Scene, method: &Method, detection: &Detection, filter: &ConeFilter) -> Filtering {
    let placed = |id: BodyId| {
        let i = id.index();
        Placed { shape: &scene.bodies[i].shape, pose: detection.poses[i], twist: Twist::default() }
    };
    let verdicts = verdicts(&**method.generator(), placed, &detection.contacts, filter);
    let kept = detection.contacts.iter().zip(&verdicts).filter(|(_, v)| v.is_kept()).map(|(c, _)| *c).collect();
    Filtering { verdicts, kept }
}

/// A verdict for each contact of a list in which those of a pair of bodies follow each other; contacts are merged into others by
/// their place in the list. `placed` says where the bodies are.
pub fn verdicts<'s>(
    generator: &dyn Generator,
    placed: impl Fn(BodyId) -> Placed<'s>,
    contacts: &[ContactBetween],
    filter: &ConeFilter,
) -> Vec<Verdict> {
    let mut verdicts = Vec::with_capacity(contacts.len());
    for pair in contacts.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
        let (a, b) = (placed(pair[0].a), placed(pair[0].b));
        let envelope = generator.margin(a.shape).max(generator.margin(b.shape));
        let [a, b] = [a, b].map(|placed| Placed { shape: generator.contact_shape(placed.shape), ..placed });
        let contacts: Vec<_> = pair.iter().map(|c| c.contact).collect();
        let first = verdicts.len();
        verdicts.extend(filter.verdicts(&a, &b, envelope, &contacts).into_iter().map(|verdict| match verdict {
            Verdict::Merged { into } => Verdict::Merged { into: first + into },
            other => other,
        }));
    }
    verdicts
}
