//! The post-filter: reports each contact once (assessment paper, sections 6 and 8.1).

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

use super::local::ElementContact;
use crate::precision::Vector;
use crate::sorting::CompactSort;

/// When two contacts of a pair count as one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostFilter {
    /// Which contacts are compared.
    pub compare: Compare,
    /// Largest difference per coordinate of position (m) and normal, and of the gap (m). `None`: the working
    /// precision of the number type.
    pub tolerance: Option<f64>,
}

/// Which contacts the post-filter compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Neighbours in sorted order only: equal contacts with another between them both stay.
    Neighbours,
    /// All, by position and normal; of equal ones the deepest stays.
    All,
}

/// Sorts the contacts by (y, x, z) of the position, (y, x, z) of the normal and depth, and drops repetitions.
pub fn sort_and_filter<V: Vector>(contacts: &mut Vec<ElementContact<V>>, filter: &PostFilter) {
    contacts.compact_sort_by(|a, b| {
        let orders = key(a).into_iter().zip(key(b)).map(|(x, y)| x.total_cmp(&y));
        orders.fold(Ordering::Equal, Ordering::then).then(a.elements.cmp(&b.elements))
    });
    let tolerance = filter.tolerance.map_or(V::WORKING_PRECISION, V::real);
    match filter.compare {
        Compare::Neighbours => contacts.dedup_by(|next, kept| {
            let same_gap = num_traits::Float::abs(next.contact.gap - kept.contact.gap) <= tolerance;
            is_same_place(next, kept, tolerance) && same_gap
        }),
        Compare::All => {
            let mut kept: Vec<ElementContact<V>> = Vec::with_capacity(contacts.len());
            // Contacts come in order of height: what is too low for one is too low for all after it.
            let height = |c: &ElementContact<V>| c.contact.position.coordinates()[1];
            let mut open = 0;
            for contact in contacts.drain(..) {
                while kept.get(open).is_some_and(|k| height(&contact) - height(k) > tolerance) {
                    open += 1;
                }
                match kept[open..].iter_mut().find(|k| is_same_place(k, &contact, tolerance)) {
                    Some(same) if contact.contact.gap < same.contact.gap => *same = contact,
                    Some(_) => {}
                    None => kept.push(contact),
                }
            }
            *contacts = kept;
        }
    }
}

fn key<V: Vector>(c: &ElementContact<V>) -> [f64; 7] {
    let [px, py, pz] = c.contact.position.coordinates();
    let [nx, ny, nz] = c.contact.normal.coordinates();
    // The sum takes the sign from a negative zero.
    [py, px, pz, ny, nx, nz, c.contact.gap].map(|x| Into::<f64>::into(x) + 0.0)
}

fn is_same_place<V: Vector>(a: &ElementContact<V>, b: &ElementContact<V>, tolerance: V::Real) -> bool {
    (a.contact.position - b.contact.position).max_norm() <= tolerance
        && (a.contact.normal - b.contact.normal).max_norm() <= tolerance
}

#[cfg(test)]
mod tests {
    use super::super::local::{LocalContact, LocalFeature};
    use super::*;
    use glam::DVec3;

    fn at(y: f64, x: f64) -> ElementContact<DVec3> {
        let feature = LocalFeature::Element;
        let contact = LocalContact {
            position: DVec3::new(x, y, 0.0),
            normal: DVec3::Y,
            gap: -x,
            feature_a: feature,
            feature_b: feature,
        };
        ElementContact { contact, elements: (0, 0) }
    }

    #[test]
    fn neighbours_hide_repetitions_that_all_pairs_find() {
        // In sorted order a stranger stands between the two equal ones.
        let contacts = vec![at(2e-10, 0.0), at(0.0, 0.0), at(1e-10, 0.5)];
        let mut neighbours = contacts.clone();
        let filter = PostFilter { compare: Compare::Neighbours, tolerance: Some(1e-9) };
        sort_and_filter(&mut neighbours, &filter);
        assert_eq!(neighbours.len(), 3);
        let mut all = contacts;
        sort_and_filter(&mut all, &PostFilter { compare: Compare::All, ..filter });
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].contact.position.x, 0.0);
    }

    #[test]
    fn all_keeps_the_deepest() {
        let mut contacts = vec![at(0.0, 1e-12), at(0.0, 2e-12)];
        sort_and_filter(&mut contacts, &PostFilter { compare: Compare::All, tolerance: Some(1e-9) });
        assert_eq!(contacts.len(), 1);
        assert_eq!(contacts[0].contact.gap, -2e-12);
    }
}
