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
use crate::continuous::{ContinuousError, Query, Settings};
use serde::{Deserialize, Serialize};

/// εᵢ as a share of the largest coordinate of a pair: what a root finder may take for contact because of rounding. Twice
/// that of [`crate::continuous::RootFinder`].
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
    pub fn check(&self) -> Result<(), ContinuousError> {
        let refuse = |setting, value, range| Err(ContinuousError::LineSearch { setting, value, range });
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
) -> Result<StepLimit, ContinuousError> {
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
    let split = if query.kind == crate::continuous::Kind::VertexFace { 1 } else { 2 };
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
) -> Result<LineSearch, ContinuousError> {
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
mod tests {
    use super::super::{Topology, within};
    use super::*;
    use crate::continuous::exact::decide;
    use crate::continuous::{Answer, Metric, RootFinder};
    use glam::DVec3;
    use proptest::prelude::*;

    fn solve(query: &Query, settings: &Settings) -> Result<Answer, ContinuousError> {
        RootFinder::new(*settings)?.solve(query)
    }

    fn lerp(start: &[DVec3], end: &[DVec3], t: f64) -> Vec<DVec3> {
        start.iter().zip(end).map(|(p, q)| *p + (*q - *p) * t).collect()
    }

    fn limit_of(topology: &Topology, start: &[DVec3], end: &[DVec3], settings: &Settings) -> StepLimit {
        let mesh = MovingMesh::new(topology, start, end).unwrap();
        let search = LineSearchSettings::default();
        let candidates = within(&mesh, search.cap, |_| true);
        step_limit(&mesh, &mesh, &candidates, &search, settings, &solve).unwrap()
    }

    fn metric() -> impl Strategy<Value = Metric> {
        prop_oneof![Just(Metric::Chebyshev), Just(Metric::Euclidean)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// A vertex over a triangle, or an edge over an edge, that goes to contact at the end of the whole step.
        #[test]
        fn times_increase_to_the_contact_and_stay_before_it(
            is_edges in any::<bool>(),
            metric in metric(),
            height in 1e-3..1.0f64,
            slope in prop::array::uniform2(-0.5..0.5f64),
            aside in prop::array::uniform2(-0.3..0.3f64),
        ) {
            let lift = DVec3::new(slope[0], 1.0, slope[1]) * height;
            let shift = DVec3::new(aside[0], 0.0, aside[1]);
            let (topology, start): (_, Vec<DVec3>) = if is_edges {
                let z = DVec3::Z;
                (Topology::new(4, &[[0, 1], [2, 3]], vec![]).unwrap(), vec![lift + shift - z, lift + shift + z, DVec3::NEG_X, DVec3::X])
            } else {
                let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
                (Topology::new(4, &[], vec![[1, 2, 3]]).unwrap(), [vec![lift + shift], corners.to_vec()].concat())
            };
            let moving = if is_edges { 2 } else { 1 };
            // t* = 1/2 of the first step.
            let end: Vec<DVec3> = start.iter().enumerate().map(|(i, p)| if i < moving { *p - lift * 2.0 } else { *p }).collect();
            let settings = Settings { metric, ..Settings::default() };
            let (mut place, mut done) = (start.clone(), 0.0);
            for _ in 0..8 {
                let limit = limit_of(&topology, &place, &end, &settings);
                prop_assert!(limit.alpha > 0.0 && limit.touching.is_empty());
                let next = done + (1.0 - done) * limit.alpha;
                prop_assert!(next > done && next < 0.5, "{done} {next}");
                place = lerp(&start, &end, next);
                prop_assert!(place[0].y > 0.0);
                done = next;
            }
            prop_assert!((0.5 - done) * height < 5e-6, "{done}");
        }

        #[test]
        fn nothing_passes_and_the_step_is_never_nothing(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from), 9),
            moves in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from), 9),
            metric in metric(),
        ) {
            let topology = Topology::new(9, &[], vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap();
            let apart = |p: &[DVec3]| {
                let mesh = MovingMesh::new(&topology, p, p).unwrap();
                let all = within(&mesh, 9.0, |_| true);
                all.iter().map(|c| distance_at_start(&c.query(&mesh, &mesh), Metric::Euclidean).lower).fold(f64::INFINITY, f64::min)
            };
            let settings = Settings { metric, ..Settings::default() };
            let mut place = points;
            prop_assume!(apart(&place) > 1e-6);
            let end: Vec<DVec3> = place.iter().zip(&moves).map(|(p, m)| *p + *m).collect();
            for _ in 0..5 {
                let limit = limit_of(&topology, &place, &end, &settings);
                prop_assert!(limit.alpha > 0.0);
                let mesh = MovingMesh::new(&topology, &place, &end).unwrap();
                for pair in within(&mesh, 9.0, |_| true) {
                    let met = decide(&pair.query(&mesh, &mesh), limit.alpha, 0.0).unwrap();
                    prop_assert!(met.is_none(), "{pair:?} {met:?} {}", limit.alpha);
                }
                place = lerp(&place, &end, limit.alpha);
            }
        }

        #[test]
        fn what_is_kept_leaves_room(distance in 1e-15..10.0f64, rounding in 1e-20..1e-6f64, share in 0.01..0.99f64) {
            let search = LineSearchSettings { share, cap: 1.0, ..LineSearchSettings::default() };
            match kept(distance, rounding, &search, 1e-6) {
                Some((d, tolerance)) => {
                    prop_assert!(d >= 0.0 && tolerance > 0.0 && d + tolerance + rounding < distance);
                }
                None => prop_assert!(distance <= 2.0 * rounding),
            }
        }
    }

    /// A vertex that falls onto a triangle from 1 m × `scale`, to as far below it.
    fn falling(scale: f64) -> (Topology, [DVec3; 4], [DVec3; 4]) {
        let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
        let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
        let places = |vertex: DVec3| [vertex, corners[0], corners[1], corners[2]].map(|p| p * scale);
        (topology, places(DVec3::Y), places(DVec3::NEG_Y))
    }

    #[test]
    fn settings_out_of_range_are_refused_before_any_work() {
        let (topology, start, end) = falling(1.0);
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let candidates = within(&mesh, 1.0, |_| true);
        let unasked = |_: &Query, _: &Settings| unreachable!("settings come first");
        let refused = |search: LineSearchSettings, settings: Settings| {
            let energy = |_| unreachable!("settings come first");
            line_search(&mesh, &mesh, &candidates, &search, &settings, &unasked, energy).unwrap_err().to_string()
        };
        let sound = LineSearchSettings::default();
        for value in [0.0, -0.1, f64::INFINITY, f64::NAN] {
            let told = |setting: &str| format!("the {setting} of the line search is {value}; it must be ");
            let share = refused(LineSearchSettings { share: value, ..sound }, Settings::default());
            assert!(share.starts_with(&told("share")), "{share}");
            let cap = refused(LineSearchSettings { cap: value, ..sound }, Settings::default());
            assert!(cap.starts_with(&told("cap")), "{cap}");
            if value != 0.0 {
                let least = refused(LineSearchSettings { least: value, ..sound }, Settings::default());
                assert!(least.starts_with(&told("least step")), "{least}");
            }
            let tolerance = refused(sound, Settings { tolerance: value, ..Settings::default() });
            assert!(tolerance.starts_with("the tolerance is"), "{tolerance}");
        }
        assert!(LineSearchSettings { share: 1.0, ..sound }.check().is_err());
        assert!(LineSearchSettings { share: f64::MIN_POSITIVE, cap: 5e-324, least: 0.0 }.check().is_ok());
    }

    #[test]
    fn meshes_of_any_size_are_limited_before_they_meet() {
        for scale in [1e69, 1e9, 1e-9, 1e-80, 1e-100, 1e-150, 1e-162, 1e-200, 1e-300, 1e-307, 1e-315, 5e-324] {
            let (topology, start, end) = falling(scale);
            for metric in [Metric::Chebyshev, Metric::Euclidean] {
                let limit = limit_of(&topology, &start, &end, &Settings { metric, ..Settings::default() });
                assert!(limit.alpha < 0.5, "{scale} {limit:?}");
                assert!(limit.alpha > 0.0 || !limit.touching.is_empty() && scale < 1e-90, "{scale} {limit:?}");
                assert!(limit.first.is_some());
            }
        }
    }

    #[test]
    fn the_pair_that_makes_the_step_nothing_is_named() {
        // Vertex 0 meets the triangle within the step, vertex 4 touches it at once.
        let (_, start, end) = falling(1.0);
        let topology = Topology::new(6, &[], vec![[1, 2, 3]]).unwrap();
        let (start, end) = ([&start[..], &[DVec3::ZERO; 2]].concat(), [&end[..], &[DVec3::ZERO; 2]].concat());
        let limit = limit_of(&topology, &start, &end, &Settings::default());
        assert_eq!((limit.alpha, limit.touching.len()), (0.0, 2));
        assert_eq!(limit.first, Some(limit.touching[0]));
        assert_eq!(limit.touching[0].a, 4);
    }

    #[test]
    fn a_search_without_checks_still_moves() {
        let stuck = |_: &Query, _: &Settings| {
            Ok(Answer { outcome: crate::continuous::Outcome::Stopped { t: 0.0 }, ..Answer::free(1) })
        };
        let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
        let start = [DVec3::Y, DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
        let end = [DVec3::NEG_Y, start[1], start[2], start[3]];
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let search = LineSearchSettings::default();
        let candidates = within(&mesh, search.cap, |_| true);
        let limit = step_limit(&mesh, &mesh, &candidates, &search, &Settings::default(), &stuck).unwrap();
        assert!(limit.alpha > 0.499 && limit.alpha < 0.5, "{}", limit.alpha);
    }

    #[test]
    fn touching_pairs_are_named_and_the_energy_decides_the_rest() {
        let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
        let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
        let start = [DVec3::ZERO, corners[0], corners[1], corners[2]];
        let end = [DVec3::NEG_Y, corners[0], corners[1], corners[2]];
        let limit = limit_of(&topology, &start, &end, &Settings::default());
        assert_eq!((limit.alpha, limit.touching.len()), (0.0, 1));

        let start = [DVec3::Y, corners[0], corners[1], corners[2]];
        let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
        let search = LineSearchSettings::default();
        let candidates = within(&mesh, search.cap, |_| true);
        let run = |energy: fn(f64) -> f64| {
            line_search(&mesh, &mesh, &candidates, &search, &Settings::default(), &solve, energy).unwrap()
        };
        let limited = run(|alpha| -alpha);
        assert!(limited.decreased && limited.alpha == limited.limit.alpha && limited.alpha < 0.5);
        let halved = run(|alpha| (alpha - 0.05) * (alpha - 0.05));
        assert!(halved.decreased && halved.alpha < 0.1);
        let uphill = run(|alpha| alpha);
        assert!(!uphill.decreased && uphill.alpha <= search.least);
    }
}
