//! The interval root finder (IRF in the paper, section 4.2): Algorithm 1 with F of equations (1) and (2) as it stands, in
//! interval arithmetic over t, u and v.
//!
//! Source of the algorithm: Snyder, "Interval Analysis for Computer Graphics", SIGGRAPH 1992.
//! Differs from Algorithm 1 in: boxes are taken in the order of their earliest time, so that the first that is small enough
//! ends the search, rather than all of them being listed; the number of checks is limited.

use super::interval_number::{Interval, IntervalVector, along, difference};
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Divides [0, t_max] × [0, 1]² until boxes are narrower than the tolerance, which here is a number without a unit.
#[derive(Clone, Debug)]
pub struct IntervalRoots {
    settings: Settings,
}

/// t, u and v.
type Cell = [Interval; 3];

/// A cell in the queue: the earliest first, of those the one that was divided most.
#[derive(PartialEq)]
struct Waiting {
    cell: Cell,
    depth: u32,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cell[0].lo.total_cmp(&self.cell[0].lo).then(self.depth.cmp(&other.depth))
    }
}

impl IntervalRoots {
    /// Its name.
    pub const NAME: &'static str = "interval";

    /// With checked settings; d is measured by the largest difference of a coordinate.
    ///
    /// # Errors
    /// Settings out of range; a straight d; the exact fallback.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        super::accept(Self::NAME, &settings, &[Metric::Chebyshev])?;
        Ok(Self { settings })
    }
}

impl Method for IntervalRoots {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Conservative
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let Settings { tolerance, checks: limit, t_max, separation, .. } = self.settings;
        let whole = Interval { lo: 0.0, hi: 1.0 };
        let mut queue = BinaryHeap::from([Waiting { cell: [Interval { lo: 0.0, hi: t_max }, whole, whole], depth: 0 }]);
        let (mut checks, mut reached) = (0, 0.0);
        while let Some(Waiting { cell, depth }) = queue.pop() {
            if checks == limit {
                let outcome = Outcome::Stopped { t: cell[0].lo };
                return Ok(Answer { outcome, checks, reached, exact: false });
            }
            checks += 1;
            let range = range(query, &cell);
            if !range.iter().all(|axis| axis.is_within(separation)) {
                continue;
            }
            reached = range.into_iter().map(Interval::width).fold(0.0, f64::max);
            let Some(halves) = divide(&cell, tolerance) else {
                let outcome = Outcome::Impact { lo: cell[0].lo, hi: cell[0].hi };
                return Ok(Answer { outcome, checks, reached, exact: false });
            };
            let in_domain = |[_, u, v]: &Cell| query.kind == Kind::EdgeEdge || (*u + *v).lo <= 1.0;
            queue.extend(halves.into_iter().filter(in_domain).map(|cell| Waiting { cell, depth: depth + 1 }));
        }
        Ok(Answer::free(checks))
    }
}

/// An enclosure of F over a cell: equations (1) and (2), operation by operation.
fn range(query: &Query, &[t, u, v]: &Cell) -> IntervalVector {
    let point = |index: usize| {
        let start = query.start[index].to_array().map(Interval::point);
        let end = query.end[index].to_array().map(Interval::point);
        along(start, t, difference(end, start))
    };
    let [p0, p1, p2, p3] = [0, 1, 2, 3].map(point);
    match query.kind {
        Kind::VertexFace => difference(p0, along(along(p1, u, difference(p2, p1)), v, difference(p3, p1))),
        Kind::EdgeEdge => difference(along(p0, u, difference(p1, p0)), along(p2, v, difference(p3, p2))),
    }
}

/// The halves of a cell across its widest side, the first of them if equal; `None` if no side is as wide as the tolerance
/// or none can be divided.
fn divide(cell: &Cell, tolerance: f64) -> Option<[Cell; 2]> {
    let widest = (1..3).fold(0, |best, axis| if cell[axis].width() > cell[best].width() { axis } else { best });
    if cell[widest].width() < tolerance {
        return None;
    }
    let halves = cell[widest].halves()?;
    Some(halves.map(|half| {
        let mut part = *cell;
        part[widest] = half;
        part
    }))
}
