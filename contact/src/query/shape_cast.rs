//! Shape casts: when a shape that moves first touches one that rests, by conservative advancement (Mirtich, "Impulse-based dynamic
//! simulation of rigid body systems", 1996, section 2.3.2; Zhang, Lee and Kim, "Interactive continuous collision detection for non-convex
//! polyhedra", 2006).
//!
//! Two convex sets at a distance d with a plane between them do not meet before d over the greatest speed with which any point of the one
//! gets nearer to that plane. Surfaces that are not convex are taken triangle by triangle, those first that boxes around the motion may
//! meet first.

use glam::{DMat3, DVec3};

use super::closest::{ClosestPoints, above_half_space, closest};
use super::gjk::{self, Distance};
use super::support::{PlacedSupport, Support, Triangle};
use super::view::View;
use super::{QueryError, checked_pose, checked_vector};
use crate::pose::{Pose, advance};
use crate::shape::Shape;
use crate::solid::triangle_tree::HalfBox;

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
/// [`QueryError`] for a pose, motion or tolerance that is none, [`QueryError::Kind`] for general solids and half-spaces that turn.
pub fn cast_shape(
    [moving, target]: [&Shape; 2],
    [pose, target_pose]: [&Pose; 2],
    motion: &ShapeMotion,
    tolerance: f64,
) -> Result<Option<ShapeHit>, QueryError> {
    checked_pose(pose, "moving shape")?;
    checked_pose(target_pose, "shape at rest")?;
    checked_vector(motion.translation, "translation")?;
    checked_vector(motion.rotation, "rotation")?;
    if !(tolerance.is_finite() && tolerance > 0.0) {
        let allowed = "it must be finite and above zero";
        return Err(QueryError::Length { quantity: "tolerance", value: tolerance, allowed });
    }
    let views = [View::convex_of(moving).checked("a shape cast")?, View::convex_of(target).checked("a shape cast")?];
    let is_half_space = matches!(views[0], View::HalfSpace);
    if is_half_space && motion.rotation != DVec3::ZERO {
        return Err(QueryError::Kind { kind: moving.kind(), what: "a shape cast that turns it" });
    }
    // All in the frame of the shape at rest.
    let back = target_pose.rotation.inverse();
    let path = Path {
        start: target_pose.inverse() * *pose,
        motion: ShapeMotion { translation: back * motion.translation, rotation: back * motion.rotation },
        radius: if is_half_space { 0.0 } else { moving.radius() },
        tolerance,
    };
    let reach = path.most() + tolerance;
    let hit = match closest([views[1], views[0]], [target, moving], &path.start, reach) {
        Distance::Beyond => return Ok(None),
        Distance::Overlapping => return Ok(Some(ShapeHit { fraction: 0.0, closest: None })),
        Distance::Apart { .. } => first_touch(views, [moving, target], &path),
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

/// How the shape moves in the frame of the other one.
struct Path {
    start: Pose,
    motion: ShapeMotion,
    /// No point of the shape is farther from the origin of its frame, m.
    radius: f64,
    tolerance: f64,
}

struct Touch {
    fraction: f64,
    closest: Option<ClosestPoints>,
}

impl Path {
    fn pose(&self, fraction: f64) -> Pose {
        self.motion.pose(&self.start, fraction)
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

    /// Before which fraction two boxes (the moving one where the motion begins) surely do not meet; infinity if they never do.
    fn entry(&self, (centre, half): HalfBox, (other, other_half): HalfBox) -> f64 {
        let grown = half + other_half + self.turning() + self.tolerance;
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let (from, way) = (centre[axis] - other[axis], self.motion.translation[axis]);
            let [p, q] = [-grown[axis] - from, grown[axis] - from];
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

    /// A box of the moving frame in the other one, where the motion begins.
    fn placed_box(&self, (centre, half): HalfBox) -> HalfBox {
        let r = DMat3::from_quat(self.start.rotation);
        let spread = DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs());
        (r * centre + self.start.translation, spread * half)
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

/// Points by their convex hull.
struct Hull<'s>(&'s [DVec3]);

impl Support for Hull<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let farther = |p: DVec3, q: DVec3| if q.dot(direction) > p.dot(direction) { q } else { p };
        self.0.iter().copied().reduce(farther).unwrap_or(DVec3::ZERO)
    }
}

/// The first touch of two shapes that are apart where the motion begins.
fn first_touch(views: [View<'_>; 2], shapes: [&Shape; 2], path: &Path) -> Option<Touch> {
    let box_of = |shape: &Shape| {
        let (low, high) = shape.bounds_at(&Pose::IDENTITY);
        (low.midpoint(high), 0.5 * (high - low))
    };
    let turned = |found: Distance| match found {
        Distance::Apart { points: [p, q], normal, distance, least } => {
            Distance::Apart { points: [q, p], normal: -normal, distance, least }
        }
        other => other,
    };
    let mut first: Option<Touch> = None;
    // What comes first so far, of all parts.
    let mut take = |found: Option<Touch>| match found {
        Some(touch) => {
            let fraction = touch.fraction;
            if first.as_ref().is_none_or(|first| fraction < first.fraction) {
                first = Some(touch);
            }
            fraction
        }
        None => f64::INFINITY,
    };
    let end = 1.0_f64.next_up();
    match views {
        [View::Surface(moving), View::HalfSpace] => {
            let hull = Hull(moving.solid.surface().vertices());
            return path.advance(1.0, |pose, limit| turned(above_half_space(&PlacedSupport::new(&hull, pose), limit)));
        }
        [View::Surface(moving), View::Surface(target)] => {
            let measure = |own: HalfBox, other: HalfBox| path.entry(path.placed_box(own), other);
            moving.solid.tree().nearest_pair(target.solid.tree(), end, measure, |_, [own, other], least| {
                take(path.advance_sets(least.min(1.0), &Triangle(own), &Triangle(other)))
            });
        }
        [View::Surface(moving), View::Convex(target)] => {
            let around = box_of(shapes[1]);
            let measure = |own: HalfBox| path.entry(path.placed_box(own), around);
            moving.solid.tree().nearest(end, measure, |_, own, least| {
                take(path.advance_sets(least.min(1.0), &Triangle(own), &target))
            });
        }
        [View::Convex(moving), View::Surface(target)] => {
            let around = path.placed_box(box_of(shapes[0]));
            let measure = |other: HalfBox| path.entry(around, other);
            target.solid.tree().nearest(end, measure, |_, other, least| {
                take(path.advance_sets(least.min(1.0), &moving, &Triangle(other)))
            });
        }
        // Convex sets, and half-spaces that do not turn.
        [moving, target] => {
            return path
                .advance(1.0, |pose, limit| turned(closest([target, moving], [shapes[1], shapes[0]], pose, limit)));
        }
    }
    first
}
