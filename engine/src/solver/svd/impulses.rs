//! The method at the level of velocities: the impulses of a time step.

use super::{ForceBody, ForceContact, Forces, Level, SvdReport, SvdSettings, SvdStatus, solve_forces};
use crate::solver::{
    ContactProblem, ContactRows, FrictionModel, Impulse, ResidualScale, Solution, SolverBody, SolverContact,
    SolverError, SolverSettings, Stop, Twist, natural_residual, solve,
};

/// The impulses of the contacts, and the change of each body's twist by them (m/s, rad/s). Contacts are static or dynamic by
/// their velocity before the step. Where the method fails, `iterative` says how the iterative solver takes over, from the
/// impulses `start` on (none for zero).
///
/// The law is the same either way: friction within the ellipse of the coefficients along s and t (for
/// [`FrictionModel::Ball`] the circle of the first; for [`FrictionModel::Box`] the ellipse within it), none about the normal.
/// All arithmetic is in double precision.
///
/// # Errors
/// Those of [`ContactProblem::assemble`], [`solve_forces`] and [`solve`].
pub fn solve_impulses(
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    settings: &SvdSettings,
    iterative: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    let torsion = |contact: &&SolverContact| match iterative.friction {
        FrictionModel::Ball => contact.friction[0] > 0.0,
        FrictionModel::Ellipsoid | FrictionModel::Box => contact.friction[2] > 0.0,
    };
    let torsion_ignored = contacts.iter().filter(torsion).count();
    let contacts: Vec<SolverContact> = contacts
        .iter()
        .map(|contact| {
            let [s, t, _] = contact.friction;
            let t = if iterative.friction == FrictionModel::Ball { s } else { t };
            SolverContact { friction: [s, t, 0.0], ..*contact }
        })
        .collect();
    let problem = ContactProblem::assemble(bodies, &contacts)?;
    let free = |body: &SolverBody| ForceBody {
        inverse_mass: body.inverse_mass,
        inverse_inertia: body.inverse_inertia,
        free: std::array::from_fn(|k| body.twist[k] + body.forced_change[k]),
    };
    let before: Vec<Twist> = bodies.iter().map(|body| body.twist).collect();
    let force_bodies: Vec<ForceBody> = bodies.iter().map(free).collect();
    let force_contacts: Vec<ForceContact> =
        problem.contacts().iter().zip(&contacts).map(|(rows, contact)| force_contact(rows, contact, &before)).collect();
    let Forces { forces, report, .. } = solve_forces(&force_bodies, &force_contacts, Level::Velocity, settings)?;
    let mut report = SvdReport { torsion_ignored, ..report };

    let law = SolverSettings { friction: FrictionModel::Ellipsoid, ..*iterative };
    let solution = match report.status {
        SvdStatus::Undecided(failure) => {
            report.status = SvdStatus::ProximalGaussSeidel(failure);
            let without_torsion: Vec<Impulse> = start.iter().map(|&[n, s, t, _]| [n, s, t, 0.0]).collect();
            solve(&problem, &law, &without_torsion)?
        }
        // Some motion is better than none: as near to the law as the iteration comes.
        SvdStatus::Inconsistent => solve(&problem, &law, &[])?,
        _ => {
            let impulses: Vec<Impulse> = forces.into_iter().map(|[n, s, t]| [n, s, t, 0.0]).collect();
            let natural_residual = natural_residual(&problem, law.friction, &impulses, ResidualScale::Unit);
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
    };
    let changes = problem.twist_changes(&solution.impulses);
    Ok((Solution { svd: Some(report), ..solution }, changes))
}

fn force_contact(rows: &ContactRows, contact: &SolverContact, before: &[Twist]) -> ForceContact {
    let [normal, s, t, _] = rows.relative_velocity(before);
    ForceContact {
        bodies: rows.bodies,
        jacobian: std::array::from_fn(|row| std::array::from_fn(|column| rows.jacobian[column][row])),
        bias: [contact.restitution * normal + contact.stabilisation, 0.0, 0.0],
        sliding: [s, t],
        friction: [contact.friction[0], contact.friction[1]],
    }
}
