//! Bodies that cannot move: a press of kinematic bodies that closes on them. Time stands still then, and nothing gains
//! speed in it.

use super::range::Range;
use drystone_engine::simulator::Limit;
use drystone_engine::{BodyHandle, CcdSettings, Pose, Solid};
use glam::{DQuat, DVec3};

/// Two kinematic plates that close on a block at 0.5 m/s from both sides; the block is turned by `turn`.
fn press(turn: DQuat) -> (Range, BodyHandle) {
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    let plate = Solid::cuboid(DVec3::new(0.2, 1.0, 1.0), 1000.0).unwrap();
    for side in [-1.0, 1.0] {
        let pose = Pose::from_translation(DVec3::X * (0.3 * side));
        let plate = range.world.add(plate.kinematic(range.stone, pose).unwrap()).unwrap();
        range.world.body_mut(plate).unwrap().velocity = DVec3::X * (-0.5 * side);
    }
    let block = Solid::cuboid(DVec3::new(0.2, 0.3, 0.25), 1000.0).unwrap();
    let block = range.throw(&block, DVec3::ZERO, turn, DVec3::ZERO, DVec3::ZERO);
    (range, block)
}

#[test]
fn what_is_jammed_gains_no_energy_while_time_stands_still() {
    let turns = [DQuat::IDENTITY, DQuat::from_scaled_axis(DVec3::new(0.1, 0.2, 0.3))];
    for turn in turns {
        let (mut range, block) = press(turn);
        let (mut stood, mut most) = (0, 0.0f64);
        for _ in 0..120 {
            let report = range.step();
            let ccd = report.ccd.as_ref().unwrap();
            let mass = range.world.body(block).unwrap().mass();
            // A block that plates of 0.5 m/s push and part at 0.1 m/s.
            most = most.max(report.energy_after.kinetic / (0.5 * mass));
            if ccd.advanced < 1e-5 {
                stood += 1;
                let floor = 0.5 * mass * 0.1 * 0.1;
                let limit = report.energy_before.kinetic.max(floor) * (1.0 + 1e-12);
                assert!(report.energy_after.kinetic <= limit, "{:?} {:?}", report.energy_before, report.energy_after);
            }
            assert_eq!(report.limits().contains(&Limit::Substeps), ccd.is_cut_short);
            assert_eq!(ccd.is_cut_short, ccd.advanced < 0.01 * (1.0 - 1e-12), "{ccd:?}");
        }
        println!("jammed for {stood} of 120 steps; at most {most:.3} m²/s²");
        assert!(stood > 50, "{turn}: the block is jammed for {stood} steps");
        assert!(most < 25.0, "{turn}: {most}");
    }
}
