//! What lies around each edge of a tetrahedral mesh: its tetrahedra in order, and the outside where the edge is on the
//! surface.

use glam::DVec3;

use crate::shape::TetrahedralMesh;
use crate::shape::tetrahedral_mesh::EDGE_CORNERS;
use crate::sorting::CompactSort;

/// The two other corners of a tetrahedron for each of its [`EDGE_CORNERS`], in such an order that the four are positive.
const OPPOSITE_CORNERS: [[usize; 2]; 6] = [[2, 3], [3, 1], [1, 2], [0, 3], [2, 0], [0, 1]];

/// One round about an edge, counter-clockwise seen against the direction from its first end to its second.
#[derive(Clone, Debug)]
pub(super) struct EdgeRing {
    /// The ends of the edge, mesh vertices.
    pub ends: [u32; 2],
    /// The tetrahedra in order; `None` for the outside of the solid, which comes last.
    pub sectors: Vec<Option<u32>>,
    /// Where each sector begins: the mesh vertex beside the edge of the face before it.
    pub spokes: Vec<u32>,
}

impl EdgeRing {
    /// The rings of all edges of a mesh, in their order.
    pub fn of_mesh(mesh: &TetrahedralMesh) -> Vec<EdgeRing> {
        let mut sectors: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); mesh.edges().len()];
        for (tetrahedron, corners) in (0_u32..).zip(mesh.tetrahedra()) {
            for (k, &edge) in mesh.tetrahedron_edges()[tetrahedron as usize].iter().enumerate() {
                let [from, to] = OPPOSITE_CORNERS[k].map(|v| corners[v]);
                let is_forward = corners[EDGE_CORNERS[k][0]] == mesh.edges()[edge as usize][0];
                let (from, to) = if is_forward { (from, to) } else { (to, from) };
                sectors[edge as usize].push((from, to, tetrahedron));
            }
        }
        mesh.edges().iter().zip(sectors).map(|(&ends, sectors)| EdgeRing::in_order(ends, sectors)).collect()
    }

    /// From sectors (first spoke, second spoke, tetrahedron) in any order.
    fn in_order(ends: [u32; 2], mut sectors: Vec<(u32, u32, u32)>) -> Self {
        sectors.compact_sort();
        let starting_at = |spoke: u32| sectors.binary_search_by_key(&spoke, |&(from, ..)| from).ok();
        let is_second = |spoke: u32| sectors.iter().any(|&(_, to, _)| to == spoke);
        // At the surface the first sector is the one that no other leads to.
        let first = sectors.iter().position(|&(from, ..)| !is_second(from));
        let mut ring = EdgeRing { ends, sectors: Vec::new(), spokes: Vec::new() };
        let mut next = Some(first.unwrap_or(0));
        while let Some((from, to, tetrahedron)) = next.map(|k| sectors[k])
            && ring.sectors.len() < sectors.len()
        {
            ring.sectors.push(Some(tetrahedron));
            ring.spokes.push(from);
            next = starting_at(to);
            if next.is_none() {
                ring.sectors.push(None);
                ring.spokes.push(to);
            }
        }
        ring
    }

    /// Whether the edge is on the surface of the solid.
    pub fn is_on_surface(&self) -> bool {
        self.sectors.last() == Some(&None)
    }

    /// The positions of the ends and of two spokes, m.
    pub fn corners(&self, vertices: &[DVec3], spokes: [usize; 2]) -> [DVec3; 4] {
        let [c, d] = spokes.map(|k| self.spokes[k]);
        [self.ends[0], self.ends[1], c, d].map(|v| vertices[v as usize])
    }
}
