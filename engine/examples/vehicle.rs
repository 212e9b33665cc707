//! A vehicle with four wheels on springs drives over hills: a height field, suspension and drive as one joint a wheel.
//!
//! ```text
//! cargo run --release -p drystone-engine --example vehicle -- vehicle.drystone    # a recording, if named
//! ```

use drystone_engine::contact::shape::HeightField;
use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::joint::{AXES, Axis, Motion, Motor};
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::{Friction, Material, NewBody, NewJoint, Pose, Solid, World};
use std::error::Error;
use std::f64::consts::FRAC_PI_2;

/// Radius of a wheel and half its width, m.
const WHEEL: [f64; 2] = [0.4, 0.12];
/// How far wheels go down and up from where they are, m.
const TRAVEL: [f64; 2] = [-0.15, 0.2];
/// How fast the wheels are to turn (rad/s) and with what torque each, N m.
const DRIVE: [f64; 2] = [10.0, 250.0];

fn height(x: f64, z: f64) -> f64 {
    0.6 * libm::sin(0.35 * x) * libm::cos(0.2 * z) + 0.05 * libm::sin(1.7 * x + z)
}

/// Drives for ten seconds; an error if the vehicle gets stuck or rolls over.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let rubber = world
        .materials_mut()
        .add_with("rubber", Material { friction: Friction::sliding(0.9), ..Material::default() })?;
    let (rows, columns) = (81, 401);
    let corner = DVec3::new(-20.0, 0.0, -10.0);
    let hills = HeightField::from_fn(rows, columns, [0.25, 0.25], |x, z| height(x + corner.x, z + corner.z))?;
    world.add(NewBody::fixed(hills, rubber, Pose::from_translation(corner))?)?;

    let above = DVec3::Y * (height(0.0, 0.0) + 1.2);
    let chassis = Solid::rounded_box(DVec3::new(1.1, 0.2, 0.5), 0.05, 250.0)?;
    let chassis = world.add(chassis.dynamic(rubber, Pose::from_translation(above))?)?;
    let wheel = Solid::cylinder(WHEEL[0], WHEEL[1], 300.0)?;
    let axle = DQuat::from_rotation_x(FRAC_PI_2);
    for (x, z) in [(0.9, 0.75), (0.9, -0.75), (-0.9, 0.75), (-0.9, -0.75)] {
        let at = above + DVec3::new(x, -0.35, z);
        let handle = world.add(wheel.dynamic(rubber, Pose::from_parts(at, axle))?)?;
        // The frame of the joint: x along the axle, so that y is up. It turns about x and goes up and down on a spring.
        let mut axes = [Axis::LOCKED; AXES];
        let motor = Motor::Velocity { target: DRIVE[0], max_force: DRIVE[1] };
        axes[3] = Axis { motor: Some(motor), ..Axis::FREE };
        let spring = Motor::Spring { rest: 0.0, stiffness: 15e3, damping: 1.5e3 };
        let motion = Motion::Limited { lower: TRAVEL[0], upper: TRAVEL[1] };
        axes[1] = Axis { motion, motor: Some(spring), ..Axis::FREE };
        // Along −z: wheels that turn by the right-hand rule about it drive to +x.
        let frame = Pose::from_parts(at, DQuat::from_rotation_y(FRAC_PI_2));
        world.add_joint(NewJoint::six_dof(Some(chassis), handle, frame, axes, &world)?)?;
    }

    let mut recorder = match std::env::args().nth(1).filter(|path| path.ends_with(".drystone")) {
        Some(path) => Some(Recorder::create(path, &world, &RecordingSettings::default())?),
        None => None,
    };
    let mut least_upright = 1.0_f64;
    for step in 0..1000 {
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        let body = world.body(chassis)?;
        let upright = (body.orientation * DVec3::Y).y;
        least_upright = least_upright.min(upright);
        if step % 100 == 0 {
            let above = body.position.y - height(body.position.x, body.position.z);
            println!(
                "{:4.1} s: x = {:5.2} m, {above:.2} m above the ground, {:.2} m/s",
                world.time(),
                body.position.x,
                body.velocity.length()
            );
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let way = world.body(chassis)?.position;
    println!(
        "{:.1} m in 10 s, {:.1} m to the side, tilted by at most {:.0}°",
        way.x,
        way.z,
        libm::acos(least_upright).to_degrees()
    );
    if way.x > 20.0 && least_upright > 0.7 { Ok(()) } else { Err(format!("it got stuck or rolled over: {way}").into()) }
}
