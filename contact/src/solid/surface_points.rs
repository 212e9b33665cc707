//! Points of the surface of a solid of which no more is known than where boxes are, where segments cross it, and what is
//! near a point.
//!
//! Cells about the surface are halved until their half diagonal is an eighth of the spacing. Each gives a point of the
//! surface near its centre: that by [`Solid::nearest`] if a short segment across the surface confirms it, or the
//! nearest crossing of thirteen segments through the centre, which are six half diagonals long. A cell that gives none
//! is halved once more. So a point of the surface lies in a cell with a sample no farther than half the spacing;
//! samples nearer to an earlier one than the other half are then left out.
//!
//! A part of the surface may be left without a sample only where it fits between the segments: a sliver or a fin that is
//! thinner than about a fifteenth of the spacing.

use std::collections::BTreeMap;

use glam::DVec3;

use super::survey::split;
use super::{Crossing, OrientedBox, Relation, Solid};

/// Half the diagonal of a cell, as a share of the spacing.
const CELL: f64 = 0.125;

/// How far from the centre of a cell its sample may be, in half diagonals.
const REACH: f64 = 3.0;

/// How long the segment is that confirms a point, in half diagonals to each side.
const PROBE: f64 = 0.01;

/// Samples nearer to an earlier one are left out, as a share of the spacing.
const APART: f64 = 0.5;

/// Appends points of the surface so that none of its points is farther than `spacing` (m) from all of them, as the module
/// says. None where the solid has no end, or where the spacing is not above zero.
pub(super) fn sample(solid: &dyn Solid, spacing: f64, samples: &mut Vec<DVec3>) {
    let bounds = solid.bounds();
    if !bounds.is_finite() || spacing.is_nan() || spacing <= 0.0 {
        return;
    }
    let size = bounds.largest_coordinate();
    let root = OrientedBox::aligned(&bounds);
    let mut apart = Apart { distance: APART * spacing.min(2.0 * root.radius()), cells: BTreeMap::new() };
    let mut crossings = Vec::new();
    let mut waiting = vec![root.grown(root.rounding(size))];
    while let Some(cell) = waiting.pop() {
        if solid.relation(&cell) != Relation::Undecided {
            continue;
        }
        let radius = cell.radius();
        if radius > CELL * spacing {
            waiting.extend(split(&cell));
            continue;
        }
        match sample_near(solid, cell.centre, radius, &mut crossings) {
            Some(point) => apart.push(point, samples),
            None if radius > 0.5 * CELL * spacing => waiting.extend(split(&cell)),
            None => {}
        }
    }
}

/// A point of the surface about the centre of a cell.
fn sample_near(solid: &dyn Solid, centre: DVec3, radius: f64, crossings: &mut Vec<Crossing>) -> Option<DVec3> {
    let mut nearest_crossing = |middle: DVec3, along: DVec3| {
        let (from, to) = (middle - along, middle + along);
        crossings.clear();
        solid.crossings(from, to, crossings);
        let points = crossings.iter().map(|crossing| from.lerp(to, crossing.share));
        points.min_by(|a, b| a.distance_squared(middle).total_cmp(&b.distance_squared(middle)))
    };
    if let Ok(near) = solid.nearest(centre)
        && near.position.distance(centre) <= (REACH - PROBE) * radius
        && let Some(point) = nearest_crossing(near.position, PROBE * radius * near.normal)
    {
        return Some(point);
    }
    let mut best: Option<DVec3> = None;
    for direction in directions() {
        let found = nearest_crossing(centre, REACH * radius * direction);
        if let Some(point) = found
            && best.is_none_or(|best| point.distance_squared(centre) < best.distance_squared(centre))
        {
            best = found;
        }
    }
    best
}

/// Along the axes, the diagonals of the faces and those of a cube; unit.
fn directions() -> impl Iterator<Item = DVec3> {
    // Of each two opposite ones the one that comes later in the order of their numbers.
    (14..27).map(|k| DVec3::new(f64::from(k / 9 - 1), f64::from(k / 3 % 3 - 1), f64::from(k % 3 - 1)).normalize())
}

/// Points that keep a distance, m, by cells of that size.
struct Apart {
    distance: f64,
    cells: BTreeMap<[i64; 3], Vec<DVec3>>,
}

impl Apart {
    /// Keeps a point unless an earlier one is near.
    fn push(&mut self, point: DVec3, samples: &mut Vec<DVec3>) {
        let place = (point / self.distance).floor().to_array().map(|k| k as i64);
        let around = (0..27).map(|k| [place[0] + k / 9 - 1, place[1] + k / 3 % 3 - 1, place[2] + k % 3 - 1]);
        let mut near = around.filter_map(|place| self.cells.get(&place)).flatten();
        if near.all(|other| other.distance(point) >= self.distance) {
            self.cells.entry(place).or_default().push(point);
            samples.push(point);
        }
    }
}
