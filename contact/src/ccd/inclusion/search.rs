//! Branch and bound for the first time at which F comes within reach of zero (in place of the paper's Algorithm 2).

use super::difference::Difference;
use super::domain::{Domain, Interval};
use super::filter::Reach;
use super::look::{Look, Verdict};
use super::narrow::narrow;
use super::waiting::Waiting;
use crate::ccd::{Kind, Settings};

/// A box that is narrowed to less than this part of itself in some variable is looked at again before it is halved.
const WORTHWHILE: f64 = 0.6;

/// A time before which there is no contact in the boxes that were looked at, and within whose interval the differences come
/// within the tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub time: Interval,
    /// The width of the box of differences, m.
    pub width: f64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Every box was dropped or led to the candidate, the earliest.
    Complete(Option<Candidate>),
    /// Boxes are left; neither they nor the candidate are earlier than `time`.
    Limit { time: f64, width: f64 },
    /// Rounding forbids an answer, or the checks before the exact fallback are used up.
    Undecided(Option<Candidate>),
}

/// The end and the number of boxes that were looked at.
pub(super) fn search(f: &Difference, reach: &Reach, settings: &Settings) -> (End, u64) {
    let whole = [Interval { lo: 0.0, hi: settings.t_max }, Interval::UNIT, Interval::UNIT];
    let mut waiting = Waiting::new(whole);
    let mut best: Option<Candidate> = None;
    let limit = settings.exact_after.map_or(settings.checks, |after| after.min(settings.checks));
    let mut checks = 0;
    while let Some(mut domain) = waiting.take() {
        if let Some(Candidate { time, .. }) = best {
            if domain[0].lo >= time.lo {
                continue;
            }
            domain[0].hi = domain[0].hi.min(time.lo);
        }
        if checks == limit {
            let end = if limit < settings.checks {
                End::Undecided(best)
            } else {
                End::Limit { time: waiting.earliest(domain[0].lo), width: Look::new(f, &domain).width() }
            };
            return (end, checks);
        }
        checks += 1;
        let seen = Look::new(f, &domain);
        let before = domain;
        if seen.is_out_of(reach) || narrow(&seen, reach, f.kind, &mut domain).is_err() {
            continue;
        }
        if reach.is_wide && settle(f, reach, settings.tolerance, &seen, &mut domain, &mut best) {
            continue;
        }
        let candidate = Some(Candidate { time: domain[0], width: seen.width() });
        match seen.judge(reach, settings) {
            Verdict::Contact => best = candidate,
            Verdict::Open if (0..3).any(|i| domain[i].width() < WORTHWHILE * before[i].width()) => {
                waiting.again(domain)
            }
            Verdict::Open if waiting.halve(&seen, f.kind, domain) => {}
            Verdict::Rounding | Verdict::Open if settings.exact_after.is_some() => {
                return (End::Undecided(best), checks);
            }
            Verdict::Rounding | Verdict::Open => best = candidate,
        }
    }
    (End::Complete(best), checks)
}

/// With a minimum separation a single place that is near enough settles all later times. And a box is as good as the candidate
/// if it begins so short a time before the end of the candidate's time, when features are near, that nothing moves by more
/// than the tolerance until then. True if nothing is left of the box.
#[inline(always)]
fn settle(
    f: &Difference,
    reach: &Reach,
    tolerance: f64,
    seen: &Look,
    domain: &mut Domain,
    best: &mut Option<Candidate>,
) -> bool {
    let [mut u, mut v] = [domain[1].middle(), domain[2].middle()];
    if f.kind == Kind::VertexFace && u + v > 1.0 {
        (u, v) = (domain[1].lo, domain[2].lo);
    }
    let lo = domain[0].lo;
    for time in [lo, domain[0].middle()] {
        if reach.surely_includes(f.about(time, u, v).value) {
            *best = Some(Candidate { time: Interval { lo: time, hi: time }, width: 0.0 });
            domain[0].hi = time;
            if time == lo {
                return true;
            }
        }
    }
    if let Some(Candidate { time, width }) = *best
        && seen.stays_within(tolerance, time.hi - lo)
    {
        *best = Some(Candidate { time: Interval { lo, hi: time.hi }, width: width.max(tolerance) });
        return true;
    }
    false
}
