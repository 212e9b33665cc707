//! How the tetrahedra of a mesh hang together: faces, neighbours, edges.

use std::collections::BTreeMap;

use super::mesh_error::TetrahedralMeshError;
use super::tetrahedral_mesh::{EDGE_CORNERS, FACE_CORNERS, FaceSide, MeshFace};
use crate::sorting::CompactSort;

/// Vertex indices in ascending order, and whether an even number of swaps leads there.
fn sorted(mut face: [u32; 3]) -> ([u32; 3], bool) {
    let mut even = true;
    for k in [0, 1, 0] {
        if face[k] > face[k + 1] {
            face.swap(k, k + 1);
            even = !even;
        }
    }
    (face, even)
}

/// The faces, and those of each tetrahedron.
type NumberedFaces = (Vec<MeshFace>, Vec<[u32; 4]>);

/// Numbers the faces by their first appearance and pairs their sides.
pub(super) fn number_faces(tetrahedra: &[[u32; 4]]) -> Result<NumberedFaces, TetrahedralMeshError> {
    let mut sides: Vec<([u32; 3], FaceSide, bool)> = Vec::with_capacity(4 * tetrahedra.len());
    for (tetrahedron, corners) in (0_u32..).zip(tetrahedra) {
        for face in 0..4_u8 {
            let (vertices, even) = sorted(FACE_CORNERS[face as usize].map(|k| corners[k]));
            sides.push((vertices, FaceSide { tetrahedron, face }, even));
        }
    }
    sides.compact_sort();
    let mut groups: Vec<_> = sides.chunk_by(|s, t| s.0 == t.0).collect();
    groups.compact_sort_by_key(|group| group[0].1);

    let mut faces = Vec::with_capacity(groups.len());
    let mut tetrahedron_faces = vec![[0; 4]; tetrahedra.len()];
    for (index, group) in (0_u32..).zip(groups) {
        let (key, front, front_even) = group[0];
        let back = match *group {
            [_] => None,
            [_, (_, back, back_even)] => {
                if front_even == back_even {
                    let tetrahedra = [front.tetrahedron, back.tetrahedron];
                    return Err(TetrahedralMeshError::SameSide { face: key, tetrahedra });
                }
                Some(back)
            }
            _ => {
                let tetrahedra = group.iter().map(|side| side.1.tetrahedron).collect();
                return Err(TetrahedralMeshError::CrowdedFace { face: key, tetrahedra });
            }
        };
        for &(_, side, _) in group {
            tetrahedron_faces[side.tetrahedron as usize][side.face as usize] = index;
        }
        let corners = tetrahedra[front.tetrahedron as usize];
        faces.push(MeshFace { vertices: FACE_CORNERS[front.face as usize].map(|k| corners[k]), front, back });
    }
    Ok((faces, tetrahedron_faces))
}

/// For each tetrahedron the one behind each face.
pub(super) fn find_neighbours(faces: &[MeshFace], tetrahedra: usize) -> Vec<[Option<u32>; 4]> {
    let mut neighbours = vec![[None; 4]; tetrahedra];
    for face in faces {
        if let Some(back) = face.back {
            neighbours[face.front.tetrahedron as usize][face.front.face as usize] = Some(back.tetrahedron);
            neighbours[back.tetrahedron as usize][back.face as usize] = Some(face.front.tetrahedron);
        }
    }
    neighbours
}

/// Numbers the edges by their first appearance; also those of each tetrahedron.
pub(super) fn number_edges(tetrahedra: &[[u32; 4]]) -> (Vec<[u32; 2]>, Vec<[u32; 6]>) {
    let (mut edges, mut numbers) = (Vec::new(), BTreeMap::new());
    let tetrahedron_edges = tetrahedra
        .iter()
        .map(|corners| {
            EDGE_CORNERS.map(|[i, j]| {
                let edge = [corners[i].min(corners[j]), corners[i].max(corners[j])];
                *numbers.entry(edge).or_insert_with(|| {
                    edges.push(edge);
                    edges.len() as u32 - 1
                })
            })
        })
        .collect();
    (edges, tetrahedron_edges)
}
