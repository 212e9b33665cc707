//! The convex hull of points, by quickhull (Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls", 1996)
//! with exact orientation tests: no point lies outside, and points in one plane, on one line or on one sphere are no
//! special cases.
//!
//! A triangle sees a point only if the point is strictly above its plane. Then the triangles of one facet see the same
//! points, the border of what sees a point is a cycle, no triangle joined to it is flat, and a point above a triangle
//! that goes is above one of those that come, or not outside any more. What differs from the paper: no plane has a
//! width, and corners that turn out to lie inside a facet or a straight edge are left out by a second run.

use glam::DVec3;
use thiserror::Error;

use crate::shape::predicate::{orientation_3d, projection_axis};
use crate::shape::surface::MAXIMUM_COORDINATE;
use crate::sorting::CompactSort;

/// Points, and faces as lists of their numbers, counter-clockwise seen from outside.
pub type PointsAndFaces = (Vec<DVec3>, Vec<Vec<u32>>);

/// Why points have no convex hull with a volume.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum HullError {
    /// There are no points.
    #[error("there are no points")]
    Empty,
    /// A coordinate is not a number, or too large for exact tests.
    #[error("point {point} at {position} has a coordinate that is not finite or beyond {MAXIMUM_COORDINATE:e} m")]
    UnusableCoordinate {
        /// The point.
        point: u32,
        /// Where it is, m.
        position: DVec3,
    },
    /// All points are in one plane, or so close to each other that their volumes are below the least number.
    #[error("the points lie in one plane")]
    Flat,
}

/// The convex hull: its corners in the order in which they first appear among `points` (m), and its triangles,
/// counter-clockwise seen from outside, each from its lowest number, in ascending order. Corners are true ones: none is
/// inside a facet or inside a straight edge of the exact hull.
///
/// # Errors
/// Points without a hull that has a volume.
pub fn convex_hull(points: &[DVec3]) -> Result<PointsAndFaces, HullError> {
    let unusable = |p: &DVec3| !p.abs().cmple(DVec3::splat(MAXIMUM_COORDINATE)).all();
    if let Some((point, &position)) = (0..).zip(points).find(|(_, p)| unusable(p)) {
        return Err(HullError::UnusableCoordinate { point, position });
    }
    let mut corners = distinct(points);
    loop {
        let hull = Hull::of(points, &corners)?;
        let extreme = hull.extreme_corners();
        if extreme.len() == hull.corners().len() {
            return Ok(hull.into_parts(&extreme));
        }
        corners = extreme;
    }
}

/// The first of the points at each position, in ascending order of their numbers.
fn distinct(points: &[DVec3]) -> Vec<u32> {
    // Adding zero turns −0 into 0.
    let key = |v: u32| (points[v as usize] + DVec3::ZERO).to_array().map(f64::to_bits);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.compact_sort_by_key(|&v| (key(v), v));
    order.dedup_by_key(|v| key(*v));
    order.sort_unstable();
    order
}

struct Triangle {
    corners: [u32; 3],
    /// The triangle across side k, which runs from corner k to the next.
    neighbours: [u32; 3],
    /// Points strictly above, each listed by one triangle.
    above: Vec<u32>,
    is_on_hull: bool,
}

struct Hull<'p> {
    points: &'p [DVec3],
    triangles: Vec<Triangle>,
}

impl<'p> Hull<'p> {
    fn of(points: &'p [DVec3], candidates: &[u32]) -> Result<Self, HullError> {
        let mut hull = Self { points, triangles: Vec::new() };
        let simplex = hull.simplex(candidates)?;
        let [a, b, c, d] = simplex;
        for (corners, neighbours) in
            [([b, c, d], [3, 1, 2]), ([a, d, c], [2, 0, 3]), ([a, b, d], [3, 0, 1]), ([a, c, b], [1, 0, 2])]
        {
            hull.triangles.push(Triangle { corners, neighbours, above: Vec::new(), is_on_hull: true });
        }
        hull.distribute(candidates, &[0, 1, 2, 3]);
        let mut waiting: Vec<u32> = vec![3, 2, 1, 0];
        while let Some(triangle) = waiting.pop() {
            if hull.triangles[triangle as usize].is_on_hull
                && let Some(point) = hull.farthest_above(triangle)
            {
                waiting.extend(hull.add(point, triangle).ok_or(HullError::Flat)?);
            }
        }
        Ok(hull)
    }

    /// Four points that are not in one plane, as a positive tetrahedron.
    fn simplex(&self, candidates: &[u32]) -> Result<[u32; 4], HullError> {
        let at = |v: u32| self.points[v as usize];
        let largest = |measure: &dyn Fn(u32) -> f64| {
            candidates.iter().copied().max_by(|&v, &w| measure(v).total_cmp(&measure(w)).then(w.cmp(&v)))
        };
        let a = candidates.first().copied().ok_or(HullError::Empty)?;
        let b = largest(&|v| (at(v) - at(a)).length()).ok_or(HullError::Empty)?;
        let is_triangle = |v: u32| projection_axis([at(a), at(b), at(v)]).is_some();
        let height = |v: u32| if is_triangle(v) { (at(b) - at(a)).cross(at(v) - at(a)).length() } else { -1.0 };
        let c = largest(&height).filter(|&v| is_triangle(v)).ok_or(HullError::Flat)?;
        let volume = |v: u32| orientation_3d(at(a), at(b), at(c), at(v));
        let d = largest(&|v| volume(v).abs()).ok_or(HullError::Flat)?;
        match volume(d) {
            volume if volume > 0.0 => Ok([a, b, c, d]),
            volume if volume < 0.0 => Ok([a, c, b, d]),
            _ => Err(HullError::Flat),
        }
    }

    /// Six times the volume between a triangle and a point: positive if the triangle sees it. Only the sign is exact.
    fn height(&self, triangle: u32, point: u32) -> f64 {
        let [a, b, c] = self.triangles[triangle as usize].corners.map(|v| self.points[v as usize]);
        orientation_3d(a, b, c, self.points[point as usize])
    }

    fn farthest_above(&self, triangle: u32) -> Option<u32> {
        let above = &self.triangles[triangle as usize].above;
        above.iter().map(|&v| (self.height(triangle, v), v)).max_by(|s, t| s.0.total_cmp(&t.0)).map(|(_, v)| v)
    }

    /// Lists each point with the first of these triangles that sees it.
    fn distribute(&mut self, points: &[u32], triangles: &[u32]) {
        for &point in points {
            if let Some(&triangle) = triangles.iter().find(|&&t| self.height(t, point) > 0.0) {
                self.triangles[triangle as usize].above.push(point);
            }
        }
    }

    /// Replaces all triangles that see the point by new ones around it, which are returned. `None` if the border of the
    /// triangles that see it is no cycle, which exact tests exclude.
    fn add(&mut self, point: u32, first: u32) -> Option<Vec<u32>> {
        let mut seeing = vec![first];
        self.triangles[first as usize].is_on_hull = false;
        let mut border = Vec::new();
        let mut next = 0;
        while let Some(&triangle) = seeing.get(next) {
            next += 1;
            for side in 0..3 {
                let neighbour = self.triangles[triangle as usize].neighbours[side];
                if !self.triangles[neighbour as usize].is_on_hull {
                    continue;
                }
                if self.height(neighbour, point) > 0.0 {
                    self.triangles[neighbour as usize].is_on_hull = false;
                    seeing.push(neighbour);
                }
            }
        }
        for &triangle in &seeing {
            let Triangle { corners, neighbours, .. } = self.triangles[triangle as usize];
            for side in 0..3 {
                if self.triangles[neighbours[side] as usize].is_on_hull {
                    border.push((corners[side], corners[(side + 1) % 3], neighbours[side]));
                }
            }
        }
        border.sort_unstable();
        let fresh = self.triangles.len() as u32;
        let starting_at = |v: u32| border.binary_search_by_key(&v, |&(start, ..)| start).ok().map(|k| fresh + k as u32);
        let mut previous = vec![fresh; border.len()];
        let mut created = Vec::with_capacity(border.len());
        for (k, &(start, end, outer)) in border.iter().enumerate() {
            let following = starting_at(end)?;
            previous[(following - fresh) as usize] = fresh + k as u32;
            created.push(Triangle {
                corners: [start, end, point],
                neighbours: [outer, following, fresh],
                above: Vec::new(),
                is_on_hull: true,
            });
            let outer = &mut self.triangles[outer as usize];
            let side = (0..3).find(|&side| outer.corners[side] == end && outer.corners[(side + 1) % 3] == start)?;
            outer.neighbours[side] = fresh + k as u32;
        }
        created.iter_mut().zip(previous).for_each(|(triangle, previous)| triangle.neighbours[2] = previous);
        self.triangles.extend(created);
        let fresh: Vec<u32> = (fresh..self.triangles.len() as u32).collect();
        for triangle in seeing {
            let above = std::mem::take(&mut self.triangles[triangle as usize].above);
            self.distribute(&above, &fresh);
        }
        Some(fresh)
    }

    fn on_hull(&self) -> impl Iterator<Item = &Triangle> {
        self.triangles.iter().filter(|triangle| triangle.is_on_hull)
    }

    fn corners(&self) -> Vec<u32> {
        let mut corners: Vec<u32> = self.on_hull().flat_map(|triangle| triangle.corners).collect();
        corners.sort_unstable();
        corners.dedup();
        corners
    }

    /// The corners where at least three edges between different planes meet.
    fn extreme_corners(&self) -> Vec<u32> {
        let mut creases = vec![0; self.points.len()];
        for triangle in self.on_hull() {
            for side in 0..3 {
                let [start, end] = [triangle.corners[side], triangle.corners[(side + 1) % 3]];
                let [a, b, c] = triangle.corners.map(|v| self.points[v as usize]);
                let beyond = self.triangles[triangle.neighbours[side] as usize].corners;
                let is_crease = beyond
                    .into_iter()
                    .any(|v| v != start && v != end && orientation_3d(a, b, c, self.points[v as usize]) != 0.0);
                creases[start as usize] += u32::from(is_crease);
            }
        }
        self.corners().into_iter().filter(|&v| creases[v as usize] >= 3).collect()
    }

    fn into_parts(self, corners: &[u32]) -> PointsAndFaces {
        let mut numbers = vec![0; self.points.len()];
        (0..).zip(corners).for_each(|(number, &v)| numbers[v as usize] = number);
        let from_lowest = |triangle: &Triangle| {
            let mut face = triangle.corners.map(|v| numbers[v as usize]).to_vec();
            let lowest = (0..3).min_by_key(|&k| face[k]).unwrap_or(0);
            face.rotate_left(lowest);
            face
        };
        let mut faces: Vec<Vec<u32>> = self.on_hull().map(from_lowest).collect();
        faces.compact_sort();
        (corners.iter().map(|&v| self.points[v as usize]).collect(), faces)
    }
}

#[cfg(test)]
mod tests;
