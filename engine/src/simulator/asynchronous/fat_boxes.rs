//! The kinetic broad phase: each vertex has a cube to move in, and only pairs of features whose boxes are near each other are looked at.
//!
//! When a vertex may get out of its cube follows from its velocity alone. Only then its cube is put around it anew, the boxes of the triangles
//! around it are fitted, and the pairs that it belongs to are found again.
//!
//! It takes the place of the kinetic hierarchy of Harmon and others (see [`super`]), section 4.2, in which every kick reschedules all nodes
//! from a leaf to the root; [`super::kinetic_hierarchy`] is that.

use drystone_contact::Bounds;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::box_tree::BoxTree;
use super::clock::Ticks;
use super::features::{FeaturePair, Features};
use super::vertices::Vertices;

/// How far a moving vertex is put from the centre of its cube, against its velocity, in half-widths.
const BACK: f64 = 0.5;

/// Cubes of vertices, and the tree over triangles and particles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FatBoxes {
    cubes: Vec<Bounds>,
    /// Of triangles, then of particles.
    #[serde(skip)]
    tree: BoxTree,
    /// The item of each particle.
    #[serde(skip)]
    particle_items: Vec<u32>,
    /// Boxes are near each other if their gap is no more than this, m.
    thickness: f64,
}

impl FatBoxes {
    /// Cubes of no width around all vertices where they are now; pairs nearer than a thickness (m) are near.
    pub fn new(features: &Features, vertices: &Vertices, thickness: f64, now: Ticks) -> Self {
        let point = |v: u32| {
            let at = vertices.position(v, now);
            Bounds { low: at, high: at }
        };
        let cubes = (0..vertices.len() as u32).map(point).collect();
        let mut boxes = Self { cubes, tree: BoxTree::default(), particle_items: Vec::new(), thickness };
        boxes.plant(features);
        boxes
    }

    /// Makes the tree anew from the cubes, one for each vertex. What it finds does not depend on how its nodes are put.
    pub(super) fn plant(&mut self, features: &Features) {
        let cubes = &self.cubes;
        self.particle_items = vec![u32::MAX; cubes.len()];
        for (item, &v) in (features.corners.len() as u32..).zip(&features.particles) {
            self.particle_items[v as usize] = item;
        }
        let triangles = features.corners.iter().map(|corners| around(cubes, corners));
        let particles = features.particles.iter().map(|&v| cubes[v as usize]);
        let boxes: Vec<Bounds> = triangles.chain(particles).collect();
        self.tree = BoxTree::new(&boxes);
    }

    /// Drops the tree.
    pub(super) fn clear(&mut self) {
        (self.tree, self.particle_items) = Default::default();
    }

    /// How many cubes there are.
    pub(super) fn count(&self) -> usize {
        self.cubes.len()
    }

    /// Puts the cube of a vertex around it, with half its width in m.
    pub fn recentre(&mut self, vertex: u32, half: f64, features: &Features, vertices: &Vertices, now: Ticks) {
        let velocity = vertices.ball(vertex).centre;
        let speed = velocity.abs().max_element();
        let ahead = if speed > 0.0 { velocity * (BACK * half / speed) } else { DVec3::ZERO };
        let centre = vertices.position(vertex, now) + ahead;
        let v = vertex as usize;
        self.cubes[v] = Bounds { low: centre - DVec3::splat(half), high: centre + DVec3::splat(half) };
        for &triangle in &features.triangles_of[v] {
            self.tree.set(triangle, around(&self.cubes, &features.corners[triangle as usize]));
        }
        if self.particle_items[v] != u32::MAX {
            self.tree.set(self.particle_items[v], self.cubes[v]);
        }
    }

    /// When a vertex may leave its cube, no earlier than now; `None` if never as things are.
    pub fn exit(&self, vertex: u32, vertices: &Vertices, now: Ticks) -> Option<Ticks> {
        let (cube, ball) = (self.cubes[vertex as usize], vertices.ball(vertex));
        let at = vertices.position(vertex, now);
        let mut first = f64::INFINITY;
        for k in 0..3 {
            for (margin, speed) in [(cube.high[k] - at[k], ball.centre[k]), (at[k] - cube.low[k], -ball.centre[k])] {
                let speed = speed + ball.radius;
                if speed > 0.0 {
                    first = first.min(margin.max(0.0) / speed);
                }
            }
        }
        first.is_finite().then(|| now.plus(first))
    }

    /// The pairs of a vertex, and of the edges and triangles at it, with features near by, in ascending order.
    pub fn near(&self, vertex: u32, features: &Features, pairs: &mut Vec<FeaturePair>) {
        pairs.clear();
        let v = vertex as usize;
        let (own_triangles, own_edges) = (&features.triangles_of[v], &features.edges_of[v]);
        let cube = self.cubes[v];
        let reach = own_triangles.iter().fold(cube, |all, &t| joined(all, self.tree.get(t)));
        let is_near = |a: Bounds, b: Bounds| a.gap(&b) <= self.thickness;
        let vertex_and_ring = |other: u32, pairs: &mut Vec<FeaturePair>| {
            for &t in own_triangles {
                let is_apart = !features.corners[t as usize].contains(&other);
                if is_apart && is_near(self.cubes[other as usize], self.tree.get(t)) {
                    pairs.push(FeaturePair::vertex_triangle(other, t));
                }
            }
        };
        self.tree.meeting(&reach.grown(self.thickness), |item| {
            let Some(corners) = features.corners.get(item as usize) else {
                let particle = features.particles[item as usize - features.corners.len()];
                return vertex_and_ring(particle, pairs);
            };
            if features.are_of_one_solid(vertex, corners[0]) {
                return;
            }
            if !corners.contains(&vertex) && is_near(cube, self.tree.get(item)) {
                pairs.push(FeaturePair::vertex_triangle(vertex, item));
            }
            for &other in &features.own_vertices[item as usize] {
                vertex_and_ring(other, pairs);
            }
            for &edge in &features.own_edges[item as usize] {
                let ends = features.ends[edge as usize];
                let bounds = around(&self.cubes, &ends);
                for &own in own_edges {
                    let others = features.ends[own as usize];
                    let is_apart = !ends.contains(&others[0]) && !ends.contains(&others[1]);
                    if is_apart && is_near(bounds, around(&self.cubes, &others)) {
                        pairs.push(FeaturePair::edges(edge, own));
                    }
                }
            }
        });
        pairs.sort_unstable();
    }
}

fn around(cubes: &[Bounds], vertices: &[u32]) -> Bounds {
    let first = cubes[vertices[0] as usize];
    vertices[1..].iter().fold(first, |all, &v| joined(all, cubes[v as usize]))
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    Bounds { low: a.low.min(b.low), high: a.high.max(b.high) }
}
