//! Whether a stack that stands still stands still: no creep, no growing memory, over a million steps.
//!
//! ```text
//! cargo run --release -p drystone-engine --example long_rest -- 1000000 10                         # steps, boxes
//! cargo run --release -p drystone-engine --example long_rest -- 60000 10 soft-accurate 20000 awake    # solver, steps to settle, no sleep
//! ```
//! Boxes of 1 m stand on each other, each shifted by some centimetres and turned by some degrees. A thousand steps, or as
//! many as asked for, let the stack settle; from then on no corner may move by more than a micrometre. Ends with status 1 if one does, or if memory
//! grows.

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use drystone_engine::solver::ContactSolver;
use drystone_engine::{Friction, Interaction, Pose, Solid, World, WorldSettings};
use glam::{DQuat, DVec3};

#[path = "process/memory.rs"]
mod memory;

/// How far a corner may move after that, m.
const LARGEST_DRIFT: f64 = 1e-6;

/// How much memory may grow after that, kB.
const LARGEST_GROWTH: u64 = 1024;

/// From the middle of a box to a corner, m.
const TO_CORNER: f64 = 0.867;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: u64| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (steps, boxes) = (number(1_000_000)?, number(10)?);
    let usual = WorldSettings::default().step.contact_solver;
    let mut solver: ContactSolver = arguments.next().map_or(Ok(usual), |text| text.parse())?;
    let settled_after: u64 = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    if let (ContactSolver::Soft(soft), Some("awake")) = (&mut solver, arguments.next().as_deref()) {
        soft.sleep_time = 0.0;
    }
    let mut world = stack(boxes)?;
    world.settings_mut().step.contact_solver = solver;
    let start = poses(&world);
    let (mut settled, mut settled_memory) = (start.clone(), None);
    let mut largest_drift = 0.0f64;
    let (mut spent, mut sweeps) = ([Duration::ZERO; 4], 0);
    let begin = Instant::now();
    for k in 1..=steps {
        let report = world.step()?;
        let t = report.timings;
        let parts = [t.broad_phase, t.narrow_phase, t.solver, t.post_stabilisation];
        spent.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        sweeps += report.iterations();
        let now = poses(&world);
        if k == settled_after {
            (settled, settled_memory) = (now.clone(), memory::resident().ok());
        }
        if k > settled_after {
            largest_drift = largest_drift.max(distance(&settled, &now));
        }
        if k.is_multiple_of(steps.div_ceil(20)) || k == settled_after || k == steps {
            println!(
                "step {k}: {} contacts, {:.2} sweeps a step, {:.3e} m from the start, {:.3e} m since settled (at most \
                 {largest_drift:.3e} m), kinetic energy {:.1e} J, {} kB",
                report.contacts.len(),
                sweeps as f64 / k as f64,
                distance(&start, &now),
                distance(&settled, &now),
                report.energy_after.kinetic,
                memory::resident().ok().map_or("?".to_owned(), |kilobytes| kilobytes.to_string()),
            );
        }
    }
    let names = ["broad phase", "narrow phase", "solver", "post-stabilisation"];
    for (name, sum) in names.iter().zip(spent) {
        println!("{name}: {:.1} µs a step", 1e6 * sum.as_secs_f64() / steps.max(1) as f64);
    }
    println!("whole run: {:.1} s, {:.1} µs a step", begin.elapsed().as_secs_f64(), {
        1e6 * begin.elapsed().as_secs_f64() / steps.max(1) as f64
    });
    let growth = settled_memory.zip(memory::resident().ok()).map_or(0, |(before, after)| after.saturating_sub(before));
    let rests = largest_drift <= LARGEST_DRIFT;
    let flat = growth <= LARGEST_GROWTH;
    println!("drift: {largest_drift:.3e} m of {LARGEST_DRIFT:.0e} m allowed: {}", verdict(rests));
    println!("memory: {growth} kB of {LARGEST_GROWTH} kB allowed: {}", verdict(flat));
    Ok(if rests && flat { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn stack(boxes: u64) -> Result<World, Box<dyn Error>> {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let ground = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 2000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
    for i in 0..boxes {
        let level = i as f64;
        let shift = DVec3::new(0.03 * ((i % 3) as f64 - 1.0), 0.5 + level, 0.02 * ((i % 4) as f64 - 1.5));
        let turn = DQuat::from_rotation_y(0.1 * ((i % 5) as f64 - 2.0));
        world.add(cube.dynamic(stone, Pose::from_parts(shift, turn))?)?;
    }
    Ok(world)
}

fn poses(world: &World) -> Vec<Pose> {
    world.bodies().iter().map(|body| body.pose()).collect()
}

/// How far a corner can have moved at most, m.
fn distance(from: &[Pose], to: &[Pose]) -> f64 {
    let moved = |(a, b): (&Pose, &Pose)| {
        let turned = (b.rotation * a.rotation.inverse()).to_scaled_axis().length();
        a.translation.distance(b.translation) + TO_CORNER * turned
    };
    from.iter().zip(to).map(moved).fold(0.0, f64::max)
}

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "BROKEN" }
}
