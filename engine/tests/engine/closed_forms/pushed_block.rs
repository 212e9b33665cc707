//! A block that is pushed from the side.

use super::Figure;
use super::workbench::{G, Workbench, at};
use drystone_engine::{BodyHandle, WorldSettings};
use glam::DVec3;

pub const MU: f64 = 0.3;
pub const BLOCK: DVec3 = DVec3::new(1.0, 2.0, 0.6);
pub const MASS: f64 = 1200.0;
pub const HALF_WIDTH: f64 = 0.5;

/// The largest push that friction bears.
pub const SLIPS: f64 = MU * MASS * G;

/// The largest push at a height (m) that the weight bears.
pub fn tips(height: f64) -> f64 {
    MASS * G * HALF_WIDTH / height
}

pub struct Pushed {
    pub bench: Workbench,
    pub block: BodyHandle,
}

impl Pushed {
    /// The block after `steps` steps under a push towards x at a height above the ground.
    pub fn new(settings: WorldSettings, push: f64, height: f64, steps: usize) -> Self {
        let mut bench = Workbench::new(settings, MU, 0.0);
        bench.ground();
        let block = bench.cuboid(BLOCK, at(0.3, 0.5 * BLOCK.y, 0.2));
        bench.run(50);
        for _ in 0..steps {
            let force = DVec3::X * push;
            let point = bench.position(block) + DVec3::Y * (height - 0.5 * BLOCK.y);
            bench.world.apply_force_at(block, force, point).unwrap();
            bench.world.step().unwrap();
        }
        Self { bench, block }
    }

    /// Velocity towards x and angular velocity of falling towards x.
    pub fn motion(&self) -> (f64, f64) {
        (self.bench.velocity(self.block).x, -self.bench.spin(self.block).z)
    }
}

/// From rest, about the far edge: angular acceleration of a block pushed with `push` at `height`, rad/s².
pub fn tipping(push: f64, height: f64) -> f64 {
    (push * height - MASS * G * HALF_WIDTH) / (MASS * (BLOCK.x * BLOCK.x + BLOCK.y * BLOCK.y) / 3.0)
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let threshold = HALF_WIDTH / MU;
    let [mut stands, mut slips, mut falls] = [0.0_f64; 3];
    for height in [0.3, 1.0, 1.6, 1.75, 1.95] {
        let push = 0.99 * SLIPS.min(tips(height));
        stands = stands.max(Pushed::new(settings.clone(), push, height, 200).motion().0.abs());
    }
    for height in [0.3, 1.0, 0.95 * threshold] {
        let push = 1.02 * SLIPS;
        let slide = Pushed::new(settings.clone(), push, height, 50).motion().0;
        slips = slips.max((slide - (push - SLIPS) / MASS * 0.5).abs());
    }
    for height in [1.05 * threshold, 1.15 * threshold] {
        let push = 0.995 * SLIPS;
        let fall = Pushed::new(settings.clone(), push, height, 10).motion().1;
        falls = falls.max((fall / (tipping(push, height) * 0.1) - 1.0).abs());
    }
    vec![
        Figure::new("block pushed at 0.99 of what it bears, after 2 s", "stands", stands, "m/s"),
        Figure::new("pushed with 1.02 μmg below the height b/μ, after 0.5 s", "slips with (F − μmg)/m", slips, "m/s"),
        Figure::new("pushed with 0.995 μmg above it, after 0.1 s", "tips with (Fh − mgb)/I", falls, ""),
    ]
}
