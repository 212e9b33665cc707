//! Properties that every tetrahedralization has, on random star-shaped and convex polyhedra.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::cone::{cone_from_kernel, fan};
use super::kernel::Kernel;
use super::sample;
use super::surface::Surface;
use super::tetrahedral_mesh::{FACE_CORNERS, TetrahedralMesh, volume};

/// A sphere's triangles with a random radius for every vertex, turned and moved: star-shaped about its centre.
pub(super) fn star() -> impl Strategy<Value = Surface> {
    let sphere = prop_oneof![
        4 => Just((false, 0)),
        4 => Just((true, 0)),
        4 => Just((false, 1)),
        1 => Just((true, 1)),
    ];
    sphere
        .prop_map(|(icosahedron, level)| sample::sphere(icosahedron, level))
        .prop_flat_map(|(directions, triangles)| {
            let radii = prop::collection::vec(0.5..1.5_f64, directions.len());
            (Just(directions), Just(triangles), radii, rotation(), prop::array::uniform3(-10.0..10.0_f64))
        })
        .prop_map(|(directions, triangles, radii, rotation, centre)| {
            let place = |(d, r): (&DVec3, f64)| DVec3::from_array(centre) + rotation * (r * d);
            Surface::new(directions.iter().zip(radii).map(place).collect(), triangles).unwrap()
        })
}

pub(super) fn rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("a rotation", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

/// Checks a mesh against a surface without the code of the mesh's own checks.
fn check(mesh: &TetrahedralMesh, surface: &Surface) -> Result<(), TestCaseError> {
    let mut total = 0.0;
    let mut sides: BTreeMap<[u32; 3], Vec<[u32; 3]>> = BTreeMap::new();
    for (t, corners) in mesh.tetrahedra().iter().enumerate() {
        let v = volume(mesh.corners(t as u32));
        prop_assert!(v > 0.0, "tetrahedron {} has volume {}", t, v);
        total += v;
        for (k, face) in FACE_CORNERS.iter().enumerate() {
            let face = face.map(|i| corners[i]);
            prop_assert!(!face.contains(&corners[k]));
            let mut key = face;
            key.sort_unstable();
            sides.entry(key).or_default().push(face);
            let neighbour = mesh.neighbours()[t][k];
            if let Some(n) = neighbour {
                let back = mesh.neighbours()[n as usize].iter().filter(|&&b| b == Some(t as u32)).count();
                prop_assert_eq!(back, 1, "neighbours {} and {}", t, n);
                prop_assert!(face.iter().all(|v| mesh.tetrahedra()[n as usize].contains(v)));
            }
            prop_assert_eq!(neighbour.is_none(), mesh.face_on_surface(mesh.tetrahedron_faces()[t][k]));
        }
    }
    prop_assert!((total - surface.volume()).abs() <= 1e-12 * total);
    prop_assert_eq!(&mesh.vertices()[..surface.vertices().len()], surface.vertices());

    // Each surface triangle is the only face with its corners, in its own direction; all other faces are in pairs.
    for corners in surface.triangles() {
        let mut key = *corners;
        key.sort_unstable();
        let found = sides.remove(&key).unwrap_or_default();
        prop_assert_eq!(found.len(), 1);
        prop_assert!((0..3).any(|k| [0, 1, 2].map(|i| found[0][(i + k) % 3]) == *corners));
    }
    prop_assert!(sides.values().all(|pair| pair.len() == 2));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn cones_fill_star_shaped_polyhedra(surface in star()) {
        let kernel = Kernel::of(&surface).unwrap();
        for (t, n) in surface.normals().iter().enumerate() {
            let distance = n.dot(surface.corners(t as u32)[0] - kernel.point);
            prop_assert!(distance >= 0.999_999 * kernel.margin, "triangle {} at {}, {:?}", t, distance, kernel);
        }
        let mesh = cone_from_kernel(&surface).unwrap();
        check(&mesh, &surface)?;
        prop_assert_eq!(mesh.tetrahedra().len(), surface.triangles().len());
        prop_assert_eq!(mesh.vertices().len(), surface.vertices().len() + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The kernel of a sphere's polyhedron contains its centre, so the best margin is at least the centre's.
    #[test]
    fn no_point_tried_has_a_larger_margin(surface in star(), shift in prop::array::uniform3(-0.2..0.2_f64)) {
        let kernel = Kernel::of(&surface).unwrap();
        let margin = |point: DVec3| {
            let heights = surface.normals().iter().enumerate().map(|(t, n)| n.dot(surface.corners(t as u32)[0] - point));
            heights.fold(f64::MAX, f64::min)
        };
        for scale in [0.0, 1e-4, 1e-2, 1.0] {
            prop_assert!(margin(kernel.point + scale * DVec3::from_array(shift)) <= kernel.margin + 2e-8);
        }
    }

    #[test]
    fn fans_fill_convex_polyhedra(
        icosahedron in any::<bool>(), level in 0..2_u32, stretch in prop::array::uniform3(0.2..5.0_f64),
        rotation in rotation(),
    ) {
        let (directions, triangles) = sample::sphere(icosahedron, level);
        let place = |d: &DVec3| rotation * (DVec3::from_array(stretch) * d);
        let surface = Surface::new(directions.iter().map(place).collect(), triangles).unwrap();
        let (mesh, vertex) = fan(&surface).unwrap();
        prop_assert_eq!(vertex, 0);
        check(&mesh, &surface)?;
        prop_assert_eq!(mesh.vertices(), surface.vertices());
    }
}
