//! What all local methods share: they look at one pair of overlapping tetrahedra at a time.
//!
//! [`Local`] makes a [`Generator`] of an [`ElementMethod`]: it places both meshes, walks the pairs of surface
//! tetrahedra whose bounds overlap, collects the method's contacts, filters repetitions and names the features.

use glam::{DVec3, Vec3};

use super::post_filter::{PostFilter, sort_and_filter};
use super::tetrahedron::Tetrahedron;
use super::{Generator, Placed, TOUCHING};
use crate::contact::{Contact, Feature};
use crate::precision::{Precision, Vector};
use crate::shape::{PlacedTree, Shape, overlapping_elements};

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
    /// Appends the contacts of `a` and `b`.
    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>);

    /// The largest distance between two tetrahedra at which the method may find contacts, m. Most methods want them to
    /// touch.
    fn reach(&self) -> f64 {
        TOUCHING
    }
}

/// A local method as a generator.
#[derive(Clone, Debug)]
pub struct Local<M> {
    /// The method and its settings.
    pub method: M,
    /// The number type of its arithmetic.
    pub precision: Precision,
    /// How repetitions are dropped.
    pub post_filter: PostFilter,
    /// Pairs whose bounds are farther apart than this are not looked at, m. The bounds lie across the diagonals, so
    /// that flat faces one above the other are looked at over a wider gap.
    pub reach: f64,
}

impl<M: ElementMethod> Local<M> {
    fn contacts_in<V: Vector>(&self, a: &Placed<'_>, b: &Placed<'_>) -> Vec<Contact> {
        let tree_a = PlacedTree::<V>::new(a.shape.tree(), a.shape.mesh(), &a.pose);
        let tree_b = PlacedTree::<V>::new(b.shape.tree(), b.shape.mesh(), &b.pose);
        let mut found = Vec::new();
        let mut buffer = Vec::new();
        for elements in overlapping_elements(&tree_a, &tree_b, V::real(self.reach)) {
            let tetrahedron_a = element(a.shape, &tree_a, elements.0);
            let tetrahedron_b = element(b.shape, &tree_b, elements.1);
            self.method.contacts(&tetrahedron_a, &tetrahedron_b, &mut buffer);
            found.extend(buffer.drain(..).map(|contact| ElementContact { contact, elements }));
        }
        sort_and_filter(&mut found, &self.post_filter);
        found
            .iter()
            .map(|c| Contact {
                position: c.contact.position.widen(),
                normal: c.contact.normal.widen(),
                gap: c.contact.gap.into(),
                feature_a: global_feature(a.shape, c.elements.0, c.contact.feature_a),
                feature_b: global_feature(b.shape, c.elements.1, c.contact.feature_b),
            })
            .collect()
    }
}

impl<M: ElementMethod> Generator for Local<M> {
    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Vec<Contact> {
        match self.precision {
            Precision::Single => self.contacts_in::<Vec3>(a, b),
            Precision::Double => self.contacts_in::<DVec3>(a, b),
        }
    }

    fn reach(&self, _: &Shape) -> f64 {
        self.method.reach()
    }
}

fn element<V: Vector>(shape: &Shape, tree: &PlacedTree<'_, V>, element: u32) -> Tetrahedron<V> {
    let mesh = shape.mesh();
    let t = element as usize;
    Tetrahedron {
        points: mesh.tetrahedra()[t].map(|v| tree.vertices()[v as usize]),
        surface_faces: mesh.tetrahedron_faces()[t].map(|f| mesh.face_on_surface(f)),
        surface_edges: mesh.tetrahedron_edges()[t].map(|e| mesh.edge_on_surface()[e as usize]),
    }
}

fn global_feature(shape: &Shape, element: u32, feature: LocalFeature) -> Feature {
    let mesh = shape.mesh();
    let t = element as usize;
    match feature {
        LocalFeature::Element => Feature::Tetrahedron(element),
        LocalFeature::Vertex(v) => Feature::Vertex(mesh.tetrahedra()[t][v]),
        LocalFeature::Edge(e) => Feature::Edge(mesh.tetrahedron_edges()[t][e]),
        LocalFeature::Face(f) => Feature::Face(mesh.tetrahedron_faces()[t][f]),
    }
}
