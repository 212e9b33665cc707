//! Snapshots: all of a world that its future depends on, as plain data.
//!
//! A world that is made from a snapshot goes on as the first one does, bit for bit: states, forces for the next step,
//! prescribed motions, handles, and the impulses that the next step starts from are all in it. Boxes and trees are
//! not; they follow from the rest. All numbers are finite: a body that does not yield has no mass here, and a phase
//! that lasts for ever no duration. A shape that several bodies share is stored once.
//!
//! A form of writing has to keep all bits of a number for the future to be the same.

mod additions;
mod error;
mod method_record;
mod settings_record;
mod shape_record;

pub use additions::{Additions, BodyAddition};
pub use error::SnapshotError;
pub use method_record::{CountedMethod, MethodRecord};
pub use settings_record::SettingsRecord;
pub(crate) use settings_record::{SolverSettingsForm, SvdSettingsForm};
pub use shape_record::{FormRecord, MeshRecord};
pub(crate) use shape_record::{ReadShapes, Shapes};

use super::contact_cache::CachedContact;
use super::soft::SoftRecord;
use super::{Entry, Groups, RunningMotion, World};
use crate::body::{Body, BodyKind};
use crate::ccd::CcdSettings;
use crate::handle::{BodyHandle, Handles};
use crate::joint::{JointHandle, JointSet};
use crate::material::{Interaction, MaterialId, MaterialTable};
use crate::pair_filter::unordered;
use crate::prescribed_motion::{Phase, PrescribedMotion};
use crate::stepper::ExternalWrench;
use drystone_contact::generator::Registry;
use drystone_contact::sorting::inserted;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

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

/// A phase of a prescribed motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// s; none for ever.
    pub duration: Option<f64>,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
}

/// A prescribed motion and when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrescribedMotionRecord {
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
    /// The number of the eroded copy of its shape, if it was given one.
    pub eroded: Option<usize>,
    /// What it touches.
    pub groups: Groups,
    /// How it moves, if it follows a prescribed motion.
    #[serde(rename = "script")]
    pub prescribed_motion: Option<PrescribedMotionRecord>,
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

impl MaterialsRecord {
    pub(crate) fn new(table: &MaterialTable) -> Self {
        Self { names: table.names().to_vec(), interactions: table.interactions().collect() }
    }
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
    /// The contact method in snapshots of before methods were named; none in others.
    counted_method: Option<CountedMethod>,
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
    /// Continuous collision detection. It and what follows is missing in older snapshots.
    #[serde(default, alias = "impact_limit")]
    pub ccd: Option<CcdSettings>,
    /// The contact method. It and what follows is missing in older snapshots.
    #[serde(default)]
    pub method: Option<MethodRecord>,
    /// What the shapes are; none at all if all are meshes.
    #[serde(default)]
    pub forms: Vec<FormRecord>,
    /// What the soft step goes on from; none if it remembers nothing.
    #[serde(default)]
    soft: Option<SoftRecord>,
    /// What was added since; none if all of it is as it is by default.
    #[serde(default)]
    pub additions: Option<Additions>,
    /// The joints; none if there never were any.
    #[serde(default)]
    joints: Option<JointSet>,
    /// The constant forces (N) and torques (N m) of bodies that have some, with the number of the body; ascending.
    #[serde(default)]
    constant_forces: Vec<(u32, [DVec3; 2])>,
}

impl Snapshot {
    /// The snapshot as JSON, from which [`Snapshot::from_json`] reads every bit.
    ///
    /// # Errors
    /// [`SnapshotError::Json`]: none that is known.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        serde_json::to_string(self).map_err(|error| SnapshotError::Json(error.to_string()))
    }

    /// A snapshot from JSON. What the text says is looked at by [`World::from_snapshot`].
    ///
    /// # Errors
    /// [`SnapshotError::Json`] with the line and column.
    pub fn from_json(text: &str) -> Result<Self, SnapshotError> {
        serde_json::from_str(text).map_err(|error| SnapshotError::Json(error.to_string()))
    }

    /// A snapshot that was just read, with its method by name as in newer ones.
    pub(crate) fn with_named_method(mut self) -> Self {
        if let Some(counted) = self.counted_method.take() {
            self.method = counted.named();
        }
        self
    }

    /// Whether the last `count` fields are empty, as in recordings of before there were those, and a method is named
    /// all the same.
    pub(crate) fn lacks_last(&self, count: usize) -> bool {
        let is_empty = [
            self.constant_forces.is_empty(),
            self.joints.is_none(),
            self.additions.is_none(),
            self.soft.is_none(),
            self.forms.is_empty(),
            self.method.is_none(),
            self.ccd.is_none(),
        ];
        let names_a_method = self.method.is_some() || self.counted_method.is_some();
        names_a_method && is_empty.iter().take(count).all(|is_empty| *is_empty)
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
            counted_method: None,
            settings,
            materials: MaterialsRecord::new(&self.materials),
            forms: shapes.forms(),
            shapes: shapes.records,
            bodies,
            time: self.time,
            steps: self.steps,
            handles: self.handles.clone(),
            excluded: self.excluded.iter().copied().collect(),
            contact_cache: self.contact_cache.iter().map(pair).collect(),
            contact_cache_time_step: self.contact_cache_time_step,
            ccd,
            method: Some(MethodRecord::new(&self.method)),
            soft: SoftRecord::new(self),
            additions: Additions::new(self),
            joints: (!self.joints.is_new()).then(|| self.joints.clone()),
            constant_forces: (0..).zip(&self.bodies).filter_map(constant_force).collect(),
        }
    }

    /// The world of a snapshot, with its method from a registry.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn from_snapshot(snapshot: &Snapshot, registry: &Registry) -> Result<Self, SnapshotError> {
        let method = snapshot.method.as_ref().ok_or(SnapshotError::Damaged("it names no contact method"))?;
        let method = method.find(registry)?;
        Self::new(snapshot.settings.with(snapshot.ccd), method).filled(snapshot)
    }

    /// Goes on from what the soft step of another world remembers.
    pub(super) fn restore_soft(&mut self, soft: &SoftRecord) -> Result<(), SnapshotError> {
        self.soft = soft.state(&self.handles, &self.bodies, &self.settings)?;
        for index in soft.placed().iter().filter_map(|&body| self.handles.index(body)) {
            self.entries[index].left = None;
        }
        Ok(())
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
        let mut shapes = ReadShapes::new(&snapshot.shapes, &snapshot.forms)?;
        for (number, record) in snapshot.bodies.iter().enumerate() {
            let shape = shapes.of_body(number, record.shape, record.eroded)?;
            self.method.generator().prepare(&shape)?;
            let body = body(number, record)?;
            let left = Some(body.pose());
            self.bodies.push(body);
            self.entries.push(Entry {
                shape,
                groups: record.groups,
                prescribed_motion: record
                    .prescribed_motion
                    .as_ref()
                    .map(|prescribed_motion| running(number, prescribed_motion))
                    .transpose()?,
                is_sensor: false,
                user_data: 0,
                mass: None,
                external_wrench: ExternalWrench { force: record.force, torque: record.torque },
                boxed: None,
                left,
                topology: OnceLock::new(),
            });
        }
        self.handles = snapshot.handles.clone();
        self.excluded = inserted(snapshot.excluded.iter().map(|&(a, b)| unordered(a, b)));
        self.contact_cache =
            inserted(snapshot.contact_cache.iter().map(|pair| ((pair.a, pair.b), pair.contacts.clone())));
        self.contact_cache_time_step = snapshot.contact_cache_time_step;
        for &(number, [force, torque]) in &snapshot.constant_forces {
            let body = self.bodies.get_mut(number as usize);
            let body = body.ok_or(SnapshotError::Damaged("it names the force on a body that does not exist"))?;
            let refused = |source| SnapshotError::Body { body: number as usize, source };
            body.set_constant_force(force, torque).map_err(refused)?;
        }
        if let Some(additions) = &snapshot.additions {
            additions.add_to(&mut self)?;
        }
        if let Some(joints) = &snapshot.joints {
            self.joints = joints_of(joints, &self.handles)?;
            self.set_jointed();
        }
        if let Some(soft) = &snapshot.soft {
            self.restore_soft(soft)?;
        }
        (self.time, self.steps) = (snapshot.time, snapshot.steps);
        Ok(self)
    }
}

fn constant_force((number, body): (u32, &Body)) -> Option<(u32, [DVec3; 2])> {
    let own = body.constant_force();
    (own != [DVec3::ZERO; 2]).then_some((number, own))
}

fn record(body: &Body, entry: &Entry, shapes: &mut Shapes) -> BodyRecord {
    let record = BodyRecord::new(body, shapes.number(&entry.shape), entry.groups);
    let phase = |phase: &Phase| PhaseRecord {
        duration: Some(phase.duration).filter(|d| d.is_finite()),
        velocity: phase.velocity,
        angular_velocity: phase.angular_velocity,
    };
    let prescribed_motion = |running: &RunningMotion| PrescribedMotionRecord {
        phases: running.prescribed_motion.phases().iter().map(phase).collect(),
        start: running.start,
    };
    BodyRecord {
        eroded: shapes.eroded(&entry.shape),
        prescribed_motion: entry.prescribed_motion.as_ref().map(prescribed_motion),
        force: entry.external_wrench.force,
        torque: entry.external_wrench.torque,
        ..record
    }
}

impl BodyRecord {
    /// A body without a prescribed motion and forces, with the shape of this number.
    pub(crate) fn new(body: &Body, shape: usize, groups: Groups) -> Self {
        Self {
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
            shape,
            eroded: None,
            groups,
            prescribed_motion: None,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        }
    }
}

/// The body of a record.
pub(crate) fn body(number: usize, record: &BodyRecord) -> Result<Body, SnapshotError> {
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

fn running(body: usize, record: &PrescribedMotionRecord) -> Result<RunningMotion, SnapshotError> {
    if !record.start.is_finite() {
        return Err(SnapshotError::State { body });
    }
    let phase = |phase: &PhaseRecord| Phase {
        duration: phase.duration.unwrap_or(f64::INFINITY),
        velocity: phase.velocity,
        angular_velocity: phase.angular_velocity,
    };
    let prescribed_motion = PrescribedMotion::new(record.phases.iter().map(phase).collect());
    Ok(RunningMotion {
        prescribed_motion: prescribed_motion.map_err(|source| SnapshotError::PrescribedMotion { body, source })?,
        start: record.start,
    })
}

/// The joints of a record.
fn joints_of(joints: &JointSet, handles: &Handles) -> Result<JointSet, SnapshotError> {
    let is_known = |body: &BodyHandle| handles.index(*body).is_some();
    if !joints.is_consistent() {
        return Err(SnapshotError::Damaged("joints and their handles do not fit together"));
    }
    for joint in joints.joints() {
        if joint.check().is_err() || !joint.state_is_finite() {
            return Err(SnapshotError::Damaged("a joint has numbers that no joint has"));
        }
        let couples = |handle: &JointHandle| joints.place(*handle).is_some();
        if !joint.bodies.iter().flatten().all(is_known)
            || joint.coupling.is_some_and(|coupling| !coupling.joints.iter().all(couples))
            || (joint.coupling.is_none() && joint.bodies[1].is_none())
        {
            return Err(SnapshotError::Damaged("a joint names bodies or joints that do not exist"));
        }
    }
    Ok(joints.clone())
}

/// The materials of a record.
pub(crate) fn materials(record: &MaterialsRecord) -> Result<MaterialTable, SnapshotError> {
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
