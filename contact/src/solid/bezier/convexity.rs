//! Where the squared distance from a point is a convex function of the parameters of a patch: there is one nearest point there, and
//! what Newton's method finds is it.
//!
//! With f = ½ |S − p|² the second derivatives are f_ab = S_a · S_b + (S − p) · S_ab. Of S = N/w, with N about a point near the patch so that S is
//! short, w S_a = N_a − w_a S and w S_ab = N_ab − w_a S_b − w_b S_a − w_ab S. The derivatives of N and w lie in the hulls of the differences
//! of control points (G. Farin, "Curves and Surfaces for CAGD", 5th edition, sections 14.6 and 16.5), from which bounds of w² f_ab follow.

use arrayvec::ArrayVec;
use glam::{DVec3, DVec4};

use super::net::{MAXIMUM_POINTS, Net};

/// Second derivatives are taken for those of a convex function where their determinant is above this share of the product of the pure ones.
const CONVEX: f64 = 1e-6;

/// Bounds of the second derivatives of ½ |S − p|² by the parameters of a part, each from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct Convexity {
    /// The pure ones are not below these, m².
    pure: [f64; 2],
    /// By their square roots, no eigenvalue is below this.
    least: f64,
}

impl Convexity {
    /// Of the part that a net is of. `None` if the function may not be convex there.
    pub fn of(net: &Net, point: DVec3) -> Option<Self> {
        let places = net.projected();
        let centre = places.iter().sum::<DVec3>() / places.len() as f64;
        let radius = places.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
        let weights = net.points.iter().map(|p| p.w);
        let (lightest, heaviest) = weights.fold((f64::INFINITY, 0.0_f64), |(l, h), w| (l.min(w), h.max(w)));
        let about = net.points.iter().map(|p| (p.truncate() - p.w * centre).extend(p.w)).collect();
        let about = Net { degrees: net.degrees, points: about };
        let first = [0, 1].map(|k| derivative(&about, k));
        let hulls = [&first[0], &first[1]].map(Hull::of);
        // w S_a is no farther than `off` from the centre of the hull.
        let lengths = hulls.each_ref().map(|hull| hull.centre.length());
        let off = hulls.each_ref().map(|hull| hull.radius + hull.weight * radius);
        let steepest = [0, 1].map(|k| (lengths[k] + off[k]) / lightest);
        let farthest = centre.distance(point) + radius;
        let bend = |a: usize, b: usize| {
            let second = derivative(&first[a], b);
            // Linear in both: no more than with a control point of each.
            let along = |p: &DVec4| places.iter().map(|q| (q - point).dot(p.truncate()).abs()).fold(0.0, f64::max);
            let along = second.points.iter().map(along).fold(0.0, f64::max);
            let weight = second.points.iter().map(|p| p.w.abs()).fold(0.0, f64::max);
            let rest = hulls[a].weight * steepest[b] + hulls[b].weight * steepest[a] + weight * radius;
            heaviest * (along + farthest * rest)
        };
        let pure = |k: usize| {
            let slope = (lengths[k] - off[k]).max(0.0);
            let least = if slope > 0.0 { slope * slope - bend(k, k) } else { 0.0 };
            (least > 0.0).then_some(least)
        };
        let pure = [pure(0)?, pure(1)?];
        let mixed = hulls[0].centre.dot(hulls[1].centre).abs()
            + lengths[0] * off[1]
            + lengths[1] * off[0]
            + off[0] * off[1]
            + bend(0, 1);
        let product = pure[0] * pure[1];
        let squared = heaviest * heaviest;
        (product - mixed * mixed > CONVEX * product)
            .then(|| Self { pure: pure.map(|d| d / squared), least: 1.0 - mixed / product.sqrt() })
    }

    /// By how much ½ |S − p|² may be less in the part than at a point of it with these first derivatives, m².
    pub fn fall(&self, slope: [f64; 2]) -> f64 {
        let share = |k: usize| slope[k] * slope[k] / self.pure[k];
        (share(0) + share(1)) / (2.0 * self.least)
    }
}

/// Where the derivatives of a numerator and of a weight are.
struct Hull {
    centre: DVec3,
    radius: f64,
    weight: f64,
}

impl Hull {
    fn of(net: &Net) -> Self {
        let centre = net.points.iter().map(|p| p.truncate()).sum::<DVec3>() / net.points.len() as f64;
        let radius = net.points.iter().map(|p| p.truncate().distance(centre)).fold(0.0, f64::max);
        Self { centre, radius, weight: net.points.iter().map(|p| p.w.abs()).fold(0.0, f64::max) }
    }
}

/// The control points of the derivative along u (0) or v (1).
fn derivative(net: &Net, direction: usize) -> Net {
    let row = net.degrees[1] + 1;
    let mut degrees = net.degrees;
    let Some(lower) = degrees[direction].checked_sub(1) else {
        return Net { degrees, points: net.points.iter().map(|_| DVec4::ZERO).collect() };
    };
    let next = if direction == 0 { row } else { 1 };
    degrees[direction] = lower;
    let mut points = ArrayVec::<DVec4, MAXIMUM_POINTS>::new();
    for i in 0..=degrees[0] {
        points.extend((0..=degrees[1]).map(|j| {
            let at = i * row + j;
            (net.points[at + next] - net.points[at]) * (lower + 1) as f64
        }));
    }
    Net { degrees, points }
}
