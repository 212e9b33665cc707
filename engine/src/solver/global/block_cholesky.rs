//! Cholesky factorization of a sparse, symmetric, positive definite matrix of 6 × 6 blocks, one row of blocks for each body
//! that moves.
//!
//! Bodies are eliminated by minimum degree, the smaller number first among equals; columns are factorized left-looking (A.
//! George and J. Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981). All sums have a fixed order.

use crate::interruption::Interruption;
use crate::soft_step::lanes::{Instructions, Register, Work, dispatch};
use drystone_contact::sorting::inserted;
use std::collections::BTreeSet;

/// A block, `block[row][column]`.
pub type Block = [[f64; 6]; 6];

/// A column of the vectors that go with the matrix: six numbers for each body.
pub type Column = [f64; 6];

const NONE: usize = usize::MAX;

const ZERO: Block = [[0.0; 6]; 6];

/// Columns that are factorized before it is asked whether to go on.
const COLUMNS_BETWEEN_CHECKS: usize = 16;

/// The matrix and its factor, both lower triangles in the order of elimination.
#[derive(Clone, Debug)]
pub struct BlockCholesky {
    /// The body at each place of the order.
    bodies: Vec<usize>,
    /// The place of each body.
    places: Vec<usize>,
    /// The rows of the blocks below the diagonal, column by column, ascending.
    rows: Vec<usize>,
    /// Where each column begins in `rows`; one more at the end.
    starts: Vec<usize>,
    diagonal: Vec<Block>,
    below: Vec<Block>,
    factor_diagonal: Vec<Block>,
    factor_below: Vec<Block>,
    /// Lists of the factorization.
    lists: Lists,
    interruption: Interruption,
}

/// For each column: the first and the following ones whose next row to be used is the column at hand, where they are, and the indices of rows.
#[derive(Clone, Debug, Default)]
struct Lists {
    first: Vec<usize>,
    following: Vec<usize>,
    at: Vec<usize>,
    index_of_row: Vec<usize>,
}

/// Where the block of a pair of bodies is.
#[derive(Clone, Copy, Debug)]
pub struct PairPlace {
    index: usize,
    /// Whether the first body of the pair has the row; otherwise the block is stored transposed.
    is_first_row: bool,
}

impl BlockCholesky {
    /// A zero matrix for so many bodies whose blocks off the diagonal are those of the pairs (different bodies, in any order,
    /// also more than once), and what fills in.
    pub fn new(count: usize, pairs: &[[usize; 2]]) -> Self {
        let bodies = minimum_degree(count, pairs);
        let mut places = vec![0; count];
        bodies.iter().enumerate().for_each(|(place, &body)| places[body] = place);
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &[a, b] in pairs {
            let (p, q) = (places[a], places[b]);
            columns[p.min(q)].push(p.max(q));
        }
        // The first row below the diagonal of a column is its parent in the elimination tree.
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        for column in 0..count {
            let mut own = std::mem::take(&mut columns[column]);
            for &child in &children[column] {
                own.extend(columns[child].iter().filter(|&&row| row > column));
            }
            own.sort_unstable();
            own.dedup();
            if let Some(&parent) = own.first() {
                children[parent].push(column);
            }
            columns[column] = own;
        }
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for column in columns {
            rows.extend(column);
            starts.push(rows.len());
        }
        let below = vec![ZERO; rows.len()];
        let diagonal = vec![ZERO; count];
        Self {
            bodies,
            places,
            starts,
            rows,
            factor_diagonal: diagonal.clone(),
            factor_below: below.clone(),
            diagonal,
            below,
            lists: Lists::default(),
            interruption: Interruption::NEVER,
        }
    }

    /// The same matrix, whose factorization may be interrupted.
    pub fn unless(self, interruption: &Interruption) -> Self {
        Self { interruption: interruption.clone(), ..self }
    }

    /// Where the block of two bodies is.
    ///
    /// # Panics
    /// If they were no pair when the matrix was made.
    pub fn place(&self, [a, b]: [usize; 2]) -> PairPlace {
        let (p, q) = (self.places[a], self.places[b]);
        let (row, column) = (p.max(q), p.min(q));
        let range = self.starts[column]..self.starts[column + 1];
        let offset = self.rows[range.clone()].binary_search(&row).expect("the bodies are a pair of the matrix");
        PairPlace { index: range.start + offset, is_first_row: p > q }
    }

    /// Makes all blocks zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(ZERO);
        self.below.fill(ZERO);
    }

    /// Adds to the block of a body on the diagonal.
    pub fn add_to_body(&mut self, body: usize, block: &Block) {
        add(&mut self.diagonal[self.places[body]], block);
    }

    /// Adds to the block of a pair, with the rows of its first and the columns of its second body.
    pub fn add_to_pair(&mut self, place: PairPlace, block: &Block) {
        let own = &mut self.below[place.index];
        if place.is_first_row { add(own, block) } else { add(own, &transposed(block)) }
    }

    /// Factorizes the matrix; false if it is not positive definite in floating point, or if that was interrupted.
    pub fn factorize(&mut self) -> bool {
        dispatch(Instructions::Widest, Factorize(self))
    }

    #[inline(always)]
    fn factorize_here(&mut self) -> bool {
        let count = self.bodies.len();
        let mut lists = std::mem::take(&mut self.lists);
        let Lists { first, following, at, index_of_row } = &mut lists;
        for (list, value) in [(&mut *first, NONE), (&mut *following, NONE), (&mut *at, 0), (&mut *index_of_row, NONE)] {
            list.clear();
            list.resize(count, value);
        }
        let is_definite = self.factorize_by(&mut lists);
        self.lists = lists;
        is_definite
    }

    #[inline(always)]
    fn factorize_by(&mut self, Lists { first, following, at, index_of_row }: &mut Lists) -> bool {
        let count = self.bodies.len();
        for column in 0..count {
            if column.is_multiple_of(COLUMNS_BETWEEN_CHECKS) && self.interruption.is_wanted() {
                return false;
            }
            let range = self.starts[column]..self.starts[column + 1];
            for index in range.clone() {
                self.factor_below[index] = self.below[index];
                index_of_row[self.rows[index]] = index;
            }
            let mut diagonal = self.diagonal[column];
            let mut earlier = std::mem::replace(&mut first[column], NONE);
            while earlier != NONE {
                let next = following[earlier];
                let (index, end) = (at[earlier], self.starts[earlier + 1]);
                let across = self.factor_below[index];
                subtract_product(&mut diagonal, &across, &across);
                for k in index + 1..end {
                    let block = self.factor_below[k];
                    subtract_product(&mut self.factor_below[index_of_row[self.rows[k]]], &block, &across);
                }
                if index + 1 < end {
                    at[earlier] = index + 1;
                    let row = self.rows[index + 1];
                    following[earlier] = std::mem::replace(&mut first[row], earlier);
                }
                earlier = next;
            }
            if !factorize_block(&mut diagonal) {
                return false;
            }
            for index in range.clone() {
                divide(&mut self.factor_below[index], &diagonal);
            }
            self.factor_diagonal[column] = diagonal;
            if !range.is_empty() {
                at[column] = range.start;
                let row = self.rows[range.start];
                following[column] = std::mem::replace(&mut first[row], column);
            }
        }
        true
    }

    /// The solution for a right-hand side, both by body, with the factor of the last [`factorize`](Self::factorize).
    pub fn solve(&self, right: &[Column]) -> Vec<Column> {
        let (mut ordered, mut solution) = (Vec::new(), Vec::new());
        self.solve_into(right, &mut ordered, &mut solution);
        solution
    }

    /// The same in memory that is there.
    pub fn solve_into(&self, right: &[Column], x: &mut Vec<Column>, solution: &mut Vec<Column>) {
        x.clear();
        x.extend(self.bodies.iter().map(|&body| right[body]));
        let count = x.len();
        for column in 0..count {
            x[column] = forward(&self.factor_diagonal[column], &x[column]);
            let own = x[column];
            for index in self.starts[column]..self.starts[column + 1] {
                let block = &self.factor_below[index];
                let below = &mut x[self.rows[index]];
                for (value, row) in below.iter_mut().zip(block) {
                    *value -= dot(row, &own);
                }
            }
        }
        for column in (0..count).rev() {
            let mut own = x[column];
            for index in self.starts[column]..self.starts[column + 1] {
                let below = &x[self.rows[index]];
                for (row, factor) in self.factor_below[index].iter().zip(below) {
                    (0..6).for_each(|k| own[k] -= row[k] * factor);
                }
            }
            x[column] = backward(&self.factor_diagonal[column], &own);
        }
        solution.clear();
        solution.extend(self.places.iter().map(|&place| x[place]));
    }
}

/// The factorization, with the vector instructions of the machine: sums and products are the same without them.
struct Factorize<'m>(&'m mut BlockCholesky);

impl Work for Factorize<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<R: Register>(self, _: R::Token) -> bool {
        self.0.factorize_here()
    }
}

/// An order of elimination: each time the body with the fewest neighbours that are left.
fn minimum_degree(count: usize, pairs: &[[usize; 2]]) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for &[a, b] in pairs {
        neighbours[a].insert(b);
        neighbours[b].insert(a);
    }
    let mut left: BTreeSet<(usize, usize)> = inserted((0..count).map(|body| (neighbours[body].len(), body)));
    let mut order = Vec::with_capacity(count);
    while let Some((_, body)) = left.pop_first() {
        order.push(body);
        let around = std::mem::take(&mut neighbours[body]);
        for &other in &around {
            left.remove(&(neighbours[other].len(), other));
            neighbours[other].remove(&body);
            neighbours[other].extend(around.iter().copied().filter(|&third| third != other));
            left.insert((neighbours[other].len(), other));
        }
    }
    order
}

pub fn dot(a: &Column, b: &Column) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}

fn add(to: &mut Block, block: &Block) {
    for (row, other) in to.iter_mut().zip(block) {
        for (x, y) in row.iter_mut().zip(other) {
            *x += y;
        }
    }
}

#[inline(always)]
fn transposed(block: &Block) -> Block {
    std::array::from_fn(|row| std::array::from_fn(|column| block[column][row]))
}

/// c − a bᵀ.
#[inline(always)]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    let b = transposed(b);
    for (row, factors) in c.iter_mut().zip(a) {
        for (factor, other) in factors.iter().zip(&b) {
            for (x, y) in row.iter_mut().zip(other) {
                *x -= factor * y;
            }
        }
    }
}

/// The lower triangular factor of a block in its place; false if it is not positive definite.
#[inline(always)]
fn factorize_block(block: &mut Block) -> bool {
    for j in 0..6 {
        let mut pivot = block[j][j];
        (0..j).for_each(|k| pivot -= block[j][k] * block[j][k]);
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        block[j][j] = root;
        for i in j + 1..6 {
            let mut x = block[i][j];
            (0..j).for_each(|k| x -= block[i][k] * block[j][k]);
            block[i][j] = x / root;
        }
        block[j][j + 1..].fill(0.0);
    }
    true
}

/// block · l⁻ᵀ in its place.
#[inline(always)]
fn divide(block: &mut Block, l: &Block) {
    for row in block {
        *row = forward(l, row);
    }
}

/// l⁻¹ x.
#[inline(always)]
fn forward(l: &Block, x: &Column) -> Column {
    let mut y = *x;
    for i in 0..6 {
        (0..i).for_each(|k| y[i] -= l[i][k] * y[k]);
        y[i] /= l[i][i];
    }
    y
}

/// l⁻ᵀ x.
fn backward(l: &Block, x: &Column) -> Column {
    let mut y = *x;
    for i in (0..6).rev() {
        (i + 1..6).for_each(|k| y[i] -= l[k][i] * y[k]);
        y[i] /= l[i][i];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::split_mix::SplitMix;

    /// Random pairs and blocks; the oracle multiplies the whole matrix with the solution.
    #[test]
    fn solutions_satisfy_the_whole_system() {
        let mut random = SplitMix::new(7);
        for count in [1, 2, 5, 12, 40] {
            let mut number = || 2.0 * random.next_fraction() - 1.0;
            let pairs: Vec<[usize; 2]> = (0..2 * count)
                .map(|_| [0; 2].map(|_| (count as f64 * 0.5 * (number() + 1.0)) as usize % count))
                .filter(|[a, b]| a != b)
                .collect();
            let mut matrix = BlockCholesky::new(count, &pairs);
            let mut dense = vec![vec![0.0; 6 * count]; 6 * count];
            for &[a, b] in &pairs {
                // g gᵀ over both bodies, twelve numbers.
                let g: [f64; 12] = std::array::from_fn(|_| number());
                let part = |i: usize, j: usize| -> Block {
                    std::array::from_fn(|r| std::array::from_fn(|c| g[6 * i + r] * g[6 * j + c]))
                };
                matrix.add_to_body(a, &part(0, 0));
                matrix.add_to_body(b, &part(1, 1));
                matrix.add_to_pair(matrix.place([a, b]), &part(0, 1));
                let place = |k: usize| 6 * [a, b][k / 6] + k % 6;
                for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
                    dense[place(i)][place(j)] += g[i] * g[j];
                }
            }
            for body in 0..count {
                let one: Block = std::array::from_fn(|r| std::array::from_fn(|c| f64::from(u8::from(r == c))));
                matrix.add_to_body(body, &one);
                (6 * body..6 * body + 6).for_each(|k| dense[k][k] += 1.0);
            }
            assert!(matrix.factorize());
            let right: Vec<Column> = (0..count).map(|_| std::array::from_fn(|_| number())).collect();
            let x = matrix.solve(&right).concat();
            for (row, b) in dense.iter().zip(right.concat()) {
                let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                assert!((product - b).abs() < 1e-11, "{product} {b}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let mut matrix = BlockCholesky::new(1, &[]);
        assert!(!matrix.factorize());
        matrix.add_to_body(0, &[[f64::NAN; 6]; 6]);
        assert!(!matrix.factorize());
    }
}
