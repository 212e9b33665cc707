//! A robot gripper lifts a stone out of a dry-stone wall: a carriage on rails, two fingers that close with a force, friction.
//!
//! ```text
//! cargo run --release -p drystone-engine --example gripper -- gripper.drystone    # a recording, if named
//! ```

use drystone_engine::glam::DVec3;
use drystone_engine::joint::Motor;
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::{Friction, Material, NewJoint, Pose, Solid, World};
use std::error::Error;

/// Sides of a stone of the wall, m; the stone that is lifted is taller.
const STONE: DVec3 = DVec3::new(0.4, 0.25, 0.3);
const TALLER: f64 = 0.2;
const COURSES: usize = 4;
/// The fingers press with so much, N, and come from so far, m.
const GRIP: f64 = 2500.0;
const REACH: f64 = 0.12;

/// Grips, lifts and carries the stone; an error if it slips, or the wall falls.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let granite = world
        .materials_mut()
        .add_with("granite", Material { friction: Friction::sliding(0.7), ..Material::default() })?;
    let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
    world.add(ground.fixed(granite, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let (plain, tall) = (Solid::cuboid(STONE, 2600.0)?, Solid::cuboid(STONE + DVec3::Y * TALLER, 2600.0)?);
    let (mut wall, mut lifted) = (Vec::new(), None);
    for course in 0..COURSES {
        // Courses of five and four in turn.
        let count = 5 - course % 2;
        for k in 0..count {
            let x = (k as f64 - 0.5 * (count - 1) as f64) * (STONE.x + 2e-3);
            let at = DVec3::new(x, (course as f64 + 0.5) * STONE.y, 0.0);
            if course + 1 == COURSES && k == 1 {
                let pose = Pose::from_translation(at + DVec3::Y * 0.5 * TALLER);
                lifted = Some(world.add(tall.dynamic(granite, pose)?)?);
            } else {
                wall.push((world.add(plain.dynamic(granite, Pose::from_translation(at))?)?, at));
            }
        }
    }
    let stone = lifted.ok_or("the wall has no stone to lift")?;
    let start = world.body(stone)?.position;

    // The carriage slides along x on a bridge that goes up and down; fingers slide along x on the carriage.
    let above = start + DVec3::Y * 0.9;
    let bridge = world
        .add(Solid::cuboid(DVec3::new(0.3, 0.1, 0.1), 7800.0)?.dynamic(granite, Pose::from_translation(above))?)?;
    let hand = Solid::cuboid(DVec3::new(0.9, 0.1, 0.3), 2000.0)?;
    let hand = world.add(hand.dynamic(granite, Pose::from_translation(above - DVec3::Y * 0.2))?)?;
    let drive = |target| Motor::Position { target, stiffness: 2e6, damping: 4e5, max_force: 3e4 };
    let lift = world.add_joint(NewJoint::slider(None, bridge, DVec3::Y, &world)?.with_motor(drive(0.0)))?;
    let travel = world.add_joint(NewJoint::slider(Some(bridge), hand, DVec3::X, &world)?.with_motor(drive(0.0)))?;
    let finger = Solid::cuboid(DVec3::new(0.06, 0.5, 0.2), 7800.0)?;
    let mut grips = Vec::new();
    for side in [-1.0, 1.0] {
        let at = above - DVec3::Y * 0.5 + DVec3::X * side * (0.5 * STONE.x + 0.03 + REACH);
        let handle = world.add(finger.dynamic(granite, Pose::from_translation(at))?)?;
        let slider = NewJoint::slider(Some(hand), handle, DVec3::X * -side, &world)?;
        grips.push(world.add_joint(slider.with_limits(-0.1, 0.3))?);
    }

    let mut recorder = match std::env::args().nth(1).filter(|path| path.ends_with(".drystone")) {
        Some(path) => Some(Recorder::create(path, &world, &RecordingSettings::default())?),
        None => None,
    };
    for step in 0..700 {
        // One finger goes to its place, the other one presses; then up at 0.3 m/s, and to the side.
        let time = world.time();
        world.joint_mut(grips[0])?.set_motor(Some(drive(REACH * time.min(1.0))))?;
        let press = Motor::Velocity { target: 0.2, max_force: GRIP };
        world.joint_mut(grips[1])?.set_motor(Some(press))?;
        let height = 0.3 * (time - 1.5).clamp(0.0, 2.0);
        world.joint_mut(lift)?.set_motor(Some(drive(height)))?;
        world.joint_mut(travel)?.set_motor(Some(drive(0.5 * (time - 3.5).clamp(0.0, 1.0))))?;
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        if step % 100 == 0 {
            let (body, [force, _]) = (world.body(stone)?, world.joint_reaction(lift)?);
            println!(
                "{:4.1} s: stone at ({:.3}, {:.3}) m, the bridge carries {:.0} N",
                world.time(),
                body.position.x,
                body.position.y,
                force.y
            );
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let moved = wall.iter().map(|&(handle, at)| Ok((world.body(handle)?.position - at).length()));
    let moved = moved.collect::<Result<Vec<f64>, Box<dyn Error>>>()?.into_iter().fold(0.0, f64::max);
    let carried = world.body(stone)?.position - start;
    println!("carried by {carried:.3}; stones of the wall moved by at most {:.1} mm", 1e3 * moved);
    let is_right = carried.distance(DVec3::new(0.5, 0.6, 0.0)) < 0.02 && moved < 0.02;
    if is_right { Ok(()) } else { Err(format!("it slipped, or the wall fell: {carried}, {moved} m").into()) }
}
