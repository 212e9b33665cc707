//! Shapes of snapshots as plain data, each once however many bodies share it.
//!
//! Recordings of before there were primitives hold a tetrahedral mesh for every shape. [`FormRecord`] says for newer ones
//! what a [`MeshRecord`] stands for.

use super::SnapshotError;
use drystone_contact::Pose;
use drystone_contact::shape::{
    Compound, CompoundPart, HeightField, MeshSides, Polyhedron, Shape, ShapeError, ShapeOrigin, Surface,
    TetrahedralMesh, TetrahedralizationSettings, TriangleMesh, primitive,
};
use drystone_contact::solid::Description;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A mesh: positions in m, and tetrahedra by their vertices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeshRecord {
    /// m.
    pub vertices: Vec<DVec3>,
    /// Vertex numbers of each tetrahedron; none of a shape that is no mesh.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// What a shape is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormRecord {
    /// The mesh, in the body frame.
    #[default]
    Mesh,
    /// The vertices of the mesh, with these triangles, are a surface.
    Surface {
        /// Vertex numbers of each triangle.
        triangles: Vec<[u32; 3]>,
        /// The frames from which one after the other it was seen to become the shape in its body frame: orientation (x, y, z,
        /// s), position, m.
        frames: Vec<(DQuat, DVec3)>,
        /// Tetrahedra that another program made from it, body frame.
        tetrahedra: Option<MeshRecord>,
    },
    /// A primitive.
    Primitive {
        /// The name of its kind.
        kind: String,
        /// m.
        dimensions: Vec<f64>,
    },
    /// A general solid.
    Solid {
        /// [`Description`] as JSON; empty of a solid that a program made and that cannot be said as data.
        description: String,
    },
    /// A compound.
    Compound {
        /// What each part is, with its pose: orientation (x, y, z, s), position, m.
        parts: Vec<(MeshRecord, FormRecord, (DQuat, DVec3))>,
    },
    /// A height field.
    HeightField {
        /// Rows along z, columns along x.
        size: [usize; 2],
        /// Of columns along x, of rows along z, m.
        spacing: [f64; 2],
        /// Row by row, m.
        heights: Vec<f64>,
    },
    /// The vertices of the mesh, with these triangles, are an open surface.
    TriangleMesh {
        /// Vertex numbers of each triangle.
        triangles: Vec<[u32; 3]>,
        /// Whether the back holds bodies off as well.
        is_two_sided: bool,
    },
}

/// The shapes of a snapshot while it is made.
#[derive(Default)]
pub(crate) struct Shapes {
    pub records: Vec<MeshRecord>,
    forms: Vec<FormRecord>,
    /// Looked up by address, never walked through.
    numbers: HashMap<usize, usize>,
}

impl Shapes {
    /// The number of a shape.
    pub fn number(&mut self, shape: &Arc<Shape>) -> usize {
        let (records, forms) = (&mut self.records, &mut self.forms);
        *self.numbers.entry(Arc::as_ptr(shape) as usize).or_insert_with(|| {
            let (record, form) = of_shape(shape);
            records.push(record);
            forms.push(form);
            records.len() - 1
        })
    }

    /// What the shapes are; nothing if all are meshes.
    pub fn forms(&self) -> Vec<FormRecord> {
        let are_meshes = self.forms.iter().all(|form| *form == FormRecord::Mesh);
        if are_meshes { Vec::new() } else { self.forms.clone() }
    }

    /// The number of the eroded copy that a shape was given.
    pub fn eroded(&mut self, shape: &Shape) -> Option<usize> {
        Some(self.number(shape.as_polyhedron()?.given_eroded()?))
    }
}

fn of_shape(shape: &Shape) -> (MeshRecord, FormRecord) {
    let no_mesh = MeshRecord::default();
    match shape {
        Shape::Polyhedron(polyhedron) => of_polyhedron(polyhedron),
        Shape::Primitive(primitive) => {
            let (kind, dimensions) = (primitive.kind().into(), primitive.dimensions());
            (no_mesh, FormRecord::Primitive { kind, dimensions })
        }
        Shape::Solid(general) => {
            let description = general.solid().description();
            let text = description.and_then(|data| serde_json::to_string(&data).ok());
            (no_mesh, FormRecord::Solid { description: text.unwrap_or_default() })
        }
        Shape::Compound(compound) => {
            let part = |part: &CompoundPart| {
                let (record, form) = of_shape(&part.shape);
                (record, form, (part.pose.rotation, part.pose.translation))
            };
            (no_mesh, FormRecord::Compound { parts: compound.parts().iter().map(part).collect() })
        }
        Shape::HeightField(field) => {
            let (size, spacing, heights) = (field.size(), field.spacing(), field.heights().to_vec());
            (no_mesh, FormRecord::HeightField { size, spacing, heights })
        }
        Shape::TriangleMesh(mesh) => {
            let is_two_sided = mesh.sides() == MeshSides::Both;
            let record = MeshRecord { vertices: mesh.vertices().to_vec(), tetrahedra: Vec::new() };
            (record, FormRecord::TriangleMesh { triangles: mesh.triangles().to_vec(), is_two_sided })
        }
    }
}

fn of_mesh(mesh: &TetrahedralMesh) -> MeshRecord {
    MeshRecord { vertices: mesh.vertices().to_vec(), tetrahedra: mesh.tetrahedra().to_vec() }
}

fn of_polyhedron(polyhedron: &Polyhedron) -> (MeshRecord, FormRecord) {
    let (surface, frames) = polyhedron.design();
    if let Some(given) = polyhedron.given_tetrahedra() {
        // Unless the mesh was made for a surface whose triangles are in another order.
        if given.mesh().surface() == polyhedron.surface() {
            return (of_mesh(given.mesh()), FormRecord::Mesh);
        }
    }
    let by_program = polyhedron.known_tetrahedra().filter(|t| !matches!(t.origin(), ShapeOrigin::Cone(_)));
    let form = FormRecord::Surface {
        triangles: surface.triangles().to_vec(),
        frames: frames.iter().map(|frame| (frame.rotation, frame.translation)).collect(),
        tetrahedra: by_program.map(|tetrahedra| of_mesh(tetrahedra.mesh())),
    };
    (MeshRecord { vertices: surface.vertices().to_vec(), tetrahedra: Vec::new() }, form)
}

/// The shapes of a snapshot while it is read.
pub(crate) struct ReadShapes {
    shapes: Vec<Arc<Shape>>,
    /// By the numbers of the shape and of its eroded copy.
    with_eroded: BTreeMap<(usize, usize), Arc<Shape>>,
}

impl ReadShapes {
    /// The shapes of some records. Without forms all are meshes.
    pub fn new(records: &[MeshRecord], forms: &[FormRecord]) -> Result<Self, SnapshotError> {
        if !forms.is_empty() && forms.len() != records.len() {
            return Err(SnapshotError::Damaged("there are more or fewer forms of shapes than shapes"));
        }
        let shape = |(number, record): (usize, &MeshRecord)| {
            let form = forms.get(number).unwrap_or(&FormRecord::Mesh);
            let made = read(record, form).map_err(|source| SnapshotError::Mesh { shape: number, source })?;
            Ok(Arc::new(made))
        };
        let shapes = records.iter().enumerate().map(shape).collect::<Result<_, SnapshotError>>()?;
        Ok(Self { shapes, with_eroded: BTreeMap::new() })
    }

    /// The shape that a body names, with the eroded copy that it names.
    pub fn of_body(&mut self, body: usize, shape: usize, eroded: Option<usize>) -> Result<Arc<Shape>, SnapshotError> {
        let count = self.shapes.len();
        let find = |shapes: &[Arc<Shape>], shape: usize| {
            shapes.get(shape).cloned().ok_or(SnapshotError::Shape { body, shape, count })
        };
        let plain = find(&self.shapes, shape)?;
        let Some(number) = eroded else { return Ok(plain) };
        let eroded = find(&self.shapes, number)?;
        let Some(polyhedron) = plain.as_polyhedron() else {
            return Err(SnapshotError::Damaged("a shape that is no polyhedron has an eroded copy"));
        };
        let make = || Arc::new(Shape::from(polyhedron.clone().with_eroded(eroded)));
        Ok(Arc::clone(self.with_eroded.entry((shape, number)).or_insert_with(make)))
    }
}

fn read(record: &MeshRecord, form: &FormRecord) -> Result<Shape, ShapeError> {
    let mesh = |record: &MeshRecord| TetrahedralMesh::new(record.vertices.clone(), record.tetrahedra.clone());
    match form {
        FormRecord::Mesh => Ok(Shape::from_mesh(mesh(record)?)),
        FormRecord::Surface { triangles, frames, tetrahedra } => {
            let surface = Surface::new(record.vertices.clone(), triangles.clone())?;
            let mut polyhedron = Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default())?;
            for &(rotation, translation) in frames {
                polyhedron = polyhedron.in_frame(&Pose { rotation, translation })?;
            }
            Ok(match tetrahedra {
                Some(record) => polyhedron.with_tetrahedra(mesh(record)?, ShapeOrigin::Given)?.into(),
                None => polyhedron.into(),
            })
        }
        FormRecord::Primitive { kind, dimensions } => primitive(kind, dimensions),
        FormRecord::Solid { description } => {
            let data: Description = serde_json::from_str(description)
                .map_err(|error| ShapeError::Undescribed { why: error.to_string() })?;
            Ok(data.build()?.into())
        }
        FormRecord::Compound { parts } => {
            let part = |(record, form, (rotation, translation)): &(MeshRecord, FormRecord, (DQuat, DVec3))| {
                let pose = Pose { rotation: *rotation, translation: *translation };
                Ok(CompoundPart { shape: Arc::new(read(record, form)?), pose })
            };
            let parts = parts.iter().map(part).collect::<Result<Vec<CompoundPart>, ShapeError>>()?;
            Ok(Compound::new(parts)?.into())
        }
        FormRecord::HeightField { size: [rows, columns], spacing, heights } => {
            Ok(HeightField::new(*rows, *columns, *spacing, heights.clone())?.into())
        }
        FormRecord::TriangleMesh { triangles, is_two_sided } => {
            let sides = if *is_two_sided { MeshSides::Both } else { MeshSides::Front };
            Ok(TriangleMesh::new(&record.vertices, triangles, sides)?.into())
        }
    }
}
