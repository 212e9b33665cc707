//! Exact predicates with symbolic perturbation: B is thought of as shifted by (ε, ε², ε³), ε → 0, in the frame of A.
//!
//! Simulation of Simplicity (Edelsbrunner and Mücke, ACM TOG 9(1), 1990) with a common shift of all vertices of B. No
//! vertex of one surface is then on a triangle of the other, and no edges meet: where an orientation is exactly zero, the
//! first component of its derivative along x, y and z that is not zero decides. Both derivatives are cross products, whose
//! components have exact signs. The determinant of parallel edges stays zero, but is never asked for: an edge that is
//! parallel to a side of a triangle does not cross its plane.

use glam::DVec3;

use crate::shape::predicate::{orientation_2d, orientation_3d, project};

/// Which of the two solids something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first, which stays.
    A,
    /// The second, which is shifted.
    B,
}

impl Side {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// The sign of the shift of this side as seen from the other.
    fn shift(self) -> f64 {
        match self {
            Self::A => -1.0,
            Self::B => 1.0,
        }
    }
}

/// Where an edge crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The share of the edge before the crossing, 0 to 1.
    pub fraction: f64,
    /// Whether the edge goes from the front of the triangle to its back: into the solid.
    pub enters: bool,
}

/// Where the segment from p to q, of `side`, crosses a triangle of the other side; `None` if it does not.
pub fn crossing(side: Side, [p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<Crossing> {
    let ((p_above, p_height), (q_above, q_height)) = (above(side, p, triangle), above(side, q, triangle));
    if p_above == q_above {
        return None;
    }
    let [a, b, c] = triangle;
    let passes = passes(side, [p, q], [a, b]);
    if passes != self::passes(side, [p, q], [b, c]) || passes != self::passes(side, [p, q], [c, a]) {
        return None;
    }
    // One of the heights is not zero: the shift is the same at both.
    let fraction = (p_height / (p_height - q_height)).clamp(0.0, 1.0);
    Some(Crossing { fraction, enters: p_above })
}

/// Whether a point of `side` is in front of a triangle of the other one, and its height times twice the area, m³.
fn above(side: Side, point: DVec3, [a, b, c]: [DVec3; 3]) -> (bool, f64) {
    let height = orientation_3d(a, b, c, point);
    if height != 0.0 {
        return (height > 0.0, height);
    }
    let normal = [0, 1, 2].map(|axis| orientation_2d(project(a, axis), project(b, axis), project(c, axis)));
    (first_sign(normal) * side.shift() > 0.0, height)
}

/// Whether the edge `other`, of the other side, runs counter-clockwise around the edge `own`, of `side`.
fn passes(side: Side, [p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> bool {
    let volume = orientation_3d(p, q, a, b);
    if volume != 0.0 {
        return volume > 0.0;
    }
    let cross = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| cross_sign([a, b], [p, q], i, j));
    // The derivative is (b − a) × (q − p) by the shift of a and b.
    first_sign(cross) * side.other().shift() > 0.0
}

fn first_sign(components: [f64; 3]) -> f64 {
    components.into_iter().find(|x| *x != 0.0).unwrap_or(0.0)
}

/// A number with the sign of (b − a)ᵢ (q − p)ⱼ − (b − a)ⱼ (q − p)ᵢ, exact as long as no product underflows or overflows; by
/// expansions (Shewchuk 1997, grow-expansion), so that nothing is allocated.
fn cross_sign([a, b]: [DVec3; 2], [p, q]: [DVec3; 2], i: usize, j: usize) -> f64 {
    let (e, d) = (b - a, q - p);
    let (left, right) = (e[i] * d[j], e[j] * d[i]);
    // A difference is zero only of equal numbers, and each product is off by less than three units.
    let bound = 4.0 * f64::EPSILON * (left.abs() + right.abs());
    if (left - right).abs() > bound || ((e[i] == 0.0 || d[j] == 0.0) && (e[j] == 0.0 || d[i] == 0.0)) {
        return left - right;
    }
    // Each difference is a sum of two numbers, each product of two numbers as well: 16 terms.
    let mut sum = [0.0; 16];
    let mut count = 0;
    for (x, y, sign) in
        [(difference(b[i], a[i]), difference(q[j], p[j]), 1.0), (difference(b[j], a[j]), difference(q[i], p[i]), -1.0)]
    {
        for (x, y) in x.into_iter().flat_map(|x| y.map(|y| (x, y))) {
            let product = x * y;
            for term in [x.mul_add(y, -product), product] {
                let mut carry = sign * term;
                for part in &mut sum[..count] {
                    [*part, carry] = two_sum(*part, carry);
                }
                sum[count] = carry;
                count += 1;
            }
        }
    }
    // The parts do not overlap and grow: the last one that is not zero has the sign of all.
    sum.into_iter().rev().find(|x| *x != 0.0).unwrap_or(0.0)
}

/// The error and the rounded sum of two numbers (Knuth); together they are the sum.
fn two_sum(x: f64, y: f64) -> [f64; 2] {
    let sum = x + y;
    let of_y = sum - x;
    [(x - (sum - of_y)) + (y - of_y), sum]
}

/// The error and the rounded difference of two numbers.
fn difference(x: f64, y: f64) -> [f64; 2] {
    two_sum(x, -y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    fn lattice() -> impl Strategy<Value = DVec3> {
        (prop_oneof![Just(1.0), Just(0.1)], prop::array::uniform3(-2..=2_i32))
            .prop_map(|(unit, p)| unit * DVec3::from_array(p.map(f64::from)))
    }

    /// The same decision with a shift that is there, by rational numbers.
    fn crosses(side: Side, segment: [DVec3; 2], triangle: [DVec3; 3]) -> Option<bool> {
        let small = RBig::try_from(1e-40).unwrap();
        let shift = [small.clone(), small.clone() * &small, small.clone() * &small * &small];
        let exact = |p: DVec3, moves: bool| -> [RBig; 3] {
            std::array::from_fn(|k| {
                let x = RBig::try_from(p[k]).unwrap();
                if moves { x + &shift[k] } else { x }
            })
        };
        let [p, q] = segment.map(|v| exact(v, side == Side::B));
        let [a, b, c] = triangle.map(|v| exact(v, side == Side::A));
        let minus = |s: &[RBig; 3], t: &[RBig; 3]| -> [RBig; 3] { std::array::from_fn(|k| &s[k] - &t[k]) };
        let volume = |a: &[RBig; 3], b: &[RBig; 3], c: &[RBig; 3], d: &[RBig; 3]| {
            let [u, v, w] = [minus(b, a), minus(c, a), minus(d, a)];
            &u[0] * (&v[1] * &w[2] - &v[2] * &w[1])
                + &u[1] * (&v[2] * &w[0] - &v[0] * &w[2])
                + &u[2] * (&v[0] * &w[1] - &v[1] * &w[0])
        };
        let [hp, hq] = [&p, &q].map(|x| volume(&a, &b, &c, x) > RBig::ZERO);
        let around = [volume(&p, &q, &a, &b), volume(&p, &q, &b, &c), volume(&p, &q, &c, &a)].map(|x| x > RBig::ZERO);
        (hp != hq && around[0] == around[1] && around[1] == around[2]).then_some(hp)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn signs_of_cross_products_are_exact(
            p in prop::array::uniform3(prop::array::uniform2(-1.0..1.0_f64)),
            factor in prop_oneof![Just(1.0), Just(-2.0), Just(3.0), -1.0..1.0_f64],
            steps in -2..=2_i32,
        ) {
            // Nearly parallel, up to a few of the last bits.
            let [a, b, q] = p.map(|[x, y]| DVec3::new(x, y, 0.0));
            let mut r = q + factor * (b - a);
            for _ in 0..steps.abs() {
                r.y = if steps > 0 { r.y.next_up() } else { r.y.next_down() };
            }
            let exact = |x: f64| RBig::try_from(x).unwrap();
            let minus = |s: DVec3, t: DVec3| [exact(s.x) - exact(t.x), exact(s.y) - exact(t.y)];
            let ([ex, ey], [dx, dy]) = (minus(b, a), minus(r, q));
            let expected = ex * dy - ey * dx;
            let found = cross_sign([a, b], [q, r], 0, 1);
            prop_assert_eq!(found > 0.0, expected > RBig::ZERO);
            prop_assert_eq!(found < 0.0, expected < RBig::ZERO);
        }

        #[test]
        fn decisions_are_those_of_a_small_shift(p in prop::array::uniform5(lattice()), moves in any::<bool>()) {
            let ([p, q], triangle) = ([p[0], p[1]], [p[2], p[3], p[4]]);
            prop_assume!(p != q && crate::shape::predicate::projection_axis(triangle).is_some());
            let side = if moves { Side::B } else { Side::A };
            let found = crossing(side, [p, q], triangle);
            prop_assert_eq!(found.map(|c| c.enters), crosses(side, [p, q], triangle));
            if let Some(c) = found {
                let [a, b, d] = triangle;
                let height = (b - a).cross(d - a).normalize().dot(p + (q - p) * c.fraction - a);
                prop_assert!(height.abs() < 1e-12);
            }
        }
    }
}
