//! A world in ten lines: a cube falls on the ground, bounces a little and comes to rest.
//!
//! ```text
//! cargo run --release -p drystone-engine --example ten_lines
//! ```

use drystone_engine::{Friction, Interaction, Pose, Solid, World};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone")?;
    world.materials_mut().set(stone, stone, Interaction { friction: Friction::sliding(0.6), restitution: 0.3 })?;
    let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
    let cube = world.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, Pose::from_translation(DVec3::Y * 1.5))?)?;
    for _ in 0..200 {
        let report = world.step()?;
        if report.step % 20 == 0 {
            println!(
                "{:.2} s: y = {:.4} m, {} contacts",
                report.time,
                world.body(cube)?.position.y,
                report.contacts.len()
            );
        }
    }
    Ok(())
}
