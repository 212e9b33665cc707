//! Cubes shot at a plane at 1,000 m/s and into a slit of 1.002 m.

use drystone_contact::generator::methods;
use drystone_engine::CcdSettings;
use drystone_scenes::rigid_ipc::read;
use drystone_scenes::simulation::{WorldPreset, world};

use super::data;
use glam::DVec3;

/// The largest x that a vertex of the cube comes to in 20 steps, m; the plane is at x = 0.
fn farthest(ccd: Option<CcdSettings>) -> f64 {
    let scene = read(data().join("fixtures/3D/unit-tests/tunneling.json")).unwrap().scene;
    let mut world = world(&scene, &methods::semi_local(), WorldPreset::Embedding).unwrap();
    world.settings_mut().ccd = ccd;
    let cube = world.handles()[1];
    let vertices = world.shape(cube).unwrap().surface().unwrap().vertices().to_vec();
    let mut farthest = f64::NEG_INFINITY;
    for _ in 0..20 {
        world.step().unwrap();
        let pose = world.body(cube).unwrap().pose();
        farthest = vertices.iter().map(|&v| pose.transform_point(v).x).fold(farthest, f64::max);
    }
    farthest
}

/// Contacts at the time of impact hold it within a hundredth of its thickness, continuous collision detection at a distance.
#[test]
fn the_cube_does_not_pass() {
    assert!(farthest(None) < 0.011);
    assert!(farthest(Some(CcdSettings::default())) < 0.0);
}

/// The least and the largest y of the vertices of a cube between two plates at y = ±0.501 that is thrown upwards at
/// this speed, m, and whether the motion was ever cut short.
fn between_walls(speed: f64, ccd: Option<CcdSettings>) -> ([f64; 2], bool) {
    let scene = read(data().join("changed/3D/unit-tests/tunnel/2-walls-free.json")).unwrap().scene;
    let mut world = world(&scene, &methods::semi_local(), WorldPreset::Embedding).unwrap();
    world.settings_mut().ccd = ccd;
    let cube = world.handles()[2];
    let vertices = world.shape(cube).unwrap().surface().unwrap().vertices().to_vec();
    let body = world.body_mut(cube).unwrap();
    body.position.z = 0.0;
    body.velocity = DVec3::new(0.0, speed, 0.0);
    let (mut range, mut cut) = ([f64::INFINITY, f64::NEG_INFINITY], false);
    for _ in 0..20 {
        let report = world.step().unwrap();
        cut |= report.ccd.is_some_and(|ccd| ccd.time_of_impact < 1.0);
        let pose = world.body(cube).unwrap().pose();
        for y in vertices.iter().map(|&v| pose.transform_point(v).y) {
            range = [range[0].min(y), range[1].max(y)];
        }
    }
    (range, cut)
}

#[test]
fn a_cube_in_a_slit_stays_in_it() {
    for speed in [25.0, 1e3, 1e4] {
        let (with, cut) = between_walls(speed, Some(CcdSettings::default()));
        assert!(cut && with[0] > -0.501 && with[1] < 0.501, "{speed} m/s: {with:?}");
    }
    for speed in [25.0, 1e3, 1e4] {
        let (without, _) = between_walls(speed, None);
        assert!(without[0] > -0.512 && without[1] < 0.512, "{speed} m/s: {without:?}");
    }
}
