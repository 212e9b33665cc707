//! A belt that runs for a week: a parcel a minute, each of which has to arrive; no memory, time or parcel may be lost.
//!
//! ```text
//! cargo run --release -p drystone-engine --example week          # seven days, 60,480,000 steps
//! cargo run --release -p drystone-engine --example week -- 1     # days
//! ```
//! A parcel of a new shape is set on the belt every minute, rides for some seconds, falls over the end and is taken away where a sensor sees it.
//! Every hour the world is put back to a snapshot of itself. Ends with status 1 if a parcel does not arrive within its minute, if the clock is
//! wrong by more than a step, or if memory grows by more than 2 MB after the first tenth.

use drystone_engine::contact::generator::Registry;
use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::world::{Event, EventSettings};
use drystone_engine::{Friction, Material, Pose, Solid, World};
use std::error::Error;
use std::time::Instant;

#[path = "process/memory.rs"]
mod memory;

/// Steps of 10 ms.
const MINUTE: u64 = 6_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How much memory may grow after the first tenth, kB.
const LARGEST_GROWTH: u64 = 2048;

#[allow(dead_code, reason = "the tests run a shorter time")]
fn main() -> Result<(), Box<dyn Error>> {
    let days: u64 = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    run(days * 24)
}

/// So many hours; an error if anything is lost.
pub fn run(hours: u64) -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let rubber = Material { friction: Friction::sliding(0.8), ..Material::default() };
    let rubber = world.materials_mut().add_with("rubber", rubber)?;
    let at = |x, y| Pose::from_translation(DVec3::new(x, y, 0.0));
    let belt = world.add(Solid::cuboid(DVec3::new(6.0, 0.2, 2.0), 500.0)?.fixed(rubber, at(0.0, -0.1))?)?;
    world.body_mut(belt)?.velocity = DVec3::X;
    let end = world.add(Solid::cuboid(DVec3::new(3.0, 1.0, 4.0), 500.0)?.fixed(rubber, at(4.0, -2.0))?.sensor())?;
    world.set_events(EventSettings { sensors: true, ..EventSettings::default() });

    let (steps, began) = (hours * HOUR, Instant::now());
    let (mut served, mut arrived, mut longest, mut first) = (0, 0, 0, 0);
    for step in 0..steps {
        if step % HOUR == 0 {
            world = World::from_snapshot(&world.snapshot(), &Registry::default())?;
        }
        if step % MINUTE == 0 {
            if arrived != served {
                return Err(format!("minute {served}: the parcel is lost: {:?}", world.bodies()).into());
            }
            let [a, b, c] = [7, 11, 13].map(|k| 0.2 + 0.3 * ((served * k % 101) as f64 / 101.0));
            let turn = DQuat::from_rotation_y(0.1 * (served % 63) as f64);
            let pose = Pose::from_parts(DVec3::new(-2.0, 0.5 * b + 0.02, 0.0), turn);
            world.add(Solid::cuboid(DVec3::new(a, b, c), 300.0)?.dynamic(rubber, pose)?)?;
            served += 1;
        }
        world.step()?;
        let seen = world.events().iter().find_map(|event| match *event {
            Event::SensorEntered { sensor, body } if sensor == end => Some(body),
            _ => None,
        });
        if let Some(parcel) = seen {
            world.remove(parcel)?;
            arrived += 1;
            longest = longest.max(step % MINUTE);
        }
        if step + 1 == steps / 10 {
            first = memory::resident()?;
        }
        if (step + 1) % DAY == 0 || step + 1 == steps {
            let grown = memory::resident()?.saturating_sub(first);
            println!(
                "{:6.1} h: {arrived} of {served} parcels arrived, the last after {:.2} s at most; clock wrong by {:.1e} s, memory {first} kB + \
                 {grown} kB, {:.0} s",
                (step + 1) as f64 / HOUR as f64,
                0.01 * longest as f64,
                world.time() - 0.01 * (step + 1) as f64,
                began.elapsed().as_secs_f64()
            );
            if grown > LARGEST_GROWTH {
                return Err(format!("memory grew by {grown} kB").into());
            }
        }
    }
    let wrong = (world.time() - 0.01 * steps as f64).abs();
    if arrived < served || wrong > 0.01 {
        return Err(format!("{arrived} of {served} parcels arrived, the clock is wrong by {wrong} s").into());
    }
    Ok(())
}
