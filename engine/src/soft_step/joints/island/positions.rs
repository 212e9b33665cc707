//! Coordinates that are locked, where substeps end.

use super::super::SoftJoint;
use super::super::node::{Node, Part, Phase};
use super::JointIsland;
use crate::joint::coordinates::{Coordinates, Placed};
use crate::joint::{AXES, Motion};
use crate::motion::velocities_between;
use crate::solver::global::block_cholesky::Column;
use glam::DVec3;

/// Newton steps at most that hold the coordinates of locks, and velocities.
const NEWTON_LIMIT: usize = 12;

/// Coordinates (m, rad) and velocities that are nearer than this to where they should be are there.
const NEAR: f64 = 1e-15;

/// Positions are corrected if a coordinate is farther off than this, m or rad.
const OFF: f64 = 1e-13;

/// A correction in a substep (or step) moves no coordinate by more than this, m or rad.
pub(super) const LARGEST_CORRECTION: f64 = 0.05;

impl JointIsland {
    /// Holds the coordinates of locks in the substep: impulses along the gradients where it begins, with where the bodies move.
    pub(super) fn hold(&mut self) {
        let duration = self.substep;
        self.move_on(duration);
        let has_locks = self.nodes.iter().any(|node| node.rows.iter().any(|row| row.is_lock()));
        if !has_locks || !self.is_factorized {
            return;
        }
        let mut kept = std::mem::take(&mut self.scratch.held);
        kept.keep(
            self.bodies.iter().map(|body| [body.velocity, body.spin]),
            self.nodes.iter().map(|node| node.impulses),
        );
        let mut right = std::mem::take(&mut self.scratch.right);
        let mut impulses = std::mem::take(&mut self.scratch.impulses);
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for round in 0..NEWTON_LIMIT {
            self.drift(duration, &mut right);
            let worst = right.iter().flatten().fold(0.0, |worst: f64, x| worst.max(x.abs())) * duration;
            if round == 0 {
                first = worst;
            }
            let converges = worst <= 0.5 * last;
            last = worst;
            if worst <= NEAR || !converges || round + 1 == NEWTON_LIMIT {
                break;
            }
            self.solve(&right, &mut impulses);
            self.push(&impulses);
            self.move_on(duration);
        }
        let is_nearer = last <= first;
        if !is_nearer {
            // Turns are too large for it: velocities obey the linear law, and positions are corrected.
            self.go_back_to(&kept);
            self.move_on(duration);
        }
        (self.scratch.held, self.scratch.right, self.scratch.impulses) = (kept, right, impulses);
    }

    /// Where the velocities lead in a time, s.
    fn move_on(&mut self, duration: f64) {
        self.moved.clear();
        self.moved.extend(self.bodies.iter().map(|body| body.moved(duration)));
    }

    /// Puts the bodies to where they have moved.
    pub(super) fn take_over(&mut self) {
        for (body, &(pose, spin)) in self.bodies.iter_mut().zip(&self.moved).filter(|(body, _)| !body.is_visitor) {
            body.pose = pose;
            if body.yields() {
                body.spin = spin;
                body.turn_inertia();
            }
        }
    }

    /// What locks lack in mean velocity over a time (s) at the end of which bodies are like this; the other active rows, in velocity.
    fn drift(&mut self, duration: f64, missing: &mut Vec<Column>) {
        self.missing(missing);
        let (mut near, mut there) = (std::mem::take(&mut self.scratch.near), std::mem::take(&mut self.scratch.there));
        let mut placed = std::mem::take(&mut self.scratch.placed);
        placed.clear();
        placed.extend(
            self.joints
                .iter()
                .zip(&self.sides)
                .map(|(joint, sides)| Placed::new(sides.map(|side| &self.moved[side].0), &joint.frames)),
        );
        near.clear();
        near.extend(self.joints.iter().map(|joint| joint.coordinates));
        there.clone_from(&near);
        self.coordinates_at(&placed, &near, &mut there);
        for (node, missing) in self.nodes.iter().zip(missing.iter_mut()) {
            if node.part == Part::Contact {
                continue;
            }
            let set = self.joints[node.joint].set;
            for (row, missing) in node.rows.iter().zip(missing).filter(|(row, _)| row.is_lock()) {
                let change = if set == Coordinates::World && row.axis >= 3 {
                    let body = self.sides[node.joint][1];
                    velocities_between(&self.bodies[body].pose, &self.moved[body].0, 1.0).1[row.axis - 3]
                } else {
                    there[node.joint][row.axis] - near[node.joint][row.axis]
                };
                *missing = -change / duration;
            }
        }
        (self.scratch.placed, self.scratch.near, self.scratch.there) = (placed, near, there);
    }

    /// Brings coordinates back to where they should be, by displacements that are weighted with the masses; velocities stay.
    pub(super) fn correct(&mut self) {
        let mut last = f64::INFINITY;
        for _ in 0..NEWTON_LIMIT {
            let off = |joint: &SoftJoint, axis: usize| {
                let coordinate = joint.coordinates[axis];
                if joint.axes[axis].motion == Motion::Free {
                    0.0
                } else {
                    Node::goal(&joint.axes[axis], coordinate) - coordinate
                }
            };
            let worst = self
                .joints
                .iter()
                .flat_map(|joint| (0..AXES).map(move |axis| off(joint, axis).abs()))
                .fold(0.0, f64::max);
            let converges = worst <= 0.5 * last;
            if worst <= OFF || !converges {
                return;
            }
            last = worst;
            self.assemble(Phase::Correct);
            if !self.factorize() {
                return;
            }
            let share = (LARGEST_CORRECTION / worst).min(1.0);
            let (mut right, mut displacements) =
                (std::mem::take(&mut self.scratch.right), std::mem::take(&mut self.scratch.impulses));
            right.clear();
            right.extend(self.nodes.iter().map(|node| -> Column {
                if node.part == Part::Contact {
                    return [0.0; AXES];
                }
                let joint = &self.joints[node.joint];
                std::array::from_fn(|k| node.rows.get(k).map_or(0.0, |row| share * off(joint, row.axis)))
            }));
            self.solve(&right, &mut displacements);
            let mut changes = std::mem::take(&mut self.scratch.changes);
            changes.clear();
            changes.resize(self.bodies.len(), [DVec3::ZERO; 2]);
            for (node, displacement) in self.nodes.iter().zip(&displacements) {
                for (body, [way, turn]) in node.changes(displacement) {
                    changes[body][0] += way;
                    changes[body][1] += turn;
                }
            }
            for (body, &[way, turn]) in
                self.bodies.iter_mut().zip(&changes).filter(|(body, _)| body.yields() && !body.is_visitor)
            {
                body.pose = crate::motion::advance(body.pose, way, turn, 1.0);
                body.turn_inertia();
            }
            (self.scratch.right, self.scratch.impulses, self.scratch.changes) = (right, displacements, changes);
            self.place();
            if share < 1.0 {
                return;
            }
        }
    }
}
