//! The mass of a mesh that need not be closed, as MuJoCo takes it by default: of the pyramids between one point and the triangles, all of them
//! counted as solid. Of a convex mesh that is its mass; of others it is too large.

use drystone_contact::shape::{MassProperties, MassPropertiesError};
use glam::{DMat3, DVec3};

/// The mass properties at 1 kg/m³ of triangles.
pub fn of_pyramids(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<MassProperties, MassPropertiesError> {
    let corners = || triangles.iter().map(|triangle| triangle.map(|v| vertices[v as usize]));
    // First the centre of the surface sees the triangles, then the centre of mass that follows.
    let (mut area, mut first) = (0.0, DVec3::ZERO);
    for [a, b, c] in corners() {
        let own = 0.5 * (b - a).cross(c - a).length();
        area += own;
        first += own * (a + b + c) / 3.0;
    }
    let middle = first / area;
    let (volume, first, _) = integrals(corners(), middle);
    let centre = middle + first / volume;
    let (volume, _, second) = integrals(corners(), centre);
    let inertia = DMat3::from_diagonal(DVec3::splat(second.diagonal().element_sum())) - second;
    MassProperties::new(volume, volume, centre, inertia)
}

/// The integrals of 1, x and x xᵀ over the pyramids with this apex, from which x counts.
fn integrals(corners: impl Iterator<Item = [DVec3; 3]>, apex: DVec3) -> (f64, DVec3, DMat3) {
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let (mut total, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in corners {
        let [a, b, c] = triangle.map(|corner| corner - apex);
        let volume = a.dot(b.cross(c)).abs() / 6.0;
        let sum = a + b + c;
        total += volume;
        first += volume / 4.0 * sum;
        second += volume / 20.0 * (outer(a) + outer(b) + outer(c) + outer(sum));
    }
    (total, first, second)
}
