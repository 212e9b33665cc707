//! Branch and bound for the first time at which F comes within reach of zero.

use super::difference::{Difference, Taylor};
use super::direction::{Along, Empty};
use super::domain::{Domain, Interval};
use super::filter::Reach;
use crate::continuous::{Kind, Metric, Settings};
use arrayvec::ArrayVec;
use glam::DVec3;

/// The most boxes that wait at a time: a box is halved at most about 55 times in each of three variables before rounding
/// forbids more, and each time leaves one box waiting.
const WAITING: usize = 288;

/// A box that is narrowed to less than this part of itself is looked at again before it is halved.
const WORTHWHILE: f64 = 0.6;

/// Three derivatives span less than this part of the volume that they could: they count as coplanar.
const COPLANAR: f64 = 1e-3;

/// How a search ended.
pub(super) enum Found {
    Nothing {
        checks: u64,
    },
    /// The first box that cannot be told from a contact.
    Contact {
        time: Interval,
        reached: f64,
        checks: u64,
    },
    /// Boxes are left, none earlier than `t`.
    Limit {
        t: f64,
        reached: f64,
        checks: u64,
    },
    /// Only integers can tell; a contact within the tolerance is known at the time in `known`.
    Undecided {
        known: Option<(Interval, f64)>,
        checks: u64,
    },
}

#[inline(always)]
fn any_greater(a: DVec3, b: DVec3) -> bool {
    (a.x > b.x) | (a.y > b.y) | (a.z > b.z)
}

#[inline(always)]
fn all_at_most(a: DVec3, b: DVec3) -> bool {
    (a.x <= b.x) & (a.y <= b.y) & (a.z <= b.z)
}

/// What is known of a box after it was looked at.
struct Look {
    taylor: Taylor,
    middle: [f64; 3],
    half: [f64; 3],
    /// Half of the widths of the box of differences, m.
    radius: DVec3,
}

pub(super) fn search(f: &Difference, reach: &Reach, settings: &Settings) -> Found {
    let exact_after = settings.exact_after.unwrap_or(u64::MAX);
    let limit = settings.checks.min(exact_after);
    let mut waiting = ArrayVec::<Domain, WAITING>::new();
    let mut best: Option<(Interval, f64)> = None;
    let mut checks = 0;
    let mut certain = f64::INFINITY;
    let mut next = Some([Interval { lo: 0.0, hi: settings.t_max }, Interval::UNIT, Interval::UNIT]);
    while let Some(mut domain) = next.take().or_else(|| take(&mut waiting, checks)) {
        if let Some((time, _)) = best {
            if domain[0].lo >= time.lo {
                continue;
            }
            domain[0].hi = domain[0].hi.min(time.lo);
        }
        if checks == limit {
            if exact_after <= settings.checks {
                return Found::Undecided { known: best, checks };
            }
            let earliest = waiting.iter().fold(domain[0].lo, |t, other| t.min(other[0].lo));
            return Found::Limit { t: earliest, reached: widest(&look(f, &domain)), checks };
        }
        checks += 1;
        let seen = look(f, &domain);
        if any_greater(seen.taylor.value.abs(), seen.radius + reach.axes) {
            continue;
        }
        if reach.wide {
            let at = |t: f64| f.about(t, domain[1].lo, domain[2].lo).value;
            if sure(at(domain[0].lo).abs() + reach.rounding, settings) {
                certain = domain[0].lo;
                best = Some((Interval { lo: certain, hi: certain }, 0.0));
                continue;
            }
            let t = domain[0].middle();
            if sure(at(t).abs() + reach.rounding, settings) {
                certain = t;
                best = Some((Interval { lo: certain, hi: certain }, 0.0));
                domain[0].hi = t;
            }
            let speed = (seen.taylor.by_t.abs()
                + seen.taylor.by_tu.abs() * seen.half[1]
                + seen.taylor.by_tv.abs() * seen.half[2])
                .max_element();
            if (certain - domain[0].lo) * speed <= settings.tolerance {
                best = Some((Interval { lo: domain[0].lo, hi: certain }, 0.0));
                continue;
            }
        }
        let before = domain;
        if narrow(&seen, reach, f.kind, &mut domain).is_err() {
            continue;
        }
        match judge(&seen, reach, settings) {
            Verdict::Contact => best = Some((domain[0], widest(&seen))),
            Verdict::Rounding if settings.exact_after.is_some() => {
                return Found::Undecided { known: best, checks };
            }
            Verdict::Rounding => best = Some((domain[0], widest(&seen))),
            Verdict::Open => {
                let shrunk = (0..3).any(|i| domain[i].width() < WORTHWHILE * before[i].width());
                if shrunk {
                    next = Some(domain);
                } else if !halve(&seen, f.kind, domain, &mut waiting) {
                    best = Some((domain[0], widest(&seen)));
                }
            }
        }
    }
    match best {
        None => Found::Nothing { checks },
        Some((time, reached)) => Found::Contact { time, reached, checks },
    }
}

/// The next box: in turn the last one, which leads to a first contact soonest, and the earliest one, which leads to the first.
#[inline(always)]
fn take(waiting: &mut ArrayVec<Domain, WAITING>, checks: u64) -> Option<Domain> {
    if checks % 2 == 0 || waiting.len() < 2 || waiting.len() > 100 {
        return waiting.pop();
    }
    let mut earliest = waiting.len() - 1;
    for i in (0..earliest).rev() {
        if waiting[i][0].lo < waiting[earliest][0].lo {
            earliest = i;
        }
    }
    Some(waiting.remove(earliest))
}

#[inline(always)]
fn look(f: &Difference, domain: &Domain) -> Look {
    let middle = domain.map(Interval::middle);
    let taylor = f.about(middle[0], middle[1], middle[2]);
    let half = domain.map(Interval::half);
    let [t, u, v] = half;
    let mixed = (taylor.by_tu.abs() * u + taylor.by_tv.abs() * v) * t;
    let radius = taylor.by_t.abs() * t + taylor.by_u.abs() * u + taylor.by_v.abs() * v + mixed;
    Look { taylor, middle, half, radius }
}

fn widest(seen: &Look) -> f64 {
    2.0 * seen.radius.max_element()
}

fn sure(surely: DVec3, settings: &Settings) -> bool {
    let d = settings.separation + settings.tolerance.min(settings.separation / 16.0);
    match settings.metric {
        Metric::Chebyshev => surely.max_element() <= d,
        Metric::Euclidean => surely.length_squared() * (1.0 + 8.0 * f64::EPSILON) <= d * d,
    }
}

enum Verdict {
    /// Within the tolerance, or surely within the separation.
    Contact,
    /// Rounding forbids more.
    Rounding,
    Open,
}

#[inline(always)]
fn judge(seen: &Look, reach: &Reach, settings: &Settings) -> Verdict {
    let width = seen.radius * 2.0;
    if all_at_most(width, DVec3::splat(settings.tolerance)) {
        return Verdict::Contact;
    }
    let farthest = seen.taylor.value.abs() + seen.radius;
    let d = settings.separation;
    if d > 0.0 {
        let surely = farthest + reach.rounding;
        if sure(surely, settings) {
            return Verdict::Contact;
        }
    }
    if all_at_most(width, reach.rounding) || (d == 0.0 && all_at_most(farthest, reach.axes)) {
        return Verdict::Rounding;
    }
    Verdict::Open
}

/// Cuts off what cannot be a contact, seen along directions in which F depends on one variable only, nearly.
#[inline(always)]
fn narrow(seen: &Look, reach: &Reach, kind: Kind, domain: &mut Domain) -> Result<(), Empty> {
    let Taylor { by_t, by_u, by_v, .. } = seen.taylor;
    let middle = seen.middle;
    let along = |n: DVec3| Along::new(n, &seen.taylor, reach.along(n));
    let normals = [by_u.cross(by_v), by_v.cross(by_t), by_t.cross(by_u)];
    for (i, n) in normals.into_iter().enumerate() {
        along(n).narrow(i, middle[i], seen.half, &mut domain[i])?;
    }
    if reach.wide {
        for axis in DVec3::AXES {
            along(axis).narrow(0, middle[0], seen.half, &mut domain[0])?;
        }
    }
    let volume = normals[0].dot(by_t);
    let sides = by_t.length_squared() * by_u.length_squared() * by_v.length_squared();
    if volume * volume <= COPLANAR * COPLANAR * sides {
        // All in a plane: in it the sides separate (two edges, or the three of a triangle).
        let lengths = normals.map(DVec3::length_squared);
        let n = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
            normals[0]
        } else if lengths[1] >= lengths[2] {
            normals[1]
        } else {
            normals[2]
        };
        let third = if kind == Kind::VertexFace { by_u - by_v } else { by_t };
        for side in [by_u, by_v, third] {
            let side = along(n.cross(side));
            for i in 0..3 {
                side.narrow(i, middle[i], seen.half, &mut domain[i])?;
            }
        }
    }
    if kind == Kind::VertexFace {
        // u + v ≤ 1.
        domain[1].hi = domain[1].hi.min((1.0 - domain[2].lo).next_up());
        domain[2].hi = domain[2].hi.min((1.0 - domain[1].lo).next_up());
        if domain[1].lo > domain[1].hi || domain[2].lo > domain[2].hi {
            return Err(Empty);
        }
    }
    Ok(())
}

/// Puts the two halves across the widest direction, the earlier or lower on top. False if it cannot be halved.
#[inline(always)]
fn halve(seen: &Look, kind: Kind, domain: Domain, waiting: &mut ArrayVec<Domain, WAITING>) -> bool {
    let [t, u, v] = seen.half;
    let extent = [
        seen.taylor.by_t.abs().max_element() * t,
        seen.taylor.by_u.abs().max_element() * u,
        seen.taylor.by_v.abs().max_element() * v,
    ];
    let which = if extent[0] >= extent[1] && extent[0] >= extent[2] {
        0
    } else if extent[1] >= extent[2] {
        1
    } else {
        2
    };
    let middle = domain[which].middle();
    if middle <= domain[which].lo || middle >= domain[which].hi || waiting.remaining_capacity() < 2 {
        return false;
    }
    let (mut lower, mut upper) = (domain, domain);
    lower[which].hi = middle;
    upper[which].lo = middle;
    if kind == Kind::EdgeEdge || upper[1].lo + upper[2].lo <= 1.0 {
        waiting.push(upper);
    }
    waiting.push(lower);
    true
}
