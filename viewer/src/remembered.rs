//! What is remembered from one start to the next: a small file in the user's folder of settings.
//!
//! It is read with patience: what is not known is passed over, what makes no sense is as at the first start, and a note says so.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use drystone::contact::generator::Registry;
use drystone::engine::simulator::SimulatorKind;
use drystone::engine::solver::ContactSolver;
use drystone::replica::Variant;
use drystone::replica::readings::registry;
use drystone::scenes::simulation::WorldPreset;
use drystone_report::inspection::{Request, What};
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::model::{Playback, State, View, read_in};

/// Names another file than the user's.
pub const VARIABLE: &str = "DRYSTONE_VIEWER_SETTINGS";

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// How fast time goes on, by real time.
    pub speed: f64,
    /// Whether it begins again at the end of a recording.
    pub is_looped: bool,
    /// What the steps may take, MiB.
    pub memory: usize,
    /// The scene: a name or a path.
    pub scene: String,
    /// What moves the bodies.
    pub simulator: String,
    /// The method: its name, with its settings if they are its own.
    pub method: String,
    /// The variant of the method.
    pub variant: String,
    /// The solver.
    pub solver: String,
    /// The settings: `suite` or `embedding`.
    pub settings: String,
    /// Files that were opened, the last one first.
    pub recent: Vec<PathBuf>,
    /// Width and height of the window, points.
    pub window: [f64; 2],
    /// What is drawn and how.
    pub view: View,
}

impl Default for Remembered {
    fn default() -> Self {
        let playback = Playback::default();
        Self {
            speed: playback.speed,
            is_looped: playback.is_looped,
            memory: State::DEFAULT_BUDGET >> 20,
            scene: String::new(),
            simulator: String::new(),
            method: String::new(),
            variant: String::new(),
            solver: String::new(),
            settings: String::new(),
            recent: Vec::new(),
            window: [1200.0, 700.0],
            view: View::default(),
        }
    }
}

/// The smallest and the largest window that is believed, points.
const WINDOWS: std::ops::RangeInclusive<f64> = 200.0..=20_000.0;
/// The smallest memory that is believed, MiB.
const LEAST_MEMORY: usize = 16;

impl Remembered {
    /// What there is to remember; `window` is its width and height, points.
    pub fn of(state: &State, window: [f64; 2]) -> Self {
        let request = state.request();
        Self {
            speed: state.playback.speed,
            is_looped: state.playback.is_looped,
            memory: state.budget() >> 20,
            scene: request.what.to_string(),
            simulator: request.simulator.name().into(),
            method: registry().text(&request.method),
            variant: request.method.variant().into(),
            solver: request.solver.name().into(),
            settings: preset_name(request.world_preset).into(),
            recent: state.recent.clone(),
            window,
            view: View { help: false, ..state.view.clone() },
        }
    }

    /// The run that was looked at last, from its start; `None` if there was none or it is gone.
    pub fn request(&self) -> Option<Request> {
        let mut request = Request::new(self.scene.parse::<What>().ok()?);
        if let Ok(simulator) = self.simulator.parse::<SimulatorKind>() {
            request.simulator = simulator;
        }
        if let Ok(method) = Registry::default().read(&self.method) {
            request.method = method;
        }
        if let Ok(variant) = self.variant.parse::<Variant>() {
            request.method = read_in(&request.method, variant);
        }
        if let Ok(solver) = self.solver.parse::<ContactSolver>() {
            request.solver = solver;
        }
        let world_presets = [WorldPreset::Suite, WorldPreset::Embedding];
        if let Some(world_preset) =
            world_presets.into_iter().find(|&world_preset| preset_name(world_preset) == self.settings)
        {
            request.world_preset = world_preset;
        }
        Some(request)
    }

    /// What the steps may take, bytes.
    pub fn budget(&self) -> usize {
        self.memory.saturating_mul(1 << 20)
    }

    /// Takes up what does not belong to a run; the view and the budget are given to [`State::new`].
    pub fn restore(&self, state: &mut State) {
        state.playback.speed = self.speed;
        state.playback.is_looped = self.is_looped;
        for path in self.recent.iter().filter(|path| !state.recent.contains(path)).cloned().collect::<Vec<_>>() {
            state.recent.push(path);
        }
        state.recent.truncate(State::MOST_RECENT);
    }

    /// Reads a file. What cannot be used is as at the first start; the notes say what.
    pub fn read(path: &Path) -> (Self, Vec<String>) {
        let note = |what: &str| vec![format!("{}: {what}; the settings are as at the first start", path.display())];
        match std::fs::read_to_string(path) {
            Ok(text) => match text.parse::<Table>() {
                Ok(table) => {
                    let (remembered, wrong) = Self::from_table(table);
                    (
                        remembered,
                        wrong
                            .into_iter()
                            .map(|key| format!("{}: {key} makes no sense and is as at the first start", path.display()))
                            .collect(),
                    )
                }
                Err(error) => (Self::default(), note(&format!("damaged: {}", error.message()))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Self::default(), Vec::new()),
            Err(error) => (Self::default(), note(&error.to_string())),
        }
    }

    /// Key by key, so that one that makes no sense takes none with it.
    fn from_table(read: Table) -> (Self, Vec<String>) {
        let Ok(mut known) = Table::try_from(Self::default()) else { return (Self::default(), vec!["all".into()]) };
        let mut wrong = Vec::new();
        for (path, value) in leaves(read) {
            let mut tried = known.clone();
            if !put(&mut tried, &path, value) {
                continue;
            }
            match tried.clone().try_into::<Self>() {
                Ok(remembered) if remembered.makes_sense() => known = tried,
                _ => wrong.push(path.join(".")),
            }
        }
        (known.try_into().unwrap_or_default(), wrong)
    }

    fn makes_sense(&self) -> bool {
        let View { point_size, normal_size, explode, .. } = &self.view;
        Playback::SPEEDS.contains(&self.speed)
            && self.memory >= LEAST_MEMORY
            && self.window.iter().all(|side| WINDOWS.contains(side))
            && [point_size, normal_size].into_iter().all(|size| size.is_finite() && *size > 0.0)
            && (0.0..=State::MOST_EXPLODED).contains(&explode.amount)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// The folder cannot be made or the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }
}

/// The file: the one that was chosen, the one that [`VARIABLE`] names, or the user's. `None` where a user has no home.
pub fn file(chosen: Option<&Path>) -> Option<PathBuf> {
    let named = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let own = || Some(etcetera::choose_base_strategy().ok()?.config_dir().join("drystone").join("viewer.toml"));
    chosen.map(Path::to_path_buf).or_else(named).or_else(own)
}

fn preset_name(world_preset: WorldPreset) -> &'static str {
    match world_preset {
        WorldPreset::Suite => "suite",
        WorldPreset::Embedding => "embedding",
    }
}

/// The values of a table that are no tables, each with its path.
fn leaves(table: Table) -> Vec<(Vec<String>, Value)> {
    let with = |key: String, value: Value| match value {
        Value::Table(inner) => leaves(inner)
            .into_iter()
            .map(|(path, value)| (std::iter::once(key.clone()).chain(path).collect(), value))
            .collect(),
        value => vec![(vec![key], value)],
    };
    table.into_iter().flat_map(|(key, value)| with(key, value)).collect()
}

/// Puts a value at a path, if there is something at that path.
fn put(table: &mut Table, path: &[String], value: Value) -> bool {
    match path {
        [key] => table.get_mut(key).map(|known| *known = value).is_some(),
        [key, rest @ ..] => match table.get_mut(key) {
            Some(Value::Table(inner)) => put(inner, rest, value),
            _ => false,
        },
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::contact::generator::methods;
    use drystone_report::inspection::ColourBy;

    fn in_folder(text: &str) -> (Remembered, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        std::fs::write(&path, text).unwrap();
        Remembered::read(&path)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join("viewer.toml");
        assert_eq!(Remembered::read(&path), (Remembered::default(), Vec::new()));
        let mut remembered = Remembered { speed: 2.5, scene: "wall".into(), ..Remembered::default() };
        remembered.view.set_paper();
        remembered.view.explode.amount = 0.3;
        remembered.recent = vec!["a.toml".into(), "b.json".into()];
        remembered.write(&path).unwrap();
        assert_eq!(Remembered::read(&path), (remembered.clone(), Vec::new()));
        remembered.speed = 0.5;
        remembered.write(&path).unwrap();
        assert_eq!(Remembered::read(&path).0.speed, 0.5);
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1, "nothing is left beside it");
    }

    #[test]
    fn what_is_not_known_is_passed_over() {
        let (remembered, notes) = in_folder(
            "hat = 3\nspeed = 4.0\n[view]\nfur = true\npoints = false\n[view.explode]\namount = 1.0\n[glove]\na = 1\n",
        );
        assert_eq!((remembered.speed, remembered.view.points), (4.0, false));
        assert_eq!(remembered.view.explode.amount, 1.0);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn what_makes_no_sense_is_as_at_the_first_start_and_takes_nothing_with_it() {
        let text = "speed = nan\nmemory = -3\nis_looped = true\nwindow = [1, 2]\n[view]\ncolour = \"taste\"\nbodies = \"wireframe\"\npoint_size = 0.0\n";
        let (remembered, notes) = in_folder(text);
        let first = Remembered::default();
        assert_eq!((remembered.speed, remembered.memory, remembered.window), (first.speed, first.memory, first.window));
        assert_eq!((remembered.view.colour, remembered.view.point_size), (ColourBy::Quality, 1.0));
        assert!(remembered.is_looped && remembered.view.bodies == crate::model::BodyStyle::Wireframe);
        for key in ["speed", "memory", "window", "view.colour", "view.point_size"] {
            assert!(notes.iter().any(|note| note.contains(key)), "{key}: {notes:?}");
        }
    }

    #[test]
    fn a_damaged_file_is_said_to_be_damaged() {
        for text in ["speed = ", "\u{0}\u{1}", "[view\n", "speed = 1\nspeed = 2"] {
            let (remembered, notes) = in_folder(text);
            assert_eq!(remembered, Remembered::default());
            assert!(notes.len() == 1 && notes[0].contains("damaged"), "{notes:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let (remembered, notes) = Remembered::read(folder.path());
        assert_eq!((remembered, notes.len()), (Remembered::default(), 1), "a folder is no file");
    }

    #[test]
    fn the_last_run_is_found_again_if_it_is_still_there() {
        let mut request = Request::new("wall".parse().unwrap());
        (request.method, request.world_preset) = (methods::vertex_only(), WorldPreset::Embedding);
        request.solver = ContactSolver::ALL[1];
        request.simulator = SimulatorKind::Backtracking;
        let state = State::new(request.clone(), View::default(), 64 << 20);
        let remembered = Remembered::of(&state, [800.0, 600.0]);
        assert_eq!(remembered.request(), Some(request.clone()));
        assert_eq!(remembered.budget(), 64 << 20);
        let published = Request { method: Variant::Published.of(&methods::volume_sat()), ..request.clone() };
        let own = Registry::default().read("semi-local{\"envelope\":0.04}").unwrap();
        for request in [published, Request { method: own, ..request }] {
            let state = State::new(request.clone(), View::default(), 64 << 20);
            assert_eq!(Remembered::of(&state, [800.0, 600.0]).request(), Some(request));
        }
        let older = Remembered { method: "volume-sat".into(), variant: "earlier".into(), ..remembered.clone() };
        assert_eq!(older.request().unwrap().method, Variant::Earlier.of(&methods::volume_sat()));
        let gone = Remembered { scene: "/no/such/scene.toml".into(), ..remembered.clone() };
        assert_eq!(gone.request(), None);
        let other = Remembered { method: "guess".into(), ..remembered };
        assert_eq!(other.request().unwrap().method, methods::semi_local());
        assert_eq!(Remembered::default().request(), None);
    }

    #[test]
    fn speed_loop_and_files_are_restored() {
        let mut state = State::new(Request::new("wall".parse().unwrap()), View::default(), 64 << 20);
        state.recent = vec!["now.toml".into()];
        let remembered = Remembered {
            speed: 3.0,
            is_looped: true,
            recent: vec!["now.toml".into(), "old.toml".into()],
            ..Remembered::default()
        };
        remembered.restore(&mut state);
        assert_eq!((state.playback.speed, state.playback.is_looped), (3.0, true));
        assert_eq!(state.recent, [PathBuf::from("now.toml"), PathBuf::from("old.toml")]);
    }

    #[test]
    fn another_file_can_be_chosen() {
        assert_eq!(file(Some(Path::new("x.toml"))), Some("x.toml".into()));
    }
}
