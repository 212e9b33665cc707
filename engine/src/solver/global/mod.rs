//! Contact impulses of a whole island at once, for large connected structures at rest: arches, walls, towers, for which a method
//! that goes from contact to contact needs more sweeps than there is time for.
//!
//! The problem in scaled rows is in `cone_problem`. From the impulses of the step before, a semismooth Newton method on the
//! augmented Lagrangian (`augmented_lagrangian`) takes about one factorization of a sparse matrix (`block_cholesky`) a step.
//! Without such impulses, or where that does not converge, an interior point method takes over (`interior_point`). What neither
//! solves is left to the [Gauss–Seidel method](super::proximal): no iterate that did not converge is used unless it is nearer to
//! the law than that.
//!
//! Rows of joints ([`solve_with_rows`]) are solved with the contacts by the Newton method alone, which meets no matrix that closed loops make
//! singular.
//!
//! The judge is the natural map of the law. Results are the same bits on any machine: nothing is parallel within an island.

mod augmented_lagrangian;
pub(crate) mod block_cholesky;
mod cone_problem;
mod friction_cone;
mod interior_point;
mod row;

use super::{
    BoundedRow, ContactProblem, FrictionModel, Impulse, ResidualScale, Solution, SolverBody, SolverContact,
    SolverError, SolverSettings, Stop, Twist, natural_residual, proximal::solve_unless,
};
use crate::interruption::Interruption;
use augmented_lagrangian::Minimum;
use block_cholesky::BlockCholesky;
use cone_problem::{ConeProblem, Places};

/// From a rough solution the Newton method begins with this share of the penalty: not all regions of the cones are known there.
const ROUGH: f64 = 1e-2;

/// A solution without sliding is taken for one if it misses the law by less, m/s.
const NEAR: f64 = 1e-4;

/// How impulses are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalSettings {
    /// Velocities may miss the law by this, m/s.
    pub velocity_tolerance: f64,
    /// The penalty of the augmented Lagrangian, as a multiple of a contact's own stiffness; above zero. It is lower for a while where the Newton
    /// method makes short steps.
    pub penalty: f64,
    /// The Newton method ends after so many factorizations.
    pub max_factorizations: usize,
}

impl GlobalSettings {
    /// Velocities to 0.1 µm/s, a penalty of 10⁵, 30 factorizations.
    pub const STEPS: Self = Self { velocity_tolerance: 1e-7, penalty: 1e5, max_factorizations: 30 };

    fn check(&self) -> Result<(), SolverError> {
        let refuse = |setting, value, allowed| Err(SolverError::Setting { setting, value, allowed });
        if !(self.velocity_tolerance > 0.0 && self.velocity_tolerance.is_finite()) {
            return refuse(
                "the velocity tolerance of the global solver",
                self.velocity_tolerance,
                "it must be above zero",
            );
        }
        if !(self.penalty > 0.0 && self.penalty.is_finite()) {
            return refuse("the penalty of the global solver", self.penalty, "it must be above zero");
        }
        Ok(())
    }
}

impl Default for GlobalSettings {
    fn default() -> Self {
        Self::STEPS
    }
}

/// Which method found the impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalStatus {
    /// Newton's method.
    Newton,
    /// The interior point method.
    InteriorPoint,
    /// The [Gauss–Seidel method](super::proximal), as the others did not converge.
    GaussSeidel,
    /// The [Gauss–Seidel method](super::proximal), as friction is a [box](super::FrictionModel::Box), or as a body that can
    /// move cannot turn.
    Unsupported,
    /// Newton's method with joints, which did not converge; no other method has them, and the impulses are its nearest ones.
    NotConverged,
}

/// What the method did for an island.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalReport {
    /// Who found the impulses.
    pub status: GlobalStatus,
    /// Factorizations of Newton's method.
    pub factorizations: usize,
    /// Steps of the interior point method, one factorization each.
    pub interior_point_steps: usize,
    /// The largest entry of the natural map, as a velocity at its contact, m/s; zero for [`GlobalStatus::Unsupported`].
    pub natural_map: f64,
}

impl GlobalReport {
    const UNSUPPORTED: Self =
        Self { status: GlobalStatus::Unsupported, factorizations: 0, interior_point_steps: 0, natural_map: 0.0 };
}

/// What was done so far.
#[derive(Default)]
struct Work {
    factorizations: usize,
    interior_point_steps: usize,
}

/// The impulses of the contacts, and the change of each body's twist by them (m/s, rad/s). `iterative` has the law of friction,
/// and says how the Gauss–Seidel method takes over; `start` are initial impulses (none for zero).
///
/// # Errors
/// [`SolverError::Setting`], those of [`ContactProblem::assemble`] and of [`solve`].
pub fn solve_impulses(
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    settings: &GlobalSettings,
    iterative: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    solve_impulses_unless(&Interruption::NEVER, bodies, contacts, settings, iterative, start)
}

/// The same unless it is interrupted.
///
/// # Errors
/// As [`solve_impulses`]; [`SolverError::Interrupted`].
pub(crate) fn solve_impulses_unless(
    interruption: &Interruption,
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    settings: &GlobalSettings,
    iterative: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    let problem = assemble(bodies, contacts, settings, start)?;
    let cone = ConeProblem::new(&problem, bodies, &[], iterative.friction);
    let (impulses, report) = match cone.map(|cone| cone.unless(interruption)) {
        Some(cone) => solve_cones(&cone, settings, start)?,
        None => (None, GlobalReport::UNSUPPORTED),
    };
    let (solution, report) = match (impulses, report.status) {
        (Some(impulses), GlobalStatus::Newton | GlobalStatus::InteriorPoint) => {
            (direct(&problem, iterative.friction, impulses), report)
        }
        (found, _) => {
            let swept = solve_unless(interruption, &problem, iterative, start)?;
            let found = found.map(|impulses| direct(&problem, iterative.friction, impulses));
            match found {
                Some(found) if found.natural_residual < swept.natural_residual => {
                    (found, GlobalReport { status: GlobalStatus::InteriorPoint, ..report })
                }
                _ => (swept, report),
            }
        }
    };
    let changes = problem.twist_changes(&solution.impulses);
    Ok((Solution { global: Some(report), ..solution }, changes))
}

/// The penalties from which the Newton method goes on where it does not converge at once, as shares of that of the settings.
const PENALTIES: [f64; 4] = [1e-6, 1e-4, 1e-2, 1.0];

/// The same with rows of joints beside the contacts, whose impulses come second. `start` are initial impulses of contacts (none for zero) and of rows.
///
/// # Errors
/// As [`solve_impulses`]; [`SolverError::UnsupportedRows`], [`SolverError::Interrupted`].
pub fn solve_with_rows(
    interruption: &Interruption,
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    rows: &[BoundedRow],
    (settings, friction): (&GlobalSettings, FrictionModel),
    start: (&[Impulse], &[f64]),
) -> Result<(Solution, Vec<f64>, Vec<Twist>), SolverError> {
    let problem = assemble(bodies, contacts, settings, start.0)?;
    let cone =
        ConeProblem::new(&problem, bodies, rows, friction).ok_or(SolverError::UnsupportedRows)?.unless(interruption);
    let (mut matrix, places) = cone.matrix();
    let parts = (&mut matrix, &places);
    let mut work = Work::default();
    let known = if start.0.is_empty() { vec![[0.0; 4]; contacts.len()] } else { cone.scaled(start.0) };
    let found = minimise_with_rows(&cone, parts, (known, start.1), settings, &mut work);
    interruption.check()?;
    let natural_map = cone.natural_map(&found.impulses, &found.row_impulses);
    let status = if found.has_converged { GlobalStatus::Newton } else { GlobalStatus::NotConverged };
    let report = GlobalReport { status, factorizations: work.factorizations, interior_point_steps: 0, natural_map };
    let impulses = cone.unscaled(&found.impulses);
    let changes = cone.changes(&found.impulses, &found.row_impulses);
    let mut moved = changes.into_iter();
    let changes = bodies.iter().map(|body| match body.inverse_mass > 0.0 {
        true => moved.next().unwrap_or([0.0; 6]),
        false => [0.0; 6],
    });
    let changes: Vec<Twist> = changes.collect();
    let of_contacts = problem.twist_changes(&impulses);
    let of_rows: Vec<Twist> =
        changes.iter().zip(&of_contacts).map(|(all, own)| std::array::from_fn(|k| all[k] - own[k])).collect();
    let beside = problem.moved_by(&of_rows);
    Ok((Solution { global: Some(report), ..direct(&beside, friction, impulses) }, found.row_impulses, changes))
}

/// From known impulses on, or else with penalties that grow; the nearest impulses, if none converge.
fn minimise_with_rows(
    cone: &ConeProblem,
    (matrix, places): (&mut BlockCholesky, &Places),
    (known, known_of_rows): (Vec<Impulse>, &[f64]),
    settings: &GlobalSettings,
    work: &mut Work,
) -> Minimum {
    let mut best = augmented_lagrangian::minimise(cone, (matrix, places), (&known, known_of_rows), settings, work);
    if best.has_converged {
        return best;
    }
    let map = |found: &Minimum| cone.natural_map(&found.impulses, &found.row_impulses);
    let mut from = (vec![[0.0; 4]; known.len()], vec![0.0; known_of_rows.len()]);
    for share in PENALTIES {
        let softer = GlobalSettings { penalty: share * settings.penalty, ..*settings };
        let mut own = Work::default();
        let found = augmented_lagrangian::minimise(cone, (matrix, places), (&from.0, &from.1), &softer, &mut own);
        work.factorizations += own.factorizations;
        if found.has_converged {
            return found;
        }
        from = (found.impulses.clone(), found.row_impulses.clone());
        // A comparison that is false for what is not a number.
        if map(&found) < map(&best) {
            best = found;
        }
    }
    best
}

/// Impulses, and the change of each body's twist by them (m/s, rad/s).
pub type Changed = (Solution, Vec<Twist>);

/// The same if the natural map is no larger than `most` (m/s) in the end, and none otherwise: then the status is
/// [`GlobalStatus::GaussSeidel`] or [`GlobalStatus::Unsupported`], though nothing was done by that method.
///
/// # Errors
/// [`SolverError::Setting`], [`SolverError::InitialImpulses`], [`SolverError::Interrupted`], those of [`ContactProblem::assemble`].
pub fn converged_impulses(
    interruption: &Interruption,
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    (settings, friction): (&GlobalSettings, FrictionModel),
    start: &[Impulse],
    most: f64,
) -> Result<(Option<Changed>, GlobalReport), SolverError> {
    let problem = assemble(bodies, contacts, settings, start)?;
    let cone = ConeProblem::new(&problem, bodies, &[], friction);
    let (impulses, mut report) = match cone.map(|cone| cone.unless(interruption)) {
        Some(cone) => solve_cones(&cone, settings, start)?,
        None => (None, GlobalReport::UNSUPPORTED),
    };
    let converged = impulses.filter(|_| report.natural_map <= most);
    report.status = match report.status {
        GlobalStatus::GaussSeidel if converged.is_some() => GlobalStatus::InteriorPoint,
        GlobalStatus::Newton | GlobalStatus::InteriorPoint if converged.is_none() => GlobalStatus::GaussSeidel,
        status => status,
    };
    let found = converged.map(|impulses| {
        let changes = problem.twist_changes(&impulses);
        (Solution { global: Some(report), ..direct(&problem, friction, impulses) }, changes)
    });
    Ok((found, report))
}

fn assemble(
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    settings: &GlobalSettings,
    start: &[Impulse],
) -> Result<ContactProblem, SolverError> {
    settings.check()?;
    let problem = ContactProblem::assemble(bodies, contacts)?;
    if !(start.is_empty() || start.len() == contacts.len()) {
        return Err(SolverError::InitialImpulses { expected: contacts.len(), given: start.len() });
    }
    Ok(problem)
}

fn direct(problem: &ContactProblem, friction: FrictionModel, impulses: Vec<Impulse>) -> Solution {
    let natural_residual = natural_residual(problem, friction, &impulses, ResidualScale::Unit);
    Solution {
        impulses,
        residuals: Vec::new(),
        natural_residuals: Vec::new(),
        divergences: 0,
        stop: Stop::Direct,
        natural_residual,
        svd: None,
        global: None,
    }
}

/// Impulses of the best iterate, if there is a finite one, and whether it converged: then the status says who found it.
///
/// # Errors
/// [`SolverError::Interrupted`].
fn solve_cones(
    problem: &ConeProblem,
    settings: &GlobalSettings,
    start: &[Impulse],
) -> Result<(Option<Vec<Impulse>>, GlobalReport), SolverError> {
    let (mut matrix, places) = problem.matrix();
    let mut work = Work::default();
    let mut found: Option<(Vec<Impulse>, bool, GlobalStatus)> = None;
    if start.iter().flatten().any(|&x| x != 0.0) {
        let scaled = problem.scaled(start);
        let newton =
            augmented_lagrangian::minimise(problem, (&mut matrix, &places), (&scaled, &[]), settings, &mut work);
        found = newton.has_converged.then_some((newton.impulses, true, GlobalStatus::Newton));
    }
    // The Newton method makes a rough solution an exact one, if that is near enough.
    let softer = GlobalSettings { penalty: ROUGH * settings.penalty, ..*settings };
    if found.is_none() {
        let rough = interior_point::solve_sticking(problem, (&mut matrix, &places.contacts), settings, &mut work);
        if let Some(impulses) = rough.filter(|impulses| problem.natural_map(impulses, &[]) < NEAR) {
            let mut own = Work::default();
            let better =
                augmented_lagrangian::minimise(problem, (&mut matrix, &places), (&impulses, &[]), &softer, &mut own);
            work.factorizations += own.factorizations;
            found = better.has_converged.then_some((better.impulses, true, GlobalStatus::InteriorPoint));
        }
    }
    if found.is_none() {
        let rough = interior_point::solve(problem, (&mut matrix, &places.contacts), settings, &mut work);
        found = rough.map(|(impulses, is_good)| {
            let mut own = Work::default();
            let better =
                augmented_lagrangian::minimise(problem, (&mut matrix, &places), (&impulses, &[]), &softer, &mut own);
            work.factorizations += own.factorizations;
            let is_better = better.has_converged;
            let impulses = if is_better { better.impulses } else { impulses };
            (impulses, is_good || is_better, GlobalStatus::InteriorPoint)
        });
    }
    problem.interruption.check()?;
    let report = |status, natural_map| GlobalReport {
        status,
        factorizations: work.factorizations,
        interior_point_steps: work.interior_point_steps,
        natural_map,
    };
    let Some((scaled, is_good, status)) = found else {
        return Ok((None, report(GlobalStatus::GaussSeidel, f64::INFINITY)));
    };
    let natural_map = problem.natural_map(&scaled, &[]);
    let impulses = problem.unscaled(&scaled);
    let is_finite = natural_map.is_finite() && impulses.iter().flatten().all(|x| x.is_finite());
    let status = if is_good && is_finite { status } else { GlobalStatus::GaussSeidel };
    Ok((is_finite.then_some(impulses), report(status, natural_map)))
}
