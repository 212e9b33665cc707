use glam::{DQuat, DVec3};

use super::*;
use crate::shape::{Surface, TetrahedralMesh, TetrahedralizationSettings, sample};
use crate::{Pose, Twist};

fn shape(surface: &Surface) -> Shape {
    Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

fn at(shape: &Shape, pose: Pose) -> Placed<'_> {
    Placed { shape, pose, twist: Twist::default() }
}

fn cuboid(half: DVec3) -> Shape {
    shape(&sample::cuboid(DVec3::ZERO, half))
}

/// A block with a groove of 45° walls along z, its bottom on the z axis.
fn crack() -> Shape {
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.5], [0.5, 0.5], [0.0, 0.0], [-0.5, 0.5], [-1.0, 0.5]];
    let cap = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [0, 4, 6], [4, 5, 6]];
    shape(&sample::prism(&outline, &cap))
}

/// A tetrahedron that points down, its apex in the origin.
fn tip() -> Shape {
    let vertices = vec![DVec3::ZERO, DVec3::new(0.2, 1.0, 0.2), DVec3::new(-0.2, 1.0, 0.2), DVec3::new(0.0, 1.0, -0.2)];
    Shape::from_mesh(TetrahedralMesh::new(vertices, vec![[0, 1, 3, 2]]).unwrap())
}

/// The square plate with a square hole, in four parts of six tetrahedra each, all around a diagonal from the outer
/// bottom to the inner top.
fn ring() -> Shape {
    let vertices = sample::ring().vertices().to_vec();
    let mut tetrahedra = Vec::new();
    for i in 0..4_u32 {
        let corner = |along: u32, inward: u32, up: u32| (i + along) % 4 + 4 * inward + 8 * up;
        for [x, y, z] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut at = [0; 3];
            let mut path = vec![corner(0, 0, 0)];
            for axis in [x, y, z] {
                at[axis] = 1;
                path.push(corner(at[0], at[1], at[2]));
            }
            let p = |k: usize| vertices[path[k] as usize];
            let volume = (p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0));
            let [a, b, c, d] = [path[0], path[1], path[2], path[3]];
            tetrahedra.push(if volume > 0.0 { [a, b, c, d] } else { [a, c, b, d] });
        }
    }
    Shape::from_mesh(TetrahedralMesh::new(vertices, tetrahedra).unwrap())
}

fn normals(contacts: &[Contact]) -> Vec<DVec3> {
    contacts.iter().map(|c| c.normal).collect()
}

/// Both walls of a crack hold a tip that has sunk into one of them, into the other, straight down or not at all.
#[test]
fn both_walls_of_a_crack_hold_at_once() {
    let (crack, tip) = (crack(), tip());
    for offset in [[0.0, 0.0], [4e-4, 0.0], [-4e-4, 0.0], [0.0, -1e-4], [0.0, -1e-3], [3e-4, -2e-3]] {
        let pose = Pose::from_translation(DVec3::new(offset[0], offset[1], 0.5));
        let mut found = normals(&SemiLocal::default().contacts(&at(&crack, Pose::IDENTITY), &at(&tip, pose)).unwrap());
        found.sort_by(|m, n| m.x.total_cmp(&n.x));
        let diagonal = 0.5f64.sqrt();
        let expected = [DVec3::new(-diagonal, diagonal, 0.0), DVec3::new(diagonal, diagonal, 0.0)];
        assert_eq!(found.len(), 2, "{offset:?}: {found:?}");
        assert!(found.iter().zip(expected).all(|(n, e)| n.distance(e) < 1e-12), "{offset:?}: {found:?}");
    }
}

/// Two tips may pass each other on either side: the motion chooses one plane, and the step before is stayed with.
#[test]
fn motion_and_memory_choose_between_alternatives() {
    let (wedge, generator) =
        (shape(&sample::prism(&[[-0.4, -1.0], [0.4, -1.0], [0.0, 0.0]], &[[0, 1, 2]])), SemiLocal::default());
    let down = Pose::from_parts(DVec3::Z, DQuat::from_rotation_x(std::f64::consts::PI));
    let moving =
        |x: f64| Placed { twist: Twist { linear: DVec3::new(x, -1.0, 0.0), angular: DVec3::ZERO }, ..at(&wedge, down) };
    let still = at(&wedge, Pose::IDENTITY);
    let [left, right] = [-0.1, 0.1].map(|x| generator.contacts(&still, &moving(x)).unwrap());
    assert_eq!([left.len(), right.len()], [2, 2], "the two ends of the ridge choose one side");
    assert!(normals(&left).iter().all(|n| n.x < -0.9) && normals(&right).iter().all(|n| n.x > 0.9));
    let previous: Vec<_> = left.iter().map(|c| (c.feature_a, c.feature_b)).collect();
    let mut stayed = Vec::new();
    generator.contacts_into(&still, &moving(0.1), &previous, &mut Workspace::default(), &mut stayed).unwrap();
    assert_eq!(normals(&stayed), normals(&left));
}

/// With the facets of the step before in memory a box at rest has the same contacts as without.
#[test]
fn memory_changes_nothing_at_rest() {
    let (floor, cube) = (cuboid(DVec3::new(2.0, 0.5, 2.0)), cuboid(DVec3::splat(0.5)));
    let generator = SemiLocal::default();
    let (mut previous, mut workspace) = (Vec::new(), Workspace::default());
    for height in [1.0, 0.9999, 1.0001, 0.995, 0.97, 1.005] {
        let (a, b) = (at(&floor, Pose::IDENTITY), at(&cube, Pose::from_translation(DVec3::Y * height)));
        let mut contacts = Vec::new();
        generator.contacts_into(&a, &b, &previous, &mut workspace, &mut contacts).unwrap();
        assert_eq!(contacts, generator.contacts(&a, &b).unwrap(), "{height}");
        assert_eq!(contacts.len(), 4);
        assert!(contacts.iter().all(|c| (c.gap - (height - 1.0)).abs() < 1e-12 && c.normal == DVec3::Y));
        previous = contacts.iter().map(|c| (c.feature_a, c.feature_b)).collect();
    }
}

/// A fast body may be deeper than the depth at the first look; apart there is nothing, however large the boxes.
#[test]
fn what_is_very_deep_is_found_once_more() {
    let (floor, cube) = (cuboid(DVec3::new(2.0, 0.5, 2.0)), cuboid(DVec3::splat(0.5)));
    let plate = cuboid(DVec3::new(0.5, 0.005, 0.5));
    let generator = SemiLocal::default();
    for (solid, half, depths) in [(&cube, 0.5, [0.049, 0.051, 0.2]), (&plate, 0.005, [0.001, 0.0016, 0.004])] {
        for depth in depths {
            let pose = Pose::from_translation(DVec3::new(0.3, 0.5 + half - depth, 0.2));
            let contacts = generator.contacts(&at(&floor, Pose::IDENTITY), &at(solid, pose)).unwrap();
            assert_eq!(contacts.len(), 4, "{half} {depth}: {contacts:?}");
            assert!(contacts.iter().all(|c| c.normal == DVec3::Y && (c.gap + depth).abs() < 1e-12));
        }
    }
    // A tip inside of the arms of an L, touching neither.
    let (l, tip) = (shape(&sample::l_prism()), tip());
    let pose = Pose::from_translation(DVec3::new(1.5, 1.2, 0.5));
    assert_eq!(generator.contacts(&at(&l, Pose::IDENTITY), &at(&tip, pose)).unwrap(), []);
}

/// The region of an L has a concave corner, that of a ring a hole; outlines and areas are exact.
#[test]
fn patches_have_concave_corners_and_holes() {
    let table = cuboid(DVec3::new(5.0, 5.0, 0.5));
    let generator = SemiLocal::default();
    for (solid, corners, loops, area) in [(shape(&sample::l_prism()), 6, 1, 3.0), (ring(), 8, 2, 12.0)] {
        let pose = Pose::from_parts(DVec3::new(0.2, 0.1, 0.5), DQuat::from_rotation_z(0.3));
        let (a, b) = (at(&table, Pose::IDENTITY), at(&solid, pose));
        assert_eq!(generator.contacts(&a, &b).unwrap().len(), corners);
        let [patch] = &generator.patches(&a, &b)[..] else { panic!("one patch") };
        assert_eq!(patch.outlines.len(), loops);
        assert_eq!(patch.outlines.iter().map(Vec::len).sum::<usize>(), corners);
        assert!((patch.area - area).abs() < 1e-9, "{}", patch.area);
        assert!(patch.normal == DVec3::Z && patch.outlines.iter().flatten().all(|p| (p.z - 0.5).abs() < 1e-12));
    }
    // Overhanging, the patch of the L ends at the border of the table.
    let l = shape(&sample::l_prism());
    let (a, b) = (at(&table, Pose::IDENTITY), at(&l, Pose::from_translation(DVec3::new(4.5, 0.0, 0.5))));
    let [patch] = &generator.patches(&a, &b)[..] else { panic!("one patch") };
    assert!((patch.area - 1.0).abs() < 1e-9 && patch.outlines[0].len() == 4, "{patch:?}");
}
