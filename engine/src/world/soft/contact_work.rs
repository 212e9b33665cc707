//! Contacts add no energy to what is slow.
//!
//! Between bodies and what stands still, contacts without bounce only take energy. Impulses of sweeps that have not converged add some, as those of a part
//! of the step fit the velocities of the part before, and so does taking bodies apart, which lifts them. A stack that rocks from corner to corner
//! loses less than that, and would never come to rest. So both are taken from the velocities of its island at the end of the step.

use super::super::World;
use super::SoftState;
use super::islands::root_of;
use crate::soft_step::SolvedManifold;
use glam::DVec3;

/// A body is slow if no point of it moves faster than this when the step begins, m/s.
const SLOW: f64 = 0.3;

/// Sweeps have converged for an island whose natural map is smaller, m/s.
const CONVERGED: f64 = 1e-6;

/// What contacts have done to the island of a root in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactWork {
    /// The natural map, m/s.
    missing: f64,
    /// It touches something that stands still.
    stands: bool,
    /// Contacts may add energy to it: a body of it bounces, has joints, is fast, or touches something that is moved.
    may_gain: bool,
    /// What they have added, J.
    added: f64,
    /// The kinetic energy, J.
    kinetic: f64,
    /// kg.
    mass: f64,
    /// N s.
    momentum: DVec3,
    /// How much of the momentum what stands still could have taken by friction, besides what it has, N s.
    friction: f64,
}

impl ContactWork {
    /// What stays of the velocity and the angular velocity of a body of the island.
    pub fn left_of(&self, [velocity, spin]: [DVec3; 2]) -> [DVec3; 2] {
        if self.added > 0.0 {
            let mean = self.momentum / self.mass;
            let [kept, scale] = self.shares();
            [kept * mean + scale * (velocity - mean), scale * spin]
        } else {
            [velocity, spin]
        }
    }

    /// The share of the momentum that stays, and of the velocities against the mean one, when what was added is taken from all of them alike, as far as
    /// friction can take momentum.
    fn shares(&self) -> [f64; 2] {
        let root_of_rest =
            |taken: f64, of: f64| if taken > 0.0 { (1.0 - (taken / of).clamp(0.0, 1.0)).sqrt() } else { 1.0 };
        let of_mean = 0.5 * self.momentum.length_squared() / self.mass;
        let kept = root_of_rest(self.added, self.kinetic).max(1.0 - self.friction / self.momentum.length());
        [kept, root_of_rest(self.added - of_mean * (1.0 - kept * kept), self.kinetic - of_mean)]
    }
}

impl World {
    /// Finds what contacts have added to islands that are slow, stand on something, and for which sweeps have not converged.
    pub(super) fn find_contact_work(&self, state: &mut SoftState) {
        let SoftState { work, movers, solver, soft, resting, jointed, .. } = state;
        work.clear();
        work.resize(movers.len(), ContactWork::default());
        let mut is_any_wanted = false;
        for SolvedManifold { bodies, start, count, missing } in solver.manifolds() {
            let own = &mut work[root_of(solver, movers, bodies) as usize];
            own.missing = own.missing.max(missing[1]);
            is_any_wanted |= missing[1] > CONVERGED;
            for wall in bodies.map(|body| &movers[body as usize]).into_iter().filter(|mover| !mover.yields()) {
                if wall.body().twist != [0.0; 6] {
                    own.may_gain = true;
                    continue;
                }
                own.stands = true;
                let all = start as usize..(start + count) as usize;
                for (contact, &[n, s, t, _]) in soft[all.clone()].iter().zip(&solver.totals[all]) {
                    let [mu_s, mu_t, _] = contact.friction;
                    own.friction += (mu_s.min(mu_t) * n - s.hypot(t)).max(0.0);
                }
            }
        }
        if !is_any_wanted {
            return;
        }
        let bouncing = if solver.bounces() { &soft[..] } else { &[] };
        for contact in bouncing.iter().filter(|contact| contact.bounce > 0.0) {
            work[root_of(solver, movers, [contact.a, contact.b]) as usize].may_gain = true;
        }
        for solved in resting.iter() {
            work[solver.root(solved.root as u32) as usize].missing = 0.0;
        }
        let is_judged = |own: &ContactWork| own.missing > CONVERGED && own.stands && !own.may_gain;
        let yielding = || movers.iter().enumerate().filter(|(_, mover)| mover.yields());
        for (body, _) in yielding() {
            let own = &mut work[solver.root(body as u32) as usize];
            if is_judged(own) {
                own.may_gain = self.speed(body) > SLOW || jointed.get(body).is_some_and(|&is| is);
            }
        }
        let time_step = self.settings.step.time_step;
        for (body, mover) in yielding() {
            let own = &mut work[solver.root(body as u32) as usize];
            if !is_judged(own) {
                continue;
            }
            let start = &self.bodies[body];
            let [velocity, spin] = halves(solver.twist(body, mover));
            let [change, change_of_spin] = halves(solver.contact_change(body, mover));
            let (mass, inertia) = (start.mass(), start.inertia_at(start.orientation));
            let mean = 0.5 * (start.velocity + velocity);
            let mean_spin = 0.5 * (start.angular_velocity + spin);
            let pushed = mean.dot(mass * change) + mean_spin.dot(inertia * change_of_spin);
            // Against forces, farther than velocities lead.
            let [way, _] = solver.displacement(body, mover);
            let [force, _] = halves(mover.body().forced_change);
            let lifted = -force.dot(way - time_step * mean) * mass / time_step;
            own.added += pushed + lifted.max(0.0);
            own.kinetic += 0.5 * (mass * velocity.length_squared() + spin.dot(inertia * spin));
            own.mass += mass;
            own.momentum += mass * velocity;
        }
    }
}

fn halves([x, y, z, p, q, r]: [f64; 6]) -> [DVec3; 2] {
    [DVec3::new(x, y, z), DVec3::new(p, q, r)]
}

#[cfg(test)]
mod tests {
    use super::ContactWork;
    use glam::DVec3;
    use proptest::prelude::*;

    /// kg, kg m², m/s, rad/s.
    type Ball = (f64, f64, [f64; 3], [f64; 3]);

    fn kinetic(balls: &[Ball]) -> f64 {
        let square = |x: [f64; 3]| DVec3::from(x).length_squared();
        balls.iter().map(|&(mass, inertia, v, spin)| 0.5 * (mass * square(v) + inertia * square(spin))).sum()
    }

    fn momentum(balls: &[Ball]) -> DVec3 {
        balls.iter().map(|&(mass, _, v, _)| mass * DVec3::from(v)).sum()
    }

    proptest! {
        #[test]
        fn an_island_loses_what_was_added_and_no_more_momentum_than_friction_takes(
            balls in prop::collection::vec(
                (0.1f64..10.0, 0.01f64..1.0, prop::array::uniform3(-1.0f64..1.0), prop::array::uniform3(-1.0f64..1.0)),
                1..5,
            ),
            share in -0.5f64..1.5,
            friction in prop_oneof![Just(0.0), 0.0f64..5.0, Just(1e9)],
        ) {
            let (before, momentum_before) = (kinetic(&balls), momentum(&balls));
            let work = ContactWork {
                added: share * before,
                kinetic: before,
                mass: balls.iter().map(|ball| ball.0).sum(),
                momentum: momentum_before,
                friction,
                ..ContactWork::default()
            };
            let left: Vec<Ball> = balls
                .iter()
                .map(|&(mass, inertia, v, spin)| {
                    let [v, spin] = work.left_of([v.into(), spin.into()]);
                    (mass, inertia, v.to_array(), spin.to_array())
                })
                .collect();
            let lost = before - kinetic(&left);
            let wanted = work.added.clamp(0.0, before);
            prop_assert!(lost < wanted + 1e-9 * before);
            let taken = (momentum_before - momentum(&left)).length();
            prop_assert!(taken < friction + 1e-9);
            // All of it, unless what is left moves as one.
            let mean = momentum(&left) / work.mass;
            let moves_as_one = left.iter().all(|&(_, _, v, spin)| {
                (DVec3::from(v) - mean).length() < 1e-6 && DVec3::from(spin).length() < 1e-6
            });
            prop_assert!((lost - wanted).abs() < 1e-9 * before || moves_as_one, "{lost} of {wanted}");
        }
    }

    #[test]
    fn what_stands_still_or_only_glides_is_left_so() {
        let still = ContactWork { added: 1.0, mass: 1.0, ..ContactWork::default() };
        assert_eq!(still.left_of([DVec3::ZERO; 2]), [DVec3::ZERO; 2]);
        let way = DVec3::new(0.1, 0.0, 0.0);
        let glides = ContactWork { added: 0.005, kinetic: 0.005, mass: 1.0, momentum: way, ..ContactWork::default() };
        assert_eq!(glides.left_of([way, DVec3::ZERO]), [way, DVec3::ZERO]);
    }
}
