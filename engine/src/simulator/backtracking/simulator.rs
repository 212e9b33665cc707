//! The backtracking simulator as a [`Simulator`]: steps of one length, and the common report of a step.

use super::{BacktrackingError, BacktrackingSimulator, SetContact};
use crate::body::{Body, BodyId, Pose};
use crate::external_forces::ExternalForces;
use crate::handle::BodyHandle;
use crate::lap::Lap;
use crate::material::MaterialTable;
use crate::overlap::OverlapAudit;
use crate::prescribed_motion::PrescribedMotion;
use crate::simulator::{Simulator, SimulatorError, SimulatorKind, SimulatorSnapshot};
use crate::solver::contact_problem::tangents;
use crate::solver::{ContactSolver, Impulse};
use crate::stepper::ContactBetween;
use crate::world::{Detected, StepCounts, Timings, WorldReport};
use drystone_contact::generator::Method;
use drystone_contact::shape::Shape;
use drystone_contact::shape::features::FeatureId;
use drystone_contact::{Contact, Feature};
use glam::DVec3;
use std::sync::Arc;

impl Simulator for BacktrackingSimulator {
    fn kind(&self) -> SimulatorKind {
        SimulatorKind::Backtracking
    }

    fn handles(&self) -> &[BodyHandle] {
        BacktrackingSimulator::handles(self)
    }

    fn bodies(&self) -> &[Body] {
        BacktrackingSimulator::bodies(self)
    }

    fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, SimulatorError> {
        Ok(BacktrackingSimulator::body_mut(self, handle)?)
    }

    fn shapes(&self) -> Vec<&Arc<Shape>> {
        self.sets.solids.iter().map(|solid| &solid.shape).collect()
    }

    fn materials(&self) -> &MaterialTable {
        BacktrackingSimulator::materials(self)
    }

    fn forces(&self) -> &ExternalForces {
        &self.settings.forces
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn time_step(&self) -> f64 {
        self.settings.time_step
    }

    fn method(&self) -> &Method {
        &self.method
    }

    fn contact_solver(&self) -> Option<ContactSolver> {
        Some(ContactSolver::Svd(self.settings.svd))
    }

    fn detects_anywhere(&self) -> bool {
        false
    }

    fn step(&mut self) -> Result<WorldReport, SimulatorError> {
        let (mut lap, before) = (Lap::start(), self.clone());
        let energy_before = self.energy();
        let report = match self.advance(self.settings.time_step) {
            Ok(report) => report,
            Err(error) => {
                // Some of the way may have been made.
                *self = before;
                return Err(error.into());
            }
        };
        let timings = Timings { total: lap.next(), ..Timings::default() };
        let statuses = report.work.statuses;
        let counts = StepCounts {
            svd_exact: statuses.exact,
            svd_fallbacks: statuses.otherwise_exact + statuses.fallback,
            svd_inconsistent: statuses.inconsistent,
            svd_solves: report.work.svd_solves,
            torsion_ignored: report.work.torsion_ignored,
            ..StepCounts::default()
        };
        let impulse = |contact: &SetContact| impulse(contact, self.settings.time_step);
        let contacts = self.between(&report.contacts);
        Ok(WorldReport {
            step: self.steps,
            time: report.time,
            handles: self.handles().to_vec(),
            deepest_penetration: contacts.iter().map(|c| -c.contact.gap).fold(0.0, f64::max),
            contacts,
            teleported: Vec::new(),
            impulses: report.contacts.iter().map(impulse).collect(),
            poses: self.bodies.iter().map(Body::pose).collect(),
            pairs: self.nearness.pairs,
            islands: Vec::new(),
            energy_before,
            energy_after: report.energy,
            position_correction_energy: 0.0,
            counts,
            ccd: None,
            backtracking: Some(Box::new(report)),
            asynchronous: None,
            timings,
            joints: Vec::new(),
            broken_joints: Vec::new(),
            quiet: Default::default(),
        })
    }

    fn detect(&mut self) -> Result<Detected, SimulatorError> {
        self.detect_now()
    }

    fn detect_now(&mut self) -> Result<Detected, SimulatorError> {
        let mut lap = Lap::start();
        let mut looked = self.clone();
        let contacts = looked.contacts_now()?;
        let contacts = looked.between(&contacts);
        let poses = self.bodies.iter().map(Body::pose).collect();
        let timings = Timings { total: lap.next(), ..Timings::default() };
        Ok(Detected { contacts, poses, pairs: looked.nearness.pairs, timings })
    }

    fn overlap_audit(&self) -> OverlapAudit {
        OverlapAudit {
            bodies: self.bodies.clone(),
            handles: self.handles().to_vec(),
            shapes: self.shapes().into_iter().cloned().collect(),
            groups: self.sets.solids.iter().map(|solid| solid.groups).collect(),
            excluded: self.sets.excluded.clone(),
        }
    }

    fn apply_wrench(&mut self, handle: BodyHandle, _: DVec3, _: DVec3) -> Result<(), SimulatorError> {
        self.body(handle)?;
        Err(BacktrackingError::ExternalWrench(handle).into())
    }

    fn set_prescribed_motion(
        &mut self,
        handle: BodyHandle,
        prescribed_motion: Option<PrescribedMotion>,
    ) -> Result<(), SimulatorError> {
        self.body(handle)?;
        prescribed_motion.map_or(Ok(()), |_| Err(BacktrackingError::PrescribedMotion.into()))
    }

    fn move_to(&mut self, handle: BodyHandle, _: Pose) -> Result<(), SimulatorError> {
        self.body(handle)?;
        Err(BacktrackingError::PrescribedMotion.into())
    }

    fn snapshot(&self) -> SimulatorSnapshot {
        SimulatorSnapshot::Backtracking(Box::new(BacktrackingSimulator::snapshot(self)))
    }
}

impl BacktrackingSimulator {
    /// Contacts of sets as those of any simulator.
    fn between(&self, contacts: &[SetContact]) -> Vec<ContactBetween> {
        let index = |handle| self.sets.handles.index(handle).unwrap_or_default();
        let between = |contact: &SetContact| {
            let [a, b] = contact.bodies.map(index);
            let feature = |side: usize, id| {
                let pieces = &self.sets.solids[[a, b][side]].pieces;
                feature(pieces.number(contact.pieces[side], id).unwrap_or(id))
            };
            let contact = Contact {
                position: contact.position,
                normal: contact.normal,
                gap: contact.gap,
                feature_a: feature(0, contact.pair.a),
                feature_b: feature(1, contact.pair.b),
            };
            ContactBetween { a: BodyId::new(a as u32), b: BodyId::new(b as u32), contact }
        };
        contacts.iter().map(between).collect()
    }
}

/// A feature of a convex piece, counted through all pieces of its shape.
fn feature(id: FeatureId) -> Feature {
    match id {
        FeatureId::Facet(f) => Feature::PieceFace(f),
        FeatureId::Edge(e) => Feature::PieceEdge(e),
        FeatureId::Vertex(v) => Feature::PieceVertex(v),
    }
}

/// What a contact's force does in a step of this length, s: normal, s, t (N s), no torsion.
fn impulse(contact: &SetContact, time_step: f64) -> Impulse {
    let [s, t] = tangents(contact.normal);
    let force = contact.force * time_step;
    [force.dot(contact.normal), force.dot(s), force.dot(t), 0.0]
}
