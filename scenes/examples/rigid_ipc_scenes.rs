//! Reads every scene of rigid-ipc in a folder and runs a few steps of it: the table of `docs/rigid-ipc.md`.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example rigid_ipc_scenes -- FOLDER
//! ```

use drystone_contact::generator::methods;
use std::error::Error;
use std::path::{Path, PathBuf};

use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::rigid_ipc;

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args().nth(1).ok_or("give the folder of the scenes")?.into();
    println!("| scene | bodies | filled by TetGen | contacts in step 3 | what becomes of it |");
    println!("|---|---:|---:|---:|---|");
    for path in scenes_in(&folder)? {
        let name = path.strip_prefix(&folder)?.with_extension("");
        let name = name.display();
        match rigid_ipc::read(&path) {
            Err(error) => {
                let place = error.place.map(|place| format!("{place}: ")).unwrap_or_default();
                println!("| {name} | | | | refused: {place}{} |", error.problem);
            }
            Ok(read) => {
                let bodies = read.scene.bodies.len();
                let filled = read.notes.iter().filter(|note| note.text.contains("by TetGen")).count();
                match detect(&read.scene, &methods::most_opposing(), Moment::Step(3)) {
                    Ok(detection) => {
                        println!("| {name} | {bodies} | {filled} | {} | loads and runs |", detection.contacts.len());
                    }
                    Err(error) => println!("| {name} | {bodies} | {filled} | | loads, does not run: {error} |"),
                }
            }
        }
    }
    Ok(())
}

/// All JSON files in a folder and those inside, in the order of their paths.
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
