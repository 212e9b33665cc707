//! `drystone toc bench`: the ways of enclosing a path, on the same queries, against certified answers.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::program::interrupt::Interrupt;
use crate::program::output::{check_folder, is_standard, note, write_to};
use crate::program::progress::Progress;
use crate::scenes::toc::benchmark::{CHUNK, Plan, Row, Tally, VARIANTS, Variant, measure};
use crate::scenes::toc::case::KINDS;

/// What `drystone toc bench` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A kind of solid; may be repeated. All with certified answers by default.
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,

    /// Queries of each kind: in turns plain, straight, spinning on the spot, grazing, starting in contact, from afar,
    /// with up to fifty radians.
    #[arg(long, value_name = "N", default_value_t = 7000, value_parser = clap::value_parser!(u32).range(1..))]
    queries: u32,

    /// Precision ε as a share of the size of the solid; may be repeated.
    #[arg(long, value_name = "SHARE", default_values_t = [1e-3, 1e-6])]
    precision: Vec<f64>,

    /// Let the solids move and turn as well; the printed variants are not for that.
    #[arg(long)]
    moving: bool,

    /// Solids are a metre large, or up to so many times more or less.
    #[arg(long, value_name = "FACTOR", default_value_t = 1e6)]
    scales: f64,

    /// The exact bound alone.
    #[arg(long)]
    exact: bool,

    /// Of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many threads work. With more than one, times disturb each other.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,

    /// Write settings and results as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The name of the JSON format.
const SCHEMA: &str = "drystone.toc-bench/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    queries: u32,
    moving: bool,
    seed: u64,
    variants: &'a [Variant],
    results: &'a [Outcome],
}

#[derive(Serialize)]
/// The rows of one precision.
struct Outcome {
    precision: f64,
    rows: Vec<Row>,
}

/// Asks all and prints.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(wrong) = arguments.precision.iter().find(|p| !(p.is_finite() && **p > 0.0)) {
        bail!("--precision {wrong} is none; it must be finite and above zero");
    }
    if !(arguments.scales.is_finite() && arguments.scales >= 1.0 && arguments.scales <= 1e9) {
        bail!("--scales {} is none; it must be from 1 to 1e9", arguments.scales);
    }
    if let Some(path) = arguments.json.as_ref().filter(|path| !is_standard(path)) {
        check_folder(path).context("before any work")?;
    }
    let known = KINDS.map(String::from).to_vec();
    let kinds = if arguments.kind.is_empty() { known } else { arguments.kind.clone() };
    let variants = if arguments.moving || arguments.exact { &VARIANTS[..1] } else { &VARIANTS[..] };
    let interrupt = Interrupt::watch();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads as usize).build();
    let pool = pool.context("the threads cannot be started")?;
    let queries = arguments.queries as usize;
    let progress = Progress::new(queries.div_ceil(CHUNK) * kinds.len() * arguments.precision.len());
    let mut results = Vec::new();
    for &precision in &arguments.precision {
        let plan =
            Plan { queries, precision, is_moving: arguments.moving, scales: arguments.scales, seed: arguments.seed };
        let mut rows = Vec::new();
        for kind in &kinds {
            let goes_on = || {
                progress.advance(kind);
                !interrupt.is_asked()
            };
            let Some(row) = pool.install(|| measure(kind, &plan, variants, &goes_on))? else {
                progress.finish();
                note("drystone: interrupted; nothing is written");
                return Ok(false);
            };
            rows.push(row);
        }
        results.push(Outcome { precision, rows });
    }
    progress.finish();
    if let Some(path) = &arguments.json {
        let (moving, seed) = (arguments.moving, arguments.seed);
        let document =
            Document { schema: SCHEMA, queries: arguments.queries, moving, seed, variants, results: &results };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        write_to(path, &text)?;
    }
    if arguments.json.as_ref().is_none_or(|path| !is_standard(path)) {
        print!("{}", tables(&results, variants));
    }
    let exact = results.iter().flat_map(|result| &result.rows).map(|row| &row.tallies[0]);
    let broken = exact.filter(|tally| tally.missed + tally.late + tally.unsure > 0).count();
    if broken > 0 {
        note(&format!(
            "drystone: the exact bound promises to miss nothing and to give no late time; {broken} rows break it"
        ));
    }
    Ok(broken == 0)
}

/// One table a precision.
fn tables(results: &[Outcome], variants: &[Variant]) -> String {
    let mut text = String::new();
    for Outcome { precision, rows } in results {
        let _ = writeln!(text, "precision {precision:e} of the size");
        let _ = writeln!(
            text,
            "{:<12}{:<17}{:>9}{:>10}{:>8}{:>6}{:>6}{:>9}{:>8}{:>9}{:>8}{:>9}",
            "solid",
            "variant",
            "queries",
            "contacts",
            "missed",
            "late",
            "near",
            "stopped",
            "tests",
            "curved",
            "within",
            "µs"
        );
        for row in rows {
            for (variant, tally) in variants.iter().zip(&row.tallies) {
                line(&mut text, &row.kind, variant.name, tally);
            }
        }
        text.push('\n');
    }
    text.push_str(
        "missed: said to be apart, certainly inside at some time; late: after it certainly was inside; near: the path stays \
         outside, within the distance stated; tests, curved: boxes tested, and intervals whose chord was farther from the path \
         than the precision, in the mean; within: the largest distance stated, in precisions; µs: in the mean, by the clock\n",
    );
    text
}

fn line(text: &mut String, kind: &str, variant: &str, tally: &Tally) {
    let mean = |sum: f64| sum / tally.queries.max(1) as f64;
    let _ = writeln!(
        text,
        "{kind:<12}{variant:<17}{:>9}{:>10}{:>8}{:>6}{:>6}{:>9}{:>8.1}{:>9.1}{:>8.2}{:>9.2}",
        tally.queries,
        tally.contacts,
        tally.missed,
        tally.late,
        tally.near,
        tally.stopped,
        mean(tally.tests as f64),
        mean(tally.curved as f64),
        tally.within,
        mean(1e6 * tally.seconds)
    );
}
