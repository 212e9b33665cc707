//! Runs of deformable surfaces: what they are asked, and what they were like.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};

use super::{Arguments, Run};
use crate::engine::WorldReport;
use crate::engine::simulator::asynchronous::{AsynchronousError, AsynchronousReport, EventKind, EventProfile};
use crate::engine::simulator::{Simulator, SimulatorKind};
use crate::program::options::SceneOptions;
use crate::program::output::write_to;
use crate::program::report::command_line;
use crate::replica::Variant;
use crate::report::{Head, Machine, SurfaceFrame, SurfaceReport, commit, date};
use crate::scenes::asynchronous::{NamedSurface, OpenedSurfaces, place};

/// Frames of a run whose number was not asked for.
const MOST_STEPS: u64 = 1_000_000;

/// A run of a scene of surfaces, changed as the arguments say.
pub fn begin(mut opened: OpenedSurfaces, arguments: &Arguments) -> Result<Run> {
    refuse(arguments, &opened.name)?;
    opened.time_step = arguments.options.dt.unwrap_or(opened.time_step);
    let law = &mut opened.scene.law;
    law.stiffness *= arguments.stiffness.unwrap_or(1.0);
    law.thickness *= arguments.thickness.unwrap_or(1.0);
    let how = if arguments.windows { ", by speculative windows" } else { "" };
    let note = format!("contact stiffness {:e} N/m, thickness {:e} m{how}", law.stiffness, law.thickness);
    let made = if arguments.windows { opened.simulator_by_windows() } else { opened.simulator() };
    let simulator = made.map_err(|error| placed(&opened.surfaces, error))?;
    let usual_steps = opened.steps();
    if usual_steps > MOST_STEPS && arguments.steps.is_none() {
        bail!(
            "{} lasts {usual_steps} frames of {:e} s; give --steps, or longer frames by --dt",
            opened.name,
            opened.time_step
        );
    }
    let (bodies, truth) = (Vec::new(), None);
    let (simulator, surfaces) = (Box::new(simulator), opened.surfaces);
    Ok(Run { simulator, scene: opened.name, bodies, surfaces, note, truth, usual_steps })
}

/// An error with the surfaces that it is about.
pub fn placed(surfaces: &[NamedSurface], error: AsynchronousError) -> anyhow::Error {
    match place(surfaces, &error) {
        Some(place) => anyhow!("{place}: {error}"),
        None => error.into(),
    }
}

/// Refuses what has no meaning for surfaces.
fn refuse(arguments: &Arguments, scene: &str) -> Result<()> {
    if let Some(other) = arguments.simulator.filter(|kind| *kind != SimulatorKind::Asynchronous) {
        bail!(
            "{scene} is a scene of deformable surfaces, which the simulator {other} does not move; leave out --simulator"
        );
    }
    let given = [
        ("--method", arguments.method.is_some()),
        ("--solver", arguments.solver.is_some()),
        ("--suite", arguments.suite),
        ("--ccd", arguments.ccd),
    ];
    refuse_options(&arguments.options, &given, scene)
}

/// Refuses what has no meaning for surfaces: options that are `given`, and those of scenes of bodies.
pub fn refuse_options(options: &SceneOptions, given: &[(&str, bool)], scene: &str) -> Result<()> {
    let of_bodies = [
        ("--variant", options.variant != Variant::Corrected),
        ("--model", options.model.is_some()),
        ("--size", options.size.is_some()),
        ("--perturb", options.perturb.is_some()),
        ("--refine", options.refine > 0),
    ];
    let all = given.iter().chain(&of_bodies);
    let given: Vec<&str> = all.filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    if given.is_empty() {
        return Ok(());
    }
    bail!(
        "{} {} without effect on {scene}, a scene of deformable surfaces (contact by penalty layers); leave that out",
        given.join(", "),
        if given.len() == 1 { "is" } else { "are" },
    )
}

/// Refuses the options of surfaces where there are none.
pub fn refuse_without(arguments: &Arguments) -> Result<()> {
    for (name, is_given) in [
        ("--windows", arguments.windows),
        ("--stiffness", arguments.stiffness.is_some()),
        ("--thickness", arguments.thickness.is_some()),
    ] {
        if is_given {
            bail!("{name} belongs to scenes of deformable surfaces, such as reef-knot; leave it out");
        }
    }
    Ok(())
}

/// A frame as the report has it.
pub fn frame(step: &WorldReport, report: &AsynchronousReport, time_step: f64) -> SurfaceFrame {
    let seconds = step.timings.total.as_secs_f64();
    SurfaceFrame { step: step.step, time: step.time, time_step, seconds, report: report.clone() }
}

/// Writes the report of a run, with what ended it before its time.
pub fn write_report(
    path: &Path,
    title: &str,
    frames: Vec<SurfaceFrame>,
    note: &str,
    error: Option<&anyhow::Error>,
) -> Result<()> {
    let time_step = frames.first().map_or("none was made".into(), |frame| format!("{} s", frame.time_step));
    let head = Head {
        title: title.into(),
        command: command_line(),
        settings: vec![("Frames".into(), time_step), ("Contact".into(), note.into())],
        commit: commit(),
        machine: Some(Machine::this()),
        date: date::now(),
        seconds: Some(frames.iter().map(|frame| frame.seconds).sum()),
        failures: error.map(|error| format!("{error:#}")).into_iter().collect(),
        ..Head::default()
    };
    write_to(path, SurfaceReport { head, frames }.page().as_bytes())
}

/// What is gathered over the frames of a run.
#[derive(Default)]
pub struct SurfaceSummary {
    frames: u32,
    /// It took this long, s, for as much simulated time, s.
    seconds: f64,
    simulated: f64,
    profile: EventProfile,
    ends: Option<(AsynchronousReport, AsynchronousReport)>,
    /// J.
    energies: [f64; 2],
}

impl SurfaceSummary {
    /// Adds a frame.
    pub fn add(&mut self, step: &WorldReport, report: &AsynchronousReport, time_step: f64) {
        self.frames += 1;
        self.seconds += step.timings.total.as_secs_f64();
        self.simulated += time_step;
        self.profile.add(&report.profile);
        let energy = report.energies.total();
        match &mut self.ends {
            Some((_, last)) => {
                *last = report.clone();
                self.energies = [self.energies[0].min(energy), self.energies[1].max(energy)];
            }
            none => {
                *none = Some((report.clone(), report.clone()));
                self.energies = [energy; 2];
            }
        }
    }

    /// The text, one fact a line. `intersections` says what was found of them.
    pub fn text(&self, simulator: &dyn Simulator, intersections: String) -> String {
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            let _ = writeln!(text, "{what:<22} {value}");
        };
        line("steps", format!("{}, to step {} at {:.6} s", self.frames, simulator.steps(), simulator.time()));
        let meshes = simulator.deformable_meshes();
        let [vertices, triangles] = [
            meshes.iter().map(|mesh| mesh.positions.len()).sum::<usize>(),
            meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
        ];
        line("surfaces", format!("{} parts, {vertices} vertices, {triangles} triangles", meshes.len()));
        line("simulator", simulator.kind().to_string());
        line("intersections", intersections);
        let Some((first, last)) = &self.ends else { return text };
        let events = self.profile.all_events();
        let per_second = events as f64 / self.seconds;
        line("events", format!("{events}, {per_second:.2e} a second"));
        let rate = self.seconds / self.simulated;
        line("wall time", format!("{:.2} s, {rate:.1} s a simulated second", self.seconds));
        line("share of time", self.shares());
        line("pairs", format!("{} looked at, {} of them repel each other", last.pairs[0], last.pairs[1]));
        if let Some(contacts) = &last.contacts {
            line("deepest layer", contacts.deepest_layer.to_string());
            line("closest distance", format!("{:.4e} m", contacts.closest));
        }
        let steps = [0.0, 0.5, 1.0].map(|share| last.vertex_steps.quantile(share));
        if let [Some(least), Some(median), Some(most)] = steps {
            line("vertex time steps", format!("{least:.2e} to {most:.2e} s, median {median:.2e} s"));
        }
        let [least, most] = self.energies;
        let total = last.energies.total();
        line("energy", format!("{total:.6e} J, from {least:.6e} to {most:.6e} J"));
        let [momentum, angular] = [0, 1].map(|k| (last.momenta[k] - first.momenta[k]).length());
        line(
            "change of momentum",
            format!("{momentum:.3e} kg m/s, angular {angular:.3e} kg m²/s, since the first step"),
        );
        text
    }

    /// The share of each kind of event in the time of all.
    fn shares(&self) -> String {
        let all: f64 = EventKind::ALL.iter().map(|kind| self.profile.seconds(*kind)).sum();
        let share = |kind: EventKind| format!("{} {:.1} %", kind.name(), 100.0 * self.profile.seconds(kind) / all);
        let took = EventKind::ALL.into_iter().filter(|kind| self.profile.events(*kind) > 0);
        took.map(share).collect::<Vec<_>>().join(", ")
    }
}
