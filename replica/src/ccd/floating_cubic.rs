//! Roots of the cubic of equation (3) in plain floating point and a geometric test at each (FPRF in the paper, section 4.2).
//!
//! Source of the method: Provot, "Collision and Self-Collision Handling in Cloth Model Dedicated to Design Garments",
//! Computer Animation and Simulation 1997; the tolerance in the test, and the test of the ends of the step in addition, for
//! roots that rounding puts outside, as in Bridson, Fedkiw, Anderson, "Robust Treatment of Collisions, Contact and Friction
//! for Cloth Animation", SIGGRAPH 2002.

use super::motion::{Motion, parameters};
use super::polynomial::{cross, dot};
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};

/// Coplanar times first, then whether the features are there within η of each other.
#[derive(Clone, Debug)]
pub struct FloatingCubic {
    settings: Settings,
    /// η, m: how far apart features still touch, and how far beyond the border of a feature, measured along it. A minimum
    /// separation takes its place (the paper's Appendix E).
    pub eta: f64,
    /// sin² of the smallest angle between edges that are not parallel. Parallel edges and degenerate faces have no contacts.
    pub least_sine_squared: f64,
}

impl FloatingCubic {
    /// Its name.
    pub const NAME: &'static str = "floating-cubic";

    /// With checked settings; η is d, which is a straight distance, or 1e-6 m without one.
    ///
    /// # Errors
    /// Settings out of range; d by the largest difference of a coordinate; the exact fallback.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        super::accept(Self::NAME, &settings, &[Metric::Euclidean])?;
        let eta = if settings.separation > 0.0 { settings.separation } else { 1e-6 };
        Ok(Self { settings, eta, least_sine_squared: 1e-16 })
    }

    /// Whether the features are within η, in units of the motion, of each other at time t.
    fn touch(&self, kind: Kind, motion: &Motion, eta: f64, t: f64) -> bool {
        let (q, a, b) = motion.at(t);
        let Some((u, v)) = parameters(q, a, b, self.least_sine_squared) else {
            return false;
        };
        if (q - a * u - b * v).length() > eta {
            return false;
        }
        match kind {
            Kind::VertexFace => u.min(v).min(1.0 - u - v) * a.cross(b).length().sqrt() >= -eta,
            Kind::EdgeEdge => u.min(1.0 - u) * a.length() >= -eta && v.min(1.0 - v) * b.length() >= -eta,
        }
    }
}

impl Method for FloatingCubic {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None(
            "roots that rounding moves by more than the tolerance allows, parallel edges, degenerate faces and motion within \
             one plane are missed",
        )
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let (motion, unit) = Motion::scaled(query, self.eta);
        let [q, a, b] = motion.polynomials();
        let mut times = vec![0.0];
        times.extend(dot(cross(a, b), q).roots(0.0, self.settings.t_max));
        times.push(self.settings.t_max);
        let mut checks = 0;
        for t in times {
            if checks == self.settings.checks {
                return Ok(Answer { outcome: Outcome::Stopped { t }, checks, reached: 0.0, exact: false });
            }
            checks += 1;
            if self.touch(query.kind, &motion, self.eta / unit, t) {
                return Ok(Answer { outcome: Outcome::Impact { lo: t, hi: t }, checks, reached: 0.0, exact: false });
            }
        }
        Ok(Answer::free(checks))
    }
}
