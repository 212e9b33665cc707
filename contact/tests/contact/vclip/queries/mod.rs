//! Families of queries over a range of shapes, with checks of every answer that do not rest on the search.

pub mod check;
pub mod families;
pub mod random;
pub mod shapes;
pub mod tally;
mod touching;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use drystone_contact::vclip::Pair;

use families::Family;
use random::Random;
use shapes::Shape;
use tally::Tally;

/// Queries of one job; walks do not go on from job to job.
const JOB: usize = 5000;

/// A shape of this many vertices is asked half as often as the smallest.
const HALF: f64 = 400.0;

/// A family with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    pub family: Family,
    /// The number of the shape.
    pub shape: usize,
    /// How many queries.
    pub count: usize,
}

struct Job {
    row: usize,
    seed: [u64; 3],
    count: usize,
}

/// About `queries` of them, over all families and shapes.
pub fn rows(shapes: &[Shape], queries: usize) -> Vec<Row> {
    let weight = |shape: &Shape| HALF / (HALF + shape.solid.vertices().len() as f64);
    let of_family = |&family: &Family| -> Vec<Row> {
        let taken: Vec<usize> = (0..shapes.len()).filter(|&s| family.takes(&shapes[s])).collect();
        let sum: f64 = taken.iter().map(|&s| weight(&shapes[s])).sum();
        let share = queries as f64 / Family::ALL.len() as f64;
        let count = |s: usize| (share * weight(&shapes[s]) / sum) as usize;
        taken.into_iter().map(|shape| Row { family, shape, count: count(shape) }).collect()
    };
    Family::ALL.iter().flat_map(of_family).collect()
}

/// Asks the queries of all rows and counts what comes of them. The answer does not depend on the number of threads.
pub fn run(shapes: &[Shape], rows: &[Row], threads: usize, progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Tally> {
    let jobs: Vec<Job> = rows.iter().enumerate().flat_map(|(row, &r)| jobs(row, r)).collect();
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Tally>> = jobs.iter().map(|_| Mutex::default()).collect();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { return };
            *done[number].lock().expect("no thread panics with the lock") = ask(shapes, rows[job.row], job);
            progress(number + 1, jobs.len());
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let mut tallies = vec![Tally::default(); rows.len()];
    for (job, tally) in jobs.iter().zip(done) {
        tallies[job.row].add(&tally.into_inner().expect("no thread panics with the lock"));
    }
    tallies
}

fn jobs(row: usize, Row { family, shape, count }: Row) -> impl Iterator<Item = Job> {
    let seed = move |k: usize| [family as u64, shape as u64, k as u64];
    (0..count.div_ceil(JOB)).map(move |k| Job { row, seed: seed(k), count: JOB.min(count - k * JOB) })
}

fn ask(shapes: &[Shape], row: Row, job: &Job) -> Tally {
    let mut tally = Tally::default();
    let mut pair = Pair::FIRST;
    let shape = &shapes[row.shape];
    // With itself and with others by turns.
    let mut random = Random::new(job.seed);
    let others: Vec<&Shape> = shapes.iter().filter(|other| !other.variants.is_empty()).collect();
    let mut left = job.count;
    let mut turn = 0;
    while left > 0 {
        let partner = if turn % 2 == 0 && row.family.takes(shape) { shape } else { random.of(&others) };
        let count = left.min(JOB.div_ceil(8));
        let [family, number, part] = job.seed;
        row.family.queries([shape, partner], [family, number, part << 8 | turn], count, &mut |query| {
            query.run(&mut pair, &mut tally);
        });
        left -= count;
        turn += 1;
    }
    tally
}
