//! Bodies that move as one: velocities of a group of bodies are replaced by those of the rigid body that they would be
//! together, so that they do not move against each other.
//!
//! The twist of the union has the group's momentum and its angular momentum about the common centre of mass. It is the
//! projection of the velocities to rigid motions in the metric of kinetic energy, which does not grow. A group with a body
//! that is not dynamic moves as that body does, the first if there are several. A group that may not turn keeps its momentum
//! alone. Bodies that joints tie to a body of a group belong to it.

use super::World;
use crate::body::{Body, Pose};
use crate::handle::BodyHandle;
use crate::joint::Joint;
use crate::solver::{Twist, twist};
use drystone_contact::sorting::inserted;
use glam::{DMat3, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// A body's linear and angular velocity, m/s and rad/s.
pub(super) fn velocities([x, y, z, p, q, r]: Twist) -> (DVec3, DVec3) {
    (DVec3::new(x, y, z), DVec3::new(p, q, r))
}

impl World {
    /// Lets the bodies that `pairs` connect move as one, or in the same way but without turning, which takes the angular
    /// momentum away.
    pub(super) fn move_as_one(
        &self,
        bodies: &[Body],
        poses: &[Pose],
        pairs: &[(usize, usize)],
        may_turn: bool,
        twists: &mut [Twist],
    ) {
        for group in groups(bodies, &self.with_jointed(bodies, pairs)) {
            let anchor = group.iter().copied().find(|&i| !bodies[i].is_dynamic());
            let (centre, velocity, spin) = match anchor {
                Some(i) if bodies[i].is_fixed() => (poses[i].translation, DVec3::ZERO, DVec3::ZERO),
                Some(i) => (poses[i].translation, bodies[i].velocity, bodies[i].angular_velocity),
                None => union(bodies, poses, &group, twists),
            };
            let spin = if may_turn { spin } else { DVec3::ZERO };
            for i in group.into_iter().filter(|&i| bodies[i].is_dynamic()) {
                twists[i] = twist(velocity + spin.cross(poses[i].translation - centre), spin);
            }
        }
    }
}

impl World {
    /// Pairs, and those of dynamic bodies that joints tie to them, near or far: otherwise such a motion would open the joints.
    fn with_jointed(&self, bodies: &[Body], pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let place = |body: BodyHandle| self.handles.index(body).filter(|&body| bodies[body].is_dynamic());
        let tied = |joint: &Joint| Some((place(joint.bodies()[0]?)?, place(joint.bodies()[1]?)?));
        let mut left: Vec<(usize, usize)> = self.joints.joints().iter().filter_map(tied).collect();
        let mut own: BTreeSet<usize> = inserted(pairs.iter().flat_map(|&(a, b)| [a, b]));
        let mut all = pairs.to_vec();
        loop {
            let known = all.len();
            left.retain(|&(a, b)| {
                let is_near = own.contains(&a) || own.contains(&b);
                if is_near {
                    own.extend([a, b]);
                    all.push((a, b));
                }
                !is_near
            });
            if all.len() == known {
                return all;
            }
        }
    }
}

/// The bodies that are connected by pairs, in ascending order; pairs are not connected through a body that is not dynamic.
fn groups(bodies: &[Body], pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut root_of: BTreeMap<usize, usize> = inserted(pairs.iter().flat_map(|&(a, b)| [(a, a), (b, b)]));
    let root = |root_of: &BTreeMap<usize, usize>, mut i: usize| {
        while root_of[&i] != i {
            i = root_of[&i];
        }
        i
    };
    for &(a, b) in pairs.iter().filter(|(a, b)| bodies[*a].is_dynamic() && bodies[*b].is_dynamic()) {
        let (a, b) = (root(&root_of, a), root(&root_of, b));
        root_of.insert(a.max(b), a.min(b));
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &i in root_of.keys().filter(|&&i| bodies[i].is_dynamic()) {
        groups.entry(root(&root_of, i)).or_default().push(i);
    }
    for &(a, b) in pairs {
        for (body, other) in [(a, b), (b, a)].into_iter().filter(|&(body, _)| !bodies[body].is_dynamic()) {
            if let Some(group) = groups.get_mut(&root(&root_of, other)) {
                group.push(body);
            }
        }
    }
    groups
        .into_values()
        .map(|mut group| {
            group.sort_unstable();
            group.dedup();
            group
        })
        .collect()
}

/// Centre of mass, velocity and angular velocity of dynamic bodies as one.
fn union(bodies: &[Body], poses: &[Pose], group: &[usize], twists: &[Twist]) -> (DVec3, DVec3, DVec3) {
    let mass: f64 = group.iter().map(|&i| bodies[i].mass()).sum();
    let mean = |of: &dyn Fn(usize) -> DVec3| group.iter().map(|&i| of(i) * bodies[i].mass()).sum::<DVec3>() / mass;
    let centre = mean(&|i| poses[i].translation);
    let velocity = mean(&|i| velocities(twists[i]).0);
    let (mut inertia, mut momentum) = (DMat3::ZERO, DVec3::ZERO);
    for &i in group {
        let (own_velocity, own_spin) = velocities(twists[i]);
        let (own_mass, arm) = (bodies[i].mass(), poses[i].translation - centre);
        let own_inertia = bodies[i].inertia_at(poses[i].rotation);
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        inertia += own_inertia + (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * own_mass;
        momentum += own_inertia * own_spin + arm.cross(own_velocity - velocity) * own_mass;
    }
    (centre, velocity, inertia.inverse() * momentum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;
    use proptest::prelude::*;

    fn energy(bodies: &[Body], poses: &[Pose], twists: &[Twist]) -> f64 {
        let of = |i: usize| {
            let (v, w) = velocities(twists[i]);
            0.5 * bodies[i].mass() * v.length_squared() + 0.5 * w.dot(bodies[i].inertia_at(poses[i].rotation) * w)
        };
        (0..bodies.len()).map(of).sum()
    }

    fn momenta(bodies: &[Body], poses: &[Pose], twists: &[Twist]) -> (DVec3, DVec3) {
        let of = |i: usize| {
            let (v, w) = velocities(twists[i]);
            let p = v * bodies[i].mass();
            (p, poses[i].translation.cross(p) + bodies[i].inertia_at(poses[i].rotation) * w)
        };
        (0..bodies.len()).map(of).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), (q, m)| (p + q, l + m))
    }

    proptest! {
        #[test]
        fn bodies_as_one_keep_their_momenta_and_gain_no_energy(
            numbers in prop::collection::vec(prop::array::uniform16(-1.0..1.0f64), 2..5),
        ) {
            let vector = |n: &[f64; 16], k: usize| DVec3::new(n[k], n[k + 1], n[k + 2]);
            let body = |n: &[f64; 16]| {
                Body::dynamic(1.5 + n[0], DVec3::splat(2.5) + vector(n, 1), MaterialId::new(0)).unwrap()
            };
            let pose = |n: &[f64; 16]| Pose::from_parts(vector(n, 4), glam::DQuat::from_scaled_axis(3.0 * vector(n, 7)));
            let bodies: Vec<Body> = numbers.iter().map(body).collect();
            let poses: Vec<Pose> = numbers.iter().map(pose).collect();
            let before: Vec<Twist> = numbers.iter().map(|n| twist(vector(n, 10), vector(n, 13))).collect();
            let pairs: Vec<(usize, usize)> = (1..bodies.len()).map(|i| (i - 1, i)).collect();
            let mut after = before.clone();
            World::default().move_as_one(&bodies, &poses, &pairs, true, &mut after);
            let ((p, l), (q, m)) = (momenta(&bodies, &poses, &before), momenta(&bodies, &poses, &after));
            prop_assert!(p.distance(q) < 1e-12 && l.distance(m) < 1e-11);
            prop_assert!(energy(&bodies, &poses, &after) <= energy(&bodies, &poses, &before) * (1.0 + 1e-12));
            // No two points move against each other.
            let at = |i: usize, x: DVec3| { let (v, w) = velocities(after[i]); v + w.cross(x - poses[i].translation) };
            prop_assert!(at(0, DVec3::ONE).distance(at(1, DVec3::ONE)) < 1e-11);
        }
    }

    #[test]
    fn groups_end_at_bodies_that_do_not_yield() {
        let stuff = MaterialId::new(0);
        let bodies = [
            Body::fixed(stuff),
            Body::dynamic(1.0, DVec3::ONE, stuff).unwrap(),
            Body::dynamic(1.0, DVec3::ONE, stuff).unwrap(),
        ];
        assert_eq!(groups(&bodies, &[(0, 1), (0, 2)]), [vec![0, 1], vec![0, 2]]);
        assert_eq!(groups(&bodies, &[(0, 1), (1, 2)]), [vec![0, 1, 2]]);
    }
}
