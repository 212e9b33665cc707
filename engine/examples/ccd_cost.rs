//! What continuous collision detection costs: the time of a step with and without it, for bodies thrown at a thin wall and
//! for bodies that rest or fall on each other.
//!
//! `cargo run --release -p drystone-engine --example ccd_cost`

use drystone_engine::{
    CcdSettings, ExternalForces, Friction, Interaction, MaterialId, Pose, Solid, World, WorldSettings,
};
use glam::{DQuat, DVec3};
use std::time::{Duration, Instant};

/// Each run is made so often; the fastest counts.
const RUNS: usize = 5;

/// A scene: its name, how many steps, and how it begins.
struct Scene {
    name: String,
    steps: usize,
    begin: Box<dyn Fn() -> Result<World, Box<dyn std::error::Error>>>,
}

fn empty(forces: ExternalForces) -> Result<(World, MaterialId), Box<dyn std::error::Error>> {
    let mut settings = WorldSettings::default();
    settings.step.forces = forces;
    let mut world = World::default();
    *world.settings_mut() = settings;
    let stone = world.materials_mut().add("stone")?;
    let interaction = Interaction { friction: Friction::isotropic(0.5), restitution: 0.0 };
    world.materials_mut().set(stone, stone, interaction)?;
    Ok((world, stone))
}

/// A body thrown at a wall of 1 mm, 2 m away.
fn thrown(sides: DVec3, speed: f64, spin: DVec3) -> Result<World, Box<dyn std::error::Error>> {
    let (mut world, stone) = empty(ExternalForces::NONE)?;
    let wall = Solid::cuboid(DVec3::new(1e-3, 4.0, 4.0), 1000.0)?;
    world.add(wall.fixed(stone, Pose::IDENTITY)?)?;
    let pose = Pose::from_parts(DVec3::X * -2.0, DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2)));
    let body = world.add(Solid::cuboid(sides, 1000.0)?.dynamic(stone, pose)?)?;
    let body = world.body_mut(body)?;
    (body.velocity, body.angular_velocity) = (DVec3::X * speed, spin);
    Ok(world)
}

/// Towers of cubes, `gap` (m) above each other, on the ground.
fn towers(columns: usize, height: usize, gap: f64) -> Result<World, Box<dyn std::error::Error>> {
    let gravity = ExternalForces { linear_damping: 0.0, angular_damping: 0.0, ..ExternalForces::default() };
    let (mut world, stone) = empty(gravity)?;
    let ground = Solid::cuboid(DVec3::new(60.0, 1.0, 60.0), 1000.0)?;
    world.add(ground.fixed(stone, Pose::from_translation(DVec3::Y * -0.5))?)?;
    let cube = Solid::cuboid(DVec3::ONE, 1000.0)?;
    let side = columns.isqrt().max(1);
    for (column, level) in (0..columns).flat_map(|i| (0..height).map(move |j| (i, j))) {
        let (x, z, y) = ((column % side) as f64, (column / side) as f64, level as f64);
        let place = DVec3::new(1.3 * x + 0.15 * y, 0.5 + (1.0 + gap) * y + gap, 1.3 * z + 0.1 * y);
        world.add(cube.dynamic(stone, Pose::from_parts(place, DQuat::from_rotation_y(0.3 * y)))?)?;
    }
    Ok(world)
}

fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    let (cube, rod) = (DVec3::splat(0.2), DVec3::new(0.02, 1.0, 0.02));
    for (what, sides) in [("cube", cube), ("rod", rod)] {
        for speed in [1.0, 100.0, 1e4] {
            for (turning, spin) in [("", DVec3::ZERO), (", 1000 rad/s", DVec3::new(100.0, -500.0, 860.0))] {
                let steps = ((3.0 / (speed * 0.01)) as usize).clamp(20, 320);
                let begin = Box::new(move || thrown(sides, speed, spin));
                all.push(Scene { name: format!("{what} at {speed} m/s{turning}"), steps, begin });
            }
        }
    }
    all.push(Scene { name: "tower of 8 at rest".into(), steps: 200, begin: Box::new(|| towers(1, 8, 1e-4)) });
    all.push(Scene { name: "96 cubes at rest".into(), steps: 100, begin: Box::new(|| towers(16, 6, 1e-4)) });
    all.push(Scene { name: "96 cubes fall in a heap".into(), steps: 150, begin: Box::new(|| towers(16, 6, 0.5)) });
    all
}

/// The time of a run, and what was most: substeps of a step, and seconds that were not stepped.
fn run(scene: &Scene, ccd: Option<CcdSettings>) -> Result<(Duration, usize, f64), Box<dyn std::error::Error>> {
    let mut best = (Duration::MAX, 0, 0.0);
    for _ in 0..RUNS {
        let mut world = (scene.begin)()?;
        world.settings_mut().ccd = ccd;
        let (mut substeps, mut missing) = (0, 0.0);
        let start = Instant::now();
        for _ in 0..scene.steps {
            let report = world.step()?;
            if let Some(ccd) = report.ccd {
                substeps = substeps.max(ccd.substeps);
                missing += world.settings().step.time_step - ccd.advanced;
            }
        }
        let time = start.elapsed();
        if time < best.0 {
            best = (time, substeps, missing);
        }
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| scene | steps | µs a step without | with | ratio | most substeps | not stepped, ms |");
    println!("|---|---|---|---|---|---|---|");
    for scene in scenes() {
        let (without, ..) = run(&scene, None)?;
        let (with, substeps, missing) = run(&scene, Some(CcdSettings::default()))?;
        let each = |time: Duration| 1e6 * time.as_secs_f64() / scene.steps as f64;
        let (without, with) = (each(without), each(with));
        let ratio = with / without;
        let (name, steps) = (&scene.name, scene.steps);
        println!(
            "| {name} | {steps} | {without:.1} | {with:.1} | {ratio:.1} | {substeps} | {:.3} |",
            1e3 * missing.abs()
        );
    }
    Ok(())
}
