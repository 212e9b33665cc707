//! Surfaces of patches against closed forms: a ball, a torus, a block with a raised face, and an open sheet.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::*;
use crate::solid::laws::{self, log_uniform, vector};
use crate::split_mix::SplitMix;

mod crossings;

const SCALES: [f64; 3] = [1e-6, 1.0, 1e6];

const MAJOR: f64 = 1.0;
const MINOR: f64 = 0.4;

/// How far the top of the block is raised in its middle.
const RAISED: f64 = 0.3;

/// Nearer to the surface than this share of the size an oracle does not tell sides apart.
const UNTOLD: f64 = 1e-9;

fn ball_depth(p: DVec3) -> f64 {
    1.0 - p.length()
}

fn torus_depth(p: DVec3) -> f64 {
    MINOR - DVec3::new(p.truncate().length() - MAJOR, p.z, 0.0).length()
}

/// Of the cube of side one about the origin, the top of which is z = ½ + 16 RAISED (¼ − x²)(¼ − y²).
fn block_depth(p: DVec3) -> f64 {
    let side = 0.5 - p.abs();
    let bump = 16.0 * RAISED * (0.25 - p.x * p.x) * (0.25 - p.y * p.y);
    side.x.min(side.y).min(p.z + 0.5).min(0.5 + bump.max(0.0) - p.z)
}

fn told(depth: f64) -> Option<bool> {
    (depth.abs() > UNTOLD).then_some(depth > 0.0)
}

/// A face of the block: the corner, the sides along u and v (u × v outward), the control point in the middle raised.
fn face(scale: f64, corner: DVec3, u: DVec3, v: DVec3, raised: f64) -> BezierPatch {
    let mut points = Vec::new();
    for i in 0..3 {
        for j in 0..3 {
            let middle = if i == 1 && j == 1 { u.cross(v) * raised } else { DVec3::ZERO };
            let p = scale * (corner + u * (f64::from(i) / 2.0) + v * (f64::from(j) / 2.0) + middle);
            points.push([p.x, p.y, p.z, 1.0]);
        }
    }
    BezierPatch::new([2, 2], points).unwrap()
}

fn block_patches(scale: f64) -> Vec<BezierPatch> {
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    let (low, high) = (DVec3::splat(-0.5), DVec3::splat(0.5));
    vec![
        face(scale, low, y, x, 0.0),
        face(scale, low, z, y, 0.0),
        face(scale, low, x, z, 0.0),
        // Bernstein's polynomial of the middle, 2t(1 − t) twice, is 1/4 in the middle.
        face(scale, high - x - y, x, y, 4.0 * RAISED),
        face(scale, high - y - z, y, z, 0.0),
        face(scale, high - z - x, z, x, 0.0),
    ]
}

fn block(scale: f64) -> Parametric {
    Parametric::closed(block_patches(scale)).unwrap()
}

/// The sheet z = x² − y² over −1 ≤ x, y ≤ 1.
fn sheet(scale: f64) -> Parametric {
    let squares = [1.0, -1.0, 1.0];
    let mut points = Vec::new();
    for i in 0..3 {
        for j in 0..3 {
            let (x, y) = (f64::from(i) - 1.0, f64::from(j) - 1.0);
            points.push([x * scale, y * scale, (squares[i as usize] - squares[j as usize]) * scale, 1.0]);
        }
    }
    Parametric::open(vec![BezierPatch::new([2, 2], points).unwrap()]).unwrap()
}

/// Shares, entries and whether there are normals.
fn crossings(solid: &Parametric, from: DVec3, to: DVec3) -> Vec<Crossing> {
    let mut list = Vec::new();
    solid.crossings(from, to, &mut list);
    list
}

#[test]
fn a_ball_obeys_the_laws() {
    for (seed, scale) in SCALES.into_iter().enumerate() {
        let ball = Parametric::ball(scale).unwrap();
        laws::check(&ball, DVec3::ZERO, scale, 40, 10 + seed as u64, |p| told(ball_depth(p / scale)));
    }
}

#[test]
fn a_torus_obeys_the_laws() {
    for (seed, scale) in SCALES.into_iter().enumerate() {
        let torus = Parametric::torus(MAJOR * scale, MINOR * scale).unwrap();
        laws::check(&torus, DVec3::ZERO, scale, 40, 20 + seed as u64, |p| told(torus_depth(p / scale)));
    }
}

#[test]
fn a_block_obeys_the_laws() {
    for (seed, scale) in SCALES.into_iter().enumerate() {
        laws::check(&block(scale), DVec3::ZERO, 0.7 * scale, 40, 30 + seed as u64, |p| told(block_depth(p / scale)));
    }
}

#[test]
fn samples_are_dense_and_stand_once() {
    let mut random = SplitMix::new(40);
    for scale in SCALES {
        let ball = Parametric::ball(scale).unwrap();
        let on_ball = (0..300).map(|_| vector(&mut random).normalize() * scale).collect::<Vec<_>>();
        laws::check_samples(&ball, 0.15 * scale, on_ball.into_iter());
        let torus = Parametric::torus(MAJOR * scale, MINOR * scale).unwrap();
        let on_torus = (0..300).map(|_| {
            let [a, b] = [0, 1].map(|_| 2.0 * PI * random.next_fraction());
            let away = MAJOR + MINOR * libm::cos(b);
            DVec3::new(away * libm::cos(a), away * libm::sin(a), MINOR * libm::sin(b)) * scale
        });
        laws::check_samples(&torus, 0.15 * scale, on_torus.collect::<Vec<_>>().into_iter());
        let mut samples = Vec::new();
        block(scale).samples(0.2 * scale, &mut samples);
        for (k, p) in samples.iter().enumerate() {
            assert!(samples[..k].iter().all(|q| q.distance(*p) > 1e-3 * scale), "{p} stands twice");
        }
        assert!(samples.iter().any(|p| p.distance(DVec3::splat(0.5 * scale)) < 1e-12 * scale), "no corner");
        // Not many more than needed.
        let mut few = Vec::new();
        ball.samples(0.15 * scale, &mut few);
        assert!(few.len() < 3000, "{}", few.len());
    }
}

/// The distance of a box from the surface of the unit ball.
fn from_ball(turned: &OrientedBox) -> f64 {
    let nearest = turned.closest(DVec3::ZERO).length();
    let farthest = turned.corners().iter().map(|c| c.length()).fold(0.0, f64::max);
    (nearest - 1.0).max(1.0 - farthest).max(0.0)
}

#[test]
fn undecided_boxes_are_within_the_slack() {
    let mut random = SplitMix::new(50);
    for scale in SCALES {
        let ball = Parametric::ball(scale).unwrap();
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let axes = DMat3::from_quat(random.next_rotation());
            let radius = log_uniform(&mut random, 1e-9, 1.0);
            let half = DVec3::from_array(std::array::from_fn(|_| log_uniform(&mut random, 1e-4, 0.7) * radius));
            let away = random.next_between(-3.0, 3.0) * radius;
            let centre = vector(&mut random).normalize() * (1.0 + away.abs().powf(1.5) * away.signum() + 0.2 * away);
            let turned = OrientedBox { centre, axes, half };
            let scaled = OrientedBox { centre: centre * scale, half: half * scale, ..turned };
            let relation = ball.relation(&scaled);
            seen[relation as usize] += 1;
            let (off, slack) = (from_ball(&turned), ball.slack(scaled.radius()) / scale);
            match relation {
                Relation::Undecided => assert!(off <= slack, "{off} {slack} {turned:?}"),
                Relation::Outside => assert!(turned.closest(DVec3::ZERO).length() > 1.0 - 1e-12),
                Relation::Inside => assert!(turned.corners().iter().all(|c| c.length() < 1.0 + 1e-12)),
            }
            // Of second order, and no more than rounding at zero.
            let radius = turned.radius();
            assert!(slack <= 0.35 * radius * radius + 1e-10, "{slack} at {radius}");
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}

#[test]
fn slim_tangential_boxes_are_told_apart_from_the_surface() {
    let mut random = SplitMix::new(60);
    let (ball, torus) = (Parametric::ball(1.0).unwrap(), Parametric::torus(MAJOR, MINOR).unwrap());
    for length in [0.3, 0.1, 1e-2, 1e-4] {
        let slim = 1e-4 * length;
        // The ends of a tangent rise by half its square; a share of that is left for the test.
        let gap = 0.2 * length * length;
        for _ in 0..40 {
            let up = vector(&mut random).normalize();
            let along = up.any_orthonormal_vector();
            let axes = DMat3::from_cols(along, up, along.cross(up));
            let half = DVec3::new(length, slim, slim);
            let at = |height: f64| OrientedBox { centre: up * height, axes, half };
            assert_eq!(ball.relation(&at(1.0 + slim + gap)), Relation::Outside, "{length}");
            assert_eq!(ball.relation(&at(1.0)), Relation::Undecided);
            assert_eq!(
                ball.relation(&at(1.0 - 0.5 * length * length - 2.0 * slim - gap)),
                Relation::Inside,
                "{length}"
            );
            // The saddle inside the ring, and its outer rim.
            let angle = 2.0 * PI * random.next_fraction();
            let out = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
            let axes = DMat3::from_cols(DVec3::Z, out, DVec3::Z.cross(out));
            let at = |away: f64| OrientedBox { centre: out * away, axes, half };
            let gap = 2.0 * gap;
            let bend = length * length / MINOR;
            assert_eq!(torus.relation(&at(MAJOR - MINOR - slim - gap)), Relation::Outside, "{length}");
            assert_eq!(torus.relation(&at(MAJOR - MINOR)), Relation::Undecided);
            assert_eq!(torus.relation(&at(MAJOR + MINOR + slim + gap)), Relation::Outside, "{length}");
            if length < 0.2 {
                let inside = at(MAJOR + MINOR - 0.6 * bend - 2.0 * slim - gap);
                assert_eq!(torus.relation(&inside), Relation::Inside, "{length}");
            }
        }
    }
}

#[test]
fn the_nearest_points_of_a_ball_and_a_torus_are_those_of_closed_forms() {
    let mut random = SplitMix::new(90);
    for scale in SCALES {
        let (ball, torus) =
            (Parametric::ball(scale).unwrap(), Parametric::torus(MAJOR * scale, MINOR * scale).unwrap());
        for case in 0..120 {
            let mut p = vector(&mut random) * 1.6;
            if case % 10 == 0 {
                p[case / 10 % 3] = 0.0;
            }
            if case % 3 == 0 {
                p = p.normalize() * (1.0 + log_uniform(&mut random, 1e-12, 1e-2));
            }
            let found = ball.nearest(p * scale).unwrap();
            let normal = p.normalize();
            let tolerance = 1e-12;
            assert!(
                found.position.distance(normal * scale) <= tolerance * scale / p.length().min(1.0),
                "{p} {found:?}"
            );
            assert!(found.normal.distance(normal) <= 1e-7);
            assert!((found.distance / scale + ball_depth(p)).abs() <= tolerance, "{p}");
            let found = torus.nearest(p * scale).unwrap();
            let axis = p.with_z(0.0).normalize() * MAJOR;
            let normal = (p - axis).normalize();
            let conditioning = p.with_z(0.0).length().min(p.distance(axis)).min(1.0);
            let off = found.position.distance((axis + normal * MINOR) * scale);
            assert!(off <= 1e-11 * scale / conditioning, "{p} {found:?} {off}");
            assert!((found.distance / scale + torus_depth(p)).abs() <= tolerance, "{p}");
        }
        // All points of the surface are equally near.
        let found = ball.nearest(DVec3::ZERO).unwrap();
        assert!((found.distance + scale).abs() <= 1e-12 * scale);
    }
}

#[test]
fn the_nearest_points_of_a_block_are_as_near_as_any() {
    let mut random = SplitMix::new(91);
    let block = block(1.0);
    let mut dense = Vec::new();
    block.samples(0.02, &mut dense);
    let mut edges = 0;
    for _ in 0..150 {
        let p = vector(&mut random) * 1.2;
        let least = dense.iter().map(|s| s.distance(p)).fold(f64::INFINITY, f64::min);
        match block.nearest(p) {
            Ok(found) => {
                assert!(found.distance.abs() <= least + 1e-12 && found.distance.abs() >= least - 0.02);
                assert_eq!(found.distance < 0.0, block_depth(p) > 0.0, "{p}");
                assert!(found.normal.cross(p - found.position).length() <= 1e-9, "{p}: {found:?}");
                assert!(block_depth(found.position).abs() < 1e-12);
            }
            Err(error) => {
                // An edge or a corner.
                edges += 1;
                let on = error.point.abs() - 0.5;
                assert!((0..3).filter(|&k| on[k].abs() < 1e-9).count() >= 2, "{error}");
                assert!(error.point.distance(p) <= least + 1e-12);
            }
        }
    }
    assert!(edges > 20 && edges < 130, "{edges}");
    assert!(block.nearest(DVec3::NAN).is_err());
}

#[test]
fn an_open_sheet_has_two_sides_and_no_inside() {
    let mut random = SplitMix::new(100);
    for scale in SCALES {
        let sheet = sheet(scale);
        assert!(!sheet.is_closed() && !sheet.contains(DVec3::ZERO));
        assert_eq!(sheet.mass_properties(1.0).unwrap_err(), MassPropertiesError::NoInside);
        for _ in 0..100 {
            let (a, b) = (vector(&mut random).with_z(2.0), vector(&mut random).with_z(-2.0));
            for (from, to) in [(a, b), (b, a)] {
                let found = crossings(&sheet, from * scale, to * scale);
                let height = |s: f64| {
                    let p = from.lerp(to, s);
                    p.z - p.x * p.x + p.y * p.y
                };
                // A quadratic with ends of opposite signs: one root.
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if (height(middle) > 0.0) == (height(0.0) > 0.0) { low = middle } else { high = middle }
                }
                assert_eq!(found.len(), 1, "{from} {to}");
                assert!((found[0].share - low).abs() < 1e-12 && found[0].is_entry);
                assert!(found[0].normal.unwrap().dot(to - from) < 0.0);
            }
            let p = vector(&mut random) * 0.3;
            let found = sheet.nearest(p * scale).unwrap();
            assert!(found.distance >= 0.0 && found.normal.dot(p * scale - found.position) >= 0.0);
        }
        // Boxes near the sheet, and beyond its borders.
        let at = |x: f64, z: f64| OrientedBox {
            centre: DVec3::new(x, 0.0, z) * scale,
            axes: DMat3::IDENTITY,
            half: DVec3::splat(0.01 * scale),
        };
        assert_eq!(sheet.relation(&at(0.5, 0.25)), Relation::Undecided);
        assert_eq!(sheet.relation(&at(0.5, 0.29)), Relation::Outside);
        assert_eq!(sheet.relation(&at(1.02, 1.04)), Relation::Outside);
    }
}

#[test]
fn masses_are_those_of_closed_forms_within_the_stated_errors() {
    for scale in SCALES {
        let check = |solid: &Parametric, volume: f64, centre: DVec3, moments: DVec3, share: f64| {
            let found = solid.mass_properties(2.0).unwrap();
            let (cubed, fifth) = (scale.powi(3), 2.0 * scale.powi(5));
            let off = (found.properties.volume / cubed - volume).abs();
            assert!(
                off <= found.volume_error / cubed && found.volume_error <= share * volume * cubed,
                "{off} {found:?}"
            );
            let off = (found.properties.centre / scale - centre).abs().max_element();
            assert!(off <= found.centre_error / scale && found.centre_error <= share * scale, "{off} {found:?}");
            let entries = found.properties.inertia - DMat3::from_diagonal(moments) * fifth;
            let off = entries.to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(off <= found.inertia_error && found.inertia_error <= share * fifth, "{off} {found:?}");
        };
        let volume = 4.0 / 3.0 * PI;
        check(&Parametric::ball(scale).unwrap(), volume, DVec3::ZERO, DVec3::splat(0.4 * volume), 1e-11);
        let volume = 2.0 * PI * PI * MAJOR * MINOR * MINOR;
        let across = volume * (0.5 * MAJOR * MAJOR + 0.625 * MINOR * MINOR);
        let along = volume * (MAJOR * MAJOR + 0.75 * MINOR * MINOR);
        let torus = Parametric::torus(MAJOR * scale, MINOR * scale).unwrap();
        check(&torus, volume, DVec3::ZERO, DVec3::new(across, across, along), 1e-11);
        // The bump b = RAISED (1 − 4x²)(1 − 4y²): ∫b, ∫b², ∫b³ over the square from ∫(1 − 4x²)ᵏ = 2/3, 8/15, 16/35.
        let power = |k: i32, integral: f64| RAISED.powi(k) * integral * integral;
        let (b1, b2, b3) = (power(1, 2.0 / 3.0), power(2, 8.0 / 15.0), power(3, 16.0 / 35.0));
        let volume = 1.0 + b1;
        let first = 0.5 * b1 + 0.5 * b2;
        let zz = 1.0 / 12.0 + 0.25 * b1 + 0.5 * b2 + b3 / 3.0 - first * first / volume;
        // ∫x²(1 − 4x²) = 1/12 − 1/20.
        let xx = 1.0 / 12.0 + RAISED * (1.0 / 12.0 - 1.0 / 20.0) * 2.0 / 3.0;
        let centre = DVec3::new(0.0, 0.0, first / volume);
        check(&block(scale), volume, centre, DVec3::new(xx + zz, xx + zz, 2.0 * xx), 1e-11);
        assert!((torus.thickness() / scale - 1.5 * MINOR).abs() < 1e-9);
        assert!(matches!(torus.mass_properties(-1.0), Err(MassPropertiesError::Density { .. })));
    }
}

#[test]
fn a_b_spline_circle_turned_is_a_ball() {
    // The nine-point circle and its upper half, as one B-spline surface.
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let circle: [[f64; 3]; 9] = [
        [1.0, 0.0, 1.0],
        [1.0, 1.0, h],
        [0.0, 1.0, 1.0],
        [-1.0, 1.0, h],
        [-1.0, 0.0, 1.0],
        [-1.0, -1.0, h],
        [0.0, -1.0, 1.0],
        [1.0, -1.0, h],
        [1.0, 0.0, 1.0],
    ];
    let half: [[f64; 3]; 5] = [[0.0, -1.0, 1.0], [1.0, -1.0, h], [1.0, 0.0, 1.0], [1.0, 1.0, h], [0.0, 1.0, 1.0]];
    let control_points = circle.iter().flat_map(|c| half.map(|p| [p[0] * c[0], p[0] * c[1], p[1]])).collect();
    let weights = circle.iter().flat_map(|c| half.map(|p| p[2] * c[2])).collect();
    let knots = [
        vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0],
        vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0],
    ];
    let mut b_spline = BSpline { degrees: [2, 2], knots, control_points, weights };
    let ball = Parametric::from_b_splines(std::slice::from_ref(&b_spline), true).unwrap();
    assert_eq!(ball.patches().len(), 8);
    let mut random = SplitMix::new(110);
    for patch in ball.patches() {
        assert!((patch.point(random.next_fraction(), random.next_fraction()).length() - 1.0).abs() < 1e-14);
    }
    laws::check(&ball, DVec3::ZERO, 1.0, 10, 111, |p| told(ball_depth(p)));
    b_spline.knots[0][4] = 0.5;
    let found = Parametric::from_b_splines(&[b_spline], true).unwrap_err();
    assert!(matches!(found, ParametricError::BSpline { index: 0, source: _ }), "{found}");
}

#[test]
fn surfaces_that_are_not_closed_are_rejected() {
    let all = block_patches(1.0);
    assert_eq!(Parametric::closed(Vec::new()).unwrap_err(), ParametricError::NoPatches);
    assert_eq!(Parametric::open(Vec::new()).unwrap_err(), ParametricError::NoPatches);
    let missing = Parametric::closed(all[..5].to_vec()).unwrap_err();
    assert!(matches!(missing, ParametricError::NoPartner { patch: 0..=3, .. }), "{missing}");
    let mut turned = all.clone();
    turned[3] = turned[3].turned_over();
    let found = Parametric::closed(turned).unwrap_err();
    assert!(matches!(found, ParametricError::NoPartner { .. }), "{found}");
    let inside_out = all.iter().map(BezierPatch::turned_over).collect();
    let found = Parametric::closed(inside_out).unwrap_err();
    assert!(matches!(found, ParametricError::InsideOut { volume } if volume < -1.0), "{found}");
    let with_border = |k: usize, change: fn(&mut [f64; 4])| {
        let mut patches = all.clone();
        let mut points: Vec<_> = patches[0].control_points().collect();
        change(&mut points[k]);
        patches[0] = BezierPatch::new([2, 2], points).unwrap();
        Parametric::closed(patches)
    };
    assert!(with_border(1, |p| p[2] += 1e-10).is_ok());
    assert!(with_border(4, |p| p[3] *= 2.0).is_ok(), "not at a border");
    let found = with_border(1, |p| p[2] += 1e-6).unwrap_err();
    assert_eq!(found, ParametricError::NoPartner { patch: 0, border: Border::LowU });
    let found = with_border(1, |p| *p = p.map(|x| 2.0 * x)).unwrap_err();
    assert_eq!(found, ParametricError::NoPartner { patch: 0, border: Border::LowU });
    let point = BezierPatch::new([1, 1], vec![[1.0; 4]; 4]).unwrap();
    assert_eq!(Parametric::open(vec![all[0].clone(), point]).unwrap_err(), ParametricError::Point { patch: 1 });
    let found = Parametric::from_control_points(vec![([1, 1], vec![[1.0; 4]; 3])], false).unwrap_err();
    assert!(matches!(found, ParametricError::Patch { patch: 0, source: _ }), "{found}");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Parametric::ball(bad), Err(ParametricError::Dimension { .. })));
        assert!(matches!(Parametric::torus(bad, 0.1), Err(ParametricError::Dimension { .. })));
        assert!(matches!(Parametric::torus(1.0, bad), Err(ParametricError::Dimension { .. })));
    }
    assert!(matches!(Parametric::torus(1.0, 1.0), Err(ParametricError::Dimension { .. })));
}

#[test]
fn questions_allocate_nothing() {
    let solids = [Parametric::ball(1.0).unwrap(), Parametric::torus(MAJOR, MINOR).unwrap(), block(1.0)];
    let mut list = Vec::with_capacity(64);
    let mut random = SplitMix::new(120);
    for solid in &solids {
        for _ in 0..50 {
            let turned = laws::turned_box(&mut random, DVec3::ZERO, 1.0);
            let (from, to) = (vector(&mut random) * 1.5, vector(&mut random) * 1.5);
            list.clear();
            let counted = allocation_counter::measure(|| {
                std::hint::black_box((solid.relation(&turned), solid.contains(from), solid.nearest(from).is_ok()));
                solid.crossings(from, to, &mut list);
            });
            assert_eq!(counted.count_total, 0);
        }
    }
}

#[test]
fn triangles_are_seen_from_outside() {
    let drawn = Parametric::ball(2.0).unwrap().triangles();
    let volume: f64 = drawn
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|k| drawn.vertices[k as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume / (4.0 / 3.0 * PI * 8.0) - 1.0).abs() < 0.02, "{volume}");
}
