//! Islands: sets of bodies that contacts tie together, and that can be solved without each other.
//!
//! Bodies that do not yield tie nothing together: a fixed or kinematic body belongs to every island that touches it.

use crate::body::BodyId;
use crate::solver::SolverContact;

/// Bodies and contacts that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Island {
    /// Places of the bodies in the dense list, ascending, those that do not yield included.
    pub bodies: Vec<usize>,
    /// The contacts, ascending.
    pub contacts: Vec<usize>,
}

impl Island {
    /// The whole system.
    pub fn whole(bodies: usize, contacts: usize) -> Self {
        Self { bodies: (0..bodies).collect(), contacts: (0..contacts).collect() }
    }

    /// The contact between the island's own numbers of bodies.
    pub fn localised(&self, contact: &SolverContact) -> SolverContact {
        let local = |body: BodyId| {
            let index = self.bodies.binary_search(&body.index()).unwrap_or_default();
            BodyId::new(index as u32)
        };
        SolverContact { a: local(contact.a), b: local(contact.b), ..*contact }
    }
}

/// The islands that have contacts, in the order of their first dynamic bodies. Contacts name places in the list of
/// bodies; each has a dynamic body.
pub(crate) fn islands(is_dynamic: &[bool], contacts: &[[usize; 2]]) -> Vec<Island> {
    let mut parents: Vec<usize> = (0..is_dynamic.len()).collect();
    for &[a, b] in contacts {
        if is_dynamic[a] && is_dynamic[b] {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            // The lowest body is the root, so that the order of the contacts leaves no trace.
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut number = vec![usize::MAX; is_dynamic.len()];
    let mut roots: Vec<(usize, usize)> = contacts
        .iter()
        .enumerate()
        .map(|(k, &[a, b])| (root(&mut parents, if is_dynamic[a] { a } else { b }), k))
        .collect();
    roots.sort_unstable();
    let mut islands: Vec<Island> = Vec::new();
    for (root, contact) in roots {
        if number[root] == usize::MAX {
            number[root] = islands.len();
            islands.push(Island { bodies: Vec::new(), contacts: Vec::new() });
        }
        let island = &mut islands[number[root]];
        island.bodies.extend(contacts[contact]);
        island.contacts.push(contact);
    }
    for island in &mut islands {
        island.bodies.sort_unstable();
        island.bodies.dedup();
    }
    islands
}

/// The root of a body, with the path to it halved on the way.
fn root(parents: &mut [usize], mut body: usize) -> usize {
    while parents[body] != body {
        parents[body] = parents[parents[body]];
        body = parents[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_does_not_yield_ties_nothing_together() {
        let is_dynamic = [true, false, true, true, true, false];
        let contacts = [[0, 1], [1, 2], [3, 2], [4, 5]];
        let found = islands(&is_dynamic, &contacts);
        let island = |bodies: &[usize], contacts: &[usize]| Island { bodies: bodies.into(), contacts: contacts.into() };
        assert_eq!(found, [island(&[0, 1], &[0]), island(&[1, 2, 3], &[1, 2]), island(&[4, 5], &[3])]);
    }

    proptest! {
        /// Against labels that spread along contacts until nothing changes.
        #[test]
        fn islands_are_the_connected_parts(
            is_dynamic in prop::collection::vec(any::<bool>(), 2..25),
            ends in prop::collection::vec((0usize..25, 0usize..25), 0..30),
        ) {
            let n = is_dynamic.len();
            let contacts: Vec<[usize; 2]> = ends
                .into_iter()
                .map(|(a, b)| [a % n, b % n])
                .filter(|&[a, b]| a != b && (is_dynamic[a] || is_dynamic[b]))
                .collect();
            let mut label: Vec<usize> = (0..n).collect();
            for _ in 0..n {
                for &[a, b] in contacts.iter().filter(|[a, b]| is_dynamic[*a] && is_dynamic[*b]) {
                    let low = label[a].min(label[b]);
                    (label[a], label[b]) = (low, low);
                }
            }
            let label_of = |&[a, b]: &[usize; 2]| label[if is_dynamic[a] { a } else { b }];
            let found = islands(&is_dynamic, &contacts);
            prop_assert_eq!(found.iter().map(|i| i.contacts.len()).sum::<usize>(), contacts.len());
            let mut seen = Vec::new();
            for island in &found {
                let own = label_of(&contacts[island.contacts[0]]);
                let expected: Vec<usize> = (0..contacts.len()).filter(|&k| label_of(&contacts[k]) == own).collect();
                prop_assert_eq!(&island.contacts, &expected);
                prop_assert!(expected.iter().all(|&k| contacts[k].iter().all(|b| island.bodies.contains(b))));
                seen.push(own);
            }
            prop_assert!(seen.is_sorted());
        }
    }
}
