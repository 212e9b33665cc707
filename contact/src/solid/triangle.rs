//! One triangle: against a turned box, and its point closest to a point.
//!
//! The box test is that of separating axes (Akenine-Möller, "Fast 3D triangle-box overlap testing", 2001): three axes of the
//! box, the normal of the triangle, nine cross products. All three corners are projected on every axis, so that the test
//! errs only by the rounding of coordinates, which the margin covers, however thin the triangle is and wherever its computed
//! normal points.
//!
//! The closest point is judged by regions: beyond a corner, beyond a side, over the face (Ericson, "Real-Time Collision Detection",
//! 5.1.5). Weights are those of cross products with the corners seen from the point, so that the point is in the triangle up to rounding;
//! of slim triangles, whose normals are poor, all sides are compared with the face.

use glam::{DMat3, DVec3};

use super::OrientedBox;

/// A turned box, made ready for tests against many triangles.
#[derive(Clone, Copy, Debug)]
pub struct BoxQuery {
    centre: DVec3,
    /// From the axes of the frame to those of the box.
    turn: DMat3,
    /// The magnitudes of its entries.
    spread: DMat3,
    /// Half the sides, with the margin, m.
    half: DVec3,
    /// Half the sides of the box around it along the axes of the frame, m.
    reach: DVec3,
}

impl BoxQuery {
    /// A box with its sides moved out by a margin (m).
    pub fn new(turned: &OrientedBox, margin: f64) -> Self {
        let [x, y, z] = [turned.axes.x_axis.abs(), turned.axes.y_axis.abs(), turned.axes.z_axis.abs()];
        let upright = DMat3::from_cols(x, y, z);
        let half = turned.half + margin;
        Self {
            centre: turned.centre,
            turn: turned.axes.transpose(),
            spread: upright.transpose(),
            half,
            reach: upright * half,
        }
    }

    /// Whether a box along the axes of the frame is apart, seen along its axes and along those of the turned one. `false`
    /// says nothing: the cross products are left out.
    pub fn is_apart_from_box(&self, centre: DVec3, half: DVec3) -> bool {
        let between = centre - self.centre;
        between.abs().cmpgt(half + self.reach).any()
            || (self.turn * between).abs().cmpgt(self.half + self.spread * half).any()
    }

    /// Whether a triangle is apart, by all thirteen axes.
    pub fn is_apart_from_triangle(&self, corners: [DVec3; 3]) -> bool {
        let [a, b, c] = corners.map(|p| self.turn * (p - self.centre));
        if a.min(b).min(c).cmpgt(self.half).any() || a.max(b).max(c).cmplt(-self.half).any() {
            return true;
        }
        let separates = |axis: DVec3| {
            let (p, q, r) = (axis.dot(a), axis.dot(b), axis.dot(c));
            let reach = axis.abs().dot(self.half);
            p.min(q).min(r) > reach || p.max(q).max(r) < -reach
        };
        let sides = [b - a, c - b, a - c];
        separates(sides[0].cross(sides[1]))
            || sides.iter().any(|s| {
                separates(DVec3::new(0.0, -s.z, s.y))
                    || separates(DVec3::new(s.z, 0.0, -s.x))
                    || separates(DVec3::new(-s.y, s.x, 0.0))
            })
    }
}

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its inside.
    Face,
    /// The side from this corner to the next one, without its ends.
    Side(usize),
    /// This corner.
    Corner(usize),
}

/// The point of a triangle that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// m.
    pub position: DVec3,
    /// The square of the distance, m².
    pub squared: f64,
    /// Where it is in the triangle.
    pub part: Part,
}

/// The square of the sine of an angle below which a triangle is so slim that its normal has lost digits.
const SLIM: f64 = 1e-4;

/// The point of a triangle that is closest to a point, m. Arrays are written out: closures over them are calls.
#[inline]
pub fn closest_of_triangle(point: DVec3, corners: [DVec3; 3]) -> ClosestPoint {
    let at = |away: DVec3, part| ClosestPoint { position: point + away, squared: away.length_squared(), part };
    let (a, b, c) = (corners[0] - point, corners[1] - point, corners[2] - point);
    let corners = [a, b, c];
    let sides = [b - a, c - b, a - c];
    // How far the point is along each side, from its beginning and from its end, by its length.
    let begun = [-a.dot(sides[0]), -b.dot(sides[1]), -c.dot(sides[2])];
    let ended = [-b.dot(sides[0]), -c.dot(sides[1]), -a.dot(sides[2])];
    for k in 0..3 {
        if begun[k] <= 0.0 && ended[(k + 2) % 3] >= 0.0 {
            return at(corners[k], Part::Corner(k));
        }
    }
    let normal = sides[2].cross(sides[0]);
    let squares = [sides[0].length_squared(), sides[1].length_squared(), sides[2].length_squared()];
    let is_wide = normal.length_squared() > SLIM * squares[0] * squares[2];
    // Of the corner opposite to each side.
    let mut weights = [0.0; 3];
    for k in 0..3 {
        weights[k] = normal.dot(corners[k].cross(corners[(k + 1) % 3]));
        if is_wide && weights[k] <= 0.0 && begun[k] > 0.0 && ended[k] < 0.0 {
            return at(corners[k] + begun[k] / squares[k] * sides[k], Part::Side(k));
        }
    }
    let sum = weights[1] + weights[2] + weights[0];
    if weights.iter().all(|&w| w > 0.0) && sum.is_finite() {
        let face = at((weights[1] * a + weights[2] * b + weights[0] * c) / sum, Part::Face);
        if is_wide {
            return face;
        }
        // The sides may be better where rounding turned the normal.
        let side = closest_of_sides(point, corners);
        return if side.squared < face.squared { side } else { face };
    }
    closest_of_sides(point, corners)
}

/// The closest point of the three sides; corners are relative to the point.
fn closest_of_sides(point: DVec3, corners: [DVec3; 3]) -> ClosestPoint {
    let mut best = ClosestPoint { position: point + corners[0], squared: f64::INFINITY, part: Part::Corner(0) };
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let side = to - from;
        let share = -from.dot(side) / side.length_squared();
        let (away, part) = if share >= 1.0 {
            (to, Part::Corner((k + 1) % 3))
        } else if share > 0.0 {
            (from + share * side, Part::Side(k))
        } else {
            (from, Part::Corner(k))
        };
        if away.length_squared() < best.squared {
            best = ClosestPoint { position: point + away, squared: away.length_squared(), part };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::laws::{log_uniform, turned_box, vector};
    use crate::split_mix::SplitMix;

    /// Corners of a triangle, slim or not, about a box.
    fn triangle(random: &mut SplitMix) -> [DVec3; 3] {
        let first = 1.5 * vector(random);
        let size = log_uniform(random, 1e-4, 3.0);
        let slim = log_uniform(random, 1e-6, 1.0);
        let (u, v) = (size * vector(random), size * slim * vector(random));
        [first, first + u, first + random.next_between(-0.5, 1.5) * u + v]
    }

    /// Whether the triangle meets the box, by clipping it at the six planes.
    fn clipped(turned: &OrientedBox, corners: [DVec3; 3]) -> bool {
        let mut polygon: Vec<DVec3> = corners.iter().map(|&p| turned.axes.transpose() * (p - turned.centre)).collect();
        for (axis, side) in (0..3).flat_map(|k| [(k, 1.0), (k, -1.0)]) {
            let depth = |p: DVec3| turned.half[axis] - side * p[axis];
            let mut kept = Vec::new();
            for (i, &p) in polygon.iter().enumerate() {
                let q = polygon[(i + 1) % polygon.len()];
                if depth(p) >= 0.0 {
                    kept.push(p);
                }
                if (depth(p) >= 0.0) != (depth(q) >= 0.0) {
                    kept.push(p.lerp(q, depth(p) / (depth(p) - depth(q))));
                }
            }
            polygon = kept;
        }
        !polygon.is_empty()
    }

    #[test]
    fn box_test_agrees_with_clipping() {
        let mut random = SplitMix::new(11);
        let (mut apart, mut by_cross_products) = (0, 0);
        for case in 0..20_000 {
            let corners = triangle(&mut random);
            let size = log_uniform(&mut random, 0.1, 1.0) * corners[0].distance(corners[1]);
            let near = corners[0].lerp(corners[1], random.next_fraction());
            let turned = turned_box(&mut random, DVec3::ZERO, size);
            let turned = OrientedBox { centre: near + log_uniform(&mut random, 1e-5, 1.0) * turned.centre, ..turned };
            let query = BoxQuery::new(&turned, 0.0);
            let found = query.is_apart_from_triangle(corners);
            if clipped(&turned.grown(-1e-10), corners) {
                assert!(!found, "case {case}: {turned:?} {corners:?}");
            }
            if !clipped(&turned.grown(1e-10), corners) {
                assert!(found, "case {case}: {turned:?} {corners:?}");
                apart += 1;
                let low = corners[0].min(corners[1]).min(corners[2]);
                let high = corners[0].max(corners[1]).max(corners[2]);
                let around = query.is_apart_from_box(low.midpoint(high), 0.5 * (high - low));
                by_cross_products += u32::from(!around);
            }
        }
        assert!(apart > 1000 && by_cross_products > 100 && apart < 19_000, "{apart} {by_cross_products}");
    }

    #[test]
    fn closest_points_are_where_no_corner_is_nearer_along_the_way() {
        let mut random = SplitMix::new(12);
        let mut parts = [0; 3];
        for case in 0..20_000 {
            let corners = triangle(&mut random);
            let reach = log_uniform(&mut random, 0.01, 2.0) * corners[0].distance(corners[1]);
            let point = corners[0].lerp(corners[1], random.next_fraction()) + reach * vector(&mut random);
            let found = closest_of_triangle(point, corners);
            let away = point - found.position;
            assert!((away.length_squared() - found.squared).abs() <= 1e-12, "case {case}");
            // The condition of optimality of a convex set, and that the point is in the triangle: its distance from the
            // corners and from points of the triangle is as it should be.
            for corner in corners {
                let further = away.dot(corner - found.position);
                assert!(further <= 1e-12, "case {case}: {further} {found:?}");
            }
            let on = closest_of_triangle(found.position, corners);
            assert!(on.squared <= 1e-26, "case {case}: {on:?}");
            for _ in 0..20 {
                let [s, t] = [0, 1].map(|_| random.next_fraction());
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                let other = corners[0] + s * (corners[1] - corners[0]) + t * (corners[2] - corners[0]);
                assert!(other.distance_squared(point) >= found.squared - 1e-12, "case {case}");
            }
            let flat = |p: DVec3| (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(p - corners[0]);
            assert!(flat(found.position).abs() <= 1e-14, "case {case}");
            match found.part {
                Part::Face => parts[0] += 1,
                Part::Side(k) => {
                    parts[1] += 1;
                    let (from, to) = (corners[k], corners[(k + 1) % 3]);
                    let length = from.distance(found.position) + to.distance(found.position);
                    assert!(length - from.distance(to) <= 1e-12, "case {case}");
                }
                Part::Corner(k) => {
                    parts[2] += 1;
                    assert!(corners[k].distance(found.position) <= 1e-14, "case {case}");
                }
            }
        }
        assert!(parts.iter().all(|&n| n > 200), "{parts:?}");
    }
}
