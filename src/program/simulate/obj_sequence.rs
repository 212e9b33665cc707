//! The surfaces of all bodies, or deformable surfaces, as one OBJ file a step.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use glam::DVec3;

use crate::contact::shape::mesh_file::{self, MeshFile};
use crate::engine::simulator::Simulator;
use crate::engine::vtk::{Cells, PolyData, body_surfaces, deformed_surfaces};

/// A folder of OBJ files.
pub struct ObjSequence(PathBuf);

impl ObjSequence {
    /// Begins; makes the folder if it is not there. One with frames of another run is refused: they would be taken for those of this one.
    pub fn create(folder: &Path, simulator: &dyn Simulator) -> Result<Self> {
        if surfaces(simulator).1.is_empty() {
            bail!("--export-obj writes triangles, and there are only particles here; --export-vtk writes points");
        }
        if let Some(step) = last_frame(folder).filter(|&last| last > simulator.steps() || simulator.steps() == 0) {
            bail!(
                "--export-obj: {} has frames of another run, {} the last; remove them or give another folder",
                folder.display(),
                name(step)
            );
        }
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self(folder.into()))
    }

    /// Writes the present state, in the world, m. Vertices keep their order.
    pub fn add(&self, simulator: &dyn Simulator) -> Result<()> {
        let (vertices, triangles) = surfaces(simulator);
        let mesh = MeshFile { vertices, triangles, tetrahedra: Vec::new() };
        Ok(mesh_file::write(self.0.join(name(simulator.steps())), &mesh)?)
    }
}

/// The file of a step.
fn name(step: u64) -> String {
    format!("{step:06}.obj")
}

/// The last step that a folder has a file of.
fn last_frame(folder: &Path) -> Option<u64> {
    let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let step = |file: String| file.strip_suffix(".obj")?.parse().ok().filter(|&step| name(step) == file);
    names.filter_map(step).max()
}

/// Vertices in the world, m, and triangles.
fn surfaces(simulator: &dyn Simulator) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let meshes = simulator.deformable_meshes();
    let PolyData { points, cells, .. } = match meshes.is_empty() {
        true => body_surfaces(simulator.bodies(), simulator.shapes().into_iter().map(|shape| shape.triangles())),
        false => deformed_surfaces(&meshes),
    };
    let triangles = match cells {
        Cells::Triangles(triangles) => triangles.into_iter().map(|corners| corners.map(|v| v as u32)).collect(),
        Cells::Points => Vec::new(),
    };
    (points, triangles)
}
