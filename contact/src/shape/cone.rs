//! Tetrahedra between one point and the triangles of a surface that it sees from inside.

use glam::DVec3;
use thiserror::Error;

use super::kernel::Kernel;
use super::predicate::orientation_3d;
use super::surface::Surface;
use super::tetrahedral_mesh::{MeshMismatch, TetrahedralMesh, TetrahedralMeshError};

/// A vertex is a fan's apex only if its distance to the planes of the triangles away from it is above this share of the
/// largest side of the bounding box.
pub const FAN_HEIGHT_TOLERANCE: f64 = 1e-6;

/// Why a surface could not be filled from one point.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConeError {
    /// No point sees all triangles from inside.
    #[error("no point sees all triangles of the surface from inside: it is not star-shaped")]
    NotStarShaped,
    /// The apex does not see a triangle from inside.
    #[error("the point {apex} does not see triangle {triangle} from inside")]
    HiddenTriangle {
        /// The apex, m.
        apex: DVec3,
        /// The first such triangle.
        triangle: u32,
    },
    /// The vertex named does not exist.
    #[error("there is no vertex {vertex}: the surface has {vertices}")]
    NoSuchVertex {
        /// The vertex named.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// No vertex sees all triangles away from it.
    #[error("no vertex sees all triangles away from it from inside; use an interior vertex")]
    NoFanVertex,
    /// The tetrahedra do not form a valid mesh.
    #[error(transparent)]
    Mesh(#[from] TetrahedralMeshError),
    /// The mesh does not fill the surface.
    #[error(transparent)]
    Mismatch(#[from] MeshMismatch),
}

/// Joins every triangle to the kernel point of the surface ([`Kernel::of`]): the cone from it.
///
/// Fails with [`ConeError::NotStarShaped`] if there is none. For the numbering see [`cone_from`].
pub fn cone_from_kernel(surface: &Surface) -> Result<TetrahedralMesh, ConeError> {
    cone_from(surface, Kernel::of(surface).ok_or(ConeError::NotStarShaped)?.point)
}

/// Joins every triangle to a point that sees all of them from inside.
///
/// The mesh vertices are those of the surface in their order, then the apex. Tetrahedron i is `[apex, a, b, c]` for
/// triangle i `[a, b, c]`, so its face 0 is that triangle.
pub fn cone_from(surface: &Surface, apex: DVec3) -> Result<TetrahedralMesh, ConeError> {
    let mut vertices = surface.vertices().to_vec();
    let apex_index = vertices.len() as u32;
    vertices.push(apex);
    let join = |(triangle, &[a, b, c]): (u32, &[u32; 3])| {
        let corners = surface.corners(triangle);
        if orientation_3d(apex, corners[0], corners[1], corners[2]) > 0.0 {
            Ok([apex_index, a, b, c])
        } else {
            Err(ConeError::HiddenTriangle { apex, triangle })
        }
    };
    let tetrahedra = (0..).zip(surface.triangles()).map(join).collect::<Result<_, _>>()?;
    checked(surface, vertices, tetrahedra)
}

/// Joins a vertex to every triangle that does not contain it. There is no new vertex.
///
/// The vertex must see all those triangles from inside, at a height above [`FAN_HEIGHT_TOLERANCE`]. The mesh vertices
/// are those of the surface in their order; the tetrahedra `[vertex, a, b, c]` are in the order of the triangles.
pub fn fan_from_vertex(surface: &Surface, vertex: u32) -> Result<TetrahedralMesh, ConeError> {
    let vertices = surface.vertices();
    let Some(&apex) = vertices.get(vertex as usize) else {
        return Err(ConeError::NoSuchVertex { vertex, vertices: vertices.len() });
    };
    if let Some(triangle) = first_hidden_triangle(surface, vertex) {
        return Err(ConeError::HiddenTriangle { apex, triangle });
    }
    let away = surface.triangles().iter().filter(|triangle| !triangle.contains(&vertex));
    let tetrahedra = away.map(|&[a, b, c]| [vertex, a, b, c]).collect();
    checked(surface, vertices.to_vec(), tetrahedra)
}

/// The fan from the vertex with the lowest index that allows one ([`fan_from_vertex`]), and that vertex.
///
/// A convex solid has such a vertex only if every face plane through it is triangulated as a fan around it.
pub fn fan(surface: &Surface) -> Result<(TetrahedralMesh, u32), ConeError> {
    let vertex = (0..surface.vertices().len() as u32)
        .find(|&vertex| first_hidden_triangle(surface, vertex).is_none())
        .ok_or(ConeError::NoFanVertex)?;
    Ok((fan_from_vertex(surface, vertex)?, vertex))
}

/// The first triangle away from a vertex that the vertex does not see from inside at a sufficient height.
fn first_hidden_triangle(surface: &Surface, vertex: u32) -> Option<u32> {
    let apex = surface.vertices()[vertex as usize];
    let (low, high) = surface.bounds();
    let least_height = FAN_HEIGHT_TOLERANCE * (high - low).max_element();
    (0..).zip(surface.triangles()).filter(|(_, corners)| !corners.contains(&vertex)).map(|(t, _)| t).find(|&t| {
        let [a, b, c] = surface.corners(t);
        let height = surface.normals()[t as usize].dot(a - apex);
        orientation_3d(apex, a, b, c) <= 0.0 || height <= least_height
    })
}

fn checked(surface: &Surface, vertices: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>) -> Result<TetrahedralMesh, ConeError> {
    let mesh = TetrahedralMesh::new(vertices, tetrahedra)?;
    mesh.check_against(surface)?;
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;

    #[test]
    fn a_box_is_cut_into_twelve_tetrahedra_with_its_triangles_in_order() {
        let surface = sample::cuboid(DVec3::ONE, DVec3::new(1.0, 2.0, 3.0));
        let mesh = cone_from_kernel(&surface).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.tetrahedra().len()), (9, 12));
        assert!((mesh.vertices()[8] - DVec3::ONE).length() < 1e-9);
        for (t, &[a, b, c]) in mesh.tetrahedra().iter().zip(surface.triangles()) {
            assert_eq!(*t, [8, a, b, c]);
        }
        assert_eq!(mesh.surface(), &surface);
    }

    #[test]
    fn an_apex_outside_the_kernel_names_the_hidden_triangle() {
        let surface = sample::l_prism();
        let apex = DVec3::new(1.5, 0.5, 0.5);
        // The inner wall x = 1 faces away from the apex; its triangles are 14 and 15.
        assert_eq!(cone_from(&surface, apex), Err(ConeError::HiddenTriangle { apex, triangle: 14 }));
        let apex = DVec3::new(0.5, 0.5, 0.0);
        assert_eq!(cone_from(&surface, apex), Err(ConeError::HiddenTriangle { apex, triangle: 0 }));
        assert_eq!(cone_from_kernel(&sample::u_prism()), Err(ConeError::NotStarShaped));
    }

    #[test]
    fn fans_need_a_vertex_whose_planes_are_fans_around_it() {
        // No corner of the sample box has the diagonals of all its three sides.
        let surface = sample::cuboid(DVec3::ZERO, DVec3::ONE);
        assert_eq!(fan(&surface), Err(ConeError::NoFanVertex));
        assert!(matches!(fan_from_vertex(&surface, 0), Err(ConeError::HiddenTriangle { .. })));

        // Here corners 4 and 2 have: six tetrahedra around their diagonal.
        let quads = [[0, 1, 2, 3], [4, 7, 6, 5], [4, 0, 3, 7], [2, 1, 5, 6], [2, 6, 7, 3], [4, 5, 1, 0]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let surface = Surface::new(surface.vertices().to_vec(), triangles).unwrap();
        let (mesh, vertex) = fan(&surface).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.tetrahedra().len(), vertex), (8, 6, 2));
        assert!(mesh.edges().contains(&[2, 4]));

        let tetrahedron = sample::corner_tetrahedron();
        let (mesh, vertex) = fan(&tetrahedron).unwrap();
        assert_eq!((mesh.tetrahedra().len(), vertex), (1, 0));
        assert_eq!(fan_from_vertex(&tetrahedron, 4), Err(ConeError::NoSuchVertex { vertex: 4, vertices: 4 }));
    }
}
