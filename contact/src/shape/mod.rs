//! Shapes: closed triangle surfaces, the tetrahedra inside them, and what follows from both.
//!
//! A [`Surface`] is a checked closed triangle surface. A [`TetrahedralMesh`] fills one with tetrahedra. A [`Shape`] is
//! what the rest of the engine uses: a mesh, its boundary and a record of who made it. Lengths are in metres, and every
//! shape stays in the frame in which it was given.

pub mod cone;
pub mod erosion;
pub mod kernel;
pub mod mass_properties;
mod mesh_error;
mod mesh_topology;
pub mod predicate;
pub mod self_intersection;
#[allow(clippy::module_inception)]
mod shape;
pub mod surface;
mod surface_error;
mod surface_topology;
pub mod tetgen;
mod tetgen_files;
pub mod tetrahedral_mesh;

pub use cone::ConeError;
pub use erosion::ErosionError;
pub use kernel::Kernel;
pub use mass_properties::{MassProperties, MassPropertiesError};
pub use shape::{Shape, ShapeError, ShapeOrigin, TetrahedralizationSettings, Tetrahedralizer};
pub use surface::{Surface, SurfaceEdge, SurfaceError};
pub use tetgen::{TetgenError, TetgenSettings};
pub use tetrahedral_mesh::{
    FaceSide, MeshFace, MeshMismatch, TetrahedralMesh, TetrahedralMeshError,
};

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tetrahedralization_properties;
