use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use glam::DVec3;

use super::*;
use crate::shape::sample;

fn features(surface: &Surface) -> Features {
    Features::new(surface, &FeatureTolerance::default())
}

/// Facets, edges, vertices.
fn counts(features: &Features) -> (usize, usize, usize) {
    (features.facets().len(), features.edges().len(), features.vertices().len())
}

#[test]
fn a_box_has_what_boxes_have() {
    let features = features(&sample::cuboid(DVec3::new(0.3, -0.1, 2.0), DVec3::new(0.5, 1.0, 2.0)));
    assert_eq!(counts(&features), (6, 12, 8));
    assert!(features.is_convex());
    assert!((features.thickness() - 3.0 * 8.0 / 28.0).abs() < 1e-14);
    for edge in features.edges() {
        assert!(edge.is_convex);
        let outward = edge.facets.map(|f| features.facets()[f as usize].normal);
        assert!(outward[0].dot(edge.inward[1]) < -0.99 && outward[1].dot(edge.inward[0]) < -0.99);
        let diagonal = (outward[0] + outward[1]).normalize();
        assert!(edge.supports(diagonal, 0.0) && !edge.supports(-diagonal, 0.0));
    }
    for vertex in features.vertices() {
        assert_eq!(vertex.ring.len(), 3);
        let outward = (vertex.position - DVec3::new(0.3, -0.1, 2.0)).signum() * 3f64.sqrt().recip();
        assert!(vertex.supports(outward, 0.0) && !vertex.supports(outward.with_x(-outward.x), 0.0));
    }
}

#[test]
fn facets_know_their_measures() {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.01], [0.0, 1.0]];
    let features = features(&sample::prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4]]));
    let caps = features.facets().iter().filter(|facet| facet.outline.len() == 5);
    let measures: Vec<_> = caps.map(|facet| facet.measures()).collect();
    assert_eq!(measures.len(), 2);
    for measures in measures {
        // The corner in the middle of the long side is a hundredth off the line between its neighbours, and turns by twice as much.
        assert!((measures.length - 0.01).abs() < 1e-12, "{measures:?}");
        assert!((measures.sine - libm::sin(2.0 * libm::atan(0.01))).abs() < 1e-12, "{measures:?}");
        // As high above the lower side as the centroid of a rectangle and a flat triangle on it.
        let height = (2.0 * 0.5 + 0.01 * (1.0 + 0.01 / 3.0)) / 2.01;
        assert!((measures.inner - height).abs() < 1e-12, "{measures:?}");
    }
}

#[test]
fn reflex_edges_and_their_ends_have_no_normal_cone() {
    let features = features(&sample::l_prism());
    assert_eq!(counts(&features), (8, 18, 12));
    assert!(!features.is_convex());
    let reflex: Vec<u32> = (0..18).filter(|&e| !features.edges()[e as usize].is_convex).collect();
    let [reflex] = reflex[..] else { panic!("{reflex:?}") };
    let diagonal = DVec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
    for n in [diagonal, -diagonal, DVec3::X, DVec3::Y, DVec3::Z] {
        assert!(!features.supports(FeatureId::Edge(reflex), n, 1e-9));
    }
    // The upper end lies in the top: only the top's normal is left.
    let top = |v: &&u32| features.vertices()[**v as usize].position.z == 1.0;
    let end = *features.edges()[reflex as usize].vertices.iter().find(top).unwrap();
    assert!(features.supports(FeatureId::Vertex(end), DVec3::Z, 1e-9));
    assert!(!features.supports(FeatureId::Vertex(end), DVec3::new(0.1, 0.0, 1.0).normalize(), 1e-9));
}

/// A ring has facets with holes; their borders hang together.
#[test]
fn facets_have_holes() {
    let features = features(&sample::ring());
    let with_holes: Vec<&Facet> = features.facets().iter().filter(|f| f.loop_ends.len() == 2).collect();
    assert_eq!(with_holes.len(), 2, "top and bottom");
    for facet in with_holes {
        assert!(!facet.is_convex());
        assert!(!facet.contains(facet.place(DVec3::ZERO), 1e-9), "the hole");
        assert!(facet.contains(facet.place(facet.corners[0] * 0.99), 1e-9));
        assert!((facet.area - (16.0 - 4.0)).abs() < 1e-12);
    }
    assert_eq!(counts(&features), (10, 24, 16));
}

/// The features of a finely split and slightly noisy box are those of the box.
#[test]
fn features_do_not_depend_on_the_triangulation() {
    for noise in [0.0, 1e-9, 1e-6] {
        let features = features(&sample::split_box(7, noise));
        assert_eq!(counts(&features), (6, 12, 8), "noise {noise}");
        for facet in features.facets() {
            assert!(facet.is_convex());
            assert!((facet.area - 4.0).abs() < 1e-4);
            let largest = facet.normal.abs().max_element();
            assert!(largest > 1.0 - 1e-9, "{}", facet.normal);
        }
    }
}

#[test]
fn parallel_facets_are_those_of_brute_force() {
    let (a, b) = (features(&sample::split_box(2, 0.0)), features(&sample::split_box(3, 0.0)));
    assert!(a.is_convex() && b.is_convex());
    let mut found_any = 0;
    for case in 0..80 {
        let axis = DVec3::new(1.0, 2.0, f64::from(case % 7)).normalize();
        let rotation = glam::DMat3::from_axis_angle(axis, [0.0, 1e-3, 0.02, 0.7][case as usize % 4]);
        let placement = Placement { rotation, translation: DVec3::new(0.05 * f64::from(case), 2.01, -0.2) };
        let (margin, tolerance) = (0.05, 0.01);
        let (mut stack, mut found) = (Vec::new(), Vec::new());
        let ended = a.parallel_facets(&b, &placement, (margin, tolerance), &mut stack, |f, g| {
            found.push((f, g));
            ControlFlow::<()>::Continue(())
        });
        assert!(ended.is_continue());
        let mut first = Vec::new();
        let ended = a.parallel_facets(&b, &placement, (margin, tolerance), &mut stack, |f, g| {
            first.push((f, g));
            ControlFlow::Break((f, g))
        });
        assert_eq!(first, found[..found.len().min(1)]);
        assert_eq!(ended.break_value(), found.first().copied());
        found.sort_unstable();
        let frames = boxes::Frames::of(&placement);
        let mut expected = Vec::new();
        for (i, f) in (0..).zip(a.facets()) {
            for (j, g) in (0..).zip(b.facets()) {
                let is_parallel = f.normal.angle_between(-placement.direction(g.normal)) <= tolerance;
                if is_parallel && a.tree().are_near(b.tree(), (i, j), &frames, margin) {
                    expected.push((i, j));
                }
            }
        }
        assert_eq!(found, expected, "case {case}");
        found_any += found.len();
    }
    assert!(found_any > 20, "{found_any}");
}

#[test]
fn least_turns_are_those_of_brute_force() {
    for (corners, turn) in [(5, 0.2), (80, TAU / 80.0), (400, TAU / 400.0)] {
        // On an ellipse, so that the turns differ.
        let at = |k: usize| TAU * k as f64 / corners as f64;
        let outline: Vec<[f64; 2]> = (0..corners).map(|k| [1.5 * at(k).cos(), at(k).sin()]).collect();
        let cap: Vec<[u32; 3]> = (1..corners as u32 - 1).map(|i| [0, i, i + 1]).collect();
        let tolerance = FeatureTolerance { tilt: 1e-6, distance: 1e-9, turn: 1e-6 };
        let prism = Features::new(&sample::prism(&outline, &cap), &tolerance);
        assert!(prism.is_convex() && prism.facets().len() == corners + 2);
        let normals: Vec<DVec3> = prism.facets().iter().map(|f| f.normal).collect();
        for (i, normal) in normals.iter().enumerate() {
            let others = normals.iter().enumerate().filter(|(j, _)| *j != i);
            let least = others.map(|(_, other)| normal.angle_between(*other)).fold(0.2, f64::min);
            assert!((prism.least_turn(i as u32) - least).abs() < 1e-7, "{corners} {i}: {least}");
        }
        let sides = (0..prism.facets().len()).map(|f| prism.least_turn(f as u32));
        assert!(sides.fold(0.2, f64::min) <= turn);
    }
}

#[test]
fn near_pairs_are_those_of_brute_force() {
    let (a, b) = (features(&sample::split_box(2, 0.0)), features(&sample::l_prism()));
    let rotation = glam::DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    for shift in 0..40 {
        let placement = Placement { rotation, translation: DVec3::new(0.1 * f64::from(shift), 0.4, -0.2) };
        let margin = 0.05;
        let (mut stack, mut found) = (Vec::new(), Vec::new());
        a.tree().near_pairs(b.tree(), &placement, (margin, 0.0), &mut stack, &mut found);
        for (i, f) in a.facets().iter().enumerate() {
            for (j, g) in b.facets().iter().enumerate() {
                // Corners nearer than the margin to the other's plane polygon: a lower bound of what must be found.
                let is_turned_away = f.normal.dot(placement.direction(g.normal)) > -0.9;
                let is_near = !is_turned_away
                    && g.corners.iter().any(|&p| {
                        let p = placement.point(p);
                        f.height(p).abs() <= margin && f.contains(f.place(p), 0.0)
                    });
                assert!(!is_near || found.contains(&(i as u32, j as u32)), "{i} {j}");
            }
        }
        let all = a.facets().len() * b.facets().len();
        assert!(found.len() < all, "the tree leaves something out");
    }
}
