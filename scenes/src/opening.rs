//! Opens a scene by what people give for it: the name of a built-in scene, or the path of a file.
//!
//! [`What`] tells names and kinds of files apart; [`open`] makes the scene. Every program opens scenes here, so that all
//! understand the same names and say the same of what cannot be opened.
//!
//! ```
//! use drystone_scenes::opening::{SceneOptions, What, open};
//!
//! let opened = open(&"box-stack".parse::<What>()?, &SceneOptions { size: Some(3.0), ..SceneOptions::default() })?;
//! assert_eq!(opened.scene.bodies.len(), 4);
//! assert!("tower".parse::<What>().unwrap_err().to_string().contains("box-stack"));
//! # Ok::<(), drystone_scenes::opening::OpenError>(())
//! ```

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use drystone_contact::generator::UnknownName;
use drystone_contact::shape::ShapeError;
use drystone_engine::recording::MAGIC;
use drystone_engine::simulator::asynchronous::AsynchronousError;
use drystone_engine::solver::ContactSolver;

use crate::asynchronous::{self, OpenedSurfaces};
use crate::builtin::BuiltIn;
use crate::cases::Model;
use crate::kinematic_tree::{self, TreeError};
use crate::rigid_ipc::{self, RigidIpcError};
use crate::scene::{BodyProblem, Scene};
use crate::scene_file::{self, Programs, SceneFileError};

/// Something that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A built-in scene.
    BuiltIn(BuiltIn),
    /// A scene of deformable surfaces, by its name.
    Surfaces(&'static str),
    /// A scene file, TOML.
    SceneFile(PathBuf),
    /// A scene of rigid-ipc, JSON.
    RigidIpc(PathBuf),
    /// A model in MJCF or URDF, XML.
    KinematicTree(PathBuf),
    /// A recording, which is a run and not a scene: [`drystone_engine::recording`] reads it.
    Recording(PathBuf),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::BuiltIn(scene) => f.pad(scene.name()),
            What::Surfaces(name) => f.pad(name),
            What::SceneFile(path) | What::RigidIpc(path) | What::KinematicTree(path) | What::Recording(path) => {
                write!(f, "{}", path.display())
            }
        }
    }
}

impl FromStr for What {
    type Err = OpenError;

    /// The name of a scene, or the path of a file: a recording by its first bytes, a scene of rigid-ipc by its
    /// ending `.json`, a model in MJCF or URDF by `.xml` or `.urdf`, else a scene file.
    fn from_str(text: &str) -> Result<Self, OpenError> {
        let unknown = match text.parse::<BuiltIn>() {
            Ok(scene) => return Ok(What::BuiltIn(scene)),
            Err(unknown) => unknown,
        };
        if let Some(name) = asynchronous::NAMES.into_iter().find(|&name| name == text) {
            return Ok(What::Surfaces(name));
        }
        let path = Path::new(text);
        let mut start = Vec::new();
        match File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start)) {
            // A recording of another version is one all the same; reading it says what is wrong.
            Ok(_) if start.starts_with(b"drystone.recording/") => Ok(What::Recording(path.into())),
            Ok(_) if text.ends_with(".json") => Ok(What::RigidIpc(path.into())),
            Ok(_) if kinematic_tree::is_named(path) => Ok(What::KinematicTree(path.into())),
            Ok(_) => Ok(What::SceneFile(path.into())),
            // What looks like a path is meant as one.
            Err(cause)
                if cause.kind() != ErrorKind::NotFound
                    || path.extension().is_some()
                    || path.components().count() > 1 =>
            {
                Err(OpenError::Unreadable { path: path.into(), cause })
            }
            Err(_) => {
                let surfaces = asynchronous::NAMES.join(", ");
                Err(OpenError::Unknown(UnknownName { known: format!("{}, {surfaces}", unknown.known), ..unknown }))
            }
        }
    }
}

/// How a scene is made, and what is changed in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneOptions {
    /// Where the bodies of a built-in scene come from; `None`: procedural. Files have bodies of their own.
    pub model: Option<Model>,
    /// The size of a built-in scene ([`BuiltIn::size`] tells what it means); `None`: the usual one.
    pub size: Option<f64>,
    /// Another time step than the scene's, s.
    pub time_step: Option<f64>,
    /// Bodies shifted at random along x and z, by up to so many metres, from this seed.
    pub perturbation: Option<(f64, u64)>,
    /// How often every tetrahedron is split into eight.
    pub refinement: usize,
    /// What finds the forces.
    pub solver: ContactSolver,
    /// Whether programs that a scene file names are run.
    pub programs: Programs,
}

/// A scene that was opened.
#[derive(Clone, Debug)]
pub struct OpenedScene {
    /// The scene, changed as the options say.
    pub scene: Scene,
    /// What is not as in the file.
    pub notes: Vec<String>,
}

/// Why something cannot be opened as a scene.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No scene and no file has that name.
    #[error(
        "{0}; or give the path of a scene file (.toml), of rigid-ipc (.json), of MJCF or URDF (.xml, .urdf) or of a recording"
    )]
    Unknown(UnknownName),
    /// A file cannot be read.
    #[error("{}: the file cannot be read: {cause}; check the path and its permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's own account.
        cause: std::io::Error,
    },
    /// A number makes no sense.
    #[error("{what} is {value:e}; it must be a finite number {must}")]
    Number {
        /// Which.
        what: &'static str,
        /// In which range it must be.
        must: &'static str,
        /// What it is.
        value: f64,
    },
    /// A file is asked for something that built-in scenes alone have.
    #[error("{what} belongs to the built-in scenes; {} is a file with bodies of its own", path.display())]
    OfBuiltIn {
        /// What: a size, a model.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A recording is asked for as a scene.
    #[error("{} is a recording, not a scene; it can be replayed, resumed or looked at in the viewer", path.display())]
    IsRecording {
        /// The file.
        path: PathBuf,
    },
    /// A scene of surfaces is asked for as one of bodies.
    #[error(
        "{scene} is a scene of deformable surfaces, which the simulator asynchronous moves: `drystone simulate {scene}` runs it"
    )]
    OfSurfaces {
        /// Its name or file.
        scene: String,
    },
    /// A scene of surfaces cannot be made.
    #[error("scene {scene}: {cause}")]
    Surfaces {
        /// Its name.
        scene: String,
        /// What is wrong.
        cause: AsynchronousError,
    },
    /// A built-in scene cannot be made.
    #[error("scene {scene} cannot be made: {cause}")]
    BuiltIn {
        /// Its name.
        scene: &'static str,
        /// What is wrong.
        cause: BodyProblem,
    },
    /// A scene file is wrong.
    #[error(transparent)]
    SceneFile(#[from] SceneFileError),
    /// A scene of rigid-ipc is wrong.
    #[error(transparent)]
    RigidIpc(#[from] RigidIpcError),
    /// A model in MJCF or URDF is wrong.
    #[error(transparent)]
    KinematicTree(#[from] TreeError),
    /// The meshes cannot be refined.
    #[error("scene {scene} cannot be refined: {cause}")]
    Refinement {
        /// Its name.
        scene: String,
        /// What is wrong.
        cause: ShapeError,
    },
}

/// Opens a scene and changes it as the options say.
///
/// # Errors
/// [`OpenError`]. Its messages say what is wrong, where, and what to do.
pub fn open(what: &What, options: &SceneOptions) -> Result<OpenedScene, OpenError> {
    number("the size", "above zero", options.size, |size| size > 0.0)?;
    let OpenedScene { scene, notes } = as_named(what, options)?;
    Ok(OpenedScene { scene: change(scene, options)?, notes })
}

/// Changes a scene as the options say; model and size, which belong to built-in scenes, are not looked at.
///
/// # Errors
/// [`OpenError::Number`], [`OpenError::Refinement`].
pub fn change(mut scene: Scene, options: &SceneOptions) -> Result<Scene, OpenError> {
    number("the time step", "above zero", options.time_step, |dt| dt > 0.0)?;
    // Shifts by zero are a run of the study of noise.
    let magnitude = options.perturbation.map(|(magnitude, _)| magnitude);
    number("the perturbation", "not below zero", magnitude, |magnitude| magnitude >= 0.0)?;
    if let Some(time_step) = options.time_step {
        scene.set_time_step(time_step);
    }
    if let Some((magnitude, seed)) = options.perturbation {
        scene.perturb(magnitude, seed);
    }
    let refined = scene.refine(options.refinement);
    refined.map_err(|cause| OpenError::Refinement { scene: scene.name.clone(), cause })?;
    scene.set_solver(options.solver);
    Ok(scene)
}

/// Refuses a number that is not finite or not in its range.
fn number(
    what: &'static str,
    must: &'static str,
    value: Option<f64>,
    is_right: fn(f64) -> bool,
) -> Result<(), OpenError> {
    match value {
        Some(value) if !(value.is_finite() && is_right(value)) => Err(OpenError::Number { what, must, value }),
        _ => Ok(()),
    }
}

/// Opens a scene of deformable surfaces; `None` if it is one of bodies.
///
/// # Errors
/// As [`open`].
pub fn open_surfaces(what: &What) -> Result<Option<OpenedSurfaces>, OpenError> {
    match what {
        What::Surfaces(name) => {
            let failed = |cause| OpenError::Surfaces { scene: what.to_string(), cause };
            let known = asynchronous::SCENES.iter().find(|known| known.name == *name);
            let made = known.map(|known| {
                let (name, title, time_step) = (known.name.into(), known.title.into(), known.time_step);
                let (scene, surfaces) = ((known.scene)().map_err(failed)?, Vec::new());
                Ok(OpenedSurfaces { name, title, time_step, scene, surfaces })
            });
            made.transpose()
        }
        What::SceneFile(path) => Ok(scene_file::read_surfaces(path)?),
        What::BuiltIn(_) | What::RigidIpc(_) | What::KinematicTree(_) | What::Recording(_) => Ok(None),
    }
}

/// The files that opening reads: that of a scene or recording, and the mesh files that a scene names.
pub fn files(what: &What) -> Vec<PathBuf> {
    match what {
        What::BuiltIn(_) | What::Surfaces(_) => Vec::new(),
        What::SceneFile(path) => [vec![path.clone()], scene_file::files(path)].concat(),
        What::RigidIpc(path) => [vec![path.clone()], rigid_ipc::files(path)].concat(),
        What::KinematicTree(path) => [vec![path.clone()], kinematic_tree::files(path)].concat(),
        What::Recording(path) => vec![path.clone()],
    }
}

/// The scene before anything is changed in it.
fn as_named(what: &What, options: &SceneOptions) -> Result<OpenedScene, OpenError> {
    let of_built_in = |what, path: &Path| Err(OpenError::OfBuiltIn { what, path: path.into() });
    match what {
        What::BuiltIn(scene) => {
            let made = scene.scene(options.model.unwrap_or(Model::Procedural), options.size);
            let made = made.map_err(|cause| OpenError::BuiltIn { scene: scene.name(), cause })?;
            Ok(OpenedScene { scene: made, notes: Vec::new() })
        }
        What::Recording(path) => Err(OpenError::IsRecording { path: path.clone() }),
        What::Surfaces(_) => Err(OpenError::OfSurfaces { scene: what.to_string() }),
        What::SceneFile(path) | What::RigidIpc(path) | What::KinematicTree(path) if options.size.is_some() => {
            of_built_in("the size", path)
        }
        What::SceneFile(path) | What::RigidIpc(path) | What::KinematicTree(path) if options.model.is_some() => {
            of_built_in("the model", path)
        }
        What::SceneFile(path) if scene_file::read_surfaces(path)?.is_some() => {
            Err(OpenError::OfSurfaces { scene: what.to_string() })
        }
        What::SceneFile(path) => {
            Ok(OpenedScene { scene: scene_file::read_with(path, options.programs)?, notes: Vec::new() })
        }
        What::RigidIpc(path) => {
            let read = rigid_ipc::read(path)?;
            Ok(OpenedScene { scene: read.scene, notes: read.notes.iter().map(ToString::to_string).collect() })
        }
        What::KinematicTree(path) => {
            let read = kinematic_tree::read(path)?;
            Ok(OpenedScene { scene: read.scene, notes: read.notes.iter().map(ToString::to_string).collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "materials = [\"stone\"]\ninteraction = [{ between = [\"stone\", \"stone\"], friction = 0.4 }]\n\
        [[body]]\nname = \"cube\"\nmaterial = \"stone\"\ndensity = 600\nshape.box = [1, 1, 1]\n";

    fn refusal(text: &str, options: &SceneOptions) -> String {
        text.parse().and_then(|what| open(&what, options)).unwrap_err().to_string()
    }

    /// The method has the tetrahedra made when the file is read.
    #[cfg(unix)]
    #[test]
    fn a_program_that_a_file_names_is_run_only_if_programs_are_allowed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ran, evil) = (folder.path().join("ran"), folder.path().join("evil.sh"));
        std::fs::write(&evil, format!("#!/bin/sh\ntouch '{}'\n", ran.display())).unwrap();
        std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        let scene = folder.path().join("scene.toml");
        let fill = "fill = { method = \"tetgen\", program = \"./evil.sh\" }\n";
        std::fs::write(&scene, format!("name = \"own\"\n{TOML}{fill}")).unwrap();
        let text = refusal(scene.to_str().unwrap(), &SceneOptions::default());
        assert!(
            text.contains("fill.program") && text.contains("./evil.sh") && text.contains("--allow-programs"),
            "{text}"
        );
        assert!(!ran.exists());
        refusal(scene.to_str().unwrap(), &SceneOptions { programs: Programs::Allowed, ..SceneOptions::default() });
        assert!(ran.exists(), "and then it runs, whatever becomes of it");
    }

    #[test]
    fn names_and_kinds_of_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let what = |path: &Path| path.to_str().unwrap().parse::<What>().unwrap();
        assert_eq!("wall".parse::<What>().unwrap(), What::BuiltIn(BuiltIn::Wall));
        let toml = path("own", &format!("name = \"own\"\n{TOML}"));
        assert_eq!(what(&toml), What::SceneFile(toml.clone()));
        assert_eq!(open(&what(&toml), &SceneOptions::default()).unwrap().scene.name, "own");
        let json = path("a.json", "{}");
        assert_eq!(what(&json), What::RigidIpc(json));
        let xml = path("a.xml", "<mujoco/>");
        assert_eq!(what(&xml), What::KinematicTree(xml));
        let recording = path("a.json.dry", "drystone.recording/99");
        assert_eq!(what(&recording), What::Recording(recording.clone()));
        assert!(refusal(recording.to_str().unwrap(), &SceneOptions::default()).contains("is a recording"));
        for options in [
            SceneOptions { size: Some(2.0), ..SceneOptions::default() },
            SceneOptions { model: Some(Model::Procedural), ..SceneOptions::default() },
        ] {
            assert!(refusal(toml.to_str().unwrap(), &options).contains("belongs to the built-in scenes"));
        }
    }

    #[test]
    fn what_is_not_there_is_said_with_what_there_is() {
        let plain = SceneOptions::default();
        let unknown = refusal("tower", &plain);
        assert!(unknown.contains("pillar, wall, arch") && unknown.contains(".toml"), "{unknown}");
        for path in ["tower.toml", "somewhere/tower"] {
            assert!(refusal(path, &plain).starts_with(path), "a path is meant as one");
        }
    }

    #[test]
    fn options_change_the_scene() {
        let pillar = What::BuiltIn(BuiltIn::Pillar);
        let usual = open(&pillar, &SceneOptions::default()).unwrap().scene;
        let options = SceneOptions {
            model: Some(Model::Recorded),
            time_step: Some(0.002),
            perturbation: Some((0.01, 7)),
            solver: "svd".parse().unwrap(),
            ..SceneOptions::default()
        };
        let changed = open(&pillar, &options).unwrap().scene;
        assert_eq!((changed.time_step, changed.solver.name()), (0.002, "svd"));
        assert_ne!(changed.bodies[1].body.position.x, usual.bodies[1].body.position.x);
        let refined = open(&pillar, &SceneOptions { refinement: 1, ..SceneOptions::default() }).unwrap().scene;
        let tetrahedra =
            |scene: &Scene| scene.bodies[1].shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().len();
        assert_eq!(tetrahedra(&refined), 8 * tetrahedra(&usual));
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let options = SceneOptions { time_step: Some(wrong), ..SceneOptions::default() };
            assert!(matches!(open(&pillar, &options), Err(OpenError::Number { .. })), "{wrong}");
        }
        assert!(refusal("wall", &SceneOptions { size: Some(2.0), ..SceneOptions::default() }).contains("one size"));
    }
}
