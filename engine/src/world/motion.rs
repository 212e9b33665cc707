//! The motion of all bodies within a step: free, or by continuous collision detection as far as the first time of impact.

use super::near::{near_pairs, swept_bounds};
use super::{World, WorldError, WorldSettings};
use crate::body::{Body, Pose};
use crate::broad_phase::Bounds;
use crate::ccd::{CcdSettings, CcdState, FirstImpact, Impact, impact_of_pair};
use crate::interruption::Interrupted;
use crate::motion::advance;
use crate::pair_filter::PairFilter;
use crate::stepper::move_freely;
use drystone_contact::ccd::rigid::{NonlinearRigidMotion, RigidMesh, RigidPair};
use drystone_contact::parallel::prelude::*;
use drystone_contact::shape::Surface;
use glam::DVec3;
use std::collections::BTreeSet;

/// Orientations whose squared length is off by no more than this share are of unit length.
const UNIT: f64 = 16.0 * f64::EPSILON;

/// How far a step has come.
pub(super) struct StepState {
    /// Where the bodies are.
    pub poses: Vec<Pose>,
    /// The time that has gone by, s.
    pub elapsed: f64,
    /// With continuous collision detection, what it knows.
    pub ccd: Option<CcdState>,
}

impl StepState {
    /// The start of a step. For continuous collision detection orientations are made of unit length, as those of bodies that
    /// have moved are: otherwise a body would change its size in the motion.
    pub fn new(bodies: &mut [Body], settings: &WorldSettings) -> Self {
        let is_off = |body: &Body| (body.orientation.length_squared() - 1.0).abs() > UNIT;
        if settings.ccd.is_some() {
            for body in bodies.iter_mut().filter(|body| is_off(body)) {
                body.orientation = body.orientation.normalize();
            }
        }
        let poses = bodies.iter().map(Body::pose).collect();
        Self { poses, elapsed: 0.0, ccd: settings.ccd.map(CcdState::new) }
    }
}

impl World {
    /// The motion up to where contacts are looked for, with the old velocities. Returns how many bodies were held back
    /// because they would have met others with which they had no contact, and the potential energy that they have kept by
    /// that, J.
    ///
    /// # Errors
    /// Those of the generator, which is asked about bodies that come from anywhere at speed.
    pub(super) fn move_to_detection(
        &mut self,
        bodies: &[Body],
        state: &mut StepState,
    ) -> Result<(usize, f64), WorldError> {
        let duration = self.time_before_detection();
        if !self.looks_for_impacts() || duration == 0.0 {
            self.advance(bodies, state, duration)?;
            return Ok((0, 0.0));
        }
        let times = self.free_times(bodies, &state.poses, duration)?;
        let held_back = times.iter().filter(|&&time| time < duration).count();
        let kept = |(body, time): (&Body, &f64)| {
            self.settings.step.forces.constant(body).dot(body.velocity) * (duration - time)
        };
        let energy = bodies.iter().zip(&times).map(kept).sum();
        for ((body, pose), time) in bodies.iter().zip(&mut state.poses).zip(times).filter(|((b, _), _)| !b.is_fixed()) {
            *pose = advance(*pose, body.velocity, body.angular_velocity, time);
        }
        state.elapsed += duration;
        Ok((held_back, energy))
    }

    /// The motion for the time that is left, with the velocities of the bodies. Whether another substep follows: never
    /// without continuous collision detection.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn move_on(&self, bodies: &[Body], state: &mut StepState) -> Result<bool, Interrupted> {
        let time_step = self.settings.step.time_step;
        let rest = (time_step - state.elapsed).max(0.0);
        let impact = self.advance(bodies, state, rest)?;
        if impact.time == 1.0 {
            state.elapsed = time_step;
        }
        Ok(state.ccd.as_mut().is_some_and(|ccd| ccd.goes_on(&impact, rest, time_step)))
    }

    /// Moves the bodies with their velocities for `duration` (s), or by continuous collision detection up to the first impact.
    fn advance(&self, bodies: &[Body], state: &mut StepState, duration: f64) -> Result<FirstImpact, Interrupted> {
        let step = &self.settings.step;
        let Some(ccd) = &mut state.ccd else {
            move_freely(bodies, &mut state.poses, duration);
            state.elapsed += duration;
            return Ok(FirstImpact::NONE);
        };
        let motion = |(body, &pose): (&Body, &Pose)| {
            let moves = !body.is_fixed();
            let [velocity, angular_velocity] =
                [body.velocity, body.angular_velocity].map(|v| if moves { v } else { DVec3::ZERO });
            NonlinearRigidMotion { pose, velocity, angular_velocity, duration }
        };
        let motions: Vec<NonlinearRigidMotion> = bodies.iter().zip(&state.poses).map(motion).collect();
        let impact = self.first_impact(bodies, &motions, ccd)?;
        for (pose, motion) in state.poses.iter_mut().zip(&motions) {
            *pose = motion.at(impact.time);
        }
        state.elapsed += impact.time * duration;
        ccd.add(&impact, state.elapsed / step.time_step);
        Ok(impact)
    }

    /// Where bodies are jammed, takes back the energy that velocity solves have given them without any motion: contacts on
    /// all sides ask for velocities that nothing has, and what is solved for step after step while time stands still
    /// would grow without limit. A body keeps the energy that it had before the step, or that of the parting speed.
    pub(super) fn limit_energy_of_jammed(&self, bodies: &mut [Body], state: &StepState) {
        let Some(ccd) = state.ccd.as_ref().filter(|ccd| ccd.is_jammed(state.elapsed, self.settings.step.time_step))
        else {
            return;
        };
        for (body, before) in bodies.iter_mut().zip(&self.bodies).filter(|(body, _)| body.is_dynamic()) {
            let parting = 0.5 * body.mass() * ccd.settings.parting_speed.powi(2);
            let (allowed, now) = (before.kinetic_energy().max(parting), body.kinetic_energy());
            if now > allowed {
                let share = (allowed / now).sqrt();
                (body.velocity, body.angular_velocity) = (body.velocity * share, body.angular_velocity * share);
            }
        }
    }

    /// How far all bodies can move together. The first time in a step it is found out who meets at the start.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn first_impact(
        &self,
        bodies: &[Body],
        motions: &[NonlinearRigidMotion],
        ccd: &mut CcdState,
    ) -> Result<FirstImpact, Interrupted> {
        let settings = ccd.settings;
        let meshes: Vec<RigidMesh<'_>> =
            motions.par_iter().enumerate().in_tasks_of(1).map(|(i, &motion)| self.rigid_mesh(i, motion)).collect();
        let horizon = settings.horizon(settings.clearance);
        let swept: Vec<Option<Bounds>> =
            meshes.par_iter().in_tasks_of(1).map(|mesh| swept_bounds(mesh, horizon)).collect();
        let groups = |index: usize| self.entries[index].collision_groups();
        let filter = PairFilter {
            bodies,
            handles: self.handles.dense(),
            groups,
            excluded: &self.excluded,
            jointed: &self.jointed,
        };
        let known = ccd.overlapping.as_ref();
        let pairs = near_pairs(&swept, |a, b| {
            let moves = !(motions[a].is_still() && motions[b].is_still());
            (moves || known.is_none()) && filter.may_touch(a, b) && known.is_none_or(|known| !known.contains(&(a, b)))
        });
        let impacts: Result<Vec<Impact>, Interrupted> = pairs
            .par_iter()
            .in_tasks_of(1)
            .map(|&(a, b)| {
                self.interruption.check()?;
                let pair = self.rigid_pair(a, b, [meshes[a], meshes[b]]);
                let clearance = self.clearance(&settings, a, b);
                Ok(pair.map_or(Impact::None, |pair| impact_of_pair(&pair, clearance, &settings, known.is_none())))
            })
            .collect();
        let mut first = FirstImpact::NONE;
        let mut overlapping = BTreeSet::new();
        for (&pair, impact) in pairs.iter().zip(impacts?) {
            match impact {
                Impact::Overlapping => {
                    overlapping.insert(pair);
                }
                Impact::None => {}
                Impact::At(time) if time < first.time => first = FirstImpact { time, pairs: vec![pair] },
                Impact::At(time) if time == first.time => first.pairs.push(pair),
                Impact::At(_) => {}
            }
        }
        ccd.overlapping.get_or_insert(overlapping);
        Ok(first)
    }

    /// The surface of a body in motion.
    pub(super) fn rigid_mesh(&self, index: usize, motion: NonlinearRigidMotion) -> RigidMesh<'_> {
        let entry = &self.entries[index];
        RigidMesh::new(entry.topology(), entry.surface().map_or(&[][..], Surface::vertices), motion)
    }

    /// The surfaces of two bodies in motion; `None` unless both are polyhedra ([`World::check_ccd_shapes`]).
    pub(super) fn rigid_pair<'w>(&'w self, a: usize, b: usize, meshes: [RigidMesh<'w>; 2]) -> Option<RigidPair<'w>> {
        let surfaces = [self.entries[a].surface()?, self.entries[b].surface()?];
        Some(RigidPair { a: meshes[0], b: meshes[1], surfaces })
    }

    /// That continuous collision detection, where it is asked for, can serve all shapes.
    ///
    /// # Errors
    /// [`WorldError::CcdShape`].
    pub(super) fn check_ccd_shapes(&self) -> Result<(), WorldError> {
        match self.entries.iter().position(|entry| self.settings.ccd.is_some() && entry.surface().is_none()) {
            Some(i) => Err(WorldError::CcdShape { body: self.handles.dense()[i], kind: self.entries[i].shape.kind() }),
            None => Ok(()),
        }
    }

    /// That continuous collision detection, where it is asked for, can follow all bodies as they turn.
    ///
    /// # Errors
    /// [`WorldError::CcdSpin`].
    pub(super) fn check_ccd_spins(&self, bodies: &[Body]) -> Result<(), WorldError> {
        let Some(limit) = self.settings.ccd.as_ref().map(CcdSettings::largest_turn) else { return Ok(()) };
        let time_step = self.settings.step.time_step;
        let spins = bodies.iter().map(|body| if body.is_fixed() { 0.0 } else { body.angular_velocity.length() });
        match spins.enumerate().find(|(_, spin)| spin * time_step > limit) {
            Some((i, spin)) => Err(WorldError::CcdSpin { body: self.handles.dense()[i], spin, time_step, limit }),
            None => Ok(()),
        }
    }

    /// The gap at which the contacts of two bodies count as closed, m.
    pub(super) fn clearance(&self, settings: &CcdSettings, a: usize, b: usize) -> f64 {
        settings.clearance([a, b].map(|i| self.contact_margin(i)))
    }
}
