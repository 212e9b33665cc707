//! A ball as a polyhedron: an icosahedron whose triangles are split into four, with all vertices on the sphere.

use std::collections::BTreeMap;

use drystone_contact::shape::{Surface, SurfaceError};
use glam::DVec3;

/// A polyhedron of 20·4ⁿ triangles around the origin, its vertices at `radius` (m).
///
/// # Errors
/// A radius that is not positive.
pub fn icosphere(radius: f64, levels: u32) -> Result<Surface, SurfaceError> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vertices: Vec<DVec3> = Vec::new();
    for (one, other) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        vertices.push(DVec3::new(one, other, 0.0));
        vertices.push(DVec3::new(0.0, one, other));
        vertices.push(DVec3::new(other, 0.0, one));
    }
    let mut triangles = faces_of_icosahedron(&vertices);
    vertices.iter_mut().for_each(|v| *v = v.normalize());
    for _ in 0..levels {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Surface::new(vertices.into_iter().map(|v| v * radius).collect(), triangles)
}

/// The triples of vertices at the distance of an edge, 2, counter-clockwise from outside.
fn faces_of_icosahedron(vertices: &[DVec3]) -> Vec<[u32; 3]> {
    let is_edge = |a: usize, b: usize| (vertices[a].distance(vertices[b]) - 2.0).abs() < 1e-9;
    let mut faces = Vec::with_capacity(20);
    for a in 0..vertices.len() {
        for b in a + 1..vertices.len() {
            for c in b + 1..vertices.len() {
                if is_edge(a, b) && is_edge(b, c) && is_edge(c, a) {
                    let is_outward =
                        (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]).dot(vertices[a]) > 0.0;
                    let face = if is_outward { [a, b, c] } else { [a, c, b] };
                    faces.push(face.map(|v| v as u32));
                }
            }
        }
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_close_around_the_ball() {
        for (levels, triangles) in [(0, 20), (1, 80), (2, 320)] {
            let surface = icosphere(2.5, levels).unwrap();
            assert_eq!((surface.triangles().len(), surface.vertices().len()), (triangles, triangles / 2 + 2));
            assert!(surface.is_convex());
            assert!(surface.vertices().iter().all(|v| (v.length() - 2.5).abs() < 1e-12));
        }
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        let share = icosphere(1.0, 2).unwrap().volume() / ball;
        assert!(share > 0.96 && share < 1.0, "{share}");
    }
}
