//! Overlaps of balls and ellipsoids in closed form.
//!
//! An ellipsoid is the unit ball under a linear map; what a plane cuts off it has the volume of the ball's cap times the
//! determinant.

use std::f64::consts::PI;

use glam::DVec3;

use super::component::Component;

/// What a plane cuts off an ellipsoid about the origin: `normal` (unit) leads out of the plane's solid side, `height` (m)
/// is how far the origin is in front of it. The area vector is that of the plane's solid as A. `None` if nothing is cut.
///
/// Volume and area are exact. The width is the depth, or the shortest diameter where that is less: exact for a ball, an
/// upper bound for others.
pub fn cap(semi_axes: DVec3, normal: DVec3, height: f64) -> Option<Component> {
    let support = (semi_axes * normal).length();
    let depth = (support - height).min(2.0 * support);
    if depth <= 0.0 {
        return None;
    }
    let (share, determinant) = (depth / support, semi_axes.element_product());
    let lowest = -(semi_axes * semi_axes * normal) / support;
    let area = PI * share * (2.0 - share) * determinant / support;
    Some(Component {
        area_vector: normal * area,
        loop_area: area,
        contour: Vec::new(),
        vertices_of_a: Vec::new(),
        vertices_of_b: Vec::new(),
        points: vec![lowest, lowest + normal * depth],
        volume: determinant * PI * share * share * (3.0 - share) / 3.0,
        width: depth.min(2.0 * semi_axes.min_element()),
        depth: depth.min(2.0 * semi_axes.min_element()),
        width_normal: normal,
    })
}

/// The lens of two balls, A about the origin and B about `centre`: exact. `None` if they do not overlap.
pub fn lens([a, b]: [f64; 2], centre: DVec3) -> Option<Component> {
    let distance = centre.length();
    if distance >= a + b {
        return None;
    }
    let normal = centre.try_normalize().unwrap_or(DVec3::Y);
    let small = a.min(b);
    let (volume, area, low, high) = if distance <= (a - b).abs() {
        let middle = if a <= b { 0.0 } else { distance };
        (4.0 / 3.0 * PI * small.powi(3), 0.0, middle - small, middle + small)
    } else {
        // The plane of the rim, and the heights of the two caps.
        let plane = (distance * distance + a * a - b * b) / (2.0 * distance);
        let (cap_a, cap_b) = (a - plane, b - (distance - plane));
        let cap = |radius: f64, height: f64| PI * height * height * (3.0 * radius - height) / 3.0;
        (cap(a, cap_a) + cap(b, cap_b), PI * cap_a * (2.0 * a - cap_a), distance - b, a)
    };
    Some(Component {
        area_vector: normal * area,
        loop_area: area,
        contour: Vec::new(),
        vertices_of_a: Vec::new(),
        vertices_of_b: Vec::new(),
        points: vec![normal * low, normal * high],
        volume,
        width: high - low,
        depth: high - low,
        width_normal: normal,
    })
}

/// How an ellipsoid about the origin is in a polyhedron, seen with the ellipsoid as the unit ball: the nearest point of the
/// surface decides. `triangles` in m, in the frame of the ellipsoid; `is_inside`: its centre is in the solid.
///
/// The cap beyond the plane through the nearest point: `None` exactly if ellipsoid and solid are apart. Its depth is the
/// least way out of a convex solid for a ball, and at least that for an ellipsoid.
pub fn nearest_cap(
    semi_axes: DVec3,
    triangles: impl Iterator<Item = [DVec3; 3]>,
    is_inside: bool,
) -> Option<Component> {
    let nearest = triangles
        .map(|triangle| nearest_to_origin(triangle.map(|p| p / semi_axes)))
        .min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))?;
    let away = if is_inside { nearest } else { -nearest };
    let normal = (away / semi_axes).try_normalize()?;
    let height = nearest.length() * (semi_axes * normal).length();
    cap(semi_axes, normal, if is_inside { -height } else { height })
}

/// The point of a triangle that is nearest to the origin.
fn nearest_to_origin([a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let sides = [(a, b), (b, c), (c, a)];
    if sides.iter().all(|&(p, q)| normal.dot((q - p).cross(-p)) >= 0.0) {
        return normal * (normal.dot(a) / normal.length_squared());
    }
    let on_side = |(p, q): (DVec3, DVec3)| {
        let along = q - p;
        p + along * (-p.dot(along) / along.length_squared()).clamp(0.0, 1.0)
    };
    let [first, second, third] = sides.map(on_side);
    [second, third].into_iter().fold(first, |best, p| if p.length_squared() < best.length_squared() { p } else { best })
}
