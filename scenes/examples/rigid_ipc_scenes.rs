//! Reads every scene of rigid-ipc in a folder and runs a few steps of it, or all of it: the tables of `docs/rigid-ipc.md`.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example rigid_ipc_scenes -- FOLDER
//! cargo run --release -p drystone-scenes --example rigid_ipc_scenes -- FOLDER whole                # as long as rigid-ipc would
//! cargo run --release -p drystone-scenes --example rigid_ipc_scenes -- FOLDER whole card-house     # those with this in their name
//! ```

use drystone_contact::generator::methods;
use std::error::Error;
use std::path::{Path, PathBuf};

use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::rigid_ipc::{self, RigidIpcScene};
use drystone_scenes::simulation::{WorldPreset, world};

/// Overlaps are measured after so many steps, and at the end.
const MEASURED_EVERY: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("give the folder of the scenes")?.into();
    let is_whole = match arguments.next().as_deref() {
        None => false,
        Some("whole") => true,
        Some(other) => return Err(format!("there is no table {other}; leave it out or say whole").into()),
    };
    let wanted = arguments.next().unwrap_or_default();
    println!("{}", if is_whole { WHOLE } else { FIRST_STEPS });
    for path in scenes_in(&folder)? {
        let name = path.strip_prefix(&folder)?.with_extension("");
        let name = name.display().to_string();
        if !name.contains(&wanted) {
            continue;
        }
        match rigid_ipc::read(&path) {
            Err(error) => {
                let place = error.place.map(|place| format!("{place}: ")).unwrap_or_default();
                println!("| {name} | | | | {}refused: {place}{} |", if is_whole { "| " } else { "" }, error.problem);
            }
            Ok(read) if is_whole => println!("| {name} | {} |", whole(&read)?),
            Ok(read) => println!("| {name} | {} |", first_steps(&read)),
        }
    }
    Ok(())
}

const FIRST_STEPS: &str =
    "| scene | bodies | filled by TetGen | contacts in step 3 | what becomes of it |\n|---|---:|---:|---:|---|";

fn first_steps(read: &RigidIpcScene) -> String {
    let bodies = read.scene.bodies.len();
    let filled = read.notes.iter().filter(|note| note.text.contains("by TetGen")).count();
    match detect(&read.scene, &methods::most_opposing(), Moment::Step(3)) {
        Ok(detection) => format!("{bodies} | {filled} | {} | loads and runs", detection.contacts.len()),
        Err(error) => format!("{bodies} | {filled} | | loads, does not run: {error}"),
    }
}

const WHOLE: &str = "| scene | bodies | simulated, s | deepest overlap, mm | fastest body at the end, m/s | longest way of a body, m |\n\
                     |---|---:|---:|---:|---:|---:|";

/// A run with the settings of `drystone simulate`, for as long as rigid-ipc would.
fn whole(read: &RigidIpcScene) -> Result<String, Box<dyn Error>> {
    let scene = &read.scene;
    let mut world = world(scene, &methods::semi_local(), WorldPreset::Embedding)?;
    let steps = (read.duration.unwrap_or(1.0) / scene.time_step).round() as usize;
    let start = world.bodies().to_vec();
    let (mut deepest, mut unmeasured) = (0.0, Vec::new());
    for step in 1..=steps {
        world.step()?;
        if step % MEASURED_EVERY == 0 || step == steps {
            match world.overlaps() {
                Ok(overlaps) => deepest = overlaps.iter().map(|overlap| overlap.depth).fold(deepest, f64::max),
                Err(_) => unmeasured.push(step),
            }
        }
    }
    let dynamic = || world.bodies().iter().zip(&start).filter(|(body, _)| body.is_dynamic());
    let speed = dynamic().map(|(body, _)| body.velocity.length()).fold(0.0, f64::max);
    let way = dynamic().map(|(body, start)| body.position.distance(start.position)).fold(0.0, f64::max);
    let not_all =
        if unmeasured.is_empty() { String::new() } else { format!(", not measured {} times", unmeasured.len()) };
    Ok(format!(
        "{} | {:.2} | {:.3}{not_all} | {speed:.4} | {way:.4}",
        start.len(),
        steps as f64 * scene.time_step,
        1e3 * deepest
    ))
}

fn scenes_in(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}
