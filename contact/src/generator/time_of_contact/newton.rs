//! The place of contact to the last digits, by Newton's method.
//!
//! With n the normal of the solid next to x, x is the point of the surface nearest to x − α n where the two surfaces face each
//! other, on edges as well. So the place is a root of g(x) = nearest(x − α n(x)) − x in the plane across n. Comparing gaps, as the
//! descent does, leaves half of the digits undecided. Directions along which g hardly changes are level, like the line
//! of a cylinder on a plane: no step is made along them. Derivatives are kept for as long as they serve.

use glam::DVec3;
use nalgebra::{Matrix2, Vector2};

use super::descent::next_to;
use super::meeting::Limits;
use crate::Pose;
use crate::shape::{GeneralShape, SurfacePoint};
use crate::solid::Solid;

/// α at first and at least, in thicknesses of the surface.
const STRIDES: [f64; 2] = [64.0, 0.05];

/// Steps at most.
const STEPS: usize = 16;

/// A place has been found when a step is no longer than this share of the thickness.
const STILL: f64 = 1e-13;

/// Gaps that differ by no more than this share of the thickness are the same.
const SAME: f64 = 1e-9;

/// Differences for the derivative are taken over this share of the thickness.
const DIFFERENCE: f64 = 1e-5;

/// Points beside the surface are brought back to it from this far outside, in thicknesses: edges have no normal.
const OUTSIDE: f64 = 1e-3;

/// A direction along which g changes by a smaller share of the way is level.
const LEVEL: f64 = 0.02;

/// A derivative is taken anew after a step that did not shorten g to this share.
const SHORTENING: f64 = 0.1;

/// How g changes at a point: along two directions, and to both sides of each, as on an edge it is steep to one side and may be level
/// to the other.
struct Derivative {
    /// Parts of g that change, unit.
    parts: [Vector2<f64>; 2],
    /// Along these directions of x, unit.
    ways: [Vector2<f64>; 2],
    /// By so much of the way, forwards and backwards.
    slopes: [[f64; 2]; 2],
}

impl Derivative {
    /// By differences of `g`, with its value `here` at zero.
    fn new(here: Vector2<f64>, difference: f64, g: impl Fn(Vector2<f64>) -> Option<Vector2<f64>>) -> Option<Self> {
        let along = |way: Vector2<f64>| Some((g(way * difference)? - here) / difference);
        let column = |axis: Vector2<f64>| Some(0.5 * (along(axis)? - along(-axis)?));
        let matrix = Matrix2::from_columns(&[column(Vector2::x())?, column(Vector2::y())?]);
        let ways = right_singular_vectors(&matrix);
        let parts = ways.map(|way| (matrix * way).try_normalize(f64::MIN_POSITIVE).unwrap_or_default());
        let slope = |way: Vector2<f64>| along(way).map(|change| change.norm());
        let both = |way: Vector2<f64>| Some([slope(way)?, slope(-way)?]);
        Some(Self { parts, ways, slopes: [both(ways[0])?, both(ways[1])?] })
    }

    /// Whether the gap has a ridge instead of a valley here: g grows along a way.
    fn is_ridge(&self) -> bool {
        (0..2).any(|axis| {
            self.parts[axis].dot(&self.ways[axis]) > 0.0 && self.slopes[axis].iter().any(|&slope| slope > LEVEL)
        })
    }

    /// The step to where g vanishes but for its level parts.
    fn step(&self, here: Vector2<f64>) -> Vector2<f64> {
        let mut step = Vector2::zeros();
        for axis in 0..2 {
            let part = self.parts[axis].dot(&here);
            let [side, sign] = if part < 0.0 { [0, 1] } else { [1, -1] };
            let slope = self.slopes[axis][side as usize];
            if slope > LEVEL {
                step += self.ways[axis] * (f64::from(sign) * part.abs() / slope);
            }
        }
        step
    }
}

/// The eigenvectors of MᵀM, by one Jacobi rotation: square roots alone, which are the same on every machine.
fn right_singular_vectors(matrix: &Matrix2<f64>) -> [Vector2<f64>; 2] {
    let square = matrix.tr_mul(matrix);
    let (first, mixed, second) = (square[(0, 0)], square[(0, 1)], square[(1, 1)]);
    if mixed == 0.0 {
        return [Vector2::x(), Vector2::y()];
    }
    let half = 0.5 * (second - first) / mixed;
    let tangent = half.signum() / (half.abs() + (1.0 + half * half).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    [Vector2::new(cosine, -sine), Vector2::new(sine, cosine)]
}

/// What a search comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// A place on the surface, m, and the solid's point next to it, in the frame of the solid.
    Found(DVec3, SurfacePoint),
    /// It begins on the way to a place that is known.
    Known,
    /// There is none that is lower than where it began, or Newton's method does not find it.
    Lost,
}

/// The place no farther than `reach` (m) from `start` on the surface of `mover` where it faces the solid; `relative` leads from
/// the frame of `mover` to that of the solid. Places that are `known` (m) are not looked for.
pub fn refine(
    mover: &GeneralShape,
    solid: &dyn Solid,
    relative: &Pose,
    start: DVec3,
    known: &[DVec3],
    reach: f64,
    limits: &Limits,
) -> Search {
    search(mover, solid, relative, start, known, reach, limits).unwrap_or(Search::Lost)
}

fn search(
    mover: &GeneralShape,
    solid: &dyn Solid,
    relative: &Pose,
    start: DVec3,
    known: &[DVec3],
    reach: f64,
    limits: &Limits,
) -> Option<Search> {
    let thickness = mover.solid().thickness();
    let back = relative.rotation.inverse();
    let below = |point: DVec3| next_to(mover, solid, relative, point);
    let moved = |point: DVec3, stride: f64| -> Option<DVec3> {
        let down = back * -below(point)?.normal;
        Some(mover.solid().nearest(point + stride * down).ok()?.position - point)
    };
    // Through a hole another part of the surface may be nearer.
    let mut stride = STRIDES[0] * thickness;
    let mut way = moved(start, stride)?;
    while way.length() > reach {
        stride *= 0.25;
        if stride < STRIDES[1] * thickness {
            return None;
        }
        way = moved(start, stride)?;
    }
    if known.iter().any(|place| (start + way).distance(*place) <= SHORTENING * start.distance(*place)) {
        return Some(Search::Known);
    }
    let first = below(start)?;
    let (u, v) = (back * first.normal).any_orthonormal_pair();
    let space = |w: Vector2<f64>| w.x * u + w.y * v;
    let mut at = start;
    let mut before: Option<(Derivative, f64)> = None;
    for _ in 0..STEPS {
        let plane = |g: DVec3| Vector2::new(g.dot(u), g.dot(v));
        let g = |w: Vector2<f64>| moved(at + space(w), stride).map(plane);
        let whole = moved(at, stride)?;
        let here = plane(whole);
        let derivative = match before {
            Some((derivative, norm)) if here.norm() <= SHORTENING * norm => derivative,
            _ => Derivative::new(here, DIFFERENCE * thickness, g)?,
        };
        if derivative.is_ridge() {
            return None;
        }
        let down = back * -below(at)?.normal;
        let step = derivative.step(here);
        let outside = OUTSIDE * thickness * down;
        let beside = at + space(step) + outside;
        let next = mover.solid().nearest(beside).ok()?.position;
        let is_still = step.norm() <= STILL * thickness;
        // The surface goes on straight down, as on an end of a cylinder.
        let is_above = is_still && whole.dot(down) > limits.parallel * here.norm() + SAME * thickness;
        at = if is_above { at + whole } else { next };
        if at.distance(start) > reach {
            return None;
        }
        if is_still && !is_above {
            let is_level = here.norm() <= limits.parallel * stride;
            let highest = first.distance + SAME * thickness;
            let under = below(at).filter(|under| is_level && under.distance <= highest)?;
            return Some(Search::Found(at, under));
        }
        before = Some((derivative, here.norm()));
    }
    None
}
