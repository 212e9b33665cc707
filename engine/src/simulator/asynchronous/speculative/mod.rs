//! Speculative windows: the same motion as by the queue of certificates, with all pairs looked at once a window, in parallel.
//!
//! In a window [T, T + R] forces alone run, with the layers that are active now, and it is logged where vertices are when they are kicked
//! ([`kick_log`]). Then all pairs are certified against their next layer over these straight pieces ([`detection`], [`certificate`]).
//! If one gets to it, all goes back to T, the layer becomes active, and the window runs again; if none does, the window stands.
//! Layers that will soon be needed become active ahead, and those that are not needed any more inactive, between windows.
//!
//! Layers beyond the distance of a pair exert no force and leave no trace in the rounding, so that neither the windows nor which layers are active too
//! early change a bit of the motion: it is that of the queue of certificates. What differs is only when a motion ends that leaves no room.
//!
//! Source: Ainsley, Vouga, Grinspun, Tamstorf, "Speculative parallel asynchronous contact mechanics" (2012), the idea. Certificates, prediction
//! and the length of windows are our own.

mod certificate;
mod detection;
mod kick_log;

pub use kick_log::KickLog;

use serde::{Deserialize, Serialize};

use super::clock::{Clock, Ticks};
use super::contact_report::ContactReport;
use super::error::AsynchronousError;
use super::features::{FeaturePair, Features};
use super::layers::{ContactLaw, PenaltyLayers};
use super::penalty::{first_step, press};
use super::profile::EventKind;
use super::separation::Separation;
use super::simulation::{AsynchronousSimulation, Checkpoint};
use super::surface::DeformableSurface;
use super::vertices::Vertices;
use detection::{Detection, Found};

/// The length of the first window in steps of the shortest elastic clock.
const FIRST: f64 = 16.0;

/// Of the longest and the shortest window.
const LONGEST: f64 = 128.0;
const SHORTEST: f64 = 1.0 / 16.0;

/// In the longest window features come nearer by no more than this share of the thickness, as fast as they were in the window before.
const CROSSED: f64 = 0.5;

/// Windows that stand and are cheap make the next one longer by this factor, and others shorter.
const GROWTH: f64 = 1.2;
const SHRINKING: f64 = 0.7;

/// To look at all pairs costs about as much as so many ticks of layers without an impulse for each triangle. In longer windows more
/// layers are active that are not needed; the best length is that at which both cost the same.
const DETECTION: f64 = 0.5;

/// A pair with active layers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActivePair {
    features: FeaturePair,
    vertices: [u32; 4],
    layers: u32,
    first_step: f64,
}

/// What has been seen of windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowReport {
    /// Windows that stand.
    pub windows: u64,
    /// Windows that were run again.
    pub rollbacks: u64,
}

/// Contact by windows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Windows {
    layers: PenaltyLayers,
    #[serde(skip)]
    features: Features,
    #[serde(skip)]
    detection: Detection,
    /// In ascending order of features.
    active: Vec<ActivePair>,
    /// s.
    length: f64,
    /// The shortest and the longest, s.
    lengths: [f64; 2],
    report: ContactReport,
    windows: WindowReport,
    /// Pairs that were looked at more closely in the last window.
    near: usize,
    /// Ticks without an impulse in the last window.
    idle: u64,
}

impl Windows {
    /// Contact of a simulation by a law.
    ///
    /// # Errors
    /// As by the queue of certificates.
    pub(super) fn new(simulation: &mut AsynchronousSimulation, law: &ContactLaw) -> Result<Self, AsynchronousError> {
        let layers = PenaltyLayers::new(law)?;
        let features = Features::new(simulation.surface());
        let crossed = CROSSED * law.thickness / law.speed;
        let shortest = simulation.shortest_step().unwrap_or(crossed).min(crossed);
        let now = simulation.now();
        let mut windows = Self {
            detection: Detection::new(&features, &simulation.vertices, law.thickness, now),
            layers,
            features,
            active: Vec::new(),
            length: (FIRST * shortest).min(crossed),
            lengths: [SHORTEST * shortest, LONGEST * shortest],
            report: ContactReport::none(),
            windows: WindowReport::default(),
            near: 0,
            idle: 0,
        };
        // A window without motion.
        simulation.vertices.begin_log(now);
        let log = simulation.vertices.end_log(Ticks(now.0 + 1));
        let found = windows.detect(&log, &simulation.vertices);
        simulation.vertices.return_log(log);
        if let Some(Found { features, distance, .. }) = found.iter().find(|found| found.needed > 0) {
            let (pair, thickness) = (windows.features.named(*features), law.thickness);
            return Err(AsynchronousError::TooClose { pair, distance: *distance, thickness });
        }
        windows.commit(found, &simulation.vertices);
        Ok(windows)
    }

    /// Makes anew what a snapshot leaves out because it follows from the rest; whether the rest fits together.
    pub(super) fn rebuild(&mut self, surface: &DeformableSurface, vertices: &Vertices, now: Ticks) -> bool {
        self.features = Features::new(surface);
        let thickness = self.layers.law().thickness;
        self.detection = Detection::new(&self.features, vertices, thickness, now);
        let most = self.layers.law().most_layers;
        let is_right = |pair: &ActivePair| {
            self.features.have(pair.features)
                && self.features.vertices(pair.features) == pair.vertices
                && (1..=most).contains(&pair.layers)
                && self.layers.clock(pair.layers, pair.first_step).is_some()
        };
        self.active.iter().all(is_right) && self.active.is_sorted_by_key(|pair| pair.features)
    }

    /// Drops what follows from the rest.
    pub(super) fn clear(&mut self) {
        (self.features, self.detection) = Default::default();
    }

    /// Calls `each` with the vertices of each pair with active layers, and the clock of the innermost.
    pub(super) fn active_clocks(&self, mut each: impl FnMut(&[u32], Clock)) {
        for pair in &self.active {
            if let Some(clock) = self.layers.clock(pair.layers, pair.first_step) {
                each(&pair.vertices, clock);
            }
        }
    }

    /// What has been seen.
    pub fn report(&self) -> &ContactReport {
        &self.report
    }

    /// What has been seen of windows.
    pub fn windows(&self) -> WindowReport {
        self.windows
    }

    /// How many pairs were looked at more closely, and how many of them have active layers.
    pub fn count(&self) -> [usize; 2] {
        [self.near, self.active.len()]
    }

    /// Of all active layers, J.
    pub fn energy(&self, vertices: &Vertices, now: Ticks) -> f64 {
        let energy = |pair: &ActivePair| {
            let points = pair.vertices.map(|v| vertices.position(v, now));
            self.layers.energy(Separation::of(pair.features.kind(), &points).distance, pair.layers)
        };
        self.active.iter().map(energy).sum()
    }

    /// Runs all events up to a time, unless it is to stop between two windows.
    pub(super) fn run(
        &mut self,
        simulation: &mut AsynchronousSimulation,
        end: Ticks,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), AsynchronousError> {
        while simulation.now() < end {
            if stop() {
                return Err(AsynchronousError::Interrupted { time: simulation.time() });
            }
            let start = simulation.checkpoint();
            let mut attempts = 0;
            loop {
                let until = simulation.now().plus(self.length).max(Ticks(simulation.now().0 + 1)).min(end);
                simulation.vertices.begin_log(simulation.now());
                let ended = self.forces(simulation, until);
                let log = simulation.vertices.end_log(simulation.now());
                let begun = simulation.profile.begin(EventKind::Window);
                let found = self.detect(&log, &simulation.vertices);
                simulation.profile.end(EventKind::Window, 1, begun);
                simulation.vertices.return_log(log);
                let is_hit = |found: &Found| found.needed > self.layers_of(found.features);
                if !found.iter().any(is_hit) {
                    self.commit(found, &simulation.vertices);
                    self.windows.windows += 1;
                    let is_cheap = self.idle as f64 <= DETECTION * self.features.corners.len() as f64;
                    if attempts == 0 {
                        let factor = if is_cheap { GROWTH } else { SHRINKING };
                        // Few layers become active that are not needed.
                        let crossed = CROSSED * self.law().thickness / (2.0 * self.detection.fastest());
                        self.length = (self.length * factor).min(self.lengths[1]).min(crossed).max(self.lengths[0]);
                    }
                    ended?;
                    break;
                }
                attempts += 1;
                self.windows.rollbacks += 1;
                simulation.restore(&start);
                let is_shortest = self.length <= self.lengths[0];
                self.activate(&found, simulation, is_shortest)?;
                self.length = (self.length * SHRINKING).max(self.lengths[0]);
            }
        }
        Ok(())
    }

    /// As given.
    pub fn law(&self) -> &ContactLaw {
        self.layers.law()
    }

    fn layers_of(&self, features: FeaturePair) -> u32 {
        let index = self.active.binary_search_by_key(&features, |pair| pair.features);
        index.map_or(0, |index| self.active[index].layers)
    }

    fn detect(&mut self, log: &KickLog, vertices: &Vertices) -> Vec<Found> {
        let Self { detection, features, layers, active, .. } = self;
        let layers_of = |features: FeaturePair| {
            let index = active.binary_search_by_key(&features, |pair| pair.features);
            index.map_or(0, |index| active[index].layers)
        };
        detection.find(log, vertices, features, layers, layers_of)
    }

    /// Runs forces with the layers that are active; after an error the time is that of the error.
    fn forces(&mut self, simulation: &mut AsynchronousSimulation, until: Ticks) -> Result<(), AsynchronousError> {
        let first = simulation.first_contact_event();
        self.idle = 0;
        let clock = |pair: &ActivePair| {
            self.layers
                .clock(pair.layers, pair.first_step)
                .unwrap_or_else(|| unreachable!("checked when it became active"))
        };
        let clocks: Vec<Clock> = self.active.iter().map(clock).collect();
        for (event, (pair, clock)) in (first..).zip(self.active.iter().zip(&clocks)) {
            simulation.queue.set_rank(event, 2 + pair.features.rank());
            simulation.queue.schedule(event, clock.after(simulation.now));
        }
        let mut result = Ok(());
        while let Some((now, event)) = simulation.queue.first().filter(|(next, _)| *next <= until) {
            simulation.now = now;
            let (kind, count) = (simulation.kind(event), simulation.events);
            let begun = simulation.profile.begin(kind);
            if event < first {
                result = simulation.event(event);
            } else {
                let index = (event - first) as usize;
                self.tick(index, &mut simulation.vertices, now);
                simulation.queue.schedule(event, clocks[index].after(now));
                simulation.events += 1;
            }
            simulation.profile.end(kind, simulation.events - count, begun);
            result = result.and_then(|()| simulation.leave_balls());
            if result.is_err() {
                break;
            }
        }
        if result.is_ok() {
            simulation.now = until;
        }
        (first..first + clocks.len() as u32).for_each(|event| simulation.queue.cancel(event));
        result
    }

    fn tick(&mut self, index: usize, vertices: &mut Vertices, now: Ticks) {
        let ActivePair { features, vertices: of, layers, first_step } = self.active[index];
        let tick = press(&self.layers, features.kind(), of, layers, first_step, vertices, now);
        self.report.penalties += 1;
        if tick.has_pressed {
            self.report.closest = self.report.closest.min(tick.distance);
            self.report.fastest = self.report.fastest.max(-tick.parting);
            let touched = self.layers.touched_count(tick.distance, layers);
            self.report.deepest_layer = self.report.deepest_layer.max(touched);
        } else {
            self.idle += 1;
        }
    }

    /// Activates layers that are needed, of which there is one more at least.
    fn activate(
        &mut self,
        found: &[Found],
        simulation: &AsynchronousSimulation,
        is_shortest: bool,
    ) -> Result<(), AsynchronousError> {
        let mut active = Vec::with_capacity(self.active.len() + found.len());
        let mut known = self.active.iter().peekable();
        for found in found {
            while let Some(pair) = known.next_if(|pair| pair.features < found.features) {
                active.push(*pair);
            }
            let before = known.next_if(|pair| pair.features == found.features).map_or(0, |pair| pair.layers);
            let pair = self.pair(found, before.max(found.needed).max(found.next), &simulation.vertices);
            let layers = pair.map_or(0, |pair| pair.layers);
            if found.needed > before && layers <= before && is_shortest {
                let (pair, distance, layers) = (self.features.named(found.features), found.distance, before + 1);
                return Err(AsynchronousError::NoProgress { pair, distance, layers, time: simulation.time() });
            }
            active.extend(pair);
        }
        active.extend(known);
        self.active = active;
        Ok(())
    }

    /// A pair with as many layers as there can be of those that are wanted; `None` without any.
    fn pair(&self, found: &Found, wanted: u32, vertices: &Vertices) -> Option<ActivePair> {
        let of = self.features.vertices(found.features);
        let first_step = first_step(&self.layers, found.features.kind(), of, vertices)?;
        let mut layers = wanted.min(self.layers.law().most_layers);
        while layers > 0 && self.layers.clock(layers, first_step).is_none() {
            layers -= 1;
        }
        (layers > 0).then_some(ActivePair { features: found.features, vertices: of, layers, first_step })
    }

    /// The layers of the next window.
    fn commit(&mut self, found: Vec<Found>, vertices: &Vertices) {
        self.near = found.len();
        self.active = found.iter().filter_map(|found| self.pair(found, found.next, vertices)).collect();
    }
}

impl AsynchronousSimulation {
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            motion: self.vertices.motion(),
            queue: self.queue.clone(),
            pieces: self.pieces.clone(),
            passed: self.passed,
            now: self.now,
            events: self.events,
        }
    }

    pub(super) fn restore(&mut self, checkpoint: &Checkpoint) {
        self.vertices.set_motion(&checkpoint.motion);
        self.queue.clone_from(&checkpoint.queue);
        self.pieces.clone_from(&checkpoint.pieces);
        (self.passed, self.now, self.events) = (checkpoint.passed, checkpoint.now, checkpoint.events);
    }
}
