//! One moment of a run.

use drystone_engine::simulator::Simulator;
use drystone_engine::simulator::asynchronous::AsynchronousReport;
use drystone_engine::solver::Impulse;
use drystone_engine::world::Detected;
use drystone_engine::{Body, BodyId, ContactBetween, Energy, Pose, WorldReport};
use drystone_scenes::measure::{Matching, score};
use glam::DVec3;

use super::subject::Subject;

/// The numbers of a moment of deformable surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceNumbers {
    /// Since the start.
    pub events: u64,
    /// Pairs of features that repel each other.
    pub active_pairs: usize,
    /// The largest number of penalty layers that were active between two features, since the start.
    pub deepest_layer: u32,
    /// The least distance of two features since the start, m; `None` if none was measured.
    pub closest: Option<f64>,
    /// Of springs and hinges, J.
    pub elastic: f64,
    /// Of penalty layers, J.
    pub contact: f64,
}

/// The numbers of a moment, one row of the plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// How many contacts there are.
    pub contacts: usize,
    /// How many pairs of bodies the generator was asked about.
    pub pairs: usize,
    /// After the step.
    pub energy: Energy,
    /// The depth of the deepest contact, m; 0 if nothing penetrates.
    pub deepest: f64,
    /// The most sweeps that an island took; `None` where nothing was solved.
    pub sweeps: Option<usize>,
    /// How far the impulses are from a solution at worst, N s; `None` where nothing was solved.
    pub residual: Option<f64>,
    /// Share of the expected contact area that contacts span, or of expected normals that a contact has, 0…1; `None`
    /// where nothing is known of the contacts.
    pub coverage: Option<f64>,
    /// Share of contacts with an expected normal, 0…1; `None` as before.
    pub quality: Option<f64>,
    /// Of a step of deformable surfaces.
    pub surfaces: Option<SurfaceNumbers>,
}

/// One moment of a run: the contacts of a step, and where the bodies were when they were looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The number of the step, from 1; 0 is the pose before any motion.
    pub step: u64,
    /// The time after the step, s.
    pub time: f64,
    /// Where the bodies were when contacts were looked for: in the middle of the step, or at its end.
    pub poses: Vec<Pose>,
    /// After the step: m/s and rad/s, world frame.
    pub velocities: Vec<[DVec3; 2]>,
    /// The vertices of each deformable surface after the step, m.
    pub surfaces: Vec<Vec<DVec3>>,
    /// Pair by pair in ascending order.
    pub contacts: Vec<ContactBetween>,
    /// One for each contact, N s; `None` where contacts were only looked for.
    pub impulses: Option<Vec<Impulse>>,
    /// What the plots show of it.
    pub numbers: Numbers,
}

impl Frame {
    /// Of a step that `simulator` has just made.
    pub fn of_step(subject: &Subject, simulator: &dyn Simulator, report: WorldReport) -> Self {
        let mut numbers = Numbers::known(subject, &report.contacts, &report.poses, report.energy_after);
        numbers.pairs = report.pairs;
        // An event-driven step has many solves, which it does not tell one by one.
        let is_one_solve = report.backtracking.is_none() && report.asynchronous.is_none();
        numbers.sweeps = is_one_solve.then(|| report.iterations());
        numbers.residual = is_one_solve.then(|| report.natural_residual());
        numbers.surfaces = report.asynchronous.as_deref().map(SurfaceNumbers::new);
        Self {
            step: report.step,
            time: report.time,
            poses: report.poses,
            velocities: velocities(simulator.bodies()),
            surfaces: surfaces(simulator),
            contacts: report.contacts,
            impulses: Some(report.impulses),
            numbers,
        }
    }

    /// Of a moment in which contacts were looked for and nothing was solved.
    pub fn of_detection(subject: &Subject, simulator: &dyn Simulator, step: u64, detected: Detected) -> Self {
        let mut numbers = Numbers::known(subject, &detected.contacts, &detected.poses, simulator.energy());
        numbers.pairs = detected.pairs;
        Self {
            step,
            time: simulator.time(),
            poses: detected.poses,
            velocities: velocities(simulator.bodies()),
            surfaces: surfaces(simulator),
            contacts: detected.contacts,
            impulses: None,
            numbers,
        }
    }

    /// The memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        let impulses = self.impulses.as_ref().map_or(0, |list| size_of_val(&list[..]));
        size_of::<Self>()
            + size_of_val(&self.poses[..])
            + size_of_val(&self.velocities[..])
            + self.surfaces.iter().map(|vertices| size_of_val(&vertices[..])).sum::<usize>()
            + size_of_val(&self.contacts[..])
            + impulses
    }

    /// How many contacts a body has.
    pub fn contacts_of(&self, body: BodyId) -> usize {
        self.contacts.iter().filter(|c| c.a == body || c.b == body).count()
    }
}

impl SurfaceNumbers {
    fn new(report: &AsynchronousReport) -> Self {
        Self {
            events: report.events,
            active_pairs: report.pairs[1],
            deepest_layer: report.contacts.map_or(0, |contacts| contacts.deepest_layer),
            closest: report.contacts.map(|contacts| contacts.closest).filter(|closest| closest.is_finite()),
            elastic: report.energies.elastic,
            contact: report.energies.contact,
        }
    }
}

impl Numbers {
    fn known(subject: &Subject, contacts: &[ContactBetween], poses: &[Pose], energy: Energy) -> Self {
        let score = subject.truth.as_ref().map(|truth| score(contacts, &truth.at(poses), &Matching::default()));
        let coverage = score.as_ref().map(|s| s.area.as_ref().map_or(s.coverage, |area| area.coverage));
        Self {
            contacts: contacts.len(),
            pairs: 0,
            energy,
            deepest: contacts.iter().map(|c| -c.contact.gap).fold(0.0, f64::max),
            sweeps: None,
            residual: None,
            coverage,
            quality: score.filter(|s| s.contacts > 0).map(|s| s.quality),
            surfaces: None,
        }
    }
}

fn surfaces(simulator: &dyn Simulator) -> Vec<Vec<DVec3>> {
    simulator.deformable_meshes().into_iter().map(|mesh| mesh.positions).collect()
}

fn velocities(bodies: &[Body]) -> Vec<[DVec3; 2]> {
    bodies.iter().map(|body| [body.velocity, body.angular_velocity]).collect()
}
