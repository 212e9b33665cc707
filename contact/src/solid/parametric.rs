//! Parametric surfaces: lists of rational Bézier patches, open or closed.
//!
//! A box meets the surface where it meets the hulls of the control points of parts of patches. The hulls of flat parts are in a
//! [tree](tree); those that remain are clipped against the box, compared with it as convex bodies ([`super::bezier::gap`]),
//! which is exact to first order, and cut in halves. Whether a box that meets nothing is inside, and whether crossings
//! alternate, is told by the first crossing of a ray in a direction that no crossing is doubtful along.
//!
//! The patches of a closed surface must share whole borders. That the surface does not cross itself is not checked.
//!
//! Sources: G. Farin, "Curves and Surfaces for CAGD", 5th edition; T. Nishita, T. Sederberg, M. Kakimoto, "Ray tracing
//! trimmed rational surface patches", SIGGRAPH 1990.

mod crossings;
mod error;
mod integrals;
mod nearest;
mod samples;
mod seams;
mod shapes;
mod tree;

pub use error::{Border, ParametricError};

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::bezier::b_spline::BSpline;
use super::bezier::clip::clip;
use super::bezier::gap::gap;
use super::bezier::net::{Net, Part};
use super::bezier::patch::BezierPatch;
use super::{BoundedMass, Crossing, NoNormal, OrientedBox, ROUNDING, Relation, Solid};
use super::{Description, Patch};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, SurfacePoint, Triangles};
use integrals::Integrals;
use tree::{Leaf, Tree};

/// Parts of a leaf that wait at most: every cut in halves leaves one more, and there are no more than 2 × 53 cuts.
const WAITING: usize = 128;

/// Parts of a leaf that are compared with a box at most.
const PARTS: usize = 4096;

/// A part narrower than this has no parameters between (dimensionless).
const NARROWEST: f64 = 4.0 * f64::EPSILON;

/// A surface of rational Bézier patches, with an inside or without.
#[derive(Clone, Debug)]
pub struct Parametric {
    patches: Vec<BezierPatch>,
    tree: Tree,
    bounds: Bounds,
    /// The largest magnitude of a coordinate, m.
    size: f64,
    /// The diagonal of the bounds, m.
    extent: f64,
    /// How far borders that should be one curve are apart, m.
    seam: f64,
    /// The largest weight of a patch over its smallest: by this rounding may grow.
    spread: f64,
    /// By which the slack grows with the square of the radius, 1/m.
    curvature: f64,
    thickness: f64,
    /// Of a closed surface.
    integrals: Option<Integrals>,
}

impl Parametric {
    /// Its name in files.
    pub const KIND: &'static str = "parametric";

    /// A surface without an inside. Both sides of the patches are alike.
    ///
    /// # Errors
    /// [`ParametricError::NoPatches`], [`ParametricError::Point`].
    pub fn open(patches: Vec<BezierPatch>) -> Result<Self, ParametricError> {
        Self::new(patches, false)
    }

    /// The solid within patches whose normals S_u × S_v point outward. Every border is that of another patch, or another border of
    /// the same, with the same control points in opposite order within 1e-9 of the extent, and the same weights up to a
    /// factor; or it is a single point.
    ///
    /// # Errors
    /// [`ParametricError::NoPatches`], [`ParametricError::Point`], [`ParametricError::NoPartner`],
    /// [`ParametricError::InsideOut`].
    pub fn closed(patches: Vec<BezierPatch>) -> Result<Self, ParametricError> {
        Self::new(patches, true)
    }

    /// A surface of the patches of B-splines, in their order; closed or open as [`Parametric::closed`] and
    /// [`Parametric::open`].
    ///
    /// # Errors
    /// [`ParametricError`].
    pub fn from_b_splines(b_splines: &[BSpline], is_closed: bool) -> Result<Self, ParametricError> {
        let mut patches = Vec::new();
        for (index, b_spline) in b_splines.iter().enumerate() {
            patches.extend(b_spline.patches().map_err(|source| ParametricError::BSpline { index, source })?);
        }
        Self::new(patches, is_closed)
    }

    /// A surface of patches by their degrees and control points, as [`BezierPatch::new`] takes them; closed or open as
    /// [`Parametric::closed`] and [`Parametric::open`].
    ///
    /// # Errors
    /// [`ParametricError`].
    pub fn from_control_points(
        list: Vec<([usize; 2], Vec<[f64; 4]>)>,
        is_closed: bool,
    ) -> Result<Self, ParametricError> {
        let mut patches = Vec::with_capacity(list.len());
        for (patch, (degrees, points)) in list.into_iter().enumerate() {
            let made = BezierPatch::new(degrees, points);
            patches.push(made.map_err(|source| ParametricError::Patch { patch, source })?);
        }
        Self::new(patches, is_closed)
    }

    fn new(patches: Vec<BezierPatch>, is_closed: bool) -> Result<Self, ParametricError> {
        if patches.is_empty() {
            return Err(ParametricError::NoPatches);
        }
        if let Some(patch) = patches.iter().position(|patch| patch.extent() <= 0.0) {
            return Err(ParametricError::Point { patch });
        }
        let tree = Tree::new(&patches);
        let bounds = tree.bounds();
        let (size, extent) = (bounds.largest_coordinate(), bounds.low.distance(bounds.high));
        let seam = if is_closed { seams::pair(&patches, extent)? } else { 0.0 };
        let integrals = Integrals::new(&patches, bounds.low.midpoint(bounds.high));
        let volume = integrals.volume();
        // A volume that is not a number is not above zero.
        if is_closed && (volume.is_nan() || volume <= 0.0) {
            return Err(ParametricError::InsideOut { volume });
        }
        let thickness = if is_closed { 3.0 * volume / integrals.area() } else { integrals.area().sqrt() };
        let spread = patches.iter().map(BezierPatch::spread).fold(1.0, f64::max);
        let curvature = tree.curvature.min(16.0 / extent);
        let integrals = is_closed.then_some(integrals);
        Ok(Self { patches, tree, bounds, size, extent, seam, spread, curvature, thickness, integrals })
    }

    /// The patches, in the order in which they were given.
    pub fn patches(&self) -> &[BezierPatch] {
        &self.patches
    }

    /// How far computed points of the surface, and of a box, may be off, m.
    fn tolerance(&self, turned: &OrientedBox) -> f64 {
        self.spread * turned.rounding(self.size) + self.seam
    }

    /// The slack that is left at a radius of zero, m: rounding of the surface and of boxes near it.
    fn least_slack(&self, radius: f64) -> f64 {
        8.0 * (self.spread * ROUNDING * 2.0 * (self.size + radius) + self.seam)
    }

    /// Whether the surface may meet a box: surely where it does; a box farther than `close` (m) from it does not.
    fn may_meet(&self, turned: &OrientedBox, close: f64) -> bool {
        let grown = turned.grown(self.tolerance(turned));
        self.tree.visit(&grown, |leaf| leaf_may_meet(leaf, &grown, 0.5 * close))
    }
}

/// Whether a part may meet a box that has been grown by what rounding may take; `close`: how far the box may be from the hull of
/// parts that are as near to their hulls, m.
fn leaf_may_meet(leaf: &Leaf, turned: &OrientedBox, close: f64) -> bool {
    let mut waiting = ArrayVec::<Part, WAITING>::new();
    waiting.push(Part::WHOLE);
    let mut looked = 0;
    while let Some(mut part) = waiting.pop() {
        looked += 1;
        let mut net = Net::of_part(&leaf.surface, &part);
        let Some(local) = clip(&net, turned) else { continue };
        let width = local.width();
        let is_narrower = width[0].min(width[1]) < 1.0;
        if is_narrower {
            part = part.part(&local);
            net = Net::of_part(&leaf.surface, &part);
        }
        let points = net.projected();
        let [a, b, c, d] = net.corners().map(|k| points[k]);
        // Corners are on the surface.
        if [a, b, c, d].iter().any(|&p| (turned.axes.transpose() * (p - turned.centre)).abs().cmple(turned.half).all())
        {
            return true;
        }
        let between = gap(&points, turned, (d - a).cross(b - c), 0.0, close);
        if between.lower > 0.0 {
            continue;
        }
        let shape = net.shape(&points);
        let widest = part.width()[0].max(part.width()[1]);
        let is_close = between.upper <= close && shape.error <= close;
        if is_close || widest <= NARROWEST || looked > PARTS || waiting.remaining_capacity() < 2 {
            return true;
        }
        if is_narrower && width[0] * width[1] < 0.5 {
            waiting.push(part);
            continue;
        }
        waiting.extend(part.halves(shape.cut(&part)));
    }
    false
}

impl Solid for Parametric {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    /// The box around the control points of parts of the patches.
    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        if self.may_meet(turned, self.slack(turned.radius())) {
            Relation::Undecided
        } else if self.is_closed() && self.encloses(turned.centre) {
            Relation::Inside
        } else {
            Relation::Outside
        }
    }

    /// Of second order: it grows with the square of the radius, times a curvature, but for rounding and the gaps between
    /// borders.
    fn slack(&self, radius: f64) -> f64 {
        0.5 * self.curvature * radius * radius + self.least_slack(radius)
    }

    /// Crossings at borders are reported once; their normal is `None` where the patches do not agree. A closed surface that a
    /// segment enters by no more than rounding, as it grazes it, may be taken for one that it does not enter. Of an open surface a
    /// place that is touched counts as one that is crossed.
    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        self.find_crossings(from, to, crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        if !self.is_closed() || !point.is_finite() {
            return false;
        }
        let here = OrientedBox { centre: point, axes: DMat3::IDENTITY, half: DVec3::ZERO };
        self.may_meet(&here, self.tolerance(&here)) || self.encloses(point)
    }

    /// The closest point: nearer than all others up to 1e-13 of the extent, unless so many are as near as that, as from the centre
    /// of a ball, that the search ends with one of them. The distance from an open surface is never below zero; its normal is on
    /// the side of the point.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        self.find_nearest(point)
    }

    /// Points of a grid of parameters on every patch; those on borders once.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        self.add_samples(spacing, samples);
    }

    fn is_closed(&self) -> bool {
        self.integrals.is_some()
    }

    /// Three volumes by the area; of an open surface the root of the area.
    fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Exact up to rounding where all weights of a patch are equal; otherwise by quadrature, with twice the change by the last
    /// cut in halves as a bound.
    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        match &self.integrals {
            Some(integrals) => integrals.mass_properties(density),
            None => Err(MassPropertiesError::NoInside),
        }
    }

    fn triangles(&self) -> Triangles {
        self.grid_triangles()
    }

    fn description(&self) -> Option<Description> {
        let patch = |patch: &BezierPatch| {
            let points =
                patch.control_points().map(|p| if p[3] == 1.0 { p[..3].to_vec() } else { p.to_vec() }).collect();
            Patch { degrees: patch.degrees(), points }
        };
        Some(Description::Parametric { patches: self.patches().iter().map(patch).collect(), closed: self.is_closed() })
    }
}

#[cfg(test)]
mod tests;
