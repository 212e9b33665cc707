//! The default damping of scene files on bodies that are light for it.

use std::fs;
use std::path::Path;

use drystone_contact::generator::methods;
use drystone_scenes::scene_file::parse;
use drystone_scenes::simulation::{WorldPreset, world};

#[test]
fn light_dice_fall_and_lose_energy() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/light-dice.toml");
    let scene = parse(&fs::read_to_string(path).unwrap(), "").unwrap();
    assert_eq!((scene.forces.linear_damping, scene.forces.angular_damping), (0.01, 0.01));
    for preset in [WorldPreset::Embedding, WorldPreset::Suite] {
        let mut world = world(&scene, &methods::semi_local(), preset).unwrap();
        let mut energy = f64::INFINITY;
        for _ in 0..60 {
            let report = world.step().unwrap();
            assert!(report.energy_after.total() < energy, "{report:?}");
            energy = report.energy_after.total();
        }
        let dice = &world.bodies()[1..];
        assert!(dice.iter().all(|die| die.position.y < 2.5 && die.angular_velocity.length() < 1e-3), "{dice:?}");
    }
}
