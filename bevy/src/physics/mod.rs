//! The engine inside an application.

mod body;
mod contacts;
mod interpolation;
mod joint;
mod marks;
mod messages;
mod spawn;
mod step;
mod world;

#[cfg(test)]
mod tests;

pub use body::{BodyPose, ExternalForce, RigidBody, Velocity};
pub use contacts::{ContactBetweenEntities, Contacts, TouchingPair};
pub use joint::{JointProblem, JointRefused, RigidJoint};
pub use marks::PhysicsMarks;
pub use messages::{
    ContactEnded, ContactPersisted, ContactStarted, FellAsleep, JointBroke, SensorEntered, SensorLeft, WokeUp,
};
pub use spawn::BodyRefused;
pub use step::{PhysicsError, StepFailed};
pub use world::{Pause, Physics};

use crate::draw::{DrawPlugin, DrawSystems, Layers};
use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;
use drystone_contact::generator::{Method, methods};
use drystone_engine::world::EventSettings;
use drystone_engine::{Friction, Interaction, MaterialId, MaterialTable, World, WorldSettings};

/// The material that [`DrystonePlugin::material`] describes.
pub const DEFAULT_MATERIAL: MaterialId = MaterialId::new(0);

/// Steps the bodies of an application, and draws them if that is wished.
#[derive(Clone, Debug)]
pub struct DrystonePlugin {
    /// Time step, gravity, solver. `Time<Fixed>` is set to this time step.
    pub settings: WorldSettings,
    /// Which events of the engine become messages. `Physics::world_mut().set_events` changes it later.
    pub events: EventSettings,
    /// How contacts are found.
    pub method: Method,
    /// What happens between two bodies of [`DEFAULT_MATERIAL`]; other materials are added by
    /// `Physics::world_mut().materials_mut()`. With coefficients out of range the first contact fails the step.
    pub material: Interaction,
    /// Whether a `Transform` is shown between the two last states, by how far the clock is between two steps. It is then
    /// up to one time step late; without this it is the last state.
    pub interpolates: bool,
    /// How bodies and contacts are drawn; `None` to draw nothing and to leave [`DrawPlugin`] out.
    pub layers: Option<Layers>,
}

impl Default for DrystonePlugin {
    /// The engine's settings for embedding, all events but contacts that last, the semi-local method, friction of 0.6 without bounce, interpolated, drawn.
    fn default() -> Self {
        Self {
            settings: WorldSettings::default(),
            events: EventSettings { persisted: false, ..EventSettings::ALL },
            method: methods::semi_local(),
            material: Interaction::dry(Friction::sliding(0.6)),
            interpolates: true,
            layers: Some(Layers::default()),
        }
    }
}

/// What the physics does when.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhysicsSystems {
    /// The step, in `FixedPostUpdate`: forces, poses and velocities that systems of `FixedUpdate` have written are part of
    /// it; states, contacts and events are written.
    Step,
    /// In `RunFixedMainLoop` after all steps of a frame: `Transform`s and drawn contacts follow.
    Show,
}

impl Plugin for DrystonePlugin {
    fn build(&self, app: &mut App) {
        let mut world = World::new(self.settings.clone(), self.method.clone());
        let mut materials = MaterialTable::new();
        let default = materials.add("default").and_then(|id| materials.set(id, id, self.material));
        // Out of range, there is no such material; the step that needs it then fails and says so.
        if default.is_ok() {
            *world.materials_mut() = materials;
        }
        world.set_events(self.events);
        if let Some(time_step) = step::fixed_time_step(self.settings.step.time_step) {
            app.insert_resource(Time::<Fixed>::from_duration(time_step));
        }
        app.insert_resource(Physics::new(world, self.interpolates, self.layers.is_some()));
        app.init_resource::<Pause>().init_resource::<Contacts>();
        messages::register(app);
        app.add_message::<StepFailed>().add_message::<BodyRefused>().add_message::<JointRefused>();
        app.add_observer(spawn::add).add_observer(spawn::remove);
        app.add_observer(joint::add).add_observer(joint::remove);
        app.add_systems(FixedPostUpdate, step::step.in_set(PhysicsSystems::Step));
        app.add_systems(RunFixedMainLoop, interpolation::show.in_set(PhysicsSystems::Show));
        app.configure_sets(RunFixedMainLoop, PhysicsSystems::Show.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop));
        if let Some(layers) = &self.layers {
            app.add_plugins(DrawPlugin { layers: layers.clone() });
            app.world_mut().spawn(PhysicsMarks);
            app.add_systems(PostUpdate, marks::fill.before(DrawSystems::Make));
        }
    }
}
