//! A block on an incline.

use super::Figure;
use super::workbench::{G, Workbench};
use drystone_engine::{BodyHandle, Pose, WorldSettings};
use glam::{DQuat, DVec3};

pub const MU: f64 = 0.5;

/// A flat block, so that it does not tip.
const BLOCK: DVec3 = DVec3::new(1.0, 0.4, 0.8);

/// An incline that falls towards x, then turned by `heading` about y, with the block at rest on it.
pub struct Incline {
    pub bench: Workbench,
    pub block: BodyHandle,
    pub down: DVec3,
    pub angle: f64,
}

impl Incline {
    pub fn new(settings: WorldSettings, slope: f64, heading: f64) -> Self {
        let angle = slope.atan();
        let turn = DQuat::from_rotation_y(heading) * DQuat::from_rotation_z(-angle);
        let mut bench = Workbench::new(settings, MU, 0.0);
        bench.slab(DVec3::new(60.0, 1.0, 60.0), turn);
        let block = bench.cuboid(BLOCK, Pose::from_parts(turn * (DVec3::Y * 0.5 * BLOCK.y), turn));
        Self { bench, block, down: turn * DVec3::X, angle }
    }

    /// What is left of gravity along the slope when friction has taken all it can, m/s².
    pub fn acceleration(&self) -> f64 {
        G * (libm::sin(self.angle) - MU * libm::cos(self.angle))
    }

    pub fn position(&self) -> DVec3 {
        self.bench.position(self.block)
    }

    pub fn velocity(&self) -> DVec3 {
        self.bench.velocity(self.block)
    }
}

/// How far a block that is thrown up the slope at 3 m/s comes, and how far it should, m; and how fast it is after two seconds, m/s.
pub fn thrown_up(settings: WorldSettings, heading: f64) -> [f64; 3] {
    let mut incline = Incline::new(settings, 0.8 * MU, heading);
    let start = incline.position();
    let speed = 3.0;
    incline.bench.world.body_mut(incline.block).unwrap().velocity = -incline.down * speed;
    let deceleration = G * (libm::sin(incline.angle) + MU * libm::cos(incline.angle));
    incline.bench.run(200);
    let way = (start - incline.position()).dot(incline.down);
    [way, speed * speed / (2.0 * deceleration), incline.velocity().length()]
}

const HEADINGS: [f64; 4] = [0.0, 0.4, 0.8, 2.0];

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let [mut crept, mut along, mut across, mut thrown] = [0.0_f64; 4];
    for heading in HEADINGS {
        let mut incline = Incline::new(settings.clone(), 0.995 * MU, heading);
        incline.bench.run(100);
        let settled = incline.position();
        incline.bench.run(900);
        crept = crept.max(incline.position().distance(settled));
        for slope in [1.005 * MU, 1.1 * MU, 2.0 * MU] {
            let mut incline = Incline::new(settings.clone(), slope, heading);
            incline.bench.run(100);
            let expected = incline.acceleration() * incline.bench.world.time();
            along = along.max((incline.velocity().dot(incline.down) - expected).abs());
            across = across.max(incline.velocity().reject_from(incline.down).length());
        }
        let [way, expected, _] = thrown_up(settings.clone(), heading);
        thrown = thrown.max((way - expected).abs());
    }
    vec![
        Figure::new("block on an incline, tan θ = 0.995 μ, 9 s", "stays", crept, "m"),
        Figure::new("tan θ = 1.005 μ, 1.1 μ, 2 μ: velocity after 1 s", "g (sin θ − μ cos θ)", along, "m/s"),
        Figure::new("velocity across the slope", "none", across, "m/s"),
        Figure::new("thrown up the incline at 3 m/s", "stops after v²/(2g (sin θ + μ cos θ))", thrown, "m"),
    ]
}
