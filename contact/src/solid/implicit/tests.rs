use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::*;
use crate::solid::{Expression, laws};
use crate::split_mix::SplitMix;

fn implicit(text: &str, half: DVec3) -> Result<Implicit, ImplicitError> {
    Implicit::new(Arc::new(Expression::new(text).unwrap()), Bounds { low: -half, high: half })
}

/// A torus about z, by its radii, m, at a scale.
fn torus(scale: f64) -> Implicit {
    let text = format!("(sqrt(x^2 + y^2) - {scale:e})^2 + z^2 - (0.3*{scale:e})^2");
    implicit(&text, DVec3::new(1.5, 1.45, 0.5) * scale).unwrap()
}

/// The signed distance of a torus.
fn torus_distance(point: DVec3, scale: f64) -> f64 {
    (point.x.hypot(point.y) - scale).hypot(point.z) - 0.3 * scale
}

fn cassini(scale: f64) -> Implicit {
    let text =
        format!("((x/{scale:e})^2 + (y/{scale:e})^2 + (z/{scale:e})^2 + 0.36)^2 - 4*0.36*(x/{scale:e})^2 - 0.15");
    implicit(&text, DVec3::splat(1.2) * scale).unwrap()
}

fn cassini_value(point: DVec3, scale: f64) -> f64 {
    let p = point / scale;
    let (a, b) = ((p - DVec3::X * 0.6).length_squared(), (p + DVec3::X * 0.6).length_squared());
    a * b - 0.15
}

#[test]
fn a_torus_keeps_the_laws_at_all_scales() {
    for (seed, scale) in [(1, 1e-6), (2, 1.0), (3, 1e6)] {
        let inside = |point: DVec3| {
            let distance = torus_distance(point, scale);
            (distance.abs() > 1e-12 * scale).then_some(distance < 0.0)
        };
        laws::check(&torus(scale), DVec3::ZERO, scale, 250, seed, inside);
    }
}

#[test]
fn other_functions_keep_the_laws() {
    for (seed, scale) in [(4, 1e-6), (5, 1.0), (6, 1e6)] {
        let inside = |point: DVec3| {
            let value = cassini_value(point, scale);
            (value.abs() > 1e-12).then_some(value < 0.0)
        };
        laws::check(&cassini(scale), DVec3::ZERO, scale, 150, seed, inside);
    }
    // A gyroid cut by a block: many pieces along a segment, and kinks.
    let text = "max(sin(6*x)*cos(6*y) + sin(6*y)*cos(6*z) + sin(6*z)*cos(6*x), abs(x) - 1, abs(y) - 0.9, abs(z) - 0.8)";
    let gyroid = implicit(text, DVec3::splat(1.1)).unwrap();
    let inside = |point: DVec3| {
        let p = point * 6.0;
        let value = p.x.sin() * p.y.cos() + p.y.sin() * p.z.cos() + p.z.sin() * p.x.cos();
        let value = value.max((point.abs() - DVec3::new(1.0, 0.9, 0.8)).max_element());
        (value.abs() > 1e-12).then_some(value < 0.0)
    };
    laws::check(&gyroid, DVec3::ZERO, 1.0, 150, 7, inside);
}

#[test]
fn a_constant_of_lipschitz_is_enough() {
    let field = LipschitzField::new(|p: DVec3| p.length() - 1.0, |p: DVec3| p.normalize_or_zero(), 1.0, 1e-15);
    let ball = Implicit::new(Arc::new(field), Bounds { low: DVec3::splat(-1.3), high: DVec3::splat(1.2) }).unwrap();
    let inside = |point: DVec3| ((point.length() - 1.0).abs() > 1e-12).then_some(point.length() < 1.0);
    laws::check(&ball, DVec3::ZERO, 1.0, 150, 8, inside);
    assert!(ball.slack(1e-6) > 1.0);
}

#[test]
fn thin_boxes_along_the_surface_are_told_apart() {
    // A slim box beside the torus in any direction, as long as a tenth: its sagitta is below 0.1² / 2 / 0.3.
    let torus = torus(1.0);
    let mut random = SplitMix::new(9);
    for _ in 0..300 {
        let (u, v) = (random.next_between(0.0, 2.0 * PI), random.next_between(0.0, 2.0 * PI));
        let out = DVec3::new(u.cos(), u.sin(), 0.0);
        let normal = v.cos() * out + v.sin() * DVec3::Z;
        let tangent = normal.any_orthonormal_vector();
        let turn = random.next_between(0.0, PI);
        let along = turn.cos() * tangent + turn.sin() * normal.cross(tangent);
        let axes = DMat3::from_cols(along, normal, along.cross(normal));
        for length in [0.05, 1e-3, 1e-5] {
            let half = DVec3::new(length, 1e-4 * length, 1e-4 * length);
            // The bound of the second derivative is some times that along the box.
            let gap = 12.0 * length * length + 4e-4 * length;
            let at = |distance: f64| {
                let centre = out + (0.3 + distance) * normal;
                torus.relation(&OrientedBox { centre, axes, half })
            };
            assert_eq!((at(gap), at(-gap), at(0.0)), (Relation::Outside, Relation::Inside, Relation::Undecided));
        }
    }
    // Far below the radius of the box, where the bound by the largest slope alone would not decide.
    let (half, centre) = (DVec3::new(1e-4, 1e-8, 1e-8), DVec3::X * (1.3 + 2e-7));
    let axes = DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::NEG_Z);
    assert_eq!(torus.relation(&OrientedBox { centre, axes, half }), Relation::Outside);
}

#[test]
fn undecided_boxes_are_within_the_slack() {
    for scale in [1e-6, 1.0, 1e6] {
        let torus = torus(scale);
        let mut random = SplitMix::new(10);
        let mut tight = 0;
        for _ in 0..20_000 {
            let (u, v) = (random.next_between(0.0, 2.0 * PI), random.next_between(0.0, 2.0 * PI));
            let out = DVec3::new(u.cos(), u.sin(), 0.0);
            let radius = laws::log_uniform(&mut random, 1e-9, 0.3);
            let off = laws::log_uniform(&mut random, 0.1, 40.0) * radius * random.next_between(-1.0, 1.0).signum();
            let centre = scale * (out + (0.3 + off) * (v.cos() * out + v.sin() * DVec3::Z));
            let half = laws::vector(&mut random).abs().normalize() * radius * scale;
            let turned = OrientedBox { centre, axes: DMat3::from_quat(random.next_rotation()), half };
            let slack = torus.slack(turned.radius());
            tight += u32::from(slack < 100.0 * turned.radius() + 1e-12 * scale);
            if torus.relation(&turned) == Relation::Undecided {
                let distance = (torus_distance(centre, scale).abs() - turned.radius()).max(0.0);
                assert!(distance <= slack, "{turned:?}: {distance} beyond {slack}");
            }
        }
        assert!(tight > 5000, "the slack is known for {tight} boxes");
    }
}

#[test]
fn segments_find_all_roots_also_near_tangents() {
    let torus = torus(1.0);
    let count = |from: DVec3, to: DVec3| {
        let mut crossings = Vec::new();
        torus.crossings(from, to, &mut crossings);
        crossings
    };
    let found = count(DVec3::X * -2.0, DVec3::X * 2.0);
    let shares: Vec<_> = found.iter().map(|c| c.share * 4.0 - 2.0).collect();
    assert_eq!(shares.len(), 4, "{shares:?}");
    assert!(shares.iter().zip([-1.3, -0.7, 0.7, 1.3]).all(|(a, b)| (a - b).abs() < 1e-14), "{shares:?}");
    assert!(found.iter().all(|c| (c.normal.unwrap().x.abs() - 1.0).abs() < 1e-12));
    // Just below and just above the top, where the line is almost a tangent for two rings of the torus.
    let across = |z: f64| count(DVec3::new(-2.0, 0.01, z), DVec3::new(2.0, 0.013, z)).len();
    assert_eq!((across(0.3 - 1e-12), across(0.3 + 1e-12)), (4, 0));
    // In the plane of a face of a block: it ends, and the ends decide.
    let block = implicit("max(abs(x), abs(y), abs(z)) - 1", DVec3::splat(1.5)).unwrap();
    let mut crossings = Vec::new();
    block.crossings(DVec3::new(-2.0, 1.0, 0.1), DVec3::new(2.0, 1.0, 0.3), &mut crossings);
    assert!(crossings.len() % 2 == 0, "{crossings:?}");
    // Along a line of a cylinder.
    let pipe = implicit("max(sqrt(x^2 + y^2) - 0.7, abs(z) - 1)", DVec3::splat(1.5)).unwrap();
    let on = 0.7 * DVec3::new(0.6, 0.8, 0.0);
    pipe.crossings(on - DVec3::Z * 2.0, on, &mut crossings);
    block.crossings(DVec3::ZERO, DVec3::ZERO, &mut crossings);
}

#[test]
fn the_nearest_point_is_the_closest_one_within_the_radius_of_curvature() {
    for scale in [1e-6, 1.0, 1e6] {
        let torus = torus(scale);
        let mut random = SplitMix::new(11);
        for _ in 0..500 {
            let point = laws::vector(&mut random) * DVec3::new(1.4, 1.4, 0.4) * scale;
            let distance = torus_distance(point, scale);
            if distance.abs() > 0.2 * scale {
                continue;
            }
            let near = torus.nearest(point).unwrap();
            assert!(torus_distance(near.position, scale).abs() < 1e-13 * scale);
            assert!((near.distance - distance).abs() < 1e-11 * scale, "{point}: {near:?} {distance}");
            assert!((near.position + distance * near.normal - point).length() < 1e-7 * scale, "{point}: {near:?}");
        }
        // On the surface.
        let near = torus.nearest(DVec3::X * 1.3 * scale).unwrap();
        assert!((near.normal - DVec3::X).length() < 1e-12 && near.distance.abs() < 1e-14 * scale);
    }
}

#[test]
fn where_the_gradient_vanishes_there_is_no_normal() {
    // Two cones, tip to tip, cut at both ends.
    let cones = implicit("max(x^2 + y^2 - z^2, abs(z) - 1)", DVec3::splat(1.5)).unwrap();
    let error = cones.nearest(DVec3::ZERO).unwrap_err();
    assert!(error.to_string().contains("the gradient vanishes"), "{error}");
    assert!(cones.nearest(DVec3::new(0.5, 0.0, 0.49)).is_ok());
    let cone = implicit("max(sqrt(x^2 + y^2) - z, z - 1)", DVec3::splat(1.5)).unwrap();
    assert!(cone.nearest(DVec3::ZERO).is_err());
    assert!(torus(1.0).nearest(DVec3::ZERO).is_err());
    let mut crossings = Vec::new();
    cones.crossings(DVec3::X * -1.0, DVec3::new(1.0, 0.0, 0.0), &mut crossings);
    assert!(crossings.iter().all(|c| c.normal.is_none()), "{crossings:?}");
}

#[test]
fn mass_and_samples_of_a_torus() {
    let torus = torus(1.0);
    let found = torus.mass_properties(2.0).unwrap();
    let volume = 2.0 * PI * PI * 0.09;
    let off = (found.properties.volume - volume).abs();
    assert!(off <= found.volume_error && off < 3e-4 * volume, "{}", off / volume);
    let moment = 2.0 * volume * (1.0 + 0.75 * 0.09);
    let off = (found.properties.inertia.z_axis.z - moment).abs();
    assert!(off <= found.inertia_error && off < 1e-3 * moment, "{}", off / moment);
    // Three volumes by the area is 0.45.
    assert!((torus.thickness() - 0.45).abs() < 0.1, "{}", torus.thickness());
    let mut random = SplitMix::new(12);
    let surface = (0..1500).map(|_| {
        let (u, v) = (random.next_between(0.0, 2.0 * PI), random.next_between(0.0, 2.0 * PI));
        let out = DVec3::new(u.cos(), u.sin(), 0.0);
        out + 0.3 * (v.cos() * out + v.sin() * DVec3::Z)
    });
    laws::check_samples(&torus, 0.2, surface);
    let mut samples = Vec::new();
    torus.samples(0.2, &mut samples);
    assert!(samples.iter().all(|p| torus_distance(*p, 1.0).abs() < 1e-9));
    // Area 11.8: not more than one for a tenth of the spacing squared.
    assert!(samples.len() < 3000, "{}", samples.len());
    assert!(torus.triangles().triangles.len() > 1000);
    let bounds = torus.bounds();
    assert!(bounds.low.z < -0.3 && bounds.low.z > -0.4 && bounds.high.x < 1.45);
}

#[test]
fn what_is_no_solid_is_refused() {
    let message = |text: &str, half: f64| implicit(text, DVec3::splat(half)).unwrap_err().to_string();
    assert!(message("x^2 + y^2 + z^2 - 1", 0.9).contains("larger box"));
    assert!(message("x^2 + y^2 + z^2 - 1", 1.0).contains("not surely above zero"));
    assert!(message("x^2 + y^2 + z^2 + 1", 2.0).contains("nowhere below zero"));
    assert!(message("x^2 + y^2 + z^2", 2.0).contains("nowhere below zero"));
    assert!(message("1 - 1/(x^2 + y^2 + z^2)", 2.0).contains("at [0, 0, 0]"));
    assert!(message("x^2 + y^2 + z^2 - 1 - 0.001/(x - 0.123)^2", 3.0).contains("has no bounds between"));
    assert!(message("sqrt(x - 0.1) - 1", 2.0).contains("is NaN at"));
    let ball = || Arc::new(Expression::new("x^2 + y^2 + z^2 - 1").unwrap());
    for (low, high) in [(DVec3::ONE, DVec3::ONE), (DVec3::NAN, DVec3::ONE), (DVec3::NEG_INFINITY, DVec3::ONE)] {
        assert!(matches!(Implicit::new(ball(), Bounds { low, high }), Err(ImplicitError::Bounds { .. })));
    }
}

#[test]
fn bounds_that_do_not_hold_are_refused() {
    let domain = Bounds { low: DVec3::splat(-1.5), high: DVec3::splat(1.5) };
    let of = |gradient: fn(DVec3) -> DVec3, constant: f64, rounding: f64| {
        Implicit::new(
            Arc::new(LipschitzField::new(|p: DVec3| 2.0 * p.length() - 2.0, gradient, constant, rounding)),
            domain,
        )
    };
    let right: fn(DVec3) -> DVec3 = |p| 2.0 * p.normalize_or_zero();
    assert!(of(right, 2.0, 1e-15).is_ok());
    for error in [of(right, 1.0, 1e-15), of(|p| 3.0 * p, 2.0, 1e-15)] {
        assert!(matches!(error, Err(ImplicitError::Inconsistent { .. })), "{error:?}");
    }
    for (constant, rounding) in [(f64::NAN, 0.0), (-1.0, 0.0), (f64::INFINITY, 0.0), (2.0, f64::NAN), (2.0, -1.0)] {
        assert!(of(right, constant, rounding).is_err(), "{constant} {rounding}");
    }
}
