//! What cannot be read is refused by an error that says what, where and what to do.

use drystone_scenes::kinematic_tree::{parse, read};

/// The message about a text that stands in `model.xml`.
fn refusal(text: &str) -> String {
    parse(text, "model.xml").map(|_| ()).unwrap_err().to_string()
}

fn assert_says(text: &str, parts: &[&str]) {
    let message = refusal(text);
    assert!(message.starts_with("model.xml, line ") && !message.contains(char::is_control), "{message:?}");
    parts.iter().for_each(|part| assert!(message.contains(part), "{message}\nlacks {part}"));
}

#[test]
fn texts_that_are_no_models() {
    assert_says("<mujoco>\n<worldbody>\n</mujoco>", &["line 3", "no XML"]);
    assert_says("<sdf/>", &["<sdf>", "<mujoco>", "<robot>"]);
    assert_says("", &["no XML"]);
    assert_says(
        "<!DOCTYPE m [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<mujoco/>",
        &["document type", "remove it"],
    );
    assert_says("<mujoco><worldbody/></mujoco>", &["nothing that moves"]);
    let deep = "<body>".repeat(300) + &"</body>".repeat(300);
    assert_says(&format!("<mujoco><worldbody>{deep}</worldbody></mujoco>"), &["200 elements deep"]);
    let message = read("nowhere/model.xml").unwrap_err().to_string();
    assert!(message.contains("nowhere/model.xml") && message.contains("check the path"), "{message}");
}

#[test]
fn elements_and_attributes_of_mjcf() {
    let cases: [(&str, &[&str]); 36] = [
        (r#"<body><freejoint/><geom size="0.1" colour="1"/></body>"#, &["<geom>", "colour", "unknown"]),
        (r#"<body><freejoint/><boulder/></body>"#, &["<boulder>", "unknown"]),
        (r#"<body><freejoint/><geom size="nan"/></body>"#, &["size", "finite numbers"]),
        (r#"<body><freejoint/><geom size="0.1" pos="0 inf 0"/></body>"#, &["pos", "finite numbers"]),
        (r#"<body><freejoint/><geom size="0.1" pos="1e12 0 0"/></body>"#, &["pos", "units"]),
        (r#"<body><freejoint/><geom size="0.1" pos="1 2"/></body>"#, &["pos", "three numbers"]),
        (r#"<body><freejoint/><geom size="0"/></body>"#, &["size", "above zero"]),
        (r#"<body><freejoint/><geom type="box" size="1 1"/></body>"#, &["size", "three half sides"]),
        (r#"<body><freejoint/><geom type="cone" size="1 1"/></body>"#, &["type", "cone", "capsule"]),
        (r#"<body><freejoint/><geom type="hfield" hfield="h"/></body>"#, &["hfield", "not supported"]),
        (r#"<body><freejoint/><geom type="plane"/></body>"#, &["plane", "cannot move"]),
        (r#"<body><freejoint/><geom type="mesh" mesh="m"/></body>"#, &["no mesh \"m\"", "<asset>"]),
        (r#"<body><freejoint/><geom type="capsule" size="1" fromto="1 1 1 1 1 1"/></body>"#, &["fromto", "different"]),
        (r#"<body><freejoint/><geom fromto="0 0 0 1 1 1" size="1"/></body>"#, &["fromto", "two ends"]),
        (r#"<body><freejoint/><geom size="0.1" mass="-1"/></body>"#, &["mass", "zero or above"]),
        (r#"<body><freejoint/><geom size="0.1" condim="2"/></body>"#, &["condim", "1, 3, 4 or 6"]),
        (r#"<body><freejoint/><geom size="0.1" shellinertia="true"/></body>"#, &["shellinertia", "<inertial>"]),
        (r#"<body name="x"><freejoint/><geom size="0.1" mass="0"/></body>"#, &["<body> \"x\"", "no mass"]),
        (r#"<body><freejoint/></body>"#, &["no mass"]),
        (r#"<body><freejoint/><inertial mass="0" pos="0 0 0" diaginertia="1 1 1"/></body>"#, &["no mass"]),
        (r#"<body><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 5"/></body>"#, &["principal moments"]),
        (
            r#"<body><freejoint/><inertial mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>"#,
            &["keep one"],
        ),
        (
            r#"<body quat="1 0 0 0" euler="0 0 1"><freejoint/><geom size="0.1"/></body>"#,
            &["quat and euler", "keep one"],
        ),
        (r#"<body quat="0 0 0 0"><freejoint/><geom size="0.1"/></body>"#, &["quat", "not zero"]),
        (r#"<body><joint axis="0 0 0"/><geom size="0.1"/></body>"#, &["axis", "direction"]),
        (r#"<body><joint range="1 -1"/><geom size="0.1"/></body>"#, &["range", "lower limit first"]),
        (r#"<body><joint type="ball" range="0 90"/><geom size="0.1"/></body>"#, &["ball joint", "three hinges"]),
        (r#"<body><joint type="screw"/><geom size="0.1"/></body>"#, &["type", "free, ball, slide or hinge"]),
        (r#"<body><joint springdamper="1 1"/><geom size="0.1"/></body>"#, &["springdamper", "stiffness and damping"]),
        (r#"<body><freejoint/><joint/><geom size="0.1"/></body>"#, &["only joint"]),
        (
            r#"<body><joint/><geom size="0.1"/><body><freejoint/><geom size="0.1"/></body></body>"#,
            &["child of the world"],
        ),
        (r#"<body><freejoint/><geom class="none" size="0.1"/></body>"#, &["no class \"none\"", "main"]),
        (r#"<body name="a"/><body name="a"/>"#, &["another body \"a\""]),
        (r#"<joint/>"#, &["world does not move"]),
        (r#"<body><freejoint/><geom size="0.1"/><geom size="0.1" friction="0.5"/></body>"#, &["friction", "same ones"]),
        (r#"<body><composite type="cable"/></body>"#, &["<composite>", "not supported"]),
    ];
    for (content, parts) in cases {
        assert_says(&format!("<mujoco><worldbody>\n{content}\n</worldbody></mujoco>"), parts);
    }
}

#[test]
fn sections_of_mjcf() {
    let cases: [(&str, &[&str]); 13] = [
        (r#"<option timestep="0"/>"#, &["timestep", "above zero"]),
        (r#"<option viscosity="1"/>"#, &["viscosity", "fluid"]),
        (r#"<option><flag spring="disable"/></option>"#, &["spring", "turns off"]),
        (r#"<compiler angle="grad"/>"#, &["angle", "degree or radian"]),
        (r#"<compiler coordinate="global"/>"#, &["coordinate", "local"]),
        (r#"<compiler eulerseq="xyw"/>"#, &["eulerseq", "fixed axes"]),
        (r#"<compiler settotalmass="5"/>"#, &["settotalmass", "masses"]),
        (r#"<equality><joint joint1="a"/></equality>"#, &["<joint>", "connect or weld"]),
        (r#"<equality><connect body1="b" anchor="0 0 0"/></equality>"#, &["no body \"b\""]),
        (r#"<contact><pair geom1="a" geom2="b"/></contact>"#, &["<pair>", "contype"]),
        (r#"<tendon><spatial stiffness="3"/></tendon>"#, &["stiffness", "tendon"]),
        (r#"<include file="nowhere.xml"/>"#, &["nowhere.xml", "check the path"]),
        (r#"<orchestra/>"#, &["<orchestra>", "unknown"]),
    ];
    let rest = r#"<worldbody><body name="a"><freejoint/><geom size="0.1"/></body></worldbody>"#;
    for (content, parts) in cases {
        let text = format!("<mujoco>{content}{rest}</mujoco>");
        let message = refusal(&text);
        parts.iter().for_each(|part| assert!(message.contains(part), "{message}\nlacks {part}"));
    }
    parse(&format!("<mujoco>{rest}</mujoco>"), "model.xml").unwrap();
}

#[test]
fn elements_of_urdf() {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let joint = |kind: &str, parent: &str, child: &str, rest: &str| {
        format!(
            r#"<joint name="{parent}-{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>"#
        )
    };
    let [a, b] = ["a", "b"].map(link);
    let cases: [(String, &[&str]); 11] = [
        (format!("{a}{b}{}", joint("planar", "a", "b", "")), &["planar", "prismatic"]),
        (format!("{a}{b}{}", joint("screw", "a", "b", "")), &["type", "revolute"]),
        (format!("{a}{b}{}", joint("revolute", "a", "b", "")), &["<limit>", "continuous"]),
        (format!("{a}{b}{}", joint("fixed", "a", "c", "")), &["no link \"c\""]),
        (format!("{a}{b}{}{}", joint("fixed", "a", "b", ""), joint("fixed", "b", "a", "")), &["hangs on itself"]),
        (format!("{a}{b}{}{}", joint("fixed", "a", "b", ""), joint("continuous", "a", "b", "")), &["two parents"]),
        (format!("{a}{a}"), &["another link \"a\""]),
        (format!("{a}{b}{}", joint("continuous", "a", "b", r#"<mimic joint="x"/>"#)), &["follows another", "gear"]),
        (r#"<link name="a"><inertial><mass value="1"/></inertial></link>"#.into(), &["no <inertia>"]),
        (
            r#"<link name="a"><collision><geometry><box size="1 -1 1"/></geometry></collision></link>"#.into(),
            &["above zero"],
        ),
        (format!(r#"{a}<link name="b"/>{}"#, joint("continuous", "a", "b", "")), &["<link> \"b\"", "no mass"]),
    ];
    for (content, parts) in cases {
        assert_says(&format!("<robot name=\"r\">\n{content}</robot>"), parts);
    }
}
