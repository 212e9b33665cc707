//! Contacts that dynamic bodies tie together, which are solved without the others.

use crate::body::Body;

/// The places of the contacts of each island, ascending, in the order of their lowest dynamic bodies.
pub fn islands(bodies: &[Body], contacts: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut labels: Vec<usize> = (0..bodies.len()).collect();
    for &[a, b] in contacts {
        if bodies[a].is_dynamic() && bodies[b].is_dynamic() && labels[a] != labels[b] {
            let (low, high) = (labels[a].min(labels[b]), labels[a].max(labels[b]));
            labels.iter_mut().filter(|label| **label == high).for_each(|label| *label = low);
        }
    }
    let label = |&[a, b]: &[usize; 2]| labels[if bodies[a].is_dynamic() { a } else { b }];
    let mut order: Vec<(usize, usize)> = contacts.iter().map(label).zip(0..).collect();
    order.sort_unstable();
    order.chunk_by(|x, y| x.0 == y.0).map(|island| island.iter().map(|&(_, contact)| contact).collect()).collect()
}

/// The places of the bodies of some contacts, ascending.
pub fn members(contacts: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut bodies: Vec<usize> = contacts.flatten().collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;
    use glam::DVec3;

    #[test]
    fn fixed_bodies_tie_nothing_together() {
        let stuff = MaterialId::new(0);
        let stone = || Body::dynamic(1.0, DVec3::ONE, stuff).unwrap();
        let bodies = [Body::fixed(stuff), stone(), stone(), stone()];
        let contacts = [[0, 3], [0, 1], [1, 2], [0, 2]];
        assert_eq!(islands(&bodies, &contacts), [vec![1, 2, 3], vec![0]]);
        assert_eq!(members([[0, 3], [0, 1]].into_iter()), [0, 1, 3]);
    }
}
