//! Random numbers from a seed.

use drystone_contact::shape::FeatureId;
use drystone_contact::split_mix::SplitMix;
use drystone_contact::vclip::{ConvexPolyhedron, Pair};
use glam::{DQuat, DVec3};

/// A stream of random numbers; the seed alone decides which.
pub struct Random(SplitMix);

impl Random {
    /// The stream of some numbers that tell streams from each other.
    pub fn new(seed: [u64; 3]) -> Self {
        let state = |seed, part| SplitMix::new(seed).next_bits() ^ part;
        Self(SplitMix::new(seed.into_iter().fold(0, state)))
    }

    /// From 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        self.0.next_fraction()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A power of ten with an exponent from `low` to `high`.
    pub fn decade(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.between(low, high))
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A direction, each as likely as the others.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::from_array([0; 3].map(|_| self.between(-1.0, 1.0)));
            if (1e-4..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// A rotation, each as likely as the others.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_array([0; 4].map(|_| self.between(-1.0, 1.0)));
            if (1e-4..=1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }

    /// A rotation by an angle (rad) about any axis.
    pub fn turn(&mut self, angle: f64) -> DQuat {
        DQuat::from_scaled_axis(self.direction() * angle)
    }

    pub fn feature(&mut self, solid: &ConvexPolyhedron) -> FeatureId {
        let counts = [solid.vertices().len(), solid.edge_count(), solid.face_count()];
        match self.below(3) {
            0 => FeatureId::Vertex(self.below(counts[0]) as u32),
            1 => FeatureId::Edge(self.below(counts[1]) as u32),
            _ => FeatureId::Facet(self.below(counts[2]) as u32),
        }
    }

    /// A pair to start from: any but two faces.
    pub fn pair(&mut self, a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> Pair {
        loop {
            let pair = Pair { a: self.feature(a), b: self.feature(b) };
            if !matches!((pair.a, pair.b), (FeatureId::Facet(_), FeatureId::Facet(_))) {
                return pair;
            }
        }
    }
}
