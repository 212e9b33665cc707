//! The joints of a batch in the substeps of a step.

mod contacts;
mod positions;
mod substep;
mod system;

use super::body::Moving;
use super::contact::{HeavyManifold, Parting, Slot};
use super::node::{Node, Part, Phase, SIDES};
use super::{Coupled, SoftJoint, SoftJoints};
use crate::body::Pose;
use crate::joint::coordinates::Placed;
use crate::joint::{AXES, Axis, Motion, Motor};
use crate::soft_step::batches::NONE;
use crate::soft_step::bodies::Mover;
use crate::solver::global::block_cholesky::{Block, BlockCholesky};
use arrayvec::ArrayVec;
use glam::DVec3;
use system::{Pattern, Shared};

/// The joints of a batch.
#[derive(Debug, Default)]
pub struct JointIsland {
    /// Their places in the list of all.
    members: Vec<u32>,
    joints: Vec<SoftJoint>,
    /// A and B of each, by their places in `bodies`.
    sides: Vec<[usize; 2]>,
    bodies: Vec<Moving>,
    placed: Vec<Placed>,
    nodes: Vec<Node>,
    shared: Vec<Shared>,
    diagonal: Vec<Block>,
    /// The matrix, with the pairs of nodes that it was made for.
    matrix: Option<(Pattern, BlockCholesky)>,
    /// Which rows of each node are solved for in the factor.
    factorized: Option<Vec<u8>>,
    /// Whether the blocks are those of the phase and of where the bodies are.
    assembled: Option<Phase>,
    has_contacts: bool,
    substep: f64,
    /// Contacts that are solved with the joints, their impulses, and what is added to these.
    manifolds: Vec<HeavyManifold>,
    pub slots: Vec<Slot>,
    pub contact_impulses: Vec<f64>,
    pub contact_changes: Vec<f64>,
    parting: Parting,
}

impl JointIsland {
    /// Takes over the joints of a batch; `place` is that of a body that yields.
    pub fn begin(
        &mut self,
        all: &SoftJoints,
        members: &[u32],
        movers: &[Mover],
        place: impl Fn(u32) -> usize,
        (manifolds, parting): (Vec<HeavyManifold>, Parting),
        (has_contacts, substep): (bool, f64),
    ) {
        (self.manifolds, self.parting) = (manifolds, parting);
        (self.has_contacts, self.substep) = (has_contacts, substep);
        (self.factorized, self.assembled) = (None, None);
        self.members.clear();
        self.members.extend_from_slice(members);
        let mut named: Vec<u32> =
            members.iter().flat_map(|&joint| all.joints[joint as usize].bodies).filter(|&body| body != NONE).collect();
        named.sort_unstable();
        named.dedup();
        self.bodies.clear();
        self.bodies.extend(named.iter().filter_map(|&body| {
            let mover = &movers[body as usize];
            let place = mover.yields().then(|| place(body));
            all.body(body).map(|own| Moving::new(own, place, mover.inverse_mass))
        }));
        let world = self.bodies.len();
        self.bodies.push(Moving::world());
        let local = |body: u32| named.binary_search(&body).unwrap_or(world);
        let local_joint = |joint: u32| members.binary_search(&joint).unwrap_or(0) as u32;
        self.joints.clear();
        self.joints.extend(members.iter().map(|&joint| {
            let own = all.joints[joint as usize].clone();
            let coupled = own.coupled.map(|coupled| Coupled {
                joints: coupled.joints.map(|(joint, axis)| (local_joint(joint), axis)),
                ..coupled
            });
            SoftJoint { coupled, total: [DVec3::ZERO; 2], ..own }
        }));
        self.sides.clear();
        self.sides.extend(self.joints.iter().map(|joint| joint.bodies.map(local)));
        self.make_nodes();
        self.add_manifolds(movers);
        self.make_matrix();
    }

    fn make_nodes(&mut self) {
        self.nodes.clear();
        for (k, joint) in self.joints.iter().enumerate() {
            let mut bodies: ArrayVec<usize, SIDES> = ArrayVec::new();
            let sides = match &joint.coupled {
                None => vec![self.sides[k]],
                Some(coupled) => coupled.joints.iter().map(|&(joint, _)| self.sides[joint as usize]).collect(),
            };
            for side in sides.into_iter().flatten() {
                if !bodies.contains(&side) {
                    bodies.push(side);
                }
            }
            let is_soft = |motor: Option<Motor>| matches!(motor, Some(Motor::Position { .. } | Motor::Spring { .. }));
            if joint.axes.iter().any(|axis| {
                axis.motion != Motion::Free || axis.friction > 0.0 || (axis.motor.is_some() && !is_soft(axis.motor))
            }) {
                self.nodes.push(Node::new(k, Part::Hard, bodies.clone()));
            }
            if joint.axes.iter().any(|axis| is_soft(axis.motor)) {
                self.nodes.push(Node::new(k, Part::Soft, bodies));
            }
        }
    }

    /// The joints where the bodies are.
    pub fn place(&mut self) {
        let bodies: Vec<&Pose> = self.bodies.iter().map(|body| &body.pose).collect();
        self.placed.clear();
        self.placed.extend(
            self.joints
                .iter()
                .zip(&self.sides)
                .map(|(joint, sides)| Placed::new(sides.map(|side| bodies[side]), &joint.frames)),
        );
        let near: Vec<[f64; AXES]> = self.joints.iter().map(|joint| joint.coordinates).collect();
        let mut coordinates = near.clone();
        self.coordinates_at(&self.placed, &near, &mut coordinates);
        for (joint, coordinates) in self.joints.iter_mut().zip(coordinates) {
            joint.coordinates = coordinates;
        }
        self.assembled = None;
    }

    /// The coordinates of all joints; angles are counted on from where they were.
    pub(super) fn coordinates_at(&self, placed: &[Placed], near: &[[f64; AXES]], coordinates: &mut [[f64; AXES]]) {
        for (k, joint) in self.joints.iter().enumerate().filter(|(_, joint)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                // A rack asks for the displacement of a slider, which is free.
                if joint.axes[axis] != Axis::FREE || joint.set.is_counted(axis) || axis == 0 {
                    coordinates[k][axis] = placed[k].coordinate(joint.set, axis, near[k][axis]);
                }
            }
        }
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some(Coupled { joints, ratio, offset }) = &joint.coupled {
                let [first, second] = joints.map(|(joint, axis)| coordinates[joint as usize][axis]);
                coordinates[k][0] = second - ratio * first - offset;
            }
        }
    }

    /// The joints as they are after the step, with their places in the list of all.
    pub fn finish(&mut self) -> impl Iterator<Item = (u32, &SoftJoint)> {
        for (joint, placed) in self.joints.iter_mut().zip(&self.placed).filter(|(joint, _)| joint.coupled.is_none()) {
            for axis in 0..AXES {
                joint.coordinates[axis] = placed.coordinate(joint.set, axis, joint.coordinates[axis]);
            }
        }
        self.members.iter().copied().zip(&self.joints)
    }

    /// Whether a body (by its place in the batch) is one of those that joints move.
    pub fn mark(&self, is_jointed: &mut [bool]) {
        for place in self.bodies.iter().filter(|body| !body.is_visitor).filter_map(|body| body.place) {
            is_jointed[place] = true;
        }
    }
}
