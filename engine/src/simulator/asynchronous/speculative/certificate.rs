//! Whether a pair stays farther apart than a thickness while its vertices run along straight pieces.
//!
//! For a stretch of time a plane that moves with constant velocity is put between the closest points, as for a slab. If all vertices are
//! half a thickness before or behind it at the ends of all of their pieces, the pair is certified; else the stretch is halved.
//! Any plane that does so will do, so it is chosen from few points.

use drystone_contact::Bounds;
use glam::DVec3;

use super::kick_log::KickLog;
use crate::simulator::asynchronous::clock::Ticks;
use crate::simulator::asynchronous::separation::{PairKind, Separation};
use crate::simulator::asynchronous::slab::rounding;
use crate::simulator::asynchronous::vertices::Vertices;

/// A way of a vertex in a window: a straight one, and how far it is from that at most.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Where it begins, m.
    pub from: DVec3,
    /// Where it ends, m.
    pub to: DVec3,
    /// m.
    pub deviation: f64,
}

/// A plane that moves and parts a pair.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// m.
    pub distance: f64,
    normal: DVec3,
    /// n·x of the plane at the beginning and the end, m.
    offsets: [f64; 2],
    split: usize,
    rounding: f64,
}

impl Parting {
    /// The plane half-way between the closest points in the middle of straight ways.
    pub fn between(kind: PairKind, from: &[DVec3; 4], to: &[DVec3; 4]) -> Self {
        let middle = std::array::from_fn(|k| from[k].midpoint(to[k]));
        let Separation { distance, normal, weights } = Separation::of(kind, &middle);
        let split = kind.split();
        let offset = |points: &[DVec3; 4]| {
            let part = |k: usize| points[k].dot(normal) * if k < split { weights[k] } else { -weights[k] };
            0.5 * (0..4).map(part).sum::<f64>()
        };
        let offsets = [offset(from), offset(to)];
        Self { distance, normal, offsets, split, rounding: rounding(from).max(rounding(to)) }
    }

    /// How far the pair is apart at least, m, while its vertices go along ways; below zero if the plane does not part it.
    pub fn gap(&self, ways: &[Way; 4]) -> f64 {
        let margin = |k: usize, at: DVec3, offset: f64| self.side(k) * (at.dot(self.normal) - offset);
        let of = |k: usize| {
            let way = &ways[k];
            margin(k, way.from, self.offsets[0]).min(margin(k, way.to, self.offsets[1])) - way.deviation
        };
        2.0 * ((0..4).map(of).fold(f64::INFINITY, f64::min) - self.rounding)
    }

    /// How far the pair will be apart, m, if it goes on for so many windows as it went.
    pub fn gap_after(&self, ways: &[Way; 4], windows: f64) -> f64 {
        let at = |k: usize| {
            let way = &ways[k];
            let later = way.to + (way.to - way.from) * windows;
            self.side(k) * later.dot(self.normal) - way.deviation
        };
        (0..self.split).map(at).fold(f64::INFINITY, f64::min) + (self.split..4).map(at).fold(f64::INFINITY, f64::min)
    }

    fn side(&self, k: usize) -> f64 {
        if k < self.split { 1.0 } else { -1.0 }
    }
}

/// The straight pieces of vertices.
#[derive(Clone, Copy)]
pub struct Pieces<'a> {
    /// Of all.
    pub log: &'a KickLog,
    /// Whose they are.
    pub vertices: &'a Vertices,
}

impl Pieces<'_> {
    /// Calls `take` with all ends of pieces of a vertex from one time to another; those there come first and last.
    fn within(&self, vertex: u32, [from, to]: [Ticks; 2], mut take: impl FnMut(Ticks, DVec3)) {
        match self.vertices.body_of(vertex) {
            None => within(self.log.of_vertex(vertex), [from, to], |at| *at, &mut take),
            Some(body) => {
                let body_at = |at: &glam::DAffine3| self.vertices.bodies()[body as usize].placed(vertex, at);
                within(self.log.of_body(body), [from, to], body_at, &mut take);
            }
        }
    }

    /// The way of a vertex over the whole window, and the box around it.
    pub fn way(&self, vertex: u32, window: [Ticks; 2]) -> (Way, Bounds) {
        match self.vertices.body_of(vertex) {
            None => way(self.log.of_vertex(vertex), window, |at| *at),
            Some(number) => {
                let body = &self.vertices.bodies()[number as usize];
                way(self.log.of_body(number), window, |at| body.placed(vertex, at))
            }
        }
    }

    /// A distance of a pair that is not certified to be above a thickness (m) in a stretch of time; `None` if it stays above it. Stretches shorter than
    /// `shortest` ticks are not halved.
    pub fn nearer(
        &self,
        kind: PairKind,
        of: [u32; 4],
        stretch: [Ticks; 2],
        thickness: f64,
        shortest: u64,
    ) -> Option<f64> {
        let [start, end] = stretch;
        let (mut from, mut to) = ([DVec3::ZERO; 4], [DVec3::ZERO; 4]);
        for k in 0..4 {
            self.within(of[k], stretch, |time, at| {
                if time == start {
                    from[k] = at;
                }
                to[k] = at;
            });
        }
        let plane = Parting::between(kind, &from, &to);
        let duration = end.since(start);
        let mut margin = f64::INFINITY;
        for (k, &vertex) in of.iter().enumerate() {
            self.within(vertex, stretch, |time, at| {
                let share = time.since(start) / duration;
                let offset = plane.offsets[0] + (plane.offsets[1] - plane.offsets[0]) * share;
                margin = margin.min(plane.side(k) * (at.dot(plane.normal) - offset));
            });
        }
        if 2.0 * (margin - plane.rounding) > thickness {
            return None;
        }
        let middle = Ticks(start.0 + (end.0 - start.0) / 2);
        if end.0 - start.0 <= shortest.max(1) {
            return Some(plane.distance.min(thickness));
        }
        let points = of.map(|vertex| {
            let mut point = DVec3::ZERO;
            self.within(vertex, [start, middle], |_, at| point = at);
            point
        });
        let distance = Separation::of(kind, &points).distance;
        if distance <= thickness {
            return Some(distance);
        }
        self.nearer(kind, of, [start, middle], thickness, shortest)
            .or_else(|| self.nearer(kind, of, [middle, end], thickness, shortest))
    }
}

/// The way along a whole list, and the box around it.
fn way<T>(list: &[(Ticks, T)], [start, end]: [Ticks; 2], place: impl Fn(&T) -> DVec3) -> (Way, Bounds) {
    let [from, to] = [list.first(), list.last()].map(|entry| entry.map_or(DVec3::ZERO, |(_, at)| place(at)));
    let rate = (to - from) / end.since(start);
    let (mut deviation, mut bounds) = (0.0f64, Bounds { low: from.min(to), high: from.max(to) });
    for (time, at) in list {
        let at = place(at);
        bounds = Bounds { low: bounds.low.min(at), high: bounds.high.max(at) };
        deviation = deviation.max((at - from - rate * time.since(start)).length_squared());
    }
    (Way { from, to, deviation: deviation.sqrt() }, bounds)
}

/// Calls `take` with a point at the first time, with all ends of pieces after it and before the second, and with a point at the second.
fn within<T>(
    list: &[(Ticks, T)],
    [from, to]: [Ticks; 2],
    place: impl Fn(&T) -> DVec3,
    take: &mut impl FnMut(Ticks, DVec3),
) {
    // A list begins at the beginning of the window and ends at its end.
    let first = list.partition_point(|(time, _)| *time <= from).saturating_sub(1);
    let at = |index: usize, time: Ticks| {
        let (start, from) = (list[index].0, place(&list[index].1));
        match list.get(index + 1) {
            Some((end, to)) if time > start => from + (place(to) - from) * (time.since(start) / end.since(start)),
            _ => from,
        }
    };
    take(from, at(first, from));
    let mut last = first;
    for (index, (time, point)) in list.iter().enumerate().skip(first + 1) {
        if *time >= to {
            break;
        }
        take(*time, place(point));
        last = index;
    }
    take(to, at(last, to));
}
