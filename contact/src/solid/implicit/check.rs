//! The check of a function within a box, and what is learned about it on the way.
//!
//! How far from the surface an undecided box may be: let cells cover the box that was given, and let each be grown by a
//! length ρ. Where the bounds of the function on a grown cell exclude zero, boxes of radius ρ about centres in the cell
//! are decided. Elsewhere let L bound the length of the gradient on the grown cell from above and m from below. The
//! value at the centre of an undecided box of radius r ≤ ρ is then at most a multiple of L r, and along the gradient
//! the surface is reached within that by m, if that is no farther than ρ. The bounds of parts of a cell must lie in
//! those of the cell.

use std::sync::Arc;

use glam::DVec3;

use super::{Conditioning, Field, Implicit, ImplicitError, cell};
use crate::bounds::Bounds;
use crate::solid::survey::{Survey, point_inside, split};
use crate::solid::{Interval, OrientedBox};

/// Cells are halved down to this power of one half of the longest side.
const HALVINGS: i32 = 5;

/// All cells are halved so often.
const FIRST_HALVINGS: i32 = 2;

/// Parts of the sides that are looked at.
const SIDE_PARTS: usize = 50_000;

/// How much derivatives may be beyond their bounds by rounding, as a share.
const DERIVATIVE: f64 = 1e-9;

/// Bounds at any point about the surface are taken to be no wider than this multiple of those at the centres of cells.
const NOISE: f64 = 8.0;

/// How far cells are grown, as a share of half their longest side.
const GROWN: f64 = 0.25;

/// Checks a function and makes the solid.
pub(super) fn checked(field: Arc<dyn Field>, domain: Bounds) -> Result<Implicit, ImplicitError> {
    if !domain.is_finite() || !domain.low.cmplt(domain.high).all() || !(domain.high - domain.low).is_finite() {
        return Err(ImplicitError::Bounds { bounds: domain });
    }
    let cells = Cells::of(&*field, domain)?;
    above_zero_on_sides(&*field, domain)?;
    let resolution = 2.0 * 3.0_f64.sqrt() * cells.finest;
    let bounds = cells.bounds.ok_or_else(|| ImplicitError::Empty { name: field.name(), resolution })?;
    let ratio = if field.is_monotonic() { cells.ratio } else { f64::INFINITY };
    let conditioning = Conditioning { ratio, rounding: cells.rounding, reach: 0.99 * GROWN * cells.finest };
    let mut solid = Implicit {
        field,
        domain,
        bounds,
        conditioning,
        largest_gradient: cells.largest_gradient,
        thickness: f64::INFINITY,
    };
    let survey = Survey::of(&solid, &bounds);
    if point_inside(&solid, &bounds, &survey).is_none() {
        return Err(ImplicitError::Empty { name: solid.field.name(), resolution });
    }
    solid.thickness = survey.thickness().unwrap_or(resolution);
    Ok(solid)
}

/// What cells of the domain say about the function.
struct Cells {
    /// Around the cells that may hold the solid.
    bounds: Option<Bounds>,
    /// Half the longest side of the finest cells, m.
    finest: f64,
    /// The largest gradient by the least one in cells about the surface.
    ratio: f64,
    /// Within this distance of the surface the sign of a value may not be known, m.
    rounding: f64,
    /// The largest gradient at the centre of a cell.
    largest_gradient: f64,
}

impl Cells {
    fn of(field: &dyn Field, domain: Bounds) -> Result<Self, ImplicitError> {
        let root = OrientedBox::aligned(&domain);
        let longest = root.half.max_element();
        let finest = longest * 0.5_f64.powi(HALVINGS);
        let mut found = Self { bounds: None, finest, ratio: 0.0, rounding: 0.0, largest_gradient: 0.0 };
        let mut waiting = vec![root];
        while let Some(part) = waiting.pop() {
            let own = Bounds { low: part.centre - part.half, high: part.centre + part.half };
            let own = Bounds { low: own.low.max(domain.low), high: own.high.min(domain.high) };
            let value = found.consistent(field, &own)?;
            let grown = own.grown(GROWN * finest);
            let sides = cell(grown.low.max(domain.low), grown.high.min(domain.high));
            let around = field.bound(&sides);
            let is_fine = part.half.max_element() <= 1.5 * finest;
            if !value.is_finite() && is_fine {
                return Err(ImplicitError::Unbounded { name: field.name(), cell: own });
            }
            let is_decided = around.low() > 0.0 || around.high() < 0.0;
            let is_coarse = part.half.max_element() > 1.5 * longest * 0.5_f64.powi(FIRST_HALVINGS);
            if is_coarse || !(is_decided || is_fine) {
                waiting.extend(split(&part));
                continue;
            }
            if value.low() <= 0.0 {
                let bounds = found.bounds.unwrap_or(own);
                found.bounds = Some(Bounds { low: bounds.low.min(own.low), high: bounds.high.max(own.high) });
            }
            if !is_decided {
                let (_, gradient) = field.bound_with_gradient(&sides);
                let length = |part: fn(Interval) -> f64| DVec3::from_array(gradient.map(part)).length();
                let least = length(Interval::mignitude);
                let is_within = grown.low.cmpge(domain.low).all() && grown.high.cmple(domain.high).all();
                // What the way along the gradient passes outside the domain is not known, nor zero by zero.
                let ratio = if is_within { length(Interval::magnitude) / least } else { f64::INFINITY };
                found.ratio = if ratio.is_nan() { f64::INFINITY } else { found.ratio.max(ratio) };
                let here = field.bound(&cell(part.centre, part.centre));
                found.rounding = found.rounding.max(NOISE * (here.high() - here.low()) / least);
            }
        }
        Ok(found)
    }

    /// The bounds of a cell, if they agree with values and derivatives at its centre and corners.
    fn consistent(&mut self, field: &dyn Field, own: &Bounds) -> Result<Interval, ImplicitError> {
        let centre = own.low.midpoint(own.high);
        let (bound, gradient) = field.bound_with_gradient(&cell(own.low, own.high));
        let at_centre = field.bound(&cell(centre, centre));
        let wrong = |point: DVec3, what: &'static str| {
            Err(ImplicitError::Inconsistent { name: field.name(), what, point, cell: *own })
        };
        let corners = (0..8).map(|corner| {
            let side = |k: usize| if corner >> k & 1 == 0 { own.low[k] } else { own.high[k] };
            DVec3::new(side(0), side(1), side(2))
        });
        for point in std::iter::once(centre).chain(corners) {
            let value = field.value(point);
            if !value.is_finite() {
                return Err(ImplicitError::Undefined { name: field.name(), point, value });
            }
            let here = field.bound(&cell(point, point));
            if !here.holds(value) {
                return wrong(point, "the value is not within the bound of the point alone");
            }
            if here.intersection(bound).is_none() {
                return wrong(point, "the value is not within the bound");
            }
            let mean = (0..3)
                .fold(at_centre, |sum, k| sum + gradient[k] * (Interval::point(point[k]) - Interval::point(centre[k])));
            if here.intersection(mean).is_none() {
                return wrong(point, "the value differs from that at the centre by more than the derivatives allow");
            }
        }
        let slope = field.gradient(centre);
        if slope.is_finite() {
            self.largest_gradient = self.largest_gradient.max(slope.length());
            let outside = |k: usize| {
                let beyond = (slope[k] - gradient[k].high()).max(gradient[k].low() - slope[k]);
                beyond > DERIVATIVE * (slope.length() + gradient[k].magnitude().min(slope.length()))
            };
            if (0..3).any(outside) {
                return wrong(centre, "the gradient is not within the bound of the derivatives");
            }
        }
        Ok(bound)
    }
}

/// Checks that the function is above zero on the sides of its box.
fn above_zero_on_sides(field: &dyn Field, domain: Bounds) -> Result<(), ImplicitError> {
    let root = OrientedBox::aligned(&domain);
    let mut waiting = Vec::new();
    for k in 0..3 {
        for end in [domain.low[k], domain.high[k]] {
            let mut side = root;
            (side.centre[k], side.half[k]) = (end, 0.0);
            waiting.push(side);
        }
    }
    let mut looked_at = 0;
    while let Some(part) = waiting.pop() {
        looked_at += 1;
        let (low, high) = ((part.centre - part.half).max(domain.low), (part.centre + part.half).min(domain.high));
        let (value, gradient) = field.bound_with_gradient(&cell(low, high));
        if value.low() > 0.0 {
            continue;
        }
        let mean = (0..3).fold(field.bound(&cell(part.centre, part.centre)), |sum, k| {
            let reach = Interval::point(part.half[k].next_up());
            sum + gradient[k] * reach.hull(-reach)
        });
        if mean.low() > 0.0 {
            continue;
        }
        if looked_at >= SIDE_PARTS || field.value(part.centre) <= 0.0 {
            return Err(ImplicitError::ReachesSide { name: field.name(), point: part.centre });
        }
        waiting.extend(split(&part));
    }
    Ok(())
}
