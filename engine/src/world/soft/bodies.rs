//! The bodies where a soft step begins, as its solver sees them, and where it ends.

use super::super::detection::BODIES_PER_TASK;
use super::super::report::WorldReport;
use super::super::{Entry, World};
use super::SoftState;
use super::pairs::Frame;
use crate::body::{Body, BodyId, BodyKind, Pose};
use crate::gyroscopic::{FreeRotation, free_rotation};
use crate::material::MaterialId;
use crate::soft_step::SoftSettings;
use crate::soft_step::bodies::Mover;
use crate::solver::SolverBody;
use crate::stepper::{Energy, ExternalWrench, rotating_body};
use drystone_contact::parallel::prelude::*;
use glam::DMat3;

/// What pairs ask of each of their bodies: close together in memory, as they ask for it in any order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// Of its shape, m.
    pub thickness: f64,
    /// The same, m.
    pub radius: f64,
    /// Up to which distance it may have contacts, m.
    pub margin: f64,
    pub material: MaterialId,
    /// Whether impulses change its velocity.
    pub yields: bool,
    pub is_fixed: bool,
}

impl Traits {
    /// Of no body.
    const NONE: Self =
        Self { thickness: 0.0, radius: 0.0, margin: 0.0, material: MaterialId::new(0), yields: false, is_fixed: true };
}

impl World {
    /// The bodies with the velocities that prescribed motions give them, and what has happened to them since the last step.
    pub(super) fn begin_bodies(&self, state: &mut SoftState, report: &mut WorldReport) {
        let forces = &self.settings.step.forces;
        let has_same_forces = state.settings.as_ref().is_some_and(|settings| settings.step.forces == *forces);
        let SoftState { bodies, written, energies, .. } = state;
        bodies.truncate(self.bodies.len());
        let (known, with_energy) = (bodies.len(), energies.len());
        bodies.extend_from_slice(&self.bodies[known..]);
        energies.resize(bodies.len(), Energy::default());
        let begin = |(i, (body, energy)): (usize, (&mut Body, &mut Energy))| {
            let is_written = self.is_written((i < known).then_some(&*body), i);
            *body = self.kinematic_body(i);
            // The others have the energies with which the last step has left them.
            if is_written || i >= with_energy || !has_same_forces || body.kind() == BodyKind::Kinematic {
                *energy = Energy::of_body(body, forces);
            }
            is_written
        };
        let own = bodies.par_iter_mut().zip(&mut *energies).enumerate();
        own.in_tasks_of(BODIES_PER_TASK).map(begin).collect_into_vec(written);
        bodies.par_iter().in_tasks_of(BODIES_PER_TASK).map(Body::pose).collect_into_vec(&mut report.poses);
        report.energy_before = Energy::sum(energies);
        let teleported = (0..bodies.len()).filter(|&i| written[i] && self.is_teleported(i));
        report.teleported.clear();
        report.teleported.extend(teleported.map(|i| BodyId::new(i as u32)));
    }

    /// The bodies as the solver sees them, and how far they may move in the step.
    pub(super) fn begin_softly(&self, state: &mut SoftState, poses: &[Pose], soft: &SoftSettings) {
        let mut movers = std::mem::take(&mut state.movers);
        let mut traits = std::mem::take(&mut state.traits);
        let mut frames = std::mem::take(&mut state.frames);
        movers.resize(poses.len(), Mover::NONE);
        traits.resize(poses.len(), Traits::NONE);
        frames.resize(poses.len(), Frame::default());
        let all = poses.par_iter().zip(&mut movers).zip(&mut traits).zip(&mut frames).enumerate();
        all.in_tasks_of(BODIES_PER_TASK).for_each(|(i, (((pose, mover), traits), frame))| {
            *mover = self.begin_of(state, i, pose, soft);
            *traits = Traits {
                thickness: self.entries[i].shape.thickness(),
                radius: self.entries[i].shape.radius(),
                margin: self.contact_margin(i),
                material: state.bodies[i].material,
                yields: mover.yields(),
                is_fixed: state.bodies[i].is_fixed(),
            };
            *frame = Frame::new(pose);
        });
        (state.movers, state.traits, state.frames) = (movers, traits, frames);
        let SoftState { movers, bodies, traits, sweeps, .. } = state;
        let without_contacts = |i: usize| movers[i].twist_without_contacts(1.0);
        let size = |i: usize| [traits[i].radius, traits[i].margin];
        self.sweeps_into(bodies, without_contacts, size, self.settings.step.time_step, sweeps);
    }

    /// The same of one body. Nothing moves one that sleeps.
    pub(super) fn begin_of(&self, state: &SoftState, body: usize, pose: &Pose, soft: &SoftSettings) -> Mover {
        let of = &state.bodies[body];
        let is_asleep = state.is_asleep(body);
        // Joints turn their bodies with their angular momentum, substep by substep.
        let free = if of.is_dynamic() && !is_asleep && !state.is_jointed(body) {
            free_rotation(of.inertia(), pose.rotation, of.angular_velocity, self.settings.step.time_step)
        } else {
            FreeRotation::NONE
        };
        let wrench = &self.entries[body].external_wrench;
        let mut own = rotating_body(of, pose, wrench, &self.settings.step, free.change);
        if is_asleep {
            own = SolverBody {
                inverse_mass: 0.0,
                inverse_inertia: DMat3::ZERO,
                twist: [0.0; 6],
                forced_change: [0.0; 6],
                ..own
            };
        }
        Mover::new(&own, !of.is_fixed() && !is_asleep, soft.substeps).rotating(free)
    }

    /// Leaves the bodies where the step has led them.
    pub(super) fn end_bodies(&mut self, state: &mut SoftState, report: &mut WorldReport) {
        let forces = &self.settings.step.forces;
        let SoftState { bodies, energies, .. } = state;
        let all = self.entries.par_iter_mut().zip(&mut self.bodies).zip(&*bodies);
        let end = |((entry, own), body): ((&mut Entry, &mut Body), &Body)| {
            own.clone_from(body);
            (entry.external_wrench, entry.left) = (ExternalWrench::NONE, Some(body.pose()));
            Energy::of_body(body, forces)
        };
        all.in_tasks_of(BODIES_PER_TASK).map(end).collect_into_vec(energies);
        report.energy_after = Energy::sum(energies);
    }
}
