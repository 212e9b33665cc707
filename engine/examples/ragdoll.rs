//! A ragdoll falls down stairs: capsules and boxes, joints with limits and some friction.
//!
//! ```text
//! cargo run --release -p drystone-engine --example ragdoll -- ragdoll.drystone    # a recording, if named
//! ```

use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::{BodyHandle, Friction, Material, NewJoint, Pose, Solid, World};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};

/// Number of steps, their rise and tread, m.
const STAIRS: usize = 10;
const RISE: f64 = 0.18;
const TREAD: f64 = 0.28;
/// kg/m³.
const FLESH: f64 = 1000.0;

/// Lets it fall for eight seconds; an error if it comes apart or does not come to rest below.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    world.settings_mut().step.time_step = 1.0 / 120.0;
    let cloth = world
        .materials_mut()
        .add_with("cloth", Material { friction: Friction::sliding(0.4), ..Material::default() })?;
    let floor = Solid::cuboid(DVec3::new(20.0, 1.0, 6.0), 2000.0)?;
    world.add(floor.fixed(cloth, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    for k in 0..STAIRS {
        // Each step reaches down to the floor; the last one is a landing.
        let (height, depth) = ((k + 1) as f64 * RISE, if k + 1 == STAIRS { 2.0 } else { TREAD });
        let step = Solid::cuboid(DVec3::new(depth, height, 2.0), 2000.0)?;
        let at = DVec3::new(-(k as f64) * TREAD - 0.5 * depth, 0.5 * height, 0.0);
        world.add(step.fixed(cloth, Pose::from_translation(at))?)?;
    }

    // Standing at the edge of the landing; y is up, x towards the stairs.
    let feet = DVec3::new(-(STAIRS as f64 - 1.0) * TREAD - 0.15, STAIRS as f64 * RISE, 0.0);
    let mut limb = |solid: Solid, at: DVec3, turn: DQuat| -> Result<BodyHandle, Box<dyn Error>> {
        let handle = world.add(solid.dynamic(cloth, Pose::from_parts(feet + at, turn))?)?;
        world.body_mut(handle)?.velocity = DVec3::X * 1.2;
        Ok(handle)
    };
    let upright = DQuat::IDENTITY;
    let torso = limb(Solid::rounded_box(DVec3::new(0.07, 0.23, 0.14), 0.04, FLESH)?, DVec3::Y * 1.15, upright)?;
    let head = limb(Solid::ball(0.12, FLESH)?, DVec3::Y * 1.58, upright)?;
    let mut parts = Vec::new();
    for side in [-1.0, 1.0] {
        let (hip, shoulder) = (DVec3::new(0.0, 0.86, 0.1 * side), DVec3::new(0.0, 1.36, 0.22 * side));
        let sideways = DQuat::from_rotation_x(FRAC_PI_2);
        let thigh = limb(Solid::capsule(0.07, 0.14, FLESH)?, hip - DVec3::Y * 0.21, upright)?;
        let shin = limb(Solid::capsule(0.06, 0.14, FLESH)?, hip - DVec3::Y * 0.62, upright)?;
        let upper = limb(Solid::capsule(0.05, 0.1, FLESH)?, shoulder + DVec3::Z * 0.16 * side, sideways)?;
        let lower = limb(Solid::capsule(0.045, 0.1, FLESH)?, shoulder + DVec3::Z * 0.46 * side, sideways)?;
        parts.push((side, [hip, shoulder].map(|p| feet + p), [thigh, shin, upper, lower]));
    }
    let ball = |a, b, at, axis, swing, world: &World| {
        NewJoint::cone_twist(Some(a), b, (at, axis), (swing, [-0.4, 0.4]), world).map(|joint| joint.with_friction(1.0))
    };
    let mut joints = vec![ball(torso, head, feet + DVec3::Y * 1.45, DVec3::Y, 0.6, &world)?];
    for (side, [hip, shoulder], [thigh, shin, upper, lower]) in parts {
        let hinge = |a, b, at: DVec3, axis: DVec3, range: [f64; 2]| {
            let joint = NewJoint::hinge(Some(a), b, at, axis, &world)?;
            Ok::<_, Box<dyn Error>>(joint.with_limits(range[0], range[1]).with_friction(1.0))
        };
        joints.push(ball(torso, thigh, hip, DVec3::NEG_Y, 1.2, &world)?);
        joints.push(hinge(thigh, shin, hip - DVec3::Y * 0.42, DVec3::Z, [-2.2, 0.0])?);
        joints.push(ball(torso, upper, shoulder, DVec3::Z * side, 1.4, &world)?);
        joints.push(hinge(upper, lower, shoulder + DVec3::Z * 0.31 * side, DVec3::Y * side, [-2.2, 0.0])?);
    }
    let joints = joints.into_iter().map(|joint| world.add_joint(joint)).collect::<Result<Vec<_>, _>>()?;

    let mut recorder = match std::env::args().nth(1).filter(|path| path.ends_with(".drystone")) {
        Some(path) => Some(Recorder::create(path, &world, &RecordingSettings::default())?),
        None => None,
    };
    let mut apart = 0.0_f64;
    for step in 0..960 {
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        for &joint in &joints {
            let [x, y, z, ..] = world.joint(joint)?.coordinates();
            apart = apart.max(DVec3::new(x, y, z).length());
        }
        if step % 120 == 0 {
            let body = world.body(torso)?;
            println!(
                "{:.1} s: torso at x = {:5.2} m, y = {:.2} m, {:.2} m/s",
                world.time(),
                body.position.x,
                body.position.y,
                body.velocity.length()
            );
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let body = world.body(torso)?;
    println!(
        "joints come apart by at most {:.1e} m; head turned by {:.0}°",
        apart,
        body.orientation.to_axis_angle().1.min(PI).to_degrees()
    );
    let is_right = apart < 1e-6 && body.position.y < 0.9 && body.position.x > -2.0 && body.velocity.length() < 0.1;
    if is_right { Ok(()) } else { Err(format!("it came apart or did not come down: {apart} m, {body:?}").into()) }
}
