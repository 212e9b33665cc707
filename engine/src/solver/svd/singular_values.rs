//! The singular value decomposition by one-sided Jacobi rotations.
//!
//! Pairs of columns are rotated until all are orthogonal; their lengths are then the singular values. Small singular
//! values keep their relative accuracy, and there is nothing but sums, products and square roots in a fixed order, so that
//! the bits are the same on every machine. (J. Demmel, K. Veselić, "Jacobi's method is more accurate than QR", SIAM
//! J. Matrix Anal. Appl. 13, 1992.)

use drystone_contact::sorting::CompactSort;

/// A dense matrix, column by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// Rows of each column.
    pub rows: usize,
    /// The columns; each has `rows` entries.
    pub columns: Vec<Vec<f64>>,
}

/// Sweeps at most; ten are usual.
const SWEEPS: usize = 60;

/// Columns count as orthogonal when the cosine between them is below this.
const ORTHOGONAL: f64 = 1e-15;

/// Columns shorter than this share of the longest one are rounding and no longer rotated.
const NOTHING: f64 = 1e-15;

/// X = U S Vᵀ without what is below the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct SingularValues {
    /// The singular values, falling.
    pub values: Vec<f64>,
    /// Left singular vectors.
    pub left: Columns,
    /// Right singular vectors.
    pub right: Columns,
}

impl Columns {
    /// Columns of zeros.
    pub fn zero(rows: usize, count: usize) -> Self {
        Self { rows, columns: vec![vec![0.0; rows]; count] }
    }

    fn transposed(&self) -> Self {
        let mut result = Self::zero(self.columns.len(), self.rows);
        for (j, column) in self.columns.iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                result.columns[i][j] = *x;
            }
        }
        result
    }

    /// X x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.rows];
        for (column, &factor) in self.columns.iter().zip(x) {
            result.iter_mut().zip(column).for_each(|(sum, entry)| *sum += factor * entry);
        }
        result
    }

    /// Xᵀ x.
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|column| dot(column, x)).collect()
    }
}

/// The sum of products, in eight running sums whose order does not depend on the machine.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let ((x, x_rest), (y, y_rest)) = (x[..n].as_chunks::<8>(), y[..n].as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (x, y) in x.iter().zip(y) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}

/// The length of a vector.
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// Decomposes a matrix of finite numbers; singular values up to `tolerance` times the largest one are left out.
pub fn singular_values(matrix: &Columns, tolerance: f64) -> SingularValues {
    if matrix.rows < matrix.columns.len() {
        let SingularValues { values, left, right } = singular_values(&matrix.transposed(), tolerance);
        return SingularValues { values, left: right, right: left };
    }
    let count = matrix.columns.len();
    let mut left = matrix.clone();
    let mut right = Columns::zero(count, count);
    for (k, column) in right.columns.iter_mut().enumerate() {
        column[k] = 1.0;
    }
    for _ in 0..SWEEPS {
        let longest = left.columns.iter().map(|x| dot(x, x)).fold(0.0, f64::max);
        let mut rotated = false;
        for p in 0..count {
            for q in p + 1..count {
                let (alpha, beta) = (dot(&left.columns[p], &left.columns[p]), dot(&left.columns[q], &left.columns[q]));
                let gamma = dot(&left.columns[p], &left.columns[q]);
                let short = alpha.min(beta) <= NOTHING * NOTHING * longest;
                if short || gamma.abs() <= ORTHOGONAL * (alpha * beta).sqrt() {
                    continue;
                }
                rotated = true;
                let zeta = (beta - alpha) / (2.0 * gamma);
                let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                for matrix in [&mut left, &mut right] {
                    let (head, tail) = matrix.columns.split_at_mut(q);
                    rotate(&mut head[p], &mut tail[0], cosine, cosine * tangent);
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let lengths: Vec<f64> = left.columns.iter().map(|x| norm(x)).collect();
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..count).filter(|&k| lengths[k] > tolerance * largest).collect();
    order.compact_sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]).then(a.cmp(&b)));
    let pick = |from: &Columns, scaled: bool| {
        let column = |&k: &usize| {
            let scale = if scaled { lengths[k] } else { 1.0 };
            from.columns[k].iter().map(|x| x / scale).collect()
        };
        Columns { rows: from.rows, columns: order.iter().map(column).collect() }
    };
    let (left, right) = (pick(&left, true), pick(&right, false));
    SingularValues { values: order.iter().map(|&k| lengths[k]).collect(), left, right }
}

#[inline]
fn rotate(x: &mut [f64], y: &mut [f64], cosine: f64, sine: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// X is put together again, and the vectors are orthonormal; the rank of a product is that of its factors.
        #[test]
        fn the_parts_make_the_whole(
            rows in 1usize..9, columns in 1usize..9, inner in 1usize..9,
            numbers in prop::collection::vec(-1.0..1.0f64, 128),
        ) {
            let entry = |i: usize, j: usize| -> f64 {
                (0..inner).map(|k| numbers[(7 * i + k) % 61] * numbers[64 + (5 * j + k) % 61]).sum()
            };
            let mut x = Columns::zero(rows, columns);
            for (j, column) in x.columns.iter_mut().enumerate() {
                column.iter_mut().enumerate().for_each(|(i, e)| *e = entry(i, j));
            }
            let size = x.columns.iter().map(|c| norm(c)).fold(0.0, f64::max);
            let parts = singular_values(&x, 1e-12);
            prop_assert!(parts.values.len() <= rows.min(columns).min(inner));
            prop_assert!(parts.values.is_sorted_by(|a, b| a >= b));
            for (j, column) in x.columns.iter().enumerate() {
                for (i, expected) in column.iter().enumerate() {
                    let sum: f64 = (0..parts.values.len())
                        .map(|k| parts.left.columns[k][i] * parts.values[k] * parts.right.columns[k][j])
                        .sum();
                    prop_assert!((sum - expected).abs() <= 1e-11 * size, "{sum} {expected}");
                }
            }
            for vectors in [&parts.left, &parts.right] {
                for (i, p) in vectors.columns.iter().enumerate() {
                    for (j, q) in vectors.columns.iter().enumerate() {
                        prop_assert!((dot(p, q) - f64::from(u8::from(i == j))).abs() < 1e-9);
                    }
                }
            }
        }
    }

    #[test]
    fn known_values() {
        let matrix = Columns { rows: 2, columns: vec![vec![3.0, 4.0], vec![0.0, 5.0]] };
        let parts = singular_values(&matrix, 1e-12);
        assert!((parts.values[0] - 45f64.sqrt()).abs() < 1e-14 && (parts.values[1] - 5f64.sqrt()).abs() < 1e-14);
        assert!(singular_values(&Columns::zero(3, 2), 1e-12).values.is_empty());
        assert!(singular_values(&Columns::zero(0, 0), 1e-12).values.is_empty());
    }
}
