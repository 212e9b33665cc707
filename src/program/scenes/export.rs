//! `drystone scenes --export`: scenes as data for other programs, a new folder each.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Arguments, Result, bail};
use anyhow::Context;

use crate::contact::generator::{Method, Registry};
use crate::contact::shape::mesh_file::{self, MeshFile};
use crate::program::one_line;
use crate::program::output::{claim, note, write_to};
use crate::program::progress::Progress;
use crate::program::report::file_name;
use crate::scenes::builtin::BuiltIn;
use crate::scenes::detection::{Moment, state_at};
use crate::scenes::export::data;
use crate::scenes::opening::open_surfaces;
use crate::scenes::scene::Scene;

/// Exports the scenes that are named, or all that have a truth. Nothing is written if one of them is there already.
pub fn run(arguments: &Arguments, folder: &Path, registry: &Registry) -> Result<bool> {
    let method = arguments.method.find(registry, arguments.options.variant)?;
    let names: Vec<String> = if arguments.scene.is_empty() {
        let takes_size = |scene: &BuiltIn| arguments.options.size.is_none() || scene.size().is_some();
        let scenes = BuiltIn::all().into_iter().filter(|scene| scene.has_truth() && takes_size(scene));
        scenes.map(|scene| scene.name().to_owned()).collect()
    } else {
        arguments.scene.clone()
    };
    let mut scenes: Vec<(Scene, PathBuf)> = Vec::with_capacity(names.len());
    for name in &names {
        let scene = open(arguments, name)?;
        let place = folder.join(file_name(&scene.name));
        if place.exists() {
            bail!("{} is there already; remove it or export into another folder", place.display());
        }
        if let Some((other, _)) = scenes.iter().find(|(_, known)| *known == place) {
            bail!("{name} has a scene called \"{}\", as does another; name each scene once", other.name);
        }
        scenes.push((scene, place));
    }
    let _claimed = claim(folder)?;
    let progress = Progress::new(scenes.len());
    let mut is_whole = true;
    for (scene, place) in &scenes {
        if let Err(error) = export(scene, place, arguments.step, &method) {
            is_whole = false;
            note(&format!("drystone: scene {}: {}", scene.name, one_line(&error)));
        }
        progress.advance(&scene.name);
    }
    progress.finish();
    Ok(is_whole)
}

/// The scene of a name.
fn open(arguments: &Arguments, name: &str) -> Result<Scene> {
    if open_surfaces(&name.parse()?)?.is_some() {
        bail!(
            "{name} is a scene of deformable surfaces, which have no contacts to compare; --write writes it as a scene file"
        );
    }
    arguments.options.held_scene(name)
}

/// Writes the surfaces, then `scene.json`: where that is, all is. The folder is made here, so that no other run writes into it.
fn export(scene: &Scene, place: &Path, step: Option<u32>, method: &Method) -> Result<()> {
    let mut steps = vec![0, 1, step.map_or(scene.scored_step, |step| step as usize)];
    steps.dedup();
    let moment = |&step: &usize| -> Result<_> {
        let moment = if step == 0 { Moment::Start } else { Moment::Step(step) };
        Ok((step, state_at(scene, method, moment)?))
    };
    let moments = steps.iter().map(moment).collect::<Result<Vec<_>>>()?;
    let surfaces: Vec<String> =
        scene.bodies.iter().enumerate().map(|(k, body)| format!("{k}-{}.obj", file_name(&body.name))).collect();
    let mut text = serde_json::to_vec(&data(scene, &surfaces, &moments)?)?;
    text.push(b'\n');
    fs::create_dir(place).with_context(|| format!("the folder {} cannot be made", place.display()))?;
    for (body, surface) in scene.bodies.iter().zip(&surfaces) {
        let triangles = body.shape.triangles();
        let mesh = MeshFile { vertices: triangles.vertices, triangles: triangles.triangles, tetrahedra: Vec::new() };
        mesh_file::write(place.join(surface), &mesh)?;
    }
    write_to(&place.join("scene.json"), &text)
}
