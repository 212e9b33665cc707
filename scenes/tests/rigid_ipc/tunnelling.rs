//! A cube shot at a plane at 1,000 m/s.

use drystone_contact::generator::{Method, Variant};
use drystone_engine::ImpactLimit;
use drystone_scenes::rigid_ipc::read;
use drystone_scenes::simulation::{Purpose, world};

use crate::data;

/// The largest x that a vertex of the cube comes to in 20 steps, m; the plane is at x = 0.
fn farthest(limit: Option<ImpactLimit>) -> f64 {
    let scene = read(data().join("fixtures/3D/unit-tests/tunneling.json")).unwrap().scene;
    let mut world = world(&scene, Method::SemiLocal, Variant::Corrected, Purpose::Embedding).unwrap();
    world.settings_mut().impact_limit = limit;
    let cube = world.handles()[1];
    let vertices = world.shape(cube).unwrap().surface().vertices().to_vec();
    let mut farthest = f64::NEG_INFINITY;
    for _ in 0..20 {
        world.step().unwrap();
        let pose = world.body(cube).unwrap().pose();
        farthest = vertices.iter().map(|&v| pose.transform_point(v).x).fold(farthest, f64::max);
    }
    farthest
}

#[test]
fn the_cube_passes_only_without_the_limit() {
    assert!(farthest(None) > 100.0);
    assert!(farthest(Some(ImpactLimit::default())) < 0.0);
}
