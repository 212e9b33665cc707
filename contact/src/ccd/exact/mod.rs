//! Whether and when two moving features meet, decided in exact integer arithmetic: nothing is rounded on the way to
//! the answer.
//!
//! Every coordinate is a whole number times a power of two. The differences of a point of one feature and a point of
//! the other form a convex polygon ([`polygon`]) whose corners move at constant speed; the features touch while the
//! origin is in it, or, with a minimum separation d in the Chebyshev metric, while it meets the cube of half side d
//! about the origin. Either is the case unless one of a few directions separates them, and that is a matter of the
//! signs of polynomials in the time ([`form`]) of degree 3 at most. The first time of touching is therefore 0, or a
//! root of one of these polynomials ([`instant`]), at which the signs of the others are found exactly.
//!
//! Degenerate triangles, parallel edges and motion in a plane need no case of their own: without separation, the volume
//! under the polygon has to vanish, which names the roots to look at; where it always does, and with a separation, the
//! roots of all polynomials are looked at.

mod divisor;
pub mod form;
pub mod instant;
pub mod polygon;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod search;
#[cfg(test)]
mod tests;

use super::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};
use form::Form;
use instant::Instant;
use polygon::Polygon;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The first time of touching: no f64 is between `lo` and `hi`, and they are equal if it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactTime {
    /// The greatest f64 that is not later.
    pub lo: f64,
    /// The least f64 that is not earlier.
    pub hi: f64,
}

/// When the features are first no farther apart than `separation` (m, Chebyshev metric) at 0 ≤ t ≤ `t_max`, if they
/// ever are.
///
/// # Errors
/// A query that does not pass [`Query::check`]; a t_max or a separation out of the range that [`Settings::check`]
/// allows.
pub fn decide(query: &Query, t_max: f64, separation: f64) -> Result<Option<ExactTime>, CcdError> {
    query.check()?;
    Settings { t_max, separation, ..Settings::default() }.check()?;
    Ok(first(query, t_max, separation).0)
}

/// As [`decide`], and how many roots were looked at.
fn first(query: &Query, t_max: f64, separation: f64) -> (Option<ExactTime>, u64) {
    if separation == 0.0 && beside(query) {
        return (None, 0);
    }
    let polygon = Polygon::new(query, separation);
    let plane = polygon.plane();
    let (time, checks) = if polygon.has_reach() || plane.is_zero() {
        first_touch(&polygon, t_max)
    } else {
        let mut checks = 0;
        let mut roots = Instant::roots(&plane).into_iter().take_while(|root| root.earliest() <= t_max);
        let time = roots.find_map(|mut root| {
            checks += 1;
            polygon.touches(&mut root).then(|| root.enclosure())
        });
        (time, checks)
    };
    // No f64 is between the root and `hi`, so this compares the root itself.
    (time.filter(|time| time.hi <= t_max), checks)
}

/// The first time of touching until `t_max` or later, among t = 0 and the roots of all polynomials that can separate,
/// and how many of these were looked at.
pub fn first_touch(polygon: &Polygon, t_max: f64) -> (Option<ExactTime>, u64) {
    let separations = polygon.separations();
    if separations.iter().any(|separation| separates_throughout(separation)) {
        return (None, 0);
    }
    if polygon.touches(&mut Instant::START.clone()) {
        return (Some(ExactTime { lo: 0.0, hi: 0.0 }), 1);
    }
    let mut roots: Vec<Instant> = separations.iter().flatten().flat_map(Instant::roots).collect();
    // Times are not negative, so their bits are in their order.
    let key = |root: &Instant| root.earliest().to_bits();
    let mut order: BinaryHeap<_> = roots.iter().enumerate().map(|(i, root)| Reverse((key(root), i))).collect();
    let (mut first, mut checks): (Option<ExactTime>, _) = (None, 1);
    while let Some(Reverse((earliest, i))) = order.pop() {
        if f64::from_bits(earliest) > first.map_or(t_max, |first| first.lo) {
            break;
        }
        let root = &mut roots[i];
        if root.narrow() {
            order.push(Reverse((key(root), i)));
            continue;
        }
        checks += 1;
        // Roots that no f64 is between make no difference.
        let is_earlier = first.is_none_or(|first| root.enclosure().lo < first.lo || root.enclosure().hi < first.hi);
        if is_earlier && polygon.touches(root) {
            let time = root.enclosure();
            first =
                Some(first.map_or(time, |first| ExactTime { lo: first.lo.min(time.lo), hi: first.hi.min(time.hi) }));
        }
    }
    (first, checks)
}

/// Whether all are positive, or all negative, during the whole step.
fn separates_throughout(separation: &[Form]) -> bool {
    let sign = separation.first().and_then(Form::sign_throughout);
    sign.is_some() && separation.iter().all(|form| form.sign_throughout() == sign)
}

/// Whether one feature is beside the other along an axis at both ends of the step. Numbers are compared as they are.
fn beside(query: &Query) -> bool {
    let ones = match query.kind {
        Kind::VertexFace => 1,
        Kind::EdgeEdge => 2,
    };
    let below = |k: usize, low: std::ops::Range<usize>, high: std::ops::Range<usize>| {
        [&query.start, &query.end].iter().all(|points| {
            let greatest = points[low.clone()].iter().fold(f64::NEG_INFINITY, |most, p| most.max(p[k]));
            points[high.clone()].iter().all(|p| p[k] > greatest)
        })
    };
    (0..3).any(|k| below(k, 0..ones, ones..4) || below(k, ones..4, 0..ones))
}

/// The decider as a method.
#[derive(Clone, Debug)]
pub struct Exact {
    settings: Settings,
}

impl Exact {
    /// Its name on the command line.
    pub const NAME: &str = "exact";

    /// With checked settings; the tolerance, which has no meaning here, may be 0.
    ///
    /// # Errors
    /// Settings out of range; a separation in the Euclidean metric.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        // Integers decide from the beginning.
        Settings { exact_after: Some(0), ..settings }.check()?;
        if settings.separation > 0.0 && settings.metric == Metric::Euclidean {
            let what = "a minimum separation in the Euclidean metric";
            return Err(CcdError::Unsupported { method: Self::NAME, what });
        }
        Ok(Self { settings })
    }
}

impl Method for Exact {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let (time, checks) = first(query, self.settings.t_max, self.settings.separation);
        let outcome = time.map_or(Outcome::Free, |time| Outcome::Impact { lo: time.lo, hi: time.hi });
        Ok(Answer { outcome, checks, reached: 0.0, exact: true })
    }
}
