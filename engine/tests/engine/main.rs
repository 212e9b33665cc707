//! Tests of worlds, solvers, recordings and simulations through their public interface.

#[path = "problems/assemblies.rs"]
mod assemblies;
mod backtracking;
mod bodies;
mod chains;
mod closed_forms;
mod contact_work;
mod coulomb;
mod events;
mod fclib;
mod general;
mod global;
mod physics;
mod primitives;
mod queries;
mod recording;
mod robustness;
mod rolling_cone;
mod sleeping;
mod soft;
mod svd;
mod thrown;
mod tunnelling;
mod vtk;

/// Cases of a property that is looked at so many times in the whole tier: `RANDOM_CASES` of them, per cent, a quarter by default.
fn cases(whole: u32) -> u32 {
    let share =
        std::env::var("RANDOM_CASES").map_or(25, |text| text.parse().expect("RANDOM_CASES is a number, per cent"));
    (u64::from(whole) * share).div_ceil(100) as u32
}
