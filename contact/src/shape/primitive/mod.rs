//! Primitives: solids in closed form, one file a kind.
//!
//! A primitive stands in a frame of its own, whose origin is its centre of mass and whose axes are its principal axes; the axis of a
//! kind that is round is y. A new kind implements [`Primitive`] and gets a line in [`KINDS`]. Capsule, cylinder and cone are general
//! solids of the same names as well, which is where their mass properties and closest points are.

mod ball;
mod capsule;
mod cone;
mod cylinder;
mod ellipsoid;
mod half_space;
mod rounded_box;
mod tessellation;

pub use crate::solid::{Capsule, Cone, Cylinder};
pub use ball::Ball;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use rounded_box::RoundedBox;

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use super::convex_core::RoundedCore;
use super::mass_properties::{MassProperties, MassPropertiesError};
use super::shape::{Shape, Triangles};
use super::shape_error::ShapeError;
use crate::pose::Pose;
use crate::solid::Solid;

/// A convex solid in closed form.
pub trait Primitive: fmt::Debug + Send + Sync {
    /// The kind, by its name in files.
    fn kind(&self) -> &'static str;

    /// The dimensions, m, in the order of [`Kind::dimensions`].
    fn dimensions(&self) -> Vec<f64>;

    /// The lower and upper corner of the axis-aligned box around the solid at a pose, m; infinite where the solid is.
    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3);

    /// The mass properties at a density in kg/m³, by closed formulas.
    ///
    /// # Errors
    /// [`MassPropertiesError`].
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError>;

    /// A length by which tolerances scale, m: three volumes by the area, or about that.
    fn thickness(&self) -> f64;

    /// The point that is farthest in a direction (unit), m, where there is exactly one: the surface is strictly convex.
    /// `None` of a surface that is not.
    fn support(&self, direction: DVec3) -> Option<DVec3>;

    /// The core within a radius of which all points of the solid lie; `None` of a solid without an end.
    fn core(&self) -> Option<RoundedCore<'_>>;

    /// The point of the surface that is closest to a point, both in m; the first of several that are equally close.
    fn closest(&self, point: DVec3) -> SurfacePoint;

    /// Triangles to draw.
    fn triangles(&self) -> Triangles;

    /// The primitive as a general solid, for methods that ask for one.
    fn as_solid(&self) -> Option<Arc<dyn Solid>> {
        None
    }
}

/// The point of a surface that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// m.
    pub position: DVec3,
    /// Outward, unit.
    pub normal: DVec3,
    /// From the surface to the other point, m: positive outside, negative inside.
    pub distance: f64,
}

/// A kind of primitive.
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// What its dimensions are, for messages.
    pub dimensions: &'static str,
    /// How many there are.
    pub count: usize,
    make: fn(&[f64]) -> Result<Shape, ShapeError>,
}

/// All kinds.
pub const KINDS: [Kind; 7] = [
    Kind { name: Ball::KIND, dimensions: "radius", count: 1, make: |d| Ok(Ball::new(d[0])?.into()) },
    Kind {
        name: Capsule::KIND,
        dimensions: "radius, half length along y",
        count: 2,
        make: |d| Ok(Capsule::new(d[0], d[1])?.into()),
    },
    Kind { name: Cone::KIND, dimensions: "radius, height", count: 2, make: |d| Ok(Cone::new(d[0], d[1])?.into()) },
    Kind {
        name: Cylinder::KIND,
        dimensions: "radius, half height along y",
        count: 2,
        make: |d| Ok(Cylinder::new(d[0], d[1])?.into()),
    },
    Kind {
        name: Ellipsoid::KIND,
        dimensions: "semi-axes along x, y and z",
        count: 3,
        make: |d| Ok(Ellipsoid::new(DVec3::from_slice(d))?.into()),
    },
    Kind { name: HalfSpace::KIND, dimensions: "none", count: 0, make: |_| Ok(HalfSpace.into()) },
    Kind {
        name: RoundedBox::KIND,
        dimensions: "half sides of the core along x, y and z, radius",
        count: 4,
        make: |d| Ok(RoundedBox::new(DVec3::from_slice(d), d[3])?.into()),
    },
];

/// A primitive by the name of its kind and its dimensions, m.
///
/// # Errors
/// [`ShapeError::UnknownKind`], [`ShapeError::Dimensions`], [`ShapeError::Dimension`].
pub fn primitive(name: &str, dimensions: &[f64]) -> Result<Shape, ShapeError> {
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

#[cfg(test)]
mod tests;
