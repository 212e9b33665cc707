//! The oracle: the differences of the features over ever smaller boxes of time and of positions on them, in integers.

use crate::ccd::{Kind, Query};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Boxes are halved in all three directions this often.
const LEVELS: u32 = 11;
/// n: boxes after which the search gives up.
const PATIENCE: usize = 60_000;

/// What the search came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// All boxes are too far away.
    Nothing,
    /// The earliest of the smallest boxes that are not.
    Box {
        /// Where it begins.
        time: f64,
        /// All its differences are within this of those that are sought.
        width: f64,
    },
    /// There were too many boxes.
    Unknown,
}

/// A query of whole numbers.
pub(super) struct Lattice {
    kind: Kind,
    points: [[[i64; 3]; 4]; 2],
}

impl Lattice {
    /// Nothing if a number is not whole.
    pub fn new(query: &Query) -> Option<Self> {
        let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 65536.0).then_some(x as i64);
        let mut points = [[[0; 3]; 4]; 2];
        for (place, x) in points.iter_mut().flatten().flatten().zip(query.coordinates()) {
            *place = whole(x)?;
        }
        Some(Self { kind: query.kind, points })
    }

    /// The difference of the points with these coordinates, all in units of 2^−`level`, times 2^(2 level).
    pub fn difference(&self, [t, u, v]: [i64; 3], level: u32) -> [i64; 3] {
        let one = 1 << level;
        [0, 1, 2].map(|k| {
            let at = |i: usize| (one - t) * self.points[0][i][k] + t * self.points[1][i][k];
            match self.kind {
                Kind::VertexFace => one * at(0) - (one - u - v) * at(1) - u * at(2) - v * at(3),
                Kind::EdgeEdge => (one - u) * at(0) + u * at(1) - (one - v) * at(2) - v * at(3),
            }
        })
    }

    /// Whether places are on the features.
    pub fn holds(&self, [_, u, v]: [i64; 3], level: u32) -> bool {
        self.kind == Kind::EdgeEdge || u + v <= 1 << level
    }

    /// The least and the greatest differences along each axis in a box: they are affine in each of the three, so those
    /// at the corners span the others.
    fn range(&self, place: [i64; 3], level: u32) -> [[i64; 2]; 3] {
        let corner = |i: usize| self.difference([0, 1, 2].map(|k| place[k] + (i >> k & 1) as i64), level);
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
        [0, 1, 2].map(|k| {
            let all = || corners.iter().map(|corner| corner[k]);
            [all().min().unwrap_or(0), all().max().unwrap_or(0)]
        })
    }

    fn may_meet(&self, place: [i64; 3], level: u32, reach: i64) -> bool {
        let reach = reach << (2 * level);
        self.holds(place, level) && self.range(place, level).iter().all(|&[low, high]| low <= reach && -reach <= high)
    }
}

/// Looks for a time when the features are no farther apart than `reach` units in any coordinate.
pub(super) fn searched(query: &Query, reach: i64) -> Found {
    let Some(lattice) = Lattice::new(query) else { return Found::Unknown };
    let root = [0_i64; 3];
    let mut boxes = BinaryHeap::new();
    if lattice.may_meet(root, 0, reach) {
        boxes.push(Reverse((0_i64, Reverse(0_u32), root)));
    }
    for _ in 0..PATIENCE {
        let Some(Reverse((start, Reverse(level), place))) = boxes.pop() else { return Found::Nothing };
        if level == LEVELS {
            let widest = lattice.range(place, level).iter().map(|[low, high]| high - low).max().unwrap_or(0);
            let one = f64::from(1 << LEVELS);
            return Found::Box { time: start as f64 / one, width: widest as f64 / (one * one) };
        }
        for i in 0..8 {
            let place = [0, 1, 2].map(|k| 2 * place[k] + (i >> k & 1));
            if lattice.may_meet(place, level + 1, reach) {
                boxes.push(Reverse((place[0] << (LEVELS - level - 1), Reverse(level + 1), place)));
            }
        }
    }
    Found::Unknown
}
