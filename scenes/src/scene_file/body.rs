//! From a body of a scene file to a body of a scene.

use std::path::Path;
use std::sync::Arc;

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use drystone_engine::body::UNIT_QUATERNION_TOLERANCE;
use drystone_engine::{Body, BodyKind, Groups, MaterialId, MaterialTable, Pose, PrescribedMotion};
use glam::DVec3;

use super::document::{BodyEntry, Frame, GroupsEntry, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::motion::{kinematic, motion};
use super::number;
use super::solid::{Solid, fill_settings, solid};
use crate::scene::{BodyProblem, FREE_AXES, Placement, SceneBody};

/// Density of a body that is not dynamic and states none, kg/m³: the frame of a homogeneous solid does not depend on it.
const ANY_DENSITY: f64 = 1000.0;

/// The state of a body as its file gives it: of the shape's frame or of the body frame.
struct State {
    pose: Pose,
    velocity: DVec3,
    angular_velocity: DVec3,
}

/// Names the places of a body in errors.
struct Places<'a>(&'a str);

impl Places<'_> {
    fn field(&self, field: &str) -> String {
        format!("body \"{}\", {field}", self.0)
    }

    fn error(&self, field: &str, problem: impl Into<SceneFileProblem>) -> SceneFileError {
        SceneFileError::at(self.field(field), problem)
    }
}

/// Makes the body with its solids.
pub fn body(mut entry: BodyEntry, materials: &MaterialTable, folder: &Path) -> Result<SceneBody, SceneFileError> {
    let name = std::mem::take(&mut entry.name);
    let places = Places(&name);
    let material = materials.id(&entry.material).map_err(|error| places.error("material", error))?;
    let (kind, prescribed_motion) = motion(&entry, &format!("body \"{name}\""))?;
    let state = state(&entry, prescribed_motion.as_ref(), &places)?;
    let locked_axes = locked_axes(&entry, kind, &places)?;
    let groups = match entry.groups {
        Some(GroupsEntry { member, with }) => Groups { member, with },
        None => Groups::ALL,
    };
    let [force, torque] = constant_force(&entry, kind, &places)?;

    let settings = match &entry.fill {
        Some(fill) => fill_settings(fill, folder, &places.field("fill"))?,
        None => TetrahedralizationSettings::default(),
    };
    let eroded = entry.eroded.take().map(|e| solid(e, &settings, folder, &places.field("eroded"))).transpose()?;
    let BodyEntry { shape, fill, frame, density, mass, inertia, .. } = entry;
    let Solid { shape, was_filled } = solid(shape, &settings, folder, &places.field("shape"))?;
    if fill.is_some() && !was_filled && !eroded.as_ref().is_some_and(|e| e.was_filled) {
        return Err(places.error("fill", SceneFileProblem::Keys("the shape already has tetrahedra; remove `fill`")));
    }
    let shape = match (shape, eroded) {
        (Shape::Polyhedron(polyhedron), Some(eroded)) => polyhedron.with_eroded(Arc::new(eroded.shape)).into(),
        (_, Some(_)) => {
            let cure = "only a polyhedron has an eroded copy; remove `eroded`";
            return Err(places.error("eroded", SceneFileProblem::Keys(cure)));
        }
        (shape, None) => shape,
    };

    let weight = Weight { kind, density, mass, inertia };
    let mut made = match frame {
        Frame::Shape => {
            let body = in_shape_frame(&name, &shape, &state, &weight, material)?;
            within_bounds(&body, &places)?;
            SceneBody { prescribed_motion, locked_axes, groups, ..body }
        }
        Frame::Body => {
            let body = in_body_frame(&state, &weight, material, &places)?;
            SceneBody { name: name.clone(), shape: Arc::new(shape), body, prescribed_motion, locked_axes, groups }
        }
    };
    made.body.set_constant_force(force, torque).map_err(|error| places.error("force", BodyProblem::from(error)))?;
    Ok(made)
}

/// The force and the torque that act on a dynamic body all the time.
fn constant_force(entry: &BodyEntry, kind: BodyKind, places: &Places) -> Result<[DVec3; 2], SceneFileError> {
    let mut own = [DVec3::ZERO; 2];
    for ((key, value), own) in [("force", &entry.force), ("torque", &entry.torque)].into_iter().zip(&mut own) {
        let Some(value) = value else { continue };
        if kind != BodyKind::Dynamic {
            return Err(places.error(key, SceneFileProblem::Keys("it acts on dynamic bodies only; remove it")));
        }
        *own = number::bounded(value).map_err(|problem| places.error(key, problem))?;
    }
    Ok(own)
}

/// The axes of the world along which, and about which, a body does not move.
fn locked_axes(entry: &BodyEntry, kind: BodyKind, places: &Places) -> Result<[[bool; 3]; 2], SceneFileError> {
    let mut axes = FREE_AXES;
    let keys = [("locked_translation", &entry.locked_translation), ("locked_rotation", &entry.locked_rotation)];
    for ((key, locked), axes) in keys.into_iter().zip(&mut axes) {
        let Some(Tuple(locked)) = locked else { continue };
        if kind != BodyKind::Dynamic {
            let cure = "only axes of dynamic bodies can be locked; remove it";
            return Err(places.error(key, SceneFileProblem::Keys(cure)));
        }
        *axes = *locked;
    }
    Ok(axes)
}

/// Checks that the way into the body frame has not taken the body out of bounds.
fn within_bounds(body: &SceneBody, places: &Places) -> Result<(), SceneFileError> {
    let check = |field: &str, vector| number::within_bounds(vector).map_err(|problem| places.error(field, problem));
    check("centre of mass", body.body.position)?;
    let eroded = body.shape.as_polyhedron().and_then(|polyhedron| polyhedron.given_eroded());
    for (field, shape) in [("shape", Some(&body.shape)), ("eroded", eroded)] {
        for (index, &vertex) in shape.iter().filter_map(|s| s.surface()).flat_map(|s| s.vertices()).enumerate() {
            check(&format!("{field}, vertex {index} from the centre of mass"), vertex)?;
        }
    }
    Ok(())
}

/// What a body says about its mass.
struct Weight {
    kind: BodyKind,
    density: Option<f64>,
    mass: Option<f64>,
    inertia: Option<Tuple<f64, 3>>,
}

/// What a prescribed motion begins with is the velocity of a body that states none.
fn state(
    entry: &BodyEntry,
    prescribed_motion: Option<&PrescribedMotion>,
    places: &Places,
) -> Result<State, SceneFileError> {
    let vector = |field: &str, value: &Option<Tuple<f64, 3>>, usual: DVec3| match value {
        Some(value) => number::bounded(value).map_err(|problem| places.error(field, problem)),
        None => Ok(usual),
    };
    let first = prescribed_motion.and_then(|prescribed_motion| prescribed_motion.phases().first());
    let (velocity, spin) = first.map(|phase| (phase.velocity, phase.angular_velocity)).unwrap_or_default();
    let tolerance = match entry.frame {
        Frame::Shape => number::UNIT_LENGTH_TOLERANCE,
        // The body frame is taken to the last bit, so the engine's own limit holds.
        Frame::Body => UNIT_QUATERNION_TOLERANCE,
    };
    let wrong = |key: &str, problem| places.error(key, problem);
    let (quaternion, turn) = (entry.orientation_xyzw.as_ref(), entry.rotation.as_ref());
    let mut rotation = number::orientation(quaternion, turn, tolerance, wrong)?;
    if entry.frame == Frame::Shape && entry.orientation_xyzw.is_some() {
        rotation = rotation.normalize();
    }
    Ok(State {
        pose: Pose::from_parts(vector("position", &entry.position, DVec3::ZERO)?, rotation),
        velocity: vector("velocity", &entry.velocity, velocity)?,
        angular_velocity: vector("angular_velocity", &entry.angular_velocity, spin)?,
    })
}

/// A body whose frame and moments follow from its shape.
fn in_shape_frame(
    name: &str,
    shape: &Shape,
    state: &State,
    weight: &Weight,
    material: MaterialId,
) -> Result<SceneBody, SceneFileError> {
    let places = Places(name);
    let whole = |problem: BodyProblem| SceneFileError::at(format!("body \"{name}\""), problem);
    let density = density(weight, shape, &places)?;
    let State { pose, velocity, angular_velocity } = *state;
    let is_fixed = weight.kind != BodyKind::Dynamic;
    let placement = Placement { pose, velocity, angular_velocity, density, is_fixed, material };
    let mut body = SceneBody::from_shape(name, shape, &placement).map_err(whole)?;
    if weight.kind == BodyKind::Kinematic {
        body.body = kinematic(&body.body);
    }
    Ok(body)
}

fn density(weight: &Weight, shape: &Shape, places: &Places) -> Result<f64, SceneFileError> {
    let keys = |field: &str, cure| Err(places.error(field, SceneFileProblem::Keys(cure)));
    if weight.inertia.is_some() {
        return keys("inertia", "it follows from the shape; remove it, or give the shape in `frame = \"body\"`");
    }
    match (weight.density, weight.mass) {
        (Some(_), Some(_)) => keys("mass", "give `density` (kg/m³) or `mass` (kg), not both"),
        (Some(density), None) => number::positive(density).map_err(|problem| places.error("density", problem)),
        (None, Some(mass)) => {
            let mass = number::positive(mass).map_err(|problem| places.error("mass", problem))?;
            let unit = shape.mass_properties(1.0).map_err(|error| places.error("mass", BodyProblem::from(error)))?;
            Ok(mass / unit.volume)
        }
        (None, None) if weight.kind != BodyKind::Dynamic => Ok(ANY_DENSITY),
        (None, None) => keys(
            "density",
            "a dynamic body needs `density` (kg/m³) or `mass` (kg); or set `fixed = true` or `kinematic = true`",
        ),
    }
}

/// A body whose frame is given: nothing is moved, turned or rounded.
fn in_body_frame(
    state: &State,
    weight: &Weight,
    material: MaterialId,
    places: &Places,
) -> Result<Body, SceneFileError> {
    if weight.density.is_some() {
        let cure = "in `frame = \"body\"` give `mass` (kg) and `inertia` (kg m²) instead";
        return Err(places.error("density", SceneFileProblem::Keys(cure)));
    }
    let mass = weight.mass.map(number::positive).transpose().map_err(|problem| places.error("mass", problem))?;
    let inertia = weight.inertia.as_ref().map(number::all_positive).transpose();
    let inertia = inertia.map_err(|problem| places.error("inertia", problem))?;
    let made = match (weight.kind, mass, inertia) {
        (BodyKind::Fixed, ..) => Ok(Body::fixed(material)),
        (BodyKind::Kinematic, ..) => Ok(Body::kinematic(material)),
        (BodyKind::Dynamic, Some(mass), Some(inertia)) => Body::dynamic(mass, inertia, material),
        (BodyKind::Dynamic, ..) => {
            let cure = "in `frame = \"body\"` a dynamic body needs `mass` (kg) and `inertia` (kg m², about the \
                        frame's axes)";
            return Err(places.error("mass", SceneFileProblem::Keys(cure)));
        }
    };
    let moving = made.and_then(|body| body.moving(state.velocity, state.angular_velocity));
    let mut body = moving.map_err(|error| places.error("mass", BodyProblem::from(error)))?;
    body.position = state.pose.translation;
    body.orientation = state.pose.rotation;
    Ok(body)
}
