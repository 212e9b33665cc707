//! From the document of a scene file to a scene.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_engine::solver::FrictionModel;
use drystone_engine::{BodyId, ExternalForces, Interaction, MaterialTable};
use glam::DVec3;

use super::document::{Damping, Document, FrictionModelEntry, InteractionEntry, TruthEntry, Tuple};
use super::error::{SceneFileError, SceneFileProblem};
use super::{DEFAULT_STEP, DEFAULT_TIME_STEP, MAXIMUM_MINIMUM, MAXIMUM_STEP, SCHEMA, body, joint, name, number};
use crate::scene::{Scene, SceneBody};
use crate::truth::{Carrier, ExpectedNormal, PairTruth, Truth};

/// Looks up names, checks numbers and makes the solids; mesh files count from `folder`.
pub fn scene(document: Document, folder: &Path) -> Result<Scene, SceneFileError> {
    if let Some(found) = document.schema.filter(|found| found != SCHEMA) {
        return Err(SceneFileError::at("schema", SceneFileProblem::Schema { found }));
    }
    name::of_files(&document.name).map_err(|problem| SceneFileError::at("name", problem))?;
    let found = document.body.len();
    if found == 0 {
        return Err(SceneFileError::whole(SceneFileProblem::NoBodies));
    }
    if let Some(declared) = document.body_count.filter(|&declared| declared != found) {
        return Err(SceneFileError::whole(SceneFileProblem::BodyCount { declared, found }));
    }
    let time_step = number::positive(document.time_step.unwrap_or(DEFAULT_TIME_STEP));
    let time_step = time_step.map_err(|problem| SceneFileError::at("time_step", problem))?;
    let scored_step = number::count(document.step.unwrap_or(DEFAULT_STEP), 1, MAXIMUM_STEP);
    let scored_step = scored_step.map_err(|problem| SceneFileError::at("step", problem))?;
    let forces = forces(document.gravity.as_ref(), document.damping.as_ref())?;
    let friction = match document.friction_model {
        FrictionModelEntry::Ball => FrictionModel::Ball,
        FrictionModelEntry::Ellipsoid => FrictionModel::Ellipsoid,
        FrictionModelEntry::Box => FrictionModel::Box,
    };
    let materials = materials(document.materials, document.interaction, friction)?;

    let mut bodies: Vec<SceneBody> = Vec::with_capacity(found);
    let mut ids = BTreeMap::new();
    for entry in document.body {
        let place = || format!("body {}, name", bodies.len());
        name::of_files(&entry.name).map_err(|problem| SceneFileError::at(place(), problem))?;
        if ids.insert(entry.name.clone(), BodyId::new(bodies.len() as u32)).is_some() {
            let place = format!("body \"{}\", name", entry.name);
            return Err(SceneFileError::at(place, SceneFileProblem::Repeated { of: "body name" }));
        }
        bodies.push(body::body(entry, &materials, folder)?);
    }
    let published = document.published_truth.map(|entries| truth(entries, "published_truth", &bodies, &ids));
    let joints = joint::joints(document.joint, &bodies, &|name| body_of(name, &bodies, &ids))?;
    let mut excluded = Vec::with_capacity(document.excluded.len());
    for (place, Tuple([a, b])) in document.excluded.iter().enumerate() {
        let wrong = |problem| SceneFileError::at(format!("excluded[{place}]"), problem);
        let pair = [body_of(a, &bodies, &ids).map_err(wrong)?, body_of(b, &bodies, &ids).map_err(wrong)?];
        if pair[0] == pair[1] {
            return Err(wrong(SceneFileProblem::Keys("a body does not collide with itself; name two bodies")));
        }
        excluded.push(pair);
    }
    Ok(Scene {
        title: document.title.unwrap_or_else(|| document.name.clone()),
        name: document.name,
        materials,
        forces,
        friction,
        solver: Scene::solver_for(&bodies, &joints),
        is_as_published: false,
        time_step,
        scored_step,
        truth: truth(document.truth, "truth", &bodies, &ids)?,
        published_truth: published.transpose()?,
        bodies,
        joints,
        excluded,
    })
}

/// The body of a name.
fn body_of(name: &str, bodies: &[SceneBody], ids: &BTreeMap<String, BodyId>) -> Result<BodyId, SceneFileProblem> {
    ids.get(name).copied().ok_or_else(|| {
        let known: Vec<String> = bodies.iter().map(|b| format!("\"{}\"", b.name)).collect();
        SceneFileProblem::UnknownBody { name: name.into(), known: known.join(", ") }
    })
}

fn forces(gravity: Option<&Tuple<f64, 3>>, damping: Option<&Damping>) -> Result<ExternalForces, SceneFileError> {
    let mut forces = ExternalForces::default();
    if let Some(gravity) = gravity {
        forces.gravity = number::bounded(gravity).map_err(|problem| SceneFileError::at("gravity", problem))?;
    }
    let factor = |field: &str, given: Option<f64>, usual| {
        number::not_negative(given.unwrap_or(usual)).map_err(|problem| SceneFileError::at(field, problem))
    };
    if let Some(&Damping { linear, angular }) = damping {
        forces.linear_damping = factor("damping.linear", linear, forces.linear_damping)?;
        forces.angular_damping = factor("damping.angular", angular, forces.angular_damping)?;
    }
    Ok(forces)
}

fn materials(
    names: Vec<String>,
    interactions: Vec<InteractionEntry>,
    model: FrictionModel,
) -> Result<MaterialTable, SceneFileError> {
    let mut table = MaterialTable::new();
    for name in names {
        name::visible(&name).map_err(|problem| SceneFileError::at("materials", problem))?;
        table.add(name).map_err(|error| SceneFileError::at("materials", error))?;
    }
    for InteractionEntry { between: Tuple([a, b]), friction, restitution } in interactions {
        let place = format!("interaction between \"{a}\" and \"{b}\"");
        let wrong = |error| SceneFileError::at(&place, SceneFileProblem::Material(error));
        let (a, b) = (table.id(&a).map_err(wrong)?, table.id(&b).map_err(wrong)?);
        if table.pair(a, b).is_some() {
            return Err(SceneFileError::at(&place, SceneFileProblem::Repeated { of: "pair of materials" }));
        }
        let friction = friction.0;
        table.set(a, b, Interaction { friction, restitution }).map_err(wrong)?;
        if model == FrictionModel::Ball && (friction.t != friction.s || friction.torsion != friction.s) {
            let cure = "the friction model \"ball\" takes one coefficient; give one number, or let the scene say \
                        `friction_model = \"ellipsoid\"` or `\"box\"`, which take three";
            return Err(SceneFileError::at(format!("{place}, friction"), SceneFileProblem::Keys(cure)));
        }
    }
    Ok(table)
}

fn truth(
    entries: Vec<TruthEntry>,
    key: &str,
    bodies: &[SceneBody],
    ids: &BTreeMap<String, BodyId>,
) -> Result<Truth, SceneFileError> {
    let mut truth = Truth::default();
    for TruthEntry { bodies: Tuple(names), normals, carriers, minimum, area } in entries {
        let place = format!("{key} of \"{}\" and \"{}\"", names[0], names[1]);
        let at = |field: &str, problem| SceneFileError::at(format!("{place}, {field}"), problem);
        let body = |field: &str, name: &str| body_of(name, bodies, ids).map_err(|problem| at(field, problem));
        let (a, b) = (body("bodies", &names[0])?, body("bodies", &names[1])?);
        if a == b {
            return Err(at("bodies", SceneFileProblem::Keys("a body has no contacts with itself; name two bodies")));
        }
        if [a, b].iter().all(|id| !bodies[id.index()].body.is_dynamic()) {
            let cure = "both bodies are fixed or kinematic, and between such no contacts are sought; remove the entry";
            return Err(at("bodies", SceneFileProblem::Keys(cure)));
        }
        if truth.of(a, b).is_some() {
            return Err(at("bodies", SceneFileProblem::Repeated { of: "pair of bodies" }));
        }
        if normals.is_empty() {
            let cure = "give at least one; a pair that should have no contacts is left out of the truth";
            return Err(at("normals", SceneFileProblem::Keys(cure)));
        }
        if minimum == 0 {
            let must = "at least 1; a pair that should have no contacts is left out of the truth";
            return Err(at("minimum", SceneFileProblem::Value { must, found: "0".into() }));
        }
        let minimum = number::count(minimum, 1, MAXIMUM_MINIMUM).map_err(|problem| at("minimum", problem))?;
        let area = area.map(number::positive).transpose().map_err(|problem| at("area", problem))?;
        let directions = directions(&normals).map_err(|(index, problem)| at(&format!("normals[{index}]"), problem))?;
        let mut normals: Vec<_> = directions.into_iter().map(ExpectedNormal::from).collect();
        if carriers.as_ref().is_some_and(|carriers| carriers.len() != normals.len()) {
            let cure = "give one name for each of the normals, \"\" for one that is fixed in the world";
            return Err(at("carriers", SceneFileProblem::Keys(cure)));
        }
        for (normal, name) in normals.iter_mut().zip(carriers.iter().flatten()).filter(|(_, name)| !name.is_empty()) {
            let id = body("carriers", name)?;
            if id != a && id != b {
                let cure = "an expected normal turns with one of its two bodies; name one of them";
                return Err(at("carriers", SceneFileProblem::Keys(cure)));
            }
            normal.carrier = Some(Carrier { body: id, orientation: bodies[id.index()].body.orientation });
        }
        truth.pairs.push(PairTruth { a, b, normals, minimum, area });
    }
    Ok(truth)
}

/// Unit vectors along different lines; errors come with their index.
fn directions(entries: &[Tuple<f64, 3>]) -> Result<Vec<DVec3>, (usize, SceneFileProblem)> {
    let mut normals: Vec<DVec3> = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let normal = number::unit(entry).map_err(|problem| (index, problem))?;
        if let Some(other) = normals.iter().position(|&earlier| number::are_parallel(earlier, normal)) {
            return Err((index, SceneFileProblem::Parallel { other }));
        }
        normals.push(normal);
    }
    Ok(normals)
}
