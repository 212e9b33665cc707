//! The solids of the built-in scenes, as closed triangle surfaces in their design frames (y up, m).
//!
//! Sizes follow the scene size S: the suite's own figures belong to S = 20, for the cliff edges to S = 8.

use drystone_contact::shape::{Surface, SurfaceError};
use glam::DVec3;

/// The proportions of spikes and wedges, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// From the base to the apex or ridge.
    pub height: f64,
    /// Half the width of the base.
    pub half_base: f64,
}

impl Proportions {
    /// The paper's "base 1 m, height 3 m" to the letter; its own figures were made with 1 m for half the base.
    pub const LITERAL: Self = Self { height: 3.0, half_base: 0.5 };

    /// Those of the suite: height 6 S / 50, half the base 2 S / 50.
    pub fn of_size(size: f64) -> Self {
        Self { height: 6.0 * size / 50.0, half_base: 2.0 * size / 50.0 }
    }
}

/// A pyramid on a square base in y = 0 with its apex at (0, height, 0).
pub fn spike(proportions: Proportions) -> Result<Surface, SurfaceError> {
    let Proportions { height: h, half_base: b } = proportions;
    let vertices = vec![
        DVec3::new(-b, 0.0, b),
        DVec3::new(b, 0.0, b),
        DVec3::new(b, 0.0, -b),
        DVec3::new(-b, 0.0, -b),
        DVec3::new(0.0, h, 0.0),
    ];
    Surface::new(vertices, vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [0, 3, 2], [0, 2, 1]])
}

/// A prism on a rectangular base in y = 0 with its ridge from (0, height, −2b) to (0, height, 2b), b half the base.
pub fn wedge(proportions: Proportions) -> Result<Surface, SurfaceError> {
    let Proportions { height: h, half_base: b } = proportions;
    let cross_section = [(-b, 0.0), (b, 0.0), (0.0, h)];
    let vertices = [2.0 * b, -2.0 * b].into_iter().flat_map(|z| cross_section.map(|(x, y)| DVec3::new(x, y, z)));
    let triangles = vec![[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]];
    Surface::new(vertices.collect(), triangles)
}

/// Two squares across the y axis, centred on it: half width `bottom` at `low`, half width `top` at `high`.
pub fn frustum(bottom: f64, low: f64, top: f64, high: f64) -> Result<Surface, SurfaceError> {
    // Front (z > 0), then back; in each (−,−), (+,−), (+,+), (−,+) in x and y.
    let corner = |sx: f64, y: f64, half: f64, sz: f64| DVec3::new(sx * half, y, sz * half);
    let vertices = [1.0, -1.0].into_iter().flat_map(|sz| {
        [
            corner(-1.0, low, bottom, sz),
            corner(1.0, low, bottom, sz),
            corner(1.0, high, top, sz),
            corner(-1.0, high, top, sz),
        ]
    });
    hexahedron(vertices.collect())
}

/// A truncated pyramid over a hexagon with a vertex along +x, centred on the y axis: circumradius `bottom` at `low`,
/// `top` at `high`. Each cap is a fan of six triangles around its centre.
pub fn hexagonal_frustum(bottom: f64, low: f64, top: f64, high: f64) -> Result<Surface, SurfaceError> {
    let sin = 3f64.sqrt() / 2.0;
    // Counter-clockwise seen from above: from +x towards −z.
    let directions = [(1.0, 0.0), (0.5, -sin), (-0.5, -sin), (-1.0, 0.0), (-0.5, sin), (0.5, sin)];
    let ring = |radius: f64, y: f64| directions.map(|(x, z)| DVec3::new(radius * x, y, radius * z));
    let mut vertices = [ring(bottom, low), ring(top, high)].concat();
    vertices.extend([DVec3::Y * low, DVec3::Y * high]);
    let mut triangles = Vec::with_capacity(24);
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.extend([[12, next, k], [13, 6 + k, 6 + next], [k, next, 6 + next], [k, 6 + next, 6 + k]]);
    }
    Surface::new(vertices, triangles)
}

/// A prism along z, from −`half_depth` to `half_depth`, whose cross-section is the trapezium symmetrical about y with the
/// half widths and heights given, lower side first.
pub fn trapezoidal_prism(half_widths: [f64; 2], heights: [f64; 2], half_depth: f64) -> Result<Surface, SurfaceError> {
    let ([bottom, top], [low, high]) = (half_widths, heights);
    let vertices = [half_depth, -half_depth]
        .into_iter()
        .flat_map(|z| [(-bottom, low), (bottom, low), (top, high), (-top, high)].map(|(x, y)| DVec3::new(x, y, z)));
    hexahedron(vertices.collect())
}

/// A box between two opposite corners.
pub fn cuboid(low: DVec3, high: DVec3) -> Result<Surface, SurfaceError> {
    let vertices = [high.z, low.z].into_iter().flat_map(|z| {
        [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)].map(|(x, y)| DVec3::new(x, y, z))
    });
    hexahedron(vertices.collect())
}

/// Six quadrilaterals, each split from its first to its third corner.
fn hexahedron(vertices: Vec<DVec3>) -> Result<Surface, SurfaceError> {
    const QUADS: [[u32; 4]; 6] = [[0, 1, 2, 3], [4, 7, 6, 5], [4, 0, 3, 7], [1, 5, 6, 2], [7, 3, 2, 6], [5, 1, 0, 4]];
    let triangles = QUADS.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface::new(vertices, triangles)
}

/// A block of 2 × 1 × 4 (for S = 20) centred on the origin with a groove of 45° walls along z, its bottom in y = 0.
pub fn crack_block(size: f64) -> Result<Surface, SurfaceError> {
    let s = size / 20.0;
    let x = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let top = [0.5, 0.5, 0.0, 0.5, 0.5];
    let mut vertices = Vec::with_capacity(20);
    for z in [2.0, -2.0] {
        vertices.extend(x.map(|x| DVec3::new(x, -0.5, z) * s));
        vertices.extend(x.iter().zip(top).map(|(&x, y)| DVec3::new(x, y, z) * s));
    }
    // Bottom 0..5 and top 5..10 at the front, 10..15 and 15..20 at the back.
    let mut quads = vec![[0, 5, 15, 10], [4, 14, 19, 9]];
    for k in 0..4 {
        quads.push([k, k + 1, k + 6, k + 5]);
        quads.push([k + 10, k + 15, k + 16, k + 11]);
        quads.push([k + 5, k + 6, k + 16, k + 15]);
        quads.push([k, k + 10, k + 11, k + 1]);
    }
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface::new(vertices, triangles)
}

/// A block of 2 × 1 × 2 (for S = 20) centred on the origin with a pit: an inverted pyramid of 45° walls, apex down at
/// the origin.
pub fn hole_block(size: f64) -> Result<Surface, SurfaceError> {
    let s = size / 20.0;
    let at = |i: u32| -1.0 + 0.5 * f64::from(i);
    let mut vertices: Vec<DVec3> = (0..25).map(|k| DVec3::new(at(k % 5), -0.5, at(k / 5)) * s).collect();
    // The 16 vertices of a border, once around: z falling along x = −1 seen from above means counter-clockwise.
    let ring: Vec<u32> = (0..4)
        .map(|k| k * 5)
        .chain((0..4).map(|k| 20 + k))
        .chain((0..4).map(|k| 24 - 5 * k))
        .chain((0..4).map(|k| 4 - k))
        .collect();
    let top: Vec<u32> = (25..41).collect();
    for &bottom in &ring {
        let below = vertices[bottom as usize];
        vertices.push(DVec3::new(below.x, 0.5 * s, below.z));
    }
    // Rim corners in the order in which the ring passes the block's corners, then the apex.
    let rim = [41, 42, 43, 44];
    vertices.extend([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)].map(|(x, z)| DVec3::new(x, 0.5, z) * s));
    let apex = 45;
    vertices.push(DVec3::ZERO);

    let mut triangles = Vec::with_capacity(88);
    for row in 0..4 {
        for column in 0..4 {
            let a = 5 * row + column;
            triangles.extend([[a, a + 1, a + 6], [a, a + 6, a + 5]]);
        }
    }
    for k in 0..16 {
        let next = (k + 1) % 16;
        triangles.extend([[ring[k], ring[next], top[next]], [ring[k], top[next], top[k]]]);
    }
    for side in 0..4 {
        let outer = |k: usize| top[(4 * side + k) % 16];
        let (first, second) = (rim[side], rim[(side + 1) % 4]);
        triangles.extend([
            [outer(0), outer(1), first],
            [outer(1), outer(2), first],
            [outer(2), second, first],
            [outer(2), outer(3), second],
            [outer(3), outer(4), second],
            [first, second, apex],
        ]);
    }
    Surface::new(vertices, triangles)
}

/// A block of 4 × 2 × 4 (for S = 20) centred on the origin whose top is split so that the corners of a cube of side 2
/// stand on two of its vertices and two of its edges.
pub fn internal_edge_block(size: f64) -> Result<Surface, SurfaceError> {
    let s = size / 20.0;
    // The eight vertices of the top's border, counter-clockwise seen from above, then the two inside; (x, −z).
    let top = [
        (-2.0, -2.0),
        (0.0, -2.0),
        (2.0, -2.0),
        (2.0, 0.0),
        (2.0, 2.0),
        (0.0, 2.0),
        (-2.0, 2.0),
        (-2.0, 0.0),
        (-1.0, -1.0),
        (1.0, -1.0),
    ];
    let bottom = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
    let place = |y: f64| move |&(x, minus_z): &(f64, f64)| DVec3::new(x, y, -minus_z) * s;
    let vertices = top.iter().map(place(1.0)).chain(bottom.iter().map(place(-1.0))).collect();
    let mut triangles = vec![
        [0, 1, 8],
        [0, 8, 7],
        [1, 2, 9],
        [2, 3, 9],
        [3, 4, 5],
        [5, 6, 7],
        [1, 9, 5],
        [9, 3, 5],
        [1, 5, 8],
        [8, 5, 7],
        [10, 12, 11],
        [10, 13, 12],
    ];
    for side in 0..4u32 {
        let (low, next_low) = (10 + side, 10 + (side + 1) % 4);
        let (corner, middle, next) = (2 * side, 2 * side + 1, (2 * side + 2) % 8);
        triangles.extend([[low, next_low, middle], [low, middle, corner], [next_low, next, middle]]);
    }
    Surface::new(vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_exact() {
        let volume = |surface: Result<Surface, SurfaceError>| surface.unwrap().volume();
        let is = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} instead of {b}");
        is(volume(spike(Proportions::of_size(20.0))), 1.6 * 1.6 * 2.4 / 3.0);
        is(volume(wedge(Proportions::of_size(20.0))), 0.5 * 1.6 * 2.4 * 3.2);
        is(volume(spike(Proportions::LITERAL)), 1.0);
        is(volume(crack_block(20.0)), 7.0);
        is(volume(hole_block(20.0)), 4.0 - 1.0 / 6.0);
        is(volume(internal_edge_block(20.0)), 32.0);
        is(volume(internal_edge_block(40.0)), 256.0);
        is(volume(cuboid(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0))), 6.0);
        is(volume(hexagonal_frustum(2.0, 1.0, 2.0, 3.0)), 2.0 * 6.0 * 3f64.sqrt());
        is(volume(hexagonal_frustum(2.0, 0.0, 1.0, 3.0)), 1.5 * 3f64.sqrt() * (4.0 + 2.0 + 1.0));
        is(volume(trapezoidal_prism([1.0, 2.0], [0.0, 1.0], 3.0)), 3.0 * 6.0);
        is(volume(frustum(2.4, 0.0, 1.6, 3.2)), 3.2 / 3.0 * (4.8 * 4.8 + 4.8 * 3.2 + 3.2 * 3.2));
    }

    #[test]
    fn numbers_of_vertices_and_triangles() {
        let count = |surface: Result<Surface, SurfaceError>| {
            let surface = surface.unwrap();
            (surface.vertices().len(), surface.triangles().len())
        };
        assert_eq!(count(crack_block(20.0)), (20, 36));
        assert_eq!(count(hole_block(20.0)), (46, 88));
        assert_eq!(count(internal_edge_block(20.0)), (14, 24));
    }
}
