//! From the document of a rigid-ipc scene to a scene.

use std::path::Path;

use drystone_engine::solver::FrictionModel;
use drystone_engine::{ExternalForces, Friction, Interaction, MaterialId, MaterialTable};
use serde_json::Value;

use super::bodies::bodies;
use super::entry::above_zero;
use super::error::{Feature, RigidIpcError, RigidIpcProblem};
use super::object::{Object, wrong};
use super::{Note, RigidIpcScene};
use crate::scene::Scene;
use crate::scene_file::{DEFAULT_STEP, name};
use crate::truth::Truth;

/// Δt of scenes that state none, s.
const USUAL_TIME_STEP: f64 = 0.01;

/// The one problem whose scenes are read.
const SCENE_TYPE: &str = "distance_barrier_rb_problem";

/// How rigid-ipc solves and shows; nothing of the scene itself.
const NUMERICS: [&str; 8] = [
    "solver",
    "homotopy_solver",
    "newton_solver",
    "ipc_solver",
    "ncp_solver",
    "volume_constraint",
    "viewport_bbox",
    // A misspelling in a scene of rigid-ipc, whose reader complains and goes on.
    "distance_barrier_constraints",
];

const KNOWN: [&str; 7] = [
    "max_iterations",
    "max_time",
    "timestep",
    "scene_type",
    "rigid_body_problem",
    "distance_barrier_constraint",
    "friction_constraints",
];

const KNOWN_OF_PROBLEM: [&str; 7] = [
    "rigid_bodies",
    "coefficient_restitution",
    "coefficient_friction",
    "gravity",
    "collision_eps",
    "time_stepper",
    "do_intersection_check",
];

const KNOWN_OF_BARRIER: [&str; 5] = [
    "detection_method",
    "trajectory_type",
    "initial_barrier_activation_distance",
    "minimum_separation_distance",
    "barrier_type",
];

const KNOWN_OF_FRICTION: [&str; 2] = ["static_friction_speed_bound", "iterations"];

/// Reads all keys and makes the bodies; meshes count from `folder`.
pub fn scene(document: &Value, name: &str, folder: &Path) -> Result<RigidIpcScene, RigidIpcError> {
    let root = Object::new(document, "")?;
    if root.has("args") {
        return Err(RigidIpcError::whole(Feature::SavedSimulation));
    }
    root.only(&[&KNOWN[..], &NUMERICS].concat())?;
    if root.text("scene_type")?.is_some_and(|found| found != SCENE_TYPE) {
        return Err(root.error("scene_type", Feature::SceneType));
    }
    let mut notes = Vec::new();
    let time_step = positive(&root, "timestep", USUAL_TIME_STEP)?;
    let steps = root.integer("max_iterations")?.filter(|&steps| steps >= 0);
    let time = root.number("max_time")?.filter(|&time| time >= 0.0);
    let duration = time.or(steps.map(|steps| steps as f64 * time_step));

    let must = "there, with the bodies in its `rigid_bodies`";
    let missing = || root.error("rigid_body_problem", wrong(must, &Value::Null));
    let problem = root.object("rigid_body_problem")?.ok_or_else(missing)?;
    problem.only(&KNOWN_OF_PROBLEM)?;
    let mut forces = ExternalForces::NONE;
    if problem.list("gravity")?.is_some_and(|gravity| gravity.len() == 2) {
        return Err(problem.error("gravity", Feature::TwoDimensions));
    }
    forces.gravity = problem.vector("gravity")?;
    let (materials, material) = materials(&root, &problem, &mut notes)?;
    if let Some(barrier) = root.object("distance_barrier_constraint")? {
        barrier.only(&KNOWN_OF_BARRIER)?;
        let key = "minimum_separation_distance";
        if barrier.number(key)?.is_some_and(|distance| distance != 0.0) {
            return Err(barrier.error(key, Feature::MinimumSeparation));
        }
    }
    let bodies = bodies(&problem, folder, time_step, material, &mut notes)?;
    let name = if name::of_files(name).is_ok() { name } else { "scene" };
    let scene = Scene {
        name: name.to_owned(),
        title: format!("{name}, a scene of rigid-ipc"),
        solver: Scene::solver_for(&bodies, &[]),
        bodies,
        joints: Vec::new(),
        excluded: Vec::new(),
        materials,
        forces,
        friction: FrictionModel::Ellipsoid,
        time_step,
        scored_step: DEFAULT_STEP,
        truth: Truth::default(),
        published_truth: None,
        is_as_published: false,
    };
    Ok(RigidIpcScene { scene, duration, notes })
}

fn positive(object: &Object, key: &str, usual: f64) -> Result<f64, RigidIpcError> {
    match object.number(key)?.unwrap_or(usual) {
        value if value > 0.0 => Ok(value),
        value => Err(object.error(key, above_zero(value))),
    }
}

/// One material, with the friction of the scene along the contact plane and none against drilling.
fn materials(
    root: &Object,
    problem: &Object,
    notes: &mut Vec<Note>,
) -> Result<(MaterialTable, MaterialId), RigidIpcError> {
    let mut note = |text: String| notes.push(Note { place: None, text });
    let restitution = problem.number("coefficient_restitution")?.unwrap_or(0.0);
    if restitution != 0.0 {
        note(format!(
            "coefficient_restitution {restitution} was left out: rigid-ipc does not use it in such scenes either"
        ));
    }
    let key = "coefficient_friction";
    let mut coefficient = problem.number(key)?.unwrap_or(0.0);
    if let Some(friction) = root.object("friction_constraints")? {
        friction.only(&KNOWN_OF_FRICTION)?;
        if friction.integer("iterations")? == Some(0) && coefficient != 0.0 {
            note("there is no friction: friction_constraints has 0 iterations".to_owned());
            coefficient = 0.0;
        }
    }
    let wrong = |error| problem.error(key, RigidIpcProblem::Material(error));
    let mut table = MaterialTable::new();
    let material = table.add("body").map_err(wrong)?;
    let friction = Friction { s: coefficient, t: coefficient, torsion: 0.0 };
    table.set(material, material, Interaction::dry(friction)).map_err(wrong)?;
    Ok((table, material))
}
