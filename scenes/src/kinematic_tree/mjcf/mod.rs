//! MJCF, the XML files of MuJoCo. The meanings are those of MuJoCo's documentation ("XML Reference").

mod body;
mod compiler;
mod default;
mod geom;
mod include;
mod joint;
mod mesh;
mod option;
mod tie;

use std::path::{Path, PathBuf};

use super::element::Element;
use super::error::{TreeError, TreeProblem};
use super::folder;
use super::model::Model;
use super::note::Notes;
use compiler::Compiler;
use default::Defaults;
use include::Included;
use mesh::Meshes;
use option::Options;

pub use geom::USUAL_FRICTION;

/// Sections that are read.
const READ: [&str; 9] =
    ["compiler", "option", "default", "asset", "worldbody", "equality", "contact", "tendon", "size"];

/// Sections that have no effect on bodies that nothing drives.
const PASSED: [&str; 5] = ["visual", "statistic", "sensor", "custom", "extension"];

/// What all parts of a model need.
pub struct Reader {
    pub compiler: Compiler,
    pub defaults: Defaults,
    pub meshes: Meshes,
    pub notes: Notes,
}

/// The model of a file of which this is the root element.
pub fn model(root: Element, path: &Path) -> Result<Model, TreeError> {
    let root = Included::new(path).resolve(root, 0)?;
    root.only(&[&["model"]])?;
    root.only_children(&[&READ, &PASSED, &["actuator", "keyframe", "deformable"]])?;
    let compiler = Compiler::new(&root)?;
    let defaults = Defaults::new(&root)?;
    let meshes = Meshes::new(&root, folder(path), &compiler, &defaults)?;
    let mut reader = Reader { compiler, defaults, meshes, notes: Notes::default() };
    let options = Options::new(&root, &mut reader.notes)?;
    let links = body::links(&root, &mut reader)?;
    let ties = tie::ties(&root, &links, &mut reader)?;
    let excluded = tie::excluded(&root, &links)?;
    tie::check_tendons(&root, &mut reader)?;
    note_sections(&root, &mut reader.notes)?;
    Ok(Model {
        name: root.text("model").unwrap_or_default().to_owned(),
        format: "MJCF",
        gravity: options.gravity,
        time_step: options.time_step,
        links,
        ties,
        excluded,
        parents_pass: options.parents_pass,
        has_contacts: options.has_contacts,
        notes: reader.notes,
    })
}

/// The files that the file includes and those of meshes.
pub fn files(root: Element, path: &Path) -> Vec<PathBuf> {
    let mut included = Included::new(path);
    let Ok(root) = included.resolve(root, 0) else { return Vec::new() };
    let mut files = included.files.split_off(1);
    let meshes = Compiler::new(&root).and_then(|compiler| {
        let defaults = Defaults::new(&root)?;
        Meshes::new(&root, folder(path), &compiler, &defaults)
    });
    files.extend(meshes.map(Meshes::files).unwrap_or_default());
    files
}

/// Notes what was passed over and would move bodies in MuJoCo, and refuses what has bodies of another kind.
fn note_sections(root: &Element, notes: &mut Notes) -> Result<(), TreeError> {
    for actuator in root.all("actuator").flat_map(|section| &section.children) {
        let what = "was left out: nothing drives joints here; in MuJoCo an actuator with a setpoint would hold its joint at zero";
        notes.add(actuator, "", what);
    }
    for key in root.all("keyframe").flat_map(|section| &section.children) {
        notes.add(key, "", "was left out: the model begins where its bodies are given");
    }
    let mut deformable = root.all("deformable").flat_map(|section| &section.children);
    // A skin is only seen.
    match deformable.find(|child| child.name != "skin") {
        Some(child) => Err(child.error("", TreeProblem::unsupported("what is deformable", "remove it"))),
        None => Ok(()),
    }
}
