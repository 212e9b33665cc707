//! How large a pile can be: ten thousand boxes fall on the ground and onto each other.
//!
//! ```text
//! cargo run --release -p drystone-engine --example large_pile -- 10000 100 soft    # boxes, steps, solver
//! ```
//! Layers of cubes of 0.5 m are dropped, each turned and shifted against the one below. Prints what a step costs by phase,
//! how deep the boxes sink into each other, how many sweeps the solver makes, and how much memory a box takes. Ends with
//! status 1 if a box sinks into another by more than half its side.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use drystone_engine::solver::ContactSolver;
use drystone_engine::{Friction, Interaction, Pose, Solid, World, WorldReport, WorldSettings};
use glam::{DQuat, DVec3};

/// Side of a box, m.
const SIDE: f64 = 0.5;

/// How deep a box may sink into another, m.
const DEEPEST: f64 = 0.5 * SIDE;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: usize| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (boxes, steps) = (number(10_000)?, number(100)?);
    let solver: ContactSolver =
        arguments.next().map_or(Ok(WorldSettings::default().step.contact_solver), |text| text.parse())?;
    let empty = memory("VmRSS:");
    let mut world = World::default();
    world.settings_mut().step.contact_solver = solver;
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let ground = Solid::cuboid(DVec3::new(200.0, 1.0, 200.0), 2000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let cube = Solid::cuboid(DVec3::splat(SIDE), 2000.0)?;
    // Twice as wide as high; turned boxes do not touch their neighbours.
    let side = (1..).find(|side| side * side * side >= 2 * boxes).unwrap_or(1);
    for i in 0..boxes {
        let (x, layer, z) = (i % side, i / (side * side), i / side % side);
        let shift = 0.07 * DVec3::new((layer % 3) as f64, 0.0, (layer % 2) as f64);
        let lattice = DVec3::new(x as f64, layer as f64, z as f64) - DVec3::new(0.5, 0.0, 0.5) * side as f64;
        let position = lattice * DVec3::new(0.72, 0.55, 0.72) + DVec3::Y * 0.3 + shift;
        let pose = Pose::from_parts(position, DQuat::from_rotation_y(0.2 * (layer % 4) as f64));
        world.add(cube.dynamic(stone, pose)?)?;
    }
    println!("{boxes} boxes, {} layers", boxes.div_ceil(side * side));

    let (mut spent, mut contacts, mut sweeps, mut capped, mut islands) = ([Duration::ZERO; 5], 0, 0, 0, 0);
    let mut deepest = 0.0f64;
    let mut report = WorldReport::default();
    for k in 1..=steps {
        world.step_into(&mut report)?;
        let t = report.timings;
        let parts = [t.broad_phase, t.narrow_phase, t.solver, t.post_stabilisation, t.total];
        spent.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        contacts += report.contacts.len();
        sweeps += report.iterations();
        capped += report.counts.iteration_limits;
        islands += report.islands.len();
        deepest = deepest.max(report.deepest_penetration);
        if k.is_multiple_of(steps.div_ceil(10)) || k == steps {
            println!(
                "step {k}: {} pairs, {} contacts, {} islands, at most {} sweeps, {} at the limit, {} solved at once, {} bodies asleep, \
                 {:.1} mm deep, {:.0} kJ, {:.3} ms",
                report.pairs,
                report.contacts.len(),
                report.islands.len(),
                report.iterations(),
                report.counts.iteration_limits,
                report.counts.global_newton + report.counts.global_interior_point,
                report.counts.asleep,
                1e3 * report.deepest_penetration,
                1e-3 * report.energy_after.total(),
                1e3 * t.total.as_secs_f64(),
            );
        }
    }
    let per_step = |sum: f64| sum / steps.max(1) as f64;
    for (name, sum) in ["broad phase", "narrow phase", "solver", "post-stabilisation", "whole step"].iter().zip(spent) {
        println!("{name}: {:.2} ms a step", 1e3 * per_step(sum.as_secs_f64()));
    }
    println!("contacts: {:.0} a step", per_step(contacts as f64));
    println!("sweeps: {:.1} a step in the island with the most", per_step(sweeps as f64));
    println!("solves at the limit: {capped} of {islands}");
    if let (Some(empty), Some(peak)) = (empty, memory("VmHWM:")) {
        println!("memory: {peak} kB at the peak, {} bytes a box", 1024 * (peak - empty) / boxes.max(1) as u64);
    }
    let holds = deepest <= DEEPEST;
    let verdict = if holds { "holds" } else { "BROKEN" };
    println!("deepest penetration: {:.1} mm of {:.0} mm allowed: {verdict}", 1e3 * deepest, 1e3 * DEEPEST);
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A line of the system's account of memory, kB, where there is one.
fn memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}
