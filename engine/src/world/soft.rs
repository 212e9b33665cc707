//! The step of a world by the soft step: persistent pairs, contacts, substeps, and contacts at times of impact.

use super::detection::{BODIES_PER_TASK, Found, placed};
use super::error::named;
use super::internal_edges::internal_edge_contacts;
use super::near::{bounds_at, pair_margin};
use super::persistent_pairs::{PersistentContact, PersistentPair};
use super::report::{IslandReport, Lap, StepCounts, Timings, WorldReport, deepest};
use super::settings::WorldSettings;
use super::{World, WorldError};
use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::Bounds;
use crate::islands::islands;
use crate::motion::{advance, displacement};
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep};
use crate::solver::{Impulse, SolverBody, Twist};
use crate::stepper::{ContactBetween, Energy, ExternalWrench, StepError, check_states, ids, solver_body, twist_after};
use drystone_contact::generator::{GeneratorError, Placed, Workspace};
use drystone_contact::{Contact, Feature};
use glam::DVec3;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 32;

/// Contacts stay until their bodies have moved against each other by this share of the thickness of the thinner one.
const KEPT_UNTIL: f64 = 1e-3;

/// The boxes of bodies are grown by this share of their radius, so that they stay while bodies move by less.
const FAT: f64 = 0.1;

/// How often a step is solved again at most.
const MAX_LOOKS: usize = 8;

/// What a world keeps from one soft step to the next.
#[derive(Debug, Default)]
pub(super) struct SoftState {
    /// In ascending order.
    pub pairs: Vec<PersistentPair>,
    /// The length of a substep of the impulses that are remembered, s.
    pub substep: f64,
    solver: SoftStep,
}

/// The bodies of a step where it begins.
struct Begin<'b> {
    bodies: &'b [Body],
    poses: &'b [Pose],
    states: &'b [SolverBody],
    movers: &'b [Mover],
}

/// The contacts of a step.
#[derive(Default)]
struct Contacts {
    /// In the order of the pairs.
    all: Vec<ContactBetween>,
    soft: Vec<SoftContact>,
    /// The pair of each, and its place there.
    places: Vec<(usize, usize)>,
}

impl SoftState {
    /// Forgets a body; those behind it move up.
    pub fn remove(&mut self, body: usize) {
        self.pairs.retain(|pair| pair.bodies.0 != body && pair.bodies.1 != body);
        let moved = |place: usize| if place > body { place - 1 } else { place };
        self.pairs.iter_mut().for_each(|pair| pair.bodies = (moved(pair.bodies.0), moved(pair.bodies.1)));
    }

    /// The place of a pair.
    fn place(&self, bodies: (usize, usize)) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&bodies, |pair| pair.bodies)
    }

    /// The features of the contacts of a pair.
    pub fn features(&self, bodies: (usize, usize)) -> impl Iterator<Item = (Feature, Feature)> {
        let pair = self.place(bodies).ok().map(|k| &self.pairs[k]);
        pair.into_iter().flat_map(|pair| pair.contacts.iter().map(|c| (c.feature_a, c.feature_b)))
    }

    /// Keeps the pairs of an ascending list, and adds those that are new.
    fn set_pairs(&mut self, pairs: &[(usize, usize)]) {
        if self.pairs.iter().map(|pair| pair.bodies).eq(pairs.iter().copied()) {
            return;
        }
        let mut old = std::mem::take(&mut self.pairs).into_iter().peekable();
        for &bodies in pairs {
            while old.next_if(|pair| pair.bodies < bodies).is_some() {}
            let known = old.next_if(|pair| pair.bodies == bodies);
            self.pairs.push(known.unwrap_or_else(|| PersistentPair::new(bodies)));
        }
    }
}

impl World {
    /// Moves the world by one time step with the soft step.
    pub(super) fn step_softly(&mut self, soft: &SoftSettings) -> Result<WorldReport, WorldError> {
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let settings = self.settings.clone();
        let handles = self.handles.dense().to_vec();
        soft.check().map_err(|source| WorldError::SoftSettings { source })?;
        let teleported = self.teleported();
        let mut bodies = self.kinematic_bodies();
        let ids = ids(&bodies).map_err(|e| named(e, &handles))?;
        check_states(&bodies, &ids, "before").map_err(|e| named(e, &handles))?;
        let energy_before = Energy::of(&bodies, &settings.step.forces);
        let poses: Vec<Pose> = bodies.iter().map(Body::pose).collect();
        let state = |i: usize| {
            let state = solver_body(&bodies[i], &poses[i], &self.entries[i].external_wrench, &settings.step);
            (state, Mover::new(&state, !bodies[i].is_fixed(), soft.substeps))
        };
        let (states, movers): (Vec<SolverBody>, Vec<Mover>) =
            (0..bodies.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(state).unzip();
        let begin = Begin { bodies: &bodies, poses: &poses, states: &states, movers: &movers };
        let free: Vec<Twist> = states.iter().map(|state| twist_after(state, &[0.0; 6])).collect();
        let sweeps = self.sweeps(&bodies, &free, settings.step.time_step);

        let mut lap = Lap::start();
        let mut state = std::mem::take(&mut self.soft);
        let mut counts = StepCounts::default();
        let ends = self.move_softly(&begin, &sweeps, soft, &mut state, (&mut counts, &mut timings, &mut lap));
        self.soft = state;
        let SoftEnd { contacts, islands, poses: next, twists } = ends?;

        for (i, body) in bodies.iter_mut().enumerate() {
            (body.position, body.orientation) = (next[i].translation, next[i].rotation);
            if body.is_dynamic() {
                let [x, y, z, p, q, r] = twists[i];
                (body.velocity, body.angular_velocity) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
            }
        }
        check_states(&bodies, &ids, "after").map_err(|e| named(e, &handles))?;
        self.contact_cache.clear();
        self.bodies = bodies;
        for (entry, body) in self.entries.iter_mut().zip(&self.bodies) {
            (entry.external_wrench, entry.left) = (ExternalWrench::NONE, Some(body.pose()));
        }
        self.time += settings.step.time_step;
        self.steps += 1;
        timings.solver += lap.next();
        timings.total = whole.next();
        Ok(WorldReport {
            step: self.steps,
            time: self.time,
            handles,
            impulses: contacts.soft.iter().map(|contact| contact.total).collect(),
            deepest_penetration: deepest(&contacts.all),
            contacts: contacts.all,
            poses,
            pairs: self.soft.pairs.len(),
            islands,
            energy_before,
            energy_after: Energy::of(&self.bodies, &settings.step.forces),
            position_correction_energy: 0.0,
            teleported,
            counts,
            ccd: None,
            backtracking: None,
            timings,
        })
    }

    fn move_softly(
        &mut self,
        begin: &Begin<'_>,
        sweeps: &[f64],
        soft: &SoftSettings,
        state: &mut SoftState,
        (counts, timings, lap): (&mut StepCounts, &mut Timings, &mut Lap),
    ) -> Result<SoftEnd, WorldError> {
        let settings = self.settings.clone();
        let time_step = settings.step.time_step;
        let pairs = self.fat_pairs(begin.bodies, begin.poses, sweeps);
        state.set_pairs(&pairs);
        timings.broad_phase += lap.next();
        counts.warm_started = self.find_softly(begin, &settings, &mut state.pairs)?;
        counts.internal_edges = self.mark_internal_edges(begin, &mut state.pairs);
        timings.narrow_phase += lap.next();

        let substep = time_step / soft.substeps as f64;
        // An impulse is a force over a time.
        let share = if state.substep > 0.0 { substep / state.substep } else { 1.0 };
        let free: Vec<Twist> = begin.states.iter().map(|state| twist_after(state, &[0.0; 6])).collect();
        let mut looks = 0;
        let mut added = if self.needs_looks(begin, &free, time_step) {
            self.look_ahead(begin, &free, &mut state.pairs, looks)?.0
        } else {
            0
        };
        counts.speculative_contacts += added;
        let mut contacts = Contacts::default();
        let mut solver = std::mem::take(&mut state.solver);
        let (mut poses, mut twists);
        loop {
            self.soft_contacts(begin, &state.pairs, share, &mut contacts, counts)?;
            solver.solve(begin.movers, &mut contacts.soft, soft, time_step);
            (poses, twists) = ends(begin, &solver, time_step);
            let mean: Vec<Twist> = (0..begin.bodies.len())
                .map(|i| {
                    let [way, turn] = solver.displacement(i, &begin.movers[i]).map(|x| x / time_step);
                    [way.x, way.y, way.z, turn.x, turn.y, turn.z]
                })
                .collect();
            if !self.needs_looks(begin, &mean, time_step) {
                break;
            }
            looks += 1;
            let (more, mut found) = self.look_ahead(begin, &mean, &mut state.pairs, looks - 1)?;
            added = more;
            counts.speculative_contacts += added;
            if added == 0 && found.unsettled.is_empty() {
                break;
            }
            if looks == MAX_LOOKS {
                let mut zones = mean.clone();
                counts.speculative_limits =
                    self.move_unsettled_as_one(begin.bodies, begin.poses, &mut zones, &mut found)?;
                for (i, twist) in zones.into_iter().enumerate().filter(|(i, twist)| *twist != mean[*i]) {
                    let [x, y, z, p, q, r] = twist;
                    let (velocity, spin) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
                    (poses[i], twists[i]) = (advance(begin.poses[i], velocity, spin, time_step), twist);
                }
                for pair in &mut state.pairs {
                    pair.is_unsettled = found.unsettled.contains(&pair.bodies);
                }
                // The contacts that were added last are not solved for.
                self.soft_contacts(begin, &state.pairs, share, &mut contacts, counts)?;
                break;
            }
        }
        self.remember(&contacts, &mut state.pairs);
        state.substep = substep;
        let islands = soft_islands(begin, &contacts, &solver, soft);
        state.solver = solver;
        Ok(SoftEnd { contacts, islands, poses, twists })
    }

    /// Broad phase: the pairs of bodies whose boxes overlap, grown so that they stay while bodies move little; by place, ascending.
    fn fat_pairs(&mut self, bodies: &[Body], poses: &[Pose], sweeps: &[f64]) -> Vec<(usize, usize)> {
        let this = &*self;
        let boxes: Vec<Option<((Pose, f64), Bounds)>> = (0..poses.len())
            .into_par_iter()
            .with_min_len(BODIES_PER_TASK)
            .map(|i| {
                let entry = &this.entries[i];
                let radius = entry.shape.radius();
                let sweep = sweeps.get(i).copied().unwrap_or(0.0);
                // Grown by as much on each side.
                let room = if bodies[i].is_fixed() || !radius.is_finite() { 0.0 } else { FAT * radius + 1.5 * sweep };
                let stays = entry.boxed.is_some_and(|(pose, known)| {
                    let way = if pose == poses[i] { 0.0 } else { displacement(&pose, &poses[i], radius) };
                    way + sweep <= 0.5 * known && 0.5 * known <= 2.0 * room
                });
                (!stays).then(|| {
                    let shape = this.method.generator().contact_shape(&entry.shape);
                    let boxed = (poses[i], 2.0 * room);
                    (boxed, bounds_at(shape, &poses[i], this.contact_margin(i) + boxed.1))
                })
            })
            .collect();
        let slots: Vec<u32> = self.handles.dense().iter().map(|handle| handle.slot()).collect();
        for (i, bounds) in boxes.into_iter().enumerate() {
            if let Some((boxed, bounds)) = bounds {
                self.broad_phase.set(slots[i], bounds);
                self.entries[i].boxed = Some(boxed);
            }
        }
        self.wanted_pairs(bodies)
    }

    /// Narrow phase: new contacts for the pairs whose bodies have moved against each other. Returns how many contacts continue
    /// others.
    fn find_softly(
        &self,
        begin: &Begin<'_>,
        settings: &WorldSettings,
        pairs: &mut [PersistentPair],
    ) -> Result<usize, GeneratorError> {
        type Scratch = (Workspace, Vec<(Feature, Feature)>, Vec<Contact>, Vec<PersistentContact>);
        let generator = self.method.generator();
        let own = |i: usize| {
            let shape = generator.contact_shape(&self.entries[i].shape);
            bounds_at(shape, &begin.poses[i], self.contact_margin(i))
        };
        let boxes: Vec<Bounds> =
            (0..begin.poses.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(own).collect();
        let distance = settings.warm_start.map(|warm_start| warm_start.distance);
        let find = |(workspace, previous, contacts, old): &mut Scratch, pair: &mut PersistentPair| {
            let (a, b) = pair.bodies;
            if !boxes[a].overlaps(&boxes[b]) {
                pair.clear();
                return Ok(0);
            }
            let poses = [&begin.poses[a], &begin.poses[b]];
            let (shape_a, shape_b) = (&self.entries[a].shape, &self.entries[b].shape);
            if let Some(before) = pair.found_at {
                let now = poses[0].inverse() * *poses[1];
                // Bodies of infinite size do not move.
                let radius = shape_a.radius().min(shape_b.radius());
                let kept = KEPT_UNTIL * shape_a.thickness().min(shape_b.thickness());
                if displacement(&before, &now, radius) <= kept {
                    return Ok(pair.contacts.len());
                }
            }
            previous.clear();
            previous.extend(pair.contacts.iter().map(|contact| (contact.feature_a, contact.feature_b)));
            if previous.is_empty() || pair.is_unsettled {
                previous.push((Feature::UNKNOWN, Feature::UNKNOWN));
            }
            contacts.clear();
            let placed = |i: usize| placed(&self.entries[i], &begin.bodies[i], begin.poses[i]);
            generator.contacts_into(&placed(a), &placed(b), previous, workspace, contacts)?;
            Ok(pair.renew(contacts, poses, distance, old))
        };
        pairs.par_iter_mut().with_min_len(PAIRS_PER_TASK).map_init(Scratch::default, find).sum()
    }

    /// Marks the contacts that seams between bodies make, and returns how many.
    fn mark_internal_edges(&self, begin: &Begin<'_>, pairs: &mut [PersistentPair]) -> usize {
        let lists = lists(begin.poses, pairs, true);
        let bodies: Vec<(usize, usize)> = pairs.iter().map(|pair| pair.bodies).collect();
        let seen = |i: usize| {
            let placed = placed(&self.entries[i], &begin.bodies[i], begin.poses[i]);
            Placed { shape: self.method.generator().contact_shape(placed.shape), ..placed }
        };
        let margin = |a: usize, b: usize| pair_margin(self.contact_margin(a), self.contact_margin(b));
        let dropped = internal_edge_contacts(&bodies, &lists, seen, margin);
        for pair in pairs.iter_mut() {
            pair.contacts.iter_mut().for_each(|contact| contact.is_internal_edge = false);
        }
        for &(k, i) in &dropped {
            pairs[k].contacts[i].is_internal_edge = true;
        }
        dropped.len()
    }

    /// Whether bodies with these twists move so far in a step that contacts may be missing.
    fn needs_looks(&self, begin: &Begin<'_>, twists: &[Twist], duration: f64) -> bool {
        let is_asked = self.looks_for_impacts() || self.method.generator().is_speculative();
        is_asked
            && (!self.looks_for_impacts()
                || self.sweeps(begin.bodies, twists, duration).iter().any(|&sweep| sweep > 0.0))
    }

    /// Adds the contacts that are missing on the way of bodies with these twists, and returns how many, with all contacts.
    fn look_ahead(
        &mut self,
        begin: &Begin<'_>,
        twists: &[Twist],
        pairs: &mut Vec<PersistentPair>,
        looks: usize,
    ) -> Result<(usize, Found), WorldError> {
        let mut found = Found {
            pairs: pairs.iter().map(|pair| pair.bodies).collect(),
            lists: lists(begin.poses, pairs, false),
            internal_edges: 0,
            unsettled: BTreeSet::new(),
        };
        if self.looks_for_impacts() {
            let grown = self.add_impact_contacts(begin.bodies, begin.poses, twists, &mut found, looks)?;
            found.unsettled = grown.into_iter().collect();
        } else {
            let duration = self.settings.step.time_step;
            let moved = |(i, pose): (usize, &Pose)| {
                let [x, y, z, p, q, r] = twists[i];
                advance(*pose, DVec3::new(x, y, z), DVec3::new(p, q, r), duration)
            };
            let ends: Vec<Pose> = begin.poses.iter().enumerate().map(moved).collect();
            self.add_speculative_contacts(begin.bodies, begin.poses, &ends, &mut found)?;
        }
        let mut added = 0;
        if found.pairs.len() != pairs.len() {
            let mut state = SoftState { pairs: std::mem::take(pairs), ..SoftState::default() };
            state.set_pairs(&found.pairs);
            *pairs = state.pairs;
        }
        for (pair, list) in pairs.iter_mut().zip(&found.lists) {
            let held = pair.contacts.iter().filter(|contact| !contact.is_internal_edge).count();
            let (a, b) = pair.bodies;
            for contact in &list[held..] {
                pair.contacts.push(PersistentContact::new(contact, [&begin.poses[a], &begin.poses[b]]));
                // They hold for this step.
                pair.found_at = None;
                added += 1;
            }
        }
        Ok((added, found))
    }

    /// The contacts of all pairs as they are solved.
    fn soft_contacts(
        &self,
        begin: &Begin<'_>,
        pairs: &[PersistentPair],
        share: f64,
        contacts: &mut Contacts,
        counts: &mut StepCounts,
    ) -> Result<(), WorldError> {
        let handles = self.handles.dense();
        let allowed = self.settings.pre_stabilisation.map_or(0.0, |pre| pre.allowed_penetration);
        let rest_depth = allowed.min(self.method.generator().slop());
        let threshold = self.settings.restitution_threshold;
        contacts.all.clear();
        contacts.soft.clear();
        contacts.places.clear();
        counts.restitution_ignored = 0;
        for (k, pair) in pairs.iter().enumerate() {
            let (a, b) = pair.bodies;
            if pair.contacts.is_empty() {
                continue;
            }
            let (body_a, body_b) = (&begin.bodies[a], &begin.bodies[b]);
            let interaction = self.materials.between(body_a.material, body_b.material).map_err(|source| {
                let (a, b) = (BodyId::new(a as u32), BodyId::new(b as u32));
                named(StepError::Material { contact: contacts.all.len(), a, b, source }, handles)
            })?;
            let poses = [&begin.poses[a], &begin.poses[b]];
            for (i, own) in pair.contacts.iter().enumerate().filter(|(_, own)| !own.is_internal_edge) {
                let contact = own.at(poses);
                if !contact.gap.is_finite() {
                    return Err(WorldError::Gap { a: handles[a], b: handles[b], gap: contact.gap });
                }
                let velocity =
                    |body: &Body| body.velocity + body.angular_velocity.cross(contact.position - body.position);
                let mut bounce = 0.0;
                if interaction.restitution > 0.0 {
                    let approach = contact.normal.dot(velocity(body_a) - velocity(body_b));
                    if approach > threshold {
                        bounce = interaction.restitution * approach;
                    } else {
                        counts.restitution_ignored += usize::from(approach > 0.0);
                    }
                }
                contacts.all.push(ContactBetween { a: BodyId::new(a as u32), b: BodyId::new(b as u32), contact });
                contacts.soft.push(SoftContact {
                    a: a as u32,
                    b: b as u32,
                    position: contact.position,
                    normal: contact.normal,
                    gap: contact.gap + rest_depth,
                    friction: interaction.friction.to_array(),
                    bounce,
                    impulse: own.impulse(contact.normal, share),
                    total: [0.0; 4],
                });
                contacts.places.push((k, i));
            }
        }
        Ok(())
    }

    /// Keeps the impulses for the next step; that of a bounce says nothing about it.
    fn remember(&self, contacts: &Contacts, pairs: &mut [PersistentPair]) {
        for (contact, &(k, i)) in contacts.soft.iter().zip(&contacts.places) {
            let impulse: Impulse = if contact.bounce > 0.0 { [0.0; 4] } else { contact.impulse };
            pairs[k].contacts[i].remember(contact.normal, impulse);
        }
    }
}

/// Where a step leads.
struct SoftEnd {
    contacts: Contacts,
    islands: Vec<IslandReport>,
    poses: Vec<Pose>,
    twists: Vec<Twist>,
}

/// Poses and twists at the end of the step.
fn ends(begin: &Begin<'_>, solver: &SoftStep, time_step: f64) -> (Vec<Pose>, Vec<Twist>) {
    let end = |i: usize| {
        let (body, mover, pose) = (&begin.bodies[i], &begin.movers[i], begin.poses[i]);
        if !body.is_dynamic() {
            let moved =
                if body.is_fixed() { pose } else { advance(pose, body.velocity, body.angular_velocity, time_step) };
            return (moved, [0.0; 6]);
        }
        let [way, turn] = solver.displacement(i, mover);
        (advance(pose, way, turn, 1.0), solver.twist(i, mover))
    };
    (0..begin.bodies.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(end).unzip()
}

/// The contacts of each pair where the bodies are; with those on internal edges or without.
fn lists(poses: &[Pose], pairs: &[PersistentPair], with_internal_edges: bool) -> Vec<Vec<Contact>> {
    let list = |pair: &PersistentPair| {
        let (a, b) = pair.bodies;
        let own = pair.contacts.iter().filter(|contact| with_internal_edges || !contact.is_internal_edge);
        own.map(|contact| contact.at([&poses[a], &poses[b]])).collect()
    };
    pairs.iter().map(list).collect()
}

/// What the step says of its islands.
fn soft_islands(begin: &Begin<'_>, contacts: &Contacts, solver: &SoftStep, soft: &SoftSettings) -> Vec<IslandReport> {
    let is_dynamic: Vec<bool> = begin.bodies.iter().map(Body::is_dynamic).collect();
    let pairs: Vec<[usize; 2]> = contacts.soft.iter().map(|c| [c.a as usize, c.b as usize]).collect();
    let islands = islands(&is_dynamic, &pairs);
    let mut island_of = vec![usize::MAX; is_dynamic.len()];
    for (k, island) in islands.iter().enumerate() {
        island.bodies.iter().filter(|&&body| is_dynamic[body]).for_each(|&body| island_of[body] = k);
    }
    let mut missing = vec![[0.0_f64; 2]; islands.len()];
    for (body, _, own) in solver.residuals(begin.movers, &contacts.soft) {
        let island = &mut missing[island_of[body as usize]];
        *island = [island[0].max(own[0]), island[1].max(own[1])];
    }
    let report = |(island, [impulse, velocity]): (&crate::islands::Island, [f64; 2])| {
        let first = island.bodies.iter().copied().find(|&body| is_dynamic[body]).unwrap_or(0);
        IslandReport::soft(first, (island.bodies.len(), island.contacts.len()), soft, (impulse, velocity))
    };
    islands.iter().zip(missing).map(report).collect()
}
