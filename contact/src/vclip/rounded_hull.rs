//! The convex hull of points as a polyhedron with distinct features.
//!
//! Points that are computed lie beside the line or plane on which they were meant by a few roundings. Their exact hull
//! has triangles that are as thin as that, and no direction is known across these. The corner of such a triangle that
//! lies beside the segment between the two others is left out, which takes no more than its height from the hull. What
//! height is too low is not known before: the least that leaves a polyhedron, in steps of a factor.

use glam::DVec3;
use thiserror::Error;

use super::hull::{HullError, PointsAndFaces, convex_hull};
use super::{ConvexPolyhedron, PolyhedronError};

/// The first height of a thin triangle, as a share of the largest side of the box around the points: a few roundings of
/// a coordinate.
const FIRST_HEIGHT: f64 = 1e-14;

/// From one height that leaves no polyhedron to the next.
const FACTOR: f64 = 10.0;

/// Why points have no hull with distinct features.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RoundedHullError {
    /// There is no hull.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// The hull is no polyhedron.
    #[error(transparent)]
    Polyhedron(#[from] PolyhedronError),
}

/// The hull of points (m) as a polyhedron, without corners that make triangles lower than some roundings or, if that has
/// no distinct features, than the least height that leaves some, up to `tolerance` (m). See [`stand_out`] for what that
/// has left out.
///
/// # Errors
/// Points without volume, or without distinct features within the tolerance.
pub fn rounded_hull(points: &[DVec3], tolerance: f64) -> Result<ConvexPolyhedron, RoundedHullError> {
    let (corners, faces) = convex_hull(points)?;
    let low = corners.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = corners.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let mut height = FIRST_HEIGHT * (high - low).max_element();
    let mut hull = without_thin_triangles(corners, faces, height)?;
    loop {
        height *= FACTOR;
        match ConvexPolyhedron::new(&hull.0, &hull.1) {
            Err(_) if height <= tolerance => hull = without_thin_triangles(hull.0, hull.1, height)?,
            outcome => return Ok(outcome?),
        }
    }
}

/// Up to what share of their size [`ConvexPolyhedron::hull`] leaves out what points stand out by.
const HULL_TOLERANCE: f64 = 1e-10;

impl ConvexPolyhedron {
    /// The convex hull of points (m): [`rounded_hull`] with a tolerance of 1e-10 of their size.
    ///
    /// # Errors
    /// Points without volume, or without distinct features within the tolerance.
    pub fn hull(points: &[DVec3]) -> Result<Self, RoundedHullError> {
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        rounded_hull(points, HULL_TOLERANCE * (high - low).max_element().max(0.0))
    }
}

/// How far the outermost of some points stands out of a polyhedron, m; zero if none does.
pub fn stand_out(polyhedron: &ConvexPolyhedron, points: &[DVec3]) -> f64 {
    points.iter().map(|&p| polyhedron.outermost_plane(p).1).fold(0.0, f64::max)
}

/// The hull after corners have been left out until no triangle is lower than `height` (m).
fn without_thin_triangles(
    mut corners: Vec<DVec3>,
    mut faces: Vec<Vec<u32>>,
    height: f64,
) -> Result<PointsAndFaces, HullError> {
    loop {
        // Of the corners left out at once, none is beside another.
        let mut is_needed = vec![false; corners.len()];
        let mut is_out = vec![false; corners.len()];
        for face in &faces {
            let [a, b, c] = from_longest_side([0, 1, 2].map(|k| face[k] as usize), &corners);
            let along = corners[b] - corners[a];
            let is_thin = along.cross(corners[c] - corners[a]).length() <= height * along.length();
            if is_thin && !is_out[a] && !is_out[b] && !is_needed[c] {
                is_out[c] = true;
                (is_needed[a], is_needed[b]) = (true, true);
            }
        }
        if !is_out.contains(&true) {
            return Ok((corners, faces));
        }
        let kept: Vec<DVec3> = corners.into_iter().zip(is_out).filter(|(_, is_out)| !is_out).map(|(p, _)| p).collect();
        (corners, faces) = convex_hull(&kept)?;
    }
}

fn from_longest_side(triangle: [usize; 3], corners: &[DVec3]) -> [usize; 3] {
    let length = |k: usize| corners[triangle[k]].distance(corners[triangle[(k + 1) % 3]]);
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    [0, 1, 2].map(|k| triangle[(longest + k) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vclip::solids;
    use glam::DQuat;
    use proptest::prelude::*;

    /// The corners of the cube and points between them on its edges and faces, after a rotation.
    fn turned_cube(divisions: u32, turn: DQuat) -> Vec<DVec3> {
        let at = |k: u32| 2.0 * f64::from(k) / f64::from(divisions) - 1.0;
        let number = 0..=divisions;
        let lattice =
            number.clone().flat_map(|x| number.clone().flat_map(move |y| (0..=divisions).map(move |z| [x, y, z])));
        lattice.map(|p| turn * DVec3::from_array(p.map(at))).collect()
    }

    proptest! {
        #[test]
        fn a_turned_lattice_is_a_cube(axis in [-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64], divisions in 1_u32..6) {
            let turn = DQuat::from_scaled_axis(3.0 * DVec3::from_array(axis));
            let points = turned_cube(divisions, turn);
            let cube = rounded_hull(&points, 1e-12).unwrap();
            prop_assert_eq!([cube.vertices().len(), cube.edge_count(), cube.face_count()], [8, 12, 6]);
            prop_assert!(stand_out(&cube, &points) < 1e-14);
        }

        #[test]
        fn what_is_left_out_is_within_the_tolerance(seed in 0_u64..1000, noise in -16_i32..-6, divisions in 2_u32..5) {
            let (shifts, _) = solids::random_hull(8, seed).unwrap();
            let noise = 10f64.powi(noise);
            let points: Vec<DVec3> = turned_cube(divisions, DQuat::IDENTITY)
                .into_iter()
                .enumerate()
                .map(|(k, p)| p + noise * shifts[k % shifts.len()])
                .collect();
            let tolerance = 1e-5;
            let cube = rounded_hull(&points, tolerance).unwrap();
            prop_assert!(stand_out(&cube, &points) <= 10.0 * noise.max(1e-15));
            prop_assert!(cube.vertices().iter().all(|v| points.contains(v)));
        }
    }

    #[test]
    fn points_without_distinct_features_are_refused() {
        assert_eq!(rounded_hull(&[], 1.0), Err(HullError::Empty.into()));
        let needle = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1e-40, 0.0), DVec3::new(0.5, 0.0, 1e-40)];
        assert_eq!(rounded_hull(&needle, 1e-12), Err(HullError::Flat.into()));
        let leaf = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0 / 3.0, 1.0 / 3.0, 3.2e-15)];
        assert!(matches!(rounded_hull(&leaf, 1e-12), Err(RoundedHullError::Polyhedron(_))));
    }
}
