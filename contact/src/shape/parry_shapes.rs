//! A solid in the forms that the parry library knows: its convex hull, its surface as a triangle mesh, its tetrahedra as
//! a compound. The peers among the [methods](crate::generator::parry) look at them.
//!
//! Each form is made when it is first asked for, since most shapes never meet a peer, and kept with the shape. It is a
//! function of the mesh alone. Some of parry's constructors panic where rounding defeats them, on slivers and on sizes
//! beyond any scene; such a form does not exist, as one that they refuse.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use glamx::DPose3;
use parry3d_f64::shape::{Compound, CompoundFlags, ConvexPolyhedron, SharedShape, TriMesh, TriMeshFlags};
use parry3d_f64::transformation::try_convex_hull;

use super::tetrahedral_mesh::{FACE_CORNERS, TetrahedralMesh};
use crate::sorting::inserted;

/// The forms of a shape that parry knows. Equal to any other: whether it has been made says nothing about the shape.
#[derive(Clone, Default)]
pub struct ParryShapes {
    hull: OnceLock<Option<Arc<ParryHull>>>,
    triangles: OnceLock<Option<Arc<TriMesh>>>,
    tetrahedra: OnceLock<Option<Arc<Compound>>>,
}

impl PartialEq for ParryShapes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for ParryShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParryShapes").finish_non_exhaustive()
    }
}

/// The convex hull of a mesh.
#[derive(Debug)]
pub struct ParryHull {
    /// The hull, in the frame of the mesh, m.
    pub polyhedron: ConvexPolyhedron,
    /// The mesh vertex of each of its vertices.
    pub vertices: Vec<u32>,
    /// The mesh edge of each of its edges; `None` where the mesh has no edge between these vertices.
    pub edges: Vec<Option<u32>>,
}

impl ParryShapes {
    /// The convex hull of a mesh; `None` if parry makes none.
    pub fn hull(&self, mesh: &TetrahedralMesh) -> Option<&ParryHull> {
        self.hull.get_or_init(|| guarded(|| hull(mesh)).map(Arc::new)).as_deref()
    }

    /// The surface of a mesh with the same numbers of triangles, its normals kept within those of adjacent triangles
    /// (`FIX_INTERNAL_EDGES`); `None` if parry makes none.
    pub fn triangles(&self, mesh: &TetrahedralMesh) -> Option<&TriMesh> {
        self.triangles.get_or_init(|| guarded(|| triangles(mesh)).map(Arc::new)).as_deref()
    }

    /// The tetrahedra of a mesh with the same numbers, their normals kept within those of the outer surface
    /// (`FIX_INTERNAL_EDGES`); `None` if parry refuses any of them.
    pub fn tetrahedra(&self, mesh: &TetrahedralMesh) -> Option<&Compound> {
        self.tetrahedra.get_or_init(|| guarded(|| tetrahedra(mesh)).map(Arc::new)).as_deref()
    }
}

/// The outcome of work that parry may give up by a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

fn hull(mesh: &TetrahedralMesh) -> Option<ParryHull> {
    let bits = |p: glam::DVec3| (p + 0.0).to_array().map(f64::to_bits);
    let points: Vec<_> = mesh.surface_vertices().iter().map(|&v| mesh.vertices()[v as usize]).collect();
    let (corners, triangles) = try_convex_hull(&points).ok()?;
    let polyhedron = ConvexPolyhedron::from_convex_mesh(corners, &triangles).filter(|p| !p.faces().is_empty())?;
    let numbers: BTreeMap<_, u32> =
        inserted(mesh.surface_vertices().iter().rev().map(|&v| (bits(mesh.vertices()[v as usize]), v)));
    let vertices: Vec<u32> =
        polyhedron.points().iter().map(|&p| numbers.get(&bits(p)).copied()).collect::<Option<_>>()?;
    let edges: BTreeMap<[u32; 2], u32> = inserted(mesh.edges().iter().zip(0..).map(|(&ends, e)| (ends, e)));
    let edges = polyhedron.edges().iter().map(|edge| {
        let mut ends = edge.vertices.map(|v| vertices[v as usize]);
        ends.sort_unstable();
        edges.get(&ends).copied()
    });
    Some(ParryHull { edges: edges.collect(), vertices, polyhedron })
}

fn triangles(mesh: &TetrahedralMesh) -> Option<TriMesh> {
    let surface = mesh.surface();
    let (vertices, triangles) = (surface.vertices().to_vec(), surface.triangles().to_vec());
    TriMesh::with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES).ok()
}

fn tetrahedra(mesh: &TetrahedralMesh) -> Option<Compound> {
    let faces = FACE_CORNERS.map(|face| face.map(|v| v as u32));
    let part = |t: u32| {
        let polyhedron = ConvexPolyhedron::from_convex_mesh(mesh.corners(t).to_vec(), &faces)?;
        (!polyhedron.faces().is_empty()).then(|| (DPose3::IDENTITY, SharedShape::new(polyhedron)))
    };
    let parts: Option<Vec<_>> = (0..mesh.tetrahedra().len() as u32).map(part).collect();
    Some(Compound::with_flags(parts?, CompoundFlags::FIX_INTERNAL_EDGES, None))
}
