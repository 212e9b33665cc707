//! A convex polyhedron or a flat convex polygon as a convex core.

use glam::DVec3;

use super::{ConvexCore, LocalFeature, Outline};
use crate::contact::Feature;
use crate::shape::features::{FeatureId, Features};

/// A convex polyhedron, or a flat convex polygon with two faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope {
    /// m.
    vertices: Vec<DVec3>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    /// The vertex that is farthest along the directions of each octant, of a box along the axes about the origin.
    octants: Option<[u32; 8]>,
    /// Whether features are named as parts of a primitive's surface.
    is_primitive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    ends: [u32; 2],
    /// Unit.
    direction: DVec3,
}

#[derive(Clone, Debug, PartialEq)]
struct Face {
    /// Outward, unit.
    normal: DVec3,
    /// Of the plane, m.
    point: DVec3,
    /// Counter-clockwise seen from outside.
    corners: Vec<u32>,
}

impl Polytope {
    /// The convex hull of vertices (m) by its faces, each counter-clockwise seen from outside: flat and convex, which is not
    /// checked. `None` if an edge has no length or a face no area.
    pub fn new(vertices: Vec<DVec3>, faces: &[Vec<u32>]) -> Option<Self> {
        let at = |v: u32| vertices[v as usize];
        let (mut edges, mut made) = (Vec::new(), Vec::new());
        for corners in faces {
            // Newell's sum, about the first corner.
            let origin = at(*corners.first()?);
            let next = corners.iter().skip(1).chain(corners.first());
            let area: DVec3 =
                corners.iter().zip(next.clone()).map(|(&v, &w)| (at(v) - origin).cross(at(w) - origin)).sum();
            made.push(Face { normal: area.try_normalize()?, point: origin, corners: corners.clone() });
            for (&v, &w) in corners.iter().zip(next) {
                let ends = [v.min(w), v.max(w)];
                if !edges.iter().any(|edge: &Edge| edge.ends == ends) {
                    edges.push(Edge { ends, direction: (at(ends[1]) - at(ends[0])).try_normalize()? });
                }
            }
        }
        let octants = octants(&vertices);
        Some(Self { vertices, edges, faces: made, octants, is_primitive: false })
    }

    /// A triangle with its three corners, m: face 0 is the side from which they run counter-clockwise, face 1 the other, edge k
    /// leads from corner k to the next. `None` if rounding leaves it no area.
    pub fn triangle(corners: [DVec3; 3]) -> Option<Self> {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize()?;
        let edge = |v: u32, w: u32| {
            let direction = (corners[w as usize] - corners[v as usize]).try_normalize()?;
            Some(Edge { ends: [v, w], direction })
        };
        let face = |normal: DVec3, order: [u32; 3]| Face { normal, point: corners[0], corners: order.to_vec() };
        let faces = vec![face(normal, [0, 1, 2]), face(-normal, [0, 2, 1])];
        let edges = vec![edge(0, 1)?, edge(1, 2)?, edge(2, 0)?];
        Some(Self { vertices: corners.to_vec(), edges, faces, octants: None, is_primitive: false })
    }

    /// The box with these half sides (m) about the origin; its features are parts of a primitive's surface: faces 0 to 5, edges 6 to
    /// 17, corners 18 to 25.
    pub(crate) fn cuboid(half: DVec3) -> Option<Self> {
        let corner = |k: u32| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 })) * half;
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let made = Self::new((0..8).map(corner).collect(), &faces.map(Vec::from))?;
        Some(Self { is_primitive: true, ..made })
    }

    /// The features of a convex polyhedron, with their numbers.
    pub(crate) fn of_features(features: &Features) -> Self {
        let vertices: Vec<DVec3> = features.vertices().iter().map(|v| v.position).collect();
        let face = |facet: &crate::shape::features::Facet| Face {
            normal: facet.normal,
            point: vertices[facet.vertices[0] as usize],
            corners: facet.vertices.clone(),
        };
        let faces = features.facets().iter().map(face).collect();
        Self {
            octants: octants(&vertices),
            vertices,
            edges: features.edges().iter().map(|e| Edge { ends: e.vertices, direction: e.direction }).collect(),
            faces,
            is_primitive: false,
        }
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    /// How many faces there are.
    pub(crate) fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// The outward normals (unit) of the faces, each with a point of its plane, m.
    pub(crate) fn planes(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.faces.iter().map(|face| (face.normal, face.point))
    }

    /// Whether a point lies over a face or its border, as seen along the normal.
    pub(crate) fn is_over_face(&self, face: usize, point: DVec3) -> bool {
        let Face { normal, corners, .. } = &self.faces[face];
        let next = corners.iter().skip(1).chain(corners.first());
        corners.iter().zip(next).all(|(&v, &w)| {
            let [p, q] = [v, w].map(|v| self.at(v));
            normal.dot((q - p).cross(point - p)) >= 0.0
        })
    }

    /// One of the vertices that are farthest along a direction, the same for the same direction.
    fn farthest(&self, direction: DVec3) -> u32 {
        if let Some(octants) = &self.octants {
            return octants[octant(direction)];
        }
        let (mut farthest, mut most) = (0, f64::NEG_INFINITY);
        for (k, vertex) in (0..).zip(&self.vertices) {
            let height = direction.dot(*vertex);
            if height > most {
                (farthest, most) = (k, height);
            }
        }
        farthest
    }

    /// The edges that are perpendicular to a direction up to the sine of an angle, and as far along it as anything.
    fn edges_across(&self, direction: DVec3, sine: f64) -> impl Iterator<Item = &Edge> {
        let top = direction.dot(self.at(self.farthest(direction)));
        self.edges.iter().filter(move |edge| {
            let [v, w] = edge.ends.map(|v| self.at(v));
            direction.dot(edge.direction).abs() <= sine
                && top - direction.dot(v).max(direction.dot(w)) <= sine * v.distance(w)
        })
    }

    fn named(&self, id: FeatureId) -> Feature {
        let (faces, edges) = (self.faces.len() as u32, self.edges.len() as u32);
        match (self.is_primitive, id) {
            (false, FeatureId::Facet(f)) => Feature::Facet(f),
            (false, FeatureId::Edge(e)) => Feature::FacetEdge(e),
            (false, FeatureId::Vertex(v)) => Feature::FacetVertex(v),
            (true, FeatureId::Facet(f)) => Feature::Surface(f),
            (true, FeatureId::Edge(e)) => Feature::Surface(faces + e),
            (true, FeatureId::Vertex(v)) => Feature::Surface(faces + edges + v),
        }
    }
}

/// A number for the signs of a vector: a bit for each coordinate above zero.
fn octant(v: DVec3) -> usize {
    usize::from(v.x > 0.0) | usize::from(v.y > 0.0) << 1 | usize::from(v.z > 0.0) << 2
}

/// Up to this share of its size a box is one along the axes about the origin.
const ROUNDING: f64 = 1e-15;

/// The vertex in each octant, of a box along the axes about the origin.
fn octants(vertices: &[DVec3]) -> Option<[u32; 8]> {
    let half = vertices.first()?.abs();
    let is_corner = |v: &DVec3| (v.abs() - half).abs().max_element() <= ROUNDING * half.max_element();
    let mut octants = [u32::MAX; 8];
    for (k, vertex) in (0..).zip(vertices).filter(|(_, vertex)| is_corner(vertex)) {
        octants[octant(*vertex)] = k;
    }
    (vertices.len() == 8 && !octants.contains(&u32::MAX)).then_some(octants)
}

impl ConvexCore for Polytope {
    fn as_polytope(&self) -> Option<&Polytope> {
        Some(self)
    }

    fn half_sides(&self) -> Option<DVec3> {
        self.octants.as_ref().map(|octants| self.at(octants[7]))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.at(self.farthest(direction))
    }

    fn local_features(&self, direction: DVec3, angle: f64, found: &mut Vec<LocalFeature>) {
        let (sine, cosine) = libm::sincos(angle);
        found.push(LocalFeature::Vertex { point: self.support(direction) });
        let line = |edge: &Edge| LocalFeature::Line { point: self.at(edge.ends[0]), direction: edge.direction };
        found.extend(self.edges_across(direction, sine).map(line));
        let faces = self.faces.iter().filter(|face| face.normal.dot(direction) >= cosine);
        found.extend(faces.map(|face| LocalFeature::Face { normal: face.normal }));
    }

    fn outline(&self, direction: DVec3, angle: f64) -> (Outline, Feature) {
        let (sine, cosine) = libm::sincos(angle);
        let mut best: Option<(u32, f64)> = None;
        for (f, face) in (0..).zip(&self.faces) {
            let along = face.normal.dot(direction);
            if along >= cosine && best.is_none_or(|(_, most)| along > most) {
                best = Some((f, along));
            }
        }
        if let Some((f, _)) = best {
            let Face { normal, corners, .. } = &self.faces[f as usize];
            let corners = corners.iter().map(|&v| self.at(v)).collect();
            return (Outline::Polygon { corners, normal: *normal }, self.named(FeatureId::Facet(f)));
        }
        let vertex = self.farthest(direction);
        let off = |edge: &Edge| direction.dot(edge.direction).abs();
        let across = (0..).zip(&self.edges).filter(|(_, edge)| edge.ends.contains(&vertex) && off(edge) <= sine);
        if let Some((e, edge)) = across.min_by(|(_, p), (_, q)| off(p).total_cmp(&off(q))) {
            return (Outline::Segment(edge.ends.map(|v| self.at(v))), self.named(FeatureId::Edge(e)));
        }
        (Outline::Point(self.at(vertex)), self.named(FeatureId::Vertex(vertex)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    /// The corner of a box that is farthest in a direction is found by the signs of the direction, also where some are zero; a box that is
    /// not about the origin has no such table.
    #[test]
    fn the_farthest_corner_of_a_box_is_farthest() {
        let half = DVec3::new(0.5, 0.3, 0.2);
        let cuboid = Polytope::cuboid(half).unwrap();
        assert!(cuboid.octants.is_some());
        let aside = cuboid.vertices.iter().map(|v| *v + DVec3::X * 0.01).collect();
        let faces: Vec<Vec<u32>> = cuboid.faces.iter().map(|face| face.corners.clone()).collect();
        let aside = Polytope::new(aside, &faces).unwrap();
        assert!(aside.octants.is_none());
        let mut random = SplitMix::new(4);
        for k in 0..400 {
            let mut d = DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)));
            if k % 4 == 0 {
                d[k % 3] = 0.0;
            }
            let reach = d.abs().dot(half);
            assert!((cuboid.support(d).dot(d) - reach).abs() < 1e-15);
            assert!((aside.support(d).dot(d) - reach - 0.01 * d.x).abs() < 1e-15);
        }
    }
}
