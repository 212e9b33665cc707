//! Joints in scene files: every kind, as the engine makes them, and an error for every kind of mistake.

use drystone_contact::Pose;
use drystone_contact::generator::methods;
use drystone_engine::joint::{Axis, Motion, Motor};
use drystone_engine::solver::ContactSolver;
use drystone_engine::{BodyHandle, Joint, JointHandle, JointKind, NewJoint, World};
use drystone_scenes::joint::JointEnds;
use drystone_scenes::scene::Scene;
use drystone_scenes::scene_file::{encode, parse};
use drystone_scenes::simulation::{SimulationSettings, WorldPreset, backtracking, world};
use drystone_scenes::transformed::{exchanged, moved, scaled};
use glam::{DQuat, DVec3};

use super::same::assert_same;

const BODIES: &str = r#"
name = "joints"
materials = ["steel"]

[[body]]
name = "one"
material = "steel"
density = 500
position = [0, 1, 0]
rotation = { axis = [1, 2, 3], degrees = 40 }
angular_velocity = [0.3, 0.2, -0.5]
shape.box = [1, 0.2, 0.3]

[[body]]
name = "two"
material = "steel"
density = 800
position = [2, 1, 0.5]
rotation = { axis = [0, 1, -1], degrees = 130 }
shape.box = [0.2, 0.5, 0.3]

[[body]]
name = "post"
material = "steel"
fixed = true
position = [0, -3, 0]
shape.box = [1, 1, 1]
"#;

/// All kinds of joints, with all kinds of limits and motors.
const JOINTS: &str = r#"
[[joint]]
name = "weld"
kind = "fixed"
a = "one"
b = "two"
breaking_force = 1e4
breaking_torque = 2e3

[[joint]]
name = "door"
kind = "hinge"
a = "one"
b = "two"
point = [1, 1, 0]
axis = [0, 2, 1]
angle = { limits = [-inf, 1.5], motor = { velocity = 2, max_force = 50 }, friction = 0.5 }

[[joint]]
name = "crank"
kind = "hinge"
b = "one"
point = [0, 1, 0]
axis = [0, 0, 1]

[[joint]]
name = "drawer"
kind = "slider"
a = "post"
b = "two"
axis = [1, 0, 0]
displacement.motor = { position = 0.2, stiffness = 100, damping = 5 }

[[joint]]
name = "shoulder"
kind = "ball"
a = "one"
b = "two"
point = [1, 0.5, 0]
ry.limits = [-0.5, 0.5]
collides = true

[[joint]]
name = "shaft"
kind = "universal"
a = "one"
b = "two"
point = [1, 1, 1]
axes = [[1, 0, 0], [0.1, 0, 3]]
rz.friction = 2

[[joint]]
name = "neck"
kind = "cone-twist"
a = "one"
b = "two"
point = [1, 1, 0]
axis = [1, 0, 0]
twist.limits = [-0.3, 0.4]
swing.limits = [-inf, 0.6]

[[joint]]
name = "suspension"
kind = "six-dof"
a = "one"
b = "two"
point = [1, 1, 0]
rotation = { axis = [0, 0, 1], degrees = 30 }
y = { limits = [-0.1, 0.1], motor = { rest = 0.02, stiffness = 2e4, damping = 1e3 } }
rx = {}

[[joint]]
name = "strut"
kind = "distance"
b = "one"
points = [[0, 3, 0], [0.2, 1, 0]]
distance.limits = [2, 2]

[[joint]]
name = "cord"
kind = "rope"
a = "one"
b = "two"
points = [[0, 1, 0], [2, 1, 0]]
distance.limits = [-inf, 3]

[[joint]]
name = "coil"
kind = "spring"
a = "one"
b = "two"
points = [[0, 1, 0], [2, 1, 0]]
distance.motor = { rest = 1, stiffness = 40, damping = 0.1 }

[[joint]]
name = "gears"
kind = "gear"
joints = ["door", "crank"]
ratio = -2

[[joint]]
name = "pinion"
kind = "rack"
joints = ["crank", "drawer"]
ratio = 0.1
collides = false
"#;

fn scene() -> Scene {
    parse(&format!("{BODIES}{JOINTS}"), "").unwrap()
}

fn step_world(scene: &Scene) -> World {
    world(scene, &methods::semi_local(), WorldPreset::Embedding).unwrap()
}

/// The same joints as the engine's own functions make them.
fn by_hand(world: &mut World, bodies: &[BodyHandle]) -> Vec<JointHandle> {
    let (one, two, post) = (bodies[0], bodies[1], bodies[2]);
    let within = |world: &World, body: BodyHandle, point: DVec3| {
        world.body(body).unwrap().pose().inverse().transform_point(point)
    };
    let points = |world: &World| [within(world, one, DVec3::Y), within(world, two, DVec3::new(2.0, 1.0, 0.0))];
    let (at, some) = (DVec3::new(1.0, 1.0, 0.0), Some(one));
    let spring = Some(Motor::Spring { rest: 0.02, stiffness: 2e4, damping: 1e3 });
    let mut axes = [Axis::LOCKED; 6];
    axes[1] = Axis { motor: spring, ..Axis::limited(-0.1, 0.1) };
    axes[3] = Axis::FREE;
    let turned = Pose::from_parts(at, DQuat::from_rotation_z(30f64.to_radians()));
    let velocity = Motor::Velocity { target: 2.0, max_force: 50.0 };
    let position = Motor::Position { target: 0.2, stiffness: 100.0, damping: 5.0, max_force: f64::INFINITY };
    let mut handles = Vec::new();
    let mut add = |world: &mut World, new: NewJoint| handles.push(world.add_joint(new).unwrap());
    let new = NewJoint::fixed(some, two, world).unwrap().with_breaking(Some(1e4), Some(2e3));
    add(world, new);
    let new = NewJoint::hinge(some, two, at, DVec3::new(0.0, 2.0, 1.0), world).unwrap();
    add(world, new.with_limits(f64::NEG_INFINITY, 1.5).with_motor(velocity).with_friction(0.5));
    let new = NewJoint::hinge(None, one, DVec3::Y, DVec3::Z, world).unwrap();
    add(world, new);
    let new = NewJoint::slider(Some(post), two, DVec3::X, world).unwrap().with_motor(position);
    add(world, new);
    let new = NewJoint::ball(some, two, DVec3::new(1.0, 0.5, 0.0), world).unwrap().with_collision(true);
    add(world, new);
    let axes_of_shaft = [DVec3::X, DVec3::new(0.1, 0.0, 3.0)];
    let new = NewJoint::universal(some, two, DVec3::ONE, axes_of_shaft, world).unwrap();
    add(world, new);
    let new = NewJoint::cone_twist(some, two, (at, DVec3::X), (0.6, [-0.3, 0.4]), world).unwrap();
    add(world, new);
    let new = NewJoint::six_dof(some, two, turned, axes, world).unwrap();
    add(world, new);
    let on_one = within(world, one, DVec3::new(0.2, 1.0, 0.0));
    add(world, NewJoint::distance(None, one, [DVec3::Y * 3.0, on_one], [2.0; 2]));
    let [on_one, on_two] = points(world);
    add(world, NewJoint::rope(some, two, [on_one, on_two], 3.0));
    add(world, NewJoint::spring(some, two, [on_one, on_two], [1.0, 40.0, 0.1]));
    let (door, crank, drawer) = (handles[1], handles[2], handles[3]);
    handles.push(world.add_joint(NewJoint::gear(door, crank, -2.0)).unwrap());
    handles.push(world.add_joint(NewJoint::rack(crank, drawer, 0.1).with_collision(false)).unwrap());
    // Friction of one of the axes alone, and limits of the second angle.
    world.joint_mut(handles[4]).unwrap().axes[4].motion = Motion::Limited { lower: -0.5, upper: 0.5 };
    world.joint_mut(handles[5]).unwrap().axes[5].friction = 2.0;
    handles
}

fn assert_alike(read: &Joint, made: &Joint) {
    let name = read.kind();
    assert_eq!((read.kind(), read.bodies(), read.coupling()), (made.kind(), made.bodies(), made.coupling()));
    assert_eq!((read.axes, read.breaking, read.collides), (made.axes, made.breaking, made.collides), "{name:?}");
    for (read, made) in read.frames().iter().zip(made.frames()) {
        assert!(read.translation.distance(made.translation) < 1e-14, "{name:?}");
        assert!(read.rotation.dot(made.rotation).abs() > 1.0 - 1e-14, "{name:?}");
    }
}

#[test]
fn joints_of_a_file_are_those_of_the_engine() {
    let scene = scene();
    assert!(matches!(scene.solver, ContactSolver::Soft(_)));
    let read = step_world(&scene);
    let mut made = step_world(&Scene { joints: Vec::new(), ..scene });
    let bodies = made.handles().to_vec();
    let handles = by_hand(&mut made, &bodies);
    assert_eq!(read.joints().count(), handles.len());
    for (handle, joint) in read.joints() {
        assert_alike(joint, made.joint(handle).unwrap());
    }
    let kinds: Vec<JointKind> = read.joints().map(|(_, joint)| joint.kind()).collect();
    let mut seen = kinds.clone();
    seen.dedup();
    assert_eq!(seen.len(), 12, "all kinds but locked axes: {kinds:?}");
}

#[test]
fn joints_are_written_and_read_back_to_the_same_bits() {
    let scene = scene();
    let text = encode(&scene).unwrap();
    let read = parse(&text, "").unwrap();
    assert_same(&read, &scene);
    assert_eq!(read.joints, scene.joints);
    assert_eq!(encode(&read).unwrap(), text);
    let mut worlds = [step_world(&scene), step_world(&read)];
    for _ in 0..5 {
        worlds.iter_mut().for_each(|world| drop(world.step().unwrap()));
    }
    assert_eq!(worlds[0].bodies(), worlds[1].bodies());

    let mut odd = scene.clone();
    odd.joints[1].axes[0] = Axis::FREE;
    let refusal = encode(&odd).unwrap_err().to_string();
    assert!(refusal.contains("joint \"door\"") && refusal.contains("six-dof"), "{refusal}");
    let mut odd = scene;
    odd.joints[11].ends = JointEnds::Joints { joints: [1, 99], ratio: 1.0 };
    assert!(encode(&odd).unwrap_err().to_string().contains("joint \"gears\", joints"));
}

#[test]
fn mistakes_name_the_joint_and_the_key() {
    let refusal = |from: &str, to: &str| {
        let text = format!("{BODIES}{JOINTS}");
        assert!(text.contains(from), "{from}");
        parse(&text.replacen(from, to, 1), "").unwrap_err().to_string()
    };
    for (from, to, place, cure) in [
        ("kind = \"hinge\"", "kind = \"hing\"", "line 39", "hinge"),
        ("kind = \"fixed\"", "kind = \"locked-axes\"", "joint \"weld\", kind", "locked_translation"),
        ("name = \"door\"", "name = \"weld\"", "joint \"weld\", name", "already one"),
        ("name = \"door\"", "name = \" \"", "joint 1, name", "not blank"),
        ("a = \"one\"", "a = \"ones\"", "joint \"weld\", a", "no body is named \"ones\""),
        ("b = \"two\"", "b = \"one\"", "joint \"weld\", b", "two bodies"),
        ("b = \"two\"\nbreaking", "breaking", "joint \"weld\", b", "left out for the world"),
        ("b = \"one\"\npoint", "b = \"post\"\npoint", "joint \"crank\", b", "must be dynamic"),
        ("breaking_force = 1e4", "breaking_force = 0", "joint \"weld\", breaking_force", "above zero"),
        ("breaking_force = 1e4", "point = [0, 0, 0]", "joint \"weld\", point", "it takes: `frames`"),
        ("breaking_force = 1e4", "angle.friction = 1", "joint \"weld\", angle", "takes: none"),
        ("point = [1, 1, 0]\naxis", "axis", "joint \"door\", point", "in the world"),
        ("axis = [0, 2, 1]", "axis = [0, 0, 0]", "joint \"door\", axis", "any length"),
        ("axis = [0, 2, 1]", "points = [[0, 0, 0], [1, 1, 1]]", "joint \"door\", points", "`point`, `axis`"),
        ("[-inf, 1.5]", "[2, 1.5]", "joint \"door\", angle.limits", "lower limit first"),
        ("[-inf, 1.5]", "[nan, 1.5]", "joint \"door\", angle.limits", "lower limit first"),
        ("friction = 0.5", "friction = -0.5", "joint \"door\", angle.friction", "zero or above"),
        ("velocity = 2,", "", "joint \"door\", angle.motor", "one of `velocity`, `position` and `rest`"),
        ("velocity = 2", "velocity = nan", "joint \"door\", angle.motor.velocity", "finite"),
        ("velocity = 2", "velocity = 2, stiffness = 1", "joint \"door\", angle.motor.velocity", "remove `stiffness`"),
        ("max_force = 50", "max_force = -1", "joint \"door\", angle.motor.max_force", "zero or above"),
        ("stiffness = 100, ", "", "joint \"drawer\", displacement.motor.stiffness", "N/m"),
        ("damping = 5", "damping = -5", "joint \"drawer\", displacement.motor.damping", "zero or above"),
        ("ry.limits", "angle.limits", "joint \"shoulder\", angle", "`rx`, `ry`, `rz`"),
        ("[0.1, 0, 3]", "[5, 0, 0]", "joint \"shaft\", axes", "parallel"),
        ("degrees = 30", "degrees = inf", "joint \"suspension\", rotation", "finite angle"),
        ("damping = 1e3", "max_force = 1", "joint \"suspension\", y.motor.max_force", "no largest force"),
        ("distance.limits = [2, 2]", "", "joint \"strut\", distance", "for a rod"),
        (
            "distance.motor = { rest = 1, stiffness = 40, damping = 0.1 }",
            "",
            "joint \"coil\", distance",
            "a spring needs",
        ),
        ("points = [[0, 3, 0], [0.2, 1, 0]]", "", "joint \"strut\", points", "in the world"),
        ("points = [[0, 3, 0], [0.2, 1, 0]]", "points = [[0, 3, 0], [0.2, nan, 0]]", "points[1]", "finite"),
        ("[\"door\", \"crank\"]", "[\"door\", \"pinion\"]", "joint \"gears\", joints", "no joint above it"),
        ("[\"door\", \"crank\"]", "[\"door\", \"drawer\"]", "joint \"gears\", joints", "two hinges"),
        ("[\"door\", \"crank\"]", "[\"door\", \"door\"]", "joint \"gears\", joints", "not coupled with itself"),
        ("ratio = -2", "ratio = 0", "joint \"gears\", ratio", "other than zero"),
        ("ratio = -2", "", "joint \"gears\", ratio", "m by rad"),
        ("ratio = -2", "ratio = 1\na = \"one\"", "joint \"gears\", a, b", "couples `joints`"),
        ("ratio = -2", "ratio = 1\npoint = [0, 0, 0]", "joint \"gears\", point", "remove it"),
        ("collides = true", "ratio = 1", "joint \"shoulder\", joints, ratio", "gear or rack"),
        ("collides = true", "colides = true", "unknown field", "collides"),
    ] {
        let message = refusal(from, to);
        assert!(message.contains(place) && message.contains(cure), "{from} -> {to}: {message}");
    }
    let exact = "frames = [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 2]]";
    let message = refusal("breaking_force = 1e4", exact);
    assert!(message.contains("joint \"weld\", frames[1]") && message.contains("unit length"), "{message}");
    let message = refusal("axis = [0, 2, 1]", "frames = [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1]]");
    assert!(message.contains("joint \"door\", point") && message.contains("`frames` say"), "{message}");
}

#[test]
fn joints_go_along_where_a_scene_is_moved_or_exchanged() {
    let scene = scene();
    let motion = Pose::from_parts(DVec3::new(3.0, -1.0, 2.0), DQuat::from_rotation_x(0.7));
    for other in [moved(&scene, &motion).unwrap(), exchanged(&scene)] {
        let [before, after] = [&scene, &other].map(|scene| {
            let world = step_world(scene);
            world.joints().map(|(_, joint)| joint.coordinates()).collect::<Vec<_>>()
        });
        for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
            assert!((before - after).abs() < 1e-12, "{before} {after}");
        }
    }
    assert!(scaled(&scene, 2.0).unwrap_err().to_string().contains("weld"));
    assert!(backtracking(&scene).map(drop).unwrap_err().to_string().contains("weld"));
    let settings = SimulationSettings {
        simulator: drystone_engine::simulator::SimulatorKind::TimeStepping,
        method: methods::semi_local(),
        world_preset: WorldPreset::Suite,
    };
    assert_eq!(drystone_scenes::simulation::simulator(&scene, &settings).unwrap().step().unwrap().step, 1);
}
