//! Simulators: ways to move bodies, behind one trait that recordings, exports, pages, viewer and program speak.
//!
//! All work on the same bodies, handles, shapes, materials, broad phase and islands, and report each step as a
//! [`WorldReport`]. A new one is a room of its own here, a [`SimulatorKind`] and a [`SimulatorSnapshot`].
//!
//! ```
//! use drystone_engine::simulator::Simulator;
//! use drystone_engine::{Friction, Interaction, Pose, Solid, World};
//! use glam::DVec3;
//!
//! let mut world = World::default();
//! let stone = world.materials_mut().add("stone")?;
//! world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! world.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, Pose::from_translation(DVec3::Y * 0.6))?)?;
//!
//! let mut simulator: Box<dyn Simulator> = Box::new(world);
//! let report = simulator.step()?;
//! assert_eq!((simulator.kind().name(), simulator.steps(), report.step), ("time-stepping", 1, 1));
//! assert_eq!(simulator.shapes().len(), simulator.bodies().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod asynchronous;
pub mod backtracking;
mod deformable_mesh;
mod error;
mod kind;
mod limit;
mod snapshot;
mod time_stepping;

pub use deformable_mesh::DeformableMesh;
pub use error::SimulatorError;
pub use kind::SimulatorKind;
pub use limit::Limit;
pub use snapshot::SimulatorSnapshot;

use crate::body::{Body, Pose};
use crate::external_forces::ExternalForces;
use crate::handle::BodyHandle;
use crate::material::MaterialTable;
use crate::overlap::{BodyOverlap, OverlapAudit};
use crate::prescribed_motion::PrescribedMotion;
use crate::solver::ContactSolver;
use crate::stepper::Energy;
use crate::world::{Detected, WorldReport};
use drystone_contact::generator::Method;
use drystone_contact::shape::Shape;
use glam::DVec3;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Moves bodies, step by step. Bodies keep the order of their insertion, which is that of [`Simulator::handles`]; a
/// [`crate::BodyId`] of a report counts them. The same calls give the same bits.
pub trait Simulator: Any + Send {
    /// Which one it is.
    fn kind(&self) -> SimulatorKind;

    /// The handles of all bodies.
    fn handles(&self) -> &[BodyHandle];

    /// The states of all bodies.
    fn bodies(&self) -> &[Body];

    /// A body, to set its state between steps. To write its pose is to teleport it: it takes along nothing that rests on
    /// it, as it does by [`Simulator::move_to`].
    ///
    /// # Errors
    /// The handle is stale.
    fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, SimulatorError>;

    /// The shapes of all bodies, body frames.
    fn shapes(&self) -> Vec<&Arc<Shape>>;

    /// The parts of deformable surfaces, where they are now; simulators of bodies have none.
    fn deformable_meshes(&self) -> Vec<DeformableMesh> {
        Vec::new()
    }

    /// Two triangles of deformable surfaces that pass through each other where they are now, the first pair in ascending order, by an exact
    /// test that shares nothing with how contact is found; `None` if there are none.
    fn first_intersection(&self) -> Option<[u32; 2]> {
        None
    }

    /// What bodies are made of.
    fn materials(&self) -> &MaterialTable;

    /// Gravity and damping.
    fn forces(&self) -> &ExternalForces;

    /// Energy of the present state.
    fn energy(&self) -> Energy {
        Energy::of(self.bodies(), self.forces())
    }

    /// Simulated time, s.
    fn time(&self) -> f64;

    /// How many steps were made.
    fn steps(&self) -> u64;

    /// Δt of the next step, s.
    fn time_step(&self) -> f64;

    /// The method by which contacts are found.
    fn method(&self) -> &Method;

    /// What finds the forces; `None` where each pair has its own, without a solver.
    fn contact_solver(&self) -> Option<ContactSolver>;

    /// Whether contacts at a state follow from that state alone: [`Simulator::detect`] then finds them wherever the
    /// bodies are put. Otherwise they depend on the steps before.
    fn detects_anywhere(&self) -> bool;

    /// Moves all bodies by one time step. Work is shared among the threads of the rayon pool that the caller runs in.
    ///
    /// # Errors
    /// The step cannot be made; nothing has changed then.
    fn step(&mut self) -> Result<WorldReport, SimulatorError>;

    /// Lets a step that takes long end before its time, with an error and nothing changed, once the flag is set. Steps of bodies are short:
    /// they do not look at it.
    fn stop_when(&mut self, _: Arc<AtomicBool>) {}

    /// The contacts that the next step would look at first.
    ///
    /// # Errors
    /// A setting or state is out of range.
    fn detect(&mut self) -> Result<Detected, SimulatorError>;

    /// The contacts where the bodies are now.
    ///
    /// # Errors
    /// A state is not finite.
    fn detect_now(&mut self) -> Result<Detected, SimulatorError>;

    /// How far bodies that may touch are in each other where they are now, measured by their surfaces and not by contacts;
    /// pairs in ascending order, none that only touches.
    ///
    /// # Errors
    /// The overlap of two bodies cannot be measured.
    fn overlaps(&self) -> Result<Vec<BodyOverlap>, SimulatorError> {
        Ok(self.overlap_audit().here()?)
    }

    /// What measures overlaps of these bodies at any poses.
    fn overlap_audit(&self) -> OverlapAudit;

    /// Adds a force through the centre of mass (N) and a torque (N m) for the next step, world frame.
    ///
    /// # Errors
    /// The handle is stale, a number is not finite, or the simulator has no external wrenches.
    fn apply_wrench(&mut self, handle: BodyHandle, force: DVec3, torque: DVec3) -> Result<(), SimulatorError>;

    /// Gives a kinematic body a prescribed motion that begins now, or takes it away.
    ///
    /// # Errors
    /// The handle is stale, the body is not kinematic, or the simulator has no prescribed motions.
    fn set_prescribed_motion(
        &mut self,
        handle: BodyHandle,
        prescribed_motion: Option<PrescribedMotion>,
    ) -> Result<(), SimulatorError>;

    /// Moves a kinematic body to a pose of its body frame in the next step, with what it carries; then it rests until it
    /// is told again.
    ///
    /// # Errors
    /// The handle is stale, the body is not kinematic, the pose is not finite, or the simulator has no prescribed motions.
    fn move_to(&mut self, handle: BodyHandle, pose: Pose) -> Result<(), SimulatorError>;

    /// All that the future depends on.
    fn snapshot(&self) -> SimulatorSnapshot;
}
