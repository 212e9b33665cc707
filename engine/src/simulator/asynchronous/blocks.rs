//! A tick of springs, membranes and hinges by blocks of vertices, with the same bits as one force after the other.
//!
//! No position changes at the time of a tick, and no force without damping depends on velocities. So a block needs nothing of others to take
//! all forces that act on its vertices, in their order; those that act on several blocks are computed in each of them. What a block works on
//! lies together in memory, and blocks can tick in parallel. Where there is damping, all vertices are one block.

use drystone_contact::parallel::prelude::*;
use drystone_contact::sorting::CompactSort;
use glam::DVec3;

use super::clock::Ticks;
use super::hinge::Hinge;
use super::membrane::Membrane;
use super::spring::Spring;
use super::vertices::Vertices;

/// A block has no more vertices than this: with its forces it fits into the memory next to a core, and few forces act on two blocks.
const MOST: usize = 1024;

/// Not in any block.
const NOWHERE: u32 = u32::MAX;

/// The block of each vertex: halves along the axis along which vertices (m) reach farthest, until they are small enough.
pub fn partition(positions: &[DVec3]) -> Vec<u32> {
    let mut blocks = vec![0; positions.len()];
    let mut count = 0;
    let mut waiting = vec![(0..positions.len() as u32).collect::<Vec<u32>>()];
    while let Some(mut part) = waiting.pop() {
        if part.len() <= MOST {
            part.iter().for_each(|&v| blocks[v as usize] = count);
            count += 1;
            continue;
        }
        let at = |v: u32| positions[v as usize];
        let (low, high) = part
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &v| (low.min(at(v)), high.max(at(v))));
        let size = high - low;
        let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
        part.compact_sort_by(|&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
        let rest = part.split_off(part.len() / 2);
        waiting.extend([rest, part]);
    }
    blocks
}

/// Springs, membranes and hinges, in the order in which they act.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    /// First.
    pub springs: Vec<Spring>,
    /// Then these.
    pub membranes: Vec<Membrane>,
    /// Last.
    pub hinges: Vec<Hinge>,
}

/// Vertices and all forces that act on them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Block {
    /// Its own, then those of other blocks that its forces depend on.
    vertices: Vec<u32>,
    /// How many are its own.
    own: usize,
    /// Of all of them, 1/kg.
    inverse_masses: Vec<f64>,
    /// Between vertices by their places in the list, as are the others.
    springs: Vec<Spring>,
    membranes: Vec<Membrane>,
    hinges: Vec<Hinge>,
}

/// Forces by blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    blocks: Vec<Block>,
    /// The block of each vertex that is acted on, and its place there.
    places: Vec<[u32; 2]>,
}

/// The vertices of a block while they are acted on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMotion {
    /// m.
    at: Vec<DVec3>,
    /// m/s.
    velocities: Vec<DVec3>,
    is_kicked: Vec<bool>,
}

impl BlockMotion {
    /// The velocity of a vertex by its place, m/s, if it was changed.
    pub fn changed(&self, place: u32) -> Option<DVec3> {
        self.is_kicked[place as usize].then(|| self.velocities[place as usize])
    }

    fn kick(&mut self, place: u32, impulse: DVec3, inverse_masses: &[f64]) {
        let change = impulse * inverse_masses[place as usize];
        // What does not happen leaves no trace in the rounding.
        if change != DVec3::ZERO {
            self.velocities[place as usize] += change;
            self.is_kicked[place as usize] = true;
        }
    }
}

impl Blocks {
    /// Of forces, by the block of each vertex.
    pub fn new(forces: &Forces, block_of: &[u32], vertices: &Vertices) -> Self {
        let count = block_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut blocks: Vec<Forces> = vec![Forces::default(); count];
        for spring in &forces.springs {
            distinct(spring.ends.map(|v| block_of[v as usize]), |b| blocks[b as usize].springs.push(*spring));
        }
        for membrane in &forces.membranes {
            distinct(membrane.vertices.map(|v| block_of[v as usize]), |b| blocks[b as usize].membranes.push(*membrane));
        }
        for hinge in &forces.hinges {
            distinct(hinge.vertices.map(|v| block_of[v as usize]), |b| blocks[b as usize].hinges.push(*hinge));
        }
        let mut all = Self { blocks: Vec::new(), places: vec![[NOWHERE; 2]; block_of.len()] };
        let mut place_of = vec![NOWHERE; block_of.len()];
        for (number, forces) in (0..).zip(blocks) {
            let block = Block::new(forces, |v| block_of[v as usize] == number, &mut place_of, vertices);
            if block.own > 0 {
                let index = all.blocks.len() as u32;
                (0..).zip(&block.vertices[..block.own]).for_each(|(k, &v)| all.places[v as usize] = [index, k]);
                all.blocks.push(block);
            }
        }
        all
    }

    /// Calls `each` with the vertices of each force, of those that act on several blocks more than once.
    pub fn stencils(&self, mut each: impl FnMut(&[u32])) {
        for block in &self.blocks {
            let at = |place: u32| block.vertices[place as usize];
            block.springs.iter().for_each(|spring| each(&spring.ends.map(at)));
            block.membranes.iter().for_each(|membrane| each(&membrane.vertices.map(at)));
            block.hinges.iter().for_each(|hinge| each(&hinge.vertices.map(at)));
        }
    }

    /// All forces act for a step, s; in parallel if it is asked for. The velocities of then are what is left in `motions`, by blocks.
    pub fn act(&self, step: f64, vertices: &Vertices, now: Ticks, motions: &mut Vec<BlockMotion>, in_parallel: bool) {
        motions.resize_with(self.blocks.len(), BlockMotion::default);
        if in_parallel && self.blocks.len() > 1 {
            let both = motions.par_iter_mut().zip(&self.blocks).with_max_len(1).in_tasks_of(1);
            both.for_each(|(motion, block)| block.act(step, vertices, now, motion));
        } else {
            motions.iter_mut().zip(&self.blocks).for_each(|(motion, block)| block.act(step, vertices, now, motion));
        }
    }

    /// The velocity of a vertex after all have acted, m/s, if it was changed.
    pub fn changed(&self, vertex: usize, motions: &[BlockMotion]) -> Option<DVec3> {
        let [block, place] = self.places[vertex];
        motions.get(block as usize).and_then(|motion| motion.changed(place))
    }

    /// All vertices whose velocities were changed, each with that of after, m/s.
    pub fn all_changed<'a>(&'a self, motions: &'a [BlockMotion]) -> impl Iterator<Item = (u32, DVec3)> + 'a {
        self.blocks.iter().zip(motions).flat_map(|(block, motion)| {
            let own = (0..).zip(&block.vertices[..block.own]);
            own.filter_map(|(place, &v)| motion.changed(place).map(|velocity| (v, velocity)))
        })
    }
}

impl Block {
    /// Of forces whose vertices get places here; `place_of` is memory, in which nothing has a place before and after.
    fn new(mut forces: Forces, is_own: impl Fn(u32) -> bool, place_of: &mut [u32], vertices: &Vertices) -> Self {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let Forces { springs, membranes, hinges } = &mut forces;
        let ends = springs.iter().flat_map(|spring| spring.ends);
        let corners = membranes.iter().flat_map(|m| m.vertices).chain(hinges.iter().flat_map(|h| h.vertices));
        for v in ends.chain(corners) {
            if place_of[v as usize] == NOWHERE {
                place_of[v as usize] = 0;
                if is_own(v) { own.push(v) } else { others.push(v) }
            }
        }
        own.sort_unstable();
        others.sort_unstable();
        let count = own.len();
        own.append(&mut others);
        (0..).zip(&own).for_each(|(place, &v)| place_of[v as usize] = place);
        let place = |v: u32| place_of[v as usize];
        springs.iter_mut().for_each(|spring| spring.ends = spring.ends.map(place));
        membranes.iter_mut().for_each(|membrane| membrane.vertices = membrane.vertices.map(place));
        hinges.iter_mut().for_each(|hinge| hinge.vertices = hinge.vertices.map(place));
        own.iter().for_each(|&v| place_of[v as usize] = NOWHERE);
        let inverse_masses = own.iter().map(|&v| vertices.inverse_mass(v)).collect();
        let Forces { springs, membranes, hinges } = forces;
        Self { vertices: own, own: count, inverse_masses, springs, membranes, hinges }
    }

    fn act(&self, step: f64, vertices: &Vertices, now: Ticks, motion: &mut BlockMotion) {
        motion.at.clear();
        motion.at.extend(self.vertices.iter().map(|&v| vertices.position(v, now)));
        motion.velocities.clear();
        motion.velocities.extend(self.vertices.iter().map(|&v| vertices.velocity(v)));
        motion.is_kicked.clear();
        motion.is_kicked.resize(self.vertices.len(), false);
        for spring in &self.springs {
            let positions = spring.ends.map(|end| motion.at[end as usize]);
            let velocities = spring.ends.map(|end| motion.velocities[end as usize]);
            let impulse = spring.force(positions, velocities) * step;
            motion.kick(spring.ends[0], impulse, &self.inverse_masses);
            motion.kick(spring.ends[1], -impulse, &self.inverse_masses);
        }
        for membrane in &self.membranes {
            let forces = membrane.forces(membrane.vertices.map(|v| motion.at[v as usize]));
            for (vertex, force) in membrane.vertices.into_iter().zip(forces) {
                motion.kick(vertex, force * step, &self.inverse_masses);
            }
        }
        for hinge in &self.hinges {
            let forces = hinge.forces(hinge.vertices.map(|v| motion.at[v as usize]));
            for (vertex, force) in hinge.vertices.into_iter().zip(forces) {
                motion.kick(vertex, force * step, &self.inverse_masses);
            }
        }
    }
}

/// Calls `take` with each of some numbers once.
fn distinct<const N: usize>(numbers: [u32; N], mut take: impl FnMut(u32)) {
    for k in 0..N {
        if !numbers[..k].contains(&numbers[k]) {
            take(numbers[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use drystone_contact::split_mix::SplitMix;

    use super::*;

    /// Forces of each kind between vertices by chance, one of which does not move.
    fn forces(random: &mut SplitMix, positions: &[DVec3], damping: f64) -> Forces {
        let mut some = |count: usize| {
            let mut chosen: Vec<u32> = Vec::new();
            while chosen.len() < count {
                let v = random.next_below(positions.len()) as u32;
                if !chosen.contains(&v) {
                    chosen.push(v);
                }
            }
            chosen
        };
        let mut forces = Forces::default();
        for _ in 0..200 {
            let ends = <[u32; 2]>::try_from(some(2)).unwrap();
            forces.springs.push(Spring { ends, rest_length: 0.4, stiffness: 3.0, damping });
            let corners = <[u32; 3]>::try_from(some(3)).unwrap();
            let at_rest = [DVec3::ZERO, DVec3::X * 0.7, DVec3::new(0.2, 0.6, 0.0)];
            forces.membranes.push(Membrane::at_rest(corners, at_rest, [2.0, 0.5]));
            let four = <[u32; 4]>::try_from(some(4)).unwrap();
            forces.hinges.push(Hinge { vertices: four, rest_angle: 0.3, stiffness: 0.1 });
        }
        forces
    }

    fn one_after_the_other(forces: &Forces, step: f64, vertices: &mut Vertices, now: Ticks) {
        for spring in &forces.springs {
            let positions = spring.ends.map(|v| vertices.position(v, now));
            let impulse = spring.force(positions, spring.ends.map(|v| vertices.velocity(v))) * step;
            vertices.kick(spring.ends[0], impulse, now);
            vertices.kick(spring.ends[1], -impulse, now);
        }
        for membrane in &forces.membranes {
            let all = membrane.forces(membrane.vertices.map(|v| vertices.position(v, now)));
            membrane.vertices.into_iter().zip(all).for_each(|(v, force)| vertices.kick(v, force * step, now));
        }
        for hinge in &forces.hinges {
            let all = hinge.forces(hinge.vertices.map(|v| vertices.position(v, now)));
            hinge.vertices.into_iter().zip(all).for_each(|(v, force)| vertices.kick(v, force * step, now));
        }
    }

    #[test]
    fn blocks_give_the_bits_of_one_force_after_the_other() {
        let mut random = SplitMix::new(5);
        for (damping, parts) in [(0.0, 1), (0.0, 3), (0.0, 7), (0.2, 1)] {
            let mut coordinate = || random.next_between(-1.0, 1.0);
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| coordinate()));
            let positions: Vec<DVec3> = (0..40).map(|_| vector()).collect();
            let masses = (0..40).map(|v| if v == 7 { 0.0 } else { 1.0 + f64::from(v) }).collect();
            let mut expected = Vertices::at_rest(positions.clone(), masses);
            (0..40).for_each(|v| expected.set_velocity(v, vector(), Ticks::default()));
            let forces = forces(&mut random, &positions, damping);
            let block_of: Vec<u32> = (0..40).map(|_| random.next_below(parts) as u32).collect();
            let mut found = expected.clone();
            let (blocks, mut motions) = (Blocks::new(&forces, &block_of, &found), Vec::new());
            let mut logged = found.clone();
            logged.begin_log(Ticks::default());
            for tick in 1..=3 {
                let now = Ticks(tick << 34);
                one_after_the_other(&forces, 0.01, &mut expected, now);
                for (vertices, in_parallel) in [(&mut found, false), (&mut logged, true)] {
                    blocks.act(0.01, vertices, now, &mut motions, in_parallel);
                    vertices.take_over(&blocks, &motions, now);
                    for v in 0..40 {
                        let bits = |of: &Vertices| {
                            [of.position(v, now), of.velocity(v)].map(|x| x.to_array().map(f64::to_bits))
                        };
                        assert_eq!(bits(vertices), bits(&expected), "vertex {v}, tick {tick}, {parts} parts");
                    }
                }
            }
        }
    }

    #[test]
    fn parts_are_small_and_near_together() {
        let mut random = SplitMix::new(6);
        let mut coordinate = || random.next_between(0.0, 1.0);
        let positions: Vec<DVec3> = (0..5000).map(|_| DVec3::new(2.0 * coordinate(), coordinate(), 0.0)).collect();
        let blocks = partition(&positions);
        let last = *blocks.iter().max().unwrap();
        assert_eq!(last, 7);
        for block in 0..=last {
            let of: Vec<DVec3> = (0..5000).filter(|&v| blocks[v] == block).map(|v| positions[v]).collect();
            let bounds = drystone_contact::Bounds::around(of.iter().copied()).unwrap();
            assert!(of.len() == 625 && (bounds.high - bounds.low).max_element() < 0.6, "{block}: {bounds:?}");
        }
    }
}
