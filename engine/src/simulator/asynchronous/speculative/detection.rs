//! All pairs that come near each other in a window, in parallel: boxes around the ways of vertices, a tree over those of triangles, then each pair by
//! its certificate. Every answer is a pure function of the log, and the list has one order: it does not depend on threads.

use drystone_contact::Bounds;
use rayon::prelude::*;

use super::certificate::{Parting, Pieces, Way};
use super::kick_log::KickLog;
use crate::simulator::asynchronous::box_tree::BoxTree;
use crate::simulator::asynchronous::clock::Ticks;
use crate::simulator::asynchronous::features::{FeaturePair, Features};
use crate::simulator::asynchronous::layers::PenaltyLayers;
use crate::simulator::asynchronous::penalty::first_step;
use crate::simulator::asynchronous::vertices::Vertices;

/// No more layers than this, or than this share of those there are, become active at once.
const MOST: u32 = 4;

/// A layer becomes active ahead if it is needed within so many windows as things go.
const AHEAD: f64 = 1.25;

/// A pair that is, or soon will be, near a layer.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Which.
    pub features: FeaturePair,
    /// m; where a layer is needed, how near it was.
    pub distance: f64,
    /// How many layers this window needs, if more than are active; else 0.
    pub needed: u32,
    /// How many the next window will need.
    pub next: u32,
}

/// What is kept from window to window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Of triangles, then of particles.
    tree: BoxTree,
    items: usize,
    /// Of vertices in the last window, m/s.
    fastest: f64,
    /// m.
    thickness: f64,
}

impl Detection {
    /// For features where they are now; a thickness in m.
    pub fn new(features: &Features, vertices: &Vertices, thickness: f64, now: Ticks) -> Self {
        let point = |v: u32| {
            let at = vertices.position(v, now);
            Bounds { low: at, high: at }
        };
        let triangles = features.corners.iter().map(|corners| around(corners, point));
        let boxes: Vec<Bounds> = triangles.chain(features.particles.iter().map(|&v| point(v))).collect();
        Self { tree: BoxTree::new(&boxes), items: boxes.len(), fastest: 0.0, thickness }
    }

    /// How fast vertices were in the last window at most, m/s.
    pub fn fastest(&self) -> f64 {
        self.fastest
    }

    /// All pairs that need layers in the window of a log or soon after it, in ascending order.
    pub fn find(
        &mut self,
        log: &KickLog,
        vertices: &Vertices,
        features: &Features,
        layers: &PenaltyLayers,
        active: impl Fn(FeaturePair) -> u32 + Sync,
    ) -> Vec<Found> {
        let Some(window) = vertices.window() else { return Vec::new() };
        let pieces = Pieces { log, vertices };
        let ways: Vec<(Way, Bounds)> = (0..vertices.len() as u32)
            .into_par_iter()
            .with_min_len(64)
            .map(|vertex| {
                let (way, [low, high]) = pieces.way(vertex, window);
                (way, Bounds { low, high })
            })
            .collect();
        let longest =
            ways.par_iter().map(|(way, _)| way.from.distance(way.to) + way.deviation).reduce(|| 0.0, f64::max);
        self.fastest = longest / window[1].since(window[0]);
        let bounds = |v: u32| ways[v as usize].1;
        let triangles = features.corners.par_iter().map(|corners| around(corners, bounds));
        let boxes: Vec<Bounds> = triangles.chain(features.particles.par_iter().map(|&v| bounds(v))).collect();
        self.tree.refit(&boxes);
        let look = Look { pieces, ways: &ways, features, layers, active: &active, window, thickness: self.thickness };
        let tree = &self.tree;
        let mut found: Vec<Found> = (0..self.items as u32)
            .into_par_iter()
            .with_min_len(32)
            .flat_map_iter(|item| {
                let mut found = Vec::new();
                tree.meeting(&boxes[item as usize].grown(look.thickness), |other| look.items(item, other, &mut found));
                found
            })
            .collect();
        found.sort_unstable_by_key(|found| found.features);
        found
    }
}

/// One look at all pairs.
struct Look<'a, F> {
    pieces: Pieces<'a>,
    ways: &'a [(Way, Bounds)],
    features: &'a Features,
    layers: &'a PenaltyLayers,
    active: &'a F,
    window: [Ticks; 2],
    thickness: f64,
}

impl<F: Fn(FeaturePair) -> u32> Look<'_, F> {
    /// The pairs of two triangles, or of a particle and a triangle, each of which belongs to one pair of items.
    fn items(&self, item: u32, other: u32, found: &mut Vec<Found>) {
        let features = self.features;
        let count = features.corners.len() as u32;
        if other >= count || item == other {
            return;
        }
        let (corners, bounds) = (&features.corners[other as usize], self.around(&features.corners[other as usize]));
        if item >= count {
            return self.vertex_triangle(features.particles[(item - count) as usize], other, bounds, found);
        }
        if features.are_of_one_solid(features.corners[item as usize][0], corners[0]) {
            return;
        }
        for &vertex in &features.own_vertices[item as usize] {
            self.vertex_triangle(vertex, other, bounds, found);
        }
        if item < other {
            for &first in &features.own_edges[item as usize] {
                let ends = features.ends[first as usize];
                let bounds = self.around(&ends);
                for &second in &features.own_edges[other as usize] {
                    let others = features.ends[second as usize];
                    let is_apart = !ends.contains(&others[0]) && !ends.contains(&others[1]);
                    if is_apart && bounds.gap(&self.around(&others)) <= self.thickness {
                        found.extend(self.pair(FeaturePair::edges(first, second)));
                    }
                }
            }
        }
    }

    fn vertex_triangle(&self, vertex: u32, triangle: u32, bounds: Bounds, found: &mut Vec<Found>) {
        let is_apart = !self.features.corners[triangle as usize].contains(&vertex);
        if is_apart && self.ways[vertex as usize].1.gap(&bounds) <= self.thickness {
            found.extend(self.pair(FeaturePair::vertex_triangle(vertex, triangle)));
        }
    }

    fn around(&self, vertices: &[u32]) -> Bounds {
        around(vertices, |v| self.ways[v as usize].1)
    }

    fn pair(&self, features: FeaturePair) -> Option<Found> {
        let (kind, of) = (features.kind(), self.features.vertices(features));
        let ways = of.map(|v| self.ways[v as usize].0);
        let plane = Parting::between(kind, &ways.map(|way| way.from), &ways.map(|way| way.to));
        let gap = plane.gap(&ways);
        let ahead = plane.gap_after(&ways, AHEAD).min(plane.gap_after(&ways, 0.0));
        if gap.min(ahead) > self.thickness {
            return None;
        }
        let first_step = first_step(self.layers, kind, of, self.pieces.vertices)?;
        let layers = (self.active)(features);
        let most = layers + MOST.max(layers / 2);
        // Layers whose thickness a distance does not exceed.
        let touched = |distance: f64| {
            let is_touched =
                |layer: &u32| *layer <= self.layers.law().most_layers && distance <= self.layers.thickness(*layer);
            (1..=most).take_while(is_touched).count() as u32
        };
        let mut found = Found { features, distance: plane.distance, needed: 0, next: touched(ahead) };
        let thickness = self.layers.thickness(layers + 1);
        if gap <= thickness {
            let step = self.layers.clock(layers + 1, first_step).map_or(0.0, |clock| clock.step());
            let shortest = Ticks::default().plus(0.25 * step).0;
            if let Some(distance) = self.pieces.nearer(kind, of, self.window, thickness, shortest) {
                found.distance = distance;
                found.needed = touched(distance).max(layers + 1);
            }
        }
        Some(found)
    }
}

fn around(vertices: &[u32], bounds: impl Fn(u32) -> Bounds) -> Bounds {
    let first = bounds(vertices[0]);
    vertices[1..].iter().fold(first, |all, &v| {
        let other = bounds(v);
        Bounds { low: all.low.min(other.low), high: all.high.max(other.high) }
    })
}
