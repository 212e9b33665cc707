//! Drystone beside rapier3d-f64 in one process: the same solids, the same time step, the same number of threads, each
//! engine with its own defaults for everything else; nothing sleeps.
//!
//! `cargo run --release -p drystone-peers` prints CPU time a step, the deepest penetration (measured from the poses
//! alone, by the same test for both) and the number of contact points, side by side. Each engine makes each run several times, in turns; the
//! least time counts.

mod arch;
mod measure;
mod ours;
mod penetration;
mod pile;
mod rapier;
mod solids;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use drystone_contact::generator::{Method, MethodTextError, Registry, methods};
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::scene::Scene;
use measure::Measured;
use ours::Ours;
use rapier::{Rapier, RapierShape};
use solids::Solids;

/// Drystone beside rapier3d-f64: time, penetration and contacts of a wall of 80 bricks, a pile of boxes, a heap of jacks and an arch.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What is simulated; may be repeated (default: all).
    #[arg(long, value_enum)]
    scene: Vec<PeerScene>,
    /// Boxes in the pile.
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    boxes: u32,
    /// Jacks in the heap.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    jacks: u32,
    /// Stones of the arch.
    #[arg(long, default_value_t = 101, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    stones: u32,
    /// Time steps of the wall.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    wall_steps: u32,
    /// Time steps of the pile and of the heap.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pile_steps: u32,
    /// Time steps of the arch.
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    arch_steps: u32,
    /// How often each run is made.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
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
    #[arg(long, default_values_t = [ContactSolver::Soft(SoftSettings::FAST), ContactSolver::Soft(SoftSettings::ACCURATE)])]
    solver: Vec<ContactSolver>,
    /// Threads for both engines (default: one a core).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PeerScene {
    Wall,
    Pile,
    Heap,
    Arch,
}

/// A method of the registry: its name, or its name followed by settings as JSON.
fn method(text: &str) -> Result<Method, MethodTextError> {
    Registry::default().read(text)
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
        "Drystone {} beside rapier3d-f64 0.36; {} threads, Δt {:.5} s, friction {}, the least of {} runs.",
        env!("CARGO_PKG_VERSION"),
        rayon::current_num_threads(),
        arguments.dt,
        arguments.friction,
        arguments.repeat,
    );
    let all = PeerScene::value_variants();
    let wanted = if arguments.scene.is_empty() { all } else { &arguments.scene };
    for scene in wanted {
        let (name, steps, scene) = match scene {
            PeerScene::Wall => {
                ("wall of 80 bricks".into(), arguments.wall_steps, BuiltIn::Wall.scene(Model::Procedural, None)?)
            }
            PeerScene::Pile => {
                (format!("pile of {} boxes", arguments.boxes), arguments.pile_steps, pile::pile(arguments.boxes)?)
            }
            PeerScene::Heap => {
                (format!("heap of {} jacks", arguments.jacks), arguments.pile_steps, pile::jacks(arguments.jacks)?)
            }
            PeerScene::Arch => {
                (format!("arch of {} stones", arguments.stones), arguments.arch_steps, arch::arch(arguments.stones)?)
            }
        };
        compare(&format!("{name}, {steps} steps"), &scene, steps, &arguments)?;
    }
    Ok(())
}

fn compare(title: &str, scene: &Scene, steps: u32, arguments: &Arguments) -> Result<()> {
    let solids = Solids::of(scene, arguments.friction, |body| pile::bars(body).or_else(|| arch::wedges(body)))?;
    let compounds = pile::as_compounds(scene)?;
    // How boxes are described, and whether their ways are followed; of a heap, whose bodies go far in a step.
    let (plain, hulls) = ((RapierShape::Cuboid, false), (RapierShape::ConvexHull, false));
    let mut shapes = vec![("rapier", plain)];
    if solids.boxes().is_some() {
        shapes.push(("rapier, convex hulls", hulls));
    } else if compounds.is_some() {
        shapes.push(("rapier, CCD", (RapierShape::Cuboid, true)));
    }
    let scenes = [("", Some(scene)), (", compounds", compounds.as_ref())];
    let mut own = Vec::new();
    for method in &arguments.method {
        for solver in &arguments.solver {
            let of_scene = |(kind, scene): &(&str, Option<_>)| {
                Some((format!("drystone, {method}, {solver}{kind}"), (*scene)?, method, *solver))
            };
            own.extend(scenes.iter().filter_map(of_scene));
        }
    }
    let mut rows: Vec<Measured> = Vec::new();
    let mut phases = Vec::new();
    for round in 0..arguments.repeat {
        eprintln!("{title}: run {} of {}", round + 1, arguments.repeat);
        let mut runs = Vec::new();
        for &(name, shape) in &shapes {
            let mut engine = Rapier::new(&solids, shape, arguments.dt, scene.forces.gravity)?;
            runs.push(measure::run(name, &solids, steps, round == 0, &mut engine)?);
        }
        for (name, scene, method, solver) in &own {
            let mut engine = Ours::new(scene, method, *solver, arguments.friction, arguments.dt)?;
            runs.push(measure::run(name, &solids, steps, round == 0, &mut engine)?);
            if round == 0 {
                phases.push((name, engine.phases()));
            }
        }
        if round == 0 {
            rows = runs;
        } else {
            rows.iter_mut().zip(&runs).for_each(|(row, run)| row.keep_least(run));
        }
    }
    measure::print(title, &rows);
    for (name, times) in phases {
        let [broad, narrow, solver, post] = times.map(|t| 1e3 * t.as_secs_f64() / f64::from(steps));
        println!(
            "{name}: broad phase {broad:.2}, contacts {narrow:.2}, solver {solver:.2}, post-stabilisation {post:.2} ms a step"
        );
    }
    Ok(())
}
