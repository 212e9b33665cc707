//! Joints whose impulses another solver finds, with those of contacts: for whole steps that begin and end at poses of the bodies, as
//! SHAKE does.
//!
//! The rows are those of a substep as long as the step. What locks and limits ask of velocities is that their coordinates are where they should be at the
//! end; it follows from where the velocities of the last solve lead (Newton's method, with gradients where the step begins).

use super::super::body::Moving;
use super::super::node::{Node, Part, Phase};
use super::super::row::Row;
use super::super::{SoftJoint, SoftJoints};
use super::JointIsland;
use super::positions::LARGEST_CORRECTION;
use crate::body::Pose;
use crate::joint::AXES;
use crate::joint::coordinates::{Coordinates, Placed};
use crate::motion::{advance, velocities_between};
use crate::solver::{BoundedRow, SolverBody, Twist, twist};
use glam::DVec3;

/// A row with what it is about.
#[derive(Clone, Debug)]
pub struct JointRow {
    /// As the solver sees it.
    pub row: BoundedRow,
    /// Its node, and its place among the rows of that.
    node: usize,
    place: usize,
    /// Where the coordinate is to be at the end of the step, and whether from below, from above, or both; none of motors and friction.
    goal: Option<(f64, [bool; 2])>,
}

impl JointIsland {
    /// Takes over the joints of an island for a step of some time (s). `place` is that of a body in the solver's list.
    pub fn begin_beside(
        &mut self,
        all: &SoftJoints,
        members: &[u32],
        place: impl Fn(u32) -> Option<usize>,
        states: &[SolverBody],
        step: f64,
    ) {
        (self.has_contacts, self.substep) = (false, step);
        (self.is_factorized, self.assembled, self.matrix) = (false, None, None);
        self.manifolds.clear();
        self.shared.clear();
        self.diagonal.clear();
        self.take_joints(all, members.iter().copied(), |own| {
            let place = place(own.body).filter(|&place| states[place].inverse_mass > 0.0);
            Moving::new(own, place, place.map_or(0.0, |place| states[place].inverse_mass))
        });
        self.place();
        self.set_velocities(states, |state| state.twist);
        self.damp(false);
    }

    /// Bodies with a mass as their damping has it, and the velocities of these without joints and contacts.
    pub fn damped(&self, states: &[SolverBody]) -> Vec<SolverBody> {
        let mut damped = states.to_vec();
        for body in &self.bodies {
            let Some(place) = body.place else { continue };
            let state = &mut damped[place];
            let free: Twist = std::array::from_fn(|k| state.twist[k] + state.forced_change[k]);
            let mut slowed = body.clone();
            (slowed.velocity, slowed.spin) = vectors(&free);
            slowed.slow_down();
            let after = twist(slowed.velocity, slowed.spin);
            (state.inverse_mass, state.inverse_inertia) = (body.inverse_mass, body.inverse_inertia);
            state.forced_change = std::array::from_fn(|k| after[k] - state.twist[k]);
        }
        damped
    }

    /// The rows where the step begins, and the impulses that they had in the step before.
    pub fn joint_rows(&mut self, states: &[SolverBody]) -> (Vec<JointRow>, Vec<f64>) {
        self.assembled = None;
        self.set_velocities(states, |state| state.twist);
        self.assemble(Phase::Push);
        for k in 0..self.nodes.len() {
            if self.nodes[k].part != Part::Soft {
                continue;
            }
            // Springs ask for the velocity before forces act.
            let velocities: Vec<(usize, f64)> = (0..self.nodes[k].rows.len())
                .map(|row| (self.nodes[k].rows[row].axis, self.nodes[k].velocity(row, &self.bodies)))
                .collect();
            let node = &mut self.nodes[k];
            node.before = [0.0; AXES];
            velocities.into_iter().for_each(|(axis, velocity)| node.before[axis] = velocity);
            let joint = &self.joints[node.joint];
            node.set_rows(joint, &joint.coordinates, Phase::Push, self.substep);
        }
        let (mut rows, mut known) = (Vec::new(), Vec::new());
        for (k, node) in self.nodes.iter().enumerate() {
            let joint = &self.joints[node.joint];
            for (place, row) in node.rows.iter().enumerate() {
                let first = rows.len();
                self.add_rows(k, place, row, joint, &mut rows);
                known.resize(rows.len(), 0.0);
                if let Some(known) = known.get_mut(first).filter(|_| row.is_lock() || node.part == Part::Soft) {
                    *known = joint.impulses[usize::from(node.part == Part::Soft)][row.axis];
                }
            }
        }
        (rows, known)
    }

    fn add_rows(&self, node: usize, place: usize, row: &Row, joint: &SoftJoint, rows: &mut Vec<JointRow>) {
        let own = &self.nodes[node];
        let mut sides = arrayvec::ArrayVec::new();
        let mut offset = 0.0;
        for (gradients, &body) in own.gradients.iter().zip(&own.bodies) {
            let body = &self.bodies[body];
            match body.place {
                Some(body) => sides.push((body, gradients[place])),
                None => {
                    let (linear, angular) = vectors(&gradients[place]);
                    offset += linear.dot(body.velocity) + angular.dot(body.spin);
                }
            }
        }
        let made = |target: f64, bounds: [f64; 2], goal| JointRow {
            row: BoundedRow { sides: sides.clone(), offset, target, bounds, compliance: row.compliance },
            node,
            place,
            goal,
        };
        let now = joint.coordinates[row.axis];
        // Back to where it should be, but not all at once.
        let back = |goal: f64| now + (goal - now).clamp(-LARGEST_CORRECTION, LARGEST_CORRECTION);
        let infinite = f64::INFINITY;
        if row.is_lock() {
            let goal = back(Node::goal(&joint.axes[row.axis], now));
            rows.push(made((goal - now) / self.substep, [-infinite, infinite], Some((goal, [true; 2]))));
        }
        for step in row.steps() {
            let (bounds, velocity) = ([step.low, step.high], step.velocity);
            let is_limit = [step.high.is_infinite(), step.low.is_infinite()];
            let way =
                if row.compliance == 0.0 && is_limit != [false; 2] { Some(velocity * self.substep) } else { None };
            let goal = way.map(|way| if way == 0.0 { back(Node::goal(&joint.axes[row.axis], now)) } else { now + way });
            let target = goal.map_or(velocity, |goal| (goal - now) / self.substep);
            rows.push(made(target, bounds, goal.map(|goal| (goal, is_limit))));
        }
    }

    /// Takes over the velocities and impulses of a solve, and asks for what is missing where they lead. Returns the farthest that an active row is off, m or rad.
    pub fn take_solution(&mut self, twists: &[Twist], impulses: &[f64], rows: &mut [JointRow]) -> f64 {
        for body in &mut self.bodies {
            if let Some(place) = body.place {
                (body.velocity, body.spin) = vectors(&twists[place]);
            }
        }
        self.nodes.iter_mut().for_each(|node| node.impulses = [0.0; AXES]);
        for (row, impulse) in rows.iter().zip(impulses) {
            self.nodes[row.node].impulses[row.place] += impulse;
        }
        self.note_impulses();
        let ahead = self.ahead();
        let there = self.coordinates_ahead(&ahead);
        let mut worst = 0.0_f64;
        for (own, &impulse) in rows.iter_mut().zip(impulses) {
            let Some((goal, [from_below, from_above])) = own.goal else { continue };
            let node = &self.nodes[own.node];
            let axis = node.rows[own.place].axis;
            let set = self.joints[node.joint].set;
            let off = if set == Coordinates::World && axis >= 3 {
                let body = self.sides[node.joint][1];
                goal - velocities_between(&self.bodies[body].pose, &ahead[body], 1.0).1[axis - 3]
            } else {
                goal - there[node.joint][axis]
            };
            let is_active = impulse != 0.0 || (from_below && off > 0.0) || (from_above && off < 0.0);
            if is_active {
                worst = worst.max(off.abs());
            }
            own.row.target = node.velocity(own.place, &self.bodies) + off / self.substep;
        }
        worst
    }

    /// The damping that the impulses of the last solve need; whether it has grown.
    pub fn needs_damping(&mut self) -> bool {
        self.damp(true)
    }

    /// The joints at the end of the step, by their places in the list of all.
    pub fn finish_beside(&mut self) -> Vec<(u32, SoftJoint)> {
        self.add_totals();
        let there = self.coordinates_ahead(&self.ahead());
        let joints = self.joints.iter().zip(there);
        let ended = joints.map(|(joint, coordinates)| {
            let solved = Some((coordinates, joint.impulses));
            SoftJoint { solved, ..joint.clone() }
        });
        self.members.iter().copied().zip(ended).collect()
    }

    /// Where the velocities lead in the step.
    fn ahead(&self) -> Vec<Pose> {
        self.bodies.iter().map(|body| advance(body.pose, body.velocity, body.spin, self.substep)).collect()
    }

    fn coordinates_ahead(&self, ahead: &[Pose]) -> Vec<[f64; AXES]> {
        let placed: Vec<Placed> = self
            .joints
            .iter()
            .zip(&self.sides)
            .map(|(joint, sides)| Placed::new(sides.map(|side| &ahead[side]), &joint.frames))
            .collect();
        let near: Vec<[f64; AXES]> = self.joints.iter().map(|joint| joint.coordinates).collect();
        let mut there = near.clone();
        self.coordinates_at(&placed, &near, &mut there);
        // All that can be asked for, as at the end of any step.
        for ((joint, placed), there) in self.joints.iter().zip(&placed).zip(&mut there) {
            if joint.coupled.is_none() {
                *there = std::array::from_fn(|axis| placed.coordinate(joint.set, axis, there[axis]));
            }
        }
        there
    }

    fn set_velocities(&mut self, states: &[SolverBody], of: impl Fn(&SolverBody) -> Twist) {
        for body in &mut self.bodies {
            if let Some(place) = body.place {
                (body.velocity, body.spin) = vectors(&of(&states[place]));
            }
        }
    }
}

fn vectors(&[x, y, z, p, q, r]: &[f64; 6]) -> (DVec3, DVec3) {
    (DVec3::new(x, y, z), DVec3::new(p, q, r))
}
