//! Performance profiles: solvers compared over many problems (E. D. Dolan and J. J. Moré, "Benchmarking optimization software with
//! performance profiles", 2002).

/// The factors τ at which profiles are given.
pub const FACTORS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, f64::INFINITY];

/// For each solver the share of problems that it solves within τ times the time of the fastest one, for each of [`FACTORS`].
/// `times[solver][problem]` is `None` where it did not solve it; problems that none solves count as well.
pub fn profiles(times: &[Vec<Option<f64>>]) -> Vec<[f64; FACTORS.len()]> {
    let problems = times.iter().map(Vec::len).max().unwrap_or(0);
    let time = |solver: &[Option<f64>], problem: usize| solver.get(problem).copied().flatten();
    let best: Vec<f64> = (0..problems)
        .map(|problem| times.iter().filter_map(|solver| time(solver, problem)).fold(f64::INFINITY, f64::min))
        .collect();
    let share = |solver: &[Option<f64>], factor: f64| {
        let is_within = |problem: &usize| time(solver, *problem).is_some_and(|time| time <= factor * best[*problem]);
        (0..problems).filter(is_within).count() as f64 / problems.max(1) as f64
    };
    times.iter().map(|solver| FACTORS.map(|factor| share(solver, factor))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_count_problems_within_a_factor_of_the_fastest() {
        let fast = vec![Some(1.0), Some(1.0), None, None];
        let slow = vec![Some(3.0), Some(20.0), Some(5.0), None];
        let shares = profiles(&[fast, slow]);
        assert_eq!(shares, [[0.5; 6], [0.25, 0.25, 0.5, 0.5, 0.5, 0.75]]);
        assert!(profiles(&[]).is_empty());
        assert_eq!(profiles(&[Vec::new()]), [[0.0; 6]]);
    }
}
