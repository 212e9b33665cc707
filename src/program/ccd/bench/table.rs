//! The tables on the terminal: one a method, a line a set, then one a family and kind.

use std::fmt::Write;

use super::{Results, TruthWord};
use crate::program::ccd::settings::kind_short;
use crate::scenes::ccd::benchmark::{Parameter, Row, Scope};

/// All tables and what their columns mean.
pub fn tables(results: &Results) -> String {
    let mut text = String::new();
    let mut methods: Vec<&str> = Vec::new();
    for row in &results.rows {
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    }
    for name in &methods {
        let own = || results.rows.iter().filter(|row| row.method == *name);
        let plain: Vec<&Row> = own().filter(|row| row.sweep.is_none()).collect();
        table(&mut text, name, &plain);
        for parameter in Parameter::ALL {
            let varied: Vec<&Row> = own().filter(|row| row.sweep == Some(parameter)).collect();
            if !varied.is_empty() {
                table(&mut text, &format!("{name}, {}", word(parameter)), &varied);
            }
        }
    }
    legend(&mut text, results);
    text
}

fn word(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Tolerance => "tolerance δ varied",
        Parameter::Checks => "limit of checks m_I varied",
        Parameter::Separation => "minimum separation d varied",
    }
}

fn table(text: &mut String, title: &str, rows: &[&Row]) {
    let names: Vec<String> = rows.iter().map(|row| name(row)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(title.chars().count());
    let _ = writeln!(
        text,
        "{title:<width$}    queries   meet     FP   FN late  stop exact  err   checks     mean   median       max     pass  reached  early~    early+",
    );
    let mut scope = Scope::Set;
    for (row, name) in rows.iter().zip(&names) {
        if row.scope != scope && rows[0].scope == Scope::Set {
            text.push('\n');
            scope = row.scope;
        }
        let f = &row.figures;
        let (median, most) = match f.earliness {
            Some(early) => (format!("{:.1e}", early.median), format!("{:.1e}", early.max)),
            None => ("–".into(), "–".into()),
        };
        let _ = writeln!(
            text,
            "{name:<width$} {} {:>7} {:>6} {:>6} {:>4} {:>4} {:>5} {:>5} {:>4} {:>8.1} {:>8} {:>8} {:>9} {:>8} {:>8.1e} {median:>7} {most:>9}",
            kind_short(row.kind),
            f.queries,
            f.positives,
            f.false_positives,
            f.false_negatives,
            f.late,
            f.stopped,
            f.exact,
            f.errors,
            f.checks.mean,
            microseconds(Some(f.seconds.mean)),
            microseconds(Some(f.seconds.median)),
            microseconds(Some(f.seconds.max)),
            microseconds(f.seconds.pass_mean),
            f.worst_reached,
        );
    }
    text.push('\n');
}

fn name(row: &Row) -> String {
    let base = if row.scope == Scope::Family { format!("all {}", row.name) } else { row.name.clone() };
    match row.sweep {
        Some(Parameter::Checks) => format!("{base}, {}", row.settings.checks),
        Some(parameter) => format!("{base}, {:e} m", parameter.value(&row.settings)),
        None => base,
    }
}

fn microseconds(seconds: Option<f64>) -> String {
    match seconds.map(|s| 1e6 * s) {
        None => "–".into(),
        Some(us) if us < 100.0 => format!("{us:.3}"),
        Some(us) => format!("{us:.0}"),
    }
}

fn legend(text: &mut String, results: &Results) {
    text.push_str(
        "vf vertex-face, ee edge-edge; meet: by the truth; FP: they do not meet but the answer allows it; FN: they meet but the\n\
         answer denies it; late: after the true time; stop: ended at the limit of checks; exact: decided in integers; err: no\n\
         answer; checks: mean a query. Times in µs a query: mean, median and max by the clock (two looks a query, some 0.05\n\
         included); pass: mean of a whole pass without a look at the clock in between (– where a pass takes so long that the\n\
         clock does not matter). reached: widest last box, m; early~ and early+: median and most by which times are early.\n",
    );
    if results.threads > 1 {
        let _ = writeln!(text, "{} threads were at work: times disturb each other.", results.threads);
    }
    let unlabelled: usize = results.rows.iter().filter(|r| r.scope == Scope::Set).map(|r| r.figures.unlabelled).sum();
    if unlabelled > 0 {
        let _ = writeln!(text, "{unlabelled} answers are to queries of unknown truth: neither right nor wrong.");
    }
    let has_separation = results.rows.iter().any(|row| row.settings.separation > 0.0);
    text.push_str(match results.truth {
        TruthWord::Exact => "Truth: the exact method, with the same separation and time interval.\n",
        TruthWord::Labels if has_separation => {
            "Truth: the labels of the files, which are about contact without separation (d = 0), as in the paper; with\n\
             d > 0, FP also counts those that do come within d (--truth exact judges by d).\n"
        }
        TruthWord::Labels => "Truth: the labels of the files.\n",
    });
}
