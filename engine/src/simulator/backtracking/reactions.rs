//! Contact forces: what keeps the contacts of the sets from accelerating towards each other (paper, section 4.2).
//!
//! Contacts that part bear nothing. At the others the gap shall accelerate by −2 k ġ − k² (g − rest), k the rate of the
//! settings: zero but for roundings, and for contacts that were promoted, which sink to where they are held. Contacts that
//! stick lose the velocity that they slide with at the same rate.

use super::contact_row::ContactRow;
use super::integrator::Acceleration;
use super::sets::{Sets, Touch};
use super::{BacktrackingError, BacktrackingSettings, Work};
use crate::body::{Body, BodyId};
use crate::islands::{Island, islands};
use crate::solver::contact_problem::tangents;
use crate::solver::svd::impulses::solve_impulses;
use crate::solver::svd::{ForceBody, ForceContact, Forces, Level};
use crate::solver::{SolverBody, SolverContact, SolverError, SvdSettings, SvdStatus, solve_forces, twist};
use glam::DVec3;

/// What the forces at contacts do.
pub struct Reactions {
    /// Of each body, with all forces on it.
    pub accelerations: Vec<Acceleration>,
    /// On B at each contact, world frame, N.
    pub forces: Vec<DVec3>,
}

/// What a contact does over an interval. It is decided at its start, as are the accelerations of [`Course`]: the
/// velocities at the stages of an integration step are off by its square, which is more than the speeds that decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// It parts, and bears nothing.
    Parting,
    /// It bears a force and does not slide.
    Sticking,
    /// It bears a force and slides in this direction, unit, world frame.
    Sliding(DVec3),
}

/// What a contact does over an interval, and the accelerations that bring it to where and how it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    pub mode: Mode,
    /// Of the gap, m/s².
    pub lift: f64,
    /// Across the normal, for contacts that stick, m/s².
    pub slowing: DVec3,
    /// Whether it is farther away than contacts live that were not promoted; it has no friction until it has sunk.
    pub sinks: bool,
    /// For how long friction has a direction, s: until it has taken away a share of the speed that the contact slides with.
    pub lasts: f64,
}

/// The share of its speed that a sliding contact may lose in an interval.
const SHARE: f64 = 0.5;

/// What each contact does where the bodies are.
pub fn courses(settings: &BacktrackingSettings, sets: &Sets, bodies: &[Body], touches: &[Touch]) -> Vec<Course> {
    let (k, least) = (settings.rate, settings.least_hold * settings.reach.enter);
    let fall = settings.forces.gravity.length();
    let course = |touch: &Touch| match sets.row(touch, bodies) {
        Some(row) if row.normal_speed <= settings.parting_speed => {
            let mode = match row.sliding.length() {
                speed if speed > settings.static_speed => Mode::Sliding(row.sliding / speed),
                _ => Mode::Sticking,
            };
            let off = (row.gap - touch.rest).max(0.0) + (row.gap - least).min(0.0);
            let lasts = match mode {
                Mode::Sliding(_) => SHARE * row.sliding.length() / (touch.friction[0].max(touch.friction[1]) * fall),
                _ => f64::INFINITY,
            };
            let (lift, slowing) = (-2.0 * k * row.normal_speed - k * k * off, -k * row.sliding);
            Course { mode, lift, slowing, sinks: row.gap > settings.reach.leave, lasts }
        }
        _ => Course { mode: Mode::Parting, lift: 0.0, slowing: DVec3::ZERO, sinks: false, lasts: f64::INFINITY },
    };
    touches.iter().map(course).collect()
}

/// Finds the forces at the contacts where the bodies are.
///
/// # Errors
/// [`BacktrackingError::Solver`].
pub fn reactions(
    settings: &BacktrackingSettings,
    sets: &Sets,
    bodies: &[Body],
    touches: &[Touch],
    courses: &[Course],
    work: &mut Work,
) -> Result<Reactions, BacktrackingError> {
    let free = |body: &Body| {
        let (force, torque) = settings.forces.on(body, body.orientation);
        match body.is_dynamic() {
            true => [force * body.inverse_mass(), body.inverse_inertia_at(body.orientation) * torque],
            false => [DVec3::ZERO; 2],
        }
    };
    let mut accelerations: Vec<Acceleration> = bodies.iter().map(free).collect();
    let mut forces = vec![DVec3::ZERO; touches.len()];
    let bearing: Vec<(usize, ContactRow)> = touches
        .iter()
        .enumerate()
        .filter(|(k, _)| courses[*k].mode != Mode::Parting)
        .filter_map(|(k, touch)| Some((k, sets.row(touch, bodies)?)))
        .collect();
    let ends: Vec<[usize; 2]> = bearing.iter().map(|(k, _)| touches[*k].bodies).collect();
    let is_dynamic: Vec<bool> = bodies.iter().map(Body::is_dynamic).collect();
    for Island { bodies: indices, contacts: island } in islands(&is_dynamic, &ends) {
        let local = |body: usize| BodyId::new(indices.binary_search(&body).unwrap_or_default() as u32);
        let of_body = |&index: &usize| ForceBody {
            inverse_mass: bodies[index].inverse_mass(),
            inverse_inertia: bodies[index].inverse_inertia_at(bodies[index].orientation),
            free: twist(accelerations[index][0], accelerations[index][1]),
        };
        let island_bodies: Vec<ForceBody> = indices.iter().map(of_body).collect();
        let island_contacts: Vec<ForceContact> = island
            .iter()
            .map(|&c| {
                let (k, row) = &bearing[c];
                force_contact(settings, row, &touches[*k], &courses[*k], bodies, touches[*k].bodies.map(local))
            })
            .collect();
        if island_contacts.iter().all(|contact| approach(contact, &island_bodies) <= settings.quiet) {
            continue;
        }
        let failed = |source| BacktrackingError::Solver { body: sets.handle(indices[0]), source };
        let svd = SvdSettings { static_speed: settings.static_speed, ..settings.svd };
        // What sinks shall move: a balance at rest is no answer.
        let rests = island.iter().all(|&c| !courses[bearing[c].0].sinks);
        let solution = solve(&island_bodies, &island_contacts, rests, &svd, work).map_err(failed)?;
        let found = match solution.report.status {
            SvdStatus::Undecided(_) | SvdStatus::Inconsistent => {
                let rows: Vec<(ContactRow, Touch)> =
                    island.iter().map(|&c| (bearing[c].1, touches[bearing[c].0])).collect();
                over_an_interval(settings, &rows, bodies, &accelerations, &indices).map_err(failed)?
            }
            _ => solution.forces,
        };
        for (&c, [normal, s, t]) in island.iter().zip(found) {
            let (k, row) = &bearing[c];
            let [along_s, along_t] = tangents(row.normal);
            let force = row.normal * normal + along_s * s + along_t * t;
            forces[*k] = force;
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let index = touches[*k].bodies[side];
                let body = &bodies[index];
                if body.is_dynamic() {
                    let moment = (row.points[side] - body.position).cross(force) * sign;
                    accelerations[index][0] += force * (sign * body.inverse_mass());
                    accelerations[index][1] += body.inverse_inertia_at(body.orientation) * moment;
                }
            }
        }
    }
    Ok(Reactions { accelerations, forces })
}

/// Forces by singular values. Where forces within the cones can hold what sticks, they do: the loop of statuses would
/// rather let contacts slide that the force of least norm cannot hold, and a body would creep that can rest.
fn solve(
    bodies: &[ForceBody],
    contacts: &[ForceContact],
    rests: bool,
    settings: &SvdSettings,
    work: &mut Work,
) -> Result<Forces, SolverError> {
    let sticks = contacts.iter().any(|contact| contact.sliding == [0.0; 2] && contact.friction != [0.0; 2]);
    if rests && sticks {
        let once = SvdSettings { most_solves: 1, ..*settings };
        let held = solve_forces(bodies, contacts, Level::Acceleration, &once)?;
        work.svd_solves += held.report.solves;
        if matches!(held.report.status, SvdStatus::Exact | SvdStatus::Equilibrium(_)) {
            work.statuses.count(held.report.status);
            return Ok(held);
        }
    }
    let solution = solve_forces(bodies, contacts, Level::Acceleration, settings)?;
    work.svd_solves += solution.report.solves;
    work.statuses.count(solution.report.status);
    Ok(solution)
}

/// The Jacobian of a contact in a direction.
fn jacobian(direction: DVec3, points: [DVec3; 2], centres: [DVec3; 2]) -> [f64; 12] {
    let mut row = [0.0; 12];
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        let arm = (points[side] - centres[side]).cross(direction);
        let parts = twist(direction * sign, arm * sign);
        row[6 * side..6 * side + 6].copy_from_slice(&parts);
    }
    row
}

fn force_contact(
    settings: &BacktrackingSettings,
    row: &ContactRow,
    touch: &Touch,
    course: &Course,
    bodies: &[Body],
    local: [BodyId; 2],
) -> ForceContact {
    let centres = touch.bodies.map(|body| bodies[body].position);
    let [s, t] = tangents(row.normal);
    let sliding = match course.mode {
        // Its direction, unless it has turned round within the interval.
        Mode::Sliding(direction) if row.sliding.dot(direction) > settings.static_speed => row.sliding,
        Mode::Sliding(direction) => direction * (2.0 * settings.static_speed),
        _ => DVec3::ZERO,
    };
    let slowed = |tangent: DVec3| tangent.dot(row.turning - course.slowing);
    ForceContact {
        bodies: local,
        jacobian: [row.normal, s, t].map(|direction| jacobian(direction, row.points, centres)),
        bias: [row.drift - course.lift, slowed(s), slowed(t)],
        sliding: [sliding.dot(s), sliding.dot(t)],
        friction: if course.sinks { [0.0; 2] } else { touch.friction },
    }
}

/// How fast a contact approaches, or slides away, without forces, m/s².
fn approach(contact: &ForceContact, bodies: &[ForceBody]) -> f64 {
    let rate = |k: usize| {
        let parts = contact.jacobian[k].as_chunks::<6>().0.iter().zip(&contact.bodies);
        let motion: f64 =
            parts.map(|(row, body)| row.iter().zip(&bodies[body.index()].free).map(|(j, a)| j * a).sum::<f64>()).sum();
        motion + contact.bias[k]
    };
    rate(0).abs()
}

/// Forces that bring the velocities after an interval within the law, where none do so at once.
fn over_an_interval(
    settings: &BacktrackingSettings,
    rows: &[(ContactRow, Touch)],
    bodies: &[Body],
    free: &[Acceleration],
    indices: &[usize],
) -> Result<Vec<[f64; 3]>, SolverError> {
    let time = settings.interval;
    let of_body = |&index: &usize| {
        let body = &bodies[index];
        let [linear, angular] = free[index];
        SolverBody {
            position: body.position,
            inverse_mass: body.inverse_mass(),
            inverse_inertia: body.inverse_inertia_at(body.orientation),
            twist: twist(body.velocity, body.angular_velocity),
            forced_change: twist(linear * time, angular * time),
        }
    };
    let of_contact = |(row, touch): &(ContactRow, Touch)| {
        let [a, b] = touch.bodies.map(|body| BodyId::new(indices.binary_search(&body).unwrap_or_default() as u32));
        SolverContact {
            a,
            b,
            position: 0.5 * (row.points[0] + row.points[1]),
            normal: row.normal,
            friction: [touch.friction[0], touch.friction[1], 0.0],
            restitution: 0.0,
            stabilisation: row.drift * time,
        }
    };
    let states: Vec<SolverBody> = indices.iter().map(of_body).collect();
    let contacts: Vec<SolverContact> = rows.iter().map(of_contact).collect();
    let (solution, _) = solve_impulses(&states, &contacts, &settings.svd, &settings.iterative, &[])?;
    Ok(solution.impulses.iter().map(|&[normal, s, t, _]| [normal / time, s / time, t / time]).collect())
}
