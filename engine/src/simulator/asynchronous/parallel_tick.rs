//! A tick of springs, membranes and hinges on several threads, with the same bits as one after the other.
//!
//! No force without damping depends on velocities, and no position changes at the time of a tick, so all forces are computed first. Then every
//! vertex takes its impulses in the order in which it would be kicked.

use glam::DVec3;
use rayon::prelude::*;

use super::clock::Ticks;
use super::hinge::Hinge;
use super::membrane::Membrane;
use super::spring::Spring;
use super::vertices::Vertices;

/// Fewer forces are not worth it.
const FEWEST: usize = 1000;

/// Forces and vertices that a thread takes at once, at least.
const AT_ONCE: usize = 256;

/// Springs, membranes and hinges.
pub type Forces<'a> = (&'a [Spring], &'a [Membrane], &'a [Hinge]);

/// The impulses of each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Incidence {
    /// Where those of each vertex begin in the list, and where the last ones end; empty if there are too few forces, or damping.
    starts: Vec<u32>,
    /// Twice the index of an impulse, and one more if it is the opposite.
    impulses: Vec<u32>,
}

impl Incidence {
    /// Of forces on so many vertices.
    pub fn new(springs: &[Spring], membranes: &[Membrane], hinges: &[Hinge], count: usize) -> Self {
        let forces = springs.len() + membranes.len() + hinges.len();
        if forces < FEWEST || springs.iter().any(|spring| spring.damping > 0.0) {
            return Self::default();
        }
        let of_springs =
            springs.iter().zip(0u32..).flat_map(|(spring, k)| [(spring.ends[0], 2 * k), (spring.ends[1], 2 * k + 1)]);
        let of_others = membranes.iter().flat_map(|m| m.vertices).chain(hinges.iter().flat_map(|h| h.vertices));
        let of_others = of_others.zip(springs.len() as u32..).map(|(vertex, k)| (vertex, 2 * k));
        let all = of_springs.chain(of_others);
        let mut starts = vec![0; count + 1];
        all.clone().for_each(|(v, _)| starts[v as usize + 1] += 1);
        (0..count).for_each(|v| starts[v + 1] += starts[v]);
        let (mut ends, mut impulses) = (starts.clone(), vec![0; starts[count] as usize]);
        for (v, impulse) in all {
            impulses[ends[v as usize] as usize] = impulse;
            ends[v as usize] += 1;
        }
        Self { starts, impulses }
    }

    /// Whether there is one.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The impulses of a vertex out of all, in their order.
    pub fn of<'a>(&'a self, vertex: usize, all: &'a [DVec3]) -> impl Iterator<Item = DVec3> + 'a {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.impulses[range].iter().map(|&index| {
            let impulse = all[index as usize / 2];
            if index % 2 == 0 { impulse } else { -impulse }
        })
    }
}

/// The impulses of all forces for a step (s): one of each spring, for its first end, then three of each membrane and four of each hinge.
pub fn impulses(forces: Forces<'_>, step: f64, vertices: &Vertices, now: Ticks, all: &mut Vec<DVec3>) {
    let (springs, membranes, hinges) = forces;
    all.resize(springs.len() + 3 * membranes.len() + 4 * hinges.len(), DVec3::ZERO);
    let (of_springs, others) = all.split_at_mut(springs.len());
    let (of_membranes, of_hinges) = others.split_at_mut(3 * membranes.len());
    of_springs.par_iter_mut().zip(springs).with_min_len(AT_ONCE).for_each(|(impulse, spring)| {
        let positions = spring.ends.map(|end| vertices.position(end, now));
        *impulse = spring.force(positions, [DVec3::ZERO; 2]) * step;
    });
    of_membranes.par_chunks_exact_mut(3).zip(membranes).with_min_len(AT_ONCE).for_each(|(impulses, membrane)| {
        let forces = membrane.forces(membrane.vertices.map(|vertex| vertices.position(vertex, now)));
        impulses.iter_mut().zip(forces).for_each(|(impulse, force)| *impulse = force * step);
    });
    of_hinges.par_chunks_exact_mut(4).zip(hinges).with_min_len(AT_ONCE).for_each(|(impulses, hinge)| {
        let forces = hinge.forces(hinge.vertices.map(|vertex| vertices.position(vertex, now)));
        impulses.iter_mut().zip(forces).for_each(|(impulse, force)| *impulse = force * step);
    });
}
