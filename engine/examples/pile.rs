//! How fast a pile of boxes steps, and how much memory a body takes.
//!
//! ```text
//! cargo run --release -p drystone-engine --example pile -- 1000 100    # boxes, steps
//! ```
//! Columns of cubes of 0.5 m are dropped on the ground, slightly turned and shifted, so that they topple over each other.

use std::error::Error;
use std::time::Duration;

use drystone_engine::{Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: usize| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (boxes, steps) = (number(1000)?, number(100)?);
    let mut world = World::default();
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
    let ground = Solid::cuboid(DVec3::new(200.0, 1.0, 200.0), 2000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let cube = Solid::cuboid(DVec3::splat(0.5), 2000.0)?;
    let side = (1..).find(|side| side * side * side >= boxes).unwrap_or(1);
    for i in 0..boxes {
        let (x, y, z) = (i % side, i / (side * side), i / side % side);
        let shift = 0.07 * DVec3::new((y % 3) as f64, 0.0, (y % 2) as f64);
        let position = DVec3::new(x as f64, 0.3 + y as f64, z as f64) * DVec3::new(0.6, 0.55, 0.6) + shift;
        let pose = Pose::from_parts(position, DQuat::from_rotation_y(0.2 * (y % 4) as f64));
        world.add(cube.dynamic(stone, pose)?)?;
    }
    let mut spent = [Duration::ZERO; 5];
    for k in 1..=steps {
        let report = world.step()?;
        let t = report.timings;
        let parts = [t.broad_phase, t.narrow_phase, t.solver, t.post_stabilisation, t.total];
        spent.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        if k % steps.div_ceil(10) == 0 || k == steps {
            println!(
                "step {k}: {} pairs, {} contacts, {} islands, {} sweeps, {} at the limit, {:.1} mm deep, {:.1} kJ",
                report.pairs,
                report.contacts.len(),
                report.islands.len(),
                report.iterations(),
                report.counts.iteration_limits,
                1e3 * report.deepest_penetration,
                1e-3 * report.energy_after.total(),
            );
        }
    }
    let names = ["broad phase", "narrow phase", "solver", "post-stabilisation", "whole step"];
    for (name, sum) in names.iter().zip(spent) {
        println!("{name}: {:.2} ms a step", 1e3 * sum.as_secs_f64() / steps.max(1) as f64);
    }
    Ok(())
}
