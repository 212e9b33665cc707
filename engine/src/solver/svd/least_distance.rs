//! Contacts without friction, exactly: f ≥ 0 ⟂ A f + b ≥ 0.
//!
//! The bodies take the motion nearest to the free one, in the norm of kinetic energy, in which no contact approaches (Gauss's
//! principle): least |x| with G x ≥ h, h = −b. That is a least-distance problem, and its multipliers are the forces. With E
//! the matrix whose columns are the rows (G_i, h_i), let u ≥ 0 be nearest to (0, …, 0, 1) by E u, and r what is
//! missing; then x = −r/r_last, and f = u / −r_last. If nothing is missing, no motion satisfies the contacts. (C. Lawson,
//! R. Hanson, "Solving least squares problems", 1974, chapter 23: the algorithms NNLS and LDP.)

use super::SvdSettings;
use super::factors::{Row, apply};
use super::singular_values::{dot, norm};

/// What is missing to the last unit below this counts as nothing: motions this much slower than they must be.
const NOTHING: f64 = 1e-11;

/// Columns that leave less than this share of themselves outside of the others depend on them.
const DEPENDENT: f64 = 1e-9;

/// Gradients below this are zero; all columns have about the length of one.
const FLAT: f64 = 1e-13;

/// Steps for each column.
const STEPS: usize = 10;

/// The normal forces of the contacts; none if no motion satisfies them.
pub fn forces(rows: &[Row], free: &[f64], settings: &SvdSettings) -> Option<Vec<f64>> {
    let b: Vec<f64> = rows.iter().map(|row| apply(&row.resisted, row.bodies, free) + row.bias).collect();
    let size = b.iter().map(|x| x.abs()).fold(0.0, f64::max);
    if b.iter().all(|&x| x >= -settings.force_tolerance * size) {
        return Some(vec![0.0; rows.len()]);
    }
    // Rows of length one, motions in units of the largest that is needed.
    let lengths: Vec<f64> = rows.iter().map(|row| norm(&row.resisted)).collect();
    let unit = b.iter().zip(&lengths).map(|(x, length)| x.abs() / length).fold(0.0, f64::max);
    let column = |((row, b), length): ((&Row, &f64), &f64)| {
        let mut column = vec![0.0; free.len() + 1];
        super::factors::spread(&row.resisted, row.bodies, 1.0 / length, &mut column);
        column[free.len()] = -b / (length * unit);
        column
    };
    let columns: Vec<Vec<f64>> = rows.iter().zip(&b).zip(&lengths).map(column).collect();
    let mut target = vec![0.0; free.len() + 1];
    target[free.len()] = 1.0;
    let u = nonnegative_least_squares(&columns, &target);
    let missing = 1.0 - columns.iter().zip(&u).map(|(column, x)| column[free.len()] * x).sum::<f64>();
    if missing <= NOTHING {
        return None;
    }
    Some(u.iter().zip(&lengths).map(|(x, length)| x * unit / (missing * length)).collect())
}

/// The x ≥ 0 with the least |E x − target|; `columns` are those of E.
pub fn nonnegative_least_squares(columns: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let count = columns.len();
    let mut x = vec![0.0; count];
    let mut passive: Vec<usize> = Vec::new();
    let mut refused = vec![false; count];
    for _ in 0..STEPS * count {
        let mut missing = target.to_vec();
        for (column, &x) in columns.iter().zip(&x).filter(|(_, x)| **x > 0.0) {
            missing.iter_mut().zip(column).for_each(|(m, e)| *m -= x * e);
        }
        let steepest = (0..count)
            .filter(|i| !passive.contains(i) && !refused[*i])
            .map(|i| (dot(&columns[i], &missing), i))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, entering)) = steepest.filter(|(slope, _)| *slope > FLAT) else { break };
        passive.push(entering);
        let mut first = true;
        loop {
            let solved = least_squares(columns, &passive, target);
            // A column that depends on the others, or would enter backwards by rounding, stays out for now.
            let entered = solved.as_ref().is_some_and(|z| !first || z[passive.len() - 1] > 0.0);
            let Some(z) = solved.filter(|_| entered) else {
                passive.retain(|&i| i != entering);
                refused[entering] = true;
                break;
            };
            first = false;
            if z.iter().all(|&z| z > 0.0) {
                x.fill(0.0);
                passive.iter().zip(&z).for_each(|(&i, &z)| x[i] = z);
                refused.fill(false);
                break;
            }
            // As far as all stay positive; those that end at zero leave.
            let reach = |i: usize, z: f64| if z <= 0.0 { x[i] / (x[i] - z) } else { f64::INFINITY };
            let reaches: Vec<f64> = passive.iter().zip(&z).map(|(&i, &z)| reach(i, z)).collect();
            let share = reaches.iter().copied().fold(1.0, f64::min);
            for ((&i, &z), &reach) in passive.iter().zip(&z).zip(&reaches) {
                x[i] = if reach <= share { 0.0 } else { x[i] + share * (z - x[i]) };
            }
            passive.retain(|&i| x[i] > 0.0);
        }
    }
    x
}

/// Least squares in some columns, by Gram and Schmidt's method made twice; none if they depend on each other.
fn least_squares(columns: &[Vec<f64>], chosen: &[usize], target: &[f64]) -> Option<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(chosen.len());
    let mut triangle: Vec<Vec<f64>> = Vec::with_capacity(chosen.len());
    let mut rest = target.to_vec();
    let mut shares = Vec::with_capacity(chosen.len());
    for &i in chosen {
        let mut column = columns[i].clone();
        let mut entries = vec![0.0; basis.len()];
        for _ in 0..2 {
            for (q, entry) in basis.iter().zip(&mut entries) {
                let along = dot(q, &column);
                *entry += along;
                column.iter_mut().zip(q).for_each(|(c, q)| *c -= along * q);
            }
        }
        let length = norm(&column);
        if length <= DEPENDENT * norm(&columns[i]) {
            return None;
        }
        column.iter_mut().for_each(|c| *c /= length);
        let share = dot(&column, &rest);
        rest.iter_mut().zip(&column).for_each(|(r, q)| *r -= share * q);
        shares.push(share);
        entries.push(length);
        triangle.push(entries);
        basis.push(column);
    }
    for i in (0..chosen.len()).rev() {
        shares[i] /= triangle[i][i];
        let x = shares[i];
        (0..i).for_each(|k| shares[k] -= triangle[i][k] * x);
    }
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The conditions of Karush, Kuhn and Tucker.
        #[test]
        fn nothing_nonnegative_is_nearer(
            rows in 1usize..7, count in 1usize..10, numbers in prop::collection::vec(-1.0..1.0f64, 80),
        ) {
            let columns: Vec<Vec<f64>> =
                (0..count).map(|j| (0..rows).map(|i| numbers[7 * j + i]).collect()).collect();
            let target = &numbers[70..70 + rows];
            let x = nonnegative_least_squares(&columns, target);
            let mut missing = target.to_vec();
            for (column, &x) in columns.iter().zip(&x) {
                missing.iter_mut().zip(column).for_each(|(m, e)| *m -= x * e);
            }
            for (column, &x) in columns.iter().zip(&x) {
                let slope = dot(column, &missing);
                prop_assert!(x >= 0.0 && slope < 1e-9 && (x == 0.0 || slope > -1e-9 * (1.0 + x)), "{x} {slope}");
            }
        }
    }
}
