//! What all local methods share: they look at one pair of overlapping tetrahedra at a time.
//!
//! [`Local`] makes a [`Generator`] of an [`ElementMethod`]: it places both meshes, walks the pairs of surface
//! tetrahedra whose bounds overlap, collects the method's contacts, filters repetitions and names the features.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::post_filter::{Compare, PostFilter, sort_and_filter};
use super::tetrahedron::Tetrahedron;
use super::{Generator, GeneratorError, Placed, SAME, TOUCHING};
use crate::contact::{Contact, Feature};
use crate::precision::Vector;
use crate::shape::{PlacedTree, Shape, Tetrahedra, TetrahedralMesh, overlapping_elements};

/// A feature of one tetrahedron, by its local number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalFeature {
    /// The tetrahedron as a whole.
    Element,
    /// Vertex 0..4.
    Vertex(usize),
    /// Edge 0..6.
    Edge(usize),
    /// Face 0..4.
    Face(usize),
}

/// A contact of two tetrahedra, in the precision of `V`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalContact<V: Vector> {
    /// World position, m.
    pub position: V,
    /// From A to B.
    pub normal: V,
    /// Positive apart, negative penetrating, m.
    pub gap: V::Real,
    /// The feature of the tetrahedron of A.
    pub feature_a: LocalFeature,
    /// The feature of the tetrahedron of B.
    pub feature_b: LocalFeature,
}

/// A contact with the pair of elements that it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementContact<V: Vector> {
    /// The contact.
    pub contact: LocalContact<V>,
    /// Tetrahedron of A, tetrahedron of B.
    pub elements: (u32, u32),
}

/// What a local method finds in one pair of tetrahedra.
pub trait ElementMethod: Send + Sync {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// Appends the contacts of `a` and `b`.
    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>);

    /// The largest distance between two tetrahedra at which the method may find contacts, m. Most methods want them to
    /// touch.
    fn margin(&self) -> f64 {
        TOUCHING
    }

    /// By how much shapes are eroded before the method looks at them, m; `None`: not at all.
    fn erosion(&self) -> Option<f64> {
        None
    }
}

/// A local method as a generator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Local<M> {
    /// The method and its settings.
    pub method: M,
    /// How repetitions are dropped.
    pub post_filter: PostFilter,
    /// Pairs whose bounds are farther apart than this are not looked at, m. The bounds lie across the diagonals, so
    /// that flat faces one above the other are looked at over a wider gap.
    pub margin: f64,
}

/// Rounding of world coordinates may be up to this share of the thickness of a shape.
const COARSEST: f64 = 1e-3;

/// What the tetrahedra of a shape are needed for, in errors.
const NEEDS: &str = "the tetrahedra of a polyhedron";

impl<M: ElementMethod> Local<M> {
    /// The method with repetitions dropped wherever they stand. Pairs whose bounds are farther apart than `margin` (m) are
    /// not looked at.
    pub fn new(method: M, margin: f64) -> Self {
        let post_filter = PostFilter { compare: Compare::All, tolerance: Some(SAME) };
        Self { method, post_filter, margin }
    }

    /// The shape that the method looks at.
    fn seen<'s>(&self, shape: &'s Shape) -> Result<&'s Shape, GeneratorError> {
        let eroded = |depth| shape.polyhedron("eroded copy").and_then(|polyhedron| polyhedron.eroded(depth));
        match self.method.erosion() {
            None => Ok(shape),
            Some(depth) => eroded(depth).map_err(|e| {
                GeneratorError::needs(self.method.name(), shape.kind(), "an eroded copy of a polyhedron", e)
            }),
        }
    }

    /// The tetrahedra that the method looks at.
    fn tetrahedra<'s>(&self, shape: &'s Shape) -> Result<&'s Tetrahedra, GeneratorError> {
        let tetrahedra = self.seen(shape)?.polyhedron("tetrahedra").and_then(|polyhedron| polyhedron.tetrahedra());
        tetrahedra.map_err(|e| GeneratorError::needs(self.method.name(), shape.kind(), NEEDS, e))
    }

    /// Whether a shape still has its features in world coordinates, in which everything is computed here.
    fn check_place(&self, placed: &Placed<'_>) -> Result<(), GeneratorError> {
        let (thickness, radius) = (placed.shape.thickness(), placed.shape.radius());
        let distance = placed.pose.translation.abs().max_element() + radius;
        let limit = COARSEST * thickness / f64::EPSILON;
        if distance > limit {
            let (generator, kind) = (self.method.name().into(), placed.shape.kind().into());
            return Err(GeneratorError::TooFar { generator, kind, distance, thickness, limit });
        }
        Ok(())
    }

    /// As [`Generator::contacts`], computed in the precision of `V`: poses and vertices are rounded to it first.
    ///
    /// # Errors
    /// As [`Generator::contacts`], and [`GeneratorError::TooFar`].
    pub fn contacts_in<V: Vector>(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        self.check_place(a)?;
        self.check_place(b)?;
        let (a, b) = ((self.tetrahedra(a.shape)?, &a.pose), (self.tetrahedra(b.shape)?, &b.pose));
        let tree_a = PlacedTree::<V>::new(a.0.tree(), a.0.mesh(), a.1);
        let tree_b = PlacedTree::<V>::new(b.0.tree(), b.0.mesh(), b.1);
        let (mesh_a, mesh_b) = (a.0.mesh(), b.0.mesh());
        let mut found = Vec::new();
        let mut buffer = Vec::new();
        for elements in overlapping_elements(&tree_a, &tree_b, V::real(self.margin)) {
            let tetrahedron_a = element(mesh_a, &tree_a, elements.0);
            let tetrahedron_b = element(mesh_b, &tree_b, elements.1);
            self.method.contacts(&tetrahedron_a, &tetrahedron_b, &mut buffer);
            found.extend(buffer.drain(..).map(|contact| ElementContact { contact, elements }));
        }
        sort_and_filter(&mut found, &self.post_filter);
        let contacts = found
            .iter()
            .map(|c| Contact {
                position: c.contact.position.widen(),
                normal: c.contact.normal.widen(),
                gap: c.contact.gap.into(),
                feature_a: global_feature(mesh_a, c.elements.0, c.contact.feature_a),
                feature_b: global_feature(mesh_b, c.elements.1, c.contact.feature_b),
            })
            .collect();
        Ok(contacts)
    }
}

impl<M: ElementMethod> Generator for Local<M> {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.tetrahedra(shape).map(|_| ())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        self.contacts_in::<DVec3>(a, b)
    }

    fn margin(&self, _: &Shape) -> f64 {
        self.method.margin()
    }

    fn contact_shape<'s>(&self, shape: &'s Shape) -> &'s Shape {
        // Without an eroded copy there are no contacts, but the error of preparation.
        self.seen(shape).unwrap_or(shape)
    }
}

fn element<V: Vector>(mesh: &TetrahedralMesh, tree: &PlacedTree<'_, V>, element: u32) -> Tetrahedron<V> {
    let t = element as usize;
    Tetrahedron {
        points: mesh.tetrahedra()[t].map(|v| tree.vertices()[v as usize]),
        surface_faces: mesh.tetrahedron_faces()[t].map(|f| mesh.face_on_surface(f)),
        surface_edges: mesh.tetrahedron_edges()[t].map(|e| mesh.edge_on_surface()[e as usize]),
    }
}

fn global_feature(mesh: &TetrahedralMesh, element: u32, feature: LocalFeature) -> Feature {
    let t = element as usize;
    match feature {
        LocalFeature::Element => Feature::Tetrahedron(element),
        LocalFeature::Vertex(v) => Feature::Vertex(mesh.tetrahedra()[t][v]),
        LocalFeature::Edge(e) => Feature::Edge(mesh.tetrahedron_edges()[t][e]),
        LocalFeature::Face(f) => Feature::Face(mesh.tetrahedron_faces()[t][f]),
    }
}
