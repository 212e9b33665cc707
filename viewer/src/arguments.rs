//! The command line.

mod values;

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use drystone::contact::generator::Method;
use drystone::engine::BodyId;
use drystone::engine::simulator::SimulatorKind;
use drystone::engine::solver::ContactSolver;
use drystone::replica::Variant;
use drystone::scenes::scene_file::Programs;
use drystone::scenes::simulation::WorldPreset;
use drystone_report::inspection::{ColourBy, ExplodeAlong, Request, Subject, What};

use crate::headless::Settings;
use crate::model::{
    BodyLook, BodyPair, BodyStyle, Camera, Command, ContactKey, ContactsWith, Selected, Show, State, View, read_in,
};
use crate::remembered::Remembered;
pub use values::{Preset, Size, Steps};

/// Look inside contact regions: bodies apart, contacts and normals by quality, step by step.
#[derive(Clone, Debug, Parser)]
#[command(name = "drystone-viewer", version, about, max_term_width = 110)]
pub struct Arguments {
    /// A built-in scene, a scene file (.toml, .json of rigid-ipc, .xml or .urdf) or a recording; without one the last one again.
    #[arg(value_name = "WHAT", conflicts_with = "scene")]
    pub what: Option<What>,
    /// The same.
    #[arg(long, value_name = "NAME|FILE")]
    pub scene: Option<What>,
    /// What moves the bodies: time-stepping (the default), backtracking.
    #[arg(long, value_name = "NAME")]
    pub simulator: Option<SimulatorKind>,
    /// What finds the contacts (default: semi-local), by name, or with other settings: semi-local{"envelope":0.01}.
    #[arg(long, value_name = "NAME", value_parser = values::method)]
    pub method: Option<Method>,
    /// Another method beside it, by time-stepping.
    #[arg(long, value_name = "NAME", value_parser = values::method)]
    pub compare: Option<Method>,
    /// How methods are read: corrected, published, earlier.
    #[arg(long)]
    pub variant: Option<Variant>,
    /// With the settings of the assessment (the default).
    #[arg(long, conflicts_with = "embedding")]
    pub suite: bool,
    /// With the settings of a program that embeds the engine.
    #[arg(long)]
    pub embedding: bool,
    /// What finds the forces: prox-gauss-seidel, svd.
    #[arg(long, value_name = "NAME")]
    pub solver: Option<ContactSolver>,
    /// The size of a built-in scene (`drystone scenes` says what it means).
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub size_of_scene: Option<f64>,
    /// Length of a time step, s.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Shift every body by up to this along x and along z, m.
    #[arg(long, value_name = "METRES", requires = "seed", allow_negative_numbers = true)]
    pub perturb: Option<f64>,
    /// Where the shifts start from.
    #[arg(long, value_name = "N", requires = "perturb")]
    pub seed: Option<u64>,
    /// Run the programs that a scene file names (`fill.program`). Only for files from people whom you trust.
    #[arg(long)]
    pub allow_programs: bool,
    /// The step to look at; 0 is the start.
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// How far bodies are moved apart: 0 not at all, 1 twice as far from the middle of all.
    #[arg(long, value_name = "X", value_parser = values::apart)]
    pub explode: Option<f64>,
    /// Along what: centre, x, y, z.
    #[arg(long, value_name = "DIRECTION", value_parser = values::along)]
    pub along: Option<ExplodeAlong>,
    /// From where one looks: degrees around and above, and how near (35,20,1).
    #[arg(long, value_name = "YAW,PITCH[,ZOOM]", allow_hyphen_values = true)]
    pub camera: Option<Camera>,
    /// What contacts are coloured by: plain, quality, method, feature-pair, verdict, gap, force.
    #[arg(long, value_name = "BY")]
    pub colour: Option<ColourBy>,
    /// How bodies are drawn: solid, solid-edges, wireframe, hidden.
    #[arg(long, value_name = "STYLE", value_parser = values::bodies)]
    pub bodies: Option<BodyStyle>,
    /// Which contacts are drawn: all, kept (by the normal-cone filter), doubtful.
    #[arg(long, value_name = "WHICH", value_parser = values::show)]
    pub show: Option<Show>,
    /// With which body contacts are drawn when bodies are apart: both, a, b, between.
    #[arg(long, value_name = "WHICH", value_parser = values::contacts_with)]
    pub contacts_with: Option<ContactsWith>,
    /// Measure in each step that is shown how far bodies are in each other, by their surfaces.
    #[arg(long)]
    pub overlap: bool,
    /// Bodies and contacts as in the figures of the paper.
    #[arg(long, value_name = "NAME", value_parser = values::preset)]
    pub preset: Option<Preset>,
    /// Only the contacts of two bodies, by name or number.
    #[arg(long, value_name = "A,B")]
    pub focus: Option<String>,
    /// Leave a body out, by name or number; may be given several times.
    #[arg(long, value_name = "BODY")]
    pub hide: Vec<String>,
    /// Draw a body faint; may be given several times.
    #[arg(long, value_name = "BODY")]
    pub ghost: Vec<String>,
    /// Pick a contact of the step, by its place in the list, from 0.
    #[arg(long, value_name = "N")]
    pub select: Option<usize>,
    /// Write a picture (PNG) and end.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["film", "gallery"])]
    pub picture: Option<PathBuf>,
    /// Write a picture for each of several steps into a folder and end. Those that are there are kept.
    #[arg(long, value_name = "DIR", requires = "steps", conflicts_with = "gallery")]
    pub film: Option<PathBuf>,
    /// Which steps: 10..=50, or 10..51.
    #[arg(long, value_name = "A..=B", requires = "film")]
    pub steps: Option<Steps>,
    /// Of these only every K-th.
    #[arg(long, value_name = "K", requires = "film", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Make pictures anew that are there already.
    #[arg(long)]
    pub again: bool,
    /// Write the pictures of the documentation into a folder and end.
    #[arg(long, value_name = "DIR")]
    pub gallery: Option<PathBuf>,
    /// The size of pictures, pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    pub size: Size,
    /// Pictures without a legend and a caption.
    #[arg(long)]
    pub no_legend: bool,
    /// Pictures with the panel.
    #[arg(long)]
    pub panel: bool,
    /// How long a picture waits for its step, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = values::positive)]
    pub patience: f64,
    /// The memory that steps may take, MiB.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub memory: Option<u64>,
    /// The file in which the viewer's settings are remembered.
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

/// What is looked at if nothing is asked for and nothing is remembered.
const FIRST: &str = "pillar";

impl Arguments {
    /// What is remembered, and where it is to be remembered; notes on what could not be read go to `note`.
    pub fn remembered(&self, note: &mut dyn FnMut(&str)) -> (Remembered, Option<PathBuf>) {
        let is_silent = self.picture.is_some() || self.film.is_some() || self.gallery.is_some();
        // Pictures are the same on every machine, unless a file is named.
        if is_silent && self.settings.is_none() {
            return (Remembered::default(), None);
        }
        let file = crate::remembered::file(self.settings.as_deref());
        let Some(path) = file else { return (Remembered::default(), None) };
        let (remembered, notes) = Remembered::read(&path);
        notes.iter().for_each(|text| note(text));
        (remembered, Some(path).filter(|_| !is_silent))
    }

    /// What is to be run.
    ///
    /// # Errors
    /// Numbers that make no sense together.
    pub fn request(&self, remembered: &Remembered) -> Result<Request> {
        let asked = self.what.clone().or_else(|| self.scene.clone());
        let mut request = match asked {
            Some(what) => Request::new(what),
            None => match remembered.request() {
                Some(request) => request,
                None => Request::new(FIRST.parse().map_err(|error| anyhow!("{error}"))?),
            },
        };
        let has_method = self.method.is_some() || self.variant.is_some() || self.solver.is_some();
        let is_time_stepping = has_method || self.suite || self.embedding;
        request.simulator = match self.simulator {
            Some(simulator) => simulator,
            None if is_time_stepping => SimulatorKind::TimeStepping,
            None => request.simulator,
        };
        let variant = self.variant.or_else(|| Variant::read(&request.method).ok());
        request.method = self.method.clone().unwrap_or(request.method);
        request.method = variant.map_or_else(|| request.method.clone(), |variant| read_in(&request.method, variant));
        request.solver = self.solver.unwrap_or(request.solver);
        request.world_preset = match (self.suite, self.embedding) {
            (true, _) => WorldPreset::Suite,
            (_, true) => WorldPreset::Embedding,
            _ => request.world_preset,
        };
        request.size = self.size_of_scene.or(request.size);
        request.time_step = self.dt.or(request.time_step);
        request.perturbation = self.perturb.zip(self.seed).or(request.perturbation);
        if self.allow_programs {
            request.programs = Programs::Allowed;
        }
        let is_recording = matches!(request.what, What::Recording(_));
        let is_run_otherwise = self.simulator.is_some()
            || self.method.is_some()
            || self.compare.is_some()
            || self.variant.is_some()
            || (self.suite || self.embedding)
            || self.solver.is_some()
            || self.dt.is_some()
            || self.perturb.is_some();
        if is_recording && is_run_otherwise {
            bail!(
                "{} is a recording: it has a simulator, a method, a solver and settings of its own, and nothing to compare \
                 with",
                request.what
            );
        }
        if let What::Surfaces(scene) = request.what {
            let is_asynchronous = self.simulator.is_none_or(|kind| kind == SimulatorKind::Asynchronous);
            if !is_asynchronous || is_time_stepping || self.compare.is_some() || self.perturb.is_some() {
                bail!(
                    "{scene} is a scene of deformable surfaces, which the simulator {} moves: --method, --variant, --solver, --suite, \
                     --embedding, --compare and --perturb have no meaning for it",
                    SimulatorKind::Asynchronous
                );
            }
        }
        if request.simulator != SimulatorKind::TimeStepping && is_time_stepping {
            bail!(
                "--method, --variant, --solver, --suite and --embedding belong to the simulator {}; {} finds contacts \
                 and forces in its own way",
                SimulatorKind::TimeStepping,
                request.simulator
            );
        }
        if self.size_of_scene.is_some() && !matches!(request.what, What::BuiltIn(_)) {
            bail!("--size-of-scene belongs to the built-in scenes; {} has a size of its own", request.what);
        }
        Ok(request)
    }

    /// What is drawn and how.
    pub fn view(&self, mut view: View) -> View {
        match self.preset {
            Some(Preset::Paper) => view.set_paper(),
            Some(Preset::Default) => view.set_default(),
            None => {}
        }
        view.bodies = self.bodies.unwrap_or(view.bodies);
        view.colour = self.colour.unwrap_or(view.colour);
        view.show = self.show.unwrap_or(view.show);
        view.contacts_with = self.contacts_with.unwrap_or(view.contacts_with);
        view.explode.amount = self.explode.unwrap_or(view.explode.amount);
        view.explode.along = self.along.unwrap_or(view.explode.along);
        view.overlap |= self.overlap;
        view.legend &= !self.no_legend;
        view
    }

    /// How pictures are made.
    pub fn picture_settings(&self) -> Settings {
        Settings {
            width: self.size.width,
            height: self.size.height,
            camera: self.camera.unwrap_or_default(),
            has_caption: !self.no_legend,
            has_panel: self.panel,
            patience: self.patience,
            ..Settings::default()
        }
    }

    /// The state that is asked for. Where bodies or contacts are named it waits until they are there.
    ///
    /// # Errors
    /// As [`Arguments::request`]; names of bodies and places of contacts that there are not; a run that fails.
    pub fn state(&self, remembered: &Remembered) -> Result<State> {
        let request = self.request(remembered)?;
        let budget = self.memory.map_or(remembered.budget(), |mib| (mib as usize).saturating_mul(1 << 20));
        let mut state = State::new(request, self.view(remembered.view.clone()), budget);
        remembered.restore(&mut state);
        if let Some(method) = &self.compare {
            state.apply(Command::Compare(Some(method.clone())));
        }
        let first = self.steps.as_ref().map(|steps| *steps.0.start());
        if let Some(step) = self.step.or(first) {
            state.playback.go_to(step);
        }
        self.name(&mut state)?;
        Ok(state)
    }

    /// Looks for what is named in what is opened.
    fn name(&self, state: &mut State) -> Result<()> {
        let names_bodies = self.focus.is_some() || !self.hide.is_empty() || !self.ghost.is_empty();
        if !names_bodies && self.select.is_none() {
            return Ok(());
        }
        let is_there = state.wait(self.patience);
        if let Some(why) = state.failure() {
            bail!("{why}");
        }
        let shown = state.shown(0).filter(|_| is_there);
        let shown = shown.with_context(|| format!("nothing was there to look at within {} s", self.patience))?;
        let (subject, frame) = (std::sync::Arc::clone(&shown.subject), std::sync::Arc::clone(&shown.frame));
        if let Some(pair) = &self.focus {
            let (a, b) =
                pair.split_once(',').with_context(|| format!("--focus is \"{pair}\"; it must be two bodies: A,B"))?;
            let pair = BodyPair::new(body(&subject, a.trim())?, body(&subject, b.trim())?);
            state.apply(Command::Focus(Some(pair)));
        }
        let looks = [(&self.hide, BodyLook::Hidden), (&self.ghost, BodyLook::Ghost)];
        for (names, look) in looks {
            for name in names {
                state.apply(Command::Look(body(&subject, name)?, look));
            }
        }
        if let Some(index) = self.select {
            let count = frame.contacts.len();
            let key = ContactKey::of(&frame.contacts, index)
                .with_context(|| format!("--select is {index}; step {} has {count} contacts, from 0", frame.step))?;
            state.apply(Command::Select(Selected::Contact { track: 0, key }));
        }
        Ok(())
    }
}

/// The body of a name, or else of a number.
fn body(subject: &Subject, name: &str) -> Result<BodyId> {
    let by_name = subject.bodies.iter().position(|body| body.name == name);
    let by_number = || name.parse::<usize>().ok().filter(|&number| number < subject.bodies.len());
    let number = by_name.or_else(by_number).with_context(|| {
        let names: Vec<&str> = subject.bodies.iter().take(40).map(|body| body.name.as_str()).collect();
        let more = if subject.bodies.len() > names.len() { ", …" } else { "" };
        format!("no body \"{name}\"; there are {}{more}, or their numbers from 0", names.join(", "))
    })?;
    Ok(BodyId::new(number as u32))
}

#[cfg(test)]
mod tests;
