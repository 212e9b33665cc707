//! All pairs that come near each other in a window, in parallel: boxes around the ways of vertices, a tree over those of triangles, then each pair by
//! its certificate. Every answer is a pure function of the log, and the list has one order: it does not depend on threads.

use drystone_contact::Bounds;
use drystone_contact::parallel::prelude::*;

use super::certificate::{Parting, Pieces, Way};
use super::kick_log::KickLog;
use crate::simulator::asynchronous::box_tree::BoxTree;
use crate::simulator::asynchronous::clock::Ticks;
use crate::simulator::asynchronous::features::{FeaturePair, Features};
use crate::simulator::asynchronous::layers::PenaltyLayers;
use crate::simulator::asynchronous::penalty::first_step;
use crate::simulator::asynchronous::separation::PairKind;
use crate::simulator::asynchronous::slab::rounding;
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

/// All pairs are looked at in about so many parts, in parallel.
const TASKS: usize = 512;

/// What is kept from window to window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Of triangles, then of particles.
    tree: BoxTree,
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
        Self { tree: BoxTree::new(&boxes), fastest: 0.0, thickness }
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
        let (ways, bounds): (Vec<Way>, Vec<Bounds>) =
            (0..vertices.len() as u32).into_par_iter().in_tasks_of(64).map(|v| pieces.way(v, window)).unzip();
        let longest = ways
            .par_iter()
            .in_tasks_of(1)
            .map(|way| way.from.distance(way.to) + way.deviation)
            .reduce(|| 0.0, f64::max);
        self.fastest = longest / window[1].since(window[0]);
        let of_edges =
            features.ends.par_iter().in_tasks_of(1).map(|ends| around(ends, |v| bounds[v as usize])).collect();
        let triangles = features.corners.par_iter().map(|corners| around(corners, |v| bounds[v as usize]));
        let boxes: Vec<Bounds> = triangles.chain(features.particles.par_iter().map(|&v| bounds[v as usize])).collect();
        self.tree.refit(&boxes);
        let thickness = self.thickness;
        let (active, tree) = (&active, &self.tree);
        // Distances that are computed may be below the thickness where boxes are a little farther apart.
        let all = tree.bounds();
        let reach = thickness + 2.0 * rounding(&[all.low, all.high, all.low, all.high]);
        let look = Look {
            pieces,
            ways,
            of_vertices: bounds,
            of_edges,
            boxes,
            features,
            layers,
            active,
            window,
            thickness,
            reach,
        };
        let mut found: Vec<Found> = tree
            .divided(reach, TASKS)
            .into_par_iter()
            .with_max_len(1)
            .in_tasks_of(1)
            .flat_map_iter(|pair| {
                let mut found = Vec::new();
                tree.near(pair, reach, |a, b| look.items(a, b, &mut found));
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
    /// Of vertices.
    ways: Vec<Way>,
    /// Around the ways of vertices.
    of_vertices: Vec<Bounds>,
    /// Around those of edges.
    of_edges: Vec<Bounds>,
    /// Around those of triangles, then of particles.
    boxes: Vec<Bounds>,
    features: &'a Features,
    layers: &'a PenaltyLayers,
    active: &'a F,
    window: [Ticks; 2],
    thickness: f64,
    /// Boxes that are farther apart than this are not looked at, m.
    reach: f64,
}

impl<F: Fn(FeaturePair) -> u32> Look<'_, F> {
    /// The pairs of two items.
    fn items(&self, first: u32, second: u32, found: &mut Vec<Found>) {
        self.features.between(first, second, |pair| {
            let [a, b] = pair.numbers().map(|number| number as usize);
            let gap = match pair.kind() {
                PairKind::VertexTriangle => self.of_vertices[a].gap(&self.boxes[b]),
                PairKind::EdgeEdge => self.of_edges[a].gap(&self.of_edges[b]),
            };
            if gap <= self.reach {
                found.extend(self.pair(pair));
            }
        });
    }

    fn pair(&self, features: FeaturePair) -> Option<Found> {
        let (kind, of) = (features.kind(), self.features.vertices(features));
        let ways = of.map(|v| self.ways[v as usize]);
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
