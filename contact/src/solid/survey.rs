//! What lines and boxes through a solid tell about it: a point inside, and how thick it is.
//!
//! The mean chord of a solid is four volumes by the area (Cauchy; Santaló, Integral Geometry and Geometric Probability,
//! 1976); here it is taken over lines along three axes instead of all directions.

use glam::{DMat3, DVec3};

use super::{Crossing, OrientedBox, ROUNDING, Relation, Solid};
use crate::bounds::Bounds;

/// Lines a side, of each of the three directions.
const LINES: u32 = 24;

/// Where between two lines of the grid a line is, as a share: not in the middle, where planes of symmetry often are.
const OFFSET: f64 = 0.414;

/// How often cells are halved in search of a point inside: down to this power of one half of the longest side.
pub(super) const HALVINGS: u32 = 7;

/// Chords below this multiple of [`ROUNDING`] of the largest coordinate are none.
const LEAST_CHORD: f64 = 64.0;

/// What lines along three axes found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Survey {
    /// How many chords, and the sum of their lengths, m.
    pub chords: u32,
    pub length: f64,
    /// A point inside.
    pub inside: Option<DVec3>,
}

impl Survey {
    /// Follows lines through the bounds, which are finite.
    pub fn of(solid: &dyn Solid, bounds: &Bounds) -> Self {
        let least = LEAST_CHORD * ROUNDING * bounds.largest_coordinate();
        let pad = 0.01 * (bounds.high - bounds.low).max_element();
        let (mut found, mut crossings) = (Self::default(), Vec::new());
        for (axis, i, j) in (0..3).flat_map(|axis| (0..LINES * LINES).map(move |k| (axis, k / LINES, k % LINES))) {
            let share = |k: u32| (f64::from(k) + OFFSET) / f64::from(LINES);
            let mut shares = DVec3::ZERO;
            (shares[(axis + 1) % 3], shares[(axis + 2) % 3]) = (share(i), share(j));
            let mut from = bounds.low + shares * (bounds.high - bounds.low);
            let mut to = from;
            (from[axis], to[axis]) = (bounds.low[axis] - pad, bounds.high[axis] + pad);
            crossings.clear();
            solid.crossings(from, to, &mut crossings);
            for pair in crossings.windows(2) {
                let length = (pair[1].share - pair[0].share) * from.distance(to);
                if pair[0].is_entry && !pair[1].is_entry && length > least {
                    found.chords += 1;
                    found.length += length;
                    if found.inside.is_none() {
                        // Surely: a line may run in a face that two solids share.
                        let middle = from.lerp(to, pair[0].share.midpoint(pair[1].share));
                        let point = OrientedBox { centre: middle, axes: DMat3::IDENTITY, half: DVec3::ZERO };
                        found.inside = (solid.relation(&point) == Relation::Inside).then_some(middle);
                    }
                }
            }
        }
        found
    }

    /// Three quarters of the mean chord: three volumes by the area, or about that, m.
    pub fn thickness(&self) -> Option<f64> {
        (self.chords > 0).then(|| 0.75 * self.length / f64::from(self.chords))
    }
}

/// A point inside the solid, by lines, and by cells about the surface down to a share 2^−[`HALVINGS`] of the longest side:
/// a ball as large as such a cell is surely found.
pub(super) fn point_inside(solid: &dyn Solid, bounds: &Bounds, survey: &Survey) -> Option<DVec3> {
    if survey.inside.is_some() {
        return survey.inside;
    }
    let root = OrientedBox::aligned(bounds);
    let least = root.half.max_element() * 0.5_f64.powi(HALVINGS as i32);
    let mut waiting = vec![root];
    while let Some(cell) = waiting.pop() {
        match solid.relation(&cell) {
            Relation::Inside => return Some(cell.centre),
            Relation::Outside => {}
            Relation::Undecided => {
                let point = OrientedBox { half: DVec3::ZERO, ..cell };
                if solid.relation(&point) == Relation::Inside {
                    return Some(cell.centre);
                }
                if cell.half.max_element() > least {
                    waiting.extend(split(&cell));
                }
            }
        }
    }
    None
}

/// The parts of a cell, halved along the sides that are longer than half the longest.
pub(super) fn split(cell: &OrientedBox) -> impl Iterator<Item = OrientedBox> + use<> {
    let cell = *cell;
    let longest = cell.half.max_element();
    let is_long: [bool; 3] = std::array::from_fn(|k| cell.half[k] > 0.5 * longest);
    let half = DVec3::from_array(std::array::from_fn(|k| if is_long[k] { 0.5 * cell.half[k] } else { cell.half[k] }));
    (0..8_usize).filter(move |part| (0..3).all(|k| is_long[k] || part >> k & 1 == 0)).map(move |part| {
        let side = |k: usize| match (is_long[k], part >> k & 1) {
            (false, _) => 0.0,
            (true, 0) => -half[k],
            _ => half[k],
        };
        OrientedBox { centre: cell.centre + cell.axes * DVec3::new(side(0), side(1), side(2)), half, ..cell }
    })
}

/// Calls a function with the parts of a segment that are inside, as shares of its length; the segment may start inside.
/// Without a crossing the middle says where the segment is.
pub(super) fn parts_inside(
    solid: &dyn Solid,
    from: DVec3,
    to: DVec3,
    crossings: &mut Vec<Crossing>,
    mut visit: impl FnMut(f64, f64),
) {
    crossings.clear();
    solid.crossings(from, to, crossings);
    let mut entered = match crossings.first() {
        Some(first) => (!first.is_entry).then_some(0.0),
        None => solid.contains(from.midpoint(to)).then_some(0.0),
    };
    for crossing in crossings.iter() {
        match (entered, crossing.is_entry) {
            (None, true) => entered = Some(crossing.share),
            (Some(start), false) => {
                visit(start, crossing.share);
                entered = None;
            }
            _ => {}
        }
    }
    if let Some(start) = entered {
        visit(start, 1.0);
    }
}
