//! General solids: what contact determination asks of a body, whatever represents it; one file a representation.
//!
//! A [`Solid`] answers five questions: in which box it lies, whether a turned box may meet it, where a segment crosses its
//! surface, whether a point is inside, and which points lie on its surface. It need not be made of triangles, nor be
//! convex. [`crate::ccd::time_of_contact`] asks no more than that; contact generation asks for the closest point, the
//! support function and straight edges as well.
//!
//! Source: Shell and Drumwright, "Time of contact for rigid body simulation", section 2.

mod bezier;
mod csg;
mod description;
mod edge;
mod expression;
mod implicit;
mod interval;
mod oriented_box;
mod parametric;
mod placed;
mod polyhedron;
pub mod primitive;
mod quadrature;
mod soup;
mod surface_points;
mod survey;
mod tessellation;
pub(crate) mod triangle;
mod triangle_samples;
pub(crate) mod triangle_tree;

pub use bezier::b_spline::{BSpline, BSplineError};
pub use bezier::patch::{BezierPatch, MAXIMUM_DEGREE, PatchError};
pub use csg::{Csg, CsgError, Operation};
pub use description::{Description, DescriptionError, Part, Patch};
pub use edge::StraightEdge;
pub use expression::{Expression, ExpressionError};
pub use implicit::{Field, Implicit, ImplicitError, LipschitzField};
pub use interval::{Interval, LIBM_ULPS};
pub use oriented_box::{OrientedBox, ROUNDING};
pub use parametric::{Border, Parametric, ParametricError};
pub use placed::{Placed, PlacedError};
pub use polyhedron::PolyhedralSolid;
pub use primitive::{Capsule, Cone, Cuboid, Cylinder, PrimitiveSolid, Torus, primitive_solid};
pub use quadrature::Quadrature;
pub use soup::{Soup, SoupError};

use std::fmt;

use glam::DVec3;
use thiserror::Error;

use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{MassProperties, MassPropertiesError, SurfacePoint, Triangles};

/// A solid, or a surface without an inside, in a frame of its own. Lengths are in metres.
pub trait Solid: fmt::Debug + Send + Sync {
    /// The kind, by its name in files.
    fn kind(&self) -> &'static str;

    /// The smallest box known around the solid, along the axes of its frame; infinite where the solid is.
    fn bounds(&self) -> Bounds;

    /// The support function, or more: no point of the solid is farther along a direction (unit) than this, but for rounding, m.
    fn extent(&self, direction: DVec3) -> f64 {
        self.bounds().extent(direction)
    }

    /// Where a box is: never [`Relation::Outside`] of a box that meets the solid, never [`Relation::Inside`] of a box
    /// that is not wholly in it, in exact arithmetic on the numbers given. [`Relation::Undecided`] may be wrong, but only of
    /// boxes whose distance from the surface is below [`Solid::slack`].
    fn relation(&self, turned: &OrientedBox) -> Relation;

    /// How far from the surface a box of this radius ([`OrientedBox::radius`], m) may be and still be
    /// [`Relation::Undecided`], m. Infinite where nothing is known.
    fn slack(&self, radius: f64) -> f64;

    /// Appends where the segment from `from` to `to` crosses the surface, in ascending order. A segment whose ends are on
    /// different sides has at least one crossing; two crossings nearer to each other than rounding may be left out together.
    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>);

    /// Whether a point is in the solid or, up to rounding, on its surface. Never of a surface without an inside.
    fn contains(&self, point: DVec3) -> bool;

    /// A point of the surface by a point near it, with the outward normal there. It is the closest one where the kind says so, and
    /// close to that, by a share of the distance that vanishes with the distance, for others.
    ///
    /// # Errors
    /// [`NoNormal`] where the surface has no normal.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal>;

    /// Appends points of the surface so that no point of the surface is farther from all of them than `spacing`, m. Surfaces
    /// without an end have points only where they are bounded: none.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>);

    /// Whether it has an inside.
    fn is_closed(&self) -> bool {
        true
    }

    /// A length by which tolerances scale, m: three volumes by the area, or about that. Infinite for solids without an end.
    fn thickness(&self) -> f64;

    /// The mass properties at a density in kg/m³, with bounds of their errors.
    ///
    /// # Errors
    /// [`MassPropertiesError`].
    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError>;

    /// Triangles to draw, for the eye only.
    fn triangles(&self) -> Triangles;

    /// The solid as data, if it can be said so.
    fn description(&self) -> Option<Description> {
        None
    }

    /// The radius of the ball about the origin that the solid is, m; `None` of anything else.
    fn ball_radius(&self) -> Option<f64> {
        None
    }

    /// Appends the straight edges that are convex or borders, of solids whose surface is flat ([`Solid::is_flat`]).
    fn edges(&self, _edges: &mut Vec<StraightEdge>) {}

    /// Whether the surface is made of plane pieces whose corners are among the samples.
    fn is_flat(&self) -> bool {
        false
    }
}

/// The lower and upper corner of the axis-aligned box around a solid with an end, at a pose, by its support function, m.
pub(crate) fn bounds_at(solid: &dyn Solid, pose: &Pose) -> (DVec3, DVec3) {
    let back = pose.rotation.inverse();
    let extents = |sign: f64| DVec3::from(DVec3::AXES.map(|axis| solid.extent(sign * (back * axis))));
    (pose.translation - extents(-1.0), pose.translation + extents(1.0))
}

/// Where a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It surely has no point in common with the solid.
    Outside,
    /// It surely lies wholly in the solid.
    Inside,
    /// It may meet the surface.
    Undecided,
}

/// Where a segment crosses a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// How far along the segment, 0…1.
    pub share: f64,
    /// The outward normal there, unit; `None` where the surface has none. A surface without an inside turns it against the
    /// segment.
    pub normal: Option<DVec3>,
    /// Whether the segment gets in. Every crossing of a surface without an inside is one.
    pub is_entry: bool,
}

/// The surface has no normal: the gradient vanishes, tangents are parallel, a tip or an edge is as near as can be.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("the surface of the {kind} has no normal at {point}: {why}")]
pub struct NoNormal {
    /// [`Solid::kind`].
    pub kind: &'static str,
    /// In the frame of the solid, m.
    pub point: DVec3,
    /// What vanishes there.
    pub why: &'static str,
}

/// Mass properties with bounds of their errors; zero for closed forms, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedMass {
    /// The mass properties.
    pub properties: MassProperties,
    /// The volume is off by no more, m³.
    pub volume_error: f64,
    /// No component of the centre of mass is off by more, m.
    pub centre_error: f64,
    /// No entry of the inertia tensor is off by more, kg m².
    pub inertia_error: f64,
}

#[cfg(test)]
pub(crate) mod laws;
#[cfg(test)]
pub(crate) mod stand_ins;
