//! A ball as a general solid: the closest and the farthest point of a box decide where it is.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, DVec3};

use super::described;
use super::revolution::{Piece, append_samples};
use super::span::Span;
use super::{PrimitiveSolid, exact, must_be_finite, rounding_slack, tolerance};
use crate::bounds::Bounds;
use crate::shape::{Ball, MassPropertiesError, Primitive, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};

impl PrimitiveSolid for Ball {
    fn dimensions(&self) -> Vec<f64> {
        Primitive::dimensions(self)
    }
}

impl Solid for Ball {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: DVec3::splat(-self.radius()), high: DVec3::splat(self.radius()) }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.radius() * direction.length()
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.radius());
        let centre = (turned.axes.transpose() * turned.centre).abs();
        // Seen from the ball, along the axes of the box; what is not a number must not vanish in the maximum.
        let beside = centre - turned.half;
        let closest = DVec3::select(beside.cmplt(DVec3::ZERO), DVec3::ZERO, beside);
        if closest.length() > self.radius() + margin {
            Relation::Outside
        } else if (centre + turned.half).length() < self.radius() - margin {
            Relation::Inside
        } else {
            Relation::Undecided
        }
    }

    /// None but for rounding.
    fn slack(&self, radius: f64) -> f64 {
        rounding_slack(self.radius(), radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let span = Span::of_unit_ball(from / self.radius(), to / self.radius());
        let ends = [self.contains(from), self.contains(to)];
        span.append([from, to], ends, |p| p.try_normalize(), crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        point.length() - self.radius() <= tolerance(self.radius(), point)
    }

    /// The closest point; of the centre, that along x.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        Ok(Primitive::closest(self, point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&[Piece::Arc(DVec2::ZERO, self.radius(), [FRAC_PI_2, -FRAC_PI_2])], spacing, samples);
    }

    fn thickness(&self) -> f64 {
        self.radius()
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

    fn ball_radius(&self) -> Option<f64> {
        Some(self.radius())
    }
}
