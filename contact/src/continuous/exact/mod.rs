//! Whether and when two moving features meet, decided in whole numbers: nothing is rounded on the way to the answer.
//!
//! Every coordinate is a whole number times a power of two. The differences of a point of one feature and a point of the
//! other form a convex polygon ([`polygon`]) whose corners move at constant speed; the features touch while the origin is
//! in it, or, with a minimum separation d in the Chebyshev metric, while it meets the cube of half side d about the
//! origin. Either is the case unless one of a few directions separates them, and that is a matter of the signs of
//! polynomials in the time ([`form`]) of degree 3 at most. The first time of touching is therefore 0, or a root of one of
//! these polynomials ([`instant`]), at which the signs of the others are found exactly.
//!
//! Degenerate triangles, parallel edges and motion in a plane need no case of their own: without separation, the volume
//! under the polygon has to vanish, which names the roots to look at; where it always does, and with a separation, the
//! roots of all polynomials are looked at.

mod divisor;
mod form;
mod instant;
mod polygon;

use super::{Answer, ContinuousError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};
use instant::Instant;
use polygon::Polygon;

/// The first time of touching: no f64 is between `lo` and `hi`, and they are equal if it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactTime {
    /// The greatest f64 that is not later.
    pub lo: f64,
    /// The least f64 that is not earlier.
    pub hi: f64,
}

/// When the features are first no farther apart than `separation` (m, Chebyshev metric) at 0 ≤ t ≤ `t_max`, if they ever
/// are.
///
/// # Errors
/// A query that does not pass [`Query::check`]; a t_max or a separation out of the range that [`Settings::check`] allows.
pub fn decide(query: &Query, t_max: f64, separation: f64) -> Result<Option<ExactTime>, ContinuousError> {
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
        first_of_all(&polygon)
    } else {
        let roots = Instant::roots(&plane);
        let count = roots.len() as u64;
        (roots.into_iter().find_map(|mut root| polygon.touches(&mut root).then(|| root.enclosure())), count)
    };
    // No f64 is between the root and `hi`, so this compares the root itself.
    (time.filter(|time| time.hi <= t_max), checks)
}

/// The first time of touching among t = 0 and the roots of all polynomials.
fn first_of_all(polygon: &Polygon) -> (Option<ExactTime>, u64) {
    let separations = polygon.separations();
    let common = |forms: &Vec<form::Form>| {
        let sign = forms.first().and_then(form::Form::sign_throughout);
        sign.is_some() && forms.iter().all(|form| form.sign_throughout() == sign)
    };
    if separations.iter().any(common) {
        return (None, 0);
    }
    let mut checks = 1;
    let mut first: Option<ExactTime> = None;
    if polygon.touches(&mut Instant::START.clone()) {
        return (Some(ExactTime { lo: 0.0, hi: 0.0 }), checks);
    }
    for mut root in separations.iter().flatten().flat_map(Instant::roots) {
        checks += 1;
        let late = first.is_some_and(|first| root.is_after(first.lo));
        if !late && polygon.touches(&mut root) {
            let time = root.enclosure();
            first =
                Some(first.map_or(time, |first| ExactTime { lo: first.lo.min(time.lo), hi: first.hi.min(time.hi) }));
        }
    }
    (first, checks)
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
pub(super) struct Exact {
    settings: Settings,
}

impl Exact {
    /// With settings that are in range.
    pub fn make(settings: Settings) -> Result<Box<dyn Method>, ContinuousError> {
        if settings.separation > 0.0 && settings.metric == Metric::Euclidean {
            let what = "a minimum separation in the Euclidean metric";
            return Err(ContinuousError::Unsupported { method: "exact", what });
        }
        Ok(Box::new(Self { settings }))
    }
}

impl Method for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn solve(&self, query: &Query) -> Result<Answer, ContinuousError> {
        query.check()?;
        let (time, checks) = first(query, self.settings.t_max, self.settings.separation);
        let outcome = time.map_or(Outcome::Free, |time| Outcome::Impact { lo: time.lo, hi: time.hi });
        Ok(Answer { outcome, checks, reached: 0.0, exact: true })
    }
}
