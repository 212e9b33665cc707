//! General solids in closed form, one file a kind.
//!
//! The test of a box is exact up to rounding, but for the ellipsoid and the torus, whose error is of second order in the
//! size of the box; [`Solid::nearest`] is the closest point, [`crate::shape::SurfacePoint::distance`] the signed distance. A new kind
//! implements [`Solid`] and [`PrimitiveSolid`] and gets a line in [`KINDS`]. Every kind but the half-space has its centre of
//! mass in the origin and its principal axes along those of its frame; the axis of a kind that is round is y.
//!
//! Points so near to the surface that rounding decides are inside, see [`Solid::contains`]. A point of the surface that is
//! nearer than that to a tip or to an edge has no normal.

mod ball;
mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod half_space;
mod polynomial;
mod revolution;
mod shadow;
mod span;
mod torus;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use torus::Torus;

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::{BoundedMass, Description, NoNormal, OrientedBox, ROUNDING, Relation, Solid};
use crate::shape::{Ball, Ellipsoid, HalfSpace, MassProperties, MassPropertiesError, ShapeError};

/// A solid in closed form: a kind and a few lengths.
pub trait PrimitiveSolid: Solid {
    /// The dimensions, m, in the order of [`Kind::dimensions`].
    fn dimensions(&self) -> Vec<f64>;
}

/// A solid by its dimensions.
type Made = Result<Arc<dyn Solid>, ShapeError>;

/// A kind of solid in closed form.
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// What its dimensions are, for messages.
    pub dimensions: &'static str,
    /// How many there are.
    pub count: usize,
    make: fn(&[f64]) -> Made,
}

/// A primitive as data.
fn described(primitive: &dyn PrimitiveSolid) -> Description {
    Description::Primitive { kind: primitive.kind().into(), dimensions: primitive.dimensions() }
}

/// All kinds.
pub const KINDS: [Kind; 8] = [
    Kind { name: Ball::KIND, dimensions: "radius", count: 1, make: |d| Ok(Arc::new(Ball::new(d[0])?)) },
    Kind {
        name: Capsule::KIND,
        dimensions: "radius, half length along y",
        count: 2,
        make: |d| Ok(Arc::new(Capsule::new(d[0], d[1])?)),
    },
    Kind { name: Cone::KIND, dimensions: "radius, height", count: 2, make: |d| Ok(Arc::new(Cone::new(d[0], d[1])?)) },
    Kind {
        name: Cuboid::KIND,
        dimensions: "half sides along x, y and z",
        count: 3,
        make: |d| Ok(Arc::new(Cuboid::new(DVec3::from_slice(d))?)),
    },
    Kind {
        name: Cylinder::KIND,
        dimensions: "radius, half height along y",
        count: 2,
        make: |d| Ok(Arc::new(Cylinder::new(d[0], d[1])?)),
    },
    Kind {
        name: Ellipsoid::KIND,
        dimensions: "semi-axes along x, y and z",
        count: 3,
        make: |d| Ok(Arc::new(Ellipsoid::new(DVec3::from_slice(d))?)),
    },
    Kind { name: HalfSpace::KIND, dimensions: "none", count: 0, make: |_| Ok(Arc::new(HalfSpace)) },
    Kind {
        name: Torus::KIND,
        dimensions: "major radius, minor radius",
        count: 2,
        make: |d| Ok(Arc::new(Torus::new(d[0], d[1])?)),
    },
];

/// A solid in closed form by the name of its kind and its dimensions, m.
///
/// # Errors
/// [`ShapeError::UnknownKind`], [`ShapeError::Dimensions`], [`ShapeError::Dimension`].
pub fn primitive_solid(name: &str, dimensions: &[f64]) -> Result<Arc<dyn Solid>, ShapeError> {
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let known = KINDS.map(|kind| kind.name).join(", ");
        return Err(ShapeError::UnknownKind { name: name.into(), known });
    };
    if dimensions.len() != kind.count {
        let (expected, names, found) = (kind.count, kind.dimensions, dimensions.len());
        return Err(ShapeError::Dimensions { kind: kind.name, expected, names, found });
    }
    (kind.make)(dimensions)
}

/// A dimension, which must be finite and above zero.
fn checked(kind: &'static str, dimension: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(ShapeError::Dimension { kind, dimension, value }) }
}

/// How far from a solid of this size (m; its largest coordinate) rounding may leave a box of this radius undecided, m: the
/// box is then about the solid, and [`OrientedBox::rounding`] is known up to a factor.
fn rounding_slack(size: f64, radius: f64) -> f64 {
    8.0 * ROUNDING * (size + radius)
}

/// How far from the surface a point may be and still be on it, m.
fn tolerance(size: f64, point: DVec3) -> f64 {
    ROUNDING * point.abs().max_element().max(size)
}

/// The error of [`Solid::nearest`] for a point that is not finite.
fn must_be_finite(kind: &'static str, point: DVec3) -> Result<(), NoNormal> {
    if point.is_finite() { Ok(()) } else { Err(NoNormal { kind, point, why: "the point is not finite" }) }
}

/// Whether a plane surely keeps a box apart from a convex solid that reaches no farther than `support` (m) along the
/// normal (unit) of the plane. True of any normal, however rough: near an edge, rounding decides its direction.
fn is_beyond_plane(turned: &OrientedBox, normal: DVec3, support: f64, margin: f64) -> bool {
    normal.dot(turned.centre) - turned.reach(normal) - support > margin
}

/// The relation of a box to a convex solid, if the centre of the box is inside: of a box all corners of which `is_deep`.
fn by_corners(turned: &OrientedBox, is_deep: impl Fn(DVec3) -> bool) -> Relation {
    if turned.corners().into_iter().all(is_deep) { Relation::Inside } else { Relation::Undecided }
}

/// The mass properties of a solid about its centre of mass; `moments` are those of a unit of mass, m².
fn of_closed_form(density: f64, volume: f64, moments: DVec3) -> Result<BoundedMass, MassPropertiesError> {
    let inertia = DMat3::from_diagonal(density * volume * moments);
    Ok(exact(MassProperties::of_density(density, volume, inertia)?))
}

/// Mass properties that are right up to rounding.
fn exact(properties: MassProperties) -> BoundedMass {
    BoundedMass { properties, volume_error: 0.0, centre_error: 0.0, inertia_error: 0.0 }
}

#[cfg(test)]
mod tests;
