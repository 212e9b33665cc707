//! Distances of convex hulls in exact integers: the oracle. Every f64 is a whole number times a power of two, and so is
//! every product of a rotation's entry and a coordinate, so nothing is lost on the way in.
//!
//! The nearest point of the differences b − a is found as by Wolfe (1976) and by Gilbert, Johnson and Keerthi (1988):
//! the nearest point of a simplex, then the difference that is least along it, until none is less. Without rounding
//! each simplex is nearer than the one before, so it ends, with the nearest point itself.

use dashu_int::IBig;
use dashu_ratio::RBig;
use glam::{DMat3, DVec3};
use num_traits::Float;

type Point = [IBig; 3];

/// Corners of two polyhedra in the frame of the first, as whole numbers.
pub struct Placed {
    a: Vec<Point>,
    b: Vec<Point>,
    /// Coordinates are multiplied by two to this power.
    scale: usize,
}

/// The power of two that makes numbers whole.
fn scale(numbers: impl Iterator<Item = f64>) -> usize {
    numbers.filter(|&x| x != 0.0).map(|x| -x.integer_decode().1).max().map_or(0, |s| s.max(0) as usize)
}

fn whole(x: f64, scale: usize) -> IBig {
    let (mantissa, exponent, sign) = x.integer_decode();
    if mantissa == 0 {
        return IBig::ZERO;
    }
    (IBig::from(mantissa) * IBig::from(sign)) << (scale as i64 + i64::from(exponent)) as usize
}

fn point(p: DVec3, scale: usize) -> Point {
    p.to_array().map(|x| whole(x, scale))
}

fn coordinates(points: &[DVec3]) -> impl Iterator<Item = f64> {
    points.iter().flat_map(|p| p.to_array())
}

fn dot(p: &Point, q: &Point) -> IBig {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn minus(p: &Point, q: &Point) -> Point {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

fn cross(p: &Point, q: &Point) -> Point {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &p[i] * &q[j] - &p[j] * &q[i]
    })
}

fn ratio(numerator: IBig, denominator: IBig) -> f64 {
    (RBig::from(numerator) / RBig::from(denominator)).to_f64().value()
}

impl Placed {
    /// The points of B are moved by a rotation (any matrix) and a translation.
    pub fn new(a: &[DVec3], b: &[DVec3], (rotation, translation): (DMat3, DVec3)) -> Self {
        let of_rotation = scale(rotation.to_cols_array().into_iter());
        let of_b = scale(coordinates(b));
        let rest = scale(coordinates(a).chain(translation.to_array()));
        let scale = rest.max(of_rotation + of_b);
        let up = scale - of_rotation - of_b;
        let rows = [0, 1, 2].map(|i| point(rotation.row(i), of_rotation));
        let translation = point(translation, scale);
        let moved = |p: &DVec3| {
            let p = point(*p, of_b);
            [0, 1, 2].map(|i| (dot(&rows[i], &p) << up) + &translation[i])
        };
        Self { a: a.iter().map(|&p| point(p, scale)).collect(), b: b.iter().map(moved).collect(), scale }
    }

    /// The distance of the hulls, m; zero only if they have a point in common.
    pub fn distance(&self) -> f64 {
        let mut simplex = vec![minus(&self.b[0], &self.a[0])];
        loop {
            let (kept, nearest, divisor) = nearest(&simplex);
            let square = dot(&nearest, &nearest);
            if square == IBig::ZERO {
                return 0.0;
            }
            let on_a = self.a.iter().max_by_key(|p| dot(p, &nearest));
            let on_b = self.b.iter().min_by_key(|p| dot(p, &nearest));
            let (Some(on_a), Some(on_b)) = (on_a, on_b) else { return f64::INFINITY };
            let difference = minus(on_b, on_a);
            if dot(&difference, &nearest) * &divisor >= square {
                return ratio(square, (&divisor * &divisor) << (2 * self.scale)).sqrt();
            }
            simplex = kept;
            simplex.push(difference);
        }
    }

    /// How far B is from A along a direction of any length, m.
    pub fn separation(&self, direction: DVec3) -> f64 {
        let scale = scale(direction.to_array().into_iter());
        let n = point(direction, scale);
        let low = self.b.iter().map(|p| dot(p, &n)).min();
        let high = self.a.iter().map(|p| dot(p, &n)).max();
        let (Some(low), Some(high)) = (low, high) else { return f64::INFINITY };
        ratio(low - high, IBig::from(1) << (self.scale + scale)) / direction.length()
    }
}

/// How far a point is from the hull of others, m.
pub fn distance_of_point(point: DVec3, points: &[DVec3]) -> f64 {
    Placed::new(points, &[point], (DMat3::IDENTITY, DVec3::ZERO)).distance()
}

/// The nearest point of a simplex to the origin, as a vector and its divisor, and the corners that it needs.
fn nearest(simplex: &[Point]) -> (Vec<Point>, Point, IBig) {
    let zero = || [IBig::ZERO, IBig::ZERO, IBig::ZERO];
    for subset in 1_u32..1 << simplex.len() {
        let corners: Vec<Point> =
            (0..simplex.len()).filter(|k| subset >> k & 1 == 1).map(|k| simplex[k].clone()).collect();
        let Some(weights) = weights(&corners) else { continue };
        let divisor: IBig = weights.iter().sum();
        let mut nearest = zero();
        for (corner, weight) in corners.iter().zip(&weights) {
            (0..3).for_each(|k| nearest[k] += &corner[k] * weight);
        }
        let square = dot(&nearest, &nearest);
        if simplex.iter().all(|p| dot(p, &nearest) * &divisor >= square) {
            return (corners, nearest, divisor);
        }
    }
    unreachable!("one of the faces of a simplex has the nearest point")
}

/// The weights, all positive, of the point of the corners' line, plane or space that is nearest to the origin; `None`
/// if it is not inside, or the corners are not in general position.
fn weights(corners: &[Point]) -> Option<Vec<IBig>> {
    let p = &corners[0];
    let back = minus(&[IBig::ZERO, IBig::ZERO, IBig::ZERO], p);
    let d: Vec<Point> = corners[1..].iter().map(|c| minus(c, p)).collect();
    let (whole, rest) = match d.as_slice() {
        [] => (IBig::from(1), Vec::new()),
        [u] => (dot(u, u), vec![dot(&back, u)]),
        [u, v] => {
            let n = cross(u, v);
            (dot(&n, &n), vec![dot(&cross(&back, v), &n), dot(&cross(u, &back), &n)])
        }
        [u, v, w] => {
            let volume = dot(u, &cross(v, w));
            let rest = vec![dot(&back, &cross(v, w)), dot(u, &cross(&back, w)), dot(u, &cross(v, &back))];
            match volume < IBig::ZERO {
                true => (-volume, rest.into_iter().map(|x| -x).collect()),
                false => (volume, rest),
            }
        }
        _ => return None,
    };
    let mut weights = vec![whole - rest.iter().sum::<IBig>()];
    weights.extend(rest);
    weights.iter().all(|w| *w > IBig::ZERO).then_some(weights)
}

#[test]
fn distances_with_closed_forms() {
    let cube: Vec<DVec3> = (0..8).map(|k| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
    let at = |x, y, z| Placed::new(&cube, &cube, (DMat3::IDENTITY, DVec3::new(x, y, z)));
    assert_eq!(at(3.0, 0.25, -0.5).distance(), 2.0);
    assert_eq!(at(4.0, 5.0, 0.0).distance(), 5.0);
    assert_eq!(at(2.0, 2.0, 2.0).distance(), 3f64.sqrt());
    assert_eq!(at(1.0, 1.0, 1.0).distance(), 0.0);
    assert_eq!(at(1.0 + f64::EPSILON, 0.0, 0.0).distance(), f64::EPSILON);
    assert_eq!(at(0.9, 0.9, 0.9).distance(), 0.0);
    assert_eq!(at(3.0, 0.0, 0.0).separation(DVec3::X * 2.0), 2.0);
    // An eighth of a turn: the edge is √2 nearer.
    let turned = Placed::new(&cube, &cube, (DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4), DVec3::X * 4.0));
    assert!((turned.distance() - (3.0 - 0.5f64.sqrt())).abs() < 1e-15);
    assert_eq!(distance_of_point(DVec3::splat(0.5), &cube), 0.0);
    assert_eq!(distance_of_point(DVec3::new(0.5, -1e-100, 0.5), &cube), 1e-100);
}
