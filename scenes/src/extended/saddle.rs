//! The saddle y = a (|x| − |z|): four plane facets around the origin, two convex ridges that rise along x and two concave
//! valleys that fall along z.

use glam::DVec3;

use super::hexahedra::Cell;

/// The slope a of the facets along x and along z.
pub const SLOPE: f64 = 0.5;

/// The height over (x, z), m.
fn height(x: f64, z: f64) -> f64 {
    SLOPE * (x.abs() - z.abs())
}

/// The normal of the facet in the quadrant with these signs of x and z, up.
pub fn normal(sign_x: f64, sign_z: f64) -> DVec3 {
    DVec3::new(-SLOPE * sign_x, 1.0, SLOPE * sign_z).normalize()
}

/// The four columns between the saddle and the plane at `level` (m), above or below it, over the square of half width
/// `half` (m).
pub fn columns(half: f64, level: f64) -> Vec<Cell> {
    let spans = [[-half, 0.0], [0.0, half]];
    let column = |[x0, x1]: [f64; 2], [z0, z1]: [f64; 2]| {
        // Counter-clockwise seen from above.
        let around = [(x0, z0), (x0, z1), (x1, z1), (x1, z0)];
        let plane = around.map(|(x, z)| DVec3::new(x, level, z));
        let saddle = around.map(|(x, z)| DVec3::new(x, height(x, z), z));
        let ([a, b, c, d], [e, f, g, h]) = if level < 0.0 { (plane, saddle) } else { (saddle, plane) };
        [a, b, c, d, e, f, g, h]
    };
    spans.into_iter().flat_map(|x| spans.map(|z| column(x, z))).collect()
}
