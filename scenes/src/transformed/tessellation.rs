//! A scene whose shapes are cut into other tetrahedra, and their surfaces into other triangles.

use std::collections::BTreeSet;

use drystone_contact::shape::{ShapeError, TetrahedralMesh, TetrahedralMeshError};
use glam::DVec3;

use super::with_meshes;
use crate::scene::Scene;
use drystone_contact::split_mix::SplitMix;

/// Triangles whose unit normals differ by less lie in one plane.
const COPLANAR: f64 = 1e-9;

/// A flip whose new tetrahedra are smaller than this share of the old ones is left out.
const THINNEST: f64 = 1e-3;

/// The scene with its shapes cut otherwise, by a sequence that follows from the seed alone: of the diagonals between two
/// surface triangles in one plane about half are flipped, of the surface edges about half get a vertex in their middle, of
/// the surface triangles about half one in their centroid. Solids, masses and states stay.
///
/// # Errors
/// Tetrahedra that are, by rounding, too thin.
pub fn retessellated(scene: &Scene, seed: u64) -> Result<Scene, ShapeError> {
    let mut sequence = SplitMix::new(seed);
    with_meshes(scene, |mesh| {
        let flipped = with_flipped_diagonals(mesh, &mut sequence)?;
        let halved = with_halved_edges(&flipped, &mut sequence)?;
        with_split_triangles(&halved, &mut sequence)
    })
}

/// Six times the volume of a tetrahedron.
fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a))
}

/// Two coplanar surface triangles whose tetrahedra share the fourth vertex are a pyramid over a quadrilateral, which can be
/// cut along the other diagonal. No tetrahedron takes part in two flips.
fn with_flipped_diagonals(
    mesh: &TetrahedralMesh,
    sequence: &mut SplitMix,
) -> Result<TetrahedralMesh, TetrahedralMeshError> {
    let surface = mesh.surface();
    let mut tetrahedra = mesh.tetrahedra().to_vec();
    let mut taken = BTreeSet::new();
    for edge in surface.edges() {
        let is_chosen = sequence.next_fraction() < 0.5;
        let [first, second] = edge.triangles;
        let normals = [first, second].map(|t| surface.normals()[t as usize]);
        let sides = [first, second].map(|t| mesh.faces()[mesh.surface_faces()[t as usize] as usize].front);
        let cells = sides.map(|side| side.tetrahedron as usize);
        if !is_chosen || normals[0].distance(normals[1]) > COPLANAR || cells.iter().any(|cell| taken.contains(cell)) {
            continue;
        }
        let apexes = [0, 1].map(|k| tetrahedra[cells[k]][sides[k].face as usize]);
        let opposite = |t: u32| surface.triangles()[t as usize].iter().find(|v| !edge.vertices.contains(v)).copied();
        let (Some(p), Some(q)) = (opposite(first), opposite(second)) else { continue };
        if apexes[0] != apexes[1] {
            continue;
        }
        // Seen from outside the first triangle is i, j, p and the second j, i, q.
        let [i, j, p, q] = [edge.vertices[0], edge.vertices[1], p, q].map(|v| mesh.surface_vertices()[v as usize]);
        let flipped = [[apexes[0], p, i, q], [apexes[0], q, j, p]];
        let size = |corners: [u32; 4]| volume(corners.map(|v| mesh.vertices()[v as usize]));
        let thinnest = THINNEST * cells.map(|cell| size(tetrahedra[cell])).iter().sum::<f64>();
        if flipped.iter().all(|&corners| size(corners) > thinnest) {
            (tetrahedra[cells[0]], tetrahedra[cells[1]]) = (flipped[0], flipped[1]);
            taken.extend(cells);
        }
    }
    TetrahedralMesh::new(mesh.vertices().to_vec(), tetrahedra)
}

/// A new vertex in the middle of an edge halves all tetrahedra around it. No tetrahedron is halved twice.
fn with_halved_edges(mesh: &TetrahedralMesh, sequence: &mut SplitMix) -> Result<TetrahedralMesh, TetrahedralMeshError> {
    let mut around = vec![Vec::new(); mesh.edges().len()];
    for (cell, edges) in mesh.tetrahedron_edges().iter().enumerate() {
        edges.iter().for_each(|&edge| around[edge as usize].push(cell));
    }
    let mut vertices = mesh.vertices().to_vec();
    let mut tetrahedra = mesh.tetrahedra().to_vec();
    let mut taken = BTreeSet::<usize>::new();
    for (edge, cells) in around.iter().enumerate() {
        let is_chosen = sequence.next_fraction() < 0.5;
        if !is_chosen || !mesh.edge_on_surface()[edge] || cells.iter().any(|cell| taken.contains(cell)) {
            continue;
        }
        let [i, j] = mesh.edges()[edge];
        let middle = vertices.len() as u32;
        vertices.push(vertices[i as usize].midpoint(vertices[j as usize]));
        for &cell in cells {
            let with_middle_for = |end: u32| mesh.tetrahedra()[cell].map(|v| if v == end { middle } else { v });
            tetrahedra[cell] = with_middle_for(i);
            tetrahedra.push(with_middle_for(j));
        }
        taken.extend(cells);
    }
    TetrahedralMesh::new(vertices, tetrahedra)
}

/// A new vertex in the centroid of a surface triangle cuts its tetrahedron into three. No tetrahedron is cut twice.
fn with_split_triangles(
    mesh: &TetrahedralMesh,
    sequence: &mut SplitMix,
) -> Result<TetrahedralMesh, TetrahedralMeshError> {
    let mut vertices = mesh.vertices().to_vec();
    let mut tetrahedra = mesh.tetrahedra().to_vec();
    let mut taken = BTreeSet::new();
    for &face in mesh.surface_faces() {
        let face = &mesh.faces()[face as usize];
        let cell = face.front.tetrahedron as usize;
        if sequence.next_fraction() >= 0.5 || !taken.insert(cell) {
            continue;
        }
        let centroid = vertices.len() as u32;
        vertices.push(face.vertices.iter().map(|&v| vertices[v as usize]).sum::<DVec3>() / 3.0);
        let [first, second, third] =
            face.vertices.map(|corner| mesh.tetrahedra()[cell].map(|v| if v == corner { centroid } else { v }));
        tetrahedra[cell] = first;
        tetrahedra.extend([second, third]);
    }
    TetrahedralMesh::new(vertices, tetrahedra)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Case;
    use crate::contact_region::{RegionSettings, corners};
    use crate::transformed::sample::case;
    use drystone_engine::Body;

    #[test]
    fn volume_and_area_stay_while_triangles_change() {
        for fundamental in Case::ALL {
            let scene = case(fundamental);
            for seed in 0..5 {
                let other = retessellated(&scene, seed).unwrap();
                for (before, after) in scene.bodies.iter().zip(&other.bodies) {
                    let (before, after) = (before.shape.surface().unwrap(), after.shape.surface().unwrap());
                    let area = |s: &drystone_contact::shape::Surface| s.areas().iter().sum::<f64>();
                    assert!((after.volume() / before.volume() - 1.0).abs() < 1e-12);
                    assert!((area(after) / area(before) - 1.0).abs() < 1e-12);
                    assert!(after.triangles().len() > before.triangles().len());
                }
                assert_eq!(retessellated(&scene, seed).unwrap().bodies[0].shape, other.bodies[0].shape);
                assert_ne!(retessellated(&scene, seed + 1).unwrap().bodies[0].shape, other.bodies[0].shape);
                let poses: Vec<_> = other.states().iter().map(Body::pose).collect();
                let found = corners(&other, &other.truth, &poses, &RegionSettings::default());
                assert_eq!(found, scene.truth.minimum(), "{fundamental}, seed {seed}");
            }
        }
    }

    #[test]
    fn diagonals_are_flipped_without_new_vertices() {
        let scene = case(Case::CliffEdges);
        let mesh = scene.bodies[1].shape.as_polyhedron().unwrap().mesh().unwrap();
        let edges = |mesh: &TetrahedralMesh| mesh.edges().iter().copied().collect::<BTreeSet<_>>();
        let flipped: Vec<_> =
            (0..20).map(|seed| with_flipped_diagonals(mesh, &mut SplitMix::new(seed)).unwrap()).collect();
        assert!(
            flipped.iter().all(|f| f.vertices() == mesh.vertices() && (f.volume() / mesh.volume() - 1.0).abs() < 1e-12)
        );
        let diagonals: BTreeSet<[u32; 2]> = flipped.iter().flat_map(|f| &edges(f) - &edges(mesh)).collect();
        assert_eq!(diagonals.len(), 6, "each face of a cube has one other diagonal");
    }
}
