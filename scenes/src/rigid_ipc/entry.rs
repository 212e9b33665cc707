//! A body as a rigid-ipc scene lists it: its keys with their defaults and units.
//!
//! Facts of the format, from rigid-ipc's reader (`src/io/read_rb_scene.cpp`) and its class of bodies
//! (`src/physics/rigid_body.cpp`), read at commit 23b6ba6:
//! - a mesh is scaled, then turned by `rotation`, degrees about x, then about the fixed y, then about the fixed z, all
//!   about the origin of the mesh, then moved by `position`;
//! - `linear_velocity` is that of the centre of mass; `angular_velocity` is along the axes of the world, in degrees a second;
//! - `kinematic_poses` hold the centre of mass and a rotation vector in radians, from the principal axes to the world;
//!   a missing part of a pose is zero;
//! - fixed degrees of freedom are axes of the world; about two axes, as the body turns about the third one alone;
//! - a body with all six degrees of freedom fixed is static, whatever its `type`;
//! - static and kinematic bodies feel no forces, and static ones have no velocity.

use drystone_engine::BodyKind;
use glam::{DQuat, DVec3};
use serde_json::Value;

use super::Note;
use super::error::{Feature, RigidIpcError, RigidIpcProblem};
use super::object::{Object, within_bounds, wrong};
use crate::scene::FREE_AXES;

/// Density of a body that states none, kg/m³.
const USUAL_DENSITY: f64 = 1000.0;

const KNOWN: [&str; 21] = [
    "mesh",
    "vertices",
    "edges",
    "faces",
    "density",
    "is_dof_fixed",
    "oriented",
    "group_id",
    "position",
    "rotation",
    "scale",
    "dimensions",
    "linear_velocity",
    "angular_velocity",
    "force",
    "torque",
    "enabled",
    "type",
    "kinematic_max_time",
    "kinematic_poses",
    "split_components",
];

/// A body with checked numbers.
pub struct Entry {
    /// What errors call it.
    pub place: String,
    /// Design frame of the mesh to the world, after scaling.
    pub rotation: DQuat,
    /// Where the mesh's origin lies, m.
    pub position: DVec3,
    /// kg/m³.
    pub density: f64,
    pub kind: BodyKind,
    /// Of the centre of mass, m/s; zero for a static body.
    pub velocity: DVec3,
    /// Along the axes of the world, rad/s; zero for a static body.
    pub angular_velocity: DVec3,
    /// Force through the centre of mass (N) and torque about it (N m) on a dynamic body, along the axes of the world.
    pub constant_force: [DVec3; 2],
    /// Axes of the world along which, and about which, a dynamic body does not move.
    pub locked_axes: [[bool; 3]; 2],
    /// How long a kinematic body moves, s.
    pub moves_for: f64,
    /// Where a kinematic body is at the end of each of the first time steps.
    pub poses: Vec<KinematicPose>,
    /// Bodies of one group pass through each other.
    pub group: Option<i64>,
    /// Whether each part of the mesh is a body.
    pub is_split: bool,
}

/// A pose of a list.
pub struct KinematicPose {
    /// Centre of mass, m.
    pub position: DVec3,
    /// From the principal axes to the world.
    pub rotation: DQuat,
}

impl Entry {
    /// Reads all keys but those of the mesh.
    pub fn new(object: &Object, notes: &mut Vec<Note>) -> Result<Self, RigidIpcError> {
        object.only(&KNOWN)?;
        let mut note = |text: &str| notes.push(Note { place: Some(object.place().to_owned()), text: text.to_owned() });
        let fixed = fixed_degrees(object)?;
        let kind = kind(object, fixed)?;
        let degrees = object.vector("rotation")?;
        let mut velocity = object.vector("linear_velocity")?;
        let mut angular_velocity = object.vector("angular_velocity")?.map(f64::to_radians);
        let has_poses = object.list("kinematic_poses")?.is_some_and(|poses| !poses.is_empty());
        match kind {
            // With one rotation fixed that is the axis of a frame which depends on the signs of eigenvectors.
            BodyKind::Dynamic if fixed[3..].iter().filter(|is_fixed| **is_fixed).count() == 1 => {
                return Err(object.error("is_dof_fixed", Feature::PartlyFixed));
            }
            BodyKind::Kinematic if fixed.contains(&true) && has_poses => {
                return Err(object.error("is_dof_fixed", Feature::PartlyFixed));
            }
            BodyKind::Kinematic => {
                let free = fixed.map(|is_fixed| if is_fixed { 0.0 } else { 1.0 });
                velocity *= DVec3::from_slice(&free[..3]);
                angular_velocity *= DVec3::from_slice(&free[3..]);
            }
            BodyKind::Fixed if velocity != DVec3::ZERO || angular_velocity != DVec3::ZERO => {
                note("the velocity of a static body was left out, as rigid-ipc does");
                (velocity, angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            }
            _ => {}
        }
        let mut constant_force = [object.vector("force")?, object.vector("torque")?];
        if kind != BodyKind::Dynamic {
            for (key, value) in ["force", "torque"].into_iter().zip(&mut constant_force) {
                if std::mem::take(value) != DVec3::ZERO {
                    note(&format!("its {key} was left out: it has no effect on a static or kinematic body"));
                }
            }
        }
        if has_poses && kind != BodyKind::Kinematic {
            note("its kinematic_poses were left out: they have an effect on kinematic bodies only");
        }
        let density = object.number("density")?.unwrap_or(USUAL_DENSITY);
        if density <= 0.0 {
            return Err(object.error("density", above_zero(density)));
        }
        object.flag("oriented")?;
        Ok(Self {
            place: object.place().to_owned(),
            rotation: about_fixed_axes(degrees),
            position: object.vector("position")?,
            density,
            kind,
            velocity,
            angular_velocity,
            constant_force,
            locked_axes: match kind {
                BodyKind::Dynamic => [0, 3].map(|first| std::array::from_fn(|k| fixed[first + k])),
                _ => FREE_AXES,
            },
            moves_for: object.number("kinematic_max_time")?.filter(|&time| time >= 0.0).unwrap_or(f64::INFINITY),
            poses: if kind == BodyKind::Kinematic { poses(object)? } else { Vec::new() },
            group: object.integer("group_id")?.filter(|&group| group >= 0),
            is_split: object.flag("split_components")?.unwrap_or(false),
        })
    }
}

/// A number is not above zero.
pub fn above_zero(found: f64) -> RigidIpcProblem {
    RigidIpcProblem::Value { must: "a number above zero", found: found.to_string() }
}

/// Turns of these degrees about x, then about the fixed y, then about the fixed z.
fn about_fixed_axes(degrees: DVec3) -> DQuat {
    let [x, y, z] = degrees.to_array().map(f64::to_radians);
    (DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)).normalize()
}

/// Along x, y and z, then about x, y and z.
fn fixed_degrees(object: &Object) -> Result<[bool; 6], RigidIpcError> {
    let key = "is_dof_fixed";
    let flags = match object.value(key) {
        None => Some(vec![false; 6]),
        Some(Value::Bool(all)) => Some(vec![*all; 6]),
        Some(value) => value.as_array().and_then(|list| list.iter().map(Value::as_bool).collect()),
    };
    let flags: Option<[bool; 6]> = flags.and_then(|flags| flags.try_into().ok());
    let must = "true, false or an array of six of these";
    flags.ok_or_else(|| object.error(key, wrong(must, object.value(key).unwrap_or(&Value::Null))))
}

fn kind(object: &Object, fixed: [bool; 6]) -> Result<BodyKind, RigidIpcError> {
    match object.text("type")? {
        Some("static") => Ok(BodyKind::Fixed),
        Some("dynamic" | "kinematic") | None if fixed == [true; 6] => Ok(BodyKind::Fixed),
        Some("kinematic") => Ok(BodyKind::Kinematic),
        Some("dynamic") | None => Ok(BodyKind::Dynamic),
        Some(other) => Err(object.error("type", wrong("\"static\", \"kinematic\" or \"dynamic\"", &other.into()))),
    }
}

fn poses(object: &Object) -> Result<Vec<KinematicPose>, RigidIpcError> {
    let list = object.list("kinematic_poses")?.unwrap_or_default();
    let pose = |(number, value): (usize, &Value)| {
        let pose = Object::new(value, object.name(&format!("kinematic_poses[{number}]")))?;
        pose.only(&["position", "rotation"])?;
        let rotation = DQuat::from_scaled_axis(pose.vector("rotation")?);
        Ok(KinematicPose { position: pose.vector("position")?, rotation })
    };
    list.iter().enumerate().map(pose).collect()
}

/// The factors along x, y and z that bring a mesh of these extents (m) to the size that the body states.
pub fn scale(object: &Object, extents: DVec3) -> Result<DVec3, RigidIpcError> {
    if object.has("dimensions") {
        // What has no extent keeps none.
        let extents = extents.map(|extent| if extent == 0.0 { 1.0 } else { extent });
        let scale = object.vector("dimensions")? / extents;
        return within_bounds(scale).map_err(|problem| object.error("dimensions", problem));
    }
    match object.value("scale") {
        None => Ok(DVec3::ONE),
        Some(Value::Number(_)) => {
            let factor = object.number("scale")?.unwrap_or(1.0);
            within_bounds(DVec3::splat(factor)).map_err(|problem| object.error("scale", problem))
        }
        Some(Value::Array(_)) => object.vector("scale"),
        Some(value) => Err(object.error("scale", wrong("a number or an array of three", value))),
    }
}
