//! The direction in which two boxes overlap least, or a box and a segment or a point.
//!
//! S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A hierarchical structure for rapid interference detection", SIGGRAPH 1996, section 5: two
//! boxes are apart if and only if they are along one of fifteen axes, the normals of their faces and what is across an edge of each. The
//! faces of the difference of the boxes have the same normals, so that one of them is the direction of least overlap as well.

use glam::DVec3;

use super::Pair;
use super::ascent::EQUAL;

/// Directions across two edges whose sine is below this are left out: those of the faces are as good.
const PARALLEL: f64 = 1e-10;

/// The normal from A to B, unit, in the frame of A, along which two boxes overlap least, and the gap of the cores along it, m, not above zero.
/// `None` if they are apart, and of other shapes.
pub fn least_overlap(pair: &Pair<'_>) -> Option<(DVec3, f64)> {
    let [a, b] = [pair.a.core, pair.b.core];
    let [half_a, half_b] = [a.half_sides()?, b.half_sides()?];
    // Segments that cross have no side on which they are.
    a.as_polytope().or(b.as_polytope())?;
    let way = pair.relative.translation;
    let equal = EQUAL * (half_a.length() + half_b.length() + way.length());
    let gap_along = |n: DVec3| n.dot(way).abs() - half_a.dot(n.abs()) - half_b.dot((pair.back * n).abs());
    let (axes_a, axes_b) = (DVec3::AXES, [pair.turn.x_axis, pair.turn.y_axis, pair.turn.z_axis]);
    let of_faces = axes_a.into_iter().chain(axes_b);
    let across = axes_a.into_iter().flat_map(|p| axes_b.into_iter().map(move |q| p.cross(q)));
    let across = across.filter(|n| n.length_squared() > PARALLEL * PARALLEL).map(DVec3::normalize);
    let (mut best, mut least) = (DVec3::X, f64::NEG_INFINITY);
    for axis in of_faces.chain(across) {
        let gap = gap_along(axis);
        if gap > 0.0 {
            return None;
        }
        // Of those that are as good the first, which is that of a face.
        if gap > least + equal {
            (best, least) = (axis, gap);
        }
    }
    let normal = if best.dot(way) < 0.0 { -best } else { best };
    Some((normal, pair.core_gap(normal)))
}

#[cfg(test)]
mod tests {
    use super::super::{PlacedCore, ascent, expanding_polytope, gjk};
    use super::*;
    use crate::pose::Pose;
    use crate::shape::{Capsule, RoundedBox, Shape};
    use crate::split_mix::SplitMix;
    use glam::DQuat;

    fn random_vector(random: &mut SplitMix, size: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)))
    }

    /// Beside the search among all directions, which knows nothing of boxes: nothing overlaps less than what it finds, up to what it tells apart.
    #[test]
    fn nothing_overlaps_less() {
        let mut random = SplitMix::new(271);
        let mut overlapping = 0;
        for round in 0..4000 {
            let sides = [0; 2].map(|_| DVec3::from_array([0; 3].map(|_| random.next_between(0.05, 1.0))));
            let shapes: [Shape; 2] = [
                RoundedBox::new(sides[0], 0.01).unwrap().into(),
                match round % 4 {
                    0 => Capsule::new(0.01, sides[1].x).unwrap().into(),
                    _ => RoundedBox::new(sides[1], 0.01).unwrap().into(),
                },
            ];
            // One in five turned by right angles alone.
            let turn = match round % 5 {
                0 => DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 * f64::from(round % 3)),
                _ => DQuat::from_scaled_axis(random_vector(&mut random, 3.0)),
            };
            let poses = [Pose::IDENTITY, Pose::from_parts(random_vector(&mut random, 1.2), turn)];
            let [a, b] = [0, 1].map(|k| PlacedCore { rounded: shapes[k].core().unwrap(), pose: poses[k] });
            let pair = Pair::new(&a, &b);
            let found = least_overlap(&pair);
            let is_apart =
                matches!(gjk::search(&pair, DVec3::X, f64::INFINITY), gjk::Found::Apart(near) if near.most > 1e-9);
            assert!(!(is_apart && found.is_some()), "round {round}");
            let Some((normal, gap)) = found else { continue };
            overlapping += 1;
            assert!(normal.is_normalized() && gap <= 1e-12, "round {round}: {normal} {gap}");
            for rough in expanding_polytope::search(&pair) {
                let (_, other) = ascent::ascend(&pair, rough, f64::INFINITY);
                assert!(other <= gap + 1e-12, "round {round}: {gap} and {other}");
            }
            for _ in 0..200 {
                let n = random_vector(&mut random, 1.0).normalize_or(DVec3::Y);
                assert!(pair.core_gap(n) <= gap + 1e-12, "round {round}: {gap} and {} along {n}", pair.core_gap(n));
            }
        }
        assert!(overlapping > 1000, "{overlapping}");
    }
}
