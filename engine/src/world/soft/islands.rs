//! The islands of a soft step: bodies that contacts tie together.

use super::super::report::IslandReport;
use super::resting::Resting;
use crate::islands::Island;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep, SolvedManifold};
use crate::solver::Stop;

const NONE: u32 = u32::MAX;

/// Finds islands, with memory that is kept.
#[derive(Debug, Default)]
pub struct IslandFinder {
    /// What is known of the island of each root.
    islands: Vec<Known>,
    /// The place of the report of each root.
    places: Vec<u32>,
    /// Roots with the bodies that do not yield in their islands.
    walls: Vec<(u32, u32)>,
}

/// An island while it is asked whether it is at rest.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Bodies that yield.
    bodies: usize,
    moves: bool,
    is_deep: bool,
    /// The natural map, m/s.
    missing: f64,
}

/// The root of two bodies that touch, one of which yields.
pub fn root_of(solver: &SoftStep, movers: &[Mover], [a, b]: [u32; 2]) -> u32 {
    solver.root(if movers[a as usize].yields() { a } else { b })
}

impl IslandFinder {
    /// The islands of no more than `most` bodies that yield, all of which are at rest, with a natural map (m/s) above the first limit,
    /// or above the second one if bodies are deeper in each other than they may be; in the order of their first dynamic bodies, with that
    /// natural map.
    pub fn at_rest(
        &mut self,
        movers: &[Mover],
        contacts: &[SoftContact],
        solver: &SoftStep,
        (most, limits): (usize, [f64; 2]),
        is_at_rest: impl Fn(usize) -> bool,
    ) -> Vec<(Island, f64)> {
        self.islands.clear();
        self.islands.resize(movers.len(), Known::default());
        for body in (0..movers.len()).filter(|&body| movers[body].yields()) {
            let known = &mut self.islands[solver.root(body as u32) as usize];
            known.bodies += 1;
            known.moves |= known.bodies > most || !is_at_rest(body);
        }
        let mut is_any_wanted = false;
        for SolvedManifold { bodies, missing, .. } in solver.manifolds() {
            let root = root_of(solver, movers, bodies) as usize;
            let known = &mut self.islands[root];
            if !known.moves {
                known.missing = known.missing.max(missing[1]);
                is_any_wanted |= missing[1] > limits[0];
            }
        }
        if !is_any_wanted {
            return Vec::new();
        }
        for contact in contacts.iter().filter(|contact| contact.gap < -contact.slack) {
            let root = root_of(solver, movers, [contact.a, contact.b]) as usize;
            self.islands[root].is_deep = true;
        }
        let is_wanted = |known: &Known| known.missing > limits[usize::from(known.is_deep)];
        self.places.clear();
        self.places.resize(movers.len(), NONE);
        let mut islands = Vec::new();
        for (place, known) in self.places.iter_mut().zip(&self.islands).filter(|(_, known)| is_wanted(known)) {
            *place = islands.len() as u32;
            islands.push((Island { bodies: Vec::new(), contacts: Vec::new() }, known.missing));
        }
        for SolvedManifold { bodies, start, count, .. } in solver.manifolds() {
            let place = self.places[root_of(solver, movers, bodies) as usize];
            if place != NONE {
                let (island, _): &mut (Island, f64) = &mut islands[place as usize];
                island.bodies.extend(bodies.map(|body| body as usize));
                island.contacts.extend(start as usize..(start + count) as usize);
            }
        }
        for (island, _) in &mut islands {
            island.bodies.sort_unstable();
            island.bodies.dedup();
        }
        islands
    }

    /// The islands that have contacts, in the order of their first dynamic bodies.
    pub fn report(
        &mut self,
        movers: &[Mover],
        solver: &SoftStep,
        resting: &[Resting],
        soft: &SoftSettings,
        reports: &mut Vec<IslandReport>,
    ) {
        self.places.clear();
        self.places.resize(movers.len(), NONE);
        self.walls.clear();
        reports.clear();
        for SolvedManifold { bodies: [a, b], count, missing, .. } in solver.manifolds() {
            let root = root_of(solver, movers, [a, b]);
            let place = &mut self.places[root as usize];
            if *place == NONE {
                *place = reports.len() as u32;
                reports.push(IslandReport::soft(root as usize, soft));
            }
            let report = &mut reports[*place as usize];
            report.contacts += count as usize;
            report.natural_residual = report.natural_residual.max(missing[0]);
            report.soft_residual = report.soft_residual.map(|known| known.max(missing[1]));
            let wall = match (movers[a as usize].yields(), movers[b as usize].yields()) {
                (true, false) => (root, b),
                (false, true) => (root, a),
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
        for body in (0..movers.len()).filter(|&body| movers[body].yields()) {
            let place = self.places[solver.root(body as u32) as usize];
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
}
