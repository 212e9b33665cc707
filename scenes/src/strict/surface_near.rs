//! The surface of a placed body near a point: how far it is, its facets, and how far it reaches along a direction.

use drystone_contact::bounds::Bounds;
use drystone_contact::bounds_tree::BoundsTree;
use drystone_contact::query::project_point;
use drystone_contact::segment::closest_on_segment;
use drystone_contact::shape::Shape;
use drystone_engine::Pose;
use glam::DVec3;

/// A body's surface in the world.
pub struct PlacedSurface<'s> {
    shape: &'s Shape,
    pose: Pose,
    /// The triangles of a polyhedron, world frame, with outward unit normals, in the order of its surface.
    triangles: Option<Triangles>,
}

struct Triangles {
    corners: Vec<[DVec3; 3]>,
    normals: Vec<DVec3>,
    tree: BoundsTree,
}

/// A plane piece of a surface, or the tangent plane of a curved one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// A point of it, world frame, m: the one that is closest to where it was looked for.
    pub point: DVec3,
    /// Outward, unit, world frame.
    pub normal: DVec3,
    /// How far it is from where it was looked for, m.
    pub distance: f64,
}

impl<'s> PlacedSurface<'s> {
    pub fn new(shape: &'s Shape, pose: Pose) -> Self {
        let triangles = shape.surface().map(|surface| {
            let vertices: Vec<DVec3> = surface.vertices().iter().map(|&v| pose.transform_point(v)).collect();
            let place = |triangle: &[u32; 3]| triangle.map(|v| vertices[v as usize]);
            let corners: Vec<[DVec3; 3]> = surface.triangles().iter().map(place).collect();
            let boxes = corners.iter().enumerate().filter_map(|(k, c)| Some((k as u32, Bounds::around(*c)?)));
            let tree = BoundsTree::new(boxes);
            Triangles { normals: surface.normals().iter().map(|&n| pose.rotation * n).collect(), corners, tree }
        });
        PlacedSurface { shape, pose, triangles }
    }

    /// How far a point is from the surface, from inside or outside, m; `None` where the shape does not tell.
    pub fn distance(&self, point: DVec3) -> Option<f64> {
        Some(project_point(self.shape, &self.pose, point).ok()?.distance.abs())
    }

    /// The facets that come within `radius` (m) of a point, in the order of the triangles; of a curved surface its tangent plane.
    pub fn facets(&self, point: DVec3, radius: f64) -> Vec<Facet> {
        let Some(triangles) = &self.triangles else {
            let Ok(on) = project_point(self.shape, &self.pose, point) else { return Vec::new() };
            let facet = Facet { point: on.position, normal: on.normal, distance: on.distance.abs() };
            return if facet.distance <= radius { vec![facet] } else { Vec::new() };
        };
        let facet = |k: u32| {
            let closest = closest_on_triangle(point, triangles.corners[k as usize]);
            Facet { point: closest, normal: triangles.normals[k as usize], distance: closest.distance(point) }
        };
        triangles.within(point, radius).into_iter().map(facet).filter(|facet| facet.distance <= radius).collect()
    }

    /// The least x·n over the points x of the surface within `radius` (m) of a point, m; `None` if there are none. `direction`
    /// is n, unit.
    pub fn lowest(&self, point: DVec3, radius: f64, direction: DVec3) -> Option<f64> {
        let Some(triangles) = &self.triangles else {
            let on = project_point(self.shape, &self.pose, point).ok()?;
            return (on.distance.abs() <= radius).then(|| on.position.dot(direction));
        };
        let of_triangle = |k: u32| lowest_in_ball(triangles.corners[k as usize], point, radius, direction);
        triangles.within(point, radius).into_iter().filter_map(of_triangle).reduce(f64::min)
    }
}

impl Triangles {
    /// Those whose boxes come within `radius` along each axis, in ascending order.
    fn within(&self, point: DVec3, radius: f64) -> Vec<u32> {
        let mut found = Vec::new();
        self.tree.overlapping(&Bounds { low: point, high: point }.grown(radius), |k| found.push(k));
        found.sort_unstable();
        found
    }
}

/// The sine of an angle below which a triangle lies across a direction.
const LEVEL: f64 = 1e-9;

/// The least x·n over the points of a triangle in a ball: at a corner, where a side leaves the ball, at the lowest point of
/// the circle in which the ball meets the plane, or at the point that is closest to the ball's centre.
fn lowest_in_ball(corners: [DVec3; 3], centre: DVec3, radius: f64, direction: DVec3) -> Option<f64> {
    let closest = closest_on_triangle(centre, corners);
    if closest.distance(centre) > radius {
        return None;
    }
    let mut lowest = closest.dot(direction);
    let mut take = |x: DVec3| lowest = lowest.min(x.dot(direction));
    for k in 0..3 {
        let (start, end) = (corners[k], corners[(k + 1) % 3]);
        if start.distance(centre) <= radius {
            take(start);
        }
        // |start + t·side − centre| = radius
        let (side, away) = (end - start, start - centre);
        let (a, b, c) = (side.length_squared(), away.dot(side), away.length_squared() - radius * radius);
        let root = (b * b - a * c).sqrt();
        [(-b - root) / a, (-b + root) / a]
            .into_iter()
            .filter(|t| (0.0..=1.0).contains(t))
            .for_each(|t| take(start + side * t));
    }
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    let height = (centre - corners[0]).dot(normal);
    let down = normal * direction.dot(normal) - direction;
    // All points of a triangle across n are as low as the closest one.
    if down.length() > LEVEL {
        let reach = (radius * radius - height * height).max(0.0).sqrt();
        let lowest_of_circle = centre - normal * height + down.normalize() * reach;
        if is_above(lowest_of_circle, corners, normal) {
            take(lowest_of_circle);
        }
    }
    Some(lowest)
}

fn closest_on_triangle(point: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    if normal != DVec3::ZERO && is_above(point, corners, normal) {
        return point - normal * (point - corners[0]).dot(normal);
    }
    let on_sides = (0..3).map(|k| closest_on_segment(point, [corners[k], corners[(k + 1) % 3]]));
    on_sides.min_by(|p, q| p.distance(point).total_cmp(&q.distance(point))).unwrap_or(corners[0])
}

/// Whether a point is above or below the inside of a triangle or its border.
fn is_above(point: DVec3, corners: [DVec3; 3], normal: DVec3) -> bool {
    (0..3).all(|k| (corners[(k + 1) % 3] - corners[k]).cross(point - corners[k]).dot(normal) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_contact::split_mix::SplitMix;

    /// Against many points of the triangle: never above any of them, and reached by one nearly.
    #[test]
    fn the_lowest_point_in_a_ball_is_that_of_many_points() {
        let mut sequence = SplitMix::new(11);
        let mut checked = 0;
        for _ in 0..200 {
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| 2.0 * sequence.next_fraction() - 1.0));
            let (corners, centre, direction) = ([vector(), vector(), vector()], vector(), vector().normalize());
            let radius = 0.7;
            const STEPS: usize = 300;
            let mut least = f64::INFINITY;
            for i in 0..=STEPS {
                for j in 0..=STEPS - i {
                    let (s, t) = (i as f64 / STEPS as f64, j as f64 / STEPS as f64);
                    let x = corners[0] + (corners[1] - corners[0]) * s + (corners[2] - corners[0]) * t;
                    if x.distance(centre) <= radius {
                        least = least.min(x.dot(direction));
                    }
                }
            }
            match lowest_in_ball(corners, centre, radius, direction) {
                Some(found) if least.is_finite() => {
                    checked += 1;
                    assert!(found <= least + 1e-12 && found > least - 0.08, "{found} {least}");
                }
                Some(_) => {}
                None => assert_eq!(least, f64::INFINITY),
            }
        }
        assert!(checked > 50, "{checked}");
    }
}
