//! The documentation and its examples are right.

use drystone_contact::generator::methods;
use std::path::{Path, PathBuf};

use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene_file::{parse, read};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

#[test]
fn the_documented_examples_work() {
    let pages = std::fs::read_to_string(docs().join("scene-files.md")).unwrap();
    let mut names = Vec::new();
    for file in std::fs::read_dir(docs().join("examples")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let scene = read(&path).unwrap();
            let detection = detect(&scene, &methods::volume_sat(), Moment::Step(scene.scored_step)).unwrap();
            let score = score(&detection.contacts, &scene.truth, &Matching::default());
            assert_eq!((score.coverage, score.quality), (1.0, 1.0), "{}: {score:?}", scene.name);
            assert!(
                pages.contains(std::fs::read_to_string(&path).unwrap().trim()),
                "{} is not in the pages",
                scene.name
            );
            names.push(scene.name);
        }
    }
    names.sort();
    assert_eq!(names, ["box-on-box", "spike-on-ground"]);
}

#[test]
fn snippets_of_the_pages_are_right() {
    // Every block that is not a whole scene is a part of this one.
    let pages = std::fs::read_to_string(docs().join("scene-files.md")).unwrap();
    let blocks: Vec<&str> = pages.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let bodies: Vec<&str> = blocks.iter().copied().filter(|b| b.starts_with("[[body]]")).collect();
    assert!(bodies.len() >= 4, "{}", bodies.len());
    let head = "name = \"snippets\"\nmaterials = [\"stone\"]\n";
    for body in bodies {
        parse(&format!("{head}{body}"), docs().join("examples")).unwrap_or_else(|error| panic!("{body}\n{error}"));
    }
    let whole = blocks.iter().filter(|b| b.contains("\nname = \"") && !b.starts_with("[[body]]"));
    for block in whole {
        parse(block, docs().join("examples")).unwrap_or_else(|error| panic!("{block}\n{error}"));
    }
}
