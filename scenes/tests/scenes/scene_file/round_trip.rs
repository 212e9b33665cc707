//! Scenes are read back as they were written, or not written.

use drystone_contact::generator::methods;
use drystone_contact::shape::{Polyhedron, TetgenSettings, TetrahedralizationSettings};
use drystone_engine::solver::FrictionModel;
use drystone_engine::{Friction, Interaction};
use drystone_replica::Variant;
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::{Programs, SceneFileProblem, encode, parse, parse_with, read, read_with, write};
use drystone_scenes::truth::Truth;
use glam::{DQuat, DVec3};
use std::sync::Arc;

use super::same::assert_same;
use super::spoil::{GOOD, folder};

fn all_cases() -> impl Iterator<Item = Scene> {
    let both = [Model::Procedural, Model::Recorded];
    Case::ALL.into_iter().flat_map(move |case| both.map(|model| case.scene(model, None).unwrap()))
}

#[test]
fn all_cases_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    for scene in all_cases() {
        write(&scene, &path).unwrap();
        assert_same(&read(&path).unwrap(), &scene);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn detection_does_not_see_a_difference() {
    for scene in all_cases() {
        let copy = parse(&encode(&scene).unwrap(), "").unwrap();
        for method in methods::all() {
            for variant in [Variant::Corrected, Variant::Published] {
                let contacts =
                    |scene| detect(scene, &variant.of(&method), Moment::Step(scene.scored_step)).unwrap().contacts;
                // Printed, as a published variant may well answer NaN, which does not equal itself.
                assert_eq!(format!("{:?}", contacts(&copy)), format!("{:?}", contacts(&scene)), "{}", scene.name);
            }
        }
    }
}

#[test]
fn everything_that_a_scene_can_hold_is_kept() {
    let mut scene = Case::Wedges.scene(Model::Recorded, None).unwrap();
    scene.name = "a \"quoted\" = [name] #".into();
    scene.title = "two\nlines\\".into();
    scene.bodies[0].name = "'one' \"two\" Straße".into();
    scene.bodies[1].body.velocity = DVec3::new(-0.0, 1e-300, 1e9);
    scene.bodies[0].body.orientation = DQuat::from_rotation_x(1.0);
    let poses: Vec<_> = scene.bodies.iter().map(|b| b.body.pose()).collect();
    scene.truth = scene.truth.at(&poses);
    (scene.time_step, scene.scored_step) = (1.0 / 3.0, 7);
    (scene.forces.gravity, scene.forces.angular_damping) = (DVec3::new(0.1, 0.2, -0.3), 0.5);
    let glass = scene.materials.add("Glass").unwrap();
    let friction = Friction { s: 0.1, t: 0.2, torsion: 0.3 };
    scene.materials.set(glass, glass, Interaction { friction, restitution: 0.9 }).unwrap();
    scene.published_truth = Some(Truth::default());
    for model in [FrictionModel::Ellipsoid, FrictionModel::Box] {
        scene.friction = model;
        assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
    }
    scene.title = String::new();
    assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
}

/// A body whose tetrahedra are yet to be made, with settings for the program that is to make them.
#[test]
fn how_tetrahedra_are_to_be_made_is_kept() {
    let folder = folder();
    let path = folder.path().join("scene.toml");
    let keys =
        "fill = { method = \"automatic\", program = \"tetgen\", quality = 2, maximum_volume = 0.1, timeout = 10 }";
    assert!(GOOD.contains(keys));
    for (fill, of_the_body) in [
        (keys, "program = \"tetgen\", quality = 2.0, maximum_volume = 0.1, timeout = 10.0"),
        ("fill = { quality = 1.4142135623730951 }", "{ quality = 1.4142135623730951, timeout = 60.0 }"),
        ("fill = { timeout = 0.001 }", "{ timeout = 0.001 }"),
        ("fill = { program = \"bin/tetgen\" }", "/bin/tetgen\", timeout = 60.0 }"),
    ] {
        let scene = parse_with(&GOOD.replace(keys, fill), folder.path(), Programs::Allowed).unwrap();
        write(&scene, &path).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.contains(of_the_body), "{written}");
        let read = read_with(&path, Programs::Allowed).unwrap();
        assert_same(&read, &scene);
        let settings = read.bodies[1].shape.as_polyhedron().unwrap().tetrahedralization_settings();
        assert_ne!(settings, TetrahedralizationSettings::default());
    }
    let usual = parse(&GOOD.replace(keys, "fill = { timeout = 60 }"), folder.path()).unwrap();
    assert!(!encode(&usual).unwrap().contains("fill"));
}

#[test]
fn a_written_file_that_is_cut_short_is_no_scene() {
    let text = encode(&Case::SpikeInCrack.scene(Model::Recorded, None).unwrap()).unwrap();
    let ends = text.char_indices().map(|(at, _)| at).filter(|at| at + 1 < text.len());
    for end in ends {
        assert!(parse(&text[..end], "").is_err(), "cut to {end} of {} bytes", text.len());
    }
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, "old").unwrap();
    let refuse = |part: &str, change: &dyn Fn(&mut Scene)| {
        let mut scene = Case::Spikes.scene(Model::Recorded, None).unwrap();
        change(&mut scene);
        let message = write(&scene, &path).unwrap_err().to_string();
        assert!(message.starts_with(path.to_str().unwrap()) && message.contains(part), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
    };
    refuse("body \"lower spike\", name", &|s| s.bodies[0].name = "lower spike".into());
    refuse("body \"upper spike\", position: must be three finite numbers", &|s| s.bodies[0].body.position.x = f64::NAN);
    refuse("body \"upper spike\", velocity", &|s| s.bodies[0].body.velocity.y = f64::NEG_INFINITY);
    refuse("body \"upper spike\", position", &|s| s.bodies[0].body.position.z = -1e10);
    refuse("name: must be a name without `/`", &|s| s.name = "a/b".into());
    refuse("body 0, name", &|s| s.bodies[0].name = "two\nlines".into());
    refuse("step: must be from 1 to 100000, found 0", &|s| s.scored_step = 0);
    refuse("normals[1]: is parallel to normals[0]", &|s| {
        s.truth.pairs[0].normals = vec![DVec3::X.into(), DVec3::NEG_X.into()]
    });
    refuse("friction: the friction model \"ball\" takes one coefficient", &|s| {
        let id = s.bodies[0].body.material;
        let friction = Friction { s: 0.1, t: 0.1, torsion: 0.2 };
        s.materials.set(id, id, Interaction::dry(friction)).unwrap();
    });
    refuse("no bodies", &|s| (s.bodies, s.truth, s.published_truth) = (Vec::new(), Truth::default(), None));
    refuse("no body is named \"body 1\"", &|s| drop(s.bodies.pop()));
    refuse("cannot be kept exactly", &|s| s.truth.pairs[0].normals[0].direction *= 1.0005);
    let differs = |s: &mut Scene| {
        let surface = s.bodies[1].shape.surface().unwrap().clone();
        let of = |quality_ratio| {
            let tetgen = TetgenSettings { quality_ratio, ..TetgenSettings::default() };
            let settings = TetrahedralizationSettings { tetgen, ..TetrahedralizationSettings::default() };
            Polyhedron::from_surface(&surface, &settings).unwrap()
        };
        s.bodies[1].shape = Arc::new(of(None).with_eroded(Arc::new(of(Some(2.0)).into())).into());
    };
    refuse("fill: shape and eroded copy are tetrahedralized by different settings", &differs);
    refuse("material 9 does not exist", &|s| s.bodies[1].body.material = drystone_engine::MaterialId::new(9));
    let scene = Case::Spikes.scene(Model::Recorded, None).unwrap();
    let nowhere = folder.path().join("missing").join("scene.toml");
    assert!(matches!(*write(&scene, nowhere).unwrap_err().problem, SceneFileProblem::Io { action: "written", .. }));
}
