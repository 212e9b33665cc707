//! The bodies of a rigid-ipc scene: first all solids, then the open surfaces whose sides depend on where the solids are.

use std::path::Path;
use std::sync::Arc;

use drystone_contact::shape::{Shape, ShapeOrigin, Surface, SurfaceError, TetrahedralizationSettings};
use drystone_engine::{BodyKind, MaterialId, Pose};
use glam::DVec3;
use serde_json::Value;

use super::body_name::Names;
use super::entry::{Entry, scale};
use super::error::{RigidIpcError, RigidIpcProblem};
use super::mesh::Mesh;
use super::object::Object;
use super::shell::{Shell, Side};
use super::{Note, group, kinematic};
use crate::scene::{Placement, SceneBody};
use crate::scene_file::{motion, number};

/// A body whose solid is known, or an open surface of which the free side is not.
enum Solid {
    Shape(Arc<Shape>),
    Open(Shell),
}

/// A body on its way.
struct Part {
    entry: Arc<Entry>,
    stem: String,
    solid: Solid,
    /// kg/m³.
    density: f64,
}

/// Makes the bodies of a `rigid_body_problem`; meshes count from `folder`.
pub fn bodies(
    problem: &Object,
    folder: &Path,
    time_step: f64,
    material: MaterialId,
    notes: &mut Vec<Note>,
) -> Result<Vec<SceneBody>, RigidIpcError> {
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    let mut shapes = Shapes::default();
    for (number, value) in problem.list("rigid_bodies")?.unwrap_or_default().iter().enumerate() {
        let file = value.get("mesh").and_then(Value::as_str).and_then(|mesh| Path::new(mesh).file_name());
        let file = file.map(|file| format!(" ({})", file.to_string_lossy())).unwrap_or_default();
        let place = format!("body {number}{file}").replace(char::is_control, "?");
        let object = Object::new(value, place)?;
        if object.flag("enabled")? == Some(false) {
            notes
                .push(Note { place: Some(object.place().to_owned()), text: "is not enabled, and was left out".into() });
            continue;
        }
        let entry = Arc::new(Entry::new(&object, notes)?);
        let mesh = Mesh::new(&object, folder, notes)?;
        let scale = scale(&object, mesh.extents())?;
        let mesh = mesh.scaled(scale).map_err(|problem| object.error("scale", problem))?;
        let meshes = if entry.is_split { mesh.parts() } else { vec![mesh] };
        if entry.is_split {
            let text = format!("was split into {} bodies", meshes.len());
            notes.push(Note { place: Some(entry.place.clone()), text });
        }
        for mesh in meshes {
            let stem = mesh.stem.clone();
            let (solid, density) = solid(mesh, &entry, &mut shapes, notes)?;
            notes.extend(filling(&solid).map(|text| Note { place: Some(entry.place.clone()), text }));
            parts.push(Part { entry: Arc::clone(&entry), stem, solid, density });
        }
        entries.push(entry);
    }
    if parts.is_empty() {
        return Err(RigidIpcError::whole(RigidIpcProblem::NoBodies));
    }
    group::check(entries.iter().map(Arc::as_ref))?;
    let centres = dynamic_centres(&parts)?;
    let mut names = Names::of(parts.iter().map(|part| part.stem.as_str()));
    let mut bodies = Vec::with_capacity(parts.len());
    for Part { entry, stem, solid, density } in parts {
        let shape = match solid {
            Solid::Shape(shape) => shape,
            Solid::Open(shell) => {
                let side = shell.free_side(entry.rotation, entry.position, &centres);
                thickened(shell, side, &entry, &mut shapes, notes)?
            }
        };
        bodies.push(body(names.next(&stem), &entry, (&shape, density), time_step, material)?);
    }
    Ok(bodies)
}

/// The solid of a mesh, with its density, kg/m³.
fn solid(mesh: Mesh, entry: &Entry, shapes: &mut Shapes, notes: &mut Vec<Note>) -> Result<(Solid, f64), RigidIpcError> {
    let at_place = |problem: RigidIpcProblem| RigidIpcError::at(&entry.place, problem);
    if !mesh.is_open() {
        return Ok((Solid::Shape(shapes.shape(&mesh).map_err(at_place)?), entry.density));
    }
    let shell = Shell::new(mesh).map_err(|feature| at_place(feature.into()))?;
    let turns = !entry.poses.is_empty() || entry.angular_velocity != DVec3::ZERO;
    if entry.kind != BodyKind::Dynamic && !turns {
        return Ok((Solid::Open(shell), entry.density));
    }
    // Of an open surface rigid-ipc takes the density for that of the area.
    let density = entry.density / shell.thickness(Side::Both);
    Ok((Solid::Shape(thickened(shell, Side::Both, entry, shapes, notes)?), density))
}

/// The solid on a side of an open surface.
fn thickened(
    shell: Shell,
    side: Side,
    entry: &Entry,
    shapes: &mut Shapes,
    notes: &mut Vec<Note>,
) -> Result<Arc<Shape>, RigidIpcError> {
    let thickness = shell.thickness(side);
    let what = match side {
        Side::Behind => format!("the face of a slab {thickness} m thick behind it"),
        Side::InFront => format!("the face of a slab {thickness} m thick in front of it"),
        Side::Both => format!("the middle of a slab {thickness} m thick"),
    };
    notes.push(Note { place: Some(entry.place.clone()), text: format!("an open surface: became {what}") });
    shapes.shape(&shell.solid(side)).map_err(|problem| RigidIpcError::at(&entry.place, problem))
}

/// Who filled the solid, if that was another program.
fn filling(solid: &Solid) -> Option<String> {
    let Solid::Shape(shape) = solid else { return None };
    let tetrahedra = shape.as_polyhedron().and_then(|polyhedron| polyhedron.known_tetrahedra())?;
    match tetrahedra.origin() {
        ShapeOrigin::Tetgen { switches, .. } => Some(format!("was filled with tetrahedra by TetGen ({switches})")),
        _ => None,
    }
}

/// The centres of mass of all bodies that move under forces, world frame, m.
fn dynamic_centres(parts: &[Part]) -> Result<Vec<DVec3>, RigidIpcError> {
    let mut centres = Vec::new();
    for Part { entry, solid, density, .. } in parts {
        if let (BodyKind::Dynamic, Solid::Shape(shape)) = (entry.kind, solid) {
            let mass = shape.mass_properties(*density).map_err(|error| RigidIpcError::at(&entry.place, error))?;
            centres.push(entry.position + entry.rotation * mass.centre);
        }
    }
    Ok(centres)
}

fn body(
    name: String,
    entry: &Entry,
    (shape, density): (&Shape, f64),
    time_step: f64,
    material: MaterialId,
) -> Result<SceneBody, RigidIpcError> {
    let placement = Placement {
        pose: Pose::from_parts(entry.position, entry.rotation),
        velocity: entry.velocity,
        angular_velocity: entry.angular_velocity,
        density,
        is_fixed: entry.kind != BodyKind::Dynamic,
        material,
    };
    let at_place = |problem: RigidIpcProblem| RigidIpcError::at(&entry.place, problem);
    let mut body = SceneBody::from_shape(name, shape, &placement).map_err(|error| at_place(error.into()))?;
    body.locked_axes = entry.locked_axes;
    let [force, torque] = entry.constant_force;
    body.body.set_constant_force(force, torque).map_err(|error| at_place(error.into()))?;
    if entry.kind == BodyKind::Kinematic {
        body.body = motion::kinematic(&body.body);
        body.prescribed_motion = kinematic::prescribed_motion(entry, shape, time_step)?;
        if let Some(prescribed_motion) = &body.prescribed_motion {
            (body.body.velocity, body.body.angular_velocity) = prescribed_motion.mean_velocities(0.0, time_step);
        }
    }
    let phases = body.prescribed_motion.iter().flat_map(|prescribed_motion| prescribed_motion.phases());
    let velocities = phases.flat_map(|phase| [phase.velocity, phase.angular_velocity]);
    let state = [body.body.position, body.body.velocity, body.body.angular_velocity];
    for vector in state
        .into_iter()
        .chain(velocities)
        .chain(body.shape.surface().map(|s| s.vertices()).unwrap_or_default().iter().copied())
    {
        number::within_bounds(vector).map_err(|problem| at_place(RigidIpcProblem::Bounds(problem)))?;
    }
    Ok(body)
}

/// Solids that were made already: scenes have the same mesh many times, and some meshes take TetGen a while.
#[derive(Default)]
struct Shapes(Vec<(Mesh, Arc<Shape>)>);

impl Shapes {
    fn shape(&mut self, mesh: &Mesh) -> Result<Arc<Shape>, RigidIpcProblem> {
        if let Some((_, shape)) = self.0.iter().find(|(known, _)| known == mesh) {
            return Ok(Arc::clone(shape));
        }
        let surface = Surface::new(mesh.vertices.clone(), mesh.triangles.clone()).map_err(|error| match error {
            SurfaceError::UnusedVertex { .. } => super::error::Feature::Points.into(),
            error => RigidIpcProblem::Surface(error),
        })?;
        let shape = Arc::new(Shape::from_surface(&surface, &TetrahedralizationSettings::default())?);
        self.0.push((mesh.clone(), Arc::clone(&shape)));
        Ok(shape)
    }
}
