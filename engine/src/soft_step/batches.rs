//! Batches: islands of bodies that are solved one after the other, in all substeps, by one thread.
//!
//! Bodies of different islands have no influence on each other, so that threads need not wait for each other within a step, and what a
//! batch works on stays in the cache of its thread from pass to pass. An island that is larger than a batch is one by itself; its
//! colours are shared among threads.

use super::bodies::Mover;

/// Islands are added to a batch until it has so many manifolds, at least and at most: the more it has, the fewer lanes stay empty behind the
/// last manifold of each colour. No result depends on it, but that of bodies with joints.
const MANIFOLDS_PER_BATCH: [u32; 2] = [128, 256];

/// The same at most if there is one thread.
const MANIFOLDS_OF_ONE_THREAD: u32 = 512;

/// Batches for each thread, if there are enough manifolds.
const BATCHES_PER_THREAD: usize = 4;

/// When a batch is full: so that all threads get some of all manifolds.
fn manifolds_per_batch(manifolds: usize, has_joints: bool, threads: usize) -> u32 {
    let [least, most] = MANIFOLDS_PER_BATCH;
    if has_joints {
        least
    } else if threads == 1 {
        MANIFOLDS_OF_ONE_THREAD
    } else {
        ((manifolds / (BATCHES_PER_THREAD * threads)) as u32).clamp(least, most)
    }
}

/// None.
pub const NONE: u32 = u32::MAX;

/// The bodies of a step by batches.
#[derive(Debug, Default)]
pub struct Batches {
    /// For each body that yields the first one of its island, for others themselves.
    roots: Vec<u32>,
    /// The batch of the island of each root.
    of_roots: Vec<u32>,
    /// The batch of each manifold.
    pub of_manifolds: Vec<u32>,
    /// The joints of the batches that have any, batch after batch: the batch, and the joint.
    pub joints: Vec<(u32, u32)>,
    /// The bodies, batch after batch: those that yield, and those that do not but touch them. All others are behind the last batch.
    pub bodies: Vec<u32>,
    /// Where the bodies of each batch end.
    pub ends: Vec<usize>,
    /// The place of each body that yields, or that touches nothing.
    places: Vec<u32>,
    /// The bodies of each manifold, by their places within the batch.
    pub sides: Vec<[u32; 2]>,
    /// The last batch that each body was added to.
    added_to: Vec<u32>,
    next: Vec<usize>,
}

impl Batches {
    /// How many batches there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The first body of the island of one that yields.
    pub fn root(&self, body: u32) -> u32 {
        self.roots[body as usize]
    }

    /// The place of a body.
    pub fn place(&self, body: usize) -> usize {
        self.places[body] as usize
    }

    /// The bodies of a batch.
    pub fn bodies_of(&self, batch: usize) -> std::ops::Range<usize> {
        let begin = if batch == 0 { 0 } else { self.ends[batch - 1] };
        begin..self.ends[batch]
    }

    /// The places of the joints of a batch among the joints by batches.
    pub fn joints_of(&self, batch: usize) -> std::ops::Range<usize> {
        let begin = |batch: usize| self.joints.partition_point(|&(own, _)| (own as usize) < batch);
        begin(batch)..begin(batch + 1)
    }

    /// Ties bodies together that yield and share a manifold or a joint, and puts the islands into batches. `joints` are given by their
    /// bodies, [`NONE`] where there are fewer, or none that yields. Batches are made for a number of threads.
    pub fn tie(
        &mut self,
        movers: &[Mover],
        manifolds: impl Iterator<Item = [u32; 2]> + Clone,
        joints: impl Iterator<Item = [u32; 4]> + Clone,
        threads: usize,
    ) {
        self.roots.clear();
        self.roots.extend(0..movers.len() as u32);
        let yields = |body: &u32| *body != NONE && movers[*body as usize].yields();
        for bodies in joints.clone() {
            let mut own = bodies.into_iter().filter(yields);
            let Some(first) = own.next() else { continue };
            for other in own {
                let (a, b) = (self.halve(first), self.halve(other));
                self.roots[a.max(b) as usize] = a.min(b);
            }
        }
        for [a, b] in manifolds.clone() {
            if movers[a as usize].yields() && movers[b as usize].yields() {
                let (a, b) = (self.halve(a), self.halve(b));
                // The lowest body is the root, so that the order of the manifolds leaves no trace.
                self.roots[a.max(b) as usize] = a.min(b);
            }
        }
        // Each leads to a lower one, whose root is known.
        for body in 0..movers.len() {
            self.roots[body] = self.roots[self.roots[body] as usize];
        }
        // How many manifolds the island of each root has, then its batch.
        let sizes = &mut self.of_roots;
        sizes.clear();
        sizes.resize(movers.len(), 0);
        let root_of = |[a, b]: [u32; 2]| self.roots[if movers[a as usize].yields() { a } else { b } as usize] as usize;
        manifolds.clone().for_each(|bodies| sizes[root_of(bodies)] += 1);
        let root_of_joint =
            |bodies: [u32; 4]| bodies.into_iter().find(yields).map(|body| self.roots[body as usize] as usize);
        joints.clone().filter_map(root_of_joint).for_each(|root| sizes[root] += 1);
        let full = manifolds_per_batch(manifolds.clone().count(), joints.clone().next().is_some(), threads);
        let (mut batch, mut filled) = (0, 0);
        for size in sizes.iter_mut() {
            let own = *size;
            if filled > 0 && own >= full {
                (batch, filled) = (batch + 1, 0);
            }
            *size = if own > 0 { batch } else { NONE };
            filled += own;
            if filled >= full {
                (batch, filled) = (batch + 1, 0);
            }
        }
        let count = batch as usize + usize::from(filled > 0);
        self.of_manifolds.clear();
        self.of_manifolds.extend(manifolds.map(|bodies| sizes[root_of(bodies)]));
        self.joints.clear();
        let batch_of = |(joint, bodies)| root_of_joint(bodies).map(|root| (sizes[root], joint));
        self.joints.extend((0..).zip(joints).filter_map(batch_of));
        self.joints.sort_unstable();
        self.ends.clear();
        self.ends.resize(count, 0);
    }

    /// The root of a body while bodies are tied, with the path to it halved on the way.
    fn halve(&mut self, body: u32) -> u32 {
        let mut body = body as usize;
        while self.roots[body] as usize != body {
            self.roots[body] = self.roots[self.roots[body] as usize];
            body = self.roots[body] as usize;
        }
        body as u32
    }

    /// The batch of a body that yields and touches others.
    fn batch_of(&self, movers: &[Mover], body: usize) -> Option<usize> {
        let batch = self.of_roots[self.roots[body] as usize];
        (movers[body].yields() && batch != NONE).then_some(batch as usize)
    }

    /// Gives bodies their places; `manifolds` are those of all batches, batch after batch, with their numbers.
    pub fn place_bodies(&mut self, movers: &[Mover], manifolds: impl Iterator<Item = (u32, [u32; 2])> + Clone) {
        self.places.clear();
        self.places.resize(movers.len(), NONE);
        self.sides.resize(self.of_manifolds.len(), [0; 2]);
        // How many bodies each batch has: those that yield, then the others that its manifolds name.
        self.next.clear();
        self.next.resize(self.count(), 0);
        for body in 0..movers.len() {
            if let Some(batch) = self.batch_of(movers, body) {
                self.next[batch] += 1;
            }
        }
        self.added_to.clear();
        self.added_to.resize(movers.len(), NONE);
        self.ends.clone_from(&self.next);
        for (k, bodies) in manifolds.clone() {
            let batch = self.of_manifolds[k as usize];
            for body in bodies.map(|body| body as usize).into_iter().filter(|&body| !movers[body].yields()) {
                if std::mem::replace(&mut self.added_to[body], batch) != batch {
                    self.ends[batch as usize] += 1;
                }
            }
        }
        let mut begin = 0;
        for (end, next) in self.ends.iter_mut().zip(&mut self.next) {
            *next = begin;
            begin += *end;
            *end = begin;
        }
        self.bodies.clear();
        self.bodies.resize(begin, 0);
        for body in 0..movers.len() {
            if let Some(batch) = self.batch_of(movers, body) {
                let place = self.next[batch];
                (self.bodies[place], self.places[body]) = (body as u32, place as u32);
                self.next[batch] += 1;
            }
        }
        self.added_to.fill(NONE);
        for (k, bodies) in manifolds {
            let batch = self.of_manifolds[k as usize];
            let begin = if batch == 0 { 0 } else { self.ends[batch as usize - 1] } as u32;
            self.sides[k as usize] = bodies.map(|body| {
                let own = body as usize;
                if !movers[own].yields() && std::mem::replace(&mut self.added_to[own], batch) != batch {
                    let place = self.next[batch as usize];
                    (self.bodies[place], self.places[own]) = (body, place as u32);
                    self.next[batch as usize] += 1;
                }
                self.places[own] - begin
            });
        }
        // Bodies that do not yield may be in several batches: the state of theirs that is read in the end is behind all batches.
        for (body, mover) in movers.iter().enumerate() {
            if !mover.yields() || self.places[body] == NONE {
                self.places[body] = self.bodies.len() as u32;
                self.bodies.push(body as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::SolverBody;
    use glam::{DMat3, DVec3};

    fn mover(yields: bool) -> Mover {
        let inverse_mass = if yields { 1.0 } else { 0.0 };
        let body = SolverBody {
            position: DVec3::ZERO,
            inverse_mass,
            inverse_inertia: DMat3::IDENTITY * inverse_mass,
            twist: [0.0; 6],
            forced_change: [0.0; 6],
        };
        Mover::new(&body, yields, 1)
    }

    /// A floor, chains of so many bodies on it, and a body that touches nothing.
    fn chains(lengths: &[u32]) -> (Vec<Mover>, Vec<[u32; 2]>) {
        let mut movers = vec![mover(false)];
        let mut manifolds = Vec::new();
        for &length in lengths {
            for k in 0..length {
                let own = movers.len() as u32;
                movers.push(mover(true));
                manifolds.push([if k == 0 { 0 } else { own - 1 }, own]);
            }
        }
        movers.push(mover(true));
        (movers, manifolds)
    }

    #[test]
    fn islands_come_into_batches_and_each_body_has_a_place() {
        let (movers, manifolds) = chains(&[100, 20, 20, 300, 1, 2]);
        let mut batches = Batches::default();
        batches.tie(&movers, manifolds.iter().copied(), std::iter::empty(), 2);
        // The first three chains, the long one by itself, and the rest.
        assert_eq!(batches.count(), 3);
        let of = |k: usize| batches.of_manifolds[k];
        assert_eq!([of(0), of(139), of(140), of(439), of(440), of(442)], [0, 0, 1, 1, 2, 2]);
        assert_eq!([batches.root(1), batches.root(100), batches.root(101), batches.root(443)], [1, 1, 101, 442]);
        batches.place_bodies(&movers, (0..).zip(manifolds.iter().copied()));
        // The floor is in every batch.
        assert_eq!(batches.ends, [141, 442, 446]);
        assert_eq!(batches.bodies.len(), 446 + 2);
        for (k, bodies) in manifolds.iter().enumerate() {
            let range = batches.bodies_of(batches.of_manifolds[k] as usize);
            let seen = batches.sides[k].map(|side| batches.bodies[range.clone()][side as usize]);
            assert_eq!(seen, *bodies);
        }
        for body in 0..movers.len() {
            assert_eq!(batches.bodies[batches.place(body)], body as u32);
        }
        assert!([0, 444].iter().all(|&body| batches.place(body) >= 446));
    }

    #[test]
    fn batches_are_larger_for_one_thread_and_for_many_manifolds() {
        assert_eq!(manifolds_per_batch(300, false, 1), 512);
        assert_eq!([100, 1600, 100_000].map(|manifolds| manifolds_per_batch(manifolds, false, 2)), [128, 200, 256]);
        // The bits of joints depend on what is solved with them.
        assert_eq!([1, 2, 8].map(|threads| manifolds_per_batch(100_000, true, threads)), [128; 3]);
    }

    #[test]
    fn nothing_touches() {
        let (movers, manifolds) = chains(&[]);
        let mut batches = Batches::default();
        batches.tie(&movers, manifolds.iter().copied(), std::iter::empty(), 1);
        batches.place_bodies(&movers, (0..).zip(manifolds.iter().copied()));
        assert_eq!((batches.count(), &batches.bodies[..]), (0, &[0, 1][..]));
    }
}
