//! What snapshots hold since bodies have damping, sensors and user data, materials coefficients of their own, and worlds events. Each list
//! names only what is not as it is by default; a snapshot without any of them has no additions.

use super::SnapshotError;
use crate::handle::BodyHandle;
use crate::material::{CombineRules, Material, MaterialId};
use crate::world::World;
use crate::world::events::EventSettings;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A body with something that is not as it is by default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyAddition {
    /// Its number in the snapshot.
    pub body: u32,
    /// Linear and angular, 1/s.
    pub damping: [f64; 2],
    /// The factor of gravity.
    pub gravity_scale: f64,
    /// Whether it is a sensor.
    pub is_sensor: bool,
    /// Of the program.
    pub user_data: u64,
    /// The mass (kg) and moments (kg m²) that it has once it is dynamic.
    pub mass: Option<(f64, DVec3)>,
}

/// What was added to snapshots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Additions {
    /// Ascending.
    pub bodies: Vec<BodyAddition>,
    /// What materials say of themselves.
    pub materials: Vec<(MaterialId, Material)>,
    /// How they are combined.
    pub rules: CombineRules,
    /// Which events are listed.
    pub events: EventSettings,
    /// Bodies that were in contact in the last step.
    touching: Vec<(BodyHandle, BodyHandle)>,
    /// Sensors with the bodies that overlapped them after it.
    sensed: Vec<(BodyHandle, BodyHandle)>,
    /// Bodies that slept after it.
    asleep: Vec<BodyHandle>,
}

impl Additions {
    /// Those of a world, if there are any.
    pub(super) fn new(world: &World) -> Option<Self> {
        let body = |(i, entry): (usize, &crate::world::Entry)| {
            let own = &world.bodies[i];
            BodyAddition {
                body: i as u32,
                damping: own.damping(),
                gravity_scale: own.gravity_scale(),
                is_sensor: entry.is_sensor,
                user_data: entry.user_data,
                mass: entry.mass,
            }
        };
        let is_added = |added: &BodyAddition| *added != BodyAddition::none(added.body);
        let table = &world.materials;
        let materials = (0..table.names().len() as u16).map(MaterialId::new);
        let materials = materials.filter_map(|id| Some((id, table.material(id).ok()?)));
        let additions = Self {
            bodies: world.entries.iter().enumerate().map(body).filter(is_added).collect(),
            materials: materials.filter(|(_, material)| *material != Material::default()).collect(),
            rules: table.rules(),
            events: world.events.settings,
            touching: world.events.touching.clone(),
            sensed: world.events.sensed.clone(),
            asleep: world.events.asleep.clone(),
        };
        (additions != Self::default()).then_some(additions)
    }

    /// Gives a world that was read what was added to it.
    ///
    /// # Errors
    /// [`SnapshotError::Damaged`], [`SnapshotError::Body`], and those of materials.
    pub(super) fn add_to(&self, world: &mut World) -> Result<(), SnapshotError> {
        for added in &self.bodies {
            let index = added.body as usize;
            let count = world.bodies.len();
            if index >= count {
                return Err(SnapshotError::Damaged("it says more of a body that does not exist"));
            }
            let refused = |source| SnapshotError::Body { body: index, source };
            let body = &mut world.bodies[index];
            body.set_damping(added.damping[0], added.damping[1]).map_err(refused)?;
            body.set_gravity_scale(added.gravity_scale).map_err(refused)?;
            if let Some((mass, inertia)) = added.mass {
                body.with_kind(crate::BodyKind::Dynamic, mass, inertia).map_err(refused)?;
            }
            let entry = &mut world.entries[index];
            (entry.is_sensor, entry.user_data, entry.mass) = (added.is_sensor, added.user_data, added.mass);
        }
        for &(id, material) in &self.materials {
            world.materials.set_material(id, material)?;
        }
        world.materials.set_rules(self.rules);
        let events = &mut world.events;
        events.settings = self.events;
        events.touching.clone_from(&self.touching);
        events.sensed.clone_from(&self.sensed);
        events.asleep.clone_from(&self.asleep);
        Ok(())
    }
}

impl BodyAddition {
    fn none(body: u32) -> Self {
        Self { body, damping: [0.0; 2], gravity_scale: 1.0, is_sensor: false, user_data: 0, mass: None }
    }
}
