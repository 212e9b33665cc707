//! The rows of the published contact problem: 32-bit sums in the order of its program.
//!
//! Rows and columns are those of [`drystone_engine::solver::contact_problem`]: motion apart along the normal n, sliding
//! along s and t, turning about n; columns 0–5 for body A, 6–11 for body B. Bodies and contacts were checked there
//! before they come here.

use drystone_contact::precision::Vector;
use drystone_engine::solver::{SolverBody, SolverContact};
use glam::DVec3;
use num_traits::{Float, Zero};

use super::arithmetic::Arithmetic;
use super::matrix::Matrix;

/// Normal, s, t (N s) and torsion (N m s).
pub(super) type Impulse<R> = [R; 4];

/// Linear (m/s) and angular velocity (rad/s), world axes.
pub(super) type Twist<R> = [R; 6];

/// One contact as numbers.
struct Rows<R> {
    /// The indices of the two bodies.
    bodies: [usize; 2],
    /// The Jacobian by columns: `jacobian[column][row]`.
    jacobian: [[R; 4]; 12],
    /// M⁻¹Jᵀ by rows of J: `response[row][column]`.
    response: [[R; 12]; 4],
    /// Relative velocity at the end of the step without contact impulses, plus the rebound on the normal row.
    bias: [R; 4],
    /// Coefficients in the order s, t, torsion.
    friction: [R; 3],
}

/// All contacts of a step, in the order in which they are visited.
pub(super) struct Problem<V: Vector> {
    bodies: usize,
    contacts: Vec<Rows<V::Real>>,
}

/// The changes of the twists of all bodies by impulses.
pub(super) type Motion<V> = Vec<Twist<<V as Vector>::Real>>;

impl<V: Arithmetic> Problem<V> {
    pub(super) fn new(bodies: &[SolverBody], contacts: &[SolverContact]) -> Self {
        Self { bodies: bodies.len(), contacts: contacts.iter().map(|c| rows::<V>(c, bodies)).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.contacts.len()
    }

    pub(super) fn friction(&self, contact: usize) -> [V::Real; 3] {
        self.contacts[contact].friction
    }

    /// What the impulses of all contacts do.
    pub(super) fn motion(&self, impulses: &[Impulse<V::Real>]) -> Motion<V> {
        let mut motion = vec![[V::Real::zero(); 6]; self.bodies];
        for (contact, impulse) in impulses.iter().enumerate() {
            self.push(contact, impulse, &mut motion);
        }
        motion
    }

    /// The relative velocity at a contact, m/s (rad/s for torsion).
    pub(super) fn velocity(&self, contact: usize, motion: &Motion<V>) -> [V::Real; 4] {
        let rows = &self.contacts[contact];
        let [a, b] = rows.bodies.map(|body| &motion[body]);
        let gained = sum(rows.velocity_of(0, a), rows.velocity_of(1, b));
        sum(gained, rows.bias)
    }

    /// Adds what one more impulse at a contact does.
    pub(super) fn push(&self, contact: usize, impulse: &Impulse<V::Real>, motion: &mut Motion<V>) {
        let rows = &self.contacts[contact];
        let [n, s, t, torsion] = &rows.response;
        for (side, &body) in rows.bodies.iter().enumerate() {
            for (component, change) in motion[body].iter_mut().enumerate() {
                let i = 6 * side + component;
                // The published program has t before s.
                let pushed = n[i] * impulse[0] + t[i] * impulse[2] + s[i] * impulse[1] + torsion[i] * impulse[3];
                *change = *change + pushed;
            }
        }
    }

    /// The diagonal entries of the contact's own block of J M⁻¹ Jᵀ.
    pub(super) fn diagonal(&self, contact: usize) -> [V::Real; 4] {
        let rows = &self.contacts[contact];
        std::array::from_fn(|row| {
            let [a, b] = [0, 1].map(|side| rows.velocity_of(side, &rows.response[row].as_chunks::<6>().0[side]));
            a[row] + b[row]
        })
    }
}

impl<R: Float> Rows<R> {
    /// The part of one body, 0 or 1, in the velocity J u.
    fn velocity_of(&self, side: usize, twist: &Twist<R>) -> [R; 4] {
        let mut velocity = [R::zero(); 4];
        for (component, column) in twist.iter().zip(&self.jacobian.as_chunks::<6>().0[side]) {
            for (v, entry) in velocity.iter_mut().zip(column) {
                *v = *v + *entry * *component;
            }
        }
        velocity
    }
}

fn sum<R: Float, const N: usize>(x: [R; N], y: [R; N]) -> [R; N] {
    std::array::from_fn(|i| x[i] + y[i])
}

/// A linear and an angular velocity (world axes) as one twist.
pub(super) fn twist<V: Vector>(linear: V, angular: V) -> Twist<V::Real> {
    let ([x, y, z], [p, q, r]) = (linear.coordinates(), angular.coordinates());
    [x, y, z, p, q, r]
}

/// Tangents s and t of a normal: t is the unit vector across n and the coordinate axis that follows n's largest component
/// (x after z), s = t × n. Of equal components z counts as the largest, then y.
fn tangents<V: Vector>(normal: V) -> [V; 2] {
    let [x, y, z] = normal.coordinates().map(V::Real::abs);
    let axis = if z >= x && z >= y {
        DVec3::X
    } else if y >= x {
        DVec3::Z
    } else {
        DVec3::Y
    };
    let across = normal.cross(V::narrow(axis));
    let t = across * across.length().recip();
    [t.cross(normal), t]
}

fn rows<V: Arithmetic>(contact: &SolverContact, bodies: &[SolverBody]) -> Rows<V::Real> {
    let (position, normal) = (V::narrow(contact.position), V::narrow(contact.normal));
    let ends = [contact.a, contact.b].map(|body| body.index());
    let [s, t] = tangents(normal);
    let zero = V::Real::zero();
    let (mut jacobian, mut response) = ([[zero; 4]; 12], [[zero; 12]; 4]);
    for (side, (body, sign)) in ends.into_iter().zip([-1.0, 1.0]).enumerate() {
        let body = &bodies[body];
        let (sign, inverse_mass) = (V::real(sign), V::real(body.inverse_mass));
        let inverse_inertia = Matrix::<V>::narrow(&body.inverse_inertia);
        let arm = position - V::narrow(body.position);
        let still = V::narrow(DVec3::ZERO);
        let directions = [(normal, arm.cross(normal)), (s, arm.cross(s)), (t, arm.cross(t)), (still, normal)];
        for (row, (linear, angular)) in directions.into_iter().enumerate() {
            let (linear, angular) = (linear * sign, angular * sign);
            let moved = twist(linear * inverse_mass, inverse_inertia.times(angular));
            for (component, (j, m)) in twist(linear, angular).into_iter().zip(moved).enumerate() {
                jacobian[6 * side + component][row] = j;
                response[row][6 * side + component] = m;
            }
        }
    }
    let friction = contact.friction.map(V::real);
    let mut rows = Rows { bodies: ends, jacobian, response, bias: [zero; 4], friction };
    let velocity = |pick: fn(&SolverBody) -> &Twist<f64>| {
        [0, 1].map(|side| rows.velocity_of(side, &pick(&bodies[ends[side]]).map(V::real)))
    };
    let [before_a, before_b] = velocity(|body| &body.twist);
    let [change_a, change_b] = velocity(|body| &body.forced_change);
    let before = sum(before_a, before_b);
    let mut bias = sum(sum(before, change_a), change_b);
    bias[0] = V::real(contact.restitution) * before[0] + bias[0];
    rows.bias = bias;
    rows
}
