//! The univariate interval root finder (UIRF in the paper, section 4.2): intervals of time in which the four points can be
//! coplanar, and of those the first in which the features can meet.
//!
//! Source of the method: Redon, Kheddar, Coquillart, "Fast Continuous Collision Detection between Rigid Bodies", Computer
//! Graphics Forum 21 (2002), for points that move in straight lines. f(t) = ⟨n(t), q(t)⟩ of equation (3) is enclosed in
//! interval arithmetic. The geometric predicate is ours: no axis of a list can be shown to separate the features during the
//! whole interval. Where all motion is in one plane every small interval has to be looked at (the paper's Appendix D).

use super::interval_number::{Interval, IntervalVector, along, cross, difference, dot};
use super::motion::Motion;
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Outcome, Query, Settings};
use glam::DVec3;

/// Divides [0, t_max] until intervals are narrower than the tolerance, which here is a fraction of the step.
#[derive(Clone, Debug)]
pub struct UnivariateIntervalRoots {
    settings: Settings,
}

impl UnivariateIntervalRoots {
    /// Its name.
    pub const NAME: &'static str = "univariate-interval";

    /// With checked settings.
    ///
    /// # Errors
    /// Settings out of range; a minimum separation; the exact fallback.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        super::accept(Self::NAME, &settings, &[])?;
        Ok(Self { settings })
    }
}

impl Method for UnivariateIntervalRoots {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Conservative
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let Settings { tolerance, checks: limit, t_max, .. } = self.settings;
        let volume = Volume::new(query);
        // The earliest interval is on top.
        let mut stack = vec![Interval { lo: 0.0, hi: t_max }];
        let mut checks = 0;
        while let Some(t) = stack.pop() {
            if checks == limit {
                let outcome = Outcome::Stopped { t: t.lo };
                return Ok(Answer { outcome, checks, reached: 0.0, exact: false });
            }
            checks += 1;
            if !volume.at(t).is_within(0.0) {
                continue;
            }
            let halves = if t.width() < tolerance { None } else { t.halves() };
            if let Some([early, late]) = halves {
                stack.extend([late, early]);
            } else if !are_separated(query, t) {
                let outcome = Outcome::Impact { lo: t.lo, hi: t.hi };
                return Ok(Answer { outcome, checks, reached: 0.0, exact: false });
            }
        }
        Ok(Answer::free(checks))
    }
}

/// A difference of two points at t = 0, and what it gains until t = 1.
type Moving = [IntervalVector; 2];

/// p_i − p_j.
fn moving(query: &Query, i: usize, j: usize) -> Moving {
    let at = |points: &[DVec3; 4]| {
        difference(points[i].to_array().map(Interval::point), points[j].to_array().map(Interval::point))
    };
    let start = at(&query.start);
    [start, difference(at(&query.end), start)]
}

/// f of equation (3), six times the signed volume between the four points.
struct Volume {
    edges: [Moving; 2],
    between: Moving,
}

impl Volume {
    fn new(query: &Query) -> Self {
        let edge = |i, j| moving(query, i, j);
        match query.kind {
            Kind::VertexFace => Self { edges: [edge(2, 1), edge(3, 1)], between: edge(0, 1) },
            Kind::EdgeEdge => Self { edges: [edge(1, 0), edge(3, 2)], between: edge(2, 0) },
        }
    }

    /// An enclosure of f over an interval of time.
    fn at(&self, t: Interval) -> Interval {
        let at = |[start, gain]: Moving| along(start, t, gain);
        dot(cross(at(self.edges[0]), at(self.edges[1])), at(self.between))
    }
}

/// Whether an axis shows that the features do not meet at any time in `t`.
fn are_separated(query: &Query, t: Interval) -> bool {
    let (first, second): (&[usize], &[usize]) = match query.kind {
        Kind::VertexFace => (&[0], &[1, 2, 3]),
        Kind::EdgeEdge => (&[0, 1], &[2, 3]),
    };
    axes(query, 0.5 * t.lo + 0.5 * t.hi).into_iter().any(|axis| {
        let axis = axis.to_array().map(Interval::point);
        let mut extent = Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY };
        for &i in first {
            for &j in second {
                let [start, gain] = moving(query, i, j);
                let along_axis = dot(axis, along(start, t, gain));
                extent = Interval { lo: extent.lo.min(along_axis.lo), hi: extent.hi.max(along_axis.hi) };
            }
        }
        !extent.is_within(0.0)
    })
}

/// Axes that could separate coplanar features at time t. Any vector may be among them, so plain arithmetic is enough.
fn axes(query: &Query, t: f64) -> Vec<DVec3> {
    let (motion, _) = Motion::scaled(query, 0.0);
    let (q, a, b) = motion.at(t);
    let normal = a.cross(b);
    let mut sides = vec![a, b];
    if query.kind == Kind::VertexFace {
        sides.push(b - a);
    }
    let longest = sides.iter().copied().max_by(|x, y| x.length_squared().total_cmp(&y.length_squared()));
    let mut all = vec![DVec3::X, DVec3::Y, DVec3::Z];
    // Nondegenerate features: some side has all of the other feature beyond it.
    all.extend(sides.iter().map(|side| normal.cross(*side)));
    // Features that are, or lie, on one line: along it, and from it to the other feature.
    all.extend(longest.into_iter().flat_map(|line| [line, line.cross(q).cross(line)]));
    all.retain(|axis| axis.is_finite());
    all
}
