//! A box along the axes, among polyhedra.

use glam::DVec3;

use super::faces::{Clipped, Face};
use super::ray::Ray;
use crate::contact::Feature;
use crate::shape::{Surface, SurfacePoint};

/// The part of the surface that is closest to the points on one side, between, or on the other side, of the box along each axis.
#[derive(Clone, Copy, Debug)]
struct Region {
    /// The sum of those of the faces there, unit.
    normal: DVec3,
    /// Of the triangle.
    feature: Feature,
    /// The lowest one that has an edge or a corner as a whole; of a face, any.
    triangle: u32,
}

/// The box, with what is where on its surface.
#[derive(Clone, Debug)]
pub struct Cuboid {
    /// m.
    pub low: DVec3,
    pub high: DVec3,
    /// The faces at the lower and the upper end of each axis, by their numbers.
    faces: [[u32; 2]; 3],
    /// By the sides of the axes, 0 to 2 each, of which x counts once, y three times and z nine times.
    regions: [Region; 27],
}

impl Cuboid {
    /// Of a closed surface with its faces, if it is a box.
    pub fn of(surface: &Surface, all: &[Face]) -> Option<Self> {
        let (low, high) = surface.bounds();
        let is_corner = |v: &DVec3| (v.cmpeq(low) | v.cmpeq(high)).all();
        if all.len() != 6 || surface.triangles().len() != 12 || !surface.vertices().iter().all(is_corner) {
            return None;
        }
        let mut faces = [[0; 2]; 3];
        for (axis, ends) in faces.iter_mut().enumerate() {
            for (end, sign) in ends.iter_mut().zip([-1.0, 1.0]) {
                *end = all.iter().position(|face| face.normal == DVec3::AXES[axis] * sign)? as u32;
            }
        }
        let sides = |code: usize| [code % 3, code / 3 % 3, code / 9];
        let region = |code: usize| {
            let sides = sides(code);
            // Whether a corner of the box is at this edge or corner, or in this face.
            let is_there =
                |v: DVec3| (0..3).all(|axis| sides[axis] == 1 || v[axis] == [low[axis], 0.0, high[axis]][sides[axis]]);
            let faces_there = (0..3).filter(|&axis| sides[axis] != 1).map(|axis| faces[axis][sides[axis] / 2]);
            let normal: DVec3 = faces_there.map(|face| all[face as usize].normal).sum();
            let fixed = sides.iter().filter(|&&side| side != 1).count();
            let wanted = [0, 3, 2, 1][fixed];
            let has = |t: &u32| surface.corners(*t).iter().filter(|&&v| is_there(v)).count() == wanted;
            let triangle = (0..12).find(has)?;
            let feature = all.iter().find(|face| face.has(triangle)).map(|face| face.feature)?;
            Some(Region { normal: normal.normalize_or_zero(), feature, triangle })
        };
        let inside = Region { normal: DVec3::ZERO, feature: Feature::Surface(0), triangle: 0 };
        let mut regions = [inside; 27];
        for (code, slot) in regions.iter_mut().enumerate() {
            *slot = if code == 13 { inside } else { region(code)? };
        }
        Some(Self { low, high, faces, regions })
    }

    /// Whether a point is inside or on the surface, exactly.
    pub fn contains(&self, point: DVec3) -> bool {
        (self.low.cmple(point) & point.cmple(self.high)).all()
    }

    /// The part of the line of a ray that is inside.
    pub fn clipped(&self, ray: &Ray) -> Option<Clipped> {
        let (origin, direction) = (ray.origin(), ray.direction());
        let (mut near, mut far) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
        for axis in 0..3 {
            let (from, way) = (origin[axis], direction[axis]);
            let (low, high) = (self.low[axis] - from, self.high[axis] - from);
            if way == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let ends = self.faces[axis];
            let (first, last) = ((low / way, ends[0]), (high / way, ends[1]));
            let (first, last) = if way < 0.0 { (last, first) } else { (first, last) };
            near = if first.0 > near.0 { first } else { near };
            far = if last.0 < far.0 { last } else { far };
        }
        (near.0 <= far.0).then_some([near, far])
    }

    /// The point of the surface that is closest to a point, with its feature and triangle. `face` gives a face by its number.
    pub fn closest<'f>(&self, point: DVec3, face: impl Fn(u32) -> &'f Face) -> (SurfacePoint, Feature, u32) {
        let inner = point.clamp(self.low, self.high);
        if inner != point {
            let side = |axis: usize| match point[axis] {
                x if x < self.low[axis] => 0,
                x if x > self.high[axis] => 2,
                _ => 1,
            };
            let sides = [side(0), side(1), side(2)];
            let Region { normal, feature, triangle } = self.regions[sides[0] + 3 * sides[1] + 9 * sides[2]];
            // Over a face the point is in one of its triangles; whole edges and corners are in theirs.
            let is_over_face = sides.iter().filter(|&&side| side == 1).count() == 2;
            let triangle = match (0..3).find(|&axis| is_over_face && sides[axis] != 1) {
                Some(axis) => face(self.faces[axis][sides[axis] / 2]).triangle_at(inner),
                None => triangle,
            };
            return (SurfacePoint { position: inner, normal, distance: inner.distance(point) }, feature, triangle);
        }
        let (to_low, to_high) = (point - self.low, self.high - point);
        let nearest = to_low.min(to_high);
        let axis = nearest.min_position();
        let end = usize::from(to_high[axis] < to_low[axis]);
        let own = face(self.faces[axis][end]);
        let mut position = point;
        position[axis] = if end == 0 { self.low[axis] } else { self.high[axis] };
        let on = SurfacePoint { position, normal: own.normal, distance: -nearest[axis] };
        (on, own.feature, own.triangle_at(position))
    }
}
