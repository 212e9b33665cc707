//! `drystone ccd query`: one query asked.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;

use super::settings::{DEFAULT_METHOD, KindWord, SettingsOptions, kind_name};
use crate::contact::ccd::{Answer, Guarantee, Kind, Outcome, Query, Settings};
use crate::program::output::write_to;
use crate::replica::ccd::method;
use crate::scenes::ccd::{exact_double, read};

/// What `drystone ccd query` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    numbers: Numbers,

    /// What the points are: a vertex and the corners of a face, or the ends of one edge and of another.
    #[arg(long, value_name = "KIND")]
    kind: Option<KindWord>,

    /// The four points at t = 0, m: 12 numbers, split by commas or spaces.
    #[arg(long, value_name = "NUMBERS", requires = "end", allow_hyphen_values = true)]
    start: Option<String>,

    /// The four points at t = 1, m.
    #[arg(long, value_name = "NUMBERS", requires = "start", allow_hyphen_values = true)]
    end: Option<String>,

    /// Take the query from a file (.ccdq, or .csv as published).
    #[arg(long, value_name = "FILE", requires = "index", conflicts_with_all = ["start", "end"])]
    file: Option<PathBuf>,

    /// Which query of the file, from 0.
    #[arg(long, value_name = "N", requires = "file")]
    index: Option<usize>,

    /// The method.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_METHOD)]
    method: String,

    #[command(flatten)]
    settings: SettingsOptions,

    /// Write question and answer as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The coordinates as they were written: one word each, or fewer with several numbers in them.
///
/// Each is an argument of its own. A single argument of many values that may begin with a hyphen, as "-3/8" does, would
/// take options after the first number for numbers.
#[derive(Clone, Debug)]
struct Numbers(Vec<String>);

impl Numbers {
    const PLACES: [&str; 24] = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
        "21", "22", "23", "24",
    ];
    const HELP: &str = "All 24 coordinates, m: four points at t = 0, then at t = 1. A number is decimal, a fraction \"3/8\" or \
                        hexadecimal \"0x1.8p-3\"; fractions and hexadecimal numbers must be doubles exactly";
}

impl Args for Numbers {
    fn augment_args(command: Command) -> Command {
        let others = ["start", "end", "file"];
        command.args(Self::PLACES.into_iter().map(|place| {
            let argument = Arg::new(place).value_name("NUMBER...").help(Self::HELP).hide(place != Self::PLACES[0]);
            argument.allow_hyphen_values(true).conflicts_with_all(others)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Numbers {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(Self::PLACES.iter().filter_map(|place| matches.get_one::<String>(place).cloned()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The name of the JSON format (docs/ccd-queries.md).
const SCHEMA: &str = "drystone.ccd-query/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    method: &'a str,
    guarantee: &'static str,
    kind: Kind,
    start: [[f64; 3]; 4],
    end: [[f64; 3]; 4],
    settings: Settings,
    outcome: &'static str,
    lo: Option<f64>,
    hi: Option<f64>,
    checks: u64,
    reached: f64,
    exact: bool,
    label: Option<bool>,
    truth: Option<(f64, f64)>,
}

/// A query, and what a file knows of it.
struct Asked {
    query: Query,
    label: Option<bool>,
    time: Option<(f64, f64)>,
}

/// Asks and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let asked = asked(arguments)?;
    let settings = arguments.settings.settings();
    let method = method(&arguments.method, settings)?;
    let answer = method.solve(&asked.query)?;
    let guarantee = match method.guarantee() {
        Guarantee::Conservative => "conservative",
        Guarantee::Exact => "exact",
        Guarantee::None(_) => "none",
    };
    let Some(path) = &arguments.json else {
        print!("{}", block(&asked, method.name(), guarantee, &answer, &settings));
        return Ok(());
    };
    let (outcome, lo, hi) = match answer.outcome {
        Outcome::Free => ("free", None, None),
        Outcome::Impact { lo, hi } => ("impact", Some(lo), Some(hi)),
        Outcome::Stopped { t } => ("stopped", Some(t), None),
    };
    let document = Document {
        schema: SCHEMA,
        method: method.name(),
        guarantee,
        kind: asked.query.kind,
        start: asked.query.start.map(|p| p.to_array()),
        end: asked.query.end.map(|p| p.to_array()),
        settings,
        outcome,
        lo,
        hi,
        checks: answer.checks,
        reached: answer.reached,
        exact: answer.exact,
        label: asked.label,
        truth: asked.time,
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    write_to(path, &text)
}

fn asked(arguments: &Arguments) -> Result<Asked> {
    if let (Some(file), Some(index)) = (&arguments.file, arguments.index) {
        let sets = read(std::slice::from_ref(file), arguments.kind.map(|kind| kind.0))?;
        let [set] = &sets[..] else {
            bail!("{} is a folder; --file takes one file of queries", file.display());
        };
        if arguments.kind.is_some_and(|kind| kind.0 != set.kind) {
            bail!("{} holds {} queries", file.display(), kind_name(set.kind));
        }
        let n = set.queries.len();
        let Some(&query) = set.queries.get(index) else {
            bail!("{} has {n} queries, numbered from 0; there is no query {index}", file.display());
        };
        let time = set.times.as_ref().and_then(|times| times[index]);
        return Ok(Asked { query, label: set.labels[index], time });
    }
    let kind = arguments.kind.context("give --kind vertex-face or edge-edge")?.0;
    let words: Vec<&str> = match (&arguments.start, &arguments.end) {
        (Some(start), Some(end)) => {
            let both = [("--start", start), ("--end", end)].map(|(option, text)| -> Result<Vec<&str>> {
                let words = split(text);
                match words.len() {
                    12 => Ok(words),
                    n => bail!("{option} has {n} numbers; four points are 12"),
                }
            });
            let [start, end] = both;
            [start?, end?].concat()
        }
        _ => arguments.numbers.0.iter().flat_map(|text| split(text)).collect(),
    };
    let numbers: Vec<f64> = words.iter().map(|word| number(word)).collect::<Result<_>>()?;
    let Ok(coordinates) = <[f64; 24]>::try_from(numbers) else {
        bail!(
            "there are {} numbers; four points at two times are 24 (or give --start and --end, or --file)",
            words.len()
        );
    };
    let query = Query::from_coordinates(kind, &coordinates);
    query.check()?;
    Ok(Asked { query, label: None, time: None })
}

fn split(text: &str) -> Vec<&str> {
    text.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|word| !word.is_empty()).collect()
}

/// A decimal number, a fraction of whole numbers, or a hexadecimal number with a power of two.
fn number(word: &str) -> Result<f64> {
    if let Some((n, d)) = word.split_once('/') {
        return exact_double(n, d).with_context(|| format!("\"{word}\""));
    }
    let value = if word.to_ascii_lowercase().contains("0x") { hexadecimal(word) } else { word.parse().ok() };
    value.with_context(|| {
        format!("\"{word}\" is no number; decimal, fraction (3/8) and hexadecimal (0x1.8p-3) numbers are read")
    })
}

/// "-0x1.8p-3" → −0.1875; `None` where it is malformed, or not a double exactly.
fn hexadecimal(word: &str) -> Option<f64> {
    let lower = word.to_ascii_lowercase();
    let (is_negative, rest) = match lower.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
    };
    let (digits, power) = match rest.strip_prefix("0x")?.split_once('p') {
        Some((digits, power)) => (digits, power.parse::<i32>().ok()?),
        None => (rest.strip_prefix("0x")?, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    // A double has 14 such digits at most; 16 leave room for zeros.
    if all.is_empty() || all.len() > 16 || !all.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mantissa = u64::from_str_radix(&all, 16).ok()?;
    let power = power.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    let value = libm::scalbn(mantissa as f64, power);
    let is_exact = mantissa as f64 as u128 == u128::from(mantissa)
        && value.is_finite()
        && libm::scalbn(value, power.checked_neg()?) == mantissa as f64;
    is_exact.then_some(if is_negative { -value } else { value })
}

/// Question and answer for people.
fn block(asked: &Asked, method: &str, guarantee: &str, answer: &Answer, settings: &Settings) -> String {
    let points = match asked.query.kind {
        Kind::VertexFace => ["vertex", "corner 1", "corner 2", "corner 3"],
        Kind::EdgeEdge => ["edge a, 1", "edge a, 2", "edge b, 1", "edge b, 2"],
    };
    let mut text = format!("{}, by {method} (guarantee: {guarantee})\n", kind_name(asked.query.kind));
    for ((name, start), end) in points.iter().zip(&asked.query.start).zip(&asked.query.end) {
        let point = |p: &glam::DVec3| format!("({}, {}, {})", p.x, p.y, p.z);
        text.push_str(&format!("  {name:<10}{} → {}\n", point(start), point(end)));
    }
    let end = settings.t_max;
    text.push_str(&match answer.outcome {
        Outcome::Free => format!("free: they do not meet for 0 ≤ t ≤ {end}\n"),
        Outcome::Impact { lo, hi } => {
            format!("impact: not before t = {lo}; within the tolerance of contact in [{lo}, {hi}]\n")
        }
        Outcome::Stopped { t } => format!("stopped at the limit of checks: not before t = {t}; not known after it\n"),
    });
    text.push_str(&format!("  checks {}, tolerance reached {:e} m", answer.checks, answer.reached));
    text.push_str(if answer.exact { ", decided in integers\n" } else { "\n" });
    if let Some(label) = asked.label {
        text.push_str(&match (label, asked.time) {
            (true, Some((lo, hi))) => format!("  by the file they first meet in [{lo}, {hi}]\n"),
            (true, None) => "  by the file they meet\n".into(),
            (false, _) => "  by the file they do not meet\n".into(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        let same = [
            ("0.1", 0.1),
            ("-3/8", -0.375),
            ("0x1.8p-3", 0.1875),
            ("-0X1.999999999999ap-4", -0.1),
            ("0x10", 16.0),
            ("0x0.0000000000001p-1022", f64::from_bits(1)),
            ("1e-300", 1e-300),
        ];
        for (word, value) in same {
            assert_eq!(number(word).unwrap(), value, "{word}");
        }
        for word in
            ["", "x", "1/3", "1/0", "0x", "0x1.8p", "0x1p2000", "0x1p-2000", "0x1fffffffffffff8", "0x1.g", "--0x1"]
        {
            assert!(number(word).is_err(), "{word}");
        }
    }

    #[test]
    fn numbers_are_split_by_commas_and_spaces() {
        assert_eq!(split("1, 2,3  4;5\n6,"), ["1", "2", "3", "4", "5", "6"]);
    }
}
