//! A step length that keeps features apart and leaves room for the next step (Algorithm 4).
//!
//! Each pair is kept d = min(p Dᵢ, cap) apart, Dᵢ being how far it is apart at the start: a pair that heads straight for
//! contact at t* is let go to (1 − p) t*, then (1 − p²) t* and so on: times that increase to t* and never get there, the
//! faster the smaller p is. (The paper says "close to 1" and tᵢ/tᵢ₊₁ = p, which is true of 1 − p.)
//!
//! Differs from the paper in:
//! - Line 7 takes the larger of p dᵢ and δ, line 8 loops while its condition *holds* that the text wants; both are read
//!   as the text of section 7.2 has it (d is capped; p is halved until p dᵢ < dᵢ − δᵢ − εᵢ − ρᵢ).
//! - ρᵢ is no constant: Dᵢ is a proven lower bound ([`super::distance()`]), so nothing is left to subtract.
//! - δᵢ is made small enough for the pair at hand, not for all; so no pair is asked twice.
//! - t = 0 cannot come out where Dᵢ exceeds 2 εᵢ: a pair cannot come d near before (Dᵢ − d)/L, L being the largest
//!   relative displacement of its points, whatever a search that ran out of checks says.
//! - Pairs that are d apart in the metric of the separation: Dᵢ is measured in the same (with the L∞ separation of the
//!   paper and straight distances, d < Dᵢ says nothing).

use super::distance::length;
use super::{Candidate, Distance, MovingMesh, Solve, distance_at_start};
use crate::ccd::{CcdError, Query, Settings};
use serde::{Deserialize, Serialize};

/// εᵢ as a share of the largest coordinate of a pair: what a root finder may take for contact because of rounding. Twice
/// that of [`crate::ccd::RootFinder`].
const ROUNDING: f64 = 256.0 * f64::EPSILON;

/// The part of εᵢ that does not depend on the coordinates, m: what is lost where numbers are not normal. Twice that of
/// the root finder, too; d and δ that are left above it are positive.
const UNDERFLOW: f64 = 2.0 * f64::MIN_POSITIVE;

/// How a step is limited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineSearchSettings {
    /// p: the share of its distance that a pair keeps at least, above 0 and below 1.
    pub share: f64,
    /// d is at most this, m, above 0: a larger one only costs time. The paper takes δ.
    pub cap: f64,
    /// α_min: a search for less energy ends here; from 0 to 1.
    pub least: f64,
}

impl Default for LineSearchSettings {
    /// p = 0.2, d at most 1 µm, α_min = 1e-10.
    fn default() -> Self {
        Self { share: 0.2, cap: 1e-6, least: 1e-10 }
    }
}

impl LineSearchSettings {
    /// That every number is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), CcdError> {
        let refuse = |setting, value, range| Err(CcdError::LineSearch { setting, value, range });
        if !(self.share > 0.0 && self.share < 1.0) {
            return refuse("share", self.share, "above 0 and below 1");
        }
        if !(self.cap > 0.0 && self.cap <= Query::LARGEST) {
            return refuse("cap", self.cap, "above 0 m and at most 1e70 m");
        }
        if !(0.0..=1.0).contains(&self.least) {
            return refuse("least step", self.least, "from 0 to 1");
        }
        Ok(())
    }
}

/// How far a step may go.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimit {
    /// α: no pair comes nearer than its d before this part of the step.
    pub alpha: f64,
    /// The pair that limits it.
    pub first: Option<Candidate>,
    /// Pairs that are so near at the start that rounding forbids to keep them apart: nearer than 2 εᵢ, 1.2e-13 times
    /// their largest coordinate (and 1e-307 m). With any of them α is 0. Features below some 1e-77 m may count as such
    /// however far apart they are, for their normals vanish.
    pub touching: Vec<Candidate>,
    /// How many boxes were looked at.
    pub checks: u64,
}

/// How far the meshes may go (lines 2–18), for pairs that the broad phase found with the separation
/// [`LineSearchSettings::cap`]. The separation and the end of the interval in `settings` are not looked at.
///
/// # Errors
/// Settings that are out of range; those of `solve`.
pub fn step_limit(
    a: &MovingMesh<'_>,
    b: &MovingMesh<'_>,
    candidates: &[Candidate],
    search: &LineSearchSettings,
    settings: &Settings,
    solve: Solve<'_>,
) -> Result<StepLimit, CcdError> {
    search.check()?;
    Settings { separation: 0.0, t_max: 1.0, ..*settings }.check()?;
    let mut limit = StepLimit { alpha: 1.0, first: None, touching: Vec::new(), checks: 0 };
    for &candidate in candidates {
        let query = candidate.query(a, b);
        query.check()?;
        let Distance { lower, .. } = distance_at_start(&query, settings.metric);
        let Some((d, tolerance)) = kept(lower, rounding(&query), search, settings.tolerance) else {
            limit.touching.push(candidate);
            if limit.alpha > 0.0 {
                (limit.alpha, limit.first) = (0.0, Some(candidate));
            }
            continue;
        };
        if limit.alpha == 0.0 {
            continue;
        }
        let cut = Settings { separation: d, tolerance, t_max: limit.alpha, ..*settings };
        let answer = solve(&query, &cut)?;
        limit.checks += answer.checks;
        if let Some(time) = answer.outcome.time() {
            let time = time.max(surely_free(&query, lower - d));
            if time < limit.alpha {
                (limit.alpha, limit.first) = (time, Some(candidate));
            }
        }
    }
    Ok(limit)
}

/// d and δ for a pair at the given distance (lines 7–10): p is halved until d + δ + ε < D. `None` if D ≤ 2 ε.
fn kept(distance: f64, rounding: f64, search: &LineSearchSettings, tolerance: f64) -> Option<(f64, f64)> {
    if distance <= 2.0 * rounding {
        return None;
    }
    // A tiny share leaves a distance, too.
    let mut d = (search.share * distance).max(f64::MIN_POSITIVE).min(search.cap);
    // Ends: D − ε exceeds D/2, which d falls below.
    while d >= 0.5 * (distance - rounding) && d > 0.0 {
        d *= 0.5;
    }
    let room = distance - rounding - d;
    Some((d, tolerance.min(0.5 * room)))
}

/// ε, m.
fn rounding(query: &Query) -> f64 {
    let points = query.start.iter().chain(&query.end);
    ROUNDING * points.map(|p| p.abs().max_element()).fold(0.0, f64::max) + UNDERFLOW
}

/// A time before which the features come no nearer than by `room` (m), 0 to 1: any two of their points change their
/// difference by a mean of those of the corners.
fn surely_free(query: &Query, room: f64) -> f64 {
    let split = if query.kind == crate::ccd::Kind::VertexFace { 1 } else { 2 };
    let moved = |i: usize| query.end[i] - query.start[i];
    let pairs = (0..split).flat_map(|i| (split..4).map(move |j| (i, j)));
    let fastest = pairs.map(|(i, j)| length(moved(i) - moved(j))).fold(0.0, f64::max);
    let time = room / (fastest * (1.0 + ROUNDING) + rounding(query)) * (1.0 - ROUNDING);
    if time.is_finite() { time.clamp(0.0, 1.0) } else { 0.0 }
}

/// What a line search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSearch {
    /// α: the part of the step to take.
    pub alpha: f64,
    /// Whether the energy is less there; if not, α is at most α_min or 0.
    pub decreased: bool,
    /// What contacts leave of the step.
    pub limit: StepLimit,
}

/// The part of a step with which the energy falls and nothing meets (lines 19–25): `energy` of α, halved from the limit
/// down. α = 0 stands for the start.
///
/// # Errors
/// Those of [`step_limit`].
pub fn line_search(
    a: &MovingMesh<'_>,
    b: &MovingMesh<'_>,
    candidates: &[Candidate],
    search: &LineSearchSettings,
    settings: &Settings,
    solve: Solve<'_>,
    mut energy: impl FnMut(f64) -> f64,
) -> Result<LineSearch, CcdError> {
    let limit = step_limit(a, b, candidates, search, settings, solve)?;
    let before = energy(0.0);
    let mut alpha = limit.alpha;
    let mut decreased = false;
    while alpha > 0.0 && alpha > search.least {
        decreased = energy(alpha) < before;
        if decreased {
            break;
        }
        alpha *= 0.5;
    }
    Ok(LineSearch { alpha, decreased, limit })
}

#[cfg(test)]
mod tests;
