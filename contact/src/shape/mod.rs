//! Shapes: polyhedra, primitives, general solids, compounds, height fields and triangle meshes, and what follows from them.
//!
//! A [`Surface`] is a checked closed triangle surface, a [`Polyhedron`] the solid within one, a [`Primitive`] a solid in
//! closed form, a [`Solid`](crate::solid::Solid) one of any other representation. A [`Compound`] is
//! the union of placed polyhedra and primitives; a [`HeightField`] or a [`TriangleMesh`] is a surface for bodies that stay where they are. A [`Shape`] is any of these: what the rest of the engine uses. Tetrahedra, convex pieces and eroded copies
//! of a polyhedron are derived when a contact method asks for them. Lengths are in metres, and every shape stays in the
//! frame in which it was given.
//!
//! ```
//! use drystone_contact::shape::{Polyhedron, Surface, TetrahedralizationSettings};
//! use glam::DVec3;
//!
//! let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
//! let surface = Surface::new(vertices, triangles)?;
//! let solid = Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default())?;
//! assert_eq!(solid.features().facets().len(), 4);
//! assert!((solid.mass_properties(6000.0)?.mass - 1000.0).abs() < 1e-9);
//! assert_eq!(solid.mesh()?.tetrahedra().len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bounding_tree;
mod compound;
pub mod cone;
pub mod convex_core;
mod derived;
pub mod erosion;
pub mod features;
mod general;
pub mod kernel;
pub mod mass_properties;
mod mesh_error;
pub mod mesh_file;
mod mesh_topology;
mod nesting;
pub mod open_surface;
#[cfg(feature = "peers")]
pub mod parry_shapes;
pub mod polyhedron;
pub mod predicate;
pub mod primitive;
pub mod refinement;
pub mod self_intersection;
pub(crate) mod separating_axes;
#[allow(clippy::module_inception)]
mod shape;
mod shape_error;
pub mod surface;
mod surface_error;
mod surface_topology;
pub mod tetgen;
#[cfg(feature = "mesh-files")]
mod tetgen_input;
pub mod tetrahedral_mesh;
mod winding_number;

pub use bounding_tree::{BoundingTree, PlacedTree, overlapping_elements};
pub use compound::{Compound, CompoundPart};
pub use cone::ConeError;
pub use derived::Tetrahedra;
pub use erosion::ErosionError;
pub use features::{FeatureId, Features};
pub use general::GeneralShape;
pub use kernel::Kernel;
pub use mass_properties::{MassProperties, MassPropertiesError};
pub use open_surface::{HeightField, MeshFromFileError, MeshSides, OpenSurface, OpenSurfaceError, TriangleMesh};
#[cfg(feature = "peers")]
pub use parry_shapes::{ParryHull, ParryShapes};
pub use polyhedron::{Polyhedron, ShapeOrigin, TetrahedralizationSettings, Tetrahedralizer};
pub use primitive::{
    Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Primitive, RoundedBox, SurfacePoint, primitive,
};
pub(crate) use shape::Form;
pub use shape::{BodyShape, BodyShapeError, PrimitiveShape, Shape, Triangles};
pub use shape_error::ShapeError;
pub use surface::{Surface, SurfaceEdge, SurfaceError};
pub use tetgen::{TetgenError, TetgenSettings};
pub use tetrahedral_mesh::{FaceSide, MeshFace, MeshMismatch, TetrahedralMesh, TetrahedralMeshError};

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tetrahedralization_properties;
