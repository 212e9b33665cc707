//! Normal cones: the directions across which a plane through a feature has the solid on one side, as far as the solid
//! can be seen from the feature. It is the polar of the tangent cone. Reflex edges and saddle vertices have none but
//! zero.

use glam::DVec3;

use super::{Edge, FeatureId, Features, Vertex};

impl Edge {
    /// Whether the solid at the edge lies below the plane across the unit vector n, up to the tolerance (a sine).
    pub fn supports(&self, n: DVec3, tolerance: f64) -> bool {
        self.is_convex && self.inward.iter().all(|t| n.dot(*t) <= tolerance)
    }
}

impl Vertex {
    /// Whether the solid at the vertex lies below the plane across the unit vector n, up to the tolerance (a sine).
    pub fn supports(&self, n: DVec3, tolerance: f64) -> bool {
        self.ring.iter().all(|t| n.dot(*t) <= tolerance)
    }
}

impl Features {
    /// Whether the unit vector n (body frame) lies in the normal cone of a feature, up to the tolerance (the sine of an
    /// angle): `n·t ≤ tolerance` for all directions t in which the solid goes on from it. For an edge and a facet n
    /// must also be perpendicular to it by as much.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn supports(&self, feature: FeatureId, n: DVec3, tolerance: f64) -> bool {
        match feature {
            FeatureId::Facet(f) => {
                let normal = self.facets[f as usize].normal;
                normal.dot(n) > 0.0 && normal.cross(n).length() <= tolerance
            }
            FeatureId::Edge(e) => {
                let edge = &self.edges[e as usize];
                edge.direction.dot(n).abs() <= tolerance && edge.supports(n, tolerance)
            }
            FeatureId::Vertex(v) => self.vertices[v as usize].supports(n, tolerance),
        }
    }

    /// The points that span a feature, body frame, m.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn points(&self, feature: FeatureId) -> impl Iterator<Item = DVec3> + '_ {
        let at = |v: u32| self.vertices[v as usize].position;
        let (facet, edge, vertex) = match feature {
            FeatureId::Facet(f) => (self.facets[f as usize].corners.as_slice(), None, None),
            FeatureId::Edge(e) => (&[][..], Some(self.edges[e as usize].vertices.map(at)), None),
            FeatureId::Vertex(v) => (&[][..], None, Some(at(v))),
        };
        facet.iter().copied().chain(edge.into_iter().flatten()).chain(vertex)
    }
}
