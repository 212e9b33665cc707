//! The course of a substep with joints.

use super::super::body::Moving;
use super::super::node::{Part, Phase};
use super::JointIsland;
use crate::joint::AXES;
use crate::soft_step::bodies::Mover;
use crate::soft_step::states::States;
use crate::solver::global::block_cholesky::Column;
use glam::DVec3;

/// A substep is solved so often at most while bodies need more inertia for their loads.
const IMPACT_ROUNDS: usize = 4;

impl JointIsland {
    /// The beginning of a substep: forces act, and joints and contacts do what they did in the last one.
    pub fn accelerate(&mut self, states: &mut States, movers: &[Mover], is_first: bool) {
        if is_first {
            self.place();
        }
        self.assemble(Phase::Push);
        let is_sprung = self.nodes.iter().any(|node| node.part == Part::Soft);
        if is_sprung {
            self.load(states, movers);
            for node in self.nodes.iter_mut().filter(|node| node.part == Part::Soft) {
                let velocities: [f64; AXES] = std::array::from_fn(|k| match node.rows.get(k) {
                    Some(_) => node.velocity(k, &self.bodies),
                    None => 0.0,
                });
                node.before = [0.0; AXES];
                for (row, velocity) in node.rows.iter().zip(velocities) {
                    node.before[row.axis] = velocity;
                }
                let joint = &self.joints[node.joint];
                node.set_rows(joint, &joint.coordinates, Phase::Push, self.substep);
            }
        }
        for body in &mut self.bodies {
            if body.yields() {
                body.accelerate(states, &movers[body.body as usize]);
            }
        }
        self.load(states, movers);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            let joint = &self.joints[node.joint];
            let known = &joint.impulses[usize::from(node.part == Part::Soft)];
            for k in 0..node.rows.len() {
                let velocity = node.velocity(k, &self.bodies);
                let change = node.change(k) + node.rows[k].compliance;
                node.rows[k].begin_at(velocity, change);
            }
            node.impulses = [0.0; AXES];
            if self.has_contacts {
                // Contacts see bodies that joints hold already.
                let start: Column = std::array::from_fn(|k| node.rows.get(k).map_or(0.0, |row| known[row.axis]));
                node.impulses = start;
            }
        }
        if self.has_contacts {
            for node in self.nodes.iter().filter(|node| node.part != Part::Contact) {
                node.push(&node.impulses, &mut self.bodies);
            }
            self.store(states, movers);
        }
    }

    /// Joints act, and bodies that are in any move on for the substep.
    pub fn advance(&mut self, states: &mut States, movers: &[Mover]) {
        let mut start = std::mem::take(&mut self.scratch.begun);
        start.keep(
            self.bodies.iter().map(|body| [body.velocity, body.spin]),
            self.nodes.iter().map(|node| node.impulses),
        );
        self.damp(false);
        for round in 1.. {
            self.bodies.iter_mut().for_each(Moving::slow_down);
            self.assemble_damped();
            if self.has_heavy_contacts() {
                self.set_contact_rows(states, movers, Phase::Push);
                self.is_factorized = false;
            }
            self.settle();
            self.note_impulses();
            // Loads that come all at once are to be damped in this substep.
            if round == IMPACT_ROUNDS || !self.damp(true) {
                break;
            }
            self.go_back_to(&start);
        }
        self.scratch.begun = start;
        self.hold();
        self.take_contact_changes(movers);
        self.take_over();
        self.note_impulses();
        self.add_totals();
        self.release();
        self.place();
        self.correct();
        self.store(states, movers);
    }

    /// The velocities where the substep has ended.
    pub fn project(&mut self, states: &mut States, movers: &[Mover]) {
        self.assemble(Phase::Project);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            node.impulses = [0.0; AXES];
            for k in 0..node.rows.len() {
                let (velocity, change) = (node.velocity(k, &self.bodies), node.change(k));
                node.rows[k].begin_at(velocity, change);
            }
        }
        if self.has_heavy_contacts() {
            self.set_contact_rows(states, movers, Phase::Project);
            self.is_factorized = false;
        }
        self.settle();
        self.take_contact_changes(movers);
        self.add_totals();
        self.store(states, movers);
    }

    /// The damping that bodies need for the impulses that joints have now; where it `grows`, no less than they have. Returns whether
    /// it has changed.
    pub(super) fn damp(&mut self, grows: bool) -> bool {
        let mut stiffness = std::mem::take(&mut self.scratch.stiffness);
        stiffness.clear();
        stiffness.resize(self.bodies.len(), [0.0; 2]);
        for ((joint, placed), sides) in self.joints.iter().zip(&self.placed).zip(&self.sides) {
            if joint.coupled.is_none() {
                let (along, about) = placed.geometric_stiffness(joint.set, &joint.impulses);
                for (side, about) in sides.iter().zip(about) {
                    stiffness[*side][0] += self.substep * along;
                    stiffness[*side][1] += self.substep * about;
                }
            }
        }
        let mut has_changed = false;
        for (body, &stiffness) in self.bodies.iter_mut().zip(&stiffness) {
            has_changed |= body.damp(stiffness, grows);
        }
        self.scratch.stiffness = stiffness;
        if has_changed {
            self.assembled = None;
        }
        has_changed
    }

    /// The rows and blocks of the push with the damping that bodies have.
    fn assemble_damped(&mut self) {
        if self.assembled == Some(Phase::Push) {
            return;
        }
        self.assemble(Phase::Push);
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            for k in 0..node.rows.len() {
                let change = node.change(k) + node.rows[k].compliance;
                let velocity = node.velocity(k, &self.bodies) - change * node.impulses[k];
                node.rows[k].begin_at(velocity, change);
            }
        }
    }

    /// Ends what damping does.
    fn release(&mut self) {
        let mut has_changed = false;
        for body in &mut self.bodies {
            has_changed |= body.damp([0.0; 2], false);
        }
        if has_changed {
            self.assembled = None;
        }
    }

    /// Takes note of the impulses of the substep.
    pub(super) fn note_impulses(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.part != Part::Contact) {
            let joint = &mut self.joints[node.joint];
            let known = &mut joint.impulses[usize::from(node.part == Part::Soft)];
            *known = [0.0; AXES];
            for (row, &impulse) in node.rows.iter().zip(&node.impulses) {
                known[row.axis] = impulse;
            }
        }
    }

    /// Adds what the impulses of the rows do to B to the totals.
    pub(super) fn add_totals(&mut self) {
        for node in self.nodes.iter().filter(|node| node.part != Part::Contact) {
            let joint = &mut self.joints[node.joint];
            let side = match &joint.coupled {
                None => self.sides[node.joint][1],
                // The body that the second of its joints moves.
                Some(coupled) => self.sides[coupled.joints[1].0 as usize][1],
            };
            let [force, moment] = node.wrench(side);
            let arm = if joint.coupled.is_some() { DVec3::ZERO } else { self.placed[node.joint].arm_of_b() };
            joint.total[0] += force;
            joint.total[1] += moment - arm.cross(force);
        }
    }

    pub(super) fn load(&mut self, states: &mut States, movers: &[Mover]) {
        for body in self.bodies.iter_mut().filter(|body| body.yields()) {
            body.load(states, &movers[body.body as usize]);
        }
    }

    fn store(&self, states: &mut States, movers: &[Mover]) {
        for body in self.bodies.iter().filter(|body| body.yields()) {
            body.store(states, &movers[body.body as usize]);
        }
    }
}
