//! The data of the page: what several moments or runs share stands once.

use std::collections::HashMap;
use std::hash::Hash;

use drystone_contact::Feature;
use drystone_engine::BodyKind;
use drystone_scenes::contact_list::feature_name;
use serde::Serialize;

use super::moment::{Moment, Packed};
use super::packed;
use super::run::Run;
use crate::inspection::colour::{Legend, Rgb, SELECTED, UNKNOWN};
use crate::inspection::{Outline, Subject};

/// The name of the format; docs/page.md describes it.
const FORMAT: &str = "drystone.page/1";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    title: &'a str,
    colours: Colours,
    shapes: Vec<Shape>,
    scenes: Vec<Scene>,
    legends: Vec<&'a Legend>,
    runs: Vec<RunData<'a>>,
}

#[derive(Serialize)]
struct Colours {
    unknown: Rgb,
    selected: Rgb,
}

/// Body frame, m.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Shape {
    triangles: String,
    edges: String,
    mesh_edges: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Scene {
    name: String,
    bodies: Vec<Body>,
    surfaces: Vec<Surface>,
}

/// A deformable surface; the places of its vertices are in the moments.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Surface {
    name: String,
    kind: &'static str,
    triangles: String,
    edges: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Body {
    name: String,
    kind: &'static str,
    shape: usize,
}

#[derive(Serialize)]
struct RunData<'a> {
    scene: usize,
    /// Differs from those of the other runs in its scene.
    label: String,
    variant: Option<&'a str>,
    time_step: f64,
    every: u64,
    features: Vec<[String; 2]>,
    moments: Vec<MomentData<'a>>,
}

#[derive(Serialize)]
struct MomentData<'a> {
    #[serde(flatten)]
    packed: &'a Packed,
    legends: Vec<usize>,
    /// For each contact, the place of its features in those of the run.
    features: String,
}

/// Things that are written once and named by their places.
struct Once<T>(Vec<T>, HashMap<T, usize>);

impl<T: Clone + Eq + Hash> Once<T> {
    fn new() -> Self {
        Self(Vec::new(), HashMap::new())
    }

    fn place(&mut self, thing: T) -> usize {
        if let Some(&place) = self.1.get(&thing) {
            return place;
        }
        self.0.push(thing.clone());
        self.1.insert(thing, self.0.len() - 1);
        self.0.len() - 1
    }
}

/// Legends by what is written of them: they hold numbers, which have no order of their own.
#[derive(Default)]
struct Legends<'a>(Vec<&'a Legend>, HashMap<String, usize>);

impl<'a> Legends<'a> {
    fn place(&mut self, legend: &'a Legend) -> Result<usize, serde_json::Error> {
        let next = self.0.len();
        let place = *self.1.entry(serde_json::to_string(legend)?).or_insert(next);
        if place == next {
            self.0.push(legend);
        }
        Ok(place)
    }
}

/// The data of runs as JSON that may stand inside of a script element.
pub fn json(title: &str, runs: &[Run]) -> Result<String, serde_json::Error> {
    let (mut shapes, mut scenes, mut legends) = (Once::new(), Once::new(), Legends::default());
    let mut labels = Vec::new();
    let mut written = Vec::new();
    for run in runs {
        let subject = run.subject();
        let scene = scenes.place(scene(subject, &mut shapes));
        let label = label(subject, scene, &mut labels);
        let mut features = Once::new();
        let moments = run.moments().map(|moment| moment_data(moment, &mut legends, &mut features));
        let moments = moments.collect::<Result<Vec<_>, _>>()?;
        written.push(RunData {
            scene,
            label,
            // Only methods have variants.
            variant: (!subject.bodies.is_empty()).then(|| subject.method.variant()),
            time_step: subject.time_step,
            every: run.every(),
            features: features.0.iter().map(|pair: &[Feature; 2]| pair.map(feature_name)).collect(),
            moments,
        });
    }
    let document = Document {
        format: FORMAT,
        title,
        colours: Colours { unknown: UNKNOWN, selected: SELECTED },
        shapes: shapes.0,
        scenes: scenes.0,
        legends: legends.0,
        runs: written,
    };
    // No markup in it, whatever names say; inside of JSON strings, and only there, this is the same letter.
    Ok(serde_json::to_string(&document)?.replace('<', "\\u003c"))
}

fn scene(subject: &Subject, shapes: &mut Once<Shape>) -> Scene {
    let mut known: Vec<(*const Outline, usize)> = Vec::new();
    let mut place = |outline: &std::sync::Arc<Outline>| {
        let pointer = std::sync::Arc::as_ptr(outline);
        if let Some((_, place)) = known.iter().find(|(other, _)| *other == pointer) {
            return *place;
        }
        let shape = Shape {
            triangles: packed::vectors(outline.triangles.iter().flatten().copied()),
            edges: packed::vectors(outline.edges.iter().flatten().copied()),
            mesh_edges: packed::vectors(outline.mesh_edges.iter().flatten().copied()),
        };
        known.push((pointer, shapes.place(shape)));
        known[known.len() - 1].1
    };
    let bodies = subject.bodies.iter().map(|body| Body {
        name: body.name.clone(),
        kind: match body.kind {
            BodyKind::Dynamic => "dynamic",
            BodyKind::Fixed => "fixed",
            BodyKind::Kinematic => "kinematic",
        },
        shape: place(&body.outline),
    });
    let surfaces = subject.surfaces.iter().map(|surface| Surface {
        name: surface.name.clone(),
        kind: if surface.is_prescribed { "prescribed" } else { "free" },
        triangles: packed::counts(surface.triangles.iter().flatten().copied()),
        edges: packed::counts(surface.edges.iter().flatten().copied()),
    });
    Scene { name: subject.scene.clone(), bodies: bodies.collect(), surfaces: surfaces.collect() }
}

/// The name of the method, or of a simulator with contacts of its own; if the scene has it already, with its variant, and if that is so as well, with a number.
fn label(subject: &Subject, scene: usize, labels: &mut Vec<(usize, String)>) -> String {
    let name = subject.way_name();
    let variant = Some(format!("{name}, {}", subject.method.variant()));
    let numbered = (2..).map(|k| format!("{name} ({k})"));
    let mut candidates = std::iter::once(name.to_owned()).chain(variant).chain(numbered);
    let is_free = |label: &String| !labels.iter().any(|(s, l)| *s == scene && l == label);
    let label = candidates.find(is_free).unwrap_or_default();
    labels.push((scene, label.clone()));
    label
}

fn moment_data<'a>(
    moment: &'a Moment,
    legends: &mut Legends<'a>,
    features: &mut Once<[Feature; 2]>,
) -> Result<MomentData<'a>, serde_json::Error> {
    let places = moment.features.iter().map(|pair| features.place(*pair) as u32);
    Ok(MomentData {
        packed: &moment.packed,
        features: packed::counts(places.collect::<Vec<u32>>()),
        legends: moment.legends.iter().map(|legend| legends.place(legend)).collect::<Result<_, _>>()?,
    })
}
