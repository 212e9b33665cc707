//! Tests of shapes, contact generators and closest features through their public interface.

mod damaged_mesh_files;
mod generators;
mod semi_local;
mod vclip;

use proptest::test_runner::{Config, RngSeed};

/// Cases of a property that is looked at so many times in the whole tier: those of `PROPTEST_CASES`, which is 1,024 there
/// and 256 by default, of 1,024.
fn cases(whole: u32) -> u32 {
    (u64::from(whole) * u64::from(Config::default().cases)).div_ceil(1024) as u32
}

/// The seed stands in `.cargo/config.toml`, from where cargo hands it to the tests of all crates.
#[test]
fn property_tests_have_a_fixed_seed() {
    let seed = Config::default().rng_seed;
    println!("property tests begin with {seed:?}");
    assert!(matches!(seed, RngSeed::Fixed(_)), "PROPTEST_RNG_SEED is not set: run cargo inside of the repository");
}
