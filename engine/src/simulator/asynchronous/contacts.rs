//! Contact: which penalty layers of which pairs are active, and the certificates that say so.
//!
//! A layer that is not active exerts no force: its pair is certified to be farther apart by a slab. When the certificate fails, the distance is
//! looked at; either there is a new slab or the next layer becomes active. A layer whose pair has got farther apart than it is thick, and
//! separates, becomes inactive when it ticks. Certificates change no velocity, so neither their number nor their order changes the motion.
//!
//! Source: Harmon and others (see [`super`]), sections 4 and 5.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::clock::{Clock, Ticks};
use super::contact_report::ContactReport;
use super::error::AsynchronousError;
use super::fat_boxes::FatBoxes;
use super::features::{FeaturePair, Features};
use super::kinetic_hierarchy::KineticHierarchy;
use super::layers::{ContactLaw, PenaltyLayers};
use super::pairs::{Pair, Pairs};
use super::penalty::{Tick, first_step, press};
use super::profile::EventKind;
use super::queue::EventQueue;
use super::separation::Separation;
use super::slab::{Slab, rounding};
use super::surface::DeformableSurface;
use super::vertices::Vertices;

/// A layer is activated early if its certificate would fail before this share of its step has passed: without that, certificates
/// would fail ever more often as the distance gets to the thickness from above.
const EARLY: f64 = 0.25;

/// Finding the pairs of a vertex anew costs about as much as so many certificates.
const RECENTRE_COST: u32 = 60;

/// How certificates of a vertex are kept few: its cube and its velocity ball are larger or smaller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Slack {
    /// Half the width of its cube, m.
    half: f64,
    /// Of its ball, m/s.
    radius: f64,
    /// Certificates made since its cube was put around it.
    since_cube: u32,
    /// Certificates that failed since its ball was put around its velocity.
    since_ball: u32,
}

/// Contact between and within surfaces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    layers: PenaltyLayers,
    #[serde(skip)]
    pub(super) features: Features,
    boxes: FatBoxes,
    /// In place of the boxes.
    #[serde(skip)]
    pub(super) hierarchy: Option<KineticHierarchy>,
    pub(super) pairs: Pairs,
    slack: Vec<Slack>,
    /// Of the least and the largest cube, m.
    halves: [f64; 2],
    /// The number of the first event: cubes of all vertices, then slab and ticks of each pair.
    pub(super) first_event: u32,
    report: ContactReport,
    #[serde(skip)]
    near: Vec<FeaturePair>,
}

impl Contacts {
    /// Contact of a surface by a law, with events from a number on; all that certificates need now is queued. The broad phase is by fat boxes, or by the
    /// paper's hierarchy.
    ///
    /// # Errors
    /// The law makes no sense, or two features that can move against each other are nearer than the thickness.
    pub fn new(
        surface: &DeformableSurface,
        law: &ContactLaw,
        vertices: &mut Vertices,
        queue: &mut EventQueue,
        first_event: u32,
        by_hierarchy: bool,
        now: Ticks,
    ) -> Result<Self, AsynchronousError> {
        let layers = PenaltyLayers::new(law)?;
        let features = Features::new(surface);
        let lengths = surface.edges().iter().map(|ends| {
            let [a, b] = ends.map(|v| surface.positions()[v as usize]);
            a.distance(b)
        });
        let mean = lengths.sum::<f64>() / surface.edges().len().max(1) as f64;
        let halves = [0.25 * law.thickness, law.thickness.max(0.5 * mean)];
        let still = |v: u32| vertices.inverse_mass(v) == 0.0;
        let slack = |v: u32| {
            let radius = if still(v) { 0.0 } else { law.speed / 16.0 };
            Slack { half: law.thickness.min(halves[1]), radius, since_cube: 0, since_ball: 0 }
        };
        let count = vertices.len() as u32;
        let report = ContactReport::none();
        let mut contacts = Self {
            boxes: FatBoxes::new(&features, vertices, law.thickness, now),
            hierarchy: None,
            pairs: Pairs::new(vertices.len()),
            slack: (0..count).map(slack).collect(),
            layers,
            features,
            halves,
            first_event,
            report,
            near: Vec::new(),
        };
        for v in 0..count {
            vertices.set_ball(v, contacts.slack[v as usize].radius);
        }
        if by_hierarchy {
            // Without boxes it is refused in snapshots.
            contacts.boxes = FatBoxes::default();
            contacts.hierarchy = Some(KineticHierarchy::new(&contacts.features, vertices, law.thickness, now));
            contacts.run_hierarchy(vertices, queue, now).map_err(|error| too_close(error, law.thickness))?;
        } else {
            for v in 0..count {
                let half = contacts.slack[v as usize].half;
                contacts.boxes.recentre(v, half, &contacts.features, vertices, now);
            }
            for v in 0..count {
                contacts.find_pairs(v, vertices, queue, now).map_err(|error| too_close(error, law.thickness))?;
                contacts.schedule_exit(v, vertices, queue, now);
            }
        }
        match contacts.pairs.active().min_by_key(|pair| pair.features) {
            Some(pair) => {
                let distance = contacts.separation(pair, vertices, now).0.distance;
                let thickness = law.thickness;
                Err(AsynchronousError::TooClose { pair: contacts.features.named(pair.features), distance, thickness })
            }
            None => Ok(contacts),
        }
    }

    /// Makes anew what a snapshot leaves out because it follows from the rest; whether the rest fits together.
    pub(super) fn rebuild(&mut self, surface: &DeformableSurface, first_event: u32) -> bool {
        self.features = Features::new(surface);
        let count = surface.positions().len();
        let is_whole = self.first_event == first_event
            && self.slack.len() == count
            && self.boxes.count() == count
            && self.pairs.is_consistent(&self.features, self.law().most_layers);
        if is_whole {
            self.boxes.plant(&self.features);
        }
        is_whole
    }

    /// Drops what follows from the rest.
    pub(super) fn clear(&mut self) {
        self.features = Features::default();
        self.boxes.clear();
        self.near = Vec::new();
    }

    /// How many events there may be.
    pub(super) fn end_of_events(&self) -> u32 {
        self.first_event + self.slack.len() as u32 + 2 * self.pairs.numbers()
    }

    /// As given.
    pub fn law(&self) -> &ContactLaw {
        self.layers.law()
    }

    /// What has been seen.
    pub fn report(&self) -> &ContactReport {
        &self.report
    }

    /// How many pairs are looked at, and how many of them have active layers.
    pub fn count(&self) -> [usize; 2] {
        [self.pairs.count(), self.pairs.active().count()]
    }

    /// Of all active layers, J.
    pub fn energy(&self, vertices: &Vertices, now: Ticks) -> f64 {
        let energy = |pair: &Pair| self.layers.energy(self.separation(pair, vertices, now).0.distance, pair.layers);
        self.pairs.active().map(energy).sum()
    }

    /// What one of its events does.
    pub(super) fn kind(&self, event: u32) -> EventKind {
        match (event - self.first_event).checked_sub(self.slack.len() as u32) {
            None => EventKind::BroadPhase,
            Some(number) if number % 2 == 1 => EventKind::Penalty,
            Some(_) => EventKind::Slab,
        }
    }

    /// Calls `each` with the vertices of each pair with active layers, and the clock of the innermost.
    pub(super) fn active_clocks(&self, mut each: impl FnMut(&[u32], Clock)) {
        for pair in self.pairs.active() {
            if let Some(clock) = self.layers.clock(pair.layers, pair.first_step) {
                each(&pair.vertices, clock);
            }
        }
    }

    /// One of its events.
    ///
    /// # Errors
    /// [`AsynchronousError::NoProgress`].
    pub fn event(
        &mut self,
        event: u32,
        vertices: &mut Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let number = event - self.first_event;
        let Some(number) = number.checked_sub(self.slack.len() as u32) else {
            return match self.hierarchy {
                Some(_) => self.run_hierarchy(vertices, queue, now),
                None => self.leave_cube(number, vertices, queue, now),
            };
        };
        let pair = number / 2;
        if number % 2 == 1 {
            return self.tick(pair, vertices, queue, now);
        }
        self.report.slabs += 1;
        for vertex in self.pairs.get(pair).vertices {
            let slack = &mut self.slack[vertex as usize];
            slack.since_cube += 1;
            slack.since_ball += 1;
        }
        self.certify(pair, vertices, queue, now)
    }

    /// The velocity of a vertex has left its ball: what was certified of it is computed again.
    pub fn leave_ball(&mut self, vertex: u32, vertices: &mut Vertices, queue: &mut EventQueue, now: Ticks) {
        self.report.balls += 1;
        let certificates = self.pairs.of_vertex(vertex).len() as u32 + 1;
        let slack = &mut self.slack[vertex as usize];
        if slack.radius > 0.0 {
            // Larger balls are left less often, and certificates fail earlier by them: about as many of both is best.
            slack.radius *= if slack.since_ball < certificates { 2.0 } else { 0.5 };
        }
        slack.since_ball = 0;
        slack.since_cube += certificates;
        vertices.set_ball(vertex, slack.radius);
        match &mut self.hierarchy {
            Some(hierarchy) => {
                hierarchy.rebase(vertex, &self.features, vertices, now);
                schedule(queue, self.first_event, hierarchy.next());
            }
            None => self.schedule_exit(vertex, vertices, queue, now),
        }
        for &number in self.pairs.of_vertex(vertex) {
            self.report.rescheduled += 1;
            let pair = self.pairs.get(number);
            let failure = pair.slab.failure(pair.kind(), vertices, &pair.vertices, now);
            schedule(queue, self.slab_event(number), failure);
        }
    }

    pub(super) fn slab_event(&self, pair: u32) -> u32 {
        self.first_event + self.slack.len() as u32 + 2 * pair
    }

    fn tick_event(&self, pair: u32) -> u32 {
        self.slab_event(pair) + 1
    }

    fn leave_cube(
        &mut self,
        vertex: u32,
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        self.report.cubes += 1;
        let slack = &mut self.slack[vertex as usize];
        // Larger cubes are left less often, and have more pairs.
        let factor = if slack.since_cube < RECENTRE_COST { 1.25 } else { 0.8 };
        slack.half = (slack.half * factor).clamp(self.halves[0], self.halves[1]);
        slack.since_cube = 0;
        self.boxes.recentre(vertex, slack.half, &self.features, vertices, now);
        self.find_pairs(vertex, vertices, queue, now)?;
        self.schedule_exit(vertex, vertices, queue, now);
        Ok(())
    }

    fn schedule_exit(&self, vertex: u32, vertices: &Vertices, queue: &mut EventQueue, now: Ticks) {
        schedule(queue, self.first_event + vertex, self.boxes.exit(vertex, vertices, now));
    }

    /// Adds the pairs at a vertex that have come near, and removes those without active layers that have not.
    fn find_pairs(
        &mut self,
        vertex: u32,
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let mut near = std::mem::take(&mut self.near);
        self.boxes.near(vertex, &self.features, &mut near);
        let mut known: Vec<FeaturePair> = Vec::with_capacity(self.pairs.of_vertex(vertex).len());
        for k in (0..self.pairs.of_vertex(vertex).len()).rev() {
            let number = self.pairs.of_vertex(vertex)[k];
            let Pair { features, layers, .. } = *self.pairs.get(number);
            if layers == 0 && near.binary_search(&features).is_err() {
                queue.cancel(self.slab_event(number));
                self.pairs.remove(number);
            } else {
                known.push(features);
            }
        }
        known.sort_unstable();
        for &features in near.iter().filter(|features| known.binary_search(features).is_err()) {
            self.look_at(features, vertices, queue, now)?;
        }
        self.near = near;
        Ok(())
    }

    /// Adds a pair, if forces move it.
    pub(super) fn look_at(
        &mut self,
        features: FeaturePair,
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let of = self.features.vertices(features);
        let Some(first_step) = first_step(&self.layers, features.kind(), of, vertices) else { return Ok(()) };
        let number = self.pairs.add(features, of, first_step);
        queue.set_rank(self.tick_event(number), 2 + features.rank());
        self.certify(number, vertices, queue, now)
    }

    fn separation(&self, pair: &Pair, vertices: &Vertices, now: Ticks) -> (Separation, [DVec3; 4]) {
        let points = pair.vertices.map(|v| vertices.position(v, now));
        (Separation::of(pair.kind(), &points), points)
    }

    /// Activates the layers that a pair has got to, and certifies that it is farther apart than the next.
    fn certify(
        &mut self,
        number: u32,
        vertices: &Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        let mut pair = *self.pairs.get(number);
        let (separation, points) = self.separation(&pair, vertices, now);
        let velocities = pair.vertices.map(|v| vertices.velocity(v));
        self.report.closest = self.report.closest.min(separation.distance);
        let before = pair.layers;
        let failure = loop {
            let next = pair.layers + 1;
            let clock = self.layers.clock(next, pair.first_step).filter(|_| next <= self.law().most_layers);
            let thickness = self.layers.thickness(next);
            if separation.distance > thickness + 2.0 * rounding(&points) {
                pair.slab = Slab::between(&separation, pair.kind(), &points, &velocities, thickness, now);
                let failure = pair.slab.failure(pair.kind(), vertices, &pair.vertices, now);
                let soonest = now.plus(EARLY * clock.map_or(0.0, Clock::step)).max(Ticks(now.0 + 1));
                if failure.is_none_or(|failure| failure >= soonest) {
                    break failure;
                }
            }
            if clock.is_none() {
                *self.pairs.get_mut(number) = pair;
                let (pair, distance) = (self.features.named(pair.features), separation.distance);
                return Err(AsynchronousError::NoProgress { pair, distance, layers: next, time: now.seconds() });
            }
            pair.layers = next;
        };
        *self.pairs.get_mut(number) = pair;
        schedule(queue, self.slab_event(number), failure);
        if pair.layers > before {
            self.report.deepest_layer = self.report.deepest_layer.max(pair.layers);
            self.schedule_tick(number, queue, now);
        }
        Ok(())
    }

    /// The next tick of the innermost layer, whose clock ticks whenever one of the others does.
    fn schedule_tick(&self, number: u32, queue: &mut EventQueue, now: Ticks) {
        let pair = self.pairs.get(number);
        let clock = if pair.layers > 0 { self.layers.clock(pair.layers, pair.first_step) } else { None };
        schedule(queue, self.tick_event(number), clock.map(|clock| clock.after(now)));
    }

    /// The active layers of a pair act whose clocks tick now.
    fn tick(
        &mut self,
        number: u32,
        vertices: &mut Vertices,
        queue: &mut EventQueue,
        now: Ticks,
    ) -> Result<(), AsynchronousError> {
        self.report.penalties += 1;
        let pair = *self.pairs.get(number);
        let Tick { distance, parting, has_pressed } =
            press(&self.layers, pair.kind(), pair.vertices, pair.layers, pair.first_step, vertices, now);
        self.report.closest = self.report.closest.min(distance);
        if has_pressed {
            self.report.fastest = self.report.fastest.max(-parting);
        }
        // Layers that it has left become inactive.
        let touched = (1..=pair.layers).rev().find(|&layer| distance <= self.layers.thickness(layer)).unwrap_or(0);
        if touched < pair.layers && parting > 0.0 {
            self.pairs.get_mut(number).layers = touched;
            self.certify(number, vertices, queue, now)?;
        }
        self.schedule_tick(number, queue, now);
        Ok(())
    }

    /// One of its events in words.
    pub fn describe(&self, event: u32) -> String {
        let number = event - self.first_event;
        let Some(number) = number.checked_sub(self.slack.len() as u32) else {
            return match self.hierarchy {
                Some(_) => "nodes of the hierarchy meet, or their vertices overtake each other".to_owned(),
                None => format!("vertex {number} leaves its cube"),
            };
        };
        let pair = self.pairs.get(number / 2);
        let (layers, named) = (pair.layers, self.features.named(pair.features));
        match number % 2 {
            0 => format!("certificate that {named} are farther apart than layer {}", layers + 1),
            _ => format!("penalty layers 1 to {layers} of {named}"),
        }
    }
}

/// What there is no room for at the start is too close.
fn too_close(error: AsynchronousError, thickness: f64) -> AsynchronousError {
    match error {
        AsynchronousError::NoProgress { pair, distance, .. } if distance < thickness => {
            AsynchronousError::TooClose { pair, distance, thickness }
        }
        other => other,
    }
}

/// Queues an event, or takes it out if it never happens.
pub(super) fn schedule(queue: &mut EventQueue, event: u32, time: Option<Ticks>) {
    match time {
        Some(time) => queue.schedule(event, time),
        None => queue.cancel(event),
    }
}
