//! A contact problem in scaled rows: minimise ½|w|²_M over the changes w of the twists, with û + |û_t| e_n in the cone K at
//! every contact (V. Acary, F. Cadoux, C. Lemaréchal and J. Malick, "A formulation of the linear discrete Coulomb friction
//! problem via convex optimization", 2011; the term with |û_t| is De Saxcé's).

use super::block_cholesky::{Block, BlockCholesky, Column, PairPlace, dot};
use super::friction_cone::tangent;
use super::row::{PAIRS, Row};
use crate::interruption::Interruption;
use crate::soft_step::lanes::{Instructions, Register, Work, dispatch};
use crate::solver::{BoundedRow, ContactProblem, FrictionModel, Impulse, SolverBody};
use arrayvec::ArrayVec;
use glam::DVec3;

/// The contacts of an island with the bodies that move.
pub struct ConeProblem {
    /// Of each body that moves, in the order of the bodies.
    pub masses: Vec<Block>,
    inverse_masses: Vec<(f64, glam::DMat3)>,
    pub contacts: Vec<ConeContact>,
    /// Of joints.
    pub rows: Vec<Row>,
    /// Methods end without a solution if it wants.
    pub interruption: Interruption,
}

/// Where the blocks of pairs of bodies that move are.
pub struct Places {
    pub contacts: Vec<Option<PairPlace>>,
    pub rows: Vec<ArrayVec<PairPlace, PAIRS>>,
}

/// A contact. Rows are normal, s, t, torsion; those of friction are multiplied by their coefficients.
pub struct ConeContact {
    /// The bodies that move, by number; `None` for one that does not.
    pub bodies: [Option<usize>; 2],
    /// Rows for each body.
    pub jacobian: [[Column; 4]; 2],
    /// Velocities without contact impulses, m/s.
    pub bias: [f64; 4],
    /// The mean of the diagonal of the contact's block of J M⁻¹ Jᵀ over the rows that are not zero, 1/kg.
    pub compliance: f64,
    /// One for the normal, the friction coefficients.
    pub factors: [f64; 4],
}

impl ConeContact {
    /// û: the scaled velocities once the twists have changed, m/s.
    #[inline]
    pub fn velocity(&self, changes: &[Column]) -> [f64; 4] {
        let mut velocity = self.bias;
        for (body, rows) in self.sides() {
            for (value, row) in velocity.iter_mut().zip(rows) {
                *value += dot(row, &changes[body]);
            }
        }
        velocity
    }

    /// Adds `sign` Jᵀλ̂.
    #[inline]
    pub fn add_impulse(&self, impulse: &Impulse, sign: f64, momenta: &mut [Column]) {
        for (body, rows) in self.sides() {
            for (row, value) in rows.iter().zip(impulse) {
                let value = sign * value;
                (0..6).for_each(|k| momenta[body][k] += row[k] * value);
            }
        }
    }

    fn sides(&self) -> impl Iterator<Item = (usize, &[Column; 4])> {
        self.bodies.iter().zip(&self.jacobian).filter_map(|(body, rows)| body.map(|body| (body, rows)))
    }
}

impl ConeProblem {
    /// The problem in scaled rows. `None` if it has none: friction is a box, a body has a mass but no inertia, or friction
    /// coefficients are negative.
    pub fn new(
        problem: &ContactProblem,
        bodies: &[SolverBody],
        rows: &[BoundedRow],
        friction: FrictionModel,
    ) -> Option<Self> {
        let mut numbers = vec![None; bodies.len()];
        let (mut masses, mut inverse_masses) = (Vec::new(), Vec::new());
        for (body, number) in bodies.iter().zip(&mut numbers) {
            if body.inverse_mass == 0.0 {
                continue;
            }
            let inertia = body.inverse_inertia.inverse();
            if !inertia.is_finite() {
                return None;
            }
            *number = Some(masses.len());
            let inertia = 0.5 * (inertia + inertia.transpose());
            let mut mass = [[0.0; 6]; 6];
            for k in 0..3 {
                mass[k][k] = 1.0 / body.inverse_mass;
                (0..3).for_each(|l| mass[3 + k][3 + l] = inertia.col(l)[k]);
            }
            masses.push(mass);
            inverse_masses.push((body.inverse_mass, body.inverse_inertia));
        }
        let mut contacts = Vec::with_capacity(problem.contacts().len());
        for own in problem.contacts() {
            let [s, t, torsion] = match friction {
                FrictionModel::Ball => [own.friction[0]; 3],
                FrictionModel::Ellipsoid => own.friction,
                FrictionModel::Box => return None,
            };
            let factors = [1.0, s, t, torsion];
            if factors.iter().any(|&factor| factor < 0.0) {
                return None;
            }
            let jacobian = [0, 1].map(|side| {
                std::array::from_fn(|row| std::array::from_fn(|k| factors[row] * own.jacobian[6 * side + k][row]))
            });
            let block = own.diagonal_block();
            let (mut sum, mut count) = (0.0, 0.0);
            for (row, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor > 0.0) {
                sum += factor * factor * block[row][row];
                count += 1.0;
            }
            if !(sum > 0.0 && sum.is_finite()) {
                return None;
            }
            contacts.push(ConeContact {
                bodies: own.bodies.map(|body| numbers[body.index()]),
                jacobian,
                bias: std::array::from_fn(|row| factors[row] * own.bias[row]),
                compliance: sum / count,
                factors,
            });
        }
        let mut made = Self { masses, inverse_masses, contacts, rows: Vec::new(), interruption: Interruption::NEVER };
        let free = |body: usize| std::array::from_fn(|k| bodies[body].twist[k] + bodies[body].forced_change[k]);
        let rows = rows.iter().map(|row| Row::new(row, &numbers, free, |body, momentum| made.change(body, momentum)));
        made.rows = rows.collect();
        Some(made)
    }

    /// Impulses of contacts in scaled rows.
    pub fn scaled(&self, impulses: &[Impulse]) -> Vec<Impulse> {
        let scaled = |(impulse, contact): (&Impulse, &ConeContact)| {
            std::array::from_fn(|i| if contact.factors[i] > 0.0 { impulse[i] / contact.factors[i] } else { 0.0 })
        };
        impulses.iter().zip(&self.contacts).map(scaled).collect()
    }

    /// Impulses of contacts from those of scaled rows.
    pub fn unscaled(&self, scaled: &[Impulse]) -> Vec<Impulse> {
        let unscaled =
            |(impulse, contact): (&Impulse, &ConeContact)| std::array::from_fn(|i| impulse[i] * contact.factors[i]);
        scaled.iter().zip(&self.contacts).map(unscaled).collect()
    }

    /// The same problem, whose solution may be interrupted.
    pub fn unless(self, interruption: &Interruption) -> Self {
        Self { interruption: interruption.clone(), ..self }
    }

    /// A matrix for the problem, and where the blocks of pairs of moving bodies are.
    pub fn matrix(&self) -> (BlockCholesky, Places) {
        let pair = |contact: &ConeContact| match contact.bodies {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        };
        let mut pairs: Vec<[usize; 2]> =
            self.contacts.iter().filter_map(pair).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        pairs.extend(self.rows.iter().flat_map(Row::pairs).map(|[a, b]| [a.min(b), a.max(b)]));
        pairs.sort_unstable();
        pairs.dedup();
        let matrix = BlockCholesky::new(self.masses.len(), &pairs).unless(&self.interruption);
        let contacts = self.contacts.iter().map(|contact| pair(contact).map(|pair| matrix.place(pair))).collect();
        let rows = self.rows.iter().map(|row| row.places(&matrix)).collect();
        (matrix, Places { contacts, rows })
    }

    /// M + Jᵀ W J, with a block W for each contact (`None` for zero).
    pub fn assemble(
        &self,
        matrix: &mut BlockCholesky,
        places: &[Option<PairPlace>],
        weight: impl Fn(usize, &ConeContact) -> Option<[[f64; 4]; 4]>,
    ) {
        dispatch(Instructions::Widest, Assemble { problem: self, matrix, places, weight });
    }

    #[inline(always)]
    fn assemble_here(
        &self,
        matrix: &mut BlockCholesky,
        places: &[Option<PairPlace>],
        weight: impl Fn(usize, &ConeContact) -> Option<[[f64; 4]; 4]>,
    ) {
        matrix.clear();
        self.masses.iter().enumerate().for_each(|(body, mass)| matrix.add_to_body(body, mass));
        for (k, (contact, place)) in self.contacts.iter().zip(places).enumerate() {
            let Some(weight) = weight(k, contact) else { continue };
            let weighted = contact.jacobian.map(|rows| weighted(&weight, &rows));
            for (side, body) in contact.bodies.iter().enumerate() {
                if let Some(body) = *body {
                    matrix.add_to_body(body, &product(&contact.jacobian[side], &weighted[side]));
                }
            }
            if let Some(place) = *place {
                matrix.add_to_pair(place, &product(&contact.jacobian[0], &weighted[1]));
            }
        }
    }

    /// The changes of the twists by impulses: M⁻¹Jᵀλ̂.
    pub fn changes(&self, impulses: &[Impulse], row_impulses: &[f64]) -> Vec<Column> {
        let mut momenta = vec![[0.0; 6]; self.masses.len()];
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            contact.add_impulse(impulse, 1.0, &mut momenta);
        }
        for (row, &impulse) in self.rows.iter().zip(row_impulses) {
            row.add_impulse(impulse, &mut momenta);
        }
        momenta.iter().enumerate().map(|(body, momentum)| self.change(body, momentum)).collect()
    }

    /// The change of a body's twist by a momentum.
    pub fn change(&self, body: usize, momentum: &Column) -> Column {
        let (inverse_mass, inverse_inertia) = self.inverse_masses[body];
        let [x, y, z, p, q, r] = *momentum;
        let angular = (inverse_inertia * DVec3::new(p, q, r)).to_array();
        [x * inverse_mass, y * inverse_mass, z * inverse_mass, angular[0], angular[1], angular[2]]
    }

    /// The largest entry of the natural map of Coulomb's law at scaled impulses, as a velocity, m/s.
    pub fn natural_map(&self, impulses: &[Impulse], row_impulses: &[f64]) -> f64 {
        let changes = self.changes(impulses, row_impulses);
        let mut largest = 0.0;
        for (row, &impulse) in self.rows.iter().zip(row_impulses) {
            let distance = row.natural_map(impulse, &changes);
            largest = if distance <= largest { largest } else { distance };
        }
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            let velocity = contact.velocity(&changes);
            let z: [f64; 4] = std::array::from_fn(|i| impulse[i] - velocity[i] / contact.compliance);
            let normal = z[0].max(0.0);
            let length = tangent(&z);
            let scale = if length > normal { normal / length } else { 1.0 };
            for (i, impulse) in impulse.iter().enumerate() {
                let nearest = if i == 0 { normal } else { scale * z[i] };
                let distance = (impulse - nearest).abs() * contact.compliance;
                // A comparison, so that a number that is not one stays visible.
                largest = if distance <= largest { largest } else { distance };
            }
        }
        largest
    }
}

/// The assembly of the matrix, with the vector instructions of the machine.
struct Assemble<'p, F> {
    problem: &'p ConeProblem,
    matrix: &'p mut BlockCholesky,
    places: &'p [Option<PairPlace>],
    weight: F,
}

impl<F: Fn(usize, &ConeContact) -> Option<[[f64; 4]; 4]>> Work for Assemble<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<R: Register>(self, _: R::Token) {
        self.problem.assemble_here(self.matrix, self.places, self.weight);
    }
}

/// W J of one body.
#[inline(always)]
fn weighted(weight: &[[f64; 4]; 4], rows: &[Column; 4]) -> [Column; 4] {
    let mut out = [[0.0; 6]; 4];
    for (out, weights) in out.iter_mut().zip(weight) {
        for (weight, row) in weights.iter().zip(rows) {
            (0..6).for_each(|k| out[k] += weight * row[k]);
        }
    }
    out
}

/// aᵀ b.
#[inline(always)]
fn product(a: &[Column; 4], b: &[Column; 4]) -> Block {
    let mut out = [[0.0; 6]; 6];
    for (a, b) in a.iter().zip(b) {
        for (out, factor) in out.iter_mut().zip(a) {
            (0..6).for_each(|k| out[k] += factor * b[k]);
        }
    }
    out
}
