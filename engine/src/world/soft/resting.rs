//! Islands at rest that the sweeps leave far from the law of contact (arches, walls, light bodies under heavy ones): the
//! [global solver](crate::solver::global) takes their step over.
//!
//! The natural map decides, step by step: an island whose bodies begin the step at rest and for which it is too large after the last
//! substep is solved at once, from the impulses of the step before. Where that converges, or comes nearer to the law than the sweeps, its
//! impulses and velocities replace theirs, and the next step begins with them. The bodies then rest at the depth at which they are.

use super::super::World;
use super::super::report::StepCounts;
use super::SoftState;
use crate::body::{Body, BodyId};
use crate::islands::Island;
use crate::soft_step::SoftSettings;
use crate::solver::contact_problem::tangents;
use crate::solver::global::{self, GlobalReport, GlobalSettings, GlobalStatus};
use crate::solver::{FrictionModel, Impulse, SolverBody, SolverContact, SolverError, Twist};
use crate::stepper::twist_after;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;

/// Bodies are at rest if no point of them is faster than this when the step begins, m/s.
pub(super) const AT_REST: f64 = 1e-2;

/// And if they have been for so long since they were faster, s: bodies that have just arrived bring sweeps far from the law too, and are
/// no task for a solver that goes on from the step before.
pub(super) const CALM: f64 = 0.25;

/// For so many steps bodies may be faster once the global solver has solved their island.
const HELD_FOR: u32 = 8;

/// Bodies that the global solver holds may be faster, m/s: they close the gaps between them.
pub(super) const HELD: f64 = 0.5;

/// What the global solver finds is taken if the natural map is no larger than this share of that of the sweeps, as it may be while
/// gaps close.
const BETTER: f64 = 0.5;

/// While bodies are deeper in each other than they may be, the natural map may be so many times as large.
const WHILE_DEEP: f64 = 100.0;

/// Bodies are taken apart if some point of them moves faster than this by it, m/s: then the sweeps go on.
const PARTING_SPEED: f64 = 1e-3;

/// Unless none is deeper than so many times the depth at which bodies are left anyway.
const SHALLOW: f64 = 100.0;

/// Steps for which an island is left to sweeps after the global solver has failed.
const WAIT: u32 = 32;

/// An island that the global solver has solved.
#[derive(Debug)]
pub(super) struct Resting {
    island: Island,
    /// The body that the report of the island names.
    pub root: usize,
    pub report: GlobalReport,
    /// N s.
    pub natural_residual: f64,
    impulses: Vec<Impulse>,
    /// Of the twists of its bodies.
    changes: Vec<Twist>,
}

impl World {
    /// Solves the islands at rest for which the natural map is too large.
    pub(super) fn solve_resting_islands(
        &self,
        state: &mut SoftState,
        soft: &SoftSettings,
        share: f64,
        counts: &mut StepCounts,
    ) -> Result<(), (usize, SolverError)> {
        state.resting.clear();
        if soft.global_bodies == 0 {
            return Ok(());
        }
        let SoftState { islands, rests, movers, soft: contacts, solver, jointed, .. } = state;
        let is_at_rest = |body: usize| rests[body].restless == 0 && !jointed.get(body).is_some_and(|&is| is);
        let limits = [soft.global_residual, WHILE_DEEP * soft.global_residual];
        let wanted = islands.at_rest(movers, contacts, solver, (soft.global_bodies, limits), is_at_rest);
        let time_step = self.settings.step.time_step;
        let parts = |&body: &usize| {
            let mover = &state.movers[body];
            let [way, turn] = state.solver.displacement(body, mover);
            let [x, y, z, p, q, r] = state.solver.twist(body, mover);
            let speed = (way / time_step - DVec3::new(x, y, z)).length();
            let spin = (turn / time_step - DVec3::new(p, q, r)).length();
            mover.yields() && speed + spin * state.traits[body].radius > PARTING_SPEED
        };
        let is_too_deep = |&k: &usize| {
            let contact = &state.soft[k];
            contact.gap < -contact.slack - SHALLOW * state.slack((contact.a as usize, contact.b as usize))
        };
        let tried = |(island, _): &(Island, f64)| {
            let is_parting = || island.contacts.iter().any(is_too_deep) && island.bodies.iter().any(parts);
            !island.bodies.iter().any(|&body| state.waits(body)) && !is_parting()
        };
        let solve = |(island, swept): (Island, f64)| {
            self.solve_resting(island, state, (soft.global_residual.max(BETTER * swept), soft.substeps), share)
        };
        let solved: Vec<_> =
            wanted.into_par_iter().in_tasks_of(1).filter(tried).map(solve).collect::<Result<_, _>>()?;
        let part = 1.0 / soft.substeps as f64;
        for resting in solved {
            counts.global_factorizations += resting.report.factorizations + resting.report.interior_point_steps;
            match resting.report.status {
                GlobalStatus::Newton => counts.global_newton += 1,
                GlobalStatus::InteriorPoint => counts.global_interior_point += 1,
                GlobalStatus::GaussSeidel | GlobalStatus::Unsupported | GlobalStatus::NotConverged => {
                    counts.global_fallbacks += 1;
                    let place = state.waits.partition_point(|&(body, _)| (body as usize) < resting.root);
                    state.waits.insert(place, (resting.root as u32, WAIT));
                    continue;
                }
            }
            for (&k, impulse) in resting.island.contacts.iter().zip(&resting.impulses) {
                let contact = &mut state.soft[k];
                contact.impulse = impulse.map(|x| x * part);
                state.solver.totals[k] = *impulse;
                let (pair, place) = state.places[k];
                let known = &mut state.pairs[pair].contacts[place];
                known.rest_depth = known.rest_depth.max(-contact.gap);
            }
            for (&body, change) in resting.island.bodies.iter().zip(&resting.changes) {
                let mover = &state.movers[body];
                if mover.yields() {
                    state.rests[body].held = HELD_FOR;
                    state.solver.set_twist(body, mover, &twist_after(&mover.body(), change), time_step);
                }
            }
            state.resting.push(resting);
        }
        Ok(())
    }

    fn solve_resting(
        &self,
        island: Island,
        state: &SoftState,
        (most, substeps): (f64, usize),
        share: f64,
    ) -> Result<Resting, (usize, SolverError)> {
        let root = island.bodies.iter().copied().find(|&body| state.movers[body].yields()).unwrap_or(0);
        let time_step = self.settings.step.time_step;
        let bodies: Vec<SolverBody> = island.bodies.iter().map(|&body| state.movers[body].body()).collect();
        let contact = |&k: &usize| {
            let contact = &state.soft[k];
            island.localised(&SolverContact {
                a: BodyId::new(contact.a),
                b: BodyId::new(contact.b),
                position: contact.position,
                normal: contact.normal,
                friction: contact.friction,
                restitution: 0.0,
                stabilisation: contact.gap.max(0.0) / time_step,
            })
        };
        let contacts: Vec<SolverContact> = island.contacts.iter().map(contact).collect();
        let start = |&k: &usize| {
            let (pair, place) = state.places[k];
            let known = &state.pairs[pair].contacts[place];
            known.impulse(tangents(state.soft[k].normal), share * substeps as f64)
        };
        let start: Vec<Impulse> = island.contacts.iter().map(start).collect();
        let settings = (&GlobalSettings::STEPS, FrictionModel::Ellipsoid);
        let (found, report) =
            global::converged_impulses(&self.interruption, &bodies, &contacts, settings, &start, most)
                .map_err(|source| (root, source))?;
        let (natural_residual, impulses, changes) = match found {
            Some((solution, changes)) => (solution.natural_residual, solution.impulses, changes),
            None => (f64::INFINITY, Vec::new(), Vec::new()),
        };
        Ok(Resting { island, root, report, natural_residual, impulses, changes })
    }
}

impl World {
    /// Whether some point of a body may be faster than a speed (m/s) when the step begins; its radius (m) is asked for only where it decides.
    pub(super) fn is_faster(&self, body: usize, speed: f64, radius: impl FnOnce() -> f64) -> bool {
        let Body { velocity, angular_velocity, .. } = &self.bodies[body];
        let of_centre = velocity.length();
        // A body of infinite size does not turn.
        let turns = *angular_velocity != DVec3::ZERO;
        of_centre > speed || turns && of_centre + angular_velocity.length() * radius() > speed
    }
}

impl SoftState {
    /// Whether islands with this body are left to sweeps.
    fn waits(&self, body: usize) -> bool {
        self.waits.binary_search_by_key(&body, |&(body, _)| body as usize).is_ok()
    }
}
