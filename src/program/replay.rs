//! `drystone replay`: makes the steps of a recording again and verifies them to the last bit.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::interrupt::Interrupt;
use super::output::{note, shown, write_to};
use super::progress::Progress;
use super::simulate::{ExportOptions, doing};
use crate::contact::generator::Registry;
use crate::engine::WorldReport;
use crate::engine::recording::{Header, PROGRAM, Recording, Replay, ReplayError};
use crate::engine::simulator::asynchronous::AsynchronousError;
use crate::engine::simulator::{SimulatorError, SimulatorKind};

/// What `drystone replay` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The recording.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The first step to verify (default: the first of the recording); the steps from the nearest snapshot on are made
    /// and verified on the way.
    #[arg(long, value_name = "K")]
    from_step: Option<u64>,

    /// Read what is intact of a damaged recording.
    #[arg(long)]
    intact_part: bool,

    #[command(flatten)]
    export: ExportOptions,
}

/// Replays. `false`: the replay differs from the recording.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(threads as usize);
    }
    let pool = pool.build().context("the threads cannot be started")?;
    let interrupt = Interrupt::watch();
    match pool.install(|| replay(arguments, registry, &interrupt)) {
        Ok(()) => Ok(true),
        Err(error) => match error.downcast_ref::<ReplayError>() {
            Some(ReplayError::Differs(_) | ReplayError::Step { .. }) => {
                note(&format!("{}: {error}", arguments.file.display()));
                Ok(false)
            }
            Some(ReplayError::Recording(_)) => Err(error.context(arguments.file.display().to_string())),
            None => Err(error),
        },
    }
}

fn replay(arguments: &Arguments, registry: &Registry, interrupt: &Interrupt) -> Result<()> {
    arguments.export.check()?;
    let mut recording = open(&arguments.file, arguments.intact_part, registry)?;
    write_to("-".as_ref(), shown(&about(recording.header())).as_bytes())?;
    let (first, end) = (arguments.from_step.unwrap_or(recording.first_step()), recording.next_step());
    let mut replay = recording.replay_from(first)?;
    let mut exporter = arguments.export.begin(replay.simulator())?;
    let progress = Progress::new(end.saturating_sub(first) as usize);
    let mut verified = 0;
    replay.stop_when(interrupt.flag());
    while let Some(report) = step(&mut replay)? {
        verified += 1;
        exporter.add(verified, replay.simulator(), &report)?;
        progress.advance(&doing(&report));
        if interrupt.is_asked() {
            break;
        }
    }
    progress.finish();
    exporter.finish()?;
    let result = match (verified, first + verified) {
        (0, _) if interrupt.is_asked() => "Ended as asked, before any step was verified.\n".to_owned(),
        (0, _) => format!("There is no step from {first} on.\n"),
        (_, next) if next < end => format!("Ended as asked: steps {first} to {} have the same bits.\n", next - 1),
        (_, next) => format!("Steps {first} to {} have the same bits.\n", next - 1),
    };
    write_to("-".as_ref(), result.as_bytes())
}

/// Makes and verifies a step; `None` after the last one, or if it was interrupted.
fn step(replay: &mut Replay<'_, BufReader<File>>) -> Result<Option<WorldReport>, ReplayError> {
    match replay.step() {
        Err(ReplayError::Step {
            source: SimulatorError::Asynchronous(AsynchronousError::Interrupted { .. }), ..
        }) => Ok(None),
        made => made,
    }
}

/// Opens a recording, whose method is looked up in the registry. Of a damaged one, what is intact is taken only if that was asked for.
pub fn open(path: &Path, intact_part: bool, registry: &Registry) -> Result<Recording<BufReader<File>>> {
    let place = path.display();
    let (recording, damage) = Recording::open_intact_part(path).with_context(|| place.to_string())?;
    let recording = recording.with_registry(registry.clone());
    let Some(damage) = damage else {
        return Ok(recording);
    };
    let (first, next) = (recording.first_step(), recording.next_step());
    let intact = match next - first {
        0 => "No step of it is intact, only the start".to_owned(),
        1 => format!("Step {first} is intact"),
        _ => format!("Steps {first} to {} are intact", next - 1),
    };
    if !intact_part {
        bail!("{place}: {damage}. {intact}; --intact-part reads that");
    }
    note(&format!("{place}: {damage}. {intact}."));
    Ok(recording)
}

/// What a recording says of itself.
fn about(header: &Header) -> String {
    let Header { program, scene, method, variant, note, simulator, .. } = header;
    let name = |name: &Option<String>| name.as_deref().unwrap_or("none of the registry").to_owned();
    let (method, variant) = (name(method), name(variant));
    let by = match simulator {
        SimulatorKind::TimeStepping => format!("method {method}, variant {variant}"),
        other => format!("simulator {other}"),
    };
    let mut text = format!("Scene {scene}, {by}; {note}.\n");
    if program != PROGRAM {
        text += &format!("Recorded by {program}; this is {PROGRAM}, whose steps may differ.\n");
    }
    text
}
