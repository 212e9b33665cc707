//! A character on a moving platform: a capsule that stays upright, walks by friction, sees the ground by a ray and jumps.
//!
//! ```text
//! cargo run --release -p drystone-engine --example moving_platform -- platform.drystone    # a recording, if named
//! ```

use drystone_engine::glam::DVec3;
use drystone_engine::prescribed_motion::Phase;
use drystone_engine::query::{Fill, QueryFilter, Ray};
use drystone_engine::recording::{Recorder, RecordingSettings};
use drystone_engine::{BodyHandle, Friction, Material, Pose, PrescribedMotion, Solid, World};
use std::error::Error;
use std::f64::consts::FRAC_PI_2;

/// Radius of the character, and half the length of its straight part, m.
const SIZE: [f64; 2] = [0.3, 0.5];

/// What is below the character's feet, and how fast it moves.
fn ground(world: &World, character: BodyHandle) -> Result<Option<DVec3>, Box<dyn Error>> {
    let from = world.body(character)?.position;
    let others = QueryFilter { exclude: &[character], ..QueryFilter::default() };
    let hit = world.cast_ray(&Ray::new(from, DVec3::NEG_Y)?, SIZE[0] + SIZE[1] + 0.05, Fill::Solid, &others)?;
    Ok(hit.map(|hit| world.body(hit.body).map(|body| body.velocity)).transpose()?)
}

/// Walks onto a platform, rides it over a gap, jumps off; an error if the character does not arrive.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let stone = world
        .materials_mut()
        .add_with("stone", Material { friction: Friction::sliding(0.8), ..Material::default() })?;
    let bank = Solid::cuboid(DVec3::new(6.0, 1.0, 4.0), 2000.0)?;
    for x in [-5.0, 11.0] {
        world.add(bank.fixed(stone, Pose::from_translation(DVec3::new(x, -0.5, 0.0)))?)?;
    }
    let plate = Solid::cuboid(DVec3::new(3.0, 0.3, 3.0), 2000.0)?;
    let platform = world.add(plate.kinematic(stone, Pose::from_translation(DVec3::new(-0.4, -0.15, 0.0)))?)?;
    let rest = |duration| Phase { duration, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO };
    let ride = |velocity, turning| Phase { duration: 3.0, velocity, angular_velocity: DVec3::Y * turning };
    // Waits, rises and turns as it goes to the other side, and sinks again.
    let phases = vec![
        rest(3.0),
        ride(DVec3::new(1.15, 0.4, 0.0), FRAC_PI_2 / 3.0),
        ride(DVec3::new(1.15, -0.4, 0.0), 0.0),
        rest(f64::INFINITY),
    ];
    world.set_prescribed_motion(platform, Some(PrescribedMotion::new(phases)?))?;

    let capsule = Solid::capsule(SIZE[0], SIZE[1], 400.0)?;
    let start = DVec3::new(-4.0, SIZE[0] + SIZE[1], 0.0);
    let character = world.add(capsule.dynamic(stone, Pose::from_translation(start))?)?;
    world.lock_axes(character, [false; 3], [true; 3])?;

    let mut recorder = match std::env::args().nth(1).filter(|path| path.ends_with(".drystone")) {
        Some(path) => Some(Recorder::create(path, &world, &RecordingSettings::default())?),
        None => None,
    };
    let (mut jumps, mut highest) = (0, 0.0_f64);
    for step in 0..1200 {
        let (position, velocity) = (world.body(character)?.position, world.body(character)?.velocity);
        let mass = world.body(character)?.mass();
        if let Some(carried) = ground(&world, character)? {
            let on_platform = world.body(platform)?.position;
            let time = world.time();
            // Walks to the middle of the platform, rides, then goes on to the other bank.
            let goal = if time < 9.5 { on_platform.x } else { 11.0 };
            let wanted = carried + DVec3::X * (2.0 * (goal - position.x)).clamp(-1.5, 1.5);
            let change = DVec3::new(wanted.x - velocity.x, 0.0, wanted.z - velocity.z);
            world.apply_impulse(character, mass * change.clamp_length_max(0.1))?;
            // Jumps once on the ride, and at the end of it to the bank.
            if (jumps == 0 && time > 5.0) || (jumps == 1 && time > 10.0) {
                world.apply_impulse(character, mass * DVec3::Y * 4.0)?;
                jumps += 1;
            }
        }
        match &mut recorder {
            Some(recorder) => recorder.step(&mut world)?,
            None => world.step()?,
        };
        let after = world.body(character)?.position;
        highest = highest.max(after.y);
        if step % 100 == 0 {
            println!(
                "{:4.1} s: x = {:5.2} m, y = {:.2} m, platform at {:5.2} m",
                world.time(),
                after.x,
                after.y,
                world.body(platform)?.position.x
            );
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let body = world.body(character)?;
    println!("arrived at x = {:.2} m after {jumps} jumps, at most {highest:.2} m high", body.position.x);
    let is_right = body.position.x > 9.0 && (body.position.y - start.y).abs() < 0.01 && jumps == 2;
    if is_right { Ok(()) } else { Err(format!("the character did not arrive: {body:?}").into()) }
}
