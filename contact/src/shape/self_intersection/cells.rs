//! Pairs of triangles without a common vertex that may meet: a cell is cut in two where that tells most triangles apart, and so on, until few
//! are left in it, or a fan round one vertex.
//!
//! Triangles are in all cells that they pass through, not in those that their boxes do, so that long thin ones are in few. Where no plane
//! along the axes tells them apart, the axes are turned to the directions in which they lie.

use glam::{DMat3, DVec3};

use super::First;
use super::cell::Cell;
use crate::shape::mass_properties::principal;

/// So few triangles are compared pair by pair.
const FEW: usize = 32;

/// Cells are cut so often at most.
const DEEPEST: u32 = 120;

/// After so many cuts the cells must hold fewer pairs than the one that they were cut from; see [`FEWER`].
const PATIENCE: u32 = 6;

/// This share of the pairs is fewer.
const FEWER: f64 = 0.9;

/// The axes are turned where the best cut along them leaves more than this share of the pairs.
const POOR: f64 = 0.7;

/// Where a cell is cut is decided by about so many of its triangles.
const SAMPLES: usize = 16;

/// Triangles are in cells that are nearer than this share of the largest coordinate: far above rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How a cell came about.
#[derive(Clone, Copy)]
struct History {
    depth: u32,
    /// How many triangles were in the last cell that held fewer pairs in its parts, and how often it was cut since.
    told: usize,
    since: u32,
}

/// A cell with the frame of its axes, to be cut along one of them.
struct Cut {
    frame: DMat3,
    cell: Cell,
    axis: usize,
    /// The share of the pairs that is left in both halves.
    left: f64,
}

/// The search through the cells.
pub struct Cells<'f, 's> {
    first: &'f mut First<'s>,
    /// How far a rounded point is from its place at most, m.
    rounding: f64,
    /// Triangles of the cells on the way to the present one, one after the other.
    stack: Vec<u32>,
}

impl<'f, 's> Cells<'f, 's> {
    /// Considers all pairs without a common vertex that may meet.
    pub fn search(first: &'f mut First<'s>) {
        let largest = first.vertices.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let (low, high) =
            first.vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        let all = (0..first.triangles.len() as u32).collect::<Vec<_>>();
        let history = History { depth: 0, told: all.len(), since: 0 };
        let mut cells = Self { first, rounding: ROUNDING * largest, stack: all };
        cells.enter(0, Cell { low, high }, &DMat3::IDENTITY, history);
    }

    /// Goes through a cell of a frame; its triangles are on the stack from `start` on, ascending, and stay there.
    fn enter(&mut self, start: usize, cell: Cell, frame: &DMat3, history: History) {
        let count = self.stack.len() - start;
        if count < 2 || self.first.is_before(self.stack[start]) {
            return;
        }
        if count <= FEW || history.depth == DEEPEST {
            return self.compare_all(start);
        }
        if let Some(vertex) = self.common_vertex(start) {
            return self.compare_with_fan(start, vertex);
        }
        let pairs = |count: usize| count as f64 * count as f64;
        let parts = (1_u64 << history.since) as f64;
        let history = match parts * pairs(count) <= FEWER * pairs(history.told) {
            true => History { depth: history.depth + 1, told: count, since: 1 },
            false if history.since > PATIENCE => return self.compare_all(start),
            false => History { depth: history.depth + 1, since: history.since + 1, ..history },
        };
        let mut best = self.best_cut(start, cell, *frame);
        if best.left > POOR {
            let (turned, within) = self.turned(start, cell, frame);
            let other = self.best_cut(start, within, turned);
            if other.left < best.left {
                best = other;
            }
        }
        let end = self.stack.len();
        for half in best.cell.halves(best.axis) {
            for place in start..end {
                let t = self.stack[place];
                if half.is_met_by(self.corners(t, &best.frame), self.rounding) {
                    self.stack.push(t);
                }
            }
            self.enter(end, half, &best.frame, history);
            self.stack.truncate(end);
        }
    }

    /// The cut along an axis of the frame that leaves the fewest pairs: across the longest side of those that leave about as many.
    fn best_cut(&self, start: usize, cell: Cell, frame: DMat3) -> Cut {
        let list = &self.stack[start..];
        let passing =
            |half: Cell| some(list).filter(|&&t| half.is_met_by(self.corners(t, &frame), self.rounding)).count() as f64;
        let all = some(list).count() as f64;
        let left =
            [0, 1, 2].map(|axis| cell.halves(axis).map(passing).map(|n| n * n).iter().sum::<f64>() / (all * all));
        let size = cell.high - cell.low;
        let better = |best: usize, axis: usize| {
            let (own, other) = (left[axis], left[best]);
            if own < 0.9 * other || (own < 1.1 * other && size[axis] > size[best]) { axis } else { best }
        };
        let axis = (1..3).fold(0, better);
        Cut { frame, cell, axis, left: left[axis] }
    }

    /// The corners of a triangle in a frame.
    fn corners(&self, t: u32, frame: &DMat3) -> [DVec3; 3] {
        self.first.triangles[t as usize].map(|v| *frame * self.first.vertices[v as usize])
    }

    /// The frame along the directions in which the edges of the triangles lie, and the cell there: around what all of them have in
    /// this one, so that it is no larger however often the axes are turned.
    fn turned(&self, start: usize, cell: Cell, frame: &DMat3) -> (DMat3, Cell) {
        let list = &self.stack[start..];
        let mut sum = DMat3::ZERO;
        for &t in list {
            let p = self.corners(t, &DMat3::IDENTITY);
            for k in 0..3 {
                let edge = p[(k + 1) % 3] - p[k];
                sum += DMat3::from_cols(edge * edge.x, edge * edge.y, edge * edge.z);
            }
        }
        let (_, directions) = principal(sum);
        let turned = directions.transpose();
        let relative = turned * frame.transpose();
        let (cell, mut around) = (cell.grown(self.rounding), Cell::NOWHERE);
        let (mut polygon, mut cut) = (Vec::new(), Vec::new());
        for &t in list {
            polygon.clear();
            polygon.extend(self.corners(t, frame));
            cell.clip(&mut polygon, &mut cut);
            polygon.iter().for_each(|&p| around.add(relative * p));
        }
        (turned, around.grown(self.rounding))
    }

    /// A vertex that almost all of the triangles have.
    fn common_vertex(&self, start: usize) -> Option<u32> {
        let list = &self.stack[start..];
        let corners = |t: u32| self.first.triangles[t as usize];
        let some = [list[0], list[list.len() / 2], list[list.len() - 1]].map(corners);
        some.as_flattened().iter().copied().find(|v| {
            let mut others = 0;
            list.iter().all(|&t| {
                others += usize::from(!corners(t).contains(v));
                others <= FEW
            })
        })
    }

    /// Compares all pairs of which one triangle does not have the vertex.
    fn compare_with_fan(&mut self, start: usize, vertex: u32) {
        let end = self.stack.len();
        for place in start..end {
            let t = self.stack[place];
            if !self.first.triangles[t as usize].contains(&vertex) {
                for other in start..end {
                    self.compare(t, self.stack[other]);
                }
            }
        }
    }

    fn compare_all(&mut self, start: usize) {
        let end = self.stack.len();
        for place in start..end {
            let t = self.stack[place];
            if self.first.is_before(t) {
                return;
            }
            for other in place + 1..end {
                self.compare(t, self.stack[other]);
            }
        }
    }

    fn compare(&mut self, s: u32, t: u32) {
        let [p, q] = [s, t].map(|t| self.first.triangles[t as usize]);
        if !p.iter().any(|v| q.contains(v)) {
            self.first.consider(s, t);
        }
    }
}

/// Some triangles of a list, evenly.
fn some(list: &[u32]) -> impl Iterator<Item = &u32> {
    list.iter().step_by((list.len() / SAMPLES).max(1))
}
