//! Disjoint sets of numbers, joined step by step.

/// Disjoint sets of 0..n; the representative of each is its least member.
#[derive(Clone, Debug)]
pub struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Each number by itself.
    pub fn new(n: usize) -> Self {
        Self((0..n as u32).collect())
    }

    /// The least member of the set of a number.
    pub fn root(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }

    /// Makes one set of two.
    pub fn join(&mut self, i: u32, j: u32) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i.max(j) as usize] = i.min(j);
    }
}
