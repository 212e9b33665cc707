//! Reads every model in MJCF and URDF of a folder and runs a few steps of it: the table of `docs/mjcf-urdf.md`.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example mjcf_models -- FOLDER
//! cargo run --release -p drystone-scenes --example mjcf_models -- FOLDER masses     # the bodies as text, to compare
//! ```

use drystone_contact::generator::methods;
use std::error::Error;
use std::path::{Path, PathBuf};

use drystone_scenes::kinematic_tree::{self, TreeScene};
use drystone_scenes::simulation::{WorldPreset, world};

/// So many steps are made.
const STEPS: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("give the folder of the models")?.into();
    let has_masses = match arguments.next().as_deref() {
        None => false,
        Some("masses") => true,
        Some(other) => return Err(format!("there is no table {other}; leave it out or say masses").into()),
    };
    if !has_masses {
        println!("| model | bodies | joints | notes | what becomes of it |\n|---|---:|---:|---:|---|");
    }
    for path in models_in(&folder)? {
        let name = path.strip_prefix(&folder)?.with_extension("").display().to_string();
        match kinematic_tree::read(&path) {
            Err(error) if has_masses => eprintln!("{error}"),
            Err(error) => println!("| {name} | | | | refused: {}: {} |", error.place.what, error.problem),
            Ok(read) if has_masses => masses(&name, &read),
            Ok(read) => {
                let scene = &read.scene;
                let (bodies, joints, notes) = (scene.bodies.len(), scene.joints.len(), read.notes.len());
                println!("| {name} | {bodies} | {joints} | {notes} | {} |", first_steps(&read));
            }
        }
    }
    Ok(())
}

/// What becomes of some steps with the settings of `drystone simulate`.
fn first_steps(read: &TreeScene) -> String {
    let mut world = match world(&read.scene, &methods::semi_local(), WorldPreset::Embedding) {
        Ok(world) => world,
        Err(error) => return format!("loads, does not run: {error}"),
    };
    for step in 1..=STEPS {
        if let Err(error) = world.step() {
            return format!("loads, stops in step {step}: {error}");
        }
    }
    "loads and runs".into()
}

/// Name, mass, centre and moments of every body that moves.
fn masses(name: &str, read: &TreeScene) {
    for body in read.scene.bodies.iter().filter(|body| body.body.is_dynamic()) {
        let (at, moments) = (body.body.position, body.body.inertia());
        println!(
            "{name}\t{}\t{:?}\t{:?} {:?} {:?}\t{:?} {:?} {:?}",
            body.name,
            body.body.mass(),
            at.x,
            at.y,
            at.z,
            moments.x,
            moments.y,
            moments.z
        );
    }
}

fn models_in(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if kinematic_tree::is_named(&path) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}
