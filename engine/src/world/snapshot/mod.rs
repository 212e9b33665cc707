//! Snapshots: all of a world that its future depends on, as plain data.
//!
//! A world that is made from a snapshot goes on as the first one does, bit for bit: states, forces for the next step,
//! scripts, handles, and the impulses that the next step starts from are all in it. Boxes and trees are not; they
//! follow from the rest. All numbers are finite: a body that does not yield has no mass here, and a phase that lasts
//! for ever no duration. A shape that several bodies share is stored once.
//!
//! A form of writing has to keep all bits of a number for the future to be the same.

mod error;
mod settings_record;

pub use error::SnapshotError;
pub use settings_record::SettingsRecord;

use super::contact_cache::CachedContact;
use super::handle::{BodyHandle, Handles};
use super::{Entry, Groups, RunningScript, World};
use crate::body::{Body, BodyKind};
use crate::ccd::CcdSettings;
use crate::material::{Interaction, MaterialId, MaterialTable};
use crate::script::{Phase, Script};
use crate::stepper::Load;
use drystone_contact::generator::{Generator, Method, Variant};
use drystone_contact::shape::{Shape, TetrahedralMesh};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A mesh: positions in m, and tetrahedra by their vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshRecord {
    /// Body frame, m.
    pub vertices: Vec<DVec3>,
    /// Vertex numbers of each tetrahedron.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// The kind of a body, with the mass of one that yields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindRecord {
    /// It moves under forces and impulses.
    Dynamic {
        /// kg.
        mass: f64,
        /// Principal moments, kg m².
        inertia: DVec3,
    },
    /// It stays.
    Fixed,
    /// It moves as it is told.
    Kinematic,
}

/// A phase of a script.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// s; none for ever.
    pub duration: Option<f64>,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
}

/// A script and when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptRecord {
    /// Its phases.
    pub phases: Vec<PhaseRecord>,
    /// The time of the world when it began, s.
    pub start: f64,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyRecord {
    /// Kind and mass.
    pub kind: KindRecord,
    /// Centre of mass, m.
    pub position: DVec3,
    /// Body to world; in the order x, y, z, s.
    pub orientation: DQuat,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
    /// Its number in the table.
    pub material: MaterialId,
    /// The number of its shape.
    pub shape: usize,
    /// The number of its eroded shape, if the method wants one.
    pub eroded: Option<usize>,
    /// What it touches.
    pub groups: Groups,
    /// How it moves, if it follows a script.
    pub script: Option<ScriptRecord>,
    /// Force for the next step, N.
    pub force: DVec3,
    /// Torque for the next step, N m.
    pub torque: DVec3,
}

/// The materials: names by number, and what happens between two of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialsRecord {
    /// The names.
    pub names: Vec<String>,
    /// The pairs that were set.
    pub interactions: Vec<(MaterialId, MaterialId, Interaction)>,
}

/// What is remembered of the contacts of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PairRecord {
    a: BodyHandle,
    b: BodyHandle,
    contacts: Vec<CachedContact>,
}

/// A world as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The contact method and its variant; none for a generator that is not of the registry.
    pub method: Option<(Method, Variant)>,
    /// How it steps; continuous collision detection stands by itself.
    pub settings: SettingsRecord,
    /// What bodies are made of.
    pub materials: MaterialsRecord,
    /// The shapes, each once.
    pub shapes: Vec<MeshRecord>,
    /// The bodies in the order of insertion.
    pub bodies: Vec<BodyRecord>,
    /// The time of the world, s.
    pub time: f64,
    /// How many steps were made.
    pub steps: u64,
    handles: Handles,
    excluded: Vec<(BodyHandle, BodyHandle)>,
    #[serde(alias = "memory")]
    contact_cache: Vec<PairRecord>,
    #[serde(alias = "memory_time_step")]
    contact_cache_time_step: f64,
    /// Continuous collision detection. The last field, so that snapshots of before there was any can be read.
    #[serde(default, alias = "impact_limit")]
    pub ccd: Option<CcdSettings>,
}

/// Meshes by number, each shape once.
#[derive(Default)]
struct Shapes {
    records: Vec<MeshRecord>,
    /// Looked up by address, never walked through.
    numbers: HashMap<usize, usize>,
}

impl Shapes {
    fn number(&mut self, shape: &Arc<Shape>) -> usize {
        let records = &mut self.records;
        *self.numbers.entry(Arc::as_ptr(shape) as usize).or_insert_with(|| {
            let mesh = shape.mesh();
            let (vertices, tetrahedra) = (mesh.vertices().to_vec(), mesh.tetrahedra().to_vec());
            records.push(MeshRecord { vertices, tetrahedra });
            records.len() - 1
        })
    }
}

impl World {
    /// All of the world that its future depends on.
    pub fn snapshot(&self) -> Snapshot {
        let mut shapes = Shapes::default();
        let bodies =
            self.bodies.iter().zip(&self.entries).map(|(body, entry)| record(body, entry, &mut shapes)).collect();
        let pair = |(&(a, b), contacts): (&(_, _), &Vec<_>)| PairRecord { a, b, contacts: contacts.clone() };
        let (settings, ccd) = SettingsRecord::split(&self.settings);
        Snapshot {
            method: self.method,
            settings,
            materials: MaterialsRecord {
                names: self.materials.names().to_vec(),
                interactions: self.materials.interactions().collect(),
            },
            shapes: shapes.records,
            bodies,
            time: self.time,
            steps: self.steps,
            handles: self.handles.clone(),
            excluded: self.excluded.iter().copied().collect(),
            contact_cache: self.contact_cache.iter().map(pair).collect(),
            contact_cache_time_step: self.contact_cache_time_step,
            ccd,
        }
    }

    /// The world of a snapshot, with its method from the registry.
    ///
    /// # Errors
    /// [`SnapshotError`]; [`SnapshotError::NoGenerator`] if the world had a generator of its own.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        let (method, variant) = snapshot.method.ok_or(SnapshotError::NoGenerator)?;
        Self::new(snapshot.settings.with(snapshot.ccd), method, variant).filled(snapshot)
    }

    /// The world of a snapshot whose generator is not of the registry: the future is the same if the generator is.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn from_snapshot_with(snapshot: &Snapshot, generator: Arc<dyn Generator>) -> Result<Self, SnapshotError> {
        Self::with_generator(snapshot.settings.with(snapshot.ccd), generator).filled(snapshot)
    }

    fn filled(mut self, snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        let count = snapshot.bodies.len();
        if !snapshot.handles.are_consistent() || snapshot.handles.dense().len() != count {
            return Err(SnapshotError::Damaged("handles and bodies do not fit together"));
        }
        if !(snapshot.time.is_finite()
            && snapshot.contact_cache_time_step.is_finite()
            && snapshot.contact_cache_time_step > 0.0)
        {
            return Err(SnapshotError::Damaged("a time is not finite, or a time step not above zero"));
        }
        self.materials = materials(&snapshot.materials)?;
        let shape = |(shape, record): (usize, &MeshRecord)| -> Result<Arc<Shape>, SnapshotError> {
            let mesh = TetrahedralMesh::new(record.vertices.clone(), record.tetrahedra.clone())
                .map_err(|source| SnapshotError::Mesh { shape, source })?;
            Ok(Arc::new(Shape::from_mesh(mesh)))
        };
        let shapes = snapshot.shapes.iter().enumerate().map(shape).collect::<Result<Vec<_>, _>>()?;
        for (number, record) in snapshot.bodies.iter().enumerate() {
            let shape = |shape: usize| {
                let missing = SnapshotError::Shape { body: number, shape, count: shapes.len() };
                shapes.get(shape).cloned().ok_or(missing)
            };
            self.bodies.push(body(number, record)?);
            self.entries.push(Entry {
                shape: shape(record.shape)?,
                eroded: record.eroded.map(shape).transpose()?,
                groups: record.groups,
                script: record.script.as_ref().map(|script| running(number, script)).transpose()?,
                load: Load { force: record.force, torque: record.torque },
                boxed: None,
                topology: OnceLock::new(),
            });
        }
        self.handles = snapshot.handles.clone();
        self.excluded = snapshot.excluded.iter().copied().collect();
        self.contact_cache =
            snapshot.contact_cache.iter().map(|pair| ((pair.a, pair.b), pair.contacts.clone())).collect();
        self.contact_cache_time_step = snapshot.contact_cache_time_step;
        (self.time, self.steps) = (snapshot.time, snapshot.steps);
        Ok(self)
    }
}

fn record(body: &Body, entry: &Entry, shapes: &mut Shapes) -> BodyRecord {
    let phase = |phase: &Phase| PhaseRecord {
        duration: Some(phase.duration).filter(|d| d.is_finite()),
        velocity: phase.velocity,
        angular_velocity: phase.angular_velocity,
    };
    let script = |running: &RunningScript| ScriptRecord {
        phases: running.script.phases().iter().map(phase).collect(),
        start: running.start,
    };
    BodyRecord {
        kind: match body.kind() {
            BodyKind::Dynamic => KindRecord::Dynamic { mass: body.mass(), inertia: body.inertia() },
            BodyKind::Fixed => KindRecord::Fixed,
            BodyKind::Kinematic => KindRecord::Kinematic,
        },
        position: body.position,
        orientation: body.orientation,
        velocity: body.velocity,
        angular_velocity: body.angular_velocity,
        material: body.material,
        shape: shapes.number(&entry.shape),
        eroded: entry.eroded.as_ref().map(|shape| shapes.number(shape)),
        groups: entry.groups,
        script: entry.script.as_ref().map(script),
        force: entry.load.force,
        torque: entry.load.torque,
    }
}

fn body(number: usize, record: &BodyRecord) -> Result<Body, SnapshotError> {
    let mut body = match record.kind {
        KindRecord::Dynamic { mass, inertia } => Body::dynamic(mass, inertia, record.material)
            .map_err(|source| SnapshotError::Body { body: number, source })?,
        KindRecord::Fixed => Body::fixed(record.material),
        KindRecord::Kinematic => Body::kinematic(record.material),
    };
    // The state as it was: to normalise the orientation again could change its last bits.
    body.position = record.position;
    body.orientation = record.orientation;
    body.velocity = record.velocity;
    body.angular_velocity = record.angular_velocity;
    if body.state_is_finite() && record.force.is_finite() && record.torque.is_finite() {
        Ok(body)
    } else {
        Err(SnapshotError::State { body: number })
    }
}

fn running(body: usize, record: &ScriptRecord) -> Result<RunningScript, SnapshotError> {
    if !record.start.is_finite() {
        return Err(SnapshotError::State { body });
    }
    let phase = |phase: &PhaseRecord| Phase {
        duration: phase.duration.unwrap_or(f64::INFINITY),
        velocity: phase.velocity,
        angular_velocity: phase.angular_velocity,
    };
    let script = Script::new(record.phases.iter().map(phase).collect());
    Ok(RunningScript { script: script.map_err(|source| SnapshotError::Script { body, source })?, start: record.start })
}

fn materials(record: &MaterialsRecord) -> Result<MaterialTable, SnapshotError> {
    let mut table = MaterialTable::new();
    for name in &record.names {
        table.add(name.clone())?;
    }
    for &(a, b, interaction) in &record.interactions {
        table.set(a, b, interaction)?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests;
