//! `drystone simulate`: a scene runs, and what happens can be recorded, exported and listed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use self::audit::Audit;
use self::obj_sequence::ObjSequence;
use self::series::Series;
use self::summary::Summary;
use super::interrupt::{Interrupt, Left};
use super::method_name::MethodName;
use super::options::{SceneOptions, above_zero};
use super::output::{Claimed, check_distinct, check_folder, claim, is_standard, note};
use super::progress::Progress;
use super::{page, replay};
use crate::contact::generator::{Registry, methods};
use crate::engine::recording::{PartFile, RecordError, Recorder, RecordingSettings, ReplayError};
use crate::engine::simulator::asynchronous::AsynchronousError;
use crate::engine::simulator::{Simulator, SimulatorError, SimulatorKind};
use crate::engine::solver::ContactSolver;
use crate::engine::vtk::Export;
use crate::engine::{Body, CcdSettings, WorldReport};
use crate::replica::Variant;
use crate::report::inspection::Frame;
use crate::report::page::Page;
use crate::scenes::asynchronous::NamedSurface;
use crate::scenes::opening::{files, open_surfaces};
use crate::scenes::simulation::{self, SimulationError, WorldPreset};
use crate::scenes::truth::{Truth, TruthKind};

mod audit;
mod obj_sequence;
mod series;
mod summary;
mod surface_row;
pub mod surfaces;

/// What `drystone simulate` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(value_name = "NAME|FILE", required_unless_present = "resume")]
    scene: Option<String>,

    /// How many steps to make (default: 100; of deformable surfaces, frames until there is no more to see; with --resume, 100 of either).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    steps: Option<u64>,

    /// What moves the bodies: time-stepping (the default) or backtracking, and for deformable surfaces asynchronous, which needs not be
    /// named; `drystone simulators` says what they do.
    #[arg(long, value_name = "NAME")]
    simulator: Option<SimulatorKind>,

    /// The method that finds the contacts (default: semi-local); with settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME")]
    method: Option<MethodName>,

    /// The solver that finds the impulses of a step: soft (the default; substeps with soft contacts, sleep, global where that is
    /// needed), soft-accurate (more substeps), prox-gauss-seidel (the default with --suite and for box friction), global (large structures
    /// at rest), or svd (impulses of least norm).
    #[arg(long, value_name = "NAME")]
    solver: Option<ContactSolver>,

    /// Certify the contact of deformable surfaces by speculative windows, in parallel: the same bits as without.
    #[arg(long)]
    windows: bool,

    /// Multiply the stiffness of the contact law of deformable surfaces.
    #[arg(long, allow_negative_numbers = true, value_name = "FACTOR", value_parser = above_zero)]
    stiffness: Option<f64>,

    /// Multiply the thickness of the contact law of deformable surfaces.
    #[arg(long, allow_negative_numbers = true, value_name = "FACTOR", value_parser = above_zero)]
    thickness: Option<f64>,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Step as the assessment suite does, without warm start, islands and stabilisation, in place of the settings for
    /// embedding.
    #[arg(long)]
    suite: bool,

    /// Continuous collision detection: divide each step at its times of impact, so that nothing passes through anything at
    /// any speed.
    #[arg(long)]
    ccd: bool,

    /// The gap at which contacts count as closed with --ccd, m.
    #[arg(long, value_name = "METRES", requires = "ccd", default_value_t = CcdSettings::default().clearance)]
    clearance: f64,

    /// Measure how far bodies are in each other by their surfaces, whatever the contacts say, after every N-th step (every
    /// step without a number) and not at the end alone; of deformable surfaces, test exactly whether triangles intersect.
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    audit: Option<u64>,

    /// Record the run in this file; it grows as FILE.part until it is whole.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Put a whole snapshot into the recording every N steps; 0 for the one at the start alone.
    #[arg(long, value_name = "N", requires = "record", default_value_t = RecordingSettings::default().keyframes)]
    keyframes: u64,

    #[command(flatten)]
    export: ExportOptions,

    /// Write one row a step as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the run as one HTML page to look at in a browser: bodies, contacts, time. Long runs keep one step in so many.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Write a report of a run of deformable surfaces as one HTML page: shares of time, time steps of vertices, energy, layers.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Go on with a recording in place of a scene, with its settings.
    #[arg(
        long, value_name = "FILE",
        conflicts_with_all = ["scene", "simulator", "method", "suite", "ccd", "variant", "model", "size", "dt", "perturb", "seed", "refine", "solver", "stiffness", "thickness", "windows"]
    )]
    resume: Option<PathBuf>,

    /// The first step to make (default: the one after the recording's last).
    #[arg(long, value_name = "K")]
    from_step: Option<u64>,

    /// Go on with what is intact of a damaged recording.
    #[arg(long)]
    intact_part: bool,

    #[command(flatten)]
    options: SceneOptions,
}

/// What is exported for ParaView.
#[derive(Args, Clone, Debug)]
pub struct ExportOptions {
    /// Write bodies and contacts, or deformable surfaces, into this folder for ParaView; open bodies.pvd and contacts.pvd, or
    /// surfaces.pvd.
    #[arg(long, value_name = "DIR")]
    export_vtk: Option<PathBuf>,

    /// Write the surfaces of all bodies, or deformable surfaces, into this folder as one OBJ file a step.
    #[arg(long, value_name = "DIR")]
    export_obj: Option<PathBuf>,

    /// Export every N-th step only.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    export_every: Option<u64>,
}

/// The export of a run, if one was asked for.
pub struct Exporter {
    export: Option<Export>,
    objs: Option<ObjSequence>,
    every: u64,
    _claimed: Vec<Claimed>,
}

impl ExportOptions {
    /// Refuses what belongs to an export where there is none.
    pub fn check(&self) -> Result<()> {
        if self.export_every.is_some() && self.export_vtk.is_none() && self.export_obj.is_none() {
            bail!("--export-every belongs to --export-vtk and --export-obj; give one of them");
        }
        Ok(())
    }

    /// Begins with the bodies as they are.
    pub fn begin(&self, simulator: &dyn Simulator) -> Result<Exporter> {
        let objs = self.export_obj.as_deref().map(|folder| ObjSequence::create(folder, simulator)).transpose()?;
        let mut export = self.export_vtk.as_ref().map(Export::new).transpose()?;
        if let Some(export) = &mut export {
            export.bodies(simulator)?;
        }
        let (objs_folder, export_folder) = (self.export_obj.as_deref(), self.export_vtk.as_deref());
        let folders = [objs_folder, export_folder.filter(|folder| Some(*folder) != objs_folder)];
        let claimed = folders.into_iter().flatten().map(claim).collect::<Result<_>>()?;
        objs.as_ref().map_or(Ok(()), |objs| objs.add(simulator))?;
        Ok(Exporter { export, objs, every: self.export_every.unwrap_or(1), _claimed: claimed })
    }
}

impl Exporter {
    /// Adds a step, `made` being its number in this run, from 1.
    pub fn add(&mut self, made: u64, simulator: &dyn Simulator, report: &WorldReport) -> Result<()> {
        if !made.is_multiple_of(self.every) {
            return Ok(());
        }
        if let Some(export) = &mut self.export {
            export.step(simulator, report)?;
        }
        self.objs.as_ref().map_or(Ok(()), |objs| objs.add(simulator))
    }

    /// Ends.
    pub fn finish(self) -> Result<()> {
        Ok(self.export.map_or(Ok(()), Export::finish)?)
    }
}

/// A simulator that is ready to run, and what is known of it.
pub struct Run {
    simulator: Box<dyn Simulator>,
    scene: String,
    /// The names of its bodies, if they are known.
    bodies: Vec<String>,
    /// Its deformable surfaces, as far as they have names.
    surfaces: Vec<NamedSurface>,
    note: String,
    /// What is known of its contacts.
    truth: Option<Truth>,
    /// How many steps are made unless another number is asked for.
    usual_steps: u64,
}

/// Steps of a run of bodies.
const USUAL_STEPS: u64 = 100;

/// Runs the scene. `false`: the recording to go on with could not be followed.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    if arguments.resume.is_none() && (arguments.from_step.is_some() || arguments.intact_part) {
        bail!("--from-step and --intact-part belong to --resume; a scene runs from its start");
    }
    arguments.export.check()?;
    let others = [&arguments.csv, &arguments.record, &arguments.resume].map(|path| path.as_deref());
    if let Some(page) = &arguments.page {
        page::check("--page", page, others.into_iter().chain([arguments.report.as_deref()]))?;
    }
    if let Some(report) = &arguments.report {
        page::check("--report", report, others)?;
    }
    let outputs = [
        ("--record", &arguments.record),
        ("--csv", &arguments.csv),
        ("--page", &arguments.page),
        ("--report", &arguments.report),
    ];
    let read = arguments.scene.as_deref().and_then(|scene| scene.parse().ok()).map(|what| files(&what));
    let read = read.unwrap_or_default();
    let scene_files = (0..).zip(&read).map(|(k, file)| {
        let what = if k == 0 { "the scene file" } else { "a file that the scene reads," };
        (what, Some(file.as_path()))
    });
    let inputs: Vec<_> = scene_files.chain([("the recording", arguments.resume.as_deref())]).collect();
    check_distinct(&outputs.map(|(option, path)| (option, path.as_deref())), &inputs)?;
    if arguments.record.as_deref().is_some_and(is_standard) {
        bail!("--record writes a file that grows and takes its place at the end; give it a name");
    }
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(threads as usize);
    }
    let pool = pool.build().context("the threads cannot be started")?;
    let interrupt = Interrupt::watch();
    pool.install(|| match &arguments.resume {
        None => simulate(from_scene(arguments, registry)?, arguments, &interrupt).map(|()| true),
        Some(_) => match resumed(arguments, registry)? {
            Ok(run) => simulate(run, arguments, &interrupt).map(|()| true),
            Err(difference) => {
                note(&difference);
                Ok(false)
            }
        },
    })
}

fn from_scene(arguments: &Arguments, registry: &Registry) -> Result<Run> {
    let options = &arguments.options;
    let name = arguments.scene.as_deref().unwrap_or_default();
    if let Some(opened) = open_surfaces(&name.parse()?)? {
        return surfaces::begin(opened, arguments);
    }
    surfaces::refuse_without(arguments)?;
    let kind = arguments.simulator.unwrap_or_default();
    let (simulator, scene, note): (Box<dyn Simulator>, _, _) = match kind {
        SimulatorKind::TimeStepping => {
            let method = match &arguments.method {
                Some(name) => name.find(registry, options.variant)?,
                None => options.variant.of(&methods::semi_local()),
            };
            let (world_preset, note) = match arguments.suite {
                true => (WorldPreset::Suite, "settings of the assessment suite"),
                false => (WorldPreset::Embedding, "settings for embedding"),
            };
            let mut scene = options.scene(name, arguments.solver.unwrap_or_default())?;
            if arguments.solver.is_none() {
                scene.set_solver(simulation::usual_solver(&scene, world_preset));
            }
            let mut world = simulation::world(&scene, &method, world_preset)?;
            if arguments.ccd {
                let ccd = CcdSettings { clearance: arguments.clearance, ..CcdSettings::default() };
                world.settings_mut().ccd = Some(ccd);
            }
            (Box::new(world), scene, note)
        }
        SimulatorKind::Backtracking => {
            refuse_time_stepping(arguments, kind)?;
            let scene = options.scene(name, ContactSolver::default())?;
            (Box::new(simulation::backtracking(&scene)?), scene, "its own settings")
        }
        SimulatorKind::Asynchronous => return Err(SimulationError::OfBodies.into()),
    };
    let bodies = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let truth = Some(scene.truth(TruthKind::of(options.variant)));
    let (surfaces, note) = (Vec::new(), note.into());
    Ok(Run { simulator, scene: scene.name, bodies, surfaces, note, truth, usual_steps: USUAL_STEPS })
}

/// Refuses options of the time-stepping simulator where another one is asked for.
fn refuse_time_stepping(arguments: &Arguments, kind: SimulatorKind) -> Result<()> {
    let options = [
        ("--method", arguments.method.is_some()),
        ("--solver", arguments.solver.is_some()),
        ("--suite", arguments.suite),
        ("--ccd", arguments.ccd),
        ("--threads", arguments.threads.is_some()),
        ("--variant", arguments.options.variant != Variant::Corrected),
    ];
    let given: Vec<&str> = options.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect();
    if given.is_empty() {
        return Ok(());
    }
    bail!(
        "{} {} without effect on the simulator {kind} (contacts by vclip, forces by svd, on one thread); leave that out, or \
         simulate by {}",
        given.join(", "),
        if given.len() == 1 { "is" } else { "are" },
        SimulatorKind::TimeStepping
    )
}

/// The simulator at the start of the step to resume with; the inner error says where the recording could not be followed.
fn resumed(arguments: &Arguments, registry: &Registry) -> Result<Result<Run, String>> {
    let path = arguments.resume.as_deref().context("there is no recording to go on with")?;
    let mut recording = replay::open(path, arguments.intact_part, registry)?;
    let step = arguments.from_step.unwrap_or(recording.next_step());
    let header = recording.header().clone();
    let simulator = match recording.replay_from(step) {
        Ok(replay) => replay.into_simulator(),
        Err(ReplayError::Recording(error)) => return Err(error).with_context(|| path.display().to_string()),
        Err(differs) => return Ok(Err(format!("{}: {differs}", path.display()))),
    };
    let note = format!("goes on from step {step} of a recording: {}", header.note);
    let (bodies, surfaces, truth) = (header.bodies, Vec::new(), None);
    Ok(Ok(Run { simulator, scene: header.scene, bodies, surfaces, note, truth, usual_steps: USUAL_STEPS }))
}

/// Makes the steps and finishes all files, whatever ends the run.
fn simulate(run: Run, arguments: &Arguments, interrupt: &Interrupt) -> Result<()> {
    let Run { mut simulator, scene, bodies, surfaces, note: remark, truth, usual_steps } = run;
    let steps = arguments.steps.unwrap_or(usual_steps);
    let method = simulator.method().name();
    let title = match simulator.kind() {
        SimulatorKind::TimeStepping => format!("{scene} by {method}"),
        other => format!("{scene} by {other}"),
    };
    if arguments.report.is_some() && simulator.kind() != SimulatorKind::Asynchronous {
        bail!("--report is of deformable surfaces; --page and --csv show what bodies do");
    }
    let begin = |_| page::begin(&mut *simulator, &scene, &bodies, truth, Page::BUDGET);
    let mut looked = arguments.page.as_ref().map(begin).transpose()?;
    // What can be refused comes before files that grow.
    if let Some(csv) = arguments.csv.as_deref().filter(|csv| !is_standard(csv)) {
        check_folder(csv)?;
    }
    let mut exporter = arguments.export.begin(&*simulator)?;
    let settings = RecordingSettings { scene, bodies: bodies.clone(), note: remark, keyframes: arguments.keyframes };
    let recorder =
        |path: &PathBuf| Recorder::create(path, &*simulator, &settings).with_context(|| path.display().to_string());
    let mut recorder = arguments.record.as_ref().map(recorder).transpose()?;
    let _left = arguments.record.as_deref().map(|path| Left::behind(part_of(path)));
    let mut series = arguments.csv.as_deref().map(Series::create).transpose()?;
    let mut audit = Audit::new(arguments.audit);
    let mut summary = Summary::default();
    let mut frames = Vec::new();
    let start = simulator.bodies().to_vec();
    simulator.stop_when(interrupt.flag());
    let progress = Progress::new(steps as usize);
    let mut outcome = Ok(());
    for made in 1..=steps {
        outcome = step(&mut *simulator, recorder.as_mut(), &surfaces).and_then(|report| {
            let Some(report) = report else { return Ok(()) };
            summary.add(&report, simulator.time_step());
            exporter.add(made, &*simulator, &report)?;
            let audited = audit.after_step(made, steps, &*simulator)?;
            if let Some(series) = &mut series {
                series.add(&report, audited, simulator.time_step())?;
            }
            progress.advance(&doing(&report));
            if let (Some(_), Some(surfaces)) = (&arguments.report, &report.asynchronous) {
                frames.push(surfaces::frame(&report, surfaces, simulator.time_step()));
            }
            if let Some(run) = &mut looked {
                run.add(Frame::of_step(run.subject(), &*simulator, report));
            }
            Ok(())
        });
        if outcome.is_err() || interrupt.is_asked() {
            break;
        }
    }
    progress.finish();
    outcome = outcome.and_then(|()| audit.finish(&*simulator));
    // All files are made whole, whatever became of one of them.
    let mut written = Vec::new();
    if let (Some(recorder), Some(path)) = (recorder, &arguments.record) {
        written.push(recorder.finish().with_context(|| path.display().to_string()).map(|_| ()));
    }
    written.push(series.map_or(Ok(()), Series::finish));
    written.push(exporter.finish());
    if let (Some(run), Some(path)) = (looked, &arguments.page) {
        let mut page = Page::new(&title);
        if let Err(error) = &outcome {
            page.note(format!("The run broke off in step {}: {error:#}", simulator.steps() + 1));
        }
        page.add(run);
        written.push(page::write(path, page));
    }
    if let Some(path) = &arguments.report {
        written.push(surfaces::write_report(path, &title, frames, &settings.note, outcome.as_ref().err()));
    }
    let text = summary.text(&*simulator, &audit, &bodies, drift(&start, simulator.bodies(), &bodies));
    let rows_are_shown = arguments.csv.as_deref().is_some_and(is_standard);
    if rows_are_shown {
        note(text.trim_end());
    } else {
        super::output::write_to("-".as_ref(), text.as_bytes())?;
    }
    if interrupt.is_asked() {
        note(&how_to_go_on(simulator.steps(), arguments));
    }
    outcome.with_context(|| format!("step {}", simulator.steps() + 1))?;
    written.into_iter().collect()
}

/// A step in a few words, for whoever waits.
pub fn doing(report: &WorldReport) -> String {
    match &report.asynchronous {
        Some(surfaces) => format!("{:.2e} events", surfaces.events as f64),
        None => format!("{} contacts", report.contacts.len()),
    }
}

/// Makes a step; `None` if it was interrupted, and nothing has changed.
fn step(
    simulator: &mut dyn Simulator,
    recorder: Option<&mut Recorder<PartFile>>,
    surfaces: &[NamedSurface],
) -> Result<Option<WorldReport>> {
    let made = match recorder {
        Some(recorder) => recorder.step(simulator),
        None => simulator.step().map_err(RecordError::Step),
    };
    match made {
        Err(RecordError::Step(SimulatorError::Asynchronous(error))) => match error {
            AsynchronousError::Interrupted { .. } => Ok(None),
            error => Err(surfaces::placed(surfaces, error)),
        },
        made => Ok(Some(made?)),
    }
}

/// The body that has moved most from where it was, and how far, m.
fn drift(start: &[Body], end: &[Body], names: &[String]) -> Option<(String, f64)> {
    let distance = |(start, now): (&Body, &Body)| start.position.distance(now.position);
    let distances = start.iter().zip(end).map(distance).enumerate();
    let (body, distance) = distances.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some((names.get(body).cloned().unwrap_or_else(|| format!("body {body}")), distance))
}

/// What is left of a run that ends within a step.
fn part_of(path: &Path) -> String {
    let part = PartFile::part_of(path);
    format!("the steps recorded so far are in {0}: drystone simulate --intact-part --resume {0}", part.display())
}

fn how_to_go_on(made: u64, arguments: &Arguments) -> String {
    match &arguments.record {
        Some(path) => {
            let path = path.display();
            format!("Ended after step {made} as asked. To go on: drystone simulate --resume {path}")
        }
        None => {
            format!("Ended after step {made} as asked. Runs that are recorded (--record FILE) can be resumed.")
        }
    }
}
