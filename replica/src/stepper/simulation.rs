//! A world whose steps are those of the published program: its detection, and 32-bit motion and impulses.

use drystone_engine::world::Detected;
use drystone_engine::{Body, BodyKind, World};
use glam::Vec3;

use super::{PublishedError, PublishedReport, PublishedSettings, detection_poses, step};

/// A [`World`] for bodies, shapes and detection, stepped as the published program did.
///
/// The world's own settings are without effect; forces and torques that are applied to its bodies are, too.
pub struct PublishedSimulation {
    world: World,
    settings: PublishedSettings,
    /// Of the bodies, since the simulation was made, s.
    time: f64,
}

impl PublishedSimulation {
    /// Steps the bodies of a world from where they are.
    pub fn new(world: World, settings: PublishedSettings) -> Self {
        Self { world, settings, time: 0.0 }
    }

    /// The world: its bodies are where the last step left them.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The contacts that the next step would find.
    ///
    /// # Errors
    /// [`PublishedError`].
    pub fn detect(&mut self) -> Result<Detected, PublishedError> {
        let bodies = self.kinematic_bodies()?;
        let poses = detection_poses::<Vec3>(&bodies, self.settings.time_step)?;
        self.set_bodies(&bodies)?;
        Ok(self.world.detect_at(&poses)?)
    }

    /// The contacts where the bodies are now.
    ///
    /// # Errors
    /// [`PublishedError::World`].
    pub fn detect_now(&mut self) -> Result<Detected, PublishedError> {
        Ok(self.world.detect_now()?)
    }

    /// Moves the bodies by one time step.
    ///
    /// # Errors
    /// [`PublishedError`]; the bodies are then where they were.
    pub fn step(&mut self) -> Result<PublishedReport, PublishedError> {
        let mut bodies = self.kinematic_bodies()?;
        self.set_bodies(&bodies)?;
        let materials = self.world.materials().clone();
        let world = &mut self.world;
        let find = |poses: &[_]| Ok(world.detect_at(poses)?.contacts);
        let report = step::<Vec3>(&mut bodies, &materials, &self.settings, find)?;
        self.set_bodies(&bodies)?;
        // For methods that stay with the features that they chose; the published ones do not.
        self.world.cache_contacts(&report.contacts, &report.poses);
        self.time += self.settings.time_step;
        Ok(report)
    }

    /// The bodies with the velocities that scripts give them for the next step.
    fn kinematic_bodies(&self) -> Result<Vec<Body>, PublishedError> {
        let mut bodies = self.world.bodies().to_vec();
        for (body, &handle) in bodies.iter_mut().zip(self.world.handles()) {
            if let Some(script) = self.world.prescribed_motion(handle)?.filter(|_| body.kind() == BodyKind::Kinematic) {
                let to = self.time + self.settings.time_step;
                (body.velocity, body.angular_velocity) = script.mean_velocities(self.time, to);
            }
        }
        Ok(bodies)
    }

    fn set_bodies(&mut self, bodies: &[Body]) -> Result<(), PublishedError> {
        for (&handle, body) in self.world.handles().to_vec().iter().zip(bodies) {
            *self.world.body_mut(handle)? = body.clone();
        }
        Ok(())
    }
}
