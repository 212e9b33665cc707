//! From a scene to the text of a scene file.

use drystone_contact::shape::{CompoundPart, MeshSides, Polyhedron, Shape, TetgenSettings, TetrahedralizationSettings};
use drystone_contact::solid::Solid;
use drystone_engine::solver::FrictionModel;
use drystone_engine::{
    BodyId, BodyKind, Groups, MaterialError, MaterialId, MaterialTable, Phase, Pose, PrescribedMotion,
};

use super::error::{SceneFileError, SceneFileProblem};
use super::solid::is_path;
use super::{SCHEMA, encode_joints};
use glam::DVec3;
use std::path::Path;

use crate::scene::{FREE_AXES, Scene, SceneBody};
use crate::truth::{ExpectedNormal, Truth};

const HEADER: &str =
    "# A scene of Drystone, with every number exact. The format is described in docs/scene-files.md.\n";

/// The text, without any check that it can be read. Within a body the tables that a body needs come last, so that a
/// file that is cut short is not a scene.
pub fn text(scene: &Scene) -> Result<String, SceneFileError> {
    let mut text = String::from(HEADER);
    let forces = &scene.forces;
    for (key, value) in [
        ("schema", string(SCHEMA)),
        ("name", string(&scene.name)),
        ("title", string(&scene.title)),
        ("body_count", scene.bodies.len().to_string()),
        ("time_step", number(scene.time_step)),
        ("step", scene.scored_step.to_string()),
        ("friction_model", string(friction_model(scene.friction))),
        ("gravity", numbers(&forces.gravity.to_array())),
        ("damping.linear", number(forces.linear_damping)),
        ("damping.angular", number(forces.angular_damping)),
    ] {
        text += &entry(key, &value);
    }
    let ids: Vec<MaterialId> = known_materials(&scene.materials).collect();
    let names = ids.iter().map(|&id| material(&scene.materials, id)).collect::<Result<Vec<_>, _>>()?;
    text += &entry("materials", &list(&names));
    if scene.published_truth.as_ref().is_some_and(|truth| truth.pairs.is_empty()) {
        text += &entry("published_truth", "[]");
    }
    if !scene.excluded.is_empty() {
        let pairs = scene.excluded.iter().map(|pair| excluded(pair, &scene.bodies));
        text += &rows("excluded", pairs.collect::<Result<Vec<_>, _>>()?.into_iter());
    }
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i..] {
            let Some(interaction) = scene.materials.pair(a, b) else { continue };
            text += "\n[[interaction]]\n";
            text += &entry("between", &list(&[names[a.index()].clone(), names[b.index()].clone()]));
            let [s, t, torsion] = interaction.friction.to_array().map(number);
            let is_isotropic = s == t && s == torsion;
            let named = format!("{{ s = {s}, t = {t}, torsion = {torsion} }}");
            text += &entry("friction", if is_isotropic { &s } else { &named });
            text += &entry("restitution", &number(interaction.restitution));
        }
    }
    text += &truth(&scene.truth, "truth", &scene.bodies)?;
    if let Some(published) = &scene.published_truth {
        text += &truth(published, "published_truth", &scene.bodies)?;
    }
    for scene_body in &scene.bodies {
        text += &body(scene_body, &scene.materials)?;
    }
    Ok(text + &encode_joints::text(scene)?)
}

/// A pair of bodies that do not collide, by their names.
fn excluded(pair: &[BodyId; 2], bodies: &[SceneBody]) -> Result<String, SceneFileError> {
    let name = |id: BodyId| {
        bodies.get(id.index()).map(|b| string(&b.name)).ok_or_else(|| {
            let known = bodies.iter().map(|b| string(&b.name)).collect::<Vec<_>>().join(", ");
            SceneFileError::at("excluded", SceneFileProblem::UnknownBody { name: id.to_string(), known })
        })
    };
    Ok(list(&[name(pair[0])?, name(pair[1])?]))
}

fn friction_model(model: FrictionModel) -> &'static str {
    match model {
        FrictionModel::Ball => "ball",
        FrictionModel::Ellipsoid => "ellipsoid",
        FrictionModel::Box => "box",
    }
}

fn known_materials(table: &MaterialTable) -> impl Iterator<Item = MaterialId> {
    (0..u16::MAX).map(MaterialId::new).take_while(|&id| table.name(id).is_ok())
}

fn material(table: &MaterialTable, id: MaterialId) -> Result<String, SceneFileError> {
    let wrong = |error: MaterialError| SceneFileError::at("materials", error);
    table.name(id).map(string).map_err(wrong)
}

fn truth(truth: &Truth, key: &str, bodies: &[SceneBody]) -> Result<String, SceneFileError> {
    let mut text = String::new();
    // Normals are written as they are where the bodies of the file are.
    let poses: Vec<_> = bodies.iter().map(|b| b.body.pose()).collect();
    for pair in &truth.pairs {
        let name = |id: drystone_engine::BodyId| {
            bodies.get(id.index()).map(|b| string(&b.name)).ok_or_else(|| {
                let known = bodies.iter().map(|b| string(&b.name)).collect::<Vec<_>>().join(", ");
                SceneFileError::at(key, SceneFileProblem::UnknownBody { name: id.to_string(), known })
            })
        };
        text += &format!("\n[[{key}]]\n");
        text += &entry("bodies", &list(&[name(pair.a)?, name(pair.b)?]));
        let normals: Vec<_> = pair.normals.iter().map(|normal| normal.at(&poses)).collect();
        text += &rows("normals", normals.iter().map(|n| numbers(&n.direction.to_array())));
        if normals.iter().any(|n| n.carrier.is_some()) {
            let carrier = |n: &ExpectedNormal| n.carrier.map_or(Ok("\"\"".into()), |c| name(c.body));
            text += &entry("carriers", &list(&normals.iter().map(carrier).collect::<Result<Vec<_>, _>>()?));
        }
        text += &entry("minimum", &pair.minimum.to_string());
        if let Some(area) = pair.area {
            text += &entry("area", &number(area));
        }
    }
    Ok(text)
}

fn body(scene_body: &SceneBody, materials: &MaterialTable) -> Result<String, SceneFileError> {
    let SceneBody { name, shape, body, prescribed_motion, locked_axes, groups } = scene_body;
    let wrong =
        |error| SceneFileError::at(format!("body {}, material", string(name)), SceneFileProblem::Material(error));
    let material = materials.name(body.material).map(string).map_err(wrong)?;
    let mut text = String::from("\n[[body]]\n");
    for (key, value) in [
        ("name", string(name)),
        ("material", material),
        ("fixed", body.is_fixed().to_string()),
        ("kinematic", (body.kind() == BodyKind::Kinematic).to_string()),
        ("frame", string("body")),
        ("position", numbers(&body.position.to_array())),
        ("orientation_xyzw", numbers(&body.orientation.to_array())),
        ("velocity", numbers(&body.velocity.to_array())),
        ("angular_velocity", numbers(&body.angular_velocity.to_array())),
    ] {
        text += &entry(key, &value);
    }
    if body.is_dynamic() {
        text += &entry("mass", &number(body.mass()));
        text += &entry("inertia", &numbers(&body.inertia().to_array()));
    }
    if *groups != Groups::ALL {
        let Groups { member, with } = groups;
        text += &entry("groups", &format!("{{ member = {member}, with = {with} }}"));
    }
    if *locked_axes != FREE_AXES {
        for (key, axes) in ["locked_translation", "locked_rotation"].into_iter().zip(locked_axes) {
            text += &entry(key, &format!("{axes:?}"));
        }
    }
    for (key, value) in ["force", "torque"].into_iter().zip(body.constant_force()) {
        if body.is_dynamic() && value != DVec3::ZERO {
            text += &entry(key, &numbers(&value.to_array()));
        }
    }
    if let Some(polyhedron) = shape.as_polyhedron() {
        text += &fill(polyhedron, &format!("body {}, fill", string(name)))?;
    }
    if let Some(prescribed_motion) = prescribed_motion {
        text += &phases(prescribed_motion);
    }
    if let Some(eroded) = shape.as_polyhedron().and_then(|polyhedron| polyhedron.given_eroded()) {
        text += &solid("eroded", eroded);
    }
    text += &solid("shape", shape);
    Ok(text)
}

/// How tetrahedra of the shape and of its eroded copy would be made, where that is not as usual.
fn fill(polyhedron: &Polyhedron, place: &str) -> Result<String, SceneFileError> {
    let eroded = polyhedron.given_eroded().and_then(|eroded| eroded.as_polyhedron());
    let surfaces = [Some(polyhedron), eroded].into_iter().flatten().filter(|p| p.given_tetrahedra().is_none());
    let mut settings = surfaces.map(Polyhedron::tetrahedralization_settings);
    let first = settings.next().unwrap_or_default();
    if settings.any(|other| other != first) {
        let cure = "shape and eroded copy are tetrahedralized by different settings, and a scene file has one `fill` for \
                    both; give them the same settings, or tetrahedra";
        return Err(SceneFileError::at(place, SceneFileProblem::Keys(cure)));
    }
    if first == TetrahedralizationSettings::default() {
        return Ok(String::new());
    }
    let TetgenSettings { program, quality_ratio, maximum_volume, timeout } = first.tetgen;
    let program = program.map(|program| program_name(&program, place)).transpose()?;
    let values = [
        ("program", program),
        ("quality", quality_ratio.map(number)),
        ("maximum_volume", maximum_volume.map(number)),
        ("timeout", Some(number(timeout.as_secs_f64()))),
    ];
    let keys = values.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", value?)));
    Ok(entry("fill", &format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))))
}

/// A program as a string. A path is absolute, as one that is not counts from the folder of the scene file.
fn program_name(program: &Path, place: &str) -> Result<String, SceneFileError> {
    let absolute = if is_path(program) { std::path::absolute(program) } else { Ok(program.to_owned()) };
    let wrong = |must| SceneFileProblem::Value { must, found: program.display().to_string() };
    let absolute = absolute.map_err(|_| wrong("the path of a program from a folder that exists"));
    let name = absolute.and_then(|path| path.to_str().map(string).ok_or_else(|| wrong("a path in Unicode")));
    name.map_err(|problem| SceneFileError::at(format!("{place}.program"), problem))
}

/// An empty prescribed motion must be kept too: with it the body rests, without one it keeps its velocities.
fn phases(prescribed_motion: &PrescribedMotion) -> String {
    if prescribed_motion.phases().is_empty() {
        return entry("phase", "[]");
    }
    let phase = |phase: &Phase| {
        let Phase { duration, velocity, angular_velocity } = phase;
        let mut text = String::from("\n[[body.phase]]\n");
        text += &entry("duration", &number(*duration));
        text += &entry("velocity", &numbers(&velocity.to_array()));
        text += &entry("angular_velocity", &numbers(&angular_velocity.to_array()));
        text
    };
    prescribed_motion.phases().iter().map(phase).collect()
}

fn solid(key: &str, shape: &Shape) -> String {
    table(&format!("body.{key}"), shape)
}

/// A shape as a table with this path.
fn table(path: &str, shape: &Shape) -> String {
    let points = |vertices: &[DVec3]| rows("vertices", vertices.iter().map(|v| numbers(&v.to_array())));
    let faces = |triangles: &[[u32; 3]]| rows("triangles", triangles.iter().map(|t| format!("{t:?}")));
    let content = match shape {
        Shape::Polyhedron(polyhedron) => match polyhedron.given_tetrahedra() {
            Some(given) => {
                let tetrahedra = rows("tetrahedra", given.mesh().tetrahedra().iter().map(|t| format!("{t:?}")));
                points(given.mesh().vertices()) + &tetrahedra
            }
            None => {
                // As the tetrahedra will be made from it, should a method ask.
                let (surface, frames) = polyhedron.design();
                let frame = |f: &Pose| numbers(&[&f.translation.to_array()[..], &f.rotation.to_array()].concat());
                let seen = if frames.is_empty() { String::new() } else { rows("frames", frames.iter().map(frame)) };
                seen + &points(surface.vertices()) + &faces(surface.triangles())
            }
        },
        Shape::Primitive(primitive) => {
            entry("primitive", &string(primitive.kind())) + &entry("dimensions", &numbers(&primitive.dimensions()))
        }
        Shape::Solid(general) => entry("solid", &described(general.solid())),
        Shape::Compound(compound) => {
            let part = |part: &CompoundPart| {
                format!("\n[[{path}.parts]]\n")
                    + &entry("position", &numbers(&part.pose.translation.to_array()))
                    + &entry("orientation_xyzw", &numbers(&part.pose.rotation.to_array()))
                    + &table(&format!("{path}.parts.shape"), &part.shape)
            };
            compound.parts().iter().map(part).collect()
        }
        Shape::HeightField(field) => {
            let [row_count, columns] = field.size();
            format!("\n[{path}.height_field]\n")
                + &entry("rows", &row_count.to_string())
                + &entry("columns", &columns.to_string())
                + &entry("spacing", &numbers(&field.spacing()))
                + &rows("heights", field.heights().iter().map(|&height| number(height)))
        }
        Shape::TriangleMesh(mesh) => {
            let sides = if mesh.sides() == MeshSides::Both { "two-sided" } else { "one-sided" };
            entry("surface", &string(sides)) + &points(mesh.vertices()) + &faces(mesh.triangles())
        }
    };
    format!("\n[{path}]\n{content}")
}

/// A general solid as an inline table; of one that a program made itself, its kind, which no reader takes for one.
fn described(solid: &dyn Solid) -> String {
    let value = solid.description().and_then(|data| toml::Value::try_from(data).ok());
    value.map_or_else(|| string(solid.kind()), |value| value.to_string())
}

pub(super) fn entry(key: &str, value: &str) -> String {
    format!("{key} = {value}\n")
}

/// An array with one element a line.
pub(super) fn rows(key: &str, elements: impl Iterator<Item = String>) -> String {
    let elements: String = elements.map(|element| format!("  {element},\n")).collect();
    format!("{key} = [\n{elements}]\n")
}

pub(super) fn list(elements: &[String]) -> String {
    format!("[{}]", elements.join(", "))
}

pub(super) fn numbers(values: &[f64]) -> String {
    list(&values.iter().copied().map(number).collect::<Vec<_>>())
}

/// The shortest digits that read back to the same bits.
pub(super) fn number(value: f64) -> String {
    if value.is_nan() { "nan".into() } else { format!("{value:?}") }
}

pub(super) fn string(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        for value in [0.1, -0.0, 1.0 / 3.0, 5e-324, f64::MAX, 1e16, 123456789.0, -2.5e-9, f64::INFINITY] {
            let table: toml::Table = entry("x", &number(value)).parse().unwrap();
            let toml::Value::Float(read) = table["x"] else { panic!("{} is no float", number(value)) };
            assert_eq!(read.to_bits(), value.to_bits(), "{value}");
        }
        let table: toml::Table = entry("x", &number(f64::NAN)).parse().unwrap();
        assert!(table["x"].as_float().unwrap().is_nan());
    }

    #[test]
    fn strings_keep_their_characters() {
        for name in ["plain", "a \"b\" c", "back\\slash", "two\nlines", "Straße", "'", "\u{7f}\t\0"] {
            let table: toml::Table = entry("x", &string(name)).parse().unwrap();
            assert_eq!(table["x"].as_str(), Some(name));
        }
    }
}
