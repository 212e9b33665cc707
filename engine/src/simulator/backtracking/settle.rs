//! Contacts brought to rest: those that approach, that part more slowly than the rest speed, or slide more slowly than the
//! static speed.
//!
//! The velocities of an island are projected, in the metric of its masses, onto those at which these contacts are at
//! rest: by directions that are made orthogonal one after the other (Gram–Schmidt). A projection takes energy and gives
//! none, however many contacts say the same.

use super::BacktrackingSettings;
use super::contact_row::ContactRow;
use super::sets::{Sets, Touch, members};
use crate::body::Body;
use crate::solver::contact_problem::tangents;
use glam::DVec3;

/// A direction that keeps less than this share of its square after those before are taken out says nothing new.
const NEW: f64 = 1e-14;

/// Contacts slower than this share of the fastest body of the island are at rest but for rounding.
const ROUNDING: f64 = 1e-14;

/// Brings contacts of an island to rest; those that part only if `ends`.
pub fn settle(settings: &BacktrackingSettings, sets: &Sets, bodies: &mut [Body], island: &[Touch], ends: bool) {
    let rest = if ends { settings.rest_speed } else { settings.parting_speed };
    let rows: Vec<(Touch, ContactRow)> = island.iter().filter_map(|t| Some((*t, sets.row(t, bodies)?))).collect();
    let indices = members(rows.iter().map(|(touch, _)| touch.bodies));
    let speed = |&index: &usize| bodies[index].velocity.length() + bodies[index].angular_velocity.length();
    let still = ROUNDING * indices.iter().map(speed).fold(0.0, f64::max);
    let mut held: Vec<bool> = rows.iter().map(|(_, row)| row.normal_speed <= rest).collect();
    let sticks = |(touch, row): &(Touch, ContactRow)| {
        touch.friction != [0.0; 2] && row.sliding.length() <= settings.static_speed
    };
    let sticking: Vec<bool> = rows.iter().zip(&held).map(|(row, held)| *held && sticks(row)).collect();
    // Contacts that come to approach by the projection are held as well; each round holds one more.
    for _ in 0..=rows.len() {
        let mut basis: Vec<Direction> = Vec::new();
        for (k, (touch, row)) in rows.iter().enumerate() {
            let along = held[k].then_some(row.normal);
            let across = if sticking[k] { tangents(row.normal).to_vec() } else { Vec::new() };
            for direction in along.into_iter().chain(across) {
                let new = Direction::new(bodies, &indices, touch.bodies, row.points, direction);
                basis.extend(new.orthogonal_to(&basis));
            }
        }
        basis.iter().for_each(|direction| direction.stop(bodies, &indices));
        let approaches = |k: &usize| {
            let (touch, row) = &rows[*k];
            !held[*k] && relative_speed(bodies, touch.bodies, row) < -still
        };
        let more: Vec<usize> = (0..rows.len()).filter(approaches).collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|k| held[k] = true);
    }
}

/// Along the normal, m/s.
fn relative_speed(bodies: &[Body], pair: [usize; 2], row: &ContactRow) -> f64 {
    let at = |k: usize| {
        let body = &bodies[pair[k]];
        body.velocity + body.angular_velocity.cross(row.points[k] - body.position)
    };
    row.normal.dot(at(1) - at(0))
}

/// A direction of impulses on the bodies of an island: the force and moment on each, the change of its velocities by them,
/// and the relative speed that bodies which do not yield add.
struct Direction {
    impulse: Vec<[DVec3; 2]>,
    change: Vec<[DVec3; 2]>,
    given: f64,
}

impl Direction {
    /// The impulse of one along a direction at a contact, on both bodies at the same point: at one of its own on each, a friction would
    /// turn both by what lies between, and where contacts say the same but for that, it would be all that is left of a direction.
    fn new(bodies: &[Body], indices: &[usize], pair: [usize; 2], points: [DVec3; 2], along: DVec3) -> Self {
        let zero = vec![[DVec3::ZERO; 2]; indices.len()];
        let mut direction = Self { impulse: zero.clone(), change: zero, given: 0.0 };
        let point = 0.5 * (points[0] + points[1]);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = &bodies[pair[side]];
            let (force, moment) = (along * sign, (point - body.position).cross(along) * sign);
            if let (Ok(slot), true) = (indices.binary_search(&pair[side]), body.is_dynamic()) {
                direction.impulse[slot] = [force, moment];
                let turn = body.inverse_inertia_at(body.orientation) * moment;
                direction.change[slot] = [force * body.inverse_mass(), turn];
            } else {
                direction.given += force.dot(body.velocity) + moment.dot(body.angular_velocity);
            }
        }
        direction
    }

    /// What is left without the directions of a basis, of length one in the metric of the masses; `None` for nothing new.
    fn orthogonal_to(mut self, basis: &[Self]) -> Option<Self> {
        let whole = product(&self.impulse, &self.change);
        // Twice is enough for all digits.
        for other in basis.iter().chain(basis) {
            let share = product(&self.impulse, &other.change);
            self.add(other, -share);
        }
        let left = product(&self.impulse, &self.change);
        if left.is_nan() || left <= NEW * whole {
            return None;
        }
        let scale = left.sqrt().recip();
        for part in self.impulse.iter_mut().chain(&mut self.change).flatten() {
            *part *= scale;
        }
        self.given *= scale;
        Some(self)
    }

    fn add(&mut self, other: &Self, factor: f64) {
        let parts = self.impulse.iter_mut().chain(&mut self.change).flatten();
        let others = other.impulse.iter().chain(&other.change).flatten();
        parts.zip(others).for_each(|(x, y)| *x += *y * factor);
        self.given += other.given * factor;
    }

    /// The impulse that takes away the velocity along this direction.
    fn stop(&self, bodies: &mut [Body], indices: &[usize]) {
        let velocities: Vec<[DVec3; 2]> =
            indices.iter().map(|&index| [bodies[index].velocity, bodies[index].angular_velocity]).collect();
        let speed = product(&self.impulse, &velocities) + self.given;
        for (&index, [push, turn]) in indices.iter().zip(&self.change) {
            let body = &mut bodies[index];
            if body.is_dynamic() {
                body.velocity -= *push * speed;
                body.angular_velocity -= *turn * speed;
            }
        }
    }
}

fn product(x: &[[DVec3; 2]], y: &[[DVec3; 2]]) -> f64 {
    x.iter().flatten().zip(y.iter().flatten()).map(|(a, b)| a.dot(*b)).sum()
}
