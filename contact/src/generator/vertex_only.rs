//! Vertex only: a vertex inside a tetrahedron takes the normal of the closest surface face (assessment paper,
//! section 6).
//!
//! `published` is what the tables were made with: among signed distances, all negative or zero inside, the smallest
//! was taken, so the normal is that of the farthest surface face.

use num_traits::{Float, One};

use super::Variant;
use super::intersection_points::Touching;
use super::local::{ElementMethod, LocalContact, LocalFeature};
use super::tetrahedron::{Tetrahedron, is_inside};
use crate::precision::Vector;

/// Settings of the vertex-only method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexOnly {
    /// Which surface face gives the normal. Of equally good ones each gives a contact.
    pub face: FaceChoice,
    /// How touching is decided.
    pub touching: Touching,
}

/// Which surface face gives the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceChoice {
    /// The closest.
    Closest,
    /// The farthest.
    Farthest,
}

impl VertexOnly {
    /// The settings of a variant.
    pub fn new(variant: Variant) -> Self {
        match variant {
            Variant::Corrected => VertexOnly { face: FaceChoice::Closest, touching: Touching::new(variant) },
            Variant::Published => VertexOnly { face: FaceChoice::Farthest, touching: Touching::new(variant) },
        }
    }

    /// Calls `report` with (vertex, outward unit normal, gap, face) for the vertices of `other` inside `tetrahedron`.
    fn inside<V: Vector>(
        &self,
        tetrahedron: &Tetrahedron<V>,
        other: &Tetrahedron<V>,
        mut report: impl FnMut(usize, V, V::Real, usize),
    ) {
        let tolerance = V::real(self.touching.tolerance);
        let planes = tetrahedron.planes(self.touching.normal_length);
        for (v, &vertex) in other.points.iter().enumerate() {
            if !is_inside(vertex, &planes, tolerance) {
                continue;
            }
            let distance = |k: usize| planes[k].distance(vertex) / planes[k].normal.length();
            let surface = || (0..4).filter(|&k| tetrahedron.surface_faces[k]);
            let sign = match self.face {
                FaceChoice::Closest => -V::Real::one(),
                FaceChoice::Farthest => V::Real::one(),
            };
            let best = surface().fold(V::Real::infinity(), |best, k| best.min(sign * distance(k)));
            for k in surface().filter(|&k| sign * distance(k) - best <= tolerance) {
                report(v, planes[k].normal.unit(), distance(k), k);
            }
        }
    }
}

impl ElementMethod for VertexOnly {
    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        self.inside(a, b, |v, normal, gap, k| {
            let (feature_a, feature_b) = (LocalFeature::Face(k), LocalFeature::Vertex(v));
            contacts.push(LocalContact { position: b.points[v], normal, gap, feature_a, feature_b });
        });
        self.inside(b, a, |v, normal, gap, k| {
            let (feature_a, feature_b) = (LocalFeature::Vertex(v), LocalFeature::Face(k));
            contacts.push(LocalContact { position: a.points[v], normal: -normal, gap, feature_a, feature_b });
        });
    }
}
