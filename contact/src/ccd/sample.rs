//! Queries that are hard to answer: nearly or exactly degenerate, or nearly or exactly touching, by construction.
//!
//! They are made in exact integers, in which features can be made to meet exactly, then scaled, and at times moved by
//! a few units in the last place.

use super::{Kind, Query};
use crate::split_mix::SplitMix;

/// Parts of a whole that weights of points are made of.
const WEIGHTS: i64 = 64;
/// Parts of the step that times of contact are made of.
const TIMES: i64 = 16;
/// What all numbers are multiples of before features are moved together, so that nothing is rounded in doing so.
const UNIT: i64 = WEIGHTS * TIMES;

/// A point in exact integers.
type Whole = [i64; 3];

/// Random whole numbers that depend on nothing but the seed.
#[derive(Clone, Debug)]
struct Random(SplitMix);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// 0 … `end` − 1.
    fn below(&mut self, end: usize) -> usize {
        self.0.next_below(end)
    }

    /// −`most` … `most`.
    fn whole(&mut self, most: i64) -> i64 {
        (self.next() % (2 * most as u64 + 1)) as i64 - most
    }

    /// Once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn point(&mut self, most: i64) -> Whole {
        [0; 3].map(|_| self.whole(most))
    }
}

/// Four points at t = 0 and at t = 1, in exact integers.
struct Draft {
    kind: Kind,
    points: [[Whole; 4]; 2],
}

/// The query of this number in the row that belongs to the seed.
#[must_use]
pub fn near_degenerate(seed: u64, number: u64) -> Query {
    let random = &mut Random(SplitMix::new(seed));
    // Neighbouring seeds and numbers have nothing in common.
    let random = &mut Random(SplitMix::new(random.next() ^ number.wrapping_mul(0xd134_2543_de82_ef95)));
    random.next();
    let kind = if random.once_in(2) { Kind::VertexFace } else { Kind::EdgeEdge };
    let size = 1 << [1, 2, 4, 8, 16, 20][random.below(6)];
    let mut draft = Draft { kind, points: [[[0; 3]; 4]; 2].map(|row| row.map(|_| random.point(size))) };
    draft.degenerate(random, size);
    for coordinate in draft.points.iter_mut().flatten().flatten() {
        *coordinate *= UNIT;
    }
    if !random.once_in(4) {
        draft.meet(random, size);
    }
    if random.once_in(4) {
        let most = 1 << (36 + random.below(14));
        let far = random.point(most);
        draft.points.iter_mut().flatten().for_each(|point| *point = sum(*point, far));
    }
    draft.scaled(random)
}

impl Draft {
    /// Points of the first feature; the others are those of the second.
    fn first(&self) -> usize {
        match self.kind {
            Kind::VertexFace => 1,
            Kind::EdgeEdge => 2,
        }
    }

    /// Motion in a plane, features without extent, parallel edges, still points, fast points, or none of these.
    fn degenerate(&mut self, random: &mut Random, size: i64) {
        let [i, j] = [random.below(4), random.below(4)];
        // At the start, at the end, or all the time.
        let when = [0..1, 1..2, 0..2][random.below(3)].clone();
        match random.below(10) {
            0 => self.flatten(random),
            1 => self.points[when].iter_mut().for_each(|row| row[i] = row[j]),
            2 => self.points[when].iter_mut().for_each(|row| *row = [row[i]; 4]),
            3 => {
                // The second edge along the first, or a face without area.
                let factor = random.whole(3);
                for row in &mut self.points[when] {
                    let along = difference(row[1], row[0]);
                    row[3] = sum(row[2], along.map(|x| factor * x));
                }
            }
            4 => {
                // All on one line.
                let along = random.point(size);
                for row in &mut self.points[when] {
                    let from = row[0];
                    row.iter_mut().for_each(|point| *point = sum(from, along.map(|x| random.whole(3) * x)));
                }
            }
            5 => self.points[1] = self.points[0],
            6 => self.points[1][i] = self.points[0][i],
            7 => {
                // All move alike, but one.
                let step = random.point(size);
                let other = self.points[1][i];
                self.points[1] = self.points[0].map(|point| sum(point, step));
                self.points[1][i] = other;
            }
            8 => self.points[1][i] = self.points[1][i].map(|x| x << 12),
            _ => {}
        }
    }

    /// Into a plane that moves at constant speed, at least at one end of the step.
    fn flatten(&mut self, random: &mut Random) {
        let axis = random.below(3);
        let slopes = [random.whole(2), random.whole(2)];
        let heights = [random.whole(8), random.whole(8)];
        let ends = if random.once_in(3) { 1 } else { 2 };
        for (row, height) in self.points.iter_mut().zip(heights).take(ends) {
            for point in row {
                point[axis] = height + slopes[0] * point[(axis + 1) % 3] + slopes[1] * point[(axis + 2) % 3];
            }
        }
    }

    /// Moves the first feature so that a point of it is at a point of the second at some time. Everything stays whole.
    fn meet(&mut self, random: &mut Random, size: i64) {
        let first = self.first();
        let time = [TIMES, TIMES, TIMES / 2, random.below(TIMES as usize + 1) as i64][random.below(4)];
        let weights = [weights(random, first), weights(random, 4 - first)];
        // Displacements are whole numbers of units, so positions at that time are multiples of WEIGHTS.
        let at = |i: usize| {
            let [start, end] = [self.points[0][i], self.points[1][i]];
            sum(start, difference(end, start).map(|x| x / TIMES * time))
        };
        let mean = |range: std::ops::Range<usize>, weights: &[i64], value: &dyn Fn(usize) -> Whole| {
            let terms = range.zip(weights).map(|(i, &weight)| value(i).map(|x| x / WEIGHTS * weight));
            terms.fold([0; 3], sum)
        };
        let apart = difference(mean(first..4, &weights[1], &at), mean(0..first, &weights[0], &at));
        let step = if random.once_in(4) {
            // The points that meet move along the plane of both features: the distance from it has a double root.
            let motion = |i: usize| difference(self.points[1][i], self.points[0][i]);
            let own = difference(mean(first..4, &weights[1], &motion), mean(0..first, &weights[0], &motion));
            let other = match self.kind {
                Kind::VertexFace => 2,
                Kind::EdgeEdge => 0,
            };
            let [u, v] = [difference(at(3), at(2)), difference(at(1), at(other))];
            let [a, b] = [random.whole(2), random.whole(2)];
            [0, 1, 2].map(|k| own[k] + a * u[k] + b * v[k])
        } else {
            random.point(size).map(|x| x * UNIT)
        };
        for i in 0..first {
            let back = step.map(|x| x / TIMES * time);
            let ahead = difference(step, back);
            self.points[0][i] = sum(self.points[0][i], difference(apart, back));
            self.points[1][i] = sum(self.points[1][i], sum(apart, ahead));
        }
    }

    /// Between a millionth of a metre and a million metres, by a power of two or with rounding; at times a few
    /// coordinates are moved by a few units in the last place.
    fn scaled(&self, random: &mut Random) -> Query {
        let largest = self.points.iter().flatten().flatten().map(|x| x.unsigned_abs()).max().unwrap_or(0).max(1);
        let magnitude = random.whole(20) as i32;
        let scale = if random.once_in(3) {
            libm::exp2(0.5 * f64::from(magnitude)) / largest as f64
        } else {
            libm::ldexp(1.0, magnitude - (64 - largest.leading_zeros() as i32))
        };
        let mut coordinates = [0.0; 24];
        for (place, &whole) in coordinates.iter_mut().zip(self.points.iter().flatten().flatten()) {
            *place = whole as f64 * scale;
        }
        for _ in 0..[0, 0, 1, 3, 24][random.below(5)] {
            let place = &mut coordinates[random.below(24)];
            for _ in 0..random.below(4) {
                *place = if random.once_in(2) { place.next_up() } else { place.next_down() };
            }
        }
        Query::from_coordinates(self.kind, &coordinates)
    }
}

/// Weights of so many points, WEIGHTS in all: at a corner, on an edge or anywhere.
fn weights(random: &mut Random, points: usize) -> Vec<i64> {
    let mut weights = vec![0; points];
    let parts = [1, 2, points][random.below(3)].min(points);
    let from = random.below(points);
    let mut rest = WEIGHTS;
    for i in 1..parts {
        let part = random.below(rest as usize + 1) as i64;
        weights[(from + i) % points] = part;
        rest -= part;
    }
    weights[from] = rest;
    weights
}

fn sum(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|k| a[k] + b[k])
}

fn difference(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|k| a[k] - b[k])
}
