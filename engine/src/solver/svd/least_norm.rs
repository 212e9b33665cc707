//! f = −A⁺ b from thin factors.
//!
//! A f + b = G_R (ã + G_Cᵀ f) + e, where ã is the scaled free motion and e the bias. Let the columns of V span the motions
//! that the contacts resist (the row space of G_R). Then f is the force of least norm with Vᵀ G_Cᵀ f = −h, where
//! h = Vᵀ ã + (the motion nearest to making e): a balance of forces in which the condition of the Jacobian counts once. If
//! all contacts are static, the same singular values serve twice. (For b in the range of A it is −A⁺ b; otherwise the
//! nearest balance.)

use super::SvdSettings;
use super::factors::{Row, apply, spread};
use super::force_balance;
use super::singular_values::{Columns, SingularValues, singular_values};

/// The unknowns of one linear system.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastNorm {
    /// One unknown for each row.
    pub unknowns: Vec<f64>,
    /// The motion of the bodies with these forces, scaled.
    pub motion: Vec<f64>,
    /// The rank of A.
    pub rank: usize,
    /// |A f + b| by |b|, largest components.
    pub residual: f64,
    /// The same without what of the bias no motion makes.
    pub balance: f64,
}

/// Solves for the forces of the given rows.
pub fn least_norm(rows: &[Row], free: &[f64], settings: &SvdSettings) -> LeastNorm {
    if free.len() > settings.dense_columns {
        force_balance::solve(rows, free, settings)
    } else {
        dense(rows, free, settings)
    }
}

/// By singular values.
pub fn dense(rows: &[Row], free: &[f64], settings: &SvdSettings) -> LeastNorm {
    let resisted = singular_values(&matrix(rows, free.len(), |row| &row.resisted), settings.rank_tolerance);
    let bias: Vec<f64> = rows.iter().map(|row| row.bias).collect();
    let mut made = resisted.left.transposed_times(&bias);
    made.iter_mut().zip(&resisted.values).for_each(|(x, s)| *x /= s);
    let wanted: Vec<f64> = resisted.right.transposed_times(free).iter().zip(&made).map(|(h, e)| h + e).collect();
    let symmetric = rows.iter().all(|row| row.pushed == row.resisted);
    let (unknowns, rank) = if symmetric {
        let scaled: Vec<f64> = wanted.iter().zip(&resisted.values).map(|(h, s)| -h / s).collect();
        (resisted.left.times(&scaled), resisted.values.len())
    } else {
        let pushes = &resisted.right;
        let along = |row: &Row| {
            let mut spread_row = vec![0.0; free.len()];
            spread(&row.pushed, row.bodies, 1.0, &mut spread_row);
            pushes.transposed_times(&spread_row)
        };
        let columns: Vec<Vec<f64>> = rows.iter().map(along).collect();
        // The matrix Vᵀ G_Cᵀ, a column for each unknown.
        let SingularValues { values, left, right } =
            singular_values(&Columns { rows: wanted.len(), columns }, settings.rank_tolerance);
        let scaled: Vec<f64> = left.transposed_times(&wanted).iter().zip(&values).map(|(h, s)| -h / s).collect();
        (right.times(&scaled), values.len())
    };
    assess(rows, free, &resisted.right.times(&made), unknowns, rank)
}

/// What the unknowns do. `made` is the motion that makes the bias as well as any does.
pub fn assess(rows: &[Row], free: &[f64], made: &[f64], unknowns: Vec<f64>, rank: usize) -> LeastNorm {
    let mut motion = free.to_vec();
    for (row, &x) in rows.iter().zip(&unknowns) {
        spread(&row.pushed, row.bodies, x, &mut motion);
    }
    let (mut size, mut residual, mut balance) = (0.0f64, 0.0f64, 0.0f64);
    for row in rows {
        let of = |motion: &[f64]| apply(&row.resisted, row.bodies, motion);
        let (after, nearest) = (of(&motion), of(made));
        size = size.max((of(free) + row.bias).abs());
        residual = residual.max((after + row.bias).abs());
        balance = balance.max((after + nearest).abs());
    }
    let share = |x: f64| if size > 0.0 { x / size } else { 0.0 };
    LeastNorm { unknowns, motion, rank, residual: share(residual), balance: share(balance) }
}

fn matrix<'a>(rows: &'a [Row], columns: usize, pick: impl Fn(&'a Row) -> &'a [f64; 12]) -> Columns {
    let mut matrix = Columns::zero(rows.len(), columns);
    for (i, row) in rows.iter().enumerate() {
        for (side, body) in row.bodies.into_iter().enumerate() {
            if let Some(body) = body {
                (0..6).for_each(|k| matrix.columns[6 * body + k][i] += pick(row)[6 * side + k]);
            }
        }
    }
    matrix
}
