//! Every method with every setting over every set.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::TruthWord;
use crate::contact::ccd::{CcdError, Method, Query, Settings};
use crate::program::interrupt::Interrupt;
use crate::program::progress::Progress;
use crate::replica::ccd::method;
use crate::scenes::ccd::QuerySet;
use crate::scenes::ccd::benchmark::{Measured, Parameter, Row, Sample, Scope, Truth, timed, untimed};

/// The method that decides what is true.
const EXACT: &str = "exact";

/// So many queries are asked between two looks at whether the user wants to end.
const CHUNK: usize = 64;

/// A mean time by the clock, s, from which on the clock's own some 50 ns do not matter.
const CLOCK_IS_NOTHING: f64 = 20e-6;

/// A pass that took no longer, s, is repeated without the clock even where that hardly matters.
const SHORT_PASS: f64 = 1.0;

/// What is to be run.
pub struct Plan<'a> {
    /// The methods.
    pub names: &'a [&'a str],
    /// Their settings, where they are not varied.
    pub settings: Settings,
    /// What is varied beside.
    pub sweeps: &'a [Parameter],
    /// What is asked.
    pub sets: &'a [QuerySet],
    /// By what answers are judged.
    pub truth: TruthWord,
}

/// Settings, and what is varied in them.
type Variation = (Settings, Option<Parameter>);

/// What a user who has had enough leaves: nothing.
type Wanted<T> = Option<T>;

impl Plan<'_> {
    /// The figures, and what could not be run. `None`: it was interrupted.
    pub fn execute(&self, threads: u32, interrupt: &Interrupt) -> Result<Wanted<(Vec<Row>, Vec<String>)>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
        let pool = pool.context("the threads cannot be started")?;
        let mut variations: Vec<Variation> = vec![(self.settings, None)];
        for &parameter in self.sweeps {
            let values = parameter.values().iter();
            variations.extend(values.map(|&value| (parameter.set(self.settings, value), Some(parameter))));
        }
        // A truth is needed for every separation; nothing else that varies changes what is true.
        let mut truths: Vec<(f64, Vec<Truth>)> = Vec::new();
        let separations = variations.iter().filter(|_| self.truth == TruthWord::Exact).map(|v| v.0.separation);
        let mut distinct: Vec<f64> = Vec::new();
        separations.for_each(|d| {
            if !distinct.contains(&d) {
                distinct.push(d)
            }
        });
        let progress = Progress::new((variations.len() * self.names.len() + distinct.len()) * self.sets.len());
        let pass = Pass { pool: &pool, threads, interrupt, progress: &progress };
        for separation in distinct {
            let Some(found) = self.decide(separation, &pass)? else { return Ok(None) };
            truths.push((separation, found));
        }
        let published = self.sets.iter().map(|set| Truth::published(set, self.settings.t_max)).collect();
        let (mut rows, mut failures) = (Vec::new(), Vec::new());
        for name in self.names {
            for (settings, sweep) in &variations {
                let method = match method(name, *settings) {
                    Ok(method) => method,
                    Err(error @ CcdError::Unsupported { .. }) => {
                        failures.push(with_value(&error, settings, *sweep));
                        self.sets.iter().for_each(|_| progress.advance(name));
                        continue;
                    }
                    Err(error) => bail!(error),
                };
                let Some(measured) = pass.over(method.as_ref(), self.sets) else { return Ok(None) };
                let truth = truths.iter().find(|(d, _)| *d == settings.separation).map_or(&published, |t| &t.1);
                let parts = self.sets.iter().zip(truth).zip(&measured);
                let parts: Vec<_> = parts.map(|((set, truth), measured)| (set, truth, measured)).collect();
                let of_method = Row::of(name, settings, *sweep, &parts);
                failures.extend(unanswered(&of_method));
                rows.extend(of_method.into_iter().filter(|row| sweep.is_none() || row.scope == Scope::Family));
            }
        }
        progress.finish();
        Ok(Some((rows, failures)))
    }

    /// The truth of every set by the exact method.
    fn decide(&self, separation: f64, pass: &Pass<'_>) -> Result<Wanted<Vec<Truth>>> {
        let settings = Settings { separation, ..self.settings };
        let exact = method(EXACT, settings).context("--truth exact is not to be had")?;
        let mut truths = Vec::new();
        for set in self.sets {
            let Some(samples) = pass.timed(exact.as_ref(), &set.queries) else { return Ok(None) };
            truths.push(Truth::decided(samples.iter().map(|sample| &sample.answer)));
            pass.progress.advance(&format!("{EXACT} {}", set.name));
        }
        Ok(Some(truths))
    }
}

/// Who works, who may end it, who is told.
struct Pass<'a> {
    pool: &'a rayon::ThreadPool,
    threads: u32,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
}

impl Pass<'_> {
    fn over(&self, method: &dyn Method, sets: &[QuerySet]) -> Wanted<Vec<Measured>> {
        let one = |set: &QuerySet| {
            let samples = self.timed(method, &set.queries)?;
            let sum: f64 = samples.iter().map(|sample| sample.seconds).sum();
            let is_worth_it = sum < SHORT_PASS || sum < CLOCK_IS_NOTHING * samples.len() as f64;
            let pass = if self.threads == 1 && is_worth_it {
                let chunks = set.queries.chunks(CHUNK);
                Some(chunks.map(|queries| self.go_on().then(|| untimed(method, queries))).sum::<Option<f64>>()?)
            } else {
                None
            };
            self.progress.advance(&format!("{} {}", method.name(), set.name));
            Some(Measured { samples, pass })
        };
        sets.iter().map(one).collect()
    }

    fn timed(&self, method: &dyn Method, queries: &[Query]) -> Wanted<Vec<Sample>> {
        let chunk = |queries: &[Query]| self.go_on().then(|| timed(method, queries));
        let chunks: Wanted<Vec<Vec<Sample>>> = if self.threads == 1 {
            queries.chunks(CHUNK).map(chunk).collect()
        } else {
            self.pool.install(|| queries.par_chunks(CHUNK).map(chunk).collect())
        };
        chunks.map(|chunks| chunks.concat())
    }

    fn go_on(&self) -> bool {
        !self.interrupt.is_asked()
    }
}

/// The message with the setting that was varied.
fn with_value(message: &dyn std::fmt::Display, settings: &Settings, sweep: Option<Parameter>) -> String {
    match sweep {
        Some(Parameter::Tolerance) => format!("{message} (δ = {:e} m)", settings.tolerance),
        Some(Parameter::Checks) => format!("{message} (m_I = {})", settings.checks),
        Some(Parameter::Separation) => format!("{message} (d = {:e} m)", settings.separation),
        None => message.to_string(),
    }
}

/// A line for every set with queries that got no answer.
fn unanswered(rows: &[Row]) -> impl Iterator<Item = String> + '_ {
    let of_sets = rows.iter().filter(|row| row.scope == Scope::Set);
    of_sets.filter_map(|row| {
        let error = row.figures.first_error.as_ref()?;
        let (n, all) = (row.figures.errors, row.figures.queries);
        let message = format!(
            "{}: {} of {all} queries of {} {} got no answer; the first: {error}",
            row.method,
            n,
            row.name,
            super::super::settings::kind_name(row.kind)
        );
        Some(with_value(&message, &row.settings, row.sweep))
    })
}
