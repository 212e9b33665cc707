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

/// Looks through the faces of both cores; `None` if neither has faces, or only too many.
pub fn widest(pair: &Pair<'_>) -> Option<WidestFace> {
    let few = |core: &'_ dyn ConvexCore| core.as_polytope().is_some_and(|polytope| polytope.face_count() <= FEW);
    let [a, b] = [pair.a.core, pair.b.core];
    let of_a = few(a).then(|| OverFace::widest(a.as_polytope()?, b, &pair.turn, pair.relative.translation)).flatten();
    let of_b = || OverFace::widest(b.as_polytope()?, a, &pair.back, -(pair.back * pair.relative.translation));
    let of_b = few(b).then(of_b).flatten();
    match (of_a, of_b) {
        (Some(own), Some(other)) if other.gap > own.gap => Some(other.seen(b, |n| -(pair.turn * n))),
        (Some(own), _) => Some(own.seen(a, |n| n)),
        (None, Some(other)) => Some(other.seen(b, |n| -(pair.turn * n))),
        (None, None) => None,
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
    /// The first face over which the other core is highest; `turn` and `translation` take the frame of the other core to that of the faces.
    fn widest(own: &Polytope, other: &dyn ConvexCore, turn: &DMat3, translation: DVec3) -> Option<Self> {
        let back = turn.transpose();
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (face, (normal, of_plane)) in own.planes().enumerate() {
            let down = back * -normal;
            let nearest = other.support(down);
            let gap = normal.dot(translation - of_plane) - down.dot(nearest);
            if gap > most {
                (best, most) = (Some((face, normal, nearest)), gap);
            }
        }
        best.map(|(face, normal, nearest)| Self { face, normal, point: *turn * nearest + translation, gap: most })
    }

    /// The same as the cores see it; `turned` takes the normal to the frame of A.
    fn seen(&self, own: &dyn ConvexCore, turned: impl Fn(DVec3) -> DVec3) -> WidestFace {
        let is_apart = self.gap > TOUCHING * self.point.length();
        let is_distance = is_apart && own.as_polytope().is_some_and(|own| own.is_over_face(self.face, self.point));
        WidestFace { normal: turned(self.normal), gap: self.gap, is_distance }
    }
}
