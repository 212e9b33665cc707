//! The step of a world: half of the motion, boxes, pairs, contacts, islands, impulses, the rest of the motion,
//! positions.

use super::error::named;
use super::islands::{Island, islands};
use super::memory::{Memory, Remembered, starts};
use super::report::{Detected, IslandReport, Lap, StepCounts, Timings, WorldReport, deepest};
use super::seams::drop_seams;
use super::settings::WorldSettings;
use super::stabilisation::{normal_velocity, prepare};
use super::{World, WorldError};
use crate::body::{Body, BodyId, BodyKind, Pose};
use crate::broad_phase::Bounds;
use crate::motion::{advance_in, kept_in};
use crate::solver::{
    Impulse, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Stop, SvdStatus, Twist,
};
use crate::stepper::{
    ContactBetween, Energy, Load, check_states, complete, detection_poses, ids, iterate, kept_poses, moved_poses,
    respond, solver_body, solver_contact, twist_after,
};
use drystone_contact::generator::{Placed, Workspace};
use drystone_contact::{Contact, Feature, Twist as ContactTwist};
use glam::{DQuat, DVec3};
use rayon::prelude::*;

/// Boxes are made larger by this share of their coordinates: a generator in single precision rounds positions, by
/// several units of 1.2e-7.
const ROUNDING: f64 = 2e-6;

/// Where no body is faster than this, the tolerance of the solver shrinks in proportion, m/s (rad/s for rotations): an
/// error of a step is a velocity that the next one has to stop, and with a tolerance that stays the same bodies at rest
/// would sway for ever.
const SLOW: f64 = 1e-2;

/// The tolerance shrinks no further than to this share.
const LEAST_TOLERANCE: f64 = 1e-9;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 8;

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 64;

/// The contacts of all pairs.
struct Found {
    /// Pairs with contacts: places of A and B, number of contacts.
    touching: Vec<(usize, usize, usize)>,
    contacts: Vec<ContactBetween>,
    pairs: usize,
    /// How many contacts were dropped because other neighbours hold the body.
    seams: usize,
}

type Solved = (Solution, Vec<Twist>);

impl World {
    /// Moves the world by one time step. Work is shared among the threads of the rayon pool that the caller runs in;
    /// the result is the same for any number of them.
    ///
    /// # Errors
    /// [`WorldError`]; the bodies are then where they were.
    pub fn step(&mut self) -> Result<WorldReport, WorldError> {
        let (mut whole, mut lap, mut timings) = (Lap::start(), Lap::start(), Timings::default());
        self.settings.check()?;
        let settings = self.settings.clone();
        let step = &settings.step;
        let bodies = self.scripted_bodies();
        let handles = self.handles.dense().to_vec();
        let ids = ids(&bodies).map_err(|e| named(e, &handles))?;
        check_states(&bodies, &ids, "before").map_err(|e| named(e, &handles))?;
        let energy_before = Energy::of(&bodies, &step.forces);
        let moved = moved_poses(&bodies, step);
        let poses = kept_poses(&bodies, &moved, step);
        let found = self.find(&bodies, &poses, &mut timings);
        lap.next();

        let states: Vec<SolverBody> = (0..bodies.len())
            .into_par_iter()
            .with_min_len(BODIES_PER_TASK)
            .map(|i| solver_body(&bodies[i], &poses[i], &self.entries[i].load, step))
            .collect();
        let mut counts = StepCounts { seams: found.seams, ..StepCounts::default() };
        let rest_depth = self.generator.rest_depth();
        let mut contacts = Vec::with_capacity(found.contacts.len());
        for (i, between) in found.contacts.iter().enumerate() {
            let gap = between.contact.gap;
            if !gap.is_finite() {
                return Err(WorldError::Gap { a: handles[between.a.index()], b: handles[between.b.index()], gap });
            }
            let mut contact = solver_contact(i, between, &bodies, &self.materials).map_err(|e| named(e, &handles))?;
            prepare(&mut contact, gap, &states, &settings, rest_depth, &mut counts);
            contacts.push(contact);
        }
        let start = self.start(&found, &poses, &mut counts);
        let is_dynamic: Vec<bool> = bodies.iter().map(Body::is_dynamic).collect();
        let parts = if settings.islands {
            let ends: Vec<[usize; 2]> = contacts.iter().map(|c| [c.a.index(), c.b.index()]).collect();
            islands(&is_dynamic, &ends)
        } else {
            vec![Island::whole(bodies.len(), contacts.len())]
        };
        let solved: Vec<Result<Solved, SolverError>> =
            parts.par_iter().map(|island| solve_island(island, &states, &contacts, &start, &settings)).collect();
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
            counts.iteration_limits += usize::from(stopped_at_limit(&solution, &settings));
            reports.push(IslandReport::new(first(island), island.bodies.len(), &solution));
        }
        let twists: Vec<Twist> =
            states.iter().zip(&changes).map(|(state, change)| twist_after(step.precision, state, change)).collect();
        let mut next = complete(&bodies, &moved, &twists, step);
        timings.solver = lap.next();

        let corrections = stabilise(&parts, &states, &contacts, &found.contacts, &twists, &settings, &mut counts)
            .map_err(|(island, source)| WorldError::Solver { body: handles[first(&parts[island])], source })?;
        for (body, change) in corrections {
            shift(&mut next[body], &change, &settings);
        }
        timings.post_stabilisation = lap.next();
        check_states(&next, &ids, "after").map_err(|e| named(e, &handles))?;

        // The impulse of an impact says nothing about the next step.
        let lasting: Vec<Impulse> = contacts
            .iter()
            .zip(&impulses)
            .map(|(contact, &impulse)| if contact.restitution > 0.0 { [0.0; 4] } else { impulse })
            .collect();
        self.memory = self.remembered(&found, &poses, &lasting);
        self.memory_time_step = step.time_step;
        self.bodies = next;
        self.entries.iter_mut().for_each(|entry| entry.load = Load::NONE);
        self.time += step.time_step;
        self.steps += 1;
        let deepest_penetration = deepest(&found.contacts);
        let energy_after = Energy::of(&self.bodies, &step.forces);
        timings.total = whole.next();
        Ok(WorldReport {
            step: self.steps,
            time: self.time,
            handles,
            contacts: found.contacts,
            impulses,
            pairs: found.pairs,
            islands: reports,
            energy_before,
            energy_after,
            deepest_penetration,
            counts,
            timings,
        })
    }

    /// The contacts that the next step would find.
    ///
    /// # Errors
    /// [`WorldError::Setting`], [`WorldError::TimeStep`], [`WorldError::State`].
    pub fn detect(&mut self) -> Result<Detected, WorldError> {
        self.settings.check()?;
        let bodies = self.scripted_bodies();
        let poses = detection_poses(&bodies, &self.settings.step);
        self.detect_at(&bodies, poses)
    }

    /// The contacts where the bodies are now.
    ///
    /// # Errors
    /// [`WorldError::State`].
    pub fn detect_now(&mut self) -> Result<Detected, WorldError> {
        let bodies = self.bodies.clone();
        let poses = bodies.iter().map(Body::pose).collect();
        self.detect_at(&bodies, poses)
    }

    fn detect_at(&mut self, bodies: &[Body], poses: Vec<Pose>) -> Result<Detected, WorldError> {
        let handles = self.handles.dense();
        let check = ids(bodies).and_then(|ids| check_states(bodies, &ids, "before"));
        check.map_err(|e| named(e, handles))?;
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let Found { contacts, pairs, .. } = self.find(bodies, &poses, &mut timings);
        timings.total = whole.next();
        Ok(Detected { contacts, poses, pairs, timings })
    }

    /// The bodies with the velocities that scripts give them for the next step.
    fn scripted_bodies(&self) -> Vec<Body> {
        let mut bodies = self.bodies.clone();
        for (body, entry) in bodies.iter_mut().zip(&self.entries) {
            if let Some(running) = entry.script.as_ref().filter(|_| body.kind() == BodyKind::Kinematic) {
                let from = self.time - running.start;
                let to = from + self.settings.step.time_step;
                (body.velocity, body.angular_velocity) = running.script.mean_velocities(from, to);
            }
        }
        bodies
    }

    /// Boxes, pairs and contacts at the given poses.
    fn find(&mut self, bodies: &[Body], poses: &[Pose], timings: &mut Timings) -> Found {
        let mut lap = Lap::start();
        let (entries, generator) = (&self.entries, &self.generator);
        let boxes: Vec<Option<Bounds>> = (0..poses.len())
            .into_par_iter()
            .with_min_len(BODIES_PER_TASK)
            .map(|i| {
                let shape = entries[i].contact_shape();
                (entries[i].boxed != Some(poses[i])).then(|| bounds(shape, &poses[i], 0.5 * generator.reach(shape)))?
            })
            .collect();
        let slots: Vec<u32> = self.handles.dense().iter().map(|handle| handle.slot()).collect();
        for (i, bounds) in boxes.into_iter().enumerate() {
            if let Some(bounds) = bounds {
                self.broad_phase.set(slots[i], bounds);
                self.entries[i].boxed = Some(poses[i]);
            }
        }
        let (handles, entries, excluded) = (&self.handles, &self.entries, &self.excluded);
        let place = |slot: u32| handles.place_of_slot(slot);
        let touch = |a: usize, b: usize| {
            let dense = handles.dense();
            (bodies[a].is_dynamic() || bodies[b].is_dynamic())
                && entries[a].groups.touch(entries[b].groups)
                && (excluded.is_empty() || !excluded.contains(&super::unordered(dense[a], dense[b])))
        };
        let wants = |i: u32, j: u32| matches!((place(i), place(j)), (Some(a), Some(b)) if touch(a, b));
        let mut pairs: Vec<(usize, usize)> = self
            .broad_phase
            .pairs(wants)
            .into_iter()
            .filter_map(|(i, j)| place(i).zip(place(j)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        pairs.sort_unstable();
        timings.broad_phase = lap.next();

        let placed = |i: usize| Placed {
            shape: entries[i].contact_shape(),
            pose: poses[i],
            twist: ContactTwist { linear: bodies[i].velocity, angular: bodies[i].angular_velocity },
        };
        let (generator, memory) = (&self.generator, &self.memory);
        let mut lists: Vec<Vec<Contact>> = pairs
            .par_iter()
            .with_min_len(PAIRS_PER_TASK)
            .map_init(Default::default, |(workspace, previous): &mut (Workspace, Vec<(Feature, Feature)>), &(a, b)| {
                let remembered = memory.get(&(handles.dense()[a], handles.dense()[b])).map_or(&[][..], Vec::as_slice);
                previous.clear();
                previous.extend(remembered.iter().map(|r| (r.feature_a, r.feature_b)));
                let mut contacts = Vec::new();
                generator.contacts_into(&placed(a), &placed(b), previous, workspace, &mut contacts);
                contacts
            })
            .collect();
        let seams = drop_seams(&pairs, &mut lists, placed, |i| generator.reach(entries[i].contact_shape()));
        let mut found = Found { touching: Vec::new(), contacts: Vec::new(), pairs: pairs.len(), seams };
        for (&(i, j), list) in pairs.iter().zip(lists).filter(|(_, list)| !list.is_empty()) {
            let (a, b) = (BodyId::new(i as u32), BodyId::new(j as u32));
            found.touching.push((i, j, list.len()));
            found.contacts.extend(list.into_iter().map(|contact| ContactBetween { a, b, contact }));
        }
        timings.narrow_phase = lap.next();
        found
    }

    /// The impulses from which the iteration starts, one for each contact; none at all for zero.
    fn start(&self, found: &Found, poses: &[Pose], counts: &mut StepCounts) -> Vec<Impulse> {
        let Some(warm_start) = self.settings.warm_start.as_ref().filter(|_| !self.memory.is_empty()) else {
            return Vec::new();
        };
        // An impulse is a force over a time step.
        let scale = self.settings.step.time_step / self.memory_time_step;
        let dense = self.handles.dense();
        let mut impulses = Vec::with_capacity(found.contacts.len());
        for &(a, b, count) in &found.touching {
            let own: Vec<Contact> =
                found.contacts[impulses.len()..][..count].iter().map(|between| between.contact).collect();
            let remembered = self.memory.get(&(dense[a], dense[b])).map_or(&[][..], Vec::as_slice);
            for start in starts(&own, &poses[a], remembered, warm_start) {
                counts.warm_started += usize::from(start.is_some());
                impulses.push(start.unwrap_or([0.0; 4]).map(|x| x * scale));
            }
        }
        impulses
    }

    /// What the next step will want to know of the contacts.
    fn remembered(&self, found: &Found, poses: &[Pose], impulses: &[Impulse]) -> Memory {
        let dense = self.handles.dense();
        let mut at = 0;
        let mut memory = Memory::new();
        for &(a, b, count) in &found.touching {
            let range = at..at + count;
            at += count;
            let own = found.contacts[range.clone()].iter().zip(&impulses[range]);
            let list = own.map(|(c, &impulse)| Remembered::new(&c.contact, &poses[a], impulse)).collect();
            memory.insert((dense[a], dense[b]), list);
        }
        memory
    }
}

/// The box of a shape at a pose, wide enough that two boxes overlap wherever a generator may find contacts.
fn bounds(shape: &drystone_contact::shape::Shape, pose: &Pose, margin: f64) -> Option<Bounds> {
    let bounds = Bounds::around(shape.mesh().vertices().iter().map(|&v| pose.transform_point(v)))?;
    let size = bounds.largest_coordinate().max(pose.translation.abs().max_element());
    Some(bounds.grown(margin + ROUNDING * size))
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
    found: &[ContactBetween],
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
                let gap = found[c].contact.gap;
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
        Ok(Some((asked, iterate(step.precision, &own_states, &own, &solver, &[])?)))
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
fn shift(body: &mut Body, change: &Twist, settings: &WorldSettings) {
    let [x, y, z, p, q, r] = *change;
    let precision = settings.step.precision;
    let pose = advance_in(precision, body.pose(), DVec3::new(x, y, z), DVec3::new(p, q, r), 1.0);
    let pose = kept_in(precision, pose);
    let rotation: DQuat = pose.rotation;
    (body.position, body.orientation) = (pose.translation, rotation);
}
