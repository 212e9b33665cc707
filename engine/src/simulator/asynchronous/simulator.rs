//! The asynchronous simulator as a [`Simulator`]: its steps are frames of one length, in each of which all events of that time
//! happen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drystone_contact::Contact;
use drystone_contact::generator::{Generator, GeneratorError, Method, Placed};
use drystone_contact::shape::Shape;
use glam::DVec3;

use super::clock::Ticks;
use super::error::AsynchronousError;
use super::report::AsynchronousReport;
use super::simulation::AsynchronousSimulation;
use super::surface::check_positive;
use crate::body::{Body, Pose};
use crate::external_forces::ExternalForces;
use crate::handle::BodyHandle;
use crate::lap::Lap;
use crate::material::MaterialTable;
use crate::overlap::OverlapAudit;
use crate::prescribed_motion::PrescribedMotion;
use crate::simulator::{DeformableMesh, Simulator, SimulatorError, SimulatorKind, SimulatorSnapshot};
use crate::solver::ContactSolver;
use crate::stepper::Energy;
use crate::world::{Detected, Timings, WorldReport};

/// Surfaces that move in frames. It has no bodies.
pub struct AsynchronousSimulator {
    simulation: AsynchronousSimulation,
    /// Of a frame, s.
    time_step: f64,
    steps: u64,
    materials: MaterialTable,
    forces: ExternalForces,
    method: Method,
    /// Whether a step is to end before its time.
    stop: Option<Arc<AtomicBool>>,
}

impl AsynchronousSimulator {
    /// A simulation at its start, in frames of a length in s. The motion does not depend on that length.
    ///
    /// # Errors
    /// A length that is none; contact by [`AsynchronousSimulation::with_contact_by_hierarchy`].
    pub fn new(simulation: AsynchronousSimulation, time_step: f64) -> Result<Self, AsynchronousError> {
        check_positive("time step", time_step)?;
        if time_step < Ticks::DURATION {
            let must = "no shorter than a tick, 2.3e-13 s";
            return Err(AsynchronousError::Parameter { what: "time step", value: time_step, must });
        }
        if simulation.hierarchy_report().is_some() {
            return Err(AsynchronousError::Hierarchy);
        }
        let forces = ExternalForces { gravity: simulation.gravity(), linear_damping: 0.0, angular_damping: 0.0 };
        let summary = "discrete penalty layers between the features of deformable surfaces";
        let method = Method::fixed("penalty-layers", summary, Arc::new(PenaltyLayersOnly));
        let materials = MaterialTable::new();
        Ok(Self { simulation, time_step, steps: 0, materials, forces, method, stop: None })
    }

    /// The same after so many steps.
    pub(super) fn after(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// What moves.
    pub fn simulation(&self) -> &AsynchronousSimulation {
        &self.simulation
    }

    /// What moves, to change it between frames.
    pub fn simulation_mut(&mut self) -> &mut AsynchronousSimulation {
        &mut self.simulation
    }

    /// Of a frame, s.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// How many frames there were.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// The method by name: it finds contacts of surfaces inside of the simulator, and none between solids.
struct PenaltyLayersOnly;

impl PenaltyLayersOnly {
    fn refusal(&self, shape: &Shape) -> GeneratorError {
        let (generator, kind) = (self.name().to_owned(), shape.kind().to_owned());
        GeneratorError::Unsupported {
            generator,
            kind,
            needs: "a deformable surface of the asynchronous simulator".into(),
        }
    }
}

impl Generator for PenaltyLayersOnly {
    fn name(&self) -> &str {
        "penalty-layers"
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        Err(self.refusal(shape))
    }

    fn contacts(&self, a: &Placed<'_>, _: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        Err(self.refusal(a.shape))
    }

    fn margin(&self, _: &Shape) -> f64 {
        0.0
    }
}

impl Simulator for AsynchronousSimulator {
    fn kind(&self) -> SimulatorKind {
        SimulatorKind::Asynchronous
    }

    fn handles(&self) -> &[BodyHandle] {
        &[]
    }

    fn bodies(&self) -> &[Body] {
        &[]
    }

    fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, SimulatorError> {
        Err(AsynchronousError::NoBody { handle }.into())
    }

    fn shapes(&self) -> Vec<&Arc<Shape>> {
        Vec::new()
    }

    fn deformable_meshes(&self) -> Vec<DeformableMesh> {
        self.simulation.meshes()
    }

    fn first_intersection(&self) -> Option<[u32; 2]> {
        self.simulation.first_intersection()
    }

    fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    fn forces(&self) -> &ExternalForces {
        &self.forces
    }

    /// Springs, hinges and penalty layers count as potential.
    fn energy(&self) -> Energy {
        let energies = self.simulation.energies();
        Energy { kinetic: energies.kinetic, potential: energies.potential + energies.elastic + energies.contact }
    }

    fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn time_step(&self) -> f64 {
        self.time_step
    }

    fn method(&self) -> &Method {
        &self.method
    }

    fn contact_solver(&self) -> Option<ContactSolver> {
        None
    }

    fn detects_anywhere(&self) -> bool {
        false
    }

    fn step(&mut self) -> Result<WorldReport, SimulatorError> {
        let (mut lap, before) = (Lap::start(), self.simulation.clone());
        let energy_before = self.energy();
        self.simulation.take_profile();
        let end = self.time_step * (self.steps + 1) as f64;
        let stop = self.stop.clone();
        let is_to_stop = || stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if let Err(error) = self.simulation.run_until_unless(end, &is_to_stop) {
            // Some of the way may have been made.
            self.simulation = before;
            return Err(error.into());
        }
        self.steps += 1;
        let simulation = &mut self.simulation;
        let report = AsynchronousReport {
            events: simulation.events(),
            profile: simulation.take_profile(),
            pairs: simulation.pairs(),
            contacts: simulation.contact_report().copied(),
            energies: simulation.energies(),
            momenta: simulation.momenta(),
            vertex_steps: simulation.vertex_steps(),
        };
        let timings = Timings { total: lap.next(), ..Timings::default() };
        Ok(WorldReport {
            step: self.steps,
            time: self.simulation.time(),
            pairs: report.pairs[0],
            energy_before,
            energy_after: self.energy(),
            asynchronous: Some(Box::new(report)),
            timings,
            ..WorldReport::default()
        })
    }

    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    fn detect(&mut self) -> Result<Detected, SimulatorError> {
        self.detect_now()
    }

    fn detect_now(&mut self) -> Result<Detected, SimulatorError> {
        let [pairs, _] = self.simulation.pairs();
        Ok(Detected { contacts: Vec::new(), poses: Vec::new(), pairs, timings: Timings::default() })
    }

    fn overlap_audit(&self) -> OverlapAudit {
        OverlapAudit::default()
    }

    fn apply_wrench(&mut self, handle: BodyHandle, _: DVec3, _: DVec3) -> Result<(), SimulatorError> {
        Err(AsynchronousError::NoBody { handle }.into())
    }

    fn set_prescribed_motion(&mut self, handle: BodyHandle, _: Option<PrescribedMotion>) -> Result<(), SimulatorError> {
        Err(AsynchronousError::NoBody { handle }.into())
    }

    fn move_to(&mut self, handle: BodyHandle, _: Pose) -> Result<(), SimulatorError> {
        Err(AsynchronousError::NoBody { handle }.into())
    }

    fn snapshot(&self) -> SimulatorSnapshot {
        SimulatorSnapshot::Asynchronous(Box::new(AsynchronousSimulator::snapshot(self)))
    }
}
