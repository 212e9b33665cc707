//! Coordinates that are locked, where substeps end.

use super::super::SoftJoint;
use super::super::node::{Node, Part, Phase};
use super::JointIsland;
use crate::body::Pose;
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

/// A correction in a substep moves no coordinate by more than this, m or rad.
const LARGEST_CORRECTION: f64 = 0.05;

impl JointIsland {
    /// Holds the coordinates of locks: impulses along the gradients where the substep begins. Returns where the bodies are at its end.
    pub(super) fn hold(&mut self) -> Vec<(Pose, DVec3)> {
        let has_locks = self.nodes.iter().any(|node| node.rows.iter().any(|row| row.is_lock()));
        let mut moved: Vec<(Pose, DVec3)> = self.bodies.iter().map(|body| body.moved(self.substep)).collect();
        if !has_locks || self.factorized.is_none() {
            return moved;
        }
        let kept: Vec<_> = self.bodies.iter().map(|body| (body.velocity, body.spin)).collect();
        let kept_impulses: Vec<_> = self.nodes.iter().map(|node| node.impulses).collect();
        let kept_moved = moved.clone();
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for round in 0..NEWTON_LIMIT {
            let missing = self.drift(&moved);
            let worst = missing.iter().flatten().fold(0.0, |worst: f64, x| worst.max(x.abs())) * self.substep;
            if round == 0 {
                first = worst;
            }
            let converges = worst <= 0.5 * last;
            if worst <= NEAR || !converges || round + 1 == NEWTON_LIMIT {
                last = worst;
                break;
            }
            last = worst;
            let impulses = self.solve(&missing);
            self.push(&impulses);
            moved.clear();
            moved.extend(self.bodies.iter().map(|body| body.moved(self.substep)));
        }
        let is_nearer = last <= first;
        if !is_nearer {
            // Turns are too large for it: velocities obey the linear law, and positions are corrected.
            for (body, (velocity, spin)) in self.bodies.iter_mut().zip(kept) {
                (body.velocity, body.spin) = (velocity, spin);
            }
            for (node, impulses) in self.nodes.iter_mut().zip(kept_impulses) {
                node.impulses = impulses;
            }
            return kept_moved;
        }
        moved
    }

    /// What locks lack in mean velocity over the substep where bodies end like this; the other active rows, in velocity.
    fn drift(&self, moved: &[(Pose, DVec3)]) -> Vec<Column> {
        let placed: Vec<Placed> = self
            .joints
            .iter()
            .zip(&self.sides)
            .map(|(joint, sides)| Placed::new(sides.map(|side| &moved[side].0), &joint.frames))
            .collect();
        let near: Vec<[f64; AXES]> = self.joints.iter().map(|joint| joint.coordinates).collect();
        let mut there = near.clone();
        self.coordinates_at(&placed, &near, &mut there);
        let mut missing = self.missing();
        for (node, missing) in self.nodes.iter().zip(&mut missing) {
            if node.part == Part::Contact {
                continue;
            }
            let set = self.joints[node.joint].set;
            for (row, missing) in node.rows.iter().zip(missing).filter(|(row, _)| row.is_lock()) {
                let change = if set == Coordinates::World && row.axis >= 3 {
                    let body = self.sides[node.joint][1];
                    velocities_between(&self.bodies[body].pose, &moved[body].0, 1.0).1[row.axis - 3]
                } else {
                    there[node.joint][row.axis] - near[node.joint][row.axis]
                };
                *missing = -change / self.substep;
            }
        }
        missing
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
            let right: Vec<Column> = self
                .nodes
                .iter()
                .map(|node| {
                    if node.part == Part::Contact {
                        return [0.0; AXES];
                    }
                    let joint = &self.joints[node.joint];
                    std::array::from_fn(|k| node.rows.get(k).map_or(0.0, |row| share * off(joint, row.axis)))
                })
                .collect();
            let displacements = self.solve(&right);
            let mut changes = vec![[DVec3::ZERO; 2]; self.bodies.len()];
            for (node, displacement) in self.nodes.iter().zip(&displacements) {
                for (body, [way, turn]) in node.changes(displacement) {
                    changes[body][0] += way;
                    changes[body][1] += turn;
                }
            }
            for (body, [way, turn]) in
                self.bodies.iter_mut().zip(changes).filter(|(body, _)| body.yields() && !body.is_visitor)
            {
                body.pose = crate::motion::advance(body.pose, way, turn, 1.0);
                body.turn_inertia();
            }
            self.place();
            if share < 1.0 {
                return;
            }
        }
    }
}
