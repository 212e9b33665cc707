//! The smallest twist that opens gaps as far as asked, or at least as far: a least-distance problem (Lawson and Hanson, *Solving
//! Least Squares Problems*, 1974, chapter 23).

use nalgebra::{DMatrix, DVector};

/// Added to the squares of the rows, which are about one.
const SINGULAR: f64 = 1e-9;

/// A gap that lacks no more than this share of the most that is asked for is there.
const SATISFIED: f64 = 1e-6;

fn product(p: &[f64; 6], q: &[f64; 6]) -> f64 {
    p.iter().zip(q).map(|(x, y)| x * y).sum()
}

fn combined(rows: &[[f64; 6]], shares: &[f64]) -> [f64; 6] {
    std::array::from_fn(|k| rows.iter().zip(shares).map(|(row, share)| row[k] * share).sum())
}

/// The smallest w with J w = g, where J has these rows, whose lengths are about one: Jᵀ (J Jᵀ)⁻¹ g. Rows that say the same make
/// J Jᵀ singular but for [`SINGULAR`].
pub(super) fn equal_twist(rows: &[[f64; 6]], gaps: &[f64]) -> [f64; 6] {
    let square = DMatrix::from_fn(rows.len(), rows.len(), |i, k| {
        product(&rows[i], &rows[k]) + if i == k { SINGULAR } else { 0.0 }
    });
    let shares = square.cholesky().map(|factors| factors.solve(&DVector::from_column_slice(gaps)));
    shares.map_or([0.0; 6], |shares| combined(rows, shares.as_slice()))
}

/// The smallest w with J w ≥ g, where J has these rows, whose lengths are about one: w = Jᵀ λ with λ ≥ 0, and λ > 0 only
/// where J w = g, found by active sets. Rows that contradict each other leave the w of the last set that was solved.
pub(super) fn least_twist(rows: &[[f64; 6]], least: &[f64]) -> [f64; 6] {
    let tolerance = SATISFIED * least.iter().fold(0.0, |most: f64, g| most.max(g.abs()));
    let (mut shares, mut active) = (vec![0.0; rows.len()], Vec::<usize>::new());
    for _ in 0..3 * rows.len() {
        let twist = combined(rows, &shares);
        let lacks = |&i: &usize| least[i] - product(&rows[i], &twist);
        let free = (0..rows.len()).filter(|i| !active.contains(i) && lacks(i) > tolerance);
        let Some(worst) = free.max_by(|i, k| lacks(i).total_cmp(&lacks(k))) else { break };
        active.push(worst);
        loop {
            let square = DMatrix::from_fn(active.len(), active.len(), |i, k| {
                product(&rows[active[i]], &rows[active[k]]) + if i == k { SINGULAR } else { 0.0 }
            });
            let asked = DVector::from_fn(active.len(), |i, _| least[active[i]]);
            let Some(solved) = square.cholesky().map(|factors| factors.solve(&asked)) else {
                return combined(rows, &shares);
            };
            // As far towards the solution as no share becomes negative; the shares that end the way leave the set.
            let limit =
                |(&i, &new): (&usize, &f64)| if new < 0.0 { shares[i] / (shares[i] - new) } else { f64::INFINITY };
            let limits: Vec<f64> = active.iter().zip(solved.iter()).map(limit).collect();
            let way = limits.iter().copied().fold(1.0, f64::min);
            for ((&i, &new), &limit) in active.iter().zip(solved.iter()).zip(&limits) {
                shares[i] = if limit <= way { 0.0 } else { shares[i] + way * (new - shares[i]) };
            }
            if limits.iter().all(|&limit| limit > way) {
                break;
            }
            let mut limits = limits.iter();
            active.retain(|_| limits.next().is_some_and(|&limit| limit > way));
        }
    }
    combined(rows, &shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dot(p: &[f64; 6], q: &[f64; 6]) -> f64 {
        p.iter().zip(q).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn what_is_opened_by_another_is_not_closed_again() {
        // Two points beside each other; the deeper one alone decides.
        let rows = [[1.0, 0.0, 0.0, 0.10, 0.0, 0.0], [1.0, 0.0, 0.0, 0.11, 0.0, 0.0]];
        let twist = least_twist(&rows, &[0.5, 0.2]);
        let alone = least_twist(&rows[..1], &[0.5]);
        assert_eq!(twist, alone);
        assert!(dot(&twist, &twist) < 0.5 * 0.5);
        assert_eq!(least_twist(&rows, &[-0.5, 0.0]), [0.0; 6], "nothing is asked for");
        assert_eq!(least_twist(&[], &[]), [0.0; 6]);
    }

    #[test]
    fn what_cannot_be_has_an_end() {
        let opposed = [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
        assert!(least_twist(&opposed, &[0.1, 0.1]).iter().all(|x| !x.is_nan()));
    }

    proptest! {
        /// Against twists that are known to open the gaps: none of them is smaller.
        #[test]
        fn no_twist_that_opens_the_gaps_is_smaller(
            rows in prop::collection::vec(prop::array::uniform6(-1.0..1.0_f64), 1..12),
            twists in prop::collection::vec(prop::array::uniform6(-1.0..1.0_f64), 8),
        ) {
            prop_assume!(rows.iter().all(|row| dot(row, row) > 0.1));
            let least: Vec<f64> =
                rows.iter().map(|row| twists.iter().map(|w| dot(row, w)).fold(f64::INFINITY, f64::min)).collect();
            let found = least_twist(&rows, &least);
            for (row, g) in rows.iter().zip(&least) {
                prop_assert!(dot(row, &found) >= g - 1e-5, "{} < {g}", dot(row, &found));
            }
            for w in &twists {
                prop_assert!(dot(&found, &found) <= dot(w, w) + 1e-5, "{found:?} {w:?}");
            }
        }
    }
}
