//! A facet: a plane polygon, possibly with holes.

use crate::segment::share;
use glam::{DVec2, DVec3};

/// A largest set of connected triangles in one plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// Outward, unit.
    pub normal: DVec3,
    /// The centroid, a point of the plane, m.
    pub centre: DVec3,
    /// Two unit vectors in the plane that make a right-handed frame with the normal.
    pub axes: [DVec3; 2],
    /// The area, m².
    pub area: f64,
    /// The lower and upper corner of the bounding box, m.
    pub bounds: (DVec3, DVec3),
    /// The vertices of all loops, one loop after the other: outer borders counter-clockwise seen from outside, holes
    /// clockwise.
    pub vertices: Vec<u32>,
    /// The edge from each vertex to the next of its loop.
    pub edges: Vec<u32>,
    /// Whether the edge from each vertex to the next is reflex: beyond it another facet rises.
    pub is_reflex: Vec<bool>,
    /// In the frame of centre and axes, the place of each vertex, m.
    pub outline: Vec<DVec2>,
    /// The vertices' positions in the body frame, m.
    pub corners: Vec<DVec3>,
    /// Where each loop ends in the lists above.
    pub loop_ends: Vec<u32>,
    /// Whether it is one loop that turns nowhere to the right.
    pub(super) is_convex: bool,
    pub(super) measures: Measures,
}

/// Measures of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Nowhere is a corner nearer to the one before or to the line between its neighbours, nor is a convex polygon narrower, m.
    pub length: f64,
    /// Nowhere is the sine of the angle by which the outline turns smaller; 1 stands for all angles of more than 90°.
    pub sine: f64,
    /// A circle around the origin within a convex polygon has this radius; zero if the origin is outside, m.
    pub inner: f64,
}

impl Facet {
    /// Whether the polygon is convex, within the tolerance for straight borders.
    pub fn is_convex(&self) -> bool {
        self.is_convex
    }

    /// Measures of the outline.
    pub(crate) fn measures(&self) -> Measures {
        self.measures
    }

    /// How far a point lies outside the plane, m.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.centre)
    }

    /// The place of a point's projection onto the plane.
    pub fn place(&self, point: DVec3) -> DVec2 {
        let offset = point - self.centre;
        DVec2::new(self.axes[0].dot(offset), self.axes[1].dot(offset))
    }

    /// The loops as ranges into the lists of vertices.
    pub fn loops(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut start = 0;
        self.loop_ends.iter().map(move |&end| std::mem::replace(&mut start, end as usize)..end as usize)
    }

    /// Whether a place lies in the polygon or no farther from it than the tolerance, m.
    pub fn contains(&self, place: DVec2, tolerance: f64) -> bool {
        contains(self.loops().map(|range| &self.outline[range]), place, tolerance)
    }

    /// Whether a place lies no farther from a reflex edge than a distance, m.
    pub fn is_beside_reflex(&self, place: DVec2, distance: f64) -> bool {
        let is_near = |range: std::ops::Range<usize>| {
            let n = range.len();
            let corner = |k: usize| self.outline[range.start + k % n] - place;
            let is_reflex = |k: &usize| self.is_reflex[range.start + k];
            (0..n).filter(is_reflex).any(|k| distance_squared_to_side(corner(k), corner(k + 1)) <= distance * distance)
        };
        self.loops().any(is_near)
    }
}

impl Measures {
    /// Of one closed outline.
    pub(super) fn of(outline: &[DVec2]) -> Self {
        let n = outline.len();
        let (mut length, mut sine, mut inner): (f64, f64, f64) = (f64::INFINITY, 1.0, f64::INFINITY);
        let (mut area, mut low, mut high) = (0.0, DVec2::INFINITY, DVec2::NEG_INFINITY);
        for i in 0..n {
            let (before, here, after) = (outline[(i + n - 1) % n], outline[i], outline[(i + 1) % n]);
            let (u, v) = (here - before, after - here);
            let turned = u.perp_dot(v).abs();
            length = length.min(u.length()).min(turned / before.distance(after));
            if u.dot(v) > 0.0 {
                sine = sine.min(turned / (u.length() * v.length()));
            }
            area += 0.5 * here.perp_dot(after);
            inner = inner.min(here.perp_dot(v) / v.length());
            (low, high) = (low.min(here), high.max(here));
        }
        // Its box is wider than it.
        Self { length: length.min(2.0 * area / low.distance(high)), sine, inner: inner.max(0.0) }
    }
}

/// Whether loops around an area on their left contain a point or come as near to it as the tolerance.
pub(crate) fn contains<'a>(loops: impl Iterator<Item = &'a [DVec2]>, point: DVec2, tolerance: f64) -> bool {
    let mut is_inside = false;
    for outline in loops {
        let mut p = outline[outline.len() - 1] - point;
        for &corner in outline {
            let q = corner - point;
            if distance_squared_to_side(p, q) <= tolerance * tolerance {
                return true;
            }
            if (p.y > 0.0) != (q.y > 0.0) && (p.perp_dot(q) > 0.0) == (q.y > p.y) {
                is_inside = !is_inside;
            }
            p = q;
        }
    }
    is_inside
}

/// The square of the distance from the origin to the segment p–q, m².
fn distance_squared_to_side(p: DVec2, q: DVec2) -> f64 {
    let side = q - p;
    let s = share(-p.dot(side), side.length_squared());
    (p + side * s).length_squared()
}
