//! A method against the exact decider on random queries that are nearly or exactly degenerate.
//!
//! ```text
//! cargo run --release -p drystone-contact --example ccd_adversarial -- 10000000 [SEED] [--method NAME]
//!     [--tolerance M] [--separation M] [--checks N] [--t-max T] [--exact-after N] [--threads N]
//! ```
//!
//! The status is 1 if a contact was missed or a time is late, 2 on bad usage.

use drystone_contact::ccd::audit::{Audit, audit};
use drystone_contact::ccd::{METHODS, Settings, method};
use std::error::Error;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

/// Queries between two lines of progress.
const PART: u64 = 250_000;

/// What was asked for.
struct Options {
    queries: u64,
    seed: u64,
    method: String,
    threads: NonZeroUsize,
    settings: Settings,
}

fn number<T: FromStr<Err: Error + 'static>>(name: &str, text: Option<String>) -> Result<T, Box<dyn Error>> {
    let text = text.ok_or_else(|| format!("{name} needs a value"))?;
    text.parse().map_err(|error: T::Err| format!("{name} {text}: {error}").into())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let threads = std::thread::available_parallelism()?;
    let settings = Settings::default();
    let mut options = Options { queries: 100_000, seed: 1, method: "inclusion".to_owned(), threads, settings };
    let (mut words, mut place) = (std::env::args().skip(1), 0);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--method" => options.method = words.next().ok_or("--method needs a name")?,
            "--tolerance" => options.settings.tolerance = number(&word, words.next())?,
            "--separation" => options.settings.separation = number(&word, words.next())?,
            "--checks" => options.settings.checks = number(&word, words.next())?,
            "--t-max" => options.settings.t_max = number(&word, words.next())?,
            "--exact-after" => options.settings.exact_after = Some(number(&word, words.next())?),
            "--threads" => options.threads = number(&word, words.next())?,
            _ if place == 0 => (options.queries, place) = (number("the number of queries", Some(word))?, 1),
            _ if place == 1 => (options.seed, place) = (number("the seed", Some(word))?, 2),
            _ => return Err(format!("unexpected: {word}").into()),
        }
    }
    Ok(options)
}

fn run() -> Result<Audit, Box<dyn Error>> {
    let Options { queries, seed, method: name, threads, settings } = options()?;
    let method = method(&METHODS, &name, settings)?;
    println!("{name}, seed {seed}: {settings:?}");
    let started = Instant::now();
    let mut whole = Audit::default();
    while whole.queries < queries {
        let numbers = whole.queries..(whole.queries + PART).min(queries);
        whole.append(audit(&*method, &settings, seed, numbers, threads)?);
        println!("{:6.0} s  {whole}", started.elapsed().as_secs_f64());
    }
    for failure in &whole.failures {
        print!("{failure}");
    }
    Ok(whole)
}

fn main() -> ExitCode {
    match run() {
        Ok(whole) => ExitCode::from(u8::from(!whole.is_conservative())),
        Err(error) => {
            eprintln!("ccd_adversarial: {error}");
            ExitCode::from(2)
        }
    }
}
