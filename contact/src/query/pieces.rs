//! Distances of shapes that are made of convex pieces in a hierarchy of boxes: triangles of surfaces and meshes, columns below height fields.

use glam::{DMat3, DVec3};

use super::box_hierarchy::{BoxHierarchy, gap};
use super::gjk::{self, Distance};
use super::support::{PlacedSupport, Support};
use crate::bounds::Bounds;
use crate::pose::Pose;

/// What is nearest so far, among pieces.
struct Nearest {
    best: Distance,
    limit: f64,
}

impl Nearest {
    /// Takes what was found of a piece if it is nearer than `least`; returns its distance, m.
    fn take(&mut self, found: Distance, least: f64) -> f64 {
        match found {
            Distance::Beyond => f64::INFINITY,
            Distance::Overlapping => {
                self.best = Distance::Overlapping;
                0.0
            }
            Distance::Apart { distance, .. } => {
                if distance < least && distance <= self.limit {
                    self.best = found;
                }
                distance
            }
        }
    }
}

/// Pieces (A) and a convex set within bounds, in one frame.
pub fn and_convex<S: Support>(
    pieces: &impl BoxHierarchy<Item = (u32, S)>,
    set: &impl Support,
    around: &Bounds,
    limit: f64,
) -> Distance {
    let mut nearest = Nearest { best: Distance::Beyond, limit };
    let middle = around.low.midpoint(around.high);
    let visit = |(_, piece): (u32, S), least: f64| {
        let found = gjk::distance(&piece, set, middle - piece.support(DVec3::Y), least);
        nearest.take(found, least)
    };
    // Boxes at exactly the limit are looked at as well.
    pieces.nearest(limit.next_up(), |own| gap(own, around), visit);
    nearest.best
}

/// Pieces of A and of B; `relative` takes the frame of B to that of A.
pub fn between<S: Support, T: Support>(
    a: &impl BoxHierarchy<Item = (u32, S)>,
    b: &impl BoxHierarchy<Item = (u32, T)>,
    relative: &Pose,
    limit: f64,
) -> Distance {
    let (frames, place) = (Frames::of(relative), PlacedSupport::new((), relative));
    let mut nearest = Nearest { best: Distance::Beyond, limit };
    let visit = |(_, own): (u32, S), (_, other): (u32, T), least: f64| {
        let other = place.with(other);
        let found = gjk::distance(&own, &other, other.support(DVec3::Y) - own.support(DVec3::Y), least);
        nearest.take(found, least)
    };
    a.nearest_pair(b, limit.next_up(), |own, other| frames.gap(own, other), visit);
    nearest.best
}

/// The lowest point along y of pieces at a pose, in the frame of that, m.
pub fn lowest<S: Support>(pieces: &impl BoxHierarchy<Item = (u32, S)>, pose: &Pose) -> Option<DVec3> {
    let down = pose.rotation.inverse() * DVec3::NEG_Y;
    let mut lowest: Option<(f64, DVec3)> = None;
    let visit = |(_, piece): (u32, S), _| {
        let point = piece.support(down);
        let height = -down.dot(point);
        if lowest.is_none_or(|(least, _)| height < least) {
            lowest = Some((height, point));
        }
        height
    };
    pieces.nearest(f64::INFINITY, |own| -own.extent(down), visit);
    lowest.map(|(_, point)| pose.transform_point(point))
}

/// The frames of A and B in each other.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// From the frame of B to that of A.
    rotation: DMat3,
    translation: DVec3,
    /// The magnitudes of the entries: how far boxes of B reach in the frame of A.
    spread: DMat3,
}

impl Frames {
    /// `relative` takes the frame of B to that of A.
    pub fn of(relative: &Pose) -> Self {
        let rotation = DMat3::from_quat(relative.rotation);
        let spread = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        Self { rotation, translation: relative.translation, spread }
    }

    /// A point of B in the frame of A.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// How far a box of A and one of B are apart along the axes of both frames, m: no more than they are.
    pub fn gap(&self, own: &Bounds, other: &Bounds) -> f64 {
        let (half, other_half) = (0.5 * (own.high - own.low), 0.5 * (other.high - other.low));
        let between = self.point(other.low.midpoint(other.high)) - own.low.midpoint(own.high);
        let in_a = (between.abs() - (half + self.spread * other_half)).max(DVec3::ZERO);
        let seen = self.rotation.transpose() * between;
        let in_b = (seen.abs() - (other_half + self.spread.transpose() * half)).max(DVec3::ZERO);
        in_a.length_squared().max(in_b.length_squared()).sqrt()
    }
}
