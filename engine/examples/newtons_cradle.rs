//! Newton's cradle: five steel balls on rods. The first one falls, the last one flies off.
//!
//! ```text
//! cargo run --release -p drystone-engine --example newtons_cradle -- cradle.drystone    # a recording, if named
//! ```

use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::{Friction, Interaction, NewJoint, Pose, Solid, World};
use std::error::Error;

const BALLS: usize = 5;
/// Radius of a ball and length of a rod, m.
const RADIUS: f64 = 0.05;
const LENGTH: f64 = 0.5;
/// Balls hang so far apart, m. A ball goes a fifth of it in a substep, so that blows go from one ball to the next.
const APART: f64 = 1e-3;
const TIME_STEP: f64 = 1.0 / 2400.0;
/// The first ball is raised by so much, rad.
const RAISED: f64 = 0.7;

/// Lets the cradle swing for a while; an error if the last ball does not rise as the first one fell.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    world.settings_mut().step.time_step = TIME_STEP;
    let steel = world.materials_mut().add("steel")?;
    world.materials_mut().set(steel, steel, Interaction { friction: Friction::sliding(0.0), restitution: 1.0 })?;
    let ball = Solid::ball(RADIUS, 7800.0)?;
    let mut balls = Vec::new();
    let mut hinges = Vec::new();
    for k in 0..BALLS {
        let pivot = DVec3::X * k as f64 * (2.0 * RADIUS + APART);
        let handle = world.add(ball.dynamic(steel, Pose::from_translation(pivot - DVec3::Y * LENGTH))?)?;
        let joint = NewJoint::hinge(None, handle, pivot, DVec3::Z, &world)?;
        hinges.push(world.add_joint(joint)?);
        balls.push(handle);
    }
    let first = world.body_mut(balls[0])?;
    first.orientation = DQuat::from_rotation_z(-RAISED);
    first.position = first.orientation * (DVec3::NEG_Y * LENGTH);

    let mut recorder = match std::env::args().nth(1).filter(|path| path.ends_with(".drystone")) {
        Some(path) => Some(Recorder::create(path, &world, &RecordingSettings::default())?),
        None => None,
    };
    let (mut highest, mut turns) = ([0.0_f64; BALLS], 0);
    let mut side = 0;
    for step in 0..9600 {
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        let angles: Vec<f64> = hinges
            .iter()
            .map(|&hinge| Ok(world.joint(hinge)?.coordinates()[3]))
            .collect::<Result<_, Box<dyn Error>>>()?;
        // The last ball flies to the right, the first one to the left.
        let now = if angles[BALLS - 1] > 0.5 * RAISED {
            1
        } else if angles[0] < -0.5 * RAISED {
            0
        } else {
            side
        };
        turns += usize::from(now != side);
        side = now;
        if step < 2400 {
            highest.iter_mut().zip(&angles).for_each(|(most, angle)| *most = most.max(*angle));
        }
        if step % 400 == 0 {
            let text: Vec<String> = angles.iter().map(|angle| format!("{:6.1}°", angle.to_degrees())).collect();
            println!("{:.2} s: {}", world.time(), text.join(" "));
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    println!(
        "the last ball rises to {:.1}° of {:.1}°, {turns} changes in 4 s",
        highest[BALLS - 1].to_degrees(),
        RAISED.to_degrees()
    );
    let is_right = highest[BALLS - 1] > 0.9 * RAISED && highest[1..BALLS - 1].iter().all(|&angle| angle < 0.2 * RAISED);
    if is_right && turns >= 5 { Ok(()) } else { Err(format!("the blow got lost: {highest:?}, {turns} changes").into()) }
}
