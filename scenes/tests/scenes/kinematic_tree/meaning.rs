//! Elements of MJCF mean what they mean in MuJoCo.

use drystone_engine::joint::{Axis, Motion, Motor};
use drystone_engine::{BodyId, JointKind, MaterialId};
use drystone_scenes::kinematic_tree::parse;
use drystone_scenes::scene_file;
use glam::{DQuat, DVec3};

use super::{body, data, mjcf};

/// Where the x and z axes of a fixed box with this orientation point.
fn axes(compiler: &str, orientation: &str) -> [DVec3; 2] {
    let read = mjcf(&format!(
        r#"<compiler {compiler}/><worldbody><geom name="g" type="box" size="1 2 3" {orientation}/></worldbody>"#
    ));
    let turn = body(&read, "g").body.orientation;
    [turn * DVec3::X, turn * DVec3::Z]
}

#[test]
fn orientations_can_be_given_in_five_ways() {
    let same = |found: [DVec3; 2], expected: [DVec3; 2]| {
        assert!((0..2).all(|k| found[k].distance(expected[k]) < 1e-12), "{found:?}, expected {expected:?}");
    };
    let quarter = [DVec3::Y, DVec3::Z];
    same(axes("", r#"quat="1 0 0 1""#), quarter);
    same(axes("", r#"axisangle="0 0 2 90""#), quarter);
    same(axes("", r#"euler="0 0 90""#), quarter);
    same(axes("", r#"xyaxes="0 3 0 -1 7 0""#), quarter);
    same(axes("", r#"zaxis="0 0 5""#), [DVec3::X, DVec3::Z]);
    same(axes("", r#"zaxis="0 0 -1""#), [DVec3::X, -DVec3::Z]);
    same(axes("", r#"zaxis="1 0 0""#), [-DVec3::Z, DVec3::X]);
    same(axes(r#"angle="radian""#, r#"euler="0 0 1.5707963267948966""#), quarter);
    // Turning axes, fixed axes, and another order.
    let (x, y) = (DQuat::from_rotation_x(0.5), DQuat::from_rotation_y(0.7));
    let of = |turn: DQuat| [turn * DVec3::X, turn * DVec3::Z];
    let radian = r#"angle="radian" eulerseq="#;
    same(axes(&format!("{radian}\"xyz\""), r#"euler="0.5 0.7 0""#), of(x * y));
    same(axes(&format!("{radian}\"XYZ\""), r#"euler="0.5 0.7 0""#), of(y * x));
    same(axes(&format!("{radian}\"yxz\""), r#"euler="0.7 0.5 0""#), of(y * x));
}

#[test]
fn bodies_are_where_their_frames_put_them() {
    let read = mjcf(
        r#"<worldbody>
             <frame pos="1 0 0" euler="0 0 90">
               <body name="a" pos="2 0 0" euler="0 90 0"><freejoint/>
                 <geom size="0.1" pos="0 0 0.5"/>
                 <body name="b" pos="0 1 0"><joint axis="0 0 1" pos="0 0 0.3"/><geom size="0.1"/></body>
               </body>
             </frame>
           </worldbody>"#,
    );
    // The frame takes (x, y, z) to (1 − y, x, z), the body (x, y, z) to (2 + z, y, −x).
    assert!(body(&read, "a").body.position.distance(DVec3::new(1.0, 2.5, 0.0)) < 1e-12);
    assert!(body(&read, "b").body.position.distance(DVec3::new(0.0, 2.0, 0.0)) < 1e-12);
}

#[test]
fn classes_pass_attributes_on() {
    let read = mjcf(
        r#"<default>
             <geom size="0.1" mass="1"/>
             <default class="heavy"><geom mass="2"/><default class="large"><geom size="0.3"/></default></default>
           </default>
           <worldbody>
             <body name="plain"><freejoint/><geom/></body>
             <body name="child" childclass="large"><freejoint/><geom/>
               <body name="own"><joint/><geom class="heavy"/></body></body>
             <body name="stated"><freejoint/><geom class="heavy" mass="3"/></body>
           </worldbody>"#,
    );
    let of = |name| (body(&read, name).body.mass(), body(&read, name).shape.radius());
    assert_eq!(of("plain"), (1.0, 0.1));
    assert_eq!(of("child"), (2.0, 0.3));
    assert_eq!(of("own"), (2.0, 0.1));
    assert_eq!(of("stated"), (3.0, 0.1));
}

#[test]
fn coordinates_are_counted_from_where_the_model_begins() {
    let axis = |joint: &str| {
        let read = mjcf(&format!(r#"<worldbody><body>{joint}<geom size="0.1"/></body></worldbody>"#));
        let joint = read.scene.joints[0].clone();
        joint.axes[if joint.kind == JointKind::Slider { 0 } else { 3 }]
    };
    let close = |found: Axis, expected: [f64; 2]| {
        let Motion::Limited { lower, upper } = found.motion else { panic!("{found:?} is limited") };
        assert!((lower - expected[0]).abs() < 1e-12 && (upper - expected[1]).abs() < 1e-12, "{found:?}");
    };
    close(axis(r#"<joint range="-90 180" ref="45"/>"#), [-0.75, 0.75].map(|turn| turn * std::f64::consts::PI));
    close(axis(r#"<joint type="slide" range="-1 2" ref="0.5"/>"#), [-1.5, 1.5]);
    assert_eq!(axis(r#"<joint range="-90 90" limited="false"/>"#).motion, Motion::Free);
    let spring = axis(r#"<joint type="slide" stiffness="3" damping="4" springref="0.5" ref="0.2" frictionloss="5"/>"#);
    assert_eq!(spring.motor, Some(Motor::Spring { rest: 0.3, stiffness: 3.0, damping: 4.0 }));
    assert_eq!(spring.friction, 5.0);
}

#[test]
fn joints_of_one_body_become_one_where_they_can() {
    let read = mjcf(
        r#"<worldbody><body name="walker" pos="0 0 1">
             <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 -1" range="-1 2"/><joint axis="0 1 0" range="-30 60"/>
             <geom size="0.1"/></body></worldbody>"#,
    );
    assert_eq!((read.scene.bodies.len(), read.scene.joints.len()), (1, 1));
    let joint = &read.scene.joints[0];
    assert_eq!(joint.kind, JointKind::SixDof);
    let locked = joint.axes.iter().filter(|axis| axis.motion == Motion::Locked).count();
    let limited: Vec<[f64; 2]> = joint
        .axes
        .iter()
        .filter_map(|axis| match axis.motion {
            Motion::Limited { lower, upper } => Some([lower, upper]),
            _ => None,
        })
        .collect();
    assert_eq!((locked, limited.len()), (3, 2));
    // The slide may be counted the other way round, as the frame is right-handed.
    assert!(limited[0] == [-1.0, 2.0] || limited[0] == [-2.0, 1.0], "{limited:?}");
    assert!((limited[1][0] + 30_f64.to_radians()).abs() < 1e-12);
}

#[test]
fn bits_decide_who_touches_whom() {
    let read = mjcf(
        r#"<worldbody>
             <body name="a"><freejoint/><geom size="0.1" contype="1" conaffinity="0"/></body>
             <body name="b"><freejoint/><geom size="0.1" contype="0" conaffinity="1"/></body>
             <body name="c"><freejoint/><geom size="0.1" contype="2" conaffinity="2"/></body>
             <body name="seen"><freejoint/><geom size="0.1" contype="0" conaffinity="0"/></body>
           </worldbody>"#,
    );
    let touch = |a, b| body(&read, a).groups.touch(body(&read, b).groups);
    assert!(touch("a", "b") && touch("b", "a"), "one bit of one of them is enough");
    assert!(!touch("a", "a") && !touch("b", "b") && touch("c", "c"));
    assert!(!touch("a", "c") && !touch("b", "c") && !touch("seen", "a") && !touch("seen", "seen"));
}

#[test]
fn friction_is_the_larger_one_of_two_or_that_of_the_higher_priority() {
    let read = mjcf(
        r#"<worldbody>
             <geom name="ice" type="plane" friction="0.1" condim="1"/>
             <geom name="wood" type="box" size="1 1 1" friction="0.6 0.02"/>
             <geom name="rubber" type="box" size="1 1 1" friction="2 0.03" condim="4"/>
             <geom name="soap" type="box" size="1 1 1" friction="0.05" priority="1"/>
             <body name="b"><freejoint/><geom size="0.1" friction="0.6 0.02"/></body>
           </worldbody>"#,
    );
    let materials = &read.scene.materials;
    let friction = |a: &str, b: &str| {
        let of = |name| -> MaterialId { body(&read, name).body.material };
        materials.between(of(a), of(b)).unwrap().friction.to_array()
    };
    assert_eq!(friction("ice", "ice"), [0.0; 3]);
    assert_eq!(friction("ice", "wood"), [0.6, 0.6, 0.0]);
    assert_eq!(friction("b", "rubber"), [2.0, 2.0, 0.03]);
    assert_eq!(friction("rubber", "soap"), [0.05, 0.05, 0.0]);
    assert_eq!(body(&read, "wood").body.material, body(&read, "b").body.material);
}

#[test]
fn loops_are_closed_and_pairs_excluded() {
    let read = mjcf(
        r#"<worldbody>
             <geom name="floor" type="plane"/>
             <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
             <body name="b" pos="0 1 1"><freejoint/><geom size="0.1"/></body>
           </worldbody>
           <equality>
             <connect name="link" body1="a" body2="b" anchor="0 0.5 0"/>
             <weld body1="b"/>
             <weld body1="a" active="false"/>
           </equality>
           <contact><exclude body1="a" body2="b"/><exclude body1="world" body2="a"/></contact>"#,
    );
    let kinds: Vec<JointKind> = read.scene.joints.iter().map(|joint| joint.kind).collect();
    assert_eq!(kinds, [JointKind::Ball, JointKind::Fixed]);
    assert!(read.scene.joints.iter().all(|joint| joint.collides));
    let drystone_scenes::joint::JointEnds::Bodies { frames, .. } = read.scene.joints[0].ends else { panic!("bodies") };
    assert_eq!(frames.map(|frame| frame.translation.y), [0.5, -0.5]);
    assert_eq!(read.scene.excluded, [[BodyId::new(1), BodyId::new(2)], [BodyId::new(0), BodyId::new(1)]]);
    let kept = scene_file::parse(&scene_file::encode(&read.scene).unwrap(), "").unwrap();
    assert_eq!(kept.excluded, read.scene.excluded);
}

#[test]
fn replicas_are_moved_and_turned_on() {
    let read = mjcf(
        r#"<worldbody><replicate count="3" offset="1 0 0" euler="0 0 90" sep="-">
             <body name="b" pos="0 0 2"><freejoint/><geom size="0.1" pos="0.5 0 0"/></body></replicate></worldbody>"#,
    );
    let centres = [DVec3::new(0.5, 0.0, 2.0), DVec3::new(1.0, 0.5, 2.0), DVec3::new(0.5, 1.0, 2.0)];
    for (name, centre) in ["b-0", "b-1", "b-2"].into_iter().zip(centres) {
        assert!(body(&read, name).body.position.distance(centre) < 1e-12, "{name}");
    }
}

#[test]
fn meshes_count_from_the_folder_of_the_compiler() {
    let read = mjcf(
        r#"<compiler meshdir="meshes"/><asset><mesh file="tetrahedron.obj" scale="2 2 2"/></asset>
           <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="tetrahedron" density="600"/></body></worldbody>"#,
    );
    let body = body(&read, "b");
    // The corner of a cube of 2 m: a sixth of it, its centre a quarter of the way along each axis.
    assert!((body.body.mass() - 600.0 * 8.0 / 6.0).abs() < 1e-9);
    assert!(body.body.position.distance(DVec3::splat(0.5)) < 1e-12);
    let read = mjcf(
        r#"<asset><mesh name="corner" vertex="0 0 0 2 0 0 0 2 0 0 0 2 0.1 0.1 0.1"/></asset>
           <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="corner" density="600"/></body></worldbody>"#,
    );
    assert!((self::body(&read, "b").body.mass() - 600.0 * 8.0 / 6.0).abs() < 1e-9);
    let files = drystone_scenes::kinematic_tree::files(data().join("mjcf/with-parts.xml"));
    let names: Vec<String> = files.iter().map(|f| f.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["parts.xml", "tetrahedron.obj"]);
}

#[test]
fn included_files_are_a_part_of_the_model() {
    let path = data().join("mjcf/with-parts.xml");
    let read = drystone_scenes::kinematic_tree::read(&path).unwrap();
    assert_eq!(read.scene.bodies.len(), 2);
    let text = std::fs::read_to_string(&path).unwrap();
    let twice =
        text.replace("<include file=\"parts.xml\"/>", "<include file=\"parts.xml\"/><include file=\"parts.xml\"/>");
    assert!(parse(&twice, &path).unwrap_err().to_string().contains("included twice"));
}

#[test]
fn what_is_left_out_is_said_once() {
    let read = mjcf(
        r#"<option integrator="RK4"/>
           <worldbody><body><joint armature="0.1"/><geom size="0.1" solref="0.01 1"/></body>
             <body pos="1 0 0"><joint armature="0.2"/><geom size="0.1"/></body></worldbody>
           <actuator><motor joint="x"/></actuator><sensor><gyro site="x"/></sensor>"#,
    );
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    let has = |what: &[&str]| notes.iter().any(|note| what.iter().all(|part| note.contains(part)));
    assert!(has(&["armature", "and 1 more", "model.xml, line 2", "no inertia of their own"]), "{notes:#?}");
    assert!(has(&["solref", "rigid"]) && has(&["motor", "nothing drives"]) && has(&["integrator"]), "{notes:#?}");
    assert_eq!(notes.len(), 4, "{notes:#?}");
}
