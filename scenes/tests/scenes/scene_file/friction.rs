//! The friction model of a file reaches the simulation.

use drystone_contact::generator::methods;
use drystone_engine::solver::FrictionModel;
use drystone_engine::step;
use drystone_scenes::detection::{Detector, step_settings};
use drystone_scenes::scene_file::{SceneFileProblem, encode, parse};
use glam::DVec3;

use super::same::assert_same;

const GRAVITY: f64 = 10.0;
const STEPS: usize = 10;
const TIME_STEP: f64 = 0.01;
/// What the solver leaves of a speed, m/s.
const ROUNDING: f64 = 1e-6;

/// A flat box that slides over the ground, away from the diagonals where the ground's tetrahedra meet; `model` is a line
/// of the scene.
fn sliding(model: &str, friction: &str, velocity: [f64; 3]) -> String {
    format!(
        r#"
name = "sliding"
time_step = {TIME_STEP}
gravity = [0, -{GRAVITY}, 0]
damping = {{ linear = 0, angular = 0 }}
materials = ["stone"]
{model}

[[interaction]]
between = ["stone", "stone"]
friction = {friction}

[[body]]
name = "ground"
material = "stone"
fixed = true
position = [0, -0.5, 0]
shape.box = [9, 1, 9]

[[body]]
name = "slider"
material = "stone"
density = 1000
position = [2.5, 0.0999, 0]
velocity = {velocity:?}
shape.box = [1, 0.2, 1]
"#
    )
}

/// The velocity of the box after some steps.
fn velocity_after(text: &str) -> DVec3 {
    let scene = parse(text, "").unwrap();
    let detector = Detector::new(&scene, &methods::volume_sat()).unwrap();
    let settings = step_settings(&scene);
    let mut states = scene.states();
    for _ in 0..STEPS {
        let before = states.clone();
        step(&mut states, &scene.materials, &settings, |poses| Ok(detector.contacts(poses, &before).unwrap().0))
            .unwrap();
    }
    states[1].velocity
}

/// The speed that Coulomb friction leaves to what slides on level ground.
fn coulomb(speed: f64, coefficient: f64) -> f64 {
    speed - coefficient * GRAVITY * STEPS as f64 * TIME_STEP
}

#[test]
fn each_tangent_has_its_own_coefficient() {
    for model in ["ellipsoid", "box"].map(|name| format!("friction_model = \"{name}\"")) {
        for t in [0.1, 0.4] {
            let friction = format!("{{ s = 0.2, t = {t}, torsion = 0 }}");
            // On upright normals t lies along x, and s along z.
            let along_x = velocity_after(&sliding(&model, &friction, [3.0, 0.0, 0.0])).x;
            assert!((along_x - coulomb(3.0, t)).abs() < ROUNDING, "{model}, t = {t}: {along_x}");
            let along_z = velocity_after(&sliding(&model, &friction, [0.0, 0.0, 3.0])).z;
            assert!((along_z - coulomb(3.0, 0.2)).abs() < ROUNDING, "{model}, t = {t}: {along_z}");
        }
    }
}

#[test]
fn a_box_holds_each_tangent_by_itself_and_a_ball_both_together() {
    let speed = |model: &str| velocity_after(&sliding(model, "0.3", [3.0, 0.0, 3.0])).x;
    assert!((speed("friction_model = \"box\"") - coulomb(3.0, 0.3)).abs() < ROUNDING);
    for round in ["", "friction_model = \"ball\"", "friction_model = \"ellipsoid\""] {
        let x = speed(round);
        assert!((x - coulomb(3.0, 0.3 / 2f64.sqrt())).abs() < ROUNDING, "{round}: {x}");
    }
}

#[test]
fn the_model_is_kept() {
    let models = [("ball", FrictionModel::Ball), ("ellipsoid", FrictionModel::Ellipsoid), ("box", FrictionModel::Box)];
    for (name, model) in models {
        let scene = parse(&sliding(&format!("friction_model = \"{name}\""), "0.3", [0.0; 3]), "").unwrap();
        assert_eq!(scene.friction, model);
        let text = encode(&scene).unwrap();
        assert!(text.contains(&format!("\nfriction_model = \"{name}\"\n")), "{text}");
        assert_same(&parse(&text, "").unwrap(), &scene);
    }
    assert_eq!(parse(&sliding("", "0.3", [0.0; 3]), "").unwrap().friction, FrictionModel::Ball);
}

#[test]
fn a_ball_refuses_coefficients_that_differ() {
    let three = |s: f64, t: f64, torsion: f64| format!("{{ s = {s}, t = {t}, torsion = {torsion} }}");
    for model in ["", "friction_model = \"ball\""] {
        for friction in [three(0.3, 0.2, 0.3), three(0.3, 0.3, 0.0), three(0.2, 0.3, 0.3)] {
            let error = parse(&sliding(model, &friction, [0.0; 3]), "").unwrap_err();
            assert!(matches!(*error.problem, SceneFileProblem::Keys(_)));
            let message = error.to_string();
            for part in
                ["interaction between \"stone\" and \"stone\", friction", "\"ball\"", "\"ellipsoid\"", "`\"box\"`"]
            {
                assert!(message.contains(part), "no {part} in: {message}");
            }
        }
        parse(&sliding(model, &three(0.3, 0.3, 0.3), [0.0; 3]), "").unwrap();
    }
}
