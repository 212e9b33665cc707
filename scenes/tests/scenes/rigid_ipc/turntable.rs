//! A constant torque turns a table about a fixed axis; what lies on it goes along until friction no longer holds it.

use drystone_contact::generator::methods;
use drystone_engine::Body;
use drystone_scenes::rigid_ipc::parse;
use drystone_scenes::simulation::{self, WorldPreset};
use glam::DVec3;
use serde_json::json;

use super::data;

/// m/s².
const GRAVITY: f64 = 9.8;

/// Distance of the cube from the axis, m.
const RADIUS: f64 = 1.5;

/// N m.
const TORQUE: f64 = 600.0;

/// How far the cube has come on the table (m) and the table's angular velocity (rad/s) after each step of 0.01 s; the moment of
/// inertia about the axis, kg m².
fn run(friction: f64, steps: usize) -> (Vec<[f64; 2]>, f64) {
    let text = json!({ "timestep": 0.01, "rigid_body_problem": {
        "coefficient_friction": friction,
        "gravity": [0, -GRAVITY, 0],
        "rigid_bodies": [
            { "mesh": "cube.obj", "scale": [4, 0.1, 4], "torque": [0, TORQUE, 0], "density": 500,
              "is_dof_fixed": [true, true, true, true, false, true] },
            { "mesh": "cube.obj", "position": [RADIUS, 0.175, 0], "scale": 0.25 },
        ] } });
    let scene = parse(&text.to_string(), "turntable", data()).unwrap().scene;
    let mut world = simulation::world(&scene, &methods::semi_local(), WorldPreset::Embedding).unwrap();
    let moment = |k: usize| scene.bodies[k].body.inertia().to_array();
    // About y of the plate; of the cube it is the same about any axis.
    let plate = moment(0).into_iter().fold(0.0, f64::max);
    let moment = plate + moment(1)[0] + scene.bodies[1].body.mass() * RADIUS * RADIUS;
    let on_table = |bodies: &[Body]| bodies[0].pose().inverse_transform_point(bodies[1].position);
    let begin = on_table(world.bodies());
    let mut all = Vec::new();
    for _ in 0..steps {
        world.step().unwrap();
        let table = &world.bodies()[0];
        all.push([on_table(world.bodies()).distance(begin), table.angular_velocity.y]);
        // The axes of its frame are those of its moments.
        let axis = table.orientation * (scene.bodies[0].body.orientation.inverse() * DVec3::Y);
        assert!(table.position.length() < 1e-6 && axis.distance(DVec3::Y) < 1e-6, "{} {axis}", table.position);
    }
    (all, moment)
}

#[test]
fn friction_holds_up_to_its_limit() {
    let friction = 0.5;
    // Friction gives the acceleration r √(α² + ω⁴), with ω = α t.
    let (_, moment) = run(friction, 0);
    let alpha = TORQUE / moment;
    let omega = ((friction * GRAVITY / RADIUS).powi(2) - alpha * alpha).powf(0.25);
    let slips_at = omega / alpha;
    let (all, _) = run(friction, (1.3 * slips_at / 0.01) as usize);
    for (k, &[way, spin]) in all.iter().enumerate() {
        let time = 0.01 * (k + 1) as f64;
        // A step leads along the tangent, and so outward by ω² r Δt/2 a second; close to the limit somewhat more.
        let outward = RADIUS * 0.01 * alpha * alpha * time.powi(3) / 6.0;
        if time < 0.96 * slips_at {
            assert!(way < 0.002 + 1.2 * outward, "{way} m at {time} s, before {slips_at} s; {outward} m by the steps");
        }
        if time < 0.97 * slips_at {
            assert!((spin - alpha * time).abs() < 0.02 * omega, "{spin} rad/s at {time} s");
        }
    }
    assert!(all.last().unwrap()[0] > 0.3, "it slides off: {:?}", all.last());
}

#[test]
fn without_friction_the_cube_stays() {
    let (all, moment) = run(0.0, 100);
    let [way, spin] = all[99];
    // The table turns faster than with the cube, by α t²/2 in a second; the cube stays where it was, on a chord.
    assert!(spin > TORQUE / moment, "{spin} rad/s");
    assert!((way - 2.0 * RADIUS * (0.25 * spin).sin()).abs() < 0.02 * way, "{way} m, {spin} rad/s");
}
