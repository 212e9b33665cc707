//! Erosion and shrinking: slightly smaller copies of a solid, as the closest-points method needs them.
//!
//! Source: Erleben 2018, "Methodology for assessing mesh-based contact point methods", as its published program does
//! it: shapes made from hulls are eroded by ε along vertex normals, other meshes are scaled by 0.99.

use glam::DVec3;
use thiserror::Error;

use super::surface::{Surface, SurfaceError};
use super::tetrahedral_mesh::{TetrahedralMesh, TetrahedralMeshError};

/// Why a solid could not be eroded or shrunk.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ErosionError {
    /// The depth is negative or not finite.
    #[error("the erosion depth is {depth} m; it must be finite and not negative")]
    Depth {
        /// The depth given, m.
        depth: f64,
    },
    /// The factor is not in (0, 1].
    #[error("the shrinking factor is {factor}; it must be above 0 and at most 1")]
    Factor {
        /// The factor given.
        factor: f64,
    },
    /// A vertex has no normal to move along.
    #[error("vertex {vertex} of the surface at {position} has no normal: the normals of its triangles cancel")]
    NoNormal {
        /// The first such vertex, by its index in the surface.
        vertex: u32,
        /// Its position, m.
        position: DVec3,
    },
    /// The smaller surface is not valid.
    #[error("the surface is no longer valid after erosion or shrinking by {amount}: {source}; use less")]
    Surface {
        /// The depth in m, or the factor.
        amount: f64,
        /// What is wrong with it.
        source: SurfaceError,
    },
    /// The smaller mesh is not valid.
    #[error("the mesh is no longer valid after erosion or shrinking by {amount}: {source}; use less")]
    Mesh {
        /// The depth in m, or the factor.
        amount: f64,
        /// What is wrong with it.
        source: TetrahedralMeshError,
    },
}

impl Surface {
    /// The surface with every vertex moved inward by `depth` (m) along its angle-weighted unit normal
    /// ([`Surface::vertex_normals`]). A cube's faces so recede by depth/√3.
    pub fn eroded(&self, depth: f64) -> Result<Self, ErosionError> {
        let vertices = eroded_vertices(self, depth)?;
        Self::new(vertices, self.triangles().to_vec()).map_err(|source| ErosionError::Surface { amount: depth, source })
    }

    /// The surface scaled by a factor in (0, 1] about the mean of its vertices.
    pub fn shrunk(&self, factor: f64) -> Result<Self, ErosionError> {
        Self::new(scaled(self.vertices(), factor)?, self.triangles().to_vec())
            .map_err(|source| ErosionError::Surface { amount: factor, source })
    }
}

impl TetrahedralMesh {
    /// The mesh with every vertex on the surface moved inward by `depth` (m) as by [`Surface::eroded`]; interior
    /// vertices and all numbers stay.
    pub fn eroded(&self, depth: f64) -> Result<Self, ErosionError> {
        let mut vertices = self.vertices().to_vec();
        for (position, &vertex) in eroded_vertices(self.surface(), depth)?.into_iter().zip(self.surface_vertices()) {
            vertices[vertex as usize] = position;
        }
        self.with_vertices(vertices).map_err(|source| ErosionError::Mesh { amount: depth, source })
    }

    /// The mesh scaled by a factor in (0, 1] about the mean of all its vertices, interior ones included.
    pub fn shrunk(&self, factor: f64) -> Result<Self, ErosionError> {
        self.with_vertices(scaled(self.vertices(), factor)?)
            .map_err(|source| ErosionError::Mesh { amount: factor, source })
    }
}

fn eroded_vertices(surface: &Surface, depth: f64) -> Result<Vec<DVec3>, ErosionError> {
    if !(depth.is_finite() && depth >= 0.0) {
        return Err(ErosionError::Depth { depth });
    }
    let moved = |(vertex, (&position, normal)): (u32, (&DVec3, DVec3))| {
        if normal == DVec3::ZERO {
            return Err(ErosionError::NoNormal { vertex, position });
        }
        Ok(position - depth * normal)
    };
    (0..).zip(surface.vertices().iter().zip(surface.vertex_normals())).map(moved).collect()
}

fn scaled(vertices: &[DVec3], factor: f64) -> Result<Vec<DVec3>, ErosionError> {
    if !(factor > 0.0 && factor <= 1.0) {
        return Err(ErosionError::Factor { factor });
    }
    let mean = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    Ok(vertices.iter().map(|&p| mean + factor * (p - mean)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{cone::cone_from_kernel, sample};

    #[test]
    fn cube_faces_recede_by_the_depth_over_root_three() {
        let eroded = sample::cuboid(DVec3::ONE, DVec3::ONE).eroded(0.01).unwrap();
        let half = 1.0 - 0.01 / 3.0_f64.sqrt();
        assert!((eroded.volume() - 8.0 * half.powi(3)).abs() < 1e-13);
        let (low, high) = eroded.bounds();
        assert!((high - low - DVec3::splat(2.0 * half)).length() < 1e-14);
    }

    #[test]
    fn meshes_erode_like_their_surfaces_and_keep_their_numbers() {
        let surface = sample::l_prism();
        let mesh = cone_from_kernel(&surface).unwrap();
        let eroded = mesh.eroded(0.05).unwrap();
        assert_eq!(eroded.surface(), &surface.eroded(0.05).unwrap());
        assert_eq!(eroded.tetrahedra(), mesh.tetrahedra());
        assert_eq!(eroded.vertices().last(), mesh.vertices().last());
    }

    #[test]
    fn shrinking_scales_about_the_mean_of_all_vertices() {
        let mesh = cone_from_kernel(&sample::l_prism()).unwrap();
        let shrunk = mesh.shrunk(0.99).unwrap();
        assert!((shrunk.volume() - 0.99_f64.powi(3) * mesh.volume()).abs() < 1e-13);
        let mean = |m: &TetrahedralMesh| m.vertices().iter().sum::<DVec3>() / m.vertices().len() as f64;
        assert!((mean(&shrunk) - mean(&mesh)).length() < 1e-14);
        let surface = sample::u_prism().shrunk(0.5).unwrap();
        assert!((surface.volume() - 0.625).abs() < 1e-14);
    }

    #[test]
    fn no_depth_and_no_shrinking_change_nothing() {
        let mesh = cone_from_kernel(&sample::l_prism()).unwrap();
        assert_eq!(mesh.eroded(0.0).unwrap(), mesh);
    }

    #[test]
    fn too_much_erosion_is_an_error() {
        let plate = sample::cuboid(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.01));
        assert!(matches!(plate.eroded(0.1), Err(ErosionError::Surface { .. })));
        let mesh = cone_from_kernel(&plate).unwrap();
        assert!(matches!(
            mesh.eroded(0.1),
            Err(ErosionError::Mesh { source: TetrahedralMeshError::NotPositive { .. }, .. })
        ));
        for depth in [-0.1, f64::NAN] {
            assert!(matches!(plate.eroded(depth), Err(ErosionError::Depth { .. })));
        }
        for factor in [0.0, -1.0, 1.1, f64::NAN] {
            assert!(matches!(mesh.shrunk(factor), Err(ErosionError::Factor { .. })));
        }
    }
}
