//! Bodies as the simulator PROX feeds them to its contact detection: single precision, tetrahedra by TetGen 1.4.3. Data
//! with source and licence: of the ten cases in `data/recorded_bodies.json`; of Pillar, Wall and Arch in
//! `data/recorded_structures.json`, where bodies share shapes and are at rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::shape::{Shape, TetrahedralMesh};
use drystone_engine::{Body, MaterialTable};
use glam::{DQuat, DVec3};
use serde::Deserialize;

use crate::cases::Case;
use crate::scene::{BodyProblem, SceneBody};

const CASES: &str = include_str!("../data/recorded_bodies.json");
const STRUCTURES: &str = include_str!("../data/recorded_structures.json");

#[derive(Deserialize)]
struct RecordedFile {
    cases: BTreeMap<String, RecordedCase>,
}

#[derive(Deserialize)]
struct RecordedCase {
    bodies: Vec<RecordedBody>,
}

#[derive(Deserialize)]
struct RecordedBody {
    #[serde(flatten)]
    state: RecordedState,
    #[serde(flatten)]
    shape: RecordedShape,
}

/// The bodies of a case.
pub fn bodies(case: Case, materials: &MaterialTable) -> Result<Vec<SceneBody>, BodyProblem> {
    let mut file: RecordedFile = serde_json::from_str(CASES)?;
    let recorded = file.cases.remove(case.name()).ok_or(BodyProblem::NotRecorded(case.to_string()))?;
    recorded.bodies.into_iter().zip(case.body_names()).map(|(body, name)| scene_body(name, body, materials)).collect()
}

fn scene_body(name: &str, recorded: RecordedBody, materials: &MaterialTable) -> Result<SceneBody, BodyProblem> {
    let [shape, eroded] = shapes(recorded.shape)?;
    Ok(SceneBody {
        name: name.into(),
        shape,
        eroded: Some(eroded),
        body: recorded.state.body(materials)?,
        script: None,
    })
}

#[derive(Deserialize)]
struct StructureFile {
    scenes: BTreeMap<String, Structure>,
}

#[derive(Deserialize)]
struct Structure {
    shapes: Vec<RecordedShape>,
    bodies: Vec<Stone>,
}

#[derive(Deserialize)]
struct RecordedShape {
    vertices: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    eroded_vertices: Vec<DVec3>,
    /// Missing where it is as in the plain mesh.
    eroded_tetrahedra: Option<Vec<[u32; 4]>>,
}

#[derive(Deserialize)]
struct Stone {
    /// Which of the shapes.
    shape: usize,
    #[serde(flatten)]
    state: RecordedState,
}

#[derive(Deserialize)]
struct RecordedState {
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

impl RecordedState {
    fn body(self, materials: &MaterialTable) -> Result<Body, BodyProblem> {
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

/// The shape and the eroded one.
fn shapes(recorded: RecordedShape) -> Result<[Arc<Shape>; 2], BodyProblem> {
    let eroded_tetrahedra = recorded.eroded_tetrahedra.unwrap_or_else(|| recorded.tetrahedra.clone());
    let plain = TetrahedralMesh::new(recorded.vertices, recorded.tetrahedra)?;
    let eroded = TetrahedralMesh::new(recorded.eroded_vertices, eroded_tetrahedra)?;
    Ok([plain, eroded].map(|mesh| Arc::new(Shape::from_mesh(mesh))))
}

/// The bodies of a structure, with these names in the order of their ids.
pub fn structure(scene: &str, names: &[&str], materials: &MaterialTable) -> Result<Vec<SceneBody>, BodyProblem> {
    let mut file: StructureFile = serde_json::from_str(STRUCTURES)?;
    let recorded = file.scenes.remove(scene).ok_or_else(|| BodyProblem::NotRecorded(scene.into()))?;
    let (names_count, bodies) = (names.len(), recorded.bodies.len());
    let mismatch = || BodyProblem::RecordedBodies { scene: scene.into(), names: names_count, bodies };
    if names_count != bodies {
        return Err(mismatch());
    }
    let shapes: Vec<[Arc<Shape>; 2]> = recorded.shapes.into_iter().map(shapes).collect::<Result<_, _>>()?;
    let body = |(stone, name): (Stone, &&str)| {
        let [shape, eroded] = shapes.get(stone.shape).cloned().ok_or_else(mismatch)?;
        let body = stone.state.body(materials)?;
        Ok(SceneBody { name: (*name).into(), shape, eroded: Some(eroded), body, script: None })
    };
    recorded.bodies.into_iter().zip(names).map(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_there() {
        let file: RecordedFile = serde_json::from_str(CASES).unwrap();
        assert_eq!(file.cases.len(), Case::ALL.len());
        for case in Case::ALL {
            assert_eq!(file.cases[case.name()].bodies.len(), 2, "{case}");
        }
        let structures: StructureFile = serde_json::from_str(STRUCTURES).unwrap();
        let counts = structures.scenes.iter().map(|(name, scene)| (name.as_str(), scene.bodies.len()));
        assert_eq!(counts.collect::<Vec<_>>(), [("arch", 14), ("pillar", 8), ("wall", 81)]);
    }
}
