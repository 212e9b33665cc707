//! A query as F(t, u, v) = ±(q(t) − u a(t) − v b(t)), for both kinds, in plain floating point.

use super::polynomial::Polynomial;
use drystone_contact::ccd::{Kind, Query};
use glam::DVec3;

/// q, a and b at t = 0 and t = 1. For a vertex and a face q goes from the first corner to the vertex, a and b to the other
/// corners; for two edges q goes from start to start, a along the first edge and b against the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    start: [DVec3; 3],
    end: [DVec3; 3],
}

impl Motion {
    /// In units of a power of two, in m, that makes the largest of `length` (m) and the coordinates of all differences of the
    /// order of one, so that no power of them overflows. With the unit.
    pub fn scaled(query: &Query, length: f64) -> (Self, f64) {
        let differences = |p: &[DVec3; 4]| match query.kind {
            Kind::VertexFace => [p[0] - p[1], p[2] - p[1], p[3] - p[1]],
            Kind::EdgeEdge => [p[2] - p[0], p[1] - p[0], p[2] - p[3]],
        };
        let (start, end) = (differences(&query.start), differences(&query.end));
        let largest =
            start.iter().chain(&end).map(|x| x.abs().max_element()).fold(length.max(f64::MIN_POSITIVE), f64::max);
        let unit = libm::scalbn(1.0, libm::ilogb(largest));
        (Self { start: start.map(|x| x / unit), end: end.map(|x| x / unit) }, unit)
    }

    /// q, a and b at time t.
    pub fn at(&self, t: f64) -> (DVec3, DVec3, DVec3) {
        let at = |i: usize| self.start[i] + (self.end[i] - self.start[i]) * t;
        (at(0), at(1), at(2))
    }

    /// q, a and b as polynomials of t.
    pub fn polynomials(&self) -> [[Polynomial; 3]; 3] {
        [0, 1, 2].map(|i| {
            let (start, gain) = (self.start[i].to_array(), (self.end[i] - self.start[i]).to_array());
            [0, 1, 2].map(|axis| Polynomial::linear(start[axis], gain[axis]))
        })
    }
}

/// u and v for which u a + v b is nearest to q; `None` if a and b are parallel as far as the squared sine of the angle between
/// them, compared with `least_sine_squared`, shows.
pub(super) fn parameters(q: DVec3, a: DVec3, b: DVec3, least_sine_squared: f64) -> Option<(f64, f64)> {
    let (aa, ab, bb, qa, qb) = (a.dot(a), a.dot(b), b.dot(b), q.dot(a), q.dot(b));
    let determinant = aa * bb - ab * ab;
    (determinant > least_sine_squared * aa * bb)
        .then(|| ((qa * bb - qb * ab) / determinant, (qb * aa - qa * ab) / determinant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_the_difference_of_their_points() {
        let start = [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0], [4.0, 1.0, 0.0], [0.0, -2.0, 5.0]].map(DVec3::from);
        let end = [[0.0, 1.0, 1.0], [2.0, 2.5, -3.0], [1.0, 6.0, 1.0], [3.0, 0.0, 2.0]].map(DVec3::from);
        let (t, u, v) = (0.25, 0.5, 0.125);
        let p = [0, 1, 2, 3].map(|i| start[i] + (end[i] - start[i]) * t);
        for (kind, difference, sign) in [
            (Kind::VertexFace, p[0] - (p[1] + (p[2] - p[1]) * u + (p[3] - p[1]) * v), 1.0),
            (Kind::EdgeEdge, p[0] + (p[1] - p[0]) * u - (p[2] + (p[3] - p[2]) * v), -1.0),
        ] {
            let (motion, unit) = Motion::scaled(&Query { kind, start, end }, 0.0);
            let (q, a, b) = motion.at(t);
            assert_eq!((q - a * u - b * v) * unit * sign, difference);
        }
    }

    #[test]
    fn parameters_solve_the_plane_and_refuse_parallels() {
        let (a, b) = (DVec3::new(2.0, 0.0, 0.0), DVec3::new(1.0, 3.0, 0.0));
        let q = a * 0.25 + b * 0.5 + DVec3::Z;
        assert_eq!(parameters(q, a, b, 1e-12), Some((0.25, 0.5)));
        assert_eq!(parameters(q, a, a * 3.0, 1e-12), None);
        assert_eq!(parameters(q, a, DVec3::ZERO, 1e-12), None);
    }
}
