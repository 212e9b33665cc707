//! Compressed rows: lists of different lengths that lie one after the other, filled by several threads.

use std::ops::Range;

/// Rows that a thread takes at least.
const ROWS_PER_TASK: usize = 128;

/// A list, or several of the same length.
pub trait Lists: Send + Sized {
    /// The first so many entries, and the rest.
    fn split(self, at: usize) -> (Self, Self);
}

impl<T: Send> Lists for &mut [T] {
    fn split(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<A: Lists, B: Lists> Lists for (A, B) {
    fn split(self, at: usize) -> (Self, Self) {
        let ((a, rest_of_a), (b, rest_of_b)) = (self.0.split(at), self.1.split(at));
        ((a, b), (rest_of_a, rest_of_b))
    }
}

/// Lets `fill` write each of so many rows; row `k` of `all` is from `start(k)` to `start(k + 1)`, counted from `start(0)`. No memory is
/// asked for.
pub fn fill_rows<L: Lists>(
    count: usize,
    start: &(impl Fn(usize) -> usize + Sync),
    all: L,
    fill: &(impl Fn(usize, L) + Sync),
) {
    fill_from(0..count, start, all, fill);
}

fn fill_from<L: Lists>(
    rows: Range<usize>,
    start: &(impl Fn(usize) -> usize + Sync),
    all: L,
    fill: &(impl Fn(usize, L) + Sync),
) {
    if rows.len() > ROWS_PER_TASK {
        let middle = rows.start + rows.len() / 2;
        let (before, behind) = all.split(start(middle) - start(rows.start));
        drystone_contact::parallel::join(
            || fill_from(rows.start..middle, start, before, fill),
            || fill_from(middle..rows.end, start, behind, fill),
        );
        return;
    }
    let mut rest = all;
    for k in rows {
        let (row, behind) = rest.split(start(k + 1) - start(k));
        fill(k, row);
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_filled_once_and_what_is_behind_them_stays() {
        for count in [0, 1, 127, 1000] {
            let mut starts = vec![5];
            starts.extend((0..count).scan(5, |end, k| {
                *end += k % 4;
                Some(*end)
            }));
            let length = starts[count] - 5;
            let mut all = vec![usize::MAX; length + 3];
            let row = |k: usize, row: &mut [usize]| {
                assert_eq!(row.len(), k % 4);
                assert!(row.iter().all(|&x| x == usize::MAX));
                row.fill(k);
            };
            fill_rows(count, &|k| starts[k], &mut all[..], &row);
            let expected = (0..count).flat_map(|k| std::iter::repeat_n(k, k % 4)).chain([usize::MAX; 3]);
            assert!(all.iter().copied().eq(expected));
        }
    }
}
