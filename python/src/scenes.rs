//! Scenes with known contacts, and the assessment of contact methods in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::generator::Method;
use drystone_contact::generator::cone_filter::ConeFilter;
use drystone_contact::parallel::prelude::*;
use drystone_contact::sorting::inserted;
use drystone_engine::solver::ContactSolver;
use drystone_scenes::assessment::{Assessment, Row, assess};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::detection::{self, DetectionFailure, Moment, detect};
use drystone_scenes::measure::Matching;
use drystone_scenes::opening::{OpenError, SceneOptions, What, open};
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::{Programs, encode, parse_with};
use drystone_scenes::truth::TruthKind;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays::{pose_array, shaped};
use crate::callback;
use crate::cone_filter;
use crate::failure::{Failure, Outcome, guarded};
use crate::method::{REGISTRY, method, method_or_default};
use crate::shape::PyShape;
use crate::threads;
use crate::world::PyWorld;

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::Scene(error.to_string())
    }
}

impl From<DetectionFailure> for Failure {
    fn from(error: DetectionFailure) -> Self {
        match error {
            DetectionFailure::Generator { source, .. } | DetectionFailure::Method(source) => source.into(),
            DetectionFailure::World(source) | DetectionFailure::Step { source, .. } => source.into(),
            other => Self::Scene(other.to_string()),
        }
    }
}

/// A scene: bodies, and what is known of their contacts.
///
/// Args:
///     name: The name of a built-in scene, or the path of a scene file (TOML), of a scene of rigid-ipc (JSON) or of a
///         model in MJCF or URDF (XML).
///     model: Bodies of a built-in scene: ``"procedural"``, exact coordinates, or ``"recorded"``, those behind the published tables.
///     size: Size of a built-in scene, where it has one.
///     time_step: Another time step than the scene's, s.
///     perturb: Every body is shifted at random by up to so many metres along x and z, from ``seed``.
///     seed: Where the shifts start from.
///     refine: Every tetrahedron is split into eight so many times.
///     solver: What finds the impulses of steps.
///     allow_programs: Run the programs that a scene file names (`fill.program`). Only for files from people whom you trust.
///
/// Raises:
///     SceneError: There is no such scene, or the file is wrong.
///
/// >>> import drystone as ds
/// >>> scene = ds.Scene("cliff-edges")
/// >>> [body.name for body in scene.bodies], len(scene.contacts("semi-local"))
/// (['frustum', 'cube'], 4)
#[pyclass(name = "Scene", module = "drystone", frozen)]
pub struct PyScene {
    scene: Scene,
    /// What is not as in the file.
    notes: Vec<String>,
    /// Whether anything is known of its contacts.
    is_known: bool,
}

impl PyScene {
    fn open(what: &What, options: &SceneOptions) -> Outcome<Self> {
        let opened = open(what, options)?;
        let is_known = !matches!(what, What::BuiltIn(scene) if !scene.has_truth());
        Ok(Self { scene: opened.scene, notes: opened.notes, is_known })
    }
}

fn programs(are_allowed: bool) -> Programs {
    if are_allowed { Programs::Allowed } else { Programs::Refused }
}

#[pymethods]
impl PyScene {
    #[new]
    #[pyo3(signature = (name, /, *, model = None, size = None, time_step = None, perturb = None, seed = 0, refine = 0, solver = "prox-gauss-seidel", allow_programs = false))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        name: std::path::PathBuf,
        model: Option<&str>,
        size: Option<f64>,
        time_step: Option<f64>,
        perturb: Option<f64>,
        seed: u64,
        refine: usize,
        solver: &str,
        allow_programs: bool,
    ) -> Outcome<Self> {
        let model = match model {
            None => None,
            Some("procedural") => Some(Model::Procedural),
            Some("recorded") => Some(Model::Recorded),
            Some(other) => {
                return Err(Failure::Value(format!("model is '{other}'; it must be 'procedural' or 'recorded'")));
            }
        };
        if refine > 4 {
            return Err(Failure::Value(format!("refine is {refine}; it must be from 0 to 4")));
        }
        let solver = solver.parse::<ContactSolver>().map_err(|error| Failure::Scene(error.to_string()))?;
        let perturbation = perturb.map(|magnitude| (magnitude, seed));
        let options = SceneOptions {
            model,
            size,
            time_step,
            perturbation,
            refinement: refine,
            solver,
            programs: programs(allow_programs),
        };
        let name = name.to_str().ok_or_else(|| Failure::Value("the path is no text".into()))?;
        guarded(|| Self::open(&name.parse::<What>()?, &options))
    }

    /// The scene of the text of a scene file.
    ///
    /// Args:
    ///     text: The text (TOML).
    ///     folder: Where paths in it count from; the working directory by default.
    ///     allow_programs: Run the programs that it names (`fill.program`). Only for texts from people whom you trust.
    ///
    /// Raises:
    ///     SceneError: The text is wrong, with the line.
    #[staticmethod]
    #[pyo3(signature = (text, /, *, folder = std::path::PathBuf::new(), allow_programs = false))]
    fn from_toml(text: &str, folder: std::path::PathBuf, allow_programs: bool) -> Outcome<Self> {
        let programs = programs(allow_programs);
        let parsed = guarded(|| parse_with(text, folder, programs).map_err(|error| Failure::Scene(error.to_string())))?;
        Ok(Self { scene: parsed, notes: Vec::new(), is_known: true })
    }

    /// The text of a scene file of the scene as it is, with inline meshes and exact numbers: :meth:`from_toml` makes the same
    /// bodies, materials, joints and truths of it, bit for bit.
    ///
    /// Raises:
    ///     SceneError: The scene has something that no file can say.
    fn to_toml(&self, py: Python<'_>) -> Outcome<String> {
        threads::released(py, 1, || encode(&self.scene).map_err(|error| Failure::Scene(error.to_string())))
    }

    /// Its name, as on the command line.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    /// One line about it.
    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }

    /// What is not as in the file.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The time step, s.
    #[getter]
    fn time_step(&self) -> f64 {
        self.scene.time_step
    }

    /// The step whose contacts are scored unless told otherwise, from 1.
    #[getter]
    fn scored_step(&self) -> usize {
        self.scene.scored_step
    }

    /// The bodies.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> Outcome<Vec<PySceneBody>> {
        let of = |body: &drystone_scenes::scene::SceneBody| {
            let state = &body.body;
            Ok(PySceneBody {
                name: body.name.clone(),
                shape: Py::new(py, PyShape(Arc::clone(&body.shape)))?,
                pose: pose_array(py, &state.pose())?.unbind(),
                velocity: shaped(py, state.velocity.to_array().to_vec(), &[3])?.unbind(),
                angular_velocity: shaped(py, state.angular_velocity.to_array().to_vec(), &[3])?.unbind(),
                fixed: state.is_fixed(),
                mass: state.mass(),
            })
        };
        self.scene.bodies.iter().map(of).collect()
    }

    /// The contacts that a method finds, as ``drystone contacts`` writes them.
    ///
    /// Args:
    ///     method: How contacts are found; semi-local by default.
    ///     step: In which time step, from 1; 0 for the pose at the start, without any motion. The scored one by default.
    ///
    /// Returns:
    ///     An array of :data:`drystone.WORLD_CONTACT`, in which bodies are numbered as in :attr:`bodies` and impulses are zero.
    ///
    /// Raises:
    ///     GeneratorError: The method cannot serve a shape.
    #[pyo3(signature = (method = None, /, *, step = None))]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        method: Option<&Bound<'py, PyAny>>,
        step: Option<usize>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let method = method_or_default(method)?;
        let moment = moment(step).unwrap_or(Moment::Step(self.scene.scored_step));
        let found = threads::released(py, 1, || Ok(detect(&self.scene, &method, moment)?.contacts))?;
        crate::world::contacts_of_scene(py, &found)
    }

    /// A world of its bodies that steps as the assessment does: with its solver, nothing stabilised.
    ///
    /// Raises:
    ///     GeneratorError: The method cannot serve a shape.
    #[pyo3(signature = (method = None, /, *, threads = 1))]
    fn world(&self, py: Python<'_>, method: Option<&Bound<'_, PyAny>>, threads: usize) -> Outcome<PyWorld> {
        let found = method_or_default(method)?;
        let is_python = method.map(callback::is_generator).transpose()?.unwrap_or(false);
        let generator = method.filter(|_| is_python).map(|method| method.clone().unbind());
        let world = threads::released(py, 1, || Ok(detection::world(&self.scene, &found)?))?;
        Ok(PyWorld::of_scene(world, threads::count(Some(threads))?, generator))
    }

    fn __repr__(&self) -> String {
        format!("<drystone.Scene {}, {} bodies>", self.scene.name, self.scene.bodies.len())
    }
}

/// A body of a scene.
#[pyclass(name = "SceneBody", module = "drystone", frozen, get_all)]
pub struct PySceneBody {
    /// How people call it.
    name: String,
    /// The shape in the body frame: origin in the centre of mass, axes along the principal axes of inertia.
    shape: Py<PyShape>,
    /// Where the body frame is at the start, shape (4, 4).
    pose: Py<PyAny>,
    /// Of the centre of mass, world frame, m/s, shape (3,).
    velocity: Py<PyAny>,
    /// World frame, rad/s, shape (3,).
    angular_velocity: Py<PyAny>,
    /// Whether it stays where it is.
    fixed: bool,
    /// kg; infinite of one that no force moves.
    mass: f64,
}

/// A step by its number; 0 is the start.
fn moment(step: Option<usize>) -> Option<Moment> {
    step.map(|step| if step == 0 { Moment::Start } else { Moment::Step(step) })
}

/// The names of all built-in scenes.
#[pyfunction]
pub fn scene_names() -> Vec<&'static str> {
    BuiltIn::all().into_iter().map(BuiltIn::name).collect()
}

/// The thirteen scenes of the assessment, as they are.
///
/// >>> import drystone as ds
/// >>> len(ds.scenes())
/// 13
#[pyfunction]
pub fn scenes() -> Outcome<Vec<PyScene>> {
    let one = |scene: BuiltIn| PyScene::open(&What::BuiltIn(scene), &SceneOptions::default());
    guarded(|| BuiltIn::assessed().into_iter().map(one).collect())
}

/// What `drystone.assess` calls: rows and failures as JSON.
#[pyfunction]
#[pyo3(name = "_assess")]
#[allow(clippy::too_many_arguments)]
pub fn assess_json(
    py: Python<'_>,
    scenes: Vec<Bound<'_, PyScene>>,
    methods: Vec<Bound<'_, PyAny>>,
    truth: Option<&str>,
    step: Option<usize>,
    tolerance: f64,
    filter: Option<&str>,
    threads: Option<usize>,
) -> Outcome<String> {
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(Failure::Value(format!("tolerance is {tolerance}; it must be a finite number above zero")));
    }
    let sides = filter.map(|value| cone_filter::sides("filter", value)).transpose()?;
    let named = |name: &str| name.parse::<TruthKind>().map_err(|error| Failure::Value(error.to_string()));
    let truth = truth.map(named).transpose()?;
    let request = |method: &Method| Assessment {
        truth: truth.unwrap_or_else(|| TruthKind::of_method(method)),
        moment: moment(step),
        matching: Matching { tolerance },
        region: RegionSettings::default(),
        filter: sides.map(|sides| ConeFilter { sides, ..ConeFilter::default() }),
    };
    let methods: Vec<Method> = match &methods[..] {
        [] => REGISTRY.methods().iter().filter(|own| REGISTRY.find(own.name()) == Ok(own)).cloned().collect(),
        given => given.iter().map(method).collect::<Outcome<_>>()?,
    };
    if let Some(unknown) = scenes.iter().find(|scene| !scene.get().is_known) {
        let name = &unknown.get().scene.name;
        let message = format!("scene {name} cannot be scored: nothing is known of the contacts that it should have");
        return Err(Failure::Scene(message));
    }
    let scenes: Vec<&Scene> = scenes.iter().map(|scene| &scene.get().scene).collect();
    let jobs: Vec<(&Scene, &Method)> =
        scenes.iter().flat_map(|&scene| methods.iter().map(move |method| (scene, method))).collect();
    let threads = threads::count(threads)?;
    let (mut rows, mut failures): (Vec<Row>, Vec<Value>) = (Vec::new(), Vec::new());
    // As many at a time as there are threads, so that Ctrl-C comes in time.
    for part in jobs.chunks(threads) {
        let done: Vec<_> = threads::released(py, threads, || {
            Ok(part.par_iter().in_tasks_of(1).map(|(scene, method)| assess(scene, method, &request(method))).collect())
        })?;
        py.check_signals()?;
        for (&(scene, method), assessed) in part.iter().zip(done) {
            match assessed {
                Ok(assessed) => rows.push(assessed.row),
                Err(error) => {
                    let text = error.to_string();
                    if let error @ Failure::Python(_) = Failure::from(error) {
                        return Err(error);
                    }
                    failures.push(json!({ "scene": scene.name, "method": method.to_string(), "error": text }));
                }
            }
        }
    }
    let document: BTreeMap<&str, Value> = inserted([("rows", json!(rows)), ("failures", Value::Array(failures))]);
    serde_json::to_string(&document).map_err(|error| Failure::Panic(error.to_string()))
}
