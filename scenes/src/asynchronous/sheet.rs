//! Level sheets of triangles, and plates that do not bend.

use drystone_engine::simulator::asynchronous::{AsynchronousError, DeformableSurface, SurfaceMaterial};
use glam::DVec3;

/// A sheet of so many cells with this side (m) along two directions (unit) from a corner (m). Its normal is along their cross product; each cell is
/// cut along one of its diagonals, and along the other beside it.
pub fn sheet(
    corner: DVec3,
    [along, across]: [DVec3; 2],
    [rows, columns]: [u32; 2],
    cell: f64,
    material: &SurfaceMaterial,
) -> Result<DeformableSurface, AsynchronousError> {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=rows {
        for j in 0..=columns {
            positions.push(corner + (along * f64::from(i) + across * f64::from(j)) * cell);
            if i < rows && j < columns {
                let [a, b, c, d] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[p, q]| (i + p) * (columns + 1) + j + q);
                let both = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                triangles.extend(both);
            }
        }
    }
    DeformableSurface::new(positions, &triangles, material)
}

/// A square plate of two triangles with this side (m) around a centre (m), between two directions (unit).
pub fn plate(centre: DVec3, sides: [DVec3; 2], side: f64) -> Result<DeformableSurface, AsynchronousError> {
    // Plates are prescribed, so what they are made of does not matter.
    let material = SurfaceMaterial { area_density: 1.0, stretching: 1.0, bending: 0.0, damping: 0.0 };
    sheet(centre - (sides[0] + sides[1]) * (0.5 * side), sides, [1, 1], side, &material)
}
