//! The same arm in MJCF and in URDF, with numbers by hand.

use drystone_engine::JointKind;
use drystone_engine::joint::{Motion, Motor};
use drystone_scenes::joint::JointEnds;
use drystone_scenes::kinematic_tree::{TreeScene, read};
use drystone_scenes::opening::{SceneOptions, What, open};
use drystone_scenes::scene_file;
use glam::{DMat3, DVec3};

use super::{body, data};

fn both() -> [TreeScene; 2] {
    ["mjcf/arm.xml", "urdf/arm.urdf"].map(|file| read(data().join(file)).unwrap())
}

/// The inertia along the axes of the world, kg m².
fn inertia(read: &TreeScene, name: &str) -> DMat3 {
    let body = &body(read, name).body;
    let turn = DMat3::from_quat(body.orientation);
    turn * DMat3::from_diagonal(body.inertia()) * turn.transpose()
}

#[test]
fn both_formats_make_the_same_bodies_and_joints() {
    let [mjcf, urdf] = both();
    assert_eq!(mjcf.scene.bodies.len(), 3);
    for (a, b) in mjcf.scene.bodies.iter().zip(&urdf.scene.bodies) {
        assert_eq!((&a.name, a.groups, a.body.kind()), (&b.name, b.groups, b.body.kind()));
        assert_eq!(a.shape.kind(), b.shape.kind());
        assert!(a.body.position.distance(b.body.position) < 1e-12, "{}", a.name);
        if a.body.is_dynamic() {
            assert!((a.body.mass() - b.body.mass()).abs() < 1e-12);
            let difference = inertia(&mjcf, &a.name) - inertia(&urdf, &b.name);
            assert!(difference.to_cols_array().iter().all(|x| x.abs() < 1e-12), "{}", a.name);
        }
        let [low, high] = [&a, &b].map(|body| body.shape.bounds_at(&body.body.pose())).map(|(low, high)| [low, high]);
        assert!((0..2).all(|k| low[k].distance(high[k]) < 1e-12), "{}", a.name);
    }
    assert_eq!(mjcf.scene.joints.len(), urdf.scene.joints.len());
    for (a, b) in mjcf.scene.joints.iter().zip(&urdf.scene.joints) {
        assert_eq!((&a.name, a.kind, a.axes, a.collides), (&b.name, b.kind, b.axes, b.collides));
        let (JointEnds::Bodies { a: a_a, b: a_b, .. }, JointEnds::Bodies { a: b_a, b: b_b, .. }) = (&a.ends, &b.ends)
        else {
            panic!("{} ties bodies", a.name)
        };
        assert_eq!((a_a, a_b), (b_a, b_b));
    }
    assert_eq!(mjcf.scene.forces.gravity, DVec3::new(0.0, 0.0, -9.81));
}

#[test]
fn the_arm_is_where_it_should_be() {
    let [mjcf, _] = both();
    let upper = body(&mjcf, "upper");
    assert!(upper.body.position.distance(DVec3::new(0.0, 0.0, 0.35)) < 1e-12);
    assert_eq!(upper.body.mass(), 2.0);
    // Lower arm and hand are one body; its frame is turned by 0.3 rad about y at (0, 0, 0.6).
    let lower = body(&mjcf, "lower");
    assert!((lower.body.mass() - 1.5).abs() < 1e-12);
    let own = (1.2 * DVec3::new(0.01, 0.0, 0.2) + 0.3 * DVec3::new(0.0, 0.0, 0.43)) / 1.5;
    let (sin, cos) = 0.3_f64.sin_cos();
    let expected = DVec3::new(cos * own.x + sin * own.z, 0.0, 0.6 - sin * own.x + cos * own.z);
    assert!(lower.body.position.distance(expected) < 1e-12, "{} {expected}", lower.body.position);
    // About y, which no turn about y changes.
    let apart = |x: f64, z: f64| (x - own.x).powi(2) + (z - own.z).powi(2);
    let about_y = 0.018 + 1.2 * apart(0.01, 0.2) + 0.0002 + 0.3 * apart(0.0, 0.43);
    assert!((inertia(&mjcf, "lower").y_axis.y - about_y).abs() < 1e-12);
}

#[test]
fn joints_have_their_limits_and_damping() {
    for read in both() {
        let [shoulder, elbow] = &read.scene.joints[..] else { panic!("two joints") };
        assert_eq!((shoulder.name.as_str(), shoulder.kind), ("shoulder", JointKind::Hinge));
        assert_eq!(shoulder.axes[3].motion, Motion::Limited { lower: -2.0, upper: 2.0 });
        assert_eq!(shoulder.axes[3].motor, Some(Motor::Spring { rest: 0.0, stiffness: 0.0, damping: 0.2 }));
        assert_eq!((shoulder.axes[3].friction, elbow.axes[3].friction), (0.0, 0.1));
        let JointEnds::Bodies { a, frames, .. } = &elbow.ends else { panic!("bodies") };
        assert_eq!(a.map(|a| read.scene.bodies[a.index()].name.as_str()), Some("upper"));
        let pose = body(&read, "upper").body.pose();
        assert!((frames[0].translation.length() - 0.25).abs() < 1e-12, "from the centre of mass");
        assert!(pose.transform_point(frames[0].translation).distance(DVec3::new(0.0, 0.0, 0.6)) < 1e-12);
    }
}

#[test]
fn the_program_opens_it_and_scene_files_keep_it() {
    let text = data().join("urdf/arm.urdf").display().to_string();
    let what: What = text.parse().unwrap();
    assert!(matches!(&what, What::KinematicTree(path) if path.ends_with("arm.urdf")));
    let opened = open(&what, &SceneOptions::default()).unwrap();
    assert!(
        opened.notes[0].contains("effort and velocity") && opened.notes[0].contains("and 1 more"),
        "{}",
        opened.notes[0]
    );
    let written = scene_file::encode(&opened.scene).unwrap();
    let kept = scene_file::parse(&written, "").unwrap();
    assert_eq!(kept.joints, opened.scene.joints);
    for (a, b) in kept.bodies.iter().zip(&opened.scene.bodies) {
        assert_eq!((&a.name, a.groups, &a.body), (&b.name, b.groups, &b.body));
    }
}
