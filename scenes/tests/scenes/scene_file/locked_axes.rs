//! Bodies that do not move along or about some axes.

use drystone_contact::Pose;
use drystone_contact::generator::methods;
use drystone_engine::solver::ContactSolver;
use drystone_scenes::scene_file::{encode, parse};
use drystone_scenes::simulation::{WorldPreset, world};
use drystone_scenes::transformed::moved;
use glam::{DQuat, DVec3};

use super::same::assert_same;

const TEXT: &str = r#"
name = "lift"
materials = ["steel"]

[[body]]
name = "cabin"
material = "steel"
density = 500
velocity = [1, 0, 2]
angular_velocity = [3, 4, 5]
locked_translation = [true, false, false]
locked_rotation = [true, false, true]
shape.box = [1, 2, 3]
"#;

#[test]
fn a_body_moves_along_and_about_its_free_axes_alone() {
    let scene = parse(TEXT, "").unwrap();
    assert_eq!(scene.bodies[0].locked_axes, [[true, false, false], [true, false, true]]);
    assert!(matches!(scene.solver, ContactSolver::Soft(_)), "other solvers hold no joints");
    for preset in [WorldPreset::Embedding, WorldPreset::Suite] {
        let mut world = world(&scene, &methods::semi_local(), preset).unwrap();
        let orientation = world.bodies()[0].orientation;
        for _ in 0..100 {
            world.step().unwrap();
        }
        let body = &world.bodies()[0];
        assert!(body.position.x.abs() < 1e-12 && body.position.y < -1.0 && body.position.z > 1.0, "{body:?}");
        let turn = (body.orientation * orientation.conjugate()).to_scaled_axis();
        assert!(turn.x.abs() < 1e-9 && turn.z.abs() < 1e-9 && body.angular_velocity.y > 1.0, "{turn} {body:?}");
    }
}

#[test]
fn locked_axes_are_kept_and_mistakes_named() {
    let scene = parse(TEXT, "").unwrap();
    let read = parse(&encode(&scene).unwrap(), "").unwrap();
    assert_same(&read, &scene);
    assert_eq!(read.bodies[0].locked_axes, scene.bodies[0].locked_axes);
    let refusal = |from: &str, to: &str| parse(&TEXT.replace(from, to), "").unwrap_err().to_string();
    let fixed = refusal("density = 500", "fixed = true");
    assert!(fixed.contains("body \"cabin\", locked_translation") && fixed.contains("dynamic"), "{fixed}");
    assert!(refusal("[true, false, false]", "[true, false]").contains("array of 3"));
    assert!(refusal("[true, false, true]", "[1, 0, 1]").contains("boolean"));
    assert!(moved(&scene, &Pose::from_translation(DVec3::X)).is_ok());
    let turned = moved(&scene, &Pose::from_rotation(DQuat::from_rotation_x(0.1))).unwrap_err().to_string();
    assert!(turned.contains("cabin"), "{turned}");
}
