//! Triangles to draw of any solid, by surface nets on a grid.
//!
//! Each cell of the grid that has corners inside and outside gets a vertex, the mean of the points where its edges
//! cross the surface; each edge of the grid that crosses the surface gets a quadrilateral of the vertices of the four
//! cells about it. What is thinner than a cell may be missing: the triangles are for the eye only.
//!
//! Source: Gibson, Constrained elastic surface nets, MICCAI 1998.

use glam::DVec3;

use super::{Crossing, OrientedBox, ROUNDING, Relation, Solid};
use crate::bounds::Bounds;
use crate::shape::Triangles;

/// Cells along the longest side.
const CELLS: usize = 48;

/// Solids without an end are drawn up to here from the origin, m.
const DRAWN: f64 = 50.0;

/// The triangles of a solid with an inside.
pub(super) fn triangles(solid: &dyn Solid) -> Triangles {
    let bounds = solid.bounds();
    let low = bounds.low.max(DVec3::splat(-DRAWN).min(bounds.high - DRAWN));
    let high = bounds.high.min(DVec3::splat(DRAWN).max(bounds.low + DRAWN));
    let infinite = |end: DVec3, other: DVec3| {
        DVec3::from_array(std::array::from_fn(|k| if end[k].is_finite() { end[k] } else { other[k] }))
    };
    let bounds = Bounds { low: infinite(bounds.low, low), high: infinite(bounds.high, high) };
    let extent = bounds.high - bounds.low;
    let side = (extent.max_element() / CELLS as f64).max(ROUNDING * bounds.largest_coordinate());
    if !(side.is_finite() && side > 0.0) {
        return Triangles::default();
    }
    // A cell more on each side, and the corners not on the planes of the bounds.
    let counts = (extent / side).to_array().map(|count| count.ceil() as usize + 3);
    let middle = bounds.low.midpoint(bounds.high);
    let corner = middle - 0.5 * side * DVec3::from_array(counts.map(|count| count as f64 - 1.0));
    let mut grid = Grid { corner, side, counts, inside: vec![false; counts.iter().product()] };
    grid.fill(solid, [0; 3], counts);
    grid.net(solid)
}

/// Points of a grid, and whether each is inside.
struct Grid {
    corner: DVec3,
    side: f64,
    counts: [usize; 3],
    inside: Vec<bool>,
}

impl Grid {
    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.counts[1] + j) * self.counts[2] + k
    }

    fn point(&self, at: [usize; 3]) -> DVec3 {
        self.corner + self.side * DVec3::from_array(at.map(|k| k as f64))
    }

    /// Finds where the points from `low` up to `high` (left out) are: many at once by their box.
    fn fill(&mut self, solid: &dyn Solid, low: [usize; 3], high: [usize; 3]) {
        let longest = (1..3).fold(0, |best, k| if high[k] - low[k] > high[best] - low[best] { k } else { best });
        if high[longest] - low[longest] <= 1 {
            let at = self.index(low);
            self.inside[at] = solid.contains(self.point(low));
            return;
        }
        let cell = OrientedBox::aligned(&Bounds { low: self.point(low), high: self.point(high.map(|k| k - 1)) });
        let relation = solid.relation(&cell);
        if relation != Relation::Undecided {
            for i in low[0]..high[0] {
                for j in low[1]..high[1] {
                    let start = self.index([i, j, low[2]]);
                    self.inside[start..start + high[2] - low[2]].fill(relation == Relation::Inside);
                }
            }
            return;
        }
        let middle = low[longest].midpoint(high[longest]);
        let (mut first_high, mut second_low) = (high, low);
        (first_high[longest], second_low[longest]) = (middle, middle);
        self.fill(solid, low, first_high);
        self.fill(solid, second_low, high);
    }

    fn net(&self, solid: &dyn Solid) -> Triangles {
        const NONE: u32 = u32::MAX;
        let (mut triangles, mut crossings) = (Triangles::default(), Vec::new());
        // The sum and number of the points where edges of a cell cross the surface; later the vertices.
        let mut sums = vec![(DVec3::ZERO, 0.0); self.inside.len()];
        let mut crossed = Vec::new();
        for at in self.points() {
            for axis in 0..3 {
                let mut next = at;
                next[axis] += 1;
                if next[axis] >= self.counts[axis] || self.inside[self.index(at)] == self.inside[self.index(next)] {
                    continue;
                }
                let point = crossing_point(solid, self.point(at), self.point(next), &mut crossings);
                crossed.push((at, axis));
                for cell in self.cells_about(at, axis).into_iter().flatten() {
                    let (sum, count) = &mut sums[self.index(cell)];
                    *sum += point;
                    *count += 1.0;
                }
            }
        }
        let mut vertices = vec![NONE; sums.len()];
        for (vertex, (sum, count)) in vertices.iter_mut().zip(&sums).filter(|(_, (_, count))| *count > 0.0) {
            *vertex = triangles.vertices.len() as u32;
            triangles.vertices.push(*sum / *count);
        }
        for (at, axis) in crossed {
            if let [Some(a), Some(b), Some(c), Some(d)] = self.cells_about(at, axis) {
                let [a, b, c, d] = [a, b, c, d].map(|cell| vertices[self.index(cell)]);
                if self.inside[self.index(at)] {
                    triangles.triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.triangles.extend([[a, c, b], [a, d, c]]);
                }
            }
        }
        triangles
    }

    fn points(&self) -> impl Iterator<Item = [usize; 3]> {
        let [_, m, n] = self.counts;
        (0..self.inside.len()).map(move |index| [index / (m * n), index / n % m, index % n])
    }

    /// The four cells about the edge from a point along an axis, counter-clockwise about that axis; a cell has the
    /// place of its lowest corner.
    fn cells_about(&self, at: [usize; 3], axis: usize) -> [Option<[usize; 3]>; 4] {
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        [(1, 1), (0, 1), (0, 0), (1, 0)].map(|(down, left)| {
            let mut cell = at;
            cell[b] = at[b].checked_sub(down)?;
            cell[c] = at[c].checked_sub(left)?;
            (cell[b] + 1 < self.counts[b] && cell[c] + 1 < self.counts[c]).then_some(cell)
        })
    }
}

/// Where an edge crosses the surface.
fn crossing_point(solid: &dyn Solid, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) -> DVec3 {
    crossings.clear();
    solid.crossings(from, to, crossings);
    from.lerp(to, crossings.first().map_or(0.5, |crossing| crossing.share))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::f64::consts::PI;

    use super::*;
    use crate::solid::stand_ins::{StandInBall, StandInHalfSpace};

    #[test]
    fn a_ball_gets_a_closed_surface_with_its_volume() {
        for radius in [1e-6, 1.0, 1e6] {
            let drawn = triangles(&StandInBall { radius });
            let mut edges = BTreeMap::new();
            let mut volume = 0.0;
            for [a, b, c] in &drawn.triangles {
                let [p, q, r] = [a, b, c].map(|&k| drawn.vertices[k as usize]);
                volume += p.dot(q.cross(r)) / 6.0;
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((from, to)).or_insert(0) += 1;
                }
            }
            assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.get(&(b, a)) == Some(&1)));
            let exact = 4.0 / 3.0 * PI * radius.powi(3);
            assert!((volume / exact - 1.0).abs() < 0.01, "{}", volume / exact);
        }
    }

    #[test]
    fn solids_without_an_end_are_drawn_about_the_origin() {
        let drawn = triangles(&StandInHalfSpace);
        assert!(drawn.triangles.len() > 1000);
        assert!(drawn.vertices.iter().all(|v| v.y.abs() < 1e-9 && v.abs().max_element() < 60.0));
    }
}
