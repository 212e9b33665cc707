//! What this project uses of rayon, on one thread.

// Tests see this beside rayon, and nothing else of it then.
#![cfg_attr(feature = "parallel", allow(dead_code, unused_imports, unreachable_pub))]

/// The methods that begin to share work.
pub mod prelude {
    pub use super::{IntoSerial, SerialSlice};
}

/// What rayon calls a parallel iterator: an iterator with those methods that the standard library does not have, or has in another form.
#[derive(Clone, Debug)]
pub struct Serial<I>(I);

impl<I: Iterator> Iterator for Serial<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn fold<T, F: FnMut(T, I::Item) -> T>(self, first: T, join: F) -> T {
        self.0.fold(first, join)
    }
}

impl<I: Iterator> Serial<I> {
    /// There are no tasks.
    pub fn in_tasks_of(self, _: usize) -> Self {
        self
    }

    /// Of any length.
    pub fn with_max_len(self, _: usize) -> Self {
        self
    }

    pub fn map<T, F: FnMut(I::Item) -> T>(self, of: F) -> Serial<std::iter::Map<I, F>> {
        Serial(self.0.map(of))
    }

    pub fn enumerate(self) -> Serial<std::iter::Enumerate<I>> {
        Serial(self.0.enumerate())
    }

    pub fn zip<J: IntoIterator>(self, other: J) -> Serial<std::iter::Zip<I, J::IntoIter>> {
        Serial(self.0.zip(other))
    }

    pub fn flat_map_iter<J: IntoIterator, F: FnMut(I::Item) -> J>(self, of: F) -> impl Iterator<Item = J::Item> {
        self.0.flat_map(of)
    }

    pub fn flatten_iter(self) -> impl Iterator<Item = <I::Item as IntoIterator>::Item>
    where
        I::Item: IntoIterator,
    {
        self.0.flatten()
    }

    /// What a thread keeps from item to item is made once.
    pub fn map_init<S, T, N, F>(self, new: N, mut of: F) -> impl Iterator<Item = T>
    where
        N: FnOnce() -> S,
        F: FnMut(&mut S, I::Item) -> T,
    {
        let mut own = new();
        self.0.map(move |item| of(&mut own, item))
    }

    pub fn reduce<N: FnOnce() -> I::Item, F: FnMut(I::Item, I::Item) -> I::Item>(self, neutral: N, join: F) -> I::Item {
        self.0.fold(neutral(), join)
    }

    pub fn position_first<F: FnMut(I::Item) -> bool>(mut self, is_wanted: F) -> Option<usize> {
        self.0.position(is_wanted)
    }

    pub fn collect_into_vec(self, all: &mut Vec<I::Item>) {
        all.clear();
        all.extend(self.0);
    }
}

impl<A, B, I: Iterator<Item = (A, B)>> Serial<I> {
    pub fn unzip_into_vecs(self, one: &mut Vec<A>, other: &mut Vec<B>) {
        one.clear();
        other.clear();
        for (a, b) in self.0 {
            one.push(a);
            other.push(b);
        }
    }
}

impl<T, E, I: Iterator<Item = Result<T, E>>> Serial<I> {
    pub fn try_reduce<N, F>(mut self, neutral: N, mut join: F) -> Result<T, E>
    where
        N: FnOnce() -> T,
        F: FnMut(T, T) -> Result<T, E>,
    {
        self.0.try_fold(neutral(), |sum, next| join(sum, next?))
    }
}

/// Everything that can be iterated over.
pub trait IntoSerial: IntoIterator + Sized {
    fn into_par_iter(self) -> Serial<Self::IntoIter> {
        Serial(self.into_iter())
    }
}

impl<C: IntoIterator> IntoSerial for C {}

/// Slices and vectors.
pub trait SerialSlice<T> {
    fn par_iter(&self) -> Serial<std::slice::Iter<'_, T>>;
    fn par_iter_mut(&mut self) -> Serial<std::slice::IterMut<'_, T>>;
    fn par_chunks_mut(&mut self, size: usize) -> Serial<std::slice::ChunksMut<'_, T>>;
    fn par_sort_unstable(&mut self)
    where
        T: Ord;
}

impl<T> SerialSlice<T> for [T] {
    fn par_iter(&self) -> Serial<std::slice::Iter<'_, T>> {
        Serial(self.iter())
    }

    fn par_iter_mut(&mut self) -> Serial<std::slice::IterMut<'_, T>> {
        Serial(self.iter_mut())
    }

    fn par_chunks_mut(&mut self, size: usize) -> Serial<std::slice::ChunksMut<'_, T>> {
        Serial(self.chunks_mut(size))
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }
}

/// The one, then the other.
pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    (one(), other())
}

pub fn scope<R>(work: impl FnOnce(()) -> R) -> R {
    work(())
}

pub fn current_num_threads() -> usize {
    1
}

pub fn current_thread_index() -> Option<usize> {
    None
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::SerialSlice;
    use crate::parallel::tasks::InTasks as _;
    use rayon::prelude::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

    /// What both say of the same numbers.
    macro_rules! both {
        ($name:ident, $numbers:ident => $of:expr) => {{
            let parallel = {
                let $name = $numbers.clone().into_par_iter();
                $of
            };
            let serial = {
                let $name = super::Serial($numbers.clone().into_iter());
                $of
            };
            assert_eq!(serial, parallel, "{}", stringify!($of));
        }};
    }

    #[test]
    fn says_what_rayon_says() {
        for count in [0_u64, 1, 7, 1000] {
            let numbers: Vec<u64> = (0..count).map(|k| k * k % 101).collect();
            both!(all, numbers => all.in_tasks_of(3).map(|x| x + 1).collect::<Vec<_>>());
            both!(all, numbers => all.enumerate().with_max_len(3).map(|(k, x)| k as u64 * x).sum::<u64>());
            both!(all, numbers => all.zip(vec![5_u64; 500]).map(|(x, y)| x * y).reduce(|| 3, u64::max));
            both!(all, numbers => all.flat_map_iter(|x| [x, x + 1]).collect::<Vec<_>>());
            both!(all, numbers => all.map(|x| (x > 50).then_some(x)).flatten_iter().collect::<Vec<_>>());
            both!(all, numbers => all.map_init(Vec::new, |own, x| { own.clear(); own.push(x); own[0] }).collect::<Vec<_>>());
            both!(all, numbers => all.position_first(|x| x == 25));
            both!(all, numbers => all.map(Ok::<_, ()>).try_reduce(|| 0, |a, b| Ok(a + b)));
            both!(all, numbers => all.map(|x| if x < 90 { Ok(x) } else { Err("large") }).try_reduce(|| 0, |a, b| Ok(a + b)));
            both!(all, numbers => { let mut into = vec![7]; all.map(|x| x / 2).collect_into_vec(&mut into); into });
            both!(all, numbers => {
                let mut into = (vec![7], vec![8, 9]);
                all.map(|x| (x / 2, x % 2)).unzip_into_vecs(&mut into.0, &mut into.1);
                into
            });
        }
    }

    #[test]
    fn slices_are_as_they_are_to_rayon() {
        let numbers: Vec<u64> = (0..1000).map(|k| k * k % 101).collect();
        let (mut serial, mut parallel) = (numbers.clone(), numbers.clone());
        SerialSlice::par_sort_unstable(&mut *serial);
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut *parallel);
        assert_eq!(serial, parallel);
        SerialSlice::par_iter_mut(&mut *serial).for_each(|x| *x += 1);
        rayon::iter::IntoParallelRefMutIterator::par_iter_mut(&mut parallel).for_each(|x| *x += 1);
        assert_eq!(serial, parallel);
        let sums = |chunk: &mut [u64]| chunk.iter().sum::<u64>();
        let of_parallel: Vec<u64> =
            rayon::slice::ParallelSliceMut::par_chunks_mut(&mut *parallel, 7).map(sums).collect();
        let of_serial: Vec<u64> = SerialSlice::par_chunks_mut(&mut *serial, 7).map(sums).collect();
        assert_eq!(of_serial, of_parallel);
    }
}
