//! Shapes of every kind by chance, each with what brute force knows of it.

use super::oracle;
use super::shapes::{corner, cuboid, pose, star};
use drystone_contact::Pose;
use drystone_contact::shape::{
    Ball, Capsule, Compound, CompoundPart, Cone, Cylinder, Ellipsoid, HeightField, MeshSides, RoundedBox, Shape,
    TriangleMesh,
};
use drystone_contact::split_mix::SplitMix;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// How far a point is from a solid, negative inside, m.
pub type Distance = Box<dyn Fn(DVec3) -> f64>;

/// What brute force knows of a shape, in its frame.
pub enum Known {
    /// The triangles of a closed surface.
    Closed(Vec<[DVec3; 3]>),
    /// Triangles without an inside, and whether rays meet both sides.
    Open(Vec<[DVec3; 3]>, bool),
    /// A distance function of a convex solid.
    Convex(Distance),
    /// The union of others at poses.
    Union(Vec<(Known, Pose)>),
}

/// So deep below a height field a solid stands for what has no end.
const DEEP: f64 = 40.0;

impl Known {
    /// Whether a point is inside, up to rounding near the surface.
    pub fn is_inside(&self, p: DVec3) -> bool {
        match self {
            Self::Closed(triangles) => oracle::is_inside(p, triangles),
            Self::Open(..) => false,
            Self::Convex(distance) => distance(p) < 0.0,
            Self::Union(parts) => parts.iter().any(|(part, pose)| part.is_inside(pose.inverse_transform_point(p))),
        }
    }

    /// How far a point is from the surface; negative inside. Of a union, the least of all parts.
    pub fn distance(&self, p: DVec3) -> f64 {
        let of_triangles = |triangles: &[[DVec3; 3]]| {
            triangles.iter().map(|&t| oracle::point_triangle(p, t)).fold(f64::INFINITY, f64::min)
        };
        match self {
            Self::Closed(triangles) => of_triangles(triangles) * if self.is_inside(p) { -1.0 } else { 1.0 },
            Self::Open(triangles, _) => of_triangles(triangles),
            Self::Convex(distance) => distance(p),
            Self::Union(parts) => {
                let of_parts = parts.iter().map(|(part, pose)| part.distance(pose.inverse_transform_point(p)));
                of_parts.fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// How far a triangle is from it; zero or less if they overlap, m.
    fn distance_to_triangle(&self, triangle: [DVec3; 3]) -> f64 {
        match self {
            Self::Closed(triangles) if oracle::is_inside(triangle[0], triangles) => 0.0,
            Self::Closed(triangles) | Self::Open(triangles, _) => {
                triangles.iter().map(|&t| oracle::triangle_triangle(triangle, t)).fold(f64::INFINITY, f64::min)
            }
            Self::Convex(distance) => oracle::least_on_triangle(triangle, distance),
            Self::Union(parts) => {
                let of = |(part, pose): &(Known, Pose)| {
                    part.distance_to_triangle(triangle.map(|p| pose.inverse_transform_point(p)))
                };
                parts.iter().map(of).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// How far a closed surface, of triangles in this frame, is from it; zero if they overlap, m.
    pub fn distance_to_surface(&self, triangles: &[[DVec3; 3]]) -> f64 {
        let mut least = f64::INFINITY;
        for &[a, b, c] in triangles {
            // No point of a triangle is nearer than its middle less its radius.
            let middle = (a + b + c) / 3.0;
            let radius = middle.distance(a).max(middle.distance(b)).max(middle.distance(c));
            if self.distance(middle) - radius < least {
                least = least.min(self.distance_to_triangle([a, b, c]));
            }
        }
        if least <= 0.0 || self.points().iter().any(|&p| oracle::is_inside(p, triangles)) { 0.0 } else { least }
    }

    /// A point of each part that may be inside of something as a whole.
    fn points(&self) -> Vec<DVec3> {
        match self {
            Self::Closed(triangles) | Self::Open(triangles, _) => triangles.iter().map(|t| t[0]).collect(),
            // All solids here have their origin inside.
            Self::Convex(_) => vec![DVec3::ZERO],
            Self::Union(parts) => {
                let of = |(part, pose): &(Known, Pose)| -> Vec<DVec3> {
                    part.points().into_iter().map(|p| pose.transform_point(p)).collect()
                };
                parts.iter().flat_map(of).collect()
            }
        }
    }
}

fn size(random: &mut SplitMix) -> f64 {
    random.next_between(0.2, 1.2)
}

pub fn capsule(random: &mut SplitMix) -> (Shape, Known) {
    let (radius, half) = (size(random), size(random));
    let distance = move |p: DVec3| DVec3::new(p.x, (p.y.abs() - half).max(0.0), p.z).length() - radius;
    (Capsule::new(radius, half).unwrap().into(), Known::Convex(Box::new(distance)))
}

pub fn cylinder(random: &mut SplitMix) -> (Shape, Known) {
    let (radius, half) = (size(random), size(random));
    let distance = move |p: DVec3| {
        let beyond = DVec2::new(DVec2::new(p.x, p.z).length() - radius, p.y.abs() - half);
        beyond.max(DVec2::ZERO).length() + beyond.max_element().min(0.0)
    };
    (Cylinder::new(radius, half).unwrap().into(), Known::Convex(Box::new(distance)))
}

pub fn cone(random: &mut SplitMix) -> (Shape, Known) {
    let (radius, height) = (size(random), size(random));
    let distance = move |p: DVec3| {
        let p = DVec2::new(DVec2::new(p.x, p.z).length(), p.y + 0.25 * height);
        let (rim, tip) = (DVec2::new(radius, 0.0), DVec2::new(0.0, height));
        let from = |a: DVec2, b: DVec2| {
            let share = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            p.distance(a + share * (b - a))
        };
        let is_inside = p.y > 0.0 && (rim - tip).perp_dot(p - tip) < 0.0;
        from(tip, rim).min(from(DVec2::ZERO, rim)) * if is_inside { -1.0 } else { 1.0 }
    };
    (Cone::new(radius, height).unwrap().into(), Known::Convex(Box::new(distance)))
}

pub fn rounded_box(random: &mut SplitMix) -> (Shape, Known) {
    let half = DVec3::new(size(random), size(random), size(random));
    let radius = 0.5 * size(random);
    let distance = move |p: DVec3| {
        let beyond = p.abs() - half;
        beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0) - radius
    };
    (RoundedBox::new(half, radius).unwrap().into(), Known::Convex(Box::new(distance)))
}

pub fn ball(random: &mut SplitMix) -> (Shape, Known) {
    let radius = size(random);
    (Ball::new(radius).unwrap().into(), Known::Convex(Box::new(move |p| p.length() - radius)))
}

pub fn ellipsoid(random: &mut SplitMix) -> (Shape, Known) {
    let axes = DVec3::new(size(random), size(random), size(random));
    let distance = move |p: DVec3| oracle::from_ellipsoid(axes, p);
    (Ellipsoid::new(axes).unwrap().into(), Known::Convex(Box::new(distance)))
}

/// A shape by chance.
type Make = fn(&mut SplitMix) -> (Shape, Known);

/// Every kind of convex primitive with an end.
pub const PRIMITIVES: [Make; 6] = [ball, capsule, cone, cylinder, ellipsoid, rounded_box];

/// A height field some 3 m wide, with a solid below that ends far down.
pub fn terrain(random: &mut SplitMix) -> (Shape, Known) {
    let (rows, columns) = (2 + random.next_below(6), 2 + random.next_below(6));
    let spacing = [random.next_between(0.3, 0.8), random.next_between(0.3, 0.8)];
    let heights: Vec<f64> = (0..rows * columns).map(|_| random.next_between(-0.6, 0.6)).collect();
    let at = |r: usize, c: usize| DVec3::new(c as f64 * spacing[0], heights[r * columns + c], r as f64 * spacing[1]);
    let below = |p: DVec3| DVec3 { y: -DEEP, ..p };
    let mut triangles = Vec::new();
    for r in 0..rows - 1 {
        for c in 0..columns - 1 {
            triangles.push([at(r, c), at(r + 1, c), at(r, c + 1)]);
            triangles.push([at(r, c + 1), at(r + 1, c), at(r + 1, c + 1)]);
        }
    }
    // Around the border, counter-clockwise seen from above.
    let mut border: Vec<DVec3> = (0..rows - 1).map(|r| at(r, 0)).collect();
    border.extend((0..columns - 1).map(|c| at(rows - 1, c)));
    border.extend((1..rows).rev().map(|r| at(r, columns - 1)));
    border.extend((1..columns).rev().map(|c| at(0, c)));
    for k in 0..border.len() {
        let (p, q) = (border[k], border[(k + 1) % border.len()]);
        triangles.extend([[p, below(p), below(q)], [p, below(q), q]]);
        triangles.push([below(border[0]), below(q), below(p)]);
    }
    let shape = HeightField::new(rows, columns, spacing, heights).unwrap().into();
    (shape, Known::Closed(triangles))
}

/// A crumpled sheet of 2 m, or a surface with a hole.
pub fn mesh(random: &mut SplitMix, sides: MeshSides) -> (Shape, Known) {
    let count = 2 + random.next_below(5);
    let step = 2.0 / count as f64;
    let mut vertices = Vec::new();
    for i in 0..=count {
        for j in 0..=count {
            let flat = DVec3::new(i as f64 * step - 1.0, 0.0, j as f64 * step - 1.0);
            let off = DVec3::new(0.2, 0.5, 0.2) * random.next_between(-1.0, 1.0);
            vertices.push(flat + off * step);
        }
    }
    let mut triangles = Vec::new();
    let hole = random.next_below(2 * count * count);
    for i in 0..count {
        for j in 0..count {
            let [a, b, c, d] =
                [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)].map(|(i, j)| (i * (count + 1) + j) as u32);
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    triangles.remove(hole);
    let shape = TriangleMesh::new(&vertices, &triangles, sides).unwrap();
    let placed = triangles.iter().map(|t| t.map(|v| vertices[v as usize])).collect();
    (shape.into(), Known::Open(placed, sides == MeshSides::Both))
}

/// Some primitives and polyhedra, convex or not, that overlap or are apart.
pub fn compound(random: &mut SplitMix) -> (Shape, Known) {
    let mut parts = Vec::new();
    let mut known = Vec::new();
    for _ in 0..1 + random.next_below(6) {
        let (shape, own) = match random.next_below(4) {
            0 => {
                let shape = cuboid(DVec3::new(size(random), size(random), size(random)));
                let triangles = oracle::triangles(&shape, &Pose::IDENTITY);
                (shape, Known::Closed(triangles))
            }
            1 => {
                let shape = if random.next_below(2) == 0 { corner() } else { star(random, 1, 0.4) };
                let triangles = oracle::triangles(&shape, &Pose::IDENTITY);
                (shape, Known::Closed(triangles))
            }
            _ => PRIMITIVES[random.next_below(PRIMITIVES.len())](random),
        };
        let pose = pose(random, 1.2);
        parts.push(CompoundPart { shape: Arc::new(shape), pose });
        known.push((own, pose));
    }
    (Compound::new(parts).unwrap().into(), Known::Union(known))
}
