use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::*;
use crate::pose::Pose;
use crate::solid::laws;
use crate::solid::stand_ins::{StandInBall, StandInBlock, StandInHalfSpace};
use crate::split_mix::SplitMix;

fn ball(radius: f64, at: DVec3) -> Placed {
    Placed::new(Arc::new(StandInBall { radius }), Pose::from_parts(at, DQuat::IDENTITY)).unwrap()
}

fn block(half: DVec3, pose: Pose) -> Placed {
    Placed::new(Arc::new(StandInBlock { half }), pose).unwrap()
}

fn block_at(half: DVec3, at: DVec3) -> Placed {
    block(half, Pose::from_parts(at, DQuat::IDENTITY))
}

fn turn() -> DQuat {
    DQuat::from_xyzw(0.2, -0.4, 0.1, 0.9).normalize()
}

/// Two balls and a turned block, with a function that is below zero inside; no code of solids.
fn parts(scale: f64) -> (Vec<Placed>, impl Fn(DVec3) -> [f64; 3]) {
    let (a, b, c) = (DVec3::ZERO, DVec3::new(0.5, 0.2, 0.0) * scale, DVec3::new(0.2, 0.1, 0.1) * scale);
    let half = DVec3::new(0.9, 0.6, 0.7) * scale;
    let solids = vec![ball(scale, a), ball(0.7 * scale, b), block(half, Pose::from_parts(c, turn()))];
    let depths = move |point: DVec3| {
        let local = (turn().inverse() * (point - c)).abs() - half;
        [(point - a).length() - scale, (point - b).length() - 0.7 * scale, local.max_element()]
    };
    (solids, depths)
}

fn value(operation: Operation, [a, b, c]: [f64; 3]) -> f64 {
    match operation {
        Operation::Union => a.min(b).min(c),
        Operation::Intersection => a.max(b).max(c),
        Operation::Difference => a.max(-b).max(-c),
    }
}

const ALL: [Operation; 3] = [Operation::Union, Operation::Intersection, Operation::Difference];

#[test]
fn combinations_keep_the_laws_at_all_scales() {
    for (seed, scale) in [(1, 1e-6), (2, 1.0), (3, 1e6)] {
        for operation in ALL {
            let (solids, depths) = parts(scale);
            let combined = Csg::new(operation, solids).unwrap();
            let inside = |point: DVec3| {
                let depth = value(operation, depths(point));
                (depth.abs() > 1e-12 * scale).then_some(depth < 0.0)
            };
            laws::check(&combined, DVec3::ZERO, scale, 250, seed, inside);
        }
    }
}

#[test]
fn combinations_of_combinations_keep_the_laws() {
    let (solids, depths) = parts(1.0);
    let [a, b, c] = <[Placed; 3]>::try_from(solids).unwrap();
    let place = |solid: Csg| Placed::new(Arc::new(solid), Pose::IDENTITY).unwrap();
    let inner = Csg::new(Operation::Difference, vec![b, c]).unwrap();
    let outer = Csg::new(Operation::Difference, vec![a, place(inner)]).unwrap();
    let inside = |point: DVec3| {
        let [a, b, c] = depths(point);
        let depth = a.max(-b.max(-c));
        (depth.abs() > 1e-12).then_some(depth < 0.0)
    };
    laws::check(&outer, DVec3::ZERO, 1.0, 300, 7, inside);
}

#[test]
fn normals_of_crossings_point_out_of_the_whole() {
    let (solids, depths) = parts(1.0);
    let mut random = SplitMix::new(5);
    for operation in ALL {
        let combined = Csg::new(operation, solids.clone()).unwrap();
        let mut seen = 0;
        for _ in 0..300 {
            let (from, to) = (laws::vector(&mut random) * 2.0, laws::vector(&mut random));
            let mut crossings = Vec::new();
            combined.crossings(from, to, &mut crossings);
            for crossing in crossings {
                let (point, normal) = (from.lerp(to, crossing.share), crossing.normal.unwrap());
                let by = |step: f64| value(operation, depths(point + step * normal));
                assert!(by(0.0).abs() < 1e-13 && by(1e-7) > 0.0 && by(-1e-7) < 0.0, "{operation} at {point}: {normal}");
                assert_eq!(crossing.is_entry, normal.dot(to - from) < 0.0);
                seen += 1;
            }
        }
        assert!(seen > 30, "{operation}: {seen}");
    }
}

#[test]
fn a_slim_box_along_the_surface_is_told_apart() {
    // Away from edges the answer is that of one solid: a box at a distance far below its length, but above the sagitta.
    let shell = Csg::new(
        Operation::Difference,
        vec![block_at(DVec3::ONE, DVec3::ZERO), ball(0.5, DVec3::ZERO), block_at(DVec3::splat(0.2), DVec3::X)],
    )
    .unwrap();
    let half = DVec3::new(0.3, 1e-4, 1e-4);
    let at = |y: f64| shell.relation(&OrientedBox { centre: DVec3::Y * y, axes: glam::DMat3::IDENTITY, half });
    assert_eq!(
        (at(1.0 + 1.1e-4), at(1.0 - 1.1e-4), at(1.0)),
        (Relation::Outside, Relation::Inside, Relation::Undecided)
    );
    let tiny = DVec3::new(1e-3, 1e-7, 1e-7);
    let at = |y: f64| shell.relation(&OrientedBox { centre: DVec3::Y * y, axes: glam::DMat3::IDENTITY, half: tiny });
    // The hollow: its sagitta is 1e-6.
    assert_eq!((at(0.5 - 1.5e-6), at(0.5 + 1.5e-6)), (Relation::Outside, Relation::Inside));
}

#[test]
fn faces_that_coincide_leave_neither_films_nor_cracks() {
    let along = |solid: &Csg, from: DVec3, to: DVec3| {
        let mut crossings = Vec::new();
        solid.crossings(from, to, &mut crossings);
        crossings.iter().map(|crossing| (from.lerp(to, crossing.share).x, crossing.is_entry)).collect::<Vec<_>>()
    };
    let near = |found: Vec<(f64, bool)>, expected: &[(f64, bool)]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a.0 - b.0).abs() < 1e-12 && a.1 == b.1), "{found:?}");
    };
    let mut random = SplitMix::new(6);
    for _ in 0..200 {
        let shift = DVec3::new(0.0, random.next_between(-0.3, 0.3), random.next_between(-0.3, 0.3));
        let tilt = DVec3::new(0.0, random.next_between(-0.3, 0.3), random.next_between(-0.3, 0.3));
        let (from, to) = (DVec3::X * -3.0 + shift, DVec3::X * 4.0 + shift + tilt);
        // Two blocks side by side, with a face at x = 1/3 that rounding moves.
        let half = DVec3::new(2.0 / 3.0, 1.0, 1.0);
        let beside = [block_at(half, DVec3::X * (-1.0 / 3.0)), block_at(half, DVec3::X)];
        let union = Csg::new(Operation::Union, beside.to_vec()).unwrap();
        near(along(&union, from, to), &[(-1.0, true), (5.0 / 3.0, false)]);
        // A pocket that ends where the block does.
        let pocket = block_at(DVec3::new(1.0 / 3.0, 1.0, 1.0) * 0.9, DVec3::X * (1.0 - 0.3));
        let cut = Csg::new(Operation::Difference, vec![block_at(DVec3::ONE, DVec3::ZERO), pocket]).unwrap();
        near(along(&cut, from, to), &[(-1.0, true), (0.4, false)]);
    }
    let beside = vec![block_at(DVec3::ONE, DVec3::ZERO), block_at(DVec3::ONE, DVec3::X * 2.0)];
    let film = Csg::new(Operation::Intersection, beside);
    assert!(matches!(film, Err(CsgError::Empty { .. })), "{film:?}");
}

#[test]
fn the_nearest_point_is_exact_where_one_surface_is_near() {
    let (solids, depths) = parts(1.0);
    let mut random = SplitMix::new(8);
    for operation in ALL {
        let combined = Csg::new(operation, solids.clone()).unwrap();
        let mut seen = 0;
        for _ in 0..2000 {
            let point = laws::vector(&mut random) * 1.5;
            // Two of the balls alone, so that distances are true ones.
            let all = depths(point);
            let depth = value(operation, all);
            let others = all.iter().filter(|d| (d.abs() - depth.abs()).abs() < 0.15).count();
            if depth.abs() > 0.1 || others > 1 || all[2].abs() <= depth.abs() {
                continue;
            }
            let near = combined.nearest(point).unwrap();
            assert!((near.distance - depth).abs() < 1e-12, "{operation} at {point}: {near:?}, not {depth}");
            assert!((near.position + near.distance * near.normal - point).length() < 1e-12);
            seen += 1;
        }
        assert!(seen > 3, "{operation}: {seen}");
    }
}

#[test]
fn a_normal_that_is_missing_matters_only_where_its_solid_does() {
    let (first, second) = (ball(1.0, DVec3::ZERO), ball(1.0, DVec3::X * 0.99));
    // The centre of the first is near the surface of the second alone.
    let lens = Csg::new(Operation::Intersection, vec![first.clone(), second.clone()]).unwrap();
    let near = lens.nearest(DVec3::ZERO).unwrap();
    assert!((near.normal + DVec3::X).length() < 1e-12 && (near.distance + 0.01).abs() < 1e-12);
    let both = Csg::new(Operation::Union, vec![first, second]).unwrap();
    assert_eq!(both.nearest(DVec3::ZERO).unwrap_err().kind, "ball");
}

#[test]
fn slack_holds_of_a_union_with_a_face_inside() {
    let union =
        Csg::new(Operation::Union, vec![block_at(DVec3::ONE, DVec3::ZERO), block_at(DVec3::ONE, DVec3::X * 2.0)])
            .unwrap();
    let tiny = OrientedBox { centre: DVec3::X, axes: glam::DMat3::IDENTITY, half: DVec3::splat(1e-9) };
    // A box at the shared face is a metre from the surface.
    assert_eq!(union.relation(&tiny), Relation::Undecided);
    assert!(union.slack(tiny.radius()) >= 1.0);
    assert!(union.contains(DVec3::X));
    let only = Csg::new(Operation::Union, vec![ball(1.0, DVec3::ONE)]).unwrap();
    assert!(only.slack(1e-9) < 1e-12);
}

#[test]
fn samples_are_on_the_surface_and_dense_with_its_edges() {
    for operation in ALL {
        let (solids, depths) = parts(1.0);
        let combined = Csg::new(operation, solids).unwrap();
        let mut samples = Vec::new();
        let spacing = 0.25;
        combined.samples(spacing, &mut samples);
        assert!(samples.iter().all(|p| value(operation, depths(*p)).abs() < 1e-9), "{operation}");
        // Points of the surface by halving along lines, by the function alone.
        let mut random = SplitMix::new(9);
        let mut surface = Vec::new();
        while surface.len() < 1500 {
            let (mut a, mut b) = (laws::vector(&mut random) * 1.8, laws::vector(&mut random) * 1.8);
            let inside = |point: DVec3| value(operation, depths(point)) < 0.0;
            if inside(a) != inside(b) {
                for _ in 0..40 {
                    let middle = a.midpoint(b);
                    if inside(middle) == inside(a) { a = middle } else { b = middle }
                }
                surface.push(a);
            }
        }
        laws::check_samples(&combined, spacing, surface.into_iter());
    }
}

#[test]
fn a_flat_cut_by_a_half_space_has_samples() {
    let upright = Pose::IDENTITY;
    let half_space = Placed::new(Arc::new(StandInHalfSpace), upright).unwrap();
    let bowl = Csg::new(Operation::Intersection, vec![half_space, ball(1.0, DVec3::ZERO)]).unwrap();
    let disc = (0..400).map(|k| {
        let (radius, angle) = ((f64::from(k) / 399.0).sqrt(), 2.4 * f64::from(k));
        DVec3::new(radius * libm::cos(angle), 0.0, radius * libm::sin(angle))
    });
    laws::check_samples(&bowl, 0.3, disc);
    let mass = bowl.mass_properties(1.0).unwrap();
    let volume = 2.0 / 3.0 * PI;
    let off = (mass.properties.volume - volume).abs();
    assert!(off <= mass.volume_error && off < 1e-4 * volume, "{off}");
    assert!((mass.properties.centre - DVec3::Y * -0.375).length() < 1e-4);
    // A half-space without a ball has no end, and is no error.
    let opposite = Pose::from_parts(DVec3::Y * -1.0, DQuat::from_rotation_x(PI));
    let slab = |pose| {
        let two = [upright, pose].map(|pose| Placed::new(Arc::new(StandInHalfSpace), pose).unwrap());
        Csg::new(Operation::Intersection, two.to_vec())
    };
    let between = slab(opposite).unwrap();
    assert!(between.bounds().low.x == f64::NEG_INFINITY && between.thickness() == f64::INFINITY);
    assert!(between.mass_properties(1.0).is_err() && between.slack(1.0) == f64::INFINITY);
    assert!(slab(Pose::from_parts(DVec3::Y, DQuat::from_rotation_x(PI))).is_err());
}

#[test]
fn the_mass_of_a_lens_is_that_of_its_formula() {
    // Two unit balls at the distance d: π (4 + d) (2 − d)² / 12.
    let d: f64 = 0.8;
    let lens = Csg::new(Operation::Intersection, vec![ball(1.0, DVec3::ZERO), ball(1.0, DVec3::X * d)]).unwrap();
    let volume = PI * (4.0 + d) * (2.0 - d).powi(2) / 12.0;
    let found = lens.mass_properties(2.0).unwrap();
    let off = (found.properties.volume - volume).abs();
    assert!(off <= found.volume_error && off < 3e-4 * volume, "{off}");
    assert!((found.properties.centre - DVec3::X * 0.4).length() < 1e-4);
    let union = Csg::new(Operation::Union, vec![ball(1.0, DVec3::ZERO), ball(1.0, DVec3::X * d)]).unwrap();
    let found = union.mass_properties(2.0).unwrap();
    let off = (found.properties.volume - (8.0 / 3.0 * PI - volume)).abs();
    assert!(off <= found.volume_error && off < 3e-4 * volume, "{off}");
    // Three volumes by the area, about.
    assert!(union.thickness() > 0.6 && union.thickness() < 1.6 && lens.thickness() < 0.8);
}

#[test]
fn what_has_no_inside_is_refused() {
    for operation in ALL {
        assert_eq!(Csg::new(operation, Vec::new()).unwrap_err(), CsgError::NoSolids { operation });
    }
    let refused = |operation, solids| Csg::new(operation, solids).unwrap_err().to_string();
    let (small, large) = (ball(0.5, DVec3::ZERO), ball(1.0, DVec3::ZERO));
    assert!(refused(Operation::Difference, vec![small.clone(), large.clone()]).contains("has no inside"));
    assert!(refused(Operation::Difference, vec![large.clone(), large.clone()]).contains("has no inside"));
    assert!(refused(Operation::Intersection, vec![small.clone(), ball(1.0, DVec3::X * 9.0)]).contains("no inside"));
    // A thin shell has one.
    let shell = Csg::new(Operation::Difference, vec![large, ball(0.9999, DVec3::ZERO)]).unwrap();
    assert!(shell.thickness() < 3e-3);
}
