//! Pairs of triangles without a common vertex that may meet: a cell is cut in two where that tells most triangles apart, and so on, until few
//! are left in it, or a fan round one vertex.
//!
//! Triangles are in all cells that they pass through, not in those that their boxes do, so that long thin ones are in few. Where no plane
//! along the axes tells them apart, the axes are turned to the directions in which they lie.

use glam::{DMat3, DVec3};

use super::First;
use crate::shape::mass_properties::principal;

/// So few triangles are compared pair by pair.
const FEW: usize = 24;

/// Cells are cut so often at most.
const DEEPEST: u32 = 120;

/// A cell that holds more than this share of the triangles of the one that it was cut from after [`PATIENCE`] cuts has told nothing apart:
/// 16 of them would hold more pairs than the one.
const TOLD_APART: f64 = 0.3;

/// See [`TOLD_APART`].
const PATIENCE: u32 = 4;

/// Where a cell is cut is decided by about so many of its triangles.
const SAMPLES: usize = 48;

/// Triangles are in cells that are nearer than this share of the largest coordinate: far above rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A box along the axes of a frame.
#[derive(Clone, Copy)]
struct Cell {
    low: DVec3,
    high: DVec3,
}

impl Cell {
    fn middle_and_extent(&self) -> (DVec3, DVec3) {
        (0.5 * (self.low + self.high), 0.5 * (self.high - self.low))
    }
}

/// How a cell came about.
#[derive(Clone, Copy)]
struct History {
    depth: u32,
    /// How many triangles were in the cell that last told any apart, and how often it was cut since.
    told: usize,
    since: u32,
    is_turned: bool,
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
        let history = History { depth: 0, told: all.len(), since: 0, is_turned: false };
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
        let mut history = History { depth: history.depth + 1, since: history.since + 1, ..history };
        if count as f64 <= TOLD_APART * history.told as f64 {
            history = History { told: count, since: 0, is_turned: false, ..history };
        }
        if history.since > PATIENCE {
            if history.is_turned {
                return self.compare_all(start);
            }
            let (turned, within) = self.turned(start, cell, frame);
            let history = History { since: 0, told: count, is_turned: true, ..history };
            return self.cut(start, within, &turned, history);
        }
        self.cut(start, cell, frame, history);
    }

    /// Cuts a cell in two, where that leaves the fewest triangles in both.
    fn cut(&mut self, start: usize, cell: Cell, frame: &DMat3, history: History) {
        let end = self.stack.len();
        let halves_along = |axis: usize| {
            let middle = 0.5 * (cell.low[axis] + cell.high[axis]);
            let mut halves = [cell; 2];
            halves[0].high[axis] = middle;
            halves[1].low[axis] = middle;
            halves
        };
        let every = ((end - start) / SAMPLES).max(1);
        let passing = |half: &Cell| {
            let (centre, extent) = half.middle_and_extent();
            let some = self.stack[start..end].iter().step_by(every);
            some.filter(|&&t| passes_through(self.corners(t, frame).map(|p| p - centre), extent, self.rounding)).count()
        };
        let costs = [0, 1, 2].map(|axis| halves_along(axis).iter().map(passing).map(|n| n * n).sum::<usize>());
        let size = cell.high - cell.low;
        // The longest of those that tell as many apart.
        let better = |best: usize, axis: usize| {
            let (own, other) = (costs[axis] as f64, costs[best] as f64);
            if own < 0.9 * other || (own < 1.1 * other && size[axis] > size[best]) { axis } else { best }
        };
        let halves = halves_along((1..3).fold(0, better));
        for half in halves {
            let (centre, extent) = half.middle_and_extent();
            for place in start..end {
                let t = self.stack[place];
                if passes_through(self.corners(t, frame).map(|p| p - centre), extent, self.rounding) {
                    self.stack.push(t);
                }
            }
            self.enter(end, half, frame, history);
            self.stack.truncate(end);
        }
    }

    /// The corners of a triangle in a frame.
    fn corners(&self, t: u32, frame: &DMat3) -> [DVec3; 3] {
        self.first.triangles[t as usize].map(|v| *frame * self.first.vertices[v as usize])
    }

    /// The frame along the directions in which the edges of the triangles lie, and the cell there.
    fn turned(&self, start: usize, cell: Cell, frame: &DMat3) -> (DMat3, Cell) {
        let mut sum = DMat3::ZERO;
        for &t in &self.stack[start..] {
            let p = self.corners(t, &DMat3::IDENTITY);
            for k in 0..3 {
                let edge = p[(k + 1) % 3] - p[k];
                sum += DMat3::from_cols(edge * edge.x, edge * edge.y, edge * edge.z);
            }
        }
        let (_, directions) = principal(sum);
        let turned = directions.transpose();
        let relative = turned * frame.transpose();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for k in 0..8 {
            let side = |axis: usize| if k >> axis & 1 == 0 { cell.low[axis] } else { cell.high[axis] };
            let corner = relative * DVec3::new(side(0), side(1), side(2));
            (low, high) = (low.min(corner), high.max(corner));
        }
        let grown = DVec3::splat(self.rounding);
        (turned, Cell { low: low - grown, high: high + grown })
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

/// Whether a triangle passes through a cell round the origin, or nearly so: they are told apart along the axes, the normal of the triangle,
/// and the directions at right angles to an axis and an edge.
fn passes_through(corners: [DVec3; 3], half: DVec3, rounding: f64) -> bool {
    let [a, b, c] = corners;
    let near = half + DVec3::splat(rounding);
    if a.min(b).min(c).cmpgt(near).any() || a.max(b).max(c).cmplt(-near).any() {
        return false;
    }
    let far = corners.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
    let is_apart = |direction: DVec3, off: f64| {
        let reach = half.dot(direction.abs()) + off;
        let heights = corners.map(|p| direction.dot(p));
        let (least, most) = heights.iter().fold((f64::MAX, f64::MIN), |(l, m), h| (l.min(*h), m.max(*h)));
        least > reach || most < -reach
    };
    let edges = [b - a, c - b, a - c];
    let off = rounding * far;
    !is_apart(edges[0].cross(edges[1]), 4.0 * off * far)
        && !edges.iter().any(|e| {
            is_apart(DVec3::new(0.0, -e.z, e.y), off)
                || is_apart(DVec3::new(e.z, 0.0, -e.x), off)
                || is_apart(DVec3::new(-e.y, e.x, 0.0), off)
        })
}
