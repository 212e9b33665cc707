//! The semi-local generator: contacts from whole facets, edges and vertices, decided region by region.
//!
//! Local methods look at one pair of triangles or tetrahedra and cannot know whether an edge is an edge of the shape,
//! whether a point belongs to the border of a face-face region, whether the surface around it is convex, and how the
//! bodies move (assessment paper, section 9). This generator looks at features ([`crate::shape::features`]):
//! 1. Near pairs of facets come out of two trees of boxes.
//! 2. Candidates: facet and facet (a polygon), facet and edge (a segment), facet and vertex, edge and crossing edge
//!    (points). The normal of a candidate must lie in the normal cone of its feature of A and, negated, in that of B.
//! 3. Dominance: what lies in the closure of a region of the same normal is no contact of its own ([`dominance`]).
//! 4. Alternatives: of planes that cover each other one is kept, by gap and motion ([`alternatives`]); planes that do
//!    not cover each other hold at once.
//! 5. A region is reported by its corners, each with its own gap ([`polyhedra`]).
//!
//! A facet-vertex candidate at the corner of a facet stands for vertex against vertex, a facet-edge candidate on its
//! border for parallel edges: the extreme directions of the common normal cone are normals of facets or cross products
//! of edges.
//!
//! Parts of the intersection that are deeper than features can tell get contacts of their own ([`deep`]). No contact of solids that are not
//! convex is deeper than the way along its normal that takes them apart ([`parting`]).
//!
//! Against a ball or another primitive the same features are looked at, in closed form ([`primitives`]), against a general solid
//! the points that touch it ([`super::time_of_contact`]). Compounds are looked at part by part ([`compound`]), height fields and triangle
//! meshes triangle by triangle, with the features of the whole surface ([`open_surface`]).

mod above;
mod alternatives;
mod candidate;
mod compound;
pub mod convex_core;
mod convex_facets;
mod deep;
mod dominance;
mod edge_edge;
mod facet_edge;
mod facet_facet;
mod facet_vertex;
mod held;
mod neighbours;
mod open_surface;
mod parting;
pub mod patch;
mod polygon;
mod polyhedra;
mod primitives;
mod reaching;
mod sunk;
mod two_facets;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::time_of_contact::TimeOfContact;
use super::{Generator, GeneratorError, Placed, Workspace};
use crate::contact::{Contact, Feature};
use crate::shape::features::FeatureId;
use crate::shape::{Compound, Shape};
use alternatives::Choice;
pub use candidate::Angles;
use candidate::Candidates;
use facet_edge::Pieces;
use neighbours::Neighbours;
use polygon::Polygons;
use polyhedra::Solid;
use reaching::Reaching;

/// The generator's settings. Lengths are shares of the thickness ([`Features::thickness`]) of the thinner shape, so
/// that results do not depend on the unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemiLocal {
    /// Up to this gap features touch: contacts that are not closed yet, speculative contacts.
    pub envelope: f64,
    /// Down to this depth features are looked for.
    pub depth: f64,
    /// If there is nothing so far and the boxes of the shapes overlap by more, they are looked for once more down to
    /// this depth.
    pub last_depth: f64,
    /// Lengths below this are none: a polygon narrower is a segment, a segment shorter is a point.
    pub same: f64,
    /// The angles, rad.
    pub angles: Angles,
}

impl Default for SemiLocal {
    fn default() -> Self {
        let angles = Angles { parallel: 2e-2, cone: 1e-3, same: 2e-2, turn: 1e-2 };
        Self { envelope: 0.02, depth: 0.1, last_depth: 1.0, same: 1e-4, angles }
    }
}

/// Scratch space, so that nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    stack: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    candidates: Candidates,
    polygons: Polygons,
    pieces: Pieces,
    reaching: Reaching,
    neighbours: Neighbours,
    /// The candidates that no other dominates.
    ranked: Vec<u32>,
    is_open: Vec<bool>,
    /// Deep ones that may only have passed by a facet.
    doubtful: Vec<u32>,
    choice: Choice,
    /// The candidates to report.
    keep: Vec<u32>,
    /// Whether a candidate was looked through for repetitions, and whether a corner is one.
    is_done: Vec<bool>,
    is_repeated: Vec<bool>,
    open_surface: open_surface::Buffers,
    compound: compound::Buffers,
    parting: parting::Buffers,
}

/// How a contact names a feature.
fn feature(id: FeatureId) -> Feature {
    match id {
        FeatureId::Facet(f) => Feature::Facet(f),
        FeatureId::Edge(e) => Feature::FacetEdge(e),
        FeatureId::Vertex(v) => Feature::FacetVertex(v),
    }
}

/// Whether a shape is neither a polyhedron nor a primitive.
fn is_general(shape: &Shape) -> bool {
    matches!(shape, Shape::Solid(_))
}

impl SemiLocal {
    /// What finds contacts with general solids: where they touch now, as everywhere here.
    fn between_general(&self) -> TimeOfContact {
        TimeOfContact { duration: 0.0, envelope: self.envelope, ..TimeOfContact::default() }
    }

    fn add_deep(
        &self,
        shapes: [&Shape; 2],
        solids: [&Solid<'_>; 2],
        first: usize,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        deep::add(shapes, solids, first, contacts)
            .map_err(|source| GeneratorError::Failed { generator: self.name().into(), source: Arc::new(source) })
    }
}

impl SemiLocal {
    /// Appends the contacts of two shapes of any kind. Without features of the step before they are those on the way of a motion, which
    /// may begin deep.
    fn find_contacts(
        &self,
        shapes: [&Placed<'_>; 2],
        previous: Option<&[(Feature, Feature)]>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let buffers = &mut workspace.semi_local;
        if previous.is_some_and(|known| self.still_held(shapes, known, buffers, contacts)) {
            return Ok(());
        }
        self.search(shapes, previous, begins_deep, workspace, contacts)
    }

    /// Appends the contacts of two shapes as [`Self::find_contacts`], wherever they may be.
    fn search(
        &self,
        [a, b]: [&Placed<'_>; 2],
        previous: Option<&[(Feature, Feature)]>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let is_compound = |placed: &Placed<'_>| placed.shape.as_compound().is_some();
        if is_compound(a) || is_compound(b) {
            // It is not of their parts.
            let memory = workspace.memory.take();
            let mut buffers = std::mem::take(&mut workspace.semi_local.compound);
            let mut find =
                |own: &Placed<'_>, other: &Placed<'_>, of_pair: &[(Feature, Feature)], list: &mut Vec<Contact>| {
                    self.find_contacts([own, other], previous.map(|_| of_pair), begins_deep, workspace, list)
                };
            let known = previous.unwrap_or_default();
            let result = compound::contacts(self, [a, b], known, &mut find, &mut buffers, contacts);
            workspace.semi_local.compound = buffers;
            workspace.memory = memory;
            return result;
        }
        if a.shape.as_open_surface().is_some() || b.shape.as_open_surface().is_some() {
            return self.with_open_surface([a, b], previous.unwrap_or_default(), workspace, contacts);
        }
        if is_general(a.shape) || is_general(b.shape) {
            return self.between_general().contacts_into(a, b, &[], workspace, contacts);
        }
        let (Some(own), Some(other)) = (Solid::new(a), Solid::new(b)) else {
            primitives::contacts(self, a, b, contacts);
            return Ok(());
        };
        let first = contacts.len();
        let Workspace { memory, semi_local: buffers, .. } = workspace;
        let near = memory.as_mut().map(|memory| &mut memory.near);
        self.between_polyhedra([&own, &other], previous.unwrap_or_default(), near, buffers, contacts);
        let is_all = match previous {
            Some(known) => !deep::may_be(&contacts[first..], known, own.shape.features(), other.shape.features()),
            // Features tell all there is to know where shapes come into each other; deep contacts are for what they miss.
            None => begins_deep || contacts.len() > first,
        };
        if !is_all {
            self.add_deep([a.shape, b.shape], [&own, &other], first, contacts)?;
        }
        let same = self.limits(own.shape.features(), other.shape.features()).same;
        parting::limit([&own, &other], same, first, &mut buffers.parting, contacts);
        Ok(())
    }

    /// Appends the contacts of two shapes of which one is a height field or a triangle mesh; two of these have none.
    fn with_open_surface(
        &self,
        [a, b]: [&Placed<'_>; 2],
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        for shape in [a.shape, b.shape] {
            if is_general(shape) {
                return Err(GeneratorError::Unsupported {
                    generator: self.name().into(),
                    kind: shape.kind().into(),
                    needs: "polyhedra, primitives and compounds on a height field or a triangle mesh".into(),
                });
            }
        }
        open_surface::contacts(self, [a, b], previous, &mut workspace.semi_local.open_surface, contacts);
        Ok(())
    }
}

impl Generator for SemiLocal {
    fn name(&self) -> &str {
        "semi-local"
    }

    /// Every shape can be served. The features of polyhedra are found here.
    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        if is_general(shape) {
            return self.between_general().prepare(shape);
        }
        compound::prepare(shape);
        Ok(())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = Vec::new();
        self.contacts_into(a, b, &[], &mut Workspace::default(), &mut contacts)?;
        Ok(contacts)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        self.find_contacts([a, b], Some(previous), false, workspace, contacts)
    }

    fn contacts_on_the_way(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        self.find_contacts([a, b], None, begins_deep, workspace, contacts)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        // Of two shapes the thinner one counts: a half-space has no thickness of its own. A compound has the margin of its thickest part.
        let thickness = shape.as_compound().map_or_else(|| shape.thickness(), Compound::greatest_thickness);
        if thickness.is_finite() { self.envelope * thickness } else { 0.0 }
    }

    fn slop(&self) -> f64 {
        0.0
    }

    fn is_asked_at_impact(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
