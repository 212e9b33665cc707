//! Patches against sums of Bernstein polynomials, parts against wholes, bounds against points drawn at random.

use glam::{DMat3, DVec3, DVec4};

use super::b_spline::{BSpline, BSplineError};
use super::clip::clip;
use super::convexity::Convexity;
use super::gap::gap;
use super::net::{Net, Part};
use super::patch::{BezierPatch, PatchError};
use crate::solid::OrientedBox;
use crate::solid::laws::{log_uniform, vector};
use crate::split_mix::SplitMix;

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

fn bernstein(n: usize, k: usize, t: f64) -> f64 {
    binomial(n, k) * t.powi(k as i32) * (1.0 - t).powi((n - k) as i32)
}

/// A patch by its definition.
fn value(patch: &BezierPatch, u: f64, v: f64) -> DVec3 {
    let [m, n] = patch.degrees();
    let mut sum = DVec4::ZERO;
    for (k, point) in patch.control_points().enumerate() {
        sum += DVec4::from_array(point) * bernstein(m, k / (n + 1), u) * bernstein(n, k % (n + 1), v);
    }
    sum.truncate() / sum.w
}

/// Any patch: a bent sheet with control points moved, and with weights between 1/3 and 3.
fn any_patch(random: &mut SplitMix, degrees: [usize; 2], noise: f64) -> BezierPatch {
    let [m, n] = degrees;
    let mut points = Vec::new();
    for i in 0..=m {
        for j in 0..=n {
            let (x, y) = (i as f64 / m as f64, j as f64 / n as f64);
            let p = DVec3::new(x, y, 0.4 * x * y - 0.3 * x * x) + vector(random) * noise;
            let w = log_uniform(random, 1.0 / 3.0, 3.0);
            points.push([p.x * w, p.y * w, p.z * w, w]);
        }
    }
    BezierPatch::new(degrees, points).unwrap()
}

fn any_part(random: &mut SplitMix) -> Part {
    let mut part = Part::WHOLE;
    for k in 0..2 {
        let (a, b) = (random.next_fraction(), random.next_fraction());
        (part.low[k], part.high[k]) = (a.min(b), a.max(b));
    }
    part
}

#[test]
fn values_and_derivatives_are_those_of_the_definition() {
    let mut random = SplitMix::new(1);
    for case in 0..60 {
        let degrees = [1 + case % 8, 1 + case / 7 % 8];
        let patch = any_patch(&mut random, degrees, 0.2);
        let (u, v) = (random.next_fraction(), random.next_fraction());
        let at = patch.derivatives(u, v);
        assert!(at.s.distance(value(&patch, u, v)) < 1e-14, "{degrees:?}");
        let h = 1e-4;
        let first =
            |a: f64, b: f64| (value(&patch, u + a * h, v + b * h) - value(&patch, u - a * h, v - b * h)) / (2.0 * h);
        let second = |a: f64, b: f64| {
            (value(&patch, u + a * h, v + b * h) - 2.0 * at.s + value(&patch, u - a * h, v - b * h)) / (h * h)
        };
        assert!(at.u.distance(first(1.0, 0.0)) < 1e-4 && at.v.distance(first(0.0, 1.0)) < 1e-4, "{degrees:?}");
        assert!(at.uu.distance(second(1.0, 0.0)) < 2e-3 && at.vv.distance(second(0.0, 1.0)) < 2e-3, "{degrees:?}");
        let mixed = 0.5 * (second(1.0, 1.0) - at.uu - at.vv);
        assert!(at.uv.distance(mixed) < 5e-3, "{degrees:?}: {} {mixed}", at.uv);
        let turned = patch.turned_over();
        assert!(turned.point(v, u).distance(at.s) < 1e-15);
    }
}

#[test]
fn parts_are_parts_and_lie_near_their_hulls() {
    let mut random = SplitMix::new(2);
    for case in 0..60 {
        let patch = any_patch(&mut random, [1 + case % 4, 1 + case / 4 % 4], 0.1);
        let part = any_part(&mut random);
        let net = Net::of_part(&patch, &part);
        let points = net.projected();
        let alone = BezierPatch::of_points(net.degrees, net.points.to_vec());
        let error = net.shape(&points).error;
        let mut on_part = Vec::new();
        let steps = 40;
        for i in 0..=steps {
            for j in 0..=steps {
                let local = [f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps)];
                let [u, v] = part.at(local);
                on_part.push(patch.point(u, v));
                assert!(alone.point(local[0], local[1]).distance(patch.point(u, v)) < 1e-13);
            }
        }
        // Points between samples are as far from one as samples are apart.
        let apart = on_part.windows(2).take(steps as usize).map(|p| p[0].distance(p[1])).fold(0.0, f64::max)
            + (0..steps as usize).map(|k| on_part[k * 41].distance(on_part[(k + 1) * 41])).fold(0.0, f64::max);
        for _ in 0..20 {
            let weights: Vec<f64> = points.iter().map(|_| random.next_fraction().powi(6)).collect();
            let mean = points.iter().zip(&weights).map(|(p, w)| *p * *w).sum::<DVec3>() / weights.iter().sum::<f64>();
            let away = on_part.iter().map(|p| p.distance(mean)).fold(f64::INFINITY, f64::min);
            assert!(away <= error + 2.0 * apart, "case {case}: {away} of {error}");
        }
    }
}

#[test]
fn clipping_loses_no_parameters_and_takes_others_away() {
    let mut random = SplitMix::new(3);
    let (mut kept, mut area) = (0, 0.0);
    for case in 0..200 {
        let patch = any_patch(&mut random, [1 + case % 4, 1 + case / 4 % 4], 0.05);
        let net = Net::of_part(&patch, &Part::WHOLE);
        let on = patch.point(random.next_fraction(), random.next_fraction());
        let axes = DMat3::from_quat(random.next_rotation());
        let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(&mut random, 1e-3, 0.3)));
        let turned = OrientedBox { centre: on + axes * (vector(&mut random) * half), axes, half };
        let part = clip(&net, &turned).expect("the box has a point of the patch");
        area += part.width()[0] * part.width()[1];
        for _ in 0..200 {
            let (u, v) = (random.next_fraction(), random.next_fraction());
            let local = turned.axes.transpose() * (patch.point(u, v) - turned.centre);
            if local.abs().cmple(half).all() {
                kept += 1;
                assert!(part.low[0] <= u && u <= part.high[0] && part.low[1] <= v && v <= part.high[1], "case {case}");
            }
        }
        let far = OrientedBox { centre: turned.centre + DVec3::splat(5.0), ..turned };
        assert_eq!(clip(&net, &far), None);
    }
    assert!(kept > 100 && area / 200.0 < 0.3, "{kept} {area}");
}

#[test]
fn bounds_of_a_gap_close_on_the_distance() {
    let mut random = SplitMix::new(4);
    let mut apart = 0;
    for case in 0..600 {
        let scale = [1e-6, 1.0, 1e6][case % 3];
        let axes = DMat3::from_quat(random.next_rotation());
        let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(&mut random, 1e-4, 1.0))) * scale;
        let turned = OrientedBox { centre: vector(&mut random) * scale, axes, half };
        let away = vector(&mut random) * 0.8 * scale;
        let points: Vec<DVec3> = (0..1 + case % 12).map(|_| away + vector(&mut random) * 0.6 * scale).collect();
        let found = gap(&points, &turned, vector(&mut random), f64::INFINITY, 0.0);
        assert!(found.lower <= found.upper + 1e-14 * scale);
        if found.lower > 0.0 {
            apart += 1;
            assert!(found.upper - found.lower <= 1e-9 * scale, "case {case}: {found:?}");
        } else {
            assert!(found.upper <= 1e-9 * scale, "case {case}: {found:?}");
        }
        for _ in 0..50 {
            let weights: Vec<f64> = points.iter().map(|_| random.next_fraction().powi(8)).collect();
            let mean = points.iter().zip(&weights).map(|(p, w)| *p * *w).sum::<DVec3>() / weights.iter().sum::<f64>();
            assert!(turned.closest(mean).distance(mean) >= found.lower - 1e-14 * scale);
        }
    }
    assert!(apart > 100 && apart < 590, "{apart}");
}

#[test]
fn a_collapsed_border_has_a_normal_where_its_limit_is_one() {
    let tip = [0.0, 0.0, 1.0, 1.0];
    let rim = |z: f64| [[1.0, 0.0, z, 1.0], [1.0, 1.0, z, 1.0], [0.0, 1.0, z, 1.0]];
    // v = 1 is the tip; the weights of the middle do not matter for the limit.
    let patch = |z: f64| {
        let points = rim(z).into_iter().flat_map(|p| [p, tip]).collect();
        BezierPatch::new([2, 1], points).unwrap()
    };
    let flat = patch(1.0);
    for u in [0.0, 0.3, 1.0] {
        assert!(flat.normal(u, 1.0).unwrap().distance(DVec3::Z) < 1e-12);
        assert!(flat.normal(u, 0.5).unwrap().distance(DVec3::Z) < 1e-12);
        assert_eq!(patch(0.0).normal(u, 1.0), None, "a cone has no normal at its tip");
    }
    assert!(flat.turned_over().normal(1.0, 0.3).unwrap().distance(-DVec3::Z) < 1e-12);
    assert!(flat.is_collapsed(2) && !flat.is_collapsed(0) && flat.turned_over().is_collapsed(1));
    let line = vec![[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0], [3.0, 0.0, 0.0, 1.0]];
    assert_eq!(BezierPatch::new([1, 1], line).unwrap().normal(0.5, 0.5), None);
}

#[test]
fn bad_patches_are_rejected() {
    let good = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]];
    assert!(BezierPatch::new([1, 1], good.clone()).is_ok());
    let of = |degrees, points| BezierPatch::new(degrees, points).unwrap_err();
    assert_eq!(of([0, 1], good.clone()), PatchError::Degree { direction: 'u', degree: 0 });
    assert_eq!(of([1, 9], good.clone()), PatchError::Degree { direction: 'v', degree: 9 });
    assert_eq!(of([2, 1], good.clone()), PatchError::Count { expected: 6, found: 4 });
    for (entry, value) in [(0, f64::NAN), (2, f64::INFINITY), (3, f64::NAN), (3, f64::INFINITY), (3, 0.0), (3, -1.0)] {
        let mut bad = good.clone();
        bad[2][entry] = value;
        match of([1, 1], bad) {
            PatchError::NotFinite { index: 2, .. } => assert!(!value.is_finite()),
            PatchError::Weight { index: 2, weight } => assert!(entry == 3 && weight == value),
            other => panic!("{other}"),
        }
    }
    let mut tiny = good;
    tiny[1][3] = 1e-320;
    assert!(matches!(of([1, 1], tiny), PatchError::NotFinite { index: 1, .. }));
}

/// The basis functions of Cox and de Boor.
fn basis(knots: &[f64], degree: usize, k: usize, t: f64) -> f64 {
    if degree == 0 {
        return if knots[k] <= t && t < knots[k + 1] { 1.0 } else { 0.0 };
    }
    let share = |above: f64, below: f64| if below > 0.0 { above / below } else { 0.0 };
    share(t - knots[k], knots[k + degree] - knots[k]) * basis(knots, degree - 1, k, t)
        + share(knots[k + degree + 1] - t, knots[k + degree + 1] - knots[k + 1]) * basis(knots, degree - 1, k + 1, t)
}

fn example() -> BSpline {
    let knots = [vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.5, 3.0, 3.0, 3.0], vec![-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 4.0, 4.5]];
    let mut random = SplitMix::new(5);
    let control_points = (0..24).map(|_| vector(&mut random).to_array()).collect();
    let weights = (0..24).map(|_| log_uniform(&mut random, 0.5, 2.0)).collect();
    BSpline { degrees: [2, 3], knots, control_points, weights }
}

#[test]
fn patches_of_a_b_spline_are_its_pieces() {
    let b_spline = example();
    let patches = b_spline.patches().unwrap();
    let spans = [[(0.0, 1.0), (1.0, 2.5), (2.5, 3.0)].as_slice(), [(1.0, 2.0)].as_slice()];
    assert_eq!(patches.len(), spans[0].len() * spans[1].len());
    let [p, q] = b_spline.degrees;
    let columns = b_spline.knots[1].len() - q - 1;
    let mut random = SplitMix::new(6);
    for (k, patch) in patches.iter().enumerate() {
        let ((low_u, high_u), (low_v, high_v)) = (spans[0][k / spans[1].len()], spans[1][k % spans[1].len()]);
        for _ in 0..20 {
            let (s, t) = (random.next_fraction(), random.next_fraction());
            let (u, v) = (low_u + s * (high_u - low_u), low_v + t * (high_v - low_v));
            let mut sum = DVec4::ZERO;
            for (index, (point, weight)) in b_spline.control_points.iter().zip(&b_spline.weights).enumerate() {
                let share =
                    basis(&b_spline.knots[0], p, index / columns, u) * basis(&b_spline.knots[1], q, index % columns, v);
                sum += DVec3::from_array(*point).extend(1.0) * *weight * share;
            }
            assert!(patch.point(s, t).distance(sum.truncate() / sum.w) < 1e-13, "patch {k}");
        }
    }
}

#[test]
fn bad_b_splines_are_rejected() {
    let with = |change: &dyn Fn(&mut BSpline)| {
        let mut b_spline = example();
        change(&mut b_spline);
        b_spline.patches().unwrap_err()
    };
    let found = with(&|b| b.degrees = [9, 3]);
    assert_eq!(found, BSplineError::Degree { direction: 'u', degree: 9 });
    let found = with(&|b| b.knots[1].truncate(7));
    assert_eq!(found, BSplineError::FewKnots { direction: 'v', degree: 3, expected: 8, found: 7 });
    let found = with(&|b| b.knots[0][5] = 0.5);
    assert_eq!(found, BSplineError::Knot { direction: 'u', index: 5, knot: 0.5 });
    assert!(matches!(with(&|b| b.knots[0][5] = f64::NAN), BSplineError::Knot { index: 5, .. }));
    let found = with(&|b| b.knots[0][5] = 1.0);
    assert_eq!(found, BSplineError::Repeated { direction: 'u', index: 3, degree: 2 });
    let found = with(&|b| b.knots[1][3] = 2.0);
    assert_eq!(found, BSplineError::EmptyDomain { direction: 'v', first: 3, last: 4 });
    let found = with(&|b| b.weights.truncate(3));
    assert_eq!(found, BSplineError::Count { what: "weights", expected: 24, found: 3 });
    let found = with(&|b| b.control_points.truncate(3));
    assert_eq!(found, BSplineError::Count { what: "control points", expected: 24, found: 3 });
    let found = with(&|b| b.weights[7] = -1.0);
    assert_eq!(found, BSplineError::Point(PatchError::Weight { index: 7, weight: -1.0 }));
    let found = with(&|b| b.control_points[7][1] = f64::INFINITY);
    assert!(matches!(found, BSplineError::Point(PatchError::NotFinite { index: 7, .. })), "{found}");
}

#[test]
fn where_a_distance_is_convex_it_falls_no_more_than_is_said() {
    let mut random = SplitMix::new(12);
    let mut convex = 0;
    for case in 0..4000 {
        let degrees = [1 + case % 4, 1 + case / 4 % 4];
        let patch = any_patch(&mut random, degrees, 0.05);
        let mut part = any_part(&mut random);
        // Small parts, too.
        if case % 2 == 0 {
            let share = log_uniform(&mut random, 1e-3, 1.0);
            part.high = [0, 1].map(|k| part.low[k] + share * (part.high[k] - part.low[k]));
        }
        let on = patch.point(random.next_fraction(), random.next_fraction());
        let point = on + vector(&mut random) * log_uniform(&mut random, 1e-3, 1.0);
        let Some(convexity) = Convexity::of(&Net::of_part(&patch, &part), point) else { continue };
        convex += 1;
        let width = part.width();
        let half_square = |[u, v]: [f64; 2]| 0.5 * patch.point(u, v).distance_squared(point);
        for _ in 0..40 {
            let [from, to] = [0; 2].map(|_| part.at([random.next_fraction(), random.next_fraction()]));
            let at = patch.derivatives(from[0], from[1]);
            let slope = [at.u * width[0], at.v * width[1]].map(|tangent| tangent.dot(at.s - point));
            assert!(half_square(to) >= half_square(from) - convexity.fall(slope) - 1e-14, "case {case}");
            let middle = half_square([0, 1].map(|k| 0.5 * (from[k] + to[k])));
            assert!(middle <= 0.5 * (half_square(from) + half_square(to)) + 1e-14, "case {case}");
        }
    }
    assert!(convex > 150, "{convex}");
}
