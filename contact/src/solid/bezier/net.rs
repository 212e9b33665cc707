//! The control net of a part of a rational Bézier patch, and how far the part is from flat.
//!
//! Source: G. Farin, "Curves and Surfaces for CAGD", 5th edition, sections 5.4 and 16.3 (cuts by de Casteljau's algorithm).

use arrayvec::ArrayVec;
use glam::{DVec3, DVec4};

use super::patch::{BezierPatch, MAXIMUM_ORDER, projected};

/// Control points at most.
pub(in crate::solid) const MAXIMUM_POINTS: usize = MAXIMUM_ORDER * MAXIMUM_ORDER;

/// The control points of a part, m.
pub(in crate::solid) type Points = ArrayVec<DVec3, MAXIMUM_POINTS>;

/// The control net of a part of a patch; homogeneous, in the order of [`BezierPatch::new`].
pub(in crate::solid) struct Net {
    pub degrees: [usize; 2],
    pub points: ArrayVec<DVec4, MAXIMUM_POINTS>,
}

/// A rectangle of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solid) struct Part {
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl Part {
    pub const WHOLE: Self = Self { low: [0.0; 2], high: [1.0; 2] };

    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    pub fn width(&self) -> [f64; 2] {
        [0, 1].map(|k| self.high[k] - self.low[k])
    }

    /// The parameters of the whole by those of the part.
    pub fn at(&self, local: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| self.low[k] + local[k] * (self.high[k] - self.low[k]))
    }

    /// A part of this part, by parameters of this part.
    pub fn part(&self, local: &Self) -> Self {
        let [low, high] = [self.at(local.low), self.at(local.high)];
        Self { low, high: [0, 1].map(|k| high[k].max(low[k])) }
    }

    /// The smallest rectangle that holds this one and a point.
    pub fn with(&self, [u, v]: [f64; 2]) -> Self {
        let [low, high] = [self.low, self.high];
        Self { low: [low[0].min(u), low[1].min(v)], high: [high[0].max(u), high[1].max(v)] }
    }

    /// The two halves across a direction.
    pub fn halves(&self, direction: usize) -> [Self; 2] {
        let (mut first, mut second) = (*self, *self);
        first.high[direction] = self.middle()[direction];
        second.low[direction] = first.high[direction];
        [first, second]
    }
}

impl Net {
    /// The net of a part of a patch.
    pub fn of_part(patch: &BezierPatch, part: &Part) -> Self {
        let mut net = Self { degrees: patch.degrees(), points: patch.points().iter().copied().collect() };
        for k in 0..2 {
            let (low, high) = (part.low[k], part.high[k]);
            if high < 1.0 {
                net.cut(k, high, true);
            }
            if low > 0.0 {
                net.cut(k, if high > 0.0 { (low / high).min(1.0) } else { 0.0 }, false);
            }
        }
        net
    }

    /// Keeps the part below or above a parameter.
    fn cut(&mut self, direction: usize, t: f64, is_below: bool) {
        let [m, n] = self.degrees;
        let (degree, step, lines, stride) = if direction == 0 { (m, n + 1, n, 1) } else { (n, 1, m, n + 1) };
        for line in 0..=lines {
            let at = |k: usize| line * stride + k * step;
            for round in 1..=degree {
                if is_below {
                    for k in (round..=degree).rev() {
                        self.points[at(k)] = self.points[at(k - 1)] * (1.0 - t) + self.points[at(k)] * t;
                    }
                } else {
                    for k in 0..=degree - round {
                        self.points[at(k)] = self.points[at(k)] * (1.0 - t) + self.points[at(k + 1)] * t;
                    }
                }
            }
        }
    }

    /// The control points, m.
    pub fn projected(&self) -> Points {
        self.points.iter().map(|&p| projected(p)).collect()
    }

    /// Where the corners (u, v) = (0, 0), (0, 1), (1, 0), (1, 1) are in the list of points.
    pub fn corners(&self) -> [usize; 4] {
        let [m, n] = self.degrees;
        [0, n, m * (n + 1), (m + 1) * (n + 1) - 1]
    }

    /// How the part differs from a plane parallelogram.
    pub fn shape(&self, points: &Points) -> NetShape {
        let [m, n] = self.degrees;
        let [a, b, c, d] = self.corners().map(|k| points[k]);
        let mut bend = [0.0_f64; 2];
        let mut deviation = 0.0_f64;
        for i in 0..=m {
            let s = i as f64 / m as f64;
            let (low, high) = (a.lerp(c, s), b.lerp(d, s));
            for j in 0..=n {
                let t = j as f64 / n as f64;
                let point = points[i * (n + 1) + j];
                deviation = deviation.max((point - low.lerp(high, t)).length_squared());
                let row = points[i * (n + 1)].lerp(points[i * (n + 1) + n], t);
                let column = points[j].lerp(points[m * (n + 1) + j], s);
                bend[1] = bend[1].max((point - row).length_squared());
                bend[0] = bend[0].max((point - column).length_squared());
            }
        }
        let deviation = deviation.sqrt();
        let twist = a - b - c + d;
        // The corners a, b, d, c seen along the cross product of the diagonals, across which they have two heights.
        let normal = (d - a).cross(b - c).normalize_or_zero();
        let turn = |p: DVec3, q: DVec3, r: DVec3| (q - p).cross(r - p).dot(normal);
        let is_convex = [turn(a, c, d), turn(c, d, b), turn(d, b, a), turn(b, a, c)].iter().all(|&t| t >= 0.0);
        let above =
            if is_convex && normal != DVec3::ZERO { 0.5 * twist.dot(normal).abs() } else { 0.25 * twist.length() };
        let heights = points.iter().map(|p| normal.dot(*p - a));
        let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(low, high), h| (low.min(h), high.max(h)));
        let error = 2.0 * deviation + above + self.covariance() * twist.length();
        let length = |from: usize, to: usize| points[from].distance(points[to]);
        let [p, q, r, s] = self.corners();
        let sides = [length(p, r).max(length(q, s)), length(p, q).max(length(r, s))];
        NetShape { error, thickness: high - low, bend: bend.map(f64::sqrt), sides }
    }

    /// A bound of the covariance of i/m and j/n over control points by their shares in a point, at any parameters: zero where
    /// weights are products of one along u and one along v. With weights that differ from products by the share δ it is no
    /// more than (e + e²)/4 where e = δ/(1 − δ).
    fn covariance(&self) -> f64 {
        let [m, n] = self.degrees;
        let weight = |i: usize, j: usize| self.points[i * (n + 1) + j].w;
        let mut share = 0.0_f64;
        for i in 1..=m {
            for j in 1..=n {
                let product = weight(i, 0) * weight(0, j);
                share = share.max((weight(i, j) * weight(0, 0) / product - 1.0).abs());
            }
        }
        let excess = if share < 0.5 { share / (1.0 - share) } else { 1.0 };
        0.25 * (excess + excess * excess).min(1.0)
    }
}

/// How a part differs from a plane parallelogram.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct NetShape {
    /// No point of the hull of the control points is farther than this from the part itself, m.
    ///
    /// Means of control points are within D, the largest distance of a control point from its place on the bilinear patch
    /// through the corners, of the same means of points of that patch; these are in the tetrahedron of the corners. Let T be the
    /// twist of the bilinear patch. Where the corners are a convex quadrilateral as seen along the cross product n of its
    /// diagonals, the patch has a point above or below each point of the tetrahedron, |T · n|/2 away at most; else it is within |T|/4.
    /// The part itself takes means with all mean parameters, and is within D and the covariance of these times |T| there.
    pub error: f64,
    /// How far control points reach across the part, m.
    pub thickness: f64,
    /// How much of that comes from control points along u and v that are not on a line, m.
    bend: [f64; 2],
    /// The longest sides between corners along u and v, m.
    sides: [f64; 2],
}

impl NetShape {
    /// The direction in which to cut: along which the part bends most, or is longest.
    pub fn cut(&self, part: &Part) -> usize {
        let score = |k: usize| self.bend[k].max(1e-3 * self.sides[k]);
        let longest = usize::from(score(1) > score(0));
        // Not far beyond what parameters can tell apart.
        let width = part.width();
        if width[longest] < 1e-15 && width[1 - longest] > width[longest] { 1 - longest } else { longest }
    }
}
