//! Sets of a box over a plate, of edges and vertices.

use glam::{DMat3, DVec3};

use super::*;
use crate::vclip::{Outcome, certified, solids};

const REACH: ContactMargin = ContactMargin { enter: 0.01, leave: 0.02, depth: 0.05, same: 1e-6 };

fn solid((points, faces): (Vec<DVec3>, Vec<Vec<u32>>), scale: DVec3) -> ConvexPolyhedron {
    ConvexPolyhedron::new(&points.iter().map(|&p| p * scale).collect::<Vec<_>>(), &faces).unwrap()
}

/// The plate's top is at height 0, the box's bottom, two wide, at the given height, turned about z by a little.
fn box_over_plate(height: f64, tilt: f64) -> (ConvexPolyhedron, ConvexPolyhedron, RelativePose) {
    let plate = solid(solids::cube(), DVec3::new(5.0, 5.0, 0.5));
    let cube = solid(solids::cube(), DVec3::ONE);
    let rotation = DMat3::from_rotation_y(tilt) * DMat3::from_rotation_z(0.3);
    (plate, cube, RelativePose::from_parts(rotation, DVec3::new(0.1, 0.2, 1.5 + height)))
}

#[test]
fn a_pair_comes_and_goes_with_hysteresis() {
    let (plate, cube, _) = box_over_plate(0.0, 0.0);
    let lowest =
        cube.vertices().iter().map(|&v| (box_over_plate(0.0, 0.1).2).point_of_b(v).z).fold(f64::INFINITY, f64::min);
    let at = |gap: f64| box_over_plate(gap + 0.5 - lowest, 0.1).2;
    let mut pair = Pair::FIRST;
    let Outcome::Apart { closest, .. } = certified(&plate, &cube, &at(0.005), &mut pair) else { panic!() };
    assert!(matches!((closest.pair.a, closest.pair.b), (FeatureId::Facet(_), FeatureId::Vertex(_))));
    assert!((closest.distance - 0.005).abs() < 1e-12);
    let mut set = ContactSet::default();
    assert!(set.add(closest.pair, &plate, &cube, &at(0.005), &REACH));
    assert!(!set.add(closest.pair, &plate, &cube, &at(0.005), &REACH), "it is there");
    // It stays beyond the distance at which it came in, and below the surface, but not for ever.
    for (gap, stays) in [(0.015, true), (0.0199, true), (-0.049, true), (0.0201, false), (0.005, false)] {
        set.follow(&plate, &cube, &at(gap), &REACH);
        assert_eq!(set.has(closest.pair), stays, "{gap}");
        for member in set.members() {
            assert!((member.tracked.normal - DVec3::Z).length() < 1e-12 && (member.tracked.gap - gap).abs() < 1e-12);
        }
    }
    assert!(set.add(closest.pair, &plate, &cube, &at(0.005), &REACH));
    set.follow(&plate, &cube, &at(-0.051), &REACH);
    assert!(set.members().is_empty(), "too deep");
}

/// Halving a fall finds the lowest corner, and with it in the set the next that comes in.
#[test]
fn a_fall_is_searched_for_the_pair_that_lets_the_box_in() {
    let (plate, cube, _) = box_over_plate(0.0, 0.0);
    let falling = |s: f64| box_over_plate(0.1 - 0.2 * s, 0.05).2;
    let mut set = ContactSet::default();
    let (time, closest) = search(&falling, &set, &plate, &cube, REACH.enter).unwrap();
    assert!(closest.distance <= REACH.enter && time < 1.0);
    let heights: Vec<f64> = cube.vertices().iter().map(|&v| falling(time).point_of_b(v).z).collect();
    let FeatureId::Vertex(v) = closest.pair.b else { panic!("{closest:?}") };
    assert!(heights.iter().all(|&z| z >= heights[v as usize]), "the lowest");
    assert!(set.add(closest.pair, &plate, &cube, &falling(time), &REACH));
    // It turns flat about that corner: another comes in, and the first is above the plate until then.
    let corner = falling(time).point_of_b(cube.vertices()[v as usize]) + 0.001 * DVec3::Z;
    let turning = |s: f64| {
        let (rotation, _) = box_over_plate(0.0, 0.05 - 0.1 * s).2.parts();
        RelativePose::from_parts(rotation, corner - rotation * cube.vertices()[v as usize])
    };
    let (_, next) = search(&turning, &set, &plate, &cube, REACH.enter).unwrap();
    assert!(next.distance <= REACH.enter && next.pair != closest.pair, "{next:?}");
}

#[test]
fn promotion_finds_the_four_corners_at_once() {
    for (scale, crossings) in [(DVec3::ONE, 0), (DVec3::new(9.0, 0.5, 1.0), 4)] {
        let plate = solid(solids::cube(), DVec3::new(5.0, 5.0, 0.5));
        let cube = solid(solids::cube(), scale);
        let relative_pose =
            RelativePose::from_parts(DMat3::from_rotation_z(0.3), DVec3::new(0.1, 0.2, 0.5 + scale.z + 0.001));
        let mut pair = Pair::FIRST;
        let outcome = certified(&plate, &cube, &relative_pose, &mut pair);
        let Outcome::Apart { closest, certificate, .. } = outcome else { panic!() };
        let pairs = promoted(&Promotion::default(), &closest, certificate.direction, &plate, &cube, &relative_pose);
        assert_eq!(pairs.len(), 4, "{pairs:?}");
        let are_edges = |p: &&Pair| matches!((p.a, p.b), (FeatureId::Edge(_), FeatureId::Edge(_)));
        assert_eq!(pairs.iter().filter(are_edges).count(), crossings, "{pairs:?}");
        let set = ContactSet::of(pairs, &plate, &cube, &relative_pose, &REACH);
        assert_eq!(set.members().len(), 4);
        for member in set.members() {
            assert!((member.tracked.gap - 0.001).abs() < 1e-12, "{member:?}");
            assert!((member.tracked.normal - DVec3::Z).length() < 1e-12, "{member:?}");
        }
    }
}

/// Whatever the pair, A and B exchanged give the same contact the other way round.
#[test]
fn exchanged_bodies_give_exchanged_contacts() {
    let a = solid(solids::icosahedron(), DVec3::ONE);
    let b = solid(solids::cube(), DVec3::ONE);
    let rotation = DMat3::from_rotation_x(0.4) * DMat3::from_rotation_y(1.1);
    let relative_pose = RelativePose::from_parts(rotation, DVec3::new(1.7, 1.1, 0.9));
    let pairs = |n: u32, m: u32| (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)));
    let all = pairs(12, 8)
        .map(|(v, w)| Pair { a: FeatureId::Vertex(v), b: FeatureId::Vertex(w) })
        .chain(pairs(30, 12).map(|(e, d)| Pair { a: FeatureId::Edge(e), b: FeatureId::Edge(d) }))
        .chain(pairs(12, 12).map(|(v, e)| Pair { a: FeatureId::Vertex(v), b: FeatureId::Edge(e) }))
        .chain(pairs(20, 8).map(|(f, v)| Pair { a: FeatureId::Facet(f), b: FeatureId::Vertex(v) }));
    let mut tracked = 0;
    for pair in all {
        let there = track(pair, &a, &b, &relative_pose, 0.0);
        let back = track(pair.exchanged(), &b, &a, &relative_pose.exchanged(), 0.0);
        assert_eq!(there.is_some(), back.is_some());
        let (Some((pair, one)), Some((exchanged, other))) = (there, back) else { continue };
        tracked += 1;
        assert_eq!(pair, exchanged.exchanged());
        assert!((one.gap - other.gap).abs() < 1e-12);
        assert!((one.normal + relative_pose.direction_of_b(other.normal)).length() < 1e-9, "{one:?} {other:?}");
        assert!(one.points[0].distance(relative_pose.point_of_b(other.points[1])) < 1e-12);
    }
    assert!(tracked > 100);
}

/// Two cubes edge to edge, crosswise: the normal is that of both edges, from A to B, whether they are apart or have
/// passed each other a little.
#[test]
fn crossing_edges_have_their_common_normal() {
    let cube = solid(solids::cube(), DVec3::ONE);
    let (along, out) = (DVec3::Y, DVec3::new(1.0, 0.0, 1.0).normalize());
    let across = DVec3::new(1.0, 0.0, -1.0).normalize();
    let turn =
        DMat3::from_cols(across, -out, across.cross(-out)) * DMat3::from_cols(along, out, along.cross(out)).transpose();
    let at = |gap: f64| {
        let middle = DVec3::new(1.0, 0.0, 1.0);
        RelativePose::from_parts(turn, middle + out * gap - turn * middle)
    };
    let mut pair = Pair::FIRST;
    let Outcome::Apart { closest, .. } = certified(&cube, &cube, &at(0.005), &mut pair) else { panic!() };
    assert!(matches!((closest.pair.a, closest.pair.b), (FeatureId::Edge(_), FeatureId::Edge(_))), "{closest:?}");
    for gap in [0.005, 0.0, -0.005] {
        let (name, tracked) = track(closest.pair, &cube, &cube, &at(gap), 0.0).unwrap();
        assert_eq!(name, closest.pair);
        assert!(tracked.normal.distance(out) < 1e-9 && (tracked.gap - gap).abs() < 1e-12, "{tracked:?}");
    }
}

/// Two neighbours on the rim of a disk have sunk into a plate by different depths, and the lowest vertex of the rim,
/// deeper than both, is not in the set: it is what is missing.
#[test]
fn what_is_deepest_is_missing_wherever_members_have_sunk_to() {
    let plate = solid(solids::cube(), DVec3::new(5.0, 5.0, 0.5));
    let disk = solid(solids::prism(256, 1.0, 0.5), DVec3::ONE);
    let top = (0..6).find(|&f| plate.plane(f).normal.z > 0.5).unwrap();
    for (tilt, behind, depth) in [(0.3, 4, 0.02), (0.3, 12, 0.03), (0.6, 8, 0.01), (1.0, 8, 0.04)] {
        let rotation = DMat3::from_rotation_x(tilt) * DMat3::from_rotation_z(0.2);
        let heights: Vec<f64> = disk.vertices().iter().map(|&v| (rotation * v).z).collect();
        let mut order: Vec<u32> = (0..heights.len() as u32).collect();
        order.sort_by(|&v, &w| heights[v as usize].total_cmp(&heights[w as usize]));
        let lowest = order[0];
        let centre = DVec3::new(0.1, 0.2, 0.5 - depth - heights[lowest as usize]);
        let relative_pose = RelativePose::from_parts(rotation, centre);
        // Two vertices of the same side.
        let side =
            |v: &u32| (rotation * disk.vertices()[*v as usize]).x > (rotation * disk.vertices()[lowest as usize]).x;
        let members: Vec<u32> = order[1..].iter().copied().filter(side).skip(behind).take(2).collect();
        let pairs = members.iter().map(|&v| Pair { a: FeatureId::Facet(top), b: FeatureId::Vertex(v) });
        let mut set = ContactSet::of(pairs, &plate, &disk, &relative_pose, &REACH);
        assert_eq!(set.members().len(), 2);
        let (at, closest) = missing(&set, &plate, &disk, &relative_pose, &REACH).expect("something is missing");
        assert!(closest.distance <= REACH.enter && at != relative_pose);
        assert!(set.add(closest.pair, &plate, &disk, &relative_pose, &REACH));
        let deepest = set.members().iter().map(|member| member.tracked.gap).fold(f64::INFINITY, f64::min);
        assert!(deepest < -0.9 * depth, "{tilt} {behind}: {deepest} of {depth}");
    }
}
