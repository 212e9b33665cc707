//! Many samples over all cores.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::invariants::Broken;

/// An invariant that is known to break, and in what share of the samples at most.
pub type Known = (&'static str, f64);

/// Runs a check for the seeds 0 … count − 1 and asks that none broke anything.
pub fn all(count: u64, check: impl Fn(u64, &mut Vec<Broken>) + Sync) {
    all_but(&[], count, 1, check);
}

/// The same, but for invariants that are known to break in a share of the samples, of which each seed makes so many. What
/// they are stands in docs/semi-local.md.
pub fn all_but(known: &[Known], count: u64, samples: u64, check: impl Fn(u64, &mut Vec<Broken>) + Sync) {
    let next = AtomicU64::new(0);
    let found: Mutex<BTreeMap<&'static str, Vec<(u64, f64)>>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        break;
                    }
                    let mut broken = Vec::new();
                    if catch_unwind(AssertUnwindSafe(|| check(seed, &mut broken))).is_err() {
                        broken.push(("panic", 0.0));
                    }
                    if !broken.is_empty() {
                        let mut found = found.lock().unwrap();
                        broken.into_iter().for_each(|(what, by)| found.entry(what).or_default().push((seed, by)));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    let mut report = String::new();
    let mut is_worse = false;
    for (what, list) in &mut found {
        let share = known.iter().find(|(name, _)| name == what).map_or(0.0, |(_, share)| *share);
        is_worse |= list.len() as f64 > share * (count * samples) as f64;
        list.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let seeds: std::collections::BTreeSet<u64> = list.iter().map(|l| l.0).collect();
        let worst = list.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap_or_default();
        report += &format!(
            "{what}: {} in {} seeds, worst {worst:?}, first {:?}\n",
            list.len(),
            seeds.len(),
            &list[..list.len().min(6)]
        );
    }
    let report = format!("of {count} seeds with {samples} samples each\n{report}");
    println!("{report}");
    assert!(!is_worse, "{report}");
}
