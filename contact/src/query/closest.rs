//! The closest points of two shapes.

use glam::{DMat3, DVec3};

use super::gjk::{self, Distance};
use super::point::{closest_of_convex, closest_of_surface};
use super::support::{Convex, PlacedSupport, Support, Triangle};
use super::triangle_pair::closest_of_triangles;
use super::view::{Surfaced, View, on_half_space};
use super::{QueryError, checked_length, checked_pose};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{Shape, SurfacePoint};
use crate::solid::triangle_tree::HalfBox;
use crate::vclip::{Outcome, Pair, RelativePose, certified};

/// The closest points of two shapes that are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// Of A and of B, world frame, m.
    pub points: [DVec3; 2],
    /// From A to B, world frame, unit.
    pub normal: DVec3,
    /// m, above zero.
    pub distance: f64,
}

/// How two shapes are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proximity {
    /// They have a point in common, or touch up to rounding.
    Overlapping,
    /// They are apart.
    Apart(ClosestPoints),
    /// They are farther apart than was asked for.
    Beyond,
}

impl Proximity {
    /// The distance, m: zero of shapes that overlap, `None` beyond.
    pub fn distance(&self) -> Option<f64> {
        match self {
            Self::Overlapping => Some(0.0),
            Self::Apart(closest) => Some(closest.distance),
            Self::Beyond => None,
        }
    }
}

/// The closest points of two shapes at poses, if they are no farther apart than `max_distance` (m, may be infinite).
///
/// Convex polyhedra are asked by V-Clip, other convex shapes by their support functions (GJK), and triangles of a surface that is not
/// convex one by one, where they are near.
///
/// # Errors
/// [`QueryError`] for a pose or distance that is none, [`QueryError::Kind`] for general solids.
pub fn closest_points(
    [a, b]: [&Shape; 2],
    [pose_a, pose_b]: [&Pose; 2],
    max_distance: f64,
) -> Result<Proximity, QueryError> {
    checked_pose(pose_a, "first shape")?;
    checked_pose(pose_b, "second shape")?;
    checked_length(max_distance, "greatest distance")?;
    let views = [View::convex_of(a).checked("closest points")?, View::convex_of(b).checked("closest points")?];
    let relative = pose_a.inverse() * *pose_b;
    Ok(match closest(views, [a, b], &relative, max_distance) {
        Distance::Overlapping => Proximity::Overlapping,
        Distance::Beyond => Proximity::Beyond,
        Distance::Apart { points, normal, distance, .. } => Proximity::Apart(ClosestPoints {
            points: points.map(|p| pose_a.transform_point(p)),
            normal: pose_a.rotation * normal,
            distance,
        }),
    })
}

/// The same in the frame of A, of views of the shapes; `relative` takes the frame of B to that of A.
pub fn closest(views: [View<'_>; 2], shapes: [&Shape; 2], relative: &Pose, limit: f64) -> Distance {
    let bounds = |k: usize, pose: &Pose| {
        let (low, high) = shapes[k].bounds_at(pose);
        Bounds { low, high }
    };
    match views {
        [View::HalfSpace, View::HalfSpace] => between_half_spaces(relative, limit),
        [View::HalfSpace, View::Convex(b)] => above_half_space(&PlacedSupport::new(b, relative), limit),
        [View::HalfSpace, View::Surface(b)] => surface_above_half_space(&b, relative, limit),
        [View::Convex(Convex::Polyhedron(a)), View::Convex(Convex::Polyhedron(b))] => {
            let placement = RelativePose::from_parts(DMat3::from_quat(relative.rotation), relative.translation);
            match certified(a, b, &placement, &mut Pair::cold(a, b, &placement)) {
                Outcome::Overlapping { .. } => Distance::Overlapping,
                Outcome::Apart { closest, .. } if closest.distance > limit => Distance::Beyond,
                Outcome::Apart { closest, certificate, .. } => {
                    let points = [closest.points[0], placement.point_of_b(closest.points[1])];
                    apart(points, closest.distance, certificate.lower)
                }
            }
        }
        [View::Convex(a), View::Convex(Convex::Ball { radius })] if !matches!(a, Convex::Polyhedron(_)) => {
            beside_ball(&closest_of_convex(&a, relative.translation), relative.translation, radius, limit)
        }
        // A ball is on the other side of any other primitive.
        [View::Convex(a), View::Convex(b)]
            if !matches!(a, Convex::Ball { .. }) || matches!(b, Convex::Polyhedron(_)) =>
        {
            gjk::distance(&a, &PlacedSupport::new(b, relative), relative.translation, limit)
        }
        [View::Surface(a), View::Convex(Convex::Ball { radius })] => {
            let on = closest_of_surface(&a, relative.translation);
            on.map_or(Distance::Beyond, |(on, _)| beside_ball(&on, relative.translation, radius, limit))
        }
        [View::Surface(a), View::Convex(b)] => {
            surface_and_convex(&a, &PlacedSupport::new(b, relative), bounds(1, relative), limit)
        }
        [View::Surface(a), View::Surface(b)] => between_surfaces(&a, &b, relative, limit),
        [View::Convex(_) | View::Surface(_), _] => {
            let [a, b] = views;
            turned(closest([b, a], [shapes[1], shapes[0]], &relative.inverse(), limit), relative)
        }
        // General solids are refused before.
        [View::Solid(_) | View::Unserved(_), _] | [View::HalfSpace, View::Solid(_) | View::Unserved(_)] => {
            Distance::Beyond
        }
    }
}

/// A surface, by its point closest to the centre of a ball, and the ball.
fn beside_ball(on: &SurfacePoint, centre: DVec3, radius: f64, limit: f64) -> Distance {
    let distance = on.distance - radius;
    if distance <= 0.0 {
        return Distance::Overlapping;
    }
    if distance > limit {
        return Distance::Beyond;
    }
    let normal = (centre - on.position) / on.distance;
    Distance::Apart { points: [on.position, centre - radius * normal], normal, distance, least: distance }
}

/// What was found in the frame of B, with A and B exchanged.
fn turned(found: Distance, relative: &Pose) -> Distance {
    match found {
        Distance::Apart { points: [on_b, on_a], normal, distance, least } => Distance::Apart {
            points: [on_a, on_b].map(|p| relative.transform_point(p)),
            normal: -(relative.rotation * normal),
            distance,
            least,
        },
        other => other,
    }
}

fn apart(points: [DVec3; 2], distance: f64, least: f64) -> Distance {
    let normal = (points[1] - points[0]).normalize_or(DVec3::X);
    Distance::Apart { points, normal, distance, least }
}

/// Two half-spaces are apart only where their surfaces are parallel and face each other.
fn between_half_spaces(relative: &Pose, limit: f64) -> Distance {
    let normal = relative.rotation * DVec3::Y;
    let height = relative.translation.y;
    let faces = normal.y < 0.0 && normal.x == 0.0 && normal.z == 0.0;
    if !faces || height <= 0.0 {
        return Distance::Overlapping;
    }
    if height > limit {
        return Distance::Beyond;
    }
    apart([on_half_space(relative.translation).0, relative.translation], height, height)
}

/// A convex set over the half-space y ≤ 0.
pub fn above_half_space(set: &impl Support, limit: f64) -> Distance {
    lowest_point(set.support(DVec3::NEG_Y) - set.margin() * DVec3::Y, limit)
}

fn lowest_point(lowest: DVec3, limit: f64) -> Distance {
    let (on, height) = on_half_space(lowest);
    if height <= 0.0 {
        Distance::Overlapping
    } else if height > limit {
        Distance::Beyond
    } else {
        Distance::Apart { points: [on, lowest], normal: DVec3::Y, distance: height, least: height }
    }
}

fn surface_above_half_space(surface: &Surfaced<'_>, relative: &Pose, limit: f64) -> Distance {
    let down = relative.rotation.inverse() * DVec3::NEG_Y;
    let vertices = surface.solid.surface().vertices();
    let lowest = vertices.iter().copied().reduce(|p, q| if q.dot(down) > p.dot(down) { q } else { p });
    lowest.map_or(Distance::Beyond, |lowest| lowest_point(relative.transform_point(lowest), limit))
}

/// How far two boxes along the same axes are apart, m.
fn gap_of_boxes((centre, half): HalfBox, (other, other_half): HalfBox) -> f64 {
    ((other - centre).abs() - (half + other_half)).max(DVec3::ZERO).length()
}

/// A surface (A) and a convex set within bounds, both in the frame of the surface.
pub fn surface_and_convex(surface: &Surfaced<'_>, set: &impl Support, bounds: Bounds, limit: f64) -> Distance {
    let around = (bounds.low.midpoint(bounds.high), 0.5 * (bounds.high - bounds.low));
    let mut best = Distance::Beyond;
    // Boxes at exactly the limit are looked at as well.
    let least = limit.next_up();
    surface.solid.tree().nearest(
        least,
        |own| gap_of_boxes(own, around),
        |_, corners, least| {
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            match gjk::distance(&Triangle(corners), set, around.0 - middle, least) {
                Distance::Beyond => f64::INFINITY,
                Distance::Overlapping => {
                    best = Distance::Overlapping;
                    0.0
                }
                found @ Distance::Apart { distance, .. } => {
                    if distance < least && distance <= limit {
                        best = found;
                    }
                    distance
                }
            }
        },
    );
    if best == Distance::Overlapping || surface.solid.is_inside(set.support(DVec3::X)) {
        return Distance::Overlapping;
    }
    best
}

fn between_surfaces(a: &Surfaced<'_>, b: &Surfaced<'_>, relative: &Pose, limit: f64) -> Distance {
    let rotation = DMat3::from_quat(relative.rotation);
    let spread = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
    let (back, back_spread) = (rotation.transpose(), spread.transpose());
    let point = |p: DVec3| rotation * p + relative.translation;
    // Along the axes of both frames.
    let gap = |(centre, half): HalfBox, (other, other_half): HalfBox| {
        let between = point(other) - centre;
        let in_a = (between.abs() - (half + spread * other_half)).max(DVec3::ZERO);
        let in_b = ((back * between).abs() - (other_half + back_spread * half)).max(DVec3::ZERO);
        in_a.length_squared().max(in_b.length_squared()).sqrt()
    };
    let mut best = Distance::Beyond;
    a.solid.tree().nearest_pair(b.solid.tree(), limit.next_up(), gap, |_, [own, other], least| {
        let Some((points, square)) = closest_of_triangles(own, other.map(point)) else {
            best = Distance::Overlapping;
            return 0.0;
        };
        let distance = square.sqrt();
        if distance == 0.0 {
            best = Distance::Overlapping;
        } else if distance < least && distance <= limit {
            best = apart(points, distance, distance);
        }
        distance
    });
    let is_one_inside = || {
        let first = |surface: &Surfaced<'_>| representatives(surface);
        first(b).iter().any(|&p| a.solid.is_inside(point(p)))
            || first(a).iter().any(|&p| b.solid.is_inside(back * (p - relative.translation)))
    };
    if best == Distance::Overlapping || is_one_inside() { Distance::Overlapping } else { best }
}

/// A vertex of each component of a surface.
fn representatives(surface: &Surfaced<'_>) -> Vec<DVec3> {
    let surface = surface.solid.surface();
    let first = |component: u32| surface.components().iter().position(|&own| own == component);
    let all = (0..surface.component_count()).filter_map(first);
    all.map(|triangle| surface.corners(triangle as u32)[0]).collect()
}
