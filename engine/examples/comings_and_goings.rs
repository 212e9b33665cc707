//! Whether memory stays flat while bodies come and go, over a million steps, with each contact method.
//!
//! ```text
//! cargo run --release -p drystone-engine --example comings_and_goings                              # all methods, 1,000,000 steps each
//! cargo run --release -p drystone-engine --example comings_and_goings -- 10000 semi-local vclip    # steps, methods
//! ```
//! Every few steps a body of a new shape falls onto a floor, and the oldest one is taken away; every second one hangs on the one before it by a
//! rope, and every thousandth step the world is put back to a snapshot of itself. From a tenth of the steps on memory may not grow. Ends
//! with status 1 if it does.

use std::collections::VecDeque;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use drystone_engine::contact::generator::{Method, Registry, methods};
use drystone_engine::{BodyHandle, NewJoint, Pose, Solid, SolidError, World, WorldSettings};
use glam::{DQuat, DVec3};

#[path = "process/memory.rs"]
mod memory;

/// How much memory may grow after the first tenth, kB.
const LARGEST_GROWTH: u64 = 2048;

/// Steps from one body to the next.
const EVERY: u64 = 8;

/// Bodies at once.
const MOST: usize = 6;

/// Steps from one snapshot to the next.
const SNAPSHOT: u64 = 1000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let steps: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let names: Vec<String> = arguments.collect();
    let registry = Registry::default();
    let chosen: Result<Vec<Method>, _> = names.iter().map(|name| registry.find(name).cloned()).collect();
    let chosen = if names.is_empty() { methods::all() } else { chosen? };
    println!(
        "| method | steps | bodies that came | memory after a tenth, kB | growth, kB | s |\n|---|---|---|---|---|---|"
    );
    let mut is_flat = true;
    for method in chosen {
        let began = Instant::now();
        let name = method.name().to_owned();
        let (came, [first, last]) = run(method, steps, &registry).map_err(|error| format!("{name}: {error}"))?;
        let growth = last.saturating_sub(first);
        println!("| {name} | {steps} | {came} | {first} | {growth} | {:.0} |", began.elapsed().as_secs_f64());
        is_flat &= growth <= LARGEST_GROWTH;
    }
    println!("memory grows by no more than {LARGEST_GROWTH} kB: {}", if is_flat { "holds" } else { "BROKEN" });
    Ok(if is_flat { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How many bodies came, and the memory after a tenth of the steps and at the end, kB.
fn run(method: Method, steps: u64, registry: &Registry) -> Result<(u64, [u64; 2]), Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default(), method);
    let stone = world.materials_mut().add("stone")?;
    world.add(Solid::cuboid(DVec3::new(6.0, 1.0, 6.0), 2000.0)?.fixed(stone, Pose::from_translation(-DVec3::Y))?)?;
    let (mut present, mut came, mut first) = (VecDeque::<BodyHandle>::new(), 0, 0);
    for step in 0..steps {
        if step % EVERY == 0 {
            if present.len() == MOST
                && let Some(oldest) = present.pop_front()
            {
                world.remove(oldest)?;
            }
            let (x, z, turn) = (share(came, 2) - 0.5, share(came, 3) - 0.5, 6.0 * share(came, 5));
            let at = DVec3::new(2.0 * x, 0.6 + share(came, 7), 2.0 * z);
            let pose = Pose::from_parts(at, DQuat::from_euler(glam::EulerRot::XYZ, turn, 2.0 * turn, 3.0 * turn));
            let body = world.add(served(&world, came)?.dynamic(stone, pose)?)?;
            if let (1, Some(&last)) = (came % 2, present.back()) {
                world.add_joint(NewJoint::rope(Some(last), body, [world.body(last)?.position, at], 1.0))?;
            }
            present.push_back(body);
            came += 1;
        }
        if step % SNAPSHOT == 0 {
            world = World::from_snapshot(&world.snapshot(), registry)?;
        }
        world.step()?;
        if step == steps / 10 {
            first = memory::resident()?;
        }
    }
    Ok((came, [first, memory::resident()?]))
}

/// A solid of a shape that no body had before: one of several kinds, or a box where the method does not know it.
fn served(world: &World, k: u64) -> Result<Solid, SolidError> {
    let [a, b, c] = [11, 13, 17].map(|base| 0.1 + 0.15 * share(k, base));
    let corners = [-1.0, 1.0].map(|x| [DVec3::new(x, 0.0, 1.0), DVec3::new(x, 1.0, 0.0), DVec3::new(x, -1.0, -1.0)]);
    let wedge: Vec<DVec3> = corners.concat().iter().map(|corner| *corner * DVec3::new(a, b, c)).collect();
    let solid = match k % 5 {
        0 => Solid::ball(a, 1000.0),
        1 => Solid::capsule(a, b, 1000.0),
        2 => Solid::convex_hull(&wedge, 1000.0),
        3 => Solid::cylinder(a, c, 1000.0),
        _ => Solid::cuboid(DVec3::new(a, b, c), 1000.0),
    }?;
    let is_served = world.method().generator().prepare(&solid.shape).is_ok();
    if is_served { Ok(solid) } else { Solid::cuboid(DVec3::new(a, b, c), 1000.0) }
}

/// The k-th number of the van der Corput sequence of a base, from 0 to 1.
fn share(k: u64, base: u64) -> f64 {
    let (mut rest, mut place, mut sum) = (k % (base * base * base * base), 1.0, 0.0);
    while rest > 0 {
        place /= base as f64;
        sum += place * (rest % base) as f64;
        rest /= base;
    }
    sum
}
