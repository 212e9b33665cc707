//! The step of a world: half of the motion, contacts, impulses, the rest of the motion, positions; and a look at where that
//! leads.

use super::detection::Found;
use super::error::named;
use super::memory::{Memory, Remembered};
use super::report::{Lap, Timings, WorldReport, deepest};
use super::solving::{Outcome, Portion};
use super::{World, WorldError};
use crate::body::{Body, BodyKind, Pose};
use crate::solver::Impulse;
use crate::stepper::{Energy, Load, check_states, detection_poses, ids};

impl World {
    /// Moves the world by one time step. Work is shared among the threads of the rayon pool that the caller runs in;
    /// the result is the same for any number of them.
    ///
    /// # Errors
    /// [`WorldError`]; the bodies are then where they were.
    pub fn step(&mut self) -> Result<WorldReport, WorldError> {
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        self.settings.check()?;
        let settings = self.settings.clone();
        if let Some(limit) = &settings.impact_limit {
            return self.limited_step(&settings, limit);
        }
        let step = &settings.step;
        let bodies = self.scripted_bodies();
        let handles = self.handles.dense().to_vec();
        let ids = ids(&bodies).map_err(|e| named(e, &handles))?;
        check_states(&bodies, &ids, "before").map_err(|e| named(e, &handles))?;
        let energy_before = Energy::of(&bodies, &step.forces);
        let poses = detection_poses(&bodies, step);
        let mut found = self.find(&bodies, &poses, &mut timings);
        let outcome = self.solve_looking_ahead(&bodies, &poses, &poses, &mut found, Portion::WHOLE, &mut timings)?;
        let Outcome { next, contacts, impulses, lasting, reports, counts, .. } = outcome;
        check_states(&next, &ids, "after").map_err(|e| named(e, &handles))?;

        self.memory = self.remembered(&found, &poses, &lasting);
        self.memory_time_step = step.time_step;
        self.bodies = next;
        self.entries.iter_mut().for_each(|entry| entry.load = Load::NONE);
        self.time += step.time_step;
        self.steps += 1;
        let deepest_penetration = deepest(&contacts);
        let energy_after = Energy::of(&self.bodies, &step.forces);
        timings.total = whole.next();
        Ok(WorldReport {
            step: self.steps,
            time: self.time,
            handles,
            contacts,
            impulses,
            poses,
            pairs: found.pairs.len(),
            islands: reports,
            energy_before,
            energy_after,
            deepest_penetration,
            counts,
            impact: None,
            timings,
        })
    }

    /// The bodies with the velocities that scripts give them for the next step.
    pub(super) fn scripted_bodies(&self) -> Vec<Body> {
        let mut bodies = self.bodies.clone();
        for (body, entry) in bodies.iter_mut().zip(&self.entries) {
            if let Some(running) = entry.script.as_ref().filter(|_| body.kind() == BodyKind::Kinematic) {
                let from = self.time - running.start;
                let to = from + self.settings.step.time_step;
                (body.velocity, body.angular_velocity) = running.script.mean_velocities(from, to);
            }
        }
        bodies
    }

    /// What the next step will want to know of the contacts.
    pub(super) fn remembered(&self, found: &Found, poses: &[Pose], impulses: &[Impulse]) -> Memory {
        let dense = self.handles.dense();
        let mut impulses = impulses.iter();
        let mut memory = Memory::new();
        for ((a, b), own) in found.touching() {
            let own = own.iter().zip(&mut impulses);
            let list = own.map(|(contact, &impulse)| Remembered::new(contact, &poses[a], impulse)).collect();
            memory.insert((dense[a], dense[b]), list);
        }
        memory
    }
}
