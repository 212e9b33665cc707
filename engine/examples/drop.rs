//! Bodies dropped on planes, edges, boxes and into a groove, with contact sets: one pair of features after the other as
//! in the paper, and with promotion.
//!
//! ```text
//! cargo run --release -p drystone-engine --example drop
//! ```

use drystone_engine::backtracking::{BacktrackingSettings, BacktrackingSimulator, Promoting, Work};
use drystone_engine::{Friction, Interaction, MaterialId, MaterialTable, Pose, Solid};
use glam::{DQuat, DVec3};
use std::error::Error;
use std::f64::consts::FRAC_PI_4;

/// Friction, restitution, and for how long it falls (s).
const FRICTION: f64 = 0.5;
const RESTITUTION: f64 = 0.3;
const SECONDS: usize = 3;

struct Scene {
    name: &'static str,
    fixed: Vec<(DVec3, Pose)>,
    falling: Vec<(DVec3, Pose)>,
}

fn at(x: f64, y: f64, z: f64, rotation: DQuat) -> Pose {
    Pose::from_parts(DVec3::new(x, y, z), rotation)
}

fn scenes() -> Vec<Scene> {
    let tilt = DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.13);
    let ground = (DVec3::new(20.0, 1.0, 20.0), at(0.0, -0.5, 0.0, DQuat::IDENTITY));
    let wall = |sign: f64| {
        let slope = at(0.0, 0.0, 0.0, DQuat::from_rotation_z(sign * FRAC_PI_4));
        (DVec3::new(4.0, 1.0, 4.0), slope * at(sign * 2.0, -0.5, 0.0, DQuat::IDENTITY))
    };
    let ridge = (DVec3::new(0.2, 0.2, 3.0), at(0.0, 0.16, 0.0, DQuat::from_rotation_z(FRAC_PI_4)));
    let steep = tilt * DQuat::from_rotation_x(0.6);
    let lower = (DVec3::new(1.2, 0.4, 1.1), at(0.0, 0.2005, 0.0, DQuat::from_rotation_x(0.0005)));
    let quarter = DQuat::from_rotation_z(FRAC_PI_4);
    vec![
        Scene {
            name: "on a plane",
            fixed: vec![ground],
            falling: vec![(DVec3::new(1.0, 0.6, 0.8), at(0.1, 0.7, 0.2, tilt))],
        },
        Scene {
            name: "flat on a plane",
            fixed: vec![ground],
            falling: vec![(DVec3::new(1.0, 0.6, 0.8), at(0.1, 0.7, 0.2, DQuat::IDENTITY))],
        },
        Scene {
            name: "on an edge",
            fixed: vec![ground, ridge],
            falling: vec![(DVec3::new(1.0, 0.4, 0.7), at(0.06, 0.75, 0.05, tilt))],
        },
        Scene {
            name: "edge first",
            fixed: vec![ground],
            falling: vec![(DVec3::new(1.0, 0.7, 0.8), at(0.0, 0.8, 0.0, steep))],
        },
        Scene {
            name: "on another box",
            fixed: vec![ground],
            falling: vec![lower, (DVec3::new(0.6, 0.4, 0.5), at(0.05, 0.85, 0.02, tilt))],
        },
        Scene {
            name: "in a groove",
            fixed: vec![wall(1.0), wall(-1.0)],
            falling: vec![(DVec3::new(0.6, 0.6, 0.8), at(0.03, 0.7, 0.1, tilt * quarter))],
        },
    ]
}

fn simulation(scene: &Scene, settings: BacktrackingSettings) -> Result<BacktrackingSimulator, Box<dyn Error>> {
    let mut materials = MaterialTable::new();
    let stone: MaterialId = materials.add("stone")?;
    let interaction = Interaction { friction: Friction::sliding(FRICTION), restitution: RESTITUTION };
    materials.set(stone, stone, interaction)?;
    let mut simulation = BacktrackingSimulator::new(settings, materials)?;
    for &(sides, pose) in &scene.fixed {
        simulation.add(Solid::cuboid(sides, 1000.0)?.fixed(stone, pose)?)?;
    }
    for &(sides, pose) in &scene.falling {
        simulation.add(Solid::cuboid(sides, 1000.0)?.dynamic(stone, pose)?)?;
    }
    Ok(simulation)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| case | contacts found | rest after | events | contacts | V-Clip calls | SVDs | inexact | least gap | spread at rest | energy lost |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for scene in scenes() {
        for (way, promotion) in [("one by one", None), ("promoted", Some(Promoting::NARROW))] {
            let settings = BacktrackingSettings { promotion, ..BacktrackingSettings::default() };
            let mut simulation = simulation(&scene, settings)?;
            let start = simulation.energy();
            let (mut rest, mut events, mut least, mut work) = (0.0, 0, f64::INFINITY, Work::default());
            let (mut contacts, mut spread) = (0, 0.0);
            for _ in 0..100 * SECONDS {
                let report = simulation.advance(0.01)?;
                let moves = |body: &drystone_engine::Body| {
                    body.velocity.length() > 1e-6 || body.angular_velocity.length() > 1e-6
                };
                let is_moving = simulation.bodies().iter().any(moves);
                if is_moving {
                    rest = report.time;
                    work.vclip_calls += report.work.vclip_calls;
                    work.svd_solves += report.work.svd_solves;
                }
                work.statuses.fallback += report.work.statuses.fallback + report.work.statuses.inconsistent;
                events += report.events.len();
                least = report.least_gap.min(least);
                contacts = report.contacts.len();
                let gaps = || report.contacts.iter().map(|contact| contact.gap);
                spread = gaps().fold(0.0, f64::max) - gaps().fold(f64::INFINITY, f64::min);
            }
            let end = simulation.energy();
            println!(
                "| {} | {way} | {rest:.2} s | {events} | {contacts} | {} | {} | {} | {:.2} µm | {:.2} µm | {:.1} J |",
                scene.name,
                work.vclip_calls,
                work.svd_solves,
                work.statuses.fallback,
                least * 1e6,
                spread * 1e6,
                start.kinetic + start.potential - end.kinetic - end.potential,
            );
        }
    }
    Ok(())
}
