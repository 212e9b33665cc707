//! Impulses: collisions, contacts that begin, contacts that stop sliding (paper, section 3).
//!
//! Where features come near, the impulses at all contacts of the island are found at once by the same method as the
//! forces, at the level of velocities: what approaches faster than the collision speed rebounds, all else is brought to rest.

use super::contact_row::ContactRow;
use super::sets::{Sets, Touch, members};
use super::{BacktrackingError, BacktrackingSettings, Work};
use crate::body::{Body, BodyId};
use crate::islands::{Island, islands};
use crate::solver::svd::impulses::solve_impulses;
use crate::solver::{SolverBody, SolverContact, SolverError, SvdSettings, twist};
use glam::DVec3;

/// The contacts of the islands of two bodies.
pub fn island_of(bodies: &[Body], touches: &[Touch], of: [usize; 2]) -> Vec<Touch> {
    let ends: Vec<[usize; 2]> = touches.iter().map(|touch| touch.bodies).collect();
    let is_dynamic: Vec<bool> = bodies.iter().map(Body::is_dynamic).collect();
    let is_part = |island: &Island| of.iter().any(|&body| is_dynamic[body] && island.bodies.contains(&body));
    let parts = islands(&is_dynamic, &ends).into_iter().filter(is_part);
    parts.flat_map(|island| island.contacts).map(|k| touches[k]).collect()
}

/// Applies the impulses of an island where contacts approach.
///
/// # Errors
/// [`BacktrackingError::Solver`].
pub fn collide(
    settings: &BacktrackingSettings,
    sets: &Sets,
    bodies: &mut [Body],
    island: &[Touch],
    work: &mut Work,
) -> Result<(), BacktrackingError> {
    let rows: Vec<(Touch, ContactRow)> = island.iter().filter_map(|t| Some((*t, sets.row(t, bodies)?))).collect();
    if rows.iter().all(|(_, row)| row.normal_speed >= 0.0) {
        return Ok(());
    }
    let indices = members(rows.iter().map(|(touch, _)| touch.bodies));
    let energy = |bodies: &[Body]| indices.iter().map(|&index| bodies[index].kinetic_energy()).sum::<f64>();
    let before = energy(bodies);
    for (restitution, friction) in [(1.0, 1.0), (0.0, 1.0), (0.0, 0.0)] {
        let mut after = bodies.to_vec();
        let failed = |source| BacktrackingError::Solver { body: sets.handle(indices[0]), source };
        apply(settings, &rows, &indices, restitution, friction, &mut after, work).map_err(failed)?;
        if energy(&after) <= before {
            bodies.clone_from_slice(&after);
            return Ok(());
        }
        work.tamed += 1;
    }
    Ok(())
}

fn apply(
    settings: &BacktrackingSettings,
    rows: &[(Touch, ContactRow)],
    indices: &[usize],
    restitution: f64,
    friction: f64,
    bodies: &mut [Body],
    work: &mut Work,
) -> Result<(), SolverError> {
    let of_body = |&index: &usize| {
        let body = &bodies[index];
        SolverBody {
            position: body.position,
            inverse_mass: body.inverse_mass(),
            inverse_inertia: body.inverse_inertia_at(body.orientation),
            twist: twist(body.velocity, body.angular_velocity),
            forced_change: [0.0; 6],
        }
    };
    let of_contact = |(touch, row): &(Touch, ContactRow)| {
        let [a, b] = touch.bodies.map(|body| BodyId::new(indices.binary_search(&body).unwrap_or_default() as u32));
        let rebounds = row.normal_speed < -settings.collision_speed;
        SolverContact {
            a,
            b,
            position: 0.5 * (row.points[0] + row.points[1]),
            normal: row.normal,
            friction: [touch.friction[0] * friction, touch.friction[1] * friction, 0.0],
            restitution: if rebounds { touch.restitution * restitution } else { 0.0 },
            stabilisation: 0.0,
        }
    };
    let states: Vec<SolverBody> = indices.iter().map(of_body).collect();
    let contacts: Vec<SolverContact> = rows.iter().map(of_contact).collect();
    let svd = SvdSettings { static_speed: settings.static_speed, ..settings.svd };
    let (solution, changes) = solve_impulses(&states, &contacts, &svd, &settings.iterative, &[])?;
    if let Some(report) = solution.svd {
        work.svd_solves += report.solves;
        work.statuses.count(report.status);
    }
    for (&index, [x, y, z, p, q, r]) in indices.iter().zip(changes) {
        if bodies[index].is_dynamic() {
            bodies[index].velocity += DVec3::new(x, y, z);
            bodies[index].angular_velocity += DVec3::new(p, q, r);
        }
    }
    Ok(())
}
