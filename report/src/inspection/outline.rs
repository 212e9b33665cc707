//! A shape as it is drawn: triangles, the edges of the shape and those of its triangulation.

use drystone_contact::shape::{Polyhedron, Shape, Triangles};
use glam::DVec3;

/// What is drawn of a shape; body frame, m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// The triangles of the surface, counter-clockwise seen from outside.
    pub triangles: Vec<[DVec3; 3]>,
    /// Their outward normals, unit.
    pub normals: Vec<DVec3>,
    /// The edges between facets: those that one sees.
    pub edges: Vec<[DVec3; 2]>,
    /// All edges of the triangulation, as the paper draws shapes.
    pub mesh_edges: Vec<[DVec3; 2]>,
    /// The lower and upper corner of the bounding box.
    pub bounds: (DVec3, DVec3),
}

impl Outline {
    /// Of the surface of a shape.
    pub fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Polyhedron(polyhedron) => Self::of_polyhedron(polyhedron),
            _ => Self::of_triangles(&shape.triangles()),
        }
    }

    fn of_polyhedron(polyhedron: &Polyhedron) -> Self {
        let (surface, features) = (polyhedron.surface(), polyhedron.features());
        let at = |v: u32| surface.vertices()[v as usize];
        let vertex = |v: u32| features.vertices()[v as usize].position;
        Self {
            triangles: surface.triangles().iter().map(|t| t.map(at)).collect(),
            normals: surface.normals().to_vec(),
            edges: features.edges().iter().map(|e| e.vertices.map(vertex)).collect(),
            mesh_edges: surface.edges().iter().map(|e| e.vertices.map(at)).collect(),
            bounds: surface.bounds(),
        }
    }

    /// A curved surface has no edges; those of the triangles that stand in for it are drawn as a mesh.
    fn of_triangles(drawn: &Triangles) -> Self {
        let triangles: Vec<[DVec3; 3]> =
            drawn.triangles.iter().map(|t| t.map(|v| drawn.vertices[v as usize])).collect();
        let normal = |[p, q, r]: &[DVec3; 3]| (*q - *p).cross(*r - *p).normalize_or_zero();
        let (low, high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        Self {
            normals: triangles.iter().map(normal).collect(),
            edges: Vec::new(),
            mesh_edges: triangles.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).collect(),
            bounds: drawn.vertices.iter().fold((low, high), |(low, high), &v| (low.min(v), high.max(v))),
            triangles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_engine::Solid;

    #[test]
    fn a_cube_has_its_edges_and_those_of_its_triangles() {
        let cube = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
        let outline = Outline::of(&cube.shape);
        assert_eq!((outline.triangles.len(), outline.normals.len()), (12, 12));
        assert_eq!((outline.edges.len(), outline.mesh_edges.len()), (12, 18));
        assert!(outline.edges.iter().all(|[p, q]| ((*p - *q).length() - 1.0).abs() < 1e-12));
        for ([p, q, r], normal) in outline.triangles.iter().zip(&outline.normals) {
            assert!((*q - *p).cross(*r - *p).dot(*normal) > 0.0, "outward");
        }
    }
}
