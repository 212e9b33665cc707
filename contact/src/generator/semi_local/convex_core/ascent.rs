//! The exact normal of least separation, from one that is about right.
//!
//! On each pair of features near a normal, the gap n·(s_B(−n) − s_A(n)) has a closed form F(n) = n·w − Σ √(nᵀQn), perhaps with n bound to a
//! circle by n·d = k. Its maximum over unit normals is a formula for corners and straight edges; for rims and the sides of cones
//! it is where ∇F = λ n + Σ μ d, by Newton's method. Every maximum is judged by the gap of the whole cores, and the best is the
//! next start, so that features come in that were not near the first one.

use glam::{DMat3, DVec3};

use super::Pair;
use crate::shape::convex_core::LocalFeature;

/// Features whose normals are within this angle of the normal are looked at, rad.
const NEAR: f64 = 0.1;

/// Rounds before the ascent ends where it is; two are the rule.
const ROUNDS: usize = 8;

/// Steps of Newton's method.
const STEPS: usize = 16;

/// Gaps that differ by less than this share of the size are equal; the normal of a face is then preferred to that of edges.
pub const EQUAL: f64 = 1e-14;

/// Newton's method ends when a step turns the normal by less, rad.
const TURNED: f64 = 1e-15;

/// The exact normal and the gap of the cores along it, from a start. The gap is known to be no more than `most` along any, m.
pub fn ascend(pair: &Pair<'_>, start: DVec3, most: f64) -> (DVec3, f64) {
    let equal = equal(pair, start);
    let mut best = Candidate { normal: start, gap: pair.core_gap(start), rank: 0 };
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let Candidate { normal: from, gap: before, .. } = best;
        of_a.clear();
        of_b.clear();
        pair.a.core.local_features(from, NEAR, &mut of_a);
        pair.b.core.local_features(pair.back * -from, NEAR, &mut of_b);
        of_b.iter_mut().for_each(|feature| *feature = feature.placed(&pair.relative));
        let faces = of_a.iter().map(|f| (f, 1.0)).chain(of_b.iter().map(|f| (f, -1.0)));
        let of_faces = faces.filter_map(|(feature, sign)| match feature {
            LocalFeature::Face { normal } => Some((*normal * sign, 3)),
            _ => None,
        });
        let of_face = |(normal, rank)| Candidate { normal, gap: pair.core_gap(normal), rank };
        // No other normal is better than that of a face along which the cores are as far apart as they can be.
        if let Some(face) = of_faces.clone().map(of_face).find(|face| face.gap >= most - equal) {
            return (face.normal, face.gap);
        }
        let of_pairs = of_a.iter().flat_map(|f| of_b.iter().map(move |g| (f, g)));
        let of_pairs = of_pairs.filter_map(|(f, g)| Stationary::new(f, g)?.normal(from));
        for (normal, rank) in of_pairs.chain(of_faces) {
            let candidate = Candidate { normal, gap: pair.core_gap(normal), rank };
            if candidate.is_better(&best, equal) {
                best = candidate;
            }
        }
        if best.gap <= before + equal {
            break;
        }
    }
    (best.normal, best.gap)
}

/// Gaps along directions that are about the same are equal if they differ by no more than this, m.
pub fn equal(pair: &Pair<'_>, direction: DVec3) -> f64 {
    EQUAL * pair.supports(direction).iter().map(|p| p.length()).sum::<f64>()
}

/// A normal, how far the cores are apart along it, and how exact it is: 3 of a face, 2 by a formula, 1 by Newton's method.
struct Candidate {
    normal: DVec3,
    gap: f64,
    rank: u8,
}

impl Candidate {
    fn is_better(&self, other: &Self, equal: f64) -> bool {
        self.gap > other.gap + equal || (self.gap >= other.gap - equal && self.rank > other.rank)
    }
}

/// F on a pair of features.
struct Stationary {
    /// From the feature of A to that of B. Lengths are in units of about their sum, so that no result depends on the unit.
    way: DVec3,
    quadrics: [Option<DMat3>; 2],
    /// n·d = k, of A and of B.
    bounds: [Option<(DVec3, f64)>; 2],
}

impl Stationary {
    fn new(a: &LocalFeature, b: &LocalFeature) -> Option<Self> {
        type Parts = (DVec3, Option<DMat3>, Option<(DVec3, f64)>);
        let parts = |feature: &LocalFeature, sign: f64| -> Option<Parts> {
            match *feature {
                LocalFeature::Face { .. } => None,
                LocalFeature::Line { point, direction } => Some((point, None, Some((direction, 0.0)))),
                LocalFeature::Vertex { point } => Some((point, None, None)),
                LocalFeature::ConeSide { tip, axis, sine } => Some((tip, None, Some((axis, sign * sine)))),
                LocalFeature::Smooth { centre, quadric } => Some((centre, Some(quadric), None)),
            }
        };
        let (p, of_a, bound_a) = parts(a, 1.0)?;
        let (q, of_b, bound_b) = parts(b, -1.0)?;
        let trace = |quadric: Option<DMat3>| quadric.map_or(0.0, |q| q.col(0).x + q.col(1).y + q.col(2).z);
        let unit = 1.0 / ((q - p).length() + (trace(of_a) + trace(of_b)).sqrt());
        let quadrics = [of_a, of_b].map(|quadric| quadric.map(|q| q * (unit * unit)));
        Some(Self { way: (q - p) * unit, quadrics, bounds: [bound_a, bound_b] })
    }

    /// The unit normal where F is largest near a start, with its rank.
    fn normal(&self, start: DVec3) -> Option<(DVec3, u8)> {
        let is_linear = self.quadrics == [None, None];
        let on_side = |n: DVec3| if n.dot(start) < 0.0 { -n } else { n };
        let by_formula = match self.bounds {
            [None, None] if is_linear => Some(self.way),
            [Some((d, 0.0)), None] | [None, Some((d, 0.0))] if is_linear => Some(self.way.reject_from_normalized(d)),
            [Some((d, 0.0)), Some((e, 0.0))] => Some(d.cross(e)),
            _ => None,
        };
        match by_formula {
            Some(n) => n.try_normalize().map(|n| (on_side(n), 2)),
            None => self.newton(start).map(|n| (n, 1)),
        }
    }

    /// ∇F and ∇²F; `None` where F has none.
    fn derivatives(&self, n: DVec3) -> Option<(DVec3, DMat3)> {
        let (mut gradient, mut second) = (self.way, DMat3::ZERO);
        for quadric in self.quadrics.iter().flatten() {
            let along = *quadric * n;
            let root = n.dot(along).sqrt();
            if root <= f64::MIN_POSITIVE {
                return None;
            }
            gradient -= along / root;
            let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
            second -= *quadric / root - outer / (root * root * root);
        }
        Some((gradient, second))
    }

    /// Newton's method on ∇F = λ n + Σ μ d with n·n = 1 and n·d = k.
    fn newton(&self, start: DVec3) -> Option<DVec3> {
        let mut normal = start;
        let mut lambda = None;
        for _ in 0..STEPS {
            let (gradient, second) = self.derivatives(normal)?;
            let shift = lambda.unwrap_or_else(|| normal.dot(gradient));
            let mut rows = [[0.0; 7]; 6];
            for (i, row) in rows.iter_mut().enumerate().take(3) {
                row[..3].copy_from_slice(&second.row(i).to_array());
                row[i] -= shift;
                (row[3], row[6]) = (-normal[i], -gradient[i]);
            }
            rows[3][..3].copy_from_slice(&normal.to_array());
            rows[3][6] = 0.5 * (1.0 - normal.length_squared());
            let mut size = 4;
            for (d, k) in self.bounds.iter().flatten() {
                for i in 0..3 {
                    (rows[i][size], rows[size][i]) = (-d[i], d[i]);
                }
                rows[size][6] = k - d.dot(normal);
                size += 1;
            }
            let solved = solve(&mut rows, size);
            let step = DVec3::new(solved[0], solved[1], solved[2]);
            if !step.is_finite() {
                return None;
            }
            lambda = Some(solved[3]);
            // Half a radian at most, so that the start stays near.
            let length = step.length();
            normal = (normal + step * (0.5 / length.max(0.5))).normalize();
            if length <= TURNED {
                break;
            }
        }
        Some(normal)
    }
}

/// Pivots below this share of the largest entry are zero; their unknowns are left at zero.
const SINGULAR: f64 = 1e-13;

/// Solves the first rows, whose right-hand side is in the last column, by Gaussian elimination with full pivoting.
fn solve(rows: &mut [[f64; 7]; 6], size: usize) -> [f64; 6] {
    let mut columns = [0, 1, 2, 3, 4, 5];
    let largest = rows[..size].iter().flat_map(|row| &row[..size]).fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut rank = size;
    for k in 0..size {
        let places = (k..size).flat_map(|i| (k..size).map(move |j| (i, j)));
        let entry = |(i, j): (usize, usize)| rows[i][columns[j]].abs();
        let (i, j) = places.fold((k, k), |best, place| if entry(place) > entry(best) { place } else { best });
        if rows[i][columns[j]].abs() <= SINGULAR * largest {
            rank = k;
            break;
        }
        rows.swap(k, i);
        columns.swap(k, j);
        for i in k + 1..size {
            let factor = rows[i][columns[k]] / rows[k][columns[k]];
            for &column in columns[k..size].iter().chain([&6]) {
                rows[i][column] -= factor * rows[k][column];
            }
        }
    }
    let mut solved = [0.0; 6];
    for k in (0..rank).rev() {
        let known: f64 = columns[k + 1..rank].iter().map(|&c| rows[k][c] * solved[c]).sum();
        solved[columns[k]] = (rows[k][6] - known) / rows[k][columns[k]];
    }
    solved
}
