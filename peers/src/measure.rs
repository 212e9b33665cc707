//! What is measured of a run.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cpu_time::ProcessTime;
use drystone_contact::overlap;
use drystone_engine::Pose;

use super::ours::Ours;
use super::penetration::deepest;
use super::rapier::Rapier;
use super::solids::{Solid, Solids};
use glam::DVec3;

/// Between two looks at solids that are no boxes, which take longer to look at.
const STEPS_BETWEEN_LOOKS: u32 = 60;

/// An engine with a scene.
pub trait Engine {
    /// One time step.
    fn step(&mut self) -> Result<()>;
    /// Where the centres of mass are, in the order of the scene's bodies.
    fn poses(&self) -> Vec<Pose>;
    /// How many points the last step was solved with.
    fn contacts(&self) -> usize;
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<()> {
        Rapier::step(self);
        Ok(())
    }
    fn poses(&self) -> Vec<Pose> {
        Rapier::poses(self)
    }
    fn contacts(&self) -> usize {
        Rapier::contacts(self)
    }
}

impl Engine for Ours {
    fn step(&mut self) -> Result<()> {
        Ours::step(self)
    }
    fn poses(&self) -> Vec<Pose> {
        Ours::poses(self)
    }
    fn contacts(&self) -> usize {
        Ours::contacts(self)
    }
}

/// What was measured of one engine in one scene.
pub struct Measured {
    name: String,
    /// CPU time of all threads, and time on the clock, a step.
    times: [Duration; 2],
    /// At any step that was looked at, m.
    deepest: f64,
    /// After the last step, m.
    deepest_at_end: f64,
    contacts: usize,
    /// The farthest that a body is from its start after the last step, m.
    farthest: f64,
    /// Bodies below the lowest one of the start, after the last step.
    lost: usize,
}

impl Measured {
    /// The lesser times of two runs.
    pub fn keep_least(&mut self, other: &Self) {
        self.times.iter_mut().zip(other.times).for_each(|(own, other)| *own = (*own).min(other));
    }
}

/// A run of an engine; penetration is measured if the engine is `watched`.
pub fn run(name: &str, solids: &Solids, steps: u32, watched: bool, engine: &mut impl Engine) -> Result<Measured> {
    let boxes = solids.boxes();
    let deepest_now = |poses: &[Pose]| -> Result<f64> {
        match &boxes {
            Some(halves) => {
                let place = |((&half, &pose), solid): ((&DVec3, &Pose), &Solid)| (half, pose, solid.mass.is_finite());
                Ok(deepest(&halves.iter().zip(poses).zip(&solids.solids).map(place).collect::<Vec<_>>()))
            }
            None => deepest_overlap(solids, poses),
        }
    };
    let mut times = [Duration::ZERO; 2];
    let (mut worst, mut last) = (0.0_f64, 0.0);
    for number in 1..=steps {
        let (cpu, clock) = (ProcessTime::now(), Instant::now());
        engine.step().with_context(|| format!("{name}, step {number}"))?;
        let spent = [cpu.elapsed(), clock.elapsed()];
        times.iter_mut().zip(spent).for_each(|(sum, spent)| *sum += spent);
        if watched && (boxes.is_some() || number.is_multiple_of(STEPS_BETWEEN_LOOKS) || number == steps) {
            last = deepest_now(&engine.poses())?;
            worst = worst.max(last);
        }
    }
    let poses = engine.poses();
    let moved = solids.solids.iter().zip(&poses).map(|(solid, pose)| pose.translation.distance(solid.pose.translation));
    let ground = solids.solids.iter().filter(|solid| solid.mass.is_infinite()).map(|solid| solid.pose.translation.y);
    let lowest = ground.fold(f64::INFINITY, f64::min);
    Ok(Measured {
        name: name.into(),
        times: times.map(|sum| sum / steps),
        deepest: worst,
        deepest_at_end: last,
        contacts: engine.contacts(),
        farthest: moved.fold(0.0, f64::max),
        lost: poses.iter().filter(|pose| pose.translation.y < lowest).count(),
    })
}

/// The width of the deepest overlap of two surfaces, m.
fn deepest_overlap(solids: &Solids, poses: &[Pose]) -> Result<f64> {
    let mut deepest = 0.0_f64;
    for (i, a) in solids.solids.iter().enumerate() {
        for (j, b) in solids.solids.iter().enumerate().skip(i + 1) {
            if !(a.mass.is_finite() || b.mass.is_finite()) {
                continue;
            }
            let reach = a.shape.radius() + b.shape.radius();
            if poses[i].translation.distance(poses[j].translation) < reach {
                deepest = deepest.max(overlap::depth(&a.shape, &b.shape, &(poses[i].inverse() * poses[j]))?);
            }
        }
    }
    Ok(deepest)
}

/// A table of what was measured.
pub fn print(title: &str, rows: &[Measured]) {
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let reference = ms(rows[0].times[0]);
    println!("\n{title}");
    println!(
        "{:<38}{:>9}{:>8}{:>11}{:>14}{:>13}{:>10}{:>14}{:>6}",
        "", "CPU ms", "ratio", "clock ms", "deepest (mm)", "at end (mm)", "contacts", "farthest (m)", "lost"
    );
    for row in rows {
        println!(
            "{:<38}{:>9.3}{:>8.2}{:>11.3}{:>14.4}{:>13.4}{:>10}{:>14.4}{:>6}",
            row.name,
            ms(row.times[0]),
            ms(row.times[0]) / reference,
            ms(row.times[1]),
            1e3 * row.deepest,
            1e3 * row.deepest_at_end,
            row.contacts,
            row.farthest,
            row.lost,
        );
    }
}
