//! A cone.
//!
//! A plane through the point that is closest to the centre of a box tells most boxes apart; [`shadow::is_apart`] decides of
//! the others. Along a segment, the distance to the axis less the radius of the cone at that height is convex: its least value
//! in closed form isolates the crossings of the side.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::described;
use super::polynomial::sign_change;
use super::revolution::{self, Piece, append_samples};
use super::shadow::{self, Shadow};
use super::span::{Span, within_unit};
use super::{
    PrimitiveSolid, by_corners, checked, is_beyond_plane, must_be_finite, of_closed_form, rounding_slack, tolerance,
};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, ShapeError, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};

/// A cone about its centre of mass, the axis along y: the base at y = −height/4, the tip at y = 3/4 height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    height: f64,
}

impl Cone {
    /// Its name in files.
    pub const KIND: &'static str = "cone";

    /// The cone with this radius of the base and this height, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless both are finite and above zero.
    pub fn new(radius: f64, height: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: checked(Self::KIND, "radius", radius)?, height: checked(Self::KIND, "height", height)? })
    }

    /// Of the base, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// m.
    pub fn height(&self) -> f64 {
        self.height
    }

    fn size(&self) -> f64 {
        self.radius.max(0.75 * self.height)
    }

    /// y of the base, m.
    fn base(&self) -> f64 {
        -0.25 * self.height
    }

    /// y of the tip, m.
    fn tip(&self) -> f64 {
        0.75 * self.height
    }

    /// From the rim to the tip, m.
    fn side(&self) -> f64 {
        libm::hypot(self.radius, self.height)
    }

    /// Its radius at a height, m; below zero above the tip.
    fn radius_at(&self, y: f64) -> f64 {
        self.radius / self.height * (self.tip() - y)
    }

    /// How far beyond the side and beyond the base a point is, m.
    fn beyond(&self, point: DVec3) -> DVec2 {
        let out = DVec2::new(point.x, point.z).length() - self.radius_at(point.y);
        DVec2::new(out * (self.height / self.side()), self.base() - point.y)
    }

    /// As [`Solid::nearest`], with one of the normals on the rim and at the tip.
    pub(crate) fn closest(&self, point: DVec3) -> SurfacePoint {
        let radial = DVec3::new(point.x, 0.0, point.z).try_normalize().unwrap_or(DVec3::X);
        // In the plane of the axis and the point: (distance from the axis, height).
        let flat = DVec2::new(DVec2::new(point.x, point.z).length(), point.y);
        let (rim, tip) = (DVec2::new(self.radius, self.base()), DVec2::new(0.0, self.tip()));
        let up = DVec2::new(-self.radius, self.height) / self.side();
        let out = DVec2::new(up.y, -up.x);
        let beyond = self.beyond(point);
        let of_corner = |corner: DVec2, otherwise: DVec2| {
            let normal = (flat - corner).try_normalize().unwrap_or(otherwise);
            (corner, normal, flat.distance(corner))
        };
        let of_side = || (flat - beyond.x * out, out, beyond.x);
        let of_base = || (DVec2::new(flat.x, self.base()), DVec2::NEG_Y, beyond.y);
        let (position, normal, distance) = if beyond.x <= 0.0 && beyond.y <= 0.0 {
            if beyond.x > beyond.y { of_side() } else { of_base() }
        } else if beyond.y > 0.0 && flat.x <= self.radius {
            of_base()
        } else if (flat - tip).dot(up) >= 0.0 {
            of_corner(tip, DVec2::Y)
        } else if beyond.x > 0.0 && (flat - rim).dot(up) > 0.0 {
            of_side()
        } else {
            of_corner(rim, out)
        };
        let in_space = |v: DVec2| v.x * radial + v.y * DVec3::Y;
        let position = DVec2::new(position.x.max(0.0), position.y);
        SurfacePoint { position: in_space(position), normal: in_space(normal), distance }
    }

    /// The part of a line that is in the cone, of what is between its ends.
    fn span(&self, from: DVec3, to: DVec3) -> Span {
        let ends = Span::of_slab(from.y, to.y, self.base(), self.tip());
        let (low, high) = (within_unit(ends.enter), within_unit(ends.leave));
        if ends.is_empty() || low >= high {
            return Span::NONE;
        }
        let seen = |share: f64| {
            let p = from.lerp(to, share);
            Shadow { place: DVec2::new(p.x, p.z), length: self.radius_at(p.y) }
        };
        let value = |share: f64| {
            let Shadow { place, length } = seen(share);
            place.length() - length
        };
        let lowest = low + (high - low) * shadow::least(seen(low), seen(high));
        if value(lowest) > 0.0 {
            return Span::NONE;
        }
        let cross =
            |end: f64| if value(end) > 0.0 { sign_change(end.min(lowest), end.max(lowest), value) } else { end };
        Span { enter: cross(low), leave: cross(high) }
    }

    fn curve(&self) -> [Piece; 2] {
        let rim = DVec2::new(self.radius, self.base());
        [Piece::Line(DVec2::new(0.0, self.tip()), rim), Piece::Line(rim, DVec2::new(0.0, self.base()))]
    }
}

impl PrimitiveSolid for Cone {
    fn dimensions(&self) -> Vec<f64> {
        vec![self.radius, self.height]
    }
}

impl Solid for Cone {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        let [low, high] = [self.base(), self.tip()].map(|y| DVec3::new(self.radius, y, self.radius));
        Bounds { low: DVec3::new(-low.x, low.y, -low.z), high }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        let of_rim = self.radius * DVec2::new(direction.x, direction.z).length() + self.base() * direction.y;
        of_rim.max(self.tip() * direction.y)
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.size());
        let on = self.closest(turned.centre);
        if on.distance < 0.0 {
            return by_corners(turned, |corner| self.beyond(corner).max_element() < -margin);
        }
        let ends = [self.base() - margin, self.tip() + margin];
        // Across the axis, the side moves out by more than the margin.
        let across = margin * (self.side() / self.height);
        if is_beyond_plane(turned, on.normal, self.extent(on.normal), margin)
            || shadow::is_apart(turned, ends, |y| self.radius_at(y), across)
        {
            Relation::Outside
        } else {
            Relation::Undecided
        }
    }

    /// None but for rounding, which counts the more the flatter the cone.
    fn slack(&self, radius: f64) -> f64 {
        4.0 * (self.side() / self.height) * rounding_slack(self.size(), radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let ends = [self.contains(from), self.contains(to)];
        let normal = |p: DVec3| self.nearest(p).ok().map(|on| on.normal);
        self.span(from, to).append([from, to], ends, normal, crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        let tolerance = tolerance(self.size(), point);
        self.beyond(point).max_element() <= tolerance && point.y <= self.tip() + tolerance
    }

    /// The closest point; of those outside beside the rim or the tip, with the direction to the point for a normal, and of
    /// those inside that are as near to several, one of them.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        let tolerance = tolerance(self.size(), point);
        let no_normal = |why| Err(NoNormal { kind: Self::KIND, point, why });
        if self.beyond(point).abs().max_element() <= tolerance {
            return no_normal("the point is on the rim");
        }
        if point.distance(DVec3::Y * self.tip()) <= tolerance {
            return no_normal("the point is on the tip");
        }
        Ok(self.closest(point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&self.curve(), spacing, samples);
    }

    fn thickness(&self) -> f64 {
        self.radius * self.height / (self.radius + self.side())
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let (r, h) = (self.radius, self.height);
        let across = 0.15 * r * r + 0.0375 * h * h;
        of_closed_form(density, PI / 3.0 * r * r * h, DVec3::new(across, 0.3 * r * r, across))
    }

    fn triangles(&self) -> Triangles {
        revolution::triangles(&self.curve(), false)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }
}
