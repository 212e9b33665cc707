//! Who touches whom, by entities.

use super::world::Physics;
use bevy::prelude::*;
use drystone_contact::Contact;
use drystone_engine::WorldReport;
use drystone_engine::solver::Impulse;
use drystone_engine::solver::contact_problem::tangents;
use glam::DVec3;

/// One contact point between two entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBetweenEntities {
    /// World frame, m.
    pub position: DVec3,
    /// From A to B, world frame, unit.
    pub normal: DVec3,
    /// Along the normal, m: positive apart, negative penetrating.
    pub gap: f64,
    /// The mean force of the step on B, world frame, N, friction included; A feels the opposite.
    pub force: DVec3,
}

/// Two entities that touch, with all contacts between them. A is the body that was added first.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchingPair {
    /// The first body.
    pub a: Entity,
    /// The second body.
    pub b: Entity,
    /// At least one, in the order of the contact generator.
    pub contacts: Vec<ContactBetweenEntities>,
}

/// The contacts of the last step, where they were found: with the mid-point scheme in the middle of the step.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// In the order in which the bodies were added, by A, then by B. Bodies without an entity are left out.
    pub pairs: Vec<TouchingPair>,
}

impl Contacts {
    /// The contacts between two entities, in either order; normals point from A to B of the pair.
    pub fn between(&self, one: Entity, other: Entity) -> Option<&TouchingPair> {
        self.pairs.iter().find(|pair| (pair.a, pair.b) == (one, other) || (pair.a, pair.b) == (other, one))
    }

    /// The pairs that an entity is in.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = &TouchingPair> {
        self.pairs.iter().filter(move |pair| pair.a == entity || pair.b == entity)
    }

    /// Takes over the contacts of a step.
    pub(super) fn renew(&mut self, report: &WorldReport, physics: &Physics) {
        let time_step = physics.world().settings().step.time_step;
        let entity = |id| physics.entity(report.handle(id)?);
        let pairs = &mut self.pairs;
        pairs.clear();
        for (between, impulse) in report.contacts.iter().zip(&report.impulses) {
            let (Some(a), Some(b)) = (entity(between.a), entity(between.b)) else { continue };
            let contact = of_step(&between.contact, impulse, time_step);
            match pairs.last_mut().filter(|pair| (pair.a, pair.b) == (a, b)) {
                Some(pair) => pair.contacts.push(contact),
                None => pairs.push(TouchingPair { a, b, contacts: vec![contact] }),
            }
        }
    }
}

fn of_step(contact: &Contact, &[n, s, t, _]: &Impulse, time_step: f64) -> ContactBetweenEntities {
    let Contact { position, normal, gap, .. } = *contact;
    let [along_s, along_t] = tangents(normal);
    let force = (n * normal + s * along_s + t * along_t) / time_step;
    ContactBetweenEntities { position, normal, gap, force }
}
