//! Cuts a polygon in space into triangles by clipping ears.
//!
//! The polygon is judged by its shadow along the largest component of its mean (Newell) normal, with exact
//! orientation tests. Each ear is a corner that turns left strictly and whose closed triangle holds no other corner,
//! so no triangle of the cut is degenerate in the shadow. A convex polygon becomes the fan from its first corner. A
//! warped polygon is cut as its shadow is. A shadow that crosses or touches itself has no cut.
//! Source: G. Meisters, Polygons have ears, Amer. Math. Monthly 82 (1975).

use glam::DVec3;
use robust::{Coord, orient2d};

/// The triangles of a face: itself, or what it is cut into; none if it crosses or touches itself. There must be such vertices, and three
/// corners at least.
pub(crate) fn triangles_of_face(corners: &[u32], vertices: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    if let [a, b, c] = *corners {
        return Some(vec![[a, b, c]]);
    }
    let positions: Vec<DVec3> = corners.iter().map(|&corner| vertices[corner as usize]).collect();
    let cut = triangulate(&positions)?;
    Some(cut.into_iter().map(|triple| triple.map(|at| corners[at])).collect())
}

/// Positions of the corners, counterclockwise about the normal, to triples of positions in that list; none when the
/// shadow crosses or touches itself.
fn triangulate(corners: &[DVec3]) -> Option<Vec<[usize; 3]>> {
    let shadow = shadow(corners);
    let turn = |[a, b, c]: [usize; 3]| orient2d(shadow[a], shadow[b], shadow[c]);
    let mut ring = Ring::new(corners.len())?;
    let mut reflex: Vec<usize> = (0..corners.len()).filter(|&at| turn(ring.triple(at)) <= 0.0).collect();
    let mut triangles = Vec::with_capacity(corners.len() - 2);
    while ring.count > 3 {
        let is_ear = |at: &usize| {
            let ear = ring.triple(*at);
            turn(ear) > 0.0 && !reflex.iter().any(|&other| !ear.contains(&other) && covers(&turn, ear, other))
        };
        let ear = ring.corners().find(is_ear)?;
        let [before, _, after] = ring.triple(ear);
        triangles.push([before, ear, after]);
        ring.remove(ear);
        // Of the others no turn has changed.
        reflex.retain(|&at| at != before && at != after);
        reflex.extend([before, after].into_iter().filter(|&at| turn(ring.triple(at)) <= 0.0));
    }
    let [last, first, second] = ring.triple(ring.first);
    (turn([first, second, last]) > 0.0).then(|| {
        triangles.push([first, second, last]);
        triangles
    })
}

/// The corners that are left, each with its neighbours.
struct Ring {
    before: Vec<usize>,
    after: Vec<usize>,
    first: usize,
    count: usize,
}

impl Ring {
    /// All corners; none of fewer than three.
    fn new(count: usize) -> Option<Self> {
        let before = (0..count).map(|at| (at + count - 1) % count).collect();
        let after = (0..count).map(|at| (at + 1) % count).collect();
        (count >= 3).then_some(Self { before, after, first: 0, count })
    }

    /// A corner with its neighbours.
    fn triple(&self, at: usize) -> [usize; 3] {
        [self.before[at], at, self.after[at]]
    }

    /// All corners, the second one first.
    fn corners(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self.after[self.first]), |&at| Some(self.after[at])).take(self.count)
    }

    fn remove(&mut self, at: usize) {
        let [before, _, after] = self.triple(at);
        (self.after[before], self.before[after]) = (after, before);
        if at == self.first {
            self.first = after;
        }
        self.count -= 1;
    }
}

/// Whether the closed triangle holds the corner.
fn covers(turn: &impl Fn([usize; 3]) -> f64, [a, b, c]: [usize; 3], corner: usize) -> bool {
    turn([a, b, corner]) >= 0.0 && turn([b, c, corner]) >= 0.0 && turn([c, a, corner]) >= 0.0
}

/// The corners without the coordinate along which their mean normal is largest, mirrored where that keeps the turn.
fn shadow(corners: &[DVec3]) -> Vec<Coord<f64>> {
    let origin = corners.first().copied().unwrap_or_default();
    let arms = || corners.iter().map(|&corner| corner - origin);
    let normal: DVec3 = arms().zip(arms().skip(1)).map(|(a, b)| a.cross(b)).sum();
    let size = normal.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = if normal[axis] < 0.0 { (v, u) } else { (u, v) };
    corners.iter().map(|corner| Coord { x: corner[u], y: corner[v] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area_vector(corners: &[DVec3], triangles: &[[usize; 3]]) -> DVec3 {
        let area = |&[a, b, c]: &[usize; 3]| (corners[b] - corners[a]).cross(corners[c] - corners[a]) / 2.0;
        triangles.iter().map(area).sum()
    }

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        points.iter().map(|&[x, y]| DVec3::new(x, y, 1.0)).collect()
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan() {
        let corners = flat(&[[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [2.0, 2.0], [0.0, 2.0]]);
        assert_eq!(triangulate(&corners).unwrap(), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn a_fan_that_would_fold_is_avoided() {
        // An L whose first corner does not see its third-last.
        let corners = flat(&[[2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0], [0.0, 0.0]]);
        let triangles = triangulate(&corners).unwrap();
        assert_eq!(triangles.len(), 4);
        for triangle in &triangles {
            assert!(area_vector(&corners, &[*triangle]).z > 0.0);
        }
        assert_eq!(area_vector(&corners, &triangles), DVec3::new(0.0, 0.0, 3.0));
    }

    #[test]
    fn flat_corners_make_no_degenerate_triangle() {
        let corners = flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 3.0], [0.0, 1.0]]);
        let triangles = triangulate(&corners).unwrap();
        assert!(triangles.iter().all(|triangle| area_vector(&corners, &[*triangle]).z > 0.0));
        assert_eq!(area_vector(&corners, &triangles).z, 4.5);
    }

    #[test]
    fn a_face_of_many_corners_takes_no_time() {
        let count = 100_000;
        let corner = |k: usize| libm::sincos(std::f64::consts::TAU * k as f64 / count as f64);
        let corners = flat(&(0..count).map(corner).map(|(sine, cosine)| [cosine, sine]).collect::<Vec<_>>());
        let triangles = triangulate(&corners).unwrap();
        assert!((0..count - 2).all(|k| triangles[k] == [0, k + 1, k + 2]));
    }

    #[test]
    fn crossing_collinear_and_repeated_corners_are_refused() {
        for bad in [
            &[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]][..],
            &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
        ] {
            assert_eq!(triangulate(&flat(bad)), None, "{bad:?}");
        }
    }

    proptest! {
        /// The cut of a star-shaped polygon in any plane has its area vector, n − 2 triangles, and no fold.
        #[test]
        fn star_polygons_keep_their_area(
            radii in prop::collection::vec(0.2f64..2.0, 4..20),
            axis in prop::array::uniform3(-1.0f64..1.0),
            start in 0usize..20,
        ) {
            let normal = DVec3::from(axis);
            prop_assume!(normal.length() > 0.1);
            let normal = normal.normalize();
            let u = normal.any_orthonormal_vector();
            let v = normal.cross(u);
            let count = radii.len();
            let mut corners: Vec<DVec3> = radii.iter().enumerate().map(|(at, radius)| {
                let angle = std::f64::consts::TAU * at as f64 / count as f64;
                radius * (angle.cos() * u + angle.sin() * v)
            }).collect();
            corners.rotate_left(start % count);
            let triangles = triangulate(&corners).unwrap();
            prop_assert_eq!(triangles.len(), count - 2);
            let area: f64 = (0..count).map(|at| corners[at].cross(corners[(at + 1) % count]).dot(normal) / 2.0).sum();
            prop_assert!((area_vector(&corners, &triangles) - area * normal).length() < 1e-12 * (1.0 + area));
            for triangle in &triangles {
                prop_assert!(area_vector(&corners, &[*triangle]).dot(normal) > 0.0);
            }
        }
    }
}
