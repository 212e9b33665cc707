//! Whether the surfaces of two meshes cross where they are at t = 0.

use super::MovingMesh;
use super::candidates::face_pairs;
use crate::shape::self_intersection::triangles_intersect;

/// Whether a face of A and one of B have a point in common at t = 0, decided exactly. Touching counts; a mesh wholly
/// inside another does not. No face may have its corners on one line.
pub fn surfaces_meet(a: &MovingMesh<'_>, b: &MovingMesh<'_>) -> bool {
    let corners =
        |mesh: &MovingMesh<'_>, face: u32| mesh.topology().faces()[face as usize].map(|v| mesh.start()[v as usize]);
    let mut meet = false;
    face_pairs(a, b, |i, j| meet = meet || triangles_intersect(corners(a, i), corners(b, j)));
    meet
}

#[cfg(test)]
mod tests {
    use super::super::Topology;
    use super::*;
    use glam::DVec3;

    #[test]
    fn an_edge_through_a_face_is_seen_though_all_distances_are_positive() {
        let topology = Topology::new(3, &[], vec![[0, 1, 2]]).unwrap();
        let flat = [DVec3::new(-9.0, 0.0, -9.0), DVec3::new(9.0, 0.0, -9.0), DVec3::new(0.0, 0.0, 9.0)];
        let upright =
            |y: f64| [DVec3::new(0.0, y - 1.0, 0.0), DVec3::new(0.0, y + 1.0, 0.0), DVec3::new(0.5, y + 1.0, 0.0)];
        let meet = |y: f64| {
            let (one, two) = (flat, upright(y));
            let a = MovingMesh::new(&topology, &one, &one).unwrap();
            let b = MovingMesh::new(&topology, &two, &two).unwrap();
            surfaces_meet(&a, &b)
        };
        assert!(meet(0.0) && meet(1.0) && meet(-1.0), "touching counts");
        assert!(!meet(1.0_f64.next_up()) && !meet(-1.1));
    }
}
