//! Up to which speed, spin and size nothing passes through anything: cubes thrown at a floor, without continuous collision
//! detection. Prints the tables of docs/limits.md.
//!
//! ```text
//! cargo run --release -p drystone-engine --example limits
//! ```

use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};
use glam::{DQuat, DVec3, EulerRot};
use std::error::Error;

/// s.
const TIME_STEP: f64 = 1.0 / 60.0;

/// Steps of a throw.
const STEPS: usize = 60;

/// A cube thrown down at a floor.
#[derive(Clone, Copy)]
struct Throw {
    /// Of the cube, m.
    edge: f64,
    /// Of the floor, m.
    thickness: f64,
    /// m/s.
    speed: f64,
    /// rad/s.
    spin: f64,
}

/// What became of it.
struct Landed {
    /// The deepest overlap after any step, m, measured by surfaces.
    depth: f64,
    /// Whether it is above the middle of the floor at the end.
    is_above: bool,
    /// Pairs of bodies that had to move as one in a step, or were solved for the last time with contacts missing.
    limits: usize,
}

impl Throw {
    fn world(&self) -> Result<(World, BodyHandle), Box<dyn Error>> {
        let mut world = World::default();
        world.settings_mut().step.time_step = TIME_STEP;
        let stuff = world.materials_mut().add("stuff")?;
        world.materials_mut().set(stuff, stuff, Interaction::dry(Friction::sliding(0.5)))?;
        let floor = Solid::cuboid(DVec3::new(1000.0, self.thickness, 1000.0), 1.0)?;
        world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * (0.5 * self.thickness)))?)?;
        let turned = DQuat::from_euler(EulerRot::XYZ, 0.3, 0.4, 0.1);
        let cube = Solid::cuboid(DVec3::splat(self.edge), 1000.0)?;
        let handle = world.add(cube.dynamic(stuff, Pose::from_parts(DVec3::Y * (0.5 + self.edge), turned))?)?;
        let body = world.body_mut(handle)?;
        body.velocity = DVec3::NEG_Y * self.speed;
        body.angular_velocity = DVec3::new(0.6, 0.0, 0.8) * self.spin;
        Ok((world, handle))
    }

    fn land(&self) -> Result<Landed, Box<dyn Error>> {
        let (mut world, cube) = self.world()?;
        let mut landed = Landed { depth: 0.0, is_above: false, limits: 0 };
        for _ in 0..STEPS {
            landed.limits += world.step()?.counts.speculative_limits;
            let deepest = world.overlaps()?.into_iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
            landed.depth = landed.depth.max(deepest);
        }
        landed.is_above = world.body(cube)?.position.y > -0.5 * self.thickness;
        Ok(landed)
    }
}

/// One cell: the deepest overlap as a share of the thinner of cube and floor, or that it is lost.
fn cell(throw: Throw) -> Result<String, Box<dyn Error>> {
    let landed = throw.land()?;
    let share = 100.0 * landed.depth / throw.edge.min(throw.thickness);
    let mark = if landed.limits > 0 { "*" } else { "" };
    Ok(if landed.is_above { format!("{share:.2} %{mark}") } else { "lost".into() })
}

fn table(
    corner: &str,
    columns: &[(String, f64)],
    rows: &[(String, f64)],
    throw: impl Fn(f64, f64) -> Throw,
) -> Result<(), Box<dyn Error>> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    println!("| {corner} | {} |\n|---|{}", names.join(" | "), "---|".repeat(columns.len()));
    for (name, row) in rows {
        let cells: Result<Vec<String>, _> = columns.iter().map(|&(_, column)| cell(throw(*row, column))).collect();
        println!("| {name} | {} |", cells?.join(" | "));
    }
    println!();
    Ok(())
}

fn with_unit(values: &[f64], unit: &str) -> Vec<(String, f64)> {
    values.iter().map(|&value| (format!("{value} {unit}"), value)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let speeds = with_unit(&[1.0, 10.0, 100.0, 1000.0, 10_000.0], "m/s");
    let edges = with_unit(&[1.0, 0.1, 0.01, 0.001], "m");
    table("edge of the cube, floor of 1 m", &speeds, &edges, |edge, speed| Throw {
        edge,
        thickness: 1.0,
        speed,
        spin: 0.0,
    })?;
    let floors = with_unit(&[0.1, 0.01, 0.001], "m");
    table("floor under a cube of 0.4 m", &speeds, &floors, |thickness, speed| Throw {
        edge: 0.4,
        thickness,
        speed,
        spin: 0.0,
    })?;
    let spins = with_unit(&[10.0, 100.0, 1000.0, 10_000.0, 1e6], "rad/s");
    table("edge of the cube at 10 m/s, floor of 1 m", &spins, &edges, |edge, spin| Throw {
        edge,
        thickness: 1.0,
        speed: 10.0,
        spin,
    })
}
