//! Bodies as the simulator PROX feeds them to its contact detection: single precision, tetrahedra by TetGen 1.4.3.
//!
//! Data with source and licence: of the ten cases in `data/recorded_bodies.json`; of Pillar, Wall and Arch in
//! `data/recorded_structures.json`, where bodies share shapes and are at rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::shape::{Polyhedron, Shape, TetrahedralMesh, TetrahedralMeshError};
use drystone_engine::{Body, BodyError, MaterialError, MaterialTable};
use glam::{DQuat, DVec3};
use serde::Deserialize;

const CASES: &str = include_str!("../data/recorded_bodies.json");
const STRUCTURES: &str = include_str!("../data/recorded_structures.json");

/// A body as it was recorded.
#[derive(Clone, Debug)]
pub struct RecordedBody {
    /// Its shape, body frame.
    pub shape: Arc<Shape>,
    /// State, mass and material.
    pub body: Body,
}

/// Why there are no recorded bodies.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The recorded bodies cannot be read.
    #[error("the recorded bodies cannot be read: {0}")]
    Data(#[from] serde_json::Error),
    /// There are none of the scene.
    #[error("there are no recorded bodies of {0}; use the procedural ones")]
    NotRecorded(String),
    /// A body names a shape that is not there.
    #[error("{scene} has a recorded body with shape {shape}, but {shapes} shapes")]
    Shape {
        /// The scene.
        scene: String,
        /// The shape that the body names.
        shape: usize,
        /// How many there are.
        shapes: usize,
    },
    /// The tetrahedra do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] TetrahedralMeshError),
    /// State or mass are not those of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The material is not in the table.
    #[error(transparent)]
    Material(#[from] MaterialError),
}

#[derive(Deserialize)]
struct CasesFile {
    cases: BTreeMap<String, CaseForm>,
}

#[derive(Deserialize)]
struct CaseForm {
    bodies: Vec<BodyForm>,
}

#[derive(Deserialize)]
struct BodyForm {
    #[serde(flatten)]
    state: StateForm,
    #[serde(flatten)]
    shape: ShapeForm,
}

#[derive(Deserialize)]
struct StructuresFile {
    scenes: BTreeMap<String, StructureForm>,
}

#[derive(Deserialize)]
struct StructureForm {
    shapes: Vec<ShapeForm>,
    bodies: Vec<StoneForm>,
}

#[derive(Deserialize)]
struct StoneForm {
    /// Which of the shapes.
    shape: usize,
    #[serde(flatten)]
    state: StateForm,
}

#[derive(Deserialize)]
struct ShapeForm {
    vertices: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    eroded_vertices: Vec<DVec3>,
    /// Missing where it is as in the plain mesh.
    eroded_tetrahedra: Option<Vec<[u32; 4]>>,
}

#[derive(Deserialize)]
struct StateForm {
    fixed: bool,
    material: String,
    mass: f64,
    inertia: DVec3,
    position: DVec3,
    /// s, x, y, z.
    orientation: [f64; 4],
    #[serde(default)]
    velocity: DVec3,
}

impl StateForm {
    fn body(self, materials: &MaterialTable) -> Result<Body, RecordedError> {
        let material = materials.id(&self.material)?;
        let body = if self.fixed { Body::fixed(material) } else { Body::dynamic(self.mass, self.inertia, material)? };
        let mut body = body.moving(self.velocity, DVec3::ZERO)?;
        body.position = self.position;
        // As recorded, to the last bit: normalising it here would round it differently.
        let [s, x, y, z] = self.orientation;
        body.orientation = DQuat::from_xyzw(x, y, z, s);
        Ok(body)
    }
}

impl ShapeForm {
    /// The shape, with the one that was eroded for the method of closest points.
    fn shape(self) -> Result<Arc<Shape>, RecordedError> {
        let eroded_tetrahedra = self.eroded_tetrahedra.unwrap_or_else(|| self.tetrahedra.clone());
        let plain = TetrahedralMesh::new(self.vertices, self.tetrahedra)?;
        let eroded = TetrahedralMesh::new(self.eroded_vertices, eroded_tetrahedra)?;
        let eroded = Arc::new(Shape::from_mesh(eroded));
        Ok(Arc::new(Polyhedron::from_mesh(plain).with_eroded(eroded).into()))
    }
}

/// The bodies of a fundamental case, by its name, in the order of their ids. Their materials, by names, are in the table.
///
/// # Errors
/// [`RecordedError`].
pub fn case(name: &str, materials: &MaterialTable) -> Result<Vec<RecordedBody>, RecordedError> {
    let mut file: CasesFile = serde_json::from_str(CASES)?;
    let recorded = file.cases.remove(name).ok_or_else(|| RecordedError::NotRecorded(name.into()))?;
    let body = |recorded: BodyForm| {
        let shape = recorded.shape.shape()?;
        Ok(RecordedBody { shape, body: recorded.state.body(materials)? })
    };
    recorded.bodies.into_iter().map(body).collect()
}

/// The bodies of a structure ("pillar", "wall", "arch"), in the order of their ids. Their materials, by names, are in the
/// table.
///
/// # Errors
/// [`RecordedError`].
pub fn structure(name: &str, materials: &MaterialTable) -> Result<Vec<RecordedBody>, RecordedError> {
    let mut file: StructuresFile = serde_json::from_str(STRUCTURES)?;
    let recorded = file.scenes.remove(name).ok_or_else(|| RecordedError::NotRecorded(name.into()))?;
    let shapes: Vec<Arc<Shape>> = recorded.shapes.into_iter().map(ShapeForm::shape).collect::<Result<_, _>>()?;
    let body = |stone: StoneForm| {
        let missing = || RecordedError::Shape { scene: name.into(), shape: stone.shape, shapes: shapes.len() };
        let shape = shapes.get(stone.shape).cloned().ok_or_else(missing)?;
        Ok(RecordedBody { shape, body: stone.state.body(materials)? })
    };
    recorded.bodies.into_iter().map(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_there() {
        let file: CasesFile = serde_json::from_str(CASES).unwrap();
        assert_eq!(file.cases.len(), 10);
        assert!(file.cases.values().all(|case| case.bodies.len() == 2));
        let structures: StructuresFile = serde_json::from_str(STRUCTURES).unwrap();
        let counts = structures.scenes.iter().map(|(name, scene)| (name.as_str(), scene.bodies.len()));
        assert_eq!(counts.collect::<Vec<_>>(), [("arch", 14), ("pillar", 8), ("wall", 81)]);
    }

    #[test]
    fn an_unknown_scene_is_named() {
        let materials = MaterialTable::new();
        for error in [case("box", &materials).unwrap_err(), structure("box", &materials).unwrap_err()] {
            assert_eq!(error.to_string(), "there are no recorded bodies of box; use the procedural ones");
        }
    }
}
