//! The surfaces of all bodies, or deformable surfaces, as one OBJ file a step.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::contact::shape::mesh_file::{self, MeshFile};
use crate::engine::simulator::Simulator;
use crate::engine::vtk::{Cells, PolyData, body_surfaces, deformed_surfaces};

/// A folder of OBJ files.
pub struct ObjSequence(PathBuf);

impl ObjSequence {
    /// Begins; makes the folder if it is not there.
    pub fn create(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Self(folder.into()))
    }

    /// Writes the present state, in the world, m. Vertices keep their order.
    pub fn add(&self, simulator: &dyn Simulator) -> Result<()> {
        let meshes = simulator.deformable_meshes();
        let PolyData { points, cells, .. } = match meshes.is_empty() {
            true => body_surfaces(simulator.bodies(), simulator.shapes().into_iter().map(|shape| shape.triangles())),
            false => deformed_surfaces(&meshes),
        };
        let triangles = match cells {
            Cells::Triangles(triangles) => triangles.into_iter().map(|corners| corners.map(|v| v as u32)).collect(),
            Cells::Points => Vec::new(),
        };
        let mesh = MeshFile { vertices: points, triangles, tetrahedra: Vec::new() };
        Ok(mesh_file::write(self.0.join(format!("{:06}.obj", simulator.steps())), &mesh)?)
    }
}
