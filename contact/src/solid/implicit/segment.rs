//! Where a segment crosses the surface of an implicit solid: all roots along it.

use glam::DVec3;

use super::{Implicit, cell};
use crate::solid::{Crossing, Interval, ROUNDING};

/// Pieces are halved so often at most.
const HALVINGS: u32 = 40;

/// Pieces that are looked at; after these the ends of each piece alone decide.
const PIECES: usize = 4000;

/// A second guess of a root is moved by this share of its place.
const BEYOND: f64 = 1e3 * f64::EPSILON;

/// A piece of a segment, by shares of its length.
#[derive(Clone, Copy, Default)]
struct Piece {
    start: f64,
    end: f64,
    halvings: u32,
}

/// A segment and a solid.
struct Search<'a> {
    solid: &'a Implicit,
    from: DVec3,
    along: DVec3,
    /// How far computed points may be off, m.
    rounding: f64,
}

/// Appends the crossings of a segment in ascending order.
pub(super) fn crossings(solid: &Implicit, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
    let along = to - from;
    if !along.is_finite() || along == DVec3::ZERO {
        return;
    }
    let size = from.abs().max(to.abs()).max_element().max(solid.domain.largest_coordinate());
    let search = Search { solid, from, along, rounding: ROUNDING * size };
    let Some([first, last]) = search.part_in_domain() else { return };
    // Outside the domain, and on its sides, is outside of the solid. The states at the ends of pieces are handed on, so
    // that crossings take turns.
    let mut is_inside = first == 0.0 && search.lowest(0.0) <= 0.0;
    let mut waiting = [Piece::default(); HALVINGS as usize + 2];
    let (mut count, mut looked_at) = (1, 0);
    waiting[0] = Piece { start: first, end: last, halvings: 0 };
    while count > 0 {
        count -= 1;
        let piece = waiting[count];
        looked_at += 1;
        match search.look(&piece) {
            Look::Apart => {}
            Look::Open if piece.halvings < HALVINGS && looked_at < PIECES => {
                let (middle, halvings) = (piece.start.midpoint(piece.end), piece.halvings + 1);
                waiting[count] = Piece { start: middle, end: piece.end, halvings };
                waiting[count + 1] = Piece { start: piece.start, end: middle, halvings };
                count += 2;
            }
            Look::Open | Look::Steady => {
                let is_inside_after = !(piece.end == last && last < 1.0) && search.lowest(piece.end) <= 0.0;
                if is_inside_after != is_inside {
                    let share = search.root(&piece, is_inside);
                    let normal = solid.slope(search.point(share)).map(DVec3::normalize);
                    crossings.push(Crossing { share, normal, is_entry: is_inside_after });
                    is_inside = is_inside_after;
                }
            }
        }
    }
}

/// What bounds say about a piece.
enum Look {
    /// No crossing.
    Apart,
    /// At most one crossing.
    Steady,
    /// Not known.
    Open,
}

impl Search<'_> {
    fn point(&self, share: f64) -> DVec3 {
        self.from + share * self.along
    }

    fn lowest(&self, share: f64) -> f64 {
        self.solid.lowest(self.point(share))
    }

    /// The part of the segment in the domain, moved out by rounding.
    fn part_in_domain(&self) -> Option<[f64; 2]> {
        let domain = self.solid.domain.grown(self.rounding);
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            if self.along[k] == 0.0 {
                if self.from[k] < domain.low[k] || self.from[k] > domain.high[k] {
                    return None;
                }
                continue;
            }
            let a = (domain.low[k] - self.from[k]) / self.along[k];
            let b = (domain.high[k] - self.from[k]) / self.along[k];
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        (first < last).then_some([first, last])
    }

    fn look(&self, piece: &Piece) -> Look {
        let domain = &self.solid.domain;
        let (start, end) = (self.point(piece.start), self.point(piece.end));
        let low = (start.min(end) - self.rounding).max(domain.low);
        let high = (start.max(end) + self.rounding).min(domain.high);
        if !low.cmple(high).all() {
            return Look::Apart;
        }
        let (value, gradient) = self.solid.field.bound_with_gradient(&cell(low, high));
        if value.low() > 0.0 || value.high() < 0.0 {
            return Look::Apart;
        }
        let slope = (0..3).fold(Interval::ZERO, |sum, k| sum + gradient[k] * Interval::point(self.along[k]));
        // Points of the piece are off the line by rounding.
        let off =
            (0..3).fold(Interval::ZERO, |sum, k| sum + gradient[k] * Interval::new(-self.rounding, self.rounding));
        let middle = piece.start.midpoint(piece.end);
        let reach = (piece.end - middle).max(middle - piece.start).next_up();
        let centre = self.point(middle).clamp(domain.low, domain.high);
        let mean = self.solid.field.bound(&cell(centre, centre)) + slope * Interval::new(-reach, reach) + off;
        if mean.low() > 0.0 || mean.high() < 0.0 {
            return Look::Apart;
        }
        if slope.holds(0.0) { Look::Open } else { Look::Steady }
    }

    /// Where in a piece the state changes that holds at its start, by secants and halving.
    fn root(&self, piece: &Piece, is_inside: bool) -> f64 {
        let (mut start, mut end) = (piece.start, piece.end);
        let (mut at_start, mut at_end) = (self.lowest(start), self.lowest(end));
        for step in 0..200 {
            let middle = start.midpoint(end);
            if middle <= start || middle >= end || (end - start) <= f64::EPSILON * end {
                break;
            }
            let secant = start - at_start * (end - start) / (at_end - at_start);
            // A little beyond the guess, on the side that closes the piece; every third step halves it, however the
            // function bends.
            let beyond = (BEYOND * end).min(0.01 * (end - start)).copysign(middle - secant);
            let guess = if step % 3 == 1 { secant + beyond } else { secant };
            let share = if step % 3 != 2 && guess > start && guess < end { guess } else { middle };
            let value = self.lowest(share);
            if (value <= 0.0) == is_inside {
                (start, at_start) = (share, value);
            } else {
                (end, at_end) = (share, value);
            }
        }
        end.clamp(0.0, 1.0)
    }
}
