//! Runs a particle that falls onto a floor event by event, and prints the queue before each of them, as in figure 6 of "Asynchronous contact mechanics".
//!
//! ```text
//! cargo run --release -p drystone-scenes --example queue [EVENTS]
//! ```

use std::error::Error;

use drystone_scenes::asynchronous::named;

fn main() -> Result<(), Box<dyn Error>> {
    let events = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let mut simulation = named("particle-on-floor")?.simulation()?;
    let mut before = Vec::new();
    for _ in 0..events {
        let queue = simulation.queued();
        let Some(&(time, _)) = queue.first() else { break };
        // Only what has changed by more than the next tick of the same event.
        let words: Vec<String> = queue.iter().map(|(_, what)| what.clone()).collect();
        if words != before {
            let (height, speed) = (simulation.positions()[0].y, simulation.velocities()[0].y);
            println!("\nat {:.6} s, height {height:.6} m, velocity {speed:.4} m/s:", simulation.time());
            queue.iter().for_each(|(time, what)| println!("  {time:.6} s  {what}"));
            before = words;
        }
        simulation.run_until(time)?;
    }
    Ok(())
}
