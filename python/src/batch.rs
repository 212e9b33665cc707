//! Many pairs of shapes on several threads. The thread of the call takes what is found, in the order of the pairs, and asks Python now and then whether
//! it was interrupted.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use drystone_contact::generator::Workspace;
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Pose};
use pyo3::prelude::*;
use rayon::{Scope, ThreadPool};

use crate::arrays::{indices, poses};
use crate::failure::{Failure, Outcome, guarded};
use crate::interrupt::BETWEEN_LOOKS;
use crate::shape::PyShape;
use crate::threads::Crew;

/// How long a task takes; longer by a few pairs if these take longer than those before.
const TASK: Duration = Duration::from_millis(2);

/// Pairs of a task at most.
const MOST: usize = 1024;

/// Pairs between two looks at the clock at most: while pairs take little time, it is looked at less and less.
const STRIDE: usize = 16;

/// How long a thread of a pool works before it looks for work of other calls.
const ROUND: Duration = Duration::from_millis(50);

/// Memory that a thread keeps from pair to pair.
pub type Room = (Workspace, Vec<Contact>);

/// Appends what is found of a pair as words.
pub type One<'o> = &'o (dyn Fn([(&Shape, Pose); 2], &mut Vec<u64>, &mut Room) -> Outcome<()> + Sync);

/// Gets what is found of pairs that follow each other: how many words each has, and the words.
pub type Take<'t> = &'t mut (dyn FnMut(&[usize], &[u64]) + Send);

/// What is found in a task.
type Found = (Vec<usize>, Vec<u64>);

/// Placed shapes in pairs.
pub struct Pairs<'a> {
    /// The shapes.
    pub shapes: Vec<&'a Shape>,
    /// For A and for B: the numbers of the shapes, and their poses.
    ends: [(Vec<usize>, Vec<Pose>); 2],
}

impl<'a> Pairs<'a> {
    /// From the arguments of a batch.
    ///
    /// # Errors
    /// [`Failure::Value`] of arrays that do not fit together, [`Failure::Index`] of a number of no shape.
    pub fn new(
        shapes: &'a [Bound<'_, PyShape>],
        [a, b]: [&Bound<'_, PyAny>; 2],
        [poses_a, poses_b]: [&Bound<'_, PyAny>; 2],
    ) -> Outcome<Self> {
        let shapes: Vec<&Shape> = shapes.iter().map(|shape| &*shape.get().0).collect();
        let ends = [
            (indices(a, "a", shapes.len())?, poses(poses_a, "poses_a")?),
            (indices(b, "b", shapes.len())?, poses(poses_b, "poses_b")?),
        ];
        let count = ends[0].0.len();
        for (length, name) in [(ends[0].1.len(), "poses_a"), (ends[1].0.len(), "b"), (ends[1].1.len(), "poses_b")] {
            if length != count {
                let message = format!("{name} has {length} rows and a has {count}; there must be one a pair");
                return Err(Failure::Value(message));
            }
        }
        Ok(Self { shapes, ends })
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.ends[0].0.len()
    }

    /// Does `one` for each pair; `take` gets the words of all pairs in their order.
    ///
    /// # Errors
    /// That of the first pair that has one, whatever the threads did; `KeyboardInterrupt`.
    pub fn each(&self, py: Python<'_>, threads: usize, one: One<'_>, take: Take<'_>) -> Outcome<()> {
        if self.count() == 0 {
            return Ok(());
        }
        let crew = Crew::of(py, threads)?;
        let threads = if let Crew::Pool(pool) = &crew { pool.current_num_threads() } else { 1 };
        let queue = Queue { free: std::iter::once(0..self.count()).collect(), end: self.count(), ..Queue::default() };
        let work = Work { pairs: self, one, threads, queue: Mutex::new(queue), is_found: Condvar::new() };
        let looks = Looks(Instant::now());
        py.detach(|| match &crew {
            Crew::Alone => work.alone(looks, take),
            Crew::Pool(pool) => work.on(pool, looks, take),
        })
    }
}

/// When Python was asked last whether the call was interrupted.
struct Looks(Instant);

impl Looks {
    /// Asks it if that is a while ago.
    ///
    /// # Errors
    /// What a handler of signals raises.
    fn check(&mut self) -> Outcome<()> {
        if self.0.elapsed() >= BETWEEN_LOOKS {
            self.0 = Instant::now();
            Python::attach(|py| py.check_signals())?;
        }
        Ok(())
    }
}

/// What threads do with pairs.
struct Work<'w> {
    pairs: &'w Pairs<'w>,
    one: One<'w>,
    threads: usize,
    queue: Mutex<Queue>,
    /// There is something for the caller to do: to take what was found next, or to send threads.
    is_found: Condvar,
}

/// What is to be done, and what has been found. A task is a range of pairs.
#[derive(Default)]
struct Queue {
    /// Pairs that no task has; few ranges, as a thread gives back what it had no time for.
    free: Vec<Range<usize>>,
    /// Tasks begin with pairs before this one: later ones are not wanted, as this one has failed.
    end: usize,
    /// The first pair of which nothing has been taken yet.
    taken: usize,
    /// Rounds that threads of the pool make, or will.
    rounds: usize,
    /// By the first pair of the task, in this order.
    found: VecDeque<(usize, Outcome<Found>)>,
}

impl Queue {
    /// How many pairs no task has.
    fn left(&self) -> usize {
        self.free.iter().filter(|range| range.start < self.end).map(Range::len).sum()
    }

    /// The next task, for one of so many threads. Of the last pairs each gets some.
    fn begin(&mut self, threads: usize) -> Option<Range<usize>> {
        let most = MOST.min(self.left() / (2 * threads)).max(1);
        let at = (0..self.free.len()).min_by_key(|&at| self.free[at].start)?;
        let Range { start, end } = self.free[at];
        if start >= self.end {
            return None;
        }
        let middle = end.min(start + most);
        if middle < end {
            self.free[at].start = middle;
        } else {
            self.free.swap_remove(at);
        }
        Some(start..middle)
    }

    /// Notes what was found of the pairs from `first` on, and what of the task has not been done.
    fn put(&mut self, first: usize, found: Outcome<Found>, rest: Range<usize>) {
        if found.is_err() {
            self.end = self.end.min(first);
        } else if !rest.is_empty() {
            self.free.push(rest);
        }
        let at = self.found.partition_point(|&(other, _)| other < first);
        self.found.insert(at, (first, found));
    }

    /// What was found of the next pairs.
    fn take(&mut self) -> Option<Outcome<Found>> {
        if self.found.front()?.0 != self.taken {
            return None;
        }
        let (_, found) = self.found.pop_front()?;
        self.taken += found.as_ref().map_or(0, |(counts, _)| counts.len());
        Some(found)
    }
}

impl Work<'_> {
    /// Does it all on the thread of the call.
    fn alone(&self, mut looks: Looks, take: Take<'_>) -> Outcome<()> {
        let mut room = Room::default();
        while self.task(&mut room) {
            let found = self.queue().take();
            if let Some(found) = found {
                let (counts, words) = found?;
                take(&counts, &words);
            }
            looks.check()?;
        }
        Ok(())
    }

    /// Takes what the threads of a pool find.
    fn on(&self, pool: &ThreadPool, looks: Looks, take: Take<'_>) -> Outcome<()> {
        pool.in_place_scope(|scope| {
            let outcome = self.take_all(scope, looks, take);
            self.queue().end = 0;
            outcome
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_all<'s>(&'s self, scope: &Scope<'s>, mut looks: Looks, take: Take<'_>) -> Outcome<()> {
        loop {
            let mut queue = self.queue();
            while queue.rounds < self.threads.min(queue.left()) {
                queue.rounds += 1;
                scope.spawn(|_| self.round());
            }
            match queue.take() {
                Some(found) => {
                    drop(queue);
                    let (counts, words) = found?;
                    take(&counts, &words);
                }
                None if queue.taken == self.pairs.count() => return Ok(()),
                None => drop(self.is_found.wait_timeout(queue, BETWEEN_LOOKS)),
            }
            looks.check()?;
        }
    }

    /// What a thread of a pool does before other calls may have it.
    fn round(&self) {
        let (mut room, begin) = (Room::default(), Instant::now());
        while begin.elapsed() < ROUND && self.task(&mut room) {}
        self.queue().rounds -= 1;
        self.is_found.notify_one();
    }

    /// Does a task, if one is left.
    fn task(&self, room: &mut Room) -> bool {
        let Some(Range { start, end }) = self.queue().begin(self.threads) else { return false };
        let found = guarded(|| self.find(start..end, room));
        let middle = found.as_ref().map_or(end, |(counts, _)| start + counts.len());
        let mut queue = self.queue();
        queue.put(start, found, middle..end);
        // The caller takes it, or sends threads for the rest.
        if start == queue.taken || middle < end {
            self.is_found.notify_one();
        }
        true
    }

    /// What is found of these pairs, of the first ones if they take long.
    fn find(&self, task: Range<usize>, room: &mut Room) -> Outcome<Found> {
        let ends = &self.pairs.ends;
        let placed = |end: usize, pair: usize| (self.pairs.shapes[ends[end].0[pair]], ends[end].1[pair]);
        let (mut counts, mut words) = (Vec::with_capacity(task.len()), Vec::new());
        let start = Instant::now();
        let (mut looked, mut stride, mut next_look) = (Duration::ZERO, 1, 1);
        for pair in task {
            let before = words.len();
            (self.one)([placed(0, pair), placed(1, pair)], &mut words, room)
                .map_err(|error| error.at(&format!("pair {pair}")))?;
            counts.push(words.len() - before);
            if counts.len() == next_look {
                let now = start.elapsed();
                if now >= TASK {
                    break;
                }
                stride = if now - looked < TASK / 16 { STRIDE.min(2 * stride) } else { 1 };
                (looked, next_look) = (now, next_look + stride);
            }
        }
        Ok((counts, words))
    }
}
