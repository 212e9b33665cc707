//! Rows of one joint that are solved as a block.

use super::SoftJoint;
use super::body::Moving;
use super::contact::HeavyManifold;
use super::row::{Row, Step};
use crate::joint::coordinates::{Coordinates, Placed};
use crate::joint::{AXES, Axis, Motion, Motor};
use crate::solver::global::block_cholesky::{Block, dot};
use arrayvec::ArrayVec;
use glam::DVec3;

/// Bodies of a joint at most: a gear has those of two hinges.
pub(super) const SIDES: usize = 4;

/// A limit counts as reached within this, m or rad.
const AT_LIMIT: f64 = 1e-9;

/// No motor has a larger impulse, N s or N m s.
const STRONGEST: f64 = 1e100;

/// What the rows of a joint are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Locks, limits, friction, motors that keep a velocity.
    Hard,
    /// Springs and motors that keep a position.
    Soft,
    /// No joint but a manifold of contacts.
    Contact,
}

/// Rows of a joint.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its place in the list.
    pub joint: usize,
    pub part: Part,
    /// The places of its bodies among those of the island.
    pub bodies: ArrayVec<usize, SIDES>,
    pub rows: ArrayVec<Row, AXES>,
    /// For each body the gradients of the rows by its velocity and angular velocity, and what an impulse changes in these.
    pub gradients: ArrayVec<Block, SIDES>,
    pub responses: ArrayVec<Block, SIDES>,
    /// The impulses of the substep.
    pub impulses: [f64; AXES],
    /// The velocities of the rows of springs before forces acted.
    pub before: [f64; AXES],
}

/// Where a substep of a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Impulses that lead through the substep.
    Push,
    /// The velocities where it has ended.
    Project,
    /// Positions.
    Correct,
}

impl Node {
    pub fn new(joint: usize, part: Part, bodies: ArrayVec<usize, SIDES>) -> Self {
        let zero = || bodies.iter().map(|_| [[0.0; 6]; AXES]).collect();
        Self {
            joint,
            part,
            rows: ArrayVec::new(),
            gradients: zero(),
            responses: zero(),
            bodies,
            impulses: [0.0; AXES],
            before: [0.0; AXES],
        }
    }

    /// The rows of a phase, where the bodies are: `coordinates` are those of the joint.
    pub fn set_rows(&mut self, own: &SoftJoint, coordinates: &[f64; AXES], phase: Phase, substep: f64) {
        self.rows.clear();
        for (k, axis) in own.axes.iter().enumerate() {
            let row = match self.part {
                Part::Hard => hard_row(k, axis, coordinates[k], phase, substep),
                Part::Soft if phase == Phase::Push => soft_row(k, axis, (coordinates[k], self.before[k]), substep),
                Part::Soft | Part::Contact => None,
            };
            self.rows.extend(row);
        }
    }

    /// Where a row of locks is to be, for the coordinate that it has.
    pub fn goal(axis: &Axis, coordinate: f64) -> f64 {
        match axis.motion {
            Motion::Limited { lower, upper } => coordinate.clamp(lower, upper),
            _ => 0.0,
        }
    }

    /// The gradients of the normals of contacts.
    pub fn set_contact_gradients(&mut self, manifold: &HeavyManifold, bodies: &[Moving]) {
        for (slot, sign) in [(0, -1.0), (1, 1.0)] {
            self.gradients[slot] = [[0.0; 6]; AXES];
            let linear = manifold.normal * sign;
            for (to, contact) in self.gradients[slot].iter_mut().zip(&manifold.contacts) {
                let angular = contact.arms[slot].cross(linear);
                *to = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
            }
        }
        self.set_responses(bodies);
    }

    /// The gradients of the rows where the bodies are.
    pub fn set_gradients(&mut self, joints: &[SoftJoint], placed: &[Placed], bodies: &[Moving], sides: &[[usize; 2]]) {
        self.gradients.iter_mut().for_each(|block| *block = [[0.0; 6]; AXES]);
        let own = &joints[self.joint];
        for k in 0..self.rows.len() {
            let axis = self.rows[k].axis;
            match &own.coupled {
                None => self.add_gradient(k, &placed[self.joint], own.set, axis, sides[self.joint], 1.0),
                Some(coupled) => {
                    for ((joint, axis), factor) in coupled.joints.into_iter().zip([-coupled.ratio, 1.0]) {
                        let joint = joint as usize;
                        self.add_gradient(k, &placed[joint], joints[joint].set, axis, sides[joint], factor);
                    }
                }
            }
        }
        self.set_responses(bodies);
    }

    fn set_responses(&mut self, bodies: &[Moving]) {
        for (slot, &body) in self.bodies.iter().enumerate() {
            let body = &bodies[body];
            for (row, to) in self.gradients[slot].iter().zip(&mut self.responses[slot]) {
                let [x, y, z, p, q, r] = *row;
                let turn = body.inverse_inertia * DVec3::new(p, q, r);
                let m = body.inverse_mass;
                *to = [m * x, m * y, m * z, turn.x, turn.y, turn.z];
            }
        }
    }

    fn add_gradient(
        &mut self,
        row: usize,
        placed: &Placed,
        set: Coordinates,
        axis: usize,
        sides: [usize; 2],
        factor: f64,
    ) {
        let gradient = placed.gradient(set, axis);
        for (k, side) in sides.into_iter().enumerate() {
            let Some(slot) = self.bodies.iter().position(|&body| body == side) else { continue };
            let (linear, angular) = (gradient.linear[k] * factor, gradient.angular[k] * factor);
            let to = &mut self.gradients[slot][row];
            let add = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
            to.iter_mut().zip(add).for_each(|(x, y)| *x += y);
        }
    }

    /// The velocity of a row.
    pub fn velocity(&self, row: usize, bodies: &[Moving]) -> f64 {
        let mut sum = 0.0;
        for (slot, &body) in self.bodies.iter().enumerate() {
            let [x, y, z, p, q, r] = self.gradients[slot][row];
            let Moving { velocity, spin, .. } = &bodies[body];
            sum += DVec3::new(x, y, z).dot(*velocity) + DVec3::new(p, q, r).dot(*spin);
        }
        sum
    }

    /// What an impulse of one changes in the velocity of its row.
    pub fn change(&self, row: usize) -> f64 {
        self.gradients.iter().zip(&self.responses).map(|(gradient, response)| dot(&gradient[row], &response[row])).sum()
    }

    /// What impulses change: a velocity and an angular velocity of each body.
    pub fn changes(&self, impulses: &[f64; AXES]) -> impl Iterator<Item = (usize, [DVec3; 2])> {
        self.bodies.iter().zip(&self.responses).map(move |(&body, responses)| {
            let mut change = [0.0; 6];
            for (row, impulse) in responses.iter().zip(impulses) {
                change.iter_mut().zip(row).for_each(|(x, y)| *x += y * impulse);
            }
            let [x, y, z, p, q, r] = change;
            (body, [DVec3::new(x, y, z), DVec3::new(p, q, r)])
        })
    }

    /// Changes the velocities of bodies by impulses.
    pub fn push(&self, impulses: &[f64; AXES], bodies: &mut [Moving]) {
        for (body, [velocity, spin]) in self.changes(impulses) {
            if bodies[body].yields() {
                bodies[body].velocity += velocity;
                bodies[body].spin += spin;
            }
        }
    }

    /// The impulse (N s) and the moment (N m s, about its centre of mass) on a body.
    pub fn wrench(&self, body: usize) -> [DVec3; 2] {
        let mut wrench = [0.0; 6];
        if let Some(slot) = self.bodies.iter().position(|&own| own == body) {
            for (row, impulse) in self.gradients[slot].iter().zip(&self.impulses) {
                wrench.iter_mut().zip(row).for_each(|(x, y)| *x += y * impulse);
            }
        }
        let [x, y, z, p, q, r] = wrench;
        [DVec3::new(x, y, z), DVec3::new(p, q, r)]
    }
}

/// The row of locks, limits, friction and motors that keep a velocity, if the axis has any.
fn hard_row(k: usize, axis: &Axis, coordinate: f64, phase: Phase, substep: f64) -> Option<Row> {
    let mut steps = ArrayVec::new();
    match axis.motion {
        Motion::Locked => return Some(Row::lock(k)),
        // A rod is a lock at another place.
        Motion::Limited { lower, upper } if lower == upper => return Some(Row::lock(k)),
        _ => {}
    }
    let is_pushed = phase == Phase::Push;
    if let Some(Motor::Velocity { target, max_force }) = axis.motor.filter(|_| is_pushed) {
        // A motor of any strength yields to a limit.
        let most = (max_force * substep).min(STRONGEST);
        steps.push(Step { velocity: target, low: -most, high: most });
    }
    if is_pushed && axis.friction > 0.0 {
        let most = axis.friction * substep;
        steps.push(Step { velocity: 0.0, low: -most, high: most });
    }
    if let Motion::Limited { lower, upper } = axis.motion {
        if phase == Phase::Correct {
            return (coordinate < lower || coordinate > upper).then(|| Row::lock(k));
        }
        let is_near = |gap: f64| gap.is_finite() && (is_pushed || gap <= AT_LIMIT);
        let velocity = |gap: f64| if is_pushed { gap.max(0.0) / substep } else { 0.0 };
        if is_near(coordinate - lower) {
            let velocity = -velocity(coordinate - lower);
            steps.push(Step { velocity, low: 0.0, high: f64::INFINITY });
        }
        if is_near(upper - coordinate) {
            let velocity = velocity(upper - coordinate);
            steps.push(Step { velocity, low: f64::NEG_INFINITY, high: 0.0 });
        }
    }
    (!steps.is_empty()).then(|| Row::bounded(k, steps, 0.0))
}

/// The row of a spring, or of a motor that keeps a position.
fn soft_row(k: usize, axis: &Axis, (coordinate, before): (f64, f64), substep: f64) -> Option<Row> {
    // An impulse λ = −s (w + r u) with the velocity u at the end: as a step at −w/r, with a compliance.
    let (strength, distance, most) = match axis.motor? {
        Motor::Velocity { .. } => return None,
        Motor::Position { target, stiffness, damping, max_force } => {
            let rate = substep * stiffness + damping;
            (substep * rate, -stiffness * (coordinate - target) / rate, max_force * substep)
        }
        // The force at the mean of the coordinates q − h u⁻, q, and q + h u with the weights ¼, ½, ¼.
        Motor::Spring { rest, stiffness, damping } => {
            let quarter = 0.25 * substep * stiffness;
            let rate = quarter + damping;
            (substep * rate, (quarter * before - stiffness * (coordinate - rest)) / rate, f64::INFINITY)
        }
    };
    let steps = std::iter::once(Step { velocity: distance, low: -most, high: most }).collect();
    (strength > 0.0).then(|| Row::bounded(k, steps, 1.0 / strength))
}
