//! What can be wrong with a tetrahedral mesh, and how it can differ from a surface.

use glam::DVec3;
use thiserror::Error;

use super::surface::{MAXIMUM_COORDINATE, SurfaceError};
use super::tetrahedral_mesh::FaceSide;

/// What is wrong with a tetrahedral mesh, and where. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TetrahedralMeshError {
    /// No tetrahedra.
    #[error("the mesh has no tetrahedra")]
    NoTetrahedra,
    /// More vertices or tetrahedra than indices can count.
    #[error("the mesh has {count} vertices or tetrahedra; at most 2^28 can be numbered")]
    TooLarge {
        /// The number given.
        count: usize,
    },
    /// A coordinate is NaN, infinite or too large.
    #[error("mesh vertex {vertex} is at {position}; coordinates must be finite and at most {MAXIMUM_COORDINATE:e} m")]
    UnusableCoordinate {
        /// The first such vertex.
        vertex: u32,
        /// Its position, m.
        position: DVec3,
    },
    /// A tetrahedron names a vertex that does not exist.
    #[error("tetrahedron {tetrahedron} refers to vertex {vertex}, but the mesh has only {vertices} vertices")]
    IndexOutOfRange {
        /// The first such tetrahedron.
        tetrahedron: u32,
        /// The index that it holds.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A tetrahedron is flat or has its vertices in the wrong order.
    #[error(
        "tetrahedron {tetrahedron} with vertices {corners:?} {}", 
        if *flat { "has no volume; remove it" } else { "is inside out; swap two of its vertices" }
    )]
    NotPositive {
        /// The first such tetrahedron.
        tetrahedron: u32,
        /// Its vertices.
        corners: [u32; 4],
        /// Whether its volume is zero, not negative.
        flat: bool,
    },
    /// A vertex is in no tetrahedron.
    #[error("mesh vertex {vertex} is in no tetrahedron; remove it")]
    UnusedVertex {
        /// The first such vertex.
        vertex: u32,
    },
    /// A face has more than two tetrahedra.
    #[error("face {face:?} has more than two tetrahedra ({tetrahedra:?}); each face can have one or two")]
    CrowdedFace {
        /// The face's vertices, ascending.
        face: [u32; 3],
        /// The tetrahedra, ascending.
        tetrahedra: Vec<u32>,
    },
    /// Two tetrahedra lie on the same side of a face.
    #[error("tetrahedra {tetrahedra:?} lie on the same side of their common face {face:?}: they overlap")]
    SameSide {
        /// The face's vertices, ascending.
        face: [u32; 3],
        /// The two tetrahedra, ascending.
        tetrahedra: [u32; 2],
    },
    /// The boundary of the mesh is no valid surface.
    #[error(
        "the boundary of the mesh is not a valid surface{}: {source} (triangle numbers are those of the \
         boundary)", tetrahedron.map(|t| format!(" near tetrahedron {t}")).unwrap_or_default()
    )]
    Boundary {
        /// What is wrong with it; vertex numbers are the mesh's, triangle numbers the boundary's.
        source: SurfaceError,
        /// The tetrahedron behind the first offending boundary triangle.
        tetrahedron: Option<u32>,
    },
    /// The tetrahedra do not fill the boundary.
    #[error("the tetrahedra have a volume of {tetrahedra} m³, but the boundary of the mesh encloses {surface} m³")]
    VolumeMismatch {
        /// Sum of the tetrahedra's volumes, m³.
        tetrahedra: f64,
        /// Volume within the boundary, m³.
        surface: f64,
    },
}

/// How the boundary of a mesh differs from the surface that it should fill.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MeshMismatch {
    /// A surface triangle is not on the boundary of the mesh.
    #[error("triangle {triangle} of the surface is not a face on the boundary of the tetrahedral mesh")]
    MissingTriangle {
        /// The first such triangle.
        triangle: u32,
    },
    /// A face on the boundary of the mesh is no triangle of the surface.
    #[error("face {} of tetrahedron {} is on the boundary of the mesh but not a triangle of the surface", side.face, side.tetrahedron)]
    ExtraFace {
        /// The first such face.
        side: FaceSide,
    },
    /// The volumes differ.
    #[error("the tetrahedra have a volume of {mesh} m³, but the surface encloses {surface} m³")]
    Volume {
        /// Volume of the mesh, m³.
        mesh: f64,
        /// Volume of the surface, m³.
        surface: f64,
    },
}
