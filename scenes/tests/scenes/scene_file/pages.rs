//! The documentation and its examples are right.

use drystone_contact::generator::methods;
use drystone_contact::shape::Shape;
use std::path::{Path, PathBuf};

use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene_file::{parse, parse_surfaces, read, read_surfaces};

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
            if let Some(opened) = read_surfaces(&path).unwrap() {
                let mut simulation = opened.scene.simulation().unwrap();
                simulation.run_until(0.05).unwrap();
                assert!(simulation.contact_report().unwrap().deepest_layer > 0, "{}", opened.name);
                assert!(
                    pages.contains(std::fs::read_to_string(&path).unwrap().trim()),
                    "{} is not in the pages",
                    opened.name
                );
                names.push(opened.name);
                continue;
            }
            let scene = read(&path).unwrap();
            let is_general = scene.bodies.iter().any(|body| matches!(*body.shape, Shape::Solid(_)));
            let method = if is_general { methods::time_of_contact() } else { methods::volume_sat() };
            let detection = detect(&scene, &method, Moment::Step(scene.scored_step)).unwrap();
            let score = score(&detection.contacts, &scene.truth, &Matching::default());
            // Points beside the true place of contact with a curved surface have slightly other normals.
            let quality = if is_general { 0.75 } else { 1.0 };
            assert!(score.coverage == 1.0 && score.quality >= quality, "{}: {score:?}", scene.name);
            assert!(
                pages.contains(std::fs::read_to_string(&path).unwrap().trim()),
                "{} is not in the pages",
                scene.name
            );
            names.push(scene.name);
        }
    }
    names.sort();
    assert_eq!(names, ["box-on-box", "hanging-cloth", "lift", "ring-on-slab", "spike-on-ground"]);
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
        if parse_surfaces(block, docs().join("examples")).unwrap().is_none() {
            parse(block, docs().join("examples")).unwrap_or_else(|error| panic!("{block}\n{error}"));
        }
    }
}
