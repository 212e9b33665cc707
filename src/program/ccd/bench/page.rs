//! The page of a run.

use super::{Results, TruthWord};
use crate::contact::ccd::Settings;
use crate::program::ccd::settings::metric_name;
use crate::program::report::command_line;
use crate::report::{ContinuousReport, Head, Machine, TruthBehind, commit, date};

/// The page.
pub fn page(results: &Results, settings: &Settings) -> String {
    let truth = match results.truth {
        TruthWord::Labels => TruthBehind::Labels,
        TruthWord::Exact => TruthBehind::Exact,
    };
    let named = |name: &str, value: String| (name.to_owned(), value);
    let exact = settings.exact_after.map_or("never".into(), |n| format!("after {n} checks"));
    let head = Head {
        command: command_line(),
        settings: vec![
            named("Tolerance δ", format!("{:e} m", settings.tolerance)),
            named("Most checks m_I", settings.checks.to_string()),
            named("Separation d", format!("{:e} m, {}", settings.separation, metric_name(settings.metric))),
            named("Time interval", format!("0 to {}", settings.t_max)),
            named("Exact fallback", exact),
            named("Answers judged by", results.truth.name().into()),
            named("Threads", results.threads.to_string()),
        ],
        commit: commit(),
        machine: Some(Machine::this()),
        date: date::now(),
        seconds: Some(results.seconds),
        failures: results.failures.clone(),
        ..Head::default()
    };
    ContinuousReport { head, sets: &results.sets, rows: &results.rows, truth }.page()
}
