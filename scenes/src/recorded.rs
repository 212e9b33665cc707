//! The bodies of the ten cases as the simulator PROX feeds them to its contact detection (data with source and
//! licence in `data/recorded_bodies.json`): single precision, tetrahedra by TetGen 1.4.3.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::shape::{Shape, TetrahedralMesh};
use drystone_engine::{Body, MaterialTable};
use glam::{DQuat, DVec3};
use serde::Deserialize;

use crate::cases::Case;
use crate::scene::{BodyProblem, SceneBody};

const DATA: &str = include_str!("../data/recorded_bodies.json");

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
    fixed: bool,
    material: String,
    mass: f64,
    inertia: DVec3,
    position: DVec3,
    /// s, x, y, z.
    orientation: [f64; 4],
    velocity: DVec3,
    vertices: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    eroded_vertices: Vec<DVec3>,
    /// Missing where it is as in the plain mesh.
    eroded_tetrahedra: Option<Vec<[u32; 4]>>,
}

/// The bodies of a case.
pub fn bodies(case: Case, materials: &MaterialTable) -> Result<Vec<SceneBody>, BodyProblem> {
    let mut file: RecordedFile = serde_json::from_str(DATA)?;
    let recorded = file.cases.remove(case.name()).ok_or(BodyProblem::NotRecorded(case))?;
    recorded.bodies.into_iter().zip(case.body_names()).map(|(body, name)| scene_body(name, body, materials)).collect()
}

fn scene_body(name: &str, recorded: RecordedBody, materials: &MaterialTable) -> Result<SceneBody, BodyProblem> {
    let material = materials.id(&recorded.material)?;
    let mut body =
        if recorded.fixed { Body::fixed(material) } else { Body::dynamic(recorded.mass, recorded.inertia, material)? }
            .moving(recorded.velocity, DVec3::ZERO)?;
    body.position = recorded.position;
    // As recorded, to the last bit: normalising it here would round it differently.
    let [s, x, y, z] = recorded.orientation;
    body.orientation = DQuat::from_xyzw(x, y, z, s);
    let eroded_tetrahedra = recorded.eroded_tetrahedra.unwrap_or_else(|| recorded.tetrahedra.clone());
    let shape = Shape::from_mesh(TetrahedralMesh::new(recorded.vertices, recorded.tetrahedra)?);
    let eroded = Shape::from_mesh(TetrahedralMesh::new(recorded.eroded_vertices, eroded_tetrahedra)?);
    Ok(SceneBody { name: name.into(), shape: Arc::new(shape), eroded: Some(Arc::new(eroded)), body, script: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_there() {
        let file: RecordedFile = serde_json::from_str(DATA).unwrap();
        assert_eq!(file.cases.len(), Case::ALL.len());
        for case in Case::ALL {
            assert_eq!(file.cases[case.name()].bodies.len(), 2, "{case}");
        }
    }
}
