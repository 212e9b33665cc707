//! Properties of the contact generators and of the tests that they are built on, against oracles that share no code
//! with them: exact arithmetic, brute force over all pairs, and symmetries that need no reference.

mod broad_phase;
mod cone_filter;
mod exact;
mod far_away;
mod intersection_points;
mod peers;
mod sample;
mod symmetry;
mod tetrahedra_overlap;
mod triangles_overlap;

use proptest::test_runner::{Config, RngSeed};

/// Cases per property, in the whole tier.
const CASES: u32 = 10_000;

/// The same cases on every run and machine.
fn config(cases: u32) -> Config {
    Config {
        cases: crate::cases(cases),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x00d5_707e),
        ..Config::default()
    }
}
