//! The area of the convex hull of points in a plane: Andrew's monotone chain (1979) with exact orientation tests, so
//! that points on a line, or all in one place, have area zero and never a hull that folds over.

use drystone_contact::sorting::CompactSort;
use glam::DVec2;
use robust::{Coord, orient2d};

/// The corners of the convex hull, counter-clockwise from the leftmost (of those the lowest) point, without points on
/// its sides. Of points on a line, its two ends; of points in one place, that place.
pub fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.compact_sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull = half(sorted.iter().copied());
    hull.extend(half(sorted.iter().rev().copied()));
    hull
}

/// One half of the hull without its last point, which begins the other half.
fn half(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut chain: Vec<DVec2> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if turns_left(before, last, point) {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain.pop();
    chain
}

fn turns_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
    orient2d(a, b, c) > 0.0
}

/// The area of the convex hull.
pub fn hull_area(points: &[DVec2]) -> f64 {
    let hull = convex_hull(points);
    let Some(&first) = hull.first() else {
        return 0.0;
    };
    hull.windows(2).map(|side| 0.5 * (side[0] - first).perp_dot(side[1] - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Twice the area of the hull of points with whole coordinates, from its definition: a side is a pair of points
    /// with all others to its left, or between the two. In integers, so exact.
    fn brute_force(points: &[(i64, i64)]) -> i64 {
        let mut sum = 0;
        let mut points = points.to_vec();
        points.sort_unstable();
        points.dedup();
        for &(px, py) in &points {
            for &(qx, qy) in &points {
                let is_side = (px, py) != (qx, qy)
                    && points.iter().all(|&(x, y)| {
                        let turn = (qx - px) * (y - py) - (qy - py) * (x - px);
                        let along = (x - px) * (x - qx) + (y - py) * (y - qy);
                        turn > 0 || (turn == 0 && along <= 0)
                    });
                sum += if is_side { px * qy - qx * py } else { 0 };
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn areas_are_those_of_the_definition(points in prop::collection::vec((-6_i64..=6, -6_i64..=6), 0..24)) {
            let exact = points.iter().map(|&(x, y)| DVec2::new(x as f64, y as f64)).collect::<Vec<_>>();
            prop_assert_eq!(2.0 * hull_area(&exact), brute_force(&points) as f64);
        }

        #[test]
        fn no_point_lies_outside(points in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64), 3..40)) {
            let points: Vec<DVec2> = points.into_iter().map(DVec2::from).collect();
            let hull = convex_hull(&points);
            for k in 0..hull.len() {
                let (a, b) = (hull[k], hull[(k + 1) % hull.len()]);
                prop_assert!(points.iter().all(|&p| !turns_left(b, a, p)));
            }
        }
    }

    #[test]
    fn degenerate_sets_have_no_area() {
        let line = |n: i32| (0..n).map(|k| DVec2::new(0.1, 0.3) * f64::from(k)).collect::<Vec<_>>();
        assert_eq!(hull_area(&[]), 0.0);
        assert_eq!(hull_area(&line(1)), 0.0);
        assert_eq!(hull_area(&line(2)), 0.0);
        assert!(hull_area(&line(9)) < 1e-15);
        assert_eq!(hull_area(&[DVec2::ONE; 5]), 0.0);
    }
}
