//! The contact generators of parry, the collision library behind the engine rapier, as peers in our tables.
//!
//! A pair of shapes gets the manifolds of `DefaultQueryDispatcher::contact_manifolds` (by `dispatcher.rs`), in the
//! [`Form`] that the method is called after and without memory of the step before. What a manifold point becomes:
//! - the position is midway between its points on both bodies,
//! - the normal is that of the manifold, which points from A to B,
//! - the gap is its `dist`, along that normal,
//! - the features are those that it names, as far as the mesh has them (`feature.rs`).
//!
//! Points at `prediction` or farther along the normal are dropped, as rapier drops them: clipped faces give such points
//! far from where the bodies touch. So are repetitions, as in our own methods: position and normal within [`SAME`] of
//! those of another contact that is as deep or deeper. What rapier does with manifolds after that, merging those of
//! similar normals and keeping four points of each, belongs to its solver and is not done here.
//!
//! Parry's answer depends on which of two composite shapes comes first. Here it is the body of less volume, so that A
//! and B may be swapped; in the ten cases that order does parry's scores more good than the other. Of equal volumes A
//! comes first.
//!
//! A shape that parry cannot take in the form is refused ([`Generator::prepare`]); a query that it gives up has no contacts.

mod dispatcher;
mod feature;

use parry3d_f64::query::{ContactManifold, PersistentQueryDispatcher};
use parry3d_f64::shape::Shape as ParryShape;
use serde::{Deserialize, Serialize};

use std::sync::Arc;

use super::{Generator, GeneratorError, Placed, SAME};
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::Shape;
use crate::shape::parry_shapes::guarded;
use dispatcher::PolyhedraDispatcher;
use feature::{Solid, feature};

/// The distance up to which rapier asks parry for contacts by default, m (`IntegrationParameters`, rapier 0.36).
pub const PREDICTION: f64 = 0.02;

/// In which form parry sees a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `ConvexPolyhedron` of the convex hull: hollows are filled, silently.
    Convex,
    /// `TriMesh` of the surface with `FIX_INTERNAL_EDGES`: hollow inside.
    TriangleMesh,
    /// `Compound` of the tetrahedra, each a `ConvexPolyhedron`, with `FIX_INTERNAL_EDGES`.
    Compound,
}

/// A contact generator of parry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parry {
    /// What it sees of both shapes.
    pub form: Form,
    /// Up to which distance it is asked for contacts, m.
    pub prediction: f64,
}

impl Parry {
    /// With the default of rapier, [`PREDICTION`].
    pub fn new(form: Form) -> Self {
        Self { form, prediction: PREDICTION }
    }

    /// The shape in the form that parry is to see.
    fn form<'s>(&self, (polyhedron, mesh): Solid<'s>) -> Option<&'s dyn ParryShape> {
        let forms = polyhedron.parry();
        match self.form {
            Form::Convex => forms.hull(mesh).map(|hull| &hull.polyhedron as &dyn ParryShape),
            Form::TriangleMesh => forms.triangles(mesh).map(|triangles| triangles as &dyn ParryShape),
            Form::Compound => forms.tetrahedra(mesh).map(|tetrahedra| tetrahedra as &dyn ParryShape),
        }
    }

    /// The polyhedron and its tetrahedra, by which contacts name features.
    fn solid<'s>(&self, shape: &'s Shape) -> Result<Solid<'s>, GeneratorError> {
        let solid = shape.polyhedron("tetrahedra").and_then(|polyhedron| Ok((polyhedron, polyhedron.mesh()?)));
        solid.map_err(|e| GeneratorError::needs(self.name(), shape.kind(), "the tetrahedra of a polyhedron", e))
    }

    fn manifolds(&self, a: (Solid<'_>, &Pose), b: (Solid<'_>, &Pose)) -> Option<Vec<ContactManifold<(), ()>>> {
        let (shape_a, shape_b) = (self.form(a.0)?, self.form(b.0)?);
        let b_in_a = a.1.inv_mul(b.1);
        guarded(|| {
            let mut manifolds = Vec::new();
            let found = PolyhedraDispatcher.contact_manifolds(
                &b_in_a,
                shape_a,
                shape_b,
                self.prediction,
                &mut manifolds,
                &mut None,
            );
            found.ok().map(|()| manifolds)
        })
    }

    /// The contacts with the first shape first.
    fn in_order(&self, a: (Solid<'_>, &Pose), b: (Solid<'_>, &Pose)) -> Vec<Contact> {
        let mut contacts: Vec<Contact> = Vec::new();
        for manifold in self.manifolds(a, b).unwrap_or_default() {
            // The parts of a compound are at their own places in it: no pose of theirs is between.
            let normal = (a.1.rotation * manifold.local_n1).normalize_or_zero();
            for point in manifold.points.iter().filter(|p| p.dist < self.prediction) {
                let on_a = a.1.transform_point(point.local_p1);
                let on_b = b.1.transform_point(point.local_p2);
                let (position, gap) = (0.5 * (on_a + on_b), point.dist);
                if !(position.is_finite() && gap.is_finite() && normal.is_normalized()) {
                    continue;
                }
                let feature_a = feature(self.form, a.0, manifold.subshape1, point.local_p1, point.fid1.unpack());
                let feature_b = feature(self.form, b.0, manifold.subshape2, point.local_p2, point.fid2.unpack());
                add(&mut contacts, Contact { position, normal, gap, feature_a, feature_b });
            }
        }
        contacts
    }
}

impl Generator for Parry {
    fn name(&self) -> &str {
        match self.form {
            Form::Convex => "parry-convex",
            Form::TriangleMesh => "parry-trimesh",
            Form::Compound => "parry-compound",
        }
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        let solid = self.solid(shape)?;
        match self.form(solid) {
            Some(_) => Ok(()),
            None => Err(GeneratorError::Failed { generator: self.name().into(), source: Arc::new(NoForm) }),
        }
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let [solid_a, solid_b] = [self.solid(a.shape)?, self.solid(b.shape)?];
        let (own, other) = ((solid_a, &a.pose), (solid_b, &b.pose));
        if solid_a.1.volume() <= solid_b.1.volume() {
            return Ok(self.in_order(own, other));
        }
        let turned = |c: Contact| Contact { normal: -c.normal, feature_a: c.feature_b, feature_b: c.feature_a, ..c };
        Ok(self.in_order(other, own).into_iter().map(turned).collect())
    }

    fn margin(&self, _: &Shape) -> f64 {
        self.prediction
    }
}

/// Parry refuses the shape in a form.
#[derive(Debug, thiserror::Error)]
#[error("parry does not take the shape in this form: it is too thin, too large or too small for it")]
struct NoForm;

/// Adds a contact unless it is there already; of equal ones the deepest stays, of equally deep ones the first: a
/// manifold ends with the point that has no features.
fn add(contacts: &mut Vec<Contact>, contact: Contact) {
    let is_same = |c: &&mut Contact| {
        (c.position - contact.position).abs().max_element() <= SAME
            && (c.normal - contact.normal).abs().max_element() <= SAME
    };
    match contacts.iter_mut().find(is_same) {
        Some(same) if contact.gap < same.gap - SAME => *same = contact,
        Some(_) => {}
        None => contacts.push(contact),
    }
}
