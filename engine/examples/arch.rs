//! An arch of wedges under its own weight, by any solver: how far it moves, and what a step costs.
//!
//! ```text
//! cargo run --release -p drystone-engine --example arch -- 101 10 global       # stones, seconds, solver
//! cargo run --release -p drystone-engine --example arch -- 101 10 soft 1e-4    # … and gaps between the stones, m
//! ```
//! Half a ring of 10 m stands on the ground. Prints the largest distance of a stone from where it began, the change of the energy
//! as a share of the potential energy, and for the global solver the natural map and the number of factorizations a step.

use std::error::Error;
use std::time::Instant;

use drystone_engine::WorldSettings;
use drystone_engine::solver::ContactSolver;

#[path = "../tests/engine/problems/voussoirs.rs"]
mod voussoirs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let stones: usize = arguments.next().map_or(Ok(101), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(10.0), |text| text.parse())?;
    let solver: ContactSolver =
        arguments.next().map_or(Ok(WorldSettings::default().step.contact_solver), |text| text.parse())?;
    let gap: f64 = arguments.next().map_or(Ok(0.0), |text| text.parse())?;
    let (mut world, handles) = voussoirs::arch(stones, gap, solver)?;
    let start = handles.iter().map(|&h| Ok(world.body(h)?.position)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let steps = (seconds / world.settings().step.time_step).round() as usize;
    let (mut costs, mut factorizations) = (Vec::with_capacity(steps), Vec::with_capacity(steps));
    let (mut natural_map, mut fallbacks, mut drift, mut capped) = (0.0_f64, 0, 0.0_f64, 0);
    let mut energy = None;
    for k in 1..=steps {
        let began = Instant::now();
        let report = world.step()?;
        costs.push((report.timings.solver.as_secs_f64(), began.elapsed().as_secs_f64()));
        let first = *energy.get_or_insert(report.energy_before.total());
        factorizations.push(report.counts.global_factorizations);
        fallbacks += report.counts.global_fallbacks;
        capped += report.counts.iteration_limits;
        for global in report.islands.iter().filter_map(|island| island.global).filter(|_| k > 1) {
            natural_map = natural_map.max(global.natural_map);
        }
        drift = 0.0;
        for (&handle, start) in handles.iter().zip(&start) {
            drift = drift.max(world.body(handle)?.position.distance(*start));
        }
        if k.is_multiple_of(steps.div_ceil(10)) {
            let change = (report.energy_after.total() - first) / report.energy_after.potential;
            println!("step {k}: {} contacts, moved by {drift:.3e} m, energy {change:+.1e}", report.contacts.len());
        }
    }
    let median = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    };
    println!("{stones} stones, {steps} steps by {solver}: moved by {drift:.3e} m in the end");
    println!(
        "solver: {:.2} ms median, {:.2} ms in the first step; whole step {:.2} ms median",
        1e3 * median(costs.iter().map(|c| c.0).collect()),
        1e3 * costs[0].0,
        1e3 * median(costs.iter().map(|c| c.1).collect()),
    );
    println!("limit of sweeps: {capped} islands");
    if let ContactSolver::Global(_) = solver {
        let list = factorizations.iter().map(|&count| count as f64).collect();
        println!(
            "global: {} factorizations median, natural map {natural_map:.1e} m/s at most from the second step on, {fallbacks} islands left to sweeps",
            median(list)
        );
    }
    Ok(())
}
