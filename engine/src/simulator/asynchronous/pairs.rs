//! The pairs of features that are near each other, by number and by vertex.

use super::features::FeaturePair;
use super::separation::PairKind;
use super::slab::Slab;

/// A pair.
#[derive(Clone, Copy, Debug)]
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
#[derive(Clone, Debug)]
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

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pairs.len() - self.free.len()
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
