//! Brute force over the triangles of a surface, and by signed distances.

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use glam::DVec3;

/// The triangles of a polyhedron in the world.
pub fn triangles(shape: &Shape, pose: &Pose) -> Vec<[DVec3; 3]> {
    let drawn = shape.triangles();
    drawn.triangles.iter().map(|t| t.map(|v| pose.transform_point(drawn.vertices[v as usize]))).collect()
}

/// Where a ray meets a triangle (Möller and Trumbore, 1997), widened by a share of its size: distance and whether it gets in.
pub fn ray_triangle(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3], wider: f64) -> Option<(f64, bool)> {
    let (e, f) = (b - a, c - a);
    let p = direction.cross(f);
    let determinant = e.dot(p);
    if determinant.abs() < 1e-14 {
        return None;
    }
    let from = origin - a;
    let u = from.dot(p) / determinant;
    let q = from.cross(e);
    let v = direction.dot(q) / determinant;
    let distance = f.dot(q) / determinant;
    let is_in = u >= -wider && v >= -wider && u + v <= 1.0 + wider;
    (is_in && distance >= 0.0).then_some((distance, determinant > 0.0))
}

/// The point of a segment that is closest to a point.
fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let t = (p - a).dot(b - a) / (b - a).dot(b - a);
    a + (b - a) * t.clamp(0.0, 1.0)
}

/// The distance of a point from a triangle: of the foot in the plane if it is inside of all three sides, else of the sides.
pub fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let n = (b - a).cross(c - a).normalize();
    let foot = p - n * n.dot(p - a);
    let is_in = [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| n.cross(v - u).dot(foot - u) >= 0.0);
    if is_in {
        return foot.distance(p);
    }
    [(a, b), (b, c), (c, a)].iter().map(|&(u, v)| on_segment(p, u, v).distance(p)).fold(f64::INFINITY, f64::min)
}

/// The distance of two segments: of the ends from the other one, and where both are nearest inside.
pub fn segments(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for p in a {
        least = least.min(on_segment(p, b[0], b[1]).distance(p));
    }
    for p in b {
        least = least.min(on_segment(p, a[0], a[1]).distance(p));
    }
    let (d, e) = (a[1] - a[0], b[1] - b[0]);
    let n = d.cross(e);
    if n.length() > 1e-12 {
        let w = b[0] - a[0];
        let (s, t) = (w.cross(e).dot(n) / n.dot(n), w.cross(d).dot(n) / n.dot(n));
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min((a[0] + d * s).distance(b[0] + e * t));
        }
    }
    least
}

/// The distance of two triangles; zero if a side of one goes through the other.
pub fn triangle_triangle(s: [DVec3; 3], t: [DVec3; 3]) -> f64 {
    let sides = |t: [DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    for (triangle, others) in [(s, t), (t, s)] {
        for [p, q] in sides(others) {
            let length = p.distance(q);
            if ray_triangle(p, (q - p) / length, triangle, 0.0).is_some_and(|(at, _)| at <= length) {
                return 0.0;
            }
        }
    }
    let mut least = f64::INFINITY;
    for side in sides(s) {
        for other in sides(t) {
            least = least.min(segments(side, other));
        }
    }
    for p in s {
        least = least.min(point_triangle(p, t));
    }
    for p in t {
        least = least.min(point_triangle(p, s));
    }
    least
}

/// Whether a point is inside a closed surface: the sum of solid angles (van Oosterom and Strackee, 1983) is a whole sphere.
pub fn is_inside(p: DVec3, triangles: &[[DVec3; 3]]) -> bool {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|v| v - p);
        let (x, y, z) = (a.length(), b.length(), c.length());
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * libm::atan2(a.dot(b.cross(c)), below)
    };
    triangles.iter().map(angle).sum::<f64>() > std::f64::consts::TAU
}

/// The distance of two closed surfaces, each as the solid within.
pub fn distance(a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> f64 {
    let mut least = f64::INFINITY;
    for &s in a {
        for &t in b {
            least = least.min(triangle_triangle(s, t));
            if least == 0.0 {
                return 0.0;
            }
        }
    }
    if is_inside(a[0][0], b) || is_inside(b[0][0], a) { 0.0 } else { least }
}

/// The least value of a convex function on a triangle, by thirds of its sides (nested).
pub fn least_on_triangle([a, b, c]: [DVec3; 3], f: &dyn Fn(DVec3) -> f64) -> f64 {
    let least = |g: &dyn Fn(f64) -> f64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..32 {
            let (p, q) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
            if g(p) < g(q) { high = q } else { low = p }
        }
        g(0.5 * (low + high)).min(g(0.0)).min(g(1.0))
    };
    least(&|s| {
        let (p, q) = (a + (b - a) * s, a + (c - a) * s);
        least(&|t| f(p + (q - p) * t))
    })
}

/// The distance of a point from an ellipsoid, negative inside: the root of a function that falls, by bisection of its multiplier.
pub fn from_ellipsoid(axes: DVec3, p: DVec3) -> f64 {
    let squares = axes * axes;
    let excess = |t: f64| (axes * p / (squares + t)).length_squared() - 1.0;
    let is_inside = excess(0.0) < 0.0;
    let (mut low, mut high) = (-squares.min_element(), axes.max_element() * p.length());
    for _ in 0..56 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let foot = squares * p / (squares + 0.5 * (low + high));
    foot.distance(p) * if is_inside { -1.0 } else { 1.0 }
}
