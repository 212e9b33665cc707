//! Tests of shapes, contact generators and closest features through their public interface.

mod damaged_mesh_files;
mod generators;
mod semi_local;
mod vclip;

use proptest::test_runner::{Config, RngSeed};

/// The seed stands in `.cargo/config.toml`, from where cargo hands it to the tests of all crates.
#[test]
fn property_tests_have_a_fixed_seed() {
    let seed = Config::default().rng_seed;
    println!("property tests begin with {seed:?}");
    assert!(matches!(seed, RngSeed::Fixed(_)), "PROPTEST_RNG_SEED is not set: run cargo inside of the repository");
}
