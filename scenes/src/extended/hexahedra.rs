//! Solids put together from cells with six plane quadrilateral faces, non-convex ones and such with holes.

use std::collections::BTreeMap;

use drystone_contact::shape::{Shape, TetrahedralMesh, TetrahedralMeshError};
use glam::DVec3;

/// A cell: four corners, counter-clockwise seen from the other four, then those, each opposite to one of the first.
pub type Cell = [DVec3; 8];

/// The faces of a cell, counter-clockwise seen from outside.
const FACES: [[usize; 4]; 6] = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// The solid of cells that share whole faces. Each is cut into twelve tetrahedra around its middle; a face is cut from that
/// of its corners that came first, so that both of its cells agree.
pub fn solid(cells: &[Cell]) -> Result<Shape, TetrahedralMeshError> {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut number_of: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut tetrahedra = Vec::with_capacity(12 * cells.len());
    for cell in cells {
        let corners = cell.map(|p| {
            // Adding zero turns −0 into 0.
            let key = (p + DVec3::ZERO).to_array().map(f64::to_bits);
            *number_of.entry(key).or_insert_with(|| {
                vertices.push(p);
                vertices.len() as u32 - 1
            })
        });
        let middle = vertices.len() as u32;
        vertices.push(cell.iter().sum::<DVec3>() / 8.0);
        for face in FACES {
            let mut quad = face.map(|k| corners[k]);
            let first = (0..4).min_by_key(|&k| quad[k]).unwrap_or(0);
            quad.rotate_left(first);
            let [a, b, c, d] = quad;
            tetrahedra.extend([[middle, a, b, c], [middle, a, c, d]]);
        }
    }
    Ok(Shape::from_mesh(TetrahedralMesh::new(vertices, tetrahedra)?))
}

/// A prism along z, from −`half_depth` to `half_depth`, over a quadrilateral given counter-clockwise in x and y.
pub fn prism(section: [(f64, f64); 4], half_depth: f64) -> Cell {
    let at = |z: f64| section.map(|(x, y)| DVec3::new(x, y, z));
    let ([a, b, c, d], [e, f, g, h]) = (at(-half_depth), at(half_depth));
    [a, b, c, d, e, f, g, h]
}

/// The prism over a rectangle in x and y.
pub fn slab([left, right]: [f64; 2], [low, high]: [f64; 2], half_depth: f64) -> Cell {
    prism([(left, low), (right, low), (right, high), (left, high)], half_depth)
}

/// The columns between a plane across y at `level` (m) and the surface at `height` over (x, z), above or below it, over the squares
/// between the cuts.
pub fn columns(cuts: &[f64], level: f64, height: impl Fn(f64, f64) -> f64) -> Vec<Cell> {
    let column = |x: &[f64], z: &[f64]| {
        // Counter-clockwise seen from above.
        let around = [(x[0], z[0]), (x[0], z[1]), (x[1], z[1]), (x[1], z[0])];
        let plane = around.map(|(x, z)| DVec3::new(x, level, z));
        let surface = around.map(|(x, z)| DVec3::new(x, height(x, z), z));
        let is_below = plane[0].y < surface[0].y;
        let ([a, b, c, d], [e, f, g, h]) = if is_below { (plane, surface) } else { (surface, plane) };
        [a, b, c, d, e, f, g, h]
    };
    cuts.windows(2).flat_map(|x| cuts.windows(2).map(|z| column(x, z)).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_share_their_faces() {
        let one = solid(&[slab([0.0, 1.0], [0.0, 1.0], 0.5)]).unwrap();
        assert!((one.as_polyhedron().unwrap().mesh().unwrap().volume() - 1.0).abs() < 1e-15);
        let l =
            [slab([0.0, 1.0], [0.0, 1.0], 0.5), slab([1.0, 3.0], [0.0, 1.0], 0.5), slab([0.0, 1.0], [1.0, 2.0], 0.5)];
        let l = solid(&l).unwrap();
        assert!((l.as_polyhedron().unwrap().mesh().unwrap().volume() - 4.0).abs() < 1e-14);
        assert_eq!((l.surface().unwrap().vertices().len(), l.surface().unwrap().triangles().len()), (16, 28));
        assert!(!l.surface().unwrap().is_convex());
    }
}
