//! Rows of joints in the cone problem. Their set of impulses is an interval, and the augmented Lagrangian is as that of the cones.

use super::block_cholesky::{Block, BlockCholesky, Column, PairPlace, dot};
use crate::solver::bounded_row::{BoundedRow, SIDES};
use arrayvec::ArrayVec;

/// The pairs of the bodies of a row.
pub const PAIRS: usize = SIDES * (SIDES - 1) / 2;

/// The penalty of a row is so many times that of a contact: tensions of light bodies between heavy ones are softer than each
/// row alone by the ratio of the masses.
const STIFFER: f64 = 1e3;

/// A row with the bodies that move.
#[derive(Clone, Debug)]
pub struct Row {
    pub sides: ArrayVec<(usize, Column), SIDES>,
    /// The velocity without impulses less the target, m/s or rad/s.
    bias: f64,
    bounds: [f64; 2],
    compliance: f64,
    /// J M⁻¹ Jᵀ and the compliance, 1/kg; zero of a row that nothing moves.
    pub response: f64,
}

impl Row {
    /// `numbers` are those of the bodies that move, `free` the twists without impulses, `change` what a momentum changes.
    pub fn new(
        row: &BoundedRow,
        numbers: &[Option<usize>],
        free: impl Fn(usize) -> Column,
        change: impl Fn(usize, &Column) -> Column,
    ) -> Self {
        let mut bias = row.offset - row.target;
        let (mut sides, mut response) = (ArrayVec::new(), row.compliance);
        for (body, gradient) in &row.sides {
            bias += dot(gradient, &free(*body));
            if let Some(number) = numbers[*body] {
                response += dot(gradient, &change(number, gradient));
                sides.push((number, *gradient));
            }
        }
        Self { sides, bias, bounds: row.bounds, compliance: row.compliance, response }
    }

    /// The pairs of its bodies.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let sides = &self.sides;
        (0..sides.len()).flat_map(move |i| (i + 1..sides.len()).map(move |j| [sides[i].0, sides[j].0]))
    }

    pub fn places(&self, matrix: &BlockCholesky) -> ArrayVec<PairPlace, PAIRS> {
        self.pairs().map(|pair| matrix.place(pair)).collect()
    }

    /// The penalty: an impulse by a velocity, kg.
    fn penalty(&self, of_contacts: f64) -> f64 {
        if self.response > 0.0 { STIFFER * of_contacts / self.response } else { 0.0 }
    }

    /// How far the velocity is from the target once the twists have changed, without what the compliance does.
    pub fn missing(&self, changes: &[Column]) -> f64 {
        self.bias + self.sides.iter().map(|(body, gradient)| dot(gradient, &changes[*body])).sum::<f64>()
    }

    /// The impulse by an augmented Lagrangian from a known one on, and whether it is between the bounds.
    pub fn project(&self, known: f64, changes: &[Column], penalty: f64) -> (f64, bool) {
        let penalty = self.penalty(penalty);
        let wanted = (known - penalty * self.missing(changes)) / (1.0 + penalty * self.compliance);
        let impulse = wanted.clamp(self.bounds[0], self.bounds[1]);
        (impulse, impulse == wanted)
    }

    /// By how much a velocity is missed if the impulse has changed by so much in an iteration, m/s or rad/s.
    pub fn change(&self, change: f64, penalty: f64) -> f64 {
        let penalty = self.penalty(penalty);
        if penalty > 0.0 { change * (1.0 + penalty * self.compliance) / penalty } else { 0.0 }
    }

    /// An impulse within the bounds.
    pub fn within(&self, impulse: f64) -> f64 {
        impulse.clamp(self.bounds[0], self.bounds[1])
    }

    /// How much an impulse misses the law, as a velocity, m/s or rad/s.
    pub fn natural_map(&self, impulse: f64, changes: &[Column]) -> f64 {
        if self.response == 0.0 {
            return 0.0;
        }
        let missing = self.missing(changes) + self.compliance * impulse;
        (impulse - self.within(impulse - missing / self.response)).abs() * self.response
    }

    /// Adds `sign` Jᵀλ.
    pub fn add_impulse(&self, impulse: f64, momenta: &mut [Column]) {
        for (body, gradient) in &self.sides {
            momenta[*body].iter_mut().zip(gradient).for_each(|(x, y)| *x += impulse * y);
        }
    }

    /// Adds what the impulse falls by as the velocity rises.
    pub fn add_stiffness(&self, matrix: &mut BlockCholesky, places: &[PairPlace], penalty: f64) {
        let penalty = self.penalty(penalty);
        let stiffness = penalty / (1.0 + penalty * self.compliance);
        let product = |a: &Column, b: &Column| -> Block { a.map(|x| b.map(|y| stiffness * x * y)) };
        for (body, gradient) in &self.sides {
            matrix.add_to_body(*body, &product(gradient, gradient));
        }
        let mut places = places.iter();
        for (i, (_, first)) in self.sides.iter().enumerate() {
            for ((_, second), place) in self.sides[i + 1..].iter().zip(&mut places) {
                matrix.add_to_pair(*place, &product(first, second));
            }
        }
    }
}
