//! A box that falls flat on the ground, with and without restitution.

use super::Figure;
use super::workbench::{G, Workbench, at};
use drystone_engine::{BodyHandle, WorldSettings};
use glam::DVec3;

pub struct Dropped {
    pub bench: Workbench,
    pub body: BodyHandle,
}

impl Dropped {
    pub fn new(mut settings: WorldSettings, height: f64, restitution: f64, time_step: f64) -> Self {
        settings.step.time_step = time_step;
        let mut bench = Workbench::new(settings, 0.5, restitution);
        bench.ground();
        let body = bench.cuboid(DVec3::ONE, at(0.3, 0.5 + height, 0.2));
        Self { bench, body }
    }

    pub fn height(&self) -> f64 {
        self.bench.position(self.body).y - 0.5
    }

    pub fn speed(&self) -> f64 {
        self.bench.velocity(self.body).y
    }

    /// The height that it would rise to.
    pub fn apex(&self) -> f64 {
        self.height() + self.speed() * self.speed() / (2.0 * G)
    }

    /// Steps until it has bounced once more; whether it did within ten seconds.
    pub fn bounce(&mut self) -> bool {
        let steps = (10.0 / self.bench.world.settings().step.time_step) as usize;
        for _ in 0..steps {
            let before = self.speed();
            self.bench.run(1);
            if before < 0.0 && self.speed() > 0.0 {
                return true;
            }
        }
        false
    }
}

/// How much higher or lower the box gets within a hundred elastic bounces, as a share of the height.
pub fn hundred_elastic_bounces(settings: WorldSettings) -> f64 {
    let mut dropped = Dropped::new(settings, 0.3, 1.0, 0.01);
    let mut worst = 0.0f64;
    for _ in 0..100 {
        assert!(dropped.bounce());
        worst = worst.max((dropped.apex() / 0.3 - 1.0).abs());
    }
    worst
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let bounced = |time_step| {
        let mut worst = 0.0_f64;
        for restitution in [0.9, 0.7, 0.5, 0.3] {
            let mut dropped = Dropped::new(settings.clone(), 1.0, restitution, time_step);
            let mut height = 1.0;
            for _ in 0..3 {
                assert!(dropped.bounce());
                worst = worst.max((dropped.apex() - restitution * restitution * height).abs());
                height = dropped.apex();
            }
        }
        worst
    };
    let mut highest = 0.0_f64;
    let mut deepest = 0.0_f64;
    for height in [0.05, 0.3, 1.0] {
        let mut dropped = Dropped::new(settings.clone(), height, 0.0, 0.01);
        let mut hit = false;
        for _ in 0..200 {
            dropped.bench.run(1);
            hit = hit || dropped.height() < 1e-4;
            highest = if hit { highest.max(dropped.height()) } else { highest };
            deepest = deepest.max(-dropped.height());
        }
        assert!(hit);
    }
    vec![
        Figure::new("falls from 1 m, three bounces, e = 0.3…0.9, Δt = 10 ms", "e²h", bounced(0.01), "m"),
        Figure::new("the same with Δt = 2 ms", "e²h", bounced(0.002), "m"),
        Figure::new("a hundred elastic bounces", "the same height", hundred_elastic_bounces(settings.clone()), ""),
        Figure::new("fall without restitution from 0.05…1 m: rises by", "stays down", highest, "m"),
        Figure::new("the deepest in the ground", "none", deepest, "m"),
    ]
}
