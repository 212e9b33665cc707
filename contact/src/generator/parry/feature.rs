//! What the features that parry names are in our meshes.
//!
//! - A vertex is that vertex of the mesh, in all forms.
//! - An edge is that edge of the mesh. One of the hull may join vertices between which the mesh has none.
//! - A face of a triangle mesh or of a tetrahedron is that face of the mesh. A face of the hull joins all triangles of
//!   a
//!   plane, and may bridge a hollow.
//! - Some points of a manifold have no feature at all: those that come from the search for the closest points.
//!
//! What is none of the mesh's is named by the part that it belongs to, its triangle or its tetrahedron. The hull has no
//! parts: there it is the surface face that the contact's point on the body is on (within [`SAME`]; where several
//! meet, one of them), and where the point is on none, because the hull is not the body there, the tetrahedron behind
//! the nearest one.

use glam::DVec3;
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::FeatureId;

use super::Form;
use crate::contact::Feature;
use crate::generator::SAME;
use crate::shape::Polyhedron;
use crate::shape::parry_shapes::guarded;
use crate::shape::tetrahedral_mesh::{EDGE_CORNERS, TetrahedralMesh};

/// A polyhedron and its tetrahedra.
pub type Solid<'s> = (&'s Polyhedron, &'s TetrahedralMesh);

/// The feature of a manifold point: `part` is the part of the compound or triangle mesh, `point` its place in the body
/// frame, m.
pub fn feature(form: Form, (shape, mesh): Solid<'_>, part: u32, point: DVec3, named: FeatureId) -> Feature {
    match form {
        Form::Convex => of_hull((shape, mesh), point, named),
        Form::TriangleMesh => of_triangle(mesh, part, named),
        Form::Compound => of_tetrahedron((shape, mesh), part, named),
    }
}

fn of_hull((shape, mesh): Solid<'_>, point: DVec3, named: FeatureId) -> Feature {
    let hull = shape.parry().hull(mesh);
    let known = hull.and_then(|hull| match named {
        FeatureId::Vertex(v) => hull.vertices.get(v as usize).map(|&v| Feature::Vertex(v)),
        FeatureId::Edge(e) => hull.edges.get(e as usize).copied().flatten().map(Feature::Edge),
        FeatureId::Face(_) | FeatureId::Unknown => None,
    });
    known.unwrap_or_else(|| nearest((shape, mesh), point))
}

/// The surface face that a point is on, or the tetrahedron behind the nearest one; the first, should parry not find it.
fn nearest((shape, mesh): Solid<'_>, point: DVec3) -> Feature {
    let project = || {
        let triangles = shape.parry().triangles(mesh)?;
        Some(triangles.project_local_point_and_get_location(point, false))
    };
    let Some((projection, (triangle, _))) = guarded(project) else { return Feature::Tetrahedron(0) };
    let face = mesh.surface_faces()[triangle as usize];
    match projection.point.distance(point) <= SAME {
        true => Feature::Face(face),
        false => Feature::Tetrahedron(mesh.faces()[face as usize].front.tetrahedron),
    }
}

fn of_triangle(mesh: &TetrahedralMesh, triangle: u32, named: FeatureId) -> Feature {
    let face = mesh.surface_faces()[triangle as usize];
    let vertices = mesh.faces()[face as usize].vertices;
    let edge = |e: usize| {
        let ends = [vertices[e], vertices[(e + 1) % 3]];
        edge_between(mesh, mesh.faces()[face as usize].front.tetrahedron, ends)
    };
    match named {
        FeatureId::Vertex(v @ 0..3) => Feature::Vertex(vertices[v as usize]),
        FeatureId::Edge(e @ 0..3) => edge(e as usize).map_or(Feature::Face(face), Feature::Edge),
        _ => Feature::Face(face),
    }
}

fn of_tetrahedron((shape, mesh): Solid<'_>, tetrahedron: u32, named: FeatureId) -> Feature {
    let whole = Feature::Tetrahedron(tetrahedron);
    let Some(compound) = shape.parry().tetrahedra(mesh) else { return whole };
    let Some(polyhedron) = compound.shapes()[tetrahedron as usize].1.as_convex_polyhedron() else { return whole };
    let corners = mesh.tetrahedra()[tetrahedron as usize];
    let known = match named {
        FeatureId::Vertex(v) => corners.get(v as usize).map(|&v| Feature::Vertex(v)),
        FeatureId::Edge(e) => polyhedron.edges().get(e as usize).and_then(|edge| {
            edge_between(mesh, tetrahedron, edge.vertices.map(|v| corners[v as usize])).map(Feature::Edge)
        }),
        FeatureId::Face(f) => polyhedron.faces().get(f as usize).and_then(|face| {
            let first = face.first_vertex_or_edge as usize;
            let used = &polyhedron.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize];
            let opposite = (0..4).find(|v| !used.contains(v))?;
            Some(Feature::Face(mesh.tetrahedron_faces()[tetrahedron as usize][opposite as usize]))
        }),
        FeatureId::Unknown => None,
    };
    known.unwrap_or(whole)
}

/// The edge of a tetrahedron between two of its vertices.
fn edge_between(mesh: &TetrahedralMesh, tetrahedron: u32, ends: [u32; 2]) -> Option<u32> {
    let corners = mesh.tetrahedra()[tetrahedron as usize];
    let joins = |[p, q]: &[usize; 2]| [[corners[*p], corners[*q]], [corners[*q], corners[*p]]].contains(&ends);
    let edge = EDGE_CORNERS.iter().position(joins)?;
    Some(mesh.tetrahedron_edges()[tetrahedron as usize][edge])
}
