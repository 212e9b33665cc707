//! Solids made of cells of a lattice: each cell, a hexahedron with plane sides, is split into six tetrahedra around its
//! diagonal from the lowest to the highest corner (Freudenthal 1942, Kuhn 1960). All cells are split alike, so neighbours
//! agree on the diagonals of the side that they share, also around a ring. That fills solids that no point sees whole.

use std::collections::BTreeMap;

use drystone_contact::shape::{Shape, TetrahedralMesh, TetrahedralMeshError};
use glam::DVec3;

/// The ways from corner (0, 0, 0) of a cell to (1, 1, 1), one axis after the other; a tetrahedron each.
const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Fills the cells named by their lowest corners.
///
/// `vertex` places the corners of the lattice, m. With a `period`, corners whose last index differs by it are one: the
/// lattice is a ring along its third axis; it must be at least 3.
///
/// # Errors
/// Cells that are flat or that make no solid together.
pub fn fill(
    cells: &[[u32; 3]],
    period: Option<u32>,
    vertex: impl Fn([u32; 3]) -> DVec3,
) -> Result<Shape, TetrahedralMeshError> {
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut tetrahedra = Vec::with_capacity(6 * cells.len());
    for &cell in cells {
        for way in WAYS {
            let mut corner = cell;
            let mut number = |mut corner: [u32; 3]| {
                if let Some(period) = period {
                    corner[2] %= period;
                }
                *numbers.entry(corner).or_insert_with(|| {
                    vertices.push(vertex(corner));
                    vertices.len() as u32 - 1
                })
            };
            let mut tetrahedron = [number(corner); 4];
            for (k, axis) in way.into_iter().enumerate() {
                corner[axis] += 1;
                tetrahedron[k + 1] = number(corner);
            }
            let [a, b, c, d] = tetrahedron.map(|v| vertices[v as usize]);
            if (b - a).cross(c - a).dot(d - a) < 0.0 {
                tetrahedron.swap(2, 3);
            }
            tetrahedra.push(tetrahedron);
        }
    }
    Ok(Shape::from_mesh(TetrahedralMesh::new(vertices, tetrahedra)?))
}

/// Three bars of square section across each other, centred on the origin along the axes: `length` long, `width` wide.
///
/// # Errors
/// A width that is not positive and below the length.
pub fn jack(length: f64, width: f64) -> Result<Shape, TetrahedralMeshError> {
    let at = [-length / 2.0, -width / 2.0, width / 2.0, length / 2.0];
    let arms = [[1, 1, 1], [0, 1, 1], [2, 1, 1], [1, 0, 1], [1, 2, 1], [1, 1, 0], [1, 1, 2]];
    fill(&arms, None, |[i, j, k]| DVec3::new(at[i as usize], at[j as usize], at[k as usize]))
}

/// A box open at the top, its floor in y = 0: `half` the width inside along x and z, walls up to `height`, walls and floor
/// `thickness` thick.
///
/// # Errors
/// Measures that are not positive.
pub fn container(half: f64, height: f64, thickness: f64) -> Result<Shape, TetrahedralMeshError> {
    let across = [-half - thickness, -half, half, half + thickness];
    let up = [-thickness, 0.0, height];
    let mut cells = Vec::new();
    for i in 0..3 {
        for k in 0..3 {
            cells.push([i, 0, k]);
            if (i, k) != (1, 1) {
                cells.push([i, 1, k]);
            }
        }
    }
    fill(&cells, None, |[i, j, k]| DVec3::new(across[i as usize], up[j as usize], across[k as usize]))
}

/// A pipe around the y axis with `sides` sides (at least 3): its wall lies between two outlines of as many points each,
/// (radius, y) from below, inner first.
///
/// # Errors
/// Outlines that cross, or radii that are not positive.
pub fn pipe(inner: &[[f64; 2]], outer: &[[f64; 2]], sides: u32) -> Result<Shape, TetrahedralMeshError> {
    let rows = inner.len().min(outer.len()) as u32;
    let sides = sides.max(3);
    let cells: Vec<[u32; 3]> =
        (0..rows.saturating_sub(1)).flat_map(|row| (0..sides).map(move |side| [0, row, side])).collect();
    fill(&cells, Some(sides), |[u, row, side]| {
        let [radius, y] = if u == 0 { inner[row as usize] } else { outer[row as usize] };
        let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
        DVec3::new(radius * libm::cos(angle), y, radius * libm::sin(angle))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_solid(shape: &Shape, volume: f64, tetrahedra: usize) {
        let mesh = shape.as_polyhedron().unwrap().mesh().unwrap();
        assert!((mesh.volume() / volume - 1.0).abs() < 1e-12, "{} instead of {volume}", mesh.volume());
        assert!((shape.surface().unwrap().volume() / volume - 1.0).abs() < 1e-12);
        assert_eq!((mesh.tetrahedra().len(), shape.surface().unwrap().component_count()), (tetrahedra, 1));
    }

    #[test]
    fn a_jack_is_seven_cells() {
        let (length, width) = (0.9, 0.18);
        let volume = 3.0 * length * width * width - 2.0 * width * width * width;
        is_solid(&jack(length, width).unwrap(), volume, 42);
        assert!(jack(1.0, 1.5).is_err() && jack(1.0, 0.0).is_err());
    }

    #[test]
    fn a_container_is_a_box_without_its_inside() {
        is_solid(&container(2.0, 3.0, 0.5).unwrap(), 5.0 * 5.0 * 3.5 - 4.0 * 4.0 * 3.0, 17 * 6);
    }

    #[test]
    fn a_pipe_closes_around_its_axis() {
        let (inner, outer) = ([[1.0, 0.0], [1.0, 2.0], [2.0, 3.0]], [[1.5, 0.0], [1.5, 2.0], [2.5, 3.0]]);
        let pipe = pipe(&inner, &outer, 12).unwrap();
        // Of a frustum over a regular polygon, as of a circular one with 6 = 12 sin(30°) in place of 2π.
        let frustum = |r: f64, s: f64, h: f64| h / 3.0 * 3.0 * (r * r + r * s + s * s);
        let volume = frustum(1.5, 1.5, 2.0) - frustum(1.0, 1.0, 2.0) + frustum(1.5, 2.5, 1.0) - frustum(1.0, 2.0, 1.0);
        is_solid(&pipe, volume, 2 * 12 * 6);
        // A ring: one hole through it.
        let surface = pipe.surface().unwrap();
        let euler = surface.vertices().len() as i64 - surface.edges().len() as i64 + surface.triangles().len() as i64;
        assert_eq!(euler, 0);
    }
}
