//! Contacts of pairs that stop the motion by continuous collision detection although the generator reports none for them.
//!
//! A pair that stops the motion at once although its contacts were solved has features near each other that the
//! generator knows no contact of; they become contacts.

use super::World;
use super::detection::Found;
use super::motion::StepState;
use crate::body::Pose;
use drystone_contact::ccd::rigid::{NonlinearRigidMotion, near_contacts};
use drystone_contact::shape::{Polyhedron, Shape, Tetrahedra};
use drystone_contact::{Contact, Feature};

impl World {
    /// Adds contacts between near features of the pairs that stopped the motion at once, behind those of the generator.
    pub(super) fn add_near_contacts(&self, poses: &[Pose], state: &mut StepState, found: &mut Found) {
        let Some(ccd) = &mut state.ccd else { return };
        for &(a, b) in &ccd.stalling {
            let meshes = [a, b].map(|i| self.rigid_mesh(i, NonlinearRigidMotion::still(poses[i])));
            let Some(pair) = self.rigid_pair(a, b, meshes) else { continue };
            let shapes = [a, b].map(|i| &*self.entries[i].shape);
            let near = near_contacts(&pair, self.clearance(&ccd.settings, a, b));
            let contacts = near.into_iter().map(|contact| Contact {
                feature_a: in_mesh(contact.feature_a, shapes[0]),
                feature_b: in_mesh(contact.feature_b, shapes[1]),
                ..contact
            });
            let index = found.pairs.binary_search(&(a, b)).unwrap_or_else(|index| {
                found.pairs.insert(index, (a, b));
                found.lists.insert(index, Vec::new());
                index
            });
            let before = found.lists[index].len();
            found.lists[index].extend(contacts);
            ccd.added_contacts += found.lists[index].len() - before;
        }
    }
}

/// A feature of a shape's surface in the numbering of its tetrahedral mesh, if it has one by now.
fn in_mesh(feature: Feature, shape: &Shape) -> Feature {
    let mesh = shape.as_polyhedron().and_then(Polyhedron::known_tetrahedra).map(Tetrahedra::mesh);
    let Some((mesh, surface)) = mesh.zip(shape.surface()) else { return feature };
    let of = |list: &[u32], i: u32| list.get(i as usize).copied().unwrap_or(i);
    match feature {
        Feature::Vertex(v) => Feature::Vertex(of(mesh.surface_vertices(), v)),
        Feature::Face(f) => Feature::Face(of(mesh.surface_faces(), f)),
        Feature::Edge(e) => {
            let ends = surface.edges()[e as usize].vertices.map(|v| of(mesh.surface_vertices(), v));
            let is_it = |&[i, j]: &[u32; 2]| ends == [i, j] || ends == [j, i];
            mesh.edges().iter().position(is_it).map_or(feature, |edge| Feature::Edge(edge as u32))
        }
        other => other,
    }
}
