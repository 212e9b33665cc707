//! Events a second of the asynchronous simulator, by the queue on one thread, and the share of its time in forces and in certificates.
//!
//! ```text
//! cargo run --release -p drystone-scenes --example event_rate [--hierarchy] [SCENE SECONDS]...
//! ```
//!
//! Without scenes: colliding shells, and the reef knot until it is tight. With `--hierarchy` the paper's kinetic hierarchy of k-DOPs takes the place of the
//! fat boxes.

use std::error::Error;
use std::time::Instant;

use drystone_engine::simulator::asynchronous::{AsynchronousError, EventKind, EventProfile};
use drystone_scenes::asynchronous::named;

/// A run is measured in so many stretches of equal length; the slowest of them is told, too.
const STRETCHES: u32 = 24;

/// What is run if nothing else is asked for, and until when, s.
const DEFAULT: [(&str, f64); 2] = [("two-shells", 0.1), ("reef-knot", 0.12)];

/// What kinds of events do, and the share of all time that the paper (section 6.4) gives for it in its reef knot, per cent.
const KINDS: [(&str, &[EventKind], &str); 6] = [
    ("elastic forces and gravity", &[EventKind::Gravity, EventKind::Elastic, EventKind::Prescribed], "4.8"),
    ("penalty layers", &[EventKind::Penalty], "0.09"),
    ("slabs that fail", &[EventKind::Slab], "0.9"),
    ("broad phase", &[EventKind::BroadPhase], "5.2 + 23.0"),
    ("slabs scheduled again", &[EventKind::Rescheduling], "1.0"),
    ("speculative windows", &[EventKind::Window], "-"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let by_hierarchy = arguments.first().is_some_and(|first| first == "--hierarchy");
    arguments.drain(..usize::from(by_hierarchy));
    if !arguments.len().is_multiple_of(2) {
        return Err("a time in seconds belongs to each scene".into());
    }
    if arguments.is_empty() {
        DEFAULT.iter().try_for_each(|&(name, until)| run(name, until, by_hierarchy))?;
    }
    for pair in arguments.chunks_exact(2) {
        run(&pair[0], pair[1].parse().map_err(|_| format!("{} is no time in seconds", pair[1]))?, by_hierarchy)?;
    }
    Ok(())
}

fn run(name: &str, until: f64, by_hierarchy: bool) -> Result<(), AsynchronousError> {
    let scene = named(name)?;
    let mut simulation = if by_hierarchy { scene.simulation_by_hierarchy()? } else { scene.simulation()? };
    let (mut profile, mut total, mut slowest) = (EventProfile::default(), 0.0, f64::INFINITY);
    for stretch in 1..=STRETCHES {
        let (begun, before) = (Instant::now(), simulation.events());
        simulation.run_until(until * f64::from(stretch) / f64::from(STRETCHES))?;
        let seconds = begun.elapsed().as_secs_f64();
        total += seconds;
        slowest = f64::min(slowest, (simulation.events() - before) as f64 / seconds);
        profile.add(&simulation.take_profile());
    }
    let events = simulation.events();
    println!("{name}, {} triangles, to {until} s: {events} events in {total:.2} s", scene.surface.triangles().len());
    println!(
        "  {:.2e} events a second, {slowest:.2e} in the slowest of {STRETCHES} equal stretches",
        events as f64 / total
    );
    println!("  {:<28}{:>12}{:>9}{:>8}  of the paper's, %", "", "events", "s", "share");
    let row = |what: &str, events: u64, seconds: f64, published: &str| {
        println!("  {what:<28}{events:>12}{seconds:>9.2}{:>7.1}%  {published}", 100.0 * seconds / total);
    };
    let mut known = 0.0;
    for (what, kinds, published) in KINDS {
        let seconds = kinds.iter().map(|&kind| profile.seconds(kind)).sum::<f64>();
        known += seconds;
        row(what, kinds.iter().map(|&kind| profile.events(kind)).sum(), seconds, published);
    }
    row("the queue, and the rest", 0, total - known, "65, not told");
    println!("  pairs {:?}, {:?}", simulation.pairs(), simulation.contact_report());
    if let Some(report) = simulation.hierarchy_report() {
        println!("  {report:?}");
    }
    Ok(())
}
