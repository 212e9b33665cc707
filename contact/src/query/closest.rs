//! The closest points of two shapes.

use glam::{DMat3, DVec3};

use super::box_hierarchy::{BoxHierarchy, gap};
use super::gjk::{self, Distance};
use super::ground::{Columns, Ground};
use super::pieces::{self, Frames};
use super::point::{closest_of_convex, closest_of_surface};
use super::ray::radius_of_ball;
use super::support::{Convex, PlacedSupport, Support, Triangle};
use super::terrain::closest_of_terrain;
use super::triangle_pair::closest_of_triangles;
use super::view::{View, on_half_space};
use super::{QueryError, checked_length, checked_pose};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{Compound, CompoundPart, HeightField, OpenSurface, Shape, SurfacePoint};
use crate::solid::triangle_tree::TriangleTree;
use crate::solid::{PolyhedralSolid, Solid};
use crate::vclip::{Outcome, Pair, RelativePose, certified};

/// Of two height fields, columns are looked at down to so many times their sizes and their distance: that is where those that are turned
/// against each other may meet.
const DEEP: f64 = 64.0;

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
    let pose_a = &checked_pose(pose_a, "first shape")?;
    let pose_b = &checked_pose(pose_b, "second shape")?;
    checked_length(max_distance, "greatest distance")?;
    if let (Some(radius), Some(other)) = (radius_of_ball(a), radius_of_ball(b)) {
        return Ok(between_balls([pose_a.translation, pose_b.translation], [radius, other], max_distance));
    }
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
    let bounds_of_b = || {
        let (low, high) = shapes[1].bounds_at(relative);
        Bounds { low, high }
    };
    match views {
        // General solids are refused before.
        [View::Solid(_), _] | [_, View::Solid(_)] => Distance::Beyond,
        [View::Compound(a), b] => parts_and(a, b, shapes[1], relative, limit),
        [View::HalfSpace, View::HalfSpace] => between_half_spaces(relative, limit),
        [View::HalfSpace, View::Convex(b)] => above_half_space(&PlacedSupport::new(b, relative), limit),
        [View::HalfSpace, View::Terrain(b)] => terrain_above_half_space(b, relative, limit),
        [View::HalfSpace, View::Surface(_) | View::Mesh(_)] => match views[1].triangles() {
            Some((tree, _)) => lowest_point(pieces::lowest(tree, relative), limit),
            None => Distance::Beyond,
        },
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
        [View::Terrain(a), View::Convex(Convex::Ball { radius })] => {
            let on = closest_of_terrain(a, relative.translation);
            on.map_or(Distance::Beyond, |(on, ..)| beside_ball(&on, relative.translation, radius, limit))
        }
        [View::Terrain(a), View::Convex(b)] => {
            let around = bounds_of_b();
            pieces::and_convex(&Columns::beside(a, &around), &PlacedSupport::new(b, relative), &around, limit)
        }
        [View::Terrain(a), View::Surface(_) | View::Mesh(_)] => match views[1].triangles() {
            Some((tree, _)) => pieces::between(&Columns::beside(a, &bounds_of_b()), tree, relative, limit),
            None => Distance::Beyond,
        },
        [View::Terrain(a), View::Terrain(b)] => {
            let columns = deep_columns([a, b], relative, 0.0);
            pieces::between(&columns[0], &columns[1], relative, limit)
        }
        [a, b] => match ((a.triangles(), b), b.triangles()) {
            ((Some((tree, solid)), View::Convex(b)), _) => {
                surface_and_convex(tree, solid, &PlacedSupport::new(b, relative), &bounds_of_b(), limit)
            }
            ((Some(a), _), Some(b)) => between_surfaces(a, b, relative, limit),
            _ => turned(closest([b, a], [shapes[1], shapes[0]], &relative.inverse(), limit), relative),
        },
    }
}

/// A compound (A) by its parts, those whose boxes are nearer to B first.
fn parts_and(compound: &Compound, b: View<'_>, shape: &Shape, relative: &Pose, limit: f64) -> Distance {
    let (low, high) = shape.bounds_at(relative);
    let around = Bounds { low, high };
    let mut best = Distance::Beyond;
    // Boxes at exactly the limit are looked at as well.
    compound.tree().nearest(
        limit.next_up(),
        |own| gap(own, &around),
        |part, least| {
            let CompoundPart { shape: own, pose } = &compound.parts()[part as usize];
            let seen = pose.inverse() * *relative;
            match closest([View::convex_of(own), b], [own, shape], &seen, least.min(limit)) {
                Distance::Beyond => f64::INFINITY,
                Distance::Overlapping => {
                    best = Distance::Overlapping;
                    0.0
                }
                Distance::Apart { points, normal, distance, least: lower } => {
                    if distance < least {
                        let points = points.map(|p| pose.transform_point(p));
                        best = Distance::Apart { points, normal: pose.rotation * normal, distance, least: lower };
                    }
                    distance
                }
            }
        },
    );
    best
}

/// Two balls by their centres, m, and radii, m.
fn between_balls([p, q]: [DVec3; 2], [radius, other]: [f64; 2], limit: f64) -> Proximity {
    let length = p.distance(q);
    let distance = length - radius - other;
    if distance <= 0.0 {
        return Proximity::Overlapping;
    }
    if distance > limit {
        return Proximity::Beyond;
    }
    let normal = (q - p) / length;
    Proximity::Apart(ClosestPoints { points: [p + radius * normal, q - other * normal], normal, distance })
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
    lowest_point(Some(set.support(DVec3::NEG_Y) - set.margin() * DVec3::Y), limit)
}

/// The same of its lowest point.
pub fn lowest_point(lowest: Option<DVec3>, limit: f64) -> Distance {
    let Some(lowest) = lowest else { return Distance::Beyond };
    let (on, height) = on_half_space(lowest);
    if height <= 0.0 {
        Distance::Overlapping
    } else if height > limit {
        Distance::Beyond
    } else {
        Distance::Apart { points: [on, lowest], normal: DVec3::Y, distance: height, least: height }
    }
}

/// What is below a height field, over the half-space y ≤ 0: apart only where it hangs over it, upside down.
fn terrain_above_half_space(field: &HeightField, relative: &Pose, limit: f64) -> Distance {
    if (relative.rotation * DVec3::NEG_Y).y < 0.0 {
        return Distance::Overlapping;
    }
    lowest_point(pieces::lowest(&Ground(field), relative), limit)
}

/// The columns below two height fields, each down to where the other one is many times over; they move by so much (m).
pub fn deep_columns<'s>([a, b]: [&'s HeightField; 2], relative: &Pose, motion: f64) -> [Columns<'s>; 2] {
    let size = |field: &HeightField| (field.bounds().1 - field.bounds().0).length();
    let depth = DEEP * (size(a) + size(b) + relative.translation.length() + motion);
    let below = |pose: &Pose, field: &HeightField| {
        let (low, high) = field.bounds();
        let lowest = pose.transform_point(low.midpoint(high)).y - depth;
        Bounds { low: DVec3::new(0.0, lowest, 0.0), high: DVec3::ZERO }
    };
    [Columns::beside(a, &below(relative, b)), Columns::beside(b, &below(&relative.inverse(), a))]
}

/// A surface or mesh, with the solid within if there is one, and a convex set within bounds, both in the frame of the surface.
pub fn surface_and_convex(
    tree: &TriangleTree,
    solid: Option<&PolyhedralSolid>,
    set: &impl Support,
    bounds: &Bounds,
    limit: f64,
) -> Distance {
    let best = pieces::and_convex(tree, set, bounds, limit);
    let is_inside = best != Distance::Overlapping && solid.is_some_and(|solid| solid.is_inside(set.support(DVec3::X)));
    if is_inside { Distance::Overlapping } else { best }
}

/// Two surfaces or meshes, each with the solid within if there is one.
fn between_surfaces(
    (tree, solid): (&TriangleTree, Option<&PolyhedralSolid>),
    (other, other_solid): (&TriangleTree, Option<&PolyhedralSolid>),
    relative: &Pose,
    limit: f64,
) -> Distance {
    let frames = Frames::of(relative);
    let mut best = Distance::Beyond;
    let visit = |(_, own): (u32, Triangle), (_, theirs): (u32, Triangle), least: f64| {
        let Some((points, square)) = closest_of_triangles(own.0, theirs.0.map(|p| frames.point(p))) else {
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
    };
    tree.nearest_pair(other, limit.next_up(), |own, theirs| frames.gap(own, theirs), visit);
    // Nothing crosses: a component of the one is in the other as a whole, or outside.
    let is_one_inside = || {
        solid.is_some_and(|solid| has_vertex_inside(solid, other, relative))
            || other_solid.is_some_and(|solid| has_vertex_inside(solid, tree, &relative.inverse()))
    };
    if best == Distance::Overlapping || is_one_inside() { Distance::Overlapping } else { best }
}

/// Whether a triangle of a tree, at a pose in the frame of a solid that none crosses, is inside of it.
fn has_vertex_inside(solid: &PolyhedralSolid, tree: &TriangleTree, pose: &Pose) -> bool {
    let (frames, around) = (Frames::of(pose), Solid::bounds(solid));
    let mut is_inside = false;
    tree.nearest(
        f64::INFINITY,
        |own| if frames.gap(&around, own) > 0.0 { f64::INFINITY } else { 0.0 },
        |(_, triangle), _| {
            is_inside = solid.is_inside(frames.point(triangle.0[0]));
            if is_inside { f64::NEG_INFINITY } else { f64::INFINITY }
        },
    );
    is_inside
}
