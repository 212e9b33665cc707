//! The paper's own method, Algorithm 2, to the letter; and with the two changes of the code that was published with it.
//!
//! Boxes of (t, u, v) level by level, within a level by time. Differs from the print in: the width of a box and whether it is
//! small are taken before it is widened by d (section 6.1 widens first; then no box were small with δ ≤ 2 d). The published
//! code has a third criterion, widths in the domain, and stops at another count; these are left out.

use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};
use glam::DVec3;

/// γ of the bound on rounding errors, constant × γ³ on each axis, from the largest coordinate x_max, m, on that axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedFilter {
    /// Equations (5) and (8): γ = max(x_max, 1 m).
    Paper,
    /// The published code since version 1.0.1: γ = min(x_max, 1 m), which is too little away from 1 m.
    Code,
}

/// What becomes of a box that is small enough but not the first of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterSmall {
    /// Nothing, lines 15 to 17: the contact in it is lost if the boxes before it turn out to be free.
    Dropped,
    /// The earliest is remembered, ends the search of later boxes, and is the answer if no earlier one is found.
    Remembered,
}

/// Algorithm 2.
#[derive(Clone, Debug)]
pub struct Printed {
    settings: Settings,
    filter: PrintedFilter,
    later: LaterSmall,
}

/// Least and greatest t, u and v.
type Cell = [[f64; 2]; 3];

impl Printed {
    /// The name of what the paper prints.
    pub const PAPER: &'static str = "inclusion-printed";
    /// The name of what was published as code.
    pub const CODE: &'static str = "inclusion-published-code";

    /// With checked settings; d is measured by the largest difference of a coordinate.
    ///
    /// # Errors
    /// Settings out of range; a straight d; the exact fallback.
    pub fn new(settings: Settings, filter: PrintedFilter, later: LaterSmall) -> Result<Self, CcdError> {
        let method = Self { settings, filter, later };
        super::accept(method.name(), &method.settings, &[Metric::Chebyshev])?;
        Ok(method)
    }

    /// To the letter of the paper.
    ///
    /// # Errors
    /// As [`Printed::new`].
    pub fn paper(settings: Settings) -> Result<Self, CcdError> {
        Self::new(settings, PrintedFilter::Paper, LaterSmall::Dropped)
    }

    /// As the published code.
    ///
    /// # Errors
    /// As [`Printed::new`].
    pub fn code(settings: Settings) -> Result<Self, CcdError> {
        Self::new(settings, PrintedFilter::Code, LaterSmall::Remembered)
    }

    /// ε of equation (5), or (8) with a d, on each axis, m.
    fn rounding(&self, query: &Query) -> Result<DVec3, CcdError> {
        let separation = self.settings.separation;
        let constant = match (query.kind, separation > 0.0) {
            (Kind::EdgeEdge, false) => 6.217248937900877e-15,
            (Kind::VertexFace, false) => 6.661338147750939e-15,
            (Kind::EdgeEdge, true) => 7.105427357601002e-15,
            (Kind::VertexFace, true) => 7.549516567451064e-15,
        };
        let largest = query.start.iter().chain(&query.end).fold(DVec3::ZERO, |all, point| all.max(point.abs()));
        // Equation (8) assumes d < γ, with the γ of the paper.
        if separation >= largest.max(DVec3::ONE).min_element() {
            let what = "a minimum separation of 1 m or more that the coordinates on some axis do not exceed";
            return Err(CcdError::Unsupported { method: self.name(), what });
        }
        let gamma = match self.filter {
            PrintedFilter::Paper => largest.max(DVec3::ONE),
            PrintedFilter::Code => largest.min(DVec3::ONE),
        };
        Ok(gamma * gamma * gamma * constant)
    }
}

impl Method for Printed {
    fn name(&self) -> &'static str {
        match self.filter {
            PrintedFilter::Paper => Self::PAPER,
            PrintedFilter::Code => Self::CODE,
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None(match (self.later, self.filter) {
            (LaterSmall::Dropped, _) => {
                "a small box that is not the first of its level is dropped: the contact in it is missed, or its time late, if \
                 the boxes before it turn out to be free"
            }
            (LaterSmall::Remembered, PrintedFilter::Code) => {
                "the bound on rounding errors is too small for coordinates below about 0.4 m and above about 6 m: contacts at \
                 the border of a feature or of the step are missed"
            }
            (LaterSmall::Remembered, PrintedFilter::Paper) => "the bound on rounding errors is not proved here",
        })
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let Settings { tolerance, checks: limit, t_max, separation, .. } = self.settings;
        // C_ε, widened by d instead of the boxes.
        let near = self.rounding(query)? + separation;
        let kappa = kappa(query);
        let mut checks = 0; // line 2
        let mut remembered: Option<([f64; 2], f64)> = None;
        let mut level = vec![[[0.0, t_max], [0.0, 1.0], [0.0, 1.0]]]; // lines 3, 4
        while !level.is_empty() {
            let mut next = Vec::new();
            let mut first = None;
            for cell in level {
                if remembered.is_some_and(|([lo, _], _)| cell[0][0] >= lo) {
                    continue;
                }
                let [low, high] = corner_box(query, &cell); // line 7
                checks += 1; // line 8
                if low.cmpgt(near).any() || high.cmplt(-near).any() {
                    continue; // line 9
                }
                let is_first = first.is_none(); // line 10
                let [first_lo, _] = *first.get_or_insert(cell[0]); // lines 11, 22
                let reached = (high - low).max_element();
                if checks >= limit {
                    let outcome = Outcome::Stopped { t: first_lo }; // lines 12, 13
                    return Ok(Answer { outcome, checks, reached, exact: false });
                }
                let is_inside = low.cmpge(-near).all() && high.cmple(near).all();
                if reached >= tolerance && !is_inside {
                    let is_in_domain = |[_, u, v]: &Cell| query.kind == Kind::EdgeEdge || u[0] + v[0] <= 1.0;
                    next.extend(split(&cell, kappa).into_iter().filter(is_in_domain)); // lines 19, 20
                } else if is_first {
                    let outcome = Outcome::Impact { lo: first_lo, hi: cell[0][1] }; // lines 15 to 17
                    return Ok(Answer { outcome, checks, reached, exact: false });
                } else if self.later == LaterSmall::Remembered {
                    remembered = Some((cell[0], reached));
                }
            }
            next.sort_by(|a: &Cell, b: &Cell| a[0][0].total_cmp(&b[0][0])); // lines 21, 40 to 44
            level = next;
        }
        Ok(match remembered {
            None => Answer::free(checks), // line 23
            Some(([lo, hi], reached)) => Answer { outcome: Outcome::Impact { lo, hi }, checks, reached, exact: false },
        })
    }
}

/// F of equations (1) and (2).
fn f(query: &Query, [t, u, v]: [f64; 3]) -> DVec3 {
    let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|i| (query.end[i] - query.start[i]) * t + query.start[i]);
    match query.kind {
        Kind::VertexFace => p0 - ((p2 - p1) * u + (p3 - p1) * v + p1),
        Kind::EdgeEdge => ((p1 - p0) * u + p0) - ((p3 - p2) * v + p2),
    }
}

/// B_F, equation (4): least and greatest coordinates of F at the eight corners.
fn corner_box(query: &Query, cell: &Cell) -> [DVec3; 2] {
    let corners = (0..8).map(|i| f(query, [cell[0][i & 1], cell[1][(i >> 1) & 1], cell[2][i >> 2]]));
    corners.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], corner| [low.min(corner), high.max(corner)])
}

/// κ of t, u and v, equation (7), m.
fn kappa(query: &Query) -> [f64; 3] {
    [0, 1, 2].map(|direction| {
        let lengths = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|[i, j]| {
            let at = |x| match direction {
                0 => f(query, [x, i, j]),
                1 => f(query, [i, x, j]),
                _ => f(query, [i, j, x]),
            };
            (at(0.0) - at(1.0)).abs().max_element()
        });
        3.0 * lengths.into_iter().fold(0.0, f64::max)
    })
}

/// The halves of a cell across the direction with the greatest w κ, the first of them if equal.
fn split(cell: &Cell, kappa: [f64; 3]) -> [Cell; 2] {
    let change = |axis: usize| (cell[axis][1] - cell[axis][0]) * kappa[axis]; // line 27
    let axis = (1..3).fold(0, |best, axis| if change(axis) > change(best) { axis } else { best }); // lines 28 to 37
    let middle = (cell[axis][0] + cell[axis][1]) / 2.0;
    let mut halves = [*cell; 2];
    (halves[0][axis][1], halves[1][axis][0]) = (middle, middle);
    halves
}
