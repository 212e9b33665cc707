//! Which pairs of bodies may touch: the one place that decides, for all simulators.

use crate::body::Body;
use crate::handle::BodyHandle;
use crate::new_body::Groups;
use std::collections::BTreeSet;

/// Pairs of bodies between which collision is disabled, each as [`unordered`] has it.
pub(crate) type ExcludedPairs = BTreeSet<(BodyHandle, BodyHandle)>;

/// Two bodies in any order, lower handle first.
pub(crate) fn unordered(a: BodyHandle, b: BodyHandle) -> (BodyHandle, BodyHandle) {
    (a.min(b), a.max(b))
}

/// Which pairs of bodies, by index, may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairFilter<'a, G> {
    pub bodies: &'a [Body],
    /// One for each body.
    pub handles: &'a [BodyHandle],
    /// The groups of a body.
    pub groups: G,
    pub excluded: &'a ExcludedPairs,
    /// Those that joints exclude.
    pub jointed: &'a ExcludedPairs,
}

impl<G: Fn(usize) -> Groups> PairFilter<'_, G> {
    /// Whether at least one of two bodies is dynamic, their groups touch and their pair is not excluded.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        (self.bodies[a].is_dynamic() || self.bodies[b].is_dynamic())
            && (self.groups)(a).touch((self.groups)(b))
            && !self.is_in(self.excluded, a, b)
            && !self.is_in(self.jointed, a, b)
    }

    fn is_in(&self, pairs: &ExcludedPairs, a: usize, b: usize) -> bool {
        !pairs.is_empty() && pairs.contains(&unordered(self.handles[a], self.handles[b]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handles;
    use crate::material::MaterialId;
    use glam::DVec3;

    #[test]
    fn the_filter_knows_kinds_groups_and_exclusions() {
        let stuff = MaterialId::new(0);
        let stone = || Body::dynamic(1.0, DVec3::ONE, stuff).unwrap();
        let bodies = [Body::fixed(stuff), Body::fixed(stuff), stone(), stone(), stone()];
        let mut groups = [Groups::ALL; 5];
        groups[4] = Groups { member: 2, with: 1 };
        let mut handles = Handles::default();
        for _ in &bodies {
            handles.insert().unwrap();
        }
        let handles = handles.dense();
        let excluded = ExcludedPairs::from([unordered(handles[2], handles[0])]);
        let none = ExcludedPairs::new();
        let filter =
            PairFilter { bodies: &bodies, handles, groups: |k| groups[k], excluded: &excluded, jointed: &none };
        let touching: Vec<(usize, usize)> =
            (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).filter(|&(a, b)| filter.may_touch(a, b)).collect();
        assert_eq!(touching, [(0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]);
        assert!(!filter.may_touch(2, 0), "in either order");
        let mut other = groups;
        other[3] = Groups { member: 4, with: 4 };
        let filter = PairFilter { bodies: &bodies, handles, groups: |k| other[k], excluded: &excluded, jointed: &none };
        assert!(!filter.may_touch(3, 4) && filter.may_touch(2, 3));
    }
}
