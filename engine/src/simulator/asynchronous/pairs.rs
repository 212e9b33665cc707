//! The pairs of features that are near each other, by number and by vertex.

use serde::{Deserialize, Serialize};

use super::features::{FeaturePair, Features};
use super::separation::PairKind;
use super::slab::Slab;

/// A pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// What it consists of.
    pub features: FeaturePair,
    /// Its vertices, in the order of [`PairKind`].
    pub vertices: [u32; 4],
    /// How many layers are active.
    pub layers: u32,
    /// h(1), s.
    pub first_step: f64,
    /// The certificate that it is farther apart than the next layer.
    pub slab: Slab,
    /// Where it is in the lists of its vertices.
    entries: [u32; 4],
}

impl Pair {
    /// What it is.
    pub fn kind(&self) -> PairKind {
        self.features.kind()
    }
}

/// Pairs with numbers that are used again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairs {
    pairs: Vec<Pair>,
    free: Vec<u32>,
    of_vertex: Vec<Vec<u32>>,
}

impl Pairs {
    /// No pairs of so many vertices.
    pub fn new(vertices: usize) -> Self {
        Self { pairs: Vec::new(), free: Vec::new(), of_vertex: vec![Vec::new(); vertices] }
    }

    /// Whether pairs are of these features, and lists of vertices and pairs fit together.
    pub(super) fn is_consistent(&self, features: &Features, most_layers: u32) -> bool {
        let count = self.pairs.len() as u32;
        let is_right = |pair: &Pair| {
            features.have(pair.features)
                && features.vertices(pair.features) == pair.vertices
                && pair.layers <= most_layers
                && pair.first_step > 0.0
        };
        let is_listed = |number: u32| {
            let Pair { vertices, entries, .. } = &self.pairs[number as usize];
            vertices.iter().zip(entries).all(|(&v, &entry)| self.of_vertex(v).get(entry as usize) == Some(&number))
        };
        let mut is_free = vec![false; self.pairs.len()];
        self.of_vertex.len() == features.triangles_of.len()
            && self.pairs.iter().all(is_right)
            && self.of_vertex.iter().flatten().all(|&number| number < count)
            && self.of_vertex.iter().map(Vec::len).sum::<usize>() == 4 * self.count()
            && self
                .free
                .iter()
                .all(|&number| is_free.get_mut(number as usize).is_some_and(|f| !std::mem::replace(f, true)))
            && (0..count).all(|number| is_free[number as usize] || is_listed(number))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pairs.len() - self.free.len()
    }

    /// Above the number of any pair.
    pub(super) fn numbers(&self) -> u32 {
        self.pairs.len() as u32
    }

    /// A pair that there is.
    pub fn get(&self, number: u32) -> &Pair {
        &self.pairs[number as usize]
    }

    /// A pair that there is.
    pub fn get_mut(&mut self, number: u32) -> &mut Pair {
        &mut self.pairs[number as usize]
    }

    /// The pairs of a vertex.
    pub fn of_vertex(&self, vertex: u32) -> &[u32] {
        &self.of_vertex[vertex as usize]
    }

    /// All pairs with active layers.
    pub fn active(&self) -> impl Iterator<Item = &Pair> {
        // A number that is free has none.
        self.pairs.iter().filter(|pair| pair.layers > 0)
    }

    /// Adds a pair without active layers; its number is what is returned.
    pub fn add(&mut self, features: FeaturePair, vertices: [u32; 4], first_step: f64) -> u32 {
        let number = self.free.pop().unwrap_or(self.pairs.len() as u32);
        let entries = vertices.map(|v| {
            let list = &mut self.of_vertex[v as usize];
            list.push(number);
            list.len() as u32 - 1
        });
        let pair = Pair { features, vertices, layers: 0, first_step, slab: Slab::default(), entries };
        if (number as usize) < self.pairs.len() {
            self.pairs[number as usize] = pair;
        } else {
            self.pairs.push(pair);
        }
        number
    }

    /// Removes a pair without active layers.
    pub fn remove(&mut self, number: u32) {
        let Pair { vertices, entries, .. } = self.pairs[number as usize];
        for (vertex, entry) in vertices.into_iter().zip(entries) {
            let list = &mut self.of_vertex[vertex as usize];
            list.swap_remove(entry as usize);
            // The last one has taken its place.
            if let Some(&moved) = list.get(entry as usize) {
                let moved = &mut self.pairs[moved as usize];
                for k in 0..4 {
                    if moved.vertices[k] == vertex {
                        moved.entries[k] = entry;
                    }
                }
            }
        }
        self.free.push(number);
    }
}
