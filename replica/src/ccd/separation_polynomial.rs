//! The roots of polynomials that say when two features are a straight distance d apart (MSRF in the paper, section 6).
//!
//! Source of the method: Harmon, Panozzo, Sorkine, Zorin, "Interference-Aware Geometric Modeling", ACM Transactions on
//! Graphics 30 (2011); the polynomials as in the paper's section 6, "Univariate formulation": ⟨n, q⟩² − d² |n|² (sextic) for
//! a vertex and the inside of a face or two edges, |e × q|² − d² |e|² (quartic) for a vertex and an edge, |q|² − d²
//! (quadratic) for two vertices. Roots are found in plain floating point.

use super::motion::{Motion, parameters};
use super::polynomial::{Polynomial, cross, difference, dot};
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};

/// The earliest root at which the closest points are inside of the features that the polynomial is for.
#[derive(Clone, Debug)]
pub struct SeparationPolynomial {
    settings: Settings,
    /// sin² of the smallest angle between edges for which closest points are computed.
    pub least_sine_squared: f64,
}

/// Which parts of the features a polynomial is about; differences are those of the motion.
#[derive(Clone, Copy)]
enum Parts {
    /// The inside of the face and the vertex, or of both edges.
    Insides,
    /// The end of k a + l b, and the edge a, b or b − a from there.
    VertexEdge([f64; 2], Edge),
    /// The end of k a + l b.
    Vertices([f64; 2]),
}

/// An edge, as a difference of the motion.
#[derive(Clone, Copy)]
enum Edge {
    A,
    B,
    BMinusA,
}

const VERTEX_FACE: [Parts; 7] = [
    Parts::Insides,
    Parts::VertexEdge([0.0, 0.0], Edge::A),
    Parts::VertexEdge([0.0, 0.0], Edge::B),
    Parts::VertexEdge([1.0, 0.0], Edge::BMinusA),
    Parts::Vertices([0.0, 0.0]),
    Parts::Vertices([1.0, 0.0]),
    Parts::Vertices([0.0, 1.0]),
];

const EDGE_EDGE: [Parts; 9] = [
    Parts::Insides,
    Parts::VertexEdge([0.0, 0.0], Edge::A),
    Parts::VertexEdge([0.0, 1.0], Edge::A),
    Parts::VertexEdge([0.0, 0.0], Edge::B),
    Parts::VertexEdge([1.0, 0.0], Edge::B),
    Parts::Vertices([0.0, 0.0]),
    Parts::Vertices([1.0, 0.0]),
    Parts::Vertices([0.0, 1.0]),
    Parts::Vertices([1.0, 1.0]),
];

impl SeparationPolynomial {
    /// Its name.
    pub const NAME: &'static str = "separation-polynomial";

    /// With checked settings; d is a straight distance.
    ///
    /// # Errors
    /// Settings out of range; d by the largest difference of a coordinate; the exact fallback.
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        super::accept(Self::NAME, &settings, &[Metric::Euclidean])?;
        Ok(Self { settings, least_sine_squared: 1e-16 })
    }

    /// Whether the closest points at time t are inside of the parts.
    fn is_valid(&self, kind: Kind, parts: Parts, motion: &Motion, t: f64) -> bool {
        let (q, a, b) = motion.at(t);
        match parts {
            Parts::Insides => parameters(q, a, b, self.least_sine_squared).is_some_and(|(u, v)| match kind {
                Kind::VertexFace => u.min(v).min(1.0 - u - v) >= 0.0,
                Kind::EdgeEdge => u.min(1.0 - u).min(v).min(1.0 - v) >= 0.0,
            }),
            Parts::VertexEdge([k, l], edge) => {
                let edge = match edge {
                    Edge::A => a,
                    Edge::B => b,
                    Edge::BMinusA => b - a,
                };
                let length_squared = edge.length_squared();
                length_squared > 0.0 && (0.0..=length_squared).contains(&(q - a * k - b * l).dot(edge))
            }
            Parts::Vertices(_) => true,
        }
    }
}

/// Squared distance of the parts minus d², times a square; d in units of the motion.
fn polynomial(parts: Parts, [q, a, b]: [[Polynomial; 3]; 3], d: f64) -> Polynomial {
    let from = |[k, l]: [f64; 2]| {
        let scaled = |vector: [Polynomial; 3], by| vector.map(|axis| axis * Polynomial::constant(by));
        difference(difference(q, scaled(a, k)), scaled(b, l))
    };
    let minus = |squared, by| squared - by * Polynomial::constant(d * d);
    match parts {
        Parts::Insides => {
            let n = cross(a, b);
            let f = dot(n, q);
            minus(f * f, dot(n, n))
        }
        Parts::VertexEdge(end, edge) => {
            let e = match edge {
                Edge::A => a,
                Edge::B => b,
                Edge::BMinusA => difference(b, a),
            };
            let moment = cross(e, from(end));
            minus(dot(moment, moment), dot(e, e))
        }
        Parts::Vertices(end) => minus(dot(from(end), from(end)), Polynomial::constant(1.0)),
    }
}

impl Method for SeparationPolynomial {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None(
            "roots of polynomials of the sixth degree are lost to rounding; the smaller d, the nearer they are to double roots, \
             and with d = 0 they are double and found by luck",
        )
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let (motion, unit) = Motion::scaled(query, self.settings.separation);
        let polynomials = motion.polynomials();
        let parts: &[Parts] = match query.kind {
            Kind::VertexFace => &VERTEX_FACE,
            Kind::EdgeEdge => &EDGE_EDGE,
        };
        let (mut checks, mut earliest) = (0, None);
        for &parts in parts {
            let polynomial = polynomial(parts, polynomials, self.settings.separation / unit);
            let end = earliest.unwrap_or(self.settings.t_max);
            // At t = 0 they can be nearer than d already.
            let start = (polynomial.at(0.0) <= 0.0).then_some(0.0);
            for t in start.into_iter().chain(polynomial.roots(0.0, end)) {
                if checks == self.settings.checks {
                    return Ok(Answer { outcome: Outcome::Stopped { t: 0.0 }, checks, reached: 0.0, exact: false });
                }
                checks += 1;
                if self.is_valid(query.kind, parts, &motion, t) {
                    earliest = Some(t);
                    break;
                }
            }
        }
        let outcome = earliest.map_or(Outcome::Free, |t| Outcome::Impact { lo: t, hi: t });
        Ok(Answer { outcome, checks, reached: 0.0, exact: false })
    }
}
