//! The force of least norm for many bodies, by sparse normal equations.
//!
//! The motions that contacts resist are parametrised as Y q: the kept columns of the Cholesky factor of K_R = G_Rᵀ
//! G_R and what a dropped one is of them, so that Y is orthogonal to all motions that nothing resists (Y is the
//! identity where no body is free). The balance is Yᵀ (ã + G_Cᵀ f + motion of the bias) = 0, its solution of least
//! norm f = −G_C Y q with (Yᵀ K_C Y) q = Yᵀ (…). Formed, these matrices have the square of the condition of the
//! factors; each refinement by the residual of the balance wins back digits, and since all of them are combinations
//! of rows of G_C Y, the norm stays the least one. Bodies are numbered so that the envelope of the matrices is small
//! (E. Cuthill, J. McKee, 1969, reversed).

use super::SvdSettings;
use super::envelope::{Cholesky, Envelope};
use super::factors::{Row, apply, spread};
use super::least_norm::{LeastNorm, assess};
use super::singular_values::norm;
use drystone_contact::sorting::CompactSort;

/// Refinements at most; two or three are usual.
const REFINEMENTS: usize = 8;

/// A refinement that does not shrink the residual to this share is the last.
const PROGRESS: f64 = 0.5;

/// Solves for the forces of the given rows.
pub fn solve(rows: &[Row], free: &[f64], settings: &SvdSettings) -> LeastNorm {
    let slots = Slots::new(rows, free.len() / 6);
    let resisted = slots.normal_matrix(rows, |row| &row.resisted).factor(settings.pivot_tolerance);
    let made = slots.made(rows, &resisted);
    let symmetric = rows.iter().all(|row| row.pushed == row.resisted);
    let (balance, rank) = if resisted.rank() == free.len() {
        let pushed = if symmetric {
            resisted
        } else {
            slots.normal_matrix(rows, |row| &row.pushed).factor(settings.pivot_tolerance)
        };
        let rank = pushed.rank();
        (Balance { span: None, factor: pushed }, rank)
    } else {
        let span = Span::new(&resisted);
        let factor = span.projected(&slots.normal_matrix(rows, |row| &row.pushed)).factor(settings.pivot_tolerance);
        let rank = factor.rank();
        (Balance { span: Some(span), factor }, rank)
    };

    let wanted: Vec<f64> = free.iter().zip(&made).map(|(a, e)| a + e).collect();
    let mut unknowns = vec![0.0; rows.len()];
    let mut last = f64::INFINITY;
    for _ in 0..=REFINEMENTS {
        let mut left = wanted.clone();
        for (row, &x) in rows.iter().zip(&unknowns) {
            spread(&row.pushed, row.bodies, x, &mut left);
        }
        let left = balance.restricted(&slots.sorted(&left));
        let size = norm(&left);
        if size.is_nan() || size >= PROGRESS * last {
            break;
        }
        last = size;
        let step = slots.unsorted(&balance.motion(&left));
        for (row, x) in rows.iter().zip(&mut unknowns) {
            *x -= apply(&row.pushed, row.bodies, &step);
        }
    }
    assess(rows, free, &made, unknowns, rank)
}

/// The order of the bodies in the matrices.
pub struct Slots {
    /// The index of each body.
    slots: Vec<usize>,
    /// The least index among each body's neighbours and itself, by index.
    least: Vec<usize>,
}

impl Slots {
    /// An order that follows from which bodies the rows tie together.
    pub fn new(rows: &[Row], bodies: usize) -> Self {
        let mut neighbours = vec![Vec::new(); bodies];
        for row in rows {
            if let [Some(a), Some(b)] = row.bodies {
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let mut order = Vec::with_capacity(bodies);
        let mut seen = vec![false; bodies];
        while order.len() < bodies {
            let left = (0..bodies).filter(|&body| !seen[body]);
            let Some(any) = left.min_by_key(|&body| (neighbours[body].len(), body)) else { break };
            // The end of a search is a better start than its start.
            let start = *search(any, &neighbours, &mut seen.clone()).last().unwrap_or(&any);
            order.extend(search(start, &neighbours, &mut seen));
        }
        order.reverse();
        let mut slots = vec![0; bodies];
        order.iter().enumerate().for_each(|(slot, &body)| slots[body] = slot);
        let least_of = |&body: &usize| neighbours[body].iter().map(|&b| slots[b]).fold(slots[body], usize::min);
        let least = order.iter().map(least_of).collect();
        Self { slots, least }
    }

    /// Gᵀ G for the picked rows.
    pub fn normal_matrix<'a>(&self, rows: &'a [Row], pick: impl Fn(&'a Row) -> &'a [f64; 12]) -> Envelope {
        let mut matrix = Envelope::zero((0..6 * self.least.len()).map(|i| 6 * self.least[i / 6]).collect());
        for row in rows {
            let entries = pick(row);
            for (side, body) in row.bodies.iter().enumerate() {
                for (other_side, other) in row.bodies.iter().enumerate() {
                    let (Some(body), Some(other)) = (body, other) else { continue };
                    let (at, before) = (self.slots[*body], self.slots[*other]);
                    for i in 0..6 {
                        for j in 0..6 {
                            let (i_at, j_at) = (6 * at + i, 6 * before + j);
                            if j_at <= i_at {
                                matrix.add(i_at, j_at, entries[6 * side + i] * entries[6 * other_side + j]);
                            }
                        }
                    }
                }
            }
        }
        matrix
    }

    /// The motion that makes the biases as well as any does, in the order of the bodies.
    pub fn made(&self, rows: &[Row], resisted: &Cholesky) -> Vec<f64> {
        let mut made = vec![0.0; 6 * self.slots.len()];
        if rows.iter().all(|row| row.bias == 0.0) {
            return made;
        }
        let mut last = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            let mut left = vec![0.0; made.len()];
            for row in rows {
                let missing = row.bias - apply(&row.resisted, row.bodies, &made);
                spread(&row.resisted, row.bodies, missing, &mut left);
            }
            let size = norm(&left);
            if size.is_nan() || size >= PROGRESS * last {
                break;
            }
            last = size;
            let step = self.unsorted(&resisted.solve(&self.sorted(&left)));
            made.iter_mut().zip(step).for_each(|(x, y)| *x += y);
        }
        made
    }

    /// From the order of the bodies to that of the matrices.
    pub fn sorted(&self, motion: &[f64]) -> Vec<f64> {
        let mut sorted = vec![0.0; motion.len()];
        for (body, &slot) in self.slots.iter().enumerate() {
            sorted[6 * slot..6 * slot + 6].copy_from_slice(&motion[6 * body..6 * body + 6]);
        }
        sorted
    }

    /// And back.
    pub fn unsorted(&self, sorted: &[f64]) -> Vec<f64> {
        self.slots.iter().flat_map(|&slot| sorted[6 * slot..6 * slot + 6].iter().copied()).collect()
    }
}

/// Bodies from `start` on, ring by ring, those with few neighbours first.
fn search(start: usize, neighbours: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut order = vec![start];
    seen[start] = true;
    let mut next = 0;
    while next < order.len() {
        let mut ring: Vec<usize> = neighbours[order[next]].iter().copied().filter(|&body| !seen[body]).collect();
        ring.compact_sort_by_key(|&body| (neighbours[body].len(), body));
        for &body in &ring {
            seen[body] = true;
        }
        order.extend(ring);
        next += 1;
    }
    order
}

/// The matrix Y: a row of the identity for each kept column, a combination of them for each dropped one.
struct Span {
    kept: Vec<usize>,
    /// Dropped columns and their rows of Y.
    dropped: Vec<(usize, Vec<f64>)>,
    size: usize,
}

impl Span {
    fn new(resisted: &Cholesky) -> Self {
        let indices = |wanted: bool| -> Vec<usize> {
            (0..resisted.kept().len()).filter(|&i| resisted.kept()[i] == wanted).collect()
        };
        let kept = indices(true);
        let row = |index: usize| {
            let full = resisted.dropped_row(index);
            (index, kept.iter().map(|&k| full[k]).collect())
        };
        let dropped = indices(false).into_iter().map(row).collect();
        Self { size: resisted.kept().len(), kept, dropped }
    }

    /// Yᵀ x.
    fn restricted(&self, x: &[f64]) -> Vec<f64> {
        let mut result: Vec<f64> = self.kept.iter().map(|&k| x[k]).collect();
        for (index, row) in &self.dropped {
            result.iter_mut().zip(row).for_each(|(sum, y)| *sum += x[*index] * y);
        }
        result
    }

    /// Y q.
    fn motion(&self, q: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.size];
        self.kept.iter().zip(q).for_each(|(&k, x)| result[k] = *x);
        for (index, row) in &self.dropped {
            result[*index] = super::singular_values::dot(row, q);
        }
        result
    }

    /// Yᵀ K Y.
    fn projected(&self, matrix: &Envelope) -> Envelope {
        let count = self.kept.len();
        let mut result = Envelope::full(count);
        for (i, &row) in self.kept.iter().enumerate() {
            for (j, &column) in self.kept[..=i].iter().enumerate() {
                result.add(i, j, matrix.entry(row, column));
            }
        }
        // K_DP + ½ K_DD F, which stands on both sides of the diagonal.
        for (index, row) in &self.dropped {
            let mut half: Vec<f64> = self.kept.iter().map(|&k| matrix.entry(*index, k)).collect();
            for (other, other_row) in &self.dropped {
                let factor = 0.5 * matrix.entry(*index, *other);
                if factor != 0.0 {
                    half.iter_mut().zip(other_row).for_each(|(sum, y)| *sum += factor * y);
                }
            }
            for i in 0..count {
                if row[i] != 0.0 || half[i] != 0.0 {
                    (0..=i).for_each(|j| result.add(i, j, row[i] * half[j] + half[i] * row[j]));
                }
            }
        }
        result
    }
}

/// The projected balance.
struct Balance {
    /// None for the identity.
    span: Option<Span>,
    factor: Cholesky,
}

impl Balance {
    fn restricted(&self, x: &[f64]) -> Vec<f64> {
        self.span.as_ref().map_or_else(|| x.to_vec(), |span| span.restricted(x))
    }

    /// Y q for the solution q of the projected equations.
    fn motion(&self, right: &[f64]) -> Vec<f64> {
        let q = self.factor.solve(right);
        self.span.as_ref().map_or_else(|| q.clone(), |span| span.motion(&q))
    }
}
