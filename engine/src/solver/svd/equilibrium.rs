//! The force of least norm within the cones of friction that holds everything still.
//!
//! Where no contact has to slide, statuses are a detour: a static contact may bear any force within its cone, and among all
//! sets of forces within their cones that balance the bodies one has the least norm. It is f = P(G v), P the projection onto
//! the cones and v the multiplier of the balance G_Cᵀ f + y = 0, that is the minimum of the convex ½|P(G v)|² + y·v. With P
//! left out it is the force of least norm without cones, from which a semismooth Newton method starts: each
//! step is one linear system over those contacts whose force is not zero. (L. Qi, J. Sun, "A nonsmooth version of Newton's
//! method", Math. Programming 58, 1993, with a line search and a regularisation that vanishes with the residual.)

use super::SvdSettings;
use super::factors::{Row, apply, spread};
use super::force_balance::Slots;
use super::singular_values::{dot, norm};

/// Steps at most; some twenty are usual.
const STEPS: usize = 60;

/// The residual of the balance, by the load, at which the iteration ends.
const BALANCED: f64 = 1e-13;

/// The regularisation at most, as a share of the normal matrix.
const REGULARISATION: f64 = 1e-3;

/// Share of the expected descent that a step has to bring, and halvings of a step.
const DESCENT: f64 = 1e-4;
const HALVINGS: usize = 30;

/// Forces and how many linear systems they took.
pub struct Equilibrium {
    /// Along normal, s and t; three rows each.
    pub forces: Vec<[f64; 3]>,
    /// Linear systems.
    pub solves: usize,
    /// Whether the balance is met.
    pub holds: bool,
}

/// Solves for contacts that are all static, three rows each; `friction` has one coefficient for each contact. Nothing is found
/// if a body may move in spite of all of them.
pub fn solve(rows: &[Row], free: &[f64], friction: &[f64], settings: &SvdSettings) -> Option<Equilibrium> {
    let slots = Slots::new(rows, free.len() / 6);
    let whole = slots.normal_matrix(rows, |row| &row.pushed).factor(settings.pivot_tolerance);
    if whole.rank() < free.len() {
        return None;
    }
    let made = slots.made(rows, &whole);
    let load: Vec<f64> = free.iter().zip(&made).map(|(a, e)| a + e).collect();
    let size = norm(&load);
    let problem = Problem { rows, friction, load: &load };
    let mut v: Vec<f64> = slots.unsorted(&whole.solve(&slots.sorted(&load))).iter().map(|x| -x).collect();
    let mut value = problem.value(&v);
    let (mut solves, mut best) = (1, f64::INFINITY);
    for _ in 0..STEPS {
        let residual = problem.residual(&v);
        let missing = norm(&residual);
        // Rounding ends it too.
        if missing <= BALANCED * size || missing >= best && missing <= settings.balance_tolerance * size {
            break;
        }
        best = missing;
        let matrix =
            slots.normal_matrix(&problem.derivative(&v, (missing / size).min(REGULARISATION)), |row| &row.pushed);
        let step = slots.unsorted(&matrix.factor(settings.pivot_tolerance).solve(&slots.sorted(&residual)));
        solves += 1;
        let descent = dot(&residual, &step);
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = v.iter().zip(&step).map(|(v, s)| v - share * s).collect();
            let next_value = problem.value(&next);
            // Near the end the values differ by rounding alone, and the residual decides.
            let falls = next_value <= value - DESCENT * share * descent;
            if falls || share == 1.0 && norm(&problem.residual(&next)) < 0.5 * missing {
                (v, value) = (next, next_value);
                break;
            }
            share *= 0.5;
        }
    }
    let holds = norm(&problem.residual(&v)) <= settings.balance_tolerance * size;
    Some(Equilibrium { forces: problem.forces(&v), solves, holds })
}

struct Problem<'a> {
    rows: &'a [Row],
    friction: &'a [f64],
    load: &'a [f64],
}

impl Problem<'_> {
    /// G v, by contacts.
    fn unbounded(&self, v: &[f64]) -> impl Iterator<Item = [f64; 3]> {
        self.rows.as_chunks::<3>().0.iter().map(|rows| rows.each_ref().map(|row| apply(&row.pushed, row.bodies, v)))
    }

    fn forces(&self, v: &[f64]) -> Vec<[f64; 3]> {
        self.unbounded(v).zip(self.friction).map(|(z, &mu)| Part::of(z, mu).force).collect()
    }

    fn value(&self, v: &[f64]) -> f64 {
        let square: f64 = self.forces(v).iter().flatten().map(|f| f * f).sum();
        0.5 * square + dot(self.load, v)
    }

    /// Gᵀ P(G v) + y.
    fn residual(&self, v: &[f64]) -> Vec<f64> {
        let mut residual = self.load.to_vec();
        for (rows, force) in self.rows.as_chunks::<3>().0.iter().zip(self.forces(v)) {
            rows.iter().zip(force).for_each(|(row, f)| spread(&row.pushed, row.bodies, f, &mut residual));
        }
        residual
    }

    /// Rows whose normal matrix is the derivative of the residual, regularised.
    fn derivative(&self, v: &[f64], regularisation: f64) -> Vec<Row> {
        let mut derivative = Vec::new();
        for ((rows, z), &mu) in self.rows.as_chunks::<3>().0.iter().zip(self.unbounded(v)).zip(self.friction) {
            let combined = |weights: [f64; 3]| {
                let pushed = std::array::from_fn(|k| rows.iter().zip(weights).map(|(row, w)| w * row.pushed[k]).sum());
                Row { pushed, ..rows[0] }
            };
            let part = Part::of(z, mu);
            derivative.extend(part.derivative.into_iter().filter(|w| *w != [0.0; 3]).map(combined));
            let root = regularisation.sqrt();
            derivative.extend([[root, 0.0, 0.0], [0.0, root, 0.0], [0.0, 0.0, root]].map(combined));
        }
        derivative
    }
}

/// The projection of a force onto a round cone, and the vectors the sum of whose squares is its derivative.
struct Part {
    force: [f64; 3],
    derivative: [[f64; 3]; 3],
}

impl Part {
    fn of([n, s, t]: [f64; 3], mu: f64) -> Self {
        let slide = (s * s + t * t).sqrt();
        if slide <= mu * n {
            return Self { force: [n, s, t], derivative: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };
        }
        let along = (n + mu * slide) / (1.0 + mu * mu);
        if along <= 0.0 {
            return Self { force: [0.0; 3], derivative: [[0.0; 3]; 3] };
        }
        // Outside of the cone and not of its polar one: there is a direction unless n is positive and μ zero.
        let [x, y] = if slide > 0.0 { [s / slide, t / slide] } else { [0.0; 2] };
        let length = (1.0 + mu * mu).sqrt();
        let turn = if slide > 0.0 { (mu * along / slide).sqrt() } else { 0.0 };
        Self {
            force: [along, mu * along * x, mu * along * y],
            derivative: [[1.0 / length, mu * x / length, mu * y / length], [0.0, -turn * y, turn * x], [0.0; 3]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// x − P(x) is normal to the cone at P(x), and the derivative is that of differences.
        #[test]
        fn projections_and_their_derivatives(x in prop::array::uniform3(-2.0..2.0f64), mu in 0.0..2.0f64) {
            let Part { force: p, derivative } = Part::of(x, mu);
            let inner = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
            let rest: [f64; 3] = std::array::from_fn(|k| x[k] - p[k]);
            prop_assert!(p[1].hypot(p[2]) <= mu * p[0] + 1e-14 && inner(rest, p).abs() < 1e-14);
            prop_assert!(mu * rest[1].hypot(rest[2]) <= -rest[0] + 1e-14, "the rest lies in the polar cone");
            let kink = (x[1].hypot(x[2]) - mu * x[0]).abs().min((x[0] + mu * x[1].hypot(x[2])).abs());
            prop_assume!(kink > 1e-3 && x[1].hypot(x[2]) > 1e-2);
            for k in 0..3 {
                let mut moved = x;
                moved[k] += 1e-7;
                let after = Part::of(moved, mu).force;
                for i in 0..3 {
                    let expected: f64 = derivative.iter().map(|w| w[i] * w[k]).sum();
                    prop_assert!(((after[i] - p[i]) / 1e-7 - expected).abs() < 1e-3);
                }
            }
        }
    }
}
