//! What contacts do to the bodies of a world in a step: islands, impulses, velocities, positions.

use super::detection::{BODIES_PER_TASK, Found};
use super::error::named;
use super::islands::{Island, islands};
use super::memory::starts;
use super::report::{IslandReport, Lap, StepCounts, Timings};
use super::settings::WorldSettings;
use super::stabilisation::{Asked, normal_velocity, prepare};
use super::{World, WorldError};
use crate::body::{Body, Pose};
use crate::impact::ImpactLimit;
use crate::motion::advance;
use crate::solver::{
    Impulse, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Stop, SvdStatus, Twist,
};
use crate::stepper::{ContactBetween, complete, iterate, respond, solver_body, twist_after};
use glam::DVec3;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Where no body is faster than this, the tolerance of the solver shrinks in proportion, m/s (rad/s for rotations): an
/// error of a step is a velocity that the next one has to stop, and with a tolerance that stays the same bodies at rest
/// would sway for ever.
const SLOW: f64 = 1e-2;

/// The tolerance shrinks no further than to this share.
const LEAST_TOLERANCE: f64 = 1e-9;

type Solved = (Solution, Vec<Twist>);

/// What a solution is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portion<'s> {
    /// Where motion is limited to impacts: contacts count as closed at their clearance, and positions are not corrected.
    pub limit: Option<&'s ImpactLimit>,
    /// Whether forces act, for the whole time step.
    pub is_first: bool,
    /// How often pairs, by their places, have hindered the motion of the step.
    pub impacts: Option<&'s BTreeMap<(usize, usize), u32>>,
}

impl Portion<'_> {
    /// A whole step without a limit.
    pub const WHOLE: Self = Self { limit: None, is_first: true, impacts: None };

    /// How fast the bodies of a contact are to part, m/s.
    fn parting(&self, contact: &ContactBetween, clearance: Option<f64>, time_step: f64) -> f64 {
        let impacts = self.impacts.and_then(|all| all.get(&(contact.a.index(), contact.b.index())));
        match (self.limit, clearance, impacts) {
            (Some(limit), Some(clearance), Some(&impacts)) => limit.parting_speed(clearance, impacts, time_step),
            _ => 0.0,
        }
    }
}

/// Where a step leads.
pub(super) struct Outcome {
    /// The bodies after the step.
    pub next: Vec<Body>,
    pub contacts: Vec<ContactBetween>,
    pub impulses: Vec<Impulse>,
    /// The impulses that say something about the next step: not those of impacts.
    pub lasting: Vec<Impulse>,
    pub reports: Vec<IslandReport>,
    pub counts: StepCounts,
    /// Changes of position by body (m, rad) that are still to be made, where motion is limited.
    pub corrections: Vec<(usize, Twist)>,
}

impl World {
    /// Where the bodies go from `moved`, which they have come to before contacts were looked for at `poses`.
    pub(super) fn solve(
        &self,
        bodies: &[Body],
        moved: &[Pose],
        poses: &[Pose],
        found: &Found,
        portion: Portion<'_>,
        timings: &mut Timings,
    ) -> Result<Outcome, WorldError> {
        let mut lap = Lap::start();
        let settings = &self.settings;
        let step = &settings.step;
        let handles = self.handles.dense();
        let state = |i: usize| {
            let state = solver_body(&bodies[i], &poses[i], &self.entries[i].load, step);
            if portion.is_first { state } else { SolverBody { forced_change: [0.0; 6], ..state } }
        };
        let states: Vec<SolverBody> =
            (0..bodies.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(state).collect();
        let mut counts = StepCounts { seams: found.seams, ..StepCounts::default() };
        let all = found.contacts();
        let rest_depth = self.generator.rest_depth();
        let mut contacts = Vec::with_capacity(all.len());
        let mut gaps = Vec::with_capacity(all.len());
        for (i, between) in all.iter().enumerate() {
            let gap = between.contact.gap;
            if !gap.is_finite() {
                return Err(WorldError::Gap { a: handles[between.a.index()], b: handles[between.b.index()], gap });
            }
            let mut contact = between.for_solver(i, bodies, &self.materials).map_err(|e| named(e, handles))?;
            let clearance = portion.limit.map(|limit| self.clearance(limit, between.a.index(), between.b.index()));
            let asked = Asked {
                gap: clearance.map_or(gap, |c| gap - c),
                pre: settings.pre_stabilisation.map(|pre| clearance.map_or(pre, |c| pre.within(c))),
                rest_depth,
                parting: portion.parting(between, clearance, step.time_step),
            };
            prepare(&mut contact, &asked, &states, settings, &mut counts);
            contacts.push(contact);
            gaps.push(asked.gap);
        }
        let start = if portion.is_first { self.start(found, poses, &mut counts) } else { Vec::new() };
        let is_dynamic: Vec<bool> = bodies.iter().map(Body::is_dynamic).collect();
        let parts = if settings.islands {
            let ends: Vec<[usize; 2]> = contacts.iter().map(|c| [c.a.index(), c.b.index()]).collect();
            islands(&is_dynamic, &ends)
        } else {
            vec![Island::whole(bodies.len(), contacts.len())]
        };
        let solved: Vec<Result<Solved, SolverError>> =
            parts.par_iter().map(|island| solve_island(island, &states, &contacts, &start, settings)).collect();
        let first = |island: &Island| island.bodies.iter().copied().find(|&b| is_dynamic[b]).unwrap_or(0);
        let mut impulses: Vec<Impulse> = vec![[0.0; 4]; contacts.len()];
        let mut changes: Vec<Twist> = vec![[0.0; 6]; bodies.len()];
        let mut reports = Vec::with_capacity(parts.len());
        for (island, solved) in parts.iter().zip(solved) {
            let (solution, island_changes) =
                solved.map_err(|source| WorldError::Solver { body: handles[first(island)], source })?;
            for (&contact, &impulse) in island.contacts.iter().zip(&solution.impulses) {
                impulses[contact] = impulse;
            }
            for (&body, &change) in island.bodies.iter().zip(&island_changes).filter(|(b, _)| is_dynamic[**b]) {
                changes[body] = change;
            }
            count_svd(&solution, &mut counts);
            counts.iteration_limits += usize::from(stopped_at_limit(&solution, settings));
            reports.push(IslandReport::new(first(island), island.bodies.len(), &solution));
        }
        let twists: Vec<Twist> =
            states.iter().zip(&changes).map(|(state, change)| twist_after(state, change)).collect();
        let mut next = complete(bodies, moved, &twists, step);
        timings.solver += lap.next();

        let corrections = stabilise(&parts, &states, &contacts, &gaps, &twists, settings, &mut counts)
            .map_err(|(island, source)| WorldError::Solver { body: handles[first(&parts[island])], source })?;
        let corrections = if portion.limit.is_some() {
            corrections
        } else {
            for (body, change) in corrections {
                shift(&mut next[body], &change);
            }
            Vec::new()
        };
        timings.post_stabilisation += lap.next();

        // The impulse of an impact says nothing about the next step.
        let lasting: Vec<Impulse> = contacts
            .iter()
            .zip(&impulses)
            .map(|(contact, &impulse)| if contact.restitution > 0.0 { [0.0; 4] } else { impulse })
            .collect();
        Ok(Outcome { next, contacts: all, impulses, lasting, reports, counts, corrections })
    }

    /// The impulses from which the iteration starts, one for each contact; none at all for zero.
    fn start(&self, found: &Found, poses: &[Pose], counts: &mut StepCounts) -> Vec<Impulse> {
        let Some(warm_start) = self.settings.warm_start.as_ref().filter(|_| !self.memory.is_empty()) else {
            return Vec::new();
        };
        // An impulse is a force over a time step.
        let scale = self.settings.step.time_step / self.memory_time_step;
        let dense = self.handles.dense();
        let mut impulses = Vec::new();
        for ((a, b), own) in found.touching() {
            let remembered = self.memory.get(&(dense[a], dense[b])).map_or(&[][..], Vec::as_slice);
            for start in starts(own, &poses[a], remembered, warm_start) {
                counts.warm_started += usize::from(start.is_some());
                impulses.push(start.unwrap_or([0.0; 4]).map(|x| x * scale));
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

fn stopped_at_limit(solution: &Solution, settings: &WorldSettings) -> bool {
    let solver = &settings.step.solver;
    let seeks = settings.velocity_tolerance > 0.0 || solver.absolute_tolerance > 0.0 || solver.relative_tolerance > 0.0;
    seeks && solution.stop == Stop::IterationLimit
}

/// The speed (m/s) by which a sweep may change velocities at the end of the iteration: less where all is slow.
fn tolerable_speed(states: &[SolverBody], settings: &WorldSettings) -> f64 {
    let components = states.iter().filter(|state| state.inverse_mass > 0.0).flat_map(|state| state.twist);
    let fastest = components.map(f64::abs).fold(0.0, f64::max);
    settings.velocity_tolerance * (fastest / SLOW).clamp(LEAST_TOLERANCE, 1.0)
}

/// The solver's settings for an island: the tolerance follows from a speed (m/s; for positions a length, m) and the
/// lightest body.
fn solver_settings(states: &[SolverBody], speed: f64, settings: &WorldSettings) -> SolverSettings {
    let solver = settings.step.solver;
    let largest = states.iter().map(|state| state.inverse_mass).fold(0.0, f64::max);
    let tolerance = if speed > 0.0 && largest > 0.0 { speed / largest } else { 0.0 };
    SolverSettings { absolute_tolerance: solver.absolute_tolerance.max(tolerance), ..solver }
}

fn solve_island(
    island: &Island,
    states: &[SolverBody],
    contacts: &[SolverContact],
    start: &[Impulse],
    settings: &WorldSettings,
) -> Result<Solved, SolverError> {
    let own_states: Vec<SolverBody> = island.bodies.iter().map(|&b| states[b]).collect();
    let own: Vec<SolverContact> = island.contacts.iter().map(|&c| island.localised(&contacts[c])).collect();
    let own_start: Vec<Impulse> =
        if start.is_empty() { Vec::new() } else { island.contacts.iter().map(|&c| start[c]).collect() };
    let solver = solver_settings(&own_states, tolerable_speed(&own_states, settings), settings);
    respond(&settings.step, &own_states, &own, &solver, &own_start)
}

/// Post-stabilisation: the changes of position by body (m, rad); the error comes with the number of its island.
fn stabilise(
    parts: &[Island],
    states: &[SolverBody],
    contacts: &[SolverContact],
    gaps: &[f64],
    twists: &[Twist],
    settings: &WorldSettings,
    counts: &mut StepCounts,
) -> Result<Vec<(usize, Twist)>, (usize, SolverError)> {
    let Some(post) = &settings.post_stabilisation else {
        return Ok(Vec::new());
    };
    let step = &settings.step;
    let solve_one = |island: &Island| -> Result<Option<(usize, Solved)>, SolverError> {
        let own: Vec<SolverContact> = island
            .contacts
            .iter()
            .map(|&c| {
                let parting = normal_velocity(&contacts[c], states, |body| twists[body]);
                let gap = gaps[c];
                let expected = gap + step.time_step * parting;
                let contact = island.localised(&contacts[c]);
                // What has not touched yet has not sunk in: it may come on and bounce.
                let stabilisation = if gap > 0.0 { expected.max(0.0) } else { post.displacement(expected) };
                SolverContact { friction: [0.0; 3], restitution: 0.0, stabilisation, ..contact }
            })
            .collect();
        let asked = own.iter().filter(|contact| contact.stabilisation < 0.0).count();
        if asked == 0 {
            return Ok(None);
        }
        let still = |&b: &usize| SolverBody { twist: [0.0; 6], forced_change: [0.0; 6], ..states[b] };
        let own_states: Vec<SolverBody> = island.bodies.iter().map(still).collect();
        let solver = solver_settings(&own_states, post.tolerance, settings);
        let solver = SolverSettings { max_iterations: post.max_iterations, ..solver };
        Ok(Some((asked, iterate(&own_states, &own, &solver, &[])?)))
    };
    let solved: Vec<_> = parts.par_iter().map(solve_one).collect();
    let mut corrections = Vec::new();
    for (number, (island, solved)) in parts.iter().zip(solved).enumerate() {
        if let Some((asked, (solution, changes))) = solved.map_err(|source| (number, source))? {
            counts.post_stabilised += asked;
            counts.position_iteration_limits += usize::from(stopped_at_limit(&solution, settings));
            let moved = island.bodies.iter().copied().zip(changes);
            corrections.extend(moved.filter(|(body, _)| states[*body].inverse_mass > 0.0));
        }
    }
    Ok(corrections)
}

/// Moves a body by a change of position, as if with velocities for a second.
fn shift(body: &mut Body, change: &Twist) {
    let [x, y, z, p, q, r] = *change;
    let pose = advance(body.pose(), DVec3::new(x, y, z), DVec3::new(p, q, r), 1.0);
    (body.position, body.orientation) = (pose.translation, pose.rotation);
}
