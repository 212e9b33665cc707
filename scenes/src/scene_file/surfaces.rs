//! Scene files with deformable surfaces, for the asynchronous simulator.

use std::path::{Path, PathBuf};

use drystone_contact::Bounds;
use drystone_contact::shape::mesh_file;
use drystone_engine::simulator::asynchronous::{ContactLaw, DeformableSurface, SurfaceMaterial, VelocityKey};
use glam::{DQuat, DVec3};
use serde::Deserialize;

use super::document::Tuple;
use super::error::{SceneFileError, SceneFileProblem};
use super::number::{self, UNIT_LENGTH_TOLERANCE};
use super::{SCHEMA, name, syntax};
use crate::asynchronous::{NamedSurface, OpenedSurfaces, SurfaceScene, place};

/// Of a frame, s, where the file states none.
const TIME_STEP: f64 = 0.005;

/// When there is no more to see, s, where the file states nothing.
const DURATION: f64 = 0.5;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: Option<String>,
    name: String,
    title: Option<String>,
    time_step: Option<f64>,
    duration: Option<f64>,
    gravity: Option<Tuple<f64, 3>>,
    #[serde(default)]
    contact: ContactLaw,
    surface: Vec<SurfaceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceEntry {
    name: String,
    file: Option<PathBuf>,
    vertices: Option<Vec<Tuple<f64, 3>>>,
    triangles: Option<Vec<Tuple<u32, 3>>>,
    particle: Option<f64>,
    scale: Option<f64>,
    position: Option<Tuple<f64, 3>>,
    orientation_xyzw: Option<Tuple<f64, 4>>,
    material: Option<MaterialEntry>,
    velocity: Option<Tuple<f64, 3>>,
    #[serde(default)]
    prescribed: Vec<PrescribedEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaterialEntry {
    area_density: f64,
    stretching: f64,
    #[serde(default)]
    bending: f64,
    #[serde(default)]
    damping: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrescribedEntry {
    vertices: Option<Vec<u32>>,
    within: Option<Tuple<Tuple<f64, 3>, 2>>,
    #[serde(default)]
    key: Vec<KeyEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyEntry {
    time: f64,
    velocity: Tuple<f64, 3>,
}

/// Whether the text of a scene file has surfaces in it.
pub fn is_of_surfaces(text: &str) -> bool {
    toml::from_str::<toml::Table>(text).is_ok_and(|table| table.contains_key("surface"))
}

/// Makes the scene of a text; mesh files count from `folder`.
pub fn parse(text: &str, folder: &Path) -> Result<OpenedSurfaces, SceneFileError> {
    let document: Document = toml::from_str(text).map_err(|error| syntax(text, &error))?;
    let at = |place: &str, problem: SceneFileProblem| SceneFileError::at(place, problem);
    if let Some(found) = document.schema.filter(|found| found != SCHEMA) {
        return Err(at("schema", SceneFileProblem::Schema { found }));
    }
    name::of_files(&document.name).map_err(|problem| at("name", problem))?;
    let positive = |key: &str, value: Option<f64>, usual: f64| {
        number::positive(value.unwrap_or(usual)).map_err(|problem| at(key, problem))
    };
    let time_step = positive("time_step", document.time_step, TIME_STEP)?;
    let duration = positive("duration", document.duration, DURATION)?;
    let gravity = match &document.gravity {
        Some(gravity) => number::bounded(gravity).map_err(|problem| at("gravity", problem))?,
        None => DVec3::NEG_Y * 9.82,
    };
    document.contact.check().map_err(|error| at("contact", error.into()))?;
    let mut scene = None::<SurfaceScene>;
    let mut surfaces: Vec<NamedSurface> = Vec::new();
    for entry in &document.surface {
        let places = Places(&entry.name);
        name::visible(&entry.name).map_err(|problem| places.error("name", problem))?;
        if surfaces.iter().any(|known| known.name == entry.name) {
            return Err(places.error("name", SceneFileProblem::Repeated { of: "surface name" }));
        }
        let (surface, prescribed, velocities) = surface(entry, folder, &places)?;
        let (count, triangle_count) = (surface.positions().len() as u32, surface.triangles().len() as u32);
        let [start, first] = surfaces.last().map_or([0; 2], |last| [last.vertices.end, last.triangles.end]);
        let (vertices, triangles) = (start..start + count, first..first + triangle_count);
        surfaces.push(NamedSurface { name: entry.name.clone(), vertices, triangles });
        let Some(scene) = &mut scene else {
            let law = document.contact;
            scene = Some(SurfaceScene { surface, prescribed, gravity, law, velocities, duration });
            continue;
        };
        let first = scene.surface.append(&surface);
        let shifted = |vertices: Vec<u32>| vertices.into_iter().map(|v| v + first).collect::<Vec<u32>>();
        scene.prescribed.extend(shifted(prescribed));
        scene
            .velocities
            .extend(velocities.into_iter().map(|key| VelocityKey { vertices: shifted(key.vertices.clone()), ..key }));
    }
    let empty = "there are no surfaces; add `[[surface]]` tables";
    let scene = scene.ok_or_else(|| SceneFileError::whole(SceneFileProblem::Keys(empty)))?;
    // What can be said before a run is said now.
    scene.simulation().map_err(|error| match place(&surfaces, &error) {
        Some(place) => SceneFileError::at(place, error),
        None => SceneFileError::whole(error.into()),
    })?;
    let title = document.title.unwrap_or_else(|| document.name.clone());
    Ok(OpenedSurfaces { name: document.name, title, time_step, scene, surfaces })
}

/// Where in the file.
struct Places<'a>(&'a str);

impl Places<'_> {
    fn error(&self, key: &str, problem: impl Into<SceneFileProblem>) -> SceneFileError {
        SceneFileError::at(format!("surface \"{}\", {key}", self.0), problem)
    }
}

/// A surface where it begins, its prescribed vertices and when velocities are given to vertices.
type Made = (DeformableSurface, Vec<u32>, Vec<VelocityKey>);

fn surface(entry: &SurfaceEntry, folder: &Path, places: &Places<'_>) -> Result<Made, SceneFileError> {
    let keys = |key: &str, what: &'static str| places.error(key, SceneFileProblem::Keys(what));
    let vector =
        |key: &str, value: &Tuple<f64, 3>| number::bounded(value).map_err(|problem| places.error(key, problem));
    let position = entry.position.as_ref().map_or(Ok(DVec3::ZERO), |value| vector("position", value))?;
    let scale = number::positive(entry.scale.unwrap_or(1.0)).map_err(|problem| places.error("scale", problem))?;
    let turn = match &entry.orientation_xyzw {
        None => DQuat::IDENTITY,
        Some(quaternion) => number::rotation(quaternion, UNIT_LENGTH_TOLERANCE)
            .map_err(|problem| places.error("orientation_xyzw", problem))?
            .normalize(),
    };
    let placed = |point: DVec3| position + turn * (point * scale);
    let place = |(vertex, point): (usize, DVec3)| {
        let place = if point.is_finite() { placed(point) } else { point };
        number::within_bounds(place).map_err(|problem| places.error(&format!("vertex {vertex}"), problem))
    };
    let made = match (&entry.file, &entry.vertices, &entry.triangles, entry.particle) {
        (None, None, None, Some(mass)) => {
            if entry.material.is_some() {
                return Err(keys("material", "a particle has a mass and no material; remove it"));
            }
            DeformableSurface::particle(place((0, DVec3::ZERO))?, mass)
        }
        (Some(_), None, None, None) | (None, Some(_), Some(_), None) => {
            let (points, triangles) = mesh(entry, folder, places)?;
            let material = entry.material.as_ref().ok_or_else(|| {
                keys("material", "is missing; give `area_density` (kg/m²) and `stretching` (N), and if wanted `bending` (J) and `damping` (N s)")
            })?;
            let &MaterialEntry { area_density, stretching, bending, damping } = material;
            let material = SurfaceMaterial { area_density, stretching, bending, damping };
            let points: Vec<DVec3> = points.into_iter().enumerate().map(place).collect::<Result<_, _>>()?;
            DeformableSurface::new(points, &triangles, &material)
        }
        _ => return Err(keys("mesh", "give one of `file`, `vertices` with `triangles`, or `particle` (a mass in kg)")),
    };
    let surface = made.map_err(|error| places.error("mesh", error))?;
    let count = surface.positions().len() as u32;
    let mut velocities = Vec::new();
    if let Some(velocity) = &entry.velocity {
        let velocity = vector("velocity", velocity)?;
        velocities.push(VelocityKey { time: 0.0, vertices: (0..count).collect(), velocity });
    }
    let mut prescribed = Vec::new();
    for group in &entry.prescribed {
        let vertices: Vec<u32> = match (&group.vertices, &group.within) {
            (Some(_), Some(_)) => return Err(keys("prescribed", "give `vertices` or `within`, not both")),
            (Some(vertices), None) => vertices.clone(),
            (None, None) => (0..count).collect(),
            (None, Some(Tuple([low, high]))) => {
                let bounds =
                    Bounds { low: vector("prescribed, within", low)?, high: vector("prescribed, within", high)? };
                let is_in = |p: &DVec3| p.cmpge(bounds.low).all() && p.cmple(bounds.high).all();
                (0..).zip(surface.positions()).filter(|(_, p)| is_in(p)).map(|(v, _)| v).collect()
            }
        };
        if vertices.is_empty() {
            return Err(keys("prescribed", "no vertex is in it at the start; `within` is two corners in the world, m"));
        }
        if let Some(&vertex) = vertices.iter().find(|vertex| **vertex >= count) {
            let found = vertex as usize;
            return Err(
                places.error("prescribed", SceneFileProblem::Range { least: 0, most: count as usize - 1, found })
            );
        }
        // Without keys they rest, whatever the surface begins with.
        velocities.push(VelocityKey { time: 0.0, vertices: vertices.clone(), velocity: DVec3::ZERO });
        for KeyEntry { time, velocity } in &group.key {
            let time = number::not_negative(*time).map_err(|problem| places.error("prescribed, key, time", problem))?;
            let velocity = vector("prescribed, key, velocity", velocity)?;
            velocities.push(VelocityKey { time, vertices: vertices.clone(), velocity });
        }
        prescribed.extend(vertices);
    }
    Ok((surface, prescribed, velocities))
}

fn mesh(
    entry: &SurfaceEntry,
    folder: &Path,
    places: &Places<'_>,
) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), SceneFileError> {
    if let Some(file) = &entry.file {
        let mesh = mesh_file::read(folder.join(file)).map_err(|error| places.error("file", error))?;
        if mesh.triangles.is_empty() {
            let what =
                "the mesh has tetrahedra alone; a surface is of triangles: export the boundary of the tetrahedra";
            return Err(places.error("file", SceneFileProblem::Keys(what)));
        }
        return Ok((mesh.vertices, mesh.triangles));
    }
    let points = entry.vertices.iter().flatten().map(|point| DVec3::from_array(point.0)).collect();
    Ok((points, entry.triangles.iter().flatten().map(|corners| corners.0).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
name = "drape"
duration = 0.02
contact = { thickness = 2e-3, stiffness = 300, friction = 0.2 }

[[surface]]
name = "cloth"
vertices = [[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0]]
triangles = [[0, 1, 2], [0, 2, 3]]
scale = 0.1
position = [0, 0.5, 0]
orientation_xyzw = [0, 0.7071067811865476, 0, 0.7071067811865476]
material = { area_density = 0.2, stretching = 15 }
velocity = [0, -1, 0]

[[surface.prescribed]]
within = [[-0.01, 0.4, -0.11], [0.01, 0.6, 0.01]]
key = [{ time = 0.01, velocity = [0, 0, 2] }]

[[surface]]
name = "bead"
particle = 0.01
position = [0.05, 0.6, -0.05]
"#;

    fn refusal(from: &str, to: &str) -> String {
        assert!(FILE.contains(from));
        parse(&FILE.replacen(from, to, 1), Path::new("")).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_read_as_it_says() {
        let OpenedSurfaces { name, time_step, scene, .. } = parse(FILE, Path::new("")).unwrap();
        assert!(is_of_surfaces(FILE) && !is_of_surfaces("name = \"x\"") && !is_of_surfaces("[["));
        assert_eq!((name.as_str(), time_step, scene.duration), ("drape", TIME_STEP, 0.02));
        assert_eq!((scene.law.thickness, scene.law.friction, scene.law.speed), (2e-3, 0.2, 1.0));
        assert_eq!(scene.gravity, DVec3::NEG_Y * 9.82);
        let at = scene.surface.positions();
        assert!((at[2] - DVec3::new(0.1, 0.5, -0.1)).length() < 1e-15 && at.len() == 5, "{at:?}");
        assert_eq!((scene.prescribed.clone(), at[4]), (vec![0, 3], DVec3::new(0.05, 0.6, -0.05)));
        let mut simulation = scene.simulation().unwrap();
        simulation.run_until(0.02).unwrap();
        let now = simulation.positions();
        assert!((now[0] - at[0] - DVec3::Z * 0.02).length() < 1e-12 && now[1].y < at[1].y - 0.019, "{now:?}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (from, to, words) in [
            ("name = \"bead\"", "name = \"cloth\"", "surface \"cloth\", name: there is already one"),
            ("particle = 0.01", "particle = -1", "surface \"bead\", mesh: the mass is -1"),
            ("stretching = 15", "stretching = 15, stiffness = 3", "unknown field `stiffness`"),
            ("friction = 0.2", "friction = -0.2", "contact: the coefficient of friction is -0.2"),
            ("[0, 2, 3]]", "[0, 2, 4]]", "surface \"cloth\", mesh: triangle 1 has the vertices [0, 2, 4]"),
            ("material = { area_density = 0.2, stretching = 15 }", "", "surface \"cloth\", material: is missing"),
            ("triangles = [[0, 1, 2], [0, 2, 3]]", "", "surface \"cloth\", mesh: give one of `file`"),
            ("[-0.01, 0.4, -0.11]", "[5, 0.4, -0.11]", "surface \"cloth\", prescribed: no vertex is in it"),
            ("time = 0.01", "time = -1", "surface \"cloth\", prescribed, key, time: must be"),
            ("0, 0.7071067811865476, 0, 0.7071067811865476", "0, 1, 1, 0", "orientation_xyzw: must be of unit length"),
            ("duration = 0.02", "duration = 0", "duration: must be"),
            (
                "position = [0.05, 0.6, -0.05]",
                "position = [0.05, 0.501, -0.05]",
                "vertex 0 of surface \"bead\" and triangle 0 of surface \"cloth\": vertex 4 and",
            ),
            ("name = \"drape\"", "name = \"drape\"\nschema = \"x\"", "the schema is \"x\""),
            ("scale = 0.1", "scale = 1e300", "surface \"cloth\", vertex 1: "),
            ("[1, 0, 1]", "[1e12, 0, 1]", "surface \"cloth\", vertex 2: "),
            ("[1, 0, 1]", "[1, nan, 1]", "surface \"cloth\", vertex 2: "),
        ] {
            let message = refusal(from, to);
            assert!(message.contains(words), "{words}: {message}");
        }
    }
}
