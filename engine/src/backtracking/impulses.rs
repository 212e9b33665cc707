//! Impulses: collisions, contacts that begin, contacts that stop sliding (paper, section 3).
//!
//! Where features come near, the impulses at all contacts of the island are found at once by the same method as the
//! forces, at the level of velocities: what approaches faster than the collision speed rebounds, all else is brought to rest.
//! Then contacts that still approach, that part more slowly than the rest speed, or slide more slowly than the static
//! speed, are brought to rest one after the other until all are. Each of these impulses takes energy, so that what is
//! left out is what the thresholds of the settings are worth.

use super::contact_row::ContactRow;
use super::islands::{islands, members};
use super::sets::{Sets, Touch};
use super::{BacktrackingError, BacktrackingSettings, Work};
use crate::body::{Body, BodyId};
use crate::solver::contact_problem::tangents;
use crate::solver::svd::impulses::solve_impulses;
use crate::solver::{SolverBody, SolverContact, SvdSettings, twist};
use glam::DVec3;

/// Sweeps over an island at most.
const SWEEPS: usize = 500;

/// Velocities below this share of the largest of an island are rounding.
const ROUNDING: f64 = 1e-15;

/// The contacts of the islands of two bodies.
pub fn island_of(bodies: &[Body], touches: &[Touch], of: [usize; 2]) -> Vec<Touch> {
    let ends: Vec<[usize; 2]> = touches.iter().map(|touch| touch.bodies).collect();
    let is_part = |island: &Vec<usize>| {
        island.iter().any(|&k| ends[k].iter().any(|end| of.contains(end) && bodies[*end].is_dynamic()))
    };
    islands(bodies, &ends).into_iter().filter(is_part).flatten().map(|k| touches[k]).collect()
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
    let places = members(rows.iter().map(|(touch, _)| touch.bodies));
    let energy = |bodies: &[Body]| places.iter().map(|&place| bodies[place].kinetic_energy()).sum::<f64>();
    let before = energy(bodies);
    for (restitution, friction) in [(1.0, 1.0), (0.0, 1.0), (0.0, 0.0)] {
        let mut after = bodies.to_vec();
        apply(settings, &rows, &places, restitution, friction, &mut after, work)?;
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
    places: &[usize],
    restitution: f64,
    friction: f64,
    bodies: &mut [Body],
    work: &mut Work,
) -> Result<(), BacktrackingError> {
    let of_body = |&place: &usize| {
        let body = &bodies[place];
        SolverBody {
            position: body.position,
            inverse_mass: body.inverse_mass(),
            inverse_inertia: body.inverse_inertia_at(body.orientation),
            twist: twist(body.velocity, body.angular_velocity),
            forced_change: [0.0; 6],
        }
    };
    let of_contact = |(touch, row): &(Touch, ContactRow)| {
        let [a, b] = touch.bodies.map(|body| BodyId::new(places.binary_search(&body).unwrap_or_default() as u32));
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
    let states: Vec<SolverBody> = places.iter().map(of_body).collect();
    let contacts: Vec<SolverContact> = rows.iter().map(of_contact).collect();
    let svd = SvdSettings { static_speed: settings.static_speed, ..settings.svd };
    let failed = |source| BacktrackingError::Solver { body: BodyId::new(places[0] as u32), source };
    let (solution, changes) = solve_impulses(&states, &contacts, &svd, &settings.iterative, &[]).map_err(failed)?;
    if let Some(report) = solution.svd {
        work.svd_solves += report.solves;
        work.statuses.count(report.status);
    }
    for (&place, [x, y, z, p, q, r]) in places.iter().zip(changes) {
        if bodies[place].is_dynamic() {
            bodies[place].velocity += DVec3::new(x, y, z);
            bodies[place].angular_velocity += DVec3::new(p, q, r);
        }
    }
    Ok(())
}

/// Brings contacts of an island to rest that approach, or slide more slowly than the static speed, and, if `ends`, those
/// that part more slowly than the rest speed.
pub fn settle(settings: &BacktrackingSettings, sets: &Sets, bodies: &mut [Body], island: &[Touch], ends: bool) {
    let rest = if ends { settings.rest_speed } else { settings.parting_speed };
    let rows: Vec<(Touch, ContactRow)> = island.iter().filter_map(|t| Some((*t, sets.row(t, bodies)?))).collect();
    let held: Vec<[bool; 2]> = rows
        .iter()
        .map(|(touch, row)| {
            let stays = row.normal_speed <= rest;
            [stays, stays && touch.friction != [0.0; 2] && row.sliding.length() <= settings.static_speed]
        })
        .collect();
    let fastest = rows.iter().map(|(touch, _)| touch.bodies).flatten();
    let fastest =
        fastest.map(|k| bodies[k].velocity.length() + bodies[k].angular_velocity.length()).fold(0.0, f64::max);
    for _ in 0..SWEEPS {
        let mut largest: f64 = 0.0;
        for ((touch, row), [normal_held, sliding_held]) in rows.iter().zip(&held) {
            let speed = relative_speed(bodies, touch.bodies, row.points, row.normal);
            if *normal_held || speed < 0.0 {
                largest = largest.max(speed.abs());
                stop(bodies, touch.bodies, row.points, row.normal, speed);
            }
            if *sliding_held {
                for tangent in tangents(row.normal) {
                    let speed = relative_speed(bodies, touch.bodies, row.points, tangent);
                    largest = largest.max(speed.abs());
                    stop(bodies, touch.bodies, row.points, tangent, speed);
                }
            }
        }
        if largest <= ROUNDING * fastest {
            break;
        }
    }
}

/// Velocity of B's point relative to A's along a direction, m/s.
fn relative_speed(bodies: &[Body], pair: [usize; 2], points: [DVec3; 2], direction: DVec3) -> f64 {
    let at = |k: usize| {
        let body = &bodies[pair[k]];
        body.velocity + body.angular_velocity.cross(points[k] - body.position)
    };
    direction.dot(at(1) - at(0))
}

/// The impulse along a direction that takes away a velocity.
fn stop(bodies: &mut [Body], pair: [usize; 2], points: [DVec3; 2], direction: DVec3, speed: f64) {
    let response = |k: usize| {
        let body = &bodies[pair[k]];
        let arm = (points[k] - body.position).cross(direction);
        let turn = body.inverse_inertia_at(body.orientation) * arm;
        (body.inverse_mass() + arm.dot(turn), direction * body.inverse_mass(), turn)
    };
    let [(yield_a, push_a, turn_a), (yield_b, push_b, turn_b)] = [response(0), response(1)];
    let impulse = -speed / (yield_a + yield_b);
    for (k, push, turn) in [(0, push_a * -impulse, turn_a * -impulse), (1, push_b * impulse, turn_b * impulse)] {
        let body = &mut bodies[pair[k]];
        if body.is_dynamic() {
            body.velocity += push;
            body.angular_velocity += turn;
        }
    }
}
