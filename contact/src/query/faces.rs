//! A convex polyhedron with few faces, by the planes of its faces. A ray is clipped against all of them (Kay and Kajiya, "Ray tracing
//! complex scenes", 1986; Haines, "Fast ray-convex polyhedron intersection", 1991), so that none slips through an edge.

use glam::DVec3;

use super::cuboid::Cuboid;
use super::ray::{Fill, Ray, RayHit};
use crate::contact::Feature;
use crate::shape::Polyhedron;

/// Polyhedra with more faces are asked by their tree.
const MOST: usize = 24;

/// Corners that are no farther from a plane than this share of the largest coordinate are in it.
const IN_PLANE: f64 = 1e-15;

/// A face: one or more triangles in one plane.
#[derive(Clone, Debug)]
pub struct Face {
    /// Outward, unit.
    pub normal: DVec3,
    /// Of the points of the plane along the normal, m.
    offset: f64,
    pub feature: Feature,
    triangles: Vec<FaceTriangle>,
}

#[derive(Clone, Debug)]
struct FaceTriangle {
    number: u32,
    /// The inward normal of each side in the plane, and the offset of the side along it, m.
    sides: [(DVec3, f64); 3],
}

impl FaceTriangle {
    /// How far inside of the nearest side a point is, m; negative outside.
    fn depth(&self, point: DVec3) -> f64 {
        self.sides.iter().map(|(inward, offset)| inward.dot(point) - offset).fold(f64::INFINITY, f64::min)
    }
}

impl Face {
    pub fn has(&self, triangle: u32) -> bool {
        self.triangles.iter().any(|own| own.number == triangle)
    }

    /// The triangle that a point of the plane is in.
    pub fn triangle_at(&self, point: DVec3) -> u32 {
        let (mut best, mut deepest) = (0, f64::NEG_INFINITY);
        for triangle in &self.triangles {
            let depth = triangle.depth(point);
            if depth > deepest {
                (best, deepest) = (triangle.number, depth);
            }
            if depth >= 0.0 {
                break;
            }
        }
        best
    }
}

/// The faces, and the box that they are if they are one.
#[derive(Clone, Debug)]
pub struct Faces {
    all: Vec<Face>,
    cuboid: Option<Box<Cuboid>>,
}

/// Where a line gets into the polyhedron and out of it: distances from the origin of the ray (m), and faces.
pub type Clipped = [(f64, u32); 2];

impl Faces {
    /// Of a polyhedron that is exactly convex and has few faces.
    pub fn of(polyhedron: &Polyhedron) -> Option<Self> {
        let surface = polyhedron.surface();
        let facets = polyhedron.features().facets().len();
        if facets > MOST || !surface.is_convex() {
            return None;
        }
        let tolerance = IN_PLANE * surface.vertices().iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
        let mut all: Vec<Face> = Vec::new();
        for number in 0..surface.triangles().len() as u32 {
            let (corners, normal) = (surface.corners(number), surface.normals()[number as usize]);
            let feature = polyhedron.features().facet_of_triangle(number).map(Feature::Facet)?;
            let side = |k: usize| {
                let inward = normal.cross((corners[(k + 1) % 3] - corners[k]).normalize());
                (inward, inward.dot(corners[k]))
            };
            let triangle = FaceTriangle { number, sides: [0, 1, 2].map(side) };
            let is_in = |face: &Face| {
                let is_near = |&p: &DVec3| (face.normal.dot(p) - face.offset).abs() <= tolerance;
                face.feature == feature && corners.iter().all(is_near)
            };
            match all.iter().position(is_in) {
                Some(face) => all[face].triangles.push(triangle),
                None if all.len() == MOST => return None,
                None => all.push(Face { normal, offset: normal.dot(corners[0]), feature, triangles: vec![triangle] }),
            }
        }
        let cuboid = Cuboid::of(surface, &all).map(Box::new);
        Some(Self { all, cuboid })
    }

    /// The box along the axes, if it is one.
    pub fn cuboid(&self) -> Option<&Cuboid> {
        self.cuboid.as_deref()
    }

    pub fn face(&self, number: u32) -> &Face {
        &self.all[number as usize]
    }

    /// The part of the line of a ray that is inside.
    fn clipped(&self, ray: &Ray) -> Option<Clipped> {
        if let Some(cuboid) = &self.cuboid {
            return cuboid.clipped(ray);
        }
        let (mut near, mut far) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
        for (face, number) in self.all.iter().zip(0..) {
            let (height, slope) = (face.normal.dot(ray.origin()) - face.offset, face.normal.dot(ray.direction()));
            let distance = -height / slope;
            if slope < 0.0 {
                near = if distance > near.0 { (distance, number) } else { near };
            } else if slope > 0.0 {
                far = if distance < far.0 { (distance, number) } else { far };
            } else if height > 0.0 {
                return None;
            }
        }
        (near.0 <= far.0).then_some([near, far])
    }

    /// The first hit of a ray, in the frame of the polyhedron.
    pub fn first(&self, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
        let [near, far] = self.clipped(ray)?;
        if near.0 >= 0.0 {
            return (near.0 <= most).then(|| self.hit(ray, near, true));
        }
        if far.0 > 0.0 && fill == Fill::Solid {
            return Some(RayHit::inside(ray));
        }
        (far.0 >= 0.0 && far.0 <= most).then(|| self.hit(ray, far, false))
    }

    /// All hits.
    pub fn all(&self, ray: &Ray, most: f64, fill: Fill, visit: &mut impl FnMut(RayHit)) {
        let Some([near, far]) = self.clipped(ray) else { return };
        if near.0 < 0.0 && far.0 > 0.0 && fill == Fill::Solid {
            visit(RayHit::inside(ray));
        }
        for (end, is_entry) in [(near, true), (far, false)] {
            if end.0 >= 0.0 && end.0 <= most {
                visit(self.hit(ray, end, is_entry));
            }
        }
    }

    fn hit(&self, ray: &Ray, (distance, number): (f64, u32), is_entry: bool) -> RayHit {
        let face = self.face(number);
        let triangle = face.triangle_at(ray.at(distance));
        RayHit::of_feature(ray, distance, face.normal, face.feature, Some(triangle), is_entry)
    }
}
