//! Keys mean what they mean in rigid-ipc.

use drystone_engine::BodyKind;
use drystone_scenes::rigid_ipc::{RigidIpcScene, parse};
use drystone_scenes::scene_file;
use glam::DVec3;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::data;

fn scene(bodies: Value) -> RigidIpcScene {
    let text = json!({ "rigid_body_problem": { "rigid_bodies": bodies } }).to_string();
    parse(&text, "meaning", data()).unwrap()
}

/// The tetrahedron with corners at the origin and on the axes, off its centre of mass.
fn corner(other: Value) -> Value {
    let mut body = json!({
        "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    });
    body.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
    body
}

fn world_vertices(read: &RigidIpcScene, body: usize) -> Vec<DVec3> {
    let body = &read.scene.bodies[body];
    body.shape.surface().unwrap().vertices().iter().map(|&v| body.body.pose().transform_point(v)).collect()
}

#[test]
fn what_is_left_out_is_as_in_rigid_ipc() {
    let read = scene(json!([corner(json!({}))]));
    let (scene, body) = (&read.scene, &read.scene.bodies[0]);
    assert_eq!((scene.time_step, scene.forces.gravity, scene.forces.linear_damping), (0.01, DVec3::ZERO, 0.0));
    assert_eq!((read.duration, read.notes.len()), (None, 0));
    assert!((body.body.mass() - 1000.0 / 6.0).abs() < 1e-9, "the density of water");
    let material = body.body.material;
    assert_eq!(scene.materials.between(material, material).unwrap().friction.to_array(), [0.0; 3]);
    assert_eq!(body.name, "body");
}

proptest! {
    /// Scale, then turns about x, y and z in this order, then the position; velocities in the world, spin in degrees.
    #[test]
    fn a_body_stands_where_the_scene_puts_it(
        scale in prop::array::uniform3(prop_oneof![0.1f64..3.0, -3.0f64..-0.1]),
        degrees in prop::array::uniform3(-400.0f64..400.0),
        position in prop::array::uniform3(-9.0f64..9.0),
        velocity in prop::array::uniform3(-9.0f64..9.0),
        spin in prop::array::uniform3(-900.0f64..900.0),
    ) {
        let read = scene(json!([corner(json!({
            "scale": scale, "rotation": degrees, "position": position,
            "linear_velocity": velocity, "angular_velocity": spin,
        }))]));
        let turned = |v: DVec3| {
            let [a, b, c] = degrees.map(f64::to_radians);
            let v = DVec3::new(v.x, v.y * a.cos() - v.z * a.sin(), v.y * a.sin() + v.z * a.cos());
            let v = DVec3::new(v.x * b.cos() + v.z * b.sin(), v.y, -v.x * b.sin() + v.z * b.cos());
            DVec3::new(v.x * c.cos() - v.y * c.sin(), v.x * c.sin() + v.y * c.cos(), v.z)
        };
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        for (vertex, corner) in world_vertices(&read, 0).into_iter().zip(corners) {
            let expected = DVec3::from(position) + turned(corner * DVec3::from(scale));
            prop_assert!((vertex - expected).length() < 1e-12, "{} instead of {}", vertex, expected);
        }
        let body = &read.scene.bodies[0].body;
        prop_assert!((body.velocity - DVec3::from(velocity)).length() < 1e-12);
        prop_assert!((body.angular_velocity - DVec3::from(spin.map(f64::to_radians))).length() < 1e-12);
        let copy = scene_file::parse(&scene_file::encode(&read.scene).unwrap(), "").unwrap();
        prop_assert_eq!(copy.states(), read.scene.states());
    }
}

#[test]
fn dimensions_win_over_scale() {
    let read = scene(json!([corner(json!({ "dimensions": [2, 3, 4], "scale": 7 }))]));
    let vertices = world_vertices(&read, 0);
    assert!((vertices[3] - DVec3::Z * 4.0).length() < 1e-14 && (vertices[1] - DVec3::X * 2.0).length() < 1e-14);
}

#[test]
fn kinds_of_bodies() {
    let spin = [0.0, 90.0, 45.0];
    let all = [true; 6];
    let read = scene(json!([
        corner(json!({ "is_dof_fixed": true, "angular_velocity": spin, "torque": [0, 0, 9] })),
        corner(json!({ "type": "kinematic", "is_dof_fixed": all })),
        corner(json!({ "type": "kinematic", "angular_velocity": spin, "linear_velocity": [1, 2, 3],
                       "is_dof_fixed": [true, false, false, false, true, false] })),
        corner(json!({ "type": "kinematic", "linear_velocity": [1, 0, 0], "kinematic_max_time": 0.25 })),
        corner(json!({ "type": "kinematic", "linear_velocity": [1, 0, 0], "kinematic_max_time": 0 })),
        corner(json!({ "type": "dynamic", "kinematic_poses": [{}], "group_id": 4 })),
        corner(json!({ "type": "dynamic", "enabled": false, "force": "any", "#comment": "is not read" })),
        corner(json!({ "is_dof_fixed": [true, false, true, true, false, true] })),
    ]));
    let bodies = &read.scene.bodies;
    let kinds: Vec<BodyKind> = bodies.iter().map(|b| b.body.kind()).collect();
    use BodyKind::{Dynamic, Fixed, Kinematic};
    assert_eq!(kinds, [Fixed, Fixed, Kinematic, Kinematic, Kinematic, Dynamic, Dynamic]);
    assert_eq!(bodies[6].locked_axes, [[true, false, true]; 2]);
    assert!(bodies[..6].iter().all(|body| body.locked_axes == [[false; 3]; 2]));
    assert_eq!(bodies[0].body.angular_velocity, DVec3::ZERO);
    assert_eq!((bodies[2].body.velocity, bodies[2].body.angular_velocity.y), (DVec3::new(0.0, 2.0, 3.0), 0.0));
    assert!(
        (bodies[2].body.angular_velocity.z - 45f64.to_radians()).abs() < 1e-15 && bodies[2].prescribed_motion.is_none()
    );
    let phases = |k: usize| bodies[k].prescribed_motion.as_ref().unwrap().phases().to_vec();
    assert_eq!((phases(3).len(), phases(3)[0].duration, phases(3)[0].velocity), (1, 0.25, DVec3::X));
    assert!(phases(4).is_empty() && bodies[4].body.velocity == DVec3::ZERO);
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    let expected = [
        "body 0: the velocity of a static body was left out, as rigid-ipc does",
        "body 0: its torque was left out: it has no effect on a static or kinematic body",
        "body 5: its kinematic_poses were left out: they have an effect on kinematic bodies only",
        "body 6: is not enabled, and was left out",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn parts_become_bodies() {
    let read = scene(json!([{ "mesh": "2cubes.obj", "split_components": true, "angular_velocity": [0, 0, 450] }]));
    let names: Vec<&str> = read.scene.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["2cubes-part000", "2cubes-part001"]);
    let [a, b] = [0, 1].map(|k: usize| read.scene.bodies[k].body.clone());
    assert!((a.mass() - 1000.0).abs() < 1e-9 && (b.mass() - 1000.0).abs() < 1e-9);
    assert!((a.position - b.position).length() >= 1.0);
    assert_eq!(read.notes[0].to_string(), "body 0 (2cubes.obj): was split into 2 bodies");
}

#[test]
fn a_ground_becomes_a_slab_behind_it() {
    let ground = |turn: f64| json!({ "mesh": "plane.obj", "type": "static", "rotation": [0, 0, turn] });
    let cube = json!({ "mesh": "cube.obj", "position": [0, 1, 0] });
    for turn in [0.0, 180.0] {
        let read = scene(json!([ground(turn), cube]));
        let (least, most) = world_vertices(&read, 0)
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v.y), b.max(v.y)));
        assert!(most.abs() < 1e-12 && (least + 2.5).abs() < 1e-12, "{least} to {most}");
        assert!(read.notes[0].text.contains("a slab 2.5 m thick"), "{}", read.notes[0]);
    }
}

#[test]
fn times_and_friction_of_the_whole_scene() {
    let text = |other: Value| {
        let mut scene = json!({ "timestep": 0.02, "solver": "any", "#note": 1, "rigid_body_problem": {
            "rigid_bodies": [corner(json!({}))], "coefficient_friction": 0.3, "coefficient_restitution": -1 } });
        scene.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        parse(&scene.to_string(), "a/b", data()).unwrap()
    };
    let friction = |read: &RigidIpcScene| {
        let material = read.scene.bodies[0].body.material;
        read.scene.materials.between(material, material).unwrap().friction.to_array()
    };
    let read = text(json!({ "max_iterations": 50 }));
    assert_eq!((read.scene.time_step, read.duration, friction(&read)), (0.02, Some(1.0), [0.3, 0.3, 0.0]));
    assert_eq!(read.scene.name, "scene", "a name that files can have");
    assert!(read.notes[0].text.starts_with("coefficient_restitution -1 was left out"));
    let read = text(json!({ "max_iterations": 50, "max_time": 7, "friction_constraints": { "iterations": 0 } }));
    assert_eq!((read.duration, friction(&read), read.notes.len()), (Some(7.0), [0.0; 3], 2));
    assert_eq!(text(json!({ "max_time": -1 })).duration, None);
}

#[test]
fn a_card_becomes_a_thin_solid_around_it() {
    // 10 m² of 3 kg/m², with another body on each side.
    let card =
        json!({ "mesh": "plane.obj", "scale": [0.1, 1, 1], "density": 3, "force": [1, 2, 3], "torque": [0, 4, 0] });
    let read = scene(
        json!([card, { "mesh": "cube.obj", "position": [0, 2, 0] }, { "mesh": "cube.obj", "position": [0, -2, 0] }]),
    );
    let body = &read.scene.bodies[0].body;
    assert!((body.mass() - 30.0).abs() < 1e-9, "{} kg", body.mass());
    assert!(body.position.length() < 1e-12, "{}", body.position);
    assert_eq!(body.constant_force(), [DVec3::new(1.0, 2.0, 3.0), DVec3::Y * 4.0]);
    let height = world_vertices(&read, 0).into_iter().map(|v| v.y.abs()).fold(0.0, f64::max);
    assert!((height - 0.05).abs() < 1e-12, "{height} m to each side");
    assert!(read.notes[0].text.contains("the middle of a slab 0.1 m thick"), "{}", read.notes[0]);
    let copy = scene_file::parse(&scene_file::encode(&read.scene).unwrap(), "").unwrap();
    assert_eq!(copy.bodies[0].body.constant_force(), body.constant_force());

    // Kinematic ones that turn, and static ones between bodies, are as thin; no force acts on them.
    for other in [json!({ "type": "kinematic", "angular_velocity": [0, 1, 0] }), json!({ "type": "static" })] {
        let mut ground = json!({ "mesh": "plane.obj", "force": [0, 1, 0] });
        ground.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        let read = scene(
            json!([ground, { "mesh": "cube.obj", "position": [0, 2, 0] }, { "mesh": "cube.obj", "position": [0, -2, 0] }]),
        );
        let height = world_vertices(&read, 0).into_iter().map(|v| v.y.abs()).fold(0.0, f64::max);
        assert!((height - 0.05).abs() < 1e-12, "{height} m to each side");
        let told = |text: &str| read.notes.iter().any(|note| note.text.contains(text));
        assert!(told("its force was left out") && told("the middle of a slab"), "{:?}", read.notes);
    }
}
