//! Contacts add no energy to what is slow.
//!
//! Between bodies and what stands still, contacts without bounce only take energy. What bounces leaves at the speed at which the parts of a step take it
//! as high as it is to rise, which may be more than it came with. Impulses of sweeps that have not converged add some, as those of a part
//! of the step fit the velocities of the part before, and so does taking bodies apart, which lifts them. A stack that rocks from corner to corner
//! loses less than that, and would never come to rest. So where the mechanical energy of an island grows in a step by more than forces have done, its
//! velocities at the end of the step become smaller.

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
    /// Energy may be added to it: a body of it bounces, has joints, is fast, or touches something that is moved.
    may_gain: bool,
    /// The energy that they have added, J.
    added: f64,
    /// The kinetic energy, J.
    kinetic: f64,
    /// What stops all its bodies, those that turn at their farthest points, kg m/s.
    motion: f64,
    /// How much of that what stands still could have given by friction, besides what it has given, N s; nought of what touches nothing that stands still.
    friction: f64,
}

impl ContactWork {
    /// The velocities of its bodies are to be so many times as large: then the island has lost what was added to it, or as much of that as friction can
    /// take.
    pub fn scale(&self) -> f64 {
        if self.added > 0.0 {
            let without = (1.0 - (self.added / self.kinetic).min(1.0)).sqrt();
            without.max(1.0 - self.friction / self.motion)
        } else {
            1.0
        }
    }
}

impl World {
    /// Finds what contacts have added to islands that are slow, and for which sweeps have not converged; nothing if there are none.
    pub(super) fn find_contact_work(&self, state: &mut SoftState) {
        let SoftState { work, movers, traits, solver, soft, resting, jointed, written, zones, .. } = state;
        work.clear();
        // What moves as one does not end as its contacts have left it.
        if !zones.is_empty() || !solver.manifolds().any(|manifold| manifold.missing[1] > CONVERGED) {
            return;
        }
        work.resize(movers.len(), ContactWork::default());
        for SolvedManifold { bodies, start, count, missing } in solver.manifolds() {
            let own = &mut work[root_of(solver, movers, bodies) as usize];
            own.missing = own.missing.max(missing[1]);
            for wall in bodies.map(|body| body as usize).into_iter().filter(|&body| !movers[body].yields()) {
                if movers[wall].body().twist != [0.0; 6] || written[wall] {
                    own.may_gain = true;
                    continue;
                }
                let all = start as usize..(start + count) as usize;
                for (contact, &[n, s, t, _]) in soft[all.clone()].iter().zip(&solver.totals[all]) {
                    let [mu_s, mu_t, _] = contact.friction;
                    own.friction += (mu_s.min(mu_t) * n - (s * s + t * t).sqrt()).max(0.0);
                }
            }
        }
        let bouncing = if solver.bounces() { &soft[..] } else { &[] };
        for contact in bouncing.iter().filter(|contact| contact.bounce > 0.0) {
            work[root_of(solver, movers, [contact.a, contact.b]) as usize].may_gain = true;
        }
        for solved in resting.iter() {
            work[solver.root(solved.root as u32) as usize].missing = 0.0;
        }
        let is_judged = |own: &ContactWork| own.missing > CONVERGED && !own.may_gain;
        let yielding = || movers.iter().enumerate().filter(|(_, mover)| mover.yields());
        for (body, _) in yielding() {
            let own = &mut work[solver.root(body as u32) as usize];
            if is_judged(own) {
                own.may_gain =
                    self.is_faster(body, SLOW, || traits[body].radius) || jointed.get(body).is_some_and(|&is| is);
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
            let (all, all_spin) = (velocity - start.velocity, spin - start.angular_velocity);
            let mean = start.velocity + 0.5 * all;
            let mean_spin = start.angular_velocity + 0.5 * all_spin;
            let grown = mean.dot(mass * all) + mean_spin.dot(inertia * all_spin);
            // Forces and torques have done the rest, along the way that it has come.
            let [way, turn] = solver.displacement(body, mover);
            let (forced, forced_spin) = (all - change, all_spin - change_of_spin);
            let done = (way.dot(mass * forced) + turn.dot(inertia * forced_spin)) / time_step;
            own.added += grown - done;
            own.kinetic += 0.5 * (mass * velocity.length_squared() + spin.dot(inertia * spin));
            let turning = if spin == DVec3::ZERO { 0.0 } else { traits[body].radius };
            own.motion += mass * (velocity.length() + spin.length() * turning);
        }
    }
}

fn halves([x, y, z, p, q, r]: [f64; 6]) -> [DVec3; 2] {
    [DVec3::new(x, y, z), DVec3::new(p, q, r)]
}

#[cfg(test)]
mod tests {
    use super::ContactWork;

    #[test]
    fn an_island_loses_what_was_added() {
        let work = ContactWork { kinetic: 2.0, motion: 3.0, friction: 1e9, ..ContactWork::default() };
        for added in [0.0, 0.1, 1.0, 1.9, 2.0, 5.0] {
            let scale = ContactWork { added, ..work }.scale();
            assert!((2.0 * (1.0 - scale * scale) - added.min(2.0)).abs() < 1e-12, "{added}: {scale}");
        }
        assert_eq!(ContactWork { added: -1.0, ..work }.scale(), 1.0);
    }

    #[test]
    fn and_no_more_than_friction_takes() {
        let work = ContactWork { added: 1.9, kinetic: 2.0, motion: 3.0, ..ContactWork::default() };
        assert_eq!(work.scale(), 1.0);
        let scale = ContactWork { friction: 0.5, ..work }.scale();
        assert!((work.motion * (1.0 - scale) - 0.5).abs() < 1e-12, "{scale}");
    }

    #[test]
    fn the_scale_is_a_number_where_nothing_moves() {
        let still = ContactWork { added: 1.0, friction: 1.0, ..ContactWork::default() };
        assert_eq!(still.scale(), 0.0);
        assert_eq!(ContactWork { friction: 0.0, ..still }.scale(), 0.0);
    }
}
