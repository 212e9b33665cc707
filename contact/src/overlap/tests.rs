//! Polyhedra against oracles that share no code: boxes in closed form, convex clipping, Monte Carlo.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::shape::sample::{cuboid, hollow_box, l_prism, ring, sphere, u_prism};
use crate::shape::{Surface, TetrahedralizationSettings};

fn shape(surface: &Surface) -> Shape {
    Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

fn a_box(half: DVec3) -> Shape {
    shape(&cuboid(DVec3::ZERO, half))
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    vector(3.0).prop_map(DQuat::from_scaled_axis)
}

fn pose(size: f64) -> impl Strategy<Value = Pose> {
    (vector(size), rotation()).prop_map(|(t, r)| Pose::from_parts(t, r))
}

/// A star-shaped solid: an icosphere with vertices at random distances.
fn star(level: u32) -> impl Strategy<Value = Surface> {
    let (directions, triangles) = sphere(true, level);
    prop::collection::vec(0.4..1.0f64, directions.len()).prop_map(move |radii| {
        let vertices = directions.iter().zip(radii).map(|(d, r)| *d * r).collect();
        Surface::new(vertices, triangles.clone()).unwrap()
    })
}

fn tetrahedron() -> impl Strategy<Value = Surface> {
    let volume = |p: &[DVec3; 4]| (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]);
    [vector(1.0), vector(1.0), vector(1.0), vector(1.0)].prop_filter("flat", move |p| volume(p).abs() > 0.05).prop_map(
        move |mut p| {
            if volume(&p) < 0.0 {
                p.swap(0, 1);
            }
            Surface::new(p.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
        },
    )
}

/// Two numbers that are equal up to rounding at the scale of one.
fn near(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-12 * (1.0 + x.abs().max(y.abs()))
}

/// The convex polyhedron within half-spaces (unit normal, offset) by its vertices: all points where three planes meet.
fn vertices_of(planes: &[(DVec3, f64)]) -> Vec<DVec3> {
    let n = planes.len();
    let mut vertices = Vec::new();
    for (i, j, k) in (0..n).flat_map(|i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| (i, j, k)))) {
        let (p, q, r) = (planes[i].0, planes[j].0, planes[k].0);
        let determinant = p.dot(q.cross(r));
        if determinant.abs() > 1e-9 {
            let x = (q.cross(r) * planes[i].1 + r.cross(p) * planes[j].1 + p.cross(q) * planes[k].1) / determinant;
            if planes.iter().all(|(n, d)| n.dot(x) <= d + 1e-9) {
                vertices.push(x);
            }
        }
    }
    vertices
}

fn planes(surface: &Surface, pose: &Pose) -> Vec<(DVec3, f64)> {
    let at = |t: u32| (pose.rotation * surface.normals()[t as usize], pose.transform_point(surface.corners(t)[0]));
    (0..surface.triangles().len() as u32).map(at).map(|(n, p)| (n, n.dot(p))).collect()
}

/// The volume of the hull of points on the given planes: a sum of cones over its faces, each a fan of sorted corners.
fn hull_volume(planes: &[(DVec3, f64)], vertices: &[DVec3]) -> f64 {
    let middle = vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64;
    let face = |&(n, d): &(DVec3, f64)| {
        let mut on: Vec<DVec3> = vertices.iter().copied().filter(|v| (n.dot(*v) - d).abs() < 1e-9).collect();
        let centre = on.iter().sum::<DVec3>() / on.len().max(1) as f64;
        let (s, t) = n.any_orthonormal_pair();
        let angle = |v: &DVec3| (*v - centre).dot(t).atan2((*v - centre).dot(s));
        on.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        let fan = (0..on.len()).map(|k| (on[k] - centre).cross(on[(k + 1) % on.len()] - centre).length());
        0.5 * fan.sum::<f64>() * (d - n.dot(middle)) / 3.0
    };
    planes.iter().map(face).sum()
}

/// What does not depend on the frame or the order of the two.
fn figures(parts: &[Component]) -> Vec<[f64; 4]> {
    let mut list: Vec<[f64; 4]> =
        parts.iter().map(|c| [c.volume, c.width, c.area_vector.length(), c.loop_area]).collect();
    list.sort_by(|x, y| x[0].total_cmp(&y[0]));
    list
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Two boxes at right angles overlap in a box. Offsets on a lattice make faces coplanar and edges meet.
    #[test]
    fn boxes_at_right_angles_overlap_in_a_box(
        halves in prop::array::uniform2(prop::array::uniform3(1..5_u32)),
        turns in prop::array::uniform3(0..4_u32),
        offset in prop_oneof![prop::array::uniform3(-6..=6_i32).prop_map(|o| DVec3::from_array(o.map(f64::from)) * 0.25), vector(1.5)],
    ) {
        let halves = halves.map(|half| DVec3::from_array(half.map(f64::from)) * 0.25);
        let turn = |k: usize, axis| DQuat::from_axis_angle(axis, f64::from(turns[k]) * FRAC_PI_2);
        let rotation = turn(0, DVec3::X) * turn(1, DVec3::Y) * turn(2, DVec3::Z);
        let turned = (rotation * halves[1]).abs();
        let sides = (halves[0].min(offset + turned) - (-halves[0]).max(offset - turned)).to_array();
        let parts = components(&a_box(halves[0]), &a_box(halves[1]), &Pose::from_parts(offset, rotation)).unwrap();
        // Rotating rounds: what only touches may overlap by some units in the last place.
        let parts: Vec<_> = parts.into_iter().filter(|part| part.width > 1e-14).collect();
        if sides.iter().all(|side| *side > 1e-14) {
            prop_assert_eq!(parts.len(), 1);
            prop_assert!(near(parts[0].volume, sides.iter().product()), "{:?} {}", sides, parts[0].volume);
            prop_assert!(near(parts[0].width, sides.into_iter().fold(f64::INFINITY, f64::min)));
        } else {
            prop_assert_eq!(parts.len(), 0);
        }
    }

    #[test]
    fn tetrahedra_are_clipped_as_half_spaces_clip_them(a in tetrahedron(), b in tetrahedron(), pose in pose(0.6)) {
        let mut all = planes(&a, &Pose::IDENTITY);
        all.extend(planes(&b, &pose));
        let vertices = vertices_of(&all);
        let expected = hull_volume(&all, &vertices);
        let parts = components(&shape(&a), &shape(&b), &pose).unwrap();
        let volume = volume(&shape(&a), &shape(&b), &pose).unwrap();
        prop_assert!((volume - expected).abs() < 1e-8, "{volume} {expected}");
        prop_assert!(parts.len() <= 1);
        let Some(part) = parts.first().filter(|_| expected > 1e-6) else { return Ok(()) };
        // The width is the least extent over the planes that bear a face.
        let extent = |n: DVec3| {
            let h = vertices.iter().map(|v| v.dot(n)).fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
            h.1 - h.0
        };
        let bears = |(n, d): &&(DVec3, f64)| vertices.iter().filter(|v| (n.dot(**v) - d).abs() < 1e-9).count() >= 3;
        let least = all.iter().filter(bears).map(|(n, _)| extent(*n)).fold(f64::INFINITY, f64::min);
        prop_assert!(part.width >= least - 1e-8 && extent(part.width_normal) - part.width < 1e-8);
        // The area vector of A's faces inside B, which the oracle knows from its faces.
        let closed: DVec3 = part.area_vector;
        prop_assert!(closed.length() <= part.loop_area + 1e-12);
        prop_assert!((part.width_normal.length() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn swapping_and_moving_both_changes_nothing(a in star(1), b in star(1), pose in pose(0.9), moved in pose(3.0)) {
        let (one, two) = (shape(&a), shape(&b));
        let found = components(&one, &two, &pose).unwrap();
        let swapped = components(&two, &one, &pose.inverse()).unwrap();
        let compare = |x: &[[f64; 4]], y: &[[f64; 4]]| {
            x.len() == y.len() && x.iter().flatten().zip(y.iter().flatten()).all(|(x, y)| (x - y).abs() < 1e-9)
        };
        prop_assert!(compare(&figures(&found), &figures(&swapped)), "{:?} {:?}", figures(&found), figures(&swapped));
        for part in &found {
            let other = swapped.iter().min_by(|x, y| {
                let d = |c: &Component| (c.volume - part.volume).abs();
                d(x).total_cmp(&d(y))
            }).unwrap();
            prop_assert!((part.area_vector + pose.rotation * other.area_vector).length() < 1e-9);
            prop_assert_eq!((part.contour.len(), part.vertices_of_a.len()), (other.contour.len(), other.vertices_of_b.len()));
        }
        // The same solids, drawn in other frames.
        let elsewhere = |shape: &Shape, frame: &Pose| shape.in_frame(frame).unwrap();
        let (c, d) = (elsewhere(&one, &moved), elsewhere(&two, &moved));
        let relative = moved.inverse() * pose * moved;
        prop_assert!(compare(&figures(&found), &figures(&components(&c, &d, &relative).unwrap())));
    }

    #[test]
    fn what_is_wholly_inside_is_found(inner in star(1), pose in pose(0.05), scale in 2.0..8.0f64) {
        let small = Surface::new(inner.vertices().iter().map(|v| *v * 0.1).collect(), inner.triangles().to_vec()).unwrap();
        let large = a_box(DVec3::splat(0.1 * scale));
        for (a, b, vertices) in [(&shape(&small), &large, [42, 0]), (&large, &shape(&small), [0, 42])] {
            let parts = components(a, b, &pose).unwrap();
            prop_assert_eq!(parts.len(), 1);
            prop_assert!((parts[0].volume - small.volume()).abs() < 1e-12);
            prop_assert_eq!([parts[0].vertices_of_a.len(), parts[0].vertices_of_b.len()], vertices);
            prop_assert!(parts[0].contour.is_empty() && parts[0].area_vector.length() < 1e-15);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn volumes_of_jagged_solids_are_those_of_monte_carlo(a in star(1), b in star(1), pose in pose(0.8), seed in any::<u64>()) {
        let mut random = crate::split_mix::SplitMix::new(seed);
        let n = 40_000;
        let inside = (0..n).filter(|_| {
            let p = DVec3::from_array(std::array::from_fn(|_| 2.0 * random.next_fraction() - 1.0));
            a.winding_number(p) == 1 && b.winding_number(pose.inverse_transform_point(p)) == 1
        });
        let share = inside.count() as f64 / f64::from(n);
        let volume = volume(&shape(&a), &shape(&b), &pose).unwrap();
        let deviation = 8.0 * (share.max(1e-4) / f64::from(n)).sqrt();
        prop_assert!((volume - 8.0 * share).abs() < 5.0 * deviation, "{volume} {}", 8.0 * share);
    }
}

proptest! {
    /// Rotations that went through single precision are not of unit length, and surfaces that touch are hardest to decide.
    #[test]
    fn rotations_in_single_precision_are_taken(first in rotation(), turn in rotation(), shift in 0.0..0.5f64) {
        let single = |q: DQuat| DQuat::from_array(q.to_array().map(|x| f64::from(x as f32)));
        let plate = a_box(DVec3::new(1.0, 0.5, 1.0));
        let at = |q: DQuat, place: DVec3| Pose { rotation: single(q), translation: q * place };
        let placed = [at(first, DVec3::ZERO), at(first, DVec3::new(shift, 1.0, shift))];
        let depth = depth(&plate, &plate, &(placed[0].inverse() * placed[1])).unwrap();
        prop_assert!(depth < 1e-6);
        let turned = Pose { rotation: single(turn), translation: DVec3::X * shift };
        prop_assert!(components(&plate, &plate, &turned).is_ok());
    }
}

#[test]
fn solids_that_touch_do_not_overlap() {
    let cube = a_box(DVec3::ONE);
    let at = |x: f64, y: f64, z: f64| components(&cube, &cube, &Pose::from_translation(DVec3::new(x, y, z))).unwrap();
    // Face on face, shifted, edge on edge, corner on corner, apart.
    for (x, y, z) in
        [(0.0, 2.0, 0.0), (0.5, -2.0, 0.25), (2.0, 2.0, 0.5), (2.0, 2.0, 2.0), (-2.0, 0.0, 0.0), (2.1, 0.0, 0.0)]
    {
        assert_eq!(at(x, y, z), [], "{x} {y} {z}");
    }
    assert_eq!(volume(&cube, &cube, &Pose::IDENTITY).unwrap(), 8.0);
    assert_eq!(depth(&cube, &cube, &Pose::IDENTITY).unwrap(), 2.0);
    let tipped = Pose::from_parts(DVec3::Y * (1.0 + 2_f64.sqrt() + 1e-12), DQuat::from_axis_angle(DVec3::X, PI / 4.0));
    assert_eq!(components(&cube, &cube, &tipped).unwrap(), []);
}

#[test]
fn a_rod_through_a_plate_is_one_component_with_two_loops() {
    let (plate, rod) = (a_box(DVec3::new(1.0, 0.1, 1.0)), a_box(DVec3::new(0.2, 1.0, 0.3)));
    let parts = components(&plate, &rod, &Pose::from_translation(DVec3::new(0.1, 0.0, 0.05))).unwrap();
    assert_eq!(parts.len(), 1);
    assert!(near(parts[0].volume, 0.4 * 0.2 * 0.6) && near(parts[0].width, 0.2));
    assert!(parts[0].area_vector.length() < 1e-15 && near(parts[0].loop_area, 2.0 * 0.4 * 0.6));
    // A tube through the same plate: its ends are outside, rings around the hole are inside.
    let tube = components(&a_box(DVec3::new(5.0, 5.0, 0.1)), &shape(&ring()), &Pose::from_translation(DVec3::Z * -0.5))
        .unwrap();
    assert_eq!(tube.len(), 1, "what an annulus connects is one component");
    assert!(near(tube[0].volume, 12.0 * 0.2) && near(tube[0].loop_area, 2.0 * (16.0 + 4.0)));
    // Only the tip of a wedge: the normal is from A to B.
    let above = components(&plate, &a_box(DVec3::splat(0.5)), &Pose::from_translation(DVec3::Y * 0.55)).unwrap();
    assert!((above[0].area_vector - DVec3::Y).length() < 1e-14 && (above[0].width_normal - DVec3::Y).length() < 1e-14);
    assert_eq!((above[0].vertices_of_a.len(), above[0].vertices_of_b.len()), (0, 4));
}

#[test]
fn what_is_not_connected_is_several_components() {
    // Both legs of a U in a bar.
    let bar = shape(&cuboid(DVec3::new(1.5, 2.0, 0.5), DVec3::new(3.0, 0.5, 0.25)));
    let parts = components(&shape(&u_prism()), &bar, &Pose::IDENTITY).unwrap();
    assert_eq!(parts.len(), 2);
    for part in &parts {
        assert!(near(part.volume, 0.25) && near(part.width, 0.5), "{part:?}");
    }
    // The corner of an L is one.
    let parts = components(&shape(&l_prism()), &bar, &Pose::from_translation(DVec3::Y * -1.0)).unwrap();
    assert_eq!(parts.len(), 1);
    assert!(near(parts[0].volume, (2.0 * 0.5 + 1.0 * 0.5) * 0.5));
}

#[test]
fn cavities_are_left_out() {
    let (hollow, large) = (shape(&hollow_box()), a_box(DVec3::splat(3.0)));
    let parts = components(&hollow, &large, &Pose::IDENTITY).unwrap();
    assert_eq!(parts.len(), 1);
    assert!(near(parts[0].volume, 7.0) && near(parts[0].width, 2.0));
    // In the cavity, without touching its wall.
    assert_eq!(components(&hollow, &a_box(DVec3::splat(0.4)), &Pose::IDENTITY).unwrap(), []);
}

#[test]
fn poses_and_kinds_that_cannot_be_are_refused() {
    let cube = a_box(DVec3::ONE);
    for bad in [
        Pose::from_translation(DVec3::X * f64::NAN),
        Pose { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Pose::IDENTITY },
    ] {
        assert_eq!(components(&cube, &cube, &bad), Err(OverlapError::Pose));
    }
}
