//! The simulation of a job: its steps, and what is said of its end.

use drystone_engine::ccd::CcdSettings;
use drystone_engine::world::WorldReport;
use drystone_engine::{Body, Energy, World};
use serde::{Deserialize, Serialize};

use super::checkpoint::Stretch;
use super::run::Execution;
use super::{Job, JobError, SimulationJob, hash};
use crate::scene::Scene;
use crate::simulation::{self, WorldPreset};

/// The end of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End {
    /// How many steps were made.
    pub steps: u64,
    /// The time, s.
    pub time: f64,
    /// The solver that found the impulses.
    pub solver: &'static str,
    /// Contacts in the last step.
    pub contacts: usize,
    /// Their mean over all steps.
    pub mean_contacts: f64,
    /// The most in a step.
    pub most_contacts: usize,
    /// The depth of the deepest contact of all steps, m.
    pub deepest_penetration: f64,
    /// The deepest overlap of two bodies at the end, measured by their surfaces, m; `None` where that cannot be measured.
    pub overlap: Option<f64>,
    /// How far the impulses of the last step are from a solution at worst, N s.
    pub natural_residual: f64,
    /// In how many steps a limit was hit.
    pub limited_steps: u64,
    /// How many bodies sleep.
    pub asleep: usize,
    /// J.
    pub kinetic_energy: f64,
    /// J, zero at the origin.
    pub potential_energy: f64,
    /// How far the body that moved most is from where it was, m.
    pub drift: f64,
    /// Its name.
    pub drift_body: Option<String>,
    /// A hash of the states of all bodies: the same if and only if all bits are.
    pub state: String,
    /// The states of all bodies, if they are asked for.
    pub bodies: Option<Vec<BodyEnd>>,
}

/// A body at the end of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyEnd {
    /// Its name.
    pub name: String,
    /// The centre of mass, world frame, m.
    pub position: [f64; 3],
    /// Body frame → world, unit quaternion, scalar last.
    pub orientation_xyzw: [f64; 4],
    /// Of the centre of mass, world frame, m/s.
    pub velocity: [f64; 3],
    /// World frame, rad/s.
    pub angular_velocity: [f64; 3],
}

/// What is gathered over the steps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    contacts: u64,
    most_contacts: u64,
    deepest_penetration: f64,
    limited_steps: u64,
}

impl Tally {
    fn add(&mut self, report: &WorldReport) {
        let contacts = report.contacts.len() as u64;
        self.contacts += contacts;
        self.most_contacts = self.most_contacts.max(contacts);
        self.deepest_penetration = self.deepest_penetration.max(report.deepest_penetration);
        self.limited_steps += u64::from(report.limits().into_iter().next().is_some());
    }
}

/// Makes the steps of a job, from its last checkpoint if there is one.
pub(super) fn simulate(job: &Job, request: &SimulationJob, execution: &Execution<'_>) -> Result<End, JobError> {
    let preset = if request.suite { WorldPreset::Suite } else { WorldPreset::Embedding };
    let scene = job.scene(preset)?;
    let mut world = simulation::world(&scene, &job.method, preset)?;
    world.settings_mut().ccd = request.ccd.then(CcdSettings::default);
    let mut tally = Tally::default();
    let stretch = execution.checkpoints.map(|checkpoints| Stretch::new(checkpoints, &job.id()));
    if let Some(stretch) = &stretch
        && let Some((at, before)) = stretch.load(execution.registry)?
    {
        (world, tally) = (at, before);
    }
    let mut report = WorldReport::default();
    while world.steps() < request.steps {
        let step = world.steps() + 1;
        world.step_into(&mut report).map_err(|source| JobError::Step { step, source })?;
        tally.add(&report);
        let is_cancelled = (execution.is_cancelled)() && step < request.steps;
        if let Some(stretch) = &stretch
            && step < request.steps
            && (is_cancelled || step.is_multiple_of(stretch.every()))
        {
            stretch.save(&world, &tally)?;
        }
        if is_cancelled {
            return Err(JobError::Interrupted);
        }
    }
    let end = end(&scene, &world, &report, &tally, request);
    if let Some(stretch) = &stretch {
        stretch.remove();
    }
    Ok(end)
}

fn end(scene: &Scene, world: &World, report: &WorldReport, tally: &Tally, request: &SimulationJob) -> End {
    let settings = world.settings();
    let energy = Energy::of(world.bodies(), &settings.step.forces);
    let bodies = || scene.bodies.iter().zip(world.bodies());
    let drifts = bodies().map(|(start, now)| (start.body.position.distance(now.position), start.name.as_str()));
    let farthest = drifts.max_by(|(a, _), (b, _)| a.total_cmp(b));
    let overlap = world.overlaps().ok().map(|found| found.iter().map(|pair| pair.depth).fold(0.0, f64::max));
    End {
        steps: world.steps(),
        time: world.time(),
        solver: settings.step.contact_solver.name(),
        contacts: report.contacts.len(),
        mean_contacts: tally.contacts as f64 / request.steps as f64,
        most_contacts: tally.most_contacts as usize,
        deepest_penetration: tally.deepest_penetration,
        overlap,
        natural_residual: report.natural_residual(),
        limited_steps: tally.limited_steps,
        asleep: report.counts.asleep,
        kinetic_energy: energy.kinetic,
        potential_energy: energy.potential,
        drift: farthest.map_or(0.0, |(distance, _)| distance),
        drift_body: farthest.map(|(_, name)| name.to_owned()),
        state: state(world.bodies()),
        bodies: request.bodies.then(|| bodies().map(|(start, now)| body_end(&start.name, now)).collect()),
    }
}

fn body_end(name: &str, body: &Body) -> BodyEnd {
    BodyEnd {
        name: name.into(),
        position: body.position.to_array(),
        orientation_xyzw: body.orientation.to_array(),
        velocity: body.velocity.to_array(),
        angular_velocity: body.angular_velocity.to_array(),
    }
}

/// A hash of all bits of the states.
fn state(bodies: &[Body]) -> String {
    let numbers = bodies.iter().flat_map(|body| {
        let vectors = [body.position, body.velocity, body.angular_velocity].map(|vector| vector.to_array());
        vectors.into_iter().flatten().chain(body.orientation.to_array())
    });
    hash(&numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}
