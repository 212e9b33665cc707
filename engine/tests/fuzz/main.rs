//! Random attacks on everything that a program can call: worlds, generators and queries, solvers, polyhedra, continuous queries. The test profile
//! checks overflow and debug assertions.
//!
//! Each target has its cases by their seeds, from `FUZZ_SEED` (0) on; with `FUZZ_SECONDS` they go on for so long each. An hour:
//! `FUZZ_SECONDS=600 FUZZ_SEED=1000000 cargo test --profile fuzz -p drystone-engine --test fuzz -- --test-threads 1 --nocapture`.
//! A case that fails is named by its seed; `FUZZ_CASES=1 FUZZ_SEED=…` runs it alone. Of worlds, the smallest log of calls that shows the fault
//! is written to `fuzz/` in the folder of the build's temporary files; when the fault is mended it moves to `regressions/`.

mod call;
mod continuous;
mod differential;
mod pairs;
mod polyhedra;
mod problems;
mod random;
mod shrink;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A case that takes so long is named.
const LONG: Duration = Duration::from_secs(10);

/// Where findings are written.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).expect("the folder of the findings can be made");
    folder
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a whole number, not {text:?}")))
}

/// Runs cases by their seeds: so many by default. Fails in the end with all those that failed, at most ten.
fn run(target: &str, cases: u64, case: impl Fn(u64) -> Result<(), String>) {
    let first = number("FUZZ_SEED").unwrap_or(0);
    let cases = number("FUZZ_CASES").unwrap_or(cases);
    let seconds = number("FUZZ_SECONDS").map(Duration::from_secs);
    let began = Instant::now();
    let (mut failed, mut count, mut slowest) = (Vec::new(), 0, (Duration::ZERO, first));
    let current = Arc::new(AtomicU64::new(first));
    let seen = Arc::downgrade(&current);
    let name = target.to_owned();
    // Says which case hangs.
    std::thread::spawn(move || {
        let mut last = None;
        while let Some(current) = seen.upgrade() {
            let seed = current.load(Relaxed);
            drop(current);
            if last == Some(seed) {
                eprintln!("{name}, seed {seed}: still running");
            }
            last = Some(seed);
            std::thread::sleep(LONG);
        }
    });
    while seconds.map_or(count < cases, |seconds| began.elapsed() < seconds) && failed.len() < 10 {
        let seed = first + count;
        current.store(seed, Relaxed);
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| case(seed))) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) => failed.push(format!("{target}, seed {seed}: {fault}")),
            Err(_) => failed.push(format!("{target}, seed {seed}: a panic")),
        }
        slowest = slowest.max((start.elapsed(), seed));
        count += 1;
    }
    println!(
        "{target}: {count} cases, {} failed; the slowest, seed {}, took {:.1?}",
        failed.len(),
        slowest.1,
        slowest.0
    );
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
