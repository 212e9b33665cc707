//! Random tetrahedra, bodies and poses.

use std::sync::Arc;

use drystone_contact::Pose;
use drystone_contact::generator::tetrahedron::Tetrahedron;
use drystone_contact::shape::{
    Polyhedron, Shape, Surface, TetrahedralMesh, TetrahedralizationSettings, Tetrahedralizer,
};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

/// Four points with positive orientation; `None` if they span a volume of less than `least` (m³).
pub fn oriented(mut points: [DVec3; 4], least: f64) -> Option<[DVec3; 4]> {
    let volume = six_volumes(&points) / 6.0;
    if volume < 0.0 {
        points.swap(2, 3);
    }
    (volume.abs() >= least && volume != 0.0).then_some(points)
}

fn six_volumes(p: &[DVec3; 4]) -> f64 {
    (p[1] - p[0]).dot((p[2] - p[0]).cross(p[3] - p[0]))
}

/// Positively oriented tetrahedra with coordinates −3…3: they touch, share planes and coincide often.
pub fn lattice_tetrahedron() -> impl Strategy<Value = [DVec3; 4]> {
    prop::array::uniform12(-3..=3i32).prop_filter_map("flat", |c| {
        oriented([0, 3, 6, 9].map(|i| DVec3::new(c[i].into(), c[i + 1].into(), c[i + 2].into())), 0.0)
    })
}

/// Positively oriented tetrahedra with any coordinates in −1…1.
pub fn generic_tetrahedron() -> impl Strategy<Value = [DVec3; 4]> {
    prop::array::uniform12(-1.0..1.0f64)
        .prop_filter_map("flat", |c| oriented([0, 3, 6, 9].map(|i| DVec3::new(c[i], c[i + 1], c[i + 2])), 0.0))
}

/// As [`generic_tetrahedron`], but none so flat that rounding moves its planes noticeably.
pub fn fat_tetrahedron() -> impl Strategy<Value = [DVec3; 4]> {
    prop::array::uniform12(-1.0..1.0f64)
        .prop_filter_map("flat", |c| oriented([0, 3, 6, 9].map(|i| DVec3::new(c[i], c[i + 1], c[i + 2])), 0.02))
}

/// Triangles with coordinates −3…3.
pub fn lattice_triangle() -> impl Strategy<Value = [DVec3; 3]> {
    prop::array::uniform9(-3..=3i32).prop_filter_map("flat", |c| {
        let t = [0, 3, 6].map(|i| DVec3::new(c[i].into(), c[i + 1].into(), c[i + 2].into()));
        ((t[1] - t[0]).cross(t[2] - t[0]) != DVec3::ZERO).then_some(t)
    })
}

/// Triangles with any coordinates in −1…1.
pub fn generic_triangle() -> impl Strategy<Value = [DVec3; 3]> {
    prop::array::uniform9(-1.0..1.0f64).prop_map(|c| [0, 3, 6].map(|i| DVec3::new(c[i], c[i + 1], c[i + 2])))
}

/// Rotations over the whole group.
pub fn rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64).prop_filter_map("short", |q| {
        let q = DQuat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

/// Any rotation, and translations up to `reach` (m) per coordinate.
pub fn pose(reach: f64) -> impl Strategy<Value = Pose> {
    (prop::array::uniform3(-1.0..1.0f64), rotation())
        .prop_map(move |(t, q)| Pose::from_parts(DVec3::from_array(t) * reach, q))
}

/// How far rounding can turn the planes of the faces: the largest ratio of two edges' lengths to the length of their
/// product, over all corners that the plane may be computed from.
pub fn flatness(points: &[DVec3]) -> f64 {
    let n = points.len();
    let mut worst: f64 = 1.0;
    for i in 0..n {
        for j in 0..n {
            for k in j + 1..n {
                if i != j && i != k {
                    let (u, v) = (points[j] - points[i], points[k] - points[i]);
                    worst = worst.max(u.length() * v.length() / u.cross(v).length());
                }
            }
        }
    }
    worst
}

/// A tetrahedron that stands alone.
pub fn element(points: &[DVec3; 4]) -> Tetrahedron<DVec3> {
    Tetrahedron::alone(*points)
}

/// A shape that methods which erode shapes take as it is: what is tested here are the contacts, and small solids do not
/// outlast their erosion.
fn as_it_is(polyhedron: Polyhedron) -> Shape {
    let eroded = Arc::new(polyhedron.clone().into());
    polyhedron.with_eroded(eroded).into()
}

/// A shape of one tetrahedron.
pub fn single(points: &[DVec3; 4]) -> Shape {
    as_it_is(Polyhedron::from_mesh(TetrahedralMesh::new(points.to_vec(), vec![[0, 1, 2, 3]]).unwrap()))
}

/// A star-shaped body: the directions of an octahedron (m), each with its own distance from the centre, filled by a
/// cone from a point of the kernel.
pub fn star() -> impl Strategy<Value = Shape> {
    (prop::array::uniform6(0.4..1.0f64), prop::array::uniform18(-0.2..0.2f64)).prop_filter_map("no kernel", |(r, j)| {
        let directions = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let vertices = (0..6).map(|i| (directions[i] + DVec3::new(j[3 * i], j[3 * i + 1], j[3 * i + 2])) * r[i]);
        let triangles = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
        let surface = Surface::new(vertices.collect(), triangles.to_vec()).ok()?;
        let settings = TetrahedralizationSettings {
            tetrahedralizer: Tetrahedralizer::Cone,
            ..TetrahedralizationSettings::default()
        };
        Polyhedron::from_surface(&surface, &settings).ok().map(as_it_is)
    })
}

/// A box with sides of 1.2, 1 and 1.4 m, filled by a cone.
pub fn cuboid() -> Shape {
    let ring = [[-0.6, -0.5], [0.6, -0.5], [0.6, 0.5], [-0.6, 0.5]];
    let vertices = [0.7, -0.7].iter().flat_map(|&z| ring.map(|[x, y]| DVec3::new(x, y, z))).collect();
    let quads = [[0, 1, 2, 3], [4, 7, 6, 5], [4, 0, 3, 7], [1, 5, 6, 2], [7, 3, 2, 6], [5, 1, 0, 4]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new(vertices, triangles).unwrap();
    as_it_is(Polyhedron::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap())
}
