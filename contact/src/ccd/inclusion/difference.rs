//! The difference of the two features as a polynomial of time and place: F(t, u, v) = a(t) + u b(t) + v c(t) with a, b
//! and c linear in t (paper, equations 1 and 2). They meet where F = 0.

use crate::ccd::{Kind, Query};
use glam::DVec3;

/// The coefficients of F.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    /// a, b, c at t = 0, m.
    pub start: [DVec3; 3],
    /// What they change by until t = 1, m.
    pub change: [DVec3; 3],
    pub kind: Kind,
}

/// F and its derivatives at one place; second derivatives are those by t and u, and by t and v.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taylor {
    pub value: DVec3,
    pub by_t: DVec3,
    pub by_u: DVec3,
    pub by_v: DVec3,
    pub by_tu: DVec3,
    pub by_tv: DVec3,
}

impl Difference {
    #[inline(always)]
    pub fn new(query: &Query) -> Self {
        let kind = query.kind;
        let coefficients = |p: &[DVec3; 4]| match kind {
            Kind::VertexFace => [p[0] - p[1], p[1] - p[2], p[1] - p[3]],
            Kind::EdgeEdge => [p[0] - p[2], p[1] - p[0], p[2] - p[3]],
        };
        let (start, end) = (coefficients(&query.start), coefficients(&query.end));
        let change = [end[0] - start[0], end[1] - start[1], end[2] - start[2]];
        Self { start, change, kind }
    }

    /// Taylor's polynomial of F about (t, u, v); it has no further terms.
    #[inline(always)]
    pub fn about(&self, t: f64, u: f64, v: f64) -> Taylor {
        let at = |i: usize| self.start[i] + self.change[i] * t;
        let (a, b, c) = (at(0), at(1), at(2));
        let [a_t, b_t, c_t] = self.change;
        Taylor { value: a + b * u + c * v, by_t: a_t + b_t * u + c_t * v, by_u: b, by_v: c, by_tu: b_t, by_tv: c_t }
    }
}
