//! Contacts that are solved with the joints of a batch, and what contacts do to its bodies.

use super::super::body::Moving;
use super::super::contact::{COMPLIANCE, Parting, contact_row};
use super::super::node::{Node, Part, Phase};
use super::JointIsland;
use crate::joint::AXES;
use crate::soft_step::bodies::Mover;
use crate::soft_step::states::States;
use arrayvec::ArrayVec;

impl JointIsland {
    /// Nodes for the contacts that are solved with the joints.
    pub(super) fn add_manifolds(&mut self, movers: &[Mover]) {
        self.slots.clear();
        for (k, manifold) in self.manifolds.iter().enumerate() {
            let mut bodies = ArrayVec::new();
            for (&place, &body) in manifold.places.iter().zip(&manifold.bodies) {
                let known = self.bodies.iter().position(|own| own.place == Some(place));
                bodies.push(known.unwrap_or(self.bodies.len()));
                if known.is_none() {
                    self.bodies.push(Moving::visitor(body, place, &movers[body as usize]));
                }
            }
            self.nodes.push(Node::new(k, Part::Contact, bodies));
            self.slots.extend(manifold.contacts.iter().map(|contact| contact.slot));
        }
        self.contact_impulses.clear();
        self.contact_impulses.resize(self.slots.len(), 0.0);
        self.contact_changes.clone_from(&self.contact_impulses);
    }

    /// Whether any contacts are solved with the joints.
    pub fn has_heavy_contacts(&self) -> bool {
        !self.slots.is_empty()
    }

    /// The rows of these contacts, with the impulses and the displacements that they have now.
    pub(super) fn set_contact_rows(&mut self, states: &mut States, movers: &[Mover], phase: Phase) {
        let parting = if phase == Phase::Push { self.parting } else { Parting::default() };
        let mut impulses = self.contact_impulses.iter();
        for node in self.nodes.iter_mut().filter(|node| node.part == Part::Contact) {
            let manifold = &self.manifolds[node.joint];
            let moved = [0, 1].map(|side: usize| {
                movers[manifold.bodies[side] as usize].displacement(&states.get(manifold.places[side]))
            });
            node.impulses = [0.0; AXES];
            for (k, (contact, &impulse)) in manifold.contacts.iter().zip(&mut impulses).enumerate() {
                let [a, b] = [0, 1].map(|side: usize| moved[side][0] + moved[side][1].cross(contact.arms[side]));
                let gap = contact.gap + manifold.normal.dot(b - a);
                let (velocity, change) = (node.velocity(k, &self.bodies), node.change(k));
                node.rows[k] = contact_row(k, gap, contact.slack, impulse, (self.substep, parting));
                node.rows[k].compliance = COMPLIANCE * change;
                if impulse == 0.0 {
                    node.rows[k].begin_at(velocity, change);
                }
            }
        }
    }

    /// What has been added to the impulses of these contacts.
    pub(super) fn take_contact_changes(&mut self, movers: &[Mover]) {
        self.contact_changes.clear();
        for node in self.nodes.iter().filter(|node| node.part == Part::Contact) {
            self.contact_changes.extend(&node.impulses[..node.rows.len()]);
            for &body in &node.bodies {
                let own = &mut self.bodies[body];
                own.add_contact(&movers[own.body as usize], own.response(node.wrench(body)));
            }
        }
    }

    /// Before contacts act.
    pub fn before_contacts(&mut self, states: &mut States) {
        self.bodies.iter_mut().for_each(|body| body.before_contacts(states));
    }

    /// And after that.
    pub fn after_contacts(&mut self, states: &mut States, movers: &[Mover]) {
        self.bodies.iter_mut().for_each(|body| body.after_contacts(states));
        self.load(states, movers);
    }
}
