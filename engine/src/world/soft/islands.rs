//! The islands of a soft step: bodies that contacts tie together.

use super::super::report::IslandReport;
use crate::body::Body;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep};

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
    /// The islands that have contacts, in the order of their first dynamic bodies.
    pub fn report(
        &mut self,
        bodies: &[Body],
        movers: &[Mover],
        contacts: &[SoftContact],
        solver: &SoftStep,
        soft: &SoftSettings,
        reports: &mut Vec<IslandReport>,
    ) {
        self.parents.clear();
        self.parents.extend(0..bodies.len() as u32);
        for contact in contacts {
            if movers[contact.a as usize].yields() && movers[contact.b as usize].yields() {
                let (a, b) = (self.root(contact.a), self.root(contact.b));
                // The lowest body is the root, so that the order of the contacts leaves no trace.
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        self.places.clear();
        self.places.resize(bodies.len(), NONE);
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
        for body in (0..bodies.len() as u32).filter(|&body| movers[body as usize].yields()) {
            let root = self.root(body) as usize;
            let place = self.places[root];
            if place != NONE {
                reports[place as usize].bodies += 1;
            }
        }
        reports.sort_unstable_by_key(|report| report.first);
    }

    /// The root of a body, with the path to it halved on the way.
    fn root(&mut self, body: u32) -> u32 {
        let mut body = body as usize;
        while self.parents[body] as usize != body {
            self.parents[body] = self.parents[self.parents[body] as usize];
            body = self.parents[body] as usize;
        }
        body as u32
    }
}
