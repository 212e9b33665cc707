//! The islands of a soft step: bodies that contacts tie together.

use super::super::report::IslandReport;
use super::resting::Resting;
use crate::islands::Island;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep};
use crate::solver::Stop;

/// A body of a contact that yields.
fn inner(movers: &[Mover], contact: &SoftContact) -> u32 {
    if movers[contact.a as usize].yields() { contact.a } else { contact.b }
}

/// Finds islands, with memory that is kept.
#[derive(Debug, Default)]
pub struct IslandFinder {
    parents: Vec<u32>,
    /// The place of the report of each root.
    places: Vec<u32>,
    /// Roots with the bodies that do not yield in their islands.
    walls: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl IslandFinder {
    /// Ties the bodies together that yield and touch.
    fn tie(&mut self, movers: &[Mover], contacts: &[SoftContact]) {
        self.parents.clear();
        self.parents.extend(0..movers.len() as u32);
        for contact in contacts {
            if movers[contact.a as usize].yields() && movers[contact.b as usize].yields() {
                let (a, b) = (self.root(contact.a), self.root(contact.b));
                // The lowest body is the root, so that the order of the contacts leaves no trace.
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
    }

    /// The islands of no more than `most` bodies that yield, all of which are at rest, with a natural map (m/s) above the first limit,
    /// or above the second one if bodies are deeper in each other than they may be; in the order of their first dynamic bodies.
    pub fn at_rest(
        &mut self,
        movers: &[Mover],
        contacts: &[SoftContact],
        solver: &SoftStep,
        (most, limits): (usize, [f64; 2]),
        is_at_rest: impl Fn(usize) -> bool,
    ) -> Vec<Island> {
        self.tie(movers, contacts);
        let mut missing = vec![0.0_f64; movers.len()];
        for (body, _, own) in solver.residuals(movers, contacts) {
            let root = self.root(body) as usize;
            missing[root] = missing[root].max(own[1]);
        }
        let mut is_deep = vec![false; movers.len()];
        for contact in contacts.iter().filter(|contact| contact.gap < -contact.slack) {
            let root = self.root(inner(movers, contact)) as usize;
            is_deep[root] = true;
        }
        let mut members = vec![0; movers.len()];
        for body in (0..movers.len()).filter(|&body| movers[body].yields()) {
            let root = self.root(body as u32) as usize;
            members[root] += 1;
            if members[root] > most || !is_at_rest(body) {
                missing[root] = 0.0;
            }
        }
        let is_wanted = |root: &usize| missing[*root] > limits[usize::from(is_deep[*root])];
        self.places.clear();
        self.places.resize(movers.len(), NONE);
        let mut islands = Vec::new();
        for root in (0..movers.len()).filter(is_wanted) {
            self.places[root] = islands.len() as u32;
            islands.push(Island { bodies: Vec::new(), contacts: Vec::new() });
        }
        for (k, contact) in contacts.iter().enumerate() {
            let root = self.root(inner(movers, contact)) as usize;
            let place = self.places[root];
            if place != NONE {
                let island: &mut Island = &mut islands[place as usize];
                island.bodies.extend([contact.a as usize, contact.b as usize]);
                island.contacts.push(k);
            }
        }
        for island in &mut islands {
            island.bodies.sort_unstable();
            island.bodies.dedup();
        }
        islands
    }

    /// The islands that have contacts, in the order of their first dynamic bodies.
    pub fn report(
        &mut self,
        movers: &[Mover],
        contacts: &[SoftContact],
        solver: &SoftStep,
        resting: &[Resting],
        soft: &SoftSettings,
        reports: &mut Vec<IslandReport>,
    ) {
        self.tie(movers, contacts);
        self.places.clear();
        self.places.resize(movers.len(), NONE);
        self.walls.clear();
        reports.clear();
        for (body, count, missing) in solver.residuals(movers, contacts) {
            let root = self.root(body) as usize;
            if self.places[root] == NONE {
                self.places[root] = reports.len() as u32;
                reports.push(IslandReport::soft(root, soft));
            }
            let report = &mut reports[self.places[root] as usize];
            report.contacts += count as usize;
            report.natural_residual = report.natural_residual.max(missing[0]);
            report.soft_residual = report.soft_residual.map(|known| known.max(missing[1]));
        }
        for contact in contacts {
            let (a, b) = (contact.a, contact.b);
            let wall = match (movers[a as usize].yields(), movers[b as usize].yields()) {
                (true, false) => (self.root(a), b),
                (false, true) => (self.root(b), a),
                _ => continue,
            };
            if self.walls.last() != Some(&wall) {
                self.walls.push(wall);
            }
        }
        self.walls.sort_unstable();
        self.walls.dedup();
        for &(root, _) in &self.walls {
            reports[self.places[root as usize] as usize].bodies += 1;
        }
        for body in (0..movers.len() as u32).filter(|&body| movers[body as usize].yields()) {
            let root = self.root(body) as usize;
            let place = self.places[root];
            if place != NONE {
                reports[place as usize].bodies += 1;
            }
        }
        for resting in resting {
            let place = self.places[resting.root];
            if place != NONE {
                let report = &mut reports[place as usize];
                (report.global, report.stop) = (Some(resting.report), Stop::Direct);
                (report.natural_residual, report.soft_residual) = (resting.natural_residual, None);
            }
        }
        reports.sort_unstable_by_key(|report| report.first);
    }

    /// The root of a body, with the path to it halved on the way.
    pub fn root(&mut self, body: u32) -> u32 {
        let mut body = body as usize;
        while self.parents[body] as usize != body {
            self.parents[body] = self.parents[self.parents[body] as usize];
            body = self.parents[body] as usize;
        }
        body as u32
    }
}
