//! The mass matrix M of a problem in the global form, factored.
//!
//! M may be diagonal, of blocks, banded or full: its Cholesky factor is stored row by row from the first entry that is not zero (the
//! envelope, which the factor does not leave).

use super::error::FclibFault;
use super::matrix::Matrix;

/// Entries of the envelope at most: a full matrix of 5,800 rows.
const MOST_ENTRIES: usize = 1 << 24;

/// M may miss its transpose by this share of its largest entry.
const ROUNDING: f64 = 1e-12;

/// M, ready for M⁻¹.
pub enum Mass {
    /// The diagonal, where there is nothing else.
    Diagonal(Vec<f64>),
    /// L of M = L Lᵀ.
    Factored(Factor),
}

/// A Cholesky factor by rows.
pub struct Factor {
    /// The first column of each row.
    first: Vec<usize>,
    /// Each row from there to the diagonal.
    rows: Vec<Vec<f64>>,
}

impl Mass {
    /// Factors a square matrix; `name` is what it is called in the file.
    pub fn new(matrix: &Matrix, name: &str) -> Result<Self, FclibFault> {
        let unusable = |reason: String| FclibFault::Matrix { name: name.to_owned(), reason };
        let not_positive = |row: usize| {
            unusable(format!(
                "it is not positive definite, as row {row} (from 0) shows; FCLIB asks for a mass matrix that is"
            ))
        };
        let asymmetry = matrix.asymmetry();
        if asymmetry.is_nan() || asymmetry > ROUNDING {
            return Err(unusable(format!(
                "it is not symmetric: max |M - M'| is {asymmetry:.1e} of max |M|; FCLIB asks for a symmetric mass matrix"
            )));
        }
        let size = matrix.columns();
        let mut diagonal = vec![0.0; size];
        matrix.entries().filter(|(row, column, _)| row == column).for_each(|(row, _, value)| diagonal[row] = value);
        if let Some(row) = diagonal.iter().position(|value| *value <= 0.0) {
            return Err(not_positive(row));
        }
        if matrix.entries().all(|(row, column, value)| row == column || value == 0.0) {
            return Ok(Self::Diagonal(diagonal));
        }
        let mut first: Vec<usize> = (0..size).collect();
        matrix
            .entries()
            .filter(|entry| entry.2 != 0.0)
            .for_each(|(row, column, _)| first[row] = first[row].min(column));
        let entries = first.iter().enumerate().fold(0, |sum: usize, (row, first)| sum.saturating_add(row + 1 - first));
        if entries > MOST_ENTRIES {
            return Err(unusable(format!(
                "its rows span {entries} entries from their first to the diagonal, and no more than {MOST_ENTRIES} are factored; \
                 number the unknowns body by body"
            )));
        }
        let mut rows: Vec<Vec<f64>> = first.iter().enumerate().map(|(row, first)| vec![0.0; row + 1 - first]).collect();
        matrix
            .entries()
            .filter(|(row, column, value)| column <= row && *value != 0.0)
            .for_each(|(row, column, value)| rows[row][column - first[row]] = value);
        let mut factor = Factor { first, rows };
        factor.decompose().map_err(not_positive)?;
        Ok(Self::Factored(factor))
    }

    /// x becomes M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        match self {
            Self::Diagonal(diagonal) => x.iter_mut().zip(diagonal).for_each(|(x, mass)| *x /= mass),
            Self::Factored(factor) => factor.solve(x),
        }
    }
}

impl Factor {
    /// From the lower half of M to L, row by row; the row at which that ends if M is not positive definite.
    fn decompose(&mut self) -> Result<(), usize> {
        for i in 0..self.rows.len() {
            let (above, below) = self.rows.split_at_mut(i);
            let (row, start) = (&mut below[0], self.first[i]);
            for j in start..i {
                let (other, from) = (&above[j], start.max(self.first[j]));
                let known = dot(&row[from - start..j - start], &other[from - self.first[j]..j - self.first[j]]);
                row[j - start] = (row[j - start] - known) / other[j - self.first[j]];
            }
            let pivot = row[i - start] - dot(&row[..i - start], &row[..i - start]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(i);
            }
            row[i - start] = pivot.sqrt();
        }
        Ok(())
    }

    fn solve(&self, x: &mut [f64]) {
        for (i, (row, start)) in self.rows.iter().zip(&self.first).enumerate() {
            x[i] = (x[i] - dot(&row[..i - start], &x[*start..i])) / row[i - start];
        }
        for (i, (row, start)) in self.rows.iter().zip(&self.first).enumerate().rev() {
            x[i] /= row[i - start];
            let value = x[i];
            x[*start..i].iter_mut().zip(row).for_each(|(x, entry)| *x -= entry * value);
        }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + x * y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let entries = rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, x)| (i, j, *x)));
        Matrix::new(rows.len(), rows.len(), entries.collect())
    }

    #[test]
    fn full_and_sparse_matrices_are_solved() {
        let full = matrix(&[&[4.0, 1.0, 2.0], &[1.0, 3.0, 0.5], &[2.0, 0.5, 5.0]]);
        let mut x = [4.0 + 2.0 + 6.0, 1.0 + 6.0 + 1.5, 2.0 + 1.0 + 15.0];
        Mass::new(&full, "M").unwrap().solve(&mut x);
        x.iter().zip([1.0, 2.0, 3.0]).for_each(|(x, known)| assert!((x - known).abs() < 1e-15, "{x}"));
        // What is not coupled stays zero to the last bit.
        let blocks = matrix(&[&[2.0, 1.0, 0.0], &[1.0, 2.0, 0.0], &[0.0, 0.0, 3.0]]);
        let mut x = [0.0, 0.0, 3.0];
        Mass::new(&blocks, "M").unwrap().solve(&mut x);
        assert!(x[..2] == [0.0; 2] && (x[2] - 1.0).abs() < 1e-15, "{x:?}");
        assert!(matches!(Mass::new(&matrix(&[&[2.0, 0.0], &[0.0, 4.0]]), "M"), Ok(Mass::Diagonal(_))));
    }

    #[test]
    fn matrices_that_are_no_masses_are_refused() {
        let reason =
            |rows: &[&[f64]]| Mass::new(&matrix(rows), "M").err().map(|fault| fault.to_string()).unwrap_or_default();
        assert!(reason(&[&[1.0, 2.0], &[2.0, 1.0]]).contains("not positive definite, as row 1"));
        assert!(reason(&[&[1.0, 0.5], &[0.4, 1.0]]).contains("not symmetric"));
        assert!(reason(&[&[0.0]]).contains("not positive definite, as row 0"));
    }
}
