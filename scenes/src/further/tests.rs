use super::*;
use crate::contact_region::{RegionSettings, corners, region_corners};
use drystone_contact::query::{closest_points, project_point};
use drystone_engine::{Body, BodyId, Pose};
use glam::DVec3;

/// Some rounding errors, m.
const EXACT: f64 = 1e-12;

fn poses(scene: &Scene) -> Vec<Pose> {
    scene.states().iter().map(Body::pose).collect()
}

#[test]
fn names_are_read_back() {
    for scene in Further::ALL {
        assert_eq!(scene.name().parse(), Ok(scene));
        assert_eq!(scene.scene().unwrap().name, scene.name());
    }
}

/// Twice a rounding error, or the collision envelope: the scenes touch exactly, and there is nothing else to touch.
#[test]
fn the_corners_of_the_touching_features_are_the_minimal_number_of_contacts() {
    for further in Further::ALL {
        let scene = further.scene().unwrap();
        let exact = RegionSettings { envelope: 1e-14, ..RegionSettings::default() };
        for settings in [exact, RegionSettings::default()] {
            let found = corners(&scene, &scene.truth, &poses(&scene), &settings);
            assert_eq!(found, scene.truth.minimum(), "{further} at {}", settings.envelope);
        }
        assert!(scene.truth.pairs.iter().flat_map(PairTruth::directions).all(|n| n.is_normalized()));
    }
}

/// The surfaces themselves say that the corners are on both.
#[test]
fn the_corners_lie_on_both_surfaces() {
    for further in Further::ALL {
        let scene = further.scene().unwrap();
        let poses = poses(&scene);
        for corner in region_corners(&scene, &scene.truth, &poses, &RegionSettings::default()) {
            for body in [corner.a, corner.b] {
                let shape = &scene.bodies[body.index()].shape;
                let on = project_point(shape, &poses[body.index()], corner.position).unwrap();
                assert!(on.distance.abs() < EXACT, "{further}: {} at {}", on.distance, corner.position);
            }
        }
    }
}

/// The points of one body, on its surface: those of triangles, between them and within.
fn samples(scene: &Scene, body: usize, pose: &Pose) -> Vec<DVec3> {
    let shape = &scene.bodies[body].shape;
    let drawn = shape.triangles();
    let mut points: Vec<DVec3> = drawn.vertices.clone();
    // Within the triangles of a round solid is inside of it.
    if shape.surface().is_some() && drawn.triangles.len() < 2000 {
        for corners in drawn.triangles.iter().map(|triangle| triangle.map(|v| drawn.vertices[v as usize])) {
            let [a, b, c] = corners;
            points.extend([0.25, 0.5, 0.75].map(|t| a + (b - a) * t));
            points.extend([(a + b + c) / 3.0, 0.5 * a + 0.3 * b + 0.2 * c]);
        }
    }
    points.into_iter().map(|p| pose.transform_point(p)).collect()
}

/// No point of one body is in another: they touch and no more. What has no truth is apart.
#[test]
fn bodies_touch_without_overlap() {
    for further in Further::ALL {
        let scene = further.scene().unwrap();
        let poses = poses(&scene);
        for j in 0..scene.bodies.len() {
            for i in (0..scene.bodies.len()).filter(|&i| i != j) {
                let is_moving = [i, j].map(|k| scene.bodies[k].body.is_dynamic());
                if is_moving == [false; 2] {
                    continue;
                }
                let [a, b] = [i, j].map(|k| &*scene.bodies[k].shape);
                if scene.truth.of(BodyId::new(i as u32), BodyId::new(j as u32)).is_none() {
                    let near = closest_points([a, b], [&poses[i], &poses[j]], 0.03).unwrap();
                    assert_eq!(near.distance(), None, "{further}: {i} and {j}");
                    continue;
                }
                for point in samples(&scene, j, &poses[j]) {
                    let depth = -project_point(a, &poses[i], point).unwrap().distance;
                    assert!(depth < EXACT, "{further}: {point} of {j} is {depth} deep in {i}");
                }
            }
        }
    }
}
