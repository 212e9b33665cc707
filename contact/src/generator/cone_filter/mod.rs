//! The two-sided normal-cone test as a filter behind any generator.
//!
//! A method that looks at single triangles or tetrahedra finds normals that no plane between the two bodies can have:
//! those of internal faces, of sides that point past a neighbour, of the far wall of a cliff. This filter knows the
//! features of both shapes ([`crate::shape::features`]) and asks of every contact:
//! 1. On which features of A and of B does its point lie? On all that come within a [distance](ConeFilter::near) of it;
//!    edges and vertices of the triangulation that are none of the shape are no features.
//! 2. Does the normal lie in the normal cone of one of A's, and turned round in that of one of B's? If not, the contact
//!    is [rejected](Verdict::Rejected).
//! 3. Does it repeat another one that passed? Then it is [merged](Verdict::Merged) into the deepest of them.
//!
//! The cone of a convex vertex holds those of its edges, theirs hold the normals of their facets. A reflex edge has no
//! cone of its own, so that what lies there must have the normal of a facet that meets there; where convex and reflex
//! edges meet, the normal of a facet or of a convex edge.
//!
//! What it cannot do: choose between planes each of which would do (two tips), and find what the method did not find.

mod filtered;
mod place;

pub use filtered::Filtered;

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::Placed;
use crate::Contact;
use crate::shape::Shape;
use crate::shape::open_surface::SurfaceTriangle;
use crate::sorting::CompactSort;
use place::supports;

/// The filter's settings. Lengths are shares of the thickness ([`crate::shape::Features::thickness`]) of the thinner
/// shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConeFilter {
    /// A contact lies on the features that come as near to its point as this, besides the method's envelope and its
    /// gap.
    pub near: f64,
    /// Of a gap, be it above or below zero, no more than this counts.
    pub depth: f64,
    /// How far a normal may lie outside a normal cone, rad.
    pub cone: f64,
    /// Contacts as near to each other as this, whose normals differ by less than [`Self::cone`], are one.
    pub same: f64,
    /// On which sides the test is made.
    pub sides: Sides,
}

impl Default for ConeFilter {
    fn default() -> Self {
        Self { near: 0.02, depth: 0.1, cone: 0.02, same: 1e-3, sides: Sides::Both }
    }
}

/// One of the two shapes of a contact, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// The first.
    A,
    /// The second.
    B,
    /// Both.
    Both,
}

impl Sides {
    fn includes(self, side: Sides) -> bool {
        self == Sides::Both || self == side
    }
}

/// What the filter says of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It stays.
    Kept,
    /// Its normal is in no normal cone of the features that its point lies on, or its point lies on none.
    Rejected {
        /// The shapes of which this is so.
        by: Sides,
    },
    /// It says what another contact says.
    Merged {
        /// That contact's place in the list, from 0; it is kept.
        into: usize,
    },
}

impl Verdict {
    /// Whether the contact stays.
    pub fn is_kept(self) -> bool {
        self == Verdict::Kept
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Kept => f.write_str("kept"),
            Verdict::Rejected { by: Sides::A } => f.write_str("rejected by a"),
            Verdict::Rejected { by: Sides::B } => f.write_str("rejected by b"),
            Verdict::Rejected { by: Sides::Both } => f.write_str("rejected by both"),
            Verdict::Merged { into } => write!(f, "merged into {into}"),
        }
    }
}

/// Whether a unit vector lies in the normal cone of a feature of a shape that is as near to a point as a distance (m), up to the sine of an
/// angle; of a compound, of a feature of any part.
fn is_supported_by(shape: &Shape, point: DVec3, n: DVec3, distance: f64, sine: f64) -> bool {
    let is_normal = |normal: DVec3| normal.dot(n) > 0.0 && normal.cross(n).length() <= sine;
    match shape {
        Shape::Polyhedron(polyhedron) => supports(polyhedron.features(), point, n, distance, sine),
        // Edges, rims and tips have many: the point must be as far along the normal as anything.
        Shape::Primitive(primitive) if shape.has_lines() => primitive.core().is_some_and(|core| {
            let farthest = core.core.support(n) + n * core.radius;
            let off = n.dot(farthest - point).abs();
            off <= distance + sine * point.distance(farthest) && primitive.closest(point).distance.abs() <= distance
        }),
        // A smooth surface has one normal at each of its points.
        Shape::Primitive(primitive) => {
            let on = primitive.closest(point);
            on.distance.abs() <= distance && is_normal(on.normal)
        }
        Shape::Solid(general) => {
            general.solid().nearest(point).is_ok_and(|on| on.distance.abs() <= distance && is_normal(on.normal))
        }
        Shape::Compound(compound) => compound.parts().iter().any(|part| {
            let (point, n) = (part.pose.inverse_transform_point(point), part.pose.rotation.inverse() * n);
            is_supported_by(&part.shape, point, n, distance, sine)
        }),
        Shape::HeightField(_) | Shape::TriangleMesh(_) => {
            let Some(surface) = shape.as_open_surface() else { return false };
            let mut near = Vec::new();
            surface.triangles_within(point - distance, point + distance, &mut near);
            let triangles = near.into_iter().map(|t| SurfaceTriangle::of(surface, t));
            let near: Vec<_> = triangles.filter(|t| t.closest(point).distance(point) <= distance).collect();
            let is_in_front = |t: &SurfaceTriangle| surface.is_two_sided() || n.dot(t.normal) >= -sine;
            let is_below = |t: &SurfaceTriangle| {
                let from = t.closest(point);
                t.corners.iter().all(|&corner| n.dot(corner - from) <= distance + sine * corner.distance(from))
            };
            !near.is_empty() && near.iter().all(|t| is_in_front(t) && is_below(t))
        }
    }
}

impl ConeFilter {
    /// A verdict for each contact of A and B. `envelope` is the distance at which the method sees features touch
    /// ([`super::Generator::margin`]), m: its points may be as far from the surfaces. Normals need not be unit; one
    /// without a direction is rejected by both sides.
    pub fn verdicts(&self, a: &Placed<'_>, b: &Placed<'_>, envelope: f64, contacts: &[Contact]) -> Vec<Verdict> {
        let thickness = a.shape.thickness().min(b.shape.thickness());
        let mut verdicts: Vec<Verdict> = contacts.iter().map(|c| self.test(a, b, envelope, thickness, c)).collect();
        let mut order: Vec<usize> = (0..contacts.len()).filter(|&k| verdicts[k].is_kept()).collect();
        order.compact_sort_by(|&i, &j| contacts[i].gap.total_cmp(&contacts[j].gap).then(i.cmp(&j)));
        let mut kept: Vec<usize> = Vec::new();
        for k in order {
            match kept.iter().find(|&&first| self.is_same(&contacts[first], &contacts[k], thickness)) {
                Some(&into) => verdicts[k] = Verdict::Merged { into },
                None => kept.push(k),
            }
        }
        verdicts
    }

    fn test(&self, a: &Placed<'_>, b: &Placed<'_>, envelope: f64, thickness: f64, contact: &Contact) -> Verdict {
        let normal = contact.normal.normalize_or_zero();
        let gap = contact.gap.abs().min(self.depth * thickness);
        let distance = self.near * thickness + envelope + gap;
        let is_supported = |side: Sides, of: &Placed<'_>, n: DVec3| {
            !self.sides.includes(side) || {
                let point = of.pose.inverse().transform_point(contact.position);
                let n = of.pose.rotation.inverse() * n;
                is_supported_by(of.shape, point, n, distance, libm::sin(self.cone))
            }
        };
        match (is_supported(Sides::A, a, normal), is_supported(Sides::B, b, -normal)) {
            (true, true) => Verdict::Kept,
            (false, true) => Verdict::Rejected { by: Sides::A },
            (true, false) => Verdict::Rejected { by: Sides::B },
            (false, false) => Verdict::Rejected { by: Sides::Both },
        }
    }

    fn is_same(&self, p: &Contact, q: &Contact, thickness: f64) -> bool {
        let [m, n] = [p, q].map(|c| c.normal.normalize_or_zero());
        p.position.distance(q.position) <= self.same * thickness
            && m.dot(n) > 0.0
            && m.cross(n).length() <= libm::sin(self.cone)
    }
}

#[cfg(test)]
mod tests;
