//! Export for ParaView: what a simulation looks like, step by step.
//!
//! A folder gets, for each exported step n, `bodies_n.vtp` (the surfaces of all bodies in the world frame, where they are
//! after the step) and `contacts_n.vtp` (the contact points of the step, where they were looked for), and at the end
//! `bodies.pvd` and `contacts.pvd`: the collections with the times, which are what to open in ParaView.
//!
//! A simulator of deformable surfaces gets `surfaces_n.vtp` and `surfaces.pvd` in place of these.
//!
//! | file | on | array | what |
//! |---|---|---|---|
//! | bodies | points | `velocity` | velocity of the surface there, m/s |
//! | bodies | cells | `body` | number of the body in the order of insertion, as in [`WorldReport`] |
//! | bodies | cells | `linear_velocity`, `angular_velocity` | of the body, m/s and rad/s |
//! | contacts | points | `body_a`, `body_b` | numbers of the two bodies |
//! | contacts | points | `normal` | from A to B |
//! | contacts | points | `gap` | m, negative where they penetrate |
//! | contacts | points | `force` | mean force on B over the step, impulse / Δt, N |
//! | contacts | points | `normal_force` | its part along the normal, N |
//! | contacts | points | `torsion` | torque on B about the normal, N m |
//! | surfaces | points | `velocity` | m/s |
//! | surfaces | points | `part` | number of the connected part that the vertex belongs to |

mod collection;
mod poly_data;

pub use collection::Collection;
pub use poly_data::{Array, Cells, PolyData, Values};

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::body::Body;
use crate::simulator::{DeformableMesh, Simulator};
use crate::solver::Impulse;
use crate::solver::contact_problem::tangents;
use crate::stepper::ContactBetween;
use crate::world::WorldReport;
use drystone_contact::shape::Triangles;

/// What keeps an export from being written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ExportError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub source: io::Error,
}

/// Writes the steps of a simulator into a folder.
#[derive(Debug)]
pub struct Export {
    folder: PathBuf,
    bodies: Collection,
    contacts: Collection,
    surfaces: Collection,
}

impl Export {
    /// Begins an export; makes the folder if it is not there.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self, ExportError> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(|source| ExportError { path: folder.clone(), source })?;
        let [bodies, contacts, surfaces] = [(); 3].map(|()| Collection::default());
        Ok(Self { folder, bodies, contacts, surfaces })
    }

    /// Writes the bodies or deformable surfaces as they are, at the simulated time. Before the first step there is nothing else to show.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn bodies(&mut self, simulator: &dyn Simulator) -> Result<(), ExportError> {
        let meshes = simulator.deformable_meshes();
        if !meshes.is_empty() {
            let content = deformed_surfaces(&meshes);
            let name = format!("surfaces_{:06}.vtp", simulator.steps());
            self.write(&name, |out| content.write(out))?;
            self.surfaces.add(simulator.time(), name);
            return Ok(());
        }
        let surfaces = simulator.shapes().into_iter().map(|shape| shape.triangles());
        let content = body_surfaces(simulator.bodies(), surfaces);
        let name = format!("bodies_{:06}.vtp", simulator.steps());
        self.write(&name, |out| content.write(out))?;
        self.bodies.add(simulator.time(), name);
        Ok(())
    }

    /// Writes the bodies and the contacts after a step.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn step(&mut self, simulator: &dyn Simulator, report: &WorldReport) -> Result<(), ExportError> {
        self.bodies(simulator)?;
        if simulator.bodies().is_empty() && !self.surfaces.is_empty() {
            return Ok(());
        }
        let content = contact_points(&report.contacts, &report.impulses, simulator.time_step());
        let name = format!("contacts_{:06}.vtp", report.step);
        self.write(&name, |out| content.write(out))?;
        self.contacts.add(report.time, name);
        Ok(())
    }

    /// Writes the collections. Without this the files of the steps are there, but not their times.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(self) -> Result<(), ExportError> {
        if !self.surfaces.is_empty() {
            return self.write("surfaces.pvd", |out| self.surfaces.write(out));
        }
        self.write("bodies.pvd", |out| self.bodies.write(out))?;
        self.write("contacts.pvd", |out| self.contacts.write(out))
    }

    /// Writes a file beside its place, then renames it.
    fn write(&self, name: &str, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), ExportError> {
        let path = self.folder.join(name);
        let whole = || {
            let part = self.folder.join(format!("{name}.part"));
            let mut file = BufWriter::new(File::create(&part)?);
            content(&mut file)?;
            file.flush()?;
            fs::rename(&part, &path)
        };
        whole().map_err(|source| ExportError { path: path.clone(), source })
    }

    /// Where the files go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The surfaces of bodies (each in its body frame) as triangles in the world.
pub fn body_surfaces(bodies: &[Body], surfaces: impl Iterator<Item = Triangles>) -> PolyData {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let (mut point_velocities, mut numbers) = (Vec::new(), Vec::new());
    let (mut velocities, mut spins) = (Vec::new(), Vec::new());
    for ((number, body), surface) in (0_i32..).zip(bodies).zip(surfaces) {
        let (pose, first) = (body.pose(), points.len() as i32);
        for &vertex in &surface.vertices {
            let point = pose.transform_point(vertex);
            points.push(point);
            point_velocities.push(body.velocity + body.angular_velocity.cross(point - body.position));
        }
        for triangle in &surface.triangles {
            triangles.push(triangle.map(|vertex| first + vertex as i32));
            numbers.push(number);
            velocities.push(body.velocity);
            spins.push(body.angular_velocity);
        }
    }
    PolyData {
        points,
        cells: Cells::Triangles(triangles),
        point_data: vec![Array::vectors("velocity", point_velocities)],
        cell_data: vec![
            Array::numbers("body", numbers),
            Array::vectors("linear_velocity", velocities),
            Array::vectors("angular_velocity", spins),
        ],
    }
}

/// Deformable meshes as one: triangles, and vertices without any.
pub fn deformed_surfaces(meshes: &[DeformableMesh]) -> PolyData {
    let (mut points, mut velocities, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let mut triangles = Vec::new();
    for (part, mesh) in (0_i32..).zip(meshes) {
        let first = points.len() as i32;
        triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|vertex| first + vertex as i32)));
        points.extend(&mesh.positions);
        velocities.extend(&mesh.velocities);
        parts.extend(mesh.positions.iter().map(|_| part));
    }
    PolyData {
        points,
        cells: Cells::Triangles(triangles),
        point_data: vec![Array::vectors("velocity", velocities), Array::numbers("part", parts)],
        cell_data: Vec::new(),
    }
}

/// The contacts of a step and their impulses, one each, as points. `time_step` in s.
pub fn contact_points(contacts: &[ContactBetween], impulses: &[Impulse], time_step: f64) -> PolyData {
    let of_contacts = |value: fn(&ContactBetween) -> DVec3| contacts.iter().map(value).collect();
    let of_bodies = |value: fn(&ContactBetween) -> usize| contacts.iter().map(|c| value(c) as i32).collect();
    let force = |(c, impulse): (&ContactBetween, &Impulse)| {
        let [s, t] = tangents(c.contact.normal);
        (c.contact.normal * impulse[0] + s * impulse[1] + t * impulse[2]) / time_step
    };
    let component = |k: usize| impulses.iter().map(|impulse| impulse[k] / time_step).collect();
    PolyData {
        points: of_contacts(|c| c.contact.position),
        cells: Cells::Points,
        point_data: vec![
            Array::numbers("body_a", of_bodies(|c| c.a.index())),
            Array::numbers("body_b", of_bodies(|c| c.b.index())),
            Array::vectors("normal", of_contacts(|c| c.contact.normal)),
            Array::scalars("gap", contacts.iter().map(|c| c.contact.gap).collect()),
            Array::vectors("force", contacts.iter().zip(impulses).map(force).collect()),
            Array::scalars("normal_force", component(0)),
            Array::scalars("torsion", component(3)),
        ],
        cell_data: Vec::new(),
    }
}
