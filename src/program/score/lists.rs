//! The lists that are to be scored, and their scenes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::{Arguments, Context, Result, bail};
use crate::engine::ContactBetween;
use crate::program::output::is_standard;
use crate::program::report::file_name;
use crate::scenes::builtin::BuiltIn;
use crate::scenes::contact_list;
use crate::scenes::scene::Scene;

/// A list of contacts.
pub struct List {
    /// The number of its scene.
    pub scene: usize,
    /// What its owner is called.
    pub name: String,
    /// Where it is; "-" is standard input.
    pub path: PathBuf,
}

impl List {
    /// Its contacts.
    pub fn read(&self, scene: &Scene) -> Result<Vec<ContactBetween>> {
        if is_standard(&self.path) {
            return contact_list::read(std::io::stdin().lock(), scene).context("standard input");
        }
        let place = || self.path.display().to_string();
        contact_list::read(File::open(&self.path).with_context(place)?, scene).with_context(place)
    }
}

/// All scenes and lists, in the order of the arguments; of a folder in the order of their names.
pub fn find(arguments: &Arguments) -> Result<(Vec<Scene>, Vec<List>)> {
    let open = |name: &str| arguments.options.held_scene_with_truth(name);
    let mut scenes: Vec<Scene> = Vec::new();
    for name in &arguments.scene {
        let scene = open(name)?;
        if let Some(other) = scenes.iter().find(|other| file_name(&other.name) == file_name(&scene.name)) {
            bail!("{name} has a scene called \"{}\", as does another; name each scene once", other.name);
        }
        scenes.push(scene);
    }
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.contacts.iter().partition(|path| path.is_dir());
    if !files.is_empty() && scenes.len() != 1 {
        bail!(
            "{} is a list of contacts in one scene, and {} are named with --scene; name one, or give a folder with a list \
             SCENE/NAME.csv for each",
            files[0].display(),
            scenes.len()
        );
    }
    let mut lists = Vec::new();
    for (name, path) in names(arguments, &files)?.into_iter().zip(files) {
        lists.push(List { scene: 0, name, path: path.clone() });
    }
    let given = scenes.len();
    for folder in folders {
        let before = lists.len();
        for of_scene in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let Some(name) = of_scene.file_name().and_then(|name| name.to_str()) else { continue };
            let known = scenes.iter().position(|scene| file_name(&scene.name) == name);
            let is_csv = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "csv");
            let files: Vec<PathBuf> = entries(&of_scene)?.into_iter().filter(is_csv).collect();
            // With scenes named, the others are left out.
            if files.is_empty() || (known.is_none() && given > 0) {
                continue;
            }
            let scene = match known {
                Some(known) => known,
                None if name.parse::<BuiltIn>().is_ok() => {
                    scenes.push(open(name)?);
                    scenes.len() - 1
                }
                None => bail!(
                    "{} is called like no scene; name the scenes of {} with --scene, scene files by their paths",
                    of_scene.display(),
                    folder.display()
                ),
            };
            lists.extend(files.into_iter().map(|path| List { scene, name: stem(&path), path }));
        }
        if lists.len() == before {
            bail!(
                "{} has no lists SCENE/NAME.csv{}",
                folder.display(),
                if given > 0 { " of these scenes" } else { "" }
            );
        }
    }
    for (k, list) in lists.iter().enumerate() {
        let is_same = |other: &&List| (other.scene, &other.name) == (list.scene, &list.name);
        if let Some(other) = lists[..k].iter().find(is_same) {
            let (one, other) = (other.path.display(), list.path.display());
            bail!("{one} and {other} are both called {}; give them names with --name", list.name);
        }
    }
    Ok((scenes, lists))
}

/// Refuses lists of one scene whose names become the same name of a file.
pub fn check_file_names(lists: &[List]) -> Result<()> {
    for (k, list) in lists.iter().enumerate() {
        let is_same = |other: &&List| other.scene == list.scene && file_name(&other.name) == file_name(&list.name);
        if let Some(other) = lists[..k].iter().find(is_same) {
            let both = format!("{} and {}", other.name, list.name);
            bail!("the pictures of {both} would have one name; give the lists other names with --name");
        }
    }
    Ok(())
}

/// The names of the files: one each as given, else their own, or of a single one "contacts".
fn names(arguments: &Arguments, files: &[&PathBuf]) -> Result<Vec<String>> {
    match (&arguments.name[..], files) {
        ([], [_]) if arguments.contacts.len() == 1 => Ok(vec!["contacts".into()]),
        ([], files) => Ok(files.iter().map(|path| stem(path)).collect()),
        (names, files) if names.len() == files.len() => Ok(names.to_vec()),
        (names, files) => {
            bail!("--name is given {} times for {} files of contacts; give one for each", names.len(), files.len())
        }
    }
}

fn stem(path: &Path) -> String {
    if is_standard(path) {
        return "contacts".into();
    }
    path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let place = || format!("{} cannot be read", folder.display());
    let all = fs::read_dir(folder).with_context(place)?.map(|entry| Ok(entry?.path()));
    let mut all = all.collect::<std::io::Result<Vec<_>>>().with_context(place)?;
    all.sort();
    Ok(all)
}
