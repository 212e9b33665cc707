//! What the benchmark shows on the terminal.

use std::fmt::Write;

use super::{Problem, Profile, Row, name};
use crate::scenes::fclib::benchmark::BenchSettings;
use crate::scenes::fclib::profile::FACTORS;

/// W is said to be asymmetric beyond this share of its largest entry: rounding makes less.
const ROUNDING: f64 = 1e-12;

/// A table of each problem, then the profiles.
pub fn text(problems: &[Problem], profiles: &[Profile], settings: &BenchSettings) -> String {
    let BenchSettings { tolerance, max_sweeps, repeats } = settings;
    let width = profiles.iter().map(|profile| profile.solver.len()).max().unwrap_or(0);
    let mut text = String::new();
    for problem in problems {
        let _ =
            writeln!(text, "{}: {} contacts, {}", name(&problem.file), problem.contacts, symmetry(problem.asymmetry));
        let _ = writeln!(
            text,
            "{:width$}  {:>8}  {:>10}  {:>9}  {:>9}  solved",
            "solver", "sweeps", "time ms", "residual", "merit"
        );
        for Row { solver, measured } in &problem.rows {
            let number = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.1e}"));
            let end = match &measured.failure {
                Some(_) => "runs away",
                None if measured.reached => "yes",
                None => "no",
            };
            let (residual, merit) = (number(measured.residual), number(measured.merit));
            let (sweeps, ms) = (measured.sweeps, 1e3 * measured.seconds);
            let _ = writeln!(text, "{solver:width$}  {sweeps:>8}  {ms:>10.3}  {residual:>9}  {merit:>9}  {end}");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "residual: the natural map of the cones with factor 1 in the problem's own W, its length by that of q; solved: {tolerance:.0e} at \
         most, after {max_sweeps} sweeps at most.\n\
         merit: the length of the same map by 1 + sqrt|q|, as FCLIB scales it. time: the fastest of {repeats} runs with the fewest sweeps \
         that solve.\n"
    );
    if !problems.is_empty() {
        profile(&mut text, problems.len(), profiles, width);
    }
    text
}

fn symmetry(asymmetry: f64) -> String {
    if asymmetry <= ROUNDING {
        return "W is symmetric".to_owned();
    }
    format!(
        "W is not symmetric: max |W - W'| is {asymmetry:.1e} of max |W|. Solvers and residual take W as it is; only the steps of ours at a \
         contact use the symmetric part of its own block"
    )
}

fn profile(text: &mut String, problems: usize, profiles: &[Profile], width: usize) {
    let _ = writeln!(text, "Share of {problems} problems solved within a factor of the time of the fastest, %");
    let _ = write!(text, "{:width$}", "solver");
    for factor in FACTORS {
        let title = if factor.is_finite() { format!("{factor}") } else { "any".to_owned() };
        let _ = write!(text, "  {title:>5}");
    }
    text.push('\n');
    for Profile { solver, shares } in profiles {
        let _ = write!(text, "{solver:width$}");
        for share in shares {
            let _ = write!(text, "  {:>5.0}", 100.0 * share);
        }
        text.push('\n');
    }
}
