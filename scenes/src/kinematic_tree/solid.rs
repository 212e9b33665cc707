//! From the form of a geom to a shape.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::shape::mesh_file::{self, Format};
use drystone_contact::shape::{
    Ball, Capsule, Cylinder, Ellipsoid, HalfSpace, MassProperties, Shape, Surface, TetrahedralizationSettings,
};
use drystone_contact::sorting::CompactSort;
use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::error::{TreeError, TreeProblem};
use super::mesh_mass::of_pyramids;
use super::model::{Form, Geom, Mesh, MeshInertia, MeshSource};
use crate::solids::cuboid;

/// A shape, and its frame in that of the geom: the axis of a capsule is y here and z there.
#[derive(Clone, Debug)]
pub struct Placed {
    pub shape: Arc<Shape>,
    pub pose: Pose,
}

/// Shapes that were made already: models have the same mesh many times.
#[derive(Default)]
pub struct Solids(BTreeMap<String, Placed>);

impl Solids {
    /// The shape of a geom as it collides.
    pub fn of(&mut self, geom: &Geom) -> Result<Placed, TreeError> {
        // It holds every number to the last bit.
        let key = format!("{:?}", geom.form);
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let made = made(&geom.form).map_err(|problem| TreeError::new(geom.place.clone(), problem))?;
        self.0.insert(key, made.clone());
        Ok(made)
    }

    /// The mass properties of a geom of density 1 kg/m³, in the frame of the geom.
    pub fn mass(&mut self, geom: &Geom) -> Result<MassProperties, TreeError> {
        let wrong = |problem: TreeProblem| TreeError::new(geom.place.clone(), problem);
        if let Form::Mesh(mesh) = &geom.form {
            match mesh.inertia {
                MeshInertia::Exact => return exact(mesh).map_err(wrong),
                MeshInertia::Pyramids => {
                    let (vertices, triangles) = vertices(mesh).map_err(wrong)?;
                    return of_pyramids(&vertices, &triangles).map_err(|error| wrong(error.into()));
                }
                MeshInertia::Convex => {}
            }
        }
        let Placed { shape, pose } = self.of(geom)?;
        let own = shape.mass_properties(1.0).map_err(|error| wrong(error.into()))?;
        let turn = glam::DMat3::from_quat(pose.rotation);
        let inertia = turn * own.inertia * turn.transpose();
        let symmetric = 0.5 * (inertia + inertia.transpose());
        let moved = MassProperties::new(own.volume, own.mass, pose.transform_point(own.centre), symmetric);
        moved.map_err(|error| wrong(error.into()))
    }
}

fn made(form: &Form) -> Result<Placed, TreeProblem> {
    // From y, which solids of revolution and the half-space have, to z.
    let upright = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let at = |shape: Shape, pose| Placed { shape: Arc::new(shape), pose };
    Ok(match form {
        Form::Plane => at(HalfSpace.into(), upright),
        Form::Sphere(radius) => at(Ball::new(*radius)?.into(), Pose::IDENTITY),
        Form::Capsule(radius, half) => at(Capsule::new(*radius, *half)?.into(), upright),
        Form::Cylinder(radius, half) => at(Cylinder::new(*radius, *half)?.into(), upright),
        Form::Ellipsoid(axes) => at(Ellipsoid::new(*axes)?.into(), Pose::IDENTITY),
        Form::Box(half) => {
            let shape = Shape::from_surface(&cuboid(-*half, *half)?, &TetrahedralizationSettings::default())?;
            at(shape, Pose::IDENTITY)
        }
        Form::Mesh(mesh) => at(Shape::convex_hull(&vertices(mesh)?.0)?, Pose::IDENTITY),
    })
}

/// The mass properties within the surface of a mesh.
fn exact(mesh: &Mesh) -> Result<MassProperties, TreeProblem> {
    let (mut vertices, mut triangles) = vertices(mesh)?;
    weld(&mut vertices, &mut triangles);
    if mesh.scale.x * mesh.scale.y * mesh.scale.z < 0.0 {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    let surface = Surface::new(vertices, triangles)?;
    Ok(MassProperties::of_surface(&surface, 1.0)?)
}

/// The vertices (m) and triangles of a mesh in the frame of the geom; points have no triangles.
fn vertices(mesh: &Mesh) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), TreeProblem> {
    let (vertices, triangles) = match &mesh.source {
        MeshSource::Points(points) => (points.clone(), Vec::new()),
        MeshSource::File(path) => {
            match Format::of_path(path)? {
                Format::Obj | Format::Stl => {}
                Format::Off | Format::Gmsh | Format::TetGen => {
                    let what = format!("the mesh file {}", path.display());
                    return Err(TreeProblem::unsupported(what, "give an .obj or .stl file"));
                }
            }
            let read = mesh_file::read(path)?;
            (read.vertices, read.triangles)
        }
    };
    Ok((vertices.iter().map(|&v| mesh.pose.transform_point(v) * mesh.scale).collect(), triangles))
}

/// Makes vertices at one place one, and drops triangles that have no area then.
fn weld(vertices: &mut Vec<DVec3>, triangles: &mut Vec<[u32; 3]>) {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let key = |v: u32| vertices[v as usize].to_array().map(|x| x + 0.0);
    let compare = |a: &u32, b: &u32| {
        let [a_key, b_key] = [key(*a), key(*b)];
        let by_place = (0..3).map(|k| a_key[k].total_cmp(&b_key[k])).find(|order| order.is_ne());
        by_place.unwrap_or(a.cmp(b))
    };
    order.compact_sort_by(compare);
    let mut number = vec![0; vertices.len()];
    let mut kept: Vec<DVec3> = Vec::new();
    for &v in &order {
        let place = vertices[v as usize];
        if kept.last().is_none_or(|last| *last != place) {
            kept.push(place);
        }
        number[v as usize] = kept.len() as u32 - 1;
    }
    for corner in triangles.iter_mut().flatten() {
        *corner = number[*corner as usize];
    }
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    *vertices = kept;
}
