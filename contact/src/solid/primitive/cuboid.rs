//! A cuboid.
//!
//! A box that is turned is apart from it where one of fifteen directions says so: the normals of the faces of both and the cross
//! products of their edges (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996). The products are exact for the numbers
//! given, so that edges that are almost parallel need no care.

use glam::DVec3;

use super::described;
use super::span::Span;
use super::{PrimitiveSolid, checked, must_be_finite, of_closed_form, rounding_slack, tolerance};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, ShapeError, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid, StraightEdge};

/// A cuboid about the origin with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: DVec3,
}

impl Cuboid {
    /// Its name in files.
    pub const KIND: &'static str = "box";

    /// The cuboid with these half sides along x, y and z, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless all are finite and above zero.
    pub fn new(half: DVec3) -> Result<Self, ShapeError> {
        for value in half.to_array() {
            checked(Self::KIND, "half side", value)?;
        }
        Ok(Self { half })
    }

    /// Half its sides along x, y and z, m.
    pub fn half(&self) -> DVec3 {
        self.half
    }

    fn size(&self) -> f64 {
        self.half.max_element()
    }
}

impl PrimitiveSolid for Cuboid {
    fn dimensions(&self) -> Vec<f64> {
        self.half.to_array().to_vec()
    }
}

/// Whether a box and the cuboid with these half sides (m) are apart along a normal of a face of the box, or along a product
/// of edges.
fn is_apart_when_turned(half: DVec3, turned: &OrientedBox, margin: f64) -> bool {
    let axes = turned.axes.to_cols_array_2d().map(DVec3::from_array);
    for axis in axes {
        if axis.dot(turned.centre).abs() - turned.reach(axis) - axis.abs().dot(half) > margin {
            return true;
        }
    }
    for own in [DVec3::X, DVec3::Y, DVec3::Z] {
        for [j, next, last] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let across = own.cross(axes[j]);
            let reach =
                across.dot(axes[next]).abs() * turned.half[next] + across.dot(axes[last]).abs() * turned.half[last];
            let gap = across.dot(turned.centre).abs() - reach - across.abs().dot(half);
            // Longer than the margin, in units of the length of the product.
            if gap > 0.0 && gap * gap > margin * margin * across.length_squared() {
                return true;
            }
        }
    }
    false
}

impl Solid for Cuboid {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: -self.half, high: self.half }
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.size());
        let centre = turned.centre.abs();
        let axes = &turned.axes;
        let reach =
            axes.x_axis.abs() * turned.half.x + axes.y_axis.abs() * turned.half.y + axes.z_axis.abs() * turned.half.z;
        if (centre - reach - self.half).cmpgt(DVec3::splat(margin)).any() {
            Relation::Outside
        } else if (centre + reach - self.half).cmplt(DVec3::splat(-margin)).all() {
            Relation::Inside
        } else if is_apart_when_turned(self.half, turned, margin) {
            Relation::Outside
        } else {
            Relation::Undecided
        }
    }

    /// None but for rounding.
    fn slack(&self, radius: f64) -> f64 {
        2.0 * rounding_slack(self.size(), radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let span =
            (0..3).fold(Span::ALL, |span, k| span.and(Span::of_slab(from[k], to[k], -self.half[k], self.half[k])));
        let ends = [self.contains(from), self.contains(to)];
        span.append([from, to], ends, |p| self.nearest(p).ok().map(|on| on.normal), crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        (point.abs() - self.half).cmple(DVec3::splat(tolerance(self.size(), point))).all()
    }

    /// The closest point; of those outside beside an edge or a corner, with the direction to the point for a normal, and
    /// of those inside that are as near to several faces, on the first.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        let beyond = point.abs() - self.half;
        let side = |k: usize| DVec3::AXES[k] * 1f64.copysign(point[k]);
        let tolerance = tolerance(self.size(), point);
        if beyond.to_array().iter().filter(|x| x.abs() <= tolerance).count() > 1
            && beyond.cmple(DVec3::splat(tolerance)).all()
        {
            return Err(NoNormal { kind: Self::KIND, point, why: "the point is on an edge" });
        }
        let axis = beyond.max_position();
        if beyond.cmple(DVec3::ZERO).all() {
            let mut position = point;
            position[axis] = self.half[axis].copysign(point[axis]);
            return Ok(SurfacePoint { position, normal: side(axis), distance: beyond[axis] });
        }
        let distance = beyond.max(DVec3::ZERO).length();
        let normal = (beyond.max(DVec3::ZERO) / distance) * DVec3::ONE.copysign(point);
        Ok(SurfacePoint { position: point.clamp(-self.half, self.half), normal, distance })
    }

    /// Grids on the faces.
    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        if spacing <= 0.0 || spacing.is_nan() {
            return;
        }
        let counts = self.half.to_array().map(|half| (2.0 * half / spacing).ceil().max(1.0) as u64);
        let at = |axis: usize, k: u64| self.half[axis] * (2.0 * k as f64 / counts[axis] as f64 - 1.0);
        for i in 0..=counts[0] {
            for j in 0..=counts[1] {
                let on_side = i == 0 || i == counts[0] || j == 0 || j == counts[1];
                let step = if on_side { 1 } else { counts[2] as usize };
                samples.extend((0..=counts[2]).step_by(step).map(|k| DVec3::new(at(0, i), at(1, j), at(2, k))));
            }
        }
    }

    fn thickness(&self) -> f64 {
        3.0 / self.half.recip().element_sum()
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let squares = self.half * self.half;
        let moments = DVec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) / 3.0;
        of_closed_form(density, 8.0 * self.half.element_product(), moments)
    }

    fn triangles(&self) -> Triangles {
        let vertices = OrientedBox::aligned(&self.bounds()).corners().to_vec();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Triangles { vertices, triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect() }
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }

    fn is_flat(&self) -> bool {
        true
    }

    fn edges(&self, edges: &mut Vec<StraightEdge>) {
        for axis in 0..3 {
            let [along, u, v] = [0, 1, 2].map(|step| DVec3::AXES[(axis + step) % 3]);
            for [p, q] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
                let ends = [-1.0, 1.0].map(|end| (end * along + p * u + q * v) * self.half);
                edges.extend(StraightEdge::new(ends, [-p * u, -q * v]));
            }
        }
    }
}
