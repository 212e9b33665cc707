//! Geometry in exact arithmetic: the oracle. Every f64 is a rational number, so nothing is lost on the way in.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::Relaxed;
use glam::DVec3;
use num_traits::Float;

/// A point or vector with rational coordinates.
pub type Exact = [Relaxed; 3];

/// The coordinates of a point, exactly.
pub fn exact(p: DVec3) -> Exact {
    p.to_array().map(rational)
}

fn rational(x: f64) -> Relaxed {
    let (mantissa, exponent, sign) = x.integer_decode();
    let numerator = IBig::from(mantissa) * IBig::from(sign);
    let power = IBig::from(1) << exponent.unsigned_abs() as usize;
    if exponent < 0 { Relaxed::from(numerator) / Relaxed::from(power) } else { Relaxed::from(numerator * power) }
}

/// The nearest floating-point position.
pub fn rounded(p: &Exact) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|k| p[k].to_f64().value()))
}

pub fn difference(p: &Exact, q: &Exact) -> Exact {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

pub fn dot(p: &Exact, q: &Exact) -> Relaxed {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

pub fn cross(p: &Exact, q: &Exact) -> Exact {
    [&p[1] * &q[2] - &p[2] * &q[1], &p[2] * &q[0] - &p[0] * &q[2], &p[0] * &q[1] - &p[1] * &q[0]]
}

/// (q − a) · ((b − a) × (c − a)): positive in front of the counter-clockwise triangle a, b, c.
pub fn side(a: &Exact, b: &Exact, c: &Exact, q: &Exact) -> Relaxed {
    dot(&cross(&difference(b, a), &difference(c, a)), &difference(q, a))
}

/// The separation of two convex point sets over a family of axes.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// Whether the largest gap is negative (overlap), zero (touching) or positive (apart), exactly.
    pub sign: Ordering,
    /// The largest gap, rounded, m.
    pub metres: f64,
}

/// A family of axes: all normals of faces and all products of an edge of A and an edge of B.
pub struct Features<'a> {
    /// Positions, m.
    pub points: &'a [DVec3],
    /// Corners of the faces.
    pub faces: &'a [[usize; 3]],
    /// Ends of the edges.
    pub edges: &'a [[usize; 2]],
}

/// All vertices, faces and edges of a tetrahedron.
pub fn tetrahedron(points: &[DVec3; 4]) -> Features<'_> {
    const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    Features { points, faces: &FACES, edges: &EDGES }
}

/// All vertices, the face and the edges of a triangle.
pub fn triangle(points: &[DVec3; 3]) -> Features<'_> {
    Features { points, faces: &[[0, 1, 2]], edges: &[[0, 1], [0, 2], [1, 2]] }
}

/// The largest gap over the faces alone and over all axes.
pub fn separation(a: &Features<'_>, b: &Features<'_>) -> (Separation, Separation) {
    // With a common power of two as unit all coordinates are integers: no denominators to reduce.
    let unit = a.points.iter().chain(b.points).flat_map(|p| p.to_array()).filter(|x| *x != 0.0);
    let unit = unit.map(|x| x.integer_decode().1).min().unwrap_or(0);
    let integer = |x: f64| {
        let (mantissa, exponent, sign) = x.integer_decode();
        if mantissa == 0 {
            IBig::from(0)
        } else {
            (IBig::from(mantissa) << (exponent - unit) as usize) * IBig::from(sign)
        }
    };
    let points = |f: &Features<'_>| -> Vec<Integer> { f.points.iter().map(|p| p.to_array().map(integer)).collect() };
    let (points_a, points_b) = (points(a), points(b));
    let none = Separation { sign: Ordering::Less, metres: f64::NEG_INFINITY };
    let (mut of_faces, mut of_all) = (none, none);
    let measure = |axis: Integer, best: &mut [&mut Separation]| {
        if axis.iter().all(|x| *x == IBig::from(0)) {
            return;
        }
        let (a_min, a_max) = interval(&axis, &points_a);
        let (b_min, b_max) = interval(&axis, &points_b);
        let gap = (b_min - a_max).max(a_min - b_max);
        let length = axis.iter().map(|x| x.to_f64().value().powi(2)).sum::<f64>().sqrt();
        let metres = gap.to_f64().value() / length * 2f64.powi(unit.into());
        for best in best {
            if metres > best.metres {
                **best = Separation { sign: gap.cmp(&IBig::from(0)), metres };
            }
        }
    };
    for (features, points) in [(a, &points_a), (b, &points_b)] {
        for &[i, j, k] in features.faces {
            let axis = product(&minus(&points[j], &points[i]), &minus(&points[k], &points[i]));
            measure(axis, &mut [&mut of_faces, &mut of_all]);
        }
    }
    for &[i, j] in a.edges {
        for &[k, l] in b.edges {
            let axis = product(&minus(&points_a[j], &points_a[i]), &minus(&points_b[l], &points_b[k]));
            measure(axis, &mut [&mut of_all]);
        }
    }
    (of_faces, of_all)
}

type Integer = [IBig; 3];

fn minus(p: &Integer, q: &Integer) -> Integer {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

fn product(p: &Integer, q: &Integer) -> Integer {
    [&p[1] * &q[2] - &p[2] * &q[1], &p[2] * &q[0] - &p[0] * &q[2], &p[0] * &q[1] - &p[1] * &q[0]]
}

fn interval(axis: &Integer, points: &[Integer]) -> (IBig, IBig) {
    let along = |p: &Integer| &axis[0] * &p[0] + &axis[1] * &p[1] + &axis[2] * &p[2];
    let first = along(&points[0]);
    points[1..].iter().map(along).fold((first.clone(), first), |(low, high), d| {
        if d < low {
            (d, high)
        } else if d > high {
            (low, d)
        } else {
            (low, high)
        }
    })
}

#[test]
fn the_oracle_knows_simple_cases() {
    let corner = |o: DVec3| [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + o);
    let (a, touching, apart) = (corner(DVec3::ZERO), corner(DVec3::X), corner(DVec3::X * 1.5));
    let sign = |b: &[DVec3; 4]| separation(&tetrahedron(&a), &tetrahedron(b)).1;
    assert_eq!(sign(&a).sign, Ordering::Less);
    assert_eq!(sign(&touching).sign, Ordering::Equal);
    assert_eq!(sign(&apart).sign, Ordering::Greater);
    assert!((sign(&apart).metres - 0.5).abs() < 1e-15);
    assert_eq!(rounded(&exact(DVec3::new(0.1, -3e-7, 12.0))), DVec3::new(0.1, -3e-7, 12.0));
}
