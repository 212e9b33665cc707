//! Solids as their triangles at their place: overlap, distance and depth by brute force over all pairs.

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use glam::DVec3;

/// The triangles of a solid, world frame, m.
#[derive(Clone)]
pub struct Soup {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<[u32; 2]>,
}

/// The lower and the upper corner of a box.
type Bounds = (DVec3, DVec3);

fn bounds(points: &[DVec3]) -> Bounds {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)))
}

fn boxes_apart(a: &Bounds, b: &Bounds) -> f64 {
    (a.0 - b.1).max(b.0 - a.1).max(DVec3::ZERO).length()
}

impl Soup {
    pub fn new(shape: &Shape, pose: &Pose) -> Self {
        let surface = shape.surface().unwrap();
        Self {
            vertices: surface.vertices().iter().map(|&v| pose.transform_point(v)).collect(),
            triangles: surface.triangles().to_vec(),
            edges: surface.edges().iter().map(|e| e.vertices).collect(),
        }
    }

    pub fn moved(&self, by: DVec3) -> Self {
        Self { vertices: self.vertices.iter().map(|&v| v + by).collect(), ..self.clone() }
    }

    pub fn bounds(&self) -> Bounds {
        bounds(&self.vertices)
    }

    fn corners(&self, t: &[u32; 3]) -> [DVec3; 3] {
        t.map(|v| self.vertices[v as usize])
    }

    fn ends(&self, e: &[u32; 2]) -> [DVec3; 2] {
        e.map(|v| self.vertices[v as usize])
    }

    /// Whether a point lies inside, by the solid angle that the surface fills around it.
    pub fn contains(&self, p: DVec3) -> bool {
        let angle = |t: &[u32; 3]| {
            let [a, b, c] = self.corners(t).map(|v| v - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        self.triangles.iter().map(angle).sum::<f64>() > 2.0 * std::f64::consts::PI
    }

    /// From a point to the surface, m.
    pub fn distance_to_surface(&self, p: DVec3) -> f64 {
        self.triangles
            .iter()
            .map(|t| p.distance(nearest_in_triangle(p, &self.corners(t))))
            .fold(f64::INFINITY, f64::min)
    }

    /// From a point to the solid, m: none inside.
    pub fn distance_to_solid(&self, p: DVec3) -> f64 {
        let distance = self.distance_to_surface(p);
        if distance > 0.0 && self.contains(p) { 0.0 } else { distance }
    }

    /// How far the solid reaches along a direction, m.
    pub fn support(&self, n: DVec3) -> f64 {
        self.vertices.iter().map(|v| n.dot(*v)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Whether the insides of two solids have points in common. Surfaces that touch without crossing do not count.
pub fn overlap(a: &Soup, b: &Soup) -> bool {
    let (of_a, of_b) = (a.bounds(), b.bounds());
    if boxes_apart(&of_a, &of_b) > 0.0 {
        return false;
    }
    pierces(a, b) || pierces(b, a) || b.contains(a.vertices[0]) || a.contains(b.vertices[0])
}

/// Whether an edge of the one passes through a triangle of the other.
fn pierces(a: &Soup, b: &Soup) -> bool {
    let (of_a, of_b) = (a.bounds(), b.bounds());
    let near: Vec<(Bounds, [DVec3; 3])> = b
        .triangles
        .iter()
        .map(|t| b.corners(t))
        .map(|t| (bounds(&t), t))
        .filter(|t| boxes_apart(&t.0, &of_a) == 0.0)
        .collect();
    a.edges.iter().map(|e| a.ends(e)).any(|e| {
        let of_e = bounds(&e);
        boxes_apart(&of_e, &of_b) == 0.0
            && near.iter().any(|(of_t, t)| boxes_apart(&of_e, of_t) == 0.0 && passes_through(&e, t))
    })
}

fn passes_through(&[p, q]: &[DVec3; 2], &[a, b, c]: &[DVec3; 3]) -> bool {
    let volume = |i: DVec3, j: DVec3, k: DVec3, l: DVec3| (j - i).cross(k - i).dot(l - i);
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0.0 {
        return false;
    }
    let (u, v, w) = (volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a));
    (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0)
}

/// The distance between two surfaces, m, unless it is more than the limit.
pub fn distance(a: &Soup, b: &Soup, limit: f64) -> Option<f64> {
    let (of_a, of_b) = (a.bounds(), b.bounds());
    let near = |own: &Soup, other: &Bounds| -> Vec<(Bounds, [DVec3; 3])> {
        let all = own.triangles.iter().map(|t| own.corners(t)).map(|t| (bounds(&t), t));
        all.filter(|t| boxes_apart(&t.0, other) <= limit).collect()
    };
    let (of_a, of_b) = (near(a, &of_b), near(b, &of_a));
    let mut least = limit;
    let mut is_found = false;
    for (s, p) in &of_a {
        for (t, q) in &of_b {
            if boxes_apart(s, t) <= least {
                let d = between_triangles(p, q);
                if d <= least {
                    (least, is_found) = (d, true);
                }
            }
        }
    }
    is_found.then_some(least)
}

fn between_triangles(p: &[DVec3; 3], q: &[DVec3; 3]) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..3 {
        least = least.min(p[i].distance(nearest_in_triangle(p[i], q))).min(q[i].distance(nearest_in_triangle(q[i], p)));
        let e = [p[i], p[(i + 1) % 3]];
        if passes_through(&e, q) || passes_through(&[q[i], q[(i + 1) % 3]], p) {
            return 0.0;
        }
        for j in 0..3 {
            least = least.min(between_segments(e, [q[j], q[(j + 1) % 3]]));
        }
    }
    least
}

fn nearest_in_segment(p: DVec3, [a, b]: [DVec3; 2]) -> DVec3 {
    let along = b - a;
    a + along * ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0)
}

/// The point of a triangle nearest to p.
pub fn nearest_in_triangle(p: DVec3, &[a, b, c]: &[DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let inside = |x: DVec3, y: DVec3| normal.cross(y - x).dot(p - x) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return p - normal * (normal.dot(p - a) / normal.length_squared());
    }
    let sides = [[a, b], [b, c], [c, a]].map(|side| nearest_in_segment(p, side));
    sides.into_iter().min_by(|x, y| x.distance(p).total_cmp(&y.distance(p))).unwrap_or(a)
}

fn between_segments(e: [DVec3; 2], f: [DVec3; 2]) -> f64 {
    let (u, v, r) = (e[1] - e[0], f[1] - f[0], f[0] - e[0]);
    let ends = [e[0].distance(nearest_in_segment(e[0], f)), e[1].distance(nearest_in_segment(e[1], f))];
    let others = [f[0].distance(nearest_in_segment(f[0], e)), f[1].distance(nearest_in_segment(f[1], e))];
    let least = ends.into_iter().chain(others).fold(f64::INFINITY, f64::min);
    let across = u.cross(v);
    let square = across.length_squared();
    if square <= 1e-20 * u.length_squared() * v.length_squared() {
        return least;
    }
    let (s, t) = (r.cross(v).dot(across) / square, r.cross(u).dot(across) / square);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        least.min(r.dot(across).abs() / square.sqrt())
    } else {
        least
    }
}

/// All t from `low` to `high` at which a feature of B, moved by t·n, meets one of A. Between two of them nothing begins or
/// ends to touch.
pub fn meetings(a: &Soup, b: &Soup, n: DVec3, low: f64, high: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let swept = |(l, h): Bounds| (l + (n * low).min(n * high), h + (n * low).max(n * high));
    let (of_a, of_b) = (a.bounds(), swept(b.bounds()));
    let mut keep = |t: Option<f64>| found.extend(t.filter(|t| (low..=high).contains(t)));
    let near_a: Vec<(Bounds, [DVec3; 2])> = a
        .edges
        .iter()
        .map(|e| a.ends(e))
        .map(|e| (bounds(&e), e))
        .filter(|e| boxes_apart(&e.0, &of_b) == 0.0)
        .collect();
    for f in b.edges.iter().map(|f| b.ends(f)) {
        let of_f = swept(bounds(&f));
        if boxes_apart(&of_f, &of_a) > 0.0 {
            continue;
        }
        for (_, e) in near_a.iter().filter(|e| boxes_apart(&e.0, &of_f) == 0.0) {
            keep(edges_meet(*e, f, n));
        }
    }
    let triangles_a: Vec<(Bounds, [DVec3; 3])> = a
        .triangles
        .iter()
        .map(|t| a.corners(t))
        .map(|t| (bounds(&t), t))
        .filter(|t| boxes_apart(&t.0, &of_b) == 0.0)
        .collect();
    for &p in &b.vertices {
        let of_p = swept((p, p));
        for (_, t) in triangles_a.iter().filter(|t| boxes_apart(&t.0, &of_p) == 0.0) {
            keep(ray(p, n, t));
        }
    }
    let points_a: Vec<DVec3> = a.vertices.iter().copied().filter(|&p| boxes_apart(&(p, p), &of_b) == 0.0).collect();
    for t in b.triangles.iter().map(|t| b.corners(t)) {
        let of_t = swept(bounds(&t));
        for &p in points_a.iter().filter(|&&p| boxes_apart(&(p, p), &of_t) == 0.0) {
            keep(ray(p, -n, &t));
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

/// The t at which p + t·n lies in the triangle.
fn ray(p: DVec3, n: DVec3, &[a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let side = |x: DVec3, y: DVec3| n.dot((x - p).cross(y - p));
    let (u, v, w) = (side(a, b), side(b, c), side(c, a));
    let is_in = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let total = u + v + w;
    (is_in && total != 0.0).then(|| n.dot((a * v + b * w + c * u) / total - p))
}

/// The t at which segment f + t·n meets segment e.
fn edges_meet(e: [DVec3; 2], f: [DVec3; 2], n: DVec3) -> Option<f64> {
    let (u, v, r) = (e[1] - e[0], f[1] - f[0], f[0] - e[0]);
    let volume = u.cross(v).dot(n);
    if volume.abs() <= 1e-12 * u.length() * v.length() {
        return None;
    }
    // e0 + s u = f0 + t n + w v, that is r = s u − w v − t n.
    let t = -u.cross(v).dot(r) / volume;
    let s = r.cross(v).dot(n) / u.cross(v).dot(n);
    let w = r.cross(u).dot(n) / u.cross(v).dot(n);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&w)).then_some(t)
}
