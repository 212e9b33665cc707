//! The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use drystone::contact::generator::{Method, MethodTextError, Registry};
use drystone::engine::BodyId;
use drystone::engine::simulator::SimulatorKind;
use drystone::engine::solver::ContactSolver;
use drystone::replica::Variant;
use drystone::scenes::simulation::WorldPreset;
use drystone_report::inspection::{ColourBy, ExplodeAlong, Request, Subject, What};

use crate::headless::Settings;
use crate::model::{
    BodyLook, BodyPair, BodyStyle, Camera, Command, ContactKey, ContactsWith, Selected, Show, State, View, read_in,
};
use crate::remembered::Remembered;

/// Look inside contact regions: bodies apart, contacts and normals by quality, step by step.
#[derive(Clone, Debug, Parser)]
#[command(name = "drystone-viewer", version, about, max_term_width = 110)]
pub struct Arguments {
    /// A built-in scene, a scene file (.toml, or .json of rigid-ipc) or a recording; without one the last one again.
    #[arg(value_name = "WHAT", conflicts_with = "scene")]
    pub what: Option<What>,
    /// The same.
    #[arg(long, value_name = "NAME|FILE")]
    pub scene: Option<What>,
    /// What moves the bodies: time-stepping (the default), backtracking.
    #[arg(long, value_name = "NAME")]
    pub simulator: Option<SimulatorKind>,
    /// What finds the contacts (default: semi-local), by name, or with other settings: semi-local{"envelope":0.01}.
    #[arg(long, value_name = "NAME", value_parser = method)]
    pub method: Option<Method>,
    /// Another method beside it, by time-stepping.
    #[arg(long, value_name = "NAME", value_parser = method)]
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
    /// The step to look at; 0 is the start.
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// How far bodies are moved apart: 0 not at all, 1 twice as far from the middle of all.
    #[arg(long, value_name = "X", value_parser = apart)]
    pub explode: Option<f64>,
    /// Along what: centre, x, y, z.
    #[arg(long, value_name = "DIRECTION", value_parser = along)]
    pub along: Option<ExplodeAlong>,
    /// From where one looks: degrees around and above, and how near (35,20,1).
    #[arg(long, value_name = "YAW,PITCH[,ZOOM]", allow_hyphen_values = true)]
    pub camera: Option<Camera>,
    /// What contacts are coloured by: plain, quality, method, feature-pair, verdict, gap, force.
    #[arg(long, value_name = "BY")]
    pub colour: Option<ColourBy>,
    /// How bodies are drawn: solid, solid-edges, wireframe, hidden.
    #[arg(long, value_name = "STYLE", value_parser = bodies)]
    pub bodies: Option<BodyStyle>,
    /// Which contacts are drawn: all, kept (by the normal-cone filter), doubtful.
    #[arg(long, value_name = "WHICH", value_parser = show)]
    pub show: Option<Show>,
    /// With which body contacts are drawn when bodies are apart: both, a, b, between.
    #[arg(long, value_name = "WHICH", value_parser = contacts_with)]
    pub contacts_with: Option<ContactsWith>,
    /// Bodies and contacts as in the figures of the paper.
    #[arg(long, value_name = "NAME", value_parser = preset)]
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
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = positive)]
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

/// Bodies and contacts as somebody draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// As in the figures of the paper.
    Paper,
    /// As at the first start.
    Default,
}

/// The size of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
        match sides {
            Some((width @ 16..=8192, height @ 16..=8192)) => Ok(Self { width, height }),
            _ => Err("it must be WIDTHxHEIGHT in pixels, each from 16 to 8192 (1280x720)".into()),
        }
    }
}

/// Some steps, the last one included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(pub RangeInclusive<u64>);

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "it must be A..=B, or A..B without B itself, and not empty (10..=50)".to_owned();
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let first: u64 = first.trim().parse().map_err(|_| wrong())?;
        let last: Option<u64> = match last.strip_prefix('=') {
            Some(last) => last.trim().parse().ok(),
            None => last.trim().parse::<u64>().ok().and_then(|end| end.checked_sub(1)),
        };
        last.filter(|&last| last >= first).map(|last| Self(first..=last)).ok_or_else(wrong)
    }
}

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

fn named<T: Copy>(all: &[T], name_of: fn(T) -> &'static str, name: &str) -> Result<T, String> {
    let known = || all.iter().map(|&one| name_of(one)).collect::<Vec<_>>().join(", ");
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| format!("there are {}", known()))
}

fn method(text: &str) -> Result<Method, MethodTextError> {
    Registry::default().read(text)
}

fn along(name: &str) -> Result<ExplodeAlong, String> {
    named(&ExplodeAlong::ALL, ExplodeAlong::name, name)
}

fn bodies(name: &str) -> Result<BodyStyle, String> {
    named(&BodyStyle::ALL, BodyStyle::name, name)
}

fn show(name: &str) -> Result<Show, String> {
    named(&Show::ALL, Show::name, name)
}

fn contacts_with(name: &str) -> Result<ContactsWith, String> {
    named(&ContactsWith::ALL, ContactsWith::name, name)
}

fn preset(name: &str) -> Result<Preset, String> {
    let name_of = |preset| ["paper", "default"][preset as usize];
    named(&[Preset::Paper, Preset::Default], name_of, name)
}

fn apart(text: &str) -> Result<f64, String> {
    let most = State::MOST_EXPLODED;
    let amount = text.parse::<f64>().ok().filter(|amount| (0.0..=most).contains(amount));
    amount.ok_or_else(|| format!("it must be a number from 0 to {most}"))
}

fn positive(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds > 0.0 && *seconds < 1e9);
    seconds.ok_or_else(|| "it must be a number above zero".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::contact::generator::methods;

    fn read(words: &str) -> Result<Arguments, String> {
        let words = std::iter::once("drystone-viewer").chain(words.split_whitespace());
        Arguments::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_asked_for_is_done() {
        let arguments =
            read("wall --method vertex-only --embedding --step 4 --explode 0.5 --along y --preset paper").unwrap();
        let request = arguments.request(&Remembered::default()).unwrap();
        assert_eq!((request.method, request.world_preset), (methods::vertex_only(), WorldPreset::Embedding));
        let view = arguments.view(View::default());
        assert_eq!(
            (view.bodies, view.explode.amount, view.explode.along),
            (BodyStyle::Wireframe, 0.5, ExplodeAlong::Y)
        );
        let changed =
            read("wall --method volume-sat --variant published --compare semi-local{\"envelope\":0.04}").unwrap();
        let request = changed.request(&Remembered::default()).unwrap();
        assert_eq!(request.method, Variant::Published.of(&methods::volume_sat()));
        assert_eq!(changed.compare.unwrap().settings()["envelope"], 0.04);
        let dropped = read("drop-scene --simulator backtracking --dt 0.02").unwrap();
        let request = dropped.request(&Remembered::default()).unwrap();
        assert_eq!((request.way_name(), request.time_step), ("backtracking", Some(0.02)));
        let both = read("drop-scene --simulator backtracking --solver svd").unwrap();
        assert!(both.request(&Remembered::default()).unwrap_err().to_string().contains("time-stepping"));
        let first = read("").unwrap().request(&Remembered::default()).unwrap();
        assert_eq!(first.what.to_string(), FIRST);
    }

    #[test]
    fn unknown_names_list_what_there_is() {
        for (words, lists) in [
            ("wall --method guess", "growth-distance"),
            ("wall --method semi-local{\"hat\":1}", "envelope"),
            ("wall --compare semi-local{", "not JSON"),
            ("wall --colour taste", "feature-pair"),
            ("wall --bodies fur", "wireframe"),
            ("wall --show some", "doubtful"),
            ("wall --contacts-with c", "between"),
            ("wall --along w", "centre"),
            ("wall --preset mine", "paper"),
            ("wall --solver lemke", "svd"),
            ("wall --simulator guess", "backtracking"),
            ("castle", "pillar"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(lists), "{words}: {error}");
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for words in [
            "wall --size 10",
            "wall --size 1x2",
            "wall --size 99999x20",
            "wall --explode -1",
            "wall --explode nan",
            "wall --film d --steps 5..5",
            "wall --film d --steps 5..=4",
            "wall --film d --steps x",
            "wall --film d",
            "wall --camera 1",
            "wall --perturb 0.1",
            "wall --memory 0",
            "wall --patience 0",
            "wall wall",
            "wall --picture a --gallery b",
        ] {
            assert!(read(words).is_err(), "{words}");
        }
        assert_eq!("3..=5".parse(), Ok(Steps(3..=5)));
        assert_eq!("3..6".parse(), Ok(Steps(3..=5)));
    }

    #[test]
    fn bodies_are_found_by_name_or_number() {
        let names = |words: &str| read(words).unwrap().state(&Remembered::default());
        let state = names("cliff-edges --hide 1 --focus 0,1 --select 0").unwrap();
        assert_eq!(state.look(BodyId::new(1)), BodyLook::Hidden);
        assert_eq!(state.focus, Some(BodyPair::new(BodyId::new(0), BodyId::new(1))));
        assert!(matches!(state.selected, Selected::Contact { track: 0, .. }));
        for (words, says) in [
            ("cliff-edges --hide roof", "no body \"roof\"; there are "),
            ("cliff-edges --ghost 7", "no body \"7\""),
            ("cliff-edges --focus 1", "two bodies"),
            ("cliff-edges --select 100000", "contacts, from 0"),
        ] {
            let error = names(words).err().unwrap().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
