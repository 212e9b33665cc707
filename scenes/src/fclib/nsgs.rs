//! The nonsmooth Gauss–Seidel method (NSGS), for comparison alone.
//!
//! As V. Acary, M. Brémond and O. Huber describe it, "On solving contact problems with Coulomb friction: formulations and numerical
//! comparisons" (2018): contact by contact, with the newest impulses of all others, one contact's problem is solved, by a step of projection
//! onto the cone or to the end. Nothing is relaxed, accelerated or taken back.
//!
//! To the end means: steps of projection whose size ρ adapts to how the velocity answers (the rule of Khobotov as B. He and L. Liao use it).

use super::problem::FclibProblem;
use super::residual::projected;

/// How the problem of one contact is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalSolver {
    /// One projection, with ρ one over a bound of the largest eigenvalue of the contact's own block.
    Projection,
    /// Projections until they move the impulse by no more than rounding, a hundred at most.
    Exact,
}

/// Projections at most for one contact.
const MOST_PROJECTIONS: usize = 100;
/// A projection that moves the impulse by no more than this share is the last one.
const ROUNDING: f64 = 1e-15;
/// A step is as long as ρ|Δu| ≤ this share of |Δr| allows.
const LARGEST_RATIO: f64 = 0.9;
/// Below this ratio the next step is longer.
const SMALL_RATIO: f64 = 0.3;

/// The impulses after a number of sweeps from zero, or `None` if they stop being finite.
pub fn nsgs(problem: &FclibProblem, local: LocalSolver, sweeps: usize) -> Option<Vec<[f64; 3]>> {
    let count = problem.contacts().len();
    let mut impulses = vec![[0.0; 3]; count];
    let mut velocities = problem.velocities(&[]);
    let mut steps: Vec<f64> = (0..count).map(|contact| 1.0 / bound(problem.own_block(contact))).collect();
    for _ in 0..sweeps {
        for contact in 0..count {
            let (before, friction) = (impulses[contact], problem.contacts()[contact].friction);
            let one = Contact { block: problem.own_block(contact), before, velocity: velocities[contact], friction };
            let after = match local {
                LocalSolver::Projection => projected(&before, &one.velocity, friction, steps[contact]),
                LocalSolver::Exact => one.solved(&mut steps[contact]),
            };
            let moved = difference(&after, &before);
            if moved != [0.0; 3] {
                problem.add(contact, &moved, &mut velocities);
                impulses[contact] = after;
            }
        }
    }
    impulses.iter().flatten().all(|x| x.is_finite()).then_some(impulses)
}

/// One contact while the others stay.
struct Contact<'a> {
    block: &'a [[f64; 3]; 3],
    before: [f64; 3],
    /// At `before`.
    velocity: [f64; 3],
    friction: f64,
}

impl Contact<'_> {
    fn velocity(&self, impulse: &[f64; 3]) -> [f64; 3] {
        let moved = difference(impulse, &self.before);
        std::array::from_fn(|i| self.velocity[i] + dot(&self.block[i], &moved))
    }

    /// The impulse that fulfils the law; `rho` is kept from sweep to sweep.
    fn solved(&self, rho: &mut f64) -> [f64; 3] {
        let with_sliding = |u: &[f64; 3]| [u[0] + self.friction * libm::hypot(u[1], u[2]), u[1], u[2]];
        let mut impulse = self.before;
        let mut velocity = self.velocity(&impulse);
        for _ in 0..MOST_PROJECTIONS {
            let (next, reached, ratio) = loop {
                let next = projected(&impulse, &velocity, self.friction, *rho);
                let reached = self.velocity(&next);
                let moved = length(&difference(&next, &impulse));
                let answer = length(&difference(&with_sliding(&reached), &with_sliding(&velocity)));
                if moved <= ROUNDING * length(&next) || moved.is_nan() {
                    return next;
                }
                let ratio = *rho * answer / moved;
                if ratio <= LARGEST_RATIO || ratio.is_nan() {
                    break (next, reached, ratio);
                }
                *rho *= (2.0 / 3.0) * (1.0 / ratio).min(1.0);
            };
            (impulse, velocity) = (next, reached);
            if ratio < SMALL_RATIO {
                *rho *= 1.5;
            }
        }
        impulse
    }
}

/// No less than the largest eigenvalue of the symmetric part of a positive semidefinite block: the largest sum of a row (Gershgorin), or the trace.
fn bound(block: &[[f64; 3]; 3]) -> f64 {
    let symmetric: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (block[i][j] + block[j][i])));
    let rows = symmetric.map(|row| row.into_iter().fold(0.0, |sum, x| sum + x.abs()));
    let trace = (0..3).fold(0.0, |sum, i| sum + symmetric[i][i]);
    rows.into_iter().fold(0.0, f64::max).min(trace)
}

fn difference(x: &[f64; 3], y: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| x[i] - y[i])
}

fn dot(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

fn length(x: &[f64; 3]) -> f64 {
    dot(x, x).sqrt()
}
