//! Asks V-Clip for the closest features of millions of pairs of convex polyhedra in poses that a search may stumble over,
//! and checks every answer over all vertices and faces.
//!
//! ```text
//! cargo run --release -p drystone-contact --example vclip_queries -- 10000000
//! ```
//!
//! The table has a row for each family of queries with each shape: how many queries there were, how many pairs were apart
//! and overlapping, how the answers were found, the largest difference of upper and lower bound over the magnitude of the
//! coordinates, and wrong answers. It does not depend on the number of threads. The exit status is 1 if an answer is wrong.

#[path = "../../tests/contact/vclip/queries/mod.rs"]
mod queries;

use std::process::ExitCode;
use std::time::Instant;

use queries::families::Family;
use queries::tally::Tally;
use queries::{Row, rows, run, shapes};

/// How many queries there are if the command line does not say.
const QUERIES: usize = 1_000_000;

/// Vertices of the largest shape.
const LARGEST: usize = 10_242;

/// Lines that tell of progress.
const LINES: usize = 20;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let Ok(queries) = argument.map_or(Ok(QUERIES), |number| number.parse()) else {
        eprintln!("usage: vclip_queries [NUMBER OF QUERIES]");
        return ExitCode::from(2);
    };
    let shapes = shapes::shapes(LARGEST);
    let rows = rows(&shapes, queries);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let progress = |done: usize, all: usize| {
        if done * LINES / all != (done - 1) * LINES / all {
            eprintln!("{:3} % after {:.0} s", done * 100 / all, start.elapsed().as_secs_f64());
        }
    };
    let tallies = run(&shapes, &rows, threads, &progress);
    table(&shapes, &rows, &tallies)
}

fn table(shapes: &[shapes::Shape], rows: &[Row], tallies: &[Tally]) -> ExitCode {
    println!("{:14}{:14}{}", "family", "shape", Tally::HEADS);
    let mut all = Tally::default();
    for family in Family::ALL {
        let mut sum = Tally::default();
        for (row, tally) in rows.iter().zip(tallies).filter(|(row, _)| row.family == family) {
            println!("{:14}{:14}{tally}", format!("{family:?}"), shapes[row.shape].name);
            sum.add(tally);
        }
        println!("{:14}{:14}{sum}", format!("{family:?}"), "all");
        all.add(&sum);
    }
    println!("{:14}{:14}{all}", "all", "all");
    for (row, tally) in rows.iter().zip(tallies) {
        let name = shapes[row.shape].name;
        tally.wrong.iter().for_each(|wrong| println!("{:?}, {name}: {wrong}", row.family));
    }
    if all.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
