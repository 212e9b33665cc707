//! Runs a scene of deformable surfaces by the queue of certificates and by speculative windows on one and on more threads, compares the bits, and tells
//! the times.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example windows -- fine-shells [--until S] [--threads N]
//! ```

use std::error::Error;
use std::time::Instant;

use drystone_engine::simulator::asynchronous::{AsynchronousError, AsynchronousSimulation};
use drystone_scenes::asynchronous::named;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut scene = named(&arguments.next().ok_or("which scene?")?)?;
    let mut threads = 2usize;
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(format!("{option} needs a value"))?;
        match option.as_str() {
            "--until" => scene.duration = value.parse()?,
            "--threads" => threads = value.parse()?,
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    let run = |simulation: Result<AsynchronousSimulation, AsynchronousError>| {
        let mut simulation = simulation?;
        let started = Instant::now();
        simulation.run_until(scene.duration)?;
        let wall = started.elapsed().as_secs_f64();
        let bits = [simulation.positions(), simulation.velocities()].concat();
        let bits: Vec<[u64; 3]> = bits.iter().map(|v| v.to_array().map(f64::to_bits)).collect();
        println!(
            "  {wall:.2} s, {} events, pairs {:?}, {:?}, {:?}",
            simulation.events(),
            simulation.pairs(),
            simulation.window_report(),
            simulation.contact_report()
        );
        Ok::<_, AsynchronousError>((wall, bits))
    };
    println!("{} triangles, to {} s\nby the queue:", scene.surface.triangles().len(), scene.duration);
    let (queue, expected) = run(scene.simulation())?;
    for threads in [1, threads] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        println!("by windows, threads: {threads}");
        let (wall, bits) = pool.install(|| run(scene.simulation_by_windows()))?;
        println!("  {:.2} times as fast; the same bits: {}", queue / wall, bits == expected);
    }
    Ok(())
}
