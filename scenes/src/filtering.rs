//! The normal-cone filter behind a detection: what it says of every contact, and what it leaves.

use drystone_contact::Twist;
use drystone_contact::generator::cone_filter::{ConeFilter, Verdict};
use drystone_contact::generator::{Method, Placed, Variant};
use drystone_engine::ContactBetween;

use crate::detection::{Detection, DetectionFailure, shapes};
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
///
/// # Errors
/// [`DetectionFailure::Erosion`].
pub fn filtering(
    scene: &Scene,
    method: Method,
    variant: Variant,
    detection: &Detection,
    filter: &ConeFilter,
) -> Result<Filtering, DetectionFailure> {
    let (generator, shapes) = (method.generator(variant), shapes(scene, method)?);
    let placed = |i: usize| Placed { shape: &shapes[i], pose: detection.poses[i], twist: Twist::default() };
    let mut verdicts = Vec::with_capacity(detection.contacts.len());
    for pair in detection.contacts.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
        let (a, b) = (placed(pair[0].a.index()), placed(pair[0].b.index()));
        let envelope = generator.reach(a.shape).max(generator.reach(b.shape));
        let contacts: Vec<_> = pair.iter().map(|c| c.contact).collect();
        let first = verdicts.len();
        verdicts.extend(filter.verdicts(&a, &b, envelope, &contacts).into_iter().map(|verdict| match verdict {
            Verdict::Merged { into } => Verdict::Merged { into: first + into },
            other => other,
        }));
    }
    let kept = detection.contacts.iter().zip(&verdicts).filter(|(_, v)| v.is_kept()).map(|(c, _)| *c).collect();
    Ok(Filtering { verdicts, kept })
}
