//! Kinematic bodies and their phases.

use drystone_engine::{Body, BodyKind, Phase, PrescribedMotion};
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::{encode, parse};
use glam::DVec3;
use proptest::prelude::*;

use super::same::assert_same;

const TEXT: &str = r#"
name = "press"
materials = ["steel"]

[[body]]
name = "press"
material = "steel"
kinematic = true
position = [0, 2, 0]
shape.box = [1, 1, 1]

[[body.phase]]
duration = 0.25
velocity = [0, -1, 0]

[[body.phase]]
duration = inf
angular_velocity = [0, 3, 0]
"#;

#[test]
fn phases_are_read_as_they_stand() {
    let body = parse(TEXT, "").unwrap().bodies.remove(0);
    assert_eq!((body.body.kind(), body.body.position), (BodyKind::Kinematic, DVec3::Y * 2.0));
    let phases = [
        Phase { duration: 0.25, velocity: DVec3::NEG_Y, angular_velocity: DVec3::ZERO },
        Phase { duration: f64::INFINITY, velocity: DVec3::ZERO, angular_velocity: DVec3::Y * 3.0 },
    ];
    assert_eq!(body.prescribed_motion.unwrap().phases(), phases);
    // A body that states no velocity begins with that of the prescribed motion.
    assert_eq!((body.body.velocity, body.body.angular_velocity), (DVec3::NEG_Y, DVec3::ZERO));
    let stated = TEXT.replace("position", "velocity = [7, 0, 0]\nposition");
    assert_eq!(parse(&stated, "").unwrap().bodies[0].body.velocity, DVec3::X * 7.0);
    // Without phases there is no prescribed motion; with none in the list, one that rests.
    let without = TEXT.split("[[body.phase]]").next().unwrap();
    assert!(parse(without, "").unwrap().bodies[0].prescribed_motion.is_none());
    let empty = parse(&without.replace("kinematic", "phase = []\nkinematic"), "").unwrap();
    assert_eq!(empty.bodies[0].prescribed_motion, Some(PrescribedMotion::default()));
    assert_same(&parse(&encode(&empty).unwrap(), "").unwrap(), &empty);
}

/// A scene whose second body is kinematic.
fn scene(prescribed_motion: Option<PrescribedMotion>, velocity: [f64; 3]) -> Scene {
    let mut scene = Case::Wedges.scene(Model::Recorded, None).unwrap();
    let second = &mut scene.bodies[1];
    let body = Body::kinematic(second.body.material).at(second.body.position, second.body.orientation).unwrap();
    second.body = body.moving(velocity.into(), DVec3::NEG_Z).unwrap();
    second.prescribed_motion = prescribed_motion;
    scene
}

#[test]
fn a_prescribed_motion_without_a_kinematic_body_is_not_written() {
    for body in [0, 1] {
        let mut scene = scene(None, [0.0; 3]);
        scene.bodies[1].body = Body::fixed(scene.bodies[1].body.material);
        scene.bodies[body].prescribed_motion = Some(PrescribedMotion::default());
        let message = encode(&scene).unwrap_err().to_string();
        assert!(message.contains(&scene.bodies[body].name) && message.contains("only kinematic bodies"), "{message}");
    }
}

proptest! {
    /// Every prescribed motion reads back to the same bits.
    #[test]
    fn prescribed_motions_are_kept(
        numbers in prop::collection::vec(
            (prop_oneof![Just(f64::INFINITY), 5e-324f64..1e300], prop::array::uniform6(-1e9f64..1e9)), 0..5),
        velocity in prop::array::uniform3(-1e9f64..1e9),
        is_prescribed: bool,
    ) {
        let phase = |&(duration, [a, b, c, d, e, f]): &(f64, [f64; 6])| {
            Phase { duration, velocity: DVec3::new(a, b, c), angular_velocity: DVec3::new(d, e, f) }
        };
        let prescribed_motion = PrescribedMotion::new(numbers.iter().map(phase).collect()).unwrap();
        let scene = scene(is_prescribed.then_some(prescribed_motion), velocity);
        assert_same(&parse(&encode(&scene).unwrap(), "").unwrap(), &scene);
    }
}
