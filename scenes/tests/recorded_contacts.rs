//! The `published` variants against recorded contact lists: from the recorded state of the bodies before a step, each
//! list (scene, method, step) must come out as a multiset of positions and normals.
//!
//! The lists of the ten cases are in `recorded_contacts.json`; those of the larger scenes are read from the data folder
//! beside the project where it is there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use drystone_contact::Pose;
use drystone_contact::generator::intersection::{Intersection, ReportedNormal};
use drystone_contact::generator::{Generator, Method, Placed, Registry, methods};
use drystone_contact::shape::{Polyhedron, Shape, TetrahedralMesh};
use drystone_contact::{Contact, Twist};
use drystone_engine::{BodyId, ContactBetween};
use drystone_replica::Variant;
use drystone_replica::published::prints_alike;
use drystone_replica::readings::{Single, intersection};
use drystone_replica::stepper::motion::advance;
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::scene::Scene;
use drystone_scenes::truth::TruthKind;
use glam::{DQuat, DVec3, Vec3};
use serde::Deserialize;
use serde_json::Value;

/// Positions (m) and normals agree within this; normals of another length than one in proportion.
const TOLERANCE: f64 = 1e-4;

#[derive(Deserialize)]
struct Recorded {
    lists: Vec<List>,
}

#[derive(Deserialize)]
struct List {
    scene: String,
    method: String,
    step: usize,
    /// Position x y z, orientation s x y z, velocity x y z, angular velocity x y z.
    states: Vec<[f64; 13]>,
    /// Position x y z, normal x y z, between bodies 0 and 1.
    contacts: Vec<[f64; 6]>,
}

/// The published reading of a method.
fn published(name: &str) -> Method {
    Variant::Published.of(Registry::default().find(name).unwrap())
}

fn recorded() -> Vec<List> {
    let recorded: Recorded = serde_json::from_str(include_str!("recorded_contacts.json")).unwrap();
    recorded.lists
}

/// The pose after half a step of 0.01 s, in single precision.
fn midpoint(s: &[f64; 13]) -> Pose {
    let at = |i: usize| DVec3::new(s[i], s[i + 1], s[i + 2]);
    let pose = Pose::from_parts(at(0), DQuat::from_xyzw(s[4], s[5], s[6], s[3]));
    advance::<Vec3>(pose, at(7), at(10), 0.005)
}

fn matches(contact: &Contact, [px, py, pz, nx, ny, nz]: &[f64; 6]) -> bool {
    let (position, normal) = (DVec3::new(*px, *py, *pz), DVec3::new(*nx, *ny, *nz));
    let scale = normal.length().max(1.0);
    (contact.position - position).abs().max_element() < TOLERANCE
        && (contact.normal - normal).abs().max_element() < TOLERANCE * scale
}

/// How many recorded contacts have no partner, and how many found ones.
fn differences(found: &[Contact], recorded: &[[f64; 6]]) -> (usize, usize) {
    let mut left: Vec<&Contact> = found.iter().collect();
    let mut missing = 0;
    for wanted in recorded {
        match left.iter().position(|c| matches(c, wanted)) {
            Some(k) => {
                left.swap_remove(k);
            }
            None => missing += 1,
        }
    }
    (missing, left.len())
}

fn contacts_of(scene: &Scene, list: &List, generator: &dyn Generator) -> Vec<Contact> {
    let poses: Vec<Pose> = list.states.iter().map(midpoint).collect();
    let placed = |i: usize| Placed { shape: &scene.bodies[i].shape, pose: poses[i], twist: Twist::default() };
    generator.contacts(&placed(0), &placed(1)).unwrap()
}

#[test]
fn lists_of_the_ten_cases() {
    let lists = recorded();
    assert_eq!(lists.len(), 240);
    let mut different = Vec::new();
    for list in &lists {
        let scene = list.scene.parse::<Case>().unwrap().scene(Model::Recorded, None).unwrap();
        let method = published(&list.method);
        let found = contacts_of(&scene, list, method.generator().as_ref());
        let (missing, extra) = differences(&found, &list.contacts);
        if (missing, extra) != (0, 0) {
            different.push(format!("{} {} step {}", list.scene, list.method, list.step));
        }
    }
    assert_eq!(different, ["spike-in-hole growth-distance step 3"]);
}

/// What the published table would show for intersection if the normals of its vertex–face contacts had unit length:
/// coverage and quality in %, as an independent program found them.
#[test]
fn intersection_with_unit_normals() {
    let expected = [
        (Case::SpikeInCrack, 50.0, 100.0),
        (Case::SpikeInHole, 25.0, 20.0),
        (Case::WedgeInCrack, 50.0, 33.3),
        (Case::SlidingSpike, 100.0, 33.3),
        (Case::SlidingWedge, 100.0, 100.0),
        (Case::Spikes, 100.0, 20.0),
        (Case::SpikeAndWedge, 100.0, 50.0),
        (Case::Wedges, 100.0, 28.6),
        (Case::CliffEdges, 100.0, 55.6),
        (Case::InternalEdges, 100.0, 83.3),
    ];
    let generator = Single::new(Intersection { reported: ReportedNormal::Unit, ..intersection(false) });
    let lists = recorded();
    for (case, coverage, quality) in expected {
        let is_it = |l: &&List| {
            (l.scene.as_str(), l.method.as_str(), l.step) == (case.name(), "intersection", case.published_step())
        };
        let list = lists.iter().find(is_it).unwrap();
        let scene = case.scene(Model::Recorded, None).unwrap();
        let (a, b) = (BodyId::new(0), BodyId::new(1));
        let found = contacts_of(&scene, list, &generator);
        let contacts: Vec<_> = found.into_iter().map(|contact| ContactBetween { a, b, contact }).collect();
        let score = score(&contacts, &scene.truth(TruthKind::Published), &Matching::default());
        let (our_coverage, our_quality) = (100.0 * score.coverage, 100.0 * score.quality);
        assert!(prints_alike(our_coverage, coverage), "{case}: coverage {our_coverage} instead of {coverage}");
        assert!(prints_alike(our_quality, quality), "{case}: quality {our_quality} instead of {quality}");
    }
}

/// Pillar and arch, where the data folder stands beside the project.
#[test]
fn lists_of_pillar_and_arch() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/assessment");
    if !folder.is_dir() {
        eprintln!("{} is not there: nothing to compare with", folder.display());
        return;
    }
    let read = |path: &str| -> Value { serde_json::from_slice(&std::fs::read(folder.join(path)).unwrap()).unwrap() };
    let mut different = Vec::new();
    let mut lists = 0;
    for scene in ["pillar", "arch"] {
        let reference = read(&format!("prox_reference/{scene}.json"));
        for (name, steps) in reference.as_object().unwrap() {
            let method = match name.as_str() {
                "opposing" => published("most-opposing"),
                "growth" => published("growth-distance"),
                name => published(&name.replace('_', "-")),
            };
            let kind = if method.name() == methods::closest_points().name() { "eroded" } else { "plain" };
            let bodies = read(&format!("scenes/{scene}_{kind}.json"));
            for (k, step) in steps.get("steps").unwrap_or(steps).as_array().unwrap().iter().enumerate() {
                lists += 1;
                if larger_scene_differs(&bodies, step, method.generator().as_ref()) {
                    different.push(format!("{scene} {method} step {}", k + 1));
                }
            }
        }
    }
    assert_eq!(lists, 32);
    different.sort();
    assert_eq!(different, ["arch closest-points step 2", "pillar surface-sat step 2"]);
}

fn larger_scene_differs(scene: &Value, step: &Value, generator: &dyn Generator) -> bool {
    let numbers = |v: &Value| -> Vec<f64> { v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let vector = |v: &Value| DVec3::from_slice(&numbers(v));
    let shape = |g: &Value| {
        let vertices = g["v"].as_array().unwrap().iter().map(vector).collect();
        let tetrahedron = |t: &Value| [0, 1, 2, 3].map(|i| t[i].as_u64().unwrap() as u32);
        let tetrahedra = g["t"].as_array().unwrap().iter().map(tetrahedron).collect();
        // Where the method looks at eroded shapes, these are eroded already.
        let mesh = TetrahedralMesh::new(vertices, tetrahedra).unwrap();
        let eroded = Arc::new(Shape::from_mesh(mesh.clone()));
        Polyhedron::from_mesh(mesh).with_eroded(eroded).into()
    };
    let geometries = scene["geometries"].as_object().unwrap();
    let shapes: BTreeMap<&str, Shape> = geometries.iter().map(|(k, g)| (k.as_str(), shape(g))).collect();
    let bodies = scene["bodies"].as_array().unwrap();
    let state = |s: &Value| {
        let all = ["r", "q", "v", "w"].map(|key| numbers(&s[key])).concat();
        midpoint(&all.try_into().unwrap())
    };
    let poses: Vec<Pose> = step["before"].as_array().unwrap().iter().map(state).collect();
    let recorded = step["contacts"].as_array().unwrap();
    for i in 0..bodies.len() {
        for j in i + 1..bodies.len() {
            if bodies[i]["fixed"] == true && bodies[j]["fixed"] == true {
                continue;
            }
            let placed = |k: usize| {
                let shape = &shapes[bodies[k]["geom"].to_string().as_str()];
                Placed { shape, pose: poses[k], twist: Twist::default() }
            };
            let found = generator.contacts(&placed(i), &placed(j)).unwrap();
            let of_pair = recorded.iter().filter(|c| c[0] == i && c[1] == j);
            let wanted: Vec<[f64; 6]> = of_pair.map(|c| [2, 3, 4, 5, 6, 7].map(|k| c[k].as_f64().unwrap())).collect();
            if differences(&found, &wanted) != (0, 0) {
                return true;
            }
        }
    }
    false
}
