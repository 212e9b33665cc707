//! Symmetric positive semidefinite matrices by rows within an envelope, and their Cholesky factors.
//!
//! A row is kept from its first entry to the diagonal; the factor fills nothing in before that. A pivot that vanishes
//! beside the diagonal entry it came from is dropped with its column: the factors then are those of the kept rows and
//! columns, and solving with them is a generalised inverse.

use super::singular_values::dot;

/// A symmetric matrix: the lower triangle, each row from its first entry on.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    first: Vec<usize>,
    /// Where each row starts in `entries`; one more than there are rows.
    starts: Vec<usize>,
    entries: Vec<f64>,
}

/// The Cholesky factor of the kept rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    lower: Envelope,
    kept: Vec<bool>,
}

impl Envelope {
    /// A matrix of zeros whose row i begins in column `first[i]` ≤ i.
    pub fn zero(first: Vec<usize>) -> Self {
        let mut starts = Vec::with_capacity(first.len() + 1);
        starts.push(0);
        for (row, &column) in first.iter().enumerate() {
            starts.push(starts[row] + row + 1 - column);
        }
        let entries = vec![0.0; starts[first.len()]];
        Self { first, starts, entries }
    }

    /// A matrix of zeros with all of its lower triangle.
    pub fn full(size: usize) -> Self {
        Self::zero(vec![0; size])
    }

    /// How many rows there are.
    pub fn size(&self) -> usize {
        self.first.len()
    }

    /// A row from its first entry to the diagonal.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// The entry at a place; zero outside the envelope.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        let (row, column) = (row.max(column), row.min(column));
        if column < self.first[row] { 0.0 } else { self.entries[self.starts[row] + column - self.first[row]] }
    }

    /// Adds to the entry at a place of the lower triangle within the envelope.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[self.starts[row] + column - self.first[row]] += value;
    }

    /// The Cholesky factor; pivots up to `tolerance` times their diagonal entry are dropped.
    pub fn factor(mut self, tolerance: f64) -> Cholesky {
        let size = self.size();
        let mut kept = vec![false; size];
        for i in 0..size {
            let first = self.first[i];
            let (above, rest) = self.entries.split_at_mut(self.starts[i]);
            let row = &mut rest[..i + 1 - first];
            for j in first..i {
                if !kept[j] {
                    row[j - first] = 0.0;
                    continue;
                }
                let other = &above[self.starts[j]..self.starts[j + 1]];
                let from = first.max(self.first[j]);
                let sum = dot(&row[from - first..j - first], &other[from - self.first[j]..j - self.first[j]]);
                row[j - first] = (row[j - first] - sum) / other[j - self.first[j]];
            }
            let (left, diagonal) = row.split_at_mut(i - first);
            let pivot = diagonal[0] - dot(left, left);
            kept[i] = pivot > tolerance * diagonal[0];
            diagonal[0] = if kept[i] { pivot.sqrt() } else { 0.0 };
        }
        Cholesky { lower: self, kept }
    }
}

impl Cholesky {
    /// Whether each row and column was kept.
    pub fn kept(&self) -> &[bool] {
        &self.kept
    }

    /// How many were kept.
    pub fn rank(&self) -> usize {
        self.kept.iter().filter(|kept| **kept).count()
    }

    /// The solution of the kept equations in the kept unknowns; the others are zero.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let first = self.lower.first[i];
            let (left, diagonal) = self.lower.row(i).split_at(i - first);
            x[i] = if self.kept[i] { (x[i] - dot(left, &x[first..i])) / diagonal[0] } else { 0.0 };
        }
        self.back(&mut x);
        x
    }

    /// For a row that was dropped: its entries in the matrix times the inverse of the kept part.
    pub fn dropped_row(&self, row: usize) -> Vec<f64> {
        let mut x = vec![0.0; self.kept.len()];
        let left = &self.lower.row(row)[..row - self.lower.first[row]];
        x[self.lower.first[row]..row].copy_from_slice(left);
        self.back(&mut x);
        x
    }

    /// The solution with the transposed factor, in place.
    fn back(&self, x: &mut [f64]) {
        for i in (0..x.len()).rev() {
            if self.kept[i] {
                let first = self.lower.first[i];
                let (left, diagonal) = self.lower.row(i).split_at(i - first);
                x[i] /= diagonal[0];
                let value = x[i];
                x[first..i].iter_mut().zip(left).for_each(|(x, entry)| *x -= value * entry);
            } else {
                x[i] = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Matrices B Bᵀ with rows that begin anywhere: K x = K y whenever x solves for the right side K y.
        #[test]
        fn solutions_satisfy_the_equations(
            size in 1usize..12, inner in 1usize..12, reach in 1usize..12,
            numbers in prop::collection::vec(-1.0..1.0f64, 160),
        ) {
            let b = |i: usize, k: usize| if i.abs_diff(k) < reach { numbers[(11 * i + k) % 144] } else { 0.0 };
            let product = |i: usize, j: usize| -> f64 { (0..inner).map(|k| b(i, k) * b(j, k)).sum() };
            let begins = |i: usize| (0..=i).find(|&j| product(i, j) != 0.0).unwrap_or(i);
            let mut matrix = Envelope::zero((0..size).map(begins).collect());
            for i in 0..size {
                for j in begins(i)..=i {
                    matrix.add(i, j, product(i, j));
                }
            }
            let y = &numbers[144..144 + size];
            let times = |x: &[f64]| -> Vec<f64> {
                (0..size).map(|i| (0..size).map(|j| matrix.entry(i, j) * x[j]).sum()).collect()
            };
            let right = times(y);
            let factor = matrix.clone().factor(1e-11);
            prop_assert!(factor.rank() <= inner);
            for (found, expected) in times(&factor.solve(&right)).iter().zip(&right) {
                prop_assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        }
    }

    #[test]
    fn a_dropped_row_is_a_sum_of_kept_ones() {
        let mut matrix = Envelope::full(3);
        // Rows (2, 1, 3), (1, 2, 3), and their sum.
        for (i, row) in [[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 3.0, 6.0]].iter().enumerate() {
            (0..=i).for_each(|j| matrix.add(i, j, row[j]));
        }
        let factor = matrix.factor(1e-12);
        assert_eq!(factor.kept(), [true, true, false]);
        let row = factor.dropped_row(2);
        assert!(row.iter().zip([1.0, 1.0, 0.0]).all(|(x, y)| (x - y).abs() < 1e-14), "{row:?}");
    }
}
