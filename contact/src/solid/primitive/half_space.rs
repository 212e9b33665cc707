//! A half-space as a general solid: everything is a comparison of heights.

use glam::DVec3;

use super::described;
use super::{PrimitiveSolid, exact, must_be_finite, tolerance};
use crate::bounds::Bounds;
use crate::shape::{HalfSpace, MassPropertiesError, Primitive, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, ROUNDING, Relation, Solid};

impl PrimitiveSolid for HalfSpace {
    fn dimensions(&self) -> Vec<f64> {
        Primitive::dimensions(self)
    }
}

impl Solid for HalfSpace {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: DVec3::NEG_INFINITY, high: DVec3::new(f64::INFINITY, 0.0, f64::INFINITY) }
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let (height, reach, margin) = (turned.centre.y, turned.reach(DVec3::Y), turned.rounding(0.0));
        if height - reach > margin {
            Relation::Outside
        } else if height + reach < -margin {
            Relation::Inside
        } else {
            Relation::Undecided
        }
    }

    /// None but for the rounding of numbers of the size of the box. To that comes, far from the origin, the rounding of the
    /// coordinates of its centre, see [`OrientedBox::rounding`].
    fn slack(&self, radius: f64) -> f64 {
        2.0 * ROUNDING * radius
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let is_entry = self.contains(to);
        if self.contains(from) != is_entry {
            // Between heights of different signs up to rounding.
            let share = super::span::within_unit(from.y / (from.y - to.y));
            crossings.push(Crossing { share, normal: Some(DVec3::Y), is_entry });
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        point.y <= tolerance(0.0, point)
    }

    /// The closest point.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        Ok(Primitive::closest(self, point))
    }

    fn samples(&self, _: f64, _: &mut Vec<DVec3>) {}

    fn thickness(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        Primitive::mass_properties(self, density).map(exact)
    }

    fn triangles(&self) -> Triangles {
        Primitive::triangles(self)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }

    fn is_flat(&self) -> bool {
        true
    }
}
