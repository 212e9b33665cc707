//! Many pairs of shapes on several threads. The thread of the call takes what is found, in the order of the pairs, and asks Python now and then whether
//! it was interrupted.

use std::collections::VecDeque;
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

/// How long a task takes, about.
const TASK: Duration = Duration::from_millis(2);

/// Pairs of the first task of a thread at most.
const FIRST: usize = 16;

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
        let work = Work { pairs: self, one, threads, queue: Mutex::default(), is_found: Condvar::new() };
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
    /// The next task that is taken has been done, or a thread has ended its round.
    is_found: Condvar,
}

/// Tasks, numbered in the order of their pairs.
#[derive(Default)]
struct Queue {
    /// The first pair of the next task.
    next: usize,
    begun: usize,
    taken: usize,
    /// Threads of the pool that do tasks, or will.
    working: usize,
    /// What was found in tasks from `taken` on, where they have been done.
    found: VecDeque<Option<Outcome<Found>>>,
}

impl<'w> Work<'w> {
    /// Does it all on the thread of the call.
    fn alone(&self, mut looks: Looks, take: Take<'_>) -> Outcome<()> {
        self.tasks(Duration::MAX, &mut |_, found| {
            let (counts, words) = found?;
            take(&counts, &words);
            looks.check()
        })
    }

    /// Takes what the threads of a pool find.
    fn on(&self, pool: &ThreadPool, looks: Looks, take: Take<'_>) -> Outcome<()> {
        pool.in_place_scope(|scope| {
            let outcome = self.take_all(scope, looks, take);
            self.queue().next = self.pairs.count();
            outcome
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, task: usize, found: Outcome<Found>) -> Outcome<()> {
        let mut queue = self.queue();
        let place = task - queue.taken;
        if queue.found.len() <= place {
            queue.found.resize_with(place + 1, || None);
        }
        queue.found[place] = Some(found);
        if place == 0 {
            self.is_found.notify_one();
        }
        Ok(())
    }

    fn take_all<'s>(&'s self, scope: &Scope<'s>, mut looks: Looks, take: Take<'_>) -> Outcome<()> {
        loop {
            let mut queue = self.queue();
            while queue.working < self.threads && queue.next < self.pairs.count() {
                queue.working += 1;
                scope.spawn(|_| self.round());
            }
            match queue.found.front_mut().and_then(Option::take) {
                Some(found) => {
                    queue.found.pop_front();
                    queue.taken += 1;
                    drop(queue);
                    let (counts, words) = found?;
                    take(&counts, &words);
                }
                None if queue.next >= self.pairs.count() && queue.taken == queue.begun => return Ok(()),
                None => drop(self.is_found.wait_timeout(queue, BETWEEN_LOOKS)),
            }
            looks.check()?;
        }
    }

    /// What a thread of a pool does before others may have it.
    fn round(&self) {
        // What is put here is never refused.
        self.tasks(ROUND, &mut |task, found| self.put(task, found)).unwrap_or_default();
        self.queue().working -= 1;
        self.is_found.notify_one();
    }

    /// Does tasks one after the other until none is left, one fails or the time is up. `put` gets the number of each and what was found.
    ///
    /// # Errors
    /// Those of `put`.
    fn tasks(&self, time: Duration, put: &mut dyn FnMut(usize, Outcome<Found>) -> Outcome<()>) -> Outcome<()> {
        let count = self.pairs.count();
        let (mut room, mut size, begin) = (Room::default(), FIRST, Instant::now());
        while begin.elapsed() < time {
            let (task, first, last) = {
                let mut queue = self.queue();
                let first = queue.next;
                if first >= count {
                    return Ok(());
                }
                // Of the last pairs every thread gets some.
                queue.next += size.min((count - first) / (2 * self.threads)).max(1);
                queue.begun += 1;
                (queue.begun - 1, first, queue.next)
            };
            let start = Instant::now();
            let found = guarded(|| self.task(first, last, &mut room));
            if found.is_err() {
                // Those before it have been begun; those that have not are not wanted.
                self.queue().next = count;
            }
            put(task, found)?;
            // Twice as many at most, as pairs differ.
            let per_task = TASK.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-9);
            size = (((last - first) as f64 * per_task.clamp(0.1, 2.0)) as usize).max(1);
        }
        Ok(())
    }

    fn task(&self, first: usize, last: usize, room: &mut Room) -> Outcome<Found> {
        let ends = &self.pairs.ends;
        let placed = |end: usize, pair: usize| (self.pairs.shapes[ends[end].0[pair]], ends[end].1[pair]);
        let (mut counts, mut words) = (Vec::with_capacity(last - first), Vec::new());
        for pair in first..last {
            let before = words.len();
            (self.one)([placed(0, pair), placed(1, pair)], &mut words, room)
                .map_err(|error| error.at(&format!("pair {pair}")))?;
            counts.push(words.len() - before);
        }
        Ok((counts, words))
    }
}
