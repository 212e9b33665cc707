//! Flat solids, whose edges meet edges.

use std::f64::consts::FRAC_PI_4;

use parry3d_f64::query::distance;
use parry3d_f64::shape::Cuboid as ParryCuboid;

use super::*;
use crate::solid::{Cuboid, Soup};
use crate::split_mix::SplitMix;

/// Two beams, the edge of one below across the edge of the other above, `apart` m between them.
fn beams(apart: f64) -> [(Shape, Pose); 2] {
    let (below, above) = (DVec3::new(0.1, 0.1, 1.0), DVec3::new(1.0, 0.1, 0.1));
    let diagonal = 0.1 * 2f64.sqrt();
    let shape = |half| general(Cuboid::new(half).unwrap());
    let lower = Pose::from_parts(DVec3::NEG_Y * diagonal, DQuat::from_rotation_z(FRAC_PI_4));
    let upper = Pose::from_parts(DVec3::new(0.03, diagonal + apart, 0.041), DQuat::from_rotation_x(FRAC_PI_4));
    [(shape(below), lower), (shape(above), upper)]
}

#[test]
fn crossed_beams_touch_where_their_edges_cross() {
    for (apart, speed) in [(0.3, 30.0), (1e-4, 0.0), (0.0, 0.0), (-0.01, 0.0)] {
        let [(lower, low), (upper, high)] = beams(apart);
        let found = contacts(&at(&lower, low, DVec3::ZERO), &at(&upper, high, DVec3::NEG_Y * speed));
        let [contact] = found[..] else { panic!("{apart} {speed}: {found:#?}") };
        assert!((contact.gap - apart).abs() < 1e-5 && contact.normal.distance(DVec3::Y) < 1e-9, "{contact:?}");
        assert!((contact.position - DVec3::new(0.0, contact.position.y, 0.0)).length() < 0.051, "{contact:?}");
    }
    let [(lower, low), (upper, high)] = beams(0.3);
    let slow = contacts(&at(&lower, low, DVec3::ZERO), &at(&upper, high, DVec3::NEG_Y * 10.0));
    assert!(slow.is_empty(), "{slow:?}");
}

#[test]
fn the_border_of_a_sheet_is_an_edge() {
    let [_, (beam, _)] = beams(0.0);
    // A wall, whose upper border is at y = 0, of two triangles.
    let corners = [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5], [0.0, -0.5, 0.5], [0.0, -0.5, -0.5]].map(DVec3::from).to_vec();
    let wall = general(Soup::from_polygons(corners, &[vec![0, 1, 2, 3]]).unwrap());
    let pose = Pose::from_parts(DVec3::new(0.3, 0.1 * 2f64.sqrt() + 0.2, 0.0), DQuat::from_rotation_x(FRAC_PI_4));
    let found = contacts(&at(&wall, Pose::IDENTITY, DVec3::ZERO), &at(&beam, pose, DVec3::NEG_Y * 20.0));
    let [contact] = found[..] else { panic!("{found:#?}") };
    assert!((contact.gap - 0.2).abs() < 1e-5 && contact.normal.distance(DVec3::Y) < 1e-9, "{contact:?}");
}

#[test]
fn turning_boxes_miss_nothing() {
    let mut random = SplitMix::new(5);
    let duration = 0.2;
    let method = TimeOfContact { duration, ..TimeOfContact::default() };
    let (mut met, mut by_edges) = (0, 0);
    for case in 0..150 {
        let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-size, size)));
        let half = [0, 1].map(|_| vector(0.4).abs() + 0.1);
        let (place, towards, spins) =
            (vector(1.0).normalize_or(DVec3::X) * 1.5, vector(3.0), [vector(8.0), vector(8.0)]);
        let poses =
            [Pose::from_parts(DVec3::ZERO, random.next_rotation()), Pose::from_parts(place, random.next_rotation())];
        let linear = [DVec3::ZERO, towards - place * 6.0];
        let shapes = half.map(|half| general(Cuboid::new(half).unwrap()));
        let placed = [0, 1].map(|k| Placed {
            shape: &shapes[k],
            pose: poses[k],
            twist: Twist { linear: linear[k], angular: spins[k] },
        });
        // The first of many moments at which they overlap.
        let peers = half.map(ParryCuboid::new);
        let moments = 1000;
        let apart = |time: f64| {
            let [a, b] = [0, 1].map(|k| crate::pose::advance(poses[k], linear[k], spins[k], time));
            distance(&a, &peers[0], &b, &peers[1]).unwrap().distance
        };
        let first =
            (0..=moments).map(|k| duration * f64::from(k) / f64::from(moments)).find(|&time| apart(time) <= 0.0);
        let mut workspace = Workspace::default();
        let mut found = Vec::new();
        method.contacts_into(&placed[0], &placed[1], &[], &mut workspace, &mut found).unwrap();
        let buffers = &workspace.time_of_contact;
        let of_points = buffers.starts.iter().flatten().filter(|s| s.approaches).map(|s| s.time);
        let of_points = of_points.fold(f64::INFINITY, f64::min);
        let of_edges = buffers.pairs.iter().filter(|p| p.approaches).map(|p| p.time).fold(f64::INFINITY, f64::min);
        let earliest = of_points.min(of_edges);
        if let Some(first) = first {
            met += 1;
            by_edges += i32::from(of_edges <= of_points);
            assert!(earliest <= first && !found.is_empty(), "case {case}: {earliest} after {first}, {found:?}");
        }
        if earliest.is_finite() {
            assert!(apart(earliest) < 1e-4, "case {case}: {} m at {earliest}", apart(earliest));
        }
    }
    assert!(met > 60 && by_edges > 15, "{met} {by_edges}");
}

#[test]
fn boxes_that_lie_on_each_other_have_no_sideward_contacts() {
    let cuboid = || general(Cuboid::new(DVec3::splat(0.8)).unwrap());
    let (below, above) = (cuboid(), cuboid());
    for depth in [1e-9, 1e-4, 0.0, -1e-6] {
        for (turn, aside) in [(FRAC_PI_4, 1.03), (0.3, 0.7), (0.0, 0.5), (1e-3, 0.0)] {
            let pose = Pose::from_parts(DVec3::new(aside, 1.6 - depth, 0.1), DQuat::from_rotation_y(turn));
            let found = contacts(&at(&below, Pose::IDENTITY, DVec3::ZERO), &at(&above, pose, DVec3::ZERO));
            assert!(found.len() >= 3, "{depth} {turn}: {found:#?}");
            for contact in &found {
                let is_right = contact.normal.distance(DVec3::Y) < 1e-6 && (contact.gap + depth).abs() < 1e-8;
                assert!(is_right, "{depth} {turn}: {contact:?}");
            }
        }
    }
}

#[test]
fn a_ball_in_a_groove_of_one_solid_touches_both_sides() {
    // Two walls at 45° with vertices of their own.
    let wall = |side: f64| [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [side, 1.0, 1.0], [side, 1.0, -1.0]].map(DVec3::from);
    let corners = [wall(1.0), wall(-1.0)].concat();
    let groove = general(Soup::from_polygons(corners, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7]]).unwrap());
    let ball = Shape::from(Ball::new(0.5).unwrap());
    for aside in [0.0, 1e-6, -1e-4] {
        let pose = place(aside, 0.5 * 2f64.sqrt(), 0.013);
        let found = contacts(&at(&ball, pose, DVec3::ZERO), &at(&groove, Pose::IDENTITY, DVec3::ZERO));
        let side = |sign: f64| DVec3::new(sign, -1.0, 0.0).normalize();
        let met = |sign: f64| found.iter().filter(|c| c.normal.distance(side(sign)) < 1e-6).count();
        assert_eq!((found.len(), met(1.0), met(-1.0)), (2, 1, 1), "{aside}: {found:#?}");
    }
}

#[test]
fn what_lies_on_a_solid_and_slides_towards_its_wall_meets_it() {
    // An L: a floor with a wall at x = 1.
    let outline = [[-1.0, -0.5], [1.5, -0.5], [1.5, 1.0], [1.0, 1.0], [1.0, 0.0], [-1.0, 0.0]];
    let vertices = [-1.0, 1.0].iter().flat_map(|&z| outline.iter().map(move |p| DVec3::new(p[0], p[1], z))).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in [[0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    let surface = crate::shape::Surface::new(vertices, triangles).unwrap();
    let floor = general(crate::solid::PolyhedralSolid::new(&surface));
    let sled = general(Cuboid::new(DVec3::new(0.05, 0.01, 0.05)).unwrap());
    let found = contacts(&at(&floor, Pose::IDENTITY, DVec3::ZERO), &at(&sled, place(0.9, 0.01, 0.0), DVec3::X * 5.0));
    let towards = |normal: DVec3| found.iter().filter(|c| c.normal.distance(normal) < 1e-6).count();
    assert!(towards(DVec3::Y) >= 3 && towards(DVec3::NEG_X) >= 1, "{found:#?}");
    let gaps = found.iter().filter(|c| c.normal.x < -0.9).map(|c| c.gap);
    assert!(gaps.clone().all(|gap| (gap - 0.05).abs() < 1e-5), "{found:#?}");
}
