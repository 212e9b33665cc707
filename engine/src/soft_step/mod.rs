//! The soft step: a time step in parts, with contacts that are stiff springs while bodies are taken apart and hard while they move.
//!
//! In each part forces act, contacts are solved with velocities that take apart what is too deep, the bodies move, and contacts
//! are solved again without these velocities, so that none is left behind ("TGS soft" of E. Catto, "Solver2D", 2024; M. Macklin et
//! al., "Small Steps in Physics Simulation", 2019). Normals and arms stay for the whole step, gaps follow the motion. Friction
//! acts where velocities are hard. Islands are solved in [`batches`], each by one thread; within each, manifolds are coloured ([`colouring`])
//! and solved eight side by side ([`lanes`]). The colours of a large island are shared among threads.
//!
//! Results are the same bits on any number of threads and with any vector instructions.

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batches;
pub mod bodies;
mod colouring;
mod constraint;
mod effective_masses;
mod ends;
mod frame;
pub(crate) mod joints;
pub mod lanes;
mod normals;
mod passes;
pub mod quad;
mod rubbing;
pub mod settings;
mod settle;
mod solve;
#[cfg(target_arch = "x86_64")]
mod sse;
mod states;

pub use settings::SoftSettings;

use crate::compressed_rows::fill_rows;
use crate::interruption::{Interrupted, Interruption};
use crate::solver::{
    ContactProblem, FrictionModel, Impulse, ResidualScale, Solution, SolverBody, SolverContact, SolverError, Stop,
    Twist, natural_residual,
};
use batches::Batches;
use bodies::{Between, Mover};
use colouring::{Colouring, NONE};
use constraint::Constraint;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;
use joints::{JointIsland, SoftJoints};
use lanes::{Instructions, LANES};
use quad::Quad;
use solve::{At, LARGE, Solve, Solved};
use states::{SharedState, State};
use std::sync::{Mutex, PoisonError};

/// So many times that a thread takes at most: one that comes late finds some left.
const TASKS_AT_ONCE: usize = 2;

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

/// Manifolds that a thread takes at least.
const MANIFOLDS_PER_TASK: usize = 256;

/// Normals of one manifold differ by no more than this.
const SAME_NORMAL: f64 = 1e-9;

/// A contact of a soft step.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SoftContact {
    /// m, world frame.
    pub position: DVec3,
    /// m, with the depth at which bodies rest as zero.
    pub gap: f64,
    /// Of a substep, normal, s, t (N s), torsion (N m s): what the step begins with, and what it ends with.
    pub impulse: Impulse,
    /// From A to B, of unit length.
    pub normal: DVec3,
    /// Bodies that are no deeper in each other are not taken apart, m: contacts at rest are hard ones.
    pub slack: f64,
    /// Along s, t, and for torsion (m).
    pub friction: [f64; 3],
    /// How fast the bodies part at the end of a step in which they hit each other, m/s; zero without bounce.
    pub bounce: f64,
    /// A body, by its place in the list; it or the other one has a mass.
    pub a: u32,
    /// The other body.
    pub b: u32,
}

impl SoftContact {
    /// No contact.
    pub(crate) const NONE: Self = Self {
        position: DVec3::ZERO,
        gap: 0.0,
        impulse: [0.0; 4],
        normal: DVec3::ZERO,
        slack: 0.0,
        friction: [0.0; 3],
        bounce: 0.0,
        a: 0,
        b: 0,
    };

    /// The position and the gap.
    #[inline(always)]
    fn place(&self) -> Quad {
        Quad([self.position.x, self.position.y, self.position.z, self.gap])
    }
}

/// Contacts of two bodies with one normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manifold {
    start: u32,
    count: u32,
    /// A and B.
    bodies: [u32; 2],
}

/// The impulses of the contacts over a step of `duration` (s) in which the bodies move apart as their gaps say, and the change of each
/// body's twist by them (m/s, rad/s): the soft step for steppers that move bodies by themselves. `start` are initial impulses (none for
/// zero).
///
/// # Errors
/// [`SolverError::Setting`], those of [`ContactProblem::assemble`].
pub fn solve_impulses(
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    settings: &SoftSettings,
    duration: f64,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    settings.check()?;
    let problem = ContactProblem::assemble(bodies, contacts)?;
    if !(start.is_empty() || start.len() == contacts.len()) {
        return Err(SolverError::InitialImpulses { expected: contacts.len(), given: start.len() });
    }
    let share = 1.0 / settings.substeps as f64;
    let movers: Vec<Mover> =
        bodies.iter().map(|body| Mover::new(body, body.inverse_mass > 0.0, settings.substeps)).collect();
    let soft = |(k, contact): (usize, &SolverContact)| {
        let velocity = |body: crate::body::BodyId| {
            let body = &bodies[body.index()];
            let [x, y, z, p, q, r] = body.twist;
            DVec3::new(x, y, z) + DVec3::new(p, q, r).cross(contact.position - body.position)
        };
        let normal = contact.normal.normalize();
        let approach = normal.dot(velocity(contact.a) - velocity(contact.b)).max(0.0);
        SoftContact {
            a: contact.a.index() as u32,
            b: contact.b.index() as u32,
            position: contact.position,
            normal,
            gap: contact.stabilisation * duration,
            slack: 0.0,
            friction: contact.friction,
            bounce: contact.restitution * approach,
            impulse: start.get(k).map_or([0.0; 4], |impulse| impulse.map(|x| x * share)),
        }
    };
    let mut soft: Vec<SoftContact> = contacts.iter().enumerate().map(soft).collect();
    let mut step = SoftStep::default();
    step.solve(&Interruption::NEVER, &movers, &mut soft, (settings, duration))?;
    let impulses = std::mem::take(&mut step.totals);
    let change = |(k, (body, mover)): (usize, (&SolverBody, &Mover))| {
        let twist = step.twist(k, mover);
        std::array::from_fn(|i| if mover.yields() { twist[i] - body.twist[i] - body.forced_change[i] } else { 0.0 })
    };
    let changes = bodies.iter().zip(&movers).enumerate().map(change).collect();
    let natural_residual = natural_residual(&problem, FrictionModel::Ellipsoid, &impulses, ResidualScale::Unit);
    let solution = Solution {
        impulses,
        residuals: Vec::new(),
        natural_residuals: Vec::new(),
        divergences: 0,
        stop: Stop::Substeps,
        natural_residual,
        svd: None,
        global: None,
    };
    Ok((solution, changes))
}

/// Contacts of two bodies with one normal, after a solve.
#[derive(Clone, Copy, Debug)]
pub struct SolvedManifold {
    /// A and B.
    pub bodies: [u32; 2],
    /// Its first contact.
    pub start: u32,
    /// How many there are.
    pub count: u32,
    /// How far the impulses of its last substep are from the law: the natural map (N s), and the same as a velocity (m/s).
    pub missing: [f64; 2],
}

/// What is kept from step to step, so that no memory has to be asked for: no result depends on it.
#[derive(Debug, Default)]
pub struct SoftStep {
    /// Results are the same with all of them.
    pub instructions: Instructions,
    /// The impulses of the contacts of the last solve over the whole step, normal, s, t (N s), torsion (N m s).
    pub totals: Vec<Impulse>,
    manifolds: Vec<Manifold>,
    /// Whether any of them bounces.
    bounces: bool,
    /// What batches and colours were made from: they stay until something else touches.
    coloured: Coloured,
    batches: Batches,
    colouring: Colouring,
    /// Of the bodies of each batch, then of all others.
    states: Vec<State>,
    between: Vec<Between>,
    /// Of the manifolds, as the colouring orders them: eight by eight.
    solved: Vec<[Solved; LANES]>,
    /// The constraints of the batch that each thread works on.
    constraints: Vec<Mutex<Vec<Constraint>>>,
    /// Of a batch that several threads work on.
    large: (Vec<Constraint>, Vec<SharedState>),
    /// The natural map of each manifold, N s and m/s.
    missing: Vec<[f64; 2]>,
    /// The joints of the step, and those of each batch while it is solved.
    pub(crate) joints: SoftJoints,
    joint_islands: Vec<Mutex<JointIsland>>,
}

/// What batches and colours follow from.
#[derive(Debug, Default)]
struct Coloured {
    manifolds: Vec<Manifold>,
    /// Which bodies yield.
    yields: Vec<bool>,
    /// The bodies of each joint.
    joints: Vec<[u32; 4]>,
}

impl Coloured {
    fn is(&self, manifolds: &[Manifold], movers: &[Mover], joints: impl Iterator<Item = [u32; 4]>) -> bool {
        self.manifolds == manifolds
            && self.yields.iter().copied().eq(movers.iter().map(Mover::yields))
            && self.joints.iter().copied().eq(joints)
    }

    fn set(&mut self, manifolds: &[Manifold], movers: &[Mover], joints: impl Iterator<Item = [u32; 4]>) {
        self.manifolds.clear();
        self.manifolds.extend_from_slice(manifolds);
        self.yields.clear();
        self.yields.extend(movers.iter().map(Mover::yields));
        self.joints.clear();
        self.joints.extend(joints);
    }
}

impl SoftStep {
    /// Moves bodies through a step of `duration` (s) with these contacts; those of a manifold follow each other. The impulses of the
    /// contacts are those of its last substep then, and [`Self::totals`] those of the step.
    ///
    /// # Errors
    /// [`Interrupted`]: impulses and motions mean nothing then.
    pub fn solve(
        &mut self,
        interruption: &Interruption,
        movers: &[Mover],
        contacts: &mut [SoftContact],
        (settings, duration): (&SoftSettings, f64),
    ) -> Result<(), Interrupted> {
        let threads = drystone_contact::parallel::current_num_threads().max(1);
        self.group(contacts);
        self.colour(movers, threads);
        let Self {
            manifolds,
            batches,
            colouring,
            constraints,
            states,
            between,
            solved,
            large,
            joints,
            joint_islands,
            ..
        } = self;
        let most_islands = if batches.joints.is_empty() { 0 } else { batches.count() };
        joint_islands.resize_with(joint_islands.len().max(most_islands), Mutex::default);
        let of = |&body: &u32| (movers[body as usize].begin(), movers[body as usize].between());
        batches.bodies.par_iter().in_tasks_of(BODIES_PER_TASK).map(of).unzip_into_vecs(states, between);
        solved.resize(colouring.order.len(), Default::default());
        // Any thread may come to work on any batch that it does not share.
        let eights = (0..batches.count()).map(|batch| colouring.eights_of(batch).len());
        let most = eights.filter(|&eights| threads == 1 || eights <= LARGE).max().unwrap_or(0);
        constraints.resize_with(threads, Mutex::default);
        for own in constraints.iter_mut() {
            let own = own.get_mut().unwrap_or_else(PoisonError::into_inner);
            if own.len() < most {
                own.resize(most + most / 4, Constraint::default());
            }
        }
        let solve = Solve {
            interruption,
            instructions: self.instructions,
            manifolds,
            contacts,
            movers,
            batches,
            colouring,
            settings,
            substep: duration / settings.substeps as f64,
            bounces: self.bounces,
            is_shared: threads > 1,
            constraints,
            joints,
            joint_islands,
        };
        solve.all(At { states, between, solved }, large);
        interruption.check()?;
        self.finish(contacts);
        self.finish_joints();
        Ok(())
    }

    /// Takes over what has come of the joints.
    fn finish_joints(&mut self) {
        let Self { batches, joints, joint_islands, .. } = self;
        for batch in (0..batches.count()).filter(|&batch| !batches.joints_of(batch).is_empty()) {
            let island = joint_islands[batch].get_mut().unwrap_or_else(PoisonError::into_inner);
            for (joint, solved) in island.finish() {
                let own = &mut joints.joints[joint as usize];
                (own.solved, own.total) = (Some((solved.coordinates, solved.impulses)), solved.total);
            }
        }
    }

    /// The twist of a body at the end of the step, see [`Mover::twist`].
    pub fn twist(&self, body: usize, mover: &Mover) -> Twist {
        mover.twist(&self.states[self.batches.place(body)])
    }

    /// What contacts have changed of the twist of a body, see [`Mover::contact_change`].
    pub fn contact_change(&self, body: usize, mover: &Mover) -> Twist {
        mover.contact_change(&self.states[self.batches.place(body)])
    }

    /// Puts a body to where a twist leads in a step of `duration`, s.
    pub fn set_twist(&mut self, body: usize, mover: &Mover, twist: &Twist, duration: f64) {
        mover.set_twist(&mut self.states[self.batches.place(body)], twist, duration);
    }

    /// How far a body has come in the step: a displacement (m), and a rotation vector (rad, world axes).
    pub fn displacement(&self, body: usize, mover: &Mover) -> [DVec3; 2] {
        mover.displacement(&self.states[self.batches.place(body)])
    }

    /// The first body of the island of one that yields, in the last solve: contacts tie bodies that yield together.
    pub fn root(&self, body: u32) -> u32 {
        self.batches.root(body)
    }

    /// Whether anything bounced in the last solve.
    pub fn bounces(&self) -> bool {
        self.bounces
    }

    /// The manifolds of the last solve, in the order of their contacts.
    pub fn manifolds(&self) -> impl Iterator<Item = SolvedManifold> + '_ {
        self.manifolds.iter().zip(&self.missing).map(|(manifold, &missing)| {
            let Manifold { start, count, bodies } = *manifold;
            SolvedManifold { bodies, start, count, missing }
        })
    }

    fn group(&mut self, contacts: &[SoftContact]) {
        self.manifolds.clear();
        self.bounces = false;
        let mut start = 0;
        while start < contacts.len() {
            let first = &contacts[start];
            let fits =
                |c: &&SoftContact| (c.a, c.b) == (first.a, first.b) && c.normal.dot(first.normal) > 1.0 - SAME_NORMAL;
            let count = contacts[start..].iter().take_while(fits).count().max(1);
            self.bounces |= contacts[start..start + count].iter().any(|contact| contact.bounce > 0.0);
            self.manifolds.push(Manifold { start: start as u32, count: count as u32, bodies: [first.a, first.b] });
            start += count;
        }
    }

    fn colour(&mut self, movers: &[Mover], threads: usize) {
        let Self { manifolds, coloured, batches, colouring, joints, .. } = self;
        let joints = (0..joints.joints.len()).map(|joint| joints.bodies_of(joint));
        if coloured.is(manifolds, movers, joints.clone()) {
            return;
        }
        batches.tie(movers, manifolds.iter().map(|manifold| manifold.bodies), joints.clone(), threads);
        let yielding = |body: u32| if movers[body as usize].yields() { body } else { NONE };
        let of_manifolds = manifolds.iter().zip(&batches.of_manifolds);
        let of_manifolds =
            of_manifolds.map(|(manifold, &batch)| (manifold.bodies.map(yielding), manifold.count, batch));
        colouring.colour((movers.len(), batches.count()), of_manifolds);
        batches.place_bodies(movers, colouring.sorted.iter().map(|&k| (k, manifolds[k as usize].bodies)));
        coloured.set(manifolds, movers, joints);
    }

    fn finish(&mut self, contacts: &mut [SoftContact]) {
        let Self { totals, manifolds, colouring, solved, missing, .. } = self;
        let of = |k: usize| {
            let (eight, lane) = colouring.slots[k];
            &solved[eight as usize][lane as usize]
        };
        let all = (0..manifolds.len()).into_par_iter().in_tasks_of(MANIFOLDS_PER_TASK);
        all.map(|k| of(k).missing).collect_into_vec(missing);
        let count = contacts.len();
        let start = |k: usize| manifolds.get(k).map_or(count, |manifold| manifold.start as usize);
        let finish = |k: usize, (contacts, totals): (&mut [SoftContact], &mut [Impulse])| {
            for ((contact, total), [impulse, of_step]) in contacts.iter_mut().zip(totals).zip(&of(k).impulses) {
                (contact.impulse, *total) = (*impulse, *of_step);
            }
        };
        totals.resize(count, [0.0; 4]);
        fill_rows(manifolds.len(), &start, (contacts, &mut totals[..]), &finish);
    }
}

#[cfg(test)]
mod tests;
