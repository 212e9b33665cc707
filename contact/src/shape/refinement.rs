//! Refinement of a tetrahedral mesh: every tetrahedron into eight, four at its corners and four in the octahedron
//! between them, split along its shortest diagonal (Bey 1995 for the scheme).

use glam::DVec3;

use super::tetrahedral_mesh::{EDGE_CORNERS, TetrahedralMesh, TetrahedralMeshError, volume};

impl TetrahedralMesh {
    /// The mesh with every tetrahedron split into eight. The old vertices come first, then the midpoints of the edges in
    /// the order of [`TetrahedralMesh::edges`].
    ///
    /// # Errors
    /// A mesh whose small tetrahedra have, by rounding, no volume.
    pub fn refined(&self) -> Result<Self, TetrahedralMeshError> {
        let old = self.vertices().len() as u32;
        let mut vertices = self.vertices().to_vec();
        vertices.extend(
            self.edges().iter().map(|&[i, j]| self.vertices()[i as usize].midpoint(self.vertices()[j as usize])),
        );
        let mut tetrahedra = Vec::with_capacity(8 * self.tetrahedra().len());
        for (corners, edges) in self.tetrahedra().iter().zip(self.tetrahedron_edges()) {
            let middle = edges.map(|e| old + e);
            split(corners, &middle, &vertices, &mut tetrahedra);
        }
        TetrahedralMesh::new(vertices, tetrahedra)
    }
}

/// `middle` holds the vertices on the edges in the order of [`EDGE_CORNERS`].
fn split(corners: &[u32; 4], middle: &[u32; 6], vertices: &[DVec3], tetrahedra: &mut Vec<[u32; 4]>) {
    let point = |v: u32| vertices[v as usize];
    for k in 0..4 {
        let mut small = *corners;
        for (e, [i, j]) in EDGE_CORNERS.into_iter().enumerate() {
            if i == k {
                small[j] = middle[e];
            } else if j == k {
                small[i] = middle[e];
            }
        }
        tetrahedra.push(small);
    }
    // Opposite edges are e and 5 − e; their midpoints are the ends of a diagonal of the octahedron.
    let length = |e: usize| (point(middle[e]) - point(middle[5 - e])).length_squared();
    let shortest = (1..3).fold(0, |best, e| if length(e) < length(best) { e } else { best });
    let (start, end) = (middle[shortest], middle[5 - shortest]);
    let (p, q) = ((shortest + 1) % 3, (shortest + 2) % 3);
    let ring = [middle[p], middle[q], middle[5 - p], middle[5 - q]];
    for k in 0..4 {
        let mut small = [start, end, ring[k], ring[(k + 1) % 4]];
        if volume(small.map(point)) < 0.0 {
            small.swap(2, 3);
        }
        tetrahedra.push(small);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_children_fill_the_parent() {
        let corners = vec![DVec3::ZERO, DVec3::X * 3.0, DVec3::Y, DVec3::new(0.2, 0.1, 0.7)];
        let mesh = TetrahedralMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
        let fine = mesh.refined().unwrap().refined().unwrap();
        assert_eq!(fine.tetrahedra().len(), 64);
        assert!((fine.volume() - mesh.volume()).abs() < 1e-15);
        assert_eq!(fine.surface().triangles().len(), 4 * 16);
        assert_eq!(&fine.vertices()[..4], mesh.vertices());
    }
}
