//! Constructive solid geometry: unions, intersections and differences of placed solids of any kind.
//!
//! A difference is the first solid without all the others: the intersection of the first with the complements of the
//! others. So there are two rules alone, *or* for unions and *and* for the rest, with some of the solids turned inside
//! out.
//!
//! * Boxes: outside or inside by the rules of logic with a third value. Near one surface alone the answer is that of its
//!   solid. Near an edge where two surfaces meet, and at faces inside a union, more boxes stay undecided than must.
//! * Segments: the crossings of the solids are merged in their order; a crossing counts where it changes the whole.
//!   Crossings of different solids that are nearer than rounding happen at once: the state before and after all of
//!   them counts. So two solids of a union that share a face have no crossing there, a part that is cut off along a face of
//!   the whole leaves no film, and two solids that share no more than a face have no intersection there.
//! * A point on the surface belongs to the solid, that of a difference where it is cut too.
//!
//! Source: Roth, Ray casting for modeling solids, Computer Graphics and Image Processing 18, 1982; Requicha and Voelcker,
//! Boolean operations in solid modeling, Proceedings of the IEEE 73, 1985.

use std::fmt;

use glam::{DMat3, DVec3};
use thiserror::Error;

use super::Description;
use super::description::part;
use super::quadrature::Quadrature;
use super::survey::{HALVINGS, Survey, point_inside};
use super::{
    BoundedMass, Crossing, NoNormal, OrientedBox, Placed, ROUNDING, Relation, Solid, surface_points, tessellation,
};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, SurfacePoint, Triangles};

/// What is made of solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// What is in at least one.
    Union,
    /// What is in all.
    Intersection,
    /// What is in the first and not inside any of the others.
    Difference,
}

impl Operation {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Union => "union",
            Self::Intersection => "intersection",
            Self::Difference => "difference",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why there is no such combination.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CsgError {
    /// No solids are given.
    #[error("a {operation} of no solids: give at least one")]
    NoSolids {
        /// What should be made.
        operation: Operation,
    },
    /// A surface without an inside.
    #[error("solid {index} of a {operation}, a {kind}, has no inside; only closed solids can be combined")]
    Open {
        /// What should be made.
        operation: Operation,
        /// Its place in the list, from 0.
        index: usize,
        /// Its kind.
        kind: &'static str,
    },
    /// Nothing is left.
    #[error(
        "the {operation} has no inside: no ball of {resolution} m fits, nor was a thinner part met; check the places and \
         sizes of its solids"
    )]
    Empty {
        /// What should be made.
        operation: Operation,
        /// A part that holds a ball of this diameter would have been found, m.
        resolution: f64,
    },
}

/// A union, intersection or difference of solids.
#[derive(Clone, Debug)]
pub struct Csg {
    operation: Operation,
    solids: Vec<Placed>,
    bounds: Bounds,
    thickness: f64,
}

impl Csg {
    /// Combines solids.
    ///
    /// That it has an inside is checked where it has an end: by lines along the axes, and by cells down to 1/128 of the
    /// longest side of its bounds.
    ///
    /// # Errors
    /// [`CsgError`].
    pub fn new(operation: Operation, solids: Vec<Placed>) -> Result<Self, CsgError> {
        let Some(first) = solids.first() else { return Err(CsgError::NoSolids { operation }) };
        if let Some(index) = solids.iter().position(|solid| !solid.is_closed()) {
            return Err(CsgError::Open { operation, index, kind: solids[index].kind() });
        }
        let bounds = solids.iter().skip(1).fold(first.bounds(), |found, solid| {
            let other = solid.bounds();
            match operation {
                Operation::Union => Bounds { low: found.low.min(other.low), high: found.high.max(other.high) },
                Operation::Intersection => Bounds { low: found.low.max(other.low), high: found.high.min(other.high) },
                Operation::Difference => found,
            }
        });
        let extent = bounds.high - bounds.low;
        if extent.min_element() <= 0.0 {
            return Err(CsgError::Empty { operation, resolution: 0.0 });
        }
        let mut combined = Self { operation, solids, bounds, thickness: f64::INFINITY };
        if bounds.is_finite() {
            let survey = Survey::of(&combined, &bounds);
            let resolution = extent.max_element() * 0.5_f64.powi(HALVINGS as i32) * 3.0_f64.sqrt();
            if point_inside(&combined, &bounds, &survey).is_none() {
                return Err(CsgError::Empty { operation, resolution });
            }
            combined.thickness = survey.thickness().unwrap_or(resolution);
        }
        Ok(combined)
    }

    /// What is made of the solids.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The solids, in their order.
    pub fn solids(&self) -> &[Placed] {
        &self.solids
    }

    fn is_union(&self) -> bool {
        self.operation == Operation::Union
    }

    /// Whether a solid counts turned inside out.
    fn is_complement(&self, index: usize) -> bool {
        self.operation == Operation::Difference && index > 0
    }

    fn relation_of(&self, index: usize, turned: &OrientedBox) -> Relation {
        match (self.solids[index].relation(turned), self.is_complement(index)) {
            (Relation::Inside, true) => Relation::Outside,
            (Relation::Outside, true) => Relation::Inside,
            (relation, _) => relation,
        }
    }

    /// Appends the crossings of a solid, and says whether it is inside at the start.
    fn append(&self, index: usize, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) -> bool {
        let first = crossings.len();
        self.solids[index].crossings(from, to, crossings);
        let is_inside = match crossings.get(first) {
            Some(crossing) => !crossing.is_entry,
            None => self.solids[index].contains(from.midpoint(to)),
        };
        let is_complement = self.is_complement(index);
        if is_complement {
            for crossing in &mut crossings[first..] {
                crossing.is_entry = !crossing.is_entry;
                crossing.normal = crossing.normal.map(|normal| -normal);
            }
        }
        is_inside != is_complement
    }

    /// The crossings from place `first` up to `middle` are those of what is combined so far, those after it those of
    /// one solid more; merges them. `states` says whether each is inside at the start; returns it of both together.
    fn merge(
        &self,
        crossings: &mut Vec<Crossing>,
        [first, middle]: [usize; 2],
        mut states: [bool; 2],
        together: f64,
    ) -> bool {
        let is_union = self.is_union();
        let join = |[a, b]: [bool; 2]| if is_union { a || b } else { a && b };
        let ends = [middle, crossings.len()];
        let mut next = [first, middle];
        let start = join(states);
        let mut state = start;
        while next != ends {
            let head = |crossings: &[Crossing], next: [usize; 2], k: usize| {
                if next[k] < ends[k] { crossings[next[k]].share } else { f64::INFINITY }
            };
            let limit = head(crossings, next, 0).min(head(crossings, next, 1)) + together;
            // Of those that happen at once, the first each way.
            let (mut entry, mut exit) = (None, None);
            loop {
                let shares = [head(crossings, next, 0), head(crossings, next, 1)];
                let k = usize::from(shares[1] < shares[0]);
                if next[k] >= ends[k] || shares[k] > limit {
                    break;
                }
                let crossing = crossings[next[k]];
                states[k] = crossing.is_entry;
                next[k] += 1;
                if crossing.is_entry {
                    entry.get_or_insert(crossing)
                } else {
                    exit.get_or_insert(crossing)
                };
            }
            let now = join(states);
            if now != state {
                crossings.extend(if now { entry } else { exit });
                state = now;
            }
        }
        crossings.drain(first..ends[1]);
        start
    }

    /// The nearest point of the surface of one solid, seen from the side that counts.
    fn nearest_of(&self, index: usize, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let near = self.solids[index].nearest(point)?;
        Ok(if self.is_complement(index) {
            SurfacePoint { normal: -near.normal, distance: -near.distance, ..near }
        } else {
            near
        })
    }
}

/// A box that is a point.
fn point_box(centre: DVec3) -> OrientedBox {
    OrientedBox { centre, axes: DMat3::IDENTITY, half: DVec3::ZERO }
}

impl Solid for Csg {
    fn kind(&self) -> &'static str {
        self.operation.name()
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn extent(&self, direction: DVec3) -> f64 {
        let of_parts = self.solids.iter().map(|solid| solid.extent(direction));
        let parts = match self.operation {
            Operation::Union => of_parts.fold(f64::NEG_INFINITY, f64::max),
            Operation::Intersection => of_parts.fold(f64::INFINITY, f64::min),
            Operation::Difference => self.solids[0].extent(direction),
        };
        parts.min(self.bounds.extent(direction))
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let rounding = turned.rounding(self.bounds.largest_finite_coordinate());
        if !turned.bounds().grown(rounding).overlaps(&self.bounds) {
            return Relation::Outside;
        }
        let decides = if self.is_union() { Relation::Inside } else { Relation::Outside };
        let mut found = if self.is_union() { Relation::Outside } else { Relation::Inside };
        for index in 0..self.solids.len() {
            match self.relation_of(index, turned) {
                relation if relation == decides => return decides,
                Relation::Undecided => found = Relation::Undecided,
                _ => {}
            }
        }
        found
    }

    /// That of the solid if it is the only one. Else, as a box at a face inside a union or where two surfaces run side
    /// by side may be far from the surface of the whole, no more than the diagonal of the bounds and three radii;
    /// infinite without an end.
    fn slack(&self, radius: f64) -> f64 {
        match &self.solids[..] {
            [only] => only.slack(radius),
            // The box about an undecided one meets the bounds, which hold the surface.
            _ => (self.bounds.high - self.bounds.low).length() * (1.0 + ROUNDING) + 3.0 * radius,
        }
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let first = crossings.len();
        let size = from.abs().max(to.abs()).max_element().max(self.bounds.largest_finite_coordinate());
        let together = ROUNDING * size / from.distance(to);
        if together.is_nan() || together.is_infinite() {
            return;
        }
        let mut is_inside = self.append(0, from, to, crossings);
        for index in 1..self.solids.len() {
            let middle = crossings.len();
            let other = self.append(index, from, to, crossings);
            is_inside = self.merge(crossings, [first, middle], [is_inside, other], together);
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        let is_in = |index: usize| {
            let solid = &self.solids[index];
            if self.is_complement(index) {
                // Its surface belongs to what is left.
                !solid.contains(point) || solid.relation(&point_box(point)) != Relation::Inside
            } else {
                solid.contains(point)
            }
        };
        let mut places = 0..self.solids.len();
        if self.is_union() { places.any(is_in) } else { places.all(is_in) }
    }

    /// By the signed distances of the solids: the least of a union, the largest of an intersection or difference. As
    /// near as that of the one solid where the surface of no other is about as near. Near an edge where surfaces meet,
    /// the point may lie on one of them beyond the edge; the magnitude of the distance is then too small, not too
    /// large.
    ///
    /// A solid that has no normal for the point is left out where it surely does not matter.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        let (mut best, mut failed): (Option<SurfacePoint>, Option<NoNormal>) = (None, None);
        for index in 0..self.solids.len() {
            match self.nearest_of(index, point) {
                Ok(near) => {
                    let is_better = |best: SurfacePoint| {
                        if self.is_union() { near.distance < best.distance } else { near.distance > best.distance }
                    };
                    if best.is_none_or(is_better) {
                        best = Some(near);
                    }
                }
                Err(error) => {
                    failed.get_or_insert(error);
                }
            }
        }
        match (best, failed) {
            (Some(best), None) => Ok(best),
            (best, Some(error)) => {
                // What does not matter to the whole, neither at the point nor at the one found.
                let idle = if self.is_union() { Relation::Outside } else { Relation::Inside };
                let is_idle = |index: usize, at: DVec3| self.relation_of(index, &point_box(at)) == idle;
                best.filter(|best| {
                    (0..self.solids.len()).all(|index| {
                        self.solids[index].nearest(point).is_ok()
                            || (is_idle(index, point) && is_idle(index, best.position))
                    })
                })
                .ok_or(error)
            }
            (None, None) => Err(NoNormal { kind: self.kind(), point, why: "it has no solids" }),
        }
    }

    /// On the whole surface, edges included, by cells and segments; a sliver thinner than about a fifteenth of the
    /// spacing may be left out.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        surface_points::sample(self, spacing, samples);
    }

    fn thickness(&self) -> f64 {
        self.thickness
    }

    /// By [`Quadrature`] with its default settings.
    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        Quadrature::default().mass_properties(self, density)
    }

    fn triangles(&self) -> Triangles {
        tessellation::triangles(self)
    }

    fn description(&self) -> Option<Description> {
        let parts = self.solids().iter().map(part).collect::<Option<Vec<_>>>()?;
        Some(match self.operation {
            Operation::Union => Description::Union(parts),
            Operation::Intersection => Description::Intersection(parts),
            Operation::Difference => Description::Difference(parts),
        })
    }
}

#[cfg(test)]
mod tests;
