//! Polygons with holes as triangles.

use bevy::math::{DVec2, Vec3};
use earcut::Earcut;

/// Loops that bound areas, outer ones and holes in any order and direction, in one plane across `normal` (any length; where
/// it has no direction that of the first loop is taken). Loops inside an odd number of others are holes. Returns triangles
/// counter-clockwise seen from where the normal points. Loops that are not finite or have fewer than three corners are
/// left out.
pub(super) fn triangles(loops: &[Vec<Vec3>], normal: Vec3) -> Vec<[Vec3; 3]> {
    let loops: Vec<&[Vec3]> = loops.iter().map(Vec::as_slice).filter(|corners| is_loop(corners)).collect();
    let Some(&first) = loops.first() else { return Vec::new() };
    let Some(normal) = normal.try_normalize().or_else(|| newell(first).try_normalize()) else { return Vec::new() };
    let (u, v) = normal.any_orthonormal_pair();
    let origin = first[0];
    let flat = |p: &Vec3| DVec2::new((*p - origin).dot(u).into(), (*p - origin).dot(v).into());
    let flat: Vec<Vec<DVec2>> = loops.iter().map(|corners| corners.iter().map(flat).collect()).collect();

    let around = |i: usize| (0..flat.len()).filter(move |&j| j != i);
    let depth: Vec<usize> =
        (0..flat.len()).map(|i| around(i).filter(|&j| is_inside(&flat[i], &flat[j])).count()).collect();
    let mut all = Vec::new();
    for outer in (0..flat.len()).filter(|&i| depth[i].is_multiple_of(2)) {
        let is_hole = |&i: &usize| depth[i] == depth[outer] + 1 && is_inside(&flat[i], &flat[outer]);
        let holes = (0..flat.len()).filter(is_hole);
        let (mut corners, mut plane, mut starts) = (loops[outer].to_vec(), flat[outer].clone(), Vec::new());
        for hole in holes {
            starts.push(corners.len() as u32);
            corners.extend(loops[hole]);
            plane.extend(&flat[hole]);
        }
        let mut indices: Vec<u32> = Vec::new();
        Earcut::new().earcut(plane.iter().map(|p| p.to_array()), &starts, &mut indices);
        for &[a, b, c] in indices.as_chunks::<3>().0 {
            let [p, q, r] = [a, b, c].map(|i| corners[i as usize]);
            let is_turned = (q - p).cross(r - p).dot(normal) < 0.0;
            all.push(if is_turned { [p, r, q] } else { [p, q, r] });
        }
    }
    all
}

/// Whether the corners are a loop that can be drawn.
pub(super) fn is_loop(corners: &[Vec3]) -> bool {
    corners.len() >= 3 && corners.iter().all(|p| p.is_finite())
}

/// Newell's normal of a loop, twice its area in length.
fn newell(corners: &[Vec3]) -> Vec3 {
    let origin = corners[0];
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&p, &q)| (p - origin).cross(q - origin)).sum()
}

/// Whether most corners of one loop are inside another; corners may lie on it.
fn is_inside(corners: &[DVec2], polygon: &[DVec2]) -> bool {
    2 * corners.iter().filter(|&&p| contains(polygon, p)).count() > corners.len()
}

/// Whether a point is inside a polygon, by the crossings of a ray along the first axis.
fn contains(polygon: &[DVec2], point: DVec2) -> bool {
    let next = polygon.iter().cycle().skip(1);
    let is_crossed = |(p, q): (&DVec2, &DVec2)| {
        (p.y > point.y) != (q.y > point.y) && point.x < p.x + (q.x - p.x) * (point.y - p.y) / (q.y - p.y)
    };
    polygon.iter().zip(next).filter(|&pair| is_crossed(pair)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(triangles: &[[Vec3; 3]]) -> f32 {
        triangles.iter().map(|[p, q, r]| 0.5 * (*q - *p).cross(*r - *p).length()).sum()
    }

    fn square(centre: Vec3, half: f32) -> Vec<Vec3> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| centre + half * Vec3::new(x, 0.0, z)).to_vec()
    }

    #[test]
    fn holes_are_cut_out_and_islands_in_them_filled() {
        let loops = [square(Vec3::ZERO, 1.0), square(Vec3::ZERO, 3.0), square(Vec3::ZERO, 2.0)];
        for normal in [Vec3::Y, Vec3::NEG_Y, Vec3::ZERO, Vec3::NAN] {
            let triangles = triangles(&loops, normal);
            assert!((area(&triangles) - (36.0 - 16.0 + 4.0)).abs() < 1e-4, "{normal}");
            let turns = |wanted: Vec3| triangles.iter().all(|[p, q, r]| (*q - *p).cross(*r - *p).dot(wanted) > 0.0);
            assert!(!normal.is_normalized() || turns(normal));
        }
    }

    #[test]
    fn loops_that_are_none_are_left_out() {
        let loops = [vec![], vec![Vec3::ZERO; 2], vec![Vec3::NAN; 4], square(Vec3::Y, 0.5)];
        assert!((area(&triangles(&loops, Vec3::Y)) - 1.0).abs() < 1e-6);
        assert!(triangles(&loops[..3], Vec3::Y).is_empty());
        assert!(triangles(&[vec![Vec3::ONE; 5]], Vec3::ZERO).is_empty());
    }

    proptest! {
        /// Against the shoelace formula, in any plane: a star-shaped loop with corners at random distances.
        #[test]
        fn the_area_is_kept(
            radii in prop::collection::vec(0.3f32..2.0, 3..20),
            axis in prop::array::uniform3(-1.0f32..1.0),
        ) {
            let normal = Vec3::from(axis);
            prop_assume!(normal.length() > 0.1);
            let (u, v) = normal.normalize().any_orthonormal_pair();
            let corner = |(i, r): (usize, &f32)| {
                let angle = std::f32::consts::TAU * i as f32 / radii.len() as f32;
                *r * (angle.cos() * u + angle.sin() * v)
            };
            let corners: Vec<Vec3> = radii.iter().enumerate().map(corner).collect();
            let sector = (std::f32::consts::TAU / radii.len() as f32).sin();
            let pairs = radii.iter().zip(radii.iter().cycle().skip(1));
            let expected: f32 = pairs.map(|(r, s)| 0.5 * r * s * sector).sum();
            let found = area(&triangles(&[corners], normal));
            prop_assert!((found - expected).abs() < 1e-3 * (1.0 + expected), "{} {}", found, expected);
        }
    }
}
