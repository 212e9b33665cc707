//! What holds for the peers: the same as for [our own methods](super::symmetry), but for what parry leaves to rounding.

use drystone_contact::Pose;
use drystone_contact::contact::{Contact, Feature};
use drystone_contact::generator::parry::PREDICTION;
use drystone_contact::generator::{Method, methods};
use drystone_contact::shape::{Shape, TetrahedralMesh};
use drystone_replica::Variant;
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::sample::{cuboid, pose, single};
use super::symmetry::{MOVED, Pair, check_motion, check_swap, stars, tetrahedra};
use super::{CASES, config, exact};

/// The place of a feature in the world, m: its corners.
fn corners(pair: &Pair, k: usize, feature: Feature) -> Option<Vec<DVec3>> {
    let mesh = pair.shapes[k].as_polyhedron().unwrap().mesh().unwrap();
    let vertices = match feature {
        Feature::Vertex(v) => vec![v],
        Feature::Edge(e) => mesh.edges().get(e as usize)?.to_vec(),
        Feature::Face(f) => mesh.faces().get(f as usize)?.vertices.to_vec(),
        Feature::Tetrahedron(t) => mesh.tetrahedra().get(t as usize)?.to_vec(),
        // Features of the shape, which parry does not know.
        _ => return None,
    };
    vertices.iter().map(|&v| mesh.vertices().get(v as usize).map(|&p| pair.poses[k].transform_point(p))).collect()
}

/// What needs no reference.
fn check_sane(pair: &Pair, method: &Method) -> Result<(), TestCaseError> {
    let contacts = pair.contacts(method, Variant::Corrected);
    for c in &contacts {
        prop_assert!(c.position.is_finite() && (c.normal.length() - 1.0).abs() <= MOVED, "{c:?}");
        prop_assert!(c.gap < PREDICTION, "{c:?}");
        for (k, feature) in [c.feature_a, c.feature_b].into_iter().enumerate() {
            let corners = corners(pair, k, feature);
            prop_assert!(corners.is_some(), "{c:?}");
            if let (Feature::Vertex(_), Some(&[vertex])) = (feature, corners.as_deref()) {
                let off = (c.position - vertex).length() - 0.5 * c.gap.abs();
                prop_assert!(off.abs() <= MOVED, "{off} from its vertex: {c:?}");
            }
        }
    }
    let mut apart = f64::INFINITY;
    for a in pair.tetrahedra(0) {
        for b in pair.tetrahedra(1) {
            apart = apart.min(exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b)).1.metres);
            if apart <= PREDICTION {
                return Ok(());
            }
        }
    }
    prop_assert!(contacts.is_empty() || method.name() == "parry-convex", "{apart} apart, and yet {contacts:?}");
    Ok(())
}

/// The points of a contact are on the surfaces of tetrahedra, half the gap from its position.
fn check_near(pair: &Pair, method: &Method) -> Result<(), TestCaseError> {
    for c in pair.contacts(method, Variant::Corrected) {
        for k in 0..2 {
            let distance = pair.distance(k, c.position);
            prop_assert!(distance <= 0.5 * c.gap.abs() + MOVED, "{distance} from body {k}: {c:?}");
        }
    }
    Ok(())
}

macro_rules! of_each_peer {
    ($($name:ident: $method:expr),*) => { $(
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(config(CASES / 10))]

                #[test]
                fn tetrahedra_may_be_swapped_and_moved(
                    pair in tetrahedra().prop_filter("close", Pair::is_in_general_position),
                    motion in pose(3.0),
                ) {
                    check_swap(&pair, &$method, Variant::Corrected, 0.0)?;
                    if $method.name() == "parry-convex" {
                        check_motion(&pair, &$method, &motion)?;
                    }
                    check_sane(&pair, &$method)?;
                    check_near(&pair, &$method)?;
                }

                #[test]
                fn bodies_may_be_swapped_and_moved(pair in stars(), motion in pose(3.0)) {
                    check_swap(&pair, &$method, Variant::Corrected, 0.0)?;
                    check_motion(&pair, &$method, &motion)?;
                    check_sane(&pair, &$method)?;
                }
            }
        }
    )* };
}

of_each_peer! {
    parry_convex: methods::parry_convex(),
    parry_trimesh: methods::parry_trimesh(),
    parry_compound: methods::parry_compound()
}

proptest! {
    #![proptest_config(config(CASES / 10))]

    /// A box on a larger one: its four lower corners with the normal up; besides, of the hull, the closest points that parry
    /// adds without features. Triangles and tetrahedra may find more, and other normals at the sides.
    #[test]
    fn a_box_at_rest_has_its_corners(angle in 0.1..1.4f64, shift in prop::array::uniform2(-0.1..0.1f64), depth in -0.01..0.01f64) {
        let (ground, stone) = (cuboid(), small_cuboid());
        let above = Pose::from_parts(DVec3::new(shift[0], 0.5 + 0.25 - depth, shift[1]), DQuat::from_rotation_y(angle));
        let pair = Pair { shapes: [ground, stone], poses: [Pose::IDENTITY, above] };
        let lowest = |p: &DVec3| p.y < 0.5 - depth + MOVED;
        let corners: Vec<DVec3> =
            pair.shapes[1].surface().unwrap().vertices().iter().map(|&p| above.transform_point(p)).filter(lowest).collect();
        prop_assert_eq!(corners.len(), 4);
        for method in &[methods::parry_convex(), methods::parry_trimesh(), methods::parry_compound()] {
            let contacts = pair.contacts(method, Variant::Corrected);
            let is_upright = |c: &Contact| (c.normal - DVec3::Y).length() <= MOVED && (c.gap + depth).abs() <= MOVED;
            for corner in &corners {
                let is_there = |c: &Contact| {
                    let off = c.position - (*corner + 0.5 * depth * DVec3::Y);
                    off.length() <= MOVED && is_upright(c) && matches!(c.feature_b, Feature::Vertex(_))
                };
                prop_assert!(contacts.iter().any(is_there), "{method}: no contact at {corner}");
            }
            if method.name() == "parry-convex" {
                prop_assert!(contacts.len() <= 5 && contacts.iter().all(is_upright), "{contacts:?}");
            }
        }
    }
}

/// Half the size of [`cuboid`]: half a metre high.
fn small_cuboid() -> Shape {
    let mesh = cuboid().as_polyhedron().unwrap().mesh().unwrap().clone();
    let vertices = mesh.vertices().iter().map(|p| 0.5 * *p).collect();
    Shape::from_mesh(mesh.with_vertices(vertices).unwrap())
}

/// A valley between two tetrahedra with a common face, and a stone in the air above its floor.
#[test]
fn the_hull_alone_fills_a_hollow() {
    let vertices = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [2.0, 1.0, 0.0], [-2.0, 1.0, 0.0]];
    let tetrahedra = vec![[0, 1, 2, 3], [0, 2, 1, 4]];
    let valley = TetrahedralMesh::new(vertices.map(DVec3::from_array).to_vec(), tetrahedra).unwrap();
    let shapes = [Shape::from_mesh(valley), single(&[[0, 0, 0], [1, 0, 0], [0, 0, -1], [0, 1, 0]].map(tenths))];
    let pair = Pair { shapes, poses: [Pose::IDENTITY, Pose::from_translation(DVec3::new(0.0, 0.7, 0.0))] };
    let hull = pair.contacts(&methods::parry_convex(), Variant::Corrected);
    assert!(!hull.is_empty());
    // The hull is not the body there, so no face of the body is named.
    assert!(hull.iter().all(|c| matches!(c.feature_a, Feature::Tetrahedron(_))), "{hull:?}");
    for method in &[methods::parry_trimesh(), methods::parry_compound()] {
        assert_eq!(pair.contacts(method, Variant::Corrected), [], "{method}");
    }
}

fn tenths(p: [i8; 3]) -> DVec3 {
    DVec3::from_array(p.map(|x| 0.1 * f64::from(x)))
}

/// Whatever parry makes of slivers and of sizes beyond any scene, no panic and no nonsense comes out.
#[test]
fn slivers_have_sound_contacts_or_none() {
    for exponent in [-60, -20, -8, 0, 8, 60] {
        for flat in [1.0, 1e-6, 1e-12] {
            let size = 10f64.powi(exponent);
            let shape = single(&[DVec3::ZERO, DVec3::Z, DVec3::X, DVec3::Y * flat].map(|p| size * p));
            let above = Pose::from_translation(DVec3::Y * 0.1 * size * flat);
            let pair = Pair { shapes: [shape.clone(), shape], poses: [Pose::IDENTITY, above] };
            for method in &[methods::parry_convex(), methods::parry_trimesh(), methods::parry_compound()] {
                for c in pair.contacts(method, Variant::Corrected) {
                    let is_unit = (c.normal.length() - 1.0).abs() <= MOVED;
                    assert!(
                        c.position.is_finite() && c.gap < PREDICTION && is_unit,
                        "{method} {size:e} {flat:e}: {c:?}"
                    );
                }
            }
        }
    }
}
