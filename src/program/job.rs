//! `drystone job`: jobs as JSON, one a line, and what came out of each as a line.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::interrupt::Interrupt;
use super::one_line;
use super::output::note;
use crate::contact::generator::Registry;
use crate::scenes::job::{Checkpoints, Execution, Job, JobError, Outcome, Reader, program};

/// The name of the format of a result (docs/jobs.md).
const SCHEMA: &str = "drystone.job/1";

/// How often a wait for the next line looks whether the user has asked for an end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// How often the number of finished jobs is noted.
const BETWEEN_NOTES: Duration = Duration::from_secs(10);

/// What `drystone job` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// How many jobs run at a time, each on one thread (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Write each job's id and what it is with everything spelled out, and run nothing.
    #[arg(long)]
    ids: bool,

    /// Keep checkpoints of simulations in this folder, and go on from those that are there.
    #[arg(long, value_name = "DIR", requires = "checkpoint_every", conflicts_with = "ids")]
    checkpoints: Option<PathBuf>,

    /// How many steps lie between two checkpoints.
    #[arg(long, value_name = "N", requires = "checkpoints", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: Option<u64>,
}

/// A line of standard input with its number, from 1.
type Line = (usize, io::Result<String>);

/// A result.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    program: &'static str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<Value>,
    #[serde(flatten)]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Results on their way to standard output, which come in the order of the lines.
struct Writer {
    waiting: BTreeMap<usize, String>,
    next: usize,
    failed: usize,
    done: usize,
    noted: Instant,
    broken: Option<io::Error>,
}

impl Writer {
    /// Takes the result of a line, or nothing of a line without a job.
    fn take(&mut self, line: usize, report: Option<&Report>) {
        let text = report.map(|report| serde_json::to_string(report).unwrap_or_default() + "\n");
        self.failed += usize::from(report.is_some_and(|report| report.error.is_some()));
        self.done += usize::from(report.is_some());
        self.waiting.insert(line, text.unwrap_or_default());
        while let Some(text) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(&text);
        }
        if self.noted.elapsed() > BETWEEN_NOTES {
            self.noted = Instant::now();
            note(&format!("{} jobs done, {} of them failed", self.done, self.failed));
        }
    }

    fn write(&mut self, text: &str) {
        if self.broken.is_none() {
            let mut out = io::stdout().lock();
            self.broken = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
        }
    }

    /// Writes what still waits for results that will not come.
    fn finish(&mut self) {
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.write(&text);
        }
    }
}

/// Runs the jobs. `false`: some failed, or the user ended it before all were done.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    let checkpoints = arguments.checkpoints.as_ref().zip(arguments.checkpoint_every);
    let checkpoints = checkpoints.map(|(folder, every)| Checkpoints::new(folder, every)).transpose()?;
    let interrupt = Interrupt::watch();
    let threads = match arguments.threads {
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let lines = Mutex::new(lines(threads));
    let is_unfinished = AtomicBool::new(false);
    let writer = Mutex::new(Writer {
        waiting: BTreeMap::new(),
        next: 1,
        failed: 0,
        done: 0,
        noted: Instant::now(),
        broken: None,
    });
    let take = |line, report: Option<&Report>| {
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.take(line, report);
        writer.broken.is_none()
    };
    let is_asked = || interrupt.is_asked();
    let execution = Execution { registry, checkpoints: checkpoints.as_ref(), is_cancelled: &is_asked };
    let work = || -> Result<()> {
        // What a job does in parallel stays on its thread.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("the threads cannot be started")?;
        let mut reader = Reader::new(registry);
        while let Some((line, text)) = next(&lines, &interrupt) {
            let text = text.context("it cannot be read");
            if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
                take(line, None);
                continue;
            }
            let made = text.map(|text| alone.install(|| report(line, &text, &mut reader, &execution, arguments.ids)));
            let report = match made {
                Ok(None) => {
                    is_unfinished.store(true, Ordering::Relaxed);
                    continue;
                }
                Ok(Some(report)) => report,
                Err(error) => failed(line, one_line(&error)),
            };
            if !take(line, Some(&report)) {
                break;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ends =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err(anyhow!("a thread broke off"))));
        ends.collect()
    })?;
    let mut writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    writer.finish();
    if let Some(error) = writer.broken {
        return Err(error.into());
    }
    let is_whole = !interrupt.is_asked() && !is_unfinished.into_inner();
    if !is_whole {
        note(&format!("Ended after {} jobs as asked; what is written is whole.", writer.done));
    }
    Ok(is_whole && writer.failed == 0)
}

/// The lines of standard input, read by a thread of their own, so that nobody has to wait for a line that does not come.
fn lines(ahead: usize) -> Receiver<Line> {
    let (sender, receiver) = sync_channel(ahead);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        for line in 1.. {
            let mut bytes = Vec::new();
            let text = match input.read_until(b'\n', &mut bytes) {
                Ok(0) => return,
                Ok(_) => String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
                Err(error) => Err(error),
            };
            let is_end = text.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::InvalidData);
            if sender.send((line, text)).is_err() || is_end {
                return;
            }
        }
    });
    receiver
}

/// The next line; `None` at the end, or if the user asks for it.
fn next(lines: &Mutex<Receiver<Line>>, interrupt: &Interrupt) -> Option<Line> {
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    while !interrupt.is_asked() {
        match lines.recv_timeout(BETWEEN_LOOKS) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    None
}

/// What came out of a line; `None`: its job was interrupted.
fn report(line: usize, text: &str, reader: &mut Reader<'_>, execution: &Execution<'_>, ids: bool) -> Option<Report> {
    let job = match reader.read(text) {
        Ok(job) => job,
        // A job is one line, whose number is said already.
        Err(error) => return Some(failed(line, one_line(&error.into()).replace(" at line 1 column ", " at column "))),
    };
    let id = Some(job.id());
    if ids {
        return Some(Report { id, job: Some(job.canonical()), ..empty(line) });
    }
    let known = Report { id, job: Some(job.description()), ..empty(line) };
    match attempt(&job, execution) {
        Ok(outcome) => Some(Report { outcome: Some(outcome), ..known }),
        Err(Failed::Job(JobError::Interrupted)) => None,
        Err(Failed::Job(error)) => Some(Report { error: Some(one_line(&error.into())), ..known }),
        Err(Failed::Panic(text)) => {
            Some(Report { error: Some(format!("internal error, please report it: {text}")), ..known })
        }
    }
}

enum Failed {
    Job(JobError),
    Panic(String),
}

/// Runs a job. A panic is its failure, not that of the jobs beside it.
fn attempt(job: &Job, execution: &Execution<'_>) -> Result<Outcome, Failed> {
    match catch_unwind(AssertUnwindSafe(|| job.execute(execution))) {
        Ok(outcome) => outcome.map_err(Failed::Job),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(Failed::Panic(text.unwrap_or_else(|| "a panic without a message".into())))
        }
    }
}

fn empty(line: usize) -> Report {
    Report { schema: SCHEMA, program: program(), line, id: None, job: None, outcome: None, error: None }
}

fn failed(line: usize, error: String) -> Report {
    Report { error: Some(format!("line {line}: {error}")), ..empty(line) }
}
