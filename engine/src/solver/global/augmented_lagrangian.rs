//! The augmented Lagrangian of the cone problem, minimised by a semismooth Newton method.
//!
//! With λ̂, the sliding speeds s = |û_t| of De Saxcé's term, penalties ρ_c and y = λ̂ − ρ_c (û + s e_n) it is
//! φ(w) = ½|w|²_M + Σ |P_K(y)|²/(2ρ_c); its gradient is Mw − JᵀP_K(y), its generalised Hessian M + Jᵀρ_c DP_K(y) J. At the
//! minimum λ̂ becomes P_K(y) and s follows. The line search looks for the root of the slope: values of φ cancel. Rows of joints take part in the same
//! way with an interval in place of a cone, and a stiffness in place of ρ_c DP_K(y).
//!
//! Far from the minimum a high penalty makes φ bend so sharply where contacts begin to slide or to open that steps end there, one after the other.
//! Where a step is that short, or many do not lead to the minimum, the penalty becomes lower; with each new λ̂ it grows again.

use super::block_cholesky::{BlockCholesky, Column, dot};
use super::cone_problem::{ConeProblem, Places};
use super::friction_cone::{Region, derivative, project, tangent};
use super::{GlobalSettings, Work};
use crate::solver::Impulse;

/// Outer iterations at most.
const MAX_OUTER: usize = 30;

/// Points of a line search at most.
const MAX_POINTS: usize = 30;

/// A full step is taken if the slope there is no larger than this share of the slope at its begin.
const FULL_STEP: f64 = 0.5;

/// The line search ends where the slope is no larger than this share.
const FLAT: f64 = 0.1;

/// A step of less than this share is short.
const SHORT: f64 = 0.1;

/// So many steps are many.
const MANY: usize = 6;

/// Then the penalty becomes the next of these shares of that of the settings; with each new λ̂ the one before.
const SHARES: [f64; 5] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4];

/// What is known at a point w.
struct Point {
    changes: Vec<Column>,
    gradient: Vec<Column>,
    /// y of each contact.
    shifted: Vec<Impulse>,
    /// P_K(y).
    projected: Vec<Impulse>,
    regions: Vec<Region>,
    /// |û_t|.
    sliding: Vec<f64>,
    /// The impulses of rows, and whether they are between their bounds.
    rows: Vec<(f64, bool)>,
}

/// The iteration.
struct Newton<'p> {
    problem: &'p ConeProblem,
    penalty: f64,
    impulses: Vec<Impulse>,
    sliding: Vec<f64>,
    row_impulses: Vec<f64>,
}

impl Newton<'_> {
    fn at(&self, changes: Vec<Column>) -> Point {
        let problem = self.problem;
        let times_mass =
            |(mass, change): (&super::block_cholesky::Block, &Column)| mass.each_ref().map(|row| dot(row, change));
        let mut gradient: Vec<Column> = problem.masses.iter().zip(&changes).map(times_mass).collect();
        let count = problem.contacts.len();
        let (mut shifted, mut projected) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut regions, mut sliding) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (k, contact) in problem.contacts.iter().enumerate() {
            let velocity = contact.velocity(&changes);
            let penalty = self.penalty / contact.compliance;
            let mut y: Impulse = std::array::from_fn(|i| self.impulses[k][i] - penalty * velocity[i]);
            y[0] -= penalty * self.sliding[k];
            let (nearest, region) = project(&y);
            if region != Region::Below {
                contact.add_impulse(&nearest, -1.0, &mut gradient);
            }
            shifted.push(y);
            projected.push(nearest);
            regions.push(region);
            sliding.push(tangent(&velocity));
        }
        let rows = problem.rows.iter().zip(&self.row_impulses);
        let rows: Vec<(f64, bool)> = rows.map(|(row, &known)| row.project(known, &changes, self.penalty)).collect();
        for (row, &(impulse, _)) in problem.rows.iter().zip(&rows) {
            row.add_impulse(-impulse, &mut gradient);
        }
        Point { changes, gradient, shifted, projected, regions, sliding, rows }
    }

    fn end(self, has_converged: bool) -> Minimum {
        Minimum { impulses: self.impulses, row_impulses: self.row_impulses, has_converged }
    }

    /// The largest velocity by which the gradient misses zero.
    fn missing(&self, point: &Point) -> f64 {
        let largest = |(body, gradient): (usize, &Column)| {
            self.problem.change(body, gradient).into_iter().map(f64::abs).fold(0.0, f64::max)
        };
        point.gradient.iter().enumerate().map(largest).fold(0.0, f64::max)
    }

    /// The next point along a direction: a whole step, or to where the slope is about zero (Illinois method).
    fn search(&self, point: &Point, direction: &[Column]) -> (Point, f64) {
        let slope = |at: &Point| -> f64 { at.gradient.iter().zip(direction).map(|(g, d)| dot(g, d)).sum() };
        let moved = |share: f64| {
            let along = |(w, d): (&Column, &Column)| std::array::from_fn(|k| w[k] + share * d[k]);
            self.at(point.changes.iter().zip(direction).map(along).collect())
        };
        let begin = slope(point);
        let (mut share, mut next) = (1.0, moved(1.0));
        let mut end = slope(&next);
        if end > FULL_STEP * begin.abs() {
            let (mut low, mut high, mut at_low, mut at_high) = (0.0, 1.0, begin, end);
            let mut last_was_high = None;
            for _ in 0..MAX_POINTS {
                share = (low * at_high - high * at_low) / (at_high - at_low);
                if !(share > low && share < high) {
                    share = 0.5 * (low + high);
                }
                next = moved(share);
                end = slope(&next);
                if end.abs() <= FLAT * begin.abs() {
                    break;
                }
                let is_high = end > 0.0;
                if is_high {
                    (high, at_high) = (share, end);
                    at_low *= if last_was_high == Some(true) { 0.5 } else { 1.0 };
                } else {
                    (low, at_low) = (share, end);
                    at_high *= if last_was_high == Some(false) { 0.5 } else { 1.0 };
                }
                last_was_high = Some(is_high);
            }
        }
        (next, share)
    }
}

/// What the iteration has come to.
pub struct Minimum {
    /// Scaled.
    pub impulses: Vec<Impulse>,
    pub row_impulses: Vec<f64>,
    pub has_converged: bool,
}

/// Impulses of contacts (scaled) and of rows from initial ones on.
pub fn minimise(
    problem: &ConeProblem,
    (matrix, places): (&mut BlockCholesky, &Places),
    (start, start_of_rows): (&[Impulse], &[f64]),
    settings: &GlobalSettings,
    work: &mut Work,
) -> Minimum {
    let tolerance = settings.velocity_tolerance;
    let impulses: Vec<Impulse> = start.iter().map(|impulse| project(impulse).0).collect();
    let row_impulses: Vec<f64> =
        problem.rows.iter().zip(start_of_rows).map(|(row, &impulse)| row.within(impulse)).collect();
    let changes = problem.changes(&impulses, &row_impulses);
    let sliding = problem.contacts.iter().map(|contact| tangent(&contact.velocity(&changes))).collect();
    let mut newton = Newton { problem, penalty: settings.penalty, impulses, sliding, row_impulses };
    let mut point = newton.at(changes);
    let mut softer = 0;
    for _ in 0..MAX_OUTER {
        let mut steps = 0;
        loop {
            if problem.interruption.is_wanted() {
                return newton.end(false);
            }
            let missing = newton.missing(&point);
            let is_small = missing < tolerance && work.factorizations > 0 || missing < 1e-4 * tolerance;
            if is_small || !missing.is_finite() || work.factorizations >= settings.max_factorizations {
                break;
            }
            problem.assemble(matrix, &places.contacts, |k, contact| {
                let penalty = newton.penalty / contact.compliance;
                let is_open = point.regions[k] == Region::Below;
                (!is_open).then(|| derivative(&point.shifted[k], point.regions[k]).map(|row| row.map(|x| x * penalty)))
            });
            for ((row, places), _) in problem.rows.iter().zip(&places.rows).zip(&point.rows).filter(|(_, own)| own.1) {
                row.add_stiffness(matrix, places, newton.penalty);
            }
            work.factorizations += 1;
            if !matrix.factorize() {
                return newton.end(false);
            }
            let down: Vec<Column> = point.gradient.iter().map(|gradient| gradient.map(|x| -x)).collect();
            let direction = matrix.solve(&down);
            let (next, share) = newton.search(&point, &direction);
            let largest = direction.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max);
            point = next;
            // Rounding.
            if share * largest < 1e-15 {
                break;
            }
            steps += 1;
            let may_lower = softer + 1 < SHARES.len() && work.factorizations < settings.max_factorizations;
            if may_lower && (share < SHORT || steps == MANY) && newton.missing(&point) >= tolerance {
                (softer, steps) = (softer + 1, 0);
                newton.penalty = SHARES[softer] * settings.penalty;
                point = newton.at(point.changes);
            }
        }
        let (mut impulse_change, mut sliding_change) = (0.0_f64, 0.0_f64);
        for (k, contact) in problem.contacts.iter().enumerate() {
            for i in 0..4 {
                let change = (point.projected[k][i] - newton.impulses[k][i]).abs();
                impulse_change = impulse_change.max(change * contact.compliance / newton.penalty);
            }
            if point.regions[k] != Region::Below {
                sliding_change = sliding_change.max((point.sliding[k] - newton.sliding[k]).abs());
            }
        }
        for (row, (&(impulse, _), known)) in problem.rows.iter().zip(point.rows.iter().zip(&mut newton.row_impulses)) {
            let of_row = row.change((impulse - *known).abs(), newton.penalty);
            impulse_change = impulse_change.max(of_row);
            *known = impulse;
        }
        newton.impulses.clone_from(&point.projected);
        newton.sliding.clone_from(&point.sliding);
        if softer > 0 {
            softer -= 1;
            newton.penalty = SHARES[softer] * settings.penalty;
        } else if impulse_change < tolerance && sliding_change < tolerance {
            return newton.end(true);
        }
        if work.factorizations >= settings.max_factorizations {
            break;
        }
        point = newton.at(point.changes);
    }
    newton.end(false)
}
