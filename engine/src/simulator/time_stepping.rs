//! The time-stepping simulator: [`World`].

use super::{Simulator, SimulatorError, SimulatorKind, SimulatorSnapshot};
use crate::body::{Body, Pose};
use crate::external_forces::ExternalForces;
use crate::handle::BodyHandle;
use crate::material::MaterialTable;
use crate::overlap::OverlapAudit;
use crate::prescribed_motion::PrescribedMotion;
use crate::solver::ContactSolver;
use crate::world::{Detected, World, WorldReport};
use drystone_contact::generator::Method;
use drystone_contact::shape::Shape;
use glam::DVec3;
use std::sync::Arc;

impl Simulator for World {
    fn kind(&self) -> SimulatorKind {
        SimulatorKind::TimeStepping
    }

    fn handles(&self) -> &[BodyHandle] {
        World::handles(self)
    }

    fn bodies(&self) -> &[Body] {
        World::bodies(self)
    }

    fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, SimulatorError> {
        Ok(World::body_mut(self, handle)?)
    }

    fn shapes(&self) -> Vec<&Arc<Shape>> {
        World::shapes(self).collect()
    }

    fn materials(&self) -> &MaterialTable {
        World::materials(self)
    }

    fn forces(&self) -> &ExternalForces {
        &self.settings().step.forces
    }

    fn time(&self) -> f64 {
        World::time(self)
    }

    fn steps(&self) -> u64 {
        World::steps(self)
    }

    fn time_step(&self) -> f64 {
        self.settings().step.time_step
    }

    fn method(&self) -> &Method {
        World::method(self)
    }

    fn contact_solver(&self) -> Option<ContactSolver> {
        Some(self.settings().step.contact_solver)
    }

    fn detects_anywhere(&self) -> bool {
        true
    }

    fn step(&mut self) -> Result<WorldReport, SimulatorError> {
        Ok(World::step(self)?)
    }

    fn detect(&mut self) -> Result<Detected, SimulatorError> {
        Ok(World::detect(self)?)
    }

    fn detect_now(&mut self) -> Result<Detected, SimulatorError> {
        Ok(World::detect_now(self)?)
    }

    fn overlap_audit(&self) -> OverlapAudit {
        World::overlap_audit(self)
    }

    fn apply_wrench(&mut self, handle: BodyHandle, force: DVec3, torque: DVec3) -> Result<(), SimulatorError> {
        self.apply_force(handle, force)?;
        Ok(self.apply_torque(handle, torque)?)
    }

    fn set_prescribed_motion(
        &mut self,
        handle: BodyHandle,
        prescribed_motion: Option<PrescribedMotion>,
    ) -> Result<(), SimulatorError> {
        Ok(World::set_prescribed_motion(self, handle, prescribed_motion)?)
    }

    fn move_to(&mut self, handle: BodyHandle, pose: Pose) -> Result<(), SimulatorError> {
        Ok(World::move_to(self, handle, pose)?)
    }

    fn snapshot(&self) -> SimulatorSnapshot {
        SimulatorSnapshot::TimeStepping(Box::new(World::snapshot(self)))
    }
}
