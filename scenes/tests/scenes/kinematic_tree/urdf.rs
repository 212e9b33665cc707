//! Elements of URDF mean what they mean there.

use drystone_engine::JointKind;
use drystone_scenes::kinematic_tree::parse;
use glam::{DQuat, DVec3};

use super::body;

const BODY: &str = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>"#;

#[test]
fn joints_have_their_kinds_and_origins() {
    let text = format!(
        r#"<robot name="r"><link name="base"/>
             <link name="a">{BODY}</link><link name="b">{BODY}</link><link name="c">{BODY}</link>
             <joint name="j" type="continuous"><parent link="base"/><child link="a"/>
               <origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/></joint>
             <joint name="k" type="prismatic"><parent link="a"/><child link="b"/>
               <origin xyz="2 0 0" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 2"/><limit lower="-1" upper="1"/></joint>
             <joint name="l" type="fixed"><parent link="b"/><child link="c"/><origin xyz="0 0 1"/></joint>
           </robot>"#
    );
    let read = parse(&text, "r.urdf").unwrap();
    assert_eq!(
        read.scene.joints.iter().map(|joint| joint.kind).collect::<Vec<_>>(),
        [JointKind::Hinge, JointKind::Slider]
    );
    assert!(body(&read, "a").body.position.distance(DVec3::X) < 1e-12);
    // The link b is at (1, 2, 0); its z axis is the −y axis of a, which is x of the world; c is half of the body.
    assert!(
        body(&read, "b").body.position.distance(DVec3::new(1.5, 2.0, 0.0)) < 1e-12,
        "{}",
        body(&read, "b").body.position
    );
    assert_eq!(body(&read, "b").body.mass(), 2.0);
}

#[test]
fn the_root_is_fixed_and_what_floats_is_free() {
    let text = |kind: &str| {
        format!(
            r#"<robot name="r"><link name="world"/><link name="a">{BODY}</link>
               <joint name="j" type="{kind}"><parent link="world"/><child link="a"/></joint></robot>"#
        )
    };
    let fixed = parse(&text("fixed"), "r.urdf").unwrap();
    assert!(body(&fixed, "a").body.is_fixed() && fixed.scene.joints.is_empty());
    let free = parse(&text("floating"), "r.urdf").unwrap();
    assert!(body(&free, "a").body.is_dynamic() && free.scene.joints.is_empty());
}

#[test]
fn roll_pitch_and_yaw_are_about_fixed_axes() {
    let text = r#"<robot name="r"><link name="a"><collision name="box">
        <origin rpy="0.5 0.7 0.9"/><geometry><box size="1 2 3"/></geometry></collision></link></robot>"#;
    let read = parse(text, "r.urdf").unwrap();
    let about = |axis: DVec3, angle: f64| DQuat::from_axis_angle(axis, angle);
    let expected = about(DVec3::Z, 0.9) * about(DVec3::Y, 0.7) * about(DVec3::X, 0.5);
    assert!(body(&read, "box").body.orientation.dot(expected).abs() > 1.0 - 1e-12);
}
