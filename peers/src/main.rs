//! Drystone beside rapier3d-f64 in one process: the same boxes, the same time step, the same number of threads, each
//! engine with its own defaults for everything else.
//!
//! `cargo run --release -p drystone-peers` prints milliseconds a step, the deepest penetration (measured from the poses
//! alone, by the same exact test for both) and the number of contact points, side by side.

mod boxes;
mod ours;
mod penetration;
mod pile;
mod rapier;

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use boxes::Boxes;
use clap::Parser;
use drystone_contact::generator::{Method, MethodTextError, Registry, methods};
use drystone_engine::Pose;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::scene::Scene;
use ours::Ours;
use penetration::deepest;
use rapier::{Rapier, RapierShape};

/// Drystone beside rapier3d-f64: time, penetration and contacts of a wall of 80 bricks and a pile of boxes.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Boxes in the pile.
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    boxes: u32,
    /// Time steps of the wall.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    wall_steps: u32,
    /// Time steps of the pile.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pile_steps: u32,
    /// Length of a time step, s.
    #[arg(long, default_value_t = 1.0 / 120.0)]
    dt: f64,
    /// Coefficient of friction of all pairs.
    #[arg(long, default_value_t = 0.6)]
    friction: f64,
    /// Drystone's contact method; may be repeated.
    #[arg(long, value_parser = method, default_values_t = [methods::semi_local()])]
    method: Vec<Method>,
    /// Drystone's solver; may be repeated.
    #[arg(long, default_values_t = [ContactSolver::Soft(SoftSettings::FAST)])]
    solver: Vec<ContactSolver>,
    /// Threads for both engines (default: one a core).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// A method of the registry: its name, or its name followed by settings as JSON.
fn method(text: &str) -> Result<Method, MethodTextError> {
    Registry::default().read(text)
}

/// What was measured of one engine in one scene.
struct Measured {
    name: String,
    /// Of every step, in their order.
    times: Vec<Duration>,
    /// At any step, m.
    deepest: f64,
    /// After the last step, m.
    deepest_at_end: f64,
    contacts: usize,
    /// The farthest that a box is from its start after the last step, m.
    farthest: f64,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    for (flag, value) in [("--dt", arguments.dt), ("--friction", arguments.friction)] {
        anyhow::ensure!(value.is_finite() && value > 0.0, "{flag} is {value}; give a finite number above zero");
    }
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global()?;
    }
    println!(
        "Drystone {} beside rapier3d-f64 0.36; {} threads, Δt {:.5} s, friction {}.",
        env!("CARGO_PKG_VERSION"),
        rayon::current_num_threads(),
        arguments.dt,
        arguments.friction
    );
    let wall = BuiltIn::Wall.scene(Model::Procedural, None)?;
    compare(&format!("Wall, 80 bricks, {} steps", arguments.wall_steps), &wall, arguments.wall_steps, &arguments)?;
    let pile = pile::pile(arguments.boxes)?;
    let title = format!("Pile, {} boxes, {} steps", arguments.boxes, arguments.pile_steps);
    compare(&title, &pile, arguments.pile_steps, &arguments)
}

fn compare(title: &str, scene: &Scene, steps: u32, arguments: &Arguments) -> Result<()> {
    let boxes = Boxes::of(scene, arguments.friction)?;
    let mut rows = Vec::new();
    for (name, shape) in [("rapier, cuboids", RapierShape::Cuboid), ("rapier, convex hulls", RapierShape::ConvexHull)] {
        eprintln!("{title}: {name}");
        let mut rapier = Rapier::new(&boxes, shape, arguments.dt, scene.forces.gravity)?;
        let step = |rapier: &mut Rapier| {
            let start = Instant::now();
            rapier.step();
            Ok(start.elapsed())
        };
        rows.push(measure(name, &boxes, steps, &mut rapier, step, Rapier::poses, Rapier::contacts)?);
    }
    let mut phases = Vec::new();
    let all = arguments.method.iter().flat_map(|method| arguments.solver.iter().map(move |solver| (method, *solver)));
    for (method, solver) in all {
        let name = format!("drystone, {method}, {solver}");
        eprintln!("{title}: {name}");
        let mut ours = Ours::new(scene, method, solver, arguments.friction, arguments.dt)?;
        rows.push(measure(&name, &boxes, steps, &mut ours, Ours::step, Ours::poses, Ours::contacts)?);
        phases.push((name, ours.phases()));
    }
    print(title, &rows);
    for (name, times) in phases {
        let [broad, narrow, solver, post] = times.map(|t| 1e3 * t.as_secs_f64() / f64::from(steps));
        println!(
            "{name}: broad phase {broad:.2}, contacts {narrow:.2}, solver {solver:.2}, post-stabilisation {post:.2} ms a step"
        );
    }
    Ok(())
}

fn measure<E>(
    name: &str,
    boxes: &Boxes,
    steps: u32,
    engine: &mut E,
    step: impl Fn(&mut E) -> Result<Duration>,
    poses: impl Fn(&E) -> Vec<Pose>,
    contacts: impl Fn(&E) -> usize,
) -> Result<Measured> {
    let placed = |poses: &[Pose]| -> Vec<_> {
        boxes.boxes.iter().zip(poses).map(|(solid, &pose)| (solid.half, pose, solid.mass.is_finite())).collect()
    };
    let mut times = Vec::with_capacity(steps as usize);
    let mut worst: f64 = 0.0;
    let mut last = 0.0;
    for number in 0..steps {
        times.push(step(engine).with_context(|| format!("{name}, step {}", number + 1))?);
        last = deepest(&placed(&poses(engine)));
        worst = worst.max(last);
    }
    let moved =
        boxes.boxes.iter().zip(poses(engine)).map(|(solid, pose)| pose.translation.distance(solid.pose.translation));
    Ok(Measured {
        name: name.into(),
        times,
        deepest: worst,
        deepest_at_end: last,
        contacts: contacts(engine),
        farthest: moved.fold(0.0, f64::max),
    })
}

fn print(title: &str, rows: &[Measured]) {
    let median = |times: &[Duration]| {
        let mut sorted = times.to_vec();
        sorted.sort();
        1e3 * sorted[sorted.len() / 2].as_secs_f64()
    };
    let mean = |times: &[Duration]| 1e3 * times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
    let reference = mean(&rows[0].times);
    println!("\n{title}");
    println!(
        "{:<28}{:>12}{:>12}{:>12}{:>16}{:>14}{:>12}{:>14}",
        "", "ms (median)", "ms (mean)", "ratio", "deepest (mm)", "at end (mm)", "contacts", "farthest (m)"
    );
    for row in rows {
        println!(
            "{:<28}{:>12.3}{:>12.3}{:>12.2}{:>16.4}{:>14.4}{:>12}{:>14.4}",
            row.name,
            median(&row.times),
            mean(&row.times),
            mean(&row.times) / reference,
            1e3 * row.deepest,
            1e3 * row.deepest_at_end,
            row.contacts,
            row.farthest
        );
    }
}
