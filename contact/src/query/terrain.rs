//! The solid below a height field: its surface is the triangles over the grid, and upright walls without an end where the grid ends.

use glam::DVec3;

use super::box_hierarchy::{BoxHierarchy, gap};
use super::ground::Ground;
use super::point::OnSurface;
use super::ray::{Ray, RayHit};
use super::slabs::Slabs;
use super::support::Triangle;
use super::triangle_ray::crossing;
use crate::bounds::Bounds;
use crate::contact::Feature;
use crate::shape::open_surface::{NONE, plane_of, pseudonormal};
use crate::shape::{HeightField, OpenSurface, SurfacePoint};
use crate::solid::triangle::{ClosestPoint, Part, closest_of_triangle};

/// The plane of a wall.
#[derive(Clone, Copy, Debug)]
struct Wall {
    /// Across the plane: 0 for x, 2 for z.
    axis: usize,
    /// m.
    at: f64,
    outward: DVec3,
}

impl Wall {
    fn onto(&self, mut point: DVec3) -> DVec3 {
        point[self.axis] = self.at;
        point
    }
}

/// Where x is least and greatest, and where z is: as their features are numbered.
fn walls(field: &HeightField) -> [Wall; 4] {
    let (low, high) = field.bounds();
    [(0, low.x, DVec3::NEG_X), (0, high.x, DVec3::X), (2, low.z, DVec3::NEG_Z), (2, high.z, DVec3::Z)]
        .map(|(axis, at, outward)| Wall { axis, at, outward })
}

/// Rays farther from across a triangle have its place by the share of a segment.
const STEEP: f64 = 1e-6;

/// Visits where a ray (frame of the field) meets the surface no farther than `most`, m. With `is_first`, those behind the first one may be left
/// out.
pub fn hits(field: &HeightField, ray: &Ray, most: f64, is_first: bool, visit: &mut impl FnMut(RayHit)) {
    let (low, high) = field.bounds();
    let (origin, direction) = (ray.origin(), ray.direction());
    // Walls are met where the ray is in their planes; triangles no farther than the farthest corner.
    let met = walls(field).map(|wall| {
        let distance = (wall.at - origin[wall.axis]) / direction[wall.axis];
        (direction[wall.axis] != 0.0 && distance >= 0.0 && distance <= most).then_some(distance)
    });
    let reach = (origin - low).abs().max((origin - high).abs()).length().min(most);
    let length = 1.001 * met.iter().flatten().fold(reach, |longest, &distance| longest.max(distance));
    if !(length.is_finite() && length > 0.0) {
        return;
    }
    let (from, to) = (origin, ray.at(length));
    let mut first = 1.0_f64;
    for ((wall, distance), number) in walls(field).iter().zip(met).zip(0..) {
        let Some(distance) = distance else { continue };
        let floor = ray.at(distance).y.min(low.y) - (high - low).length();
        for triangle in wall_near(field, wall, ray.at(distance), floor) {
            if let Some(found) = crossing([from, to], triangle) {
                first = first.min(found.fraction);
                let feature = Feature::Surface(number);
                visit(RayHit::of_feature(ray, distance, wall.outward, feature, None, found.enters));
            }
        }
    }
    let slabs = Slabs::new(ray, low.abs().max(high.abs()).max_element());
    let entry = |own: &Bounds| slabs.entry(own) / length;
    let end = if is_first { first } else { 1.0 };
    // Boxes at the end of the segment are looked at as well.
    Ground(field).nearest(end.next_up(), entry, |(number, Triangle(corners)), _| {
        let Some(found) = crossing([from, to], corners) else { return f64::INFINITY };
        let normal = plane_of(field, number).1;
        let slope = normal.dot(direction);
        let in_plane = normal.dot(corners[0] - origin) / slope;
        let distance = if slope.abs() > STEEP { in_plane.max(0.0) } else { found.fraction * length };
        if distance <= most {
            visit(RayHit::of_feature(ray, distance, normal, Feature::Facet(number), Some(number), found.enters));
        }
        if is_first { found.fraction.next_up() } else { f64::INFINITY }
    });
}

/// The parts of a wall down to a floor (m) near a point of its plane, as triangles.
fn wall_near(field: &HeightField, wall: &Wall, point: DVec3, floor: f64) -> impl Iterator<Item = [DVec3; 3]> {
    let ([rows, columns], [along_x, along_z]) = (field.size(), field.spacing());
    let (at_end, axis) = (wall.outward.element_sum() > 0.0, wall.axis);
    let (count, place) = if axis == 0 { (rows, point.z / along_z) } else { (columns, point.x / along_x) };
    let vertex = move |k: usize| {
        let (row, column) = match (axis, at_end) {
            (0, false) => (k, 0),
            (0, true) => (k, columns - 1),
            (_, false) => (0, k),
            (_, true) => (rows - 1, k),
        };
        field.vertex((row * columns + column) as u32)
    };
    let cells = if place.is_finite() { place.floor() } else { 0.0 };
    let cells = [cells - 1.0, cells, cells + 1.0].into_iter().filter(move |&k| k >= 0.0 && k < (count - 1) as f64);
    // Counter-clockwise seen from outside.
    let is_turned = (axis == 0) == at_end;
    cells.flat_map(move |k| {
        let ends = [vertex(k as usize), vertex(k as usize + 1)];
        let [p, q] = if is_turned { [ends[1], ends[0]] } else { ends };
        let [below_p, below_q] = [p, q].map(|v| DVec3 { y: floor, ..v });
        [[p, below_p, below_q], [p, below_q, q]]
    })
}

/// The point of the surface of the solid below a height field that is closest to a point, with the feature and triangle there: of the walls where it ends, none but
/// [`Feature::Surface`] as rays have it.
pub fn closest_of_terrain(field: &HeightField, point: DVec3) -> Option<OnSurface> {
    let around = Bounds { low: point, high: point };
    let mut best: Option<(u32, ClosestPoint)> = None;
    Ground(field).nearest(
        f64::INFINITY,
        |own| gap(own, &around),
        |(number, Triangle(corners)), _| {
            let found = closest_of_triangle(point, corners);
            let is_better = best.as_ref().is_none_or(|(other, best)| (found.squared, number) < (best.squared, *other));
            if found.squared.is_finite() && is_better {
                best = Some((number, found));
            }
            // Triangles at the same distance are looked at as well.
            found.squared.sqrt().next_up()
        },
    );
    let (triangle, closest) = best?;
    let is_inside = field.side_of(point).is_some_and(|side| side < 0.0);
    let signed = |length: f64| if is_inside && length > 0.0 { -length } else { length };
    let (wall, foot, outward) = nearest_wall(field, point);
    let is_on_wall = field.side_of(foot).is_some_and(|side| side <= 0.0);
    let from_wall = foot.distance(point);
    if is_on_wall && from_wall * from_wall < closest.squared {
        // At an upright edge, the way to the point.
        let normal = if is_inside { outward } else { (point - foot).try_normalize().unwrap_or(outward) };
        let on = SurfacePoint { position: foot, normal, distance: signed(from_wall) };
        return Some((on, Feature::Surface(wall), None));
    }
    let (away, length) = (point - closest.position, closest.squared.sqrt());
    let way = || if is_inside { -away } else { away }.try_normalize();
    let front = || plane_of(field, triangle).1;
    // Where the field ends, walls are around as well.
    let is_inner = match closest.part {
        Part::Face => true,
        Part::Side(side) => field.twin(3 * triangle + side as u32) != NONE,
        Part::Corner(corner) => !field.is_at_border(field.corners(triangle)[corner]),
    };
    let normal = is_inner.then(|| pseudonormal(field, triangle, closest.part)).flatten();
    let normal = normal.or_else(way).unwrap_or_else(front);
    let on = SurfacePoint { position: closest.position, normal, distance: signed(length) };
    Some((on, Feature::Facet(triangle), Some(triangle)))
}

/// The wall of a height field that is nearest to a point as seen from above, the point of its plane there, and the outward normal.
fn nearest_wall(field: &HeightField, point: DVec3) -> (u32, DVec3, DVec3) {
    let (low, high) = field.bounds();
    let beside = [point.x - low.x, high.x - point.x, point.z - low.z, high.z - point.z];
    let nearest = (0..4).min_by(|&p, &q| beside[p].total_cmp(&beside[q])).unwrap_or(0);
    let wall = walls(field)[nearest];
    let clamped = DVec3::new(point.x.clamp(low.x, high.x), point.y, point.z.clamp(low.z, high.z));
    let foot = if beside[nearest] > 0.0 { wall.onto(point) } else { clamped };
    (nearest as u32, foot, wall.outward)
}
