//! Shape casts: when a shape that moves first touches one that rests, by conservative advancement (Mirtich, "Impulse-based dynamic
//! simulation of rigid body systems", 1996, section 2.3.2; Zhang, Lee and Kim, "Interactive continuous collision detection for non-convex
//! polyhedra", 2006).
//!
//! Two convex sets at a distance d with a plane between them do not meet before d over the greatest speed with which any point of the one
//! gets nearer to that plane. Surfaces that are not convex are taken triangle by triangle, those first that boxes around the motion may
//! meet first.

use glam::{DMat3, DVec3};

use super::box_hierarchy::BoxHierarchy;
use super::closest::{ClosestPoints, closest, deep_columns, lowest_point};
use super::gjk::{self, Distance};
use super::ground::Columns;
use super::pieces::lowest;
use super::support::{PlacedSupport, Support};
use super::view::View;
use super::{QueryError, checked_pose, checked_vector};
use crate::bounds::Bounds;
use crate::pose::{Pose, advance};
use crate::shape::{CompoundPart, Shape};

/// A pair of sets is looked at so often at most. A motion that needs more is taken to touch where it was followed to.
const LOOKS: usize = 1000;

/// The motion of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeMotion {
    /// How far the origin of the shape's frame goes, straight and at constant speed, world frame, m.
    pub translation: DVec3,
    /// By which it turns about that origin, at constant angular velocity: a rotation vector, world frame, rad.
    pub rotation: DVec3,
}

impl ShapeMotion {
    /// A motion without rotation.
    pub fn straight(translation: DVec3) -> Self {
        Self { translation, rotation: DVec3::ZERO }
    }

    /// The pose after a share of the motion.
    pub fn pose(&self, start: &Pose, fraction: f64) -> Pose {
        if fraction == 0.0 { *start } else { advance(*start, self.translation, self.rotation, fraction) }
    }
}

/// Where a moving shape touches another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// The share of the motion before, 0…1. There the shapes are no farther apart than the tolerance, and before that they do not
    /// overlap.
    pub fraction: f64,
    /// The closest points there: A is the shape that moves, the normal points from it to the other one. `None` if the shapes overlap
    /// where the motion begins.
    pub closest: Option<ClosestPoints>,
}

/// When `moving` first comes as near as `tolerance` (m, above zero) to `target`, which rests.
///
/// # Errors
/// [`QueryError`] for a pose, motion or tolerance that is none, [`QueryError::Kind`] for general solids, and for half-spaces and height
/// fields that turn.
pub fn cast_shape(
    [moving, target]: [&Shape; 2],
    [pose, target_pose]: [&Pose; 2],
    motion: &ShapeMotion,
    tolerance: f64,
) -> Result<Option<ShapeHit>, QueryError> {
    let pose = &checked_pose(pose, "moving shape")?;
    let target_pose = &checked_pose(target_pose, "shape at rest")?;
    checked_vector(motion.translation, "translation")?;
    checked_vector(motion.rotation, "rotation")?;
    if !(tolerance.is_finite() && tolerance > 0.0) {
        let allowed = "it must be finite and above zero";
        return Err(QueryError::Length { quantity: "tolerance", value: tolerance, allowed });
    }
    let views = [View::convex_of(moving).checked("a shape cast")?, View::convex_of(target).checked("a shape cast")?];
    let has_no_end = matches!(views[0], View::HalfSpace | View::Terrain(_));
    if has_no_end && motion.rotation != DVec3::ZERO {
        return Err(QueryError::Kind { kind: moving.kind(), what: "a shape cast that turns it" });
    }
    // All in the frame of the shape at rest.
    let back = target_pose.rotation.inverse();
    let path = Path {
        start: target_pose.inverse() * *pose,
        motion: ShapeMotion { translation: back * motion.translation, rotation: back * motion.rotation },
        radius: if has_no_end { 0.0 } else { moving.radius() },
        tolerance,
        part: Pose::IDENTITY,
    };
    let reach = path.most() + tolerance;
    let hit = match closest([views[1], views[0]], [target, moving], &path.start, reach) {
        Distance::Beyond => return Ok(None),
        Distance::Overlapping => return Ok(Some(ShapeHit { fraction: 0.0, closest: None })),
        Distance::Apart { .. } => first_touch(views, [moving, target], &path, 1.0),
    };
    // Parts beside those that have touched first may be nearer by less than the tolerance.
    let there =
        |touch: Touch| match closest([views[1], views[0]], [target, moving], &path.pose(touch.fraction), f64::INFINITY)
        {
            Distance::Apart { points: [q, p], normal, distance, .. } => {
                Touch { closest: Some(ClosestPoints { points: [p, q], normal: -normal, distance }), ..touch }
            }
            _ => touch,
        };
    Ok(hit.map(there).map(|Touch { fraction, closest }| ShapeHit {
        fraction,
        closest: closest.map(|ClosestPoints { points, normal, distance }| ClosestPoints {
            points: points.map(|p| target_pose.transform_point(p)),
            normal: target_pose.rotation * normal,
            distance,
        }),
    }))
}

/// How the shape, or a part of it, moves in the frame of the other one.
#[derive(Clone, Copy)]
struct Path {
    start: Pose,
    motion: ShapeMotion,
    /// No point of the shape is farther from the origin of its frame, m.
    radius: f64,
    tolerance: f64,
    /// From the frame of the part to that of the shape.
    part: Pose,
}

struct Touch {
    fraction: f64,
    closest: Option<ClosestPoints>,
}

impl Path {
    /// Of the part.
    fn pose(&self, fraction: f64) -> Pose {
        self.motion.pose(&self.start, fraction) * self.part
    }

    /// The same path seen from a frame.
    fn seen_from(&self, frame: &Pose) -> Self {
        let back = frame.rotation.inverse();
        let motion = ShapeMotion { translation: back * self.motion.translation, rotation: back * self.motion.rotation };
        Self { start: frame.inverse() * self.start, motion, ..*self }
    }

    /// How far a point comes by the rotation at most, m.
    fn turning(&self) -> f64 {
        let angle = self.motion.rotation.length();
        if angle > 0.0 { self.radius * angle } else { 0.0 }
    }

    /// How far a point comes at most, m.
    fn most(&self) -> f64 {
        self.motion.translation.length() + self.turning()
    }

    /// How much nearer any point gets to a plane with this normal, by the whole motion, m.
    fn approach(&self, normal: DVec3) -> f64 {
        let turn = normal.cross(self.motion.rotation).length();
        self.motion.translation.dot(normal).max(0.0) + if turn > 0.0 { self.radius * turn } else { 0.0 }
    }

    /// Advances two convex sets up to a fraction. `measure` says how far they are apart, with points and normal from the moving one
    /// to the other.
    fn advance(&self, end: f64, measure: impl Fn(&Pose, f64) -> Distance) -> Option<Touch> {
        let (mut fraction, mut last) = (0.0, None);
        for _ in 0..LOOKS {
            let reach = (end - fraction) * self.most() + self.tolerance;
            let Distance::Apart { points, normal, distance, least } = (match measure(&self.pose(fraction), reach) {
                Distance::Beyond => return None,
                Distance::Overlapping => return Some(Touch { fraction, closest: last }),
                apart @ Distance::Apart { .. } => apart,
            }) else {
                return None;
            };
            last = Some(ClosestPoints { points, normal, distance });
            if distance <= self.tolerance {
                break;
            }
            let approach = self.approach(normal);
            if approach <= 0.0 {
                return None;
            }
            fraction += (least.max(0.5 * distance) - 0.5 * self.tolerance) / approach;
            if fraction > end {
                return None;
            }
        }
        Some(Touch { fraction, closest: last })
    }

    /// Before which fraction two boxes (the moving one where the motion begins) surely do not meet; infinity if they never do. They may be
    /// infinite.
    fn entry(&self, moving: &Bounds, other: &Bounds) -> f64 {
        let margin = self.turning() + self.tolerance;
        let (before, behind) = (other.low - moving.high - margin, other.high - moving.low + margin);
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let (p, q, way) = (before[axis], behind[axis], self.motion.translation[axis]);
            if way == 0.0 {
                if p > 0.0 || q < 0.0 {
                    return f64::INFINITY;
                }
                continue;
            }
            let (p, q) = (p / way, q / way);
            (begin, end) = (begin.max(p.min(q)), end.min(p.max(q)));
        }
        if begin <= end { begin } else { f64::INFINITY }
    }

    /// Around a box of the frame of the part in the other one, where the motion begins.
    fn placed_box(&self, own: &Bounds) -> Bounds {
        let pose = self.pose(0.0);
        let r = DMat3::from_quat(pose.rotation);
        let spread = DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs());
        let (middle, reach) = (pose.transform_point(own.low.midpoint(own.high)), spread * (0.5 * (own.high - own.low)));
        Bounds { low: middle - reach, high: middle + reach }
    }

    /// A shape or part where the motion begins, and how much lower than that it may come, along y, m.
    fn sunk(&self, moving: &Shape) -> Bounds {
        let (low, high) = moving.bounds_at(&self.pose(0.0));
        Bounds { low: low - DVec3::Y * self.most(), high }
    }

    /// The same of the shape at rest, in the frame of the moving one.
    fn sunk_target(&self, target: &Shape) -> Bounds {
        let (low, high) = target.bounds_at(&self.pose(0.0).inverse());
        Bounds { low: low - DVec3::Y * self.most(), high }
    }

    /// The first touch of pieces of the moving shape and of a convex set within bounds.
    fn pieces_and_set<S: Support>(
        &self,
        pieces: &impl BoxHierarchy<Item = (u32, S)>,
        target: &impl Support,
        around: &Bounds,
        end: f64,
    ) -> Option<Touch> {
        let mut first = First::default();
        let measure = |own: &Bounds| self.entry(&self.placed_box(own), around);
        let visit = |(_, own): (u32, S), least: f64| first.take(self.advance_sets(least.min(end), &own, target));
        pieces.nearest(end.next_up(), measure, visit);
        first.touch
    }

    /// Of a convex set, which moves, within bounds where the motion begins, and pieces of the other shape.
    fn set_and_pieces<S: Support>(
        &self,
        moving: &impl Support,
        around: &Bounds,
        pieces: &impl BoxHierarchy<Item = (u32, S)>,
        end: f64,
    ) -> Option<Touch> {
        let mut first = First::default();
        let measure = |other: &Bounds| self.entry(around, other);
        let visit = |(_, other): (u32, S), least: f64| first.take(self.advance_sets(least.min(end), moving, &other));
        pieces.nearest(end.next_up(), measure, visit);
        first.touch
    }

    /// Of pieces of both shapes.
    fn pieces_and_pieces<S: Support, T: Support>(
        &self,
        moving: &impl BoxHierarchy<Item = (u32, S)>,
        target: &impl BoxHierarchy<Item = (u32, T)>,
        end: f64,
    ) -> Option<Touch> {
        let mut first = First::default();
        let measure = |own: &Bounds, other: &Bounds| self.entry(&self.placed_box(own), other);
        let visit = |(_, own): (u32, S), (_, other): (u32, T), least: f64| {
            first.take(self.advance_sets(least.min(end), &own, &other))
        };
        moving.nearest_pair(target, end.next_up(), measure, visit);
        first.touch
    }

    /// Two sets, the moving one in its own frame.
    fn advance_sets(&self, end: f64, moving: &impl Support, target: &impl Support) -> Option<Touch> {
        self.advance(end, |pose, limit| {
            let placed = PlacedSupport::new(moving, pose);
            let towards = target.support(DVec3::X) - placed.support(DVec3::X);
            gjk::distance(&placed, target, towards, limit)
        })
    }
}

/// What comes first so far, of all pieces.
#[derive(Default)]
struct First {
    touch: Option<Touch>,
}

impl First {
    fn take(&mut self, found: Option<Touch>) -> f64 {
        let Some(touch) = found else { return f64::INFINITY };
        let fraction = touch.fraction;
        if self.touch.as_ref().is_none_or(|first| fraction < first.fraction) {
            self.touch = Some(touch);
        }
        fraction
    }
}

/// The same touch, seen from the frame that a pose leads to.
fn placed(touch: Touch, pose: &Pose) -> Touch {
    let closest = touch.closest.map(|ClosestPoints { points, normal, distance }| ClosestPoints {
        points: points.map(|p| pose.transform_point(p)),
        normal: pose.rotation * normal,
        distance,
    });
    Touch { closest, ..touch }
}

/// The first touch, up to a fraction, of two shapes that are apart where the motion begins.
fn first_touch(views: [View<'_>; 2], shapes: [&Shape; 2], path: &Path, end: f64) -> Option<Touch> {
    let turned = |found: Distance| match found {
        Distance::Apart { points: [p, q], normal, distance, least } => {
            Distance::Apart { points: [q, p], normal: -normal, distance, least }
        }
        other => other,
    };
    let bounds_at = |k: usize, pose: &Pose| {
        let (low, high) = shapes[k].bounds_at(pose);
        Bounds { low, high }
    };
    let target_bounds = || bounds_at(1, &Pose::IDENTITY);
    match views {
        [View::Compound(moving), target] => {
            let (mut first, around) = (First::default(), target_bounds());
            let measure = |own: &Bounds| path.entry(&path.placed_box(own), &around);
            moving.tree().nearest(end.next_up(), measure, |number, least| {
                let CompoundPart { shape, pose } = &moving.parts()[number as usize];
                let part = Path { part: path.part * *pose, ..*path };
                let views = [View::convex_of(shape), target];
                first.take(first_touch(views, [shape, shapes[1]], &part, least.min(end)))
            });
            first.touch
        }
        [moving, View::Compound(target)] => {
            let (mut first, around) = (First::default(), bounds_at(0, &path.pose(0.0)));
            let measure = |other: &Bounds| path.entry(&around, other);
            target.tree().nearest(end.next_up(), measure, |number, least| {
                let CompoundPart { shape, pose } = &target.parts()[number as usize];
                let views = [moving, View::convex_of(shape)];
                let touch = first_touch(views, [shapes[0], shape], &path.seen_from(pose), least.min(end));
                first.take(touch.map(|touch| placed(touch, pose)))
            });
            first.touch
        }
        [View::Terrain(moving), View::Convex(target)] => {
            let columns = Columns::beside(moving, &path.sunk_target(shapes[1]));
            path.pieces_and_set(&columns, &target, &target_bounds(), end)
        }
        [View::Convex(moving), View::Terrain(target)] => {
            let columns = Columns::beside(target, &path.sunk(shapes[0]));
            path.set_and_pieces(&moving, &bounds_at(0, &path.pose(0.0)), &columns, end)
        }
        [moving, target] => match (moving.triangles(), target.triangles(), moving, target) {
            (Some((tree, _)), _, _, View::HalfSpace) => {
                path.advance(end, |pose, limit| turned(lowest_point(lowest(tree, pose), limit)))
            }
            (Some((tree, _)), Some((other, _)), ..) => path.pieces_and_pieces(tree, other, end),
            (Some((tree, _)), _, _, View::Convex(target)) => path.pieces_and_set(tree, &target, &target_bounds(), end),
            (_, Some((tree, _)), View::Convex(moving), _) => {
                path.set_and_pieces(&moving, &bounds_at(0, &path.pose(0.0)), tree, end)
            }
            (Some((tree, _)), _, _, View::Terrain(target)) => {
                path.pieces_and_pieces(tree, &Columns::beside(target, &path.sunk(shapes[0])), end)
            }
            (_, Some((tree, _)), View::Terrain(moving), _) => {
                path.pieces_and_pieces(&Columns::beside(moving, &path.sunk_target(shapes[1])), tree, end)
            }
            (_, _, View::Terrain(moving), View::Terrain(target)) => {
                let columns = deep_columns([target, moving], &path.pose(0.0), path.most());
                path.pieces_and_pieces(&columns[1], &columns[0], end)
            }
            // Convex sets, and those without an end, which do not turn.
            _ => {
                path.advance(end, |pose, limit| turned(closest([target, moving], [shapes[1], shapes[0]], pose, limit)))
            }
        },
    }
}
