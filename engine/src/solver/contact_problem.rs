//! From bodies and contacts to rows of numbers.
//!
//! Each contact has four rows: motion apart along the normal n, sliding along the tangents s and t, turning about the
//! normal. A row of the Jacobian J takes the twists of the two bodies to the velocity of B relative to A in that
//! direction. The response M⁻¹Jᵀ takes an impulse to the change of the two twists; A = J M⁻¹ Jᵀ is never formed.

use super::{Impulse, SolverError, Twist, twist};
use crate::body::BodyId;
use glam::{DMat3, DVec3};

/// What the solver needs to know of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverBody {
    /// Centre of mass, world frame, m.
    pub position: DVec3,
    /// One over the mass, 1/kg; zero for a body that does not move.
    pub inverse_mass: f64,
    /// Inverse inertia tensor in world axes, 1/(kg m²); zero for a body that does not move.
    pub inverse_inertia: DMat3,
    /// Twist before the step.
    pub twist: Twist,
    /// Change of the twist by all forces but contact over the step.
    pub forced_change: Twist,
}

/// What the solver needs to know of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverContact {
    /// The body that the normal points away from.
    pub a: BodyId,
    /// The body that the normal points to.
    pub b: BodyId,
    /// Point of action, world frame, m.
    pub position: DVec3,
    /// From A to B, world frame. Used as given: a length other than one scales the normal, s and torsion rows.
    pub normal: DVec3,
    /// Friction coefficients in the order s, t, torsion.
    pub friction: [f64; 3],
    /// Share of the normal approach velocity that comes back.
    pub restitution: f64,
    /// Stabilisation g, m/s, added to the normal row: a negative value asks the bodies to part at least that fast along
    /// the normal, a positive one lets them approach that fast. Zero for none.
    pub stabilisation: f64,
}

/// One contact as numbers. Columns 0–5 belong to body A and 6–11 to body B, each in the order of a [`Twist`]; rows are in
/// the order of an [`Impulse`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRows {
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// The Jacobian by columns: `jacobian[column][row]`.
    pub jacobian: [[f64; 4]; 12],
    /// M⁻¹Jᵀ by rows of J: `response[row][column]`.
    pub response: [[f64; 12]; 4],
    /// Relative velocity at the end of the step if there were no contact impulses, plus rebound and stabilisation on the
    /// normal row.
    pub bias: [f64; 4],
    /// Friction coefficients in the order s, t, torsion.
    pub friction: [f64; 3],
}

/// All contacts of a step, in the order in which the solver visits them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactProblem {
    body_count: usize,
    contacts: Vec<ContactRows>,
}

impl ContactProblem {
    /// Builds the rows of every contact; the order of the contacts is kept.
    ///
    /// # Errors
    /// The first contact that names an unknown body, one body twice or two fixed bodies, or that has no usable normal
    /// or leads to numbers that are not finite.
    pub fn assemble(bodies: &[SolverBody], contacts: &[SolverContact]) -> Result<Self, SolverError> {
        let contacts = contacts.iter().enumerate().map(|(i, c)| rows(i, c, bodies)).collect::<Result<_, _>>()?;
        Ok(Self { body_count: bodies.len(), contacts })
    }

    /// How many bodies the problem was built for.
    pub fn body_count(&self) -> usize {
        self.body_count
    }

    /// The rows of each contact.
    pub fn contacts(&self) -> &[ContactRows] {
        &self.contacts
    }

    /// The same problem for bodies whose twists change by so much besides, by other impulses than those of the contacts.
    pub fn moved_by(&self, changes: &[Twist]) -> Self {
        let mut moved = self.clone();
        for rows in &mut moved.contacts {
            rows.bias = sum(rows.bias, rows.relative_velocity(changes));
        }
        moved
    }

    /// The change of each body's twist by the given impulses, one per contact: M⁻¹Jᵀλ.
    pub fn twist_changes(&self, impulses: &[Impulse]) -> Vec<Twist> {
        let mut changes = vec![[0.0; 6]; self.body_count];
        for (rows, impulse) in self.contacts.iter().zip(impulses) {
            rows.push(impulse, &mut changes);
        }
        changes
    }
}

impl ContactRows {
    /// The relative velocity J w that the twist changes `w` add at this contact.
    #[inline]
    pub fn relative_velocity(&self, changes: &[Twist]) -> [f64; 4] {
        let [a, b] = self.bodies.map(|body| &changes[body.index()]);
        sum(self.velocity_of(0, a), self.velocity_of(1, b))
    }

    /// Adds the effect of an impulse to the twist changes of the two bodies.
    #[inline]
    pub fn push(&self, impulse: &Impulse, changes: &mut [Twist]) {
        let [n, s, t, torsion] = &self.response;
        for (side, body) in self.bodies.iter().enumerate() {
            for (component, change) in changes[body.index()].iter_mut().enumerate() {
                let i = 6 * side + component;
                let pushed = n[i] * impulse[0] + t[i] * impulse[2] + s[i] * impulse[1] + torsion[i] * impulse[3];
                *change += pushed;
            }
        }
    }

    /// This contact's own block of A = J M⁻¹ Jᵀ, `block[row][column]`; symmetric.
    pub fn diagonal_block(&self) -> [[f64; 4]; 4] {
        let mut block = [[0.0; 4]; 4];
        for (column, response) in self.response.iter().enumerate() {
            let [a, b] = [0, 1].map(|side| self.velocity_of(side, &response.as_chunks::<6>().0[side]));
            for (row, entry) in sum(a, b).into_iter().enumerate() {
                block[row][column] = entry;
            }
        }
        block
    }

    /// The part of one body, 0 or 1, in the velocity J u.
    #[inline]
    fn velocity_of(&self, side: usize, twist: &Twist) -> [f64; 4] {
        let mut velocity = [0.0; 4];
        for (component, column) in twist.iter().zip(&self.jacobian.as_chunks::<6>().0[side]) {
            for (v, entry) in velocity.iter_mut().zip(column) {
                *v += *entry * *component;
            }
        }
        velocity
    }
}

#[inline]
fn sum<const N: usize>(x: [f64; N], y: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| x[i] + y[i])
}

/// Tangents s and t of a normal, which decide the directions of friction: t is the unit vector across n and the
/// coordinate axis that follows n's largest component (x after z); s = t × n. For a unit normal (s, t, n) is a
/// right-handed orthonormal frame. Of equal components z counts as the largest, then y.
pub fn tangents(normal: DVec3) -> [DVec3; 2] {
    let [x, y, z] = normal.abs().to_array();
    let axis = if z >= x && z >= y {
        DVec3::X
    } else if y >= x {
        DVec3::Z
    } else {
        DVec3::Y
    };
    let across = normal.cross(axis);
    // The root of the standard library: that of glam is an instruction that stalls between those of AVX.
    let t = across * across.length_squared().sqrt().recip();
    [t.cross(normal), t]
}

fn rows(index: usize, contact: &SolverContact, bodies: &[SolverBody]) -> Result<ContactRows, SolverError> {
    let SolverContact { a, b, position, normal, friction, restitution, stabilisation } = *contact;
    let find = |body: BodyId| {
        let unknown = SolverError::UnknownBody { contact: index, body, count: bodies.len() };
        bodies.get(body.index()).ok_or(unknown)
    };
    let (body_a, body_b) = (find(a)?, find(b)?);
    if a == b {
        return Err(SolverError::SameBody { contact: index, body: a });
    }
    if body_a.inverse_mass == 0.0 && body_b.inverse_mass == 0.0 {
        return Err(SolverError::Immovable { contact: index, a, b });
    }
    let [s, t] = tangents(normal);
    if !(t.is_finite() && s.is_finite()) {
        return Err(SolverError::Normal { contact: index, normal: contact.normal });
    }

    let mut jacobian = [[0.0; 4]; 12];
    let mut response = [[0.0; 12]; 4];
    for (side, (body, sign)) in [(body_a, -1.0), (body_b, 1.0)].into_iter().enumerate() {
        let arm = position - body.position;
        let directions = [(normal, arm.cross(normal)), (s, arm.cross(s)), (t, arm.cross(t)), (DVec3::ZERO, normal)];
        for (row, (linear, angular)) in directions.into_iter().enumerate() {
            let (linear, angular) = (linear * sign, angular * sign);
            let moved = twist(linear * body.inverse_mass, body.inverse_inertia * angular);
            for (component, (j, m)) in twist(linear, angular).into_iter().zip(moved).enumerate() {
                jacobian[6 * side + component][row] = j;
                response[row][6 * side + component] = m;
            }
        }
    }
    let mut rows = ContactRows { bodies: [a, b], jacobian, response, bias: [0.0; 4], friction };
    let velocity = |pick: fn(&SolverBody) -> &Twist| {
        [(0, body_a), (1, body_b)].map(|(side, body)| rows.velocity_of(side, pick(body)))
    };
    let [before_a, before_b] = velocity(|body| &body.twist);
    let [change_a, change_b] = velocity(|body| &body.forced_change);
    let before = sum(before_a, before_b);
    let mut bias = sum(sum(before, change_a), change_b);
    bias[0] += restitution * before[0];
    // A sum with zero can change the sign of a zero.
    if stabilisation != 0.0 {
        bias[0] += stabilisation;
    }
    rows.bias = bias;
    let numbers = rows.bias.iter().chain(&friction).chain(rows.response.iter().flatten());
    if numbers.chain(rows.jacobian.iter().flatten()).all(|x| x.is_finite()) {
        Ok(rows)
    } else {
        Err(SolverError::Rows { contact: index })
    }
}

#[cfg(test)]
mod tests;
