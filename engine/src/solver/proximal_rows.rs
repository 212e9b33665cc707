//! The [proximal Gauss–Seidel method](super::proximal) with rows of joints beside the contacts.
//!
//! A sweep visits the contacts as that method does, then the rows: the impulse of a row moves by what brings its velocity to its target,
//! −s/(J M⁻¹ Jᵀ + compliance), and stays within its bounds. Sweeps forward and backward are the steps of the nonsmooth conjugate gradient method of
//! [`Rollback::Conjugate`](super::Rollback::Conjugate), whatever the rule of the settings.
//!
//! Joints of a chain hear of each other one link a sweep, and light bodies that carry heavy ones need as many sweeps as the ratio of the masses
//! says: for those there is the [global method](super::global).

use super::bounded_row::SIDES;
use super::conjugate::ConjugateDirections;
use super::proximal::check;
use super::r_factor::{Measure, Order, Updates, larger};
use super::rollback::Watch;
use super::{
    BoundedRow, ContactOperator, ContactProblem, Impulse, ResidualScale, Solution, SolverBody, SolverContact,
    SolverError, SolverSettings, Stop, Twist, natural_residual, twist,
};
use crate::interruption::Interruption;
use arrayvec::ArrayVec;
use glam::DVec3;

/// A row with what its impulse does.
struct Row {
    /// Bodies with the gradients of the velocity, and the changes of their twists by a unit impulse.
    sides: ArrayVec<(usize, Twist, Twist), SIDES>,
    /// The velocity without impulses less the target, m/s or rad/s.
    bias: f64,
    bounds: [f64; 2],
    compliance: f64,
    /// J M⁻¹ Jᵀ and the compliance, 1/kg or 1/(kg m²); zero of a row that nothing moves.
    response: f64,
}

impl Row {
    fn new(row: &BoundedRow, bodies: &[SolverBody]) -> Self {
        let (mut bias, mut response) = (row.offset - row.target, row.compliance);
        let mut sides = ArrayVec::new();
        for &(body, gradient) in &row.sides {
            let state = &bodies[body];
            let moved = changed(state, &gradient);
            bias += (0..6).map(|k| gradient[k] * (state.twist[k] + state.forced_change[k])).sum::<f64>();
            response += dot(&gradient, &moved);
            sides.push((body, gradient, moved));
        }
        Self { sides, bias, bounds: row.bounds, compliance: row.compliance, response }
    }

    /// Brings the impulse to what the velocity asks for; how far it has moved.
    fn visit(&self, impulse: &mut f64, changes: &mut [Twist]) -> f64 {
        // Nothing that a row asks for moves what cannot be moved.
        if self.response == 0.0 {
            return 0.0;
        }
        let gained: f64 = self.sides.iter().map(|(body, gradient, _)| dot(gradient, &changes[*body])).sum();
        let missing = self.bias + gained + self.compliance * *impulse;
        let next = (*impulse - missing / self.response).clamp(self.bounds[0], self.bounds[1]);
        let moved = next - std::mem::replace(impulse, next);
        self.push(moved, changes);
        moved.abs()
    }

    /// Adds the effect of an impulse to the changes of the twists.
    fn push(&self, impulse: f64, changes: &mut [Twist]) {
        for (body, _, moved) in &self.sides {
            changes[*body].iter_mut().zip(moved).for_each(|(change, by)| *change += impulse * by);
        }
    }
}

/// What a unit impulse changes of the twist of a body.
fn changed(body: &SolverBody, &[x, y, z, p, q, r]: &Twist) -> Twist {
    twist(DVec3::new(x, y, z) * body.inverse_mass, body.inverse_inertia * DVec3::new(p, q, r))
}

fn dot(x: &Twist, y: &Twist) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The problem, and what belongs to the impulses of a sweep: those of the contacts, then of each row one, whose last three components are zero.
struct Tied<'a> {
    problem: &'a ContactProblem,
    rows: Vec<Row>,
    updates: Updates,
}

impl Tied<'_> {
    /// What the impulses do to the twists of the bodies.
    fn changes(&self, impulses: &[Impulse]) -> Vec<Twist> {
        let (contacts, rows) = impulses.split_at(self.problem.contact_count());
        let mut changes = self.problem.motion(contacts);
        self.rows.iter().zip(rows).for_each(|(row, impulse)| row.push(impulse[0], &mut changes));
        changes
    }

    /// A sweep; the largest move of an impulse that unscaled steps would have made.
    fn sweep(&self, order: Order, impulses: &mut [Impulse], changes: &mut Vec<Twist>) -> f64 {
        let (contacts, rows) = impulses.split_at_mut(self.problem.contact_count());
        let mut most = 0.0;
        if order == Order::Forward {
            most = self.updates.sweep(self.problem, Measure::FullMove, order, contacts, changes);
        }
        let mut visit = |(row, impulse): (&Row, &mut Impulse)| most = larger(most, row.visit(&mut impulse[0], changes));
        match order {
            Order::Forward => self.rows.iter().zip(rows).for_each(&mut visit),
            Order::Backward => self.rows.iter().zip(rows).rev().for_each(&mut visit),
        }
        if order == Order::Backward {
            most = larger(most, self.updates.sweep(self.problem, Measure::FullMove, order, contacts, changes));
        }
        most
    }

    /// The diagonal of the matrix; one where there is no row.
    fn diagonal(&self) -> Vec<Impulse> {
        let contacts = (0..self.problem.contact_count()).map(|k| {
            let block = self.problem.diagonal_block(k);
            std::array::from_fn(|i| block[i][i])
        });
        contacts.chain(self.rows.iter().map(|row| [row.response, 1.0, 1.0, 1.0])).collect()
    }
}

/// The impulses of contacts, those of rows, and the change of each body's twist by both (m/s, rad/s). `start` are initial impulses of contacts (none for
/// zero) and of rows.
///
/// # Errors
/// [`SolverError::Setting`], [`SolverError::InitialImpulses`], [`SolverError::Unresponsive`], [`SolverError::NotFinite`],
/// [`SolverError::Interrupted`] between two sweeps, those of
/// [`ContactProblem::assemble`].
pub fn solve_with_rows(
    interruption: &Interruption,
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    rows: &[BoundedRow],
    settings: &SolverSettings,
    start: (&[Impulse], &[f64]),
) -> Result<(Solution, Vec<f64>, Vec<Twist>), SolverError> {
    check(settings)?;
    let problem = ContactProblem::assemble(bodies, contacts)?;
    if !(start.0.is_empty() || start.0.len() == contacts.len()) {
        return Err(SolverError::InitialImpulses { expected: contacts.len(), given: start.0.len() });
    }
    let updates = settings.r_factor.updates(&problem, settings.friction)?;
    let rows: Vec<Row> = rows.iter().map(|row| Row::new(row, bodies)).collect();
    let mut tied = Tied { problem: &problem, rows, updates };
    let mut impulses = start.0.to_vec();
    impulses.resize(contacts.len(), [0.0; 4]);
    impulses.extend(start.1.iter().map(|&impulse| [impulse, 0.0, 0.0, 0.0]));
    let (found, residuals, divergences, stop) = iterate(interruption, &mut tied, settings, impulses)?;

    let changes = tied.changes(&found);
    let (of_contacts, of_rows) = found.split_at(contacts.len());
    let row_impulses: Vec<f64> = of_rows.iter().map(|impulse| impulse[0]).collect();
    let mut by_rows = vec![[0.0; 6]; bodies.len()];
    tied.rows.iter().zip(of_rows).for_each(|(row, impulse)| row.push(impulse[0], &mut by_rows));
    let beside = problem.moved_by(&by_rows);
    let natural_residual = natural_residual(&beside, settings.friction, of_contacts, ResidualScale::Unit);
    let solution = Solution {
        impulses: of_contacts.to_vec(),
        residuals,
        natural_residuals: Vec::new(),
        divergences,
        stop,
        natural_residual,
        svd: None,
        global: None,
    };
    Ok((solution, row_impulses, changes))
}

/// The best impulses, the residuals of the sweeps, how many diverged, and why the iteration ended.
fn iterate(
    interruption: &Interruption,
    tied: &mut Tied<'_>,
    settings: &SolverSettings,
    mut impulses: Vec<Impulse>,
) -> Result<(Vec<Impulse>, Vec<f64>, usize, Stop), SolverError> {
    let mut changes = tied.changes(&impulses);
    let mut kept = (impulses.clone(), changes.clone());
    let mut watch = Watch::new(settings.r_factor);
    let mut directions = ConjugateDirections::new(tied.diagonal());
    let (mut residuals, mut divergences, mut last) = (Vec::new(), 0, f64::INFINITY);
    let mut order = Order::Forward;
    for number in 1..=settings.max_iterations {
        interruption.check()?;
        if order == Order::Forward {
            directions.begin(&impulses);
        }
        let residual = tied.sweep(order, &mut impulses, &mut changes);
        if !residual.is_finite() {
            return Err(SolverError::NotFinite { sweep: residuals.len() });
        }
        residuals.push(residual);
        let stop = if residual == 0.0 {
            Some(Stop::FixedPoint)
        } else if residual < settings.absolute_tolerance {
            Some(Stop::AbsoluteTolerance)
        } else if (residual - last).abs() < settings.relative_tolerance * last {
            Some(Stop::RelativeTolerance)
        } else {
            None
        };
        if let Some(stop) = stop {
            return Ok((impulses, residuals, divergences, stop));
        }
        last = residual;
        let verdict = watch.judge(residual, tied.updates.share());
        if verdict.keep {
            kept.0.clone_from(&impulses);
            kept.1.clone_from(&changes);
        }
        if verdict.scale != 1.0 {
            tied.updates.scale(verdict.scale);
        }
        if verdict.go_back {
            divergences += 1;
            impulses.clone_from(&kept.0);
            changes.clone_from(&kept.1);
            directions.restart();
            order = Order::Forward;
        } else if order == Order::Forward {
            order = Order::Backward;
        } else {
            order = Order::Forward;
            // The last impulses stay as they were swept, within their bounds.
            if number < settings.max_iterations && directions.advance(&mut impulses) {
                changes = tied.changes(&impulses);
            }
        }
    }
    let best = if residuals.last() <= residuals.iter().min_by(|x, y| x.total_cmp(y)) { impulses } else { kept.0 };
    Ok((best, residuals, divergences, Stop::IterationLimit))
}
