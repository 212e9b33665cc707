//! The velocity solve: islands, impulses from cached ones on, new velocities.

use super::contact_cache::cached_impulses;
use super::detection::{BODIES_PER_TASK, Found};
use super::error::{named, unsolved};
use super::joint_solve::Ties;
use super::position_correction::{Correction, SolvedState, corrections};
use super::report::{IslandReport, StepCounts, Timings};
use super::settings::WorldSettings;
use super::stabilisation::{Asked, prepare};
use super::{World, WorldError};
use crate::body::{Body, Pose};
use crate::ccd::CcdState;
use crate::interruption::Interruption;
use crate::islands::{Island, islands};
use crate::lap::Lap;
use crate::soft_step::joints::SoftJoint;
use crate::solver::{
    ContactSolver, GlobalStatus, Impulse, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Stop,
    SvdStatus, Twist,
};
use crate::stepper::{ContactBetween, StepSettings, respond, solver_body, twist_after};
use drystone_contact::parallel::prelude::*;

/// Where no body is faster than this, the tolerance of the solver shrinks in proportion, m/s (rad/s for rotations): an
/// error of a step is a velocity that the next one has to stop, and with a tolerance that stays the same bodies at rest
/// would sway for ever.
const SLOW: f64 = 1e-2;

/// The tolerance shrinks no further than to this share.
const LEAST_TOLERANCE: f64 = 1e-9;

pub(super) type Response = (Solution, Vec<Twist>);

/// Which velocity solve of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Substep<'s> {
    /// The first one of a step: forces act, for the whole time step, and cached impulses are taken over.
    pub is_first: bool,
    /// With continuous collision detection contacts count as closed at their clearance, and pairs that stop the motion
    /// again and again part.
    pub ccd: Option<&'s CcdState>,
}

/// What contacts do to the bodies.
pub(super) struct Solved {
    /// The velocities of all bodies.
    pub twists: Vec<Twist>,
    pub contacts: Vec<ContactBetween>,
    pub impulses: Vec<Impulse>,
    /// The impulses that say something about the next step: not those of bounces.
    pub cached_impulses: Vec<Impulse>,
    pub islands: Vec<IslandReport>,
    pub counts: StepCounts,
    /// The position corrections that are to follow the motion.
    pub corrections: Vec<Correction>,
    /// All joints, at the end of the step.
    pub joints: Vec<SoftJoint>,
}

impl Solved {
    /// The impulses from which the step is solved again: those of this solve, zero for contacts that were added since. Both are in the order of
    /// the pairs.
    fn start_of_next(&self, found: &Found) -> Vec<Impulse> {
        let mut known = self.contacts.iter().zip(&self.impulses).peekable();
        let mut start = Vec::with_capacity(found.contact_count());
        for ((a, b), own) in found.touching() {
            for _ in own {
                let of_pair = known.next_if(|(contact, _)| (contact.a.index(), contact.b.index()) == (a, b));
                start.push(of_pair.map_or([0.0; 4], |(_, &impulse)| impulse));
            }
        }
        start
    }
}

impl World {
    /// The velocities with which the bodies go on from `poses`, where the contacts were found. A step that is solved again,
    /// with contacts behind those of before, begins with the impulses of the solve before.
    pub(super) fn solve(
        &self,
        bodies: &[Body],
        poses: &[Pose],
        found: &Found,
        before: Option<&Solved>,
        substep: Substep<'_>,
        timings: &mut Timings,
    ) -> Result<Solved, WorldError> {
        let mut lap = Lap::start();
        let settings = &self.settings;
        let step = &settings.step;
        let handles = self.handles.dense();
        let state = |i: usize| {
            let state = solver_body(&bodies[i], &poses[i], &self.entries[i].external_wrench, step);
            if substep.is_first { state } else { SolverBody { forced_change: [0.0; 6], ..state } }
        };
        let states: Vec<SolverBody> =
            (0..bodies.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK).map(state).collect();
        let mut counts = StepCounts { internal_edges: found.internal_edges, ..StepCounts::default() };
        let all = found.contacts();
        let allowed_penetration = self.method.generator().slop();
        let mut contacts = Vec::with_capacity(all.len());
        let mut gaps = Vec::with_capacity(all.len());
        for (i, between) in all.iter().enumerate() {
            let gap = between.contact.gap;
            let (a, b) = (between.a.index(), between.b.index());
            if !gap.is_finite() {
                return Err(WorldError::Gap { a: handles[a], b: handles[b], gap });
            }
            let mut contact = between.for_solver(i, bodies, &self.materials).map_err(|e| named(e, handles))?;
            if self.contact_hook.is_some()
                && let Ok(interaction) = self.interaction_between(bodies, (a, b))
            {
                (contact.friction, contact.restitution) = (interaction.friction.to_array(), interaction.restitution);
            }
            let pre = settings.pre_stabilisation;
            let allowed_depth =
                if self.looks_for_impacts() { self.allowed_depth(bodies, (a, b)) } else { f64::INFINITY };
            let asked = match substep.ccd {
                None => Asked { gap, pre, allowed_penetration, allowed_depth, parting: 0.0 },
                Some(ccd) => {
                    let clearance = self.clearance(&ccd.settings, a, b);
                    let parting = ccd.parting_speed((a, b), clearance, step.time_step);
                    Asked {
                        gap: gap - clearance,
                        pre: pre.map(|pre| pre.within(clearance)),
                        allowed_penetration,
                        allowed_depth,
                        parting,
                    }
                }
            };
            prepare(&mut contact, &asked, &states, settings, &mut counts);
            contacts.push(contact);
            gaps.push(asked.gap);
        }
        let start = match before {
            Some(before) => before.start_of_next(found),
            None if substep.is_first => self.warm_start(found, poses, &mut counts),
            None => Vec::new(),
        };
        counts.warm_started += before.map_or(0, |before| before.counts.warm_started);
        let is_dynamic: Vec<bool> = bodies.iter().map(Body::is_dynamic).collect();
        let ties = self.ties(bodies, poses);
        let mut islands = if settings.islands {
            let mut ends: Vec<[usize; 2]> = contacts.iter().map(|c| [c.a.index(), c.b.index()]).collect();
            ends.extend(ties.iter().flat_map(Ties::ends));
            islands(&is_dynamic, &ends)
        } else {
            vec![Island::whole(bodies.len(), contacts.len())]
        };
        let members: Vec<Vec<u32>> = match &ties {
            Some(ties) if settings.islands => {
                islands.iter_mut().map(|island| ties.take_members(island, contacts.len())).collect()
            }
            Some(ties) => vec![ties.all_members()],
            None => vec![Vec::new(); islands.len()],
        };
        let solve = |(island, members): (&Island, &Vec<u32>)| {
            let ties = ties.as_ref().filter(|_| !members.is_empty());
            solve_island((island, members), ties, &states, &contacts, &start, (settings, &self.interruption))
        };
        let solved: Vec<Result<_, SolverError>> = islands.par_iter().zip(&members).in_tasks_of(1).map(solve).collect();
        let first = |island: &Island| island.bodies.iter().copied().find(|&b| is_dynamic[b]).unwrap_or(0);
        let mut impulses: Vec<Impulse> = vec![[0.0; 4]; contacts.len()];
        let mut changes: Vec<Twist> = vec![[0.0; 6]; bodies.len()];
        let mut reports = Vec::with_capacity(islands.len());
        let mut ended = Vec::new();
        for (island, solved) in islands.iter().zip(solved) {
            let ((solution, island_changes), joints) =
                solved.map_err(|source| unsolved(handles[first(island)], source))?;
            ended.extend(joints);
            for (&contact, &impulse) in island.contacts.iter().zip(&solution.impulses) {
                impulses[contact] = impulse;
            }
            for (&body, &change) in island.bodies.iter().zip(&island_changes).filter(|(b, _)| is_dynamic[**b]) {
                changes[body] = change;
            }
            count_svd(&solution, &mut counts);
            count_global(&solution, &mut counts);
            counts.iteration_limits += usize::from(stopped_at_limit(&solution, settings));
            reports.push(IslandReport::new(first(island), island.bodies.len(), &solution));
        }
        let twists: Vec<Twist> =
            states.iter().zip(&changes).map(|(state, change)| twist_after(state, change)).collect();
        timings.solver += lap.next();

        let after =
            SolvedState { states: &states, contacts: &contacts, gaps: &gaps, twists: &twists, members: &members };
        let corrections = corrections(&islands, &after, (settings, &self.interruption), &mut counts)
            .map_err(|(island, source)| unsolved(handles[first(&islands[island])], source))?;
        timings.post_stabilisation += lap.next();

        // The impulse of a bounce says nothing about the next step.
        let cached_impulses: Vec<Impulse> = contacts
            .iter()
            .zip(&impulses)
            .map(|(contact, &impulse)| if contact.restitution > 0.0 { [0.0; 4] } else { impulse })
            .collect();
        let joints = ties.map_or(Vec::new(), |ties| ties.ended(ended));
        Ok(Solved { twists, contacts: all, impulses, cached_impulses, islands: reports, counts, corrections, joints })
    }

    /// Warm starting: the cached impulses from which the iteration starts, one for each contact; none at all for zero.
    fn warm_start(&self, found: &Found, poses: &[Pose], counts: &mut StepCounts) -> Vec<Impulse> {
        let Some(warm_start) = self.settings.warm_start.as_ref().filter(|_| !self.contact_cache.is_empty()) else {
            return Vec::new();
        };
        // An impulse is a force over a time step.
        let scale = self.settings.step.time_step / self.contact_cache_time_step;
        let dense = self.handles.dense();
        let mut impulses = Vec::new();
        for ((a, b), own) in found.touching() {
            let cached = self.contact_cache.get(&(dense[a], dense[b])).map_or(&[][..], Vec::as_slice);
            for impulse in cached_impulses(own, &poses[a], cached, warm_start) {
                counts.warm_started += usize::from(impulse.is_some());
                impulses.push(impulse.unwrap_or([0.0; 4]).map(|x| x * scale));
            }
        }
        impulses
    }
}

fn count_svd(solution: &Solution, counts: &mut StepCounts) {
    let Some(report) = &solution.svd else { return };
    match report.status {
        SvdStatus::Exact => counts.svd_exact += 1,
        SvdStatus::Inconsistent => counts.svd_inconsistent += 1,
        _ => counts.svd_fallbacks += 1,
    }
    counts.svd_solves += report.solves;
    counts.svd_rank_deficient += usize::from(report.is_rank_deficient());
    counts.torsion_ignored += report.torsion_ignored;
}

fn count_global(solution: &Solution, counts: &mut StepCounts) {
    let Some(report) = &solution.global else { return };
    match report.status {
        GlobalStatus::Newton => counts.global_newton += 1,
        GlobalStatus::InteriorPoint => counts.global_interior_point += 1,
        GlobalStatus::GaussSeidel | GlobalStatus::Unsupported | GlobalStatus::NotConverged => {
            counts.global_fallbacks += 1
        }
    }
    counts.global_factorizations += report.factorizations + report.interior_point_steps;
}

pub(super) fn stopped_at_limit(solution: &Solution, settings: &WorldSettings) -> bool {
    let solver = &settings.step.solver;
    let seeks = settings.velocity_tolerance > 0.0 || solver.absolute_tolerance > 0.0 || solver.relative_tolerance > 0.0;
    seeks && solution.stop == Stop::IterationLimit
}

/// The speed (m/s) by which a sweep may change velocities at the end of the iteration: less where all is slow.
pub(super) fn tolerable_speed(states: &[SolverBody], settings: &WorldSettings) -> f64 {
    let components = states.iter().filter(|state| state.inverse_mass > 0.0).flat_map(|state| state.twist);
    let fastest = components.map(f64::abs).fold(0.0, f64::max);
    settings.velocity_tolerance * (fastest / SLOW).clamp(LEAST_TOLERANCE, 1.0)
}

/// The solver's settings for an island: the tolerance follows from a speed (m/s; for positions a length, m) and the
/// lightest body.
pub(super) fn solver_settings(states: &[SolverBody], speed: f64, settings: &WorldSettings) -> SolverSettings {
    let solver = settings.step.solver;
    let largest = states.iter().map(|state| state.inverse_mass).fold(0.0, f64::max);
    let tolerance = if speed > 0.0 && largest > 0.0 { speed / largest } else { 0.0 };
    SolverSettings { absolute_tolerance: solver.absolute_tolerance.max(tolerance), ..solver }
}

fn solve_island(
    (island, members): (&Island, &[u32]),
    ties: Option<&Ties>,
    states: &[SolverBody],
    contacts: &[SolverContact],
    start: &[Impulse],
    (settings, interruption): (&WorldSettings, &Interruption),
) -> Result<(Response, Vec<(u32, SoftJoint)>), SolverError> {
    interruption.check()?;
    let own_states: Vec<SolverBody> = island.bodies.iter().map(|&b| states[b]).collect();
    let own: Vec<SolverContact> = island.contacts.iter().map(|&c| island.localised(&contacts[c])).collect();
    let own_start: Vec<Impulse> =
        if start.is_empty() { Vec::new() } else { island.contacts.iter().map(|&c| start[c]).collect() };
    if let Some(ties) = ties {
        return ties.solve((island, members), &own_states, &own, &own_start, (settings, interruption));
    }
    let solver = solver_settings(&own_states, tolerable_speed(&own_states, settings), settings);
    // Between times of impact the law has to be solved more closely than the soft step does.
    let contact_solver = match settings.step.contact_solver {
        ContactSolver::Soft(_) => ContactSolver::ProximalGaussSeidel,
        other => other,
    };
    let step = StepSettings { contact_solver, ..settings.step };
    Ok((respond(interruption, &step, &own_states, &own, &solver, &own_start)?, Vec::new()))
}
