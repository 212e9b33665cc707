//! Tests of shapes, contact generators and closest features through their public interface.

mod absurd_motions;
mod compounds;
mod damaged_mesh_files;
mod generators;
mod open_surfaces;
mod queries;
mod semi_local;
mod vclip;

use proptest::test_runner::{Config, RngSeed};

/// Cases of a property that is looked at so many times in the whole tier: `RANDOM_CASES` of them, per cent, a quarter by default.
fn cases(whole: u32) -> u32 {
    let share =
        std::env::var("RANDOM_CASES").map_or(25, |text| text.parse().expect("RANDOM_CASES is a number, per cent"));
    (u64::from(whole) * share).div_ceil(100) as u32
}

/// The seed stands in `.cargo/config.toml`, from where cargo hands it to the tests of all crates.
#[test]
fn property_tests_have_a_fixed_seed() {
    let seed = Config::default().rng_seed;
    println!("property tests begin with {seed:?}");
    assert!(matches!(seed, RngSeed::Fixed(_)), "PROPTEST_RNG_SEED is not set: run cargo inside of the repository");
}
