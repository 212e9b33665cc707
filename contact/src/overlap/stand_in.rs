//! Solids with plane faces in place of primitives: a half-space cut off beyond the other shape, which changes nothing, and
//! triangles inscribed in an ellipsoid.

use std::sync::LazyLock;

use glam::DVec3;

use super::solid::Solid;
use crate::shape::{Ball, Primitive, Surface};

/// The cube from −1 to 1.
static CUBE: LazyLock<Option<Surface>> = LazyLock::new(|| {
    let corner = |k: u32| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface::new((0..8).map(corner).collect(), triangles).ok()
});

/// The sphere of radius 1 as inscribed triangles.
static SPHERE: LazyLock<Option<Surface>> = LazyLock::new(|| {
    let triangles = Ball::new(1.0).ok()?.triangles();
    Surface::new(triangles.vertices, triangles.triangles).ok()
});

/// The half-space y ≤ 0, cut off far from a shape with these bounds in its frame (m); `None` if the shape is above.
pub fn cut_off((low, high): (DVec3, DVec3)) -> Option<Solid<'static>> {
    let size = (high - low).max_element();
    if low.y >= 0.0 || !size.is_finite() {
        return None;
    }
    let middle = |k: usize| low[k] + 0.5 * (high[k] - low[k]);
    let at = |v: &DVec3| {
        let y = if v.y > 0.0 { 0.0 } else { low.y - size };
        DVec3::new(middle(0) + size * v.x, y, middle(2) + size * v.z)
    };
    let cube = CUBE.as_ref()?;
    Some(Solid::deformed(cube, cube.vertices().iter().map(at).collect()))
}

/// An ellipsoid with these semi-axes (m) as triangles with their corners on it.
pub fn inscribed(semi_axes: DVec3) -> Option<Solid<'static>> {
    let sphere = SPHERE.as_ref()?;
    Some(Solid::deformed(sphere, sphere.vertices().iter().map(|v| *v * semi_axes).collect()))
}
