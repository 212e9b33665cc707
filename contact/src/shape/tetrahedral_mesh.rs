//! Tetrahedral meshes: a solid cut into tetrahedra.
//!
//! A tetrahedron `[v0, v1, v2, v3]` is positive when (v1−v0)·((v2−v0)×(v3−v0)) > 0. Its face k is opposite to vertex k
//! ([`FACE_CORNERS`], counter-clockwise seen from outside), its edges are in the order of [`EDGE_CORNERS`].
//!
//! A mesh whose tetrahedra are all positive, whose faces match in pairs from opposite sides, and whose boundary does not
//! intersect itself covers every point inside the boundary exactly once: no two tetrahedra overlap.

use std::collections::BTreeMap;

use glam::DVec3;

pub use super::mesh_error::{MeshMismatch, TetrahedralMeshError};
use super::mesh_topology::{find_neighbours, number_edges, number_faces};
use super::predicate::orientation_3d;
use super::surface::{Surface, check_coordinates};
use crate::sorting::inserted;

/// Local vertices of face k, which is opposite to vertex k, counter-clockwise seen from outside.
pub const FACE_CORNERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Local vertices of the six edges.
pub const EDGE_CORNERS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The volume of the tetrahedra and that of the surface around them may differ by this share.
pub const VOLUME_TOLERANCE: f64 = 1e-9;

/// A tetrahedron's face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaceSide {
    /// The tetrahedron.
    pub tetrahedron: u32,
    /// Which of its faces, 0–3: the one opposite to that vertex.
    pub face: u8,
}

/// A face of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshFace {
    /// The vertices, counter-clockwise seen from outside `front.tetrahedron`.
    pub vertices: [u32; 3],
    /// The face in its first tetrahedron.
    pub front: FaceSide,
    /// The face in its second tetrahedron; `None` on the surface.
    pub back: Option<FaceSide>,
}

impl MeshFace {
    /// Whether the face is on the surface of the solid: it has only one tetrahedron.
    pub fn is_surface(&self) -> bool {
        self.back.is_none()
    }
}

/// A checked tetrahedral mesh. Vertices and tetrahedra keep the order in which they were given.
#[derive(Clone, Debug, PartialEq)]
pub struct TetrahedralMesh {
    vertices: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    neighbours: Vec<[Option<u32>; 4]>,
    faces: Vec<MeshFace>,
    tetrahedron_faces: Vec<[u32; 4]>,
    edges: Vec<[u32; 2]>,
    tetrahedron_edges: Vec<[u32; 6]>,
    vertex_on_surface: Vec<bool>,
    edge_on_surface: Vec<bool>,
    surface: Surface,
    surface_vertices: Vec<u32>,
    surface_faces: Vec<u32>,
    volume: f64,
}

impl TetrahedralMesh {
    /// Checks a mesh (positions in m, positive tetrahedra, no unused vertices) and takes it over unchanged.
    pub fn new(vertices: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>) -> Result<Self, TetrahedralMeshError> {
        check_elements(&vertices, &tetrahedra)?;
        let (faces, tetrahedron_faces) = number_faces(&tetrahedra)?;
        let neighbours = find_neighbours(&faces, tetrahedra.len());
        let (edges, tetrahedron_edges) = number_edges(&tetrahedra);
        let (surface, surface_vertices, surface_faces) = boundary(&vertices, &faces)?;
        let volume = tetrahedra.iter().map(|t| volume(t.map(|v| vertices[v as usize]))).sum();
        if !same_volume(volume, surface.volume()) {
            return Err(TetrahedralMeshError::VolumeMismatch { tetrahedra: volume, surface: surface.volume() });
        }
        let mut vertex_on_surface = vec![false; vertices.len()];
        surface_vertices.iter().for_each(|&v| vertex_on_surface[v as usize] = true);
        let mut edge_on_surface = vec![false; edges.len()];
        for face in faces.iter().filter(|face| face.is_surface()) {
            let tetrahedron = face.front.tetrahedron as usize;
            for (k, corners) in EDGE_CORNERS.iter().enumerate() {
                if !corners.contains(&(face.front.face as usize)) {
                    edge_on_surface[tetrahedron_edges[tetrahedron][k] as usize] = true;
                }
            }
        }
        Ok(Self {
            vertices,
            tetrahedra,
            neighbours,
            faces,
            tetrahedron_faces,
            edges,
            tetrahedron_edges,
            vertex_on_surface,
            edge_on_surface,
            surface,
            surface_vertices,
            surface_faces,
            volume,
        })
    }

    /// The vertices, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The tetrahedra's vertex indices.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// For each tetrahedron the tetrahedron behind each face; `None` where the face is on the surface.
    pub fn neighbours(&self) -> &[[Option<u32>; 4]] {
        &self.neighbours
    }

    /// The faces, numbered by their first appearance: tetrahedron by tetrahedron, faces 0–3.
    pub fn faces(&self) -> &[MeshFace] {
        &self.faces
    }

    /// The face indices of each tetrahedron; face k is opposite to vertex k.
    pub fn tetrahedron_faces(&self) -> &[[u32; 4]] {
        &self.tetrahedron_faces
    }

    /// The edges (lower vertex index first), numbered by their first appearance: tetrahedron by tetrahedron, in the
    /// order of [`EDGE_CORNERS`].
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The edge indices of each tetrahedron, in the order of [`EDGE_CORNERS`].
    pub fn tetrahedron_edges(&self) -> &[[u32; 6]] {
        &self.tetrahedron_edges
    }

    /// For each vertex, whether it is on the surface of the solid.
    pub fn vertex_on_surface(&self) -> &[bool] {
        &self.vertex_on_surface
    }

    /// For each edge, whether it belongs to a face on the surface of the solid.
    pub fn edge_on_surface(&self) -> &[bool] {
        &self.edge_on_surface
    }

    /// Whether a face is on the surface of the solid.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn face_on_surface(&self, face: u32) -> bool {
        self.faces[face as usize].is_surface()
    }

    /// The positions of a tetrahedron's vertices, m.
    ///
    /// # Panics
    /// If there is no such tetrahedron.
    pub fn corners(&self, tetrahedron: u32) -> [DVec3; 4] {
        self.tetrahedra[tetrahedron as usize].map(|v| self.vertices[v as usize])
    }

    /// The boundary: its vertices are the mesh vertices on the surface in ascending order, its triangles the faces on
    /// the surface in ascending order.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The mesh vertex of each vertex of [`Self::surface`].
    pub fn surface_vertices(&self) -> &[u32] {
        &self.surface_vertices
    }

    /// The mesh face of each triangle of [`Self::surface`]; both have the same vertices in the same rotation.
    pub fn surface_faces(&self) -> &[u32] {
        &self.surface_faces
    }

    /// Sum of the tetrahedra's volumes, m³.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The same tetrahedra with other vertex positions, in m.
    pub fn with_vertices(&self, vertices: Vec<DVec3>) -> Result<Self, TetrahedralMeshError> {
        Self::new(vertices, self.tetrahedra.clone())
    }

    /// Checks that the boundary of the mesh is this surface: the same triangles by the exact positions of their
    /// vertices, each once, with the same orientation, around the same volume. Returns the mesh face of each triangle.
    pub fn check_against(&self, surface: &Surface) -> Result<Vec<u32>, MeshMismatch> {
        let key = |surface: &Surface, triangle: u32| {
            // Adding zero turns −0 into 0.
            let corners = surface.corners(triangle).map(|p| (p + DVec3::ZERO).to_array().map(f64::to_bits));
            let first = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
            [0, 1, 2].map(|k| corners[(first + k) % 3])
        };
        let mut boundary: BTreeMap<_, u32> =
            inserted((0..).zip(&self.surface_faces).map(|(t, &face)| (key(&self.surface, t), face)));
        let faces: Vec<u32> = (0..surface.triangles().len() as u32)
            .map(|triangle| boundary.remove(&key(surface, triangle)).ok_or(MeshMismatch::MissingTriangle { triangle }))
            .collect::<Result<_, _>>()?;
        if let Some(&face) = boundary.values().min() {
            return Err(MeshMismatch::ExtraFace { side: self.faces[face as usize].front });
        }
        if !same_volume(self.volume, surface.volume()) {
            return Err(MeshMismatch::Volume { mesh: self.volume, surface: surface.volume() });
        }
        Ok(faces)
    }
}

/// The signed volume of a tetrahedron, m³.
pub fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a)) / 6.0
}

fn same_volume(s: f64, t: f64) -> bool {
    (s - t).abs() <= VOLUME_TOLERANCE * s.abs().max(t.abs())
}

fn check_elements(vertices: &[DVec3], tetrahedra: &[[u32; 4]]) -> Result<(), TetrahedralMeshError> {
    if tetrahedra.is_empty() {
        return Err(TetrahedralMeshError::NoTetrahedra);
    }
    let count = vertices.len().max(tetrahedra.len());
    if count > 1 << 28 {
        return Err(TetrahedralMeshError::TooLarge { count });
    }
    check_coordinates(vertices)
        .map_err(|(vertex, position)| TetrahedralMeshError::UnusableCoordinate { vertex, position })?;
    let mut used = vec![false; vertices.len()];
    for (tetrahedron, &corners) in (0_u32..).zip(tetrahedra) {
        for vertex in corners {
            let Some(used) = used.get_mut(vertex as usize) else {
                let vertices = vertices.len();
                return Err(TetrahedralMeshError::IndexOutOfRange { tetrahedron, vertex, vertices });
            };
            *used = true;
        }
        let [a, b, c, d] = corners.map(|v| vertices[v as usize]);
        let orientation = orientation_3d(a, b, c, d);
        if orientation <= 0.0 {
            return Err(TetrahedralMeshError::NotPositive { tetrahedron, corners, flat: orientation == 0.0 });
        }
    }
    match used.iter().position(|used| !used) {
        Some(vertex) => Err(TetrahedralMeshError::UnusedVertex { vertex: vertex as u32 }),
        None => Ok(()),
    }
}

/// The boundary surface with the mesh vertex of each of its vertices and the mesh face of each of its triangles.
fn boundary(vertices: &[DVec3], faces: &[MeshFace]) -> Result<(Surface, Vec<u32>, Vec<u32>), TetrahedralMeshError> {
    let surface_faces: Vec<u32> =
        (0..).zip(faces).filter(|(_, face)| face.is_surface()).map(|(index, _)| index).collect();
    let corners = |face: u32| faces[face as usize].vertices;
    let mut surface_vertices: Vec<u32> = surface_faces.iter().flat_map(|&face| corners(face)).collect();
    surface_vertices.sort_unstable();
    surface_vertices.dedup();
    let mut number = vec![0; vertices.len()];
    (0..).zip(&surface_vertices).for_each(|(index, &vertex)| number[vertex as usize] = index);
    let positions = surface_vertices.iter().map(|&v| vertices[v as usize]).collect();
    let triangles = surface_faces.iter().map(|&face| corners(face).map(|v| number[v as usize])).collect();
    match Surface::new(positions, triangles) {
        Ok(surface) => Ok((surface, surface_vertices, surface_faces)),
        Err(source) => {
            let face = source.triangle().and_then(|t| surface_faces.get(t as usize));
            let tetrahedron = face.map(|&face| faces[face as usize].front.tetrahedron);
            let source = source.with_vertex_numbers(|v| surface_vertices[v as usize]);
            Err(TetrahedralMeshError::Boundary { source, tetrahedron })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{sample, surface::SurfaceError};

    /// Two tetrahedra on either side of the triangle 0, 1, 2.
    fn pair() -> (Vec<DVec3>, Vec<[u32; 4]>) {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Z];
        (vertices, vec![[0, 1, 2, 3], [4, 0, 1, 2]])
    }

    fn error(vertices: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>) -> TetrahedralMeshError {
        TetrahedralMesh::new(vertices, tetrahedra).unwrap_err()
    }

    #[test]
    fn two_tetrahedra_are_numbered_in_order() {
        let (vertices, tetrahedra) = pair();
        let mesh = TetrahedralMesh::new(vertices.clone(), tetrahedra.clone()).unwrap();
        assert_eq!((mesh.vertices(), mesh.tetrahedra()), (&vertices[..], &tetrahedra[..]));
        assert_eq!(mesh.neighbours(), [[None, None, None, Some(1)], [Some(0), None, None, None]]);
        assert_eq!(mesh.tetrahedron_faces(), [[0, 1, 2, 3], [3, 4, 5, 6]]);
        assert_eq!(mesh.faces()[3].vertices, [0, 2, 1]);
        assert_eq!(mesh.faces()[3].back, Some(FaceSide { tetrahedron: 1, face: 0 }));
        assert_eq!(mesh.edges(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [0, 4], [1, 4], [2, 4]]);
        assert_eq!(mesh.tetrahedron_edges(), [[0, 1, 2, 3, 4, 5], [6, 7, 8, 0, 1, 3]]);
        assert_eq!(mesh.surface_faces(), [0, 1, 2, 4, 5, 6]);
        assert!(mesh.edge_on_surface().iter().chain(mesh.vertex_on_surface()).all(|&on| on));
        assert!((mesh.volume() - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn interior_edges_and_vertices_are_told_from_the_surface() {
        let mesh = crate::shape::cone::cone_from_kernel(&sample::l_prism()).unwrap();
        let apex = mesh.vertices().len() - 1;
        for (vertex, &on) in mesh.vertex_on_surface().iter().enumerate() {
            assert_eq!(on, vertex != apex);
        }
        for (edge, &on) in mesh.edges().iter().zip(mesh.edge_on_surface()) {
            assert_eq!(on, !edge.contains(&(apex as u32)));
        }
        for (triangle, &face) in mesh.surface().triangles().iter().zip(mesh.surface_faces()) {
            assert_eq!(triangle.map(|v| mesh.surface_vertices()[v as usize]), mesh.faces()[face as usize].vertices);
        }
    }

    #[test]
    fn bad_elements_are_named() {
        assert_eq!(error(vec![], vec![]), TetrahedralMeshError::NoTetrahedra);
        let (mut vertices, tetrahedra) = pair();
        vertices[2].x = f64::NAN;
        assert!(matches!(error(vertices, tetrahedra), TetrahedralMeshError::UnusableCoordinate { vertex: 2, .. }));

        let (vertices, mut tetrahedra) = pair();
        tetrahedra[1][2] = 9;
        let expected = TetrahedralMeshError::IndexOutOfRange { tetrahedron: 1, vertex: 9, vertices: 5 };
        assert_eq!(error(vertices, tetrahedra), expected);

        let (vertices, mut tetrahedra) = pair();
        tetrahedra[1].swap(0, 1);
        assert!(matches!(
            error(vertices, tetrahedra),
            TetrahedralMeshError::NotPositive { tetrahedron: 1, flat: false, .. }
        ));

        let (mut vertices, tetrahedra) = pair();
        vertices[4] = DVec3::new(0.3, 0.3, 0.0);
        assert!(matches!(
            error(vertices, tetrahedra),
            TetrahedralMeshError::NotPositive { tetrahedron: 1, flat: true, .. }
        ));

        let (mut vertices, tetrahedra) = pair();
        vertices.push(DVec3::ONE);
        assert_eq!(error(vertices, tetrahedra), TetrahedralMeshError::UnusedVertex { vertex: 5 });
    }

    #[test]
    fn overlapping_tetrahedra_are_rejected() {
        let (mut vertices, mut tetrahedra) = pair();
        vertices[4] = DVec3::new(0.1, 0.1, 2.0);
        tetrahedra[1] = [0, 1, 2, 4];
        let expected = TetrahedralMeshError::SameSide { face: [0, 1, 2], tetrahedra: [0, 1] };
        assert_eq!(error(vertices, tetrahedra), expected);

        let (mut vertices, mut tetrahedra) = pair();
        vertices.push(DVec3::new(0.1, 0.1, 2.0));
        tetrahedra.push([0, 1, 2, 5]);
        let expected = TetrahedralMeshError::CrowdedFace { face: [0, 1, 2], tetrahedra: vec![0, 1, 2] };
        assert_eq!(error(vertices, tetrahedra), expected);

        // Separate by index, overlapping in space.
        let (mut vertices, mut tetrahedra) = pair();
        vertices.extend([0, 1, 2, 3].map(|v| vertices[v] + DVec3::splat(0.1)));
        tetrahedra.push([5, 6, 7, 8]);
        assert!(matches!(
            error(vertices, tetrahedra),
            TetrahedralMeshError::Boundary { source: SurfaceError::SelfIntersecting { .. }, tetrahedron: Some(0) }
        ));
    }

    #[test]
    fn boundary_errors_name_the_vertices_of_the_mesh() {
        // A cone with an interior vertex 0, and a tetrahedron that touches it only in its vertex 3.
        let cone = crate::shape::cone::cone_from_kernel(&sample::corner_tetrahedron()).unwrap();
        let mut vertices = vec![cone.vertices()[4]];
        vertices.extend_from_slice(&cone.vertices()[..4]);
        let touched = vertices[3];
        vertices.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|p| touched + p + DVec3::Y));
        let mut tetrahedra: Vec<[u32; 4]> = cone.tetrahedra().iter().map(|t| t.map(|v| (v + 1) % 5)).collect();
        tetrahedra.push([3, 5, 6, 7]);
        assert!(matches!(
            error(vertices, tetrahedra),
            TetrahedralMeshError::Boundary { source: SurfaceError::NonManifoldVertex { vertex: 3, .. }, .. }
        ));
    }

    #[test]
    fn a_mesh_is_checked_against_its_surface() {
        let surface = sample::cuboid(DVec3::ZERO, DVec3::ONE);
        let mesh = crate::shape::cone::cone_from(&surface, DVec3::ZERO).unwrap();
        let faces = mesh.check_against(&surface).unwrap();
        assert_eq!(faces, mesh.surface_faces());

        // Another diagonal on one side of the box.
        let mut triangles = surface.triangles().to_vec();
        (triangles[0], triangles[1]) = ([0, 1, 3], [1, 2, 3]);
        let other = Surface::new(surface.vertices().to_vec(), triangles).unwrap();
        assert_eq!(mesh.check_against(&other), Err(MeshMismatch::MissingTriangle { triangle: 0 }));

        // A mesh with a second solid beside the box.
        let mut vertices = mesh.vertices().to_vec();
        vertices.extend([0, 1, 2, 3].map(|v| mesh.corners(0)[v] + 5.0 * DVec3::X));
        let mut tetrahedra = mesh.tetrahedra().to_vec();
        tetrahedra.push([9, 10, 11, 12]);
        let more = TetrahedralMesh::new(vertices, tetrahedra).unwrap();
        let side = FaceSide { tetrahedron: 12, face: 0 };
        assert_eq!(more.check_against(&surface), Err(MeshMismatch::ExtraFace { side }));
    }
}
