//! Parallel iterators of rayon whose tasks all go through one `join`. Rayon's own compile a `join` for the closures of each place where they are
//! used, with its jobs, latches and the handling of panics, which takes long to build and makes libraries large.

use rayon::iter::MinLen;
use rayon::iter::plumbing::{Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer};
use rayon::prelude::*;

/// Iterators that know their length, in tasks.
pub trait InTasks: IndexedParallelIterator {
    /// The same items, in as many tasks as keep all threads busy, each of at least `least` items (fewer if there are fewer in all). To be called
    /// after `enumerate`, `zip` and `with_max_len`: an adaptor of this kind that comes later splits by rayon's own `join`, with the same least
    /// length.
    fn in_tasks_of(self, least: usize) -> Tasks<Self> {
        Tasks(self.with_min_len(least))
    }
}

impl<I: IndexedParallelIterator> InTasks for I {}

/// Of [`InTasks::in_tasks_of`].
#[derive(Clone, Debug)]
pub struct Tasks<I: IndexedParallelIterator>(MinLen<I>);

impl<I: IndexedParallelIterator> ParallelIterator for Tasks<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        self.drive(consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for Tasks<I> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        let len = self.0.len();
        self.0.with_producer(Start { consumer, len })
    }

    fn with_producer<B: ProducerCallback<I::Item>>(self, callback: B) -> B::Output {
        self.0.with_producer(callback)
    }
}

/// What is done with the items once there is something that gives them.
struct Start<C> {
    consumer: C,
    len: usize,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for Start<C> {
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        let least = producer.min_len().max(1);
        let at_least = self.len / producer.max_len().max(1);
        let halvings = Halvings { left: rayon::current_num_threads().max(at_least), least };
        share(self.len, false, halvings, producer, self.consumer)
    }
}

/// How often items are halved.
#[derive(Clone, Copy)]
struct Halvings {
    left: usize,
    /// Items of the smallest half.
    least: usize,
}

impl Halvings {
    /// Whether `len` items are to be halved once more. Where another thread has taken them, threads wait for work: then more often again.
    fn goes_on(&mut self, len: usize, was_taken: bool) -> bool {
        if len / 2 < self.least {
            return false;
        }
        if was_taken {
            self.left = rayon::current_num_threads().max(self.left / 2);
            return true;
        }
        let goes_on = self.left > 0;
        self.left /= 2;
        goes_on
    }
}

/// Both halves, maybe at once, or all items one after another.
fn share<P: Producer, C: Consumer<P::Item>>(
    len: usize,
    was_taken: bool,
    mut halvings: Halvings,
    producer: P,
    consumer: C,
) -> C::Result {
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    if !halvings.goes_on(len, was_taken) {
        return producer.fold_with(consumer.into_folder()).complete();
    }
    let middle = len / 2;
    let (left, right) = producer.split_at(middle);
    let (to_left, to_right, reducer) = consumer.split_at(middle);
    let (left, right) = both(
        |was_taken| share(middle, was_taken, halvings, left, to_left),
        |was_taken| share(len - middle, was_taken, halvings, right, to_right),
    );
    reducer.reduce(left, right)
}

/// Both, maybe at once; each is told whether another thread has taken it.
fn both<A: Send, B: Send>(one: impl FnOnce(bool) -> A + Send, other: impl FnOnce(bool) -> B + Send) -> (A, B) {
    let (mut one, mut other) = (Half::Waits(one), Half::Waits(other));
    join_halves(&mut one, &mut other);
    (one.done(), other.done())
}

/// Calls both, maybe at once.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    both(|_| one(), |_| other())
}

/// The one `join` of rayon.
#[inline(never)]
fn join_halves(one: &mut dyn Runs, other: &mut dyn Runs) {
    rayon::join_context(|context| one.run(context.migrated()), |context| other.run(context.migrated()));
}

/// A call and its result.
enum Half<F, T> {
    Waits(F),
    Runs,
    Done(T),
}

impl<F, T> Half<F, T> {
    fn done(self) -> T {
        let Self::Done(result) = self else { unreachable!("both halves of a join have ended") };
        result
    }
}

trait Runs: Send {
    fn run(&mut self, was_taken: bool);
}

impl<F: FnOnce(bool) -> T + Send, T: Send> Runs for Half<F, T> {
    fn run(&mut self, was_taken: bool) {
        if let Self::Waits(call) = std::mem::replace(self, Self::Runs) {
            *self = Self::Done(call(was_taken));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Runs the check in pools of several sizes.
    fn over_threads(check: impl Fn() + Send + Sync) {
        for threads in [1, 2, 3, 8] {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&check);
        }
    }

    #[test]
    fn all_items_come_in_order_in_any_tasks() {
        over_threads(|| {
            for len in [0, 1, 2, 3, 7, 64, 1_000] {
                for least in [0, 1, 2, 5, 64, 5_000] {
                    let numbers: Vec<usize> = (0..len).collect();
                    let all = || numbers.par_iter().enumerate().in_tasks_of(least);
                    let twice: Vec<usize> = (0..len).map(|i| 2 * i).collect();
                    let mut places = Vec::new();
                    all().map(|(i, n)| i + n).collect_into_vec(&mut places);
                    assert_eq!(places, twice);
                    assert_eq!(all().map(|(i, n)| i + n).collect::<Vec<_>>(), twice);
                    assert_eq!(all().map(|(i, n)| i + n).sum::<usize>(), len * len.saturating_sub(1));
                    let even: Vec<usize> = all().map(|(i, _)| i).filter(|i| i % 2 == 0).collect();
                    assert_eq!(even, (0..len).step_by(2).collect::<Vec<_>>());
                    let mut changed = numbers.clone();
                    changed.par_iter_mut().zip(&numbers).in_tasks_of(least).for_each(|(a, b)| *a += b);
                    assert_eq!(changed, twice);
                    assert_eq!(all().len(), len);
                }
            }
        });
    }

    /// Tasks are the items that one thread has taken without a break.
    #[test]
    fn tasks_have_the_length_that_was_asked_for() {
        over_threads(|| {
            for (len, least) in [(1_000, 100), (1_000, 1), (10, 100), (64, 8)] {
                let lengths = Mutex::new(Vec::new());
                let counted = (0..len).into_par_iter().in_tasks_of(least).fold(|| 0, |count, _| count + 1);
                counted.for_each(|count| lengths.lock().unwrap().push(count));
                let lengths = lengths.into_inner().unwrap();
                assert_eq!(lengths.iter().sum::<usize>(), len);
                assert!(lengths.iter().all(|&count| count >= least.min(len)), "{lengths:?}");
                let behind = (0..len).into_par_iter().in_tasks_of(least).enumerate().fold(|| 0, |count, _| count + 1);
                assert!(behind.collect::<Vec<usize>>().into_iter().all(|count| count >= least.min(len)));
                let longest =
                    (0..len).into_par_iter().with_max_len(least).in_tasks_of(1).fold(|| 0, |count, _| count + 1);
                assert!(longest.collect::<Vec<usize>>().into_iter().all(|count| count <= least));
            }
        });
    }

    #[test]
    fn threads_share_the_work() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let barrier = std::sync::Barrier::new(2);
        let seen = Mutex::new(HashSet::new());
        pool.install(|| {
            // Neither of the two goes on before the other has begun.
            (0..2).into_par_iter().in_tasks_of(1).for_each(|_| {
                barrier.wait();
                seen.lock().unwrap().insert(rayon::current_thread_index());
            });
        });
        assert_eq!(seen.into_inner().unwrap().len(), 2);
    }

    #[test]
    fn what_is_found_first_ends_the_search() {
        over_threads(|| {
            let found =
                (0..10_000).into_par_iter().in_tasks_of(10).map(|i| if i % 777 == 776 { Err(i) } else { Ok(()) });
            assert_eq!(found.collect::<Result<(), _>>().map_err(|i| i % 777), Err(776));
        });
    }

    /// On one thread no task is begun once something is found, of a thousand tasks with one item each.
    #[test]
    fn nothing_is_asked_after_that() {
        let asked = AtomicUsize::new(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let found = pool.install(|| {
            let all = (0..1_000).into_par_iter().with_max_len(1).in_tasks_of(1);
            let asked = |i| if asked.fetch_add(1, Ordering::Relaxed) == 300 { Err(i) } else { Ok(()) };
            all.map(asked).collect::<Result<(), usize>>()
        });
        assert_eq!((found, asked.into_inner()), (Err(300), 301));
    }

    #[test]
    fn a_panic_is_passed_on() {
        over_threads(|| {
            let call = || (0..100).into_par_iter().in_tasks_of(1).for_each(|i| assert_ne!(i, 50));
            assert!(std::panic::catch_unwind(call).is_err());
        });
    }
}
