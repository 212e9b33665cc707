//! The loop of statuses: which contacts stick, slide and let go.
//!
//! 1. Contacts are static or dynamic by their speed; without friction they are dynamic.
//! 2. Solve.
//! 3. Static contacts whose force leaves its cone, or pulls, become dynamic, all at once. Back to 2.
//! 4. Dynamic contacts whose force pulls become inactive, all at once. Back to 2.
//! 5. Check: inactive contacts do not approach; friction does no work on contacts; contacts that bear a force do not
//!    part.
//! 6. What fails changes status: the inactive contacts that approach most come back; what friction would turn round becomes
//!    static; contacts that part most become inactive. Statuses that were there before, or four solves a contact,
//!    end the loop.
//!
//! "All at once" keeps symmetric systems symmetric, and so does "most" with all that equal it. Friction comes first: a static
//! force that pulls says little about the contact while others hold more than their friction can.
//!
//! Up to step 4 the loop ends by itself: statuses change in one direction, so that there are 2n + 1 solves at most.

use std::collections::BTreeSet;

use super::equilibrium;
use super::factors::{System, spread};
use super::least_distance;
use super::least_norm::{LeastNorm, least_norm};
use super::{ContactStatus, Failure, ForceContact, Forces, Level, SvdReport, SvdSettings, SvdStatus};
use drystone_contact::sorting::CompactSort;

/// Solves a contact.
const SOLVES_PER_CONTACT: usize = 4;

/// What is within this share of the largest violation is as large.
const EQUAL: f64 = 1e-6;

/// Finds forces and statuses.
pub fn solve(system: &System, contacts: &[ForceContact], level: Level, settings: &SvdSettings) -> Forces {
    let mut run = Run::new(system, contacts, level, settings);
    let failure = match run.loop_to_the_end() {
        Ok(forces) => return run.finish(forces, SvdStatus::Exact),
        Err(failure) => failure,
    };
    let none = vec![[0.0; 3]; contacts.len()];
    let frictionless = contacts.iter().all(|contact| contact.friction == [0.0; 2]);
    if frictionless && contacts.len() <= settings.complementarity_contacts {
        return match run.complementarity() {
            Some(forces) => run.finish(forces, SvdStatus::Complementarity(failure)),
            None => run.finish(none, SvdStatus::Inconsistent),
        };
    }
    let slide = level == Level::Acceleration && run.slides.iter().all(|slides| *slides);
    if slide && contacts.len() <= settings.enumerated_contacts {
        return match run.enumerate() {
            Some(forces) => run.finish(forces, SvdStatus::Exact),
            None => run.finish(none, SvdStatus::Inconsistent),
        };
    }
    if let Some(forces) = run.equilibrium() {
        return run.finish(forces, SvdStatus::Equilibrium(failure));
    }
    run.finish(none, SvdStatus::Undecided(failure))
}

struct Run<'a> {
    system: &'a System,
    contacts: &'a [ForceContact],
    level: Level,
    settings: &'a SvdSettings,
    statuses: Vec<ContactStatus>,
    /// Friction of dynamic contacts along s and t for a normal force of one.
    edges: Vec<[f64; 2]>,
    /// Contacts whose direction of friction is known beforehand: they slide, or have no friction.
    slides: Vec<bool>,
    /// The size of b at all contacts.
    speed: f64,
    solves: usize,
    last: Option<LeastNorm>,
}

impl<'a> Run<'a> {
    fn new(system: &'a System, contacts: &'a [ForceContact], level: Level, settings: &'a SvdSettings) -> Self {
        let slides = |contact: &ForceContact| {
            let [s, t] = contact.sliding;
            contact.friction == [0.0; 2] || (s * s + t * t).sqrt() > settings.static_speed
        };
        let slides: Vec<bool> = contacts.iter().map(slides).collect();
        let status = |slides: &bool| if *slides { ContactStatus::Dynamic } else { ContactStatus::Static };
        let speed = system.relative_motions(&system.free).into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
        Self {
            system,
            contacts,
            level,
            settings,
            statuses: slides.iter().map(status).collect(),
            edges: contacts.iter().map(|contact| edge(contact.friction, contact.sliding.map(|v| -v))).collect(),
            slides,
            speed,
            solves: 0,
            last: None,
        }
    }

    /// One linear system: the force of each contact.
    fn forces(&mut self) -> Vec<[f64; 3]> {
        let rows = self.system.rows(&self.statuses, &self.edges);
        let solution = least_norm(&rows, &self.system.free, self.settings);
        self.solves += 1;
        let mut forces = vec![[0.0; 3]; self.contacts.len()];
        for (row, x) in rows.iter().zip(&solution.unknowns) {
            (0..3).for_each(|k| forces[row.contact][k] += row.direction[k] * x);
        }
        self.last = Some(solution);
        forces
    }

    fn loop_to_the_end(&mut self) -> Result<Vec<[f64; 3]>, Failure> {
        let mut visited = BTreeSet::new();
        loop {
            let most = self.settings.most_solves.min(SOLVES_PER_CONTACT * self.contacts.len());
            if self.solves > 0 && self.solves >= most {
                return Err(Failure::SolveLimit);
            }
            let forces = self.forces();
            if self.leave_cones(&forces) || self.stop_pulling(&forces) {
                continue;
            }
            // The answer of these statuses; others led here before if they are known.
            if !visited.insert(self.statuses.clone()) {
                return Err(Failure::Repeated);
            }
            if !self.change_what_fails(&forces)? {
                return Ok(forces);
            }
        }
    }

    /// What a force may be off by.
    fn slack(&self, forces: &[[f64; 3]]) -> f64 {
        self.settings.force_tolerance * forces.iter().flatten().map(|f| f.abs()).fold(0.0, f64::max)
    }

    /// Step 3.
    fn leave_cones(&mut self, forces: &[[f64; 3]]) -> bool {
        let slack = self.slack(forces);
        let mut changed = false;
        for (i, force) in forces.iter().enumerate() {
            let [normal, s, t] = *force;
            let friction = self.contacts[i].friction;
            if self.statuses[i] == ContactStatus::Static && (normal < -slack || beyond(friction, [s, t], normal, slack))
            {
                self.statuses[i] = ContactStatus::Dynamic;
                self.edges[i] = edge(friction, [s, t]);
                changed = true;
            }
        }
        changed
    }

    /// Step 4.
    fn stop_pulling(&mut self, forces: &[[f64; 3]]) -> bool {
        let slack = self.slack(forces);
        let mut changed = false;
        for (status, force) in self.statuses.iter_mut().zip(forces) {
            if *status == ContactStatus::Dynamic && force[0] < -slack {
                *status = ContactStatus::Inactive;
                changed = true;
            }
        }
        changed
    }

    /// Steps 5 and 6: whether a status changed.
    fn change_what_fails(&mut self, forces: &[[f64; 3]]) -> Result<bool, Failure> {
        let slack = self.settings.motion_tolerance * self.speed;
        let Some(solution) = &self.last else { return Ok(false) };
        let (balance, residual) = (solution.balance, solution.residual);
        let motions = self.system.relative_motions(&solution.motion);
        let mut changed = false;
        let approach = |i: usize| if self.statuses[i] == ContactStatus::Inactive { -motions[i][0] } else { 0.0 };
        let most = (0..motions.len()).map(approach).fold(slack, f64::max);
        if most > slack {
            let back: Vec<usize> = (0..motions.len()).filter(|&i| approach(i) >= (1.0 - EQUAL) * most).collect();
            for i in back {
                let fixed =
                    self.contacts[i].friction == [0.0; 2] || (self.slides[i] && self.level == Level::Acceleration);
                self.statuses[i] = if fixed { ContactStatus::Dynamic } else { ContactStatus::Static };
                changed = true;
            }
        }
        for i in 0..forces.len() {
            let known = self.level == Level::Acceleration && self.slides[i];
            if self.statuses[i] != ContactStatus::Dynamic || known {
                continue;
            }
            let ([_, fs, ft], [_, us, ut]) = (forces[i], motions[i]);
            if fs * us + ft * ut > slack * (fs * fs + ft * ft).sqrt() {
                self.statuses[i] = ContactStatus::Static;
                changed = true;
            }
        }
        if changed {
            return Ok(true);
        }
        if balance > self.settings.balance_tolerance {
            return Err(Failure::Balance);
        }
        if residual > self.settings.motion_tolerance {
            let part = |i: usize| if self.statuses[i] == ContactStatus::Inactive { 0.0 } else { motions[i][0] };
            let most = (0..motions.len()).map(part).fold(slack, f64::max);
            if most <= slack {
                return Err(Failure::Motion);
            }
            let parting: Vec<usize> = (0..motions.len()).filter(|&i| part(i) >= (1.0 - EQUAL) * most).collect();
            for i in parting {
                self.statuses[i] = ContactStatus::Inactive;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// The exact solution of a system without friction, of least norm where that pushes everywhere.
    fn complementarity(&mut self) -> Option<Vec<[f64; 3]>> {
        let rows = self.system.rows(&vec![ContactStatus::Dynamic; self.contacts.len()], &self.edges);
        let normal = least_distance::forces(&rows, &self.system.free, self.settings)?;
        let largest = normal.iter().copied().fold(0.0, f64::max);
        let bears = |f: f64| f > self.settings.force_tolerance * largest;
        let bearing = normal.iter().map(|&f| if bears(f) { ContactStatus::Dynamic } else { ContactStatus::Inactive });
        self.statuses = bearing.collect();
        // Contacts that neither bear nor part may share the load.
        let mut motion = self.system.free.clone();
        for (row, &f) in rows.iter().zip(&normal) {
            spread(&row.pushed, row.bodies, f, &mut motion);
        }
        let slack = self.settings.motion_tolerance * self.speed;
        let kept = self.statuses.clone();
        for (i, u) in self.system.relative_motions(&motion).iter().enumerate() {
            if u[0] <= slack {
                self.statuses[i] = ContactStatus::Dynamic;
            }
        }
        let forces = self.forces();
        let slack = self.slack(&forces);
        let holds = self.last.as_ref().is_some_and(|solution| {
            solution.balance <= self.settings.balance_tolerance && solution.residual <= self.settings.motion_tolerance
        });
        if holds && forces.iter().all(|force| force[0] >= -slack) {
            return Some(forces);
        }
        self.statuses = kept;
        Some(normal.into_iter().map(|f| [f, 0.0, 0.0]).collect())
    }

    /// Forces within round cones that hold still whatever touches.
    fn equilibrium(&mut self) -> Option<Vec<[f64; 3]>> {
        // Forces do not stop what slides; impulses may.
        let slides = |i: usize| self.slides[i] && self.contacts[i].friction != [0.0; 2];
        let goes_on = self.level == Level::Acceleration && (0..self.contacts.len()).any(slides);
        if goes_on || self.contacts.iter().any(|contact| contact.friction[0] != contact.friction[1]) {
            return None;
        }
        let slack = self.settings.motion_tolerance * self.speed;
        let status = |contact: &ForceContact| {
            if contact.bias[0] > slack { ContactStatus::Inactive } else { ContactStatus::Static }
        };
        let statuses: Vec<ContactStatus> = self.contacts.iter().map(status).collect();
        let rows = self.system.rows(&statuses, &self.edges);
        let touching: Vec<usize> = (0..statuses.len()).filter(|&i| statuses[i] == ContactStatus::Static).collect();
        let friction: Vec<f64> = touching.iter().map(|&i| self.contacts[i].friction[0]).collect();
        let found = equilibrium::solve(&rows, &self.system.free, &friction, self.settings)?;
        self.solves += found.solves;
        let mut forces = vec![[0.0; 3]; self.contacts.len()];
        touching.iter().zip(&found.forces).for_each(|(&i, force)| forces[i] = *force);
        let mut motion = self.system.free.clone();
        for (row, x) in rows.iter().zip(found.forces.iter().flatten()) {
            spread(&row.pushed, row.bodies, *x, &mut motion);
        }
        let motions = self.system.relative_motions(&motion);
        let still = |i: usize| match statuses[i] {
            ContactStatus::Inactive => motions[i][0] >= -slack,
            _ => motions[i].iter().all(|u| u.abs() <= slack),
        };
        if !found.holds || !(0..motions.len()).all(still) {
            return None;
        }
        let largest = motions.iter().flatten().map(|u| u.abs()).fold(0.0, f64::max);
        let residual = if self.speed > 0.0 { largest / self.speed } else { 0.0 };
        let rank = self.system.free.len();
        self.last = Some(LeastNorm { unknowns: vec![0.0; rows.len()], motion, rank, residual, balance: 0.0 });
        let bears = |i: usize| if forces[i][0] > 0.0 { ContactStatus::Static } else { ContactStatus::Inactive };
        self.statuses = (0..forces.len()).map(bears).collect();
        Some(forces)
    }

    /// Every set of contacts that slide, the largest numbers of bearing ones first.
    fn enumerate(&mut self) -> Option<Vec<[f64; 3]>> {
        let count = self.contacts.len();
        let mut sets: Vec<u32> = (0..1 << count).collect();
        sets.compact_sort_by_key(|set: &u32| (std::cmp::Reverse(set.count_ones()), *set));
        for set in sets {
            let status = |i: usize| if set >> i & 1 == 1 { ContactStatus::Dynamic } else { ContactStatus::Inactive };
            self.statuses = (0..count).map(status).collect();
            let forces = self.forces();
            let slack = self.slack(&forces);
            if forces.iter().all(|force| force[0] >= -slack) && self.change_what_fails(&forces) == Ok(false) {
                return Some(forces);
            }
        }
        self.statuses = vec![ContactStatus::Inactive; count];
        None
    }

    fn finish(self, forces: Vec<[f64; 3]>, status: SvdStatus) -> Forces {
        let (unknowns, rank, residual) =
            self.last.map_or((0, 0, 0.0), |last| (last.unknowns.len(), last.rank, last.residual));
        let report = SvdReport { status, solves: self.solves, unknowns, rank, residual, torsion_ignored: 0 };
        Forces { forces, statuses: self.statuses, report }
    }
}

/// Whether a friction force lies outside the ellipse with semi-axes μ times the normal force, by more than `slack`.
fn beyond(friction: [f64; 2], force: [f64; 2], normal: f64, slack: f64) -> bool {
    let [a, b] = friction.map(|mu| mu * normal.max(0.0) + slack);
    // One with a width of zero has no inside.
    let share = |x: f64, axis: f64| {
        if axis > 0.0 {
            x / axis
        } else if x == 0.0 {
            0.0
        } else {
            f64::INFINITY
        }
    };
    let (s, t) = (share(force[0], a), share(force[1], b));
    s * s + t * t > 1.0
}

/// The point of the ellipse with semi-axes μ that lies farthest along a direction; zero for no direction.
fn edge(friction: [f64; 2], direction: [f64; 2]) -> [f64; 2] {
    let size = (direction[0] * direction[0] + direction[1] * direction[1]).sqrt();
    if size == 0.0 {
        return [0.0; 2];
    }
    let [s, t] = direction.map(|x| x / size);
    let ([a, b], scaled) = (friction, [friction[0] * s, friction[1] * t]);
    let length = (scaled[0] * scaled[0] + scaled[1] * scaled[1]).sqrt();
    if length == 0.0 { [0.0; 2] } else { [a * scaled[0] / length, b * scaled[1] / length] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_cones() {
        assert_eq!(edge([0.5, 0.5], [3.0, -4.0]), [0.3, -0.4]);
        assert_eq!(edge([0.5, 0.0], [1.0, 7.0]), [0.5, 0.0]);
        assert_eq!((edge([0.5, 0.2], [0.0; 2]), edge([0.0; 2], [1.0, 2.0])), ([0.0; 2], [0.0; 2]));
        // No other point of the ellipse lies farther along.
        let ([a, b], d): ([f64; 2], [f64; 2]) = ([0.7, 0.2], [0.6, 0.8]);
        let [s, t] = edge([a, b], d);
        for k in 0..360 {
            let angle = f64::from(k).to_radians();
            assert!(d[0] * a * libm::cos(angle) + d[1] * b * libm::sin(angle) <= d[0] * s + d[1] * t + 1e-12);
        }
    }

    #[test]
    fn insides_of_cones() {
        assert!(!beyond([0.5, 0.5], [0.3, 0.4], 1.0, 1e-12) && beyond([0.5, 0.5], [0.31, 0.4], 1.0, 1e-12));
        assert!(beyond([0.0, 0.5], [0.1, 0.0], 1.0, 0.0) && !beyond([0.0, 0.5], [0.0, 0.4], 1.0, 0.0));
        assert!(beyond([0.5, 0.5], [0.1, 0.0], -1.0, 1e-12));
    }
}
