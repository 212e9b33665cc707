//! Sorts that take little code, for places that are not hot.
//!
//! The sort of the standard library is compiled again for each type and each comparison, which makes builds long and libraries large.
//! [`CompactSort`] compiles it once for slices that are not short: it sorts the numbers of the elements, with each comparison behind a pointer,
//! and moves the elements afterwards. Where many elements are sorted in every step, and for numbers and pairs of them in their own order, which
//! many places share, the standard library's is the right one.

use std::cmp::Ordering;

/// Slices up to this length are sorted in place, by insertion.
const SHORT: usize = 20;

/// Stable sorts that take little code for each type. Slices of more than 20 elements need memory for a number each.
pub trait CompactSort<T> {
    /// As [`slice::sort_by`].
    fn compact_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`slice::sort_by_key`].
    fn compact_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// As [`slice::sort`].
    fn compact_sort(&mut self)
    where
        T: Ord;
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() <= SHORT {
            return insert_all(self, &mut compare);
        }
        let mut order = order(self.len(), &mut |i, j| compare(&self[i], &self[j]));
        permute(&mut order, &mut |i, j| self.swap(i, j));
    }

    fn compact_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.compact_sort_by(|a, b| key(a).cmp(&key(b)));
    }

    fn compact_sort(&mut self)
    where
        T: Ord,
    {
        self.compact_sort_by(T::cmp);
    }
}

/// An ordered map or set of these items; of equal keys the last value stays. `collect` would sort them first, by a sort for each type.
pub fn inserted<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

fn insert_all<T>(items: &mut [T], compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    for new in 1..items.len() {
        let mut place = new;
        while place > 0 && compare(&items[place - 1], &items[place]).is_gt() {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// The numbers of `count` elements in the order of the elements, equal ones as they stand.
fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|&i, &j| compare(i, j).then(i.cmp(&j)));
    order
}

/// Moves to each place the element whose number `order` has there, by swaps along each cycle; leaves the identity in `order`.
fn permute(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut place = first;
        while order[place] != first {
            let from = order[place];
            swap(place, from);
            order[place] = place;
            place = from;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::split_mix::SplitMix;

    /// By keys of which many are equal, with all lengths around the limit and a long one; the numbers tell whether equal ones keep their order.
    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut random = SplitMix::new(11);
        for count in (0..60).chain([5_000]) {
            for keys in [1, 3, 1_000_000] {
                let items: Vec<(usize, String)> =
                    (0..count).map(|n| (random.next_below(keys), format!("item {n}"))).collect();
                for is_descending in [false, true] {
                    let mut items = items.clone();
                    if is_descending {
                        items.sort_by_key(|item| std::cmp::Reverse(item.0));
                    }
                    let (mut by_key, mut by, mut whole, mut wanted) =
                        (items.clone(), items.clone(), items.clone(), items.clone());
                    wanted.sort_by_key(|item| item.0);
                    by_key.compact_sort_by_key(|item| item.0);
                    assert_eq!(by_key, wanted);
                    by.compact_sort_by(|a, b| a.0.cmp(&b.0));
                    assert_eq!(by, wanted);
                    whole.compact_sort();
                    wanted.sort();
                    assert_eq!(whole, wanted);
                    let map: BTreeMap<usize, String> = inserted(items.iter().cloned());
                    assert_eq!(map, items.into_iter().collect());
                }
            }
        }
    }
}
