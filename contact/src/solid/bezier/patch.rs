//! A rational tensor-product Bézier patch.
//!
//! S(u, v) = Σ wᵢⱼ Pᵢⱼ Bᵢᵐ(u) Bⱼⁿ(v) / Σ wᵢⱼ Bᵢᵐ(u) Bⱼⁿ(v). Source: G. Farin, "Curves and Surfaces for CAGD", 5th edition,
//! chapter 16; the normal at a collapsed border: the limit of S_u × S_v over the distance from that border.

use arrayvec::ArrayVec;
use glam::{DVec3, DVec4};
use thiserror::Error;

/// The largest degree in a direction.
pub const MAXIMUM_DEGREE: usize = 8;

/// Control points along a direction at most.
pub(in crate::solid) const MAXIMUM_ORDER: usize = MAXIMUM_DEGREE + 1;

/// Below this share of the squared extent |S_u × S_v| is taken for zero: errors of S_u by rounding then turn the normal by
/// as much as the limit at the border would be off.
const PARALLEL: f64 = 1e-7;

/// Tangents at a collapsed border lie in a plane where they leave it by no more than this (rad).
const COPLANAR: f64 = 1e-9;

/// Control points of a border nearer to each other than this share of the extent are one point.
const COLLAPSED: f64 = 1e-12;

/// What is wrong with the data of a patch. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PatchError {
    /// A degree is out of range.
    #[error("the degree along {direction} is {degree}; it must be 1 to {MAXIMUM_DEGREE}")]
    Degree {
        /// `u` or `v`.
        direction: char,
        /// The degree given.
        degree: usize,
    },
    /// The number of control points does not fit the degrees.
    #[error("there are {found} control points; the degrees ask for {expected}, row by row, those along v first")]
    Count {
        /// (degree along u + 1) (degree along v + 1).
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A control point is NaN or infinite.
    #[error("control point {index} is {point:?}; all four numbers must be finite")]
    NotFinite {
        /// The first such point, in the order of the list.
        index: usize,
        /// As given.
        point: [f64; 4],
    },
    /// A weight is not above zero.
    #[error("control point {index} has the weight {weight}; weights must be above zero")]
    Weight {
        /// The first such point, in the order of the list.
        index: usize,
        /// The weight given.
        weight: f64,
    },
}

/// A rational tensor-product Bézier patch over 0 ≤ u ≤ 1, 0 ≤ v ≤ 1.
#[derive(Clone, Debug, PartialEq)]
pub struct BezierPatch {
    degrees: [usize; 2],
    points: Vec<DVec4>,
    extent: f64,
}

/// A point of a patch and its derivatives with respect to the parameters, m.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct Derivatives {
    pub s: DVec3,
    pub u: DVec3,
    pub v: DVec3,
    pub uu: DVec3,
    pub uv: DVec3,
    pub vv: DVec3,
}

impl BezierPatch {
    /// A patch of these degrees along u and v (1 to 8) by its homogeneous control points (w x, w y, w z, w), coordinates in m:
    /// degree_u + 1 rows of degree_v + 1 points, so that point (i, j) is entry i (degree_v + 1) + j.
    ///
    /// # Errors
    /// [`PatchError`].
    pub fn new(degrees: [usize; 2], control_points: Vec<[f64; 4]>) -> Result<Self, PatchError> {
        for (direction, degree) in ['u', 'v'].into_iter().zip(degrees) {
            if degree == 0 || degree > MAXIMUM_DEGREE {
                return Err(PatchError::Degree { direction, degree });
            }
        }
        let (expected, found) = ((degrees[0] + 1) * (degrees[1] + 1), control_points.len());
        if expected != found {
            return Err(PatchError::Count { expected, found });
        }
        for (index, &point) in control_points.iter().enumerate() {
            let weight = point[3];
            if weight.is_finite() && weight <= 0.0 {
                return Err(PatchError::Weight { index, weight });
            }
            let all = DVec4::from_array(point);
            if !all.is_finite() || !(all.truncate() / weight).is_finite() {
                return Err(PatchError::NotFinite { index, point });
            }
        }
        Ok(Self::of_points(degrees, control_points.into_iter().map(DVec4::from_array).collect()))
    }

    /// A patch of homogeneous points that have been looked at; there is at least one.
    pub(in crate::solid) fn of_points(degrees: [usize; 2], points: Vec<DVec4>) -> Self {
        let first = projected(points[0]);
        let extent = points.iter().map(|&p| projected(p).distance(first)).fold(0.0, f64::max);
        Self { degrees, points, extent }
    }

    /// The degrees along u and v.
    pub fn degrees(&self) -> [usize; 2] {
        self.degrees
    }

    /// The homogeneous control points (w x, w y, w z, w), row by row, those along v first.
    pub fn control_points(&self) -> impl Iterator<Item = [f64; 4]> + '_ {
        self.points.iter().map(|p| p.to_array())
    }

    pub(in crate::solid) fn points(&self) -> &[DVec4] {
        &self.points
    }

    /// The farthest that a control point is from the first, m.
    pub(in crate::solid) fn extent(&self) -> f64 {
        self.extent
    }

    /// The largest weight over the smallest.
    pub(in crate::solid) fn spread(&self) -> f64 {
        let weights = self.points.iter().map(|p| p.w);
        weights.clone().fold(0.0, f64::max) / weights.fold(f64::INFINITY, f64::min)
    }

    /// Whether all weights are equal: coordinates are polynomials.
    pub fn is_polynomial(&self) -> bool {
        self.points.iter().all(|p| p.w == self.points[0].w)
    }

    /// The control point (i, j), m.
    pub fn control_point(&self, i: usize, j: usize) -> DVec3 {
        projected(self.points[i * (self.degrees[1] + 1) + j])
    }

    /// The same surface with u and v swapped: its other side is outward.
    pub fn turned_over(&self) -> Self {
        let [m, n] = self.degrees;
        let points = (0..=n).flat_map(|j| (0..=m).map(move |i| self.points[i * (n + 1) + j])).collect();
        Self { degrees: [n, m], points, extent: self.extent }
    }

    /// The point at the parameters u, v, m.
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        self.derivatives(u, v).s
    }

    /// The normal S_u × S_v at the parameters, unit. Where that vanishes at a border that is a single point, it is the limit if
    /// that is the same along the whole border; `None` where the patch has no normal.
    pub fn normal(&self, u: f64, v: f64) -> Option<DVec3> {
        let at = self.derivatives(u, v);
        let normal = at.u.cross(at.v);
        if normal.length() > PARALLEL * self.extent * self.extent {
            return normal.try_normalize();
        }
        let distances = [(v, 0), (1.0 - u, 1), (1.0 - v, 2), (u, 3)];
        let collapsed = distances.into_iter().filter(|&(_, border)| self.is_collapsed(border));
        let (_, border) = collapsed.min_by(|a, b| a.0.total_cmp(&b.0))?;
        self.limit_normal(border)
    }

    /// The control points of a border from its start to its end, homogeneous. Borders 0…3 (v = 0, u = 1, v = 1, u = 0) run
    /// counter-clockwise as seen from the side to which S_u × S_v points. `depth` counts rows from the border.
    pub(in crate::solid) fn border(&self, border: usize, depth: usize) -> ArrayVec<DVec4, MAXIMUM_ORDER> {
        let [m, n] = self.degrees;
        let at = |i: usize, j: usize| self.points[i * (n + 1) + j];
        match border {
            0 => (0..=m).map(|i| at(i, depth)).collect(),
            1 => (0..=n).map(|j| at(m - depth, j)).collect(),
            2 => (0..=m).rev().map(|i| at(i, n - depth)).collect(),
            _ => (0..=n).rev().map(|j| at(depth, j)).collect(),
        }
    }

    /// Whether a border is a single point.
    pub(in crate::solid) fn is_collapsed(&self, border: usize) -> bool {
        let points = self.border(border, 0);
        let first = projected(points[0]);
        points.iter().all(|&p| projected(p).distance(first) <= COLLAPSED * self.extent)
    }

    /// The limit of the normal at a border that is a single point. The surface leaves it along the second row of control
    /// points; where these lie in a plane with it and go round it in one sense, that plane is tangential.
    fn limit_normal(&self, border: usize) -> Option<DVec3> {
        let tip = projected(self.border(border, 0)[0]);
        let tangents: ArrayVec<DVec3, MAXIMUM_ORDER> =
            self.border(border, 1).iter().map(|&p| projected(p) - tip).collect();
        if tangents.iter().any(|t| t.length() <= COLLAPSED * self.extent) {
            return None;
        }
        // A border runs counter-clockwise around the patch, so that tangents turn clockwise about its tip.
        let normals = || tangents.windows(2).map(|t| t[1].normalize().cross(t[0].normalize()));
        let normal = normals().sum::<DVec3>();
        let unit = normal.try_normalize()?;
        let is_plane = tangents.iter().all(|t| t.normalize().dot(unit).abs() <= COPLANAR);
        let is_one_sense = normals().all(|n| n.dot(unit) > 0.0);
        (is_plane && is_one_sense).then_some(unit)
    }

    /// The point at the parameters and its derivatives.
    pub(in crate::solid) fn derivatives(&self, u: f64, v: f64) -> Derivatives {
        let [m, n] = self.degrees;
        let (along_u, along_v) = (Bernstein::new(m, u), Bernstein::new(n, v));
        let mut h = [DVec4::ZERO; 6];
        for i in 0..=m {
            let row = &self.points[i * (n + 1)..(i + 1) * (n + 1)];
            let (mut value, mut first, mut second) = (DVec4::ZERO, DVec4::ZERO, DVec4::ZERO);
            for (j, &p) in row.iter().enumerate() {
                value += p * along_v.value[j];
                first += p * along_v.first[j];
                second += p * along_v.second[j];
            }
            h[0] += value * along_u.value[i];
            h[1] += value * along_u.first[i];
            h[2] += first * along_u.value[i];
            h[3] += value * along_u.second[i];
            h[4] += first * along_u.first[i];
            h[5] += second * along_u.value[i];
        }
        // The quotient rule, from the values of the numerator and the weight.
        let weight = h[0].w;
        let s = h[0].truncate() / weight;
        let first = |k: usize| (h[k].truncate() - h[k].w * s) / weight;
        let (su, sv) = (first(1), first(2));
        let uu = (h[3].truncate() - 2.0 * h[1].w * su - h[3].w * s) / weight;
        let uv = (h[4].truncate() - h[1].w * sv - h[2].w * su - h[4].w * s) / weight;
        let vv = (h[5].truncate() - 2.0 * h[2].w * sv - h[5].w * s) / weight;
        Derivatives { s, u: su, v: sv, uu, uv, vv }
    }
}

/// The point that a homogeneous one stands for.
pub(in crate::solid) fn projected(point: DVec4) -> DVec3 {
    point.truncate() / point.w
}

/// Bernstein polynomials of one degree at a parameter with their first two derivatives.
struct Bernstein {
    value: [f64; MAXIMUM_ORDER],
    first: [f64; MAXIMUM_ORDER],
    second: [f64; MAXIMUM_ORDER],
}

impl Bernstein {
    fn new(degree: usize, t: f64) -> Self {
        let mut value = [0.0; MAXIMUM_ORDER];
        let (mut first, mut second) = (value, value);
        value[0] = 1.0;
        for d in 1..=degree {
            // From degree d − 1 to d: derivatives are d times the differences of the lower degree. Entries beyond it are zero.
            let below = |values: &[f64; MAXIMUM_ORDER], i: usize| if i == 0 { 0.0 } else { values[i - 1] };
            let differences = |values: &[f64; MAXIMUM_ORDER]| -> [f64; MAXIMUM_ORDER] {
                std::array::from_fn(|i| d as f64 * (below(values, i) - values[i]))
            };
            if d + 1 == degree {
                second = differences(&value);
            }
            if d == degree {
                first = differences(&value);
                second = differences(&second);
            }
            value = std::array::from_fn(|i| (1.0 - t) * value[i] + t * below(&value, i));
        }
        Self { value, first, second }
    }
}
