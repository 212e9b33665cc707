//! The connected parts of a surface: what is shown as one thing.

use std::sync::Arc;

use glam::DVec3;

use super::surface::DeformableSurface;
use super::vertices::Vertices;
use crate::simulator::DeformableMesh;

/// A connected part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The vertices of the surface that belong to it, in ascending order.
    vertices: Vec<u32>,
    /// By their places in that list.
    triangles: Arc<[[u32; 3]]>,
    is_prescribed: bool,
}

impl Part {
    /// The part with these positions (m) and velocities (m/s) of all vertices of the surface.
    pub fn mesh(&self, positions: &[DVec3], velocities: &[DVec3]) -> DeformableMesh {
        let of = |all: &[DVec3]| self.vertices.iter().map(|&v| all[v as usize]).collect();
        DeformableMesh {
            positions: of(positions),
            velocities: of(velocities),
            triangles: Arc::clone(&self.triangles),
            is_prescribed: self.is_prescribed,
        }
    }
}

/// The parts of a surface, in the order of their first vertices.
pub fn parts(surface: &DeformableSurface, vertices: &Vertices) -> Vec<Part> {
    let count = surface.positions().len();
    let mut first: Vec<u32> = (0..count as u32).collect();
    for corners in surface.triangles() {
        let roots = corners.map(|v| root(&mut first, v));
        let least = roots[0].min(roots[1]).min(roots[2]);
        roots.into_iter().for_each(|root| first[root as usize] = least);
    }
    let mut parts: Vec<(Vec<u32>, Vec<[u32; 3]>)> = Vec::new();
    let (mut part_of, mut place) = (vec![0; count], vec![0; count]);
    for v in 0..count as u32 {
        let root = root(&mut first, v);
        if root == v {
            part_of[v as usize] = parts.len();
            parts.push(Default::default());
        }
        let part = part_of[root as usize];
        part_of[v as usize] = part;
        place[v as usize] = parts[part].0.len() as u32;
        parts[part].0.push(v);
    }
    for corners in surface.triangles() {
        parts[part_of[corners[0] as usize]].1.push(corners.map(|v| place[v as usize]));
    }
    let part = |(of, triangles): (Vec<u32>, Vec<[u32; 3]>)| Part {
        is_prescribed: of.iter().all(|&v| vertices.inverse_mass(v) == 0.0),
        vertices: of,
        triangles: triangles.into(),
    };
    parts.into_iter().map(part).collect()
}

/// The first vertex that is known to be connected with one.
fn root(first: &mut [u32], vertex: u32) -> u32 {
    let mut at = vertex;
    while first[at as usize] != at {
        first[at as usize] = first[first[at as usize] as usize];
        at = first[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::{AsynchronousSimulation, SurfaceMaterial};
    use super::*;

    #[test]
    fn parts_are_connected_and_hold_every_vertex_once() {
        let material = SurfaceMaterial { area_density: 1.0, stretching: 1.0, bending: 0.0, damping: 0.0 };
        let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        // Two strips of triangles whose vertices alternate in the list, and a particle.
        let points =
            vec![at(0.0, 0.0), at(5.0, 0.0), at(1.0, 0.0), at(6.0, 0.0), at(0.0, 1.0), at(5.0, 1.0), at(1.0, 1.0)];
        let triangles = [[0, 2, 4], [1, 3, 5], [2, 6, 4]];
        let mut surface = DeformableSurface::new(points, &triangles, &material).unwrap();
        surface.append(&DeformableSurface::particle(DVec3::Y, 1.0).unwrap());
        let simulation = AsynchronousSimulation::new(surface, &[1, 3, 5], DVec3::ZERO).unwrap();
        let meshes = simulation.meshes();
        assert_eq!(meshes.iter().map(|mesh| mesh.positions.len()).collect::<Vec<_>>(), [4, 3, 1]);
        assert_eq!(meshes.iter().map(|mesh| mesh.is_prescribed).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(
            (&meshes[0].triangles[..], &meshes[1].triangles[..]),
            (&[[0, 1, 2], [1, 3, 2]][..], &[[0, 1, 2]][..])
        );
        assert_eq!((meshes[0].positions[3], meshes[2].positions[0]), (at(1.0, 1.0), DVec3::Y));
    }
}
