//! Two cores by their faces alone.
//!
//! No plane between two cores has more room than they are apart, so that the largest gap along the normal of a face is a lower bound of the
//! distance. Where the point of the other core that is nearest to the plane lies over the face, it is the distance.

use glam::{DMat3, DVec3};

use super::Pair;
use crate::shape::convex_core::{ConvexCore, Polytope};

/// Cores with more faces are not looked at face by face.
const FEW: usize = 12;

/// Cores nearer to each other than this share of the coordinates overlap, as in [`super::gjk`].
const TOUCHING: f64 = 1e-8;

/// The face along whose normal two cores are farthest apart.
#[derive(Clone, Copy, Debug)]
pub struct WidestFace {
    /// From A to B, in the frame of A, unit.
    pub normal: DVec3,
    /// How far the cores are apart along it, m; negative if they overlap.
    pub gap: f64,
    /// Whether that is how far the cores are apart.
    pub is_distance: bool,
}

/// Looks through the faces of both cores, until one has a gap of more than `enough`, m; `None` if neither has faces, or only too many.
pub fn widest(pair: &Pair<'_>, enough: f64) -> Option<WidestFace> {
    let few = |core: &'_ dyn ConvexCore| core.as_polytope().is_some_and(|polytope| polytope.face_count() <= FEW);
    let [a, b] = [pair.a.core, pair.b.core];
    let of_a = || {
        let own = OverFace::widest(a.as_polytope()?, b, (&pair.turn, pair.relative.translation), enough)?;
        Some(own.seen(a, |n| n))
    };
    let of_a = few(a).then(of_a).flatten();
    if of_a.is_some_and(|own| own.is_distance || own.gap > enough) {
        return of_a;
    }
    let of_b = || {
        let place = (&pair.back, -(pair.back * pair.relative.translation));
        let other = OverFace::widest(b.as_polytope()?, a, place, enough)?;
        Some(other.seen(b, |n| -(pair.turn * n)))
    };
    let of_b = few(b).then(of_b).flatten();
    match (of_a, of_b) {
        (Some(own), Some(other)) => Some(if other.gap > own.gap { other } else { own }),
        (of_a, of_b) => of_a.or(of_b),
    }
}

/// A box and a point outside of it: the direction from A to B, unit, in the frame of A, and how far they are apart, m.
pub fn box_and_point(pair: &Pair<'_>) -> Option<(DVec3, f64)> {
    let [of_a, of_b] = [pair.a.core.half_sides()?, pair.b.core.half_sides()?];
    let away = |point: DVec3, half: DVec3| {
        let way = point - point.clamp(-half, half);
        let distance = way.length();
        (distance > TOUCHING * point.length()).then(|| (way / distance, distance))
    };
    if of_b == DVec3::ZERO {
        away(pair.relative.translation, of_a)
    } else if of_a == DVec3::ZERO {
        let (normal, distance) = away(-(pair.back * pair.relative.translation), of_b)?;
        Some((-(pair.turn * normal), distance))
    } else {
        None
    }
}

/// A face with the point of another core that is nearest to its plane, in the frame of the face.
struct OverFace {
    face: usize,
    normal: DVec3,
    point: DVec3,
    gap: f64,
}

impl OverFace {
    /// The first face over which the other core is highest, or over which it is higher than `enough`, m; `turn` and `translation` take the
    /// frame of the other core to that of the faces.
    fn widest(
        own: &Polytope,
        other: &dyn ConvexCore,
        (turn, translation): (&DMat3, DVec3),
        enough: f64,
    ) -> Option<Self> {
        let back = turn.transpose();
        // A box reaches from its centre as far to either side.
        let half_sides = other.half_sides();
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (face, (normal, of_plane)) in own.planes().enumerate() {
            let of_origin = normal.dot(translation - of_plane);
            if half_sides.is_some() && of_origin <= most {
                continue;
            }
            let down = back * -normal;
            let reach = half_sides.map_or_else(|| down.dot(other.support(down)), |half| down.abs().dot(half));
            let gap = of_origin - reach;
            if gap > most {
                (best, most) = (Some((face, normal, down)), gap);
                if gap > enough {
                    break;
                }
            }
        }
        let (face, normal, down) = best?;
        Some(Self { face, normal, point: *turn * other.support(down) + translation, gap: most })
    }

    /// The same as the cores see it; `turned` takes the normal to the frame of A.
    fn seen(&self, own: &dyn ConvexCore, turned: impl Fn(DVec3) -> DVec3) -> WidestFace {
        let is_apart = self.gap > TOUCHING * self.point.length();
        let is_distance = is_apart && own.as_polytope().is_some_and(|own| own.is_over_face(self.face, self.point));
        WidestFace { normal: turned(self.normal), gap: self.gap, is_distance }
    }
}
