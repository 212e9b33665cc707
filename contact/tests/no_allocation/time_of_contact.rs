//! Times of contact are found without allocation, whatever represents the solid: one point without any, trees of points once
//! the scratch space has grown.

use std::hint::black_box;
use std::sync::Arc;

use allocation_counter::measure;
use drystone_contact::Pose;
use drystone_contact::ccd::rigid::NonlinearRigidMotion;
use drystone_contact::ccd::time_of_contact::{
    PointContact, PointTree, RigidPath, TocSettings, Workspace, determine_toc,
};
use drystone_contact::solid::{Description, Parametric, Part, Solid, primitive};
use drystone_contact::split_mix::SplitMix;
use glam::{DQuat, DVec3};

/// All of a motion, s.
const TIMES: [f64; 2] = [0.0, 1.0];

fn built(description: &Description) -> Arc<dyn Solid> {
    description.build().unwrap_or_else(|error| panic!("{description:?}: {error}"))
}

fn of_kind(kind: &str, dimensions: &[f64]) -> Description {
    Description::Primitive { kind: kind.into(), dimensions: dimensions.to_vec() }
}

fn at(solid: Description, position: [f64; 3]) -> Part {
    let rotation = DQuat::from_rotation_x(0.3) * DQuat::from_rotation_y(0.5);
    Part { solid, position, rotation: rotation.to_array() }
}

fn implicit(f: &str) -> Description {
    Description::Implicit { f: f.into(), low: [-1.5; 3], high: [1.5; 3] }
}

/// Primitives of all kinds, combinations, expressions, patches and triangles, about a metre large.
fn solids() -> Vec<Arc<dyn Solid>> {
    let dimensions = [0.9, 0.4, 0.6];
    let primitives = primitive::KINDS.iter().map(|kind| of_kind(kind.name, &dimensions[..kind.count]));
    let mut all: Vec<Arc<dyn Solid>> = primitives.map(|primitive| built(&primitive)).collect();
    let torus = Parametric::torus(0.8, 0.3).expect("a torus");
    let patches = torus.description().expect("patches");
    let corners =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
    let triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    let octahedron = Description::Polyhedron { vertices: corners.to_vec(), triangles };
    let block = || at(of_kind("box", &[0.9, 0.6, 0.5]), [0.0; 3]);
    let ball = || at(of_kind("ball", &[0.6]), [0.5, 0.5, 0.0]);
    let nested = Description::Union(vec![
        at(Description::Difference(vec![block(), ball()]), [0.1, 0.0, 0.0]),
        at(patches.clone(), [0.0, 0.2, 0.0]),
        at(implicit("x^2 + 2 * y^2 + z^2 - 0.8"), [0.0, -0.3, 0.0]),
    ]);
    let others = [
        Description::Union(vec![block(), ball()]),
        Description::Intersection(vec![block(), ball()]),
        Description::Difference(vec![block(), ball()]),
        nested,
        implicit("sqrt((sqrt(x^2 + z^2) - 0.8)^2 + y^2) - 0.3"),
        implicit("max(x^2 + z^2 - 0.5, abs(y) - 0.7)"),
        patches,
        octahedron,
    ];
    all.extend(others.iter().map(built));
    all.push(Arc::new(Parametric::ball(0.9).expect("a ball")));
    all
}

fn direction(random: &mut SplitMix) -> DVec3 {
    random.next_rotation() * DVec3::X
}

/// Motions towards a solid about the origin that moves and turns itself; the bodies are about a metre large.
fn motions(count: usize) -> Vec<RigidPath> {
    let mut random = SplitMix::new(9);
    let mut one = |number: usize| {
        let spin = [0.0, 2.0, 20.0][number % 3];
        let place = direction(&mut random) * 2.0;
        let velocity = direction(&mut random) - place;
        let pose = Pose::from_parts(place, random.next_rotation());
        let body =
            NonlinearRigidMotion { pose, velocity, angular_velocity: direction(&mut random) * spin, duration: 1.0 };
        let still = NonlinearRigidMotion::still(Pose::IDENTITY);
        let moving = NonlinearRigidMotion { velocity: direction(&mut random), angular_velocity: DVec3::X, ..still };
        RigidPath::new(if number.is_multiple_of(2) { &still } else { &moving }, &body).expect("finite")
    };
    (0..count).map(&mut one).collect()
}

#[test]
fn points_are_followed_without_allocation() {
    let (paths, settings) = (motions(30), TocSettings::default());
    for solid in solids() {
        let mut contacts = 0;
        let allocated = measure(|| {
            for (number, path) in paths.iter().enumerate() {
                let point = path.point(DVec3::new(0.3, -0.2, 0.1) * (number % 4) as f64);
                let found = determine_toc(&*solid, &point, TIMES, &settings).expect("a query");
                contacts += usize::from(black_box(found).contact().is_some());
            }
        });
        assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0), "{}", solid.kind());
        assert!(contacts > 3 && contacts < paths.len(), "{}: {contacts}", solid.kind());
    }
}

#[test]
fn trees_of_points_are_followed_without_allocation() {
    let (paths, settings) = (motions(6), TocSettings { precision: 1e-4, ..TocSettings::default() });
    let mut random = SplitMix::new(2);
    let points: Vec<DVec3> = (0..60).map(|_| direction(&mut random) * 0.5).collect();
    let tree = PointTree::new(&points);
    for solid in solids() {
        let (mut workspace, mut contacts, mut near) = (Workspace::default(), Vec::<PointContact>::new(), Vec::new());
        let mut seen = [0; 3];
        let mut run = || {
            for path in &paths {
                contacts.clear();
                tree.contacts(&*solid, path, TIMES, &settings, &mut workspace, &mut contacts).expect("a query");
                let first = tree.first_contact(&*solid, path, TIMES, &settings, &mut workspace).expect("a query");
                let relative = path.solid_pose(0.5).inverse() * path.body_pose(0.5);
                near.clear();
                tree.near(&*solid, &relative, 0.3, &mut workspace, &mut near);
                let found = [contacts.len(), usize::from(first.0.is_some()), near.len()];
                (0..3).for_each(|k| seen[k] += found[k]);
            }
        };
        run();
        let allocated = measure(run);
        assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0), "{}", solid.kind());
        assert!(seen.iter().all(|&count| count > 3), "{}: {seen:?}", solid.kind());
    }
}
