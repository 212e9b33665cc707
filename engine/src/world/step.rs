//! The step of a world, from top to bottom as in the diagram of ARCHITECTURE.md ("One step").

use super::contact_cache::{CachedContact, ContactCache};
use super::detection::Found;
use super::error::named;
use super::motion::StepState;
use super::report::{QuietStep, StepCounts, Timings, WorldReport, deepest};
use super::velocity_solve::Substep;
use super::{World, WorldError};
use crate::body::{Body, BodyId, BodyKind, Pose};
use crate::interruption::Interruption;
use crate::lap::Lap;
use crate::soft_step::SoftSettings;
use crate::solver::{ContactSolver, Impulse};
use crate::stepper::{Energy, ExternalWrench, check_states, ids, set_poses, set_twists};

impl World {
    /// Sets what may end steps, and [detections](World::detect), before they are made: these return [`WorldError::Interrupted`] then. To be
    /// able to go back, soft steps begin with a copy of the contacts that are remembered, for which memory is kept; others need none. It is
    /// no part of snapshots.
    pub fn set_interruption(&mut self, interruption: Interruption) {
        self.interruption = interruption;
    }

    /// Moves the world by one time step. Work is shared among the threads of the rayon pool that the caller runs in;
    /// the result is the same for any number of them.
    ///
    /// # Errors
    /// [`WorldError`]; the bodies are then where they were.
    pub fn step(&mut self) -> Result<WorldReport, WorldError> {
        let mut report = WorldReport::default();
        self.step_into(&mut report)?;
        Ok(report)
    }

    /// The same as [`World::step`], with a report whose memory is used again: the soft step asks for none once nothing new comes near.
    /// After an error the report means nothing.
    ///
    /// # Errors
    /// As [`World::step`].
    pub fn step_into(&mut self, report: &mut WorldReport) -> Result<(), WorldError> {
        self.settings.check()?;
        self.check_joints()?;
        self.query_tree.invalidate();
        self.check_sensors()?;
        self.interruption.begin();
        match self.soft_settings() {
            Some(soft) => self.step_softly(&soft, report)?,
            None if !(self.joints.is_empty() || self.takes_joints()) => return Err(WorldError::UnsupportedJoints),
            None => *report = self.step_at_once()?,
        }
        self.list_events(report)
    }

    /// Those of the soft step, if steps are made by it.
    pub(super) fn soft_settings(&self) -> Option<SoftSettings> {
        match (self.settings.step.contact_solver, self.settings.ccd) {
            (ContactSolver::Soft(soft), None) => Some(soft),
            _ => None,
        }
    }

    /// A step in which all contacts are solved once, for its end.
    fn step_at_once(&mut self) -> Result<WorldReport, WorldError> {
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let settings = self.settings.clone();
        let handles = self.handles.dense().to_vec();

        let teleported = self.teleported();

        // Velocities of kinematic bodies.
        let mut bodies = self.kinematic_bodies();
        let ids = ids(&bodies).map_err(|e| named(e, &handles))?;
        check_states(&bodies, &ids, "before").map_err(|e| named(e, &handles))?;
        self.check_ccd_shapes()?;
        self.check_ccd_spins(&bodies)?;
        let mut state = StepState::new(&mut bodies, &settings);
        let energy_before = Energy::of(&bodies, &settings.step.forces);

        // First half of the motion, with the old velocities.
        let (held_back, held_energy) = self.move_to_detection(&bodies, &mut state)?;

        // Substeps: a single one, or by continuous collision detection another one after each time of impact.
        let (mut cache, mut counts, mut pairs, mut deepest_penetration) =
            (None, StepCounts { held_back, ..StepCounts::default() }, 0, 0.0);
        let (poses, solved) = loop {
            self.interruption.check()?;
            let poses = state.poses.clone();
            // Broad phase and narrow phase.
            let sweeps = self.sweeps(&bodies, &self.free_twists(&bodies, &poses), settings.step.time_step);
            let mut found = self.find(&bodies, &poses, &sweeps, &mut timings)?;
            self.add_near_contacts(&poses, &mut state, &mut found);
            // Islands, velocity solve, speculative contacts.
            let substep = Substep { is_first: cache.is_none(), ccd: state.ccd.as_ref() };
            let solved = self.solve_with_speculative_contacts(&bodies, &poses, &mut found, substep, &mut timings)?;
            set_twists(&mut bodies, &solved.twists);
            self.check_ccd_spins(&bodies)?;
            cache.get_or_insert_with(|| self.cached(&found, &poses, &solved.cached_impulses));
            counts += solved.counts;
            pairs = found.pairs.len().max(pairs);
            deepest_penetration = deepest(&solved.contacts).max(deepest_penetration);
            // The rest of the motion, or as much of it as is free of impact.
            if !self.move_on(&bodies, &mut state)? {
                break (poses, solved);
            }
        };

        // Position correction.
        let position_correction_energy =
            held_energy + self.correct_positions(&mut bodies, &mut state, &solved.corrections)?;
        set_poses(&mut bodies, &state.poses);
        self.limit_energy_of_jammed(&mut bodies, &state);
        check_states(&bodies, &ids, "after").map_err(|e| named(e, &handles))?;
        self.interruption.check()?;

        // What the next step starts from, and the report.
        self.contact_cache = cache.unwrap_or_default();
        self.soft.clear();
        self.contact_cache_time_step = settings.step.time_step;
        self.bodies = bodies;
        for (entry, body) in self.entries.iter_mut().zip(&self.bodies) {
            (entry.external_wrench, entry.left) = (ExternalWrench::NONE, Some(body.pose()));
        }
        self.time += state.elapsed;
        self.steps += 1;
        let energy_after = Energy::of(&self.bodies, &settings.step.forces);
        timings.total = whole.next();
        let mut report = WorldReport {
            step: self.steps,
            time: self.time,
            handles,
            contacts: solved.contacts,
            impulses: solved.impulses,
            poses,
            pairs,
            islands: solved.islands,
            energy_before,
            energy_after,
            position_correction_energy,
            deepest_penetration,
            teleported,
            counts,
            ccd: state.ccd.map(|ccd| ccd.report(state.elapsed)),
            backtracking: None,
            asynchronous: None,
            joints: Vec::new(),
            broken_joints: Vec::new(),
            timings,
            quiet: QuietStep::default(),
        };
        if !self.joints.is_empty() {
            self.end_joints(&solved.joints, &mut report);
            self.remove_broken(&report.broken_joints);
        }
        Ok(report)
    }

    /// The bodies that are not where the last step has left them.
    fn teleported(&self) -> Vec<BodyId> {
        (0..self.bodies.len()).filter(|&i| self.is_teleported(i)).map(|i| BodyId::new(i as u32)).collect()
    }

    /// Whether a body is not where the last step has left it.
    pub(super) fn is_teleported(&self, body: usize) -> bool {
        self.entries[body].left.is_some_and(|left| left != self.bodies[body].pose())
    }

    /// The bodies with the velocities that prescribed motions give them for the next step.
    pub(super) fn kinematic_bodies(&self) -> Vec<Body> {
        (0..self.bodies.len()).map(|i| self.kinematic_body(i)).collect()
    }

    /// The same of one body.
    pub(super) fn kinematic_body(&self, body: usize) -> Body {
        let (mut body, running) = (self.bodies[body].clone(), &self.entries[body].prescribed_motion);
        if let Some(running) = running.as_ref().filter(|_| body.kind() == BodyKind::Kinematic) {
            let from = self.time - running.start;
            let to = from + self.settings.step.time_step;
            (body.velocity, body.angular_velocity) = running.prescribed_motion.mean_velocities(from, to);
        }
        body
    }

    /// The contacts with their impulses, for warm starting and the generator in the next step.
    fn cached(&self, found: &Found, poses: &[Pose], impulses: &[Impulse]) -> ContactCache {
        let dense = self.handles.dense();
        let mut impulses = impulses.iter();
        let mut cache = ContactCache::new();
        for ((a, b), own) in found.touching() {
            let own = own.iter().zip(&mut impulses);
            let list = own.map(|(contact, &impulse)| CachedContact::new(contact, &poses[a], impulse)).collect();
            cache.insert((dense[a], dense[b]), list);
        }
        for &(a, b) in &found.unsettled {
            cache.entry((dense[a], dense[b])).or_default().push(CachedContact::unknown());
        }
        cache
    }
}
